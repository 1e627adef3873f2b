// How scans spread a tile over the registers of a block, and the prefixes within a tile.
//
// A warp owns a contiguous stretch of the tile and walks it row by row; in a row each lane holds a
// vector of neighbouring items, 16 bytes of them or one larger item, so that memory is read and
// written in whole lines.
#pragma once

#include "gpu/runtime/kernel.h"
#include "gpu/scan/operators.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::scan {

inline constexpr unsigned threads = 256;

template <class T>
struct alignas(16) Vector {
  static constexpr unsigned size = sizeof(T) < 16 ? 16 / sizeof(T) : 1;
  T item[size];
};

// Tiles of `rows` rows of Vector<T>.
template <class T, unsigned rows>
struct Layout {
  static constexpr unsigned items_each = rows * Vector<T>::size;
  static constexpr std::uint32_t tile_size = threads * items_each;

  static std::uint32_t tiles(std::uint32_t n) { return n / tile_size + (n % tile_size != 0); }
  // Number of this lane's first item in a row.
  __device__ static std::uint32_t first(std::uint32_t tile, unsigned row) {
    return tile * tile_size + warp::index() * warp::size() * items_each +
           (row * warp::size() + warp::lane()) * Vector<T>::size;
  }
};

// May the array be read and written by whole vectors?
template <class T>
bool is_aligned(const T* array) {
  return reinterpret_cast<std::uintptr_t>(array) % sizeof(Vector<T>) == 0;
}

// The items from number i on; items from number n on are `padding`.
template <class T>
__device__ inline Vector<T> load_vector(const T* in, std::uint32_t i, std::uint32_t n, bool aligned,
                                        T padding) {
  constexpr unsigned size = Vector<T>::size;
  if (aligned && i + size <= n) return *reinterpret_cast<const Vector<T>*>(in + i);
  Vector<T> vector;
  UNROLL
  for (unsigned k = 0; k < size; ++k) vector.item[k] = i + k < n ? in[i + k] : padding;
  return vector;
}
template <class T>
__device__ inline void store_vector(T* out, std::uint32_t i, std::uint32_t n, bool aligned,
                                    const Vector<T>& vector) {
  constexpr unsigned size = Vector<T>::size;
  if (aligned && i + size <= n) {
    *reinterpret_cast<Vector<T>*>(out + i) = vector;
    return;
  }
  UNROLL
  for (unsigned k = 0; k < size; ++k)
    if (i + k < n) out[i + k] = vector.item[k];
}

// What the lanes before this one combine to; `upto` is this lane's inclusive prefix.
template <class Operator>
__device__ inline typename Operator::Type before_lane(typename Operator::Type upto,
                                                      typename Operator::Type own) {
  using T = typename Operator::Type;
  if constexpr (requires(T x) { Operator::without_last(x, x); }) {
    return Operator::without_last(upto, own);
  } else {
    const T before = warp::shuffle_up(warp::all_lanes(), upto, 1);
    return warp::lane() == 0 ? Operator::identity() : before;
  }
}

template <class T>
struct TileSums {
  T before_warp;  // of the tile's items before this warp's stretch
  T tile;         // of the whole tile
};

// What the warps' stretches combine to. `warp_sum` is this warp's, the same in every lane or in
// lane 0 at least. One barrier; one more must stand before the next call.
template <class Operator>
__device__ inline TileSums<typename Operator::Type> combine_warps(
    typename Operator::Type warp_sum) {
  using T = typename Operator::Type;
  __shared__ T warp_sums[threads / warp::min_size];
  if (warp::lane() == 0) warp_sums[warp::index()] = warp_sum;
  __syncthreads();
  TileSums<T> sums{Operator::identity(), Operator::identity()};
  for (unsigned w = 0; w < threads / warp::size(); ++w) {
    if (w == warp::index()) sums.before_warp = sums.tile;
    sums.tile = Operator::combine(sums.tile, warp_sums[w]);
  }
  return sums;
}

// Prefixes within a tile. In: row[r] is what this lane's items of row r combine to. Out: row[r] is
// what the items before those combine to, within the warp's stretch. Barriers as combine_warps.
template <class Operator, unsigned rows>
__device__ inline TileSums<typename Operator::Type> scan_rows(
    typename Operator::Type (&row)[rows]) {
  using T = typename Operator::Type;
  T warp_sum = Operator::identity();
  UNROLL
  for (unsigned r = 0; r < rows; ++r) {
    const T upto = warp::inclusive_scan(row[r], [](T a, T b) { return Operator::combine(a, b); });
    row[r] = Operator::combine(warp_sum, before_lane<Operator>(upto, row[r]));
    const T row_sum = warp::shuffle(warp::all_lanes(), upto, warp::size() - 1);
    warp_sum = Operator::combine(warp_sum, row_sum);
  }
  return combine_warps<Operator>(warp_sum);
}

}  // namespace warpview::WARPVIEW_BACKEND::scan
