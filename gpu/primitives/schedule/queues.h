// The queues of an application, in global memory, and the count by which a run knows its end.
//
// A procedure has a broker queue for each of its levels. Items that are queued or worked on count
// as pending: one is added before an item is queued, and taken away after an item was executed and
// all that it begot has been added. So what is pending is never 0 as long as there is work, and
// when it is 0 there will be no more.
#pragma once

#include <bit>
#include <string>

#include "gpu/primitives/queue/brokers.h"
#include "gpu/primitives/schedule/application.h"
#include "gpu/primitives/schedule/host_loop.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

// Items that a block executes next: from a stack of its own, where it has one, and from a queue, of
// which they have been claimed.
struct Batch {
  unsigned procedure;
  unsigned count;       // of both; 0: none
  unsigned kept;        // of the stack
  std::uint32_t own;    // place of the first of these
  unsigned level;       // of the queue
  std::uint32_t first;  // number of the first of those
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
  // Which of these counts the items of a procedure. Kernels that wait for the end of several
  // procedures' work need one count of it.
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

  // By any lanes, in any branch.
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

  // The most items that there are in a queue of P, as a look finds it.
  template <class P>
  __device__ unsigned look() const {
    std::int32_t most = 0;
    for (unsigned i = 0; i < P::levels; ++i) {
      const std::int32_t there = level<P>(i).count();
      if (there > most) most = there;
    }
    return static_cast<unsigned>(most);
  }
  // By one thread for its block: at least `least` items of P, up to `most`, of the first level that
  // has as many. False: there is none.
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
  // By one thread, when items of P were executed, and what they begot is pending.
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

// What a scheduler is called with. `host` is for those that look at the queues from the host, or in
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

// Takes the memory of the queues; empty they are once they have been cleared. All procedures are
// counted together.
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

// Queues what empties them, and the status.
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
