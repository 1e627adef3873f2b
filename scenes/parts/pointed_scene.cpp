#include "scenes/parts/pointed_scene.h"

#include <string_view>
#include <utility>

#include "scenes/parts/legends.h"

namespace warpview {

void PointedScene::add_element_outputs(const Elements& elements,
                                       const std::function<bool()>& is_deformed, char points_key,
                                       char lines_key) {
  const WrittenAt at = add_writer(elements.writer(is_deformed));
  element_command_ = at.command;
  add_output({.kind = OutputKind::dots,
              .name = "dots",
              .title = "Points of the file",
              .about = "Points that the file has beside its triangles, in their colours.",
              .key = points_key,
              .shown = true,
              .streams = {at.stream, at.stream + 1},
              .command = at.command,
              .empty = mesh().points.empty()});
  add_output({.kind = OutputKind::lines,
              .name = "lines",
              .title = "Lines of the file",
              .about = "Lines that the file has beside its triangles, in their colours.",
              .key = lines_key,
              .shown = true,
              .streams = {at.stream + 2, at.stream + 3},
              .command = at.command + 1,
              .empty = mesh().line_ends.empty()});
}

void PointedScene::add_picked_outputs(char path_key, char triangle_key) {
  for (std::size_t i = 0; i < outputs().size(); ++i)
    if (outputs()[i].name == std::string_view("mesh"))
      legend_of_mesh_ = legend_of_materials(mesh(), i);
  picked_.emplace(timeline());
  const WrittenAt at =
      add_writer(picked_->writer([this](std::size_t surface) { return surfaces()[surface]; }));
  picked_command_ = at.command;
  add_output(
      {.kind = OutputKind::boxes,
       .name = "path",
       .title = "BVH path of the pick",
       .about =
           "The boxes of the BVH nodes from the root to the picked leaf, brighter with each step.",
       .key = path_key,
       .shown = true,
       .streams = {at.stream},
       .command = at.command,
       .style = BoxStyle{.is_path = true},
       .dims_surfaces = false});
  add_output({.kind = OutputKind::marked,
              .name = "picked",
              .title = "Picked triangle",
              .about = "The triangle that was clicked.",
              .key = triangle_key,
              .shown = true,
              .streams = {at.stream + 1},
              .command = at.command + 1,
              .dims_surfaces = false});
}

std::vector<Legend> PointedScene::legends() const {
  std::vector<Legend> legends;
  if (legend_of_mesh_) legends.push_back(*legend_of_mesh_);
  add_overlay_legends(*this, {.is_picked = is_picked()}, legends);
  return legends;
}

PointedScene::Hit PointedScene::trace(const Ray& ray) {
  collect();
  Hit nearest;
  const RaySpan span = shown_span(ray, cut());
  if (span.first > span.last) return nearest;
  const BoundedRay shown{ray.origin, span.first, ray.direction, span.last};
  const std::vector<PointedSurface> all = surfaces();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].is_drawn) continue;
    const Tree::Traced traced = all[i].tree->trace(shown);
    if (traced.hit.triangle == RayHit::nothing) continue;
    if (!nearest.is_there() || traced.hit.t < nearest.t()) nearest = {i, traced};
  }
  return nearest;
}

PickResult PointedScene::pick(const Ray& ray, const Hit& hit) {
  picked_->set(hit.surface, hit.is_there() ? hit.traced.hit.triangle : nothing_picked,
               command(picked_command_));
  if (!hit.is_there()) return {};
  PickResult result = pick_result(timeline(), surfaces()[hit.surface], ray, hit.traced);
  for (Fact& fact : more_of(hit.surface, hit.traced.hit.triangle))
    result.facts.push_back(std::move(fact));
  return result;
}

PickResult PointedScene::glance(const Ray& ray, const Hit& hit) {
  if (!hit.is_there()) return {};
  return glance_result(timeline(), surfaces()[hit.surface], ray, hit.traced.hit);
}

PickResult PointedScene::pick(const Ray& ray) { return pick(ray, trace(ray)); }

PickResult PointedScene::glance(const Ray& ray) { return glance(ray, trace(ray)); }

}  // namespace warpview
