// The messages for lanes that cannot go on, and how a hopeless spin is detected.
#include <fmt/format.h>

#include <thread>

#include "gpu/simt/counting.h"
#include "gpu/simt/worker.h"

namespace warpview::simt {
namespace {

// A spin is hopeless when every resident block has gone through back-off alone this often and
// nothing has changed in between. A recording holds all rounds, of which none depends on other OS
// threads.
constexpr std::uint64_t hopeless_rounds = recording::on ? 512 : 4096;

}  // namespace

const char* describe(Wait wait) {
  switch (wait) {
    case Wait::barrier:
      return "at a barrier";
    case Wait::collective:
      return "at a warp collective";
    case Wait::active:
      return "gathering at warp::active";
    case Wait::loop_begin:
      return "about to enter a spin loop";
    case Wait::loop_end:
      return "at the end of a spin loop";
    case Wait::spin:
      return "spinning";
    case Wait::late:
      return "late";
    case Wait::exited:
      return "exited";
    case Wait::none:
      break;
  }
  return "running";
}

const char* describe(Collective collective) {
  switch (collective) {
    case Collective::sync:
      return "sync";
    case Collective::ballot:
      return "ballot";
    case Collective::match:
      return "match";
    case Collective::shuffle:
      return "shuffle";
  }
  return "";
}

// Every live lane of this block waits, at least one of them by spinning: let other OS threads run,
// and see whether anything still changes.
void Worker::idle_round() {
  if (job_->launch.host && host_goes_on()) return;
  // The recorded build has all workers on this OS thread.
  if constexpr (!recording::on) std::this_thread::yield();
  counting::pass_turn(number_);
  if (publications_are_late) wait_late();
  idle_rounds.store(idle_rounds.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  if (idle_rounds.load(std::memory_order_relaxed) % 64 != 0) return;
  std::uint64_t sum = 0;
  for (const Worker* w : job_->workers) sum += w->changes.load(std::memory_order_relaxed);
  const bool calm = sum == calm_sum_ && calm_since_.size() == job_->workers.size();
  if (!calm) {
    calm_sum_ = sum;
    calm_since_.clear();
    for (const Worker* w : job_->workers)
      calm_since_.push_back(w->idle_rounds.load(std::memory_order_relaxed));
    return;
  }
  for (std::size_t i = 0; i < calm_since_.size(); ++i) {
    const Worker& w = *job_->workers[i];
    if (w.resident.load(std::memory_order_relaxed) &&
        w.idle_rounds.load(std::memory_order_relaxed) - calm_since_[i] < hopeless_rounds)
      return;
  }
  if (spinning_.empty()) return;
  for (const std::uint16_t number : spinning_)
    if (const LaneState* starved = starved_beside(lanes_[number]))
      report_starved(lanes_[number], *starved);
  if (job_->starved.load() > 0) return;  // in another block, which will give more detail
  const LaneState& lane = lanes_[spinning_.front()];
  report(
      lane, lane.where,
      fmt::format("the spin never ends: every live lane of all {} resident blocks waits, no other "
                  "block can start and nothing in memory changes",
                  std::count_if(job_->workers.begin(), job_->workers.end(),
                                [](const Worker* w) { return w->resident.load(); })));
}

void Worker::report_spin(Where where) {
  report(
      lane(), where,
      fmt::format("the spin does not back off: it polled {} times without a change by this lane, "
                  "and no other lane of its block ran meanwhile. Call Spin::back_off() in the loop",
                  most_looks));
}

// In lockstep: a lane that gets no turn as long as this one of its warp spins.
const LaneState* Worker::starved_beside(const LaneState& spinning) {
  const Warp& warp = warps_[spinning.warp];
  if (warp.in_loop == 0) return nullptr;
  const LaneState* standing_still = nullptr;
  for (LaneMask rest = warp.existing; rest != 0; rest &= rest - 1) {
    const LaneState& other = lanes_of(spinning.warp)[__builtin_ctzll(rest)];
    if (other.wait == Wait::loop_end) return &other;
    if (other.wait == Wait::loop_begin || other.wait == Wait::active) standing_still = &other;
  }
  return standing_still;
}

void Worker::report_starved(const LaneState& spinning, const LaneState& starved) {
  std::string what =
      starved.wait == Wait::loop_end
          ? fmt::format("has left the loop and waits for the spinning lanes at its end ({}:{})",
                        starved.where.file, starved.where.line)
          : fmt::format("is on another branch and waits there ({}:{})", starved.where.file,
                        starved.where.line);
  what = fmt::format(
      "the spin never ends in lockstep: lane {} of the same warp {}, so it cannot reach the code "
      "that this lane waits for",
      starved.lane, what);
  report(spinning, spinning.where, std::move(what));
}

std::string Worker::place(const LaneState& lane, Where where) const {
  const auto three = [](dim3 d) {
    return d.y == 0 && d.z == 0 ? fmt::format("{}", d.x)
                                : fmt::format("({}, {}, {})", d.x, d.y, d.z);
  };
  return fmt::format("{}: block {}, thread {} (warp {}, lane {}), {}:{}", job_->launch.kernel,
                     three(place_.index), three(lane.thread), lane.warp, lane.lane, where.file,
                     where.line);
}

// The frames above are given up without unwinding, so their heap memory is freed first.
void Worker::report(const LaneState& lane, Where where, std::string what) {
  {
    const std::lock_guard lock(job_->error_mutex);
    if (job_->error.empty()) job_->error = fmt::format("kernel {}: {}", place(lane, where), what);
  }
  std::string().swap(what);
  job_->abort();
  abort_block();
}

// No lane can go on and none spins: some wait at a barrier for lanes that wait elsewhere.
void Worker::report_stuck() {
  for (unsigned w = 0; w < warp_count(); ++w) tell_apart(w);
  for (unsigned i = 0; i < size_; ++i) {
    LaneState& lane = lanes_[i];
    if (lane.wait != Wait::none) continue;
    const bool collects = (warps_[lane.warp].waiting >> lane.lane & 1U) != 0;
    lane.wait = collects ? Wait::collective : Wait::barrier;
    if (!collects) lane.where = barrier_where_;
  }
  std::string groups;
  const LaneState* blamed = nullptr;
  for (unsigned i = 0; i < size_; ++i) {
    const LaneState& lane = lanes_[i];
    if (lane.wait == Wait::exited) continue;
    if (!blamed || (blamed->wait == Wait::barrier && lane.wait == Wait::collective)) blamed = &lane;
  }
  unsigned shown = 0;
  for (unsigned i = 0; i < size_ && shown < 4;) {
    const LaneState& lane = lanes_[i];
    unsigned end = i + 1;
    while (end < size_ && lanes_[end].wait == lane.wait &&
           lanes_[end].where.line == lane.where.line)
      ++end;
    if (lane.wait != Wait::exited) {
      groups += fmt::format("{}threads {} to {} {} ({}:{})", shown++ ? ", " : "", i, end - 1,
                            describe(lane.wait), lane.where.file, lane.where.line);
    }
    i = end;
  }
  groups.insert(0, "deadlock: no lane of the block can proceed: ");
  report(*blamed, blamed->where, std::move(groups));
}

}  // namespace warpview::simt
