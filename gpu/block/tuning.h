// Tuning per architecture, which changes the speed and nothing else: one struct for each
// architecture. The template that takes a number documents it. Where a struct says that its numbers
// were measured, bench/results/h200.md says how.
#pragma once

#include "gpu/block/ahead.h"

namespace warpview::WARPVIEW_BACKEND::block {

// Measured on an H200 (compute capability 9.0), whose SMs have 227 KiB of shared memory for blocks.
// Other NVIDIA GPUs use the same numbers.
struct HopperTuning {
  using Scan = AheadTuning<256, 3, 6, 3, 3>;
  using Select = AheadTuning<256, 3, 6, 3, 3>;
  using Partition = AheadTuning<256, 3, 6, 3, 3>;
  using RunLength = AheadTuning<256, 3, 5, 3, 3>;
  using ReduceByKey = AheadTuning<256, 2, 5, 3, 2>;
  // Per thread of Onesweep: 4-byte keys alone, pairs of 4-byte words, 8-byte keys, and anything
  // with 8-byte values. Large tiles make runs of one digit long enough to fill the memory's sectors
  // as they are written.
  static constexpr unsigned sweep_keys = 20, sweep_pairs = 18, sweep_long = 15;
  static constexpr unsigned sweep_long_values = 14;
  // Per thread of the sort with persistent blocks, for few keys and for more.
  static constexpr unsigned stay_few = 4, stay_many = 16;
  // Hash tables from this size on, which do not fit into L2, are filled and searched part by part.
  static constexpr std::size_t parted_from_bytes = std::size_t{32} << 20U;
  // Threads that share a walk down a tree from a sphere.
  static constexpr unsigned walk_lanes = 8;
};

// For 64 KiB of shared memory a block, as AMD's GPUs have. Not measured: no AMD GPU was available.
struct AmdTuning {
  using Scan = AheadTuning<256, 2, 5, 3, 1>;
  using Select = AheadTuning<256, 2, 5, 3, 1>;
  using Partition = AheadTuning<256, 2, 5, 3, 1>;
  using RunLength = AheadTuning<256, 2, 5, 3, 1>;
  using ReduceByKey = AheadTuning<256, 1, 5, 3, 1>;
  static constexpr unsigned sweep_keys = 20, sweep_pairs = 18, sweep_long = 11;
  static constexpr unsigned sweep_long_values = 11;
  static constexpr unsigned stay_few = 4, stay_many = 8;
  static constexpr std::size_t parted_from_bytes = std::size_t{8} << 20U;
  static constexpr unsigned walk_lanes = 4;
};

// The CPU device exists to show that results are right, so these numbers reach every path.
struct CpuTuning : HopperTuning {
  static constexpr std::size_t parted_from_bytes = 0;
  static constexpr unsigned walk_lanes = 2;
};

// For builds whose tests need many tiles of few items.
struct SmallTuning {
  using Scan = AheadTuning<64, 2, 5, 3, 3>;
  using Select = AheadTuning<64, 1, 5, 3, 3>;
  using Partition = AheadTuning<64, 1, 5, 3, 3>;
  using RunLength = AheadTuning<64, 1, 5, 3, 3>;
  using ReduceByKey = AheadTuning<64, 1, 6, 3, 3>;
  static constexpr unsigned sweep_keys = 2, sweep_pairs = 2, sweep_long = 2;
  static constexpr unsigned sweep_long_values = 2;
  static constexpr unsigned stay_few = 1, stay_many = 2;
  static constexpr std::size_t parted_from_bytes = 0;
  static constexpr unsigned walk_lanes = 4;
};

#if defined(WARPVIEW_SMALL_TILES)
using Tuning = SmallTuning;
#elif defined(WARPVIEW_BACKEND_CPU)
using Tuning = CpuTuning;
#elif defined(WARPVIEW_BACKEND_HIP)
using Tuning = AmdTuning;
#else
using Tuning = HopperTuning;
#endif

}  // namespace warpview::WARPVIEW_BACKEND::block
