// Results of a neighbour search (gpu/primitives/spatial_hash).
#pragma once

#include <cstdint>

#include "gpu/primitives/spatial_hash/spatial_hash.h"

namespace warpview {

// How many neighbours each particle has, and a number that identifies the set: the sum of
// neighbour_mark(particle) over them, modulo 2^64, in any order.
struct CountNeighboursArgs {
  Cells cells;
  std::uint32_t* counts = nullptr;  // [n], by place
  std::uint64_t* marks = nullptr;   // [n], by place
};

// The final mixing of MurmurHash3 (A. Appleby, 2011) of a particle's number: sums of these differ
// for different sets of particles, except for one chance in 2^64.
HOST_DEVICE constexpr std::uint64_t neighbour_mark(std::uint32_t particle) {
  std::uint64_t mark = particle + 0x9e3779b97f4a7c15ULL;
  mark = (mark ^ mark >> 33U) * 0xff51afd7ed558ccdULL;
  mark = (mark ^ mark >> 33U) * 0xc4ceb9fe1a85ec53ULL;
  return mark ^ mark >> 33U;
}

// Two particles within the radius of each other.
struct NeighbourPair {
  std::uint32_t a, b;  // a < b

  bool operator==(const NeighbourPair&) const = default;
  bool operator<(const NeighbourPair& other) const {
    return a != other.a ? a < other.a : b < other.b;
  }
};

// Every pair once, in any order. Pairs for which there is no room are left out.
struct ListNeighboursArgs {
  Cells cells;
  NeighbourPair* pairs = nullptr;  // [capacity]
  std::uint32_t capacity = 0;
  std::uint32_t* count = nullptr;  // [1]: how many there are, also if fewer had room
};

}  // namespace warpview
