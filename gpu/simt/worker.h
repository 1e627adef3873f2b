// What runs the blocks of a launch: the lanes of a block as fibers, on one OS thread.
//
// worker.cpp has a block's life and the order in which lanes run, collectives.cpp what lanes do
// together, reports.cpp the messages for lanes that cannot go on.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "gpu/simt/counting.h"
#include "gpu/simt/executor.h"
#include "gpu/simt/fiber.h"
#include "gpu/simt/lane_threads.h"
#include "gpu/simt/recording.h"
#include "gpu/simt/shared_memory.h"

namespace warpview::simt {

inline constexpr unsigned max_block = 1024;
inline constexpr unsigned max_warp = 64;

// What a lane waits for. Lanes at a barrier or in a collective are many, and are not marked: they
// are the lanes that are neither running nor runnable and have no other state.
enum class Wait : std::uint8_t {
  none,
  barrier,
  collective,
  active,
  loop_begin,
  loop_end,
  spin,
  late,
  exited
};
const char* describe(Wait wait);

const char* describe(Collective collective);

inline bool same_line(Where a, Where b) {
  return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

// What lanes use at every barrier comes first, in one cache line: up to the first bytes of `fiber`.
struct alignas(64) LaneState : Lane {
  Wait wait = Wait::none;
  std::uint16_t warp = 0;   // in its block
  std::uint32_t loops = 0;  // in lockstep: waiting loops that it is in
  Fiber fiber;
  Where where;          // where it waits; not set at a barrier, nor in a collective common to all
  LaneMask mask = 0;    // of the collective that it waits in, or of the loop that it wants to leave
  CollectiveCall call;  // the collective that it waits in
};
static_assert(sizeof(Lane) + 8 + offsetof(Fiber, entry) <= alignof(LaneState));

struct Warp {
  LaneMask existing = 0;
  LaneMask exited = 0;
  LaneMask gathering = 0;  // in warp::active, or about to begin a loop in lockstep
  LaneMask in_loop = 0;    // in lockstep
  LaneMask waiting = 0;    // in a collective

  // The collective that all of `waiting` wait in. Where they do not, each lane has its own.
  bool is_one = true;
  LaneMask expected = 0;  // lanes there that bring words; else 0
  LaneMask mask = 0;
  CollectiveCall call;
  const char* file = nullptr;

  // By lane: the word it brings to the collective.
  std::array<std::uint64_t, max_warp> values;
  std::array<std::uint8_t, max_warp> sources;
  std::array<void*, max_warp> outs;  // where it wants a value that does not fit into a word
};

// A runnable lane, and whether a barrier released it: the answer is then the block's.
class RunnableLane {
 public:
  constexpr RunnableLane() = default;
  constexpr RunnableLane(unsigned number, bool from_barrier)
      : bits_(static_cast<std::uint16_t>(number | (from_barrier ? barrier : 0))) {}
  unsigned number() const { return bits_ % max_block; }
  bool from_barrier() const { return bits_ >= barrier; }

 private:
  static constexpr unsigned barrier = 1U << 15U;
  std::uint16_t bits_ = 0;
};

// Runnable lanes, in the order in which they became runnable; each at most once.
class Runnable {
 public:
  unsigned size() const { return end_ - begin_; }
  void add(unsigned number, bool from_barrier = false) {
    lanes_[end_++ % max_block] = {number, from_barrier};
  }
  RunnableLane take_first() { return lanes_[begin_++ % max_block]; }
  RunnableLane take(unsigned i) {  // the first comes in its place
    std::swap(lanes_[begin_ % max_block], lanes_[(begin_ + i) % max_block]);
    return take_first();
  }
  void clear() { begin_ = end_ = 0; }

  // The first n lanes, all from a barrier: at once, where none is runnable.
  void fill(unsigned n) {
    begin_ = 0;
    end_ = n;
    for (unsigned number = 0; number < n; ++number) lanes_[number] = {number, true};
  }
  template <class Visit>
  void each(const Visit& visit) const {
    for (unsigned i = begin_; i != end_; ++i) visit(lanes_[i % max_block].number());
  }

 private:
  std::array<RunnableLane, max_block> lanes_{};
  unsigned begin_ = 0, end_ = 0;  // they wrap around
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
  // Overwritten before each block, with a seed.
  std::vector<SharedVariable> shared_variables;

  std::atomic<unsigned> starved;  // lanes that wait at the end of a loop, in lockstep

  // Where publications are late.
  std::atomic<std::uint64_t> epoch;  // changes that blocks may wait for
  std::atomic<int> lateness_left;
  std::mutex sleep_mutex;
  std::condition_variable woken;
  bool calm(std::uint64_t in) const;
  void wake_all();

  std::atomic<unsigned> next_block{0};
  std::atomic<bool> aborted{false};
  std::mutex error_mutex;
  std::string error;
  std::exception_ptr thrown;

  // Ends the launch with the exception that is being handled.
  void fail() {
    const std::lock_guard lock(error_mutex);
    if (!thrown) thrown = std::current_exception();
    abort();
  }
  void abort();
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
  // Where publications are late: the epoch since whose beginning no lane of this worker could go
  // on, and whether the worker has late lanes.
  std::atomic<std::uint64_t> calm_in{never};
  std::atomic<bool> holds_back{false};
  // Not every runnable lane gets its turn: a seed shuffles them, or the launch was aborted.
  std::atomic<bool> chooses{false};
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  // Called before the worker is given a job.
  void enlist() {
    calm_in.store(never);
    resident.store(true, std::memory_order_relaxed);
  }

  LaneState& lane() { return static_cast<LaneState&>(*current_lane); }
  void changed() {  // only this thread writes: no need for an atomic read-modify-write
    changes.store(changes.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  // Counts a change of a word that lanes of other blocks may wait for, too.
  void changed_for_all() {
    changed();
    if (publications_are_late) job_->epoch.fetch_add(1);
  }
  bool in_lockstep() const { return job_->options.lockstep; }
  bool is_shuffled() const { return job_->options.seed != 0; }

  // Between these calls the executor's code runs, otherwise the kernel's.
  void enter() { threads_.become_worker(); }
  void go_back_to_kernel() { threads_.become(current_lane->number); }

  // The running lane arrives; the answers lie in each lane's Fiber::result when it goes on. They
  // return what goes on now: it may be the same lane.
  Fiber& arrive_at_barrier(bool predicate, Where where);
  Fiber& collect(LaneMask mask, std::uint64_t value, CollectiveCall call, const char* file,
                 void* out);

  // The fast path where nothing has to be decided: other lanes are still to arrive, and the lane
  // that has waited the longest is next. Null: there is something to decide.
  Fiber* wait_at_barrier(LaneState& lane, std::uint64_t predicate, Where where) {
    if (where.line != barrier_where_.line || where.file != barrier_where_.file ||
        at_barrier_ + 1 == live_ || !takes_turns())
      return nullptr;
    ++at_barrier_;
    if (predicate != 0) ++barrier_votes_;
    counting::arrives(lane);
    return &next_in_turn();
  }
  Fiber* wait_in_collective(LaneState& lane, LaneMask mask, std::uint64_t value,
                            CollectiveCall call, const char* file) {
    Warp& warp = warps_[lane.warp];
    const LaneMask me = LaneMask{1} << lane.lane;
    const LaneMask others = warp.expected & ~me;
    // The mask itself was checked when the first of its lanes arrived.
    if (others == 0 || others == warp.expected || warp.mask != mask || !call.is_like(warp.call) ||
        warp.file != file || call.source() >= max_warp || (mask >> call.source() & 1U) == 0 ||
        !takes_turns())
      return nullptr;
    warp.expected = others;
    warp.waiting |= me;
    warp.values[lane.lane] = value;
    warp.sources[lane.lane] = static_cast<std::uint8_t>(call.source());
    return &next_in_turn();
  }

  // Jumps there; returns when the calling lane goes on itself.
  void go_on(LaneState& lane, Fiber& next) {
    if (&next != &lane.fiber) jump(lane.fiber, next);
  }

  LaneMask gather(Wait why, Where where);
  void end_loop(LaneMask together, Where where);
  void back_off(Where where);
  void come_late(const void* word);
  [[noreturn]] void report_spin(Where where);
  void run_lanes();

#if defined(WARPVIEW_RECORDED)
  // The running lane is about to access global memory, or shared memory, at this place of the
  // program. Returns when the schedule lets it.
  void wait_for_access(std::uintptr_t place, bool is_global);
#endif

  // Called between launches.
  std::size_t stacks() const { return stacks_.size(); }
  void keep_stacks(std::size_t most);

 private:
  [[noreturn]] void abort_block();
  [[noreturn]] void report(const LaneState& lane, Where where, std::string what);
  void run_block(unsigned number);
  void number_lanes(dim3 block);
  void spoil_shared_memory();
  void exit_lane(LaneState& lane);
  void leave_nobody_waiting(const LaneState& gone);
  void release_barrier();
  bool release_gathered();
  bool whole_warp_gathered(const Warp& warp);
  void part(unsigned number);
  LaneMask next_group(unsigned number);
  void wait_late();
  void release_late();
  void suspend(LaneState& lane);
  // What goes on next.
  Fiber& next() {
#if defined(WARPVIEW_RECORDED)
    return choose_step();
#else
    return takes_turns() ? next_in_turn() : choose_next();
#endif
  }
  // Is it the lane that has waited the longest?
  bool takes_turns() const {
    return runnable_.size() > 0 && !chooses.load(std::memory_order_relaxed);
  }
  LaneState& goes_on(RunnableLane next) {
    LaneState& lane = lanes_[next.number()];
    if (next.from_barrier()) lane.fiber.result = barrier_answer_;
    return lane;
  }
  Fiber& next_in_turn() {
    LaneState& lane = goes_on(runnable_.take_first());
    // Hundreds of stacks exceed L1. Most often the next lane by number is the next to go on.
    __builtin_prefetch((&lane)[1].fiber.context);
    current_lane = &lane;
    return lane.fiber;
  }
  Fiber& choose_next();
  void idle_round();
  bool host_goes_on();
  [[noreturn]] void report_stuck();
  [[noreturn]] void report_starved(const LaneState& spinning, const LaneState& starved);
  const LaneState* starved_beside(const LaneState& spinning);
  [[noreturn]] void refuse(const LaneState& lane, LaneMask mask, CollectiveCall call, Where where);
  void tell_apart(unsigned number);
  bool joins_others(LaneState& lane, LaneMask mask, CollectiveCall call, Where where);
  void complete(LaneState& last, LaneMask mask, CollectiveCall call);
  template <class Answer>
  void answer(const LaneState& last, LaneMask mask, Answer answer);
  void add_stack() {
    stacks_.emplace_back(stacks_.size());
    idle_stacks_.push_back(static_cast<std::uint16_t>(stacks_.size() - 1));
  }
  std::uint16_t take_stack();
  std::string place(const LaneState& lane, Where where) const;
  void make_runnable(LaneState& lane) {
    lane.wait = Wait::none;
    runnable_.add(lane.number);
  }
  unsigned warp_count() const { return (size_ + warp_size_ - 1) / warp_size_; }
  LaneState* lanes_of(unsigned warp) { return &lanes_[std::size_t{warp} * warp_size_]; }

#if defined(WARPVIEW_RECORDED)
  Fiber& choose_step();
  bool begin_step();
  void give_up_recording();
  void retry_spinning() {
    for (const std::uint16_t number : spinning_) make_runnable(lanes_[number]);
    spinning_.clear();
  }
  struct Steps {
    // By warp, the lanes that are about to access memory, and those of them that access global
    // memory; and where each lane is.
    std::array<LaneMask, max_block / 32> accessing{};
    std::array<LaneMask, max_block / 32> global{};
    std::array<std::uintptr_t, max_block> places{};
    unsigned warp = 0;        // of the last step
    LaneMask left = 0;        // lanes of the running step that are still to make their access
    bool was_global = false;  // did the last step access global memory?
    bool was_drawn = false;   // does the seed choose the next step?
  };
  Steps steps_;
#endif

  Job* job_ = nullptr;
  unsigned number_ = 0;  // among the workers of the job
  BlockPlace place_{};
  unsigned warp_size_ = 32;
  unsigned size_ = 0;  // threads of the block
  unsigned live_ = 0;  // lanes of it that have not exited
  unsigned started_ = 0;
  std::vector<LaneState> lanes_;  // and one more
  bool lanes_numbered_ = false;
  std::vector<std::uint16_t> start_order_;

  Runnable runnable_;  // taken in order, or anywhere with a seed
  std::vector<std::uint16_t> spinning_;
  std::vector<std::uint16_t> late_;
  unsigned lateness_left_ = 0;      // how often lanes of this block may still be made late
  std::uint64_t polled_since_ = 0;  // epoch in which all spinning lanes were last retried
  Bytes shared_memory_{};

  unsigned at_barrier_ = 0;
  Where barrier_where_;
  unsigned barrier_votes_ = 0;
  // The answer of the last barrier: no other barrier ends before all of its lanes have gone on.
  unsigned barrier_answer_ = 0;
  std::array<Warp, max_block / 32> warps_;

  LaneThreads threads_;
  std::vector<Stack> stacks_;
  std::vector<std::uint16_t> idle_stacks_;
  std::uint16_t running_stack_ = 0;
  Fiber fresh_;
  Fiber home_;
  Fiber* waits_for_host_ = nullptr;  // the context that home_ returns to after the host's turn
  bool host_did_something_ = false;
  Random random_{1};

  std::uint64_t calm_sum_ = 0;
  std::vector<std::uint64_t> calm_since_;
};

// The worker of this OS thread.
extern thread_local constinit Worker* worker;

void fiber_entry();  // where a fresh stack begins

// A call from a kernel into the executor, in which other lanes may run.
class Call {
 public:
  Call() {
    worker->enter();
    current_lane->looks = 0;
  }
  ~Call() { worker->go_back_to_kernel(); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
};

}  // namespace warpview::simt
