#!/usr/bin/env python3
"""What failed in a step of .ci/run, in few lines, for those who see only the end of what it printed.

Usage: show_failures.py LOG [LINES]

LOG is what the step printed. Shows at most LINES lines (80): each failed check of GoogleTest with what
follows it, each exception, each error of a compiler, and ctest's list of tests that failed. Where none of
these is found, it shows the log's last 15 lines.
"""
import re
import sys

STARTS = re.compile(r": Failure$|C\+\+ exception|\*\*\*(Timeout|Failed|Exception|Not Run)|"
                    r"(^|\s)(error|fatal error|FAILED):|ERROR: \w+Sanitizer|WARNING: ThreadSanitizer")
FOLLOWING = 7  # lines that are shown after each: what was expected, and what came
WIDTH = 300    # characters of a line


def failures(lines):
    """The lines that say what failed. Lines that follow a start end at GoogleTest's next mark."""
    shown, left = [], 0
    for line in lines:
        if STARTS.search(line):
            left = FOLLOWING + 1
        elif line.startswith("[ ") or not line.strip():
            left = 0
        if left:
            shown.append(line)
            left -= 1
    for i, line in enumerate(lines):
        if line.startswith("The following tests FAILED"):
            end = next((j for j in range(i, len(lines)) if not lines[j].strip()), len(lines))
            shown += lines[i:end]
    return shown or lines[-15:]


def main():
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 80
    with open(sys.argv[1], encoding="utf-8", errors="replace") as log:
        shown = failures([line.rstrip() for line in log])
    for line in shown[:most]:
        print(line[:WIDTH])
    if len(shown) > most:
        print(f"... and {len(shown) - most} lines more")


if __name__ == "__main__":
    main()
