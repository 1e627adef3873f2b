// Slots with the hash and the index of a corner, for tables whose searches compare hashes before
// corners. A slot stands for all corners equal to the one that it names.
#pragma once

#include <cstdint>

#include "gpu/primitives/dedup/corner.h"

namespace warpview::WARPVIEW_BACKEND::dedup {

using HashedSlot = std::uint64_t;                           // hash << 32 | corner
inline constexpr HashedSlot empty_hashed = ~HashedSlot{0};  // no corner has the index 2^32 - 1

HOST_DEVICE constexpr HashedSlot hashed_slot(std::uint32_t hash, std::uint32_t corner) {
  return HashedSlot{hash} << 32U | corner;
}
HOST_DEVICE constexpr std::uint32_t hash_of(HashedSlot slot) {
  return static_cast<std::uint32_t>(slot >> 32U);
}
HOST_DEVICE constexpr std::uint32_t corner_of(HashedSlot slot) {
  return static_cast<std::uint32_t>(slot);
}

}  // namespace warpview::WARPVIEW_BACKEND::dedup
