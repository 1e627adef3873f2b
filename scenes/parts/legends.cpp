#include "scenes/parts/legends.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace warpview {

std::optional<Legend> legend_of_materials(const Mesh& mesh, std::size_t output) {
  constexpr std::size_t most = 8;
  if (!mesh.corner_colours.empty()) return {};
  std::vector<bool> used(mesh.materials.size());
  for (const std::uint32_t material : mesh.triangle_material) used[material] = true;
  const auto count = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
  if (count < 2) return {};
  Legend legend{.output = output, .title = "Material", .scale = Legend::Scale::swatches};
  for (std::size_t i = 0; i < used.size() && legend.swatches.size() < most; ++i) {
    if (!used[i]) continue;
    const Material& material = mesh.materials[i];
    legend.swatches.push_back({.name = material.name.empty() ? "unnamed" : material.name,
                               .colour = material.diffuse,
                               .is_texture = material.texture != Material::no_texture});
  }
  legend.left_out = count - legend.swatches.size();
  return legend;
}

Legend legend_of_normals(std::size_t output) {
  Legend legend{.output = output, .title = "Normal", .scale = Legend::Scale::swatches};
  legend.swatches = {{"+x", {1.0F, 0.5F, 0.5F}}, {"-x", {0.0F, 0.5F, 0.5F}},
                     {"+y", {0.5F, 1.0F, 0.5F}}, {"-y", {0.5F, 0.0F, 0.5F}},
                     {"+z", {0.5F, 0.5F, 1.0F}}, {"-z", {0.5F, 0.5F, 0.0F}}};
  return legend;
}

void add_overlay_legends(const Scene& scene, const Overlays& overlays,
                         std::vector<Legend>& legends) {
  using Scale = Legend::Scale;
  for (std::size_t i = 0; i < scene.outputs().size(); ++i) {
    const Output& output = scene.outputs()[i];
    if (output.kind == OutputKind::strip) {
      legends.push_back(
          {.output = i,
           .title = output.title,
           .scale = Scale::strip,
           .most = static_cast<double>(std::max<std::uint64_t>(overlays.items, 1) - 1)});
    } else if (output.kind == OutputKind::boxes && style_as<BoxStyle>(output.style).is_path) {
      if (overlays.is_picked)
        legends.push_back({.output = i,
                           .title = output.title,
                           .scale = Scale::box_path,
                           .note = "from the root to the leaf"});
    } else if (output.kind == OutputKind::boxes && style_as<BoxStyle>(output.style).by_overlap) {
      legends.push_back({.output = i, .title = "Overlap of children", .scale = Scale::box_overlap});
    } else if (output.kind == OutputKind::boxes && output.name == std::string_view("boxes")) {
      legends.push_back({.output = i,
                         .title = output.title,
                         .scale = Scale::box_level,
                         .least = static_cast<double>(overlays.level)});
    }
  }
}

}  // namespace warpview
