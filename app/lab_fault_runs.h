// Runs of a fault with many seeds, on a thread of its own.
#pragma once

#include <atomic>
#include <memory>
#include <thread>

#include "app/events.h"
#include "app/fault_runs.h"

namespace warpview {

// The constructor starts a thread, which builds the recording module if it is missing and runs the
// seeds. It posts FaultsRun after each run, and FaultsEnded as its last event. The destructor
// cancels it and waits for its thread. Neither a second one nor a LabRecorder may exist beside it.
class LabFaultRuns {
 public:
  LabFaultRuns(const FaultQuestion& asked, const CpuOptions& options,
               std::shared_ptr<SessionEvents> events);
  ~LabFaultRuns() { cancel(); }
  LabFaultRuns(const LabFaultRuns&) = delete;
  LabFaultRuns& operator=(const LabFaultRuns&) = delete;

  // Asks to stop: while the module is built, and at the next kernel.
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }

 private:
  void run(const FaultQuestion& asked, const CpuOptions& options);

  const std::shared_ptr<SessionEvents> events_;
  std::atomic<bool> cancelled_{false};
  std::jthread thread_;  // last, so that the other members outlive it
};

}  // namespace warpview
