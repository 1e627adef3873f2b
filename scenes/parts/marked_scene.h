// A scene with one mesh and a tree over its triangles, as it can be looked at: coloured by what was
// computed of each triangle, cut open, and pointed at.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "gpu/steps/triangle_values.h"
#include "scenes/controls.h"
#include "scenes/parts/pointed_scene.h"
#include "scenes/parts/shape.h"
#include "scenes/parts/surface.h"
#include "scenes/parts/tree.h"
#include "scenes/parts/vertices.h"
#include "scenes/scene.h"

namespace warpview {

enum class ColourBy { material, normal, rank, leaf, depth, digit };
inline constexpr std::array colourings = {"material", "normal", "rank", "leaf", "depth", "digit"};

// Every such scene has these, in viewing_controls behind those of its own.
inline constexpr Control colour_by_control{
    .name = "colour_by",
    .title = "Colour by",
    .tooltip =
        "Quantity that colours the mesh: its material; the normal; a triangle's rank in Morton "
        "order; its leaf, with contrasting neighbours; the depth of the leaf; or a digit of its "
        "sort key. Numbers run from dark to bright.",
    .kind = Control::Kind::choice,
    .effect = Effect::plan,
    .choices = colourings,
    .group = "Surface",
    .needs = {.output = "mesh"}};
inline constexpr Control digit_control{
    .name = "digit",
    .title = "Digit",
    .tooltip = "Eight-bit digit of the sort key that colours the mesh; 0 is the lowest.",
    .most = 7,
    .whole = true,
    .group = "Surface",
    .needs = {.control = "colour_by", .values = {"digit"}}};
inline constexpr Control cut_control{
    .name = "cut",
    .title = "Cut open",
    .tooltip = "Clips the mesh at a plane perpendicular to an axis.",
    .kind = Control::Kind::toggle,
    .group = "Cut"};
inline constexpr Control cut_axis_control{.name = "cut_axis",
                                          .title = "Axis",
                                          .tooltip = "Axis perpendicular to the plane.",
                                          .kind = Control::Kind::choice,
                                          .choices = axes,
                                          .group = "Cut",
                                          .needs = {.control = "cut", .values = {"on"}}};
inline constexpr Control cut_at_control{
    .name = "cut_at",
    .title = "Position",
    .tooltip = "Position of the plane: 0 at the lower end of the mesh at rest, 1 at the upper.",
    .initial = 0.5,
    .group = "Cut",
    .needs = {.control = "cut", .values = {"on"}}};

// Beside the colours, where other scenes have it under a heading of its own.
inline constexpr Control crease_of_surface = [] {
  Control control = crease_control;
  control.group = "Surface";
  return control;
}();

inline constexpr std::array viewing_controls = {colour_by_control, digit_control,
                                                crease_of_surface, cut_control,
                                                cut_axis_control,  cut_at_control};

class MarkedScene : public PointedScene {
 public:
  CutPlane cut() const override;
  std::vector<Legend> legends() const override;
  // The tree's depth for the control `level`, if the scene has it.
  double slider_max(std::size_t control) const override;

 protected:
  enum OutputPlace : std::size_t { mesh_output, edges_output, boxes_output };

  MarkedScene(const SceneRequest& request, const SceneKind& kind);

  virtual const Vertices& vertices() const = 0;
  virtual const Tree& tree() const = 0;
  virtual Tree& tree() = 0;
  // The vertices' current positions.
  virtual const Vertex* positions() const = 0;

  // For the constructor: what the outputs mesh_output and edges_output have beside the surface's
  // streams, a number for each triangle. `choice` is colours(), on the device.
  Writer value_writer(const TriangleValueChoice* choice);
  // The level of `boxes_output`.
  std::uint32_t box_level() const { return tree().level_for(controls()["level"]); }
  // Adds what is told of the boxes of `boxes_output` while they are drawn.
  void add_level_fact(std::vector<Fact>& facts) const;

  // --- for frames
  TriangleValueChoice colours() const;
  // Sets the styles of surface and boxes, as controls are set.
  void set_styles();

 private:
  // As its controls are set: ColourBy by what the surfaces' style calls it, and by its number.
  ColourBy colour_by() const { return static_cast<ColourBy>(controls().choice("colour_by")); }
  bool has_values() const { return colour_by() >= ColourBy::rank; }
  Colouring colouring() const;
  // Digits of a sort key, and the one that is coloured by: the last, if there is none so high.
  int digits() const;
  int digit() const;
  std::optional<Legend> legend_of_surface() const;
  std::vector<PointedSurface> surfaces() override;
};

}  // namespace warpview
