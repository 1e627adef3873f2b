// One colour for each kind of primitive, the same in every scene and in the laboratory's bars.
#pragma once

#include <imgui.h>

#include <optional>

#include "gpu/catalogue.h"
#include "gpu/timeline/timeline.h"

namespace warpview {

// Primitives that solve related problems have one colour: scans and what is built on them, sorts,
// hashing, trees and so on. `none`: a kernel of the scene's own, or a copy.
ImU32 colour_of_kind(std::optional<Primitive> primitive);
// The colour of a stage's bars and mark.
ImU32 colour_of_stage(const StageResult& stage);

}  // namespace warpview
