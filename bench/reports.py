#!/usr/bin/env python3
"""Keeps what a scene's reports say of one stage, as a series of bench/results.

    bench/reports.py OUT.json STAGE VERSIONS COMMIT COMMAND REPORT.json...

The reports are what `warpview --headless --report` wrote, one for each variant of the stage. VERSIONS names driver and
compiler, COMMAND is the command line with S for the variant. The series has the form of warpview_bench's: benchmarks
with a name, SCENE/STAGE/VARIANT/, a median and quartiles, and the scene's facts beside them. docs/figures.py makes
tables of it.
"""

import datetime
import json
import pathlib
import sys


def benchmark(report, stage_name):
    stage = next(s for s in report["stages"] if s["name"] == stage_name)
    facts = {name: value for name, value in report[report["scene"]].items() if isinstance(value, (int, float))}
    return {"name": f"{report['scene']}/{stage_name}/{stage['variant']}/", "variant": stage["variant"],
            "median_ms": stage["ms_median"], "quartile_1_ms": stage["ms_quartile_1"],
            "quartile_3_ms": stage["ms_quartile_3"], "runs": stage["n"], "verified": stage["verified"],
            "frame_ms": report["frames"]["ms_median"], **facts}


def main():
    if len(sys.argv) < 7:
        sys.exit(__doc__)
    out, stage, versions, commit, command, *names = sys.argv[1:]
    reports = [json.loads(pathlib.Path(name).read_text()) for name in names]
    when = datetime.datetime.fromtimestamp(pathlib.Path(names[0]).stat().st_mtime, datetime.timezone.utc)
    series = {"command": command, "commit": commit, "date": f"{when:%Y-%m-%d %H:%M} UTC",
              "device": reports[0]["device"], "versions": versions,
              "benchmarks": [benchmark(report, stage) for report in reports]}
    pathlib.Path(out).write_text(json.dumps(series, indent=1) + "\n")


if __name__ == "__main__":
    main()
