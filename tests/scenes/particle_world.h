// A few particles as the particle scene runs them, step by step, with rules and places of a test's
// own.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gpu/runtime/buffer.h"
#include "gpu/runtime/scratch_memory.h"
#include "gpu/steps/particles.h"
#include "scenes/parts/grid.h"
#include "scenes/parts/tree.h"
#include "scenes/parts/vertices.h"
#include "tests/scenes/scene_test.h"

namespace warpview::test {

// For what many steps come to: one schedule of the CPU device, and every GPU.
inline const std::vector<TestDevice>& devices_for_long_runs() { return devices_for(100'000); }

// Those of NVIDIA's sample `particles`: a box of side 2, forces that are velocity per step.
inline ParticleRules sample_rules(float radius) {
  ParticleRules rules{};
  rules.box = {{-1.0F, -1.0F, -1.0F}, {1.0F, 1.0F, 1.0F}};
  rules.radius = radius;
  rules.dt = 0.5F;
  rules.gravity = {0.0F, -0.0003F, 0.0F};
  rules.keeps = 1.0F;
  rules.restitution = 0.5F;
  rules.forces = {.spring = 0.5F, .damping = 0.02F, .shear = 0.1F, .attraction = 0.0F};
  rules.side = 1;
  rules.turn[0] = {1.0F, 0.0F, 0.0F};
  rules.turn[1] = {0.0F, 1.0F, 0.0F};
  rules.turn[2] = {0.0F, 0.0F, 1.0F};
  return rules;
}

// Those of the scene's own physics as its controls begin, in a box of side 2, with so many substeps
// of a sixtieth of a second.
inline ParticleRules own_rules(float radius, std::uint32_t substeps) {
  ParticleRules rules = sample_rules(radius);
  rules.dt = 1.0F / 60.0F / static_cast<float>(substeps);
  rules.gravity = {0.0F, -3.0F, 0.0F};
  rules.forces = {.spring = 0.4F / rules.dt, .damping = 0.03F, .shear = 0.02F, .attraction = 0.0F};
  return rules;
}

// A mesh of these corners, three per triangle.
inline Mesh mesh_of(const std::vector<Vec3>& corners) {
  Mesh mesh;
  mesh.name = std::to_string(corners.size() / 3) + " triangles of a test";
  mesh.materials.resize(1);
  mesh.triangle_material.assign(corners.size() / 3, 0);
  for (const Vec3& corner : corners)
    mesh.corners.push_back({corner, {0.0F, 1.0F, 0.0F}, {0.0F, 0.0F}});
  return mesh;
}

// The square [-1, 1]^2 in the plane y = 0, cut into 2 cuts^2 triangles.
inline Mesh plane(std::uint32_t cuts) {
  std::vector<Vec3> corners;
  corners.reserve(std::size_t{6} * cuts * cuts);
  const auto at = [cuts](std::uint32_t i) {
    return -1.0F + 2.0F * static_cast<float>(i) / static_cast<float>(cuts);
  };
  for (std::uint32_t i = 0; i < cuts; ++i)
    for (std::uint32_t j = 0; j < cuts; ++j) {
      const Vec3 a{at(i), 0.0F, at(j)};
      const Vec3 b{at(i + 1), 0.0F, at(j)};
      const Vec3 c{at(i + 1), 0.0F, at(j + 1)};
      const Vec3 d{at(i), 0.0F, at(j + 1)};
      corners.insert(corners.end(), {a, c, b, a, d, c});
    }
  return mesh_of(corners);
}

class ParticleWorld {
 public:
  struct State {
    std::vector<Vec3> places, velocities;  // by number
  };

  ParticleWorld(Device& device, const ParticleRules& rules, const State& begin,
                const std::string& cells = "sort", Mesh mesh = {})
      : mesh_(std::move(mesh)),
        timeline_(device, wishes_of({"cells=" + cells})),
        rules_(rules),
        n_(static_cast<std::uint32_t>(begin.places.size())),
        rules_memory_(device, 1),
        motions_(device, n_),
        moved_(device, n_),
        touches_(device, n_),
        facts_(device, 1),
        scratch_(device),
        grid_(timeline_, {.positions = moved_.data(), .payload = motions_.data(), .n = n_},
              {.radius = 2.0F * rules.radius, .cell_side = 2.0F * rules.radius, .world = rules.box},
              "sort") {
    if (mesh_.triangle_count() > 0) {
      vertices_.emplace(timeline_, mesh_);
      tree_.emplace(timeline_, Tree::Triangles{.vertices = vertices_->vertices(),
                                               .indices = vertices_->indices(),
                                               .count = vertices_->triangle_count(),
                                               .capacity = vertices_->triangle_capacity()});
    }
    timeline_.reserve_scratch();
    if (tree_) {
      vertices_->upload();
      vertices_->compute();
      tree_->rebuild();
    }
    std::vector<Vec4> places(n_);
    std::vector<Vec4> motions(n_);
    for (std::uint32_t i = 0; i < n_; ++i) {
      places[i] = {begin.places[i], 0.0F};
      motions[i] = motion_of(begin.velocities[i], i);
    }
    rules_memory_.upload(stream(), std::span(&rules_, 1));
    moved_.upload(stream(), places);
    motions_.upload(stream(), motions);
    grid_.run();
    take_motions();
    timeline_.queue_read_backs();
    timeline_.collect();
  }

  const ParticleRules& rules() const { return rules_; }
  Device& device() const { return timeline_.device(); }
  std::uint32_t size() const { return n_; }

  void run(std::uint32_t steps) {
    for (std::uint32_t step = 0; step < steps; ++step) {
      integrate();
      meet_mesh(step);
      grid_.run();
      const bool is_last = step + 1 == steps;
      if (is_last) stream().fill(facts_.data(), 0, facts_.bytes());
      step_on<Step::contacts>(ContactsArgs{.rules = rules_memory_.data(),
                                           .cells = grid_.cells(),
                                           .motions = motions_.data(),
                                           .touches = is_last ? touches_.data() : nullptr,
                                           .facts = is_last ? facts_.data() : nullptr});
      if (step % 32 == 0) timeline_.collect();
    }
  }

  State state() {
    const std::vector<Vec4> places = read(grid_.positions());
    const std::vector<Vec4> motions = motions_.download(stream());
    State state{std::vector<Vec3>(n_), std::vector<Vec3>(n_)};
    std::vector<bool> seen(n_);
    for (std::uint32_t place = 0; place < n_; ++place) {
      const std::uint32_t number = number_of(motions[place]);
      if (number >= n_ || seen[number]) {
        ADD_FAILURE() << "number " << number << " in place " << place;
        continue;
      }
      seen[number] = true;
      state.places[number] = places[place].xyz;
      state.velocities[number] = motions[place].xyz;
    }
    return state;
  }

  // Of the last step of run().
  ParticleFacts facts() {
    step_on<Step::write_spheres>(WriteSpheresArgs{.rules = rules_memory_.data(),
                                                  .cells = grid_.cells(),
                                                  .motions = motions_.data(),
                                                  .touches = touches_.data(),
                                                  .facts = facts_.data()});
    return facts_.download(stream()).front();
  }

  // What the mesh makes of particles that were moved from their places to `moved`.
  State after_mesh(const std::vector<Vec3>& moved, std::uint32_t substep) {
    // The order of the places is the grid's.
    const std::vector<Vec4> motions = motions_.download(stream());
    std::vector<Vec4> by_place(n_);
    for (std::uint32_t place = 0; place < n_; ++place)
      by_place[place] = {moved[number_of(motions[place])], 0.0F};
    moved_.upload(stream(), by_place);
    meet_mesh(substep);
    const std::vector<Vec4> places = moved_.download(stream());
    const std::vector<Vec4> after = motions_.download(stream());
    State state{std::vector<Vec3>(n_), std::vector<Vec3>(n_)};
    for (std::uint32_t place = 0; place < n_; ++place) {
      state.places[number_of(after[place])] = places[place].xyz;
      state.velocities[number_of(after[place])] = after[place].xyz;
    }
    motions_.upload(stream(), motions);
    stream().synchronize();
    return state;
  }

 private:
  Stream& stream() const { return timeline_.stream(); }

  template <Step step, class Args>
  void step_on(const Args& args) {
    scratch_.run(device().table().step<step>(), stream(), args);
  }
  std::vector<Vec4> read(const Vec4* from) const {
    std::vector<Vec4> to(n_);
    stream().copy(to.data(), from, to.size() * sizeof(Vec4), Copy::device_to_host);
    stream().synchronize();
    return to;
  }
  void take_motions() {
    stream().copy(motions_.data(), grid_.payload(), motions_.bytes(), Copy::device_to_device);
  }
  void integrate() {
    step_on<Step::integrate>(IntegrateArgs{.rules = rules_memory_.data(),
                                           .n = n_,
                                           .positions = grid_.positions(),
                                           .moved = moved_.data(),
                                           .motions = motions_.data(),
                                           .has_mesh = tree_.has_value()});
  }
  void meet_mesh(std::uint32_t substep) {
    if (!tree_) return;
    step_on<Step::mesh_contacts>(MeshContactArgs{.rules = rules_memory_.data(),
                                                 .substep = substep,
                                                 .n = n_,
                                                 .positions = grid_.positions(),
                                                 .moved = moved_.data(),
                                                 .motions = motions_.data(),
                                                 .count = tree_->count(),
                                                 .bvh = tree_->bvh(),
                                                 .vertices = vertices_->vertices(),
                                                 .indices = vertices_->indices()});
  }

  Mesh mesh_;
  Timeline timeline_;
  ParticleRules rules_;
  std::uint32_t n_;
  Buffer<ParticleRules> rules_memory_;
  Buffer<Vec4> motions_, moved_;
  Buffer<std::uint32_t> touches_;
  Buffer<ParticleFacts> facts_;
  ScratchMemory scratch_;
  Grid grid_;
  std::optional<Vertices> vertices_;
  std::optional<Tree> tree_;
};

}  // namespace warpview::test
