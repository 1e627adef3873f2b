// Late publications: a lane that changes a word that other blocks may read waits until no block can
// go on any more.
#include <fmt/format.h>

#include <utility>

#include "gpu/simt/worker.h"

namespace warpview::simt {

// Chosen at random, at most this often per block and launch: kernels that make thousands of changes
// have to end, too. Shared memory publishes nothing to other blocks.
void Worker::come_late(const void* word) {
  if (lateness_left_ == 0 || shared_memory_.holds(word) || random_.below(2) == 0) return;
  LaneState& lane = this->lane();
  lane.wait = Wait::late;
  late_.push_back(static_cast<std::uint16_t>(lane.number));
  holds_back.store(true);
  suspend(lane);
}

// Do all blocks wait, and have they done so since this epoch began?
bool Job::calm(std::uint64_t in) const {
  return epoch.load() == in && std::all_of(workers.begin(), workers.end(), [in](const Worker* w) {
           return !w->resident.load() || w->calm_in.load() == in;
         });
}

void Job::wake_all() {
  {
    // A worker that is about to sleep does so before this, or sees why it must not.
    const std::lock_guard lock(sleep_mutex);
  }
  woken.notify_all();
}

// Called when every live lane of this block waits. Lanes that spin have been retried since the last
// call: if nothing has changed meanwhile, they will go on waiting until something does, and so this
// thread sleeps. Where that is so in all resident blocks, the late lanes of one block are released.
void Worker::wait_late() {
  const std::uint64_t now = job_->epoch.load();
  if (now != std::exchange(polled_since_, now)) {
    job_->wake_all();  // perhaps for changes of this worker
    return;
  }
  calm_in.store(now);
  if (!job_->calm(now)) {
    const auto may_go_on = [&] {
      return job_->epoch.load() != now || job_->calm(now) ||
             job_->aborted.load(std::memory_order_relaxed);
    };
    if constexpr (recording::on) {  // the other workers are on this OS thread
      while (!may_go_on()) counting::pass_turn(number_);
    } else {
      std::unique_lock lock(job_->sleep_mutex);
      job_->woken.wait(lock, may_go_on);
    }
    return;
  }
  job_->wake_all();
  // All workers see the same waiting lanes, and draw the same random number.
  const std::vector<Worker*>& workers = job_->workers;
  const std::size_t lot = Random(job_->options.seed + now).below(most_workers);
  for (std::size_t i = 0; i < workers.size(); ++i) {
    const Worker* w = workers[(lot + i) % workers.size()];
    if (!w->resident.load() || !w->holds_back.load()) continue;
    if (w == this) release_late();
    return;
  }
}

void Worker::release_late() {
  lateness_left_ = job_->lateness_left.fetch_sub(1) > 1 ? lateness_left_ - 1 : 0;
  holds_back.store(false);
  changed_for_all();
  for (const std::uint16_t number : late_) make_runnable(lanes_[number]);
  late_.clear();
}

}  // namespace warpview::simt
