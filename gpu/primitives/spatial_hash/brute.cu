// No spatial hash: everybody looks at everybody.
//
//   L. Nyland, M. Harris, J. Prins, "Fast N-Body Simulation with CUDA", GPU Gems 3, 2007.
//
// There is nothing to build, and a search is one loop over all places (CellKind::all in
// neighbours.h). The lanes of a warp look at the same particle at the same time, so it is fetched
// once for all of them; but n particles make n * n tests. For a thousand of them that is soon done,
// for more than most_particles_for_all it is refused. What the other variants find is held against
// this one's answers.
#include "gpu/primitives/spatial_hash/in_place.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

// One thread per particle.
__global__ void keep_kernel(SpatialHashArgs args) {
  const std::uint32_t i = global_thread();
  if (i < args.n) spatial::keep_in_place(args, i);
}

}  // namespace

void spatial_hash_brute(Stream& stream, const SpatialHashArgs& args, Scratch& scratch) {
  cells_of(args, CellKind::all);  // refuses too many
  if (scratch.measuring()) return;
  launch(stream, KERNEL(keep_kernel), one_thread_each(args.n), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
