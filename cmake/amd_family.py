#!/usr/bin/env python3
"""Adds code to an object file of hipcc: for the siblings of the GPUs that it has code for.

Usage: amd_family.py OBJCOPY OBJECT
       amd_family.py --with-siblings ARCHITECTURE...    prints these and their siblings, by semicolons

The GPUs of a family have the same instructions (LLVM's "User Guide for AMDGPU Backend" joins them
as gfx9-generic, gfx10-1-generic and gfx10-3-generic), but the runtime takes only code with the
GPU's own name. The compiler's output for those listed here differs only in that name and number
(.ci/check_amd_family.py compares), so it is copied, in a hundredth of the time.
"""

import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

# By the GPU that is compiled for, each with its number in the ELF header's flags:
# EF_AMDGPU_MACH_AMDGCN_GFX*.
FAMILIES = {
    # Vega, and the graphics of Ryzen 2000 to 5000. (gfx906 is compiled differently.)
    "gfx900": {"gfx900": 0x2C, "gfx902": 0x2D, "gfx904": 0x2E, "gfx909": 0x31, "gfx90c": 0x32},
    # RDNA: Radeon 5000.
    "gfx1010": {"gfx1010": 0x33, "gfx1011": 0x34, "gfx1012": 0x35, "gfx1013": 0x42},
    # RDNA 2: Radeon 6000, and the graphics of Ryzen 6000 and 7000.
    "gfx1030": {"gfx1030": 0x36, "gfx1031": 0x37, "gfx1032": 0x38, "gfx1033": 0x39, "gfx1034": 0x3E,
                "gfx1035": 0x3D, "gfx1036": 0x45},
}

MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"
ALIGNMENT = 4096  # of code objects, and of bundles in a section
FLAGS_OFFSET = 0x30  # of e_flags in an ELF header of 64 bits


def siblings_of(architecture):
    """The other members of the family that this architecture is compiled for, if it is."""
    return [name for name in FAMILIES.get(architecture, {}) if name != architecture]


def for_sibling(code, first, sibling):
    """The code object of a family's first member, under another name."""
    machine = FAMILIES[first]
    (flags,) = struct.unpack_from("<I", code, FLAGS_OFFSET)
    if flags & 0xFF != machine[first]:
        raise ValueError(f"a code object for {first} with flags {flags:#x}")
    # The name stands in the metadata's string, whose length must not change.
    if len(first) != len(sibling):
        raise ValueError(f"{sibling} is longer or shorter than {first}")
    named = re.sub(rb"(amdgcn-amd-amdhsa--)" + first.encode() + rb"(?![0-9a-z])",
                   rb"\g<1>" + sibling.encode(), code)
    return (named[:FLAGS_OFFSET] + struct.pack("<I", flags & ~0xFF | machine[sibling]) +
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
            kind, _, first = target.rpartition("--")
            entries += [(f"{kind}--{sibling}", for_sibling(contents, first, sibling))
                        for sibling in siblings_of(first) if sibling not in present]
        result += bundle(entries)
    return result


def main():
    if sys.argv[1] == "--with-siblings":
        given = sys.argv[2:]
        print(";".join(dict.fromkeys(given + [sibling for name in given
                                              for sibling in siblings_of(name)])), end="")
        return
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
