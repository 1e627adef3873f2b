// What the lanes of a warp did since they last met, and what that costs: lanes laid side by side.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/runtime/shared_banks.h"
#include "gpu/simt/counted/recorder.h"

namespace warpview::simt {

using Address = std::uintptr_t;
// Marks a lane's origin or target outside of the kernel's basic blocks.
constexpr Address outside = 0;

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
  std::uint64_t operators = 0;  // sequential within this step
  std::uint64_t depth = 0;      // since the last barrier
};

using LaneNumbers = std::vector<unsigned>;

// Adds the costs of these lanes' accesses to the kernel and to the step.
void count_accesses(const WarpTrace& warp, const LaneNumbers& lanes, unsigned banks,
                    KernelCounters& kernel, CountedStep& step);
// The number of branches at which these lanes diverged.
std::uint64_t divergent_branches(const WarpTrace& warp, const LaneNumbers& lanes);

}  // namespace warpview::simt
