#!/usr/bin/env python3
"""Fills the tables of measured figures in docs/primitives/*.md.

    docs/figures.py bench/results/lab-<device>-<date>.json bench/results/forms-<device>-<date>.json

The files are what `warpview lab --json` printed, with the command line and the commit added as
"command" and "commit": the first measures the default form of each primitive at several sizes, the
second all forms at one size. A series may be of a few primitives: the pages of others stay. Series
without "bytes_needed" are refused: their shares of a copy's speed are of each variant's own bytes, and
they have no quartiles. A page names the primitive whose figures it shows:

    <!-- figures: scan -->
    ...replaced...
    <!-- /figures -->

Behind the name may stand `shares`, for shares of a copy's speed in the table of forms too, and `facts`,
for a table of what the laboratory tells beside the times. `no_FORM` leaves a form out.

    docs/figures.py --facts bench/results/<series>.json

fills tables of one such fact instead, of the forms that are named: over the sizes of a series that has
several, where the page says so, else of its variants. A series of one size has no table of sizes.

    <!-- facts: latency chase chase_warm over_sizes -->
    ...replaced...
    <!-- /facts -->
"""

import json
import pathlib
import re
import sys


def size_in_words(items):
    exponent = items.bit_length() - 1
    return f"2^{exponent}" if items == 1 << exponent else str(items)


def time_in_words(milliseconds):
    return f"{milliseconds:.4f}" if milliseconds < 1 else f"{milliseconds:.2f}"


WIDE = 0.05  # quartiles are told where they are further apart than this share of the median


def most_runs(answers):
    return max(a.get("runs", 0) for a in answers)


def spread(answer, usual_runs):
    """What the median does not say: wide quartiles, and fewer runs than the caption tells of."""
    first, third = answer["quartile_1_ms"], answer["quartile_3_ms"]
    texts = []
    if third - first > WIDE * answer["ms"]:
        texts.append(f"{time_in_words(first)} to {time_in_words(third)}")
    if answer["runs"] < usual_runs:
        texts.append(f"{answer['runs']} runs")
    return texts


def cell(answer, usual_runs, with_share):
    if not answer["available"]:
        return "-"
    if "ms" not in answer:
        return "wrong"
    texts = [f"{100 * answer['copy_share']:.0f}%"] if with_share else []
    if answer.get("of_library") and answer["variant"] != "library":
        texts.append(f"{answer['of_library']:.2f}x")
    texts += spread(answer, usual_runs)
    return time_in_words(answer["ms"]) + (f" ({', '.join(texts)})" if texts else "")


def in_rows(rows, columns, cells):
    """A table; cells maps (row, column) to text."""
    lines = [
        "| variant | " + " | ".join(columns) + " |",
        "| --- |" + " ---: |" * len(columns),
    ]
    for row in rows:
        texts = (cells.get((row, column), "") for column in columns)
        lines.append(f"| {row} | " + " | ".join(texts) + " |")
    return "\n".join(lines)


def measured_by(measured):
    return (f"{measured['device']} ({measured['driver']}; {measured['built_with']}; "
            f"{measured['date'][:10]}, commit {measured['commit']}), `{measured['command']}`")


def how(answers):
    """What the numbers of a table are."""
    return (f"median of {most_runs(answers)} runs with cold caches, or of as many as stand beside it; "
            f"the quartiles where they are more than {100 * WIDE:.0f}% of it apart")


def names(answers):
    """The variants with what they move, where that is more than the problem needs."""
    labels = {}
    for a in answers:
        if "ms" not in a:
            labels.setdefault(a["variant"], a["variant"])
            continue
        factor = a["bytes_moved"] / a["bytes_needed"] if a["bytes_needed"] else 1
        labels[a["variant"]] = a["variant"] + (f", moves {factor:.3g}x" if factor > 1.005 else "")
    return labels


def answers_of(primitive, measured):
    return [a for a in measured["results"] if a["primitive"] == primitive]


def variants_in(answers):
    return list(dict.fromkeys(a["variant"] for a in answers if a["available"]))


def has_library(answers):
    return any(a.get("of_library") for a in answers if a["variant"] != "library")


def by_size(primitive, measured):
    answers = answers_of(primitive, measured)
    sizes = sorted({a["items"] for a in answers})
    if len(sizes) == 1:
        return ""
    label = names(answers)
    cells = {(label[a["variant"]], size_in_words(a["items"])): cell(a, most_runs(answers), True)
             for a in answers}
    first = answers[0]
    yardstick = "the share of the speed of a copy that moves the bytes which the problem needs"
    if has_library(answers):
        yardstick += ", and as a factor the library's time over the variant's"
    return (f"Form `{first['form']}`, input {first['distribution']}; milliseconds: {how(answers)}. "
            f"In brackets {yardstick}. On {measured_by(measured)}.\n\n"
            + in_rows([label[v] for v in variants_in(answers)],
                      [size_in_words(n) for n in sizes], cells))


def fact_in_words(fact):
    value = fact["value"]
    text = f"{value:.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"
    return f"{text} {fact['unit']}".rstrip()


def facts_by_form(answers, forms):
    """What is told beside the times; the same whats in each form's column."""
    told = {f"`{form}`": ", ".join(dict.fromkeys(fact["what"] for a in answers if a["form"] == form
                                                for fact in a.get("facts", []))) for form in forms}
    cells = {(a["variant"], f"`{a['form']}`"): ", ".join(map(fact_in_words, a.get("facts", [])))
             for a in answers}
    columns = [form for form, what in told.items() if what]
    if not columns:
        return ""
    alike = len({told[form] for form in columns}) == 1
    whats = told[columns[0]] if alike else "; ".join(f"{form}: {told[form]}" for form in columns)
    return f"\n\nTold of these runs ({whats}):\n\n" + in_rows(variants_in(answers), columns, cells)


def by_form(primitive, options, measured):
    answers = answers_of(primitive, measured)
    if not answers:
        return ""
    forms = [f for f in dict.fromkeys(a["form"] for a in answers) if f"no_{f}" not in options]
    answers = [a for a in answers if a["form"] in forms]
    if len(forms) == 1:
        return ""
    shares = "shares" in options
    facts = facts_by_form(answers, forms) if "facts" in options else ""
    cells = {(a["variant"], f"`{a['form']}`"): cell(a, most_runs(answers), shares) for a in answers}
    note = "; in brackets the share of the speed of a copy" if shares else ""
    note += ", in brackets the factor over the library" if has_library(answers) else ""
    if any(cells.get((v, f"`{form}`")) == "-" for v in variants_in(answers) for form in forms):
        note += "; -: not for this variant"
    return (f"\n\nAll forms at {size_in_words(answers[0]['items'])}; milliseconds: {how(answers)}{note}. "
            f"{measured_by(measured)}.\n\n"
            + in_rows(variants_in(answers), [f"`{form}`" for form in forms], cells) + facts)


def facts_table(primitive, options, measured):
    """The first fact of each answer: forms over sizes, or variants by form."""
    over_sizes = "over_sizes" in options
    answers = [a for a in answers_of(primitive, measured) if a.get("facts") and a["form"] in options]
    forms = list(dict.fromkeys(a["form"] for a in answers))
    sizes = sorted({a["items"] for a in answers})
    if not answers or over_sizes != (len(sizes) > 1):
        return ""
    fact = answers[0]["facts"][0]
    variants = variants_in(answers)
    whose = f"`{variants[0]}`, over sizes" if over_sizes else f"at {size_in_words(sizes[0])}"
    rows, columns = ((forms, sizes) if over_sizes else (variants, forms))
    cells = {}
    for a in answers:
        place = ((f"`{a['form']}`", size_in_words(a["items"])) if over_sizes else (a["variant"], f"`{a['form']}`"))
        cells[place] = f"{a['facts'][0]['value']:.0f}"
    rows = [f"`{row}`" for row in rows] if over_sizes else rows
    columns = [size_in_words(c) if over_sizes else f"`{c}`" for c in columns]
    table = in_rows(rows, columns, cells)
    return (f"{fact['what'].capitalize()}, {whose}; {fact['unit']}, from the median of {most_runs(answers)} runs. "
            f"{measured_by(measured)}.\n\n" + table.replace("| variant |", "| form |" if over_sizes else "| variant |", 1))


def fill_facts(name):
    measured = json.loads(pathlib.Path(name).read_text())
    block = re.compile(r"(<!-- facts: (\w+)((?: \w+)*) -->\n).*?(<!-- /facts -->)", re.DOTALL)
    for page in sorted(pathlib.Path(__file__).parent.glob("primitives/*.md")):
        text = page.read_text()

        def fill(match):
            table = facts_table(match[2], match[3].split(), measured)
            return f"{match[1]}{table}\n{match[4]}" if table else match[0]

        filled = block.sub(fill, text)
        if filled != text:
            page.write_text(filled)
            print(page.name)


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--facts":
        return fill_facts(sys.argv[2])
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sizes, forms = (json.loads(pathlib.Path(name).read_text()) for name in sys.argv[1:])
    for name, measured in zip(sys.argv[1:], (sizes, forms)):
        if not any("bytes_needed" in a for a in measured["results"]):
            sys.exit(f"docs/figures.py: {name} is an older series: measure it anew")
    block = re.compile(r"(<!-- figures: (\w+)((?: \w+)*) -->\n).*?(<!-- /figures -->)", re.DOTALL)
    for page in sorted(pathlib.Path(__file__).parent.glob("primitives/*.md")):
        text = page.read_text()
        filled = block.sub(
            lambda m: f"{m[1]}{(by_size(m[2], sizes) + by_form(m[2], m[3].split(), forms)).strip()}\n{m[4]}"
            if answers_of(m[2], sizes) else m[0], text)
        if filled != text:
            page.write_text(filled)
            print(page.name)


if __name__ == "__main__":
    main()
