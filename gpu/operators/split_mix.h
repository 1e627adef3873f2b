// Pseudo-random words of 64 bits.
//
//   G. Steele, D. Lea, C. Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA 2014.
#pragma once

#include <cstdint>

#include "gpu/runtime/vec.h"

namespace warpview {

// By which the state of the generator grows from word to word: 2^64 over the golden ratio.
inline constexpr std::uint64_t split_mix_step = 0x9e3779b97f4a7c15U;

// The word that belongs to a state: every bit of the state reaches every bit.
HOST_DEVICE constexpr std::uint64_t split_mix(std::uint64_t state) {
  state = (state ^ (state >> 30U)) * 0xbf58476d1ce4e5b9U;
  state = (state ^ (state >> 27U)) * 0x94d049bb133111ebU;
  return state ^ (state >> 31U);
}

}  // namespace warpview
