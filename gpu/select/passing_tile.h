// A tile of select or partition in registers: which of its items pass, and how many do before each.
#pragma once

#include "gpu/scan/lookback.h"
#include "gpu/scan/rows.h"

namespace warpview::WARPVIEW_BACKEND::select {

class PassingTile {
  static constexpr unsigned rows = 4;

 public:
  using Rows = scan::Layout<std::uint32_t, rows>;
  static constexpr std::uint32_t size = Rows::tile_size;

  __device__ PassingTile(const std::uint32_t* in, std::uint32_t n, std::uint32_t at_most,
                         bool aligned, std::uint32_t tile)
      : n_(n), at_most_(at_most), tile_(tile) {
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      const std::uint32_t first = Rows::first(tile, r);
      items_[r] = scan::load_vector(in, first, n, aligned, 0U);
      row_[r] = 0;
      UNROLL
      for (unsigned k = 0; k < vector; ++k) row_[r] += passes(first + k, items_[r].item[k]) ? 1 : 0;
    }
  }

  // How many items of the tile pass; prepares `visit`. One barrier.
  __device__ std::uint32_t scan() {
    const scan::TileSums<std::uint32_t> sums = scan::scan_rows<SumU32>(row_);
    before_warp_ = sums.before_warp;
    return sums.tile;
  }

  // Calls visit(item, passes, rank) for each of this thread's items; the rank is how many items
  // before it in the tile pass too, or, for one that does not pass, how many do not.
  template <class Visit>
  __device__ void visit(Visit visit) const {
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      const std::uint32_t first = Rows::first(tile_, r);
      std::uint32_t passing = before_warp_ + row_[r];
      UNROLL
      for (unsigned k = 0; k < vector; ++k) {
        const std::uint32_t item = items_[r].item[k];
        if (passes(first + k, item))
          visit(item, true, passing++);
        else if (first + k < n_)
          visit(item, false, first + k - tile_ * size - passing);
      }
    }
  }

 private:
  static constexpr unsigned vector = scan::Vector<std::uint32_t>::size;

  __device__ bool passes(std::uint32_t i, std::uint32_t item) const {
    return i < n_ && item <= at_most_;
  }

  std::uint32_t n_;
  std::uint32_t at_most_;
  std::uint32_t tile_;
  scan::Vector<std::uint32_t> items_[rows];
  std::uint32_t row_[rows];  // how many of this lane's items in a row pass; after `scan` how many
                             // before them do, in the warp's stretch
  std::uint32_t before_warp_;
};

}  // namespace warpview::WARPVIEW_BACKEND::select
