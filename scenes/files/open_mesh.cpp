#include "scenes/files/open_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <system_error>

#include "scenes/files/generated.h"
#include "scenes/files/obj_loader.h"
#include "scenes/files/ply_loader.h"
#include "scenes/files/rooms.h"
#include "scenes/files/svg_loader.h"
#include "scenes/files/teapot.h"
#include "scenes/files/text_lines.h"

namespace warpview {
namespace {

constexpr std::string_view prefix = "generated:";
constexpr std::string_view knot = "generated:knot";
constexpr std::string_view sphere = "generated:sphere:";
constexpr std::string_view usual_rooms = "generated:rooms";
constexpr std::string_view rooms_of = "generated:rooms:";

constexpr std::string_view teapot = teapot_mesh;
constexpr std::string_view lattice = lattice_mesh;

constexpr std::array<GeneratedMesh, 6> scenes = {{
    {knot, "a fluted trefoil knot, 73 728 triangles"},
    {teapot, "the teapot, 32 curved patches"},
    {emblem_picture, "a badge of filled paths"},
    {lattice, "a cube of bars, 72 quads"},
    {"generated:sphere:<N>", "a bumpy sphere of exactly N triangles"},
    {"generated:rooms:<N>", "a house of rooms, seen from within, about N triangles"},
}};

std::optional<std::uint64_t> parse_count(std::string_view text) {
  std::uint64_t count = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return count;
}

// Calls make() for a mesh of so many triangles, where the limits allow it.
template <class Make>
Mesh generate(const std::string& spec, std::uint64_t triangles, const LoadLimits& limits,
              const Make& make) {
  // Beyond this count the products below would not fit.
  constexpr std::uint64_t countable = std::numeric_limits<std::uint64_t>::max() / 256;
  limits.require_corners(
      spec, triangles < countable ? 3 * triangles : std::numeric_limits<std::uint64_t>::max());
  limits.require_memory(spec, triangles * (3 * sizeof(Vertex) + sizeof(std::uint32_t)));
  try {
    return make();
  } catch (const std::bad_alloc&) {
    throw Error(spec, "out of memory", "Ask for fewer triangles");
  }
}

Mesh generate_rooms(const std::string& spec, std::uint64_t triangles, LoadControl& control,
                    const LoadLimits& limits) {
  if (triangles < least_rooms_triangles)
    throw Error(spec, "a house of rooms needs more triangles",
                fmt::format("Ask for {} or more", least_rooms_triangles));
  constexpr std::uint64_t seed = 1;
  Mesh mesh =
      generate(spec, triangles, limits, [&] { return make_rooms(triangles, seed, control); });
  mesh.file = spec;
  return mesh;
}

}  // namespace

std::span<const GeneratedMesh> generated_meshes() { return scenes; }

bool is_generated(std::string_view spec) { return spec.starts_with(prefix); }

bool is_svg(std::string_view spec) { return !is_generated(spec) && has_ending(spec, ".svg"); }

bool is_ply(std::string_view spec) {
  return !is_generated(spec) && (has_ending(spec, ".ply") || has_ending(spec, ".ply.gz"));
}

Mesh open_mesh(const std::string& spec, LoadControl& control, const LoadLimits& limits,
               const MeshOptions& options) {
  if (is_svg(spec)) return load_svg(spec, control, limits);
  if (is_ply(spec)) return load_ply(spec, control, limits, options);
  if (!is_generated(spec)) return load_obj(spec, control, limits, options);

  control.begin_phase("generating");
  control.report(0.0F);
  std::optional<Mesh> mesh;
  if (spec == knot) {
    mesh = make_knot(control);
  } else if (spec == teapot) {
    mesh = make_teapot(control);
  } else if (spec == emblem_picture) {
    mesh = make_emblem();
  } else if (spec == lattice) {
    mesh = make_lattice(control);
  } else if (spec.starts_with(sphere)) {
    if (const auto triangles = parse_count(std::string_view(spec).substr(sphere.size())))
      mesh = generate(spec, *triangles, limits, [&] { return make_sphere(*triangles, control); });
  } else if (spec == usual_rooms) {
    mesh = generate_rooms(spec, usual_rooms_triangles, control, limits);
  } else if (spec.starts_with(rooms_of)) {
    if (const auto triangles = parse_count(std::string_view(spec).substr(rooms_of.size())))
      mesh = generate_rooms(spec, *triangles, control, limits);
  }
  if (!mesh) {
    std::string known;
    for (const GeneratedMesh& scene : scenes)
      known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", scene.spec, scene.summary);
    throw Error(spec, "there is no generated mesh of this name",
                fmt::format("There are: {}", known));
  }
  control.report(1.0F);
  return *std::move(mesh);
}

}  // namespace warpview
