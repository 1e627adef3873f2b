#include "gpu/simt/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "gpu/simt/counting.h"
#include "gpu/simt/fiber.h"
#include "gpu/simt/lane_threads.h"

namespace warpview::simt {

thread_local constinit Lane* current_lane = nullptr;

namespace {

constexpr unsigned max_block = 1024;
constexpr unsigned max_warp = 64;
// A spin is hopeless when every resident block has gone round this often in back-off alone and
// nothing has changed in between.
constexpr std::uint64_t hopeless_rounds = 4096;
// Of all workers. A stack and the guard below it are two mappings, and Linux gives a process 65530:
// half of them are for other things.
constexpr unsigned most_stacks = 16 * 1024;
static_assert(max_concurrent_blocks * max_block <= most_stacks);

// What a lane waits for.
enum class Wait : std::uint8_t { none, barrier, collective, active, spin, exited };
const char* describe(Wait wait) {
  switch (wait) {
    case Wait::barrier:
      return "at a barrier";
    case Wait::collective:
      return "at a warp collective";
    case Wait::active:
      return "gathering at warp::active";
    case Wait::spin:
      return "spinning";
    case Wait::exited:
      return "exited";
    case Wait::none:
      break;
  }
  return "running";
}

enum class Collective : std::uint8_t { sync, ballot, match, shuffle };
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

bool same_line(Where a, Where b) {
  return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

// What a lane brings to a collective, and where it wants the answer.
struct Offer {
  LaneMask mask = 0;
  Collective what = Collective::sync;
  const void* in = nullptr;
  void* out = nullptr;
  std::size_t bytes = 0;
  std::uint32_t value = 0;  // predicate, matched value, or source lane
  LaneMask result = 0;
};

struct LaneState : Lane {
  Wait wait = Wait::none;
  unsigned warp = 0;  // in its block
  Where where;
  Offer offer;
  Fiber fiber;
};

// xorshift64*: a scheduler needs speed and reproducibility, not quality.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL | 1U) {
    for (int i = 0; i < 4; ++i) next();
  }
  std::uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return (state_ * 0x2545f4914f6cdd1dULL) >> 16;
  }
  unsigned below(unsigned n) { return static_cast<unsigned>(next() % n); }
  LaneMask lanes() { return next() << 32 ^ next(); }

 private:
  std::uint64_t state_;
};

class Worker;

// One launch, shared by the workers that run its blocks.
struct Job {
  const Options& options;
  const Launch& launch;
  void (*body)(const void*);
  const void* context;
  unsigned block_count;
  std::vector<unsigned> block_order;  // empty: in order
  unsigned worker_count;
  std::vector<Worker*> workers;

  std::atomic<unsigned> next_block{0};
  std::atomic<bool> aborted{false};
  std::mutex error_mutex;
  std::string error;
  std::exception_ptr thrown;

  // Ends the launch with the exception that is handled now.
  void fail() {
    const std::lock_guard lock(error_mutex);
    if (!thrown) thrown = std::current_exception();
    aborted.store(true, std::memory_order_relaxed);
  }
};

// Runs blocks on one OS thread, and owns the stacks of their lanes.
class Worker {
 public:
  void run_blocks(Job& job);

  // Read by the other workers of a job while this one runs. A worker counts as resident from before
  // it wakes: it may still start the block that ends a spin.
  std::atomic<std::uint64_t> changes{0};
  std::atomic<std::uint64_t> idle_rounds{0};
  std::atomic<bool> resident{false};

  LaneState& lane() { return static_cast<LaneState&>(*current_lane); }
  void changed() {  // only this thread writes: no need for an atomic read-modify-write
    changes.store(changes.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  // Between these the code of the executor runs, else that of the kernel.
  void enter() { threads_.become_worker(); }
  void go_back_to_kernel() { threads_.become(current_lane->number); }

  unsigned arrive_at_barrier(bool predicate, Where where);
  LaneMask collect(Where where);  // what the lane offers
  LaneMask gather(Where where);
  void back_off(Where where);
  void run_lanes();

  // Between launches.
  std::size_t stacks() const { return stacks_.size(); }
  void keep_stacks(std::size_t most);

 private:
  [[noreturn]] void abort_block();
  [[noreturn]] void report(const LaneState& lane, Where where, std::string what);
  void run_block(unsigned number);
  void exit_lane(LaneState& lane);
  void release_barrier();
  bool release_gathered();
  bool whole_warp_gathered(const LaneState& lane);
  void part(const LaneState& lane);
  void suspend(LaneState& lane);
  Fiber& next();
  void idle_round();
  [[noreturn]] void report_stuck();
  void complete(unsigned first_lane, LaneMask mask);
  void add_stack() {
    stacks_.emplace_back(stacks_.size());
    idle_stacks_.push_back(static_cast<std::uint16_t>(stacks_.size() - 1));
  }
  std::uint16_t take_stack();
  std::string place(const LaneState& lane, Where where) const;
  void make_runnable(LaneState& lane) {
    lane.wait = Wait::none;
    runnable_.push_back(static_cast<std::uint16_t>(lane.number));
  }
  LaneMask lanes_in_warp_of(const LaneState& lane) const {
    const unsigned count = std::min(lane.warp_size, size_ - lane.warp * lane.warp_size);
    return count == max_warp ? ~LaneMask{0} : (LaneMask{1} << count) - 1;
  }
  std::vector<LaneState>::iterator warp_of(const LaneState& lane) {
    return lanes_.begin() + (lane.number - lane.lane);
  }

  Job* job_ = nullptr;
  unsigned number_ = 0;  // among the workers of the job
  BlockPlace place_{};
  unsigned size_ = 0;  // threads of the block
  unsigned live_ = 0;  // of them, not exited
  unsigned started_ = 0;
  std::vector<LaneState> lanes_;
  bool lanes_numbered_ = false;
  std::vector<std::uint16_t> start_order_;

  // Suspended lanes that may go on. Taken from the front in order, or anywhere with a seed.
  std::vector<std::uint16_t> runnable_;
  std::size_t runnable_front_ = 0;
  std::vector<std::uint16_t> spinning_;

  unsigned at_barrier_ = 0;
  unsigned barrier_votes_ = 0;
  unsigned barrier_result_ = 0;
  Where barrier_where_;
  std::array<LaneMask, max_block / 32> collecting_{};  // by warp: lanes waiting in a collective
  std::array<LaneMask, max_block / 32> gathering_{};   // by warp: lanes in warp::active
  std::array<LaneMask, max_block / 32> exited_{};

  LaneThreads threads_;
  std::vector<Stack> stacks_;
  std::vector<std::uint16_t> idle_stacks_;
  std::uint16_t running_stack_ = 0;
  Fiber fresh_;
  Fiber home_;
  Random random_{1};

  std::uint64_t calm_sum_ = 0;
  std::vector<std::uint64_t> calm_since_;
};

thread_local constinit Worker* worker = nullptr;

void fiber_entry() { worker->run_lanes(); }

// --- one block
// ------------------------------------------------------------------------------------

void Worker::run_blocks(Job& job) {
  job_ = &job;
  worker = this;
  lanes_numbered_ = false;
  calm_since_.clear();
  number_ = static_cast<unsigned>(std::find(job.workers.begin(), job.workers.end(), this) -
                                  job.workers.begin());
  counting::take_turn(number_);
  while (!job.aborted.load(std::memory_order_relaxed)) {
    const unsigned turn = job.next_block.fetch_add(1, std::memory_order_relaxed);
    if (turn >= job.block_count) break;
    changed();
    try {
      run_block(job.block_order.empty() ? turn : job.block_order[turn]);
    } catch (...) {  // no memory for the block's lanes
      job.fail();
    }
  }
  resident.store(false, std::memory_order_relaxed);
  changed();
  job_ = nullptr;
  counting::give_up_turn(number_);
}

void Worker::run_block(unsigned number) {
  const Launch& launch = job_->launch;
  const unsigned warp_size = job_->options.warp_size;
  const dim3 grid = launch.grid;
  const dim3 block = launch.block;
  place_ = {dim3(number % grid.x, number / grid.x % grid.y, number / grid.x / grid.y), block, grid};
  size_ = live_ = block.x * block.y * block.z;
  started_ = at_barrier_ = barrier_votes_ = 0;
  runnable_.clear();
  runnable_front_ = 0;
  spinning_.clear();
  collecting_.fill(0);
  gathering_.fill(0);
  exited_.fill(0);
  if (lanes_.size() < size_) lanes_.resize(size_);
  if (!lanes_numbered_) {  // the same for every block of a launch
    lanes_numbered_ = true;
    start_order_.resize(size_);
    for (unsigned i = 0; i < size_; ++i) {
      LaneState& lane = lanes_[i];
      lane.thread = dim3(i % block.x, i / block.x % block.y, i / block.x / block.y);
      lane.number = i;
      lane.lane = i % warp_size;
      lane.warp = i / warp_size;
      lane.warp_size = warp_size;
      lane.place = &place_;
      start_order_[i] = static_cast<std::uint16_t>(i);
    }
  }
  for (unsigned i = 0; i < size_; ++i) lanes_[i].wait = Wait::none;
  if (job_->options.seed != 0) {
    random_ = Random(job_->options.seed + number * 977ULL);
    for (unsigned i = size_; i > 1; --i)
      std::swap(start_order_[i - 1], start_order_[random_.below(i)]);
  }

  while (stacks_.size() < (one_stack_a_lane ? size_ : 1)) add_stack();
  threads_.fork(size_);
  counting::begin_block(number, size_);

  // next() hands out a fresh stack, since no lane has started, or home_ if another block has just
  // aborted the launch. Comes back when the last lane has ended or the launch was aborted.
  Fiber& first = next();
  if (&first != &home_) jump(home_, first);

  counting::end_block();
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

// The life of a stack: run lanes that have not started, one after the other, until none is left.
// A lane that suspends takes the stack with it; another stack then goes on with the rest.
void Worker::run_lanes() {
  do {
    LaneState& lane = lanes_[start_order_[started_++]];
    const std::uint16_t stack = running_stack_;
    lane.fiber.stack_bottom = stacks_[stack].bottom();
    lane.fiber.stack_size = stacks_[stack].usable();
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
  const unsigned warp = lane.warp;
  exited_[warp] |= LaneMask{1} << lane.lane;
  --live_;
  if (at_barrier_ == live_ && live_ > 0) release_barrier();
  if (whole_warp_gathered(lane)) part(lane);
  // Lanes that already wait for this one will wait for ever.
  for (LaneMask rest = collecting_[warp]; rest != 0; rest &= rest - 1) {
    const LaneState& other = *(warp_of(lane) + __builtin_ctzll(rest));
    if (other.offer.mask >> lane.lane & 1U)
      report(other, other.where,
             fmt::format("the mask {:#x} of a warp {} names lane {}, which has exited",
                         other.offer.mask, describe(other.offer.what), lane.lane));
  }
}

// The next lane to go on, or a stack on which unstarted lanes begin. Lanes that can go on come
// first: few stacks are then in use and stay in the cache.
Fiber& Worker::next() {
  for (;;) {
    if (job_->aborted.load(std::memory_order_relaxed)) return home_;
    const bool can_start = started_ < size_;
    const std::size_t waiting = runnable_.size() - runnable_front_;
    if (waiting > 0 && !(can_start && job_->options.seed != 0 && random_.below(2) == 0)) {
      if (job_->options.seed != 0)
        std::swap(runnable_[runnable_front_],
                  runnable_[runnable_front_ + random_.below(static_cast<unsigned>(waiting))]);
      LaneState& lane = lanes_[runnable_[runnable_front_++]];
      if (runnable_front_ == runnable_.size()) {
        runnable_.clear();
        runnable_front_ = 0;
      }
      current_lane = &lane;
      return lane.fiber;
    }
    if (can_start) {
      running_stack_ = take_stack();
      fresh_ = make_fiber(stacks_[running_stack_], &fiber_entry);
      return fresh_;
    }
    if (release_gathered()) continue;
    if (spinning_.empty()) report_stuck();
    idle_round();
    for (const std::uint16_t number : spinning_) make_runnable(lanes_[number]);
    spinning_.clear();
  }
}

// For the next lane to start.
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
void Worker::suspend(LaneState& lane) {
  Fiber& to = next();
  if (&to == &lane.fiber) return;  // it was its own turn again
  jump(lane.fiber, to);
}

void Worker::abort_block() { leave(home_); }

// --- barriers, collectives, spins
// -------------------------------------------------------------------

unsigned Worker::arrive_at_barrier(bool predicate, Where where) {
  LaneState& lane = this->lane();
  if (at_barrier_ > 0 && !same_line(where, barrier_where_)) {
    report(lane, where,
           fmt::format("lanes of one block wait at different barriers: others are at {}:{}",
                       barrier_where_.file, barrier_where_.line));
  }
  barrier_where_ = where;
  barrier_votes_ += predicate ? 1 : 0;
  lane.where = where;
  lane.wait = Wait::barrier;
  counting::arrives(lane);
  if (++at_barrier_ == live_) {
    release_barrier();
  }
  suspend(lane);
  return barrier_result_;
}

void Worker::release_barrier() {
  counting::barrier();
  changed();
  at_barrier_ = 0;
  barrier_result_ = barrier_votes_;
  barrier_votes_ = 0;
  const std::size_t others = runnable_.size();
  for (unsigned i = 0; i < size_; ++i)
    if (lanes_[i].wait == Wait::barrier) make_runnable(lanes_[i]);
  threads_.meet(runnable_.cbegin() + static_cast<std::ptrdiff_t>(others), runnable_.cend());
}

LaneMask Worker::collect(Where where) {
  LaneState& lane = this->lane();
  const Offer& offer = lane.offer;
  const unsigned warp = lane.warp;
  const LaneMask existing = lanes_in_warp_of(lane);
  const LaneMask me = LaneMask{1} << lane.lane;
  if (!(offer.mask & me))
    report(lane, where,
           fmt::format("a warp {} is called by a lane that its mask {:#x} leaves out",
                       describe(offer.what), offer.mask));
  if (const LaneMask none = offer.mask & ~existing; none != 0)
    report(lane, where,
           fmt::format("the mask {:#x} of a warp {} names lane {}, but the warp has {} lanes",
                       offer.mask, describe(offer.what), __builtin_ctzll(none),
                       __builtin_popcountll(existing)));
  if (const LaneMask gone = offer.mask & exited_[warp]; gone != 0)
    report(lane, where,
           fmt::format("the mask {:#x} of a warp {} names lane {}, which has exited", offer.mask,
                       describe(offer.what), __builtin_ctzll(gone)));
  if (offer.what == Collective::shuffle &&
      (offer.value >= lane.warp_size || !(offer.mask >> offer.value & 1U)))
    report(lane, where,
           fmt::format("a shuffle reads lane {}, which is not in its mask {:#x}", offer.value,
                       offer.mask));
  const auto lanes = warp_of(lane);
  // The first to arrive is compared with at once, so that a disagreement is found even if the rest
  // never comes; the last to arrive compares with all.
  const LaneMask here = collecting_[warp] & offer.mask;
  const LaneMask compared = (here | me) == offer.mask ? here : here & -here;
  for (LaneMask rest = compared; rest != 0; rest &= rest - 1) {
    const LaneState& other = *(lanes + __builtin_ctzll(rest));
    if (other.offer.mask != offer.mask || other.offer.what != offer.what ||
        other.offer.bytes != offer.bytes) {
      report(lane, where,
             fmt::format("lanes of one mask disagree: this lane calls {} with mask {:#x}, lane {} "
                         "calls {} with mask {:#x} at {}:{}",
                         describe(offer.what), offer.mask, other.lane, describe(other.offer.what),
                         other.offer.mask, other.where.file, other.where.line));
    }
  }
  lane.where = where;
  collecting_[warp] |= me;
  if ((collecting_[warp] & offer.mask) == offer.mask) {
    // The last to arrive answers for all before any goes on: nobody can overwrite what another has
    // still to read.
    collecting_[warp] &= ~offer.mask;
    complete(warp * lane.warp_size, offer.mask);
    counting::collective(lane, offer.mask);
    threads_.meet(warp * lane.warp_size, offer.mask);
    changed();
    for (LaneMask rest = offer.mask & ~me; rest != 0; rest &= rest - 1)
      make_runnable(*(lanes + __builtin_ctzll(rest)));
    if (job_->options.seed == 0) return lane.offer.result;
    make_runnable(lane);
  } else {
    lane.wait = Wait::collective;
  }
  suspend(lane);
  return lane.offer.result;
}

void Worker::complete(unsigned first_lane, LaneMask mask) {
  LaneState* lanes = &lanes_[first_lane];
  switch (lanes[__builtin_ctzll(mask)].offer.what) {
    case Collective::sync:
      break;
    case Collective::ballot: {
      LaneMask votes = 0;
      for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
        const int i = __builtin_ctzll(rest);
        votes |= static_cast<LaneMask>(lanes[i].offer.value) << i;
      }
      for (LaneMask rest = mask; rest != 0; rest &= rest - 1)
        lanes[__builtin_ctzll(rest)].offer.result = votes;
      break;
    }
    case Collective::match:
      for (LaneMask rest = mask; rest != 0;) {
        const std::uint32_t value = lanes[__builtin_ctzll(rest)].offer.value;
        LaneMask equal = 0;
        for (LaneMask r = rest; r != 0; r &= r - 1) {
          const int i = __builtin_ctzll(r);
          if (lanes[i].offer.value == value) equal |= LaneMask{1} << i;
        }
        for (LaneMask r = equal; r != 0; r &= r - 1) lanes[__builtin_ctzll(r)].offer.result = equal;
        rest &= ~equal;
      }
      break;
    case Collective::shuffle:
      for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
        const Offer& offer = lanes[__builtin_ctzll(rest)].offer;
        const void* in = lanes[offer.value].offer.in;
        if (offer.bytes == 4)  // a fixed size: one move instead of a call
          std::memcpy(offer.out, in, 4);
        else
          copy_between_lanes(offer.out, in, offer.bytes);
      }
      break;
  }
}

// Lanes wait here for company: until the rest of their warp is here too or has exited, at the
// latest until nothing else in the block can run, and with a seed sometimes no longer at all.
LaneMask Worker::gather(Where where) {
  LaneState& lane = this->lane();
  lane.where = where;
  lane.wait = Wait::active;
  gathering_[lane.warp] |= LaneMask{1} << lane.lane;
  if (whole_warp_gathered(lane) || (job_->options.seed != 0 && random_.below(8) == 0)) part(lane);
  suspend(lane);
  return lane.offer.result;
}

bool Worker::whole_warp_gathered(const LaneState& lane) {
  const LaneMask here = gathering_[lane.warp];
  return here != 0 && here == (lanes_in_warp_of(lane) & ~exited_[lane.warp]);
}

// Was there a lane to let go on?
bool Worker::release_gathered() {
  const std::size_t before = runnable_.size();
  const unsigned warp_size = job_->options.warp_size;
  for (unsigned first = 0; first < size_; first += warp_size)
    if (gathering_[first / warp_size] != 0) part(lanes_[first]);
  return runnable_.size() != before;
}

// Lets the gathered lanes of this lane's warp go on: those at one line together, or with a seed in
// groups drawn by lot.
void Worker::part(const LaneState& lane) {
  const auto lanes = warp_of(lane);
  LaneMask& gathering = gathering_[lane.warp];
  while (gathering != 0) {
    const Where where = (lanes + __builtin_ctzll(gathering))->where;
    LaneMask group = 0;
    for (LaneMask rest = gathering; rest != 0; rest &= rest - 1) {
      const int i = __builtin_ctzll(rest);
      if (same_line((lanes + i)->where, where)) group |= LaneMask{1} << i;
    }
    if (job_->options.seed != 0 && random_.below(2) == 0)
      if (const LaneMask some = group & random_.lanes(); some != 0) group = some;
    gathering &= ~group;
    counting::collective(lane, group);
    for (LaneMask rest = group; rest != 0; rest &= rest - 1) {
      LaneState& member = *(lanes + __builtin_ctzll(rest));
      member.offer.result = group;
      make_runnable(member);
    }
  }
}

void Worker::back_off(Where where) {
  LaneState& lane = this->lane();
  lane.where = where;
  lane.wait = Wait::spin;
  counting::spins(lane);
  spinning_.push_back(static_cast<std::uint16_t>(lane.number));
  suspend(lane);
}

// Every live lane of this block waits, at least one of them by spinning: let other OS threads run,
// and see whether anything at all still moves.
void Worker::idle_round() {
  std::this_thread::yield();
  counting::pass_turn(number_);
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
  const LaneState& lane = lanes_[spinning_.front()];
  report(
      lane, lane.where,
      fmt::format("the spin never ends: every live lane of all {} resident blocks waits, no other "
                  "block can start and nothing in memory changes",
                  std::count_if(job_->workers.begin(), job_->workers.end(),
                                [](const Worker* w) { return w->resident.load(); })));
}

// --- reports
// ------------------------------------------------------------------------------------------

std::string Worker::place(const LaneState& lane, Where where) const {
  const auto three = [](dim3 d) {
    return d.y == 0 && d.z == 0 ? fmt::format("{}", d.x)
                                : fmt::format("({}, {}, {})", d.x, d.y, d.z);
  };
  return fmt::format("{}: block {}, thread {} (warp {}, lane {}), {}:{}", job_->launch.kernel,
                     three(place_.index), three(lane.thread), lane.warp, lane.lane, where.file,
                     where.line);
}

// The frames above are given up without unwinding, so what they hold on the heap is freed first.
void Worker::report(const LaneState& lane, Where where, std::string what) {
  {
    const std::lock_guard lock(job_->error_mutex);
    if (job_->error.empty()) job_->error = fmt::format("kernel {}: {}", place(lane, where), what);
  }
  std::string().swap(what);
  job_->aborted.store(true, std::memory_order_relaxed);
  abort_block();
}

// No lane can go on and none spins: some wait at a barrier for lanes that wait elsewhere.
void Worker::report_stuck() {
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
  groups.insert(0, "no lane of the block can go on: ");
  report(*blamed, blamed->where, std::move(groups));
}

// --- the pool
// -------------------------------------------------------------------------------------------

// OS threads that wait for jobs. The launching thread is worker 0, so a launch of one block wakes
// nobody. Grows when a launch asks for more workers, until the system refuses a thread.
class Pool {
 public:
  static Pool& instance() {
    static Pool pool;
    return pool;
  }

  // Sees to it that there are so many workers, if the system allows. Returns how many there are.
  unsigned start(unsigned count) {
    const std::lock_guard turn(launch_mutex_);
    return grow(count);
  }

  void run(Job& job) {
    const std::lock_guard turn(launch_mutex_);
    const unsigned there = grow(job.worker_count);
    if (job.launch.concurrent && there < job.worker_count)
      throw Error(fmt::format("kernel {} was launched with {} concurrent blocks", job.launch.kernel,
                              job.worker_count),
                  fmt::format("each needs an OS thread, and the system starts no more than {} for "
                              "the CPU device",
                              there),
                  "Raise the limit on threads (ulimit -u, pids.max of the container) or on memory "
                  "(ulimit -v) and start again, or launch fewer blocks");
    job.worker_count = std::min(job.worker_count, there);
    make_room_for_stacks(job);
    for (unsigned i = 0; i < job.worker_count; ++i) {
      workers_[i]->resident.store(true, std::memory_order_relaxed);
      job.workers.push_back(workers_[i].get());
    }
    counting::begin_launch(job.options, job.launch, job.worker_count);
    if (job.worker_count > 1) {
      {
        const std::lock_guard lock(mutex_);
        job_ = &job;
        wanted_ = running_ = job.worker_count - 1;
        ++generation_;
      }
      wake_.notify_all();
    }
    workers_[0]->run_blocks(job);
    if (job.worker_count > 1) {
      std::unique_lock lock(mutex_);
      done_.wait(lock, [&] { return running_ == 0; });
      job_ = nullptr;
    }
    counting::end_launch();
  }

  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

 private:
  Pool() { workers_.push_back(std::make_unique<Worker>()); }
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  // A worker is there only with its thread. Where the system has refused one it is not asked again:
  // what an occupancy query or a device's name has said stays true.
  unsigned grow(std::size_t count) {
    while (workers_.size() < count && !refused_) {
      try {
        const std::size_t number = workers_.size();
        workers_.reserve(number + 1);
        threads_.reserve(number);
        auto next = std::make_unique<Worker>();
        threads_.emplace_back([this, number] { serve(number); });
        workers_.push_back(std::move(next));
      } catch (const std::system_error&) {
        refused_ = true;
      } catch (const std::bad_alloc&) {
        refused_ = true;
      }
    }
    return static_cast<unsigned>(workers_.size());
  }

  // Workers keep their stacks from launch to launch, as long as those of all leave room for this
  // launch to give each of its lanes one.
  void make_room_for_stacks(const Job& job) {
    const dim3 block = job.launch.block;
    const std::size_t lanes = std::size_t{block.x} * block.y * block.z;
    const auto wanted = [&](std::size_t i) { return i < job.worker_count ? lanes : 0; };
    std::size_t stacks = 0;
    for (std::size_t i = 0; i < workers_.size(); ++i)
      stacks += std::max(workers_[i]->stacks(), wanted(i));
    if (stacks <= most_stacks) return;
    for (std::size_t i = 0; i < workers_.size(); ++i) workers_[i]->keep_stacks(wanted(i));
  }

  void serve(std::size_t number) {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return closing_ || (job_ && generation_ != seen); });
      if (closing_) return;
      seen = generation_;
      if (number > wanted_) continue;
      Job& job = *job_;
      lock.unlock();
      workers_[number]->run_blocks(job);
      lock.lock();
      if (--running_ == 0) done_.notify_one();
    }
  }

  std::mutex launch_mutex_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::thread> threads_;
  bool refused_ = false;  // the system, a thread
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  Job* job_ = nullptr;
  std::size_t wanted_ = 0;
  std::size_t running_ = 0;
  std::uint64_t generation_ = 0;
  bool closing_ = false;
};

// Workers that an ordinary launch has if the system allows, and with blocks of so many threads.
unsigned workers_asked_for(const Options& options) {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  return std::min(options.workers ? options.workers : cores, most_workers);
}
unsigned workers_that_fit(unsigned threads) {
  return threads > most_lanes_of_any_block ? workers_of_large_blocks : most_stacks / threads;
}

}  // namespace

Workers start_workers(const Options& options) {
  const unsigned asked = workers_asked_for(options);
  return {.asked_for = asked, .running = std::min(asked, Pool::instance().start(asked))};
}

unsigned concurrent_blocks() {
  return std::min(max_concurrent_blocks, Pool::instance().start(max_concurrent_blocks));
}

void run(const Options& options, const Launch& launch, void (*body)(const void*),
         const void* context) {
  const std::uint64_t threads = std::uint64_t{launch.block.x} * launch.block.y * launch.block.z;
  const std::uint64_t blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  if (worker && current_lane)
    throw Error(fmt::format("kernel {} was launched from inside a kernel", launch.kernel),
                "the CPU device has no dynamic parallelism", "Launch it from host code");
  if (threads == 0 || threads > max_block || blocks > 0x7fffffffU)
    throw Error(
        fmt::format("kernel {} was launched with {} blocks of {} threads", launch.kernel, blocks,
                    threads),
        fmt::format("a block has 1 to {} threads, a grid at most 2^31 - 1 blocks", max_block),
        "Choose another shape");
  if (launch.concurrent && blocks > max_concurrent_blocks)
    throw Error(
        fmt::format("kernel {} was launched with {} concurrent blocks", launch.kernel, blocks),
        fmt::format("the CPU device holds {} at a time", max_concurrent_blocks),
        "Size the grid by the occupancy query");
  if (blocks == 0) return;
  const bool large = threads > most_lanes_of_any_block;
  if (launch.concurrent && large)
    throw Error(
        fmt::format("kernel {} was launched with concurrent blocks of {} threads", launch.kernel,
                    threads),
        fmt::format("under ThreadSanitizer such blocks have at most {}", most_lanes_of_any_block),
        "Choose smaller blocks, or a build without it");

  const unsigned most =
      launch.concurrent
          ? max_concurrent_blocks
          : std::min(workers_asked_for(options), workers_that_fit(static_cast<unsigned>(threads)));
  Job job{.options = options,
          .launch = launch,
          .body = body,
          .context = context,
          .block_count = static_cast<unsigned>(blocks),
          .block_order = {},
          .worker_count = static_cast<unsigned>(std::min<std::uint64_t>(most, blocks)),
          .workers = {},
          .error_mutex = {},
          .error = {},
          .thrown = {}};
  if (options.seed != 0) {
    Random random(options.seed);
    job.block_order.resize(blocks);
    for (unsigned i = 0; i < blocks; ++i) {
      job.block_order[i] = i;
      std::swap(job.block_order[i], job.block_order[random.below(i + 1)]);
    }
  }
  Pool::instance().run(job);
  current_lane = nullptr;
  if (!job.error.empty()) throw Error(job.error);
  try {
    if (job.thrown) std::rethrow_exception(job.thrown);
  } catch (const std::bad_alloc&) {
    throw Error(
        fmt::format("memory for the lanes of kernel {}, in blocks of {}", launch.kernel, threads),
        "the system gives the program no more of it, or no more mappings",
        "Close other programs, or raise the limits (ulimit -v, sysctl vm.max_map_count)");
  }
}

namespace {

// A call from a kernel into the executor.
class Call {
 public:
  Call() { worker->enter(); }
  ~Call() { worker->go_back_to_kernel(); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
};

LaneMask collect(const Offer& offer, Where where) {
  const Call call;
  worker->lane().offer = offer;
  return worker->collect(where);
}

}  // namespace

void barrier(Where where) { barrier_count(false, where); }
unsigned barrier_count(bool predicate, Where where) {
  const Call call;
  return worker->arrive_at_barrier(predicate, where);
}
void warp_sync(LaneMask mask, Where where) {
  collect({.mask = mask, .what = Collective::sync}, where);
}
LaneMask warp_ballot(LaneMask mask, bool predicate, Where where) {
  return collect({.mask = mask, .what = Collective::ballot, .value = predicate}, where);
}
LaneMask warp_match(LaneMask mask, std::uint32_t value, Where where) {
  return collect({.mask = mask, .what = Collective::match, .value = value}, where);
}
LaneMask warp_active(Where where) {
  const Call call;
  return worker->gather(where);
}
void warp_shuffle(LaneMask mask, const void* in, void* out, std::size_t bytes, unsigned source,
                  Where where) {
  collect({.mask = mask,
           .what = Collective::shuffle,
           .in = in,
           .out = out,
           .bytes = bytes,
           .value = source},
          where);
}
void back_off(Where where) {
  const Call call;
  worker->back_off(where);
}
void note_change() {
  if (worker) worker->changed();
}

}  // namespace warpview::simt
