// Points, lines and the colours of vertices: what a polygon file holds beside faces.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/runtime/vec.h"
#include "scenes/files/mesh.h"

namespace warpview {

// Counts what happened, and keeps where it happened first: a line of the file, or the number of a
// vertex or face.
struct Occurrences {
  std::uint64_t count = 0;
  std::uint64_t first = 0;

  void add(std::uint64_t where) {
    if (count == 0 || where < first) first = where;
    ++count;
  }
  // Adds those of a block that follows so many lines.
  void add(const Occurrences& more, std::uint64_t lines_before = 0) {
    if (more.count == 0) return;
    add(lines_before + more.first);
    count += more.count - 1;
  }
};

// The vertex colours of a file. Files have them from 0 to 1, some from 0 to 255: whole numbers of
// which one is larger than 1 are taken for those.
class VertexColours {
 public:
  static constexpr std::uint32_t white = 0xffffffffU;

  // Adds the colour of vertex number `vertex`, from 0; called for each in turn.
  void add(std::size_t vertex, std::optional<Vec3> colour);
  // Those of `count` vertices from number `vertex` on; `more` numbers them from 0.
  void add(std::size_t vertex, std::size_t count, const VertexColours& more);
  bool any() const { return !colours_.empty(); }
  std::uint64_t bytes() const { return colours_.capacity() * sizeof(Vec3); }
  // As Mesh::corner_colours has them; white for a vertex that has none.
  std::uint32_t at(std::size_t vertex) const;
  // What was made of them, where that is not what they say; empty: nothing.
  std::string remark() const;

 private:
  static constexpr Vec3 none{-1.0F, -1.0F, -1.0F};

  bool are_bytes() const { return largest_ > 1.0F && largest_ <= 255.0F && are_whole_; }

  std::vector<Vec3> colours_;  // from the first coloured vertex on all have one
  float least_ = 0.0F;
  float largest_ = 1.0F;
  bool are_whole_ = true;
};

enum class ElementKind : std::uint8_t { points, line };

// The points and lines of a file. Vertices may come after what names them, so all are checked when
// the file is read.
class PolygonElements {
 public:
  // `vertices` as the file numbers them, `so_far` of them known; `material` as the loader numbers
  // it.
  void add(ElementKind kind, std::span<const int> vertices, std::size_t so_far,
           std::uint32_t material, std::uint64_t where);

  bool empty() const { return elements_.empty(); }
  // At so many places at most one of so many vertices is drawn: a point has one, a line two.
  static std::uint64_t places(ElementKind kind, std::uint64_t vertices) {
    return kind == ElementKind::points ? vertices : 2 * (vertices - 1);
  }
  std::uint64_t bytes() const;

  // Fills mesh.points and mesh.line_ends. Those that name a vertex that is not there, or one that
  // is not finite, are left out and counted.
  void make(std::span<const Vec3> positions, const VertexColours& colours,
            std::span<const std::uint32_t> materials, Mesh& mesh);
  const Occurrences& dropped() const { return dropped_; }

 private:
  struct Element {
    ElementKind kind;
    std::uint32_t vertices;  // how many
    std::uint32_t material;  // 0 for none, else 1 + index of its name
    std::uint32_t where;
  };

  std::vector<Element> elements_;
  std::vector<std::int32_t> vertices_;     // of all elements, one after the other
  std::uint64_t points_ = 0, places_ = 0;  // of points alone; of all
  Occurrences dropped_;
};

// A vertex that a file names, from 0; `absent_index` or out of any range where it names none.
// Numbers count from 1, or backwards from the last of `count` so far; 0 stands for none given.
std::int32_t resolve_obj_index(int index, std::size_t count);
inline constexpr std::int32_t absent_index = -1;
inline constexpr std::int32_t beyond_any_range = std::numeric_limits<std::int32_t>::max();

}  // namespace warpview
