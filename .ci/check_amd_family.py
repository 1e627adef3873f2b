#!/usr/bin/env python3
"""Shows that copied code is what the compiler gives: check_amd_family.py KERNEL_FILE

Compiles the file for each sibling of gfx1030 and holds the code object against the copy that
cmake/amd_family.py makes of gfx1030's. Exits with 1 where one differs.
"""

import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

root = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root / "cmake"))
import amd_family  # noqa: E402


def compiled(architecture, source, folder):
    """The code object of the file for the architecture."""
    out = folder / f"{architecture}.o"
    subprocess.run(["hipcc", "-std=c++20", "-O3", "-fPIC", "-DWARPVIEW_BACKEND_HIP", f"-I{root}",
                    "--cuda-device-only", f"--offload-arch={architecture}", "-c", "-x", "hip",
                    source, "-o", out], check=True)
    return amd_family.entries_of(out.read_bytes(), 0)[-1][1]


def main():
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as threads:
        codes = dict(zip(amd_family.MACHINE,
                         threads.map(lambda name: compiled(name, sys.argv[1], Path(folder)),
                                     amd_family.MACHINE)))
    first = codes[amd_family.FIRST]
    different = [name for name in amd_family.SIBLINGS
                 if amd_family.for_sibling(first, name) != codes[name]]
    print(f"{', '.join(amd_family.SIBLINGS)}: {len(first)} bytes each, "
          f"{len(amd_family.SIBLINGS) - len(different)} equal to the copy of {amd_family.FIRST}")
    for name in different:
        print(f"error: the compiler's code for {name} is not a copy of {amd_family.FIRST}'s",
              file=sys.stderr)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
