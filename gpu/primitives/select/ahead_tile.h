// What select=ahead and partition=ahead share: a tile in shared memory, which of its items pass,
// and the launch.
#pragma once

#include "gpu/block/arrivals.h"
#include "gpu/block/lines.h"
#include "gpu/block/tuning.h"
#include "gpu/primitives/select/passing.h"

namespace warpview::WARPVIEW_BACKEND::select {

// The arguments of both kernels.
struct AheadPassing {
  const std::uint32_t* in;
  bool aligned;  // `in` is aligned to whole vectors
  std::uint32_t* out;
  std::uint32_t* count;
  std::uint32_t n;
  std::uint32_t at_most;
  std::uint32_t tiles;
};

template <class Tuning>
class AheadTile {
  using Vector = block::Vector<std::uint32_t>;
  static constexpr unsigned vector = Vector::size;
  static constexpr unsigned rows = Tuning::rows;

 public:
  using Rows = block::Rows<std::uint32_t, Tuning::threads, rows>;
  static constexpr std::uint32_t size = Rows::tile_size;
  using Arrivals = block::Arrivals<std::uint32_t, Tuning::threads, Rows::tile_size, Tuning::stages>;
  struct Storage {
    typename Arrivals::Storage tiles;
    block::AheadStorage<std::uint32_t, Tuning::threads> ahead;
  };

  // `items` lie in shared memory.
  __device__ AheadTile(std::uint32_t* items, std::uint32_t tile, const AheadPassing& args)
      : stretch_(items + stretch_begin()),
        valid_(args.n - tile * size < size ? args.n - tile * size : size),
        at_most_(args.at_most) {}

  // The number of items that pass: before this warp's stretch, and in all. One barrier.
  __device__ block::Prefix<std::uint32_t> count(block::SumStorage<Tuning::threads>& storage) const {
    std::uint32_t passing = 0;
    UNROLL
    for (unsigned r = 0; r < rows; ++r) passing += warp::count(which_pass(row(r), r));
    return block::scan_warps<SumU32>(warp::reduce(passing, Combine<SumU32>()), storage);
  }

  // Partitions this warp's stretch: the items that pass come first, in their order. With `others`
  // the rest follow, in theirs; without, the rest of the stretch is undefined. Returns how many
  // pass. Warps work on their stretches independently.
  template <bool others>
  __device__ std::uint32_t part() const {
    Vector items[rows];
    std::uint32_t bits[rows];
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      items[r] = row(r);
      bits[r] = which_pass(items[r], r);
    }
    // The number of items that pass before a lane's items of a row. Rows are scanned two at a time,
    // each in half of a word: a row has at most 256 items.
    std::uint32_t before[rows];
    std::uint32_t of_warp = 0;
    UNROLL
    for (unsigned r = 0; r < rows; r += 2) {
      std::uint32_t own = warp::count(bits[r]);
      if (r + 1 < rows) own |= warp::count(bits[r + 1]) << 16U;
      const std::uint32_t upto = warp::inclusive_sum(own);
      const std::uint32_t all = warp::shuffle(warp::all_lanes(), upto, warp::size() - 1);
      before[r] = of_warp + ((upto - own) & 0xffffU);
      of_warp += all & 0xffffU;
      if (r + 1 < rows) {
        before[r + 1] = of_warp + ((upto - own) >> 16U);
        of_warp += all >> 16U;
      }
    }
    warp::sync(warp::all_lanes());  // all lanes have read
    UNROLL
    for (unsigned r = 0; r < rows; ++r) {
      std::uint32_t passing = before[r];
      UNROLL
      for (unsigned j = 0; j < vector; ++j) {
        if ((bits[r] >> j & 1U) != 0)
          stretch_[passing++] = items[r].item[j];
        else if (others)
          stretch_[of_warp + place(r) + j - passing] = items[r].item[j];
      }
    }
    return of_warp;
  }

  // The stretch's first item in the tile, its number of items, and where they lie.
  __device__ static std::uint32_t stretch_begin() {
    return warp::index() * warp::size() * Rows::items_each;
  }
  __device__ std::uint32_t stretch_size() const {
    const std::uint32_t room = warp::size() * Rows::items_each;
    const std::uint32_t begin = stretch_begin();
    return valid_ < begin ? 0 : valid_ - begin < room ? valid_ - begin : room;
  }
  __device__ const std::uint32_t* stretch() const { return stretch_; }

 private:
  // The place of this lane's first item of a row, within the stretch.
  __device__ static std::uint32_t place(unsigned r) {
    return (r * warp::size() + warp::lane()) * vector;
  }
  __device__ const Vector& row(unsigned r) const {
    return *reinterpret_cast<const Vector*>(stretch_ + place(r));
  }
  // One bit for each item of a row. Items beyond the last one do not pass.
  __device__ std::uint32_t which_pass(const Vector& items, unsigned r) const {
    std::uint32_t bits = 0;
    UNROLL
    for (unsigned j = 0; j < vector; ++j) bits |= items.item[j] <= at_most_ ? 1U << j : 0U;
    if (valid_ < size) {
      const std::uint32_t first = stretch_begin() + place(r);
      const std::uint32_t left = valid_ < first ? 0 : valid_ - first;
      if (left < vector) bits &= (1U << left) - 1;
    }
    return bits;
  }

  std::uint32_t* stretch_;
  std::uint32_t valid_;  // items of the tile
  std::uint32_t at_most_;
};

// The host function, which falls back to `other` where `kernel` has no room. The last tile writes
// the count.
template <class Tuning, class Args>
void ahead_in_one_pass(Stream& stream, const Args& args, Scratch& scratch,
                       Kernel<AheadPassing, block::PackedStates<std::uint32_t>> kernel,
                       void (*other)(Stream&, const Args&, Scratch&)) {
  constexpr std::size_t storage_bytes = sizeof(typename AheadTile<Tuning>::Storage);
  const std::uint32_t resident = block::blocks_ahead<Tuning>(stream, kernel, storage_bytes);
  if (resident == 0) return other(stream, args, scratch);
  const std::uint32_t tiles = AheadTile<Tuning>::Rows::tiles(args.n);
  const auto states = block::PackedStates<std::uint32_t>::take(scratch, tiles);
  if (scratch.measuring()) return;
  // Without items there is no last tile.
  if (args.n == 0) return stream.fill(args.count, 0, sizeof(*args.count));
  block::launch_ahead<Tuning>(stream, states, tiles, resident, kernel, storage_bytes,
                              AheadPassing{.in = args.in,
                                           .aligned = block::is_aligned(args.in),
                                           .out = args.out,
                                           .count = args.count,
                                           .n = args.n,
                                           .at_most = args.at_most,
                                           .tiles = tiles},
                              states);
}

}  // namespace warpview::WARPVIEW_BACKEND::select
