// Products of matrices, on all cores where that pays: gpu/primitives/matrix/matrix.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gpu/reference/all_cores.h"

namespace warpview::reference {

// a has `rows` x `inner` elements, b `inner` x `columns`, both row-major, as is the result. The
// order of a sum is not fixed, so sums equal others only where each of them is exact. 2^14 x 2^14 x
// 2^14 takes about half a minute on 16 cores.
std::vector<float> product(std::span<const float> a, std::span<const float> b, std::size_t rows,
                           std::size_t inner, std::size_t columns,
                           Cores cores = Cores::as_many_as_pay);

}  // namespace warpview::reference
