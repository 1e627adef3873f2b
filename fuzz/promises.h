// What must hold of whatever was read, as scenes/files/mesh.h promises it.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "scenes/files/mesh.h"

namespace warpview::fuzz {

// What loaders may take beside the input: less than the fuzzers' limit on memory, which tells
// whether they keep to it.
constexpr std::uint64_t memory_for_loading = std::uint64_t{512} << 20U;

// A finding unless it holds.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

inline void require_well_formed(const Image& image) {
  require(image.width >= 1 && image.width <= Image::longest_side, "width of a picture");
  require(image.height >= 1 && image.height <= Image::longest_side, "height of a picture");
  require(image.rgba.size() == std::size_t{4} * image.width * image.height, "bytes of a picture");
}

inline bool is_proper(float f) { return std::isfinite(f) && !(f == 0.0F && std::signbit(f)); }
inline bool is_proper(Vec3 v) { return is_proper(v.x) && is_proper(v.y) && is_proper(v.z); }
inline bool is_nan(Vec3 v) { return std::isnan(v.x) && std::isnan(v.y) && std::isnan(v.z); }

inline void require_well_formed(const Vertex& corner) {
  constexpr float rounding = 1e-5F;
  const Vec3 n = corner.normal;
  require(is_nan(corner.position) || is_proper(corner.position), "a position");
  require(is_proper(n) && std::abs(dot(n, n) - 1.0F) <= rounding, "a normal");
  require(is_proper(corner.texcoord.x) && is_proper(corner.texcoord.y), "a texture coordinate");
}

inline void require_well_formed(const Mesh& mesh) {
  require(mesh.corners.size() == 3 * mesh.triangle_count(), "three corners for each triangle");
  require(!mesh.materials.empty(), "a default material");
  for (const std::uint32_t material : mesh.triangle_material)
    require(material < mesh.materials.size(), "a triangle's material");
  for (const Material& material : mesh.materials) {
    const Vec3 d = material.diffuse;
    require(material.texture == Material::no_texture || material.texture < mesh.textures.size(),
            "a material's texture");
    require(std::isfinite(d.x) && std::isfinite(d.y) && std::isfinite(d.z), "a material's colour");
    require(material.shininess >= 1.0F, "a material's exponent");
    const TexturePlacement& placement = material.placement;
    for (const Vec2 pair : {placement.scale, placement.offset})
      require(is_proper(pair.x) && is_proper(pair.y), "the placement of a texture");
  }
  for (const Image& image : mesh.textures) require_well_formed(image);
  for (const Vertex& corner : mesh.corners) require_well_formed(corner);
}

}  // namespace warpview::fuzz
