#include "scenes/parts/elements.h"

#include <fmt/format.h>

#include <type_traits>
#include <vector>

#include "gpu/runtime/error.h"
#include "scenes/parts/deform_reference.h"

namespace warpview {
namespace {

std::uint64_t places_of(const Mesh& mesh) { return mesh.points.size() + mesh.line_ends.size(); }

std::uint32_t checked_places(const Mesh& mesh) {
  constexpr std::uint64_t most = std::uint64_t{1} << 31U;
  if (places_of(mesh) < most) return static_cast<std::uint32_t>(mesh.points.size());
  throw Error(fmt::format("{} points and {} lines", mesh.points.size(), mesh.line_count()),
              fmt::format("the limit is {} points and line ends", most), "Split the mesh");
}

}  // namespace

Aabb bounds_of_elements(const Mesh& mesh) {
  Aabb bounds = Aabb::empty();
  for (const auto* places : {&mesh.points, &mesh.line_ends})
    for (const ColouredPoint& place : *places)
      bounds = merge(bounds, {place.position, place.position});
  return bounds;
}

Elements::Elements(Timeline& timeline, const Mesh& mesh)
    : timeline_(timeline),
      mesh_(mesh),
      points_(checked_places(mesh)),
      ends_(static_cast<std::uint32_t>(mesh.line_ends.size())) {
  if (!any()) return;
  Device& device = timeline.device();
  rest_ = {device, std::size_t{points_} + ends_};
  deformed_ = {device, rest_.size()};
  colours_ = {device, rest_.size()};
  count_ = {device, 1};
}

std::uint64_t Elements::bytes_needed(const Mesh& mesh) {
  const std::uint64_t kept = 2 * sizeof(Vertex) + sizeof(std::uint32_t);
  const std::uint64_t drawn = 2 * sizeof(Vertex) + sizeof(std::uint32_t);
  return places_of(mesh) * (kept + drawn);
}

void Elements::upload(DrawCommand* points, DrawCommand* lines) {
  const std::vector<Vertex> vertices = at_rest();
  const std::vector<std::uint32_t> colours = this->colours();
  Stream& stream = timeline_.stream();
  const DrawCommand of_points{points_, 1, 0, 0, 0};
  const DrawCommand of_lines{ends_, 1, 0, 0, 0};
  const std::uint32_t count = points_ + ends_;
  stream.copy(points, &of_points, sizeof of_points, Copy::host_to_device);
  stream.copy(lines, &of_lines, sizeof of_lines, Copy::host_to_device);
  if (any()) {
    rest_.upload(stream, vertices);
    colours_.upload(stream, colours);
    count_.upload(stream, {&count, 1});
  }
  stream.synchronize();
}

std::vector<Vertex> Elements::at_rest() const {
  std::vector<Vertex> vertices;
  vertices.reserve(places_of(mesh_));
  for (const auto* places : {&mesh_.points, &mesh_.line_ends})
    for (const ColouredPoint& place : *places)
      vertices.push_back({place.position, {0.0F, 0.0F, 1.0F}, {0.0F, 0.0F}});
  return vertices;
}

std::vector<std::uint32_t> Elements::colours() const {
  std::vector<std::uint32_t> colours;
  colours.reserve(places_of(mesh_));
  for (const auto* places : {&mesh_.points, &mesh_.line_ends})
    for (const ColouredPoint& place : *places) colours.push_back(place.colour);
  return colours;
}

std::vector<Vertex> Elements::deformed_vertices() const {
  return any() ? deformed_.download(timeline_.stream()) : std::vector<Vertex>();
}

std::string Elements::check_deformed(const Deformation& deformation) const {
  const std::string text = warpview::check_deformed(at_rest(), deformed_vertices(), deformation);
  return text.empty() ? text : "of points and ends of lines, " + text;
}

void Elements::deform(const StageRun& run, const Deformation* deformation) {
  if (!any()) return;
  run.run<Step::deform>(DeformArgs{.rest = rest_.data(),
                                   .count = count_.data(),
                                   .n = points_ + ends_,
                                   .deformation = deformation,
                                   .vertices = deformed_.data()});
}

void Elements::write(const StageRun& run, bool deformed, const ElementTargets& targets) const {
  if (!any() || run.measuring()) return;
  const Vertex* const vertices = deformed ? deformed_.data() : rest_.data();
  const auto copy = [&run]<class T>(T* to, const std::type_identity_t<T>* from, std::uint32_t n) {
    if (to && n > 0) run.stream().copy(to, from, n * sizeof(T), Copy::device_to_device);
  };
  copy(targets.points, vertices, points_);
  copy(targets.point_colours, colours_.data(), points_);
  copy(targets.ends, vertices + points_, ends_);
  copy(targets.end_colours, colours_.data() + points_, ends_);
}

StageWork Elements::deformed() const {
  const std::uint64_t places = std::uint64_t{points_} + ends_;
  return {places, 2 * places * sizeof(Vertex)};
}

StageWork Elements::work_of(const ElementTargets& targets) const {
  StageWork work;
  const auto add = [&work](const void* target, std::uint64_t items, std::size_t bytes) {
    if (!target) return;
    work.items += items;
    work.bytes += 2 * items * bytes;
  };
  add(targets.points, points_, sizeof(Vertex));
  add(targets.point_colours, points_, sizeof(std::uint32_t));
  add(targets.ends, ends_, sizeof(Vertex));
  add(targets.end_colours, ends_, sizeof(std::uint32_t));
  return work;
}

}  // namespace warpview
