// Morton codes of 30 bits: 10 per axis of a cube, and more along the longer axes of a box.
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
  const auto grid = morton::Grid::of(bounds->centres, 30);
  const morton::Cell cell = morton::cell_of(boxes[i], bounds->centres, grid);
  const std::uint32_t low = (1U << grid.all) - 1U;
  codes[i] = static_cast<std::uint32_t>(morton::early_bits(cell, grid)) |
             morton::spread10(cell.x & low) << 2U | morton::spread10(cell.y & low) << 1U |
             morton::spread10(cell.z & low);
}

}  // namespace

void morton_bits30(Stream& stream, const MortonArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;  // needs none
  launch(stream, KERNEL(morton_bits30_kernel), one_thread_each(args.n), args.boxes, args.count,
         args.n, args.bounds, static_cast<std::uint32_t*>(args.codes));
}

}  // namespace warpview::WARPVIEW_BACKEND
