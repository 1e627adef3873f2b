#include "scenes/parts/polygons.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <utility>

#include "gpu/steps/random.h"

namespace warpview {
namespace {

using Triangle = std::array<std::uint32_t, 3>;

class Builder {
 public:
  Builder(const Mesh& mesh, bool pairs) {
    add_faces(mesh, pairs);
    add_edges();
    add_fans();
  }
  Polygons take() { return std::move(result_); }

 private:
  struct Bits {
    std::uint32_t x, y, z;
    bool operator==(const Bits&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Bits& p) const {
      return scramble(p.x ^ scramble(p.y ^ scramble(p.z)));
    }
  };

  // The number of a place; none: it cannot be computed with.
  std::optional<std::uint32_t> place_of(Vec3 p) {
    constexpr float most = 1e15F;
    const auto is_in = [](float x) { return std::abs(x) <= most; };
    if (!is_in(p.x) || !is_in(p.y) || !is_in(p.z)) return std::nullopt;
    p = p + Vec3{0.0F, 0.0F, 0.0F};  // no zero is negative
    const Bits bits{std::bit_cast<std::uint32_t>(p.x), std::bit_cast<std::uint32_t>(p.y),
                    std::bit_cast<std::uint32_t>(p.z)};
    const auto [found, is_new] =
        numbers_.try_emplace(bits, static_cast<std::uint32_t>(places_.size()));
    if (is_new) places_.push_back(p);
    return found->second;
  }
  // False: it has no three corners in different places.
  bool corners_of(const Mesh& mesh, std::size_t t, Triangle& triangle) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto place = place_of(mesh.corners[3 * t + k].position);
      if (!place) return false;
      triangle[k] = *place;
    }
    return triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0];
  }
  Vec3 normal_of(const Triangle& t) const {
    const Vec3 normal = cross(places_[t[1]] - places_[t[0]], places_[t[2]] - places_[t[0]]);
    const float most =
        std::max({std::abs(normal.x), std::abs(normal.y), std::abs(normal.z), 1e-37F});
    return normal * (1.0F / most);
  }
  bool are_a_quad(const Triangle& a, const Triangle& b) const {
    return a[0] == b[0] && a[2] == b[1] && b[2] != a[1] && dot(normal_of(a), normal_of(b)) > 0.0F;
  }

  void add_face(std::initializer_list<std::uint32_t> corners, std::uint32_t material) {
    const auto f = static_cast<std::uint32_t>(result_.material.size());
    for (const std::uint32_t place : corners) {
      result_.vertex.push_back(place);  // until there are fans
      result_.face.push_back(f);
    }
    result_.face_begin.push_back(static_cast<std::uint32_t>(result_.vertex.size()));
    result_.material.push_back(material);
  }
  void add_faces(const Mesh& mesh, bool pairs) {
    result_.face_begin = {0};
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
      Triangle one, two;
      if (!corners_of(mesh, t, one)) {
        ++result_.dropped;
        continue;
      }
      const std::uint32_t material = mesh.triangle_material[t];
      if (pairs && t + 1 < mesh.triangle_count() && mesh.triangle_material[t + 1] == material &&
          corners_of(mesh, t + 1, two) && are_a_quad(one, two)) {
        add_face({one[0], one[1], one[2], two[2]}, material);
        ++result_.pairs;
        ++t;
      } else {
        add_face({one[0], one[1], one[2]}, material);
      }
    }
  }

  std::uint32_t next(std::uint32_t corner) const { return view_.next(corner); }
  std::uint32_t before(std::uint32_t corner) const { return view_.before(corner); }

  void add_edges() {
    const auto corners = static_cast<std::uint32_t>(result_.vertex.size());
    view_ = result_.view();
    // Corners by the ends of their edges.
    std::vector<std::pair<std::uint64_t, std::uint32_t>> sides;
    sides.reserve(corners);
    for (std::uint32_t c = 0; c < corners; ++c) {
      const std::uint32_t a = result_.vertex[c];
      const std::uint32_t b = result_.vertex[next(c)];
      sides.emplace_back(std::uint64_t{std::min(a, b)} << 32U | std::max(a, b), c);
    }
    std::sort(sides.begin(), sides.end());
    std::vector<std::uint32_t> across(corners, no_corner);
    for (std::size_t i = 0; i < sides.size();) {
      std::size_t end = i;
      while (end < sides.size() && sides[end].first == sides[i].first) ++end;
      const std::uint32_t one = sides[i].second;
      const std::uint32_t two = sides[end - 1].second;
      if (end - i == 2 && result_.vertex[one] != result_.vertex[two] &&
          result_.face[one] != result_.face[two]) {
        across[one] = two;
        across[two] = one;
      } else if (end - i > 1) {
        result_.cut_edges += end - i;
      }
      i = end;
    }
    result_.edge.resize(corners);
    for (std::uint32_t c = 0; c < corners; ++c) {
      if (across[c] < c) {
        result_.edge[c] = result_.edge[across[c]];
        continue;
      }
      result_.edge[c] = static_cast<std::uint32_t>(result_.edge_corners.size() / 2);
      result_.edge_corners.insert(result_.edge_corners.end(), {c, across[c]});
      if (across[c] == no_corner) ++result_.boundary_edges;
    }
    view_ = result_.view();
  }

  void add_fans() {
    const auto corners = static_cast<std::uint32_t>(result_.vertex.size());
    result_.sector.resize(corners);
    result_.fan_begin = {0};
    std::vector<std::uint32_t> vertex(corners, no_corner);
    for (std::uint32_t c = 0; c < corners; ++c) {
      if (vertex[c] != no_corner) continue;
      // Clockwise to the boundary, if there is one.
      std::uint32_t first = c;
      for (std::uint32_t other = view_.across(c); other != no_corner; other = view_.across(first)) {
        first = next(other);
        if (first == c) break;
      }
      const auto v = static_cast<std::uint32_t>(result_.positions.size());
      const Vec3 position = places_[result_.vertex[c]];
      result_.positions.push_back(position);
      result_.bounds = merge(result_.bounds, {position, position});
      std::uint32_t sector = 0;
      std::uint32_t at = first;
      do {
        vertex[at] = v;
        result_.sector[at] = sector++;
        result_.fan.push_back(at);
        at = view_.across(before(at));
      } while (at != no_corner && at != first);
      result_.fan_begin.push_back(static_cast<std::uint32_t>(result_.fan.size()));
      if (sector != (at == no_corner ? 2U : 4U)) ++result_.extraordinary;
    }
    result_.vertex = std::move(vertex);
  }

  Polygons result_;
  SubdivisionMesh view_;
  std::vector<Vec3> places_;
  std::unordered_map<Bits, std::uint32_t, Hash> numbers_;
};

}  // namespace

SubdivisionMesh Polygons::view() const {
  return {.vertices = static_cast<std::uint32_t>(positions.size()),
          .edges = static_cast<std::uint32_t>(edge_corners.size() / 2),
          .faces = static_cast<std::uint32_t>(material.size()),
          .corners = static_cast<std::uint32_t>(vertex.size()),
          .positions = positions.data(),
          .face_begin = face_begin.data(),
          .vertex = vertex.data(),
          .edge = edge.data(),
          .face = face.data(),
          .sector = sector.data(),
          .fan_begin = fan_begin.data(),
          .fan = fan.data(),
          .edge_corners = edge_corners.data(),
          .material = material.data()};
}

Polygons polygons_of(const Mesh& mesh, bool pairs) { return Builder(mesh, pairs).take(); }

}  // namespace warpview
