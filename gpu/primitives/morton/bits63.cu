// Morton codes of 63 bits: 21 per axis of a cube.
//
//   G. M. Morton, A Computer Oriented Geodetic Data Base and a New Technique in File Sequencing,
//   IBM, 1966.
//
// Ten bits cut an axis into 1024 cells; a mesh with fine detail in a large scene puts many
// triangles into one cell, where their order is arbitrary. 21 bits make two million cells, close to
// what the 24 bits of a float resolve. The keys are twice as large, and the sort pays for it.
#include "gpu/primitives/morton/expand.h"
#include "gpu/primitives/morton/morton.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// One thread per box.
__global__ void morton_bits63_kernel(const Aabb* __restrict__ boxes,
                                     const std::uint32_t* __restrict__ count, std::uint32_t n,
                                     const SceneBounds* __restrict__ bounds,
                                     std::uint64_t* __restrict__ codes) {
  const std::uint32_t i = global_thread();
  if (i >= n) return;
  if (i >= *count) {
    codes[i] = ~std::uint64_t{0};
    return;
  }
  const auto grid = morton::Grid::of(bounds->centres, 63);
  const morton::Cell cell = morton::cell_of(boxes[i], bounds->centres, grid);
  const std::uint32_t low = (1U << grid.all) - 1U;
  codes[i] = morton::early_bits(cell, grid) | morton::spread21(cell.x & low) << 2U |
             morton::spread21(cell.y & low) << 1U | morton::spread21(cell.z & low);
}

}  // namespace

void morton_bits63(Stream& stream, const MortonArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;  // needs none
  launch(stream, KERNEL(morton_bits63_kernel), one_thread_each(args.n), args.boxes, args.count,
         args.n, args.bounds, static_cast<std::uint64_t*>(args.codes));
}

}  // namespace warpview::WARPVIEW_BACKEND
