// What came of the scene that is open, as plain data: its stages, facts and times.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/common/time_parts.h"
#include "app/comparison.h"
#include "scenes/scene.h"

namespace warpview {

// A stage as panels and reports see it.
struct StageResult {
  std::string name, title;
  std::optional<Primitive> primitive{};
  // As chosen now: a wish may have been refused. None: there is one way.
  std::optional<VariantId> variant{};
  StageWork work{};
  std::vector<float> milliseconds{};  // last frames, oldest first; of warm runs
  std::optional<double> cold_ms{};    // the first run, which is slower
  double last_ms = 0.0;
  double median_ms = 0.0;
  double least_ms = 0.0;
  double gb_per_s = 0.0;    // of the median, which is the cold run's where there is no other
  double copy_share = 0.0;  // gb_per_s over a copy that moves as many bytes; 0: not known yet
  int runs = 0;             // in the last frame
  bool of_mesh = false;     // as StageInfo::of_mesh
  bool repeatable = true;
  bool repeats_alone = true;  // and would leave the scene as it is now
  std::string done_by{};      // the stage that did its work too

  bool has_times() const { return cold_ms || !milliseconds.empty(); }
  bool is_cold() const { return cold_ms && milliseconds.empty(); }
  // Times of the warm runs, or of the cold one where there is no other.
  std::vector<double> times() const {
    if (is_cold()) return {*cold_ms};
    return {milliseconds.begin(), milliseconds.end()};
  }
};

// What came of the wishes (app/compute.h), as of the last frame.
struct SceneResults {
  std::uint64_t scene = 0;   // number of the scene; 0: none
  std::uint64_t wishes = 0;  // the last that were acted on
  std::uint64_t frames = 0;  // computed so far
  double seconds = 0.0;      // of simulated time that have passed since the scene began
  std::vector<StageResult> stages{};
  std::vector<Fact> facts{};
  std::vector<Legend> legends{};  // of the outputs whose colours say something, shown or not
  // Numbers of the plotted facts in the last frames, by name, oldest first.
  std::map<std::string, std::vector<float>> courses{};
  std::vector<double> slider_max{};  // by control
  bool moving = false;
  bool graph = false;       // frames replay a captured graph
  double kernels_ms = 0.0;  // device time of the last frame
  // The last frames from end to end, and what they spent their time with. Its device parts are the
  // stages, by their order.
  TimeParts frame_parts{};
  // From where the last frame is seen, where the scene looks.
  std::optional<FrameView> seen{};
  double copy_gb_per_s = 0.0;  // device-to-device copy, largest size measured; 0: not yet
  bool failed = false;         // a frame failed since the last wishes: time stands still
  Comparison comparison{};     // the last that was asked for
};

}  // namespace warpview
