// A warp takes a buffer, uses it, gives it back. The variants differ in how a free one is found.
#pragma once

#include "gpu/pool/pool.h"
#include "gpu/runtime/kernel.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::pool {

inline constexpr unsigned threads = 256;

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

// `Pool` has, for whole warps:
//
//   std::uint32_t take(std::uint32_t warp_number)   waits until a buffer is free; its number
//   void give_back(std::uint32_t buffer)
//
// A warp that waits holds nothing that another waits for, so with one buffer for all of them they
// come to an end as well.
template <class Pool>
__global__ void reverse_stretches_kernel(PoolArgs args, std::uint32_t* memory,
                                         std::uint32_t* owners, Pool pool) {
  const std::uint32_t warp_number = global_thread() / warp::size();
  // The last block may have warps too many; they leave as a whole.
  if (std::uint64_t{warp_number} * pool_stretch >= args.n) return;
  const std::uint32_t begin = warp_number * pool_stretch;
  const std::uint32_t rest = args.n - begin;
  const std::uint32_t count = rest < pool_stretch ? rest : pool_stretch;

  const std::uint32_t buffer = pool.take(warp_number);
  std::uint32_t* words = memory + std::size_t{buffer} * pool_stretch;
  // A mark that only its owner touches. Whoever finds another's was not alone here.
  if (warp::lane() == 0) owners[buffer] = warp_number;

  for (std::uint32_t k = warp::lane(); k < count; k += warp::size()) words[k] = args.in[begin + k];
  warp::sync(warp::all_lanes());
  for (std::uint32_t k = warp::lane(); k < count; k += warp::size())
    args.out[begin + k] = words[count - 1 - k];

  if (warp::lane() == 0 && owners[buffer] != warp_number) atomicAdd(args.clashes, 1U);
  pool.give_back(buffer);
}

// The host function: `mark_words` words, all zero, say which buffers are taken.
template <class Pool>
void reverse_stretches(Stream& stream, const PoolArgs& args, Workspace& workspace,
                       std::uint32_t mark_words) {
  auto* memory = workspace.take<std::uint32_t>(std::size_t{args.buffers} * pool_stretch);
  auto* owners = workspace.take<std::uint32_t>(args.buffers);
  auto* marks = workspace.take<std::uint32_t>(mark_words);
  if (workspace.measuring()) return;
  stream.fill(marks, 0, mark_words * sizeof(std::uint32_t));
  stream.fill(args.clashes, 0, sizeof(std::uint32_t));
  const auto warps =
      static_cast<std::uint32_t>((std::uint64_t{args.n} + pool_stretch - 1) / pool_stretch);
  const unsigned warps_a_block = threads / static_cast<unsigned>(stream.device().info().warp_size);
  launch(stream, Kernel{&reverse_stretches_kernel<Pool>, Pool::kernel_name},
         Shape(ceil_div(warps, warps_a_block), threads), args, memory, owners,
         Pool{marks, args.buffers});
}

}  // namespace warpview::WARPVIEW_BACKEND::pool
