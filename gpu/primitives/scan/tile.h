// What every scan does with a tile, in one pass or several: load it into registers, scan or reduce
// it there, and write it with its exclusive prefix.
#pragma once

#include "gpu/block/rows.h"
#include "gpu/primitives/scan/operators.h"

namespace warpview::WARPVIEW_BACKEND::scan {

inline constexpr unsigned threads = tile_extent(256, 64);

// Input and output of a scan, for a kernel.
template <class T>
struct Arrays {
  const T* in;
  T* out;  // may be `in`
  std::uint32_t n;
  bool inclusive;
  bool aligned;  // to whole vectors

  explicit Arrays(const ScanArgs& args)
      : in(static_cast<const T*>(args.in)),
        out(static_cast<T*>(args.out)),
        n(args.n),
        inclusive(args.inclusive),
        aligned(block::is_aligned(in) && block::is_aligned(out)) {}
};

// A lane's items of a row, combined.
template <class Operator, class T = typename Operator::Type>
__device__ inline T combined(const block::Vector<T>& items) {
  T all = items.item[0];
  UNROLL
  for (unsigned k = 1; k < block::Vector<T>::size; ++k) all = Operator::combine(all, items.item[k]);
  return all;
}
// Replaces each item by its prefix; `prefix` combines all items before them.
template <class Operator, class T = typename Operator::Type>
__device__ inline void make_prefixes(block::Vector<T>& items, T prefix, bool inclusive) {
  UNROLL
  for (unsigned k = 0; k < block::Vector<T>::size; ++k) {
    const T upto = Operator::combine(prefix, items.item[k]);
    items.item[k] = inclusive ? upto : prefix;
    prefix = upto;
  }
}

template <class Operator>
class Tile {
 public:
  using T = typename Operator::Type;
  static constexpr unsigned rows = tile_extent(4, 2);
  using Rows = block::Rows<T, threads, rows>;
  static constexpr std::uint32_t size = Rows::tile_size;
  // Shared memory of `sum` or `scan`, called once.
  using Storage = block::ScanStorage<T, threads>;

  static std::uint32_t count(std::uint32_t n) { return Rows::tiles(n); }

  __device__ Tile(const Arrays<T>& arrays, std::uint32_t tile) : arrays_(arrays), tile_(tile) {
    block::load_rows<Rows>(items_, arrays.in, tile, arrays.n, arrays.aligned, Operator::identity());
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      row_[r] = combined<Operator>(items_[r]);
    }
  }

  // Returns the tile's aggregate to every thread. One barrier.
  __device__ T sum(Storage& storage) const {
    T sum = Operator::identity();
    if constexpr (Operator::commutative) {
      UNROLL
      for (unsigned r = 0; r < rows; ++r) sum = Operator::combine(sum, row_[r]);
      sum = warp::reduce(sum, Combine<Operator>());
    } else {  // a lane's rows are not adjacent: other lanes' items lie in between
      UNROLL
      for (unsigned r = 0; r < rows; ++r)
        sum = Operator::combine(sum, warp::reduce_in_order(row_[r], Combine<Operator>()));
    }
    return block::scan_warps<Operator>(sum, storage).all;
  }

  // Returns the aggregate as `sum` does, and prepares `store`.
  __device__ T scan(Storage& storage) {
    const block::Prefix<T> prefix = block::scan_rows<Operator>(row_, storage);
    before_warp_ = prefix.before;
    return prefix.all;
  }

  // Writes the prefixes, given the tile's exclusive prefix.
  __device__ void store(T before) {
    before = Operator::combine(before, before_warp_);
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      make_prefixes<Operator>(items_[r], Operator::combine(before, row_[r]), arrays_.inclusive);
      block::store_row<Rows>(arrays_.out, tile_, r, arrays_.n, arrays_.aligned, items_[r]);
    }
  }

 private:
  const Arrays<T>& arrays_;
  std::uint32_t tile_;
  block::Vector<T> items_[rows];
  T row_[rows];  // this lane's items of a row combined; after `scan` their exclusive prefix
  T before_warp_;
};

}  // namespace warpview::WARPVIEW_BACKEND::scan
