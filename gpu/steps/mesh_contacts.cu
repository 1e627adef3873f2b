// Contacts of moving spheres with a mesh, by a walk down its tree: gpu/steps/particles.h says what
// they do, gpu/steps/contact.h what a contact is.
//
//   1. find   spheres that must search the mesh, and queue them;
//   2. walk   for those in the queue.
//
// Most spheres are nowhere near the mesh, or near but do not touch it, and stay so for many
// substeps. So a walk that touches nothing leaves in Vec4::w how far the sphere may move before it
// must search again: the distance to the nearest triangle's box, less the radius. (The idea is
// called conservative advancement: B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body
// Systems", 1996.) Then only a few lanes of a warp have a walk to do, and the others would wait for
// them: the queue compacts the lanes that have work.
//
// A walk is a chain of loads, each of which waits for the one before, and there are too few spheres
// in the queue to keep a GPU busy meanwhile. So several lanes share one walk. They go down together
// to the first node both of whose children must be visited; there half of the lanes go left and the
// other half right, until each lane is alone below a separate node. They need no communication to
// split: all compute the same path until they do.
#include <algorithm>
#include <bit>

#include "gpu/block/tuning.h"
#include "gpu/operators/walk.h"
#include "gpu/runtime/kernel.h"
#include "gpu/steps/particles.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr unsigned mesh_contact_block_size = 128;
constexpr unsigned walk_lanes = block::Tuning::walk_lanes;  // that share a walk
static_assert(std::has_single_bit(walk_lanes) && walk_lanes <= warp::min_size);
constexpr std::uint32_t no_triangle = 0xffffffffU;
constexpr float slack = 1.001F;  // factor on lengths that decide what is visited, against their
                                 // rounding

// The goal of a walk.
struct Search {
  MovingSphere sphere;
  Aabb box;      // of its way, with its radius around it
  float reach2;  // square of how far from the way's end it can touch anything
  float ahead2;  // square of how far from there the walk searches for near triangles
  bool beside;   // only contacts with another surface than `deepest`?
  SurfaceContact deepest;
};

struct Found {
  SurfaceContact contact;
  std::uint32_t triangle = no_triangle;
  float nearest2;  // no triangle that was not touched is nearer: square, from the way's end
  // The side of the first triangle that was touched, and the largest distance of the others' sides
  // from it, as unit vectors.
  Vec3 face{};
  float spread = 0.0F;
};

// Is a contact with another surface than the deepest possible: one whose face is 30 degrees or more
// from the deepest one's normal? Distances between unit vectors add up, and that of 30 degrees is
// 0.5176, a little of which is left for rounding.
__device__ bool may_touch_another(const Found& found) {
  return found.spread + length(found.contact.normal - found.face) > 0.517F;
}

__device__ Search search_along(const MovingSphere& sphere, float ahead) {
  const Vec3 radii = {sphere.radius, sphere.radius, sphere.radius};
  const float reach = slack * (sphere.radius + length(sphere.to - sphere.from));
  return {.sphere = sphere,
          .box = {min_of(sphere.from, sphere.to) - radii, max_of(sphere.from, sphere.to) + radii},
          .reach2 = reach * reach,
          .ahead2 = ahead * ahead,
          .beside = false,
          .deepest = {}};
}

__device__ float distance2(const BvhNode& node, Vec3 p) {
  const Vec3 off = p - min_of(max_of(p, node.min), node.max);
  return dot(off, off);
}

// Could the sphere touch what lies in a node's box? For a sphere at rest on a surface the ball
// around its way's end decides, for a fast one the box around its way.
__device__ bool may_touch(const BvhNode& node, float distance2, const Search& search) {
  return distance2 <= search.reach2 && touch(node.box(), search.box);
}

__device__ void look_at(const MeshContactArgs& args, const Search& search, std::uint32_t triangle,
                        Found& found) {
  const std::uint32_t* corner = args.indices + 3 * std::size_t{triangle};
  const SurfaceContact contact =
      meet_triangle(search.sphere, args.vertices[corner[0]].position,
                    args.vertices[corner[1]].position, args.vertices[corner[2]].position);
  if (!(contact.depth > 0.0F)) return;
  if (search.beside && !is_another(search.deepest, contact)) return;
  if (found.triangle == no_triangle) found.face = contact.face;
  found.spread = max_of(found.spread, length(contact.face - found.face));
  if (!is_deeper(contact, triangle, found.contact, found.triangle)) return;
  found.contact = contact;
  found.triangle = triangle;
}

// Combines what two lanes have found for one sphere.
__device__ Found merge(const Found& a, const Found& b) {
  if (b.triangle == no_triangle || a.triangle == no_triangle) {
    Found either = a.triangle == no_triangle ? b : a;
    either.nearest2 = min_of(a.nearest2, b.nearest2);
    return either;
  }
  Found both = is_deeper(b.contact, b.triangle, a.contact, a.triangle) ? b : a;
  both.nearest2 = min_of(a.nearest2, b.nearest2);
  both.face = a.face;
  both.spread = max_of(a.spread, length(b.face - a.face) + b.spread);
  return both;
}

// Combines over the lanes that share a walk; called by all lanes of the warp. Deepest and nearest
// are the same for all.
__device__ Found merge_lanes(Found found) {
  UNROLL
  for (unsigned step = 1; step < walk_lanes; step *= 2)
    found = merge(found, warp::shuffle_xor(warp::all_lanes(), found, step));
  return found;
}

// Nodes that wait for their turn.
constexpr unsigned stack_size = tile_extent(64U, 2U);

__device__ void look_at_leaf(const MeshContactArgs& args, const Search& search, const BvhNode& leaf,
                             Found& found) {
  look_at(args, search, leaf.left, found);
  found.nearest2 = 0.0F;  // it may be as near as that
}

// Goes down to each leaf that the sphere may touch and that is this lane's. The lanes of a warp go
// down together, and test their triangles together: these are two loops, one nested in the other.
// False: the stack was full, and subtrees were left out.
template <class IsWorth>
__device__ bool go_down(const MeshContactArgs& args, const Search& search, const BvhNode& root,
                        const IsWorth& is_worth, Found& found) {
  const BvhNode* const nodes = args.bvh.nodes;
  std::uint32_t stack[stack_size];
  unsigned open = 0;
  unsigned together = walk_lanes;  // lanes that have come this way so far
  bool is_whole = true;
  BvhNode here = root;
  for (;;) {
    while (!here.is_leaf()) {
      const BvhNode left = nodes[here.left];
      const BvhNode right = nodes[here.right];
      const bool into_left = is_worth(left);
      const bool into_right = is_worth(right);
      if (into_left && into_right) {
        if (together > 1) {
          together /= 2;
          here = (threadIdx.x & together) != 0 ? right : left;
        } else {
          if (open < stack_size)
            stack[open++] = here.right;
          else
            is_whole = false;
          here = left;
        }
      } else if (into_left) {
        here = left;
      } else if (into_right) {
        here = right;
      } else if (open > 0) {
        here = nodes[stack[--open]];
      } else {
        return is_whole;
      }
    }
    look_at_leaf(args, search, here, found);
    if (open == 0) return is_whole;
    here = nodes[stack[--open]];
  }
}

__device__ Found find_contacts(const MeshContactArgs& args, const Search& search) {
  Found found{.contact = {}, .nearest2 = search.ahead2};
  if (*args.count == 0) return found;
  // Must anything below the node be visited? A leaf that is not touched may be the nearest.
  const auto is_worth = [&](const BvhNode& box) {
    const float d2 = distance2(box, search.sphere.to);
    if (may_touch(box, d2, search)) return true;
    if (box.is_leaf() && d2 < found.nearest2) found.nearest2 = d2;
    return !box.is_leaf() && d2 < found.nearest2;
  };
  const std::uint32_t root = *args.bvh.root;
  const BvhNode all = args.bvh.nodes[root];
  if (const float d2 = distance2(all, search.sphere.to); d2 > found.nearest2) found.nearest2 = d2;
  if (!is_worth(all) || go_down(args, search, all, is_worth, found)) return found;
  // Once more, by links, whatever the depth. A triangle that is looked at twice changes nothing.
  walk::linked_left_first(args.bvh, root, is_worth,
                          [&](const BvhNode& leaf) { look_at_leaf(args, search, leaf, found); });
  return found;
}

__device__ Vec3 turned_about_pivot(const ParticleRules& rules, Vec3 x) {
  const Vec3 from_pivot = x - rules.pivot;
  return rules.pivot + Vec3{dot(rules.turn[0], from_pivot), dot(rules.turn[1], from_pivot),
                            dot(rules.turn[2], from_pivot)};
}

// The sphere's place before the substep relative to the mesh, which moves before the first one.
__device__ Vec3 place_before(const MeshContactArgs& args, std::uint32_t i) {
  const Vec3 before = args.positions[i].xyz;
  return args.substep == 0 ? turned_about_pivot(*args.rules, before) : before;
}

// One thread per sphere. One atomic per warp.
__global__ void find_walkers_kernel(MeshContactArgs args, std::uint32_t* queue,
                                    std::uint32_t* queued) {
  const std::uint32_t i = global_thread();
  bool has_to_look = false;
  if (i < args.n) {
    const Vec4 moved = args.moved[i];
    const Vec3 from = place_before(args, i);
    const float way = slack * length(moved.xyz - from);
    // A sphere that is not born, or was born in this substep, has no way behind it: a place of NaN.
    has_to_look = way > moved.w;
    if (way <= moved.w) args.moved[i].w = moved.w - way;
  }
  const warp::LaneMask looking = warp::ballot(warp::all_lanes(), has_to_look);
  std::uint32_t begin = 0;
  if (warp::lane() == 0 && looking != 0) begin = atomicAdd(queued, warp::count(looking));
  begin = warp::shuffle(warp::all_lanes(), begin, 0);
  if (has_to_look) queue[begin + warp::count(looking & warp::lanes_before())] = i;
}

// Called by the lanes that share a walk, in whole warps. `i` is arbitrary where none `exists`.
__device__ void look_for_mesh(const MeshContactArgs& args, bool exists, std::uint32_t i) {
  const ParticleRules& rules = *args.rules;
  Vec4 moved{};
  Search search{};
  Found first{.contact = {}, .nearest2 = 0.0F};
  if (exists) {
    moved = args.moved[i];
    // A sphere that touched the mesh the last time probably does again, and does not need the
    // distance to other triangles.
    const float ahead = moved.w < 0.0F ? 0.0F : 2.0F * rules.radius;
    search = search_along({place_before(args, i), moved.xyz, rules.radius}, ahead);
    first = find_contacts(args, search);
  }
  first = merge_lanes(first);

  const bool touches = first.contact.depth > 0.0F;
  const bool came_through = first.contact.share < 1.0F;
  // One lane decides: the first face is not the same for all.
  const std::uint32_t leader = warp::lane() & ~(walk_lanes - 1);
  const std::uint32_t wants_another =
      touches && (came_through || may_touch_another(first)) ? 1U : 0U;
  const bool looks_again = warp::shuffle(warp::all_lanes(), wants_another, leader) != 0;
  if (touches) stop_before(first.contact, search.sphere);
  Found second{.contact = {}, .nearest2 = 0.0F};
  if (looks_again) {
    search = search_along(search.sphere, 0.0F);
    search.beside = true;
    search.deepest = first.contact;
    second = find_contacts(args, search);
  }
  second = merge_lanes(second);

  // All have read what the leader writes. A shuffle orders no memory.
  warp::sync(warp::all_lanes());
  if (!exists || warp::lane() != leader) return;
  if (!touches) {
    const float clear = square_root(first.nearest2) - slack * rules.radius;
    args.moved[i].w = clear > 0.0F ? clear : 0.0F;
    return;
  }
  stop_before(second.contact, search.sphere);
  if (args.facts) atomicAdd(&args.facts->on_mesh, 1U);

  Vec4 motion = args.motions[i];
  moved.xyz = search.sphere.to;
  meet_surface(rules, first.contact, moved.xyz, motion.xyz);
  if (second.contact.depth > 0.0F) meet_surface(rules, second.contact, moved.xyz, motion.xyz);
  args.moved[i] = {inside_box(rules, moved.xyz), -1.0F};
  args.motions[i] = motion;
}

__global__ void walk_kernel(MeshContactArgs args, const std::uint32_t* queue,
                            const std::uint32_t* queued) {
  constexpr std::uint32_t walks = mesh_contact_block_size / walk_lanes;  // spheres per block
  const std::uint32_t n = *queued;
  for (std::uint32_t first = blockIdx.x * walks; first < n; first += gridDim.x * walks) {
    const std::uint32_t walker = first + threadIdx.x / walk_lanes;
    look_for_mesh(args, walker < n, walker < n ? queue[walker] : 0);
  }
}

}  // namespace

void mesh_contacts(Stream& stream, const MeshContactArgs& args, Scratch& scratch) {
  auto* const queue = scratch.take<std::uint32_t>(args.n, "queue");
  auto* const queued = scratch.take<std::uint32_t>(1, "queued");
  if (scratch.measuring()) return;
  stream.fill(queued, 0, sizeof *queued);
  launch(stream, KERNEL(find_walkers_kernel), one_thread_each(args.n), args, queue, queued);
  // Enough to fill any GPU; the host does not know the number of queued spheres.
  constexpr unsigned most_blocks = 4096;
  const unsigned blocks = ceil_div(args.n, mesh_contact_block_size / walk_lanes);
  launch(stream, KERNEL(walk_kernel), Shape(std::min(blocks, most_blocks), mesh_contact_block_size),
         args, queue, queued);
}

}  // namespace warpview::WARPVIEW_BACKEND
