#include "app/common/worker.h"

#include "app/common/trouble.h"

namespace warpview {

void Worker::start(std::function<bool()> step) {
  step_ = std::move(step);
  thread_ = start_thread<std::thread>([this] { run(); });
}

void Worker::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Worker::post(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_one();
}

void Worker::run() {
  bool steps = true;
  for (;;) {
    std::unique_lock lock(mutex_);
    if (!steps) changed_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
    if (!jobs_.empty()) {
      const std::function<void()> job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
      steps = true;
      continue;
    }
    if (stopping_) return;
    lock.unlock();
    steps = step_();
  }
}

}  // namespace warpview
