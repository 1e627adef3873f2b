#!/usr/bin/env python3
"""Fills the table of bench/results/h200.md and draws bench/results/h200.svg.

    bench/h200.py SERIES.json...

The series are what `warpview lab --json` printed, with the command line and the commit added as "command"
and "commit" (docs/figures.py), and what `warpview_bench --benchmark_out` wrote for a BVH of boxes. Which rows
the table has, what their aims are and what bounds them stands in ROWS below. The plot shows the series that
has the most sizes.
"""

import json
import pathlib
import sys

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
PLOTTED = [("scan", "Prefix sum, u32"), ("reduce", "Reduction, i32"), ("select", "Select, half pass"),
           ("sort", "Radix sort, u32 pairs")]


class Lab:
    """One row of the laboratory: ours beside the library's, or beside what others publish of theirs."""

    def __init__(self, work, primitive, form, items, variant, aim, bound, peer=None, distribution=None):
        self.work, self.aim, self.bound, self.peer = work, aim, bound, peer
        self.key = (primitive, form, items, distribution)
        self.variant = variant


class Boxes:
    """One row of warpview_bench: a BVH of boxes, all in."""

    def __init__(self, work, name, aim, bound, peer):
        self.work, self.name, self.aim, self.bound, self.peer = work, name, aim, bound, peer


@ROWS@

def milliseconds(value):
    return f"{value:.4f}" if value < 1 else f"{value:.2f}"


def find(series, row, variant):
    """The answer to a row's question, of the last series that has it, with its device copy's time."""
    primitive, form, items, distribution = row.key
    for one in reversed(series):
        for a in one.get("results", []):
            if (a["primitive"], a["form"], a["items"], a["variant"]) == (primitive, form, items, variant) and \
                    "ms" in a and distribution in (None, a["distribution"]):
                return a
    return None


def lab_line(series, row):
    ours, library = find(series, row, row.variant), find(series, row, "library")
    if ours is None:
        sys.exit(f"bench/h200.py: no series has {row.key} of {row.variant}")
    copy = ours["bytes_needed"] / ours["copy_gb_per_s"] * 1e-6
    if library:
        theirs, times = milliseconds(library["ms"]), library["ms"]
    else:
        theirs, times = (row.peer[0], row.peer[1]) if row.peer else ("-", None)
    return [row.work, f"`{row.variant}`", milliseconds(ours["ms"]),
            f"{milliseconds(ours['quartile_1_ms'])} to {milliseconds(ours['quartile_3_ms'])}", theirs,
            f"{times / ours['ms']:.2f}x" if times else "-", milliseconds(copy),
            f"{100 * ours['copy_share']:.0f}%", row.aim, row.bound]


def boxes_line(series, row):
    for one in reversed(series):
        for b in one.get("benchmarks", []):
            if b["name"].startswith(row.name + "/") and "median_ms" in b:
                ms = b["median_ms"]
                return [row.work, f"`{row.name.split('/')[2]}`", milliseconds(ms),
                        f"{milliseconds(b['quartile_1_ms'])} to {milliseconds(b['quartile_3_ms'])}", row.peer[0],
                        f"{row.peer[1] / ms:.2f}x", "-", "-", row.aim, row.bound]
    sys.exit(f"bench/h200.py: no series has {row.name}")


def table(series):
    head = ["work", "ours", "ms", "quartiles", "library", "ratio", "copy", "of copy", "aim", "what bounds it"]
    right = {2, 3, 4, 5, 6, 7}
    lines = ["| " + " | ".join(head) + " |",
             "| " + " | ".join("---:" if i in right else "---" for i in range(len(head))) + " |"]
    for row in ROWS:
        line = boxes_line(series, row) if isinstance(row, Boxes) else lab_line(series, row)
        lines.append("| " + " | ".join(line) + " |")
    return "\n".join(lines)


STYLE = """<style>
.ground{fill:#ffffff}
text{fill:#1f2933}
.dim{fill:#616e7c}
.grid{stroke:#d5dbe1;fill:none}
.axis{stroke:#616e7c;fill:none}
.ours{stroke:#2f6fb0;fill:none}
.ours_dot{fill:#2f6fb0}
.library{stroke:#d9822b;fill:none}
.library_dot{fill:#d9822b}
@media (prefers-color-scheme: dark){
.ground{fill:#151b22}
text{fill:#e4e9ee}
.dim{fill:#9fb0c0}
.grid{stroke:#2b3743}
.axis{stroke:#9fb0c0}
.ours{stroke:#6aa9e6}
.ours_dot{fill:#6aa9e6}
.library{stroke:#e8a34e}
.library_dot{fill:#e8a34e}
}
</style>"""


def plot(measured):
    """Shares of a copy's speed over the sizes: a panel for each primitive, ours and the library."""
    width, height, panel_w, panel_h = 980, 700, 410, 230
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           'font-family="Helvetica, Arial, sans-serif" font-size="12">',
           "<title>Share of the speed of a device copy, 2^10 to 2^28 items</title>", STYLE,
           f'<rect class="ground" width="{width}" height="{height}"/>',
           f'<text x="20" y="28" font-size="16" font-weight="bold">Share of the speed of a device copy, '
           f"{measured['device']}</text>",
           '<path class="ours" stroke-width="2.5" d="M560 23H590"/><text x="597" y="27">ours, the default</text>',
           '<path class="library" stroke-width="2.5" d="M730 23H760"/><text x="767" y="27">library (CUB)</text>']
    for number, (primitive, title) in enumerate(PLOTTED):
        left, top = 60 + (number % 2) * (panel_w + 70), 70 + (number // 2) * (panel_h + 90)
        answers = [a for a in measured["results"] if a["primitive"] == primitive and "ms" in a]
        exponents = sorted({a["items"].bit_length() - 1 for a in answers})
        low, high = exponents[0], exponents[-1]
        most = 0.25 if max(a["copy_share"] for a in answers) < 0.25 else 1.0

        def x(e):
            return left + panel_w * (e - low) / (high - low)

        def y(share):
            return top + panel_h * (1 - min(share, most) / most)

        out.append(f'<text x="{left}" y="{top - 12}" font-weight="bold">{title}</text>')
        for k in range(6):
            share = most * k / 5
            out.append(f'<path class="grid" d="M{left} {y(share):g}H{left + panel_w}"/>')
            out.append(f'<text class="dim" x="{left - 8}" y="{y(share) + 4:g}" text-anchor="end">'
                       f"{100 * share:.0f}%</text>")
        for e in exponents:
            if (e - low) % 2 == 0:
                out.append(f'<text class="dim" x="{x(e):g}" y="{top + panel_h + 18}" text-anchor="middle">'
                           f'2<tspan dy="-4" font-size="9">{e}</tspan></text>')
        out.append(f'<path class="axis" d="M{left} {top}V{top + panel_h}H{left + panel_w}"/>')
        for css in ("library", "ours"):
            points = sorted((a["items"].bit_length() - 1, a["copy_share"]) for a in answers
                            if (a["variant"] == "library") == (css == "library"))
            path = "L".join(f"{x(e):.1f} {y(s):.1f}" for e, s in points)
            out.append(f'<path class="{css}" stroke-width="2.5" d="M{path}"/>')
            out += [f'<circle class="{css}_dot" cx="{x(e):.1f}" cy="{y(s):.1f}" r="3"/>' for e, s in points]
    out.append(f'<text class="dim" x="20" y="{height - 14}">items; of the bytes that the problem needs, read and '
               "written once. Medians with cold caches; small copies are launches, too.</text>")
    return "\n".join([*out, "</svg>", ""])


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    series = [json.loads(pathlib.Path(name).read_text()) for name in sys.argv[1:]]
    page = RESULTS / "h200.md"
    begin, end = "<!-- table -->\n", "<!-- /table -->"
    text = page.read_text()
    head, rest = text.split(begin, 1)
    page.write_text(head + begin + table(series) + "\n" + end + rest.split(end, 1)[1])
    labs = [one for one in series if "results" in one]
    widest = max(labs, key=lambda one: len({a["items"] for a in one["results"]}))
    (RESULTS / "h200.svg").write_text(plot(widest))


if __name__ == "__main__":
    main()
