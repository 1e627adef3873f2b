// What the scene of rays tells of its picture.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gpu/steps/rays.h"
#include "scenes/scene.h"

namespace warpview {

// `trace_ms` is what tracing the rays of one sample took; 0: not known.
std::vector<Fact> rays_facts(const RaysLook& look, std::uint32_t samples, const RayCounts& counts,
                             double trace_ms);
// What the colours of the picture, which is the first output, mean; none: nothing.
std::optional<Legend> rays_legend(const RaysLook& look, const Mesh& mesh);

}  // namespace warpview
