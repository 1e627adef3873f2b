// A warp takes a buffer, uses it, and gives it back. All variants share this; they differ in how
// they find a free buffer.
#pragma once

#include "gpu/primitives/pool/pool.h"
#include "gpu/runtime/kernel.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::pool {

inline constexpr unsigned threads = tile_extent(256, 64);

// Where a warp starts its search, so that different warps start at different places: an index below
// `count` (Fibonacci hashing, the upper bits).
__device__ inline std::uint32_t hashed(std::uint32_t warp_number, std::uint32_t count) {
  return static_cast<std::uint32_t>(std::uint64_t{warp_number * 2654435769U} * count >> 32);
}

// Called after one lane has taken a buffer by an atomic: broadcasts its index. The previous owner's
// accesses to the buffer come before this owner's: the fence orders them for the lane that took it,
// the sync for the rest of the warp. (A shuffle orders no memory.)
__device__ inline std::uint32_t taken_by(unsigned lane, std::uint32_t buffer) {
  if (warp::lane() == lane) __threadfence();
  buffer = warp::shuffle(warp::all_lanes(), buffer, lane);
  warp::sync(warp::all_lanes());
  return buffer;
}
// Called before lane 0 marks a buffer as free: every lane has finished with it, and the next owner
// that sees the mark sees all that they wrote.
__device__ inline void done_with() {
  warp::sync(warp::all_lanes());
  if (warp::lane() == 0) __threadfence();
}

// The buffers of the pool, `pool_stretch` words each.
struct Buffers {
  std::uint32_t* memory;
  std::uint32_t* owners;  // one mark each, which only the owner touches
};

// The use of a buffer: the warp reverses a stretch of the words.
struct Stretch {
  std::uint32_t warp_number;
  std::uint32_t begin;
  std::uint32_t count;

  // The last block may have excess warps. They leave as a whole, before anything else.
  __device__ static bool exists(const PoolArgs& args) {
    return std::uint64_t{global_thread() / warp::size()} * pool_stretch < args.n;
  }
  __device__ explicit Stretch(const PoolArgs& args)
      : warp_number(global_thread() / warp::size()), begin(warp_number * pool_stretch) {
    const std::uint32_t rest = args.n - begin;
    count = rest < pool_stretch ? rest : pool_stretch;
  }

  // Reverses through the buffer, which the warp owns from `taken_by` to `done_with`.
  __device__ void reverse_in(const Buffers& buffers, std::uint32_t buffer,
                             const PoolArgs& args) const {
    std::uint32_t* const words = buffers.memory + std::size_t{buffer} * pool_stretch;
    // A warp that finds another's mark did not own the buffer alone.
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

// The host function. `mark_words` words, all zero at the start, say which buffers are taken.
//
// A warp that waits for a buffer holds nothing that another waits for, so the warps finish even
// with one buffer for all of them.
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
