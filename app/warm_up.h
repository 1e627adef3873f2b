// Which stages run once more while there is nothing else to do. A first run is slower than those
// that follow, and one run has no spread.
#pragma once

#include <cstddef>

#include "app/model.h"

namespace warpview {

inline constexpr std::size_t enough_warm_runs = 5;

// A request meanwhile waits for the run that has begun: longer ones are the
// user's to ask for. One that follows a cold run may turn out far shorter.
struct LongestRun {
  double cold_ms, warm_ms;
};
inline constexpr LongestRun longest_at_rest{2000.0, 1000.0};
inline constexpr LongestRun longest_between_frames{40.0, 4.0};  // while the scene plays

// By what the model knows of its stages, as things stand now.
WarmUp warm_up_of(const Model& model, const StageRow& row);

}  // namespace warpview
