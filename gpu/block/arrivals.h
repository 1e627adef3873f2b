// Tiles of an array that arrive in shared memory while the block works on earlier ones.
//
// CUDA C++ Programming Guide, Asynchronous Data Copies.
//
// Where the device has a copy engine (cuda from compute capability 9.0 on) one thread requests a
// tile and no thread waits until the tile is needed. Elsewhere, and where the array is not aligned
// for that copy, the block's threads load the tile when it is requested.
#pragma once

#include "gpu/block/rows.h"

#if defined(WARPVIEW_BACKEND_CUDA)
#include "gpu/runtime/cuda/bulk_copy.h"
#endif

namespace warpview::WARPVIEW_BACKEND::block {

// Tiles of `size` items, up to `stages` of them at a time, for blocks of `threads` threads. With
// `previous`, a tile's stage also holds the item before the tile, at index -1.
template <class T, unsigned threads, std::uint32_t size, unsigned stages, bool previous = false>
class Arrivals {
  static constexpr std::uint32_t vector = Vector<T>::size;
  static constexpr std::uint32_t in_front = previous ? vector : 0;
  static_assert(size % vector == 0 && sizeof(Vector<T>) % 16 == 0);

 public:
  struct Storage {
    alignas(128) T items[stages][in_front + size];
#if defined(WARPVIEW_BACKEND_CUDA)
    BulkBarrier arrived[stages];
#endif
  };

  // `aligned`: `in` is aligned to whole vectors. Items from number n on are `padding`.
  __device__ Arrivals(Storage& storage, const T* in, std::uint32_t n, bool aligned, T padding)
      : storage_(storage), in_(in), n_(n), aligned_(aligned), padding_(padding) {}

  // Called by the whole block, before a barrier and the first `ask`.
  __device__ void begin() {
#if defined(WARPVIEW_BACKEND_CUDA)
    if (threadIdx.x == 0)
      for (unsigned s = 0; s < stages; ++s) storage_.arrived[s].begin();
#endif
  }

  // Requests a non-empty tile, the block's k-th, counted from 0. Called by the whole block, which
  // has left the stage's previous tile, k - stages, behind a barrier.
  __device__ void ask(unsigned k, std::uint32_t tile) {
    T* const to = stage(k);
    const std::uint32_t begin = tile * size;
#if defined(WARPVIEW_BACKEND_CUDA)
    if (is_copied(tile)) {
      const std::uint32_t before = tile > 0 ? in_front : 0;
      if (threadIdx.x == 0)
        storage_.arrived[k % stages].copy(to - before, in_ + (begin - before),
                                          (before + size) * sizeof(T));
      return;
    }
#endif
    if (previous && threadIdx.x == 0 && tile > 0) to[-1] = in_[begin - 1];
    const bool whole = aligned_ && n_ - begin >= size;
    for (std::uint32_t i = threadIdx.x * vector; i < size; i += threads * vector) {
      auto& items = *reinterpret_cast<Vector<T>*>(to + i);
      if (whole) {
        items = *reinterpret_cast<const Vector<T>*>(in_ + begin + i);
      } else {
        UNROLL
        for (std::uint32_t j = 0; j < vector; ++j)
          items.item[j] = i + j < n_ - begin ? in_[begin + i + j] : padding_;
      }
    }
  }

  // Waits for the block's k-th tile and returns its items. Called by the whole block, in the order
  // of the tiles.
  __device__ T* wait(unsigned k, [[maybe_unused]] std::uint32_t tile) {
#if defined(WARPVIEW_BACKEND_CUDA)
    if (is_copied(tile)) {
      storage_.arrived[k % stages].wait(k / stages);
      return stage(k);
    }
#endif
    __syncthreads();
    return stage(k);
  }
  // The items of that tile, again.
  __device__ T* stage(unsigned k) const { return storage_.items[k % stages] + in_front; }

 private:
#if defined(WARPVIEW_BACKEND_CUDA)
  __device__ bool is_copied(std::uint32_t tile) const {
    return has_bulk_copies && aligned_ && n_ - tile * size >= size;
  }
#endif

  Storage& storage_;
  const T* in_;
  std::uint32_t n_;
  bool aligned_;
  T padding_;
};

}  // namespace warpview::WARPVIEW_BACKEND::block
