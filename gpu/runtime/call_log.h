// Records which threads call a device.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace warpview {

enum class DeviceCall { launch, copy, fill, record, wait, map, allocate };

// A device records its calls here while a thread is recording. Thread-safe.
class CallLog {
 public:
  struct Call {
    DeviceCall what;
    std::thread::id thread;
    bool operator==(const Call&) const = default;
  };

  void note(DeviceCall what) {
    if (!recording_.load(std::memory_order_relaxed)) return;
    const Call call{what, std::this_thread::get_id()};
    const std::lock_guard lock(mutex_);
    for (const Call& known : calls_)
      if (known == call) return;
    calls_.push_back(call);
  }

  // Forgets what was recorded before.
  void begin() {
    const std::lock_guard lock(mutex_);
    calls_.clear();
    recording_ = true;
  }
  // Ends recording. Returns each kind of call of each thread once.
  std::vector<Call> take() {
    const std::lock_guard lock(mutex_);
    recording_ = false;
    return std::exchange(calls_, {});
  }

 private:
  std::atomic<bool> recording_{false};
  std::mutex mutex_;
  std::vector<Call> calls_;
};

}  // namespace warpview
