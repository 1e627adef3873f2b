#include "scenes/parts/pointed_scene.h"

#include <string_view>

#include "scenes/parts/drawn.h"
#include "scenes/parts/legends.h"

namespace warpview {

void PointedScene::add_picked_outputs(char path_key, char triangle_key) {
  for (std::size_t i = 0; i < outputs().size(); ++i)
    if (outputs()[i].name == std::string_view("mesh"))
      legend_of_mesh_ = legend_of_materials(mesh(), i);
  picked_.emplace(timeline());
  picked_streams_.path =
      add_stream({.name = "path", .element_bytes = sizeof(Aabb), .capacity = Bvh::longest_path});
  picked_streams_.triangle =
      add_stream({.name = "picked", .element_bytes = sizeof(Vec3), .capacity = 3});
  picked_streams_.path_command = add_command();
  picked_streams_.triangle_command = add_command();
  add_output({.kind = OutputKind::boxes,
              .name = "path",
              .title = "BVH path of the pick",
              .key = path_key,
              .shown = true,
              .streams = {picked_streams_.path},
              .command = picked_streams_.path_command,
              .style = {0.0F, 1.0F},
              .dims = false});
  add_output({.kind = OutputKind::marked,
              .name = "picked",
              .title = "Picked triangle",
              .key = triangle_key,
              .shown = true,
              .streams = {picked_streams_.triangle},
              .command = picked_streams_.triangle_command,
              .dims = false});
}

std::vector<Legend> PointedScene::legends() const {
  std::vector<Legend> legends;
  if (legend_of_mesh_) legends.push_back(*legend_of_mesh_);
  add_overlay_legends(*this, 0, is_picked(), legends);
  return legends;
}

void PointedScene::add_picked_to(Timeline::Key& key) const {
  key.push_back(picked_->any() ? 1 + picked_surface_ : 0);
}

void PointedScene::write_picked(const StageRun& run, const Frame& frame) {
  picked_->write(run, surfaces()[picked_surface_],
                 {.path = target<Aabb>(frame, picked_streams_.path),
                  .triangle = target<Vec3>(frame, picked_streams_.triangle),
                  .path_command = command(picked_streams_.path_command),
                  .triangle_command = command(picked_streams_.triangle_command)});
}

void PointedScene::check_picked(DrawnCheck& check,
                                std::initializer_list<const Tree::Snapshot*> trees) const {
  const Tree::Snapshot& tree = *trees.begin()[picked_surface_];
  const PickedStreams& of = picked_streams_;
  check.path(of.path, of.path_command, tree, picked_->triangle());
  check.picked_triangle(of.triangle, of.triangle_command, tree, picked_->triangle());
}

PointedScene::Hit PointedScene::trace(const Ray& ray) {
  collect();
  Hit nearest;
  const RaySpan span = shown_span(ray, cut());
  if (span.first > span.last) return nearest;
  const Ray from_there{ray.origin + ray.direction * span.first, ray.direction};
  const std::vector<PointedSurface> all = surfaces();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].is_drawn) continue;
    Tree::Traced traced = all[i].tree->trace(from_there);
    if (traced.hit.triangle == RayHit::nothing || traced.hit.t > span.last - span.first) continue;
    traced.hit.t += span.first;
    if (!nearest.is_there() || traced.hit.t < nearest.t()) nearest = {i, traced};
  }
  return nearest;
}

std::vector<Fact> PointedScene::pick(const Ray& ray, const Hit& hit) {
  picked_surface_ = hit.surface;
  picked_->set(hit.is_there() ? hit.traced.hit.triangle : nothing_picked,
               command(picked_streams_.path_command), command(picked_streams_.triangle_command));
  if (!hit.is_there()) return {};
  std::vector<Fact> facts = facts_of_pick(timeline(), surfaces()[hit.surface], ray, hit.traced);
  for (Fact& fact : more_of(hit.surface, hit.traced.hit.triangle)) facts.push_back(std::move(fact));
  return facts;
}

std::vector<Fact> PointedScene::glance(const Ray& ray, const Hit& hit) {
  if (!hit.is_there()) return {};
  return facts_of_glance(timeline(), surfaces()[hit.surface], ray, hit.traced.hit);
}

std::vector<Fact> PointedScene::pick(const Ray& ray) { return pick(ray, trace(ray)); }

std::vector<Fact> PointedScene::glance(const Ray& ray) { return glance(ray, trace(ray)); }

}  // namespace warpview
