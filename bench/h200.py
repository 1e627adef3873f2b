#!/usr/bin/env python3
"""Fills the tables of bench/results/h200.md and draws bench/results/h200.svg.

    bench/h200.py           fills and draws
    bench/h200.py --check   changes nothing, and fails where page or drawing differ from what the series give

The series are named in SERIES: what `warpview lab --json` printed, with the command line and the commit added as
"command" and "commit" (docs/figures.py), and what `warpview_bench --benchmark_out` wrote for a BVH of boxes. The rows,
their targets and what bounds them stand in ROWS. The plot shows of each primitive the series that has the most sizes,
and of several the last.
"""

import json
import pathlib
import sys

RESULTS = pathlib.Path(__file__).resolve().parent / "results"
PLOTTED = [("scan", "Prefix sum, u32"), ("reduce", "Reduction, i32"), ("select", "Select, half pass"),
           ("sort", "Radix sort, u32 pairs")]
# What several series have is taken from the last of them.
SERIES = ["large-h200-2026-11-24-ahead", "large-h200-2026-11-24-runs", "lab-h200-2026-11-24-ahead",
          "forms-h200-2026-11-24-ahead", "plot-h200-2026-11-24", "plot-h200-2026-11-25-sort",
          "lab-h200-2026-11-25-trees", "forms-h200-2026-11-25-trees", "forms-h200-2026-11-25-sort",
          "lab-h200-2026-11-25-sort", "lab-h200-2026-11-25-hash", "forms-h200-2026-11-25-hash",
          "boxes-h200-2026-11-25", "refit-sizes-h200-2026-11-25", "sort-27-h200-2026-11-25",
          "hash-50-h200-2026-11-25", "hash-90-h200-2026-11-25"]


class Lab:
    """One row of the laboratory. The target: milliseconds, or LIBRARY, or None."""

    def __init__(self, work, primitive, form, items, variant, target, bound, distribution=None):
        self.work, self.target, self.bound = work, target, bound
        self.key = (primitive, form, items, distribution)
        self.variant = variant


class Boxes:
    """One row of warpview_bench: a BVH of boxes, all in."""

    def __init__(self, work, name, target, bound):
        self.work, self.name, self.target, self.bound = work, name, target, bound
        self.variant = name.split("/")[2]


ALL, HALF, MOST = 1 << 28, 67108864, 120795955
LIBRARY = "library"

# Percentages are counters of Nsight Compute, read in a run of their own, of one launch: at 2^27 items where a row has
# 2^28, else at its own size. That output was not kept: the page says so.
ROWS = [
    Lab("reduction, i32, 2^28", "reduce", "sum_i32", ALL, "vectors", 0.248, "memory: as fast as a copy"),
    Lab("reduction, i32, 2^20", "reduce", "sum_i32", 1 << 20, "vectors", 0.005,
        "latency: a fill, then a kernel of 3.9 us whose warps mostly wait for loads"),
    Lab("prefix sum, u32, 2^28", "scan", "exclusive", ALL, "ahead", 0.546, "memory: DRAM 83 % busy, L2 89 %"),
    Lab("prefix sum, u32, 2^24", "scan", "exclusive", 1 << 24, "ahead", 0.042,
        "memory: the kernel takes 36 us, L2 79 % busy, DRAM 62 %; a launch before it clears the tiles' states"),
    Lab("prefix sum, u32, 2^20", "scan", "exclusive", 1 << 20, "ahead", 0.007,
        "latency: the kernel takes 7.2 us, DRAM 12 % busy; a launch before it clears the tiles' states"),
    Lab("select, half pass, 2^28", "select", "half", ALL, "ahead", 0.45, "L2 85 % busy, DRAM 72 %"),
    Lab("partition, half pass, 2^28", "partition", "half", ALL, "ahead", 0.60,
        "L2 79 % busy, DRAM 67 %; 68 % of the cycles issue an instruction"),
    Lab("run-length, five keys at random, 2^28", "run_length", "u32", ALL, "ahead", 0.78,
        "L2 76 % busy, DRAM 59 %; 64 % of the cycles issue an instruction"),
    Lab("run-length, runs of 8, 2^28", "run_length", "runs_8", ALL, "ahead", LIBRARY,
        "66 % of the cycles issue an instruction; L2 55 % busy, DRAM 40 %"),
    Lab("run-length, runs of 4096, 2^28", "run_length", "runs_4096", ALL, "ahead", LIBRARY,
        "59 % of the cycles issue an instruction; L2 57 % busy, DRAM 43 %"),
    Lab("reduce by key, five keys at random, 2^28", "reduce_by_key", "sum_u32", ALL, "one_pass", 1.08,
        "barriers are the longest stalls, twice those for loads; L2 73 % busy, DRAM 61 %"),
    Lab("reduce by key, runs of 8, 2^28", "reduce_by_key", "runs_8", ALL, "one_pass", LIBRARY,
        "barriers are the longest stalls; L2 66 % busy, DRAM 57 %"),
    Lab("sort, u32 pairs, 2^27", "sort", "u32", 1 << 27, "resident", 3.1,
        "a pass: L2 71 % busy, DRAM 46 %, half of the cycles issue; barriers are the longest stalls. Counting: L1 84 % "
        "busy (2^24)"),
    Lab("sort, u32 pairs, 2^24", "sort", "u32", 1 << 24, "resident", 0.46, "as 2^27", distribution="uniform"),
    Lab("sort, u32 pairs, 2^20", "sort", "u32", 1 << 20, "resident", 0.060,
        "latency: one launch of 59 us, DRAM 3 % busy, L2 29 %"),
    Lab("sort, u32 pairs, 2^16", "sort", "u32", 1 << 16, "resident", 0.025, "latency: four passes, four grid barriers"),
    Lab("sort, u32 keys, 2^24", "sort", "u32_keys", 1 << 24, "resident", 0.39, "as pairs"),
    Lab("sort, u64 keys with values, 2^24", "sort", "u64", 1 << 24, "resident", 1.18, "eight passes, as pairs"),
    Boxes("LBVH of 100 000 boxes, all in", "boxes/100000/treelets/idle_graph", 0.08,
          "latency: the sort's launch, then 14 us for the tiles and 16 for the one block above them"),
    Boxes("LBVH of 1 000 000 boxes, all in", "boxes/1000000/treelets/idle_graph", 0.20,
          "the sort, and the climb: DRAM 32 % busy there, barriers are the longest stalls"),
    Boxes("LBVH of 10 000 000 boxes, all in", "boxes/10000000/treelets/idle_graph", 1.4, "as 1 000 000"),
    Lab("refit, 100 000 leaves", "refit", "boxes", 100000, "treelets", 0.012,
        "latency: 10.5 us for the tiles, DRAM 13 % busy, then 16 for the one block above them; barriers are the "
        "longest stalls of both (docs/primitives/refit.md)"),
    Lab("refit, 1 000 000 leaves", "refit", "boxes", 1000000, "treelets", 0.06,
        "60 us for the tiles: L2 63 % busy, DRAM 45 %, barriers are the longest stalls; then two launches over groups"),
    Lab("refit, 10 000 000 leaves", "refit", "boxes", 10000000, "treelets", 0.55,
        "memory: L2 84 % busy, DRAM 71 % in the first launch, which takes 0.53 ms"),
    Lab("hash set, 2^27 slots, insert to 50 %", "hash_set", "insert_50", HALF, "parted", None,
        "L2 90 % busy while keys are inserted, which takes 1.44 ms"),
    Lab("hash set, 2^27 slots, find at 50 %", "hash_set", "find_50", HALF, "parted", None,
        "without partitioning (`buckets`, 1.54 ms): L2 90 % busy, DRAM 60 %"),
    Lab("hash set, 2^27 slots, insert to 90 %", "hash_set", "insert_90", MOST, "parted", None,
        "L2 87 % busy while keys are inserted, which takes 3.97 ms"),
    Lab("hash set, 2^27 slots, find at 90 %", "hash_set", "find_90", MOST, "buckets", None,
        "random sectors: L1 72 % busy, L2 66 %, DRAM 41 % (an older search of 4.78 ms, which read whole buckets)"),
    Lab("hash map, 2^27 slots, insert to 50 %", "hash_map", "insert_50", HALF, "buckets", None,
        "L2 83 % busy while keys are inserted, which takes 1.70 ms"),
    Lab("hash map, 2^27 slots, find at 50 %", "hash_map", "find_50", HALF, "buckets", None,
        "random sectors: L2 85 % busy, DRAM 58 %"),
    Lab("ordered hash map, 2^24 keys, insert to 95 %", "hash_map", "insert_95", 1 << 24, "bidirectional_warp", 16.8,
        "76 % of the cycles issue an instruction"),
]


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


def target(row, ms, library_ms):
    """The target, and whether it was missed: by the digits that the page shows."""
    if row.target is None:
        return "-"
    wanted, words = (library_ms, "CUB") if row.target == LIBRARY else (row.target, f"{row.target:g}")
    return words + (", missed" if float(milliseconds(ms)) > float(milliseconds(wanted)) else "")


def line(row, measured, library, copy, share):
    ms = measured["ms"]
    theirs = [milliseconds(library), f"{library / ms:.2f}x"] if library else ["-", "-"]
    return [row.work, f"`{row.variant}`", milliseconds(ms),
            f"{milliseconds(measured['quartile_1_ms'])} to {milliseconds(measured['quartile_3_ms'])}", *theirs,
            copy, share, target(row, ms, library), row.bound]


def lab_line(series, row):
    ours, library = find(series, row, row.variant), find(series, row, "library")
    if ours is None:
        sys.exit(f"bench/h200.py: no series has {row.key} of {row.variant}")
    copy = ours["bytes_needed"] / ours["copy_gb_per_s"] * 1e-6
    return line(row, ours, library["ms"] if library else None, milliseconds(copy), f"{100 * ours['copy_share']:.0f}%")


def boxes_line(series, row):
    for one in reversed(series):
        for b in one.get("benchmarks", []):
            if b["name"].startswith(row.name + "/") and "median_ms" in b:
                return line(row, {**b, "ms": b["median_ms"]}, None, "-", "-")
    sys.exit(f"bench/h200.py: no series has {row.name}")


def table(series):
    head = ["work", "variant", "ms", "quartiles", "CUB, ms", "ratio", "copy, ms", "of copy", "target, ms",
            "what bounds it †"]
    right = {2, 3, 4, 5, 6, 7}
    lines = ["| " + " | ".join(head) + " |",
             "| " + " | ".join("---:" if i in right else "---" for i in range(len(head))) + " |"]
    for row in ROWS:
        cells = boxes_line(series, row) if isinstance(row, Boxes) else lab_line(series, row)
        lines.append("| " + " | ".join(cells) + " |")
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


def widest(series, primitive):
    """The series with the most sizes of a primitive; of several the last."""
    def sizes(one):
        return len({a["items"] for a in one["results"] if a["primitive"] == primitive})
    return max(reversed(series), key=sizes)


def plot(series):
    """Shares of a copy's speed over the sizes: a panel for each primitive, ours and the library."""
    width, height, panel_w, panel_h = 980, 700, 410, 230
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           'font-family="Helvetica, Arial, sans-serif" font-size="12">',
           "<title>Share of the speed of a device copy, 2^10 to 2^28 items</title>", STYLE,
           f'<rect class="ground" width="{width}" height="{height}"/>',
           f'<text x="20" y="28" font-size="16" font-weight="bold">Share of the speed of a device copy, '
           f"{series[0]['device']}</text>",
           '<path class="ours" stroke-width="2.5" d="M560 23H590"/><text x="597" y="27">ours, the default</text>',
           '<path class="library" stroke-width="2.5" d="M730 23H760"/><text x="767" y="27">library (CUB)</text>']
    for number, (primitive, title) in enumerate(PLOTTED):
        left, top = 60 + (number % 2) * (panel_w + 70), 70 + (number // 2) * (panel_h + 90)
        answers = [a for a in widest(series, primitive)["results"] if a["primitive"] == primitive and "ms" in a]
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
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    series = [json.loads((RESULTS / f"{name}.json").read_text()) for name in SERIES]
    page, drawing = RESULTS / "h200.md", RESULTS / "h200.svg"
    begin, end = "<!-- table -->\n", "<!-- /table -->"
    head, rest = page.read_text().split(begin, 1)
    made = {page: head + begin + table(series) + "\n" + end + rest.split(end, 1)[1],
            drawing: plot([one for one in series if "results" in one])}
    if not sys.argv[1:]:
        for path, text in made.items():
            path.write_text(text)
        return 0
    stale = [path.name for path, text in made.items() if path.read_text() != text]
    for name in stale:
        print(f"bench/results/{name} is not what bench/h200.py makes of its series", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
