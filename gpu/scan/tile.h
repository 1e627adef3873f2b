// What every scan does with a tile, in one pass or several: load it into registers, scan it there
// (or only add it up), and write it behind what came before.
#pragma once

#include "gpu/scan/rows.h"

namespace warpview::WARPVIEW_BACKEND::scan {

// Input and output of a scan, for a kernel.
template <class T>
struct Arrays {
  const T* in;
  T* out;  // may be `in`
  std::uint32_t n;
  bool inclusive;
  bool aligned;  // by whole vectors

  Arrays(const ScanArgs& args)
      : in(static_cast<const T*>(args.in)),
        out(static_cast<T*>(args.out)),
        n(args.n),
        inclusive(args.inclusive),
        aligned(is_aligned(in) && is_aligned(out)) {}
};

template <class Operator>
class Tile {
 public:
  using T = typename Operator::Type;
  static constexpr unsigned rows = 4;
  using Rows = Layout<T, rows>;
  static constexpr std::uint32_t size = Rows::tile_size;

  static std::uint32_t count(std::uint32_t n) { return Rows::tiles(n); }

  __device__ Tile(const Arrays<T>& arrays, std::uint32_t tile) : arrays_(arrays), tile_(tile) {
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      items_[r] = load_vector(arrays.in, Rows::first(tile, r), arrays.n, arrays.aligned,
                              Operator::identity());
      row_[r] = items_[r].item[0];
      UNROLL
      for (unsigned k = 1; k < Vector<T>::size; ++k)
        row_[r] = Operator::combine(row_[r], items_[r].item[k]);
    }
  }

  // Every thread gets what the tile's items combine to.
  __device__ T sum() const {
    T sum = Operator::identity();
    if constexpr (Operator::commutative) {
      UNROLL
      for (unsigned r = 0; r < rows; ++r) sum = Operator::combine(sum, row_[r]);
      sum = warp::reduce(sum, [](T a, T b) { return Operator::combine(a, b); });
    } else {  // a lane's rows do not stand side by side: other lanes' items lie between
      UNROLL
      for (unsigned r = 0; r < rows; ++r)
        sum = Operator::combine(
            sum, warp::reduce_in_order(row_[r], [](T a, T b) { return Operator::combine(a, b); }));
    }
    return combine_warps<Operator>(sum).tile;
  }

  // The same, and prepares `store`.
  __device__ T scan() {
    const TileSums<T> sums = scan_rows<Operator>(row_);
    before_warp_ = sums.before_warp;
    return sums.tile;
  }

  // Writes the prefixes, given what all tiles before combine to.
  __device__ void store(T before) {
    before = Operator::combine(before, before_warp_);
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      T prefix = Operator::combine(before, row_[r]);
      UNROLL
      for (unsigned k = 0; k < Vector<T>::size; ++k) {
        const T upto = Operator::combine(prefix, items_[r].item[k]);
        items_[r].item[k] = arrays_.inclusive ? upto : prefix;
        prefix = upto;
      }
      store_vector(arrays_.out, Rows::first(tile_, r), arrays_.n, arrays_.aligned, items_[r]);
    }
  }

 private:
  const Arrays<T>& arrays_;
  std::uint32_t tile_;
  Vector<T> items_[rows];
  T row_[rows];  // this lane's items of a row combined; after `scan` what comes before them
  T before_warp_;
};

}  // namespace warpview::WARPVIEW_BACKEND::scan
