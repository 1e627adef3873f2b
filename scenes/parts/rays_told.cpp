#include "scenes/parts/rays_told.h"

#include <fmt/format.h>

#include <algorithm>

#include "gpu/steps/rays_shading.h"
#include "scenes/parts/legends.h"

namespace warpview {

std::vector<Fact> rays_facts(const RaysLook& look, std::uint32_t samples, const RayCounts& counts,
                             double trace_ms) {
  const double pixels = std::max(1.0, static_cast<double>(look.width) * look.height);
  const double rays = pixels + static_cast<double>(counts.bounces);
  std::vector<Fact> facts = {{.name = "rays.picture",
                              .title = "Picture",
                              .value = fmt::format("{} x {}", look.width, look.height),
                              .tooltip = "Size of the picture."},
                             {.name = "rays.samples",
                              .title = "Samples",
                              .value = std::uint64_t{samples},
                              .tooltip = "Samples of each pixel so far."},
                             {.name = "rays.speed",
                              .title = "Trace",
                              .value = trace_ms > 0.0 ? 1e-3 * rays / trace_ms : 0.0,
                              .unit = "Mray/s",
                              .tooltip = "Rays per second of the stage Trace, in its last run.",
                              .plotted = true,
                              .varies = true},
                             {.name = "rays.hits",
                              .title = "Hits",
                              .value = 100.0 * static_cast<double>(counts.hits) / pixels,
                              .unit = "%",
                              .tooltip = "Share of the camera's rays that hit a triangle."}};
  if (look.view == RaysView::paths)
    facts.push_back({.name = "rays.path",
                     .title = "Rays per path",
                     .value = rays / pixels,
                     .tooltip = "Mean number of rays that a path of the last sample is made of, "
                                "without its shadow rays."});
  if (rays_shows_steps(look.view)) {
    facts.push_back({.name = "rays.boxes",
                     .title = "Boxes per ray",
                     .value = static_cast<double>(counts.boxes) / pixels,
                     .tooltip = "Mean number of boxes that a ray tested."});
    facts.push_back({.name = "rays.tests",
                     .title = "Triangles per ray",
                     .value = static_cast<double>(counts.triangles) / pixels,
                     .tooltip = "Mean number of triangles that a ray tested."});
  }
  return facts;
}

std::optional<Legend> rays_legend(const RaysLook& look, const Mesh& mesh) {
  const auto ramp = [](const char* title, double least, double most, bool more = false) {
    return Legend{.title = title, .least = least, .most = most, .more = more};
  };
  switch (look.view) {
    case RaysView::shaded:
    case RaysView::paths:
      return legend_of_materials(mesh, 0);
    case RaysView::triangles:
      return Legend{
          .title = "Triangle", .scale = Legend::Scale::blocks, .note = "neighbours differ"};
    case RaysView::depth:
      return ramp("Depth", look.nearest, look.farthest);
    case RaysView::normals:
      return legend_of_normals(0);
    case RaysView::boxes:
      return ramp("Boxes tested per ray", 0.0, look.most, true);
    case RaysView::tests:
      return ramp("Triangles tested per ray", 0.0, look.most, true);
    case RaysView::lanes:
      return ramp("Busy lanes", 0.0, 1.0);
    case RaysView::occlusion:
      return Legend{.title = "Ambient occlusion",
                    .scale = Legend::Scale::swatches,
                    .swatches = {{"open", {1.0F, 1.0F, 1.0F}}, {"closed", {0.0F, 0.0F, 0.0F}}}};
  }
  return {};
}

}  // namespace warpview
