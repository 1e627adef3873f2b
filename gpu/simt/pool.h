// The OS threads of the CPU device.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "gpu/simt/ticket_lock.h"
#include "gpu/simt/worker.h"

namespace warpview::simt {

// OS threads that wait for jobs, one pool for the program. The launching thread is worker 0, so a
// launch of one block wakes no thread. Grows when a launch requests more workers, until the system
// refuses a thread.
//
// Callers are served launch by launch, in the order of their arrival: a caller that launches in a
// loop delays others by at most its current launch. A caller that yields to other threads (nice)
// lowers the workers with it, for good: they may not rise again.
class Pool {
 public:
  static Pool& instance();

  // Makes sure that there are this many workers, if the system allows. Returns how many there are.
  unsigned start(unsigned count);
  void run(Job& job);
  // The number of callers that wait for their turn now.
  std::uint64_t waiting() { return launching_.waiting(); }

  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

 private:
  // Threads that wait for a job, each on its own: a worker without a part in a launch sleeps on.
  struct Sleeper {
    std::condition_variable wake;
    bool is_called = false;
  };

  Pool() { workers_.push_back(std::make_unique<Worker>()); }
  ~Pool();

  unsigned grow(std::size_t count);
  void make_room_for_stacks(const Job& job);
  void serve(Worker& of_thread, Sleeper& sleeper);

  TicketLock launching_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::thread> threads_;                // of the workers but the first
  std::vector<std::unique_ptr<Sleeper>> sleepers_;  // of the workers but the first
  bool refused_ = false;                            // the system, a thread
  std::mutex mutex_;
  std::condition_variable done_;
  Job* job_ = nullptr;
  int niceness_ = 0;  // of the job's caller
  std::size_t running_ = 0;
  bool closing_ = false;
};

// Workers that an ordinary launch has if the system allows, and with blocks of this many threads.
unsigned workers_asked_for(const Options& options);
unsigned workers_that_fit(unsigned threads);

}  // namespace warpview::simt
