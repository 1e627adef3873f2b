// A warp takes a buffer, uses it, gives it back: what all variants share, which differ in how a
// free one is found.
#pragma once

#include "gpu/primitives/pool/pool.h"
#include "gpu/runtime/kernel.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::pool {

inline constexpr unsigned threads = tile_extent(256, 64);

// Where a warp's search begins, so that different warps begin in different places: a number below
// `count` (Fibonacci hashing, the upper bits).
__device__ inline std::uint32_t hashed(std::uint32_t warp_number, std::uint32_t count) {
  return static_cast<std::uint32_t>(std::uint64_t{warp_number * 2654435769U} * count >> 32);
}

// After one lane has taken a buffer by an atomic: tells its number to all. What the last owner did
// with the buffer comes before what this one does: the fence orders it for the lane that took it,
// the sync for the rest of the warp. (A shuffle orders no memory.)
__device__ inline std::uint32_t taken_by(unsigned lane, std::uint32_t buffer) {
  if (warp::lane() == lane) __threadfence();
  buffer = warp::shuffle(warp::all_lanes(), buffer, lane);
  warp::sync(warp::all_lanes());
  return buffer;
}
// Before lane 0 marks a buffer as free: every lane has come to the end of its use, and the next
// owner, who sees the mark, sees all that they did.
__device__ inline void done_with() {
  warp::sync(warp::all_lanes());
  if (warp::lane() == 0) __threadfence();
}

// The buffers of the pool, `pool_stretch` words each.
struct Buffers {
  std::uint32_t* memory;
  std::uint32_t* owners;  // a mark of each that only its owner touches
};

// What a warp uses its buffer for: it reverses a stretch of the words.
struct Stretch {
  std::uint32_t warp_number;
  std::uint32_t begin;
  std::uint32_t count;

  // The last block may have warps too many. They leave as a whole, before anything else.
  __device__ static bool is_there(const PoolArgs& args) {
    return std::uint64_t{global_thread() / warp::size()} * pool_stretch < args.n;
  }
  __device__ explicit Stretch(const PoolArgs& args)
      : warp_number(global_thread() / warp::size()), begin(warp_number * pool_stretch) {
    const std::uint32_t rest = args.n - begin;
    count = rest < pool_stretch ? rest : pool_stretch;
  }

  // By way of the buffer, which is the warp's own from `taken_by` to `done_with`.
  __device__ void reverse_in(const Buffers& buffers, std::uint32_t buffer,
                             const PoolArgs& args) const {
    std::uint32_t* const words = buffers.memory + std::size_t{buffer} * pool_stretch;
    // Whoever finds another's mark was not alone here.
    if (warp::lane() == 0) buffers.owners[buffer] = warp_number;

    for (std::uint32_t k = warp::lane(); k < count; k += warp::size())
      words[k] = args.in[begin + k];
    warp::sync(warp::all_lanes());
    for (std::uint32_t k = warp::lane(); k < count; k += warp::size())
      args.out[begin + k] = words[count - 1 - k];

    if (warp::lane() == 0 && buffers.owners[buffer] != warp_number) atomicAdd(args.clashes, 1U);
  }
};

inline std::uint32_t stretches_of(std::uint32_t n) { return ceil_div(n, pool_stretch); }

// One warp per stretch.
inline Shape one_warp_each(const Stream& stream, std::uint32_t n) {
  const unsigned warps_a_block = threads / static_cast<unsigned>(stream.device().info().warp_size);
  return Shape(ceil_div(stretches_of(n), warps_a_block), threads);
}

// The host function. `mark_words` words, all zero, say which buffers are taken.
//
// A warp that waits for a buffer holds nothing that another waits for, so with one buffer for all
// of them they come to an end as well.
inline void with_pool(Stream& stream, const PoolArgs& args, Scratch& scratch,
                      std::uint32_t mark_words, Kernel<PoolArgs, Buffers, std::uint32_t*> kernel) {
  const Buffers buffers{
      scratch.take<std::uint32_t>(std::size_t{args.buffers} * pool_stretch, "buffers"),
      scratch.take<std::uint32_t>(args.buffers, "owners")};
  auto* marks = scratch.take<std::uint32_t>(mark_words, "marks");
  if (scratch.measuring()) return;
  stream.fill(marks, 0, mark_words * sizeof(std::uint32_t));
  stream.fill(args.clashes, 0, sizeof(std::uint32_t));
  launch(stream, kernel, one_warp_each(stream, args.n), args, buffers, marks);
}

}  // namespace warpview::WARPVIEW_BACKEND::pool
