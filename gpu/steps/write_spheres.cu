// Writes particles as spheres to draw, and sums over them: gpu/steps/particles.h.
#include <algorithm>

#include "gpu/block/reduce.h"
#include "gpu/operators/operator.h"
#include "gpu/primitives/spatial_hash/neighbours.h"
#include "gpu/runtime/kernel.h"
#include "gpu/steps/particles.h"
#include "gpu/steps/random.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned sphere_block_size = 256;
// A thread handles several particles before threads are reduced together, which costs more.
constexpr std::uint32_t particles_each = 4;

struct Sums {
  double kinetic;
  double momentum[3];
  double scale;
  std::uint32_t born;
  std::uint32_t cells;
};

struct AllSums {
  using Type = Sums;
  static constexpr bool commutative = true;
  HOST_DEVICE static Sums identity() { return {}; }
  HOST_DEVICE static Sums combine(const Sums& a, const Sums& b) {
    return {a.kinetic + b.kinetic,
            {a.momentum[0] + b.momentum[0], a.momentum[1] + b.momentum[1],
             a.momentum[2] + b.momentum[2]},
            a.scale + b.scale,
            a.born + b.born,
            a.cells + b.cells};
  }
};

// The key by which the grid finds a particle's cell.
template <CellKind kind>
__device__ std::uint32_t slot_of(const Cells& cells, Vec3 position) {
  const GridCell cell = spatial::cell_of(position, cells.per_unit);
  if constexpr (kind == CellKind::box)
    return spatial::number_of(spatial::clamped(cell, cells.box), cells.box);
  else if constexpr (kind == CellKind::table)
    return spatial::home_of(spatial::code_of(cell), cells.slots);
  else if constexpr (kind == CellKind::all)
    return 0;
  else
    return spatial::key_of<kind>(cell, cells.slots);
}

// Is the particle the first one of its cell?
template <CellKind kind>
__device__ bool opens_cell(const Cells& cells, std::uint32_t place) {
  const Vec3 here = cells.positions[place].xyz;
  if constexpr (kind == CellKind::lists) {
    return cells.table.heads[slot_of<kind>(cells, here)] == place;
  } else if constexpr (kind == CellKind::all) {
    return place == 0;
  } else {
    if (place == 0 || !is_born(cells.positions[place - 1])) return true;
    const Vec3 before = cells.positions[place - 1].xyz;
    if constexpr (kind == CellKind::table) {
      return spatial::code_of(spatial::cell_of(here, cells.per_unit)) !=
             spatial::code_of(spatial::cell_of(before, cells.per_unit));
    } else {
      return slot_of<kind>(cells, here) != slot_of<kind>(cells, before);
    }
  }
}

template <CellKind kind>
__device__ float value_of(const WriteSpheresArgs& args, std::uint32_t place, Vec3 here,
                          float speed) {
  constexpr float of_24_bits = 1.0F / 16777216.0F;
  switch (args.colour) {
    case ParticleColour::speed: {
      const float share = speed / args.fastest;
      return share < 1.0F ? share : 1.0F;
    }
    case ParticleColour::cell: {
      const GridCell cell = spatial::cell_of(here, args.cells.per_unit);
      const auto bits = [](std::int32_t c) { return static_cast<std::uint32_t>(c); };
      const std::uint32_t mixed =
          scramble(bits(cell.x) ^ scramble(bits(cell.y) ^ scramble(bits(cell.z))));
      return static_cast<float>(mixed >> 8) * of_24_bits;
    }
    case ParticleColour::slot: {
      const std::uint32_t slots = kind == CellKind::box   ? spatial::cells_in(args.cells.box)
                                  : kind == CellKind::all ? 1
                                                          : args.cells.slots;
      return static_cast<float>(slot_of<kind>(args.cells, here)) / static_cast<float>(slots);
    }
    case ParticleColour::neighbours: {
      const float share =
          args.touches ? static_cast<float>(args.touches[place]) / most_neighbours : 0.0F;
      return share < 1.0F ? share : 1.0F;
    }
  }
  return 0.0F;
}

// A particle that is not born is drawn nowhere: at NaN.
template <CellKind kind>
__global__ void write_spheres_kernel(WriteSpheresArgs args) {
  const std::uint32_t n = args.cells.n;
  if (global_thread() == 0 && args.command) *args.command = {6 * n, 1, 0, 0, 0};
  Sums sums = AllSums::identity();
  for (std::uint32_t i = 0; i < particles_each; ++i) {
    const std::uint32_t place = (blockIdx.x * particles_each + i) * blockDim.x + threadIdx.x;
    if (place >= n) continue;
    const Vec4 position = args.cells.positions[place];
    const Vec3 v = args.motions[place].xyz;
    const bool born = is_born(position);
    const float speed = length(v);
    if (args.out)
      args.out[place] = {position.xyz,
                         born ? value_of<kind>(args, place, position.xyz, speed) : 0.0F};
    if (!born) continue;
    sums = AllSums::combine(sums, {0.5 * double{speed} * double{speed},
                                   {double{v.x}, double{v.y}, double{v.z}},
                                   double{speed},
                                   1,
                                   opens_cell<kind>(args.cells, place) ? 1U : 0U});
  }
  if (!args.facts) return;
  __shared__ block::ReduceStorage<Sums, sphere_block_size> storage;
  const Sums all = block::reduce<AllSums>(sums, storage);
  if (threadIdx.x != 0 || all.born == 0) return;
  atomicAdd(&args.facts->kinetic_energy, all.kinetic);
  for (int axis = 0; axis < 3; ++axis) atomicAdd(&args.facts->momentum[axis], all.momentum[axis]);
  atomicAdd(&args.facts->momentum_scale, all.scale);
  atomicAdd(&args.facts->born, all.born);
  atomicAdd(&args.facts->cells, all.cells);
}

}  // namespace

void write_spheres(Stream& stream, const WriteSpheresArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  const std::uint32_t threads = std::max(ceil_div(args.cells.n, particles_each), 1U);
  spatial::with_kind(args.cells.kind, [&](auto kind) {
    launch(stream, KERNEL(write_spheres_kernel<kind.value>),
           one_thread_each(threads, sphere_block_size), args);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
