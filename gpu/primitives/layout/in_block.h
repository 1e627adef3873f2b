// A block's elements in shared memory, copied from and to an array of structures.
#pragma once

#include "gpu/primitives/layout/work.h"

namespace warpview::WARPVIEW_BACKEND::layout {

// --- the place of a member of one of the block's elements: `of(element, member)`, of `count` words

template <unsigned words>
struct InStructures {
  __device__ static unsigned of(unsigned element, unsigned member) {
    return element * words + member;
  }
  static constexpr unsigned count = threads * words;
};

template <unsigned words>
struct InArrays {
  __device__ static unsigned of(unsigned element, unsigned member) {
    return member * threads + element;
  }
  static constexpr unsigned count = threads * words;
};

template <unsigned words>
struct InTiles {
  __device__ static unsigned of(unsigned element, unsigned member) {
    return (element / layout_tile * words + member) * layout_tile + element % layout_tile;
  }
  static constexpr unsigned count = threads * words;
};

// One padding word after each element: elements begin an odd number of words apart, and so cycle
// through all banks.
template <unsigned words>
struct InPaddedStructures {
  __device__ static unsigned of(unsigned element, unsigned member) {
    return element * (words + 1) + member;
  }
  static constexpr unsigned count = threads * (words + 1);
};

// The block's part of the array.
template <unsigned words>
struct Part {
  std::uint32_t* elements;
  unsigned count;  // elements, at most one for each thread

  __device__ explicit Part(const Work& work)
      : elements(work.elements + std::size_t{blockIdx.x} * threads * words),
        count(work.n - blockIdx.x * threads < threads ? work.n - blockIdx.x * threads : threads) {}
};

// Neighbouring threads read and write neighbouring words of global memory, whichever element they
// belong to. The caller puts barriers before and after.
template <class Place, unsigned words>
__device__ inline void fetch(const Part<words>& part, std::uint32_t* shared) {
  for (unsigned w = threadIdx.x; w < part.count * words; w += threads)
    shared[Place::of(w / words, w % words)] = part.elements[w];
}
template <class Place, unsigned words>
__device__ inline void bring_back(const Part<words>& part, const std::uint32_t* shared) {
  for (unsigned w = threadIdx.x; w < part.count * words; w += threads)
    part.elements[w] = shared[Place::of(w / words, w % words)];
}

// Updates the block's elements while they stay in shared memory. In each round a thread takes the
// element that its neighbour took in the last round, so that none can be kept in registers.
// `change(element, round)` updates an element for one round.
template <class Place, unsigned words, class Change>
__device__ inline void change_in_block(const Work& work, std::uint32_t* shared, Change change) {
  const Part<words> part(work);
  fetch<Place>(part, shared);
  for (std::uint32_t round = 0; round < work.rounds; ++round) {
    __syncthreads();
    const unsigned element = (threadIdx.x + round) % threads;
    if (element < part.count) change(element, round);
  }
  __syncthreads();
  bring_back<Place>(part, shared);
}

// change_in_block, word by word.
template <template <unsigned> class Places, unsigned words>
__device__ inline void change_words_in_block(const Work& work, std::uint32_t* shared) {
  using Place = Places<words>;
  change_in_block<Place, words>(work, shared, [&](unsigned element, std::uint32_t round) {
    if (!work.all) {
      std::uint32_t& last = shared[Place::of(element, words - 1)];
      last = layout_round(last, round);
      return;
    }
    std::uint32_t member[words];
    UNROLL
    for (unsigned m = 0; m < words; ++m) member[m] = shared[Place::of(element, m)];
    UNROLL
    for (unsigned m = 0; m < words; ++m)
      shared[Place::of(element, m)] = layout_round(member[m], round);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND::layout
