// A thread that runs jobs in order, and a step of its own in between.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
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

  // Starts the thread; Error if the system refuses. It calls `step` whenever no job waits: again at
  // once while `step` returns true, otherwise after the next job or wake(). Neither jobs nor steps
  // may throw.
  void start(std::function<bool()> step);
  // Ends the thread after all posted jobs.
  void stop();

  // Posts a job, from any thread.
  void post(std::function<void()> job);
  // Makes the thread call the step again.
  void wake() {
    post([] {});
  }
  // Runs a function on this thread and waits: returns its result, and throws what it throws. Not to
  // be called from the thread itself.
  template <class Function>
  auto call(Function&& function) -> std::invoke_result_t<Function> {
    using Result = std::invoke_result_t<Function>;
    std::packaged_task<Result()> task(std::forward<Function>(function));
    std::future<Result> result = task.get_future();
    post([&task] { task(); });
    return result.get();
  }
  // As call(), but calls `ask` now and then until the function begins. If `ask` throws before that,
  // the function does not run, and the exception is passed on.
  template <class Function>
  auto call_unless(Function&& function, const std::function<void()>& ask)
      -> std::invoke_result_t<Function> {
    using Result = std::invoke_result_t<Function>;
    struct Turn {
      std::atomic<bool> taken{false};  // by the worker, or by the caller who withdraws it
      std::packaged_task<Result()> task;
    };
    const auto turn = std::make_shared<Turn>();
    turn->task = std::packaged_task<Result()>(std::forward<Function>(function));
    std::future<Result> result = turn->task.get_future();
    post([turn] {
      if (!turn->taken.exchange(true)) turn->task();
    });
    constexpr auto now_and_then = std::chrono::milliseconds(10);
    while (ask && !turn->taken.load()) {
      if (result.wait_for(now_and_then) == std::future_status::ready) break;
      try {
        ask();
      } catch (...) {
        if (!turn->taken.exchange(true)) throw;
      }
    }
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
