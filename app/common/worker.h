// A thread that does what it is asked to, in order, and something of its own in between.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>

namespace warpview {

class Worker {
 public:
  Worker() = default;
  ~Worker() { stop(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Starts the thread; Error where the system refuses it. It calls `step` whenever no job waits:
  // again at once while that returns true, else after the next job or wake(). Neither jobs nor
  // steps may throw.
  void start(std::function<bool()> step);
  // Ends the thread after the jobs that were asked for.
  void stop();

  // Asks for a job. From any thread.
  void post(std::function<void()> job);
  // Has the step called again.
  void wake() {
    post([] {});
  }
  // Has something done and waits for it: gives what it gives, throws what it throws. Not from this
  // worker's own thread.
  template <class Function>
  auto call(Function&& function) -> std::invoke_result_t<Function> {
    using Result = std::invoke_result_t<Function>;
    std::packaged_task<Result()> task(std::forward<Function>(function));
    std::future<Result> result = task.get_future();
    post([&task] { task(); });
    return result.get();
  }

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool stopping_ = false;
  std::function<bool()> step_;
  std::thread thread_;
};

}  // namespace warpview
