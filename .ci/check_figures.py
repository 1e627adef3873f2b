#!/usr/bin/env python3
"""Do the pages hold what the kept series give, and would a wrong digit be noticed?

Runs docs/figures.py --check and bench/h200.py --check. Then it changes the last digit of each marked number, one at a
time, and exactly that number must be refused.
"""

import subprocess
import sys
from pathlib import Path

root = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root / "docs"))
import marks  # noqa: E402

failed = [command for command in (["docs/figures.py", "--check"], ["bench/h200.py", "--check"])
          if subprocess.run([sys.executable, *command], cwd=root, check=False).returncode]

changed, unnoticed = 0, 0
pages = subprocess.run(["git", "ls-files", "*.md"], cwd=root, check=True, capture_output=True,
                       text=True).stdout.splitlines()
for page in pages:
    text = (root / page).read_text()
    right = len(marks.wrong_marks(text)[0])
    for comment in marks.COMMENT.finditer(text):
        if not marks.KINDS & set(comment[1].split()[:2]):
            continue
        number = marks.NUMBER.search(text, max(0, comment.start() - 40), comment.start())
        at = number.end(1) - 1
        changed += 1
        wrong, _ = marks.wrong_marks(text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1:])
        if len(wrong) != right + 1:
            print(f"{page}: a wrong digit in {number[0]} goes unnoticed", file=sys.stderr)
            unnoticed += 1
print(f"{changed} digits changed, {unnoticed} unnoticed")
sys.exit(1 if failed or unnoticed or not changed else 0)
