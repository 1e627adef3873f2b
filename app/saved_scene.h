// What is open, as a scene file says it.
#pragma once

#include "app/model.h"
#include "gpu/timeline/timeline.h"
#include "scenes/description.h"

namespace warpview {

// The scene of the model as it is set now: all its controls, the variants that are not the usual
// ones or that `said`, the command line or its scene file, names, what is shown, cameras, and the
// time: of simulations 10 s at most. `fits`: is all of it in the view?
SceneDescription description_of(const Model& model, const VariantWishes& said, bool fits);

}  // namespace warpview
