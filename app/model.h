// The plain model between the panels and the session: what is open, what is chosen, what came out.
// Panels read and edit it; the session (app/session.h) acts on it once per frame and refreshes the
// results. Nothing here calls OpenGL, ImGui or a kernel.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/common/time_parts.h"
#include "app/compute.h"
#include "app/message.h"
#include "app/render/camera.h"
#include "app/render/renderer.h"
#include "gpu/catalogue.h"
#include "gpu/lab/laboratory.h"
#include "gpu/runtime/device.h"
#include "scenes/description.h"
#include "scenes/scene.h"

namespace warpview {

// How a stage went with the variant that was chosen for it before.
struct EarlierTimes {
  int row = -1;             // of the catalogue
  std::uint64_t items = 0;  // that it worked on
  double median_ms = 0.0;
  double quartile_1_ms = 0.0;
  double quartile_3_ms = 0.0;
  std::size_t runs = 0;
};

// A stage of the scene that is open: what the user chose for it, and how it goes.
struct StageRow {
  int row = -1;                        // of the catalogue: chosen by the user
  std::vector<int> variants{};         // rows to choose from; empty: there is one way
  std::vector<std::string> why_not{};  // by `variants`: why it cannot be chosen; empty where it can
  StageResult result{};
  std::optional<EarlierTimes>
      before{};  // none: no variant was switched, or nothing can be compared
  std::optional<Comparison> compared{};  // of all its variants, if there was one
  bool launch_bound = false;             // under 1 MB moved: launches, not bandwidth, bound it
  bool every_frame = false;              // runs in each frame now
  bool has_run = false;  // ever since the scene was opened, or another stage did its work
};

// An output of the scene that is open.
struct OutputRow {
  std::string name, title;
  char key = 0;
  bool shown = false;  // chosen by the user
  bool empty = false;  // the mesh has nothing of it
};

// A configuration and how it went, for later ones to be held against.
struct PinnedRun {
  struct Stage {
    std::string name;
    int row = -1;
    std::uint64_t items = 0;
    std::vector<double> milliseconds{};
  };
  Controls controls{};
  std::vector<Stage> stages{};
  std::vector<double> frames_ms{};  // the last frames of what moved

  const Stage* stage(const std::string& name) const {
    for (const Stage& each : stages)
      if (each.name == name) return &each;
    return nullptr;
  }
};

// What a panel asks the session to do; taken and cleared at the next update.
struct Requests {
  std::optional<SceneDescription> open{};
  bool cancel_load = false;
  bool reload = false;                   // what is open, from its files, as the user has set it
  std::vector<std::string> repeat{};     // stages by their names, each time they are to run
  std::optional<std::string> compare{};  // its variants
  bool cancel_comparison = false;
  bool reset_scene = false;
  int steps = 0;  // frames of a paused scene
  bool fit_camera = false;
  std::optional<Side> look_from{};  // and fit
  std::optional<Ray> pick{};
  std::optional<Ray> pivot{};               // the camera is to turn around what this hits
  std::optional<std::string> screenshot{};  // path of a PNG
  std::optional<Backend> backend{};         // compute there what is open from now on
  bool run_lab = false;                     // LabModel::question; ignored while one is answered
  bool count_lab = false;                   // the same on the device that counts
  bool cancel_lab = false;

  bool any() const {
    return open || cancel_load || reload || !repeat.empty() || compare || cancel_comparison ||
           reset_scene || steps > 0 || fit_camera || look_from || pick || pivot || screenshot ||
           backend || run_lab || count_lab || cancel_lab;
  }
};

// All variants of a primitive on the same input.
struct LabSeries {
  lab::Question asked;
  std::vector<int> rows;             // all variants of it; empty: nothing was asked yet
  std::vector<lab::Answer> answers;  // as they come: the library's first
  std::string error;                 // why it could not be answered
};

// The laboratory. While it is busy the scene's kernels wait, so that neither is in the other's
// times.
struct LabModel {
  enum class State { idle, preparing, measuring };

  // Chosen by the user.
  lab::Question question;
  unsigned banks = 32;  // of shared memory, for the counters: 16 or 32
  static constexpr int least_counted = 6;
  static constexpr int most_counted = 18;
  int counted = 12;  // 2 to this power: items for the counters, or as many as `question` has

  State state = State::idle;
  bool counting = false;         // what it is busy with: `counters`, not `times`
  bool cancelling = false;       // busy with the last variant before it stops
  int row = -1;                  // that is under way
  std::uint32_t most_items = 0;  // of question.primitive that fit into the device's memory
  LabSeries times;               // on the device
  LabSeries counters;            // on the CPU device that counts, with fewer items
  unsigned counted_banks = 32;   // of `counters`

  bool busy() const { return state != State::idle; }
  const LabSeries& under_way() const { return counting ? counters : times; }
};

struct Model {
  // Chosen by the user. What belongs to a scene is as the scene begins with when one is opened.
  std::vector<StageRow> stages;
  std::vector<OutputRow> outputs;
  Controls controls;
  bool playing = true;  // does time pass in scenes that move?
  // While the camera is dragged, and a picture takes longer than this, pictures have half as many
  // pixels each way, and no shadows.
  bool camera_dragged = false;
  double coarse_above_ms = 100.0;
  RenderOptions show;
  Camera camera;
  std::optional<Ray> pointer;  // through the place of the view where the cursor is; none: it is not
  Requests requests;
  std::optional<PinnedRun> pinned;  // of the scene that is open, in whatever size
  LabModel lab;

  // What is open. Stays as it is when opening something else fails.
  const SceneKind* scene_kind = nullptr;  // null: nothing yet
  std::string scene_name;                 // empty: nothing yet
  std::string scene_spec;
  std::vector<MeshSource> scene_files;  // empty: the scene's own mesh
  Aabb scene_bounds = Aabb::empty();

  // Loading: on a thread of its own.
  bool loading = false;
  std::string loading_spec;
  float load_progress = 0.0F;  // 0 to 1
  std::string load_phase;

  // Results, as of the last frame that has ended on the device.
  DeviceInfo device;
  std::array<std::string, 3> absent;    // by Backend: why it is not available; empty if it is
  std::optional<Backend> switching_to;  // a backend that is being opened, with the scene on it
  std::string gl_renderer;
  std::string interop;            // "direct: ..." or "copied: ..."
  SceneResults results;           // but for its stages, which `stages` have
  std::vector<Fact> picked;       // what the user pointed at; empty: nothing
  TimeParts window_parts;         // turns of the window that drew its panels
  std::vector<Fact> glanced;      // what lies under the pointer; empty: nothing
  double picture_ms = 0.0;        // wall time from picture to picture
  double draw_ms = 0.0;           // of the last picture
  std::vector<Message> messages;  // oldest first

  bool moves() const { return results.moving && playing && !results.failed; }
  // Index of an output by name; none: there is none such.
  OutputRow* output(const std::string& name) {
    for (OutputRow& row : outputs)
      if (row.name == name) return &row;
    return nullptr;
  }
  const StageRow* stage(const std::string& name) const {
    for (const StageRow& row : stages)
      if (row.result.name == name) return &row;
    return nullptr;
  }
};

}  // namespace warpview
