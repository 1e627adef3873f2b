#!/usr/bin/env bash
# What is built where: with drivers and compilers that are scripts and stubs, in a folder that goes away.
#   - A driver counts only if it opens and lists a device, and it is asked at each configuration.
#   - Without a GPU neither nvcc nor hipcc is called, unless an option asks for it.
#   - ./run and ./test hand their options to CMake's cache, and nothing where none is given.
#   - The progress line says how much is left.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=cmake/packages.sh
source cmake/packages.sh
# shellcheck disable=SC2154  # packages.sh sets it
cd "$root"

folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
failed=0
expect() { # expect WHAT PATTERN TEXT
  if [[ ! $3 =~ $2 ]]; then
    complain "$1: expected \"$2\", and this is there:" "$3"
    failed=1
  fi
}

# drivers NAME DEVICES INIT: libcuda.so.1 and libamdhip64.so that list so many devices, where the first
# call returns INIT.
drivers() {
  mkdir -p "$folder/$1"
  cc -shared -fPIC -o "$folder/$1/libcuda.so.1" -x c - <<<"
int cuInit(unsigned flags) { (void)flags; return $3; }
int cuDeviceGetCount(int* count) { *count = $2; return 0; }
int cuDeviceGet(int* device, int i) { *device = i; return 0; }
int cuDeviceGetAttribute(int* value, int attribute, int device) {
  *value = attribute == 75 ? 8 + device : 6; return 0; }"
  cc -shared -fPIC -o "$folder/$1/libamdhip64.so" -x c - <<<"
int hipGetDeviceCount(int* count) { *count = $2; return $3; }"
}
drivers none 0 0
drivers broken 1 100
drivers two 2 0
cc -o "$folder/find_gpus" cmake/find_gpus.c -ldl
found() { LD_LIBRARY_PATH=$folder/$1 "$folder/find_gpus" | tr '\n' ' '; }
expect "a driver without devices" '^$' "$(found none)"
expect "a driver that does not start" '^$' "$(found broken)"
expect "a driver with two GPUs" '^cuda 86 cuda 96 hip hip $' "$(found two)"

# Compilers that write down that they were called.
for tool in nvcc hipcc; do
  printf '#!/bin/sh\necho %s >>"%s/called"\nexit 1\n' "$tool" "$folder" >"$folder/$tool"
  chmod +x "$folder/$tool"
done
# configure DRIVER TREE [OPTION...]: what CMake says, with the compilers that it called.
configure() {
  local driver=$1 tree=$2
  shift 2
  rm -f "$folder/called"
  LD_LIBRARY_PATH=$folder/$driver CUDACXX=$folder/nvcc cmake -S . -B "$folder/$tree" -G Ninja \
    -DBUILD_TESTING=OFF -DWARPVIEW_HIPCC="$folder/hipcc" "$@" 2>&1 | grep -E 'backend: |=ON, but|--auto' || true
  printf 'called: '
  if [[ -e $folder/called ]]; then sort -u "$folder/called" | tr '\n' ' '; fi
}
expect "no GPU" 'CUDA backend: skipped .*no NVIDIA GPU was found.*HIP backend: skipped .*no AMD GPU was found.*called: $' \
  "$(configure none tree)"
# The HIP compiler is called by the build alone.
expect "GPUs that came later" 'no working nvcc was found.*HIP backend: /.*called: nvcc $' "$(configure two tree)"
expect "GPUs that went again" 'no NVIDIA GPU was found.*no AMD GPU was found.*called: $' "$(configure none tree)"
expect "--all without a GPU" 'no working nvcc was found.*HIP backend: /.*called: nvcc $' \
  "$(configure none all -DWARPVIEW_ALL=ON)"
expect "--cuda without nvcc" 'WARPVIEW_CUDA=ON, but.*\./run --auto' \
  "$(configure none cuda -DWARPVIEW_CUDA=ON)"

# What the scripts ask of CMake: a stub that writes it down, and fails, so that they end.
mkdir "$folder/stub"
printf '#!/bin/sh\necho "$*" >>"%s/asked"\nexit 1\n' "$folder" >"$folder/stub/cmake"
chmod +x "$folder/stub/cmake"
asked() { # asked SCRIPT [OPTION...]
  rm -f "$folder/asked"
  PATH=$folder/stub:$PATH "./$1" "${@:2}" >/dev/null 2>&1 </dev/null || true
  cat "$folder/asked"
}
expect "./run" '^--preset release$' "$(asked run)"
expect "./test" '^--preset release$' "$(asked test)"
expect "./run --all" '^--preset release -DWARPVIEW_ALL=ON$' "$(asked run --all)"
expect "./test --cuda" '^--preset release -DWARPVIEW_CUDA=ON$' "$(asked test --cuda)"
expect "./run --auto" '^--preset release -DWARPVIEW_ALL=OFF -DWARPVIEW_CUDA=AUTO -DWARPVIEW_HIP=AUTO$' \
  "$(asked run --auto)"

progress=$(printf '%s\n' '@0/8/0.000@first' '@1/8/10.5@second' 'a warning' '@2/8/600.2@third' '@8/8/900.0@last' | show_progress)
expect "progress" '^\[0/8, 0 %\] first
\[1/8, 12 %, about 1 min left\] second
a warning
\[2/8, 25 %, about 30 min left\] third
\[8/8, 100 %\] last$' "$progress"
exit "$failed"
