// The times of A, which go on being taken while nothing has been changed since it was pinned.
#pragma once

#include <cstddef>

#include "app/model.h"

namespace warpview {

// Takes over the times of now where A has fewer. The first frames and runs are slow, as caches and
// clocks are cold; once the panel's medians are those of warm runs, so are A's. Ends for good with
// the first change of the settings, and when the scene is replaced.
void take_times_of_pinned(Model& model);

inline std::size_t warm_runs(const VariantTimes& times) {
  return times.cold ? 0 : times.milliseconds.size();
}

}  // namespace warpview
