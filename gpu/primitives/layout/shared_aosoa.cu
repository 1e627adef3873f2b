// A block's elements in shared memory as an array of structures of arrays, 32 elements at a time.
//
// Our own. Neighbouring threads access neighbouring words, except across the border between two
// tiles, whose words begin on the same bank. There are no conflicts, as in shared_soa.cu, and as
// many as there when elements are copied in and out.

#include "gpu/primitives/layout/in_block.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// One thread per element.
template <unsigned words>
__global__ void __launch_bounds__(layout::threads) shared_aosoa_kernel(layout::Work work) {
  __shared__ std::uint32_t shared[layout::InTiles<words>::count];
  layout::change_words_in_block<layout::InTiles, words>(work, shared);
}

}  // namespace

void layout_shared_aosoa(Stream& stream, const LayoutArgs& args, Scratch& scratch) {
  layout::run(stream, args, scratch,
              {KERNEL(shared_aosoa_kernel<2>), KERNEL(shared_aosoa_kernel<4>),
               KERNEL(shared_aosoa_kernel<8>)});
}

}  // namespace warpview::WARPVIEW_BACKEND
