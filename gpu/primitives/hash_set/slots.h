// What the hash sets share: how a key is stored in a slot, its home, and how the answers are
// written.
#pragma once

#include "gpu/primitives/hash_set/hash_set.h"
#include "gpu/runtime/kernel.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::hash_set {

// An empty slot is 0. A taken slot has its highest bit set and the key's hash below. Each step of
// the hash is invertible, so that the hash stands for the key.
inline constexpr std::uint32_t empty = 0;
inline constexpr std::uint32_t taken = 1U << set_key_bits;
inline constexpr std::uint32_t hash_bits = taken - 1;

// Mixing as in MurmurHash3 (A. Appleby, 2011), for 31 bits: shifts are XORed, and factors are odd.
HOST_DEVICE constexpr std::uint32_t mix(std::uint32_t key) {
  key = (key ^ key >> 15U) * 0x2c1b3c6dU & hash_bits;
  key = (key ^ key >> 12U) * 0x297a2d39U & hash_bits;
  return key ^ key >> 15U;
}
// The inverse of an odd factor modulo 2^32: each step doubles the number of correct bits.
HOST_DEVICE constexpr std::uint32_t inverse(std::uint32_t factor) {
  std::uint32_t x = factor;
  for (int step = 0; step < 4; ++step) x *= 2 - factor * x;
  return x;
}
HOST_DEVICE constexpr std::uint32_t unmix(std::uint32_t hash) {
  hash = hash ^ hash >> 15U ^ hash >> 30U;
  hash = hash * inverse(0x297a2d39U) & hash_bits;
  hash = hash ^ hash >> 12U ^ hash >> 24U;
  hash = hash * inverse(0x2c1b3c6dU) & hash_bits;
  return hash ^ hash >> 15U ^ hash >> 30U;
}
static_assert(unmix(mix(0x12345678U)) == 0x12345678U && unmix(mix(hash_bits)) == hash_bits);

// The home of a hash among `places` slots or buckets: as a fraction of its range, scaled.
__device__ inline std::uint32_t home(std::uint32_t hash, std::uint32_t places) {
  return static_cast<std::uint32_t>(std::uint64_t{hash} * places >> set_key_bits);
}

enum class Answer { inserted, found, no_room };

// Writes the answers to consecutive keys as bits. Called by full warps; a thread's key has index i.
__device__ inline void write_bit(std::uint32_t* bits, std::uint32_t i, std::uint32_t n, bool bit) {
  const warp::LaneMask mask = warp::ballot(warp::all_lanes(), bit && i < n);
  if (warp::lane() % 32 == 0 && i < n)
    bits[i / 32] = static_cast<std::uint32_t>(mask >> (warp::lane() / 32 * 32));
}
__device__ inline void write_answer(const HashSetArgs& args, std::uint32_t i, Answer answer) {
  write_bit(args.found, i, args.n, answer == Answer::found);
  write_bit(args.no_room, i, args.n, answer == Answer::no_room);
}

// One thread per slot, full warps: appends the key to the list. A warp allocates room for all of
// its keys at once.
static __global__ void list_kernel(const std::uint32_t* __restrict__ slots, std::uint32_t count,
                                   std::uint32_t* __restrict__ keys, std::uint32_t* listed) {
  const std::uint32_t i = global_thread();
  const std::uint32_t slot = i < count ? slots[i] : empty;
  const warp::LaneMask with_key = warp::ballot(warp::all_lanes(), slot != empty);
  std::uint32_t begin = 0;
  if (warp::lane() == 0) begin = atomicAdd(listed, warp::count(with_key));
  begin = warp::shuffle(warp::all_lanes(), begin, 0);
  if (slot != empty)
    keys[begin + warp::count(with_key & warp::lanes_before())] = unmix(slot & hash_bits);
}

inline void list(Stream& stream, const HashSetArgs& args) {
  stream.fill(args.listed_count, 0, sizeof(std::uint32_t));
  launch(stream, KERNEL(list_kernel), one_thread_each(args.set.slots), args.set.memory,
         args.set.slots, args.listed_keys, args.listed_count);
}

}  // namespace warpview::WARPVIEW_BACKEND::hash_set
