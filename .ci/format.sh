#!/usr/bin/env bash
# Are all C++ files as clang-format writes them? With --fix, makes them so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mode=(--dry-run --Werror)
[[ ${1:-} == --fix ]] && mode=(-i)
find app bench examples fuzz gpu scenes tests -name '*.cpp' -print0 -o -name '*.h' -print0 -o -name '*.cu' -print0 |
  xargs -0 clang-format "${mode[@]}"
