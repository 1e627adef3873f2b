#!/usr/bin/env python3
"""Compiles for compute capability 9.0 what other GPUs do not see: check_newer_gpus.py

CI builds the CUDA backend for 7.5, as packages are. Code that asks for a newer GPU, by a comparison of
__CUDA_ARCH__ with 800 or more, is left out there. This compiles the kernel files that such code is in,
or that include it, to machine code for 9.0: as one source, since most of the time goes into headers.
Does nothing where there is no nvcc, as the build does.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

root = Path(__file__).resolve().parent.parent
# Included by every kernel: whichever file is compiled, these are.
EVERYWHERE = {"gpu/runtime/cuda/api.h", "gpu/runtime/kernel.h"}


def kernel_files():
    """Those that hold or include code for newer GPUs."""
    texts = {file.relative_to(root).as_posix(): file.read_text()
             for file in (root / "gpu").rglob("*") if file.suffix in (".cu", ".h")}
    includes = {name: re.findall(r'^#include "(.*)"$', text, re.M) for name, text in texts.items()}
    newer = {name for name, text in texts.items() if name not in EVERYWHERE
             and re.search(r"__CUDA_ARCH__ (>=|==) ([89]|1\d)\d\d\b", text)}

    def reaches(name, seen):
        if name not in seen:
            seen.add(name)
            for each in includes.get(name, []):
                reaches(each, seen)
        return seen

    return sorted(name for name in texts if name.endswith(".cu") and reaches(name, set()) & newer)


def main():
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/local/cuda/bin", "/opt/cuda/bin"])
    nvcc = shutil.which(os.environ.get("CUDACXX", "nvcc"), path=path)
    if not nvcc:
        print("No nvcc here: CUDA's sources are not compiled")
        return 0
    files = kernel_files()
    print(*files, sep="\n")
    if not files:
        sys.exit("No kernel file holds code for newer GPUs: does this look for it in the right way?")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "newer.cu"
        source.write_text("".join(f'#include "{file}"\n' for file in files))
        subprocess.run([nvcc, "-std=c++20", "-O3", "-DNDEBUG", f"-I{root}", "-DWARPVIEW_BACKEND_CUDA",
                        "--extended-lambda", "--expt-relaxed-constexpr", "-arch=sm_90", "-cubin",
                        source, "-o", Path(folder) / "newer.cubin"], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
