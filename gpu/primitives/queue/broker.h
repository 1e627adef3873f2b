// The broker queue: a ring whose places have tickets.
//
//   B. Kerbl, M. Kenzel, J. H. Mueller, D. Schmalstieg, M. Steinberger, "The Broker Queue: A Fast,
//   Linearizable FIFO Queue for Fine-Granular Work Distribution on the GPU", ICS 2018.
//
// The promises (promises.h) let in threads that will find a partner. Each draws a number, which is
// a place and a lap of the ring, and waits for that place's ticket, which says in which lap it may
// be filled or emptied next. Many may wait for one place, each for its own ticket, so all are
// served in the order of their numbers.
#pragma once

#include <type_traits>

#include "gpu/primitives/queue/promises.h"
#include "gpu/primitives/queue/turns.h"

namespace warpview::WARPVIEW_BACKEND::queue {

// What a refusal goes by.
enum class Refusal {
  // The count and then the ends of the ring, until one lets in and the other refuses no more: the
  // queue was full, or empty, at the moment when the ends were read. So it is linearizable.
  checked,
  // The count alone, in which promises and attempts may hide what there is: the paper's Broker Work
  // Distribution.
  at_once
};

// A queue of items of whole words, 1024 bytes at most, first in, first out. One thread moves an
// item, so a large one takes its time. Whoever takes an item sees all that was written before it
// was appended by who appended it. A view, for global or shared memory; the operations are called
// by any lanes of a warp, in any branch, and wait for threads that are in an operation themselves,
// never for a thread that has yet to start.
template <class Item, Refusal refusal = Refusal::checked>
class Broker {
  static_assert(std::is_trivially_copyable_v<Item> && sizeof(Item) % 4 == 0 &&
                sizeof(Item) <= 1024);

 public:
  using ItemType = Item;

  // At first the words and the tickets are 0. `capacity` is a power of two from 2 to 2^30, and not
  // less than one take asks for; so many tickets there are, and places in the ring.
  HOST_DEVICE Broker(Words* words, std::uint32_t* tickets, Item* ring, std::uint32_t capacity)
      : words_(words), tickets_(tickets), ring_(ring), capacity_(capacity) {}

  // False: the queue was full.
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
      if (load_acquire(ticket(number)) != may_be_filled(number)) return false;
      // Acquire: who emptied the place has read it; what is written here cannot come before that.
      ring_[place(number)] = item;
      // Release: who sees the ticket sees the item, and what this thread wrote before.
      store_release(ticket(number), may_be_emptied(number));
      return true;
    });
    return promised;
  }

  // False: the queue was empty.
  __device__ bool try_take(Item& item, std::uint32_t* retries = nullptr) const {
    Item items[1];
    if (!try_take_together(items, retries)) return false;
    item = items[0];
    return true;
  }

  // n items, the ones that follow each other, or none. False: there were not as many.
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
        const std::uint32_t mine = number + k;
        // Acquire: who filled the place has written the item.
        if (load_acquire(ticket(mine)) != may_be_emptied(mine)) return false;
        items[k] = ring_[place(mine)];
        // Release: the item was read before the next lap's is written.
        store_release(ticket(mine), may_be_filled(mine + capacity_));
        ++taken;
      }
      return true;
    });
    return promised;
  }

  // The items that there are; while others operate, a guess, which may be less than 0.
  __device__ std::int32_t count() const { return Promises(words_, capacity_).count(); }

  // Two steps for those who take together: one thread claims items for all, each of which some
  // thread then takes, without delay: whoever appends into its place a lap later waits for that.
  //
  // Claims `least` items or more, up to `most`, which follow each other; 1 <= least <= most <= the
  // capacity. How many they are, and in `first` the number of the first; 0 where there were fewer.
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
  // The item of a number that was claimed; for each number once.
  __device__ void take_claimed(std::uint32_t number, Item& item,
                               std::uint32_t* retries = nullptr) const {
    Spin spin;
    in_turns(spin, warp::active(), retries, [&] {
      // Acquire: who filled the place has written the item.
      if (load_acquire(ticket(number)) != may_be_emptied(number)) return false;
      item = ring_[place(number)];
      // Release: the item was read before the next lap's is written.
      store_release(ticket(number), may_be_filled(number + capacity_));
      return true;
    });
  }

 private:
  __device__ std::uint32_t place(std::uint32_t number) const { return number & (capacity_ - 1); }
  __device__ std::uint32_t* ticket(std::uint32_t number) const { return &tickets_[place(number)]; }
  // A lap is told by its first number, which is even; numbers wrap, and laps with them. (The paper
  // counts laps, which takes a division.)
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
