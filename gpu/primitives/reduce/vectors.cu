// Reduction in one kernel by 16-byte loads; for integer sums one word holds the sum of the blocks'
// results and their count.
//
// M. Harris, "Optimizing Parallel Reduction in CUDA"; J. Luitjens, "CUDA Pro Tip: Increase
// Performance with Vectorized Memory Access", NVIDIA, 2013. The packed word: as the
// descriptors of D. Merrill and M. Garland, "Single-pass Parallel Prefix Scan with Decoupled
// Look-back", NVIDIA technical report NVR-2016-002, 2016.
//
// A thread keeps several loads of 16 bytes in flight. There are few, large blocks, two of 1024
// threads per SM, and thus few results.
//
// For integer sums, a block adds its sum and the number 1 to the two halves of one word by one
// atomic. The block that completes the count already holds the total: no result is written for
// another block to read, so nothing needs a fence or a second read. All other operators work as in
// last_block.cu.

#include "gpu/block/rows.h"
#include "gpu/primitives/reduce/last_block.h"
#include "gpu/variants.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr unsigned vectors_threads = tile_extent(1024U, 64U);
constexpr unsigned vectors_blocks_each = 2;  // blocks per SM
constexpr unsigned vectors_ahead = 4;        // loads that a thread has in flight

// The items in groups of four neighbours: 16 bytes where an item has 4. Needs `aligned` memory.
template <class T>
struct ByVector {
  const T* in;
  __device__ block::Vector<T> operator[](std::uint32_t i) const {
    return reinterpret_cast<const block::Vector<T>*>(in)[i];
  }
};
template <>
struct ByVector<reduce::OrderedFloats> {
  reduce::OrderedFloats in;
  __device__ block::Vector<float> operator[](std::uint32_t i) const {
    block::Vector<float> items = reinterpret_cast<const block::Vector<float>*>(in.in)[i];
    UNROLL
    for (float& item : items.item) item = reduce::OrderedFloats{&item}[0];
    return items;
  }
};
template <>
struct ByVector<reduce::Products> {
  reduce::Products in;
  __device__ block::Vector<float> operator[](std::uint32_t i) const {
    block::Vector<float> items = reinterpret_cast<const block::Vector<float>*>(in.a)[i];
    const block::Vector<float> others = reinterpret_cast<const block::Vector<float>*>(in.b)[i];
    UNROLL
    for (unsigned k = 0; k < block::Vector<float>::size; ++k) items.item[k] *= others.item[k];
    return items;
  }
};

template <class T>
__device__ inline ByVector<T> by_vector(const T* in) {
  return {in};
}
template <class Items>
__device__ inline ByVector<Items> by_vector(const Items& in) {
  return {in};
}
template <class T>
bool may_go_by_vector(const T* in) {
  return block::is_aligned(in);
}
inline bool may_go_by_vector(const reduce::OrderedFloats& items) {
  return block::is_aligned(items.in);
}
inline bool may_go_by_vector(const reduce::Products& items) {
  return block::is_aligned(items.a) && block::is_aligned(items.b);
}

// Combines this thread's items: `vectors` whole vectors first, then the rest one by one.
template <class Operator, class Items, class T = typename Operator::Type>
__device__ inline T combine_vectors(const Items& items, std::uint32_t n, std::uint32_t vectors) {
  T mine = Operator::identity();
  const std::uint32_t stride = gridDim.x * vectors_threads;
  constexpr unsigned size = block::Vector<T>::size;
  block::Vector<T> padding;
  UNROLL
  for (unsigned k = 0; k < size; ++k) padding.item[k] = Operator::identity();
  block::visit_strided<vectors_ahead>(by_vector(items), vectors, global_thread(), stride, padding,
                                      [&](std::uint32_t, const block::Vector<T>& some) {
                                        UNROLL
                                        for (unsigned k = 0; k < size; ++k)
                                          mine = Operator::combine(mine, some.item[k]);
                                      });
  for (std::uint32_t i = vectors * size + global_thread(); i < n; i += stride)
    mine = Operator::combine(mine, items[i]);
  return mine;
}

// *word starts at 0: the sums of blocks, 48 bits, above the number of blocks that have added, 16
// bits.
__global__ void RESIDENT_BLOCKS(vectors_threads, vectors_blocks_each)
    reduce_word_kernel(const std::int32_t* items, std::uint32_t n, std::uint32_t vectors,
                       std::uint64_t* word, std::int32_t* out) {
  __shared__ block::ReduceStorage<std::int32_t, vectors_threads> storage;
  const auto mine = static_cast<std::uint32_t>(
      block::reduce<SumI32>(combine_vectors<SumI32>(items, n, vectors), storage));
  if (threadIdx.x != 0) return;
  const std::uint64_t before = atomicAdd(word, std::uint64_t{mine} << 16U | 1U);
  if ((before & 0xffffU) == gridDim.x - 1)
    *out = static_cast<std::int32_t>(static_cast<std::uint32_t>(before >> 16U) + mine);
}

// partial[gridDim.x] is scratch; *finished is 0.
template <class Operator, class Items, class T = typename Operator::Type>
__global__ void RESIDENT_BLOCKS(vectors_threads, vectors_blocks_each)
    reduce_vectors_kernel(Items items, std::uint32_t n, std::uint32_t vectors, T* partial,
                          std::uint32_t* finished, T* out) {
  __shared__ block::ReduceStorage<T, vectors_threads> storage;
  __shared__ bool last;
  T mine = block::reduce<Operator>(combine_vectors<Operator>(items, n, vectors), storage);
  if (threadIdx.x == 0) partial[blockIdx.x] = mine;
  if (!block::is_last(finished, last)) return;

  mine = Operator::identity();
  for (std::uint32_t i = threadIdx.x; i < gridDim.x; i += vectors_threads)
    mine = Operator::combine(mine, partial[i]);
  mine = block::reduce<Operator>(mine, storage);
  if (threadIdx.x == 0) *out = mine;
}

}  // namespace

void reduce_vectors(Stream& stream, const ReduceArgs& args, Scratch& scratch) {
  // Boxes are larger than a vector: vector loads would gain nothing.
  if (args.op == ReduceOperator::scene_bounds) return reduce_last_block(stream, args, scratch);

  const auto multiprocessors = static_cast<std::uint32_t>(stream.device().info().multiprocessors);
  constexpr std::uint32_t least_each = vectors_threads * 4;  // the fewest worth a block
  const std::uint32_t blocks = std::clamp(ceil_div(args.n, least_each), 1U,
                                          std::min(multiprocessors * vectors_blocks_each, 65535U));
  reduce::with_commutative_operator(args, [&](auto op, auto items) {
    using Operator = decltype(op);
    using Items = decltype(items);
    using T = typename Operator::Type;
    if constexpr (!std::is_same_v<Operator, UniteBounds>) {
      const Shape shape(blocks, vectors_threads);
      const std::uint32_t vectors = may_go_by_vector(items) ? args.n / block::Vector<T>::size : 0;
      auto* out = static_cast<T*>(args.out);
      if constexpr (std::is_same_v<Operator, SumI32>) {
        auto* word = scratch.take<std::uint64_t>(1, "word");
        if (scratch.measuring()) return;
        stream.fill(word, 0, sizeof(*word));
        launch(stream, KERNEL(reduce_word_kernel), shape, items, args.n, vectors, word, out);
      } else {
        auto* partial = scratch.take<T>(blocks, "partial");
        auto* finished = scratch.take<std::uint32_t>(1, "finished");
        if (scratch.measuring()) return;
        stream.fill(finished, 0, sizeof(*finished));
        launch(stream, KERNEL(reduce_vectors_kernel<Operator, Items>), shape, items, args.n,
               vectors, partial, finished, out);
      }
    }
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
