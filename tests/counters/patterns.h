// Kernels whose counts can be computed by hand, in a module of the counted build.
#pragma once

#include <cstdint>

#include "gpu/runtime/counted_device.h"

namespace warpview::test {

// Each queues one launch. `memory` is device memory of at least 64 KiB; a warp has 32 lanes.
struct Patterns {
  // One block of 32 threads; each reads a word, at distances of `stride` words, and writes one
  // beside its neighbour's.
  void (*strided)(Stream&, std::uint32_t* memory, std::uint32_t stride);
  // As above, with values of 16 bytes that are read side by side.
  void (*wide)(Stream&, std::uint32_t* memory);
  // One block; fills 2048 words of shared memory, side by side, and after a barrier each thread
  // reads the word at `stride` times its number.
  void (*shared_strided)(Stream&, std::uint32_t* memory, std::uint32_t stride, unsigned threads);
  // As above, with values of 8 bytes, half as many, by 32 threads; strides in values.
  void (*shared_wide)(Stream&, std::uint32_t* memory, std::uint32_t stride);
  // 4 blocks of 64 threads with 3 barriers each; every thread adds to memory[0], every second one
  // takes the maximum of it with 0, which leaves it unchanged.
  void (*atomics)(Stream&, std::uint32_t* memory);
  // One block of 64 threads: 5 shuffles and a ballot by each warp.
  void (*collectives)(Stream&, std::uint32_t* memory);
  // One block of 64 threads. thread / `together` decides which of two branches a thread takes.
  void (*two_ways)(Stream&, std::uint32_t* memory, std::uint32_t together);
  // One block of 32 threads; thread i runs i % `different` + 1 iterations of a loop.
  void (*loop)(Stream&, std::uint32_t* memory, std::uint32_t different);
  // Blocks that wait for each other: a grid barrier, `rounds` times.
  void (*grid_barrier)(Stream&, std::uint32_t* memory, unsigned blocks, std::uint32_t rounds);
};

inline constexpr const char* patterns_entry = "warpview_patterns";
using PatternsEntry = const Patterns*();

}  // namespace warpview::test
