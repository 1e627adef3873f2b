// Reduction over a block of threads: each warp by shuffles, then the first warp over the warps'
// results, through shared memory.
#pragma once

#include "gpu/operators/operator.h"
#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::block {

// Shared memory of one call; a barrier must separate two uses.
template <class T, unsigned threads>
struct ReduceStorage {
  T of_warps[threads / warp::min_size];
};

// Combines the values of `threads` threads (a one-dimensional block). Thread 0 gets the result; the
// other threads get a partial result. `reduce_warp(value)` is called by whole warps and returns the
// warp's result to its lane 0. One barrier.
template <class Operator, unsigned threads, class ReduceWarp>
__device__ inline typename Operator::Type reduce_by(
    typename Operator::Type value, ReduceStorage<typename Operator::Type, threads>& storage,
    ReduceWarp reduce_warp) {
  static_assert(threads % warp::max_size == 0, "warps are full");
  value = reduce_warp(value);
  if (warp::lane() == 0) storage.of_warps[warp::index()] = value;
  __syncthreads();
  if (warp::index() == 0) {
    value = warp::lane() < threads / warp::size() ? storage.of_warps[warp::lane()]
                                                  : Operator::identity();
    value = reduce_warp(value);
  }
  return value;
}

// For an operator that commutes.
template <class Operator, unsigned threads>
__device__ inline typename Operator::Type reduce(
    typename Operator::Type value, ReduceStorage<typename Operator::Type, threads>& storage) {
  static_assert(Operator::commutative);
  return reduce_by<Operator>(value, storage, [](typename Operator::Type of_lane) {
    return warp::reduce(of_lane, Combine<Operator>());
  });
}

// For an operator that commutes; every thread gets the result, and combines the warps' results
// itself.
template <class Operator, unsigned threads>
__device__ inline typename Operator::Type reduce_to_all(
    typename Operator::Type value, ReduceStorage<typename Operator::Type, threads>& storage) {
  static_assert(Operator::commutative && threads % warp::max_size == 0);
  value = warp::reduce(value, Combine<Operator>());
  if (warp::lane() == 0) storage.of_warps[warp::index()] = value;
  __syncthreads();
  typename Operator::Type all = Operator::identity();
  for (unsigned w = 0; w < threads / warp::size(); ++w)
    all = Operator::combine(all, storage.of_warps[w]);
  return all;
}

// For any operator, in the order of the threads. A binary tree over neighbours combines the values;
// its shape is the same for warps of 32 and of 64 lanes.
template <class Operator, unsigned threads>
__device__ inline typename Operator::Type reduce_in_order(
    typename Operator::Type value, ReduceStorage<typename Operator::Type, threads>& storage) {
  return reduce_by<Operator>(value, storage, [](typename Operator::Type of_lane) {
    return warp::reduce_in_order(of_lane, Combine<Operator>());
  });
}

}  // namespace warpview::WARPVIEW_BACKEND::block
