// The plain model between the panels and the session: what is open, what is chosen, what came out.
// Panels read and edit it; the session (app/session.h) acts on it once per frame and refreshes the
// results. Nothing here calls OpenGL, ImGui or a kernel.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/choices.h"
#include "app/common/lab_runs.h"
#include "app/common/published.h"
#include "app/common/sass.h"
#include "app/common/scene_memory.h"
#include "app/common/time_parts.h"
#include "app/lab_faults_model.h"
#include "app/lab_steps.h"
#include "app/lab_tasks.h"
#include "app/message.h"
#include "app/render/ab_view.h"
#include "app/render/camera.h"
#include "app/render/options.h"
#include "app/render/screenshot.h"
#include "app/requests.h"
#include "app/snapshot.h"
#include "app/variant_times.h"
#include "gpu/catalogue.h"
#include "gpu/lab/laboratory.h"
#include "gpu/lab/series.h"
#include "gpu/runtime/device.h"
#include "scenes/description.h"
#include "scenes/scene.h"

namespace warpview {

// Does a stage run by itself, while there is nothing else to do, until its times have a spread?
enum class WarmUp {
  none,      // it need not, or it cannot
  to_come,   // until it has run often enough: app/warm_up.h
  too_slow,  // it takes too long for that
  waits,     // until the scene is paused
  changes    // never, as things stand: the scene would not be as it was
};

// A stage of the scene that is open: what the user chose for it, and how it goes.
struct StageRow {
  std::optional<VariantId> variant{};  // chosen by the user; none: there is one way
  std::vector<VariantId> variants{};   // to choose from; empty: there is one way
  std::vector<std::string> why_not{};  // by `variants`: why it cannot be chosen; empty where it can
  // The variant that it has where the user chooses none. Another device may have another, so that a
  // stage which has it takes that one there.
  std::optional<VariantId> usual{};
  Published<StageResult> result{};
  TimesTaken taken{};  // the result's times
  // With the variant before; none: none was switched, or nothing can be compared.
  std::optional<VariantTimes> before{};
  std::optional<Comparison> compared{};  // of all its variants, if there was one
  bool launch_bound = false;             // under 1 MB moved: launches, not bandwidth, bound it
  bool every_frame = false;              // runs in each frame now
  bool has_run = false;  // ever since the scene was opened, or another stage did its work
  WarmUp warm_up = WarmUp::none;

  VariantTimes times() const {
    return {.variant = result->variant,
            .items = result->work.items,
            .milliseconds = result->times(),
            .cold = result->is_cold(),
            .taken = taken,
            .fused = result->fused};
  }
};

// An output of the scene that is open.
struct OutputRow {
  std::string name, title;
  char key = 0;
  bool shown = false;  // chosen by the user
  bool empty = false;  // the mesh has nothing of it
  OutputKind kind = OutputKind::surface;
  bool dims_surfaces = false;  // the surfaces, where it is drawn over them
  std::string about{};         // what is drawn
  bool of_pick = false;        // nothing is drawn of it before something is picked
};

// A configuration and how it went, for later ones to be held against.
struct PinnedRun {
  Controls controls{};
  std::map<std::string, VariantTimes> stages{};  // by name; without times where it never ran
  std::vector<double> frames_ms{};               // the last frames of what moved
  std::set<std::string> shown{};                 // outputs
  RenderOptions show{};                          // of which A's picture keeps what View::A has
  std::uint64_t scene = 0;                       // Snapshot::scene
  bool takes_times = true;                       // until something is changed: app/pinned_times.h

  const VariantTimes* stage(const std::string& name) const {
    const auto found = stages.find(name);
    return found == stages.end() ? nullptr : &found->second;
  }
};

// The picture of PinnedRun, as the session keeps it.
struct PinnedPicture {
  bool is_there = false;
  double seconds = 0.0;  // of the scene's time that it shows
  bool moves = false;    // the scene did
};

// Machine code that was asked for.
struct SassAnswer {
  SassQuestion question{};
  bool done = false;
  std::string text{};   // empty: none
  std::string error{};  // why there is none
};

// All variants of a primitive on the same input, or on inputs of several sizes.
struct LabSeries {
  lab::Question asked{};               // of a sweep: at its last size
  std::vector<VariantId> variants{};   // all variants of it; empty: nothing was asked yet
  std::vector<lab::Answer> answers{};  // as they come: the library's first of each size
  std::string error{};                 // why it could not be answered
  std::vector<std::uint32_t> sizes{};  // of a sweep; empty where there is one size
  bool cancelled = false;              // before all had their turn
  unsigned banks = 32;                 // of shared memory, on the device that counts

  std::size_t answers_to_come() const {
    return variants.size() * std::max<std::size_t>(sizes.size(), 1);
  }
};

// The answers for one primitive.
class LabResults {
 public:
  // The answers that the task's tab shows.
  LabSeries& of(LabTask task) { return series_[index(task)]; }
  const LabSeries& of(LabTask task) const { return series_[index(task)]; }
  // Forgets what this device answered.
  void forget(LabDevice device) {
    for (const LabTaskRow& row : lab_tasks)
      if (lab_task(answered_by(row.task)).question.device == device) of(row.task) = {};
  }

 private:
  static std::size_t index(LabTask task) { return static_cast<std::size_t>(answered_by(task)); }

  std::array<LabSeries, lab_tasks.size()> series_;  // by the task that asked
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
  int counted = 14;  // 2 to this power: items for the counters, or as many as `question` has

  // The sweep goes from 2^sweep_first to 2^sweep_last items, or as far as memory and primitive
  // allow.
  int sweep_first = 8;
  int sweep_last = 16;

  State state = State::idle;
  LabTask task = LabTask::results;     // the one that asked last: it is busy with that
  bool cancelling = false;             // busy with the last variant before it stops
  std::optional<VariantId> variant{};  // that runs now; none: the input is made
  std::string building;    // progress of the counting module's build; empty where there is none
  std::uint32_t size = 0;  // of its input
  // Items of question.primitive that fit into the device's memory; 0: not known yet.
  std::uint32_t most_items = 0;
  std::array<LabResults, primitive_count> results;  // by primitive
  Primitive answering{};                            // whose results come in now, or came in last
  std::vector<SassAnswer> sass;                     // the latest last
  LabRuns runs;                                     // all that was timed
  std::string runs_file;    // where they are kept; empty: nowhere, as without a window
  bool keeps_runs = false;  // as the user wishes
  LabSteps steps;
  LabFaults faults;

  bool busy() const { return state != State::idle; }
  bool records() const { return steps.recording.has_value(); }
  // Is machine code being read?
  bool disassembles() const {
    return std::any_of(sass.begin(), sass.end(), [](const SassAnswer& each) { return !each.done; });
  }
  LabResults& results_of(Primitive primitive) {
    return results[static_cast<std::size_t>(primitive)];
  }
  const LabResults& results_of(Primitive primitive) const {
    return results[static_cast<std::size_t>(primitive)];
  }
  // What a task's tab shows: the answers for the primitive that is chosen.
  LabSeries& shown(LabTask of) { return results_of(question.primitive).of(of); }
  const LabSeries& shown(LabTask of) const { return results_of(question.primitive).of(of); }
  // The largest size's exponent, as far as memory and primitive allow.
  int most_exponent() const {
    constexpr std::uint32_t before_it_is_known = 1U << 28U;
    return lab::largest_power(question.primitive, most_items > 0 ? most_items : before_it_is_known);
  }
  // What a run takes of the items that the question has.
  std::uint32_t items() const {
    return std::min(question.n, 1U << static_cast<unsigned>(most_exponent()));
  }
  int last_of_sweep() const { return std::min(sweep_last, most_exponent()); }
  // The sizes of the question's inputs, ascending; empty where a sweep ends before it begins.
  std::vector<std::uint32_t> sizes(LabSizes which) const {
    switch (which) {
      case LabSizes::chosen:
      case LabSizes::own:
        break;
      case LabSizes::swept:
        return lab::powers_of_two(sweep_first, last_of_sweep());
      case LabSizes::few:
        return {std::min(items(), 1U << static_cast<unsigned>(counted))};
    }
    return {items()};
  }
  LabSeries& under_way() { return results_of(answering).of(task); }
  const LabSeries& under_way() const { return results_of(answering).of(task); }
};

// A video that is being recorded.
struct VideoModel {
  std::string file;          // empty: none is
  std::uint64_t done = 0;    // frames that are encoded
  std::uint64_t frames = 0;  // of the whole
  bool finishing = false;    // all are encoded, and the file is being written

  bool records() const { return !file.empty(); }
};

inline constexpr std::array all_backends = {Backend::cuda, Backend::hip, Backend::cpu};

struct Model {
  // Chosen by the user. What belongs to a scene is as the scene begins with when one is opened.
  std::vector<StageRow> stages;
  std::vector<OutputRow> outputs;
  Controls controls;
  bool playing = true;  // does time pass in scenes that move?
  // While the camera is dragged or flies, or the scene moves, and a picture takes longer than this,
  // pictures are coarse: see Viewing::seen().
  bool camera_dragged = false;
  double coarse_above_ms = 100.0;
  int coarse_pixels = 640 * 400;  // that a coarse picture keeps, as far as the view has them
  bool wants_whole = false;       // no picture is to be coarse: the window is about to be saved
  RenderOptions show;
  AbView ab;  // what is seen of A and of B, where there is A's picture
  Camera camera;
  std::vector<SceneMemory::NamedCamera> cameras;  // kept by the user, of the scene that is open
  UpAxis usual_up = UpAxis::y;                    // of scenes that were not left with another
  std::optional<Ray> pointer;  // through the place of the view where the cursor is; none: it is not
  Requests requests;
  std::optional<PinnedRun> pinned;  // of the scene that is open, in whatever size
  LabModel lab;
  VideoModel video;
  // How the user left scenes, the last one first. Only where `remembers` is set does the session
  // look into them, and add to them.
  std::vector<SceneMemory> memories;
  bool remembers = false;
  bool reload_on_change = false;  // read the files again when one of them was written
  // A slider is being dragged, say: what it sets is one step for undo once it is let go.
  bool is_setting = false;
  std::string undoes, redoes;  // "Level": what undo and redo would change; empty: nothing

  // What is open. Stays as it is when opening something else fails.
  const SceneKind* scene_kind = nullptr;  // null: nothing yet
  // Another one for each scene that was opened, read again or made anew; the same where the one
  // before came back. 0: nothing yet.
  std::uint64_t scene_number = 0;
  std::string scene_name;  // empty: nothing yet
  std::string scene_spec;
  std::vector<MeshSource> scene_files;  // empty: the scene's own mesh
  std::string scene_file;               // in JSON, that says all this; empty: there is none
  Aabb scene_bounds = Aabb::empty();
  Outline scene_outline;

  // Loading: on a thread of its own.
  bool loading = false;
  std::string loading_spec;
  float load_progress = 0.0F;  // 0 to 1
  std::string load_phase;
  std::vector<PhaseTime> load_times;  // of the last that was opened

  // Size of the picture in pixels; 0: not known yet.
  int view_width = 0;
  int view_height = 0;

  // Results, as of the last frame that has ended on the device.
  DeviceInfo device;
  std::string built_with;               // its kernels: compiler and libraries
  std::array<std::string, 3> absent;    // by Backend: why it is not available; empty if it is
  std::optional<Backend> switching_to;  // a backend that is being opened, with the scene on it
  std::string gl_renderer;
  std::string interop;  // "direct: ..." or "copied: ..."
  Published<Snapshot> results;
  PinnedPicture a;                              // of `pinned`
  std::optional<PictureDifference> difference;  // of A and B, in a picture that shows it
  std::vector<Fact> picked;                     // what the user pointed at; empty: nothing
  TimeParts window_parts;                       // turns of the window that drew its panels
  std::vector<Fact> glanced;                    // what lies under the pointer; empty: nothing
  double picture_ms = 0.0;                      // wall time from picture to picture
  double draw_ms = 0.0;                         // of the last picture
  // How long ago what the picture shows was overtaken by what is set and computed; 0: it was not.
  double behind_ms = 0.0;
  // How long there has been no picture of what is open; 0: there is one, or none is to come.
  double first_picture_ms = 0.0;
  std::vector<Message> messages;  // oldest first

  void say(Message message) {
    constexpr std::size_t most = 200;
    if (messages.size() >= most) messages.erase(messages.begin());
    messages.push_back(std::move(message));
  }
  // What is chosen above.
  Choices choices() const {
    Choices now{.controls = controls, .playing = playing};
    for (const StageRow& row : stages)
      if (row.variant) now.variants.emplace(row.result->name, *row.variant);
    for (const OutputRow& row : outputs)
      if (row.shown) now.shown.insert(row.name);
    return now;
  }
  bool shows_a() const { return a.is_there && ab.shows_a(); }
  // And how it was seen: the divider, and which side is which.
  void forget_pinned() {
    pinned.reset();
    ab = AbView{.gain = ab.gain};
  }
  // Does the view show A, so far from its left: 0 to 1? What is pointed at there is not the
  // scene's.
  bool is_of_a(float right) const { return shows_a() && ab.is_of_a(right); }
  bool moves() const { return results->moving && playing && !results->failed; }
  // To another backend than the one that computes.
  bool can_switch_to(Backend backend) const {
    return backend != device.backend && !switching_to &&
           absent[static_cast<std::size_t>(backend)].empty();
  }

 private:
  static auto* output_in(auto& rows, std::string_view name) {
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [name](const OutputRow& row) { return row.name == name; });
    return found == rows.end() ? nullptr : &*found;
  }

 public:
  // An output by name; null: there is none such.
  OutputRow* output(std::string_view name) { return output_in(outputs, name); }
  const OutputRow* output(std::string_view name) const { return output_in(outputs, name); }
  // What keeps a control from having an effect as the scene is set and shown; null: it has one.
  const Need* unmet_need(std::size_t control) const {
    return controls.unmet_need(control, [this](std::string_view name) {
      const OutputRow* const row = output(name);
      return row != nullptr && row->shown && !row->empty;
    });
  }
  const StageRow* stage(const std::string& name) const {
    for (const StageRow& row : stages)
      if (row.result->name == name) return &row;
    return nullptr;
  }
};

}  // namespace warpview
