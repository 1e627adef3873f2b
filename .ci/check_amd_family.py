#!/usr/bin/env python3
"""Shows that copied code is what the compiler gives: check_amd_family.py KERNEL_FILE

Compiles the file for each GPU of a family and holds the code object against the copy that
cmake/amd_family.py makes of the first one's. Exits with 1 where one differs.
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
    names = [name for family in amd_family.FAMILIES.values() for name in family]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as threads:
        codes = dict(zip(names, threads.map(
            lambda name: compiled(name, sys.argv[1], Path(folder)), names)))
    status = 0
    for first, family in amd_family.FAMILIES.items():
        siblings = amd_family.siblings_of(first)
        different = [name for name in siblings
                     if amd_family.for_sibling(codes[first], first, name) != codes[name]]
        print(f"{', '.join(siblings)}: {len(codes[first])} bytes each, "
              f"{len(siblings) - len(different)} of {len(siblings)} equal to the copy of {first}")
        for name in different:
            print(f"error: the compiler's code for {name} is not a copy of {first}'s",
                  file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
