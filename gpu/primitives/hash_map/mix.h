// From a key to its home.
#pragma once

#include <cstdint>

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::hash {

// The final mixing of MurmurHash3 (A. Appleby, 2011), for 32 and for 64 bits. Every step is
// invertible, so different keys have different hashes: a table ordered by hash needs no more.
HOST_DEVICE constexpr std::uint32_t mix(std::uint32_t key) {
  key = (key ^ key >> 16U) * 0x85ebca6bU;
  key = (key ^ key >> 13U) * 0xc2b2ae35U;
  return key ^ key >> 16U;
}
// The key that has this hash: the steps inverted, with the factors' inverses modulo 2^32.
HOST_DEVICE constexpr std::uint32_t unmix(std::uint32_t hash) {
  hash = (hash ^ hash >> 16U) * 0x7ed1b41dU;
  hash = (hash ^ hash >> 13U ^ hash >> 26U) * 0xa5cb9243U;
  return hash ^ hash >> 16U;
}
static_assert(unmix(mix(std::uint32_t{0x12345678U})) == 0x12345678U);

HOST_DEVICE constexpr std::uint64_t mix(std::uint64_t key) {
  key = (key ^ key >> 33U) * 0xff51afd7ed558ccdULL;
  key = (key ^ key >> 33U) * 0xc4ceb9fe1a85ec53ULL;
  return key ^ key >> 33U;
}

// The home of a hash among `places` slots or windows: the hash as a fraction of its range, scaled.
// Works for any number of places, and a greater hash never has a smaller home.
HOST_DEVICE constexpr std::uint32_t home(std::uint32_t hash, std::uint32_t places) {
  return static_cast<std::uint32_t>(std::uint64_t{hash} * places >> 32U);
}
HOST_DEVICE constexpr std::uint32_t home(std::uint64_t hash, std::uint32_t places) {
  return home(static_cast<std::uint32_t>(hash >> 32U), places);
}

}  // namespace warpview::WARPVIEW_BACKEND::hash
