// What particles must do by the laws that they are made after, whatever kernels do it: held against
// closed formulas, sums and brute force.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "gpu/steps/contact.h"
#include "tests/scenes/meshes.h"
#include "tests/scenes/particle_world.h"

namespace warpview::test {
namespace {

using State = ParticleWorld::State;

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  float number(float low = -1.0F, float high = 1.0F) {
    return std::uniform_real_distribution<float>(low, high)(engine_);
  }
  Vec3 vector(float reach = 1.0F) { return {number() * reach, number() * reach, number() * reach}; }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = vector();
      const float length2 = dot(v, v);
      if (length2 > 0.01F && length2 < 1.0F) return v * (1.0F / std::sqrt(length2));
    }
  }

 private:
  std::mt19937_64 engine_;
};

// What one step makes of particles is tested under several schedules of the CPU device; what many
// steps come to, under one. Both on every GPU.
const std::vector<TestDevice>& devices() { return devices_for(1000); }

// ---- Sums ---------------------------------------------------------------------------------------

// Summed in double over all pairs.
struct Sums {
  double kinetic = 0.0;
  double spring = 0.0;
  double momentum[3] = {0.0, 0.0, 0.0};
  double scale = 0.0;  // of |m v|
  double deepest = 0.0;
  std::uint64_t touches = 0;
};

Sums sums_of(const State& state, const ParticleRules& rules) {
  Sums sums;
  for (std::size_t i = 0; i < state.places.size(); ++i) {
    const Vec3 v = state.velocities[i];
    const double x = v.x, y = v.y, z = v.z;
    sums.kinetic += 0.5 * (x * x + y * y + z * z);
    sums.momentum[0] += x;
    sums.momentum[1] += y;
    sums.momentum[2] += z;
    sums.scale += std::sqrt(x * x + y * y + z * z);
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3 off = state.places[i] - state.places[j];
      const double dx = off.x, dy = off.y, dz = off.z;
      const double overlap = 2.0 * double{rules.radius} - std::sqrt(dx * dx + dy * dy + dz * dz);
      if (overlap <= 0.0) continue;
      // A push that is spring * overlap per step is a force of spring / dt * overlap.
      sums.spring += 0.5 * double{rules.forces.spring} / double{rules.dt} * overlap * overlap;
      sums.deepest = std::max(sums.deepest, overlap);
      sums.touches += 2;
    }
  }
  return sums;
}

// So many spheres in a ball, with neighbours that they overlap with and speeds of their own.
State cloud(std::uint32_t n, float radius, float speed, std::uint64_t seed) {
  Random random(seed);
  State state;
  const float reach = 1.15F * radius * std::cbrt(static_cast<float>(n));
  while (state.places.size() < n) {
    const Vec3 place = random.vector(reach);
    const bool is_near = std::any_of(state.places.begin(), state.places.end(), [&](Vec3 other) {
      return length(other - place) < 1.4F * radius;
    });
    if (is_near || length(place) > reach) continue;
    state.places.push_back(place);
    state.velocities.push_back(random.vector(speed));
  }
  return state;
}

// Nothing acts from outside, in a box whose walls are far.
ParticleRules alone(ParticleRules rules) {
  rules.gravity = {0.0F, 0.0F, 0.0F};
  rules.box = {{-50.0F, -50.0F, -50.0F}, {50.0F, 50.0F, 50.0F}};
  return rules;
}

struct Cloud {
  ParticleRules rules;
  State begin;
};
std::vector<Cloud> clouds() {
  constexpr float radius = 1.0F / 32.0F;
  return {{alone(sample_rules(radius)), cloud(300, radius, 0.002F, 1)},
          {alone(own_rules(radius, 4)), cloud(300, radius, 0.5F, 2)}};
}

bool is_far_from_walls(const State& state, const ParticleRules& rules) {
  return std::all_of(state.places.begin(), state.places.end(), [&](Vec3 x) {
    return std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)}) < 0.9F * rules.box.max.x;
  });
}

TEST(ParticlePhysics, FactsAreSumsOverAllPairs) {
  for (const TestDevice& on : devices())
    for (const Cloud& some : clouds())
      for (const char* cells : {"sort", "hash", "lists"}) {
        SCOPED_TRACE(on.name + ", " + cells);
        ParticleWorld world(*on.device, some.rules, some.begin, cells);
        world.run(3);
        const Sums want = sums_of(world.state(), some.rules);
        const ParticleFacts got = world.facts();
        ASSERT_GT(want.touches, 100U);
        EXPECT_EQ(got.born, world.size());
        EXPECT_EQ(got.touches, want.touches);
        EXPECT_NEAR(got.kinetic_energy, want.kinetic, 1e-6 * want.kinetic);
        EXPECT_NEAR(got.spring_energy, want.spring, 1e-4 * want.spring);
        EXPECT_NEAR(got.deepest, want.deepest, 1e-6);
        EXPECT_NEAR(got.momentum_scale, want.scale, 1e-6 * want.scale);
        for (int axis = 0; axis < 3; ++axis)
          EXPECT_NEAR(got.momentum[axis], want.momentum[axis], 1e-6 * want.scale);
      }
}

TEST(ParticlePhysics, MomentumStaysWithoutForcesFromOutside) {
  for (const TestDevice& on : devices_for_long_runs())
    for (const Cloud& some : clouds()) {
      SCOPED_TRACE(on.name);
      ParticleWorld world(*on.device, some.rules, some.begin, "hash");
      const Sums begin = sums_of(some.begin, some.rules);
      for (int hundred = 0; hundred < 2; ++hundred) {
        world.run(100);
        const State state = world.state();
        const Sums now = sums_of(state, some.rules);
        for (int axis = 0; axis < 3; ++axis)
          ASSERT_NEAR(now.momentum[axis], begin.momentum[axis], 1e-5 * begin.scale);
        ASSERT_TRUE(is_far_from_walls(state, some.rules));
      }
      // Something did happen.
      EXPECT_GT(std::abs(sums_of(world.state(), some.rules).kinetic / begin.kinetic - 1.0), 0.01);
    }
}

TEST(ParticlePhysics, ADampedCloudGainsNoEnergy) {
  for (const TestDevice& on : devices_for_long_runs())
    for (const Cloud& some : clouds()) {
      SCOPED_TRACE(on.name + ", dt " + std::to_string(some.rules.dt));
      ParticleWorld world(*on.device, some.rules, some.begin, "hash");
      const Sums begin = sums_of(some.begin, some.rules);
      for (int hundred = 0; hundred < 10; ++hundred) {
        world.run(100);
        const Sums now = sums_of(world.state(), some.rules);
        ASSERT_LE(now.kinetic + now.spring, 1.01 * (begin.kinetic + begin.spring))
            << "after " << hundred + 1 << " hundred steps";
      }
      ASSERT_TRUE(is_far_from_walls(world.state(), some.rules));
    }
}

// At rest each contact carries all that is above it: i spheres of mass 1.
TEST(ParticlePhysics, AColumnRestsOnItsContacts) {
  constexpr std::uint32_t n = 10;
  constexpr float radius = 1.0F / 64.0F;
  ParticleRules rules = sample_rules(radius);
  rules.restitution = 0.0F;
  rules.forces.damping = 0.3F;
  State column;
  for (std::uint32_t i = 0; i < n; ++i) {
    const float height = -1.0F + radius + 2.0F * radius * static_cast<float>(i);
    column.places.push_back({0.1F, height, 0.2F});
    column.velocities.push_back({0.0F, 0.0F, 0.0F});
  }
  const double weight = 0.0003 * 0.5 / 0.5;  // g dt / spring: a length
  for (const TestDevice& on : devices_for_long_runs()) {
    SCOPED_TRACE(on.name);
    ParticleWorld world(*on.device, rules, column, "hash");
    world.run(5000);
    const State state = world.state();
    for (std::uint32_t i = 1; i < n; ++i) {
      const double apart = double{state.places[n - i].y} - double{state.places[n - i - 1].y};
      const double overlap = 2.0 * double{radius} - apart;
      EXPECT_NEAR(overlap, i * weight, 0.02 * i * weight) << "contact " << i << " from the top";
    }
    EXPECT_EQ(state.places[0].y, rules.box.min.y + radius);
  }
}

// ---- Surfaces -----------------------------------------------------------------------------------

struct Point {
  double x, y, z;
};
Point point(Vec3 v) { return {v.x, v.y, v.z}; }
Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Point operator*(Point a, double s) { return {a.x * s, a.y * s, a.z * s}; }
double dot(Point a, Point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Point cross(Point a, Point b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double norm(Point a) { return std::sqrt(dot(a, a)); }

Point closest_on_segment(Point p, Point a, Point b) {
  const double length2 = dot(b - a, b - a);
  const double t = length2 > 0.0 ? std::clamp(dot(p - a, b - a) / length2, 0.0, 1.0) : 0.0;
  return a + (b - a) * t;
}
// Is the projection onto the plane in the triangle?
bool is_over(Point p, Point a, Point b, Point c) {
  const Point n = cross(b - a, c - a);
  return dot(cross(b - a, p - a), n) >= 0.0 && dot(cross(c - b, p - b), n) >= 0.0 &&
         dot(cross(a - c, p - c), n) >= 0.0;
}
// The projection, or else the nearest point of the nearest edge.
Point closest(Point p, Point a, Point b, Point c) {
  if (is_over(p, a, b, c)) {
    const Point n = cross(b - a, c - a);
    return p - n * (dot(p - a, n) / dot(n, n));
  }
  Point best = closest_on_segment(p, a, b);
  for (const Point& other : {closest_on_segment(p, b, c), closest_on_segment(p, c, a)})
    if (norm(p - other) < norm(p - best)) best = other;
  return best;
}

TEST(SurfaceContact, IsTheNearestPointAndTheSideThatTheSphereCameFrom) {
  Random random(7);
  int through = 0;
  int touching = 0;
  int apart = 0;
  for (int i = 0; i < 100'000; ++i) {
    const Vec3 corner[3] = {random.vector(), random.vector(), random.vector()};
    const Point a = point(corner[0]);
    const Point b = point(corner[1]);
    const Point c = point(corner[2]);
    const Point area = cross(b - a, c - a);
    if (norm(area) < 0.05) continue;
    const MovingSphere sphere{random.vector(), random.vector(), random.number(0.05F, 0.8F)};
    const Point from = point(sphere.from);
    const Point to = point(sphere.to);
    Point face = area * (1.0 / norm(area));
    if (dot(from - a, face) < 0.0) face = face * -1.0;
    const double before = dot(from - a, face);
    const double after = dot(to - a, face);
    const SurfaceContact got = meet_triangle(sphere, corner[0], corner[1], corner[2]);

    const bool crosses = after < 0.0;
    const Point where = from + (to - from) * (crosses ? before / (before - after) : 0.0);
    // Whoever grazes an edge may go either way by rounding.
    const double to_edge = std::min({norm(where - closest_on_segment(where, a, b)),
                                     norm(where - closest_on_segment(where, b, c)),
                                     norm(where - closest_on_segment(where, c, a))});
    if (crosses && to_edge < 2e-3) continue;
    if (crosses && is_over(where, a, b, c)) {
      ++through;
      ASSERT_NEAR(got.depth, double{sphere.radius} - after, 1e-4);
      ASSERT_NEAR(dot(point(got.normal), face), 1.0, 1e-4);
      ASSERT_NEAR(got.share, before / (before - after), 1e-4);
      continue;
    }
    const Point nearest = closest(to, a, b, c);
    const double distance = norm(to - nearest);
    if (std::abs(distance - double{sphere.radius}) < 1e-4) continue;
    if (distance > double{sphere.radius}) {
      ++apart;
      ASSERT_EQ(got.depth, 0.0F);
      continue;
    }
    ++touching;
    ASSERT_NEAR(got.depth, double{sphere.radius} - distance, 1e-4);
    if (distance > 0.01) {
      const Point out = (to - nearest) * (1.0 / distance);
      ASSERT_NEAR(dot(point(got.normal), out), 1.0, 1e-3);
      ASSERT_NEAR(std::abs(dot(point(got.face), face)), 1.0, 1e-3);
      ASSERT_GE(dot(point(got.face), point(got.normal)), -1e-4);
    }
  }
  EXPECT_GT(through, 1000);
  EXPECT_GT(touching, 1000);
  EXPECT_GT(apart, 1000);
}

// All triangles of the mesh instead of a walk down its tree.
State by_brute_force(const Mesh& mesh, const ParticleRules& rules, const State& before,
                     const std::vector<Vec3>& moved, std::uint32_t substep) {
  State after{moved, before.velocities};
  const float cosine = std::cos(3.14159265F / 6.0F);  // normals that differ by 30 degrees
  for (std::size_t i = 0; i < moved.size(); ++i) {
    Vec3 from = before.places[i];
    if (substep == 0) {
      const Vec3 off = from - rules.pivot;
      from = rules.pivot +
             Vec3{dot(rules.turn[0], off), dot(rules.turn[1], off), dot(rules.turn[2], off)};
    }
    MovingSphere sphere{from, moved[i], rules.radius};
    std::optional<SurfaceContact> first;
    bool touches = false;
    for (int side = 0; side < 2; ++side) {
      std::vector<SurfaceContact> contacts;
      for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
        const Vertex* corner = &mesh.corners[3 * t];
        const SurfaceContact contact =
            meet_triangle(sphere, corner[0].position, corner[1].position, corner[2].position);
        const bool is_same = first && (dot(contact.normal, first->normal) >= cosine ||
                                       dot(contact.face, first->normal) >= cosine);
        if (contact.depth > 0.0F && !is_same) contacts.push_back(contact);
      }
      if (contacts.empty()) break;
      touches = true;
      // Where the centre comes through first, or else the deepest.
      SurfaceContact counts =
          *std::min_element(contacts.begin(), contacts.end(), [](const auto& a, const auto& b) {
            return a.share < b.share || (a.share == b.share && a.depth > b.depth);
          });
      if (counts.share < 1.0F) {
        const Vec3 through = sphere.from + (sphere.to - sphere.from) * counts.share;
        counts.depth = 0.5F * rules.radius;
        sphere.to = through + counts.normal * counts.depth;
        after.places[i] = sphere.to;
      }
      if (!first) {
        first = counts;
        continue;
      }
      meet_surface(rules, *first, after.places[i], after.velocities[i]);
      meet_surface(rules, counts, after.places[i], after.velocities[i]);
      first.reset();
    }
    if (first) meet_surface(rules, *first, after.places[i], after.velocities[i]);
    if (!touches) continue;
    const Vec3 r = {rules.radius, rules.radius, rules.radius};
    after.places[i] = min_of(max_of(after.places[i], rules.box.min + r), rules.box.max - r);
  }
  return after;
}

// Two squares that meet in a fold of 60 degrees, and a spike beside them.
Mesh fold() {
  std::vector<Vec3> corners;
  for (const Vertex& corner : plane(3).corners) {
    const Vec3 p = corner.position;
    corners.push_back({p.x, p.x > 0.0F ? 1.7320508F * p.x : 0.0F, p.z});
  }
  const Vec3 tip{-0.5F, 0.6F, 0.0F};
  const Vec3 foot[3] = {{-0.6F, 0.0F, 0.05F}, {-0.4F, 0.0F, 0.05F}, {-0.5F, 0.0F, -0.1F}};
  for (int side = 0; side < 3; ++side)
    corners.insert(corners.end(), {tip, foot[side], foot[(side + 1) % 3]});
  return mesh_of(corners);
}

TEST(MeshContacts, AreThoseOfBruteForce) {
  constexpr std::uint32_t n = 1000;
  std::vector<Mesh> meshes = {plane(1), plane(12), fold(), make_sphere(500), equal_triangles(20)};
  for (std::size_t m = 0; m < meshes.size(); ++m) {
    const Mesh& mesh = meshes[m];
    ParticleRules rules = own_rules(0.05F, 4);
    rules.box = {{-1.6F, -1.6F, -1.6F}, {1.6F, 1.6F, 1.6F}};
    rules.pivot = {0.0F, -1.6F, 0.0F};
    rules.turn[0] = {0.9998F, -0.02F, 0.0F};
    rules.turn[1] = {0.02F, 0.9998F, 0.0F};
    rules.spin = {0.0F, 0.0F, 1.2F};
    // Near the surface, on both sides of it, and moving by up to three radii.
    Random random(m);
    State before;
    std::vector<Vec3> moved;
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::size_t triangle = i * 7 % mesh.triangle_count();
      const Vertex* corner = &mesh.corners[3 * triangle];
      const float u = random.number(0.0F, 1.0F);
      const float v = random.number(0.0F, 1.0F - u);
      const Vec3 on =
          corner[0].position * (1.0F - u - v) + corner[1].position * u + corner[2].position * v;
      before.places.push_back(on + random.vector(1.5F * rules.radius));
      before.velocities.push_back(random.vector(3.0F));
      moved.push_back(before.places.back() + random.direction() * random.number(0.0F, 0.15F));
    }
    for (const std::uint32_t substep : {0U, 1U}) {
      const State want = by_brute_force(mesh, rules, before, moved, substep);
      int hits = 0;
      for (std::uint32_t i = 0; i < n; ++i)
        hits += length(want.velocities[i] - before.velocities[i]) > 0.0F ? 1 : 0;
      ASSERT_GT(hits, 300) << mesh.name;
      for (const TestDevice& on : devices()) {
        SCOPED_TRACE(on.name + ", " + mesh.name + ", substep " + std::to_string(substep));
        ParticleWorld world(*on.device, rules, before, "sort", mesh);
        const State got = world.after_mesh(moved, substep);
        for (std::uint32_t i = 0; i < n; ++i) {
          ASSERT_LE(length(got.places[i] - want.places[i]), 1e-6F) << "particle " << i;
          // Another rounding, times a spring; another contact would differ by far more.
          ASSERT_LE(length(got.velocities[i] - want.velocities[i]), 1e-3F) << "particle " << i;
        }
      }
    }
  }
}

// A sphere that remembers how far the mesh was looks again in time: it goes where one goes that
// looks in every step.
TEST(MeshContacts, AreFoundByThoseWhoRememberThatNothingWasNear) {
  ParticleRules rules = own_rules(0.03F, 1);
  rules.box = {{-1.6F, -1.6F, -1.6F}, {1.6F, 2.4F, 1.6F}};
  rules.gravity = {0.0F, 0.0F, 0.0F};
  // In rows above both sides of the fold, all with the same velocity: a tenth of a radius per step.
  State begin;
  const Vec3 velocity = Vec3{0.3F, -0.9F, 0.3F} * (0.1F * rules.radius / rules.dt);
  for (int row = 0; row < 10; ++row)
    for (int column = 0; column < 10; ++column) {
      const float x = -0.9F + 0.2F * static_cast<float>(row);
      const float above = 0.04F + 0.013F * static_cast<float>((3 * row + column) % 7);
      begin.places.push_back({x, (x > 0.0F ? 1.7320508F * x : 0.0F) + 2.0F * above,
                              -0.9F + 0.18F * static_cast<float>(column)});
      begin.velocities.push_back(velocity);
    }
  for (const TestDevice& on : devices_for_long_runs()) {
    SCOPED_TRACE(on.name);
    ParticleWorld world(*on.device, rules, begin, "hash", fold());
    State state = begin;
    for (int step = 0; step < 100; ++step) {
      // A new world's spheres remember nothing.
      ParticleWorld other(*on.device, rules, state, "hash", fold());
      other.run(1);
      world.run(1);
      const State want = other.state();
      state = world.state();
      for (std::size_t i = 0; i < begin.places.size(); ++i) {
        ASSERT_EQ(length(state.places[i] - want.places[i]), 0.0F)
            << "sphere " << i << ", step " << step;
        ASSERT_EQ(length(state.velocities[i] - want.velocities[i]), 0.0F)
            << "sphere " << i << ", step " << step;
      }
    }
    const auto turned = std::count_if(state.velocities.begin(), state.velocities.end(),
                                      [&](Vec3 v) { return length(v - velocity) > 0.1F; });
    EXPECT_GT(turned, 50);
  }
}

// What carries a sphere is the surface, however many triangles it is cut into.
TEST(MeshContacts, ASphereSinksEquallyIntoFewAndManyTriangles) {
  ParticleRules rules = own_rules(0.05F, 4);
  rules.forces.damping = 0.2F;
  State begin;
  // Above corners, edges and insides of both.
  for (const float x : {-0.5F, -0.123F, 0.0F, 0.5F})
    for (const float z : {-0.5F, 0.0F, 0.31F}) {
      begin.places.push_back({x, 0.99F * rules.radius, z});
      begin.velocities.push_back({0.0F, 0.0F, 0.0F});
    }
  const double weight = 3.0 * double{rules.dt} / double{rules.forces.spring};
  for (const TestDevice& on : devices_for_long_runs())
    for (const std::uint32_t cuts : {1U, 300U}) {
      ParticleWorld world(*on.device, rules, begin, "hash", plane(cuts));
      world.run(300);
      const State state = world.state();
      for (std::size_t i = 0; i < begin.places.size(); ++i) {
        const double sunk = double{rules.radius} - double{state.places[i].y};
        EXPECT_NEAR(sunk, weight, 0.01 * weight)
            << on.name << ", " << 2 * cuts * cuts << " triangles, sphere " << i;
        EXPECT_NEAR(state.places[i].x, begin.places[i].x, 1e-4);
        EXPECT_NEAR(state.places[i].z, begin.places[i].z, 1e-4);
      }
    }
}

// ---- Nobody passes through ----------------------------------------------------------------------

TEST(MeshContacts, NobodyPassesThroughAThinSheet) {
  constexpr std::uint32_t n = 200;
  for (const float speed : {0.3F, 3.0F, 60.0F})  // radii per step
    for (const std::uint32_t cuts : {1U, 15U}) {
      ParticleRules rules = own_rules(0.03F, 1);
      // The sheet goes from wall to wall.
      rules.box = {{-0.99F, -0.8F, -0.99F}, {0.99F, 0.9F, 0.99F}};
      rules.restitution = 1.0F;
      rules.forces.damping = 0.0F;
      rules.forces.shear = 0.0F;
      Random random(cuts);
      State begin;
      for (std::uint32_t i = 0; i < n; ++i) {
        const Vec3 place = random.vector(0.9F);
        begin.places.push_back(
            {place.x, i % 2 == 0 ? random.number(0.1F, 0.8F) : random.number(-0.7F, -0.1F),
             place.z});
        begin.velocities.push_back(random.direction() * (speed * rules.radius / rules.dt));
      }
      for (const TestDevice& on : devices_for_long_runs()) {
        SCOPED_TRACE(on.name + ", " + std::to_string(speed) + " radii per step");
        ParticleWorld world(*on.device, rules, begin, "hash", plane(cuts));
        for (int some = 0; some < 10; ++some) {
          world.run(5);
          const State state = world.state();
          for (std::uint32_t i = 0; i < n; ++i)
            ASSERT_EQ(state.places[i].y > 0.0F, i % 2 == 0)
                << "particle " << i << ", " << 5 * (some + 1) << " steps";
        }
      }
    }
}

// Crossings of a ray from the place, odd where it is inside.
bool is_inside(const Mesh& mesh, Vec3 place) {
  const Point p = point(place);
  const Point way{0.5377, 0.6211, 0.5702};
  int crossings = 0;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const Point a = point(mesh.corners[3 * t].position);
    const Point b = point(mesh.corners[3 * t + 1].position);
    const Point c = point(mesh.corners[3 * t + 2].position);
    const Point n = cross(b - a, c - a);
    const double down = dot(n, way);
    if (down == 0.0) continue;
    const double along = dot(n, a - p) / down;
    if (along > 0.0 && is_over(p + way * along, a, b, c)) ++crossings;
  }
  return crossings % 2 == 1;
}

TEST(MeshContacts, NobodyGetsIntoOrOutOfAClosedSurface) {
  constexpr std::uint32_t n = 400;
  const Mesh mesh = make_sphere(960);
  ASSERT_TRUE(is_inside(mesh, {0.0F, 0.0F, 0.0F}));
  ASSERT_FALSE(is_inside(mesh, {2.0F, 0.0F, 0.0F}));
  ParticleRules rules = own_rules(0.04F, 1);
  rules.box = {{-1.6F, -1.6F, -1.6F}, {1.6F, 1.6F, 1.6F}};
  rules.restitution = 1.0F;
  rules.forces.damping = 0.0F;
  rules.forces.shear = 0.0F;
  Random random(3);
  State begin;
  while (begin.places.size() < n) {
    const Vec3 place = random.vector(1.5F);
    const float from_centre = length(place);
    if (from_centre > 0.75F && from_centre < 1.35F) continue;
    begin.places.push_back(place);
    begin.velocities.push_back(random.direction() *
                               (random.number(0.1F, 8.0F) * rules.radius / rules.dt));
  }
  std::vector<bool> inside;
  for (const Vec3& place : begin.places) inside.push_back(is_inside(mesh, place));
  ASSERT_GT(std::count(inside.begin(), inside.end(), true), 10);
  for (const TestDevice& on : devices_for_long_runs()) {
    SCOPED_TRACE(on.name);
    ParticleWorld world(*on.device, rules, begin, "hash", mesh);
    for (int some = 0; some < 5; ++some) {
      world.run(20);
      const State state = world.state();
      for (std::uint32_t i = 0; i < n; ++i)
        ASSERT_EQ(is_inside(mesh, state.places[i]), inside[i])
            << "particle " << i << " after " << 20 * (some + 1) << " steps";
    }
  }
}

}  // namespace
}  // namespace warpview::test
