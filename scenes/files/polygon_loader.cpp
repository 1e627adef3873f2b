#include "scenes/files/polygon_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <thread>
#include <utility>

#include "scenes/files/materials.h"
#include "scenes/files/triangulate.h"

namespace warpview {
namespace {

// Shares of the progress, about as the time goes.
constexpr double parse_share = 0.8;
constexpr double material_share = 0.05;
constexpr double of_shapes = 0.87;   // what is done when normals begin to be computed
constexpr double of_normals = 0.92;  // and when they are

// More threads than this gain nothing: a file comes to them from one that reads it.
constexpr unsigned most_threads = 16;

// Any direction where the face has no area.
Vec3 normal_of_face(std::span<const Vec3> polygon) {
  const Vec3 normal = normalized(area_normal(polygon));
  return is_missing(normal) ? Vec3{0.0F, 0.0F, 1.0F} : normal;
}

}  // namespace

PolygonLoader::PolygonLoader(const std::filesystem::path& path, LoadControl& control,
                             const LoadLimits& limits, const MeshOptions& options,
                             PolygonTroubles::Unit unit)
    : path_(path),
      control_(control),
      limits_(limits),
      options_(options),
      crew_(std::clamp(std::thread::hardware_concurrency(), 1U, most_threads)) {
  troubles_.unit = unit;
}

void PolygonLoader::count(const PolygonBlock& block) {
  bytes_ += block.bytes();
  triangles_ += block.triangles;
  for (const PolygonBlock::Element& element : block.elements)
    places_ += PolygonElements::places(element.kind, element.vertices);
  if (block.colours.any()) has_colours_ = true;
}

void PolygonLoader::require_limits() const {
  limits_.require_corners(path_.string(), 3 * triangles_);
  limits_.require_corners(path_.string(), places_);
  limits_.require_memory(path_.string(), bytes_needed(false));
}

void PolygonLoader::report_read(double fraction) {
  require_limits();
  report(parse_share * fraction);
}

void PolygonLoader::throw_changed() const {
  throw Error(path_.string(), "it changed while it was read, and nothing drawable was found",
              "Open it again when it is complete");
}

void PolygonLoader::require_something(const Mesh& mesh) const {
  if (troubles_.file_has_changed && mesh.triangle_count() == 0 && mesh.points.empty() &&
      mesh.line_ends.empty())
    throw_changed();
}

// ---- From blocks to the whole file --------------------------------------------------------------

// What stands before a block in the file.
struct PolygonLoader::Before {
  std::size_t positions = 0, normals = 0, texcoords = 0, corners = 0, faces = 0, triangles = 0;
  std::uint64_t lines = 0;
  std::uint32_t material = 0;                 // in use
  std::vector<std::uint32_t> materials = {};  // of all blocks, by those of this one

  std::uint32_t of_all(std::uint32_t of_block) const {
    return of_block == PolygonBlock::keeps_material ? material : materials[of_block - 1];
  }
};

// Makes one of the blocks, and gives their memory back.
void PolygonLoader::put_together() {
  std::vector<Before> before(blocks_.size());
  Before all;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const PolygonBlock& block = blocks_[b];
    before[b] = all;
    for (const std::string& name : block.materials)
      before[b].materials.push_back(number_of_material(name));
    take_the_rest(block, before[b]);
    PolygonPart& part = faces_.parts.emplace_back();
    part.face = all.faces;
    part.faces = block.faces.size();
    part.corner = all.corners;
    part.corners = block.corners.size();
    all.material = before[b].of_all(block.last_material);
    all.positions += block.positions.size();
    all.normals += block.normals.size();
    all.texcoords += block.texcoords.size();
    all.corners += block.corners.size();
    all.faces += block.faces.size();
    all.lines += block.lines;
  }
  for (const std::size_t vertices : {all.positions, all.normals, all.texcoords})
    if (vertices > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      throw Error(path_.string(), "too many vertices for 32-bit indices", "Split the mesh");
  vertices_.positions.resize(all.positions);
  vertices_.normals.resize(all.normals);
  vertices_.texcoords.resize(all.texcoords);
  faces_.corners.resize(all.corners);
  faces_.faces.resize(all.faces);
  crew_.for_each(blocks_.size(), [&](std::size_t b) { copy(blocks_[b], before[b]); });
  blocks_.clear();
}

std::uint32_t PolygonLoader::number_of_material(const std::string& name) {
  const auto next = static_cast<std::uint32_t>(material_names_.size() + 1);
  const auto [entry, is_new] = material_of_name_.try_emplace(name, next);
  if (is_new) material_names_.push_back(name);
  return entry->second;
}

// What there is little of.
void PolygonLoader::take_the_rest(const PolygonBlock& block, const Before& before) {
  colours_.add(before.positions, block.positions.size(), block.colours);
  std::size_t first = 0;
  for (const PolygonBlock::Element& element : block.elements) {
    elements_.add(element.kind, std::span(block.element_vertices).subspan(first, element.vertices),
                  before.positions + element.so_far, before.of_all(element.material),
                  before.lines + element.where);
    first += element.vertices;
  }
  libraries_.insert(libraries_.end(), block.libraries.begin(), block.libraries.end());
  troubles_.add(block, before.lines);
}

void PolygonLoader::copy(PolygonBlock& block, const Before& before) {
  const auto put = [](const auto& from, auto& to, std::size_t at) {
    std::copy(from.begin(), from.end(), to.begin() + static_cast<std::ptrdiff_t>(at));
  };
  const auto from_all = [](std::size_t so_far, std::int32_t& index) {
    const std::int64_t whole = static_cast<std::int64_t>(so_far) + index;
    index = whole >= 0 ? static_cast<std::int32_t>(whole) : beyond_any_range;
  };
  for (const std::uint32_t place : block.relative) {
    CornerIndices& corner = block.corners[place / 3];
    if (place % 3 == 0) from_all(before.positions, corner.position);
    if (place % 3 == 1) from_all(before.normals, corner.normal);
    if (place % 3 == 2) from_all(before.texcoords, corner.texcoord);
  }
  for (PolygonFace& face : block.faces) {
    face.material = before.of_all(face.material);
    face.where = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        before.lines + face.where, std::numeric_limits<std::uint32_t>::max()));
  }
  put(block.positions, vertices_.positions, before.positions);
  put(block.normals, vertices_.normals, before.normals);
  put(block.texcoords, vertices_.texcoords, before.texcoords);
  put(block.corners, faces_.corners, before.corners);
  put(block.faces, faces_.faces, before.faces);
  block = {};
}

// ---- Making -------------------------------------------------------------------------------------

Mesh PolygonLoader::make_mesh(bool file_has_changed) {
  troubles_.file_has_changed = file_has_changed;
  require_limits();
  put_together();
  Mesh mesh;
  mesh.name = path_.stem().string();
  mesh.file = path_;
  faces_.drop_bad(vertices_, crew_, troubles_);
  triangles_ = faces_.triangles();
  lacks_normals_ = faces_.lack_normals();
  mesh.dropped_faces = troubles_.dropped_faces.count;
  control_.report(static_cast<float>(parse_share));

  control_.begin_phase("reading materials and textures");
  LoadLimits beside = limits_;  // what the triangles will take
  beside.memory -= std::min(beside.memory, bytes_needed(lacks_normals_));
  const std::vector<std::uint32_t> materials =
      load_materials(path_, {libraries_, material_names_}, control_, beside, mesh, warnings_);
  // Where a file has colours of its own, what names no material is of no other.
  if (colours_.any()) mesh.materials.front().diffuse = {1.0F, 1.0F, 1.0F};
  control_.report(static_cast<float>(parse_share + material_share));

  control_.begin_phase("making triangles");
  limits_.require_memory(path_.string(), bytes_needed(lacks_normals_));
  if (lacks_normals_) compute_normals();
  make_triangles(materials, mesh);
  elements_.make(vertices_.positions, colours_, materials, mesh);
  require_something(mesh);
  troubles_.dropped_elements = elements_.dropped();
  if (faces_.faces.empty() && elements_.empty())
    troubles_.lone_vertices = vertices_.positions.size();
  troubles_.warn(warnings_);
  if (std::string remark = colours_.remark(); !remark.empty())
    warnings_.add(Weight::remark, std::move(remark));
  mesh.warnings = warnings_.take();
  return mesh;
}

// At the peak, for what has been read so far.
std::uint64_t PolygonLoader::bytes_needed(bool with_computed_normals) const {
  const std::uint64_t together = bytes_held(vertices_.positions) + bytes_held(vertices_.normals) +
                                 bytes_held(vertices_.texcoords) + bytes_held(faces_.corners) +
                                 bytes_held(faces_.faces) + colours_.bytes() + elements_.bytes();
  const std::uint64_t parsed = std::max<std::uint64_t>(together, bytes_);
  const std::uint64_t computed =
      with_computed_normals ? creased_normals_bytes(vertices_.positions.size(),
                                                    faces_.corners.size(), faces_.faces.size())
                            : 0;
  const std::uint64_t corner = sizeof(Vertex) + (has_colours_ ? sizeof(std::uint32_t) : 0);
  return parsed + computed + triangles_ * (3 * corner + sizeof(std::uint32_t)) +
         places_ * sizeof(ColouredPoint);
}

// work(part) for all of them; reports progress over the given range.
template <class Work>
void PolygonLoader::for_each_part(double progress_from, double progress_to, Work work) {
  const auto parts = static_cast<double>(faces_.parts.size());
  crew_.for_each(
      faces_.parts.size(), [&](std::size_t p) { work(faces_.parts[p]); },
      [&](std::size_t done) {
        report(progress_from + (progress_to - progress_from) * static_cast<double>(done) / parts);
      });
}

void PolygonLoader::compute_normals() {
  HostArray<FaceShape> shapes(faces_.faces.size());
  for_each_part(parse_share + material_share, of_shapes, [&](const PolygonPart& part) {
    const auto shape = [&shapes](std::size_t face, std::size_t first,
                                 std::span<const CornerIndices> corners,
                                 std::span<const Vec3> polygon) {
      shapes[face] = {area_normal(polygon), static_cast<std::uint32_t>(first),
                      static_cast<std::uint32_t>(corners.size())};
    };
    faces_.for_each(part, vertices_.positions, shape);
  });
  computed_normals_ =
      creased_normals(vertices_.positions.size(), faces_.corners, shapes, options_.crease, crew_,
                      [this](double done) { report(of_shapes + (of_normals - of_shapes) * done); });
}

// The given normal, else the computed one, else the face's.
Vec3 PolygonLoader::normal_of(const CornerIndices& corner, Vec3 face_normal) const {
  if (vertices_.has_normal(corner))
    return vertices_.normals[static_cast<std::size_t>(corner.normal)];
  const Vec3 smooth = computed_normals_[static_cast<std::size_t>(&corner - faces_.corners.data())];
  return is_missing(smooth) ? face_normal : smooth;
}

void PolygonLoader::make_triangles(const std::vector<std::uint32_t>& materials, Mesh& mesh) {
  mesh.corners.resize(3 * triangles_);
  mesh.triangle_material.resize(triangles_);
  if (colours_.any()) mesh.corner_colours.resize(3 * triangles_);
  for_each_part(of_normals, 0.99,
                [&](PolygonPart& part) { make_triangles(part, materials, mesh); });
  for (const PolygonPart& part : faces_.parts) troubles_.given_up_faces.add(part.given_up);
}

void PolygonLoader::make_triangles(PolygonPart& part, const std::vector<std::uint32_t>& materials,
                                   Mesh& mesh) const {
  Triangulator triangulate;
  std::vector<std::uint32_t> triangles;
  std::vector<Vertex> vertices;
  std::size_t next = 3 * part.triangle;
  const auto cut = [&](std::size_t f, std::size_t, std::span<const CornerIndices> corners,
                       std::span<const Vec3> polygon) {
    const PolygonFace& face = faces_.faces[f];
    const Vec3 face_normal = lacks_normals_ ? normal_of_face(polygon) : Vec3{};
    vertices.clear();
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const std::int32_t t = corners[i].texcoord;
      vertices.push_back({polygon[i], normal_of(corners[i], face_normal),
                          t == absent_index ? Vec2{0.0F, 0.0F}
                                            : vertices_.texcoords[static_cast<std::size_t>(t)]});
    }
    triangles.clear();
    if (!triangulate(polygon, triangles)) part.given_up.add(face.where);
    std::fill_n(&mesh.triangle_material[next / 3], triangles.size() / 3,
                face.material == 0 ? 0 : materials[face.material - 1]);
    for (const std::uint32_t corner : triangles) {
      if (colours_.any())
        mesh.corner_colours[next] = colours_.at(static_cast<std::size_t>(corners[corner].position));
      mesh.corners[next++] = vertices[corner];
    }
  };
  faces_.for_each(part, vertices_.positions, cut);
}

}  // namespace warpview
