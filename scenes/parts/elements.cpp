#include "scenes/parts/elements.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "gpu/runtime/error.h"
#include "scenes/parts/deform_reference.h"
#include "scenes/parts/drawn.h"

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
  return places_of(mesh) * (2 * sizeof(Vertex) + sizeof(std::uint32_t));
}

void Elements::upload(DrawCommand* commands) {
  const std::vector<Vertex> vertices = at_rest();
  const std::vector<std::uint32_t> colours = this->colours();
  Stream& stream = timeline_.stream();
  const std::array both = {DrawCommand{points_, 1, 0, 0, 0}, DrawCommand{ends_, 1, 0, 0, 0}};
  const std::uint32_t count = points_ + ends_;
  stream.copy(commands, both.data(), sizeof both, Copy::host_to_device);
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

StageWork Elements::deformed() const {
  const std::uint64_t places = std::uint64_t{points_} + ends_;
  return {places, 2 * places * sizeof(Vertex)};
}

Writer Elements::writer(const std::function<bool()>& is_deformed) const {
  constexpr std::size_t word = sizeof(std::uint32_t);
  const auto vertices = [this, is_deformed] {
    return is_deformed() ? deformed_.data() : rest_.data();
  };
  return {
      .streams = {{"dots", sizeof(Vertex), points_, true},
                  {"dot colours", word, points_, false},
                  {"line ends", sizeof(Vertex), ends_, true},
                  {"line colours", word, ends_, false}},
      .commands = 2,
      .write =
          [this, vertices](const StageRun& run, const Targets& to) {
            const auto copy = [&]<class T>(std::size_t stream, const T* from, std::uint32_t n) {
              if (T* const out = to.stream<T>(stream); out && n > 0)
                run.stream().copy(out, from, n * sizeof(T), Copy::device_to_device);
            };
            if (!any()) return;
            copy(0, vertices(), points_);
            copy(1, colours_.data(), points_);
            copy(2, vertices() + points_, ends_);
            copy(3, colours_.data() + points_, ends_);
          },
      .work =
          [this](const Targets& to) {
            StageWork work;
            for (std::size_t i = 0; i < 4; ++i) {
              const std::uint64_t items = i < 2 ? points_ : ends_;
              if (to.stream(i))
                work = work + StageWork{items, 2 * items * (i % 2 == 0 ? sizeof(Vertex) : word)};
            }
            return work;
          },
      .check =
          [this, is_deformed](DrawnCheck& check, const WrittenAt& at) {
            const std::vector<Vertex> places = is_deformed() ? deformed_vertices() : at_rest();
            const std::vector<std::uint32_t> colours = this->colours();
            check.command(at.command, {points_, 1, 0, 0, 0});
            check.command(at.command + 1, {ends_, 1, 0, 0, 0});
            check.stream(at.stream, std::span(places).first(points_));
            check.stream(at.stream + 1, std::span(colours).first(points_));
            check.stream(at.stream + 2, std::span(places).subspan(points_));
            check.stream(at.stream + 3, std::span(colours).subspan(points_));
          }};
}

}  // namespace warpview
