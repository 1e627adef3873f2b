#!/usr/bin/env python3
"""Gives an object file of hipcc code for the siblings of gfx1030.

Usage: amd_family.py OBJCOPY OBJECT

The GPUs of the family gfx103x, all of RDNA 2, have the same instructions (LLVM's "User Guide for
AMDGPU Backend" joins them as gfx10-3-generic), but the runtime takes only code that bears the GPU's
own name. What the compiler writes for them differs in nothing but that name and number
(.ci/check_hip.py compares), so it is copied, in a hundredth of the time.
"""

import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

FIRST = "gfx1030"
# The architecture's number in the ELF header's flags: EF_AMDGPU_MACH_AMDGCN_GFX*.
MACHINE = {FIRST: 0x36, "gfx1031": 0x37, "gfx1032": 0x38, "gfx1033": 0x39, "gfx1034": 0x3E,
           "gfx1035": 0x3D, "gfx1036": 0x45}
SIBLINGS = [name for name in MACHINE if name != FIRST]

MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"
ALIGNMENT = 4096  # of code objects, and of bundles in a section
FLAGS_OFFSET = 0x30  # of e_flags in an ELF header of 64 bits


def for_sibling(code, sibling):
    """The code object of gfx1030, with another name."""
    (flags,) = struct.unpack_from("<I", code, FLAGS_OFFSET)
    if flags & 0xFF != MACHINE[FIRST]:
        raise ValueError(f"a code object for {FIRST} with flags {flags:#x}")
    named = re.sub(rb"(amdgcn-amd-amdhsa--)" + FIRST.encode(), rb"\g<1>" + sibling.encode(), code)
    return (named[:FLAGS_OFFSET] + struct.pack("<I", flags & ~0xFF | MACHINE[sibling]) +
            named[FLAGS_OFFSET + 4:])


def entries_of(data, start):
    """[(target, contents)] of the bundle that begins at `start`."""
    (count,) = struct.unpack_from("<Q", data, start + len(MAGIC))
    place = start + len(MAGIC) + 8
    entries = []
    for _ in range(count):
        offset, size, length = struct.unpack_from("<QQQ", data, place)
        place += 24
        target = data[place:place + length].decode()
        place += length
        entries.append((target, data[start + offset:start + offset + size]))
    return entries


def bundle(entries):
    """The bytes of a bundle, as clang-offload-bundler lays it out."""
    head_size = len(MAGIC) + 8 + sum(24 + len(target) for target, _ in entries)
    offset = -(-head_size // ALIGNMENT) * ALIGNMENT
    head, body = MAGIC + struct.pack("<Q", len(entries)), b""
    for target, contents in entries:
        place = offset + len(body) if contents else 0
        head += struct.pack("<QQQ", place, len(contents), len(target)) + target.encode()
        body += contents + b"\0" * (-len(contents) % ALIGNMENT)
    return head.ljust(offset, b"\0") + body


def with_siblings(data):
    """The section's bytes, each of its bundles with code for the siblings."""
    result = b""
    for match in re.finditer(MAGIC, data):
        entries = entries_of(data, match.start())
        present = {target.rsplit("--", 1)[-1] for target, _ in entries}
        for target, contents in list(entries):
            if target.endswith("--" + FIRST):
                entries += [(target.replace(FIRST, sibling), for_sibling(contents, sibling))
                            for sibling in SIBLINGS if sibling not in present]
        result += bundle(entries)
    return result


def main():
    objcopy, object_file = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        section = Path(folder) / "fatbin"
        subprocess.run([objcopy, "--dump-section", f".hip_fatbin={section}", object_file],
                       check=True, capture_output=True)
        if not section.exists():
            return  # no kernel in it
        section.write_bytes(with_siblings(section.read_bytes()))
        subprocess.run([objcopy, "--update-section", f".hip_fatbin={section}", object_file],
                       check=True)


if __name__ == "__main__":
    main()
