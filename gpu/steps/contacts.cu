// Contacts between spheres, through the cells of a grid: gpu/steps/particles.h says what they do,
// gpu/steps/contact.h how two spheres push each other.
#include "gpu/block/reduce.h"
#include "gpu/operators/operator.h"
#include "gpu/primitives/spatial_hash/neighbours.h"
#include "gpu/runtime/kernel.h"
#include "gpu/steps/particles.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned contact_block_size = 128;

// A block's sums over overlaps.
struct Overlaps {
  double energy;
  float deepest;
  std::uint32_t count;
};
struct AllOverlaps {
  using Type = Overlaps;
  static constexpr bool commutative = true;
  HOST_DEVICE static Overlaps identity() { return {}; }
  HOST_DEVICE static Overlaps combine(const Overlaps& a, const Overlaps& b) {
    return {a.energy + b.energy, a.deepest > b.deepest ? a.deepest : b.deepest, a.count + b.count};
  }
};

// One thread per sphere. Spheres at exactly two radii touch, though they do not overlap.
//
// A thread waits for memory at every candidate, so as many warps as an SM holds hide that latency:
// 16 blocks of them. That leaves a thread 32 registers, which are enough where no facts are wanted;
// otherwise one block is requested, and the compiler takes what it needs.
template <CellKind kind, bool tells>
__global__ void RESIDENT_BLOCKS(contact_block_size, tells ? 1 : 16)
    contacts_kernel(ContactsArgs args) {
  const std::uint32_t place = global_thread();
  const ParticleRules& rules = *args.rules;
  const bool is_here = place < args.cells.n;
  std::uint32_t overlaps = 0;
  float squares = 0.0F;  // of their depths; a thread's few depths may be added in single precision
  float deepest = 0.0F;
  if (is_here) {
    const ContactShares shares = shares_of(rules.forces, rules.radius);
    const Vec3 here = load_whole(&args.cells.positions[place]).xyz;
    const Vec4 motion = load_whole(&args.cells.payload[place]);
    PushSum sum;
    spatial::for_each_neighbour<kind, spatial::Stencil::full, spatial::Looks::at_all>(
        args.cells, here, place, [&](std::uint32_t other, const Separation& apart) {
          const Vec3 velocity = load_whole(&args.cells.payload[other]).xyz;
          add_contact(sum, shares, apart.way, apart.distance2, velocity - motion.xyz);
          if (!tells) return;
          const float overlap = 2.0F * rules.radius - square_root(apart.distance2);
          if (!(overlap > 0.0F)) return;
          ++overlaps;
          squares += overlap * overlap;
          deepest = overlap > deepest ? overlap : deepest;
        });
    if (args.motions) args.motions[place] = {motion.xyz + push_of(sum, shares), motion.w};
    if (tells && args.touches) args.touches[place] = overlaps;
  }
  if (!tells || !args.facts) return;
  // Half of a pair's energy: the other sphere has the other half.
  const double stiffness = double{rules.forces.spring} / double{rules.dt};
  const Overlaps seen = {0.25 * stiffness * double{squares}, deepest, overlaps};
  __shared__ block::ReduceStorage<Overlaps, contact_block_size> storage;
  const Overlaps all = block::reduce<AllOverlaps>(seen, storage);
  if (threadIdx.x != 0 || all.count == 0) return;
  atomicAdd(&args.facts->spring_energy, all.energy);
  atomicAdd(reinterpret_cast<unsigned long long*>(&args.facts->touches),
            static_cast<unsigned long long>(all.count));
  // Overlaps are not negative, and then the bits of floats have the order of their values.
  atomicMax(reinterpret_cast<unsigned*>(&args.facts->deepest),
            __builtin_bit_cast(unsigned, all.deepest));
}

// The range of the cell that a particle is in.
template <CellKind kind>
__device__ CellRange own_range(const Cells& cells, Vec3 position) {
  const GridCell cell = spatial::cell_of(position, cells.per_unit);
  if constexpr (kind == CellKind::box) {
    const std::uint32_t number = spatial::number_of(spatial::clamped(cell, cells.box), cells.box);
    return {cells.table.begins[number], cells.table.begins[number + 1]};
  } else {
    return spatial::range_of<kind>(cells, cell);
  }
}

// One thread per particle: its rank is the number of particles in its cell whose numbers are
// smaller.
template <CellKind kind>
__global__ void canonical_kernel(CanonicalArgs args) {
  const std::uint32_t place = global_thread();
  if (place >= args.cells.n) return;
  const Vec4 position = args.positions[place];
  const Vec4 motion = args.motions[place];
  std::uint32_t to = place;
  if (is_born(position)) {
    const CellRange range = own_range<kind>(args.cells, position.xyz);
    to = range.begin;
    for (std::uint32_t other = range.begin; other < range.end; ++other)
      to += number_of(args.motions[other]) < number_of(motion) ? 1 : 0;
  }
  args.sorted_positions[to] = position;
  args.sorted_motions[to] = motion;
}

}  // namespace

void contacts(Stream& stream, const ContactsArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  const bool tells = args.facts || args.touches;
  spatial::with_kind(args.cells.kind, [&](auto kind) {
    const Shape shape = one_thread_each(args.cells.n, contact_block_size);
    if (tells)
      launch(stream, KERNEL(contacts_kernel<kind.value, true>), shape, args);
    else
      launch(stream, KERNEL(contacts_kernel<kind.value, false>), shape, args);
  });
}

void canonical(Stream& stream, const CanonicalArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  const Shape shape = one_thread_each(args.cells.n, contact_block_size);
  if (args.cells.kind == CellKind::box)
    launch(stream, KERNEL(canonical_kernel<CellKind::box>), shape, args);
  else
    launch(stream, KERNEL(canonical_kernel<CellKind::table>), shape, args);
}

}  // namespace warpview::WARPVIEW_BACKEND
