// Threads that use a queue in turns: all variants share this; they differ in the queue.
#pragma once

#include <bit>
#include <string>

#include "gpu/primitives/queue/brokers.h"
#include "gpu/primitives/queue/queue.h"

namespace warpview::WARPVIEW_BACKEND::queue {

inline constexpr unsigned threads = tile_extent(256, 64);

// A thread takes for itself and for the next together - 1 threads, which take nothing themselves.
// If any of these has no turn, none of them takes.
template <unsigned together, class Queue>
__device__ inline void take(const QueueArgs& args, const Queue& queue, std::uint32_t thread,
                            std::uint32_t turn, std::uint32_t* retries) {
  if (thread % together != 0) return;
  std::uint32_t items[together];
  bool taken = false;
  if constexpr (together == 1)
    taken = queue.try_take(items[0], retries);
  else if (thread + together <= args.threads && turn + together <= args.n)
    taken = queue.try_take_together(items, retries);
  UNROLL
  for (unsigned k = 0; k < together; ++k)
    if (thread + k < args.threads && turn + k < args.n)
      args.taken[turn + k] = taken ? items[k] : queue_nothing;
}

// Are the lanes of a warp that append and those that take admitted together, by one call?
template <class Queue>
inline constexpr bool asks_by_warps = requires {
  &Queue::operate;
};

struct Exchanged {
  bool appended;
  std::uint32_t taken;  // queue_nothing: no item
};
// Appends `item`, and then takes, for a lane that wants both.
template <class Queue>
__device__ inline Exchanged exchange(const Queue& queue, std::uint32_t item, bool appends,
                                     bool takes, std::uint32_t* retries) {
  const QueueWish first = appends ? QueueWish::append
                          : takes ? QueueWish::take
                                  : QueueWish::nothing;
  bool done = queue.operate(first, item, retries);
  Exchanged all{appends && done, queue_nothing};
  if (appends && takes) done = queue.operate(QueueWish::take, item, retries);
  if (takes && done) all.taken = item;
  return all;
}

// Operations wait for each other only once they have begun, so blocks may start in any order, as
// many at a time as are resident.
template <unsigned together, class Queue>
__global__ void __launch_bounds__(threads) use_kernel(QueueArgs args, Queue queue) {
  const std::uint32_t thread = global_thread();
  const bool one_role = args.order == QueueOrder::by_warps || args.order == QueueOrder::six_and_two;
  const bool appender = queue_thread_appends(args.order, thread, warp::size());
  const unsigned passes = args.order == QueueOrder::appends_first ? 2 : 1;
  std::uint32_t retries = 0;
  for (unsigned pass = 0; pass < passes; ++pass) {
    const bool appends = pass == 0 && (!one_role || appender);
    const bool takes = pass == passes - 1 && (!one_role || !appender);
    if (thread >= args.threads) break;
    for (std::uint32_t turn = thread; turn < args.n; turn += args.threads) {
      const bool puts = appends && turn % args.every == 0;
      if constexpr (asks_by_warps<Queue>) {
        const Exchanged done = exchange(queue, turn, puts, takes, &retries);
        if (pass == 0) args.appended[turn] = done.appended ? 1 : 0;
        if (pass == passes - 1) args.taken[turn] = done.taken;
      } else {
        if (pass == 0) args.appended[turn] = puts && queue.try_append(turn, &retries) ? 1 : 0;
        if (takes)
          take<together>(args, queue, thread, turn, &retries);
        else if (pass == passes - 1)
          args.taken[turn] = queue_nothing;
      }
    }
  }
  // One atomic per warp.
  const auto of_warp =
      warp::reduce(std::uint64_t{retries}, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  if (warp::lane() == 0 && of_warp > 0) atomicAdd(args.retries, of_warp);
}

// Takes what is left. No thread appends any more, so a queue that refuses is empty.
template <class Queue>
__global__ void __launch_bounds__(threads)
    drain_kernel(QueueArgs args, Queue queue, std::uint32_t room) {
  std::uint32_t item = 0;
  while (queue.try_take(item)) {
    const std::uint32_t place = atomicAdd(args.left_count, 1U);
    if (place < room) args.left[place] = item;
  }
}

// Queues the work before the kernels. Throws Error for an impossible queue.
inline void start(Stream& stream, const QueueArgs& args) {
  if (!std::has_single_bit(args.capacity) || args.capacity > 1U << 30U || args.threads == 0 ||
      args.every == 0)
    throw Error("a queue of " + std::to_string(args.capacity) + " places for " +
                    std::to_string(args.threads) + " threads",
                "places are a power of two, at most 2^30, and there is a thread",
                "Choose other numbers");
  stream.fill(args.left, 0xff, queue_room(args.capacity) * sizeof *args.left);  // queue_nothing
  stream.fill(args.left_count, 0, sizeof *args.left_count);
  stream.fill(args.retries, 0, sizeof *args.retries);
}

template <unsigned together = 1, class Queue>
void use(Stream& stream, const QueueArgs& args, Queue queue) {
  start(stream, args);
  launch(stream, KERNEL(use_kernel<together, Queue>), one_thread_each(args.threads, threads), args,
         queue);
}

template <unsigned together = 1, class Queue>
void use_and_drain(Stream& stream, const QueueArgs& args, Queue queue) {
  use<together>(stream, args, queue);
  constexpr std::uint32_t most_threads = 1U << 16U;
  const std::uint32_t room = queue_room(args.capacity);
  launch(stream, KERNEL(drain_kernel<Queue>),
         one_thread_each(room < most_threads ? room : most_threads, threads), args, queue, room);
}

// `count` empty queues of `capacity` places each.
inline Brokers<std::uint32_t> make_brokers(Stream& stream, Scratch& scratch, std::uint32_t count,
                                           std::uint32_t capacity) {
  const std::size_t places = std::size_t{count} * capacity;
  const Brokers<std::uint32_t> queues{scratch.take<Words>(count, "words"),
                                      scratch.take<std::uint32_t>(places, "tickets"),
                                      scratch.take<std::uint32_t>(places, "ring"), capacity, count};
  if (!scratch.measuring()) {
    stream.fill(queues.words, 0, count * sizeof(Words));
    stream.fill(queues.tickets, 0, places * sizeof(std::uint32_t));
  }
  return queues;
}

}  // namespace warpview::WARPVIEW_BACKEND::queue
