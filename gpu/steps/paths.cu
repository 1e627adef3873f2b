// Path tracing: gpu/steps/paths.h says what each step computes. One thread per path.
#include "gpu/steps/paths.h"

#include "gpu/block/reduce.h"
#include "gpu/operators/numbers.h"
#include "gpu/steps/paths_shading.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned paths_block_size = 128;

// Returns whether the path of this thread goes on.
template <bool has_textures>
__device__ bool scatter_path(const ScatterPathsArgs& args, std::uint32_t i) {
  const RaysLook& look = *args.look;
  PathState path = args.bounce > 0 ? args.paths[i] : path_of_camera(look, i);
  if (args.bounce > 0) path_take_pending(path, args.shadow[i] != 0);
  const PathRays rays = path_scatter(look, rays_mesh_for<has_textures>(args.mesh), args.lights,
                                     args.rays[i], args.hits[i], i, args.bounce, path);
  args.rays[i] = rays.next;
  args.shadow_rays[i] = rays.to_light;
  args.paths[i] = path;
  return !path_is_over(path);
}

template <bool has_textures>
__global__ void scatter_paths_kernel(ScatterPathsArgs args) {
  const std::uint32_t i = global_thread();
  const bool goes_on = i < args.n && scatter_path<has_textures>(args, i);
  __shared__ block::ReduceStorage<std::uint32_t, paths_block_size> storage;
  const auto bounces = block::reduce<Sum<std::uint32_t>>(goes_on ? 1U : 0U, storage);
  if (threadIdx.x == 0 && bounces > 0) atomicAdd(&args.counts->bounces, std::uint64_t{bounces});
}

template <bool has_textures>
__global__ void shade_paths_kernel(ShadePathsArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const RaysLook& look = *args.look;
  args.sums[i] =
      rays_sum(look, args.sums[i],
               path_colour(look, rays_mesh_for<has_textures>(args.mesh), args.lights, args.rays[i],
                           args.hits[i], args.shadow[i] != 0, args.paths[i]));
}

}  // namespace

void scatter_paths(Stream& stream, const ScatterPathsArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  const auto kernel =
      args.mesh.textures ? KERNEL(scatter_paths_kernel<true>) : KERNEL(scatter_paths_kernel<false>);
  launch(stream, kernel, one_thread_each(args.n, paths_block_size), args);
}

void shade_paths(Stream& stream, const ShadePathsArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  const auto kernel =
      args.mesh.textures ? KERNEL(shade_paths_kernel<true>) : KERNEL(shade_paths_kernel<false>);
  launch(stream, kernel, one_thread_each(args.n, paths_block_size), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
