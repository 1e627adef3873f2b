#!/usr/bin/env python3
"""Shows that the HIP module holds every kernel for every architecture it was built for.

Usage: check_hip.py MODULE ARCHITECTURE=WAVE_SIZE...

Two lists must agree: the kernels that the host code can launch (its stubs), and the kernels of each
code object in the module. Each kernel must also have been compiled for the architecture's wave
size. Prints one line an architecture; exits with 1 and names what is missing otherwise.

(A kernel that nothing launches is in neither list: it has no stub and no code.)
"""

import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

LLVM_SUFFIX = "-15"  # of the LLVM that hipcc uses
BUNDLE_MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"


def tool(name, *arguments):
    return subprocess.run([f"{name}{LLVM_SUFFIX}", *map(str, arguments)], check=True,
                          capture_output=True, text=True).stdout


def demangled(names):
    """Readable names by mangled ones."""
    names = sorted(names)
    lines = subprocess.run([f"llvm-cxxfilt{LLVM_SUFFIX}"], input="\n".join(names), check=True,
                           capture_output=True, text=True).stdout.splitlines()
    return dict(zip(names, lines))


def code_objects(module, folder):
    """Unpacks the bundles (one per source file) and yields (architecture, path of the ELF file)."""
    section = folder / "fatbin"
    tool("llvm-objcopy", "--dump-section", f".hip_fatbin={section}", module, folder / "unused")
    data = section.read_bytes()
    number = 0
    for match in re.finditer(re.escape(BUNDLE_MAGIC), data):
        start = match.start()
        (entries,) = struct.unpack_from("<Q", data, match.end())
        place = match.end() + 8
        for _ in range(entries):
            offset, size, name_length = struct.unpack_from("<QQQ", data, place)
            place += 24
            target = data[place:place + name_length].decode()
            place += name_length
            if size == 0 or not target.startswith("hip"):
                continue
            path = folder / f"{number}.elf"
            number += 1
            path.write_bytes(data[start + offset:start + offset + size])
            yield target.rsplit("--", 1)[-1].split(":")[0], path


def kernels_of(elf):
    """The kernels that a code object's metadata describes, by mangled name."""
    kernels = {}
    notes = tool("llvm-readelf", "--notes", elf)
    # One list item per kernel; its arguments are nested deeper.
    for item in re.split(r"\n  - ", notes.split("amdhsa.kernels:")[-1]):
        fields = dict(re.findall(r"^ {0,4}(\.\w+): +'?([^'\n]+?)'?$", item, re.M))
        if ".name" in fields:
            kernels[fields[".name"]] = fields
    return kernels


def launchable(module):
    """Kernels that the host code has a stub for, by mangled name."""
    stubs = set()
    for line in tool("llvm-readelf", "--symbols", "--wide", module).splitlines():
        name = line.split()[-1] if line.split() else ""
        match = re.match(r"(.*?)(\d+)__device_stub__(.*)$", name)
        if match:
            length = int(match[2]) - len("__device_stub__")
            stubs.add(f"{match[1]}{length}{match[3]}")
    return stubs


def main():
    module = Path(sys.argv[1])
    wave_sizes = dict(argument.split("=") for argument in sys.argv[2:])
    wanted = launchable(module)
    problems = []
    if not wanted:
        problems.append(f"{module} holds no kernel stub; was it stripped?")

    found = {architecture: {} for architecture in wave_sizes}
    with tempfile.TemporaryDirectory() as folder:
        for architecture, elf in code_objects(module, Path(folder)):
            found.setdefault(architecture, {}).update(kernels_of(elf))

    readable = demangled(wanted.union(*found.values()))
    for architecture, kernels in found.items():
        for name in sorted(wanted - kernels.keys()):
            problems.append(f"{architecture}: no code for {readable[name]}")
        wave_size = wave_sizes.get(architecture)
        for name, fields in sorted(kernels.items()):
            if wave_size and fields.get(".wavefront_size") != wave_size:
                problems.append(f"{architecture}: {readable[name]} is compiled for waves of "
                                f"{fields.get('.wavefront_size')}, not {wave_size}")
        spilling = sum(int(fields.get(".vgpr_spill_count", 0)) > 0 for fields in kernels.values())
        registers = [int(fields[".vgpr_count"]) for fields in kernels.values()]
        print(f"{architecture}: {len(kernels)} kernels of {len(wanted)} launchable, "
              f"waves of {wave_size}, at most {max(registers, default=0)} vector registers, "
              f"{spilling} spilling")
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
