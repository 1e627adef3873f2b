// A block's elements in shared memory as an array of structures with a padding word after each.
//
//   M. Harris, S. Sengupta, J. Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, 2007,
//   section 39.2.3: padding.
//
// Elements begin 3, 5 or 9 words apart, an odd number: 32 neighbours begin on 32 banks, whichever
// member is accessed. It costs a half, a quarter or an eighth more of shared memory, and excludes
// vector loads, since most elements do not begin at a multiple of 8 or 16 bytes.

#include "gpu/primitives/layout/in_block.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// One thread per element.
template <unsigned words>
__global__ void __launch_bounds__(layout::threads) shared_padded_kernel(layout::Work work) {
  __shared__ std::uint32_t shared[layout::InPaddedStructures<words>::count];
  layout::change_words_in_block<layout::InPaddedStructures, words>(work, shared);
}

}  // namespace

void layout_shared_padded(Stream& stream, const LayoutArgs& args, Scratch& scratch) {
  layout::run(stream, args, scratch,
              {KERNEL(shared_padded_kernel<2>), KERNEL(shared_padded_kernel<4>),
               KERNEL(shared_padded_kernel<8>)});
}

}  // namespace warpview::WARPVIEW_BACKEND
