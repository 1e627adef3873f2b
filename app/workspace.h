// The plain model between the panels and the session: what is open, what is chosen, what came out.
// Panels read and edit it; the session (app/session.h) acts on it once a frame and refreshes the
// results. Nothing here calls OpenGL, ImGui or a kernel.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/render/camera.h"
#include "app/render/renderer.h"
#include "gpu/catalogue.h"
#include "gpu/lab/laboratory.h"
#include "gpu/pipeline/mesh_pipeline.h"
#include "gpu/runtime/device.h"

namespace warpview {

// One row of the timings panel, refreshed every frame.
struct StageRow {
  Stage stage = Stage::upload;
  std::vector<int> variants;  // rows of the catalogue to choose from; empty for upload
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;
  std::vector<float> milliseconds;  // last runs, oldest first, at most StageTimes::kept
  double last_ms = 0.0;
  double median_ms = 0.0;
  double least_ms = 0.0;
  double gb_per_s = 0.0;      // of the median
  double copy_share = 0.0;    // gb_per_s over a copy that moves as many bytes; 0: not known yet
  bool launch_bound = false;  // under 1 MB moved: launches, not bandwidth, bound it
  bool every_frame = false;   // runs in each frame now; else it has a Repeat button
  bool fused = false;         // done by the builder in the same pass
};

struct WaveSettings {
  int axis = 0;             // where it travels: 0 x, 1 y, 2 z
  int direction = 1;        // where it displaces
  float amplitude = 0.06F;  // in radii of the mesh
  float waves = 2.0F;       // wavelengths along the mesh
  float speed = 0.5F;       // wavelengths a second
  bool running = true;
};

// What a panel asks the session to do; taken and cleared at the next update.
struct Requests {
  std::optional<std::string> open;  // path or generated scene
  bool cancel_load = false;
  std::optional<Stage> repeat;
  bool fit_camera = false;
  std::optional<std::string> screenshot;  // path of a PNG
  bool run_lab = false;                   // LabModel::question; ignored while one is answered
  bool count_lab = false;                 // the same on the device that counts
  bool cancel_lab = false;
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

struct Message {
  enum class Kind { info, warning, error };
  Kind kind = Kind::info;
  std::string text;
};

// Not to be taken for Workspace, the scratch memory of a primitive (gpu/runtime/workspace.h).
struct WorkspaceModel {
  // Chosen by the user.
  VariantChoice choice;
  Animation animation = Animation::once;
  WaveSettings wave;
  DrawOptions show;
  Camera camera;
  Requests requests;
  LabModel lab;

  // What is open. Stays as it is when opening something else fails.
  std::string scene_name;  // empty: nothing yet
  std::string scene_spec;
  std::uint64_t dropped_faces = 0;  // by the loader, before the device sees them

  // Loading: in a thread of its own.
  bool loading = false;
  std::string loading_spec;
  float load_progress = 0.0F;  // 0 to 1
  std::string load_phase;

  // Results, as of the last frame that has ended on the device.
  DeviceInfo device;
  std::array<std::string, 3> absent;  // by Backend: why it is not available; empty if it is
  std::string gl_renderer;
  std::string interop;  // "direct: ..." or "copied: ..."
  bool graph = false;   // frames replay a captured graph
  std::vector<StageRow> stages;
  MeshCounts counts{};
  TreeStatistics tree{};
  SceneBounds bounds{};
  double frame_gpu_ms = 0.0;      // device time of the frame's kernels
  double frame_ms = 0.0;          // wall time from frame to frame
  double copy_gb_per_s = 0.0;     // device-to-device copy, largest size measured; 0: not yet
  std::vector<Message> messages;  // oldest first
};

}  // namespace warpview
