#include "scenes/files/obj_loader.h"

#include <fmt/format.h>
#include <tiny_obj_loader.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <istream>
#include <limits>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scenes/files/materials.h"
#include "scenes/files/normals.h"
#include "scenes/files/obj_elements.h"
#include "scenes/files/obj_lines.h"
#include "scenes/files/triangulate.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

// Peak host memory over file size, as measured: 1.6 for a triangle mesh with positions, normals and
// texture coordinates, 4.3 with positions alone, 20 where a million faces share a few vertices. The
// estimate before reading takes the smallest, so that no file that fits is refused; what is really
// needed is checked while reading, and again before the corners are made.
constexpr double memory_per_file_byte = 1.6;

// Shares of the progress, about as the time goes.
constexpr double parse_share = 0.8;
constexpr double material_share = 0.05;
constexpr double of_shapes = 0.87;   // what is done when normals begin to be computed
constexpr double of_normals = 0.92;  // and when they are

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

struct Face {
  std::uint32_t corners;   // how many
  std::uint32_t material;  // 0 for none, else 1 + index of its name
  std::uint32_t line;
};

template <class T>
std::uint64_t bytes_held(const std::vector<T>& v) {
  return v.capacity() * sizeof(T);
}

// -0 becomes 0.
Vec3 without_negative_zero(Vec3 v) { return v + Vec3{0.0F, 0.0F, 0.0F}; }

bool is_finite(Vec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

bool is_zero(Vec3 v) { return v.x == 0.0F && v.y == 0.0F && v.z == 0.0F; }

// Any direction where the face has no area.
Vec3 normal_of_face(std::span<const Vec3> polygon) {
  const Vec3 normal = normalized(area_normal(polygon));
  return is_zero(normal) ? Vec3{0.0F, 0.0F, 1.0F} : normal;
}

InputFile opened(const fs::path& path, const LoadControl& control) {
  control.begin_file(path);
  return InputFile(path);
}

// One load, in the order of the public functions.
class ObjLoader {
 public:
  ObjLoader(const fs::path& path, LoadControl& control, const LoadLimits& limits,
            const MeshOptions& options)
      : path_(path),
        control_(control),
        limits_(limits),
        options_(options),
        lines_(
            opened(path, control), [this](double fraction) { after_block(fraction); },
            [this](ObjLines::Element kind, std::span<const int> vertices) {
              add_element(kind, vertices);
            }) {}

  // Reads the file through tinyobjloader's callbacks.
  void parse() {
    control_.begin_phase("reading the file");
    limits_.require_memory(
        path_.string(),
        static_cast<std::uint64_t>(memory_per_file_byte * static_cast<double>(lines_.file_size())));
    tinyobj::callback_t callbacks;
    callbacks.vertex_cb = [](void* self, float x, float y, float z, float) {
      static_cast<ObjLoader*>(self)->add_position({x, y, z});
    };
    callbacks.normal_cb = [](void* self, float x, float y, float z) {
      static_cast<ObjLoader*>(self)->add_normal({x, y, z});
    };
    callbacks.texcoord_cb = [](void* self, float u, float v, float) {
      static_cast<ObjLoader*>(self)->add_texcoord({u, v});
    };
    callbacks.index_cb = [](void* self, tinyobj::index_t* corners, int count) {
      static_cast<ObjLoader*>(self)->add_face({corners, static_cast<std::size_t>(count)});
    };
    callbacks.usemtl_cb = [](void* self, const char* name, int) {
      static_cast<ObjLoader*>(self)->use_material(trimmed(name));
    };
    std::istream stream(&lines_);
    stream.exceptions(std::ios::badbit);  // lets exceptions of `lines_` through
    tinyobj::LoadObjWithCallback(stream, callbacks, this);
    lines_.require_statements();
  }

  Mesh make_mesh() {
    Mesh mesh;
    mesh.name = path_.stem().string();
    mesh.file = path_;
    drop_bad_faces(mesh);
    control_.report(static_cast<float>(parse_share));

    control_.begin_phase("reading materials and textures");
    LoadLimits beside = limits_;  // what the triangles will take
    beside.memory -= std::min(beside.memory, bytes_needed(lacks_normals_));
    const std::vector<std::uint32_t> materials = load_materials(
        path_, {lines_.material_libraries(), material_names_}, control_, beside, mesh);
    // Where a file has colours of its own, what names no material is of no other.
    if (colours_.any()) mesh.materials.front().diffuse = {1.0F, 1.0F, 1.0F};
    control_.report(static_cast<float>(parse_share + material_share));

    control_.begin_phase("making triangles");
    limits_.require_memory(path_.string(), bytes_needed(lacks_normals_));
    if (lacks_normals_) compute_normals();
    make_triangles(materials, mesh);
    elements_.make(positions_, colours_, materials, mesh);
    warn(mesh);
    return mesh;
  }

 private:
  void add_position(Vec3 p) {
    require_room(positions_.size());
    colours_.add(positions_.size(), lines_.colour());
    if (lines_.lacks_a_number() || !is_finite(p)) {
      bad_positions_.add(lines_.line_number());
      positions_.push_back({nan, nan, nan});
    } else {
      positions_.push_back(without_negative_zero(p));
    }
  }

  void add_normal(Vec3 n) {
    require_room(normals_.size());
    if (lines_.lacks_a_number() || !is_finite(n)) {
      bad_normals_.add(lines_.line_number());
      n = {0.0F, 0.0F, 0.0F};
    }
    normals_.push_back(normalized({n.x, n.y, n.z}));
  }

  void add_texcoord(Vec2 t) {
    require_room(texcoords_.size());
    if (lines_.lacks_a_number() || !std::isfinite(t.x) || !std::isfinite(t.y)) {
      bad_texcoords_.add(lines_.line_number());
      t = {0.0F, 0.0F};
    }
    texcoords_.push_back({t.x + 0.0F, t.y + 0.0F});  // -0 becomes 0
  }

  void require_room(std::size_t size) const {
    if (size < static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) return;
    throw Error(lines_.here(), "more vertices than indices of 32 bits can name", "Split the mesh");
  }

  void add_face(std::span<const tinyobj::index_t> corners) {
    for (const tinyobj::index_t& corner : corners)
      corners_.push_back({resolve_obj_index(corner.vertex_index, positions_.size()),
                          resolve_obj_index(corner.normal_index, normals_.size()),
                          resolve_obj_index(corner.texcoord_index, texcoords_.size())});
    const auto line = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(lines_.line_number(), std::numeric_limits<std::uint32_t>::max()));
    faces_.push_back({static_cast<std::uint32_t>(corners.size()), material_, line});
    triangles_ += corners.size() - 2;
    limits_.require_corners(path_.string(), 3 * triangles_);
  }

  void add_element(ObjLines::Element kind, std::span<const int> vertices) {
    elements_.add(kind, vertices, positions_.size(), material_, lines_.line_number());
    limits_.require_corners(path_.string(), elements_.places());
  }

  void use_material(std::string_view name) {
    const auto next = static_cast<std::uint32_t>(material_names_.size() + 1);
    const auto [entry, is_new] = material_of_name_.try_emplace(std::string(name), next);
    if (is_new) material_names_.emplace_back(name);
    material_ = entry->second;
  }

  void after_block(double fraction) {
    limits_.require_memory(path_.string(), bytes_needed(false));
    control_.report(static_cast<float>(parse_share * fraction));
  }

  // At the peak, for what has been read so far.
  std::uint64_t bytes_needed(bool with_computed_normals) const {
    const std::uint64_t parsed = bytes_held(positions_) + bytes_held(normals_) +
                                 bytes_held(texcoords_) + bytes_held(corners_) +
                                 bytes_held(faces_) + colours_.bytes() + elements_.bytes();
    const std::uint64_t computed =
        with_computed_normals
            ? creased_normals_bytes(positions_.size(), corners_.size(), faces_.size())
            : 0;
    const std::uint64_t corner = sizeof(Vertex) + (colours_.any() ? sizeof(std::uint32_t) : 0);
    return parsed + computed + triangles_ * (3 * corner + sizeof(std::uint32_t)) +
           elements_.places() * sizeof(ColouredPoint);
  }

  bool is_valid(const CornerIndices& corner) const {
    const auto in_range = [](std::int32_t index, std::size_t count) {
      return index >= 0 && static_cast<std::size_t>(index) < count;
    };
    return in_range(corner.position, positions_.size()) &&
           (corner.normal == absent_index || in_range(corner.normal, normals_.size())) &&
           (corner.texcoord == absent_index || in_range(corner.texcoord, texcoords_.size()));
  }

  bool has_normal(const CornerIndices& corner) const {
    return corner.normal != absent_index &&
           !is_zero(normals_[static_cast<std::size_t>(corner.normal)]);
  }

  // Faces may come before their vertices, so indices are checked when all is read. Only good faces
  // stay in faces_ and corners_.
  void drop_bad_faces(Mesh& mesh) {
    Occurrences dropped = lines_.malformed_faces();
    std::size_t read = 0;
    std::size_t kept_corners = 0;
    std::size_t kept_faces = 0;
    triangles_ = 0;
    for (const Face face : faces_) {
      const std::span<const CornerIndices> corners(corners_.data() + read, face.corners);
      read += face.corners;
      if (!std::all_of(corners.begin(), corners.end(),
                       [this](const CornerIndices& c) { return is_valid(c); })) {
        dropped.add(face.line);
        continue;
      }
      for (const CornerIndices& corner : corners) {
        lacks_normals_ = lacks_normals_ || !has_normal(corner);
        corners_[kept_corners++] = corner;
      }
      faces_[kept_faces++] = face;
      triangles_ += face.corners - 2;
    }
    corners_.resize(kept_corners);
    faces_.resize(kept_faces);
    mesh.dropped_faces = dropped.count;
    if (dropped.count > 0)
      mesh.warnings.push_back(fmt::format(
          "{} dropped, the first in line {}: an index that is missing, malformed or out "
          "of range, or fewer than three corners",
          counted(dropped.count, "face", "faces"), dropped.first_line));
  }

  // Calls visit(face, its corners, their positions) for each face; reports progress over the given
  // range.
  template <class Visit>
  void for_each_face(double progress_from, double progress_to, Visit visit) {
    constexpr std::size_t faces_per_report = 16384;
    std::vector<Vec3> polygon;
    std::size_t first = 0;
    for (std::size_t i = 0; i < faces_.size(); ++i) {
      const Face& face = faces_[i];
      const std::span<const CornerIndices> corners(corners_.data() + first, face.corners);
      first += face.corners;
      polygon.clear();
      for (const CornerIndices& corner : corners)
        polygon.push_back(positions_[static_cast<std::size_t>(corner.position)]);
      visit(face, corners, std::span<const Vec3>(polygon));
      if (i % faces_per_report == 0 || face.corners > faces_per_report) {
        const double fraction = static_cast<double>(i) / static_cast<double>(faces_.size());
        control_.report(
            static_cast<float>(progress_from + (progress_to - progress_from) * fraction));
      }
    }
  }

  void compute_normals() {
    std::vector<FaceShape> shapes;
    shapes.reserve(faces_.size());
    std::uint32_t first = 0;
    for_each_face(
        parse_share + material_share, of_shapes,
        [&](const Face& face, std::span<const CornerIndices>, std::span<const Vec3> polygon) {
          shapes.push_back({area_normal(polygon), first, face.corners});
          first += face.corners;
        });
    computed_normals_ =
        creased_normals(positions_.size(), corners_, shapes, options_.crease, [this](double done) {
          control_.report(static_cast<float>(of_shapes + (of_normals - of_shapes) * done));
        });
  }

  // The given normal, else the computed one, else the face's.
  Vec3 normal_of(const CornerIndices& corner, Vec3 face_normal) const {
    if (has_normal(corner)) return normals_[static_cast<std::size_t>(corner.normal)];
    const Vec3 smooth = computed_normals_[static_cast<std::size_t>(&corner - corners_.data())];
    return is_zero(smooth) ? face_normal : smooth;
  }

  void make_triangles(const std::vector<std::uint32_t>& materials, Mesh& mesh) {
    mesh.corners.reserve(3 * triangles_);
    mesh.triangle_material.reserve(triangles_);
    if (colours_.any()) mesh.corner_colours.reserve(3 * triangles_);
    Triangulator triangulate;
    std::vector<std::uint32_t> triangles;
    std::vector<Vertex> vertices;
    for_each_face(
        of_normals, 0.99,
        [&](const Face& face, std::span<const CornerIndices> corners,
            std::span<const Vec3> polygon) {
          const Vec3 face_normal = lacks_normals_ ? normal_of_face(polygon) : Vec3{};
          vertices.clear();
          for (std::size_t i = 0; i < corners.size(); ++i) {
            const std::int32_t t = corners[i].texcoord;
            vertices.push_back(
                {polygon[i], normal_of(corners[i], face_normal),
                 t == absent_index ? Vec2{0.0F, 0.0F} : texcoords_[static_cast<std::size_t>(t)]});
          }
          triangles.clear();
          if (!triangulate(polygon, triangles)) given_up_.add(face.line);
          for (const std::uint32_t corner : triangles) mesh.corners.push_back(vertices[corner]);
          if (colours_.any())
            for (const std::uint32_t corner : triangles)
              mesh.corner_colours.push_back(
                  colours_.at(static_cast<std::size_t>(corners[corner].position)));
          mesh.triangle_material.insert(mesh.triangle_material.end(), triangles.size() / 3,
                                        face.material == 0 ? 0 : materials[face.material - 1]);
        });
  }

  void warn(Mesh& mesh) const {
    const auto say = [&mesh](const Occurrences& what, const char* one, const char* several,
                             const char* consequence) {
      if (what.count > 0)
        mesh.warnings.push_back(fmt::format("{}, the first in line {}; {}",
                                            counted(what.count, one, several), what.first_line,
                                            consequence));
    };
    say(lines_.foreign_lines(), "line that is no statement known here",
        "lines that are no statements known here", "left out");
    say(bad_positions_, "vertex without three finite coordinates",
        "vertices without three finite coordinates", "triangles that use them are dropped");
    say(bad_normals_, "normal without three finite numbers", "normals without three finite numbers",
        "computed ones stand in");
    say(bad_texcoords_, "texture coordinate that is no finite number",
        "texture coordinates that are no finite numbers", "0 stands in");
    say(lines_.malformed_colours(), "vertex colour without three finite numbers",
        "vertex colours without three finite numbers", "white stands in");
    if (const std::string remark = colours_.remark(); !remark.empty())
      mesh.warnings.push_back(remark);
    say(lines_.malformed_elements(), "malformed point or line", "malformed points or lines",
        "left out");
    say(elements_.dropped(), "point or line with an index out of range or a vertex not finite",
        "points or lines with an index out of range or a vertex not finite", "left out");
    if (faces_.empty() && elements_.empty() && !positions_.empty())
      mesh.warnings.push_back(fmt::format("{} and neither a face, a line nor a point",
                                          counted(positions_.size(), "vertex", "vertices")));
    say(given_up_, "face with too many corners to cut well",
        "faces with too many corners to cut well", "triangulate the mesh where it was made");
  }

  const fs::path& path_;
  LoadControl& control_;
  const LoadLimits& limits_;
  const MeshOptions& options_;

  // As read.
  std::vector<Vec3> positions_;
  std::vector<Vec3> normals_;  // length 1, or 0 for one that counts as missing
  std::vector<Vec2> texcoords_;
  std::vector<CornerIndices> corners_;  // of all faces, one after the other
  std::vector<Face> faces_;
  std::uint64_t triangles_ = 0;  // that faces_ are cut into
  std::uint32_t material_ = 0;   // in use, numbered as in Face
  std::vector<std::string> material_names_;
  std::unordered_map<std::string, std::uint32_t> material_of_name_;
  ObjColours colours_;
  ObjElements elements_;
  Occurrences bad_positions_;
  Occurrences bad_normals_;
  Occurrences bad_texcoords_;
  Occurrences given_up_;

  bool lacks_normals_ = false;
  std::vector<Vec3> computed_normals_;  // by corner; 0: there is none

  ObjLines lines_;
};

}  // namespace

Mesh load_obj(const fs::path& path, LoadControl& control, const LoadLimits& limits,
              const MeshOptions& options) {
  try {
    ObjLoader loader(path, control, limits, options);
    loader.parse();
    Mesh mesh = loader.make_mesh();
    control.report(1.0F);
    return mesh;
  } catch (const std::bad_alloc&) {
    throw Error(path.string(), "the system gives no more memory for it",
                "Close other programs, split the mesh or reduce its number of faces");
  } catch (const std::length_error&) {
    throw Error(path.string(), "it is larger than any container", "Split the mesh");
  }
}

}  // namespace warpview
