#include "scenes/parts/particle_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gpu/primitives/spatial_hash/within.h"
#include "gpu/steps/contact.h"
#include "gpu/steps/random.h"
#include "scenes/parts/cell_map.h"
#include "scenes/parts/differences.h"

namespace warpview {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

bool is_born(Vec3 place) { return !std::isnan(place.x); }

// --- Integration

Vec3 birth_place(const ParticleRules& rules, std::uint32_t number) {
  const std::uint32_t layer = number / (rules.side * rules.side);
  const std::uint32_t in_layer = number % (rules.side * rules.side);
  const std::uint32_t row = in_layer / rules.side;
  const bool is_block = static_cast<Emitter>(rules.emitter) == Emitter::block;
  const auto off = [&](std::uint32_t axis) {
    return rules.jitter * rules.radius * random_signed(number, axis, rules.seed);
  };
  return inside_box(
      rules,
      {rules.origin.x + static_cast<float>(in_layer % rules.side) * rules.spacing + off(0),
       rules.origin.y + (is_block ? static_cast<float>(layer) : 0.0F) * rules.spacing + off(1),
       rules.origin.z + static_cast<float>(row) * rules.spacing + off(2)});
}

void keep_inside(float& x, float& speed, float low, float high, float restitution) {
  if (x >= low && x <= high) return;
  x = std::clamp(x, low, high);
  speed *= -restitution;
}

// --- The mesh

// Every triangle whose box touches the sphere's way.
template <class Visit>
void visit_triangles(const Tree::Snapshot& tree, const Aabb& box, const Visit& visit) {
  std::vector<std::uint32_t> open;
  if (tree.root != Bvh::no_node) open.push_back(tree.root);
  while (!open.empty()) {
    const BvhNode& node = tree.nodes[open.back()];
    open.pop_back();
    const bool apart = node.min.x > box.max.x || box.min.x > node.max.x || node.min.y > box.max.y ||
                       box.min.y > node.max.y || node.min.z > box.max.z || box.min.z > node.max.z;
    if (apart) continue;
    if (node.is_leaf()) {
      visit(node.left);
    } else {
      open.push_back(node.left);
      open.push_back(node.right);
    }
  }
}

// --- Each other

// By the formula as gpu/steps/contact.h states it.
Vec3 push_by_one(const ContactForces& forces, float radius, Vec3 way, Vec3 relative) {
  const float distance = length(way);
  const Vec3 normal = distance > 0.0F ? way * (1.0F / distance) : Vec3{0.0F, 0.0F, 0.0F};
  const Vec3 tangential = relative - normal * dot(relative, normal);
  return normal * (-forces.spring * (2.0F * radius - distance)) + relative * forces.damping +
         tangential * forces.shear + way * forces.attraction;
}

std::vector<Vec3> pushed(const ParticleState& s, const ParticleRules& rules) {
  const float reach = 2.0F * rules.radius;
  const CellMap map(s.places, reach);
  std::vector<Vec3> velocities = s.velocities;
  for (std::uint32_t i = 0; i < s.places.size(); ++i) {
    if (!is_born(s.places[i])) continue;
    map.visit_around(s.places[i], [&](std::uint32_t other) {
      if (other == i || !within(s.places[i], s.places[other], reach * reach)) return;
      velocities[i] =
          velocities[i] + push_by_one(rules.forces, rules.radius, s.places[other] - s.places[i],
                                      s.velocities[other] - s.velocities[i]);
    });
  }
  return velocities;
}

}  // namespace

void collide_with_mesh(const Tree::Snapshot& tree, const ParticleRules& rules, Vec3 from,
                       Vec3& place, Vec3& velocity) {
  MovingSphere sphere{from, place, rules.radius};
  const Vec3 reach = {rules.radius, rules.radius, rules.radius};
  // The one that counts, of those that are another one than `first` where that is given.
  const auto find = [&](const SurfaceContact* first) {
    std::pair<SurfaceContact, std::uint32_t> found{{}, 0xffffffffU};
    const Aabb box = {min_of(sphere.from, sphere.to) - reach,
                      max_of(sphere.from, sphere.to) + reach};
    visit_triangles(tree, box, [&](std::uint32_t triangle) {
      const auto corner = [&](std::size_t k) {
        return tree.vertices[tree.indices[3 * std::size_t{triangle} + k]].position;
      };
      const SurfaceContact contact = meet_triangle(sphere, corner(0), corner(1), corner(2));
      if (!(contact.depth > 0.0F) || (first && !is_another(*first, contact))) return;
      if (is_deeper(contact, triangle, found.first, found.second)) found = {contact, triangle};
    });
    stop_before(found.first, sphere);
    return found.first;
  };
  const SurfaceContact first = find(nullptr);
  if (!(first.depth > 0.0F)) return;
  const SurfaceContact second = find(&first);
  place = sphere.to;
  meet_surface(rules, first, place, velocity);
  if (second.depth > 0.0F) meet_surface(rules, second, place, velocity);
  place = inside_box(rules, place);
}

ParticleState by_number(const std::vector<Vec4>& positions, const std::vector<Vec4>& motions) {
  const std::size_t n = positions.size();
  ParticleState state{std::vector<Vec3>(n, Vec3{nan, nan, nan}), std::vector<Vec3>(n)};
  std::vector<bool> seen(n);
  for (std::size_t place = 0; place < n; ++place) {
    const std::uint32_t number = number_of(motions[place]);
    if (number >= n || seen[number]) {
      state.difference = fmt::format("particle {} in place {} is {}", number, place,
                                     number >= n ? "none of them" : "there twice");
      return state;
    }
    seen[number] = true;
    state.places[number] = positions[place].xyz;
    state.velocities[number] = motions[place].xyz;
  }
  return state;
}

ParticleState particle_step(ParticleState s, const ParticleRules& rules,
                            const Tree::Snapshot* tree) {
  const auto n = static_cast<std::uint32_t>(s.places.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    Vec3& x = s.places[i];
    Vec3& v = s.velocities[i];
    if (!is_born(x)) {
      const std::uint32_t layer = i / (rules.side * rules.side);
      if (static_cast<double>(layer) * double{rules.layer_gap} <= rules.time) {
        x = birth_place(rules, i);
        v = rules.throw_velocity;
      }
      continue;
    }
    // Where it was as the mesh saw it, which has turned since.
    const Vec3 off = x - rules.pivot;
    const Vec3 from = rules.pivot + Vec3{dot(rules.turn[0], off), dot(rules.turn[1], off),
                                         dot(rules.turn[2], off)};
    v = (v + rules.gravity * rules.dt) * rules.keeps;
    x = x + v * rules.dt;
    const float r = rules.radius;
    keep_inside(x.x, v.x, rules.box.min.x + r, rules.box.max.x - r, rules.restitution);
    keep_inside(x.y, v.y, rules.box.min.y + r, rules.box.max.y - r, rules.restitution);
    keep_inside(x.z, v.z, rules.box.min.z + r, rules.box.max.z - r, rules.restitution);
    if (tree) collide_with_mesh(*tree, rules, from, x, v);
  }
  s.velocities = pushed(s, rules);
  return s;
}

std::string check_particle_step(const ParticleState& before, const ParticleState& after,
                                const ParticleRules& rules, const Tree::Snapshot* tree) {
  if (!before.difference.empty()) return before.difference;
  if (!after.difference.empty()) return after.difference;
  const ParticleState expected = particle_step(before, rules, tree);
  // Places are rounded in proportion to how far from the origin they lie, and an overlap is a
  // difference of them.
  const auto far_of = [](Vec3 v) {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  };
  const float far = std::max(far_of(rules.box.min), far_of(rules.box.max));
  const float most_way = 1e-4F * rules.radius + 1e-6F * far;
  const float most_speed = most_way / rules.dt;
  for (std::size_t i = 0; i < expected.places.size(); ++i) {
    if (is_born(expected.places[i]) != is_born(after.places[i]))
      return fmt::format("particle {} is {}born", i, is_born(after.places[i]) ? "" : "not ");
    if (!is_born(after.places[i])) continue;
    const float way = length(after.places[i] - expected.places[i]);
    const float speed = length(after.velocities[i] - expected.velocities[i]);
    if (!(way <= most_way))
      return fmt::format("particle {} is at {}, not {}", i, in_words(after.places[i]),
                         in_words(expected.places[i]));
    if (!(speed <= most_speed))
      return fmt::format("particle {} moves by {}, not {}", i, in_words(after.velocities[i]),
                         in_words(expected.velocities[i]));
  }
  return {};
}

}  // namespace warpview
