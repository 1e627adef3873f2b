// A fair mutex.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace warpview::simt {

// Serves waiting threads in the order of their arrival. (A std::mutex does not promise that: a
// thread that unlocks and locks it again in a loop may keep others out for good.)
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
  // How many threads wait, behind the one that holds it.
  std::uint64_t waiting() {
    const std::lock_guard guard(mutex_);
    const std::uint64_t here = next_ - serving_;
    return here > 0 ? here - 1 : 0;
  }

 private:
  std::mutex mutex_;
  std::condition_variable turn_;
  std::uint64_t next_ = 0;     // ticket of the next thread to arrive
  std::uint64_t serving_ = 0;  // of the thread that holds the lock, or of the next to hold it
};

}  // namespace warpview::simt
