// Steps on a cloth: gpu/steps/cloth.h says what each of them does.
#include "gpu/steps/cloth.h"

#include <string>
#include <type_traits>

#include "gpu/operators/numbers.h"
#include "gpu/primitives/spatial_hash/neighbours.h"
#include "gpu/runtime/error.h"
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

// The pull of springs on a point: the sum of their weighted corrections, and the sum of the
// weights.
struct ClothPull {
  Vec3 sum{0.0F, 0.0F, 0.0F};
  float weights = 0.0F;
};

// The pull of half of the springs on their point at `column` of `row`, which is at `at` of its
// tile: of each opposite pair the first, or with `sign` of -1 the second.
template <unsigned tile_side>
__device__ ClothPull cloth_pull(const ClothRules& rules, int side, int row, int column, unsigned at,
                                const Vec4* onward, int sign) {
  ClothPull pull;
  UNROLL
  for (std::uint32_t s = 0; s < cloth_springs; s += 2) {
    const ClothSpring spring = cloth_spring(s);
    const int other_row = row + sign * spring.rows;
    const int other_column = column + sign * spring.columns;
    if (other_row < 0 || other_row >= side || other_column < 0 || other_column >= side) continue;
    const Vec4 other = onward[static_cast<int>(at) +
                              sign * (spring.rows * static_cast<int>(tile_side) + spring.columns)];
    const float weight = cloth_weight(rules, s);
    pull.sum = pull.sum + cloth_correction(other.xyz - onward[at].xyz, spring.rest * rules.spacing,
                                           is_pinned(other)) *
                              weight;
    pull.weights += weight;
  }
  return pull;
}

// The sum of this lane's and its neighbour's.
__device__ ClothPull both_pulls(const ClothPull& mine) {
  const ClothPull others = warp::shuffle_xor(warp::all_lanes(), mine, 1);
  return {mine.sum + others.sum, mine.weights + others.weights};
}

// A block has a square of the lattice, and a margin around it: the points whose springs reach the
// square in `iterations` iterations. So it waits for no other block, but computes some points that
// others compute, too; with each iteration the known margin shrinks by a ring. (Overlapped tiles;
// J. Meng, K. Skadron, "Performance Modeling and Automatic Ghost Zone Optimization for Iterative
// Stencil Loops on GPUs", ICS 2009.)
template <unsigned iterations>
struct ClothTile {
  static constexpr unsigned own = 16;  // points along a side
  static constexpr unsigned margin = cloth_reach * iterations;
  static constexpr unsigned side = own + 2 * margin;
  static constexpr unsigned points = side * side;

  Vec4 here[points];
  Vec4 onward[points];  // where they would go if nothing held them
  Vec4 planes[points];
  Vec3 before[points];
};
// Two for each of the tile's own points; few on the CPU device, which runs them one after the
// other.
#if defined(WARPVIEW_BACKEND_CPU)
constexpr unsigned cloth_tile_threads = 64;
#else
constexpr unsigned cloth_tile_threads = 512;
#endif

// Two lanes for each point: each handles half of its springs, and writes one of its two places. The
// launches of a frame follow each other so closely that this one starts while the one before it,
// which writes no planes, still runs.
template <unsigned iterations>
__global__ void __launch_bounds__(cloth_tile_threads) cloth_iterate_kernel(ClothIterateArgs args) {
  using Tile = ClothTile<iterations>;
  __shared__ Tile tile;
  const ClothRules rules = *args.rules;
  const int side = static_cast<int>(args.shape.side);
  const unsigned tiles_a_row = ceil_div(args.shape.side, Tile::own);
  const int first_row = static_cast<int>(blockIdx.x / tiles_a_row * Tile::own - Tile::margin);
  const int first_column = static_cast<int>(blockIdx.x % tiles_a_row * Tile::own - Tile::margin);

  // Calls visit(place in the tile, row, column, number, does the point exist?) for the points that
  // lie this far within the tile, and for some beyond the last of them, because whole warps call
  // it. A point always belongs to the same thread, or to the same `lanes` neighbouring threads.
  const auto each_place = [&](unsigned within, unsigned lanes, auto visit) {
    const unsigned width = Tile::side - 2 * within;
    for (unsigned first = 0; first < width * width * lanes; first += cloth_tile_threads) {
      const unsigned p = (first + threadIdx.x) / lanes;
      const unsigned tile_row = within + p / width;
      const unsigned tile_column = within + p % width;
      const int row = first_row + static_cast<int>(tile_row);
      const int column = first_column + static_cast<int>(tile_column);
      const bool exists =
          p < width * width && row >= 0 && row < side && column >= 0 && column < side;
      visit(tile_row * Tile::side + tile_column, row, column, row * side + column, exists);
    }
  };

  each_place(cloth_reach, 1, [&](unsigned at, int, int, int i, bool exists) {
    if (exists) tile.planes[at] = args.planes[i];
  });
  wait_for_launch_before();
  let_launch_behind_begin();
  each_place(0, 1, [&](unsigned at, int, int, int i, bool exists) {
    if (!exists) return;
    tile.here[at] = args.here[i];
    tile.before[at] = args.before[i].xyz;
  });
  UNROLL
  for (unsigned n = 0; n < iterations; ++n) {
    if (n > 0) __syncthreads();  // at first each thread reads what it wrote itself
    each_place(n * cloth_reach, 1, [&](unsigned at, int, int, int, bool exists) {
      if (!exists) return;
      const Vec4 here = tile.here[at];
      tile.onward[at] = {cloth_onward(rules, here, tile.before[at]), here.w};
    });
    __syncthreads();
    const bool is_first_lane = threadIdx.x % 2 == 0;
    each_place((n + 1) * cloth_reach, 2, [&](unsigned at, int row, int column, int i, bool exists) {
      const Vec4 here = exists ? tile.here[at] : Vec4{};
      const bool moves = exists && !is_pinned(here);
      const ClothPull pull =
          both_pulls(moves ? cloth_pull<Tile::side>(rules, side, row, column, at, tile.onward,
                                                    is_first_lane ? 1 : -1)
                           : ClothPull());
      const bool is_last = n + 1 == iterations;
      if (!is_last) warp::sync(warp::all_lanes());  // both have read what one of them writes
      if (!exists) return;
      Vec3 next = here.xyz;
      if (moves) {
        next = tile.onward[at].xyz +
               (pull.weights > 0.0F ? pull.sum * (1.0F / pull.weights) : pull.sum);
        next = cloth_held(rules, tile.planes[at], here.xyz, next);
      }
      if (is_first_lane)
        (is_last ? args.last_here[i] : tile.here[at]) = {next, here.w};
      else if (is_last)
        args.last_before[i] = here;
      else
        tile.before[at] = here.xyz;
    });
  }
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
    // At an edge the point itself stands in for the missing neighbour.
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
  // Lengths are not negative, and then the bits of floats have the order of their values.
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
  const auto run = [&](auto iterations) {
    constexpr unsigned together = decltype(iterations)::value;
    const unsigned tiles_a_row = ceil_div(args.shape.side, ClothTile<together>::own);
    launch_early(stream, KERNEL(cloth_iterate_kernel<together>),
                 Shape(tiles_a_row * tiles_a_row, cloth_tile_threads), args);
  };
  if (args.iterations == 1)
    run(std::integral_constant<unsigned, 1>());
  else if (args.iterations == 2)
    run(std::integral_constant<unsigned, 2>());
  else if (args.iterations == 3)
    run(std::integral_constant<unsigned, 3>());
  else
    throw Error(std::to_string(args.iterations) + " iterations of a cloth in a launch",
                "there are kernels for 1, 2 and 3", "Launch it more often");
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
