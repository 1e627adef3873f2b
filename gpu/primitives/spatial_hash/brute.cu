// No spatial hash: every particle tests every other one.
//
//   L. Nyland, M. Harris, J. Prins, "Fast N-Body Simulation with CUDA", GPU Gems 3, 2007.
//
// There is nothing to build, and a search is one loop over all places (CellKind::all in
// neighbours.h). The lanes of a warp test the same particle at the same time, so it is fetched once
// for all of them; but n particles make n * n tests. A thousand particles are fast; more than
// most_particles_for_all are refused. This variant gives the reference answers for the others.
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
