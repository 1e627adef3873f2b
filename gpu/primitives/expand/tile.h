// A tile of items, each of which writes its index to its slots. three_kernels.cu, one_pass.cu and
// atomic.cu use it; they differ in how a tile finds where its slots begin.
#pragma once

#include "gpu/block/rows.h"
#include "gpu/primitives/expand/expand.h"

namespace warpview::WARPVIEW_BACKEND::expand {

inline constexpr unsigned threads = tile_extent(256, 64);

class Tile {
  static constexpr unsigned rows = tile_extent(2, 1);
  using Vector = block::Vector<std::uint32_t>;

 public:
  using Rows = block::Rows<std::uint32_t, threads, rows>;
  static constexpr std::uint32_t size = Rows::tile_size;
  // Shared memory of `sum`.
  using Storage = block::SumStorage<threads>;

  // `aligned`: the counts are aligned to whole vectors.
  __device__ Tile(const ExpandArgs& args, bool aligned, std::uint32_t tile)
      : args_(args), tile_(tile) {
    block::load_rows<Rows>(counts_, args.counts, tile, args.n, aligned, 0U);
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      row_[r] = 0;
      UNROLL
      for (unsigned k = 0; k < Vector::size; ++k) row_[r] += counts_[r].item[k];
    }
  }

  // The number of slots that the tile requests; prepares `write`. One barrier.
  __device__ std::uint32_t sum(Storage& storage) {
    const block::Prefix<std::uint32_t> places = block::scan_rows<SumU32>(row_, storage);
    before_warp_ = places.before;
    return places.all;
  }

  // Every item writes its index to its slots; the tile's begin at `begin`. A thread loops for each
  // item, and its warp waits for the longest loop.
  __device__ void write(std::uint32_t begin) const {
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      std::uint32_t place = begin + before_warp_ + row_[r];
      UNROLL
      for (unsigned k = 0; k < Vector::size; ++k) {
        const std::uint32_t end = place + counts_[r].item[k];
        const std::uint32_t last = end < args_.capacity ? end : args_.capacity;
        for (; place < last; ++place) args_.out[place] = Rows::first(tile_, r) + k;
        place = end;
      }
    }
  }

 private:
  const ExpandArgs& args_;
  std::uint32_t tile_;
  Vector counts_[rows];
  std::uint32_t row_[rows];  // the requests of this lane's items of a row; after `sum`, the
                             // exclusive prefix of each in the warp's stretch
  std::uint32_t before_warp_;
};

}  // namespace warpview::WARPVIEW_BACKEND::expand
