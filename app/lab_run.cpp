#include "app/lab_run.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "app/common/trouble.h"
#include "gpu/runtime/counted_device.h"
#include "gpu/runtime/cpu/interruption.h"

namespace warpview {

LabRun::LabRun(Compute& compute, Device& device, lab::Question question)
    : thread_(start_thread<std::jthread>([this, &compute, &device, question] {
        run(compute, [&] {
          lab::Question fitting = question;
          fitting.n = std::min(question.n, lab::most_items(question.primitive, device));
          answer(device, fitting);
        });
      })) {}

LabRun::LabRun(Compute& compute, const CpuOptions& options, unsigned banks,
               const lab::Question& question)
    : thread_(start_thread<std::jthread>([this, &compute, options, banks, question] {
        run(compute, [&] { answer(*open_counted_device(options, banks), question); });
      })) {}

LabRun::~LabRun() { cancel(); }

std::vector<lab::Answer> LabRun::take_answers() {
  const std::lock_guard lock(mutex_);
  return std::exchange(answers_, {});
}

std::string LabRun::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

void LabRun::answer(Device& device, const lab::Question& question) {
  const Interruptible interruptible([this] {
    if (cancelled()) throw Interrupted();
  });
  lab::Laboratory laboratory(device);
  laboratory.stop = [this] { return cancelled(); };
  laboratory.ask(question);
  for (const int row : laboratory.rows()) {
    if (cancelled()) break;
    row_.store(row, std::memory_order_relaxed);
    lab::Answer answer = device.info().counts ? laboratory.verify(row) : laboratory.measure(row);
    if (cancelled() && answer.verified && answer.runs == 0 && !device.info().counts) break;
    const std::lock_guard lock(mutex_);
    answers_.push_back(std::move(answer));
  }
}

template <class Work>
void LabRun::run(Compute& compute, Work&& work) {
  compute.pause();
  try {
    work();
  } catch (const Interrupted&) {
    // What came before stays.
  } catch (const std::exception& error) {  // host memory may run out too
    const std::lock_guard lock(mutex_);
    error_ = in_words(error);
  }
  compute.resume();
  row_.store(-1, std::memory_order_relaxed);
  ended_.store(true, std::memory_order_release);
}

}  // namespace warpview
