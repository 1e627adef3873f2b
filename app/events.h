// What the session's other threads tell it. It takes all of that once in each update.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/common/mailbox.h"
#include "app/fault_runs.h"
#include "app/lab_steps.h"
#include "app/message.h"
#include "app/model.h"
#include "app/render/screenshot.h"
#include "gpu/lab/laboratory.h"
#include "gpu/runtime/backends.h"
#include "scenes/scene.h"

namespace warpview::event {

struct Picked {
  PickResult result;
};
// What lies under the cursor.
struct Glanced {
  PickResult result;
};
// The place that the camera is to turn around.
struct PivotFound {
  Vec3 place{};
};
struct Disassembled {
  SassAnswer answer;
};
// Items of a primitive that fit into the device's memory.
struct MostItems {
  Primitive primitive{};
  std::uint32_t items = 0;
};
struct BackendsTried {
  std::vector<BackendStatus> all;
};

// A scene file was written.
struct SceneSaved {
  std::string file;
};

// The picture that was asked for is kept as A's, or is not.
struct PictureKept {
  std::uint64_t number = 0;  // of the asking
  double seconds = 0.0;      // of the scene's time that it shows
  std::string error{};       // empty: it is
};

// A video sends these, in this order. A frame is drawn for it, or failed to be.
struct VideoFrameDrawn {
  std::uint64_t video = 0;  // number of the recording
  Picture picture{};
  std::string error{};  // empty: none
};
// And encoded.
struct VideoFrameDone {
  std::uint64_t video = 0;
};
struct VideoEnded {
  std::uint64_t video = 0;
  std::string error{};  // empty: the file is there
};

// A recording sends these, in this order; runs of faults send the first, too.
struct RecordingBuilds {
  std::string progress;  // of the module that records; empty: it is built
};
struct RecordingEnded {
  std::optional<RecordingQuestion> asked;  // none: a file was opened, or a fault's run
  std::shared_ptr<PlayedRun> run{};        // null: there is none
  std::string error{};                     // why; empty: it was cancelled
};
// The runs of a fault so far.
struct FaultsRun {
  FaultTally tally;
};
// The last event of such runs.
struct FaultsEnded {
  bool cancelled = false;
  std::string error{};  // empty: none
};

// One run of the laboratory sends these, in this order.
struct LabBuilds {
  std::string progress;  // of the device that counts; empty: it is built
};
// The questions as they are answered, with no more items than the device has room for.
struct LabAsks {
  std::vector<lab::Question> questions;
};
struct LabRuns {
  VariantId variant;
  std::uint32_t items = 0;
};
struct LabAnswers {
  lab::Answer answer;
};
// The last one.
struct LabEnded {
  std::string error;  // empty: none
};
// Runs of earlier sessions, from the file in which they are kept.
struct RunsFound {
  std::vector<MeasuredRun> runs;
  std::uint64_t asked = 0;  // LabRuns::rewrites() when the file was asked for
};

}  // namespace warpview::event

namespace warpview {

using SessionEvent =
    std::variant<Message, event::Picked, event::Glanced, event::PivotFound, event::SceneSaved,
                 event::PictureKept, event::VideoFrameDrawn, event::VideoFrameDone,
                 event::VideoEnded, event::Disassembled, event::MostItems, event::BackendsTried,
                 event::LabBuilds, event::LabAsks, event::LabRuns, event::LabAnswers,
                 event::LabEnded, event::RunsFound, event::RecordingBuilds, event::RecordingEnded,
                 event::FaultsRun, event::FaultsEnded>;
using SessionEvents = Mailbox<SessionEvent>;

}  // namespace warpview
