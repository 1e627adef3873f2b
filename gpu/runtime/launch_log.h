// Records what a device launched.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace warpview {

// Equal launches of one kernel, and what the device reports of it. Numbers below zero are not
// known: the cpu device knows none of them.
struct LaunchRecord {
  std::string kernel;    // as its launch spells it: "scan_kernel<T>"
  std::string symbol{};  // its mangled name; empty where the runtime does not give it
  std::array<unsigned, 3> grid{}, block{};
  int count = 1;
  int registers = -1;                  // per thread
  int shared_bytes = -1;               // per block, requested by the launch
  int local_bytes = -1;                // per thread: spills, arrays without fixed indices
  int blocks_per_multiprocessor = -1;  // that can be resident at once
  double occupancy = -1.0;             // their warps, of those that an SM can hold

  bool same_launch(const LaunchRecord& other) const {
    return kernel == other.kernel && symbol == other.symbol && grid == other.grid &&
           block == other.block;
  }
};

// A device writes into its log what one thread launches, while that thread records.
class LaunchLog {
 public:
  // Does the calling thread record?
  bool recording() const {
    return recorder_.load(std::memory_order_relaxed) == std::this_thread::get_id();
  }

  // Forgets what was recorded before.
  void begin() {
    const std::lock_guard lock(mutex_);
    records_.clear();
    recorder_ = std::this_thread::get_id();
  }
  // Ends recording. Returns launches in the order of the first of each kind.
  std::vector<LaunchRecord> take() {
    const std::lock_guard lock(mutex_);
    recorder_ = std::thread::id();
    return std::exchange(records_, {});
  }
  // At most `most` different launches are kept.
  void add(LaunchRecord record) {
    constexpr std::size_t most = 256;
    const std::lock_guard lock(mutex_);
    for (LaunchRecord& known : records_)
      if (known.same_launch(record)) {
        ++known.count;
        return;
      }
    if (records_.size() < most) records_.push_back(std::move(record));
  }

 private:
  std::atomic<std::thread::id> recorder_{};
  std::mutex mutex_;
  std::vector<LaunchRecord> records_;
};

}  // namespace warpview
