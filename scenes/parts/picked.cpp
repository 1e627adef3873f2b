#include "scenes/parts/picked.h"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "gpu/steps/pick.h"
#include "scenes/parts/drawn.h"

namespace warpview {
namespace {

Fact triangle_fact(std::uint32_t triangle) {
  return {.name = "pick.triangle",
          .title = "Triangle",
          .value = std::uint64_t{triangle},
          .tooltip = "Its index among the triangles that were kept."};
}

Fact material_fact(Timeline& timeline, const PointedSurface& surface, std::uint32_t triangle) {
  Stream& stream = timeline.stream();
  std::uint32_t material = 0;
  stream.copy(&material, surface.material + triangle, sizeof material, Copy::device_to_host);
  stream.synchronize();
  const std::string& name = surface.materials[material].name;
  return {.name = "pick.material",
          .title = "Material",
          .value = name.empty() ? std::string("none") : name,
          .tooltip = "Material of the triangle, as the file names it."};
}

Vec3 hit_point(const Ray& ray, const RayHit& hit) { return ray.origin + ray.direction * hit.t; }

// The vertices' numbers, and where each is now.
void add_vertex_facts(std::vector<Fact>& facts, Timeline& timeline, const PointedSurface& surface,
                      std::uint32_t triangle) {
  Stream& stream = timeline.stream();
  std::array<std::uint32_t, 3> corners{};
  stream.copy(corners.data(), surface.indices + 3 * std::size_t{triangle}, sizeof corners,
              Copy::device_to_host);
  stream.synchronize();
  std::array<Vertex, 3> places{};
  for (std::size_t k = 0; k < corners.size(); ++k)
    stream.copy(&places[k], surface.positions + corners[k], sizeof places[k], Copy::device_to_host);
  stream.synchronize();
  facts.push_back({.name = "pick.vertices",
                   .title = "Vertices",
                   .value = fmt::format("{}, {}, {}", corners[0], corners[1], corners[2]),
                   .tooltip = "Indices of the three vertices of the triangle."});
  constexpr std::array names = {"pick.vertex_0", "pick.vertex_1", "pick.vertex_2"};
  for (std::size_t k = 0; k < corners.size(); ++k)
    facts.push_back({.name = names[k],
                     .title = fmt::format("{}", corners[k]),
                     .value = places[k].position,
                     .tooltip = "Position of this vertex when the triangle was picked."});
}

}  // namespace

Picked::Picked(Timeline& timeline) : timeline_(timeline), on_device_(timeline.device(), 1) {
  on_device_.upload(timeline.stream(), {&triangle_, 1});
  timeline.stream().synchronize();
}

void Picked::set(std::size_t surface, std::uint32_t triangle, DrawCommand* commands) {
  Stream& stream = timeline_.stream();
  surface_ = surface;
  triangle_ = triangle;
  on_device_.upload(stream, {&triangle_, 1});
  stream.fill(commands, 0, 2 * sizeof(DrawCommand));
  stream.synchronize();
}

Writer Picked::writer(const std::function<PointedSurface(std::size_t)>& surface) const {
  return {.streams = {{"path", sizeof(Aabb), Bvh::longest_path}, {"picked", sizeof(Vec3), 3}},
          .commands = 2,
          .write =
              [this, surface](const StageRun& run, const Targets& to) {
                if (to.lit()) write(run, surface(*to.lit()), to);
              },
          .work = [](const Targets&) { return StageWork{}; },
          .check =
              [this, surface](DrawnCheck& check, const WrittenAt& at) {
                const PointedSurface of = surface(surface_);
                check.path(at.stream, at.command, *of.tree, triangle_);
                if (!this->surface()) return check.command(at.command + 1, {});
                std::vector<Vec3> corners;
                for (const std::uint32_t corner :
                     check.read(of.indices + 3 * std::size_t{triangle_}, 3))
                  corners.push_back(check.read(of.positions + corner).position);
                check.command(at.command + 1, {3, 1, 0, 0, 0});
                check.stream(at.stream + 1, corners);
              }};
}

void Picked::write(const StageRun& run, const PointedSurface& surface, const Targets& to) const {
  const Tree& tree = *surface.tree;
  if (to.stream(0))
    run.run<Step::write_path>(WritePathArgs{.count = tree.count(),
                                            .bvh = tree.bvh(),
                                            .depth = tree.depth(),
                                            .primitives = tree.primitives(),
                                            .picked = on_device_.data(),
                                            .n = tree.capacity(),
                                            .out = to.stream<Aabb>(0),
                                            .command = to.command(0)});
  if (to.stream(1))
    run.run<Step::write_triangle>(WriteTriangleArgs{.count = tree.count(),
                                                    .vertices = surface.positions,
                                                    .indices = surface.indices,
                                                    .picked = on_device_.data(),
                                                    .out = to.stream<Vec3>(1),
                                                    .command = to.command(1)});
}

RaySpan shown_span(const Ray& ray, const CutPlane& plane) {
  RaySpan span{0.0F, std::numeric_limits<float>::infinity()};
  const float outside = dot(plane.normal, ray.origin) - plane.offset;  // above 0: it is cut off
  const float towards = dot(plane.normal, ray.direction);
  if (towards == 0.0F) {
    if (outside > 0.0F) span.last = -1.0F;
    return span;
  }
  const float crossing = -outside / towards;
  if (towards < 0.0F)
    span.first = crossing > 0.0F ? crossing : 0.0F;
  else
    span.last = crossing;
  return span;
}

std::string morton_path(std::uint64_t code, int bits) {
  std::string path;
  for (int bit = bits - 1; bit >= 0; --bit) {
    path += (code >> static_cast<unsigned>(bit) & 1U) != 0 ? '1' : '0';
    if (bit > 0 && bit % 3 == 0) path += ' ';
  }
  return path;
}

PickResult glance_result(Timeline& timeline, const PointedSurface& surface, const Ray& ray,
                         const RayHit& hit) {
  PickResult result{
      .facts = {triangle_fact(hit.triangle), material_fact(timeline, surface, hit.triangle)}};
  result.hit(hit_point(ray, hit));
  return result;
}

PickResult pick_result(Timeline& timeline, const PointedSurface& surface, const Ray& ray,
                       const Tree::Traced& traced) {
  const std::uint32_t triangle = traced.hit.triangle;
  Tree& tree = *surface.tree;
  const LeafPlace leaf = tree.leaf_of(triangle);
  const std::uint64_t code = tree.code_of(triangle);
  PickResult result{.facts = {triangle_fact(triangle)}};
  std::vector<Fact>& facts = result.facts;
  add_vertex_facts(facts, timeline, surface, triangle);
  facts.push_back(material_fact(timeline, surface, triangle));
  result.hit(hit_point(ray, traced.hit));
  facts.push_back({.name = "pick.code",
                   .title = "Morton code",
                   .value = fmt::format("{:#x}", code),
                   .tooltip = "Code of its box's centre, as last computed."});
  facts.push_back({.name = "pick.code_path",
                   .title = "Code bits",
                   .value = morton_path(code, tree.code_bits()),
                   .tooltip = morton_path_about});
  facts.push_back({.name = "pick.leaf",
                   .title = "Leaf",
                   .value = std::uint64_t{leaf.rank},
                   .tooltip = "Its index among the leaves in Morton order, from 0."});
  facts.push_back({.name = "pick.depth",
                   .title = "Depth",
                   .value = std::uint64_t{leaf.depth},
                   .tooltip = "Number of BVH edges from the root to this leaf. The boxes on the "
                              "path are drawn, brighter at each step."});
  facts.push_back(
      {.name = "pick.visited",
       .title = "Boxes tested",
       .value = std::uint64_t{traced.steps.nodes},
       .tooltip =
           "Boxes of nodes that the ray was tested against before the nearest hit was certain."});
  return result;
}

}  // namespace warpview
