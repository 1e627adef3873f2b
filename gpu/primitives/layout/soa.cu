// A structure of arrays: each member has a separate array.
//
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023: Code optimization.
//
// Neighbouring threads access neighbouring words of any member: 4 sectors for a warp of 32. Members
// that a kernel does not access are not moved. The members of one element lie n words apart, so
// random access to elements touches one sector for each member.

#include "gpu/primitives/layout/in_memory.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

template <unsigned words>
__global__ void __launch_bounds__(layout::threads) soa_kernel(layout::Work work) {
  layout::change_in_memory<words>(work, Layout::arrays);
}

}  // namespace

void layout_soa(Stream& stream, const LayoutArgs& args, Scratch& scratch) {
  layout::run(stream, args, scratch,
              {KERNEL(soa_kernel<2>), KERNEL(soa_kernel<4>), KERNEL(soa_kernel<8>)});
}

}  // namespace warpview::WARPVIEW_BACKEND
