// A picture of filled paths. Its segments are also made into edges, as kernels do, seen from three
// places. The loader clips paths to the page, so only the close view has edges far outside it.
#include <algorithm>

#include "fuzz/memory_file.h"
#include "fuzz/promises.h"
#include "gpu/applications/svg.h"
#include "gpu/applications/svg_edges.h"
#include "scenes/files/svg_loader.h"

namespace warpview::fuzz {
namespace {

void require_edges(const SvgView& view, const SvgSegment& segment) {
  const auto is_within = [](std::int32_t place) {
    return place >= -static_cast<std::int32_t>(svg_reach) &&
           place <= static_cast<std::int32_t>(svg_reach);
  };
  svg_each_edge(
      view, segment, {},
      [&](const SvgEdge& edge) {
        require(
            is_within(edge.ax) && is_within(edge.ay) && is_within(edge.bx) && is_within(edge.by),
            "an edge within reach");
      },
      [&](std::int32_t x, std::int32_t y) {
        require(is_within(x) && is_within(y), "a place within reach");
      });
}

void read(Bytes input) {
  LoadControl control;
  try {
    const Mesh mesh = read_svg(text_of(input), "input", control, {.memory = memory_for_loading});
    require_well_formed(mesh);
    const PathPicture& picture = mesh.picture;
    require(!picture.paths.empty() && picture.names.size() == picture.paths.size(), "names");
    const SvgView flat{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 64, 48, 2, 8, 6, 1e-6F, {}, 0};
    const SvgView slanted{
        {{1, 0, 0}, {0, 1, 0}, {0.1F, 0.7F, 0.3F}}, 64, 48, 1, 8, 6, 1e-6F, {}, 0};
    const SvgView close{
        {{3e8F, 1e3F, -1e8F}, {7, 2e9F, 5e8F}, {0, 0, 1}}, 64, 48, 2, 8, 6, 1e-6F, {}, 0};
    std::size_t drawn = 0;  // as many as do not take long
    for (const SvgPath& path : picture.paths) {
      require(std::size_t{path.first} + path.count <= picture.segments.size(), "a path's segments");
      for (std::uint32_t i = 0; i < path.count; ++i) {
        const SvgSegment& segment = picture.segments[path.first + i];
        for (int k = 0; k < 4; ++k)
          require(std::abs(segment.x[k]) <= svg_farthest && std::abs(segment.y[k]) <= svg_farthest,
                  "a control point");
        if (++drawn > 64) continue;
        require_edges(flat, segment);
        require_edges(slanted, segment);
        require_edges(close, segment);
      }
    }
  } catch (const Error&) {
    return;
  }
}

}  // namespace
}  // namespace warpview::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warpview::fuzz::read({data, size});
  return 0;
}
