# shellcheck shell=bash
# shellcheck disable=SC2034  # the lists are for the scripts that source this
# What Warpview needs on Debian 12, and how ./run, ./test and .ci/run install and build it.
# Sourced by scripts; works in the repository's root, wherever it is called from.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Needed to build and run the viewer and its tests.
packages=(
  # tools
  cmake ninja-build g++ pkgconf python3-glad
  # the CPU device
  libboost-context-dev libtbb-dev libfmt-dev
  # the yardstick of ray tracing there; without it trace=library says that it is missing
  libembree-dev
  # packed PTX, where the CUDA backend is built
  zlib1g-dev
  # scenes and the command line
  libtinyobjloader-dev libglm-dev libcli11-dev nlohmann-json3-dev libpugixml-dev libsvgpp-dev
  # pages of the handbook
  libmd4c-dev
  # textures and pictures
  libpng-dev libjpeg62-turbo-dev libstb-dev
  # videos
  libwebp-dev libgif-dev
  # window, panels and OpenGL; Mesa draws where no GPU does
  libglfw3-dev libimgui-dev libopengl-dev libegl-dev libegl-mesa0 libgl1-mesa-dri
  fonts-dejavu-core libfontconfig-dev
  # tests and benchmark
  libgtest-dev libbenchmark-dev
)

# The compiler of the HIP backend and rocPRIM, about 2 GB. (nvcc does not come from Debian: the CUDA
# backend is built if a CUDA toolkit is found.)
packages_hip=(hipcc libamdhip64-dev librocprim-dev)

# Tools of .ci/run to check the sources and the .desktop file, a display for the viewer, which tests
# scale (tests/app/window_size_test.cpp) and use with mouse and keys (tests/window), a font with
# letters that Warpview's own lacks (tests/panels/letters_test.cpp), and a browser for pages of
# recordings (tests/pages).
packages_ci=(
  clang-format clang-tidy llvm-15 python3 shellcheck xvfb xauth x11-utils xdotool fonts-wqy-microhei
  desktop-file-utils chromium chromium-driver python3-selenium)

# The fuzzers (fuzz/run): clang and the runtimes of its sanitizers and libFuzzer.
packages_fuzz=(clang libclang-rt-14-dev)

say() { printf '%s\n' "$*"; }
complain() { printf '%s\n' "$*" >&2; }

# The packages among the arguments that are not installed, one a line.
missing_packages() {
  local package
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] ||
      say "$package"
  done
}

# install_packages ASSUME_YES PACKAGE...: installs missing packages. Where that is not possible it
# says what to install and still returns: the parts may have been installed another way, and CMake
# names the one that is missing.
install_packages() {
  local assume_yes=$1
  shift
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say "No apt here. Warpview needs, by Debian's names:" "$@"
    return 0
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  say "Missing packages:" "${missing[@]}"

  local -a as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      complain "This user is not root, and sudo is missing. Install them with: apt install ${missing[*]}"
      return 0
    fi
    as_root=(sudo)
    if [[ $assume_yes == yes ]]; then
      as_root+=(-n)
    elif [[ ! -t 0 ]]; then
      complain "No terminal to ask on. Install them with: sudo apt install ${missing[*]} (or give -y)"
      return 0
    else
      local answer
      read -r -p "Install them with sudo apt? [y/N] " answer
      [[ $answer == [yY]* ]] || return 0
    fi
  fi
  local -a apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q)
  "${apt[@]}" update || complain "apt-get update failed; trying with the lists that are here."
  "${apt[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null ||
    complain "apt-get could not install them; going on with the packages that are here."
}

# Parallel compilers: one per core, each with room for 1.5 GB.
build_jobs() {
  local cores memory_kb
  cores=$(nproc)
  memory_kb=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)
  local jobs=$((${memory_kb:-1500000} / 1500000))
  ((jobs >= 1)) || jobs=1
  ((jobs <= cores)) || jobs=$cores
  say "$jobs"
}

# Which backends are built that can only run elsewhere: options of ./run and ./test, which CMake's
# cache keeps for both, so that neither rebuilds what the other built.
choice_usage='  --cuda  build the CUDA backend though no NVIDIA GPU is found (needs the CUDA toolkit)
  --hip   build the HIP backend though no AMD GPU is found; installs its compiler too (about 2 GB)
  --all   build each backend whose compiler is found, and the counting module
  --auto  build what can run on this machine, as at first
          What was chosen stays chosen, for ./run and ./test, until another option is given.'
choice=()

# choose OPTION: takes one of these options; fails if it is not one.
choose() {
  case $1 in
    --cuda) choice+=(-DWARPVIEW_CUDA=ON) ;;
    --hip) choice+=(-DWARPVIEW_HIP=ON) ;;
    --all) choice+=(-DWARPVIEW_ALL=ON) ;;
    --auto) choice+=(-DWARPVIEW_ALL=OFF -DWARPVIEW_CUDA=AUTO -DWARPVIEW_HIP=AUTO) ;;
    *) return 1 ;;
  esac
}

# Prints ninja's output, with its status "@DONE/ALL/SECONDS@" as "[DONE/ALL, 25 %, about 3 min
# left]". The estimate assumes that all steps take as long as those that are done. On a terminal
# steps share a line.
show_progress() {
  local line finished all seconds left words on_line=no
  while IFS= read -r line; do
    if [[ ! $line =~ ^@([0-9]+)/([0-9]+)/([0-9]+)[.0-9]*@(.*)$ ]]; then
      [[ $on_line == no ]] || say
      on_line=no
      say "$line"
      continue
    fi
    finished=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]} seconds=${BASH_REMATCH[3]}
    words="[$finished/$all, $((100 * finished / (all > 0 ? all : 1))) %"
    if ((finished > 0 && finished < all)); then
      left=$((seconds * (all - finished) / finished))
      if ((left < 60)); then words+=", about $left s left"; else words+=", about $(((left + 30) / 60)) min left"; fi
    fi
    words+="] ${BASH_REMATCH[4]}"
    if [[ -t 1 ]]; then
      printf '\r\033[K%s' "${words:0:${COLUMNS:-80}-1}"
      on_line=yes
    else
      say "$words"
    fi
  done
  [[ $on_line == no ]] || say
}

# configure_and_build PRESET [TARGET...]: builds all targets if none is named.
configure_and_build() {
  local preset=$1
  shift
  local -a targets=()
  if (($#)); then targets=(--target "$@"); fi
  local output
  if ! output=$(cd "$root" && cmake --preset "$preset" "${choice[@]}" 2>&1); then
    complain "$output"
    return 1
  fi
  # Prints which backends are built, and why the others are not.
  grep -E '^-- [A-Z]+ backend: ' <<<"$output" || true
  (cd "$root" && NINJA_STATUS='@%f/%t/%e@' \
    cmake --build --preset "$preset" --parallel "$(build_jobs)" "${targets[@]}") 2>&1 |
    show_progress
}
