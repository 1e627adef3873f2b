// An array of structures, changed member by member.
//
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023: Code optimization.
//
// Neighbouring threads ask for words that lie an element apart. Memory answers in sectors of 32
// bytes: of elements of 4 words a warp that reads one member touches 16 sectors to get what 4 would
// hold, of 8 words 32 sectors. Where all members are wanted the same sectors are asked for again
// and again, and the first-level cache has them; the instructions still take as long.

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
