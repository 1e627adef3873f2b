#!/usr/bin/env python3
"""Fills the table of bench/results/h200.md and draws bench/results/h200.svg.

    bench/h200.py SERIES.json...

The series are what `warpview lab --json` printed, with the command line and the commit added as "command"
and "commit" (docs/figures.py), and what `warpview_bench --benchmark_out` wrote for a BVH of boxes. Which rows
the table has, what their aims are and what bounds them stands in ROWS below. The plot shows of each primitive the
series that has the most sizes, and of several the last.
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


def rate(gkeys_per_s, items):
    """What is published for a rate, and its milliseconds for so many keys."""
    return f"{gkeys_per_s} Gkey/s", items / gkeys_per_s * 1e-6


ALL, HALF, MOST = 1 << 28, 67108864, 120795955

# What is aimed at, and what bounds a row. Percentages are counters of Nsight Compute (medians stand in the series; the
# counters were read in a run of their own, of one launch: at 2^27 items where a row has 2^28, else at its own size).
ROWS = [
    Lab("reduction, i32, 2^28", "reduce", "sum_i32", ALL, "vectors", "0.248 ms", "memory: as fast as a copy"),
    Lab("reduction, i32, 2^20", "reduce", "sum_i32", 1 << 20, "vectors", "0.005 ms",
        "latency: a fill and a kernel of 3.9 us, of which loads wait the longest; neither without the fill nor by other "
        "blocks does it come to the aim"),
    Lab("prefix sum, u32, 2^28", "scan", "exclusive", ALL, "ahead", "0.546 ms", "memory: DRAM 83 % busy, L2 89 %"),
    Lab("prefix sum, u32, 2^24", "scan", "exclusive", 1 << 24, "ahead", "0.042 ms",
        "memory: the kernel takes 36 us, L2 79 % busy, DRAM 62 %; clearing the states is a launch, too"),
    Lab("prefix sum, u32, 2^20", "scan", "exclusive", 1 << 20, "ahead", "0.007 ms",
        "latency: the kernel takes 7.2 us with DRAM 12 % busy; clearing the states is a launch, too"),
    Lab("select, half pass, 2^28", "select", "half", ALL, "ahead", "0.45 ms", "L2 85 % busy, DRAM 72 %"),
    Lab("partition, half pass, 2^28", "partition", "half", ALL, "ahead", "0.60 ms",
        "L2 79 % busy, DRAM 67 %; 68 % of the cycles issue an instruction"),
    Lab("run-length, five keys at random, 2^28", "run_length", "u32", ALL, "ahead", "0.78 ms",
        "L2 76 % busy, DRAM 59 %; 64 % of the cycles issue an instruction"),
    Lab("run-length, runs of 8, 2^28", "run_length", "runs_8", ALL, "ahead", "the library's",
        "66 % of the cycles issue an instruction; L2 55 % busy, DRAM 40 %"),
    Lab("run-length, runs of 4096, 2^28", "run_length", "runs_4096", ALL, "ahead", "the library's",
        "59 % of the cycles issue an instruction; L2 57 % busy, DRAM 43 %"),
    Lab("reduce by key, five keys at random, 2^28", "reduce_by_key", "sum_u32", ALL, "one_pass", "1.08 ms",
        "barriers are the longest waits, twice those for loads; L2 73 % busy, DRAM 61 %. `ahead` takes 1.62 ms: "
        "12 warps on a multiprocessor, 52 % of the cycles issue"),
    Lab("reduce by key, runs of 8, 2^28", "reduce_by_key", "runs_8", ALL, "one_pass", "the library's",
        "the same, L2 66 % busy, DRAM 57 %"),
    Lab("sort, u32 pairs, 2^27", "sort", "u32", 1 << 27, "resident", "3.1 ms",
        "a pass: L2 71 % busy, DRAM 46 %, half of the cycles issue; barriers are the longest waits. Counting: L1 84 % "
        "busy (2^24)"),
    Lab("sort, u32 pairs, 2^24", "sort", "u32", 1 << 24, "resident", "0.46 ms", "the same", distribution="uniform"),
    Lab("sort, u32 pairs, 2^20", "sort", "u32", 1 << 20, "resident", "0.060 ms",
        "latency: DRAM 3 % busy, L2 29 %; one launch of 59 us"),
    Lab("sort, u32 pairs, 2^16", "sort", "u32", 1 << 16, "resident", "0.025 ms", "latency: four passes, four meetings"),
    Lab("sort, u32 keys, 2^24", "sort", "u32_keys", 1 << 24, "resident", "0.39 ms", "as pairs"),
    Lab("sort, u64 keys with values, 2^24", "sort", "u64", 1 << 24, "resident", "1.18 ms", "eight passes, as pairs"),
    Boxes("LBVH all in, 100 000 triangles", "boxes/100000/treelets/idle_graph", "0.08 ms",
          "latency: the sort's launch, then 14 us for the tiles and 16 for the one block above them",
          ("KittenGpuLBVH 0.253", 0.253)),
    Boxes("LBVH all in, 1 000 000", "boxes/1000000/treelets/idle_graph", "0.20 ms",
          "the sort, and the climb: DRAM 32 % busy there, barriers are the longest waits", ("KittenGpuLBVH 0.564", 0.564)),
    Boxes("LBVH all in, 10 000 000", "boxes/10000000/treelets/idle_graph", "1.4 ms", "the same",
          ("KittenGpuLBVH 2.98", 2.98)),
    Lab("refit, 100 000 leaves", "refit", "boxes", 100000, "treelets", "0.012 ms",
        "latency: 10.5 us for the tiles with DRAM 13 % busy, 16 for the one block above them; barriers are the "
        "longest waits of both (docs/primitives/refit.md)",
        ("KittenGpuLBVH 0.033", 0.033)),
    Lab("refit, 1 000 000", "refit", "boxes", 1000000, "treelets", "0.06 ms",
        "60 us for the tiles: L2 63 % busy, DRAM 45 %, barriers are the longest waits; then two launches over groups",
        ("KittenGpuLBVH 0.165", 0.165)),
    Lab("refit, 10 000 000", "refit", "boxes", 10000000, "treelets", "0.55 ms", 
        "memory: L2 84 % busy, DRAM 71 % in the first launch, which takes 0.53 ms",
        ("KittenGpuLBVH 1.342", 1.342)),
    Lab("hash set, 2^27 slots, insert to 50 %", "hash_set", "insert_50", HALF, "parted", "1.2 x",
        "L2 90 % busy where keys go in, which takes 1.44 ms",
        rate(15.7, HALF)),
    Lab("hash set, find at 50 %", "hash_set", "find_50", HALF, "parted", "1.2 x",
        "of keys not parted before (`buckets`, 1.54 ms): L2 90 % busy, DRAM 60 %",
        rate(36.0, HALF)),
    Lab("hash set, insert to 90 %", "hash_set", "insert_90", MOST, "parted", "1.2 x",
        "L2 87 % busy where keys go in, which takes 3.97 ms", rate(10.2, MOST)),
    Lab("hash set, find at 90 %", "hash_set", "find_90", MOST, "buckets", "1.2 x",
        "random sectors: L1 72 % busy, L2 66 %, DRAM 41 %, read when whole buckets were looked at, in 4.78 ms",
        rate(15.0, MOST)),
    Lab("hash map, 2^27 slots, insert to 50 %", "hash_map", "insert_50", HALF, "buckets", "1.0 x",
        "L2 83 % busy where keys go in, which takes 1.70 ms",
        rate(15.7, HALF)),
    Lab("hash map, find at 50 %", "hash_map", "find_50", HALF, "buckets", "1.0 x", "random sectors: L2 85 % busy, DRAM 58 %",
        rate(36.0, HALF)),
    Lab("ordered hash map, 2^24 keys, insert to 95 %", "hash_map", "insert_95", 1 << 24, "bidirectional_warp",
        "1.0 Gkey/s", "76 % of the cycles issue an instruction; `bidirectional` takes 62.9 ms"),
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
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    series = [json.loads(pathlib.Path(name).read_text()) for name in sys.argv[1:]]
    page = RESULTS / "h200.md"
    begin, end = "<!-- table -->\n", "<!-- /table -->"
    text = page.read_text()
    head, rest = text.split(begin, 1)
    page.write_text(head + begin + table(series) + "\n" + end + rest.split(end, 1)[1])
    (RESULTS / "h200.svg").write_text(plot([one for one in series if "results" in one]))


if __name__ == "__main__":
    main()
