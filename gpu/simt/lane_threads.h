// What ThreadSanitizer is told about lanes; nothing in an ordinary build.
//
// To ThreadSanitizer each lane is a separate thread: its "fibers" are such threads, and a change of
// fiber without synchronisation orders nothing. So lanes of one block count as concurrent even
// though one OS thread runs them in turn, and a missing barrier is reported whatever the schedule.
// Only these order memory:
//
// - fork and join: lanes see what the OS thread did before the block, and the OS thread sees what
//   the lanes did. An OS thread's blocks are thereby ordered, as they share shared memory; blocks
//   on different OS threads are not.
// - meet: a barrier, or warp::sync among the lanes of its mask. Ballots and shuffles carry values
//   and order no memory.
// - atomics with acquire and release, and fences: see language.h.
//
// The executor's own code runs as the OS thread, also on the stack of a lane, and is compiled
// without instrumentation: its writes would otherwise seem to overlap the frames of lanes. For the
// same reason every lane has a separate stack (`one_stack_a_lane`): an earlier lane's frames on it
// would look like a race.
#pragma once

#include <cstddef>
#include <cstring>

#include "gpu/simt/executor.h"

#if defined(WARPVIEW_SANITIZE_THREAD)
#include <sanitizer/tsan_interface.h>

#include <memory>
#include <vector>
#endif

namespace warpview::simt {

#if defined(WARPVIEW_SANITIZE_THREAD)

inline constexpr bool one_stack_a_lane = true;
// ThreadSanitizer supports at most about 8000 threads. A block may have this many lanes on any
// worker; larger blocks are never concurrent and run on the first few workers only.
inline constexpr unsigned most_workers = 16;
inline constexpr unsigned most_lanes_of_any_block = 256;
inline constexpr unsigned workers_of_large_blocks = 3;

// The lanes of one worker, by their number in the block. All but the destructor are called on the
// worker's OS thread.
class LaneThreads {
 public:
  LaneThreads() = default;
  LaneThreads(const LaneThreads&) = delete;
  LaneThreads& operator=(const LaneThreads&) = delete;
  ~LaneThreads() { forget(); }

  // Called before the lanes of a block run, and after they have ended or been given up.
  void fork(unsigned lanes) {
    home_ = __tsan_get_current_fiber();
    while (lanes_.size() < lanes) lanes_.push_back(std::make_unique<One>());
    __tsan_release(&home_);
    for (unsigned i = 0; i < lanes; ++i) {
      become(i);
      __tsan_acquire(&home_);
    }
    become_worker();
  }
  void join(unsigned lanes) {
    for (unsigned i = 0; i < lanes; ++i) {
      become(i);
      __tsan_release(&home_);
    }
    become_worker();
    __tsan_acquire(&home_);
  }
  // Gives up the lanes' call stacks, after a block that was aborted.
  void forget() { lanes_.clear(); }

  // The thread that the code that follows runs as.
  void become(unsigned lane) { change_to(lanes_[lane]->fiber); }
  void become_worker() { change_to(home_); }

  // What each of these lanes did happens before whatever any of them does next. Each meeting place
  // belongs to one lane. That lane already knows what the place holds of its earlier meetings, so
  // meetings of other lanes are not drawn in. for_each calls its argument with the number of each
  // lane.
  template <class ForEach>
  void meet(const ForEach& for_each) {
    void* place = nullptr;
    for_each([&](unsigned lane) {
      if (!place) place = lanes_[lane].get();
      become(lane);
      __tsan_release(place);
    });
    for_each([&](unsigned lane) {
      become(lane);
      __tsan_acquire(place);
    });
    become_worker();
  }
  // Orders lanes of a warp in this way; the mask counts from the warp's first lane.
  void meet(unsigned first_lane, LaneMask mask) {
    meet([&](const auto& visit) {
      for (LaneMask rest = mask; rest != 0; rest &= rest - 1)
        visit(first_lane + static_cast<unsigned>(__builtin_ctzll(rest)));
    });
  }

 private:
  struct One {
    void* fiber = __tsan_create_fiber(0);

    One() = default;
    One(const One&) = delete;
    One& operator=(const One&) = delete;
    ~One() { __tsan_destroy_fiber(fiber); }
  };

  static void change_to(void* fiber) {
    __tsan_switch_to_fiber(fiber, __tsan_switch_to_fiber_no_sync);
  }

  void* home_ = nullptr;
  std::vector<std::unique_ptr<One>> lanes_;
};

// Copies between stacks of two lanes, as neither of them: ThreadSanitizer would see a memcpy.
inline void copy_between_lanes(void* to, const void* from, std::size_t bytes) {
  auto* out = static_cast<volatile unsigned char*>(to);
  const auto* in = static_cast<const unsigned char*>(from);
  for (std::size_t i = 0; i < bytes; ++i) out[i] = in[i];
}

#else

inline constexpr bool one_stack_a_lane = false;
inline constexpr unsigned most_workers = 64;
inline constexpr unsigned most_lanes_of_any_block = 1024;
inline constexpr unsigned workers_of_large_blocks = max_concurrent_blocks;

class LaneThreads {
 public:
  void fork(unsigned) {}
  void join(unsigned) {}
  void forget() {}
  void become(unsigned) {}
  void become_worker() {}
  template <class ForEach>
  void meet(const ForEach&) {}
  void meet(unsigned, LaneMask) {}
};

inline void copy_between_lanes(void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

#endif

}  // namespace warpview::simt
