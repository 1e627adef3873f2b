#include "scenes/files/ply_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu/runtime/error.h"
#include "gpu/runtime/finite.h"
#include "scenes/files/ply_header.h"
#include "scenes/files/ply_source.h"
#include "scenes/files/polygon_loader.h"
#include "scenes/files/text_lines.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t records_of_block = 1 << 16;
constexpr std::size_t corners_of_block = 1 << 19;
// The longest list of a face or a strip. A longer one is taken for damage.
constexpr double most_corners = 1 << 26;

using Column = std::optional<std::size_t>;

// The properties of a vertex, by what they hold.
struct VertexColumns {
  std::array<Column, 3> position, normal, colour;
  std::array<Column, 2> texcoord;
  Column alpha;

  explicit VertexColumns(const PlyElement& vertex)
      : position{vertex.number("x"), vertex.number("y"), vertex.number("z")},
        normal{vertex.number("nx", "normal_x"), vertex.number("ny", "normal_y"),
               vertex.number("nz", "normal_z")},
        colour{vertex.number("red", "diffuse_red", "r"),
               vertex.number("green", "diffuse_green", "g"),
               vertex.number("blue", "diffuse_blue", "b")},
        texcoord{vertex.number("s", "u", "texture_u", "texture_s"),
                 vertex.number("t", "v", "texture_v", "texture_t")},
        alpha(vertex.number("alpha", "a")) {}

  static bool all(std::span<const Column> columns) {
    return std::ranges::all_of(columns, [](const Column& column) { return column.has_value(); });
  }
  bool has_normals() const { return all(normal); }
  bool has_texcoords() const { return all(texcoord); }
  bool has_colours() const { return all(colour); }
};

float to_float(double value) {
  constexpr double largest = std::numeric_limits<float>::max();
  if (!(std::abs(value) <= largest)) return std::numeric_limits<float>::quiet_NaN();
  return static_cast<float>(value) + 0.0F;  // -0 becomes 0
}

std::int32_t to_index(double value) {
  const bool is_index =
      value >= 0.0 && value < static_cast<double>(beyond_any_range) && value == std::floor(value);
  return is_index ? static_cast<std::int32_t>(value) : beyond_any_range;
}

std::uint32_t to_number(std::uint64_t record) {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(record, std::numeric_limits<std::uint32_t>::max()));
}

// The name without .gz and .ply.
std::string title_of(const fs::path& path) {
  const fs::path unpacked = path.extension() == ".gz" ? path.stem() : path.filename();
  return unpacked.stem().string();
}

// One load, element by element, in the order of the file.
class PlyLoader {
 public:
  PlyLoader(const fs::path& path, LoadControl& control, const LoadLimits& limits,
            const MeshOptions& options)
      : path_(path),
        control_(control),
        source_(PolygonLoader::open(path, control)),
        polygons_(path, control, limits, options, PolygonTroubles::Unit::record) {}

  Mesh load() {
    control_.begin_phase("reading the file");
    header_ = source_.read_header();
    require_vertices();
    for (const PlyElement& element : header_.elements)
      if (missing_.empty()) read(element);
    if (is_cloud()) add_points();
    warn();
    Mesh mesh = polygons_.make_mesh(source_.has_changed());
    mesh.name = title_of(path_);
    return mesh;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(path_.string(), what, "Write it again, or name another PLY file");
  }

  void require_vertices() {
    const PlyElement* const vertex = header_.element("vertex");
    if (vertex == nullptr) fail("the header declares no element vertex");
    for (const char* const name : {"x", "y", "z"})
      if (!vertex->number(name)) fail(fmt::format("its vertices have no number {}", name));
    const VertexColumns columns(*vertex);
    has_normals_ = columns.has_normals();
    has_texcoords_ = columns.has_texcoords() && !corner_texcoords();
  }

  bool has(const char* element) const {
    const PlyElement* const found = header_.element(element);
    return found != nullptr && found->count > 0;
  }
  bool is_cloud() const { return !has("face") && !has("tristrips") && !has("edge"); }

  // ---- Records

  void read(const PlyElement& element) {
    if (element.name == "vertex")
      read_vertices(element);
    else if (element.name == "face")
      read_faces(element);
    else if (element.name == "tristrips")
      read_strips(element);
    else if (element.name == "edge")
      read_edges(element);
    else if (!element.properties.empty())
      read_records(element, nullptr, [](std::uint64_t) {});
  }

  // Reads the element's records into values_ and lists_, and calls use(number), from 1, after each.
  // `block`, if given, then points to a block with room; full ones have been counted.
  void read_records(const PlyElement& element, PolygonBlock** block,
                    const std::function<void(std::uint64_t)>& use) {
    values_.assign(element.properties.size(), 0.0);
    lists_.resize(std::max(lists_.size(), element.properties.size()));
    std::uint64_t done = 0;
    for (; done < element.count; ++done) {
      const bool is_full =
          block != nullptr && *block != nullptr && (*block)->corners.size() >= corners_of_block;
      if (done % records_of_block == 0 || is_full) {
        if (block != nullptr) {
          if (*block != nullptr) polygons_.count(**block);
          *block = &polygons_.add_block();
        }
        polygons_.report_read(source_.fraction_read());
      }
      if (!read_record(element)) break;
      use(done + 1);
    }
    if (block != nullptr && *block != nullptr) polygons_.count(**block);
    if (done == element.count) return;
    missing_ = fmt::format("The file ends early: {} of {} of the element {} are there", done,
                           counted(element.count, "record", "records"), shortened(element.name));
  }

  // Returns false at the end of the file.
  bool read_record(const PlyElement& element) {
    for (std::size_t i = 0; i < element.properties.size(); ++i) {
      const PlyProperty& property = element.properties[i];
      const std::optional<double> value = source_.next(property.count.value_or(property.type));
      if (!value) return false;
      values_[i] = *value;
      if (property.count && !read_list(property, *value, lists_[i])) return false;
    }
    if (source_.end_record()) ++long_lines_;
    return true;
  }

  bool read_list(const PlyProperty& property, double length, std::vector<double>& list) {
    list.clear();
    if (!(length >= 0.0 && length <= most_corners)) {
      const std::string where =
          source_.line() > 0 ? fmt::format(" in line {}", source_.line()) : "";
      fail(fmt::format("the length of a list{} is not a number from 0 to {:.0f}", where,
                       most_corners));
    }
    for (double i = 0.0; i < length; ++i) {
      const std::optional<double> value = source_.next(property.type);
      if (!value) return false;
      list.push_back(*value);
    }
    return true;
  }

  // ---- Elements

  void read_vertices(const PlyElement& element) {
    const VertexColumns columns(element);
    PolygonBlock* block = nullptr;
    const auto vec = [this](const std::array<Column, 3>& c) {
      return Vec3{to_float(values_[*c[0]]), to_float(values_[*c[1]]), to_float(values_[*c[2]])};
    };
    read_records(element, &block, [&](std::uint64_t number) {
      if (columns.has_colours()) {
        has_alpha_ = has_alpha_ || is_transparent(element, columns.alpha);
        const Vec3 colour = colour_of(element, columns.colour);
        if (!is_finite(colour)) block->malformed_colours.add(number);
        block->colours.add(block->positions.size(),
                           is_finite(colour) ? std::optional(colour) : std::nullopt);
      }
      Vec3 position = vec(columns.position);
      if (!is_finite(position)) {
        block->bad_positions.add(number);
        constexpr float nan = std::numeric_limits<float>::quiet_NaN();
        position = {nan, nan, nan};
      }
      block->positions.push_back(position);
      ++vertices_;
      if (has_normals_) {
        const Vec3 n = vec(columns.normal);
        if (!is_finite(n)) block->bad_normals.add(number);
        block->normals.push_back(normalized({n.x, n.y, n.z}));  // 0 of what is not finite
      }
      if (has_texcoords_)
        add_texcoord(*block, values_[*columns.texcoord[0]], values_[*columns.texcoord[1]], number);
    });
    if (vertices_ == 0 && element.count > 0) fail("it ends before its first vertex");
  }

  bool is_transparent(const PlyElement& element, const Column& alpha) const {
    return alpha && values_[*alpha] < full_scale(element.properties[*alpha].type);
  }

  Vec3 colour_of(const PlyElement& element, const std::array<Column, 3>& columns) const {
    const auto channel = [&](std::size_t i) {
      const std::size_t column = *columns.at(i);
      return to_float(values_[column] / full_scale(element.properties[column].type));
    };
    return {channel(0), channel(1), channel(2)};
  }

  void add_texcoord(PolygonBlock& block, double u, double v, std::uint64_t number) {
    Vec2 texcoord{to_float(u), to_float(v)};
    if (!std::isfinite(texcoord.x) || !std::isfinite(texcoord.y)) {
      block.bad_texcoords.add(number);
      texcoord = {0.0F, 0.0F};
    }
    block.texcoords.push_back(texcoord);
    ++texcoords_;
  }

  // A face's list of two numbers for each of its corners.
  Column corner_texcoords() const {
    const PlyElement* const face = header_.element("face");
    return face != nullptr ? face->list("texcoord", "texcoords") : std::nullopt;
  }

  // The list of vertices of a face or a strip.
  Column list_of_vertices(const PlyElement& element) const {
    const Column column = element.list("vertex_indices", "vertex_index");
    if (!column && element.count > 0)
      fail(fmt::format("its element {} has no list vertex_indices", element.name));
    return column;
  }

  CornerIndices corner(std::int32_t vertex) const {
    const bool is_named = vertex != beyond_any_range;
    return {vertex, has_normals_ && is_named ? vertex : absent_index,
            has_texcoords_ && is_named ? vertex : absent_index};
  }

  void read_faces(const PlyElement& element) {
    const Column vertices = list_of_vertices(element);
    const Column texcoords = corner_texcoords();
    has_face_colours_ = element.number("red", "diffuse_red").has_value();
    PolygonBlock* block = nullptr;
    read_records(element, &block, [&](std::uint64_t number) {
      const std::vector<double>& list = lists_[*vertices];
      if (list.size() < 3) {
        block->malformed_faces.add(number);
        return;
      }
      const bool has_own = texcoords && lists_[*texcoords].size() == 2 * list.size();
      for (std::size_t i = 0; i < list.size(); ++i) {
        CornerIndices each = corner(to_index(list[i]));
        if (has_own) {
          each.texcoord = to_index(static_cast<double>(texcoords_));
          add_texcoord(*block, lists_[*texcoords][2 * i], lists_[*texcoords][2 * i + 1], number);
        }
        block->corners.push_back(each);
      }
      block->faces.push_back({static_cast<std::uint32_t>(list.size()), PolygonBlock::keeps_material,
                              to_number(number)});
      block->triangles += list.size() - 2;
    });
  }

  // Each vertex from the third on makes a triangle with the two before it. Every other triangle
  // lists them the other way round. -1 begins another strip.
  void read_strips(const PlyElement& element) {
    const Column vertices = list_of_vertices(element);
    PolygonBlock* block = nullptr;
    read_records(element, &block, [&](std::uint64_t number) {
      const std::vector<double>& list = lists_[*vertices];
      std::size_t begin = 0;
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i] == -1.0) begin = i + 1;
        if (i < begin + 2 || list[i] == -1.0) continue;
        const bool turns = (i - begin) % 2 == 1;
        for (const std::size_t at : {turns ? i - 1 : i - 2, turns ? i - 2 : i - 1, i})
          block->corners.push_back(corner(to_index(list[at])));
        block->faces.push_back({3, PolygonBlock::keeps_material, to_number(number)});
        ++block->triangles;
      }
    });
  }

  void read_edges(const PlyElement& element) {
    const std::array<Column, 2> ends{element.number("vertex1"), element.number("vertex2")};
    if (element.count > 0 && !VertexColumns::all(ends))
      fail("its edges have no numbers vertex1 and vertex2");
    PolygonBlock* block = nullptr;
    read_records(element, &block, [&](std::uint64_t number) {
      block->elements.push_back({ElementKind::line, 2, 0, PolygonBlock::keeps_material, number});
      for (const Column& end : ends) block->element_vertices.push_back(from_one(values_[*end]));
    });
  }

  // Elements of blocks number vertices from 1.
  static int from_one(double index) {
    const std::int32_t vertex = to_index(index);
    return vertex == beyond_any_range ? vertex : vertex + 1;
  }

  void add_points() {
    if (vertices_ > static_cast<std::uint64_t>(beyond_any_range)) return;  // refused later
    for (std::uint64_t first = 0; first < vertices_; first += records_of_block) {
      const std::uint64_t count = std::min<std::uint64_t>(records_of_block, vertices_ - first);
      PolygonBlock& block = polygons_.add_block();
      block.elements.push_back({ElementKind::points, static_cast<std::uint32_t>(count), 0,
                                PolygonBlock::keeps_material, first + 1});
      for (std::uint64_t i = 0; i < count; ++i)
        block.element_vertices.push_back(static_cast<int>(first + i + 1));
      polygons_.count(block);
    }
    polygons_.require_limits();
  }

  void warn() {
    Warnings& warnings = polygons_.warnings();
    if (!missing_.empty()) warnings.add(Weight::geometry, missing_);
    if (has_face_colours_) warnings.add(Weight::left_out, "Colours of faces are ignored");
    if (long_lines_ > 0)
      warnings.add(Weight::left_out,
                   fmt::format("{} with more numbers than the header declares; the rest is ignored",
                               counted(long_lines_, "line", "lines")));
    if (has_alpha_) warnings.add(Weight::left_out, "Alpha of vertex colours is ignored");
    for (const std::string& texture : header_.textures)
      warnings.add(Weight::left_out, fmt::format("A comment names the texture {}; it is ignored",
                                                 shortened(texture)));
  }

  const fs::path& path_;
  LoadControl& control_;
  PlySource source_;
  PlyHeader header_;

  // The last record, by property: numbers, or lengths of lists; and contents of lists.
  std::vector<double> values_;
  std::vector<std::vector<double>> lists_;

  bool has_normals_ = false;  // vertices
  bool has_texcoords_ = false;
  bool has_alpha_ = false;
  bool has_face_colours_ = false;
  std::uint64_t vertices_ = 0;
  std::uint64_t texcoords_ = 0;  // of all blocks
  std::uint64_t long_lines_ = 0;
  std::string missing_;  // what a file that ends early lacks; empty: nothing

  PolygonLoader polygons_;
};

}  // namespace

Mesh load_ply(const fs::path& path, LoadControl& control, const LoadLimits& limits,
              const MeshOptions& options) {
  return load_whole(path, control,
                    [&] { return PlyLoader(path, control, limits, options).load(); });
}

}  // namespace warpview
