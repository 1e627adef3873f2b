// A block's elements in shared memory as a structure of arrays.
//
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023: Code optimization.
//
// Neighbouring threads access neighbouring words, on all banks. Conflicts occur where elements are
// copied in and out: the array in global memory has structures, and the members of one lie a
// multiple of the banks apart here. That happens once, not in each round.

#include "gpu/primitives/layout/in_block.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// One thread per element.
template <unsigned words>
__global__ void __launch_bounds__(layout::threads) shared_soa_kernel(layout::Work work) {
  __shared__ std::uint32_t shared[layout::InArrays<words>::count];
  layout::change_words_in_block<layout::InArrays, words>(work, shared);
}

}  // namespace

void layout_shared_soa(Stream& stream, const LayoutArgs& args, Scratch& scratch) {
  layout::run(
      stream, args, scratch,
      {KERNEL(shared_soa_kernel<2>), KERNEL(shared_soa_kernel<4>), KERNEL(shared_soa_kernel<8>)});
}

}  // namespace warpview::WARPVIEW_BACKEND
