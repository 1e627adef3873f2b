// A block's elements in shared memory as an array of structures.
//
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023: Code optimization.
//
// Neighbouring threads access words that lie an element apart, on every second, fourth or eighth of
// the 32 banks: a warp's request takes 2, 4 or 8 passes, in each round.

#include "gpu/primitives/layout/in_block.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// One thread per element.
template <unsigned words>
__global__ void __launch_bounds__(layout::threads) shared_aos_kernel(layout::Work work) {
  __shared__ std::uint32_t shared[layout::InStructures<words>::count];
  layout::change_words_in_block<layout::InStructures, words>(work, shared);
}

}  // namespace

void layout_shared_aos(Stream& stream, const LayoutArgs& args, Scratch& scratch) {
  layout::run(
      stream, args, scratch,
      {KERNEL(shared_aos_kernel<2>), KERNEL(shared_aos_kernel<4>), KERNEL(shared_aos_kernel<8>)});
}

}  // namespace warpview::WARPVIEW_BACKEND
