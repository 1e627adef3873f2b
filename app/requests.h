// What a panel asks the session to do. The session acts on all of it, in order, at its next update.
#pragma once

#include <algorithm>
#include <concepts>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/common/sass.h"
#include "app/fault_runs.h"
#include "app/lab_steps.h"
#include "app/lab_tasks.h"
#include "app/render/camera.h"
#include "app/render/screenshot.h"
#include "app/video/plan.h"
#include "gpu/runtime/device.h"
#include "scenes/description.h"

namespace warpview::request {

// Those with a member `waits` wait until the laboratory has answered. Of those without a member
// `adds_up` only the last counts.

struct Open {
  static constexpr bool waits = true;
  SceneDescription scene;
};
struct CancelLoad {};
// What is open, from its files, as the user has set it.
struct Reload {
  static constexpr bool waits = true;
};
// The scene as it is asked for, with nothing of what was set in it.
struct ResetSettings {
  static constexpr bool waits = true;
};
struct ForgetScenes {};  // how they were left
// A stage, by its name, is to run once more.
struct Repeat {
  static constexpr bool waits = true, adds_up = true;
  std::string stage;
};
// All variants of a stage.
struct Compare {
  static constexpr bool waits = true;
  std::string stage;
};
struct CancelComparison {};
struct ResetScene {
  static constexpr bool waits = true;
};
// A frame of a paused scene.
struct Step {
  static constexpr bool waits = true, adds_up = true;
};
struct Undo {};  // what the user set last in the scene
struct Redo {};  // what was undone last
struct FitCamera {};
// And fit.
struct LookFrom {
  Side side{};
};
struct Pick {
  static constexpr bool waits = true;
  Ray ray{};
};
// The camera is to turn around what the ray hits.
struct Pivot {
  static constexpr bool waits = true;
  Ray ray{};
};
// The picture as it is set now, as A's: Model::a, Model::pinned.
struct KeepPicture {
  static constexpr bool waits = true;
};
// A picture of the view as a PNG: as it is shown, or drawn again with another number of pixels or
// without its background.
struct SavePicture {
  std::string file;
  int width = 0;  // 0: as it is shown
  int height = 0;
  bool transparent = false;
};
// What is open, as it is set now, as a scene file: docs/scene-files.md.
struct SaveScene {
  std::string file;
};
// The camera as it is, under a name, in place of one that has this name already.
struct KeepCamera {
  std::string name;
};
// From where a camera of the model looks.
struct LookThrough {
  std::string name;
};
// The scene as it is set, as a video; one at a time. Its time passes by the frames of the video,
// and goes on from there afterwards. A width of 0: in the view's size.
struct RecordVideo {
  VideoPlan plan;
};
struct CancelVideo {};
// Computes there what is open from now on.
struct SwitchBackend {
  Backend backend{};
};
// Asks LabModel::question; ignored while one is answered.
struct RunLab {
  LabTask task{};
};
struct CancelLab {};
// Records one run for a side of LabModel::steps. Ignored while one is recorded.
struct Record {
  static constexpr bool waits = true;
  RecordingQuestion asked;
  std::size_t side = 0;
};
struct CancelRecording {};
// A stage of the scene, by its name, is recorded on its mesh and shown in the Steps tab.
struct Watch {
  static constexpr bool waits = true;
  std::string stage;
};
// Shows a recording's file in the Steps tab. What is recorded makes way for it.
struct OpenRecording {
  std::filesystem::path file;
};
// Runs a fault with many seeds; answered in LabModel::faults.
struct RunFault {
  static constexpr bool waits = true;
  FaultQuestion asked;
};
struct CancelFault {};
// Records a fault's run with this seed, and shows it in the Steps tab.
struct PlayFault {
  static constexpr bool waits = true;
  FaultQuestion asked;
  std::uint64_t seed = 0;
};
// A file that is written on another thread, whole or not at all: `bytes`, or the picture as a PNG
// where there is one.
struct WriteFile {
  static constexpr bool adds_up = true;
  std::string file;
  std::string bytes{};
  std::optional<Picture> picture{};
};
// A file for what was measured: app/report.h.
struct WriteReport {
  static constexpr bool adds_up = true;
  std::string file;
};
// A file in the user's editor.
struct EditFile {
  std::string file;
  int line = 1;         // from 1
  std::string command;  // as Settings::editor
};
// Machine code; answered in LabModel::sass.
struct Disassemble {
  SassQuestion question;
};

template <class Kind>
concept Waits = requires {
  requires Kind::waits;
};
template <class Kind>
concept AddsUp = requires {
  requires Kind::adds_up;
};

}  // namespace warpview::request

namespace warpview {

using Request =
    std::variant<request::Open, request::CancelLoad, request::Reload, request::ResetSettings,
                 request::ForgetScenes, request::Repeat, request::Compare,
                 request::CancelComparison, request::ResetScene, request::Step, request::Undo,
                 request::Redo, request::FitCamera, request::LookFrom, request::Pick,
                 request::Pivot, request::KeepPicture, request::SavePicture, request::SaveScene,
                 request::KeepCamera, request::LookThrough, request::RecordVideo,
                 request::CancelVideo, request::SwitchBackend, request::RunLab, request::CancelLab,
                 request::Record, request::CancelRecording, request::OpenRecording, request::Watch,
                 request::RunFault, request::CancelFault, request::PlayFault, request::WriteFile,
                 request::WriteReport, request::EditFile, request::Disassemble>;

class Requests {
 public:
  template <class Kind>
  requires std::constructible_from<Request, Kind>
  void add(Kind request) {
    if constexpr (!request::AddsUp<Kind>) drop<Kind>();
    all_.emplace_back(std::move(request));
  }

  bool empty() const { return all_.empty(); }
  template <class Kind>
  std::size_t count() const {
    return static_cast<std::size_t>(std::count_if(all_.begin(), all_.end(), is<Kind>));
  }
  // The last of a kind; null: there is none.
  template <class Kind>
  const Kind* find() const {
    const auto last = std::find_if(all_.rbegin(), all_.rend(), is<Kind>);
    return last == all_.rend() ? nullptr : std::get_if<Kind>(&*last);
  }
  template <class Kind>
  void drop() {
    std::erase_if(all_, is<Kind>);
  }

  // Takes all of them, or all of a kind, the oldest first.
  std::vector<Request> take() { return std::exchange(all_, {}); }
  template <class Kind>
  std::vector<Kind> take() {
    std::vector<Kind> taken;
    for (Request& each : all_)
      if (is<Kind>(each)) taken.push_back(std::get<Kind>(std::move(each)));
    drop<Kind>();
    return taken;
  }
  // Leaves some for the next update.
  void keep(Request request) { all_.push_back(std::move(request)); }

 private:
  template <class Kind>
  static bool is(const Request& request) {
    return std::holds_alternative<Kind>(request);
  }

  std::vector<Request> all_;  // the oldest first
};

}  // namespace warpview
