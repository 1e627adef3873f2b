// A question to the laboratory, answered on a thread of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "app/compute.h"
#include "app/events.h"
#include "gpu/lab/laboratory.h"
#include "gpu/runtime/cpu/cpu_device.h"
#include "gpu/runtime/device.h"

namespace warpview {

// Questions that differ in their size, started by the constructor: of each the input and its
// reference are made, then every variant is verified and timed. Compute pauses meanwhile, or the
// times were its too. The events tell how far it is, and LabEnded is the last of them. Destruction
// cancels it and waits for its thread. Compute and the device must outlive it.
class LabRun {
 public:
  // At most as many items are taken as the device has room for; larger sizes are left out.
  LabRun(Compute& compute, Device& device, std::vector<lab::Question> questions,
         std::shared_ptr<SessionEvents> events);
  // Runs on a CPU device that counts, which is opened for it, and built first if it is missing.
  // Nothing is timed.
  LabRun(Compute& compute, const CpuOptions& options, unsigned banks,
         std::vector<lab::Question> questions, std::shared_ptr<SessionEvents> events);
  ~LabRun();
  LabRun(const LabRun&) = delete;
  LabRun& operator=(const LabRun&) = delete;

  // Asks to stop: at the next kernel on the CPU device, between two runs on others, and between the
  // pieces of which the input and the reference are made.
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

 private:
  void answer(Device& device, const std::vector<lab::Question>& questions);
  void build();
  // Runs `work` while Compute pauses, after `prepare`, and tells how they end.
  template <class Prepare, class Work>
  void run(Compute& compute, Prepare&& prepare, Work&& work);

  const std::shared_ptr<SessionEvents> events_;
  std::atomic<bool> cancelled_{false};
  std::jthread thread_;  // last, so that all else exists while it runs
};

}  // namespace warpview
