// What came of the scene that is open, as plain data: its stages, facts and times.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/common/time_parts.h"
#include "app/comparison.h"
#include "gpu/timeline/timeline.h"
#include "scenes/scene.h"

namespace warpview {

// What came of the wishes (app/compute.h), as of the last frame.
struct Snapshot {
  std::uint64_t scene = 0;   // number of the scene; 0: none
  std::uint64_t wishes = 0;  // the last that were acted on
  std::uint64_t frames = 0;  // computed so far
  double seconds = 0.0;      // of simulated time that have passed since the scene began
  std::vector<StageResult> stages{};
  std::vector<Fact> facts{};
  std::vector<Legend> legends{};  // of the outputs whose colours say something, shown or not
  // Numbers of the plotted facts in the last frames, by name, oldest first.
  std::map<std::string, std::vector<float>> courses{};
  std::vector<double> slider_max{};              // by control
  std::vector<std::optional<double>> derived{};  // by control: Scene::derived()
  Aabb reach = Aabb::empty();                    // Scene::reach()
  Outline outline{};                             // Scene::outline()
  bool moving = false;
  bool skips_time = false;  // depends on the time alone, not on the steps to it
  bool graph = false;       // frames replay a captured graph
  double kernels_ms = 0.0;  // device time of the last frame
  // The last frames from end to end, and what they spent their time with. Its device parts are the
  // stages, by their order.
  TimeParts frame_parts{};
  std::optional<Budgets> budgets{};  // Scene::budgets()
  // What the blocks of the scheduled stage did in its last run, where that is recorded.
  std::optional<BlocksAtWork> blocks{};
  // From where the last frame is seen, where the scene looks.
  std::optional<FrameView> seen{};
  double copy_gb_per_s = 0.0;  // device-to-device copy, largest size measured; 0: not yet
  bool failed = false;         // a frame failed since the last wishes: time stands still
  Comparison comparison{};     // the last that was asked for
};

}  // namespace warpview
