// What the lanes of a warp did since they last met, and what that costs: lanes laid side by side.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/simt/counted/recorder.h"

namespace warpview::simt {

using Address = std::uintptr_t;
// Where a lane comes from and goes to that is in no basic block of the kernel.
constexpr Address outside = 0;
constexpr unsigned word_bytes = 4;  // of a bank

struct Access {
  Address site;
  Address address;
  std::uint8_t bytes;
  bool shared;
  counting::Kind kind;
};

// What a lane has done since it last met others.
struct LaneTrace {
  std::vector<Access> accesses;
  std::vector<Address> path;  // basic blocks entered
  Address came_from = outside;
  unsigned operators = 0;
};

struct WarpTrace {
  std::vector<LaneTrace> lanes;
  unsigned arrived = 0;  // lanes at the barrier or exited
  unsigned exited = 0;
  std::size_t step = 0;
  std::uint64_t operators = 0;  // one after the other in this step
  std::uint64_t depth = 0;      // since the last barrier
};

using LaneNumbers = std::vector<unsigned>;

// Adds what the accesses of these lanes cost to the kernel and to the step.
void count_accesses(const WarpTrace& warp, const LaneNumbers& lanes, unsigned banks,
                    KernelCounters& kernel, CountedStep& step);
// How many branches took these lanes different ways.
std::uint64_t divergent_branches(const WarpTrace& warp, const LaneNumbers& lanes);

}  // namespace warpview::simt
