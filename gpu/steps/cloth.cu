// Steps on a cloth: gpu/steps/cloth.h says what each of them does. A thread for each point.
#include "gpu/steps/cloth.h"

#include "gpu/operators/numbers.h"
#include "gpu/primitives/spatial_hash/neighbours.h"
#include "gpu/runtime/kernel.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned cloth_block_size = 128;

__global__ void cloth_begin_kernel(ClothBeginArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const Vec4 here = args.here[i];
  args.start[i] = here;
  args.before[i].xyz = cloth_before(*args.rules, here.xyz, args.before[i].xyz);
}

// Twelve springs, and for each of them where its other end would go: what neighbours in the lattice
// read too, and so comes from the caches. The alternative, a launch that moves all points on before
// the one that corrects them, reads less and takes twice as many launches, which such small kernels
// wait for.
__global__ void cloth_iterate_kernel(ClothIterateArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.shape.points()) return;
  const ClothRules& rules = *args.rules;
  const Vec4 here = args.here[i];
  const Vec3 onward = cloth_onward(rules, here, args.before[i].xyz);
  if (is_pinned(here)) {
    args.next[i] = here;
    return;
  }
  const int side = static_cast<int>(args.shape.side);
  const int row = static_cast<int>(i) / side;
  const int column = static_cast<int>(i) % side;
  Vec3 sum{0.0F, 0.0F, 0.0F};
  float weights = 0.0F;
#pragma unroll
  for (std::uint32_t s = 0; s < cloth_springs; ++s) {
    const ClothSpring spring = cloth_spring(s);
    const int other_row = row + spring.rows;
    const int other_column = column + spring.columns;
    if (other_row < 0 || other_row >= side || other_column < 0 || other_column >= side) continue;
    const int j = other_row * side + other_column;
    const Vec4 other = args.here[j];
    const Vec3 way = cloth_onward(rules, other, args.before[j].xyz) - onward;
    const float weight = cloth_weight(rules, s);
    sum = sum + cloth_correction(way, spring.rest * rules.spacing, is_pinned(other)) * weight;
    weights += weight;
  }
  const Vec3 mean = weights > 0.0F ? sum * (1.0F / weights) : sum;
  args.next[i] = {cloth_held(rules, args.planes[i], here.xyz, onward + mean), here.w};
}

__global__ void cloth_spheres_kernel(ClothSpheresArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const Vec3 place = args.points[i].xyz;
  args.spheres[i].xyz = place;
  args.motions[i] = motion_of((place - args.start[i].xyz) * (1.0F / args.rules->dt), i);
}

template <CellKind kind>
__global__ void cloth_apart_kernel(ClothApartArgs args) {
  const std::uint32_t place = global_thread();
  bool touches = false;
  if (place < args.cells.n) {
    const ClothRules& rules = *args.rules;
    const Vec3 here = args.cells.positions[place].xyz;
    const std::uint32_t i = number_of(args.cells.payload[place]);
    ClothPush push;
    spatial::for_each_neighbour<kind, spatial::Stencil::full, spatial::Looks::at_all>(
        args.cells, here, place, [&](std::uint32_t other, const Separation& apart) {
          if (!are_held_apart(args.shape, i, number_of(args.cells.payload[other])))
            add_too_near(push, rules.thickness, apart.way);
        });
    touches = push.weight > 0.0F && !is_pinned(args.points[i]);
    if (touches) {
      const Vec3 there = here + way_apart(push);
      args.spheres[i].xyz = there;
      args.motions[i] = motion_of((there - args.start[i].xyz) * (1.0F / args.sphere_rules->dt), i);
    }
  }
  const unsigned count = warp::count(warp::ballot(warp::all_lanes(), touches));
  if (args.touching && warp::lane() == 0 && count > 0) atomicAdd(args.touching, count);
}

__global__ void cloth_settle_kernel(ClothSettleArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  Vec4 point = args.points[i];
  Vec4 before = args.before[i];
  const Vec4 sphere = args.spheres[i];
  const bool touches = args.unpushed && sphere.w < 0.0F;
  settle_point(*args.rules, sphere.xyz, args.motions[i].xyz, touches, point, before.xyz);
  args.points[i] = point;
  args.before[i] = before;
  const Vec3 push = touches ? sphere.xyz - args.unpushed[i].xyz : Vec3{0.0F, 0.0F, 0.0F};
  args.planes[i] = plane_under(*args.rules, point.xyz, push, touches, args.planes[i]);
}

__global__ void cloth_vertices_kernel(ClothVerticesArgs args) {
  const std::uint32_t i = global_thread();
  float longest = 0.0F;
  if (i < args.shape.points()) {
    const std::uint32_t side = args.shape.side;
    const std::uint32_t row = i / side;
    const std::uint32_t column = i % side;
    const auto at = [&](std::uint32_t r, std::uint32_t c) { return args.points[r * side + c].xyz; };
    const Vec3 here = at(row, column);
    // At an edge the point itself stands for the one that is not there.
    const std::uint32_t last = side - 1;
    const Vec3 left = at(row, column > 0 ? column - 1 : column);
    const Vec3 right = at(row, column < last ? column + 1 : column);
    const Vec3 above = at(row > 0 ? row - 1 : row, column);
    const Vec3 below = at(row < last ? row + 1 : row, column);
    const float share = 1.0F / static_cast<float>(last);
    args.vertices[i] = {here,
                        cloth_normal(right - left, below - above),
                        {static_cast<float>(column) * share, static_cast<float>(row) * share}};
    // Each spring once: to the right and down.
    longest = max_of(length(right - here), length(below - here)) / args.rules->spacing;
  }
  if (!args.facts) return;
  longest = warp::reduce(longest, Combine<MaxF32>());
  // Lengths are not negative, and then the bits of floats are in the order of their values.
  if (warp::lane() == 0)
    atomicMax(reinterpret_cast<unsigned*>(&args.facts->longest),
              __builtin_bit_cast(unsigned, longest));
}

}  // namespace

void cloth_begin(Stream& stream, const ClothBeginArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(cloth_begin_kernel), one_thread_each(args.n, cloth_block_size), args);
}

void cloth_iterate(Stream& stream, const ClothIterateArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(cloth_iterate_kernel),
         one_thread_each(args.shape.points(), cloth_block_size), args);
}

void cloth_spheres(Stream& stream, const ClothSpheresArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(cloth_spheres_kernel), one_thread_each(args.n, cloth_block_size), args);
}

void cloth_apart(Stream& stream, const ClothApartArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  spatial::with_kind(args.cells.kind, [&](auto kind) {
    launch(stream, KERNEL(cloth_apart_kernel<kind.value>),
           one_thread_each(args.cells.n, cloth_block_size), args);
  });
}

void cloth_settle(Stream& stream, const ClothSettleArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(cloth_settle_kernel), one_thread_each(args.n, cloth_block_size), args);
}

void cloth_vertices(Stream& stream, const ClothVerticesArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(cloth_vertices_kernel),
         one_thread_each(args.shape.points(), cloth_block_size), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
