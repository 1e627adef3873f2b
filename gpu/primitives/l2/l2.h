// Look-ups in a hash table that fits into the L2 cache, while keys and values many times its size
// stream past.
#pragma once

#include <cstdint>

#include "gpu/primitives/hash_map/hash_map.h"

namespace warpview {

// Traits of the variants (gpu/catalogue.def).
struct L2Trait {
  static constexpr unsigned has_window = 1;
};

// For every i that is a multiple of `every`: values[i] = the value of keys[i] in the table, or
// no_value. For the others: values[i] = keys[i]. The table has 32-bit keys and was filled by the
// hash map `linear`; it must not be written meanwhile.
struct L2Args {
  const HashTable* table = nullptr;
  const std::uint32_t* keys = nullptr;
  std::uint32_t* values = nullptr;
  std::uint32_t n = 0;      // at most 2^31 - 1
  std::uint32_t every = 1;  // a power of two
  // For variants with a window: the fraction of the accesses in it that are to be persisting, above
  // 0 and at most 1. 0: as many as fit into the part of the cache that is set aside.
  float hit_ratio = 0.0F;
};

}  // namespace warpview
