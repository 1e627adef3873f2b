// How variants cut their items into tiles, as their launches tell.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/support/devices.h"

namespace warpview::test {

// The most blocks that a kernel of the row is launched with for n items; 0 where it launches none.
unsigned blocks_for(const TestDevice& on, const Row& row, int form, std::uint32_t n);

// With so many items a kernel of the row has one block, with one more it has two: in ascending
// order, for all its kernels, up to `most`.
std::vector<std::uint32_t> tile_sizes(const TestDevice& on, const Row& row, int form,
                                      std::uint32_t most);

}  // namespace warpview::test
