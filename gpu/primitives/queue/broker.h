// The broker queue: a ring whose places have tickets.
//
//   B. Kerbl, M. Kenzel, J. H. Mueller, D. Schmalstieg, M. Steinberger, "The Broker Queue: A Fast,
//   Linearizable FIFO Queue for Fine-Granular Work Distribution on the GPU", ICS 2018.
//
// The promises (promises.h) admit threads that will find a partner. Each draws a number, which
// stands for a place and a lap of the ring, and waits for that place's ticket. The ticket says in
// which lap the place may be filled or emptied next. Several threads may wait for one place, each
// for its own ticket, so all are served in the order of their numbers.
#pragma once

#include <type_traits>

#include "gpu/primitives/queue/promises.h"
#include "gpu/primitives/queue/turns.h"

namespace warpview::WARPVIEW_BACKEND::queue {

// How a refusal is decided.
enum class Refusal {
  // By the count and then the ends of the ring, until the count admits or both refuse: the queue
  // was full, or empty, at the moment when the ends were read. The queue is thus linearizable.
  checked,
  // By the count alone, in which promises and attempts may hide items: the paper's Broker Work
  // Distribution.
  at_once
};

// A queue of items of whole words, 1024 bytes at most, first in, first out. One thread moves an
// item, so a large item takes long. A thread that takes an item sees everything that its appender
// wrote before appending it. This is a view, for global or shared memory. Any lanes of a warp may
// call the operations, in any branch. Operations wait only for threads that are inside an
// operation, never for a thread that has yet to start.
template <class Item, Refusal refusal = Refusal::checked>
class Broker {
  static_assert(std::is_trivially_copyable_v<Item> && sizeof(Item) % 4 == 0 &&
                sizeof(Item) <= 1024);

 public:
  using ItemType = Item;

  // The words and the tickets start at 0. `capacity` is a power of two from 2 to 2^30, and at least
  // what one take requests; there are as many tickets, and places in the ring.
  HOST_DEVICE Broker(Words* words, std::uint32_t* tickets, Item* ring, std::uint32_t capacity)
      : words_(words), tickets_(tickets), ring_(ring), capacity_(capacity) {}

  // Returns false if the queue was full.
  __device__ bool try_append(const Item& item, std::uint32_t* retries = nullptr) const {
    const Promises promises(words_, capacity_);
    bool promised = false;
    std::uint32_t number = 0;
    Spin spin;
    in_turns(spin, warp::active(), retries, [&] {
      if (!promised) {
        const Answer answer = promises.ask_for_room();
        if (answer == Answer::refused) return refusal == Refusal::at_once || promises.is_full();
        if (answer == Answer::undecided) return false;
        promised = true;
        number = promises.draw_tail();
      }
      return try_fill(number, item);
    });
    return promised;
  }

  // Returns false if the queue was empty.
  __device__ bool try_take(Item& item, std::uint32_t* retries = nullptr) const {
    Item items[1];
    if (!try_take_together(items, retries)) return false;
    item = items[0];
    return true;
  }

  // Takes n consecutive items, or none. Returns false if there were fewer.
  template <unsigned n>
  __device__ bool try_take_together(Item (&items)[n], std::uint32_t* retries = nullptr) const {
    const Promises promises(words_, capacity_);
    bool promised = false;
    std::uint32_t number = 0;
    unsigned taken = 0;
    Spin spin;
    in_turns(spin, warp::active(), retries, [&] {
      if (!promised) {
        const Answer answer = promises.ask_for_items(static_cast<std::int32_t>(n));
        if (answer == Answer::refused)
          return refusal == Refusal::at_once || promises.held() < static_cast<std::int32_t>(n);
        if (answer == Answer::undecided) return false;
        promised = true;
        number = promises.draw_head(n);
      }
      UNROLL
      for (unsigned k = 0; k < n; ++k) {
        if (k < taken) continue;
        if (!try_empty(number + k, items[k])) return false;
        ++taken;
      }
      return true;
    });
    return promised;
  }

  // The number of items; while other operations run, an estimate, which may be negative.
  __device__ std::int32_t count() const { return Promises(words_, capacity_).count(); }

  // Taking together has two steps: one thread claims items for all; then some thread takes each
  // without delay, because an append to the same place one lap later waits for that.
  //
  // Claims `least` items or more, up to `most`, which are consecutive; 1 <= least <= most <= the
  // capacity. Returns how many, and in `first` the number of the first; 0 if there were fewer.
  __device__ std::uint32_t claim(std::uint32_t least, std::uint32_t most, std::uint32_t& first,
                                 std::uint32_t* retries = nullptr) const {
    const Promises promises(words_, capacity_);
    std::uint32_t claimed = 0;
    Spin spin;
    in_turns(spin, warp::active(), retries, [&] {
      const std::int32_t there = promises.count();
      if (there < static_cast<std::int32_t>(least)) return true;
      const std::int32_t wanted =
          there < static_cast<std::int32_t>(most) ? there : static_cast<std::int32_t>(most);
      if (promises.ask_for_items(wanted) != Answer::promised) return false;
      claimed = static_cast<std::uint32_t>(wanted);
      first = promises.draw_head(claimed);
      return true;
    });
    return claimed;
  }
  // Takes the item of a claimed number; once for each number.
  __device__ void take_claimed(std::uint32_t number, Item& item,
                               std::uint32_t* retries = nullptr) const {
    Spin spin;
    in_turns(spin, warp::active(), retries, [&] { return try_empty(number, item); });
  }

  // For a thread that has drawn the number from the tail: puts the item into its place. Returns
  // false if the place has yet to be emptied.
  __device__ bool try_fill(std::uint32_t number, const Item& item) const {
    if (load_acquire(ticket(number)) != may_be_filled(number)) return false;
    // Acquire: the thread that emptied the place has read it; this write cannot come before that.
    ring_[place(number)] = item;
    // Release: a thread that sees the ticket sees the item, and what this thread wrote before.
    store_release(ticket(number), may_be_emptied(number));
    return true;
  }
  // For a thread that has drawn the number from the head: takes the item out of its place. Returns
  // false if the place has yet to be filled.
  __device__ bool try_empty(std::uint32_t number, Item& item) const {
    // Acquire: the thread that filled the place has written the item.
    if (load_acquire(ticket(number)) != may_be_emptied(number)) return false;
    item = ring_[place(number)];
    // Release: the item is read before the next lap's is written.
    store_release(ticket(number), may_be_filled(number + capacity_));
    return true;
  }

 private:
  __device__ std::uint32_t place(std::uint32_t number) const { return number & (capacity_ - 1); }
  __device__ std::uint32_t* ticket(std::uint32_t number) const { return &tickets_[place(number)]; }
  // A lap is identified by its first number, which is even; numbers wrap, and laps with them. (The
  // paper counts laps, which takes a division.)
  __device__ std::uint32_t may_be_filled(std::uint32_t number) const {
    return number - place(number);
  }
  __device__ std::uint32_t may_be_emptied(std::uint32_t number) const {
    return may_be_filled(number) + 1;
  }

  Words* words_;
  std::uint32_t* tickets_;
  Item* ring_;
  std::uint32_t capacity_;
};

}  // namespace warpview::WARPVIEW_BACKEND::queue
