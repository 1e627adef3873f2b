#include "app/lab_run.h"

#include <exception>
#include <utility>

namespace warpview {

LabRun::LabRun(Device& device, const lab::Question& question)
    : thread_([this, &device, question] { run(device, question); }) {}

LabRun::~LabRun() { cancel(); }

std::vector<lab::Answer> LabRun::take_answers() {
  const std::lock_guard lock(mutex_);
  return std::exchange(answers_, {});
}

std::string LabRun::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

void LabRun::run(Device& device, const lab::Question& question) {
  try {
    lab::Laboratory laboratory(device);
    laboratory.ask(question);
    for (const int row : laboratory.rows()) {
      if (cancelled()) break;
      row_.store(row, std::memory_order_relaxed);
      lab::Answer answer = laboratory.measure(row);
      const std::lock_guard lock(mutex_);
      answers_.push_back(std::move(answer));
    }
  } catch (const std::exception& error) {  // host memory may run out too
    const std::lock_guard lock(mutex_);
    error_ = error.what();
  }
  row_.store(-1, std::memory_order_relaxed);
  ended_.store(true, std::memory_order_release);
}

}  // namespace warpview
