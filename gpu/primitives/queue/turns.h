// Waiting for other threads, by lanes of a warp that may share an instruction pointer.
#pragma once

#include "gpu/runtime/kernel.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::queue {

// Calls turn() for this lane until it returns that the lane is done. A turn does what can be done
// at once and never waits. `here` are the lanes that entered together, by warp::active(), and
// `spin` is the caller's. After each turn but the last a lane sleeps, twice as long each time up to
// `longest_wait` back-offs. The number of turns before the last is added to *retries.
//
// Lanes wait for lanes of their own warp. Where these share an instruction pointer, a lane that has
// left its loop stands still after it while others are in it. Therefore everything that an
// operation does for others is inside the loop. The ballot, which every lane that entered must
// reach, ends the loop for all of them at once and keeps the compiler from moving the last turn out
// of the loop.
template <class Turn>
__device__ inline void in_turns(Spin& spin, warp::LaneMask here, std::uint32_t* retries, Turn turn,
                                unsigned longest_wait = 1) {
  bool through = false;
  unsigned wait = 1;
  for (;;) {
    if (!through) through = turn();
    if (!warp::any(here, !through)) return;
    if (!through) {
      if (retries) ++*retries;
      for (unsigned k = 0; k < wait; ++k) spin.back_off();
      if (wait < longest_wait) wait *= 2;
    }
  }
}

}  // namespace warpview::WARPVIEW_BACKEND::queue
