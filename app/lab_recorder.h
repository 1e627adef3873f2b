// A run of one variant or fault, recorded or read from a file on a thread of its own.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "app/events.h"
#include "app/played_run.h"
#include "gpu/runtime/cpu/cpu_device.h"

namespace warpview {

// The constructor starts a thread, which builds the recording module if it is missing, records on
// its own CPU device, and finds the source lines. The scene keeps running. RecordingEnded is its
// last event. The destructor cancels it and waits for its thread. At most one may exist.
class LabRecorder {
 public:
  // `options`: what the question leaves open.
  LabRecorder(const RecordingQuestion& asked, const CpuOptions& options,
              std::shared_ptr<SessionEvents> events);
  // Reads a recording's file instead.
  LabRecorder(const std::filesystem::path& file, std::shared_ptr<SessionEvents> events);
  // Records a fault's run with this seed instead. It stands where it shows the fault.
  LabRecorder(const FaultQuestion& asked, std::uint64_t seed, const CpuOptions& options,
              std::shared_ptr<SessionEvents> events);
  ~LabRecorder() { cancel(); }
  LabRecorder(const LabRecorder&) = delete;
  LabRecorder& operator=(const LabRecorder&) = delete;

  // Asks to stop: while the module is built, and at the next kernel.
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }

 private:
  // Posts the recording, or the reason why there is none.
  void answer(std::optional<RecordingQuestion> asked,
              const std::function<std::shared_ptr<PlayedRun>()>& make);
  std::shared_ptr<PlayedRun> record(const RecordingQuestion& asked, CpuOptions options);
  std::shared_ptr<PlayedRun> play(const FaultQuestion& asked, std::uint64_t seed,
                                  const CpuOptions& options);
  void build();

  const std::shared_ptr<SessionEvents> events_;
  std::atomic<bool> cancelled_{false};
  std::jthread thread_;  // last, so that the other members outlive it
};

}  // namespace warpview
