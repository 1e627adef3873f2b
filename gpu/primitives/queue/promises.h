// Admission to a queue, in front of the places of index.h and broker.h.
//
//   B. Kerbl, M. Kenzel, J. H. Mueller, D. Schmalstieg, M. Steinberger, "The Broker Queue: A Fast,
//   Linearizable FIFO Queue for Fine-Granular Work Distribution on the GPU", ICS 2018.
//
// A ring has places, and draws a number for each append (the tail) and for each take (the head). A
// thread that has drawn a number waits for its place, and cannot return the number. Only a thread
// that will surely meet a partner may draw one. Therefore a count holds the number of items after
// all promised operations; a thread that succeeds in changing the count has a promise.
#pragma once

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::queue {

// The words that all operations of a queue contend for, all starting at 0. The count and the ends
// lie in separate cache lines, which different parts of the cache serve. Numbers wrap at 2^32.
struct Words {
  alignas(128) std::uint32_t count;  // signed: may be less than 0 for a moment
  std::uint32_t operations;          // in flight; forms one 64-bit word with the count, if used
  alignas(128) std::uint32_t head;   // forms one 64-bit word with the tail
  std::uint32_t tail;
};

// promised: go on. refused: there was no room, or too few items. undecided: ask again, because this
// thread has changed what others saw.
enum class Answer { promised, refused, undecided };

// For a queue of `capacity` places. All atomics are relaxed: a promise guarantees that a partner
// will come, but orders none of its writes; the places do that.
class Promises {
 public:
  __device__ Promises(Words* words, std::uint32_t capacity)
      : words_(words), capacity_(static_cast<std::int32_t>(capacity)) {}

  // Requests room for one item. It reads the count first: a thread that would fail saves all others
  // two changes.
  //
  // Why `undecided`: until it is undone, a failed attempt counts as an item that will come, and
  // another thread may have been promised that item. A thread that undoes its attempt and then
  // finds room must not give up, since the other may wait for it. A thread that finds none leaves
  // at least as many attempts of others in the count as items are missing, and so the last one
  // finds room.
  __device__ Answer ask_for_room() const {
    if (count() >= capacity_) return Answer::refused;
    if (add(1) < capacity_) return Answer::promised;
    return add(-1) - 1 >= capacity_ ? Answer::refused : Answer::undecided;
  }
  // Requests `n` items together; the capacity is at least n. It mirrors ask_for_room: a failed
  // attempt looks like n places that will be free.
  __device__ Answer ask_for_items(std::int32_t n) const {
    if (count() < n) return Answer::refused;
    if (add(-n) >= n) return Answer::promised;
    return add(n) + n < n ? Answer::refused : Answer::undecided;
  }

  // The number of items after all promised operations, at some moment.
  __device__ std::int32_t count() const {
    return static_cast<std::int32_t>(load_relaxed(&words_->count));
  }

  // For a thread with a promise: draws the number of a place, or of the first of n.
  __device__ std::uint32_t draw_tail() const { return atomicAdd(&words_->tail, 1U); }
  __device__ std::uint32_t draw_head(std::uint32_t n) const { return atomicAdd(&words_->head, n); }

  // The items in the ring according to its ends, both read at once. Negative while promised items
  // have not arrived yet; more than the capacity while promised places are not free yet.
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
