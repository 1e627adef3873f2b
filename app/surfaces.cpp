#include "app/surfaces.h"

#include <algorithm>

#include "scenes/parts/substance.h"

namespace warpview {
Surface surface_of(const Material& material) {
  const Substance substance = substance_of(material);
  const bool textured = material.texture != Material::no_texture;
  return {.base_colour = substance.base_colour,
          .roughness = substance.roughness,
          .emission = substance.emission,
          .metallic = substance.metallic,
          .texture = textured ? static_cast<std::int32_t>(material.texture) : -1,
          .is_clamped = material.placement.is_clamped ? 1U : 0U,
          .texture_scale = material.placement.scale,
          .texture_offset = material.placement.offset};
}

std::vector<Surface> surfaces_of(const SceneMaterials& made_of) {
  const auto& [materials, images] = made_of;
  std::vector<Surface> surfaces(materials.size());
  std::transform(materials.begin(), materials.end(), surfaces.begin(), surface_of);
  if (images.empty())
    for (Surface& surface : surfaces) surface.texture = -1;
  return surfaces;
}

}  // namespace warpview
