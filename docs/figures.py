#!/usr/bin/env python3
"""Fills the tables of measured figures in docs/primitives/*.md.

    docs/figures.py bench/results/lab-<device>-<date>.json bench/results/forms-<device>-<date>.json

The files are what `warpview lab --json` printed, with the command line and the commit added as
"command" and "commit": the first measures the default form of each primitive at several sizes, the
second all forms at one size. A page names the primitive whose figures it shows:

    <!-- figures: scan -->
    ...replaced...
    <!-- /figures -->
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


def cell(answer):
    if answer is None:
        return ""
    if not answer["available"]:
        return "-"
    if "ms" not in answer:
        return "wrong"
    text = time_in_words(answer["ms"]) + f" ({100 * answer['copy_share']:.0f}%"
    if "of_library" in answer and answer["variant"] != "library":
        text += f", {answer['of_library']:.2f}x"
    return text + ")"


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
    return (f"{measured['device']} ({measured['driver']}, {measured['date'][:10]}, commit "
            f"{measured['commit']}), `{measured['command']}`")


def answers_of(primitive, measured):
    answers = [a for a in measured["results"] if a["primitive"] == primitive]
    if not answers:
        sys.exit(f"docs/figures.py: {primitive} was not measured")
    return answers


def variants_in(answers):
    return list(dict.fromkeys(a["variant"] for a in answers if a["available"]))


def has_library(answers):
    return any(a.get("of_library") for a in answers if a["variant"] != "library")


def by_size(primitive, measured):
    answers = answers_of(primitive, measured)
    sizes = sorted({a["items"] for a in answers})
    cells = {(a["variant"], size_in_words(a["items"])): cell(a) for a in answers}
    first = answers[0]
    yardstick = "the share of copy speed"
    if has_library(answers):
        yardstick += " and, as a factor, the library's time over the variant's"
    return (f"Form `{first['form']}`, input {first['distribution']}; milliseconds, in brackets "
            f"{yardstick}. Median of cold runs on {measured_by(measured)}.\n\n"
            + in_rows(variants_in(answers), [size_in_words(n) for n in sizes], cells))


def by_form(primitive, measured):
    answers = answers_of(primitive, measured)
    forms = list(dict.fromkeys(a["form"] for a in answers))
    if len(forms) == 1:
        return ""
    cells = {}
    for a in answers:
        text = cell(a)
        if "ms" in a:
            text = time_in_words(a["ms"])
            if a.get("of_library") and a["variant"] != "library":
                text += f" ({a['of_library']:.2f}x)"
        cells[a["variant"], f"`{a['form']}`"] = text
    note = ", in brackets the factor over the library" if has_library(answers) else ""
    if any(cells.get((v, f"`{form}`")) == "-" for v in variants_in(answers) for form in forms):
        note += "; -: not for this variant"
    return (f"\n\nAll forms at {size_in_words(answers[0]['items'])}; milliseconds{note}. "
            f"{measured_by(measured)}.\n\n"
            + in_rows(variants_in(answers), [f"`{form}`" for form in forms], cells))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sizes, forms = (json.loads(pathlib.Path(name).read_text()) for name in sys.argv[1:])
    block = re.compile(r"(<!-- figures: (\w+) -->\n).*?(<!-- /figures -->)", re.DOTALL)
    for page in sorted(pathlib.Path(__file__).parent.glob("primitives/*.md")):
        text = page.read_text()
        filled = block.sub(
            lambda m: f"{m[1]}{by_size(m[2], sizes)}{by_form(m[2], forms)}\n{m[3]}", text)
        if filled != text:
            page.write_text(filled)
            print(page.name)


if __name__ == "__main__":
    main()
