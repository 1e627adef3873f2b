#include "gpu/simt/pool.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <new>
#include <system_error>

#include "gpu/simt/counting.h"
#include "gpu/simt/fiber.h"

namespace warpview::simt {
namespace {

// Stacks of all workers. A stack and the guard below it are two mappings, and Linux grants a
// process 65530; half of them are left for other uses. Where the address space is limited (ulimit
// -v), stacks take an eighth of it at most, since an OpenGL driver's threads request much of the
// rest; one block is always possible.
constexpr unsigned most_stacks_by_mappings = 16 * 1024;
static_assert(max_concurrent_blocks * max_block <= most_stacks_by_mappings);
unsigned most_stacks() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return most_stacks_by_mappings;
  const auto fit = static_cast<std::uint64_t>(limit.rlim_cur) / 8 / Stack::footprint;
  return static_cast<unsigned>(std::clamp<std::uint64_t>(fit, 1, most_stacks_by_mappings));
}

// On Linux each thread has its own.
int niceness() { return getpriority(PRIO_PROCESS, 0); }

}  // namespace

Pool& Pool::instance() {
  static Pool pool;
  return pool;
}

Pool::~Pool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  for (const auto& sleeper : sleepers_) sleeper->wake.notify_one();
  for (std::thread& thread : threads_) thread.join();
}

unsigned Pool::start(unsigned count) {
  const std::lock_guard turn(launching_);
  return grow(count);
}

void Pool::run(Job& job) {
  const std::lock_guard turn(launching_);
  const unsigned there = grow(job.worker_count);
  if (job.launch.concurrent && there < job.worker_count)
    throw Error(
        fmt::format("kernel {} was launched with {} concurrent blocks", job.launch.kernel,
                    job.worker_count),
        fmt::format("each needs an OS thread, and the system allows only {} for the CPU device",
                    there),
        "Raise the limit on threads (ulimit -u, pids.max of the container) or on memory "
        "(ulimit -v) and start again, or launch fewer blocks");
  job.worker_count = std::min(job.worker_count, there);
  make_room_for_stacks(job);
  for (unsigned i = 0; i < job.worker_count; ++i) {
    workers_[i]->enlist();
    job.workers.push_back(workers_[i].get());
  }
  counting::begin_launch(job.options, job.launch, job.worker_count);
  if constexpr (recording::on) {
    recording::run_in_turns(job);
    counting::end_launch();
    return;
  }
  if (job.worker_count > 1) {
    {
      const std::lock_guard lock(mutex_);
      job_ = &job;
      niceness_ = niceness();
      running_ = job.worker_count - 1;
      for (std::size_t i = 0; i < running_; ++i) sleepers_[i]->is_called = true;
    }
    for (unsigned i = 0; i + 1 < job.worker_count; ++i) sleepers_[i]->wake.notify_one();
  }
  workers_[0]->run_blocks(job);
  if (job.worker_count > 1) {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return running_ == 0; });
    job_ = nullptr;
  }
  counting::end_launch();
}

// A worker exists only with its thread. Once the system has refused one, no more are requested: the
// answer of an occupancy query or a device's name stays true.
unsigned Pool::grow(std::size_t count) {
  while (workers_.size() < count && !refused_) {
    try {
      const std::size_t number = workers_.size();
      workers_.reserve(number + 1);
      if constexpr (recording::on) {  // they share the launching thread
        workers_.push_back(std::make_unique<Worker>());
        continue;
      }
      threads_.reserve(number);
      sleepers_.reserve(number);
      auto next = std::make_unique<Worker>();
      auto sleeper = std::make_unique<Sleeper>();
      threads_.emplace_back([this, &next = *next, &sleeper = *sleeper] { serve(next, sleeper); });
      workers_.push_back(std::move(next));
      sleepers_.push_back(std::move(sleeper));
    } catch (const std::system_error&) {
      refused_ = true;
    } catch (const std::bad_alloc&) {
      refused_ = true;
    }
  }
  return static_cast<unsigned>(workers_.size());
}

// Workers keep their stacks from launch to launch, as long as all kept stacks leave room for this
// launch to give each of its lanes one.
void Pool::make_room_for_stacks(const Job& job) {
  const dim3 block = job.launch.block;
  const std::size_t lanes = std::size_t{block.x} * block.y * block.z;
  const auto wanted = [&](std::size_t i) { return i < job.worker_count ? lanes : 0; };
  std::size_t stacks = 0;
  for (std::size_t i = 0; i < workers_.size(); ++i)
    stacks += std::max(workers_[i]->stacks(), wanted(i));
  if (stacks <= most_stacks()) return;
  for (std::size_t i = 0; i < workers_.size(); ++i) workers_[i]->keep_stacks(wanted(i));
}

void Pool::serve(Worker& of_thread, Sleeper& sleeper) {
  int own_niceness = niceness();
  std::unique_lock lock(mutex_);
  for (;;) {
    sleeper.wake.wait(lock, [&] { return closing_ || sleeper.is_called; });
    if (closing_) return;
    sleeper.is_called = false;
    Job& job = *job_;
    if (niceness_ > own_niceness && setpriority(PRIO_PROCESS, 0, niceness_) == 0)
      own_niceness = niceness_;
    lock.unlock();
    of_thread.run_blocks(job);
    lock.lock();
    if (--running_ == 0) done_.notify_one();
  }
}

unsigned workers_asked_for(const Options& options) {
  if constexpr (recording::on) return recording::resident_blocks(options);
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const unsigned otherwise = options.late_publications ? most_workers : cores;
  return std::min(options.workers ? options.workers : otherwise, most_workers);
}

unsigned workers_that_fit(unsigned threads) {
  return threads > most_lanes_of_any_block ? workers_of_large_blocks
                                           : std::max(most_stacks() / threads, 1U);
}

Workers start_workers(const Options& options) {
  const unsigned asked = workers_asked_for(options);
  if (options.late_publications) return {.asked_for = asked, .running = asked};
  return {.asked_for = asked, .running = std::min(asked, Pool::instance().start(asked))};
}

unsigned concurrent_blocks(unsigned threads) {
  const unsigned wanted = std::min(max_concurrent_blocks, workers_that_fit(threads));
  return std::min(wanted, Pool::instance().start(max_concurrent_blocks));
}

}  // namespace warpview::simt
