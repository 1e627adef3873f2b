// One pass of a radix sort by counting, scanning and reordering, which can be repeated:
// count_scan_reorder.cu consists of such passes, and msd.cu begins with one.
#pragma once

#include "gpu/primitives/scan/scan.h"
#include "gpu/primitives/sort/passes.h"

namespace warpview::WARPVIEW_BACKEND::sort {

// Keys per thread in a tile.
template <class Key>
inline constexpr unsigned counted_each = tile_extent(sizeof(Key) == 4 ? 16U : 8U, 2U);

// Sorts n keys by one digit of at most `width` bits, with the scratch memory of one pass. Defined
// in count_scan_reorder.cu for all types of keys and values where digits have the usual width.
template <class Key, class Value, int width = digit_bits>
class CountingPass {
 public:
  // Takes the scratch.
  CountingPass(Stream& stream, std::uint32_t n, Scratch& scratch);

  void run(Stream& stream, const PassBuffers<Key, Value>& buffers, Digit digit) const;

  std::uint32_t tiles() const { return tiles_; }
  // After a run: begins()[digit * tiles()] is where the keys with that digit begin.
  const std::uint32_t* begins() const { return counts_; }

 private:
  std::uint32_t n_;
  std::uint32_t tiles_;
  std::uint32_t* counts_;
  ScanArgs scan_;
  std::size_t scan_bytes_;
  std::byte* scan_memory_;
};

}  // namespace warpview::WARPVIEW_BACKEND::sort
