// A ring under one lock.
//
//   J. Sanders, E. Kandrot, CUDA by Example, 2010, appendix: the lock.
//   T. Anderson, "The Performance of Spin Lock Alternatives for Shared-Memory Multiprocessors",
//   IEEE Transactions on Parallel and Distributed Systems 1(1), 1990.
//
// This is the obvious queue, and the baseline of the others: each operation takes the lock, and the
// rest is plain reads and writes. One operation runs at a time, whatever the number of threads. The
// lock is that of the primitive `lock` (gpu/primitives/lock/critical.h). Its waiters read before
// they try, and back off longer after each failure.
#include "gpu/primitives/lock/critical.h"
#include "gpu/primitives/queue/use.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr unsigned longest_wait = 64;  // back-offs: several microseconds

struct LockedRing {
  // Starts at zeros. Waiters poll the lock, which has a separate cache line.
  struct State {
    alignas(128) std::uint32_t lock;
    alignas(128) std::uint32_t head;
    std::uint32_t tail;
  };

  State* state;
  std::uint32_t* ring;
  std::uint32_t capacity;

  // Returns false if it was full.
  __device__ bool try_append(std::uint32_t item, std::uint32_t* retries = nullptr) const {
    bool room = false;
    Spin spin;
    queue::in_turns(
        spin, warp::active(), retries,
        [&] {
          if (!try_lock()) return false;
          room = state->tail - state->head < capacity;
          if (room) ring[state->tail++ & (capacity - 1)] = item;
          lock::unlock(&state->lock);
          return true;
        },
        longest_wait);
    return room;
  }
  // Returns false if it was empty.
  __device__ bool try_take(std::uint32_t& item, std::uint32_t* retries = nullptr) const {
    bool any = false;
    Spin spin;
    queue::in_turns(
        spin, warp::active(), retries,
        [&] {
          if (!try_lock()) return false;
          any = state->tail != state->head;
          if (any) item = ring[state->head++ & (capacity - 1)];
          lock::unlock(&state->lock);
          return true;
        },
        longest_wait);
    return any;
  }

 private:
  __device__ bool try_lock() const {
    return load_relaxed(&state->lock) == lock::is_free && lock::try_lock(&state->lock);
  }
};

}  // namespace

void queue_locked(Stream& stream, const QueueArgs& args, Scratch& scratch) {
  if (args.n > most_locked_turns)
    throw Error("a queue under a lock for " + std::to_string(args.n) + " turns",
                "this variant takes " + std::to_string(most_locked_turns) + " at most",
                "Choose another variant");
  auto* state = scratch.take<LockedRing::State>(1, "state");
  auto* ring = scratch.take<std::uint32_t>(args.capacity, "ring");
  if (scratch.measuring()) return;
  stream.fill(state, 0, sizeof *state);
  queue::use_and_drain(stream, args, LockedRing{state, ring, args.capacity});
}

}  // namespace warpview::WARPVIEW_BACKEND
