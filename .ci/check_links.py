#!/usr/bin/env python3
"""Does every relative link in the Markdown files lead to a file that is there?"""

import re
import subprocess
import sys
from pathlib import Path

root = Path(__file__).resolve().parent.parent
pages = subprocess.run(["git", "ls-files", "*.md"], cwd=root, check=True, capture_output=True,
                       text=True).stdout.splitlines()
broken = 0
for page in pages:
    for number, line in enumerate((root / page).read_text().splitlines(), 1):
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            if re.match(r"[a-z]+:|#", target):
                continue
            if not ((root / page).parent / target.split("#")[0]).exists():
                print(f"{page}:{number}: {target} is not there", file=sys.stderr)
                broken += 1
sys.exit(1 if broken else 0)
