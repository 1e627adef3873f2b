// Who may enter a queue: what stands before the places of index.h and broker.h.
//
//   B. Kerbl, M. Kenzel, J. H. Mueller, D. Schmalstieg, M. Steinberger, "The Broker Queue: A Fast,
//   Linearizable FIFO Queue for Fine-Granular Work Distribution on the GPU", ICS 2018.
//
// A ring has places, and a number for each that appends (the tail) and for each that takes (the
// head). Whoever has drawn a number waits for its place, and cannot give the number back. So only
// those may draw one who will surely meet a partner: there is a count of the items that the queue
// will hold once all that was promised is done, and to change it is to be promised that.
#pragma once

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::queue {

// The words that all operations of a queue meet at, all 0 at first. The count and the ends lie in
// lines of their own, which different parts of the cache serve. Numbers wrap at 2^32.
struct Words {
  alignas(128) std::uint32_t count;  // signed: may be less than 0 for a moment
  alignas(128) std::uint32_t head;   // with the tail one word of 64 bits
  std::uint32_t tail;
};

// promised: go on. refused: there was no room, or too few items. undecided: ask again, as this
// thread has changed what others saw.
enum class Answer { promised, refused, undecided };

// For a queue of `capacity` places. All atomics are relaxed: a promise says that a partner will
// come, and nothing of what it writes; that is for the places to tell.
class Promises {
 public:
  __device__ Promises(Words* words, std::uint32_t capacity)
      : words_(words), capacity_(static_cast<std::int32_t>(capacity)) {}

  // Room for one item. A look comes first: a thread that would fail spares all others two changes.
  //
  // Why `undecided`: until it is undone, a failed attempt counts as an item that will come, and
  // another thread may have been promised that item. A thread that undoes its attempt and then
  // finds room must not give up, since the other may wait for it. One that finds none leaves at
  // least as many attempts of others in the count as items are missing, and so the last finds room.
  __device__ Answer ask_for_room() const {
    if (count() >= capacity_) return Answer::refused;
    if (add(1) < capacity_) return Answer::promised;
    return add(-1) - 1 >= capacity_ ? Answer::refused : Answer::undecided;
  }
  // `n` items together; the capacity is n at least. The same the other way round: a failed attempt
  // looks like n places that will be free.
  __device__ Answer ask_for_items(std::int32_t n) const {
    if (count() < n) return Answer::refused;
    if (add(-n) >= n) return Answer::promised;
    return add(n) + n < n ? Answer::refused : Answer::undecided;
  }

  // The items that there will be, as a look finds it.
  __device__ std::int32_t count() const {
    return static_cast<std::int32_t>(load_relaxed(&words_->count));
  }

  // For those who were promised it: the number of a place, or of the first of n.
  __device__ std::uint32_t draw_tail() const { return atomicAdd(&words_->tail, 1U); }
  __device__ std::uint32_t draw_head(std::uint32_t n) const { return atomicAdd(&words_->head, n); }

  // What the ring holds by its ends, both of the same moment: less than 0 while items are promised
  // to those who take and are still on their way, more than the capacity while places are.
  __device__ std::int32_t held() const {
    const std::uint64_t ends = load_relaxed(reinterpret_cast<const std::uint64_t*>(&words_->head));
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(ends >> 32U) -
                                     static_cast<std::uint32_t>(ends));
  }
  __device__ bool is_full() const { return held() >= capacity_; }

 private:
  __device__ std::int32_t add(std::int32_t n) const {
    return static_cast<std::int32_t>(atomicAdd(&words_->count, static_cast<std::uint32_t>(n)));
  }

  Words* words_;
  std::int32_t capacity_;
};

}  // namespace warpview::WARPVIEW_BACKEND::queue
