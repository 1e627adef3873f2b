// A question to the laboratory, answered on a thread of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/compute.h"
#include "gpu/lab/laboratory.h"
#include "gpu/runtime/cpu/cpu_device.h"
#include "gpu/runtime/device.h"

namespace warpview {

// Questions that differ in their size, started by the constructor: of each the input and its
// reference are made, then every variant is verified and timed. Compute pauses meanwhile, or the
// times were its too. Destruction cancels it and waits for its thread. Compute and the device must
// outlive it.
class LabRun {
 public:
  // At most as many items are taken as the device has room for; larger sizes are left out.
  LabRun(Compute& compute, Device& device, std::vector<lab::Question> questions);
  // Runs on a CPU device that counts, which is opened for it, and built first if it is missing.
  // Nothing is timed.
  LabRun(Compute& compute, const CpuOptions& options, unsigned banks,
         std::vector<lab::Question> questions);
  ~LabRun();
  LabRun(const LabRun&) = delete;
  LabRun& operator=(const LabRun&) = delete;

  // Asks to stop: at the next kernel on the CPU device, between two runs on others, and between the
  // pieces of which the input and the reference are made.
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  bool ended() const { return ended_.load(std::memory_order_acquire); }
  // What runs now; none while the input is made, and after the end.
  std::optional<VariantId> variant() const { return variant_.load(std::memory_order_relaxed); }
  // How many items it works on.
  std::uint32_t size() const { return size_.load(std::memory_order_relaxed); }
  // The questions as they are answered, with no more items than the device has room for; empty
  // until that is known.
  std::vector<lab::Question> asked() const;
  // How far the device that counts is built, in words; empty while it is not being built.
  std::string building() const;
  // The answers that have come since the last call.
  std::vector<lab::Answer> take_answers();
  // What to tell the user when it ended by an error; else empty.
  std::string error() const;

 private:
  void answer(Device& device, const std::vector<lab::Question>& questions);
  void build();
  // Runs `work` while Compute pauses, after `prepare`, and takes note of how they end.
  template <class Prepare, class Work>
  void run(Compute& compute, Prepare&& prepare, Work&& work);

  std::atomic<bool> cancelled_{false};
  std::atomic<bool> ended_{false};
  std::atomic<std::optional<VariantId>> variant_{std::nullopt};
  std::atomic<std::uint32_t> size_{0};
  mutable std::mutex mutex_;  // of the next three
  std::vector<lab::Question> asked_;
  std::string building_;
  std::vector<lab::Answer> answers_;
  std::string error_;
  std::jthread thread_;  // last, so that all else exists while it runs
};

}  // namespace warpview
