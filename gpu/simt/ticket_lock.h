// A mutex that is fair.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace warpview::simt {

// Serves those that wait in the order in which they came. (A std::mutex promises nothing of the
// kind: a thread that unlocks and locks it again in a loop may keep others out for good.)
class TicketLock {
 public:
  void lock() {
    std::unique_lock guard(mutex_);
    const std::uint64_t mine = next_++;
    turn_.wait(guard, [&] { return serving_ == mine; });
  }
  void unlock() {
    {
      const std::lock_guard guard(mutex_);
      ++serving_;
    }
    turn_.notify_all();
  }
  // How many wait, behind the one that has it.
  std::uint64_t waiting() {
    const std::lock_guard guard(mutex_);
    const std::uint64_t here = next_ - serving_;
    return here > 0 ? here - 1 : 0;
  }

 private:
  std::mutex mutex_;
  std::condition_variable turn_;
  std::uint64_t next_ = 0;     // ticket of the next that comes
  std::uint64_t serving_ = 0;  // of the one that has the lock, or of the next to have it
};

}  // namespace warpview::simt
