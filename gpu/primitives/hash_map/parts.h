// Partitions keys by the highest bits of their hashes, in any order within a partition.
//
//   S. Manegold, P. Boncz, M. Kersten, "Optimizing Main-Memory Join on Modern Hardware", IEEE TKDE
//   14(4), 2002.
//
// This is a pass of a radix sort (gpu/primitives/sort/counting.h) that need not keep the order of
// equal digits, which saves most of it. An atomic of shared memory gives a key's rank in its
// partition within the tile; one atomic of global memory per partition allocates the places of the
// tile's keys. No tile waits for another.
#pragma once

#include <algorithm>

#include "gpu/block/last_block.h"
#include "gpu/block/packed.h"
#include "gpu/block/scan.h"
#include "gpu/block/strided.h"

namespace warpview::WARPVIEW_BACKEND::hash {

inline constexpr int part_bits = tile_extent(7, 3);
inline constexpr unsigned part_count = 1U << part_bits;
inline constexpr unsigned part_threads = tile_extent(512U, 64U);
inline constexpr unsigned parted_each = tile_extent(16U, 2U);  // keys per thread
inline constexpr unsigned part_tile = part_threads * parted_each;
static_assert(part_tile <= 1U << 16U && part_bits <= 8 && part_threads >= part_count);

__device__ inline std::uint32_t part_of(std::uint32_t hash) { return hash >> (32 - part_bits); }

// The keys of partition 0, of partition 1, ...: the hash of each, and its value or index.
struct Parted {
  std::uint32_t* hashes;
  std::uint32_t* values;
  std::uint32_t* ends;      // [part_count]: the next place in a partition; at last, its end
  std::uint32_t* finished;  // blocks that have counted

  static Parted take(Scratch& scratch, std::uint32_t n) {
    auto* hashes = scratch.take<std::uint32_t>(n, "hashes");
    auto* values = scratch.take<std::uint32_t>(n, "values");
    auto* counts = scratch.take<std::uint32_t>(part_count + 1, "counts");
    return {hashes, values, counts, counts + part_count};
  }
};

// Counts the keys of each partition; the last block to finish turns the counts into beginnings.
template <class Hash>
__global__ void __launch_bounds__(part_threads)
    count_parts_kernel(const std::uint32_t* __restrict__ keys, std::uint32_t n, Hash hash,
                       Parted parted) {
  __shared__ std::uint32_t counts[part_count];
  __shared__ block::SumStorage<part_threads> storage;
  __shared__ bool is_last;
  const bool has_part = threadIdx.x < part_count;
  if (has_part) counts[threadIdx.x] = 0;
  __syncthreads();
  block::visit_strided<8>(keys, n, global_thread(), gridDim.x * part_threads, std::uint32_t{0},
                          [&](std::uint32_t i, std::uint32_t key) {
                            if (i < n) atomicAdd(&counts[part_of(hash(key))], 1U);
                          });
  __syncthreads();
  if (has_part && counts[threadIdx.x] > 0)
    atomicAdd(&parted.ends[threadIdx.x], counts[threadIdx.x]);
  __syncthreads();  // one thread signals that all have added
  if (!block::is_last(parted.finished, is_last)) return;
  const std::uint32_t count = has_part ? load_relaxed(&parted.ends[threadIdx.x]) : 0;
  const std::uint32_t begin = block::exclusive_sum(count, storage).before;
  if (has_part) parted.ends[threadIdx.x] = begin;
}

// `values` null stands for 0, 1, ..., n - 1.
template <class Hash>
__global__ void __launch_bounds__(part_threads)
    part_kernel(const std::uint32_t* __restrict__ keys, const std::uint32_t* __restrict__ values,
                std::uint32_t n, Hash hash, Parted parted) {
  __shared__ std::uint32_t begins[part_count];  // first counts, then beginnings in the tile
  __shared__ std::uint32_t to[part_count];      // from there to their places in memory
  __shared__ std::uint32_t tile[part_tile];     // sorted by partition
  __shared__ block::SumStorage<part_threads> storage;
  const bool has_part = threadIdx.x < part_count;
  if (has_part) begins[threadIdx.x] = 0;
  __syncthreads();

  const std::uint32_t first = blockIdx.x * part_tile + threadIdx.x;
  const auto number = [&](unsigned k) { return first + k * part_threads; };
  std::uint32_t hashes[parted_each];
  UNROLL
  for (unsigned k = 0; k < parted_each; ++k) hashes[k] = number(k) < n ? keys[number(k)] : 0;
  block::Packed<16, parted_each> rank;  // among the tile's keys of the partition, by arrival
  UNROLL
  for (unsigned k = 0; k < parted_each; ++k) {
    hashes[k] = hash(hashes[k]);
    rank.set(k, number(k) < n ? atomicAdd(&begins[part_of(hashes[k])], 1U) : 0);
  }
  __syncthreads();

  const std::uint32_t count = has_part ? begins[threadIdx.x] : 0;
  const std::uint32_t begin = block::exclusive_sum(count, storage).before;
  if (has_part) {
    begins[threadIdx.x] = begin;
    to[threadIdx.x] = count > 0 ? atomicAdd(&parted.ends[threadIdx.x], count) - begin : 0;
  }
  __syncthreads();
  block::Packed<16, parted_each> place;  // in the tile
  UNROLL
  for (unsigned k = 0; k < parted_each; ++k) {
    if (number(k) >= n) continue;
    place.set(k, begins[part_of(hashes[k])] + rank[k]);
    tile[place[k]] = hashes[k];
  }
  __syncthreads();

  // Neighbouring threads write neighbouring keys of a partition to neighbouring words.
  const std::uint32_t left = n - blockIdx.x * part_tile;
  const std::uint32_t valid = left < part_tile ? left : part_tile;
  block::Packed<8, parted_each> part;
  UNROLL
  for (unsigned k = 0; k < parted_each; ++k) {
    const std::uint32_t i = k * part_threads + threadIdx.x;
    if (i >= valid) continue;
    part.set(k, part_of(tile[i]));
    parted.hashes[to[part[k]] + i] = tile[i];
  }
  UNROLL
  for (unsigned k = 0; k < parted_each; ++k)
    hashes[k] = values && number(k) < n ? values[number(k)] : number(k);
  __syncthreads();  // values replace the hashes
  UNROLL
  for (unsigned k = 0; k < parted_each; ++k)
    if (number(k) < n) tile[place[k]] = hashes[k];
  __syncthreads();
  UNROLL
  for (unsigned k = 0; k < parted_each; ++k) {
    const std::uint32_t i = k * part_threads + threadIdx.x;
    if (i < valid) parted.values[to[part[k]] + i] = tile[i];
  }
}

// Queues the partitioning of n > 0 keys, with their values or, where these are null, their indices.
// hash(key) returns 32 bits, whose highest ones select the partition.
template <class Hash>
void part_keys(Stream& stream, const std::uint32_t* keys, const std::uint32_t* values,
               std::uint32_t n, Hash hash, const Parted& parted) {
  stream.fill(parted.ends, 0, (part_count + 1) * sizeof(std::uint32_t));
  const std::uint32_t tiles = ceil_div(n, static_cast<std::uint32_t>(part_tile));
  const auto resident = static_cast<std::uint32_t>(stream.device().info().multiprocessors) * 4;
  launch(stream, KERNEL(count_parts_kernel<Hash>), Shape(std::min(tiles, resident), part_threads),
         keys, n, hash, parted);
  launch(stream, KERNEL(part_kernel<Hash>), Shape(tiles, part_threads), keys, values, n, hash,
         parted);
}

}  // namespace warpview::WARPVIEW_BACKEND::hash
