// Affine maps of 32-bit integers: the smallest items whose order matters when they are combined.
#pragma once

#include <cstdint>

namespace warpview {

// x -> factor * x + offset, modulo 2^32.
struct alignas(8) Affine {
  std::uint32_t factor, offset;
};

}  // namespace warpview
