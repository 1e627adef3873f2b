// The life of a block on its OS thread, and the order in which its lanes run.
#include "gpu/simt/worker.h"

#include <fmt/format.h>

#include <utility>

#include "gpu/simt/counting.h"

namespace warpview::simt {

thread_local constinit Worker* worker = nullptr;

void fiber_entry() { worker->run_lanes(); }

namespace {

constexpr int spoiled_byte = 0xcd;

// How often lanes of one block are made late.
constexpr unsigned most_lateness_of_block = 4;

}  // namespace

// A worker that has just begun its part clears the flag too late at most: it checks `aborted` after
// that.
void Job::abort() {
  aborted.store(true);
  for (Worker* each : workers) each->chooses.store(true);
}

void Worker::run_blocks(Job& job) {
  job_ = &job;
  worker = this;
  publications_are_late = job.options.late_publications && !counting::on;
  polled_since_ = never;
  if (publications_are_late || !job.shared_variables.empty())
    shared_memory_ = thread_local_memory();
  lanes_numbered_ = false;
  calm_since_.clear();
  chooses.store(is_shuffled() || recording::on);
  if (job.aborted.load()) chooses.store(true);
  number_ = static_cast<unsigned>(std::find(job.workers.begin(), job.workers.end(), this) -
                                  job.workers.begin());
  counting::take_turn(number_);
  while (!job.aborted.load(std::memory_order_relaxed)) {
    const unsigned turn = job.next_block.fetch_add(1, std::memory_order_relaxed);
    if (turn >= job.block_count) break;
    changed_for_all();
    try {
      run_block(job.block_order.empty() ? turn : job.block_order[turn]);
    } catch (...) {  // no memory for the block's lanes
      job.fail();
    }
  }
  resident.store(false, std::memory_order_relaxed);
  changed_for_all();
  if (std::exchange(publications_are_late, false)) job.wake_all();
  job_ = nullptr;
  counting::give_up_turn(number_);
}

void Worker::run_block(unsigned number) {
  const Launch& launch = job_->launch;
  const dim3 grid = launch.grid;
  const dim3 block = launch.block;
  place_ = {dim3(number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y), block, grid};
  size_ = live_ = block.x * block.y * block.z;
  started_ = at_barrier_ = barrier_votes_ = 0;
  runnable_.clear();
  spinning_.clear();
  late_.clear();
#if defined(WARPVIEW_RECORDED)
  steps_ = {};
#endif
  holds_back.store(false);
  lateness_left_ = job_->lateness_left.load() > 0 ? most_lateness_of_block : 0;
  if (!lanes_numbered_) number_lanes(block);
  for (unsigned w = 0; w < warp_count(); ++w)
    warps_[w].exited = warps_[w].gathering = warps_[w].in_loop = warps_[w].waiting = 0;
  random_ = Random(job_->options.seed + number * 977ULL);
  if (job_->options.seed != 0) {
    for (unsigned i = size_; i > 1; --i)
      std::swap(start_order_[i - 1], start_order_[random_.below(i)]);
  }

  spoil_shared_memory();
  while (stacks_.size() < (one_stack_a_lane ? size_ : 1)) add_stack();
  threads_.fork(size_);
  counting::begin_block(number, size_);

  // next() returns a fresh stack, since no lane has started, or home_ if another block has just
  // aborted the launch. Returns when the last lane has ended or the launch was aborted, and
  // whenever it is the host's turn.
  Fiber& first = next();
  if (&first != &home_) jump(home_, first);
  while (Fiber* const asking = std::exchange(waits_for_host_, nullptr)) {
    try {
      const recording::HostWrite anywhere(recording::HostWork::code, nullptr, 0);
      host_did_something_ = job_->launch.host();
    } catch (...) {
      job_->fail();
    }
    jump(home_, *asking);
  }

  // A recording of a run that was given up ends with its lanes where they wait.
  if (!recording::on || !job_->aborted.load(std::memory_order_relaxed)) counting::end_block();
  threads_.join(size_);
  if (job_->aborted.load(std::memory_order_relaxed)) {
    idle_stacks_.clear();
    for (std::size_t i = 0; i < stacks_.size(); ++i) {
      stacks_[i].forget_frames();
      idle_stacks_.push_back(static_cast<std::uint16_t>(i));
    }
    threads_.forget();
  }
}

// Sets what all blocks of a launch have in common.
void Worker::number_lanes(dim3 block) {
  lanes_numbered_ = true;
  warp_size_ = job_->options.warp_size;
  if (lanes_.size() <= size_) lanes_.resize(size_ + 1);
  start_order_.resize(size_);
  for (unsigned i = 0; i < size_; ++i) {
    LaneState& lane = lanes_[i];
    lane.thread = dim3(i % block.x, i / block.x % block.y, i / block.x / block.y);
    lane.number = i;
    lane.lane = i % warp_size_;
    lane.warp = static_cast<std::uint16_t>(i / warp_size_);
    lane.warp_size = warp_size_;
    lane.place = &place_;
    start_order_[i] = static_cast<std::uint16_t>(i);
  }
  for (unsigned w = 0; w < warp_count(); ++w) {
    const unsigned lanes = std::min(warp_size_, size_ - w * warp_size_);
    warps_[w].existing = lanes == max_warp ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
  }
}

// On a GPU a block finds in shared memory what other blocks left there: no kernel may count on
// zeros.
void Worker::spoil_shared_memory() {
  for (const SharedVariable& variable : job_->shared_variables)
    if (std::byte* const begin = shared_memory_.begin + variable.offset;
        begin + variable.bytes <= shared_memory_.end)
      std::memset(begin, spoiled_byte, variable.bytes);
}

// The life of a stack: runs lanes that have not started, one after the other, until none is left. A
// lane that suspends takes the stack with it; another stack then goes on with the rest.
void Worker::run_lanes() {
  do {
    LaneState& lane = lanes_[start_order_[started_++]];
    const std::uint16_t stack = running_stack_;
    if constexpr (!WARPVIEW_OWN_JUMPS) {
      lane.fiber.stack_bottom = stacks_[stack].bottom();
      lane.fiber.stack_size = stacks_[stack].usable();
    }
    lane.wait = Wait::none;
    lane.loops = 0;
    lane.looks = 0;
    current_lane = &lane;
    try {
      go_back_to_kernel();
      job_->body(job_->context);
      enter();
    } catch (...) {
      enter();
      job_->fail();
    }
    if (job_->aborted.load(std::memory_order_relaxed)) abort_block();
    exit_lane(lane);
    running_stack_ = stack;  // other stacks may have run in between
  } while (!one_stack_a_lane && started_ < size_);
  idle_stacks_.push_back(running_stack_);
  if (live_ == 0) leave(home_);
  leave(next());
}

void Worker::exit_lane(LaneState& lane) {
  counting::exits(lane);
  lane.wait = Wait::exited;
  changed();
  Warp& warp = warps_[lane.warp];
  warp.exited |= LaneMask{1} << lane.lane;
  --live_;
  if (at_barrier_ == live_ && live_ > 0) release_barrier();
  if (whole_warp_gathered(warp)) part(lane.warp);
  if (warp.waiting != 0) leave_nobody_waiting(lane);
}

// Lanes that already wait for this one will wait for ever.
void Worker::leave_nobody_waiting(const LaneState& gone) {
  tell_apart(gone.warp);
  for (LaneMask rest = warps_[gone.warp].waiting; rest != 0; rest &= rest - 1) {
    const LaneState& other = lanes_of(gone.warp)[__builtin_ctzll(rest)];
    if (other.mask >> gone.lane & 1U)
      report(other, other.where,
             fmt::format("the mask {:#x} of a warp {} names lane {}, which has exited", other.mask,
                         describe(other.call.what()), gone.lane));
  }
}

// The next lane to go on, or a stack on which unstarted lanes begin. Lanes that can go on come
// first: few stacks are then in use and stay in the cache.
Fiber& Worker::choose_next() {
  for (;;) {
    if (job_->aborted.load(std::memory_order_relaxed)) return home_;
    const bool can_start = started_ < size_;
    const unsigned waiting = runnable_.size();
    if (waiting > 0 && !(can_start && is_shuffled() && random_.below(2) == 0)) {
      LaneState& lane =
          goes_on(is_shuffled() ? runnable_.take(random_.below(waiting)) : runnable_.take_first());
      current_lane = &lane;
      return lane.fiber;
    }
    if (can_start) {
      running_stack_ = take_stack();
      fresh_ = make_fiber(stacks_[running_stack_], &fiber_entry);
      return fresh_;
    }
    if (release_gathered()) continue;
    if (spinning_.empty() && late_.empty()) report_stuck();
    idle_round();
    for (const std::uint16_t number : spinning_) make_runnable(lanes_[number]);
    spinning_.clear();
  }
}

// The stack for the next lane to start.
std::uint16_t Worker::take_stack() {
  if (one_stack_a_lane) return start_order_[started_];
  if (idle_stacks_.empty()) add_stack();
  const std::uint16_t stack = idle_stacks_.back();
  idle_stacks_.pop_back();
  return stack;
}

void Worker::keep_stacks(std::size_t most) {
  while (stacks_.size() > most) stacks_.pop_back();
  std::erase_if(idle_stacks_, [this](std::uint16_t stack) { return stack >= stacks_.size(); });
}

// The lane's state says what it waits for. Returns when it may go on.
void Worker::suspend(LaneState& lane) { go_on(lane, next()); }

void Worker::abort_block() { leave(home_); }

// The host's turn: has it changed anything that lanes may wait for? The host runs on the OS
// thread's own stack, as the host and not as a lane. Code that has no lane to go on with waits here
// on the lanes' stacks.
bool Worker::host_goes_on() {
  Fiber here;
  here.stack_bottom = lane().fiber.stack_bottom;
  here.stack_size = lane().fiber.stack_size;
  waits_for_host_ = &here;
  host_did_something_ = false;
  Lane* const lane = std::exchange(current_lane, nullptr);
  jump(here, home_);
  current_lane = lane;
  if (host_did_something_) changed_for_all();
  return host_did_something_;
}

}  // namespace warpview::simt
