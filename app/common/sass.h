// SASS: a GPU's native instructions, which the CUDA toolkit's cuobjdump extracts from a program.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/runtime/ptx.h"

namespace warpview {

// As what a variant's code is shown.
enum class Listing { source, ptx, sass };

struct SassQuestion {
  std::filesystem::path file{};        // a program, an object, a fatbin or a cubin
  std::vector<std::string> symbols{};  // mangled names of the kernels; empty: all
  int compute_capability = 0;          // times ten, of the GPU that is to run it; 0: the newest
  bool operator==(const SassQuestion&) const = default;
};

// Finds cuobjdump in PATH, CUDA_HOME, CUDA_PATH or /usr/local/cuda. Empty if there is none.
std::filesystem::path find_cuobjdump();

// Runs cuobjdump and makes its output readable. Waits for at most half a minute, or until
// `cancelled` is set. The Error says what is missing, and how to get it.
std::string sass_of(const SassQuestion& question, const std::atomic<bool>* cancelled = nullptr);

// Turns the output of cuobjdump -sass for one architecture into text: each kernel's name, its
// number of instructions, and these with their addresses. Empty if it contains no kernel.
std::string readable_sass(std::string_view printed, const SassQuestion& question);

// The kernels in the result of readable_sass().
std::vector<PtxEntry> sass_entries(std::string_view sass);

}  // namespace warpview
