#!/usr/bin/env python3
"""Fills the tables of measured figures in docs/primitives/*.md.

    docs/figures.py bench/results/lab-<device>-<date>.json

The file is what `warpview lab --json` printed, with the command line and the commit added as
"command" and "commit". A page names the primitive whose figures it shows:

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


def table(answers):
    sizes = sorted({a["items"] for a in answers})
    variants = list(dict.fromkeys(a["variant"] for a in answers))
    found = {(a["variant"], a["items"]): a for a in answers}
    lines = [
        "| variant | " + " | ".join(size_in_words(n) for n in sizes) + " |",
        "| --- |" + " ---: |" * len(sizes),
    ]
    for variant in variants:
        cells = (cell(found.get((variant, n))) for n in sizes)
        lines.append(f"| {variant} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def figures(primitive, measured):
    answers = [a for a in measured["results"] if a["primitive"] == primitive]
    if not answers:
        sys.exit(f"docs/figures.py: {primitive} was not measured")
    parts = [
        f"Milliseconds on {measured['device']} ({measured['driver']}, {measured['date'][:10]}, "
        f"commit {measured['commit']}), in brackets the share of copy speed and, as a factor, the "
        "library's time over the variant's (above 1 it is faster). Median of cold runs: "
        f"`{measured['command']}`."
    ]
    forms = dict.fromkeys((a["form"], a["distribution"]) for a in answers)
    for form, distribution in forms:
        these = [a for a in answers if (a["form"], a["distribution"]) == (form, distribution)]
        parts.append(f"Form `{form}`, input {distribution}:\n\n{table(these)}")
    return "\n\n".join(parts)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    measured = json.loads(pathlib.Path(sys.argv[1]).read_text())
    block = re.compile(r"(<!-- figures: (\w+) -->\n).*?(<!-- /figures -->)", re.DOTALL)
    for page in sorted(pathlib.Path(__file__).parent.glob("primitives/*.md")):
        text = page.read_text()
        filled = block.sub(
            lambda m: f"{m[1]}{figures(m[2], measured)}\n{m[3]}", text)
        if filled != text:
            page.write_text(filled)
            print(page.name)


if __name__ == "__main__":
    main()
