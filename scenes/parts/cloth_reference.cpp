#include "scenes/parts/cloth_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "scenes/parts/cell_map.h"
#include "scenes/parts/differences.h"

namespace warpview {
namespace {

// The number of the spring's other end; none at an edge.
bool other_end(const ClothShape& shape, std::uint32_t i, const ClothSpring& spring,
               std::uint32_t& other) {
  const auto side = static_cast<std::int64_t>(shape.side);
  const std::int64_t row = i / shape.side + std::int64_t{spring.rows};
  const std::int64_t column = i % shape.side + std::int64_t{spring.columns};
  if (row < 0 || column < 0 || row >= side || column >= side) return false;
  other = static_cast<std::uint32_t>(row * side + column);
  return true;
}

}  // namespace

ClothState cloth_iterated(ClothState state, const std::vector<Vec4>& planes,
                          const ClothShape& shape, const ClothRules& rules,
                          std::uint32_t iterations) {
  const std::uint32_t n = shape.points();
  for (std::uint32_t i = 0; i < n; ++i)
    state.before[i].xyz = cloth_before(rules, state.here[i].xyz, state.before[i].xyz);
  std::vector<Vec3> onward(n);
  std::vector<Vec4> next(n);
  for (std::uint32_t iteration = 0; iteration < iterations; ++iteration) {
    for (std::uint32_t i = 0; i < n; ++i)
      onward[i] = cloth_onward(rules, state.here[i], state.before[i].xyz);
    for (std::uint32_t i = 0; i < n; ++i) {
      next[i] = state.here[i];
      if (is_pinned(state.here[i])) continue;
      Vec3 sum{0.0F, 0.0F, 0.0F};
      float weights = 0.0F;
      for (std::uint32_t s = 0; s < cloth_springs; ++s) {
        const ClothSpring spring = cloth_spring(s);
        std::uint32_t other = 0;
        if (!other_end(shape, i, spring, other)) continue;
        const float weight = cloth_weight(rules, s);
        sum = sum + cloth_correction(onward[other] - onward[i], spring.rest * rules.spacing,
                                     is_pinned(state.here[other])) *
                        weight;
        weights += weight;
      }
      next[i].xyz = cloth_held(rules, planes[i], state.here[i].xyz,
                               onward[i] + (weights > 0.0F ? sum * (1.0F / weights) : sum));
    }
    state.before = std::exchange(state.here, next);
  }
  return state;
}

std::vector<Vec3> cloth_apart(const std::vector<Vec3>& spheres, const std::vector<Vec4>& points,
                              const ClothShape& shape, const ClothRules& rules) {
  std::vector<Vec3> result = spheres;
  if (!(rules.thickness > 0.0F)) return result;
  const CellMap map(spheres, rules.thickness);
  for (std::uint32_t i = 0; i < spheres.size(); ++i) {
    if (is_pinned(points[i])) continue;
    ClothPush push;
    map.visit_around(spheres[i], [&](std::uint32_t other) {
      if (other != i && !are_held_apart(shape, i, other))
        add_too_near(push, rules.thickness, spheres[other] - spheres[i]);
    });
    result[i] = spheres[i] + way_apart(push);
  }
  return result;
}

std::vector<Vertex> cloth_vertices(const std::vector<Vec4>& points, const ClothShape& shape) {
  const std::uint32_t last = shape.side - 1;
  const auto at = [&](std::uint32_t row, std::uint32_t column) {
    return points[row * shape.side + column].xyz;
  };
  std::vector<Vertex> vertices;
  for (std::uint32_t row = 0; row <= last; ++row)
    for (std::uint32_t column = 0; column <= last; ++column) {
      const Vec3 right = at(row, std::min(column + 1, last)) - at(row, column > 0 ? column - 1 : 0);
      const Vec3 down = at(std::min(row + 1, last), column) - at(row > 0 ? row - 1 : 0, column);
      const float share = 1.0F / static_cast<float>(last);
      vertices.push_back({at(row, column),
                          cloth_normal(right, down),
                          {static_cast<float>(column) * share, static_cast<float>(row) * share}});
    }
  return vertices;
}

std::vector<std::uint32_t> cloth_indices(const ClothShape& shape) {
  std::vector<std::uint32_t> indices;
  indices.reserve(3 * std::size_t{shape.triangles()});
  for (std::uint32_t row = 0; row + 1 < shape.side; ++row)
    for (std::uint32_t column = 0; column + 1 < shape.side; ++column) {
      const std::uint32_t a = row * shape.side + column;
      const std::uint32_t b = a + 1;
      const std::uint32_t c = a + shape.side;
      const std::uint32_t d = c + 1;
      // Counter-clockwise from above; the diagonals turn from square to square.
      if ((row + column) % 2 == 0)
        indices.insert(indices.end(), {a, c, d, a, d, b});
      else
        indices.insert(indices.end(), {a, c, b, b, c, d});
    }
  return indices;
}

float longest_spring(const std::vector<Vec4>& points, const ClothShape& shape, float spacing) {
  float longest = 0.0F;
  for (std::uint32_t i = 0; i < points.size(); ++i)
    for (std::uint32_t s = 0; s < structural_springs; ++s)
      if (std::uint32_t other = 0; other_end(shape, i, cloth_spring(s), other))
        longest = std::max(longest, length(points[other].xyz - points[i].xyz) / spacing);
  return longest;
}

std::string differ(const char* what, const std::vector<Vec3>& found,
                   const std::vector<Vec3>& expected, float most) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(length(found[i] - expected[i]) <= most))
      return fmt::format("{} {} is {}, not {}", what, i, in_words(found[i]), in_words(expected[i]));
  return {};
}

}  // namespace warpview
