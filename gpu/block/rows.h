// A tile of items in the registers of a block: where each item lies, how it is read and written,
// and the prefixes within a tile.
//
// A warp owns a contiguous stretch of the tile and walks it row by row. In a row each lane holds a
// vector of neighbouring items (16 bytes, or one larger item), so that memory is read and written
// in whole lines.
#pragma once

#include "gpu/block/scan.h"
#include "gpu/operators/operator.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::block {

template <class T>
struct alignas(16) Vector {
  static constexpr unsigned size = sizeof(T) < 16 ? 16 / sizeof(T) : 1;
  T item[size];
};

// Tiles of `rows` rows of Vector<T>, for blocks of `threads` threads (one-dimensional), of at most
// 2^31 items: item numbers up to the end of the last item's tile do not wrap.
template <class T, unsigned threads, unsigned rows>
struct Rows {
  static constexpr unsigned items_each = rows * Vector<T>::size;
  static constexpr std::uint32_t tile_size = threads * items_each;

  static std::uint32_t tiles(std::uint32_t n) { return n / tile_size + (n % tile_size != 0); }
  // Are all items of the tile among the first n?
  __device__ static bool is_whole(std::uint32_t tile, std::uint32_t n) {
    return n - tile * tile_size >= tile_size;
  }
  // Number of this lane's first item in a row.
  __device__ static std::uint32_t first(std::uint32_t tile, unsigned row) {
    return tile * tile_size + warp::index() * warp::size() * items_each +
           (row * warp::size() + warp::lane()) * Vector<T>::size;
  }
};

// Can the array be read and written by whole vectors?
template <class T>
bool is_aligned(const T* array) {
  return reinterpret_cast<std::uintptr_t>(array) % sizeof(Vector<T>) == 0;
}

// This lane's items of a non-empty tile; those from number n on are `padding`. A tile is read by
// whole vectors or item by item: one decision for all rows keeps all their loads in flight
// together.
template <class Rows, class T, unsigned rows>
__device__ inline void load_rows(Vector<T> (&row)[rows], const T* in, std::uint32_t tile,
                                 std::uint32_t n, bool aligned, T padding) {
  if (aligned && Rows::is_whole(tile, n)) {
    UNROLL
    for (unsigned r = 0; r < rows; ++r)
      row[r] = *reinterpret_cast<const Vector<T>*>(in + Rows::first(tile, r));
    return;
  }
  UNROLL
  for (unsigned r = 0; r < rows; ++r) {
    const std::uint32_t first = Rows::first(tile, r);
    UNROLL
    for (unsigned k = 0; k < Vector<T>::size; ++k)
      row[r].item[k] = first + k < n ? in[first + k] : padding;
  }
}
// Writes a row of such a tile, except for items from number n on.
template <class Rows, class T>
__device__ inline void store_row(T* out, std::uint32_t tile, unsigned r, std::uint32_t n,
                                 bool aligned, const Vector<T>& row) {
  const std::uint32_t first = Rows::first(tile, r);
  if (aligned && Rows::is_whole(tile, n)) {
    *reinterpret_cast<Vector<T>*>(out + first) = row;
    return;
  }
  UNROLL
  for (unsigned k = 0; k < Vector<T>::size; ++k)
    if (first + k < n) out[first + k] = row.item[k];
}

// Prefixes within a tile. In: row[r] is the sum of this lane's items of row r. Out: row[r] is the
// sum of the items before those, within the warp's stretch. Returns the prefix of that stretch
// within the tile, and the sum of the whole tile. One barrier.
template <class Operator, unsigned rows, unsigned threads>
__device__ inline Prefix<typename Operator::Type> scan_rows(
    typename Operator::Type (&row)[rows], ScanStorage<typename Operator::Type, threads>& storage) {
  using T = typename Operator::Type;
  T of_warp = Operator::identity();
  UNROLL
  for (unsigned r = 0; r < rows; ++r) {
    const T upto = warp::inclusive_scan(row[r], Combine<Operator>());
    row[r] = Operator::combine(of_warp, warp::before_lane<Operator>(upto, row[r]));
    const T of_row = warp::shuffle(warp::all_lanes(), upto, warp::size() - 1);
    of_warp = Operator::combine(of_warp, of_row);
  }
  return scan_warps<Operator>(of_warp, storage);
}

}  // namespace warpview::WARPVIEW_BACKEND::block
