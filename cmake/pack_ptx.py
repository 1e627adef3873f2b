#!/usr/bin/env python3
"""Packs the PTX that lies in object files of nvcc, for the laboratory's Code tab.

Usage: pack_ptx.py ARCHIVE LIST BATCHES

nvcc leaves the PTX of the newest architecture in an object, as text between zeros if it ran with
--no-compress. LIST names the objects, one per line; BATCHES is the folder of cmake/batches.cmake.
ARCHIVE is a gzipped tar with one file for each object that contains PTX. It is named after the kernel
files that were compiled into the object, with spaces between them:
"gpu/primitives/build/hploc.cu gpu/primitives/trace/stack.cu". Exits with 1 if no object contains PTX.
"""

import io
import re
import sys
import tarfile
from pathlib import Path

BEGIN = re.compile(rb"\.version \d+\.\d+\n\.target sm_(\d+)")


def ptx_in(object_file):
    """The text for the newest architecture, or ""."""
    data = object_file.read_bytes()
    newest, text = 0, b""
    for match in BEGIN.finditer(data):
        if int(match[1]) > newest:
            newest, text = int(match[1]), data[match.start():data.index(b"\0", match.start())]
    return text.decode()


def kernel_files(object_file, batches):
    """The kernel files of primitives and steps that an object was compiled from."""
    batch = re.search(r"/batches/(gpu/(?:primitives|steps)\b.*\.cu)\.o(?:bj)?$", object_file)
    if batch:
        return re.findall(r'#include "(.*)"', (batches / batch[1]).read_text())
    alone = re.search(r"/((?:primitives|steps)/.*\.cu)\.o(?:bj)?$", object_file)
    return ["gpu/" + alone[1]] if alone else []


def readable(ptx):
    """Without debug information and runs of empty lines, bodies indented: nvcc strips both."""
    ptx = re.sub(r"^\.section[^{]*\{.*?^\}\n?", "", ptx, flags=re.M | re.S)
    lines, inside = [], False
    for line in ptx.split("\n"):
        line = line.strip()
        if line.startswith((".loc", ".file")) or (not line and lines and not lines[-1]):
            continue
        if line == "}":
            inside = False
        is_label = line.endswith(":")
        lines.append("\t" + line if inside and line and not is_label else line)
        if line == "{":
            inside = True
    return "\n".join(lines).strip() + "\n"


def main():
    archive, batches = Path(sys.argv[1]), Path(sys.argv[3])
    names = Path(sys.argv[2]).read_text().split("\n")
    with tarfile.open(archive, "w:gz", format=tarfile.GNU_FORMAT) as tar:
        for name in sorted(names):
            files = kernel_files(name, batches)
            text = ptx_in(Path(name)) if files else ""
            if ".entry" not in text:
                continue
            packed = readable(text).encode()
            info = tarfile.TarInfo(" ".join(files))
            info.size = len(packed)
            tar.addfile(info, io.BytesIO(packed))
        if not tar.getmembers():
            sys.exit("pack_ptx.py: no object holds PTX as text: was nvcc told --no-compress?")


if __name__ == "__main__":
    main()
