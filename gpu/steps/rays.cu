// A picture that is ray traced: gpu/steps/rays.h says what each step computes. One thread per ray.
#include "gpu/steps/rays.h"

#include "gpu/block/reduce.h"
#include "gpu/operators/numbers.h"
#include "gpu/steps/rays_shading.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned rays_block_size = 128;

__global__ void camera_rays_kernel(CameraRaysArgs args) {
  const std::uint32_t i = global_thread();
  if (i < args.n) args.rays[i] = rays_camera_ray(*args.look, i);
}

__global__ void shadow_rays_kernel(ShadowRaysArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  args.hidden[i] = args.round > 0 ? args.hidden[i] + args.shadow[i] : 0;
  args.out[i] = rays_shadow_ray(*args.look, args.mesh, args.rays[i], args.hits[i], i, args.round);
}

template <bool has_textures>
__global__ void shade_rays_kernel(ShadeRaysArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const RaysMesh mesh = rays_mesh_for<has_textures>(args.mesh);
  const RaysLook& look = *args.look;
  const std::uint32_t hidden = args.shadow ? args.hidden[i] + args.shadow[i] : 0;
  const Vec4 colour = args.steps ? rays_step_colour(look, *mesh.tables, args.steps, i)
                                 : rays_hit_colour(look, mesh, args.rays[i], args.hits[i], hidden);
  args.sums[i] = rays_sum(look, args.sums[i], colour);
}

__global__ void rays_picture_kernel(RaysPictureArgs args) {
  const std::uint32_t i = global_thread();
  const RaysLook& look = *args.look;
  if (i == 0) *args.command = {3, 1, 0, 0, 0};
  if (i >= look.width * look.height) return;
  const RaysPixel pixel = rays_pixel(look, i);
  args.out[pixel.y * look.width + pixel.x] = rays_encoded(look, *args.tables, args.sums[i]);
}

// A thread counts several rays before threads are reduced together, which costs more.
constexpr std::uint32_t rays_each = 16;

__global__ void count_rays_kernel(CountRaysArgs args) {
  RayCounts counts{};
  for (std::uint32_t k = 0; k < rays_each; ++k) {
    const std::uint32_t i = (blockIdx.x * rays_each + k) * blockDim.x + threadIdx.x;
    if (i >= args.n) break;
    if (args.hits[i].triangle != RayHit::nothing) ++counts.hits;
    if (!args.steps) continue;
    counts.boxes += args.steps[i].nodes;
    counts.triangles += args.steps[i].triangles;
  }
  using Count = Sum<std::uint64_t>;
  __shared__ block::ReduceStorage<std::uint64_t, rays_block_size> hits, boxes, triangles;
  counts.hits = block::reduce<Count>(counts.hits, hits);
  counts.boxes = block::reduce<Count>(counts.boxes, boxes);
  counts.triangles = block::reduce<Count>(counts.triangles, triangles);
  if (threadIdx.x != 0) return;
  if (counts.hits > 0) atomicAdd(&args.counts->hits, counts.hits);
  if (counts.boxes > 0) atomicAdd(&args.counts->boxes, counts.boxes);
  if (counts.triangles > 0) atomicAdd(&args.counts->triangles, counts.triangles);
}

}  // namespace

void camera_rays(Stream& stream, const CameraRaysArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(camera_rays_kernel), one_thread_each(args.n, rays_block_size), args);
}

void count_rays(Stream& stream, const CountRaysArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  stream.fill(args.counts, 0, sizeof *args.counts);
  launch(stream, KERNEL(count_rays_kernel),
         one_thread_each(ceil_div(args.n, rays_each), rays_block_size), args);
}

void shadow_rays(Stream& stream, const ShadowRaysArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(shadow_rays_kernel), one_thread_each(args.n, rays_block_size), args);
}

void shade_rays(Stream& stream, const ShadeRaysArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  const auto kernel =
      args.mesh.textures ? KERNEL(shade_rays_kernel<true>) : KERNEL(shade_rays_kernel<false>);
  launch(stream, kernel, one_thread_each(args.n, rays_block_size), args);
}

void rays_picture(Stream& stream, const RaysPictureArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(rays_picture_kernel), one_thread_each(args.n, rays_block_size), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
