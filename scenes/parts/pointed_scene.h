// A scene with triangles that can be pointed at: what a ray hits first is told, and lit up with the
// boxes on the way to its leaf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "scenes/parts/elements.h"
#include "scenes/parts/picked.h"
#include "scenes/parts/tree.h"
#include "scenes/scene.h"

namespace warpview {

class PointedScene : public Scene {
 public:
  // What the ray hits first of what is drawn and the cut leaves.
  PickResult pick(const Ray& ray) override;
  PickResult glance(const Ray& ray) override;
  // Legends of the mesh by its materials, and of the path to the pick.
  std::vector<Legend> legends() const override;

 protected:
  PointedScene(const SceneRequest& request, const SceneKind& kind) : Scene(request, kind) {}

  // Those that there are, always the same in the same order, as they are now.
  virtual std::vector<PointedSurface> surfaces() = 0;
  // What there is to tell of a surface's triangle beside what every scene tells.
  virtual std::vector<Fact> more_of(std::size_t /*surface*/, std::uint32_t /*triangle*/) const {
    return {};
  }

  // For the constructor: the outputs `dots` and `lines` of the mesh's file, and for load() where
  // their draw commands go.
  void add_element_outputs(const Elements& elements, const std::function<bool()>& is_deformed,
                           char points_key, char lines_key);
  DrawCommand* element_commands() const { return command(element_command_); }
  // For the constructor, behind the output `mesh`: the outputs `path` and `picked`.
  void add_picked_outputs(char path_key, char triangle_key);

  bool is_picked() const { return picked_->surface().has_value(); }
  // Legend of the output `mesh`, if its materials differ.
  const std::optional<Legend>& legend_of_mesh() const { return legend_of_mesh_; }

  std::optional<std::size_t> lit() const override { return picked_->surface(); }

  // --- for scenes with other things to be pointed at
  struct Hit {
    std::size_t surface = 0;
    Tree::Traced traced{};

    bool is_there() const { return traced.hit.triangle != RayHit::nothing; }
    float t() const { return traced.hit.t; }
  };
  // Waits.
  Hit trace(const Ray& ray);
  // Lights up what was hit, from the next frame on, and tells all of it. Without a hit nothing is
  // lit up any more. Waits.
  PickResult pick(const Ray& ray, const Hit& hit);
  PickResult glance(const Ray& ray, const Hit& hit);

 private:
  std::optional<Picked> picked_;
  std::optional<Legend> legend_of_mesh_;
  std::size_t element_command_ = 0, picked_command_ = 0;  // the first of two each
};

}  // namespace warpview
