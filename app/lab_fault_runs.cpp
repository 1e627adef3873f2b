#include "app/lab_fault_runs.h"

#include <exception>
#include <string>
#include <utility>

#include "app/common/module_build.h"
#include "app/common/trouble.h"
#include "gpu/runtime/cpu/interruption.h"

namespace warpview {

LabFaultRuns::LabFaultRuns(const FaultQuestion& asked, const CpuOptions& options,
                           std::shared_ptr<SessionEvents> events)
    : events_(std::move(events)), thread_(start_thread<std::jthread>([this, asked, options] {
        event::FaultsEnded end;
        try {
          run(asked, options);
        } catch (const Interrupted&) {
          end.cancelled = true;
        } catch (const std::exception& error) {
          end.error = in_words(error);
        }
        events_->post(std::move(end));
      })) {}

void LabFaultRuns::run(const FaultQuestion& asked, const CpuOptions& options) {
  build_module(
      recording_module,
      [this](const std::string& words) { events_->post(event::RecordingBuilds{words}); },
      &cancelled_);
  events_->post(event::RecordingBuilds{});
  const Interruptible interruptible([this] {
    if (cancelled_.load(std::memory_order_relaxed)) throw Interrupted();
  });
  run_seeds(asked, options,
            [this](const FaultTally& tally) { events_->post(event::FaultsRun{tally}); });
}

}  // namespace warpview
