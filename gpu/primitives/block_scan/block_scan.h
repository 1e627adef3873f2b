// Block scan: what each block does to its own tile, with no word between tiles.
#pragma once

#include <cstdint>

namespace warpview {

// The operator, over 4-byte words.
enum class BlockScanOperation {
  sum_u32,
  sum_bits,     // the same over words that are 0 or 1
  sum_f32,      // of floats; variants add them up in different orders
  compose_maps  // of the maps x -> a x + b modulo 2^16, `a` in the lower half of a word and `b` in
                // the upper: associative, not commutative
};

// Traits of the variants (gpu/catalogue.def).
struct BlockScanTrait {
  static constexpr unsigned bits_only = 1;  // sum_bits and no other operator
  // The first thing that is done to a tile in shared memory is the up-sweep of a tree, one step
  // after the other. How often its places are padded is told beside it.
  static constexpr unsigned tree = 2;
  static constexpr unsigned padded = 4;
  static constexpr unsigned padded_twice = 8;
};

struct BlockScanArgs {
  const void* in;   // n words
  void* out;        // n words; may be `in`
  std::uint32_t n;  // at most 2^31 - 1
  BlockScanOperation operation = BlockScanOperation::sum_u32;
  bool inclusive = false;  // up to each item, itself with it, or before it
  // Items a block scans; a power of two from 2 to 1024. The last tile may be cut short. Items
  // before the tile do not count.
  std::uint32_t tile = 512;
  // For how many banks of shared memory places are padded: 16 (compute capability 1.x) or 32.
  std::uint32_t banks = 32;
};

}  // namespace warpview
