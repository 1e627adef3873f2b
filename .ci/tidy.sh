#!/usr/bin/env bash
# Looks through the host code of app, gpu and scenes with clang-tidy: tidy.sh BUILD_FOLDER
# The folder must have been built, for its generated headers. Kernel files (.cu) are left out: three
# compilers read them in their own ways.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

database=$1/tidy
mkdir -p "$database"
# clang does not know these options of GCC.
sed 's/ -fpch-preprocess//g; s/ -Wno-restrict//g; s/ -fno-gnu-unique//g' "$1/compile_commands.json" \
  >"$database/compile_commands.json"
status=0
run-clang-tidy -quiet -j "$(nproc)" -p "$database" "^$PWD/(app|gpu|scenes)/.*\\.cpp\$" \
  >"$database/log" 2>&1 || status=$?
# A header's finding comes once for each file that includes it.
sed 's/\x1b\[[0-9;]*m//g' "$database/log" | grep -E ': (error|warning): ' | sort -u || true
if ((status)); then echo "Everything that clang-tidy said is in $database/log" >&2; fi
exit "$status"
