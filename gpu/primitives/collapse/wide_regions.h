// The arrays of a wide tree, as recordings and reports name them.
#pragma once

#include <vector>

#include "gpu/lab/experiment.h"
#include "gpu/primitives/collapse/wide_memory.h"

namespace warpview::lab {

// "nodes4" or "nodes8", and "triangles".
inline std::vector<Region> wide_regions(const WideMemory& memory) {
  std::vector<Region> all = {region("triangles", memory.triangles())};
  if (memory.four().size() > 0) all.push_back(region("nodes4", memory.four()));
  if (memory.eight().size() > 0) all.push_back(region("nodes8", memory.eight()));
  return all;
}

}  // namespace warpview::lab
