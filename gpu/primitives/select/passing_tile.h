// What select and partition in one pass share: a tile in registers, which of its items pass, the
// exclusive prefix of each; and the launch.
#pragma once

#include "gpu/block/lookback.h"
#include "gpu/block/rows.h"
#include "gpu/block/ticket.h"
#include "gpu/primitives/select/passing.h"

namespace warpview::WARPVIEW_BACKEND::select {

inline constexpr unsigned threads = tile_extent(256, 64);
inline constexpr unsigned blocks_each = 4;  // blocks that an SM should hold: bounds the registers
using States = block::PackedStates<std::uint32_t>;

class PassingTile {
  static constexpr unsigned rows = tile_extent(8, 2);

 public:
  using Rows = block::Rows<std::uint32_t, threads, rows>;
  static constexpr std::uint32_t size = Rows::tile_size;
  // Shared memory of `scan`.
  using Storage = block::SumStorage<threads>;

  // `aligned`: `in` is aligned to whole vectors.
  __device__ PassingTile(const std::uint32_t* in, std::uint32_t n, std::uint32_t at_most,
                         bool aligned, std::uint32_t tile) {
    block::load_rows<Rows>(items_, in, tile, n, aligned, 0U);
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      std::uint32_t passing = 0;  // one bit for each item
      UNROLL
      for (unsigned k = 0; k < vector; ++k)
        if (Rows::first(tile, r) + k < n && items_[r].item[k] <= at_most) passing |= 1U << k;
      row_[r] = warp::count(passing);
      passing_ |= passing << (r * vector);
    }
  }

  // The number of items of the tile that pass; prepares `visit`. One barrier.
  __device__ std::uint32_t scan(Storage& storage) {
    const block::Prefix<std::uint32_t> passing = block::scan_rows<SumU32>(row_, storage);
    before_warp_ = passing.before;
    return passing.all;
  }

  // Calls visit(item, passes, rank) for each of this thread's items. The rank is the number of
  // items before it in the tile that pass too, or, for an item that does not pass, that do not.
  // Items beyond the last one do not pass.
  template <class Visit>
  __device__ void visit(Visit visit) const {
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      std::uint32_t passing = before_warp_ + row_[r];
      UNROLL
      for (unsigned k = 0; k < vector; ++k) {
        const std::uint32_t item = items_[r].item[k];
        if ((passing_ >> (r * vector + k) & 1U) != 0)
          visit(item, true, passing++);
        else
          visit(item, false, Rows::first(0, r) + k - passing);
      }
    }
  }

 private:
  static constexpr unsigned vector = block::Vector<std::uint32_t>::size;
  static_assert(rows * vector <= 32);

  block::Vector<std::uint32_t> items_[rows];
  std::uint32_t passing_ = 0;  // one bit for each of them
  std::uint32_t row_[rows];    // how many of this lane's items in a row pass; after `scan`, their
                               // exclusive prefix in the warp's stretch
  std::uint32_t before_warp_;
};

// The host function: launches the kernel with one block per tile. Its last tile writes the count.
inline void in_one_pass(Stream& stream, const PassingArgs& args, Scratch& scratch,
                        Kernel<const std::uint32_t*, std::uint32_t, std::uint32_t, bool,
                               std::uint32_t*, std::uint32_t*, States>
                            kernel) {
  const std::uint32_t tiles = PassingTile::Rows::tiles(args.n);
  const auto states = States::take(scratch, tiles);
  if (scratch.measuring()) return;
  // Without items there is no last tile.
  if (args.n == 0) return stream.fill(args.count, 0, sizeof(*args.count));
  states.clear(stream, tiles);
  launch(stream, kernel, Shape(tiles, threads), args.in, args.n, args.at_most,
         block::is_aligned(args.in), args.out, args.count, states);
}

}  // namespace warpview::WARPVIEW_BACKEND::select
