// An array of structures of arrays: 32 elements member by member, then the next 32.
//
// Our own; common practice. A warp's threads access adjacent words of one member, as in soa.cu: 4
// sectors. All members of an element lie within one tile of at most 1 KiB. So there is one array
// with one address, its elements can be moved by tiles, and reading a single element stays within a
// page. A warp of 64 lanes works on two tiles.

#include "gpu/primitives/layout/in_memory.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

template <unsigned words>
__global__ void __launch_bounds__(layout::threads) aosoa_kernel(layout::Work work) {
  layout::change_in_memory<words>(work, Layout::tiles);
}

}  // namespace

void layout_aosoa(Stream& stream, const LayoutArgs& args, Scratch& scratch) {
  layout::run(stream, args, scratch,
              {KERNEL(aosoa_kernel<2>), KERNEL(aosoa_kernel<4>), KERNEL(aosoa_kernel<8>)});
}

}  // namespace warpview::WARPVIEW_BACKEND
