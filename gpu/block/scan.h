// Prefixes over a block of threads: each warp by shuffles, then every thread over the warps'
// results, through shared memory.
#pragma once

#include "gpu/operators/numbers.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::block {

// Shared memory of one call; a barrier must separate two uses.
template <class T, unsigned threads>
struct ScanStorage {
  T of_warps[threads / warp::min_size];
};

// The exclusive prefix of a thread or warp, and the sum of the block.
template <class T>
struct Prefix {
  T before;
  T all;
};

// Over the warps of a block of `threads` threads (one-dimensional): `before` is the sum of the
// warps before this one. `of_warp` is the warp's value, needed in its last lane only. One barrier.
template <class Operator, unsigned threads>
__device__ inline Prefix<typename Operator::Type> scan_warps(
    typename Operator::Type of_warp, ScanStorage<typename Operator::Type, threads>& storage) {
  static_assert(threads % warp::max_size == 0, "warps are full");
  if (warp::lane() == warp::size() - 1) storage.of_warps[warp::index()] = of_warp;
  __syncthreads();
  Prefix<typename Operator::Type> prefix{Operator::identity(), Operator::identity()};
  for (unsigned w = 0; w < threads / warp::size(); ++w) {
    if (w == warp::index()) prefix.before = prefix.all;
    prefix.all = Operator::combine(prefix.all, storage.of_warps[w]);
  }
  return prefix;
}

// Over the threads. One barrier.
template <class Operator, unsigned threads>
__device__ inline Prefix<typename Operator::Type> exclusive_scan(
    typename Operator::Type value, ScanStorage<typename Operator::Type, threads>& storage) {
  const auto upto = warp::inclusive_scan(value, Combine<Operator>());
  Prefix<typename Operator::Type> prefix = scan_warps<Operator>(upto, storage);
  prefix.before = Operator::combine(prefix.before, warp::before_lane<Operator>(upto, value));
  return prefix;
}

template <unsigned threads>
using SumStorage = ScanStorage<std::uint32_t, threads>;

// The sum of `count` over the threads before this one.
template <unsigned threads>
__device__ inline Prefix<std::uint32_t> exclusive_sum(std::uint32_t count,
                                                      SumStorage<threads>& storage) {
  return exclusive_scan<SumU32>(count, storage);
}

}  // namespace warpview::WARPVIEW_BACKEND::block
