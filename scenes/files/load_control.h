// How a load is watched, stopped and bounded.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "gpu/runtime/cpu/host_memory.h"
#include "gpu/runtime/cpu/interruption.h"
#include "gpu/runtime/error.h"

namespace warpview {

// Thrown by a loader after LoadControl::cancel(). Not an Error: nothing is wrong.
class LoadCancelled : public Interrupted {
 public:
  const char* what() const noexcept override { return "loading was cancelled"; }
};

// How long a load was at what.
struct PhaseTime {
  std::string text;
  double milliseconds = 0.0;
};

// One load's line to the outside. The first group may be called from any thread at any time, the
// second by the loader alone.
class LoadControl {
 public:
  LoadControl() = default;
  // `observer` is called by the loading thread after each step, with the progress.
  explicit LoadControl(std::function<void(float)> observer) : observer_(std::move(observer)) {}

  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const noexcept { return cancelled_.load(std::memory_order_relaxed); }
  // From 0 to 1; never falls. 1 only when the load is complete.
  float progress() const noexcept { return progress_.load(std::memory_order_relaxed); }
  // What is being done, for people: "reading the file".
  std::string phase() const {
    const std::lock_guard lock(mutex_);
    return phases_.empty() ? "starting" : phases_.back().text;
  }
  // The phases so far, in order, the last until now.
  std::vector<PhaseTime> phases() const {
    const std::lock_guard lock(mutex_);
    std::vector<PhaseTime> times;
    for (std::size_t i = 0; i < phases_.size(); ++i) {
      const auto end = i + 1 < phases_.size() ? phases_[i + 1].begin : Clock::now();
      const std::chrono::duration<double, std::milli> spent = end - phases_[i].begin;
      times.push_back({phases_[i].text, spent.count()});
    }
    return times;
  }

  // Asked beside cancel() from now on, by the loading threads: is it to stop?
  void stop_if(std::function<bool()> stop) { stop_ = std::move(stop); }
  // Called from now on with each file that is about to be opened, by the thread that opens it.
  void on_file(std::function<void(const std::filesystem::path&)> reads) {
    reads_ = std::move(reads);
  }
  void begin_file(const std::filesystem::path& file) const {
    if (reads_) reads_(file);
  }
  void begin_phase(std::string text) {
    const std::lock_guard lock(mutex_);
    phases_.push_back({std::move(text), Clock::now()});
  }
  void throw_if_cancelled() const {
    if (cancelled() || (stop_ && stop_())) throw LoadCancelled();
  }
  // Throws LoadCancelled if so asked. Progress below an earlier one is ignored.
  void report(float progress) {
    throw_if_cancelled();
    const float of_all = begin_ + progress * (end_ - begin_);
    if (of_all > this->progress()) progress_.store(of_all, std::memory_order_relaxed);
    if (observer_) observer_(this->progress());
  }
  // While it lives, what is reported from 0 to 1 is a part of the load, or of the part around it.
  class Part {
   public:
    Part(LoadControl& control, float begin, float end)
        : control_(control), begin_(control.begin_), end_(control.end_) {
      control.begin_ = begin_ + begin * (end_ - begin_);
      control.end_ = begin_ + end * (end_ - begin_);
    }
    ~Part() {
      control_.begin_ = begin_;
      control_.end_ = end_;
    }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

   private:
    LoadControl& control_;
    float begin_, end_;
  };

 private:
  using Clock = std::chrono::steady_clock;
  struct Phase {
    std::string text;
    Clock::time_point begin;
  };

  std::atomic<bool> cancelled_{false};
  std::atomic<float> progress_{0.0F};
  mutable std::mutex mutex_;  // of the next
  std::vector<Phase> phases_;
  std::function<void(float)> observer_;
  std::function<bool()> stop_;
  std::function<void(const std::filesystem::path&)> reads_;
  float begin_ = 0.0F, end_ = 1.0F;  // of the part that is being loaded
};

// What a user may choose of how a mesh is read.
struct MeshOptions {
  // Computed normals: edges at which faces differ by more degrees than this are sharp.
  // 0 to 180, where none is.
  double crease = 45.0;
};

// A load that would go beyond these is refused with Error, which gives both numbers.
struct LoadLimits {
  std::uint64_t corners = std::uint64_t{1} << 31U;  // the pipeline counts corners in 32 bits
  std::uint64_t memory = host_memory_available();   // bytes

  // `what` is the object of the sentence: "bunny.obj".
  void require_corners(const std::string& what, std::uint64_t needed) const;
  void require_memory(const std::string& what, std::uint64_t needed) const;
};

}  // namespace warpview
