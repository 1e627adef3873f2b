#include "scenes/parts/marked_scene.h"
#include "scenes/parts/drawn.h"

#include <algorithm>

#include "scenes/parts/legends.h"

namespace warpview {

MarkedScene::MarkedScene(const SceneRequest& request, const SceneKind& kind)
    : PointedScene(request, kind) {}

Writer MarkedScene::value_writer(const TriangleValueChoice* choice) {
  return {.streams = {{"values", sizeof(float), vertices().triangle_capacity()}},
          .commands = 0,
          .write =
              [this, choice](const StageRun& run, const Targets& to) {
                const Tree& tree = this->tree();
                run.run<Step::triangle_values>(
                    TriangleValuesArgs{.count = tree.count(),
                                       .primitives = tree.primitives(),
                                       .codes = tree.sorted_codes(),
                                       .key_bits = tree.key_bits(),
                                       .code_bits = tree.code_bits(),
                                       .depth = tree.depth(),
                                       .first_leaf = tree.bvh().first_leaf(),
                                       .statistics = tree.device_statistics(),
                                       .choice = choice,
                                       .n = tree.capacity(),
                                       .out = to.stream<float>()});
              },
          .work =
              [this](const Targets&) {
                const std::uint64_t n = vertices().counts().triangles;
                return StageWork{n, 2 * n * sizeof(float)};
              },
          .check =
              [this, choice](DrawnCheck& check, const WrittenAt& at) {
                if (has_values()) check.triangle_values(at.stream, tree(), check.read(choice));
              },
          .is_due = [this] { return has_values(); }};
}

void MarkedScene::add_level_fact(std::vector<Fact>& facts) const {
  const Output& boxes = outputs()[boxes_output];
  if (is_wanted(boxes.streams.front()))
    facts.push_back(level_fact(box_level(), command_drawn(boxes.command)));
}

std::vector<PointedSurface> MarkedScene::surfaces() {
  return {{.tree = &tree(),
           .positions = positions(),
           .indices = vertices().indices(),
           .material = vertices().material(),
           .materials = mesh().materials}};
}

TriangleValueChoice MarkedScene::colours() const {
  const int value = controls().choice("colour_by") - static_cast<int>(ColourBy::rank);
  return {.value = has_values() ? static_cast<TriangleValue>(value) : TriangleValue::rank,
          .digit = static_cast<std::uint32_t>(digit())};
}

Colouring MarkedScene::colouring() const {
  if (colour_by() == ColourBy::leaf) return Colouring::blocks;
  return has_values()                      ? Colouring::ramp
         : colour_by() == ColourBy::normal ? Colouring::normal
                                           : Colouring::material;
}

void MarkedScene::set_styles() {
  set_colouring(mesh_output, colouring());
  set_colouring(edges_output, colouring());
  set_style(boxes_output, BoxStyle{.level = box_level()});
}

int MarkedScene::digits() const { return (tree().code_bits() + 7) / 8; }

int MarkedScene::digit() const {
  return std::min(static_cast<int>(controls()["digit"]), digits() - 1);
}

double MarkedScene::slider_max(std::size_t control) const {
  if (control == controls().find("level")) return std::max(1U, tree().statistics().max_depth);
  if (control == controls().find("digit")) return digits() - 1;
  return Scene::slider_max(control);
}

std::vector<Legend> MarkedScene::legends() const {
  std::vector<Legend> legends;
  if (auto of_surface = legend_of_surface()) legends.push_back(*std::move(of_surface));
  add_overlay_legends(
      *this,
      {.items = vertices().counts().triangles, .level = box_level(), .is_picked = is_picked()},
      legends);
  return legends;
}

std::optional<Legend> MarkedScene::legend_of_surface() const {
  const auto ramp = [](std::string title, double most) {
    return Legend{.output = mesh_output, .title = std::move(title), .most = most};
  };
  switch (colour_by()) {
    case ColourBy::material:
      return legend_of_mesh();
    case ColourBy::normal:
      return legend_of_normals(mesh_output);
    case ColourBy::rank:
      return ramp(
          "Rank in Morton order",
          static_cast<double>(std::max<std::uint64_t>(vertices().counts().triangles, 1) - 1));
    case ColourBy::leaf:
      return Legend{.output = mesh_output,
                    .title = "Leaf in Morton order",
                    .scale = Legend::Scale::blocks,
                    .note = "neighbours differ"};
    case ColourBy::depth:
      return ramp("Depth of the leaf", tree().statistics().max_depth);
    case ColourBy::digit: {
      const int digit = this->digit();
      const int bits = std::clamp(tree().code_bits() - 8 * digit, 0, 8);
      return ramp("Digit " + std::to_string(digit) + " of the sort key", (1 << bits) - 1);
    }
  }
  return {};
}

CutPlane MarkedScene::cut() const {
  const Aabb rest = bounds();
  if (!controls().on("cut") || rest.is_empty()) return {};
  const int axis = controls().choice("cut_axis");
  const auto share = static_cast<float>(controls()["cut_at"]);
  return {.normal = {axis == 0 ? 1.0F : 0.0F, axis == 1 ? 1.0F : 0.0F, axis == 2 ? 1.0F : 0.0F},
          .offset = axis_of(rest.min * (1.0F - share) + rest.max * share, axis)};
}

}  // namespace warpview
