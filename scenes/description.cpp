#include "scenes/description.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "gpu/runtime/suggestion.h"
#include "scenes/files/open_mesh.h"
#include "scenes/files/text_lines.h"
#include "scenes/parts/surface.h"

namespace warpview {
namespace {

std::vector<std::string_view> names_of_scenes() {
  std::vector<std::string_view> names;
  for (const SceneKind& kind : scene_kinds()) names.emplace_back(kind.name);
  return names;
}

bool is_letter_of_name(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

// A word that is no scene's name is a file. Error where there is none and it looks like a scene.
void refuse_misspelt_scene(const std::string& spec) {
  std::error_code none;
  if (std::filesystem::exists(spec, none)) return;
  const std::vector<std::string_view> names = names_of_scenes();
  const std::string word = spec.substr(0, spec.find(':'));
  // Nothing else is written as a plain word and a number.
  const bool is_sized = word.size() + 1 < spec.size() && !word.empty() &&
                        std::all_of(word.begin(), word.end(), is_letter_of_name) &&
                        std::all_of(spec.begin() + static_cast<std::ptrdiff_t>(word.size()) + 1,
                                    spec.end(), [](char c) { return c >= '0' && c <= '9'; });
  const std::string meant = did_you_mean(word, names);
  if (is_sized || !meant.empty())
    throw Error(spec, "there is no file and no scene of this name",
                fmt::format("{}The scenes are {}", meant, fmt::join(names, ", ")));
}

// Those that belong together, `together` in a row, stay if all of them are finite still.
void transform_points(std::vector<ColouredPoint>& points, std::size_t together,
                      const Transform& transform) {
  const auto is_finite = [](const ColouredPoint& point) {
    const Vec3 p = point.position;
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
  };
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); i += together) {
    for (std::size_t k = 0; k < together; ++k) {
      points[kept + k] = points[i + k];
      points[kept + k].position = transform.point(points[i + k].position);
    }
    if (std::all_of(&points[kept], &points[kept] + together, is_finite)) kept += together;
  }
  points.resize(kept);
}

void transform_mesh(Mesh& mesh, const Transform& transform) {
  if (transform.is_identity()) return;
  for (Vertex& corner : mesh.corners) {
    corner.position = transform.point(corner.position);
    corner.normal = transform.normal(corner.normal);
  }
  // Control points beyond what floats hold are no patch.
  const bool are_finite =
      std::all_of(mesh.patches.begin(), mesh.patches.end(), [&transform](BezierPatch& patch) {
        return std::all_of(patch.points, patch.points + 16, [&transform](Vec3& point) {
          point = transform.point(point);
          return std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.z);
        });
      });
  if (!are_finite) {
    mesh.patches.clear();
    mesh.patch_material.clear();
  }
  transform_points(mesh.points, 1, transform);
  transform_points(mesh.line_ends, 2, transform);
  if (mesh.first_view) {
    mesh.first_view->eye = transform.point(mesh.first_view->eye);
    mesh.first_view->target = transform.point(mesh.first_view->target);
    if (!why_no_view(mesh.first_view->eye, mesh.first_view->target).empty())
      mesh.first_view.reset();
  }
  if (!transform.mirrors()) return;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    std::swap(mesh.corners[3 * t + 1], mesh.corners[3 * t + 2]);
    if (!mesh.corner_colours.empty())
      std::swap(mesh.corner_colours[3 * t + 1], mesh.corner_colours[3 * t + 2]);
  }
}

// Colours of all corners of both, white where one has none; none where neither has.
void append_colours(Mesh& mesh, const Mesh& more) {
  if (mesh.corner_colours.empty() && more.corner_colours.empty()) return;
  constexpr std::uint32_t white = 0xffffffffU;
  HostArray<std::uint32_t>& colours = mesh.corner_colours;
  colours.resize(mesh.corners.size(), white);
  colours.insert(colours.end(), more.corner_colours.begin(), more.corner_colours.end());
  colours.resize(mesh.corners.size() + more.corners.size(), white);
}

// `more` behind `mesh`. Material 0 is the default of both, unless one has colours of its own beside
// which it is white.
void append(Mesh& mesh, Mesh&& more) {
  const bool same_default = mesh.corner_colours.empty() == more.corner_colours.empty();
  const std::size_t first_material = same_default ? 1 : 0;
  const auto material_offset = static_cast<std::uint32_t>(mesh.materials.size() - first_material);
  const auto texture_offset = static_cast<std::uint32_t>(mesh.textures.size());
  append_colours(mesh, more);
  mesh.corners.insert(mesh.corners.end(), more.corners.begin(), more.corners.end());
  mesh.points.insert(mesh.points.end(), more.points.begin(), more.points.end());
  mesh.line_ends.insert(mesh.line_ends.end(), more.line_ends.begin(), more.line_ends.end());
  const auto moved = [=](std::uint32_t material) {
    return material < first_material ? 0 : material + material_offset;
  };
  for (const std::uint32_t material : more.triangle_material)
    mesh.triangle_material.push_back(moved(material));
  // Patches stand for all triangles, or there are none.
  if (mesh.patches.empty() || more.patches.empty()) {
    mesh.patches.clear();
    mesh.patch_material.clear();
  } else {
    mesh.patches.insert(mesh.patches.end(), more.patches.begin(), more.patches.end());
    for (const std::uint32_t material : more.patch_material)
      mesh.patch_material.push_back(moved(material));
  }
  for (std::size_t i = first_material; i < more.materials.size(); ++i) {
    Material material = std::move(more.materials[i]);
    if (material.texture != Material::no_texture) material.texture += texture_offset;
    mesh.materials.push_back(std::move(material));
  }
  for (Image& image : more.textures) mesh.textures.push_back(std::move(image));
  for (const std::string& warning : more.warnings)
    mesh.warnings.push_back(more.name + ": " + warning);
  mesh.dropped_faces += more.dropped_faces;
  mesh.first_view.reset();
  mesh.name += " + " + more.name;
}

// Products of three floats may be too large or too small for one.
struct Wide {
  double x, y, z;

  Wide cross(const Wide& b) const {
    return {y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x};
  }
};
struct Columns {
  Wide x, y, z;

  explicit Columns(const std::array<float, 12>& m)
      : x{m[0], m[4], m[8]}, y{m[1], m[5], m[9]}, z{m[2], m[6], m[10]} {}
};

// Error where a picture of filled paths is not what is wanted.
void refuse_picture(const SceneDescription& description, const MeshSource& file) {
  const SceneKind& kind = kind_of(description);
  if (!kind.draws_pictures) {
    const auto& kinds = scene_kinds();
    const auto other = std::find_if(kinds.begin(), kinds.end(),
                                    [](const SceneKind& one) { return one.draws_pictures; });
    throw Error(
        file.spec,
        fmt::format("it is a picture of filled paths, but the scene {} takes meshes", kind.name),
        fmt::format("Open it in the scene {}: Scene > {}, or \"warpview {} FILE\"", other->name,
                    other->title, other->name));
  }
  if (description.files.size() > 1)
    throw Error(file.spec, "a picture of filled paths cannot be combined with other files",
                "Open one at a time");
  if (!file.transform.is_identity())
    throw Error(file.spec, "a picture of filled paths cannot have a transform",
                "Move the camera instead, or leave the transform out");
}

}  // namespace

Vec3 Transform::point(Vec3 p) const {
  return {m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3], m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7],
          m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11]};
}

Vec3 Transform::normal(Vec3 n) const {
  // The cofactors are the inverse transpose times the determinant, whose sign matters.
  const Columns columns(m);
  const Wide a = columns.y.cross(columns.z);
  const Wide b = columns.z.cross(columns.x);
  const Wide c = columns.x.cross(columns.y);
  const Wide moved = {a.x * n.x + b.x * n.y + c.x * n.z, a.y * n.x + b.y * n.y + c.y * n.z,
                      a.z * n.x + b.z * n.y + c.z * n.z};
  const double length = std::hypot(moved.x, moved.y, moved.z) * (mirrors() ? -1.0 : 1.0);
  if (length == 0.0) return n;
  // Adding 0 makes -0 positive.
  return {static_cast<float>(moved.x / length) + 0.0F, static_cast<float>(moved.y / length) + 0.0F,
          static_cast<float>(moved.z / length) + 0.0F};
}

double Transform::determinant() const {
  const Columns columns(m);
  const Wide normal = columns.x.cross(columns.y);
  return normal.x * columns.z.x + normal.y * columns.z.y + normal.z * columns.z.z;
}

std::string SceneDescription::spec() const {
  const SceneKind& first = scene_kinds().front();
  std::string words = scene == first.name ? "" : scene;
  const SceneKind* const kind = find_scene_kind(scene);
  if (kind && kind->size_control)
    for (const auto& [name, value] : controls)
      if (name == kind->size_control) words = fmt::format("{}:{}", scene, value);
  for (const MeshSource& file : files)
    words += fmt::format("{}{}", words.empty() ? "" : " ", file.spec);
  return words.empty() ? first.name : words;
}

SceneDescription describe_scene(const std::vector<std::string>& words) {
  SceneDescription description;
  auto word = words.begin();
  if (word != words.end()) {
    const std::size_t colon = word->find(':');
    const std::string name = word->substr(0, colon);
    if (const SceneKind* kind = find_scene_kind(name)) {
      description.scene = name;
      if (colon != std::string::npos) {
        const std::string size = word->substr(colon + 1);
        if (!kind->size_control)
          throw Error(*word, fmt::format("the scene {} has no size", name),
                      fmt::format("It is written {}", kind->usage));
        Controls(kind->controls).set(fmt::format("{}={}", kind->size_control, size));
        description.controls.emplace_back(kind->size_control, size);
      }
      ++word;
    }
  }
  for (; word != words.end(); ++word) description.files.push_back({*word});
  return description;
}

bool is_scene_file(std::string_view spec) {
  constexpr std::string_view ending = ".json";
  return spec.size() > ending.size() && spec.substr(spec.size() - ending.size()) == ending;
}

bool is_made_for(const SceneKind& kind, std::string_view spec) {
  const auto all = scene_kinds();
  const bool is_picture =
      is_svg(spec) || std::any_of(all.begin(), all.end(), [spec](const SceneKind& each) {
        return each.draws_pictures && spec == each.own_mesh;
      });
  return is_picture == kind.draws_pictures;
}

const SceneKind& kind_of(const SceneDescription& description) {
  if (description.scene.empty()) {
    for (const SceneKind& kind : scene_kinds())
      if (!description.files.empty() && is_made_for(kind, description.files.front().spec))
        return kind;
    return scene_kinds().front();
  }
  if (const SceneKind* kind = find_scene_kind(description.scene)) return *kind;
  const std::vector<std::string_view> names = names_of_scenes();
  throw Error(fmt::format("scene \"{}\"", shortened(description.scene)), "there is no such scene",
              fmt::format("{}There are {}", did_you_mean(description.scene, names),
                          fmt::join(names, ", ")));
}

Controls controls_of(const SceneDescription& description) {
  Controls controls = kind_of(description).initial_controls();
  for (const auto& [name, value] : description.controls) controls.set(name, value);
  return controls;
}

MeshOptions mesh_options(const Controls& controls) {
  MeshOptions options;
  for (std::size_t i = 0; i < controls.size(); ++i)
    if (controls.all()[i].name == std::string_view(crease_control.name))
      options.crease = controls.value(i);
  return options;
}

Mesh load_meshes(const SceneDescription& description, LoadControl& control,
                 const LoadLimits& limits, const MeshOptions& options) {
  for (const MeshSource& file : description.files)
    if (is_scene_file(file.spec))
      throw Error(file.spec,
                  "a scene file cannot be combined with other files, nor name another scene file",
                  "Name the meshes themselves");
  if (description.files.empty())
    return open_mesh(std::string(kind_of(description).own_mesh), control, limits, options);
  const auto count = static_cast<float>(description.files.size());
  const auto open = [&](std::size_t i) {
    const LoadControl::Part part(control, static_cast<float>(i) / count,
                                 static_cast<float>(i + 1) / count);
    refuse_misspelt_scene(description.files[i].spec);
    Mesh mesh = open_mesh(description.files[i].spec, control, limits, options);
    if (mesh.is_picture()) refuse_picture(description, description.files[i]);
    transform_mesh(mesh, description.files[i].transform);
    return mesh;
  };
  Mesh mesh = open(0);
  if (description.files.size() > 1)
    for (std::string& warning : mesh.warnings) warning.insert(0, mesh.name + ": ");
  const std::string all = description.spec();
  for (std::size_t i = 1; i < description.files.size(); ++i) {
    Mesh more = open(i);
    limits.require_corners(all, mesh.corners.size() + more.corners.size());
    limits.require_corners(all, mesh.points.size() + more.points.size() + mesh.line_ends.size() +
                                    more.line_ends.size());
    append(mesh, std::move(more));
  }
  return mesh;
}

}  // namespace warpview
