// The queues of an application, in global memory, and the count that ends a run.
//
// A procedure has a broker queue for each of its levels. Items that are queued or in execution
// count as pending. The count is incremented before an item is queued, and decremented after the
// item was executed and all items that it spawned have been added. It is therefore never 0 while
// there is work, and once it is 0 no more work appears.
#pragma once

#include <bit>
#include <string>

#include "gpu/primitives/queue/brokers.h"
#include "gpu/primitives/schedule/application.h"
#include "gpu/primitives/schedule/host_loop.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

// The items that a block executes next: from its local stack, if it has one, and from a queue,
// where they have been claimed.
struct Batch {
  unsigned procedure;
  unsigned count;       // from both; 0: none
  unsigned kept;        // from the stack
  std::uint32_t own;    // place of the first of these
  unsigned level;       // of the queue
  std::uint32_t first;  // number of the first claimed item
};

template <class P>
struct QueueOf {
  queue::Brokers<typename P::Item> levels;
};

template <class Application, class List = typename Application::Procedures>
struct Queues;

// A view, passed to kernels by value.
template <class Application, class... Ps>
struct Queues<Application, Procedures<Ps...>> : QueueOf<Ps>... {
  static constexpr unsigned procedures = sizeof...(Ps);
  static constexpr unsigned queue_count = (Ps::levels + ...);

  struct alignas(128) Pending {
    std::uint32_t items;
  };

  queue::Words* words;  // of all queues, level by level, procedure by procedure
  Pending* pending;     // [most_procedures]
  // The counter of each procedure's items. A kernel that waits for the end of several procedures'
  // work needs one count for them.
  unsigned char counted_by[most_procedures];
  ScheduleStatus* status;
  ScheduleTrace trace;

  template <class P>
  static constexpr unsigned number = number_of<P, Procedures<Ps...>>;
  template <class P>
  __device__ std::uint32_t& pending_of() const {
    return pending[counted_by[number<P>]].items;
  }
  template <class P>
  __device__ auto level(unsigned i) const {
    return static_cast<const QueueOf<P>&>(*this).levels.at(i);
  }

  // Called by any lanes, in any branch.
  template <class P>
  __device__ void append(const typename P::Item& item) const {
    unsigned to = 0;
    if constexpr (P::levels > 1) {
      to = P::level(item);
      if (to >= P::levels) to = P::levels - 1;
    }
    atomicAdd(&pending_of<P>(), 1U);
    if (level<P>(to).try_append(item)) return;
    atomicSub(&pending_of<P>(), 1U);
    refuse<P>();
  }
  template <class P>
  __device__ void refuse() const {
    atomicAdd(&status->refused[number<P>], 1U);
  }

  // The largest number of items in a queue of P, at some moment.
  template <class P>
  __device__ unsigned look() const {
    std::int32_t most = 0;
    for (unsigned i = 0; i < P::levels; ++i) {
      const std::int32_t there = level<P>(i).count();
      if (there > most) most = there;
    }
    return static_cast<unsigned>(most);
  }
  // The items in all queues of P, at some moment.
  template <class P>
  __device__ std::uint32_t queued() const {
    std::uint32_t sum = 0;
    for (unsigned i = 0; i < P::levels; ++i) {
      const std::int32_t there = level<P>(i).count();
      if (there > 0) sum += static_cast<std::uint32_t>(there);
    }
    return sum;
  }
  __device__ std::uint32_t queued(unsigned procedure) const {
    std::uint32_t found = 0;
    static_cast<void>(((number<Ps> == procedure && (found = queued<Ps>(), true)) || ...));
    return found;
  }
  // Called by one thread for its block: claims at least `least` items of P, up to `most`, from the
  // first level that has as many. Returns false if there is none.
  template <class P>
  __device__ bool claim(unsigned least, unsigned most, Batch& batch) const {
    for (unsigned i = 0; i < P::levels; ++i) {
      const unsigned count = level<P>(i).claim(least, most, batch.first);
      if (count == 0) continue;
      batch.procedure = number<P>;
      batch.level = i;
      batch.count = count;
      batch.kept = 0;
      return true;
    }
    return false;
  }
  // Called by one thread, when items of P were executed and the items that they spawned are
  // pending.
  template <class P>
  __device__ void finish(unsigned count) const {
    atomicAdd(&status->executed[number<P>], count);
    atomicSub(&pending_of<P>(), count);
  }
};

// Emits into the queues.
template <class Application>
struct ToQueues {
  const Queues<Application>& queues;

  template <class P>
  __device__ void operator()(P, const typename P::Item& item) const {
    queues.template append<P>(item);
  }
};

// --- on the host

// The arguments of a scheduler. `host` is for schedulers that read the queues from the host, or at
// the end (host_looks).
template <class Application>
struct Run {
  Stream& stream;
  const Application& application;
  std::uint32_t inputs;  // begin(i) is called for each
  const ScheduleSettings& settings;
  Scratch& scratch;
  HostLoop* host = nullptr;
};
template <class Application>
Run(Stream&, const Application&, std::uint32_t, const ScheduleSettings&, Scratch&, HostLoop*)
    -> Run<Application>;

inline void check_places(const char* of, std::uint32_t places, std::uint32_t fewest) {
  if (places >= fewest && places <= 1U << 30U && std::has_single_bit(places)) return;
  throw Error("a queue of " + std::to_string(places) + " places for " + of,
              "places are a power of two from " + std::to_string(fewest) + " to 2^30",
              "Choose another ScheduleSettings::capacity");
}

// Takes the memory of the queues; they are empty once cleared. One counter counts all procedures.
template <class Application, class... Ps>
Queues<Application> take_queues(const Run<Application>& run, Procedures<Ps...>) {
  using All = Queues<Application>;
  Scratch& scratch = run.scratch;
  const ScheduleSettings& settings = run.settings;
  All queues{};
  queues.words = scratch.take<queue::Words>(All::queue_count, "words");
  queues.pending = scratch.take<typename All::Pending>(most_procedures, "pending");
  queues.status = settings.status;
  queues.trace = settings.trace;
  unsigned first = 0;
  const auto take = [&]<class P>(P) {
    using Item = typename P::Item;
    const std::uint32_t capacity = settings.capacity[All::template number<P>];
    check_places(P::name, capacity, 256);
    const std::size_t places = std::size_t{capacity} * P::levels;
    auto* const tickets = scratch.take<std::uint32_t>(places, "tickets");
    auto* const ring = scratch.take<Item>(places, "ring");
    static_cast<QueueOf<P>&>(queues).levels = {queues.words + first, tickets, ring, capacity,
                                               P::levels};
    first += P::levels;
  };
  (take(Ps{}), ...);
  return queues;
}
template <class Application>
Queues<Application> take_queues(const Run<Application>& run) {
  return take_queues(run, typename Application::Procedures{});
}

// Queues the clearing of the queues and of the status.
template <class Application, class... Ps>
void clear(Stream& stream, const Queues<Application>& queues, Procedures<Ps...>) {
  using All = Queues<Application>;
  stream.fill(queues.words, 0, All::queue_count * sizeof *queues.words);
  stream.fill(queues.pending, 0, most_procedures * sizeof *queues.pending);
  stream.fill(queues.status, 0, sizeof *queues.status);
  const auto clear_tickets = [&]<class P>(P) {
    const auto& levels = static_cast<const QueueOf<P>&>(queues).levels;
    stream.fill(levels.tickets, 0,
                std::size_t{levels.capacity} * P::levels * sizeof *levels.tickets);
  };
  (clear_tickets(Ps{}), ...);
}
template <class Application>
void clear(Stream& stream, const Queues<Application>& queues) {
  clear(stream, queues, typename Application::Procedures{});
}

}  // namespace warpview::WARPVIEW_BACKEND::schedule
