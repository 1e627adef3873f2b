#include "scenes/files/obj_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <deque>
#include <limits>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gpu/runtime/cpu/crew.h"
#include "gpu/runtime/host_array.h"
#include "scenes/files/materials.h"
#include "scenes/files/normals.h"
#include "scenes/files/obj_block.h"
#include "scenes/files/obj_elements.h"
#include "scenes/files/triangulate.h"
#include "scenes/files/warnings.h"

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

// More threads than this gain nothing: a file comes to them from one that reads it.
constexpr unsigned most_threads = 16;
// Blocks read ahead for each reading thread.
constexpr std::size_t blocks_ahead = 2;

template <class Array>
std::uint64_t bytes_held(const Array& v) {
  return v.capacity() * sizeof(typename Array::value_type);
}

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

// The faces of one block, in the arrays of all.
struct Part {
  std::size_t face = 0, faces = 0;  // the first, and how many
  std::size_t corner = 0, corners = 0;
  std::size_t triangle = 0, triangles = 0;
  bool lacks_normals = false;
  Occurrences dropped;         // faces
  Occurrences bad_attributes;  // faces with an index of those that is not there
  Occurrences given_up;        // faces too hard to cut
};

// One load, in the order of the public functions. Threads share the work block by block.
class ObjLoader {
 public:
  ObjLoader(const fs::path& path, LoadControl& control, const LoadLimits& limits,
            const MeshOptions& options)
      : path_(path),
        control_(control),
        limits_(limits),
        options_(options),
        text_(opened(path, control), [this](double fraction) { after_read(fraction); }) {}

  // Reads the file.
  void parse() {
    control_.begin_phase("reading the file");
    limits_.require_memory(
        path_.string(),
        static_cast<std::uint64_t>(memory_per_file_byte * static_cast<double>(text_.file_size())));
    while (!is_no_text_) {
      std::optional<TextBlock> text = text_.next();
      if (!text) break;
      ObjBlock& block = blocks_.emplace_back();
      crew_.add(
          [this, &block, text = *std::move(text)]() mutable { read(block, std::move(text)); });
      while (crew_.waiting() > blocks_ahead * crew_.size()) crew_.help();
    }
    crew_.finish();
    has_changed_ = text_.file_has_changed();
    require_text();
    require_statements();
    require_limits();
    put_together();
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
    const std::vector<std::uint32_t> materials =
        load_materials(path_, {libraries_, material_names_}, control_, beside, mesh, warnings_);
    // Where a file has colours of its own, what names no material is of no other.
    if (colours_.any()) mesh.materials.front().diffuse = {1.0F, 1.0F, 1.0F};
    control_.report(static_cast<float>(parse_share + material_share));

    control_.begin_phase("making triangles");
    limits_.require_memory(path_.string(), bytes_needed(lacks_normals_));
    if (lacks_normals_) compute_normals();
    make_triangles(materials, mesh);
    elements_.make(positions_, colours_, materials, mesh);
    require_something(mesh);
    warn();
    mesh.warnings = warnings_.take();
    return mesh;
  }

 private:
  // ---- Reading

  void read(ObjBlock& block, TextBlock text) {
    block = read_obj_block(std::move(text));
    bytes_ += block.bytes();
    triangles_ += block.triangles;
    for (const ObjBlock::Element& element : block.elements)
      places_ += ObjElements::places(element.kind, element.vertices);
    if (block.colours.any()) has_colours_ = true;
    if (block.zero_line > 0) is_no_text_ = true;
  }

  void after_read(double fraction) {
    require_limits();
    control_.report(static_cast<float>(parse_share * fraction));
  }

  void require_limits() const {
    limits_.require_corners(path_.string(), 3 * triangles_);
    limits_.require_corners(path_.string(), places_);
    limits_.require_memory(path_.string(), bytes_needed(false));
  }

  void require_text() const {
    std::uint64_t lines = 0;
    for (const ObjBlock& block : blocks_) {
      if (block.zero_line > 0) throw_no_text(path_, lines + block.zero_line);
      lines += block.lines;
    }
  }

  void require_statements() {
    std::uint64_t lines = 0;
    std::uint64_t statements = 0;
    for (const ObjBlock& block : blocks_) {
      statements += block.statements;
      foreign_.add(block.foreign, lines);
      lines += block.lines;
    }
    if (statements > 0) return;
    if (has_changed_) throw_changed();
    const std::string where = foreign_.count > 0
                                  ? fmt::format("{}:{}", path_.string(), foreign_.first_line)
                                  : path_.string();
    throw Error(where,
                text_.bytes_read() == 0 ? "the file is empty"
                : foreign_.count > 0 ? "neither this line nor any other contains an OBJ statement"
                                     : "the file contains no OBJ statement",
                "Name a Wavefront OBJ file");
  }

  [[noreturn]] void throw_changed() const {
    throw Error(path_.string(), "it changed while it was read, and nothing drawable was found",
                "Open it again when it is complete");
  }
  void require_something(const Mesh& mesh) const {
    if (has_changed_ && mesh.triangle_count() == 0 && mesh.points.empty() && mesh.line_ends.empty())
      throw_changed();
  }

  // What stands before a block in the file.
  struct Before {
    std::size_t positions = 0, normals = 0, texcoords = 0, corners = 0, faces = 0, triangles = 0;
    std::uint64_t lines = 0;
    std::uint32_t material = 0;                 // in use
    std::vector<std::uint32_t> materials = {};  // of all blocks, by those of this one

    std::uint32_t of_all(std::uint32_t of_block) const {
      return of_block == ObjBlock::keeps_material ? material : materials[of_block - 1];
    }
  };

  // Makes one of the blocks, and gives their memory back.
  void put_together() {
    std::vector<Before> before(blocks_.size());
    Before all;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const ObjBlock& block = blocks_[b];
      before[b] = all;
      for (const std::string& name : block.materials)
        before[b].materials.push_back(number_of_material(name));
      take_the_rest(block, before[b]);
      Part& part = parts_.emplace_back();
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
    positions_.resize(all.positions);
    normals_.resize(all.normals);
    texcoords_.resize(all.texcoords);
    corners_.resize(all.corners);
    faces_.resize(all.faces);
    crew_.for_each(blocks_.size(), [&](std::size_t b) { copy(blocks_[b], before[b]); });
    blocks_.clear();
  }

  std::uint32_t number_of_material(const std::string& name) {
    const auto next = static_cast<std::uint32_t>(material_names_.size() + 1);
    const auto [entry, is_new] = material_of_name_.try_emplace(name, next);
    if (is_new) material_names_.push_back(name);
    return entry->second;
  }

  // What there is little of.
  void take_the_rest(const ObjBlock& block, const Before& before) {
    colours_.add(before.positions, block.positions.size(), block.colours);
    std::size_t first = 0;
    for (const ObjBlock::Element& element : block.elements) {
      elements_.add(element.kind,
                    std::span(block.element_vertices).subspan(first, element.vertices),
                    before.positions + element.so_far, before.of_all(element.material),
                    before.lines + element.line);
      first += element.vertices;
    }
    libraries_.insert(libraries_.end(), block.libraries.begin(), block.libraries.end());
    malformed_faces_.add(block.malformed_faces, before.lines);
    malformed_elements_.add(block.malformed_elements, before.lines);
    malformed_colours_.add(block.malformed_colours, before.lines);
    bad_positions_.add(block.bad_positions, before.lines);
    bad_normals_.add(block.bad_normals, before.lines);
    bad_texcoords_.add(block.bad_texcoords, before.lines);
  }

  void copy(ObjBlock& block, const Before& before) {
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
    for (ObjFace& face : block.faces) {
      face.material = before.of_all(face.material);
      face.line = static_cast<std::uint32_t>(std::min<std::uint64_t>(
          before.lines + face.line, std::numeric_limits<std::uint32_t>::max()));
    }
    put(block.positions, positions_, before.positions);
    put(block.normals, normals_, before.normals);
    put(block.texcoords, texcoords_, before.texcoords);
    put(block.corners, corners_, before.corners);
    put(block.faces, faces_, before.faces);
    block = {};
  }

  // ---- Making

  // At the peak, for what has been read so far.
  std::uint64_t bytes_needed(bool with_computed_normals) const {
    const std::uint64_t together = bytes_held(positions_) + bytes_held(normals_) +
                                   bytes_held(texcoords_) + bytes_held(corners_) +
                                   bytes_held(faces_) + colours_.bytes() + elements_.bytes();
    const std::uint64_t parsed = std::max<std::uint64_t>(together, bytes_);
    const std::uint64_t computed =
        with_computed_normals
            ? creased_normals_bytes(positions_.size(), corners_.size(), faces_.size())
            : 0;
    const std::uint64_t corner = sizeof(Vertex) + (has_colours_ ? sizeof(std::uint32_t) : 0);
    return parsed + computed + triangles_ * (3 * corner + sizeof(std::uint32_t)) +
           places_ * sizeof(ColouredPoint);
  }

  static bool is_there(std::int32_t index, std::size_t count) {
    return index >= 0 && static_cast<std::size_t>(index) < count;
  }

  bool has_normal(const CornerIndices& corner) const {
    return corner.normal != absent_index &&
           !is_zero(normals_[static_cast<std::size_t>(corner.normal)]);
  }

  // Faces may come before their vertices, so indices are checked when all is read. Only good faces
  // stay in faces_ and corners_.
  void drop_bad_faces(Mesh& mesh) {
    crew_.for_each(parts_.size(), [this](std::size_t p) { drop_bad_faces(parts_[p]); });
    dropped_ = malformed_faces_;
    std::size_t faces = 0, corners = 0, triangles = 0;
    for (Part& part : parts_) {
      dropped_.add(part.dropped);
      bad_attributes_.add(part.bad_attributes);
      lacks_normals_ = lacks_normals_ || part.lacks_normals;
      move_up(faces_, part.face, part.faces, faces);
      move_up(corners_, part.corner, part.corners, corners);
      part.face = std::exchange(faces, faces + part.faces);
      part.corner = std::exchange(corners, corners + part.corners);
      part.triangle = std::exchange(triangles, triangles + part.triangles);
    }
    faces_.resize(faces);
    corners_.resize(corners);
    triangles_ = triangles;
    mesh.dropped_faces = dropped_.count;
  }

  void drop_bad_faces(Part& part) {
    std::size_t read = part.corner;
    std::size_t kept_corner = part.corner;
    std::size_t kept_face = part.face;
    for (std::size_t f = part.face; f < part.face + part.faces; ++f) {
      const ObjFace face = faces_[f];
      const std::span<CornerIndices> corners(&corners_[read], face.corners);
      read += face.corners;
      if (!std::all_of(corners.begin(), corners.end(), [this](const CornerIndices& c) {
            return is_there(c.position, positions_.size());
          })) {
        part.dropped.add(face.line);
        continue;
      }
      if (!drop_bad_attributes(corners)) part.bad_attributes.add(face.line);
      for (const CornerIndices& corner : corners)
        part.lacks_normals = part.lacks_normals || !has_normal(corner);
      if (part.dropped.count > 0) {
        std::copy(corners.begin(), corners.end(), &corners_[kept_corner]);
        faces_[kept_face] = face;
      }
      kept_corner += corners.size();
      ++kept_face;
      part.triangles += face.corners - 2;
    }
    part.faces = kept_face - part.face;
    part.corners = kept_corner - part.corner;
  }

  // Indices of texture coordinates and normals that are not there become absent. True if all are
  // there.
  bool drop_bad_attributes(std::span<CornerIndices> corners) const {
    bool are_there = true;
    const auto check = [&are_there](std::int32_t& index, std::size_t count) {
      if (index == absent_index || is_there(index, count)) return;
      index = absent_index;
      are_there = false;
    };
    for (CornerIndices& corner : corners) {
      check(corner.normal, normals_.size());
      check(corner.texcoord, texcoords_.size());
    }
    return are_there;
  }

  template <class Array>
  static void move_up(Array& array, std::size_t from, std::size_t count, std::size_t to) {
    if (from == to) return;
    const auto at = [&array](std::size_t i) {
      return array.begin() + static_cast<std::ptrdiff_t>(i);
    };
    std::move(at(from), at(from + count), at(to));
  }

  // Calls visit(face, number of its first corner, its corners, their positions) for each face of a
  // part.
  template <class Visit>
  void for_each_face(const Part& part, Visit visit) const {
    std::vector<Vec3> polygon;
    std::size_t first = part.corner;
    for (std::size_t f = part.face; f < part.face + part.faces; ++f) {
      const std::span<const CornerIndices> corners(&corners_[first], faces_[f].corners);
      polygon.clear();
      for (const CornerIndices& corner : corners)
        polygon.push_back(positions_[static_cast<std::size_t>(corner.position)]);
      visit(f, first, corners, std::span<const Vec3>(polygon));
      first += corners.size();
    }
  }

  // work(part) for all of them; reports progress over the given range.
  template <class Work>
  void for_each_part(double progress_from, double progress_to, Work work) {
    const auto parts = static_cast<double>(parts_.size());
    crew_.for_each(
        parts_.size(), [&](std::size_t p) { work(parts_[p]); },
        [&](std::size_t done) {
          report(progress_from + (progress_to - progress_from) * static_cast<double>(done) / parts);
        });
  }
  void report(double progress) { control_.report(static_cast<float>(progress)); }

  void compute_normals() {
    HostArray<FaceShape> shapes(faces_.size());
    for_each_part(parse_share + material_share, of_shapes, [&](const Part& part) {
      for_each_face(part,
                    [&](std::size_t face, std::size_t first, std::span<const CornerIndices> corners,
                        std::span<const Vec3> polygon) {
                      shapes[face] = {area_normal(polygon), static_cast<std::uint32_t>(first),
                                      static_cast<std::uint32_t>(corners.size())};
                    });
    });
    computed_normals_ = creased_normals(
        positions_.size(), corners_, shapes, options_.crease, crew_,
        [this](double done) { report(of_shapes + (of_normals - of_shapes) * done); });
  }

  // The given normal, else the computed one, else the face's.
  Vec3 normal_of(const CornerIndices& corner, Vec3 face_normal) const {
    if (has_normal(corner)) return normals_[static_cast<std::size_t>(corner.normal)];
    const Vec3 smooth = computed_normals_[static_cast<std::size_t>(&corner - corners_.data())];
    return is_zero(smooth) ? face_normal : smooth;
  }

  void make_triangles(const std::vector<std::uint32_t>& materials, Mesh& mesh) {
    mesh.corners.resize(3 * triangles_);
    mesh.triangle_material.resize(triangles_);
    if (colours_.any()) mesh.corner_colours.resize(3 * triangles_);
    for_each_part(of_normals, 0.99, [&](Part& part) { make_triangles(part, materials, mesh); });
    for (const Part& part : parts_) given_up_.add(part.given_up);
  }

  void make_triangles(Part& part, const std::vector<std::uint32_t>& materials, Mesh& mesh) const {
    Triangulator triangulate;
    std::vector<std::uint32_t> triangles;
    std::vector<Vertex> vertices;
    std::size_t next = 3 * part.triangle;
    for_each_face(part, [&](std::size_t f, std::size_t, std::span<const CornerIndices> corners,
                            std::span<const Vec3> polygon) {
      const ObjFace& face = faces_[f];
      const Vec3 face_normal = lacks_normals_ ? normal_of_face(polygon) : Vec3{};
      vertices.clear();
      for (std::size_t i = 0; i < corners.size(); ++i) {
        const std::int32_t t = corners[i].texcoord;
        vertices.push_back(
            {polygon[i], normal_of(corners[i], face_normal),
             t == absent_index ? Vec2{0.0F, 0.0F} : texcoords_[static_cast<std::size_t>(t)]});
      }
      triangles.clear();
      if (!triangulate(polygon, triangles)) part.given_up.add(face.line);
      std::fill_n(&mesh.triangle_material[next / 3], triangles.size() / 3,
                  face.material == 0 ? 0 : materials[face.material - 1]);
      for (const std::uint32_t corner : triangles) {
        if (colours_.any())
          mesh.corner_colours[next] =
              colours_.at(static_cast<std::size_t>(corners[corner].position));
        mesh.corners[next++] = vertices[corner];
      }
    });
  }

  void warn() {
    const auto say = [this](Weight weight, const Occurrences& what, const char* one,
                            const char* several, const char* consequence) {
      if (what.count > 0)
        warnings_.add(weight,
                      fmt::format("{}, the first in line {}; {}", counted(what.count, one, several),
                                  what.first_line, consequence));
    };
    if (dropped_.count > 0)
      warnings_.add(Weight::geometry,
                    fmt::format("{} dropped, the first in line {}: an index of a position that is "
                                "missing, malformed or out of range, or fewer than three corners",
                                counted(dropped_.count, "face", "faces"), dropped_.first_line));
    if (has_changed_)
      warnings_.add(Weight::geometry, "The file changed while it was read; a part may be missing");
    say(Weight::geometry, bad_positions_, "vertex without three finite coordinates",
        "vertices without three finite coordinates", "triangles that use them are dropped");
    say(Weight::geometry, malformed_elements_, "malformed point or line",
        "malformed points or lines", "ignored");
    say(Weight::geometry, elements_.dropped(),
        "point or line with an index out of range or a vertex not finite",
        "points or lines with an index out of range or a vertex not finite", "ignored");
    if (faces_.empty() && elements_.empty() && !positions_.empty())
      warnings_.add(Weight::geometry,
                    fmt::format("{} and neither a face, a line nor a point",
                                counted(positions_.size(), "vertex", "vertices")));
    say(Weight::geometry, given_up_, "face with too many corners for good triangulation",
        "faces with too many corners for good triangulation",
        "triangulate the mesh in the program that made it");
    say(Weight::left_out, bad_attributes_,
        "face with an index of a texture coordinate or normal that is malformed or out of range",
        "faces with an index of a texture coordinate or normal that is malformed or out of range",
        "drawn without them");
    say(Weight::left_out, bad_normals_, "normal without three finite numbers",
        "normals without three finite numbers", "computed normals are used");
    say(Weight::left_out, bad_texcoords_, "texture coordinate that is not finite",
        "texture coordinates that are not finite", "0 is used");
    say(Weight::left_out, malformed_colours_, "vertex colour without three finite numbers",
        "vertex colours without three finite numbers", "white is used");
    say(Weight::left_out, foreign_, "line with an unknown statement",
        "lines with unknown statements", "ignored");
    if (std::string remark = colours_.remark(); !remark.empty())
      warnings_.add(Weight::remark, std::move(remark));
  }

  const fs::path& path_;
  LoadControl& control_;
  const LoadLimits& limits_;
  const MeshOptions& options_;

  // As read, of the whole file.
  HostArray<Vec3> positions_;
  HostArray<Vec3> normals_;  // length 1, or 0 for one that counts as missing
  HostArray<Vec2> texcoords_;
  HostArray<CornerIndices> corners_;  // of all faces, one after the other
  HostArray<ObjFace> faces_;
  std::vector<Part> parts_;
  std::vector<std::string> libraries_;
  std::vector<std::string> material_names_;
  std::unordered_map<std::string, std::uint32_t> material_of_name_;
  ObjColours colours_;
  ObjElements elements_;
  Occurrences foreign_;
  Occurrences malformed_faces_, malformed_elements_, malformed_colours_;
  Occurrences bad_positions_, bad_normals_, bad_texcoords_;
  Occurrences dropped_, bad_attributes_, given_up_;  // faces
  bool has_changed_ = false;                         // while it was read
  Warnings warnings_;

  bool lacks_normals_ = false;
  HostArray<Vec3> computed_normals_;  // by corner; 0: there is none

  // Sums over the blocks that have been read.
  std::atomic<std::uint64_t> bytes_{0};      // that they hold
  std::atomic<std::uint64_t> triangles_{0};  // that their faces are cut into
  std::atomic<std::uint64_t> places_{0};     // at which points and lines are drawn
  std::atomic<bool> has_colours_{false};
  std::atomic<bool> is_no_text_{false};

  TextBlocks text_;
  std::deque<ObjBlock> blocks_;
  // Last: what it does ends before all else.
  Crew crew_{std::clamp(std::thread::hardware_concurrency(), 1U, most_threads)};
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
    throw Error(path.string(), "out of memory",
                "Close other programs, split the mesh or reduce its number of faces");
  } catch (const std::length_error&) {
    throw Error(path.string(), "it is too large for memory", "Split the mesh");
  }
}

}  // namespace warpview
