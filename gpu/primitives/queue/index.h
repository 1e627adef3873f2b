// A ring of indices, which change hands by exchange.
//
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial: Index queue.
//
// For numbers such as those of free pages, vertices or tasks: a place holds a number or says that
// it is free, so one word is both the item and the news of it.
#pragma once

#include "gpu/primitives/queue/promises.h"
#include "gpu/primitives/queue/turns.h"

namespace warpview::WARPVIEW_BACKEND::queue {

// A queue of 32-bit numbers less than `nothing`, first in, first out as a rule: two that wait for
// one place, a whole round apart, may come to it in either order.
//
// A take may find less than there is while other takes fail, an append less room. What an index
// stands for is not ordered by the queue: who fills it puts a __threadfence() before the append,
// who uses it puts one behind the take.
class Index {
 public:
  static constexpr std::uint32_t nothing = 0xffffffffU;

  // At first the words are 0, and `places` (capacity of them, a power of two) hold `nothing`.
  HOST_DEVICE Index(Words* words, std::uint32_t* places, std::uint32_t capacity)
      : words_(words), places_(places), capacity_(capacity) {}

  // False: there was no room.
  __device__ bool try_append(std::uint32_t item, std::uint32_t* retries = nullptr) const {
    const Promises promises(words_, capacity_);
    Answer answer = Answer::undecided;
    std::uint32_t* place = nullptr;
    Spin spin;
    in_turns(spin, warp::active(), retries, [&] {
      if (answer != Answer::promised) {
        answer = promises.ask_for_room();
        if (answer != Answer::promised) return answer == Answer::refused;
        place = &places_[promises.draw_tail() & (capacity_ - 1)];
      }
      // Only into a free place: whoever takes its last item may still be on the way.
      return atomicCAS(place, nothing, item) == nothing;
    });
    return answer == Answer::promised;
  }

  // False: there was nothing.
  __device__ bool try_take(std::uint32_t& item, std::uint32_t* retries = nullptr) const {
    const Promises promises(words_, capacity_);
    Answer answer = Answer::undecided;
    std::uint32_t* place = nullptr;
    Spin spin;
    in_turns(spin, warp::active(), retries, [&] {
      if (answer != Answer::promised) {
        answer = promises.ask_for_items(1);
        if (answer != Answer::promised) return answer == Answer::refused;
        place = &places_[promises.draw_head(1) & (capacity_ - 1)];
      }
      // Whoever fills the place may still be on the way.
      item = atomicExch(place, nothing);
      return item != nothing;
    });
    return answer == Answer::promised;
  }

 private:
  Words* words_;
  std::uint32_t* places_;
  std::uint32_t capacity_;
};

}  // namespace warpview::WARPVIEW_BACKEND::queue
