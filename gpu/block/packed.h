// Small numbers of one thread, packed into registers.
#pragma once

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::block {

// `count` numbers of `bits` bits each, 8 or 16, initially zero. Indices must be constant once loops
// are unrolled, so that the words stay in registers.
template <unsigned bits, unsigned count>
class Packed {
 public:
  // Called once for each i.
  __device__ void set(unsigned i, std::uint32_t number) {
    words_[i / per_word] |= number << (i % per_word * bits);
  }
  __device__ std::uint32_t operator[](unsigned i) const {
    return words_[i / per_word] >> (i % per_word * bits) & ((1U << bits) - 1);
  }

 private:
  static_assert(bits == 8 || bits == 16);
  static constexpr unsigned per_word = 32 / bits;
  std::uint32_t words_[ceil_div(count, per_word)] = {};
};

}  // namespace warpview::WARPVIEW_BACKEND::block
