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

    docs/figures.py --reports

fills the tables of schedulers in the scenes' pages, of the series that they name (bench/reports.py) and with the facts
that they name beside times, launches, waits and failed takes:

    <!-- reports: SERIES blended -->
    ...replaced...
    <!-- /reports -->

    docs/figures.py --numbers [PAGE...]

writes the numbers in prose that name their series (docs/marks.py).

    docs/figures.py --check [PAGE...]

changes nothing. It fails where such a table is not what the kept series give, and where a number in the prose
that names its series (docs/marks.py) differs from it in a digit.
"""

import itertools
import json
import pathlib
import re
import subprocess
import sys

import marks

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIGURES = re.compile(r"(<!-- figures: (\w+)((?: \w+)*) -->\n)(.*?)(<!-- /figures -->)", re.DOTALL)
REPORTS = re.compile(r"(<!-- reports: ([\w-]+)((?: \w+)*) -->\n)(.*?)(<!-- /reports -->)", re.DOTALL)
FACTS = re.compile(r"(<!-- facts: (\w+)((?: \w+)*) -->\n)(.*?)(<!-- /facts -->)", re.DOTALL)


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


# Facts that kept series have under an earlier name of the laboratory's.
RENAMED = {"under way": "in flight"}


def facts_by_form(answers, forms):
    """What is told beside the times; the same whats in each form's column."""
    told = {f"`{form}`": ", ".join(dict.fromkeys(RENAMED.get(fact["what"], fact["what"])
                                                for a in answers if a["form"] == form
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
    if len(forms) < 2:
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


def figures_of(primitive, options, sizes, forms):
    return (by_size(primitive, sizes) + by_form(primitive, options, forms)).strip() + "\n"


def fill(block, table, rooms=("primitives",)):
    """Replaces what stands in the blocks of all pages by table(name, options); left alone where that is empty."""
    for page in sorted(page for room in rooms for page in (ROOT / "docs" / room).glob("*.md")):
        text = page.read_text()
        filled = block.sub(
            lambda m: f"{m[1]}{new}{m[5]}" if (new := table(m[2], m[3].split())) else m[0], text)
        if filled != text:
            page.write_text(filled)
            print(page.name)


def facts_text(primitive, options, measured):
    table = facts_table(primitive, options, measured)
    return f"{table}\n" if table else ""


def reports_table(name, facts):
    """A row for each scheduler: its time, and what the host and the blocks did."""
    series = marks.series_named(name)
    rows = series["benchmarks"]
    columns = ["launches", "host waits", "failed takes", *facts]
    keys = ["launches", "waits", "failed_takes", *facts]
    lines = [f"Milliseconds of device time, medians of {min(b['runs'] for b in rows)} runs or more; the rest is of the "
             f"last frame. {series['device']} ({series['versions']}; {series['date'][:10]}, commit {series['commit']}), "
             f"for each scheduler S `{series['command']}`.", "",
             "| scheduler | ms | quartiles | " + " | ".join(columns) + " |",
             "| --- |" + " ---: |" * (2 + len(columns))]
    for b in rows:
        times = f"{time_in_words(b['quartile_1_ms'])} to {time_in_words(b['quartile_3_ms'])}"
        cells = [b["variant"], time_in_words(b["median_ms"]), times, *(f"{b[key]:.0f}" for key in keys)]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def kept_series():
    """The series of the laboratory from which tables can be made."""
    found = [json.loads(path.read_text()) for path in sorted(marks.RESULTS.glob("*.json"))]
    return [one for one in found if any("bytes_needed" in a for a in one.get("results", []))]


def is_of(series, text):
    """A table's caption names the command that measured it."""
    return f"`{series['command']}`" in text


def block_holds(match, kept):
    primitive, options, text = match[2], match[3].split(), match[4]
    if match[1].startswith("<!-- reports"):
        return (marks.RESULTS / f"{primitive}.json").exists() and reports_table(primitive, options) == text
    of = [one for one in kept if is_of(one, text) and answers_of(primitive, one)]
    if match[1].startswith("<!-- facts"):
        return any(facts_text(primitive, options, one) == text for one in of)
    return any(figures_of(primitive, options, *two) == text for two in itertools.product(of, repeat=2))


def all_pages():
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, check=True, capture_output=True, text=True)
    return [str(ROOT / page) for page in listed.stdout.splitlines()]


def write_numbers(names):
    for path in map(pathlib.Path, names or all_pages()):
        text = path.read_text()
        written = marks.with_numbers(text)
        if written != text:
            path.write_text(written)
            print(path.name)


def check(names):
    kept, wrong, blocks, numbers = kept_series(), 0, 0, 0
    for name in names or all_pages():
        text = pathlib.Path(name).read_text()
        found = []
        for match in itertools.chain.from_iterable(block.finditer(text) for block in (FIGURES, FACTS, REPORTS)):
            blocks += 1
            if not block_holds(match, kept):
                found.append((text.count("\n", 0, match.start()) + 1, f"no kept series give this table: {match[1].strip()}"))
        of_prose, count = marks.wrong_marks(text)
        for line, what in found + of_prose:
            print(f"{name}:{line}: {what}", file=sys.stderr)
        numbers += count
        wrong += len(found) + len(of_prose)
    print(f"{blocks} tables and {numbers} numbers in prose, {wrong} wrong")
    return 1 if wrong else 0


def main():
    if sys.argv[1:2] == ["--check"]:
        return check(sys.argv[2:])
    if sys.argv[1:2] == ["--numbers"]:
        return write_numbers(sys.argv[2:])
    if sys.argv[1:] == ["--reports"]:
        return fill(REPORTS, reports_table, ("scenes",))
    if len(sys.argv) == 3 and sys.argv[1] == "--facts":
        measured = json.loads(pathlib.Path(sys.argv[2]).read_text())
        return fill(FACTS, lambda primitive, options: facts_text(primitive, options, measured))
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sizes, forms = (json.loads(pathlib.Path(name).read_text()) for name in sys.argv[1:])
    for name, measured in zip(sys.argv[1:], (sizes, forms)):
        if not any("bytes_needed" in a for a in measured["results"]):
            sys.exit(f"docs/figures.py: {name} is an older series: measure it anew")
    return fill(FIGURES, lambda primitive, options:
                figures_of(primitive, options, sizes, forms) if answers_of(primitive, sizes) else "")


if __name__ == "__main__":
    sys.exit(main())
