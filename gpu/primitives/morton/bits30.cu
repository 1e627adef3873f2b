// Morton codes of 30 bits: 10 per axis.
//
//   G. M. Morton, A Computer Oriented Geodetic Data Base and a New Technique in File Sequencing,
//   IBM, 1966.
//   T. Karras, Thinking Parallel, Part III: Tree Construction on the GPU, 2012 (the use in a BVH).
//
// A code interleaves the coordinates' bits, most significant first. Points in order of their codes
// trace a Z in every cube of eight cells, at every scale: neighbours in the order are near in
// space.
#include "gpu/primitives/morton/expand.h"
#include "gpu/primitives/morton/morton.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// One thread per box.
__global__ void morton_bits30_kernel(const Aabb* __restrict__ boxes,
                                     const std::uint32_t* __restrict__ count, std::uint32_t n,
                                     const SceneBounds* __restrict__ bounds,
                                     std::uint32_t* __restrict__ codes) {
  const std::uint32_t i = global_thread();
  if (i >= n) return;
  if (i >= *count) {
    codes[i] = 0xffffffffU;
    return;
  }
  const morton::Cell cell = morton::cell_of(boxes[i], bounds->centres, 10);
  codes[i] =
      morton::spread10(cell.x) << 2U | morton::spread10(cell.y) << 1U | morton::spread10(cell.z);
}

}  // namespace

void morton_bits30(Stream& stream, const MortonArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;  // needs none
  launch(stream, KERNEL(morton_bits30_kernel), one_thread_each(args.n), args.boxes, args.count,
         args.n, args.bounds, static_cast<std::uint32_t*>(args.codes));
}

}  // namespace warpview::WARPVIEW_BACKEND
