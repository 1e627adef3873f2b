// Nodes of eight children whose boxes have 8 bits a side: 80 bytes instead of the 224 of seven
// binary nodes, and a third of the depth.
//
//   H. Ylitie, T. Karras, S. Laine, Efficient Incoherent Ray Traversal on GPUs Through Compressed
//   Wide BVHs, 2017.
//   C. Benthin et al., H-PLOC: Hierarchical Parallel Locally-Ordered Clustering for Bounding Volume
//   Hierarchy Construction, 2024 (the conversion in one launch).
//
// A child's slot stands for a corner of the node's box: bit 0 of the slot for the upper half along
// x, bit 1 along y, bit 2 along z. Rays that run upwards along all axes then visit the slots in
// order, and all others in the order of slot ^ (the axes along which they run downwards). So the
// order that a binary walk finds from two distances is here in the layout, and a walk stores none.
#include "gpu/primitives/collapse/waterfall.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

// ---- Slots --------------------------------------------------------------------------------------

constexpr unsigned slots_of_8 = WideNode8::width;

// How far a child at `off` from the node's centre lies towards the corner of the slot.
__device__ inline float towards(Vec3 off, unsigned slot) {
  return ((slot & 1U) != 0 ? off.x : -off.x) + ((slot & 2U) != 0 ? off.y : -off.y) +
         ((slot & 4U) != 0 ? off.z : -off.z);
}

// The free slot that fits the child best, of equal ones the first.
struct Fit {
  float value = 0.0F;
  unsigned slot = slots_of_8;

  Fit() = default;
  __device__ Fit(Vec3 off, unsigned taken) {
    for (unsigned each = 0; each < slots_of_8; ++each) {
      if ((taken >> each & 1U) != 0) continue;
      const float fit = towards(off, each);
      if (slot != slots_of_8 && !(fit > value)) continue;
      value = fit;
      slot = each;
    }
  }
};

// The slot of each child, 4 bits each: of all free slots and children without one, the pair that
// fits best comes first. A child looks for another slot only when its own is taken.
__device__ inline std::uint32_t slots_of(const collapse::Child (&children)[slots_of_8],
                                         unsigned count, Vec3 centre) {
  Fit fits[slots_of_8];
  UNROLL
  for (unsigned i = 0; i < slots_of_8; ++i)
    if (i < count) fits[i] = Fit(children[i].box.centre() - centre, 0);
  std::uint32_t slot_of_child = 0;
  unsigned taken = 0;   // slots, a bit each
  unsigned placed = 0;  // children
  for (unsigned turn = 0; turn < count; ++turn) {
    Fit best;
    unsigned best_child = slots_of_8;
    UNROLL
    for (unsigned i = 0; i < slots_of_8; ++i) {
      if (i >= count || (placed >> i & 1U) != 0) continue;
      if (best_child != slots_of_8 && !(fits[i].value > best.value)) continue;
      best = fits[i];
      best_child = i;
    }
    placed |= 1U << best_child;
    taken |= 1U << best.slot;
    slot_of_child |= best.slot << (4U * best_child);
    UNROLL
    for (unsigned i = 0; i < slots_of_8; ++i)
      if (i < count && (placed >> i & 1U) == 0 && fits[i].slot == best.slot)
        fits[i] = Fit(children[i].box.centre() - centre, taken);
  }
  return slot_of_child;
}

// ---- Boxes --------------------------------------------------------------------------------------

// The rule of an axis: sides are origin + q * scale.
struct Ruler {
  float origin, scale;
  std::uint32_t exponent;

  // The finest that reaches from min to max. 0 for a flat box, all of whose sides are the origin.
  __device__ Ruler(float min, float max) : origin(min), exponent(0) {
    constexpr std::uint32_t largest = 254;
    if (max > min) {
      const float step = max * (1.0F / 255.0F) - min * (1.0F / 255.0F);
      std::uint32_t bits;
      std::memcpy(&bits, &step, sizeof bits);
      exponent = bits >> 23U;  // rounded down: the first that may do
      if (exponent == 0) exponent = 1;
      while (exponent < largest &&
             WideNode8::side(origin, WideNode8::scale_of(exponent), 255.0F) < max)
        ++exponent;
    }
    scale = WideNode8::scale_of(exponent);
  }
  __device__ float at(std::uint32_t q) const {
    return WideNode8::side(origin, scale, static_cast<float>(q));
  }

  // The last q at which the side is not above `value`.
  __device__ std::uint32_t below(float value) const {
    if (exponent == 0) return 0;
    std::uint32_t q = guess(value);
    while (q > 0 && at(q) > value) --q;
    while (q < 255 && at(q + 1) <= value) ++q;
    return q;
  }
  // The first q at which the side is not below `value`.
  __device__ std::uint32_t above(float value) const {
    if (exponent == 0) return 0;
    std::uint32_t q = guess(value);
    while (q < 255 && at(q) < value) ++q;
    while (q > 0 && at(q - 1) >= value) --q;
    return q;
  }

 private:
  __device__ std::uint32_t guess(float value) const {
    const float steps = value * 0.5F / scale - origin * 0.5F / scale;
    return steps > 0.0F ? static_cast<std::uint32_t>(steps < 127.0F ? steps * 2.0F : 255.0F) : 0;
  }
};

// ---- A node -------------------------------------------------------------------------------------

struct Layout8 {
  static constexpr unsigned width = WideNode8::width;

  struct Places {
    Aabb box;             // of all children
    std::uint32_t slots;  // of each child, 4 bits
    std::uint32_t inner;  // slots of inner nodes, a bit each

    __device__ unsigned slot_of(unsigned child) const { return slots >> (4U * child) & 7U; }
  };

  // Inner children are numbered by their slots.
  __device__ static Places arrange(collapse::Child (&children)[width], unsigned count) {
    Places places{Aabb::empty(), 0, 0};
    UNROLL
    for (unsigned i = 0; i < width; ++i)
      if (i < count) places.box = merge(places.box, children[i].box);
    places.slots = slots_of(children, count, places.box.centre());
    UNROLL
    for (unsigned i = 0; i < width; ++i)
      if (i < count && children[i].triangles == 0) places.inner |= 1U << places.slot_of(i);
    UNROLL
    for (unsigned i = 0; i < width; ++i) {
      if (i >= count || children[i].triangles > 0) continue;
      children[i].first = WideNode8::rank(places.inner, places.slot_of(i));
    }
    return places;
  }

  __device__ static void write(const WideTree& out, std::uint32_t w,
                               const collapse::Child (&children)[width], unsigned count,
                               const Places& places, std::uint32_t first_node,
                               std::uint32_t first_triangle) {
    const Ruler x(places.box.min.x, places.box.max.x);
    const Ruler y(places.box.min.y, places.box.max.y);
    const Ruler z(places.box.min.z, places.box.max.z);
    WideNode8 node{};
    node.origin = places.box.min;
    node.first_node = first_node;
    node.first_triangle = first_triangle;
    UNROLL
    for (unsigned i = 0; i < width; ++i) {
      if (i >= count) continue;
      const collapse::Child& child = children[i];
      const unsigned slot = places.slot_of(i);
      const auto put = [slot](std::uint64_t& row, std::uint32_t q) {
        row |= std::uint64_t{q} << (8U * slot);
      };
      put(node.kinds,
          child.triangles > 0 ? child.triangles << 5U | child.first : WideNode8::inner_mark);
      put(node.min_x, x.below(child.box.min.x));
      put(node.min_y, y.below(child.box.min.y));
      put(node.min_z, z.below(child.box.min.z));
      put(node.max_x, x.above(child.box.max.x));
      put(node.max_y, y.above(child.box.max.y));
      put(node.max_z, z.above(child.box.max.z));
    }
    node.exponents = places.inner << 24U | z.exponent << 16U | y.exponent << 8U | x.exponent;
    out.eight[w] = node;
  }
};

__global__ void __launch_bounds__(collapse::threads)
    collapse_wide8_kernel(CollapseArgs args, collapse::Queue queue) {
  __shared__ std::uint32_t ticket;
  collapse::make_tree<Layout8>(args, queue, ticket);
}

}  // namespace

void collapse_wide8_compressed(Stream& stream, const CollapseArgs& args, Scratch& scratch) {
  const auto queue = collapse::Queue::take(scratch, args.bvh.capacity);
  if (scratch.measuring()) return;
  queue.clear(stream);
  launch(stream, KERNEL(collapse_wide8_kernel), queue.shape(), args, queue);
}

}  // namespace warpview::WARPVIEW_BACKEND
