#include "gpu/runtime/cpu/crew.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <system_error>
#include <utility>

namespace warpview {

Crew::Crew(unsigned threads)
    : size_(std::max(1U, threads > 0 ? threads : std::thread::hardware_concurrency())) {}

Crew::~Crew() {
  {
    const std::lock_guard lock(mutex_);
    tasks_.clear();
    closing_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Crew::add(std::function<void()> task) {
  bool wants_thread = false;
  {
    const std::lock_guard lock(mutex_);
    if (failure_) return;
    tasks_.push_back({added_++, std::move(task)});
    wants_thread = tasks_.size() > idle_ + 1;
  }
  wake_.notify_one();
  if (wants_thread) start_thread();
}

void Crew::start_thread() {
  if (refused_ || threads_.size() + 1 >= size_) return;
  try {
    threads_.reserve(size_);
    threads_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {
    refused_ = true;
  } catch (const std::bad_alloc&) {
    refused_ = true;
  }
}

std::size_t Crew::waiting() const {
  const std::lock_guard lock(mutex_);
  return tasks_.size();
}

void Crew::run(Task task) noexcept {
  std::exception_ptr failure;
  try {
    task.work();
  } catch (...) {
    failure = std::current_exception();
  }
  task.work = nullptr;
  {
    const std::lock_guard lock(mutex_);
    // All tasks before the one that failed have begun.
    if (failure) tasks_.clear();
    if (failure && (!failure_ || task.number < failed_)) {
      failure_ = std::move(failure);  // only the owner uses it from here on
      failed_ = task.number;
    }
    --under_way_;
    ++ended_;
  }
  done_.notify_one();
}

void Crew::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    wake_.wait(lock, [this] { return closing_ || !tasks_.empty(); });
    --idle_;
    if (tasks_.empty()) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    ++under_way_;
    lock.unlock();
    run(std::move(task));
    lock.lock();
  }
}

bool Crew::help() {
  Task task;
  {
    const std::lock_guard lock(mutex_);
    if (tasks_.empty()) return false;
    task = std::move(tasks_.front());
    tasks_.pop_front();
    ++under_way_;
  }
  run(std::move(task));
  return true;
}

void Crew::finish() {
  while (help()) {
  }
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return under_way_ == 0; });
  if (auto failure = std::exchange(failure_, nullptr)) std::rethrow_exception(failure);
}

void Crew::drop() {
  std::unique_lock lock(mutex_);
  tasks_.clear();
  done_.wait(lock, [this] { return under_way_ == 0; });
  failure_ = nullptr;
}

void Crew::for_each(std::size_t n, const std::function<void(std::size_t)>& work,
                    const std::function<void(std::size_t)>& between) {
  try {
    std::uint64_t before = 0;
    {
      const std::lock_guard lock(mutex_);
      before = ended_;
    }
    for (std::size_t i = 0; i < n; ++i) add([&work, i] { work(i); });
    std::size_t told = 0;
    for (bool over = false; !over;) {
      const bool helped = help();
      std::size_t ended = 0;
      {
        std::unique_lock lock(mutex_);
        if (!helped) done_.wait(lock, [&] { return under_way_ == 0 || ended_ > before + told; });
        ended = ended_ - before;
        over = under_way_ == 0 && tasks_.empty();
        if (failure_) break;
      }
      for (; told < ended; ++told)
        if (between) between(told + 1);
    }
  } catch (...) {
    drop();
    throw;
  }
  finish();
}

}  // namespace warpview
