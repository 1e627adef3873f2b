// How variants cut their items into tiles, derived from their launches.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/support/devices.h"

namespace warpview::test {

// The most blocks that a kernel of the row is launched with for n items; 0 if it launches none.
unsigned blocks_for(const TestDevice& on, const Row& row, int form, std::uint32_t n);

// Numbers of items at which a kernel of the row has one block, while one item more makes two: in
// ascending order, for all its kernels, up to `most`.
std::vector<std::uint32_t> tile_sizes(const TestDevice& on, const Row& row, int form,
                                      std::uint32_t most);

}  // namespace warpview::test
