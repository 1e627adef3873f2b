// Block scan: each block scans its own tile, without communication between tiles.
#pragma once

#include <cstdint>

namespace warpview {

// The operator, over 4-byte words.
enum class BlockScanOperation {
  sum_u32,
  sum_bits,     // sum_u32 over words that are 0 or 1
  sum_f32,      // float; variants add in different orders
  compose_maps  // composition of maps x -> a x + b modulo 2^16, `a` in the lower half of a word and
                // `b` in the upper: associative, not commutative
};

// Traits of the variants (gpu/catalogue.def).
struct BlockScanTrait {
  static constexpr unsigned bits_only = 1;  // sum_bits and no other operator
  // The first work on a tile in shared memory is the up-sweep of a tree, step by step. The traits
  // below say how often its addresses are padded.
  static constexpr unsigned tree = 2;
  static constexpr unsigned padded = 4;
  static constexpr unsigned padded_twice = 8;
};

struct BlockScanArgs {
  const void* in;   // n words
  void* out;        // n words; may be `in`
  std::uint32_t n;  // at most 2^31 - 1
  BlockScanOperation operation = BlockScanOperation::sum_u32;
  bool inclusive = false;  // up to and including each item; otherwise up to but excluding it
  // Items per block; a power of two from 2 to 1024. The last tile may be shorter. Each tile is
  // scanned independently.
  std::uint32_t tile = 512;
  // The number of shared-memory banks to pad for: 16 (compute capability 1.x) or 32.
  std::uint32_t banks = 32;
};

}  // namespace warpview
