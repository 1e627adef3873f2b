// What runs the blocks of a launch: the lanes of a block as fibers, on one OS thread.
//
// worker.cpp has a block's life and the order in which lanes get their turn, collectives.cpp what
// lanes do together, reports.cpp what is said when they cannot go on.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <exception>
#include <mutex>
#include <string>
#include <vector>

#include "gpu/simt/executor.h"
#include "gpu/simt/fiber.h"
#include "gpu/simt/lane_threads.h"
#include "gpu/simt/shared_memory.h"

namespace warpview::simt {

inline constexpr unsigned max_block = 1024;
inline constexpr unsigned max_warp = 64;

// What a lane waits for.
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

enum class Collective : std::uint8_t { sync, ballot, match, shuffle };
const char* describe(Collective collective);

inline bool same_line(Where a, Where b) {
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
  unsigned warp = 0;   // in its block
  unsigned loops = 0;  // in lockstep: waiting loops that it is in
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
  // Where publications are late: the epoch since whose beginning no lane of this worker could go
  // on, and has it lanes that are late?
  std::atomic<std::uint64_t> calm_in{never};
  std::atomic<bool> holds_back{false};
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  // Before the worker is given a job.
  void enlist() {
    calm_in.store(never);
    resident.store(true, std::memory_order_relaxed);
  }

  LaneState& lane() { return static_cast<LaneState&>(*current_lane); }
  void changed() {  // only this thread writes: no need for an atomic read-modify-write
    changes.store(changes.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  // The same for what lanes of other blocks may wait for.
  void changed_for_all() {
    changed();
    if (publications_are_late) job_->epoch.fetch_add(1);
  }
  bool in_lockstep() const { return job_->options.lockstep; }

  // Between these the code of the executor runs, else that of the kernel.
  void enter() { threads_.become_worker(); }
  void go_back_to_kernel() { threads_.become(current_lane->number); }

  unsigned arrive_at_barrier(bool predicate, Where where);
  LaneMask collect(Where where);  // what the lane offers
  LaneMask gather(Wait why, Where where);
  void end_loop(LaneMask together, Where where);
  void back_off(Where where);
  void come_late(const void* word);
  [[noreturn]] void report_spin(Where where);
  void run_lanes();

  // Between launches.
  std::size_t stacks() const { return stacks_.size(); }
  void keep_stacks(std::size_t most);

 private:
  [[noreturn]] void abort_block();
  [[noreturn]] void report(const LaneState& lane, Where where, std::string what);
  void run_block(unsigned number);
  void spoil_shared_memory();
  void exit_lane(LaneState& lane);
  void release_barrier();
  bool release_gathered();
  bool whole_warp_gathered(const LaneState& lane);
  void part(const LaneState& lane);
  LaneMask next_group(const LaneState& lane);
  void wait_late();
  void release_late();
  void suspend(LaneState& lane);
  Fiber& next();
  void idle_round();
  bool host_goes_on();
  [[noreturn]] void report_stuck();
  [[noreturn]] void report_starved(const LaneState& spinning, const LaneState& starved);
  const LaneState* starved_beside(const LaneState& spinning);
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
  std::vector<std::uint16_t> late_;
  unsigned lateness_left_ = 0;      // how often lanes of this block may still be made late
  std::uint64_t polled_since_ = 0;  // epoch in which all that spin were last let try
  Bytes shared_memory_{};

  unsigned at_barrier_ = 0;
  unsigned barrier_votes_ = 0;
  unsigned barrier_result_ = 0;
  Where barrier_where_;
  std::array<LaneMask, max_block / 32> collecting_{};  // by warp: lanes waiting in a collective
  std::array<LaneMask, max_block / 32> gathering_{};   // by warp: lanes in warp::active, or that
                                                       // are about to begin a loop in lockstep
  std::array<LaneMask, max_block / 32> in_loop_{};     // by warp, in lockstep
  std::array<LaneMask, max_block / 32> exited_{};

  LaneThreads threads_;
  std::vector<Stack> stacks_;
  std::vector<std::uint16_t> idle_stacks_;
  std::uint16_t running_stack_ = 0;
  Fiber fresh_;
  Fiber home_;
  Fiber* waits_for_host_ = nullptr;  // whom home_ goes back to after the host's turn
  bool host_did_something_ = false;
  Random random_{1};

  std::uint64_t calm_sum_ = 0;
  std::vector<std::uint64_t> calm_since_;
};

// The worker of this OS thread.
extern thread_local constinit Worker* worker;

}  // namespace warpview::simt
