// Onesweep's look-back: the states that the tiles of a pass publish, and the look-back over them.
#pragma once

#include "gpu/block/lookback.h"
#include "gpu/primitives/sort/digits.h"

namespace warpview::WARPVIEW_BACKEND::sort {

// The states of the tiles of a pass: for each digit a flag in the upper two bits of a word and a
// count in the other 30. A word is read and written as a whole, so no fence is needed. Thread d of
// a block handles digit d, and neighbours read and write neighbouring words.
struct DigitStates {
  std::uint32_t* words;   // [tile][digit]
  std::uint32_t* ticket;  // the counter that numbers the tiles

  static_assert(block::prefix_ready < 4);
  __device__ void publish(std::uint32_t tile, std::uint32_t flag, std::uint32_t count) const {
    store_relaxed(&words[tile * digit_values + threadIdx.x], flag << 30U | count);
  }
  __device__ block::TileState<std::uint32_t> look(std::uint32_t tile) const {
    const std::uint32_t word = load_relaxed(&words[tile * digit_values + threadIdx.x]);
    return {word >> 30U, word & ((1U << 30U) - 1)};
  }
};

// The number of keys with digit threadIdx.x in the tiles before `tile`. Each thread looks back
// alone, as in scan=lookback_lane. The look-back is a chain of dependent loads, so a thread reads
// several predecessors at a time. More than needed would usually delay others.
__device__ inline std::uint32_t look_back(const DigitStates& states, std::uint32_t tile) {
  constexpr std::uint32_t window = 3;
  std::uint32_t before = 0;
  bool found = tile == 0;
  Spin spin;
  for (std::uint32_t t = tile; !found;) {
    block::TileState<std::uint32_t> state[window];
    UNROLL
    for (std::uint32_t k = 0; k < window; ++k) {  // before tile 0 there is an empty prefix
      state[k] = {block::prefix_ready, 0};
      if (k < t) state[k] = states.look(t - 1 - k);
    }
    std::uint32_t taken = 0;
    bool blocked = false;
    UNROLL
    for (std::uint32_t k = 0; k < window; ++k) {
      blocked = blocked || state[k].flag == block::not_ready;
      if (blocked || found) continue;
      before += state[k].value;
      found = state[k].flag == block::prefix_ready;
      ++taken;
    }
    t -= taken;
    if (!found && taken == 0) spin.back_off();
  }
  return before;
}

}  // namespace warpview::WARPVIEW_BACKEND::sort
