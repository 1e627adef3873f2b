// Deformations sequentially on the host, in double precision: what Step::deform is held against.
#pragma once

#include <span>
#include <string>

#include "gpu/runtime/vertex.h"
#include "gpu/steps/deform.h"

namespace warpview {

// Where the device's deformed vertices first differ from `rest` deformed here, by more than single
// precision explains; empty where they do not. Normals are found from the deformation's slopes,
// measured by differences.
std::string check_deformed(std::span<const Vertex> rest, std::span<const Vertex> deformed,
                           const Deformation& how);

}  // namespace warpview
