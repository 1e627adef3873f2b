// Scenes as the benchmark times them: frames queued one behind another, without drawing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenes/scene.h"

namespace warpview::bench {

struct SceneRow {
  std::string_view subject;  // "particles sample"
  std::string_view variant;  // "steps 0 to 100": the timed part
  std::string_view scene;    // a row of scenes/scenes.def
  std::string_view mesh;     // as open_mesh() takes it, or "hills"; empty: the scene's own
  std::vector<std::string_view> settings;  // as --set takes them
  int before = 0;                          // frames from the beginning that are not timed
  int frames = 100;                        // timed frames
  int frames_on_cpu = 0;                   // timed frames on the CPU device; 0: it is left out
                                           // there
};

const std::vector<SceneRow>& scene_rows();

// The scene, loaded. Error if it does not fit.
std::unique_ptr<Scene> make(const SceneRow& row, Device& device);
// The items of a row: particles, or triangles of the mesh.
std::uint64_t items_of(const Scene& scene);

// Restarts, and returns the milliseconds per frame: the time of all timed frames by the device's
// clock, queued without waiting, over their number.
double time_of_frames(Scene& scene, int before, int frames);

// The numbers among the facts of one more frame, and the milliseconds per run of each stage that
// ran in it: "particles.on_mesh", "ms.contacts".
std::vector<std::pair<std::string, double>> told_of_next_frame(Scene& scene);

}  // namespace warpview::bench
