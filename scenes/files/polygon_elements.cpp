#include "scenes/files/polygon_elements.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scenes/files/colour.h"

namespace warpview {

std::int32_t resolve_obj_index(int index, std::size_t count) {
  if (index > 0) return index - 1;
  if (index == 0) return absent_index;
  const std::int64_t from_end = static_cast<std::int64_t>(count) + index;
  return from_end >= 0 ? static_cast<std::int32_t>(from_end) : beyond_any_range;
}

// ---- Colours ------------------------------------------------------------------------------------

void VertexColours::add(std::size_t vertex, std::optional<Vec3> colour) {
  if (!colour) {
    if (any()) colours_.push_back(none);
    return;
  }
  colours_.resize(vertex, none);  // those before the first that has a colour
  // The mark for none is no colour.
  const Vec3 kept = colour->x == none.x ? Vec3{0.0F, colour->y, colour->z} : *colour;
  colours_.push_back(kept);
  for (const float channel : {colour->x, colour->y, colour->z}) {
    least_ = std::min(least_, channel);
    largest_ = std::max(largest_, channel);
    are_whole_ = are_whole_ && channel == std::floor(channel);
  }
}

void VertexColours::add(std::size_t vertex, std::size_t count, const VertexColours& more) {
  if (!any() && !more.any()) return;
  colours_.resize(vertex, none);
  colours_.insert(colours_.end(), more.colours_.begin(), more.colours_.end());
  colours_.resize(vertex + count, none);
  least_ = std::min(least_, more.least_);
  largest_ = std::max(largest_, more.largest_);
  are_whole_ = are_whole_ && more.are_whole_;
}

std::uint32_t VertexColours::at(std::size_t vertex) const {
  if (vertex >= colours_.size() || colours_[vertex].x == -1.0F) return white;
  return pack_rgb(colours_[vertex] * (are_bytes() ? 1.0F / 255.0F : 1.0F));
}

std::string VertexColours::remark() const {
  if (!any()) return {};
  if (least_ < 0.0F || (largest_ > 1.0F && !are_bytes()))
    return "Vertex colours outside 0 to 1 are clamped";
  return are_bytes() ? "Vertex colours are read as numbers from 0 to 255" : "";
}

// ---- Points and lines ---------------------------------------------------------------------------

void PolygonElements::add(ElementKind kind, std::span<const int> vertices, std::size_t so_far,
                          std::uint32_t material, std::uint64_t where) {
  for (const int vertex : vertices) vertices_.push_back(resolve_obj_index(vertex, so_far));
  elements_.push_back({kind, static_cast<std::uint32_t>(vertices.size()), material,
                       static_cast<std::uint32_t>(std::min<std::uint64_t>(
                           where, std::numeric_limits<std::uint32_t>::max()))});
  if (kind == ElementKind::points) points_ += vertices.size();
  places_ += places(kind, vertices.size());
}

std::uint64_t PolygonElements::bytes() const {
  return elements_.capacity() * sizeof(Element) + vertices_.capacity() * sizeof(std::int32_t);
}

void PolygonElements::make(std::span<const Vec3> positions, const VertexColours& colours,
                           std::span<const std::uint32_t> materials, Mesh& mesh) {
  const auto is_there = [&](std::int32_t vertex) {
    return vertex >= 0 && static_cast<std::size_t>(vertex) < positions.size() &&
           std::isfinite(positions[static_cast<std::size_t>(vertex)].x);
  };
  mesh.points.reserve(points_);
  mesh.line_ends.reserve(places_ - points_);
  std::size_t first = 0;
  for (const Element& element : elements_) {
    const std::span<const std::int32_t> vertices(&vertices_[first], element.vertices);
    first += element.vertices;
    const std::uint32_t material = element.material == 0 ? 0 : materials[element.material - 1];
    const Vec3 base = decode_srgb(mesh.materials[material].diffuse);
    const auto place = [&](std::int32_t vertex) {
      const auto index = static_cast<std::size_t>(vertex);
      const Vec3 own = decode_srgb(unpack_rgb(colours.at(index)));
      const Vec3 product{base.x * own.x, base.y * own.y, base.z * own.z};
      return ColouredPoint{positions[index], pack_rgb(encode_srgb(product))};
    };
    if (element.kind == ElementKind::points) {
      for (const std::int32_t vertex : vertices)
        if (is_there(vertex))
          mesh.points.push_back(place(vertex));
        else
          dropped_.add(element.where);
      continue;
    }
    for (std::size_t i = 0; i + 1 < vertices.size(); ++i)
      if (is_there(vertices[i]) && is_there(vertices[i + 1])) {
        mesh.line_ends.push_back(place(vertices[i]));
        mesh.line_ends.push_back(place(vertices[i + 1]));
      } else {
        dropped_.add(element.where);
      }
  }
}

}  // namespace warpview
