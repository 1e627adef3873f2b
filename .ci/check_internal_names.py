#!/usr/bin/env python3
"""Names of unnamed namespaces that more than one file of a batch defines.

Usage: check_internal_names.py BUILD

BUILD is a build folder with batches: sources that include several files each, which merges their
unnamed namespaces (cmake/batches.cmake, cmake/precompiled.cmake). The compiler refuses a name that is
defined twice, but takes two functions with different parameters for overloads: a call in one file may
then mean the function of the other, and only in this build. Prints each name that stands in several
files of a batch, and fails if there is one.
"""
import json
import pathlib
import re
import sys

INCLUDE = re.compile(r'#include "([^"]+\.(?:cpp|cu))"')
OPENED = re.compile(r"((?:inline )?namespace\b.*\{)[^}]*$")
CLOSED = re.compile(r"\}  // namespace\b")
# Of a definition at the beginning of a line. Operators and forward declarations have no name here.
NAMED = [re.compile(r"(?:struct|class|union|enum(?: class)?) (?:alignas\(\w+\) )?(\w+)\b[^;]*[{:]"),
         re.compile(r"(using \w+) ="), re.compile(r"(namespace \w+) ="),
         re.compile(r"(?:[\w:<>,*&\[\]. ]|\(\w+\))+?[ *&](\w+)(?:\(|\[\d*\w*\]|\{| =|;)")]
# GoogleTest finds it by its argument.
ALLOWED = {"PrintTo"}


def definitions(text):
    """(namespace, name) -> (line number, line), of unnamed namespaces."""
    text = re.sub(r"^template <[^{;]*?>\n", lambda head: "\n" * head[0].count("\n"), text, flags=re.M)
    # What a kernel is launched with stands before its name.
    text = re.sub(r"(?:__launch_bounds__|RESIDENT_BLOCKS)\([^()]*\)\s+", "", text)
    found, scopes, at_if = {}, [], []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("#if"):
            at_if.append(list(scopes))
        elif line.startswith(("#else", "#elif")):
            scopes = list(at_if[-1])
        elif line.startswith("#endif"):
            at_if.pop()
        elif CLOSED.match(line):
            scopes.pop()
        elif OPENED.match(line):
            scopes.append(OPENED.match(line)[1])
        elif "namespace {" in scopes and re.match(r"(?!using namespace)\w", line):
            name = next((match[1] for match in (each.match(line) for each in NAMED) if match), None)
            if name and name not in ALLOWED:
                found.setdefault((*scopes, name), (number, line))
    return found


def batches(build):
    """The files of each batch, as the build includes them."""
    for command in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(command["directory"], command["file"])
        if "Unity" in source.parts or build / "batches" in source.parents:
            yield source, [path for path in INCLUDE.findall(source.read_text())]


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    build = pathlib.Path(sys.argv[1]).resolve()
    count, wrong, seen = 0, 0, {}
    for batch, files in batches(build):
        count += 1
        where = {}
        for file in files:
            path = root / file  # `file` may be absolute
            for name, place in seen.setdefault(path, definitions(path.read_text())).items():
                where.setdefault(name, []).append((path.relative_to(root), *place))
        for name, places in where.items():
            # Two aliases of the same are one.
            if len(places) == 1 or (" " in name[-1] and len({line for _, _, line in places}) == 1):
                continue
            wrong += 1
            print(f"{name[-1]}: " + ", ".join(f"{path}:{number}" for path, number, _ in places))
    if not count:
        sys.exit(f"{build} has no batches: configure it with -DWARPVIEW_BATCH_SIZE=32")
    if wrong:
        sys.exit(f"{wrong} names stand in several files of a batch. Rename them, or compile_alone()")
    print(f"{count} batches: each internal name stands in one file of a batch")


if __name__ == "__main__":
    main()
