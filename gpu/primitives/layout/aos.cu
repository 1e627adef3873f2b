// An array of structures, updated member by member.
//
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023: Code optimization.
//
// Neighbouring threads access words that lie an element apart. Memory delivers sectors of 32 bytes.
// For elements of 4 words a warp that reads one member touches 16 sectors to get what would fit in
// 4; for elements of 8 words it touches 32. When all members are read, the same sectors are
// requested repeatedly, and L1 has them; the instructions still take as long.

#include "gpu/primitives/layout/in_memory.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

template <unsigned words>
__global__ void __launch_bounds__(layout::threads) aos_kernel(layout::Work work) {
  layout::change_in_memory<words>(work, Layout::structures);
}

}  // namespace

void layout_aos(Stream& stream, const LayoutArgs& args, Scratch& scratch) {
  layout::run(stream, args, scratch,
              {KERNEL(aos_kernel<2>), KERNEL(aos_kernel<4>), KERNEL(aos_kernel<8>)});
}

}  // namespace warpview::WARPVIEW_BACKEND
