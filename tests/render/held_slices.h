// Pictures that a software rasteriser draws in slices, each of which ends when a test lets it.
#pragma once

#include <glad/gl.h>

#include <condition_variable>
#include <mutex>

namespace warpview::test {

// Stands for OpenGL's glFinish(), with which each slice ends. To be made before the thread that
// draws begins, and to live longer.
class HeldSlices {
 public:
  HeldSlices() : finish_(glad_glFinish) {
    self_ = this;
    glad_glFinish = [] { self_->finish(); };
  }
  ~HeldSlices() {
    let_go();
    glad_glFinish = finish_;
  }
  HeldSlices(const HeldSlices&) = delete;
  HeldSlices& operator=(const HeldSlices&) = delete;

  void count_anew() {
    const std::lock_guard lock(mutex_);
    count_ = 0;
  }
  // From now on they are counted anew, and the first does not end.
  void hold() {
    const std::lock_guard lock(mutex_);
    is_held_ = true;
    count_ = 0;
  }
  void let_go() {
    const std::lock_guard lock(mutex_);
    is_held_ = false;
    changed_.notify_all();
  }
  void wait_for_one() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return count_ > 0; });
  }
  int count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }

 private:
  void finish() {
    {
      std::unique_lock lock(mutex_);
      ++count_;
      changed_.notify_all();
      changed_.wait(lock, [this] { return !is_held_; });
    }
    finish_();
  }

  static inline HeldSlices* self_ = nullptr;
  PFNGLFINISHPROC finish_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool is_held_ = false;
  int count_ = 0;
};

}  // namespace warpview::test
