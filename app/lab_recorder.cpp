#include "app/lab_recorder.h"

#include <exception>
#include <utility>

#include "app/common/module_build.h"
#include "app/common/recorded_lines.h"
#include "app/common/trouble.h"
#include "app/step_views/names.h"
#include "gpu/lab/record.h"
#include "gpu/recording/file.h"
#include "gpu/runtime/cpu/interruption.h"
#include "gpu/runtime/recorded_device.h"

namespace warpview {

LabRecorder::LabRecorder(const RecordingQuestion& asked, const CpuOptions& options,
                         std::shared_ptr<SessionEvents> events)
    : events_(std::move(events)), thread_(start_thread<std::jthread>([this, asked, options] {
        answer(asked, [&] { return record(asked, options); });
      })) {}

LabRecorder::LabRecorder(const std::filesystem::path& file, std::shared_ptr<SessionEvents> events)
    : events_(std::move(events)), thread_(start_thread<std::jthread>([this, file] {
        answer({}, [&] {
          auto run =
              std::make_shared<PlayedRun>(std::make_shared<const Recording>(read_recording(file)));
          run->file = file;
          return run;
        });
      })) {}

LabRecorder::LabRecorder(const FaultQuestion& asked, std::uint64_t seed, const CpuOptions& options,
                         std::shared_ptr<SessionEvents> events)
    : events_(std::move(events)), thread_(start_thread<std::jthread>([this, asked, seed, options] {
        answer({}, [&] { return play(asked, seed, options); });
      })) {}

void LabRecorder::answer(std::optional<RecordingQuestion> asked,
                         const std::function<std::shared_ptr<PlayedRun>()>& make) {
  event::RecordingEnded end{.asked = std::move(asked)};
  try {
    end.run = make();
    if (cancelled_.load(std::memory_order_relaxed)) end.run.reset();
  } catch (const Interrupted&) {
    // Without an error it was cancelled.
  } catch (const std::exception& error) {
    end.error = in_words(error);
  }
  events_->post(std::move(end));
}

void LabRecorder::build() {
  const auto tell = [this](const std::string& words) {
    events_->post(event::RecordingBuilds{words});
  };
  build_module(recording_module, tell, &cancelled_);
  tell("");
}

std::shared_ptr<PlayedRun> LabRecorder::play(const FaultQuestion& asked, std::uint64_t seed,
                                             const CpuOptions& options) {
  build();
  const Interruptible interruptible([this] {
    if (cancelled_.load(std::memory_order_relaxed)) throw Interrupted();
  });
  std::string no_lines;
  const RepeatedRun run = repeat_run(asked, options, seed, no_lines);
  interruption_point();
  auto played = std::make_shared<PlayedRun>(std::make_shared<const Recording>(run.recording));
  played->no_lines = std::move(no_lines);
  const FaultSight sight = sight_of(run, asked.form->check, played->playback);
  played->stop = {.position = sight.position,
                  .words = sight.words,
                  .name = sight.word ? step_views::word_name(*sight.word) : std::string()};
  return played;
}

std::shared_ptr<PlayedRun> LabRecorder::record(const RecordingQuestion& asked, CpuOptions options) {
  build();
  const Interruptible interruptible([this] {
    if (cancelled_.load(std::memory_order_relaxed)) throw Interrupted();
  });
  options.warp_size = asked.warp_size;
  options.seed = asked.seed;
  const auto device = open_recorded_device(options, asked.interleave);
  lab::Recorded recorded = lab::record(*device, asked.question, asked.variant, asked.blocks);
  std::string no_lines = find_lines(recorded.recording);
  interruption_point();
  auto run =
      std::make_shared<PlayedRun>(std::make_shared<const Recording>(std::move(recorded.recording)));
  run->asked = asked;
  run->difference = std::move(recorded.difference);
  run->no_lines = std::move(no_lines);
  return run;
}

}  // namespace warpview
