// The tables that a ray traced picture is made with.
#pragma once

#include <memory>

#include "gpu/steps/rays.h"

namespace warpview {

std::unique_ptr<RaysTables> rays_tables();

}  // namespace warpview
