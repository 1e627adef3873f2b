// Where runs begin in a warp's stretch of a tile of keys in shared memory: for reduce_by_key=ahead
// and run_length=ahead.
#pragma once

#include "gpu/block/rows.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::runs {

// Keys of `rows` rows of vectors per warp, for blocks of `threads` threads. The item before the
// tile is stored in front of it.
template <unsigned threads, unsigned rows>
class Heads {
  using Vector = block::Vector<std::uint32_t>;

 public:
  using Rows = block::Rows<std::uint32_t, threads, rows>;
  static constexpr unsigned vector = Vector::size;

  // For tile `tile` of n keys.
  __device__ Heads(std::uint32_t* keys, std::uint32_t tile, std::uint32_t n)
      : stretch_(keys + stretch_begin()),
        left_(n - tile * Rows::tile_size),
        starts_(tile == 0 && warp::index() == 0) {}

  // The stretch's first item in the tile.
  __device__ static std::uint32_t stretch_begin() {
    return warp::index() * warp::size() * Rows::items_each;
  }
  // The place of this lane's first item of a row, in the stretch.
  __device__ static std::uint32_t place(unsigned r) {
    return (r * warp::size() + warp::lane()) * vector;
  }
  __device__ std::uint32_t* stretch() const { return stretch_; }

  // This lane's keys of a row, and a bit for each that differs from the key before it. Called row
  // by row; earlier rows may have been compacted (`keep`).
  struct Row {
    Vector keys;
    std::uint32_t bits;
  };
  __device__ Row row(unsigned r) const {
    Row row;
    row.keys = *reinterpret_cast<const Vector*>(stretch_ + place(r));
    std::uint32_t before = warp::shuffle_up(warp::all_lanes(), row.keys.item[vector - 1], 1);
    if (warp::lane() == 0 && !(starts_ && r == 0))
      before = stretch_[static_cast<int>(place(r)) - 1];
    row.bits = 0;
    UNROLL
    for (unsigned j = 0; j < vector; ++j) {
      if (row.keys.item[j] != before) row.bits |= 1U << j;
      before = row.keys.item[j];
    }
    if (starts_ && r == 0 && warp::lane() == 0) row.bits |= 1U;  // the first key of all
    if (left_ < Rows::tile_size) {  // nothing begins beyond the last key
      const std::uint32_t first = stretch_begin() + place(r);
      const std::uint32_t left = left_ < first ? 0 : left_ - first;
      if (left < vector) row.bits &= (1U << left) - 1;
    }
    return row;
  }

  // Moves a head's key to the place of its number in the stretch. Either it is there already, or
  // the key it replaces was no head. The last key of the stretch, which the next warp reads, and
  // the last of each row thus stay unchanged.
  __device__ void keep(const Row& row, unsigned r, unsigned j, std::uint32_t number) const {
    if (number != place(r) + j) stretch_[number] = row.keys.item[j];
  }

 private:
  std::uint32_t* stretch_;
  std::uint32_t left_;  // keys from the tile's first on
  bool starts_;
};

}  // namespace warpview::WARPVIEW_BACKEND::runs
