// Corners as words: the equality, the order and the hash that the variants of dedup agree on.
#pragma once

#include <cstdint>

#include "gpu/primitives/dedup/dedup.h"
#include "gpu/primitives/hash_map/mix.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::dedup {

// The bits of a corner's eight floats, with -0 made 0: corners are equal when all words are.
struct alignas(16) CornerWords {
  std::uint32_t word[8];
};

// Two 16-byte loads.
__device__ inline CornerWords words_of(const Vertex* __restrict__ corner) {
  CornerWords corner_words;
  __builtin_memcpy(&corner_words, __builtin_assume_aligned(corner, 16), sizeof(CornerWords));
  for (std::uint32_t& word : corner_words.word)
    if (word == 0x80000000U) word = 0;
  return corner_words;
}

__device__ inline bool equal(const CornerWords& a, const CornerWords& b) {
  std::uint32_t differing = 0;
  for (int i = 0; i < 8; ++i) differing |= a.word[i] ^ b.word[i];
  return differing == 0;
}

// Lexicographic: negative, 0 or positive as a comes before b, equals it or comes after.
__device__ inline int compare(const CornerWords& a, const CornerWords& b) {
  for (int i = 0; i < 8; ++i)
    if (a.word[i] != b.word[i]) return a.word[i] < b.word[i] ? -1 : 1;
  return 0;
}

// MurmurHash3 (A. Appleby, 2011; 32 bits). Coordinates of meshes differ in few bits, often only the
// high ones; the last mixing carries those down to the low bits, which select the slot.
__device__ inline std::uint32_t hash(const CornerWords& corner) {
  const auto rotate = [](std::uint32_t bits, int by) { return bits << by | bits >> (32 - by); };
  std::uint32_t hash = 0;
  for (const std::uint32_t word : corner.word) {
    hash ^= rotate(word * 0xcc9e2d51U, 15) * 0x1b873593U;
    hash = rotate(hash, 13) * 5 + 0xe6546b64U;
  }
  return hash::mix(hash ^ static_cast<std::uint32_t>(sizeof(CornerWords)));
}

}  // namespace warpview::WARPVIEW_BACKEND::dedup
