// Hash set by buckets, with keys that were radix-partitioned by home.
//
//   S. Manegold, P. Boncz, M. Kersten, "Optimizing Main-Memory Join on Modern Hardware", IEEE TKDE
//   S. Manegold, P. Boncz, M. Kersten, "Optimizing Main-Memory Join on Modern Hardware", IEEE TKDE
//   14(4), 2002: radix-partitioned hash join, for the caches of a CPU.
// In a table far larger than the L2 cache each key is a random access to memory, and a GPU's rate
// of random accesses is limited, however few bytes each moves. Therefore the keys are partitioned
// first, by the highest bits of their hashes: the homes of a partition lie in one stretch of the
// table, small enough for L2. The stretch is read from memory once, as a whole, and written once.
// The partitioning moves keys in whole lines (gpu/primitives/hash_map/parts.h).
//
// Each key carries its index, for its answer. Answers are bits, so that those of all keys stay in
// L2 as well while they are set one by one. Most inserted keys are new, and set no bit.
#include "gpu/block/tuning.h"
#include "gpu/primitives/hash_map/parts.h"
#include "gpu/primitives/hash_set/buckets.h"
#include "gpu/variants.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// The hash for parts.h: its highest bits decide.
struct SetHash {
  __device__ std::uint32_t operator()(std::uint32_t key) const {
    return key < hash_set::taken ? hash_set::mix(key) << 1U : invalid;
  }
  // The lowest bit marks an invalid key.
  static constexpr std::uint32_t invalid = ~std::uint32_t{0};
};

__device__ inline void set_bit(std::uint32_t* bits, std::uint32_t i) {
  atomicOr(&bits[i / 32], 1U << (i % 32));
}

__global__ void insert_parted_kernel(HashSetArgs args, const std::uint32_t* __restrict__ hashes,
                                     const std::uint32_t* __restrict__ numbers) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const std::uint32_t hash = hashes[i];
  hash_set::Answer answer = hash_set::Answer::no_room;
  if (hash != SetHash::invalid) answer = hash_set::Buckets(args.set).insert<true>(hash >> 1U);
  if (answer == hash_set::Answer::inserted) return;
  set_bit(answer == hash_set::Answer::found ? args.found : args.no_room, numbers[i]);
}

__global__ void find_parted_kernel(HashSetArgs args, const std::uint32_t* __restrict__ hashes,
                                   const std::uint32_t* __restrict__ numbers) {
  const std::uint32_t i = global_thread();
  if (i >= args.n) return;
  const std::uint32_t hash = hashes[i];
  const std::uint32_t number = numbers[i];  // in flight together with the bucket
  if (hash != SetHash::invalid && hash_set::Buckets(args.set).find(hash >> 1U))
    set_bit(args.found, number);
}

}  // namespace

void hash_set_parted(Stream& stream, const HashSetArgs& args, Scratch& scratch) {
  if (args.operation == SetOperation::list ||
      args.set.slots * sizeof(std::uint32_t) < block::Tuning::parted_from_bytes)
    return hash_set_buckets(stream, args, scratch);
  const hash::Parted parted = hash::Parted::take(scratch, args.n);
  if (scratch.measuring() || args.n == 0) return;
  hash::part_keys(stream, args.keys, nullptr, args.n, SetHash(), parted);
  const std::size_t bytes = std::size_t{words_of_bits(args.n)} * sizeof(std::uint32_t);
  stream.fill(args.found, 0, bytes);
  if (args.operation == SetOperation::insert) {
    stream.fill(args.no_room, 0, bytes);
    launch(stream, KERNEL(insert_parted_kernel), one_thread_each(args.n), args, parted.hashes,
           parted.values);
  } else {
    launch(stream, KERNEL(find_parted_kernel), one_thread_each(args.n), args, parted.hashes,
           parted.values);
  }
}

}  // namespace warpview::WARPVIEW_BACKEND
