// A ring of indices that are handed over by atomic exchange.
//
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial: Index queue.
//
// For indices such as those of free pages, vertices or tasks: a place holds an index or says that
// it is free, so one word is both the item and its flag.
#pragma once

#include "gpu/primitives/queue/promises.h"
#include "gpu/primitives/queue/turns.h"

namespace warpview::WARPVIEW_BACKEND::queue {

// A queue of 32-bit indices less than `nothing`, usually first in, first out: two threads that wait
// for one place, a whole lap apart, may get it in either order.
//
// A take may find fewer items than there are while other takes fail, and an append less room. The
// queue does not order accesses to what an index stands for: its writer executes __threadfence()
// before the append, and its reader executes one after the take.
class Index {
 public:
  static constexpr std::uint32_t nothing = 0xffffffffU;

  // The words start at 0, and `places` (capacity of them, a power of two) hold `nothing`.
  HOST_DEVICE Index(Words* words, std::uint32_t* places, std::uint32_t capacity)
      : words_(words), places_(places), capacity_(capacity) {}

  // Returns false if there was no room.
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
      // Only into a free place: the thread that takes its last item may not have done so yet.
      return atomicCAS(place, nothing, item) == nothing;
    });
    return answer == Answer::promised;
  }

  // Returns false if there was nothing.
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
      // The thread that fills the place may not have done so yet.
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
