// What was chosen for an architecture where the choice changes the speed and nothing else: one
// struct for each. What a number means stands at the template that takes it; where a struct says
// that its numbers were measured, bench/results/h200.md says how.
#pragma once

#include "gpu/block/ahead.h"

namespace warpview::WARPVIEW_BACKEND::block {

// Measured on an H200 (compute capability 9.0), whose multiprocessors have 227 KiB of shared memory
// for blocks. Other NVIDIA GPUs take the same.
struct HopperTuning {
  using Scan = AheadTuning<256, 3, 6, 3, 3>;
  using Select = AheadTuning<256, 3, 6, 3, 3>;
  using Partition = AheadTuning<256, 3, 6, 3, 3>;
  using RunLength = AheadTuning<256, 3, 5, 3, 3>;
  using ReduceByKey = AheadTuning<256, 2, 5, 3, 2>;
  // Of a thread of Onesweep: keys of 4 bytes alone, pairs of 4-byte words, keys of 8 bytes, and
  // whatever has values of 8.
  // Large tiles make runs of one digit long enough to fill the memory's sectors as they are
  // written.
  static constexpr unsigned sweep_keys = 20, sweep_pairs = 18, sweep_long = 15;
  static constexpr unsigned sweep_long_values = 14;
  // Of a thread of the sort whose blocks stay, for few keys and for more.
  static constexpr unsigned stay_few = 4, stay_many = 16;
  // Hash tables from this size on are filled and searched part by part: what L2 does not hold.
  static constexpr std::size_t parted_from_bytes = std::size_t{32} << 20U;
  // That share a walk down a tree from a sphere.
  static constexpr unsigned walk_lanes = 8;
};

// For 64 KiB of shared memory a block, as AMD's GPUs have. Not measured: no AMD GPU was there.
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

// The CPU device is for seeing that all is right: there every way is gone.
struct CpuTuning : HopperTuning {
  static constexpr std::size_t parted_from_bytes = 0;
  static constexpr unsigned walk_lanes = 2;
};

// For builds whose tests are to see many tiles of few items.
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
