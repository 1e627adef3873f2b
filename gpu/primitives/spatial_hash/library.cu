// Spatial hash by the vendor's sort: CUB, rocPRIM, oneTBB.
//
//   S. Green, "Particle Simulation using CUDA", NVIDIA, 2010: the sample sorts by Thrust, which is
//   CUB underneath.
//
// This is sort.cu, with pairs of key and index passed to the library as its documentation shows.
#include "gpu/primitives/spatial_hash/keyed.h"
#include "gpu/runtime/vendor_scratch.h"

#if defined(WARPVIEW_BACKEND_CUDA)
#include <cub/device/device_radix_sort.cuh>
#elif defined(WARPVIEW_BACKEND_HIP)
#include <iostream>  // rocPRIM's headers name std::cout without it

#include <rocprim/device/device_radix_sort.hpp>
#else
#include <tbb/parallel_sort.h>
#endif

namespace warpview::WARPVIEW_BACKEND {

namespace {

// One thread per particle: the key of its cell and, where the library needs pairs, its index.
__global__ void pairs_kernel(Cells cells, const Vec4* __restrict__ positions,
                             std::uint32_t* __restrict__ keys,
                             std::uint32_t* __restrict__ numbers) {
  const std::uint32_t i = global_thread();
  if (i >= cells.n) return;
  keys[i] = spatial::key_of_particle<CellKind::hashed>(cells, positions, i);
  numbers[i] = i;
}

}  // namespace

void spatial_hash_library(Stream& stream, const SpatialHashArgs& args, Scratch& scratch) {
  const std::uint32_t n = args.n;
  const Cells cells = cells_of(args, CellKind::hashed);
  auto* keys = scratch.take<std::uint32_t>(n, "keys");
  auto* sorted_keys = scratch.take<std::uint32_t>(n, "sorted_keys");
#if defined(WARPVIEW_BACKEND_CPU)
  std::uint32_t* const numbers = args.order;  // sorted in place
#else
  auto* const numbers = scratch.take<std::uint32_t>(n, "numbers");
#endif
  if (!scratch.measuring())
    launch(stream, KERNEL(pairs_kernel), one_thread_each(n), cells, args.positions, keys, numbers);

#if defined(WARPVIEW_BACKEND_CPU)
  if (scratch.measuring()) return;
  run_host(stream, [=] {
    std::uint32_t* const order = numbers;
    // The index decides between equal keys, which makes the sort stable.
    tbb::parallel_sort(order, order + n, [keys](std::uint32_t a, std::uint32_t b) {
      return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
    });
    for (std::uint32_t i = 0; i < n; ++i) sorted_keys[i] = keys[order[i]];
  });
#else
  if (n > 0)
    with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
#if defined(WARPVIEW_BACKEND_CUDA)
      check(cub::DeviceRadixSort::SortPairs(memory, bytes, keys, sorted_keys, numbers, args.order,
                                            n, 0, spatial::key_bits(cells), native(stream)),
            "cub::DeviceRadixSort::SortPairs");
#else
      check(rocprim::radix_sort_pairs(memory, bytes, keys, sorted_keys, numbers, args.order, n, 0,
                                      static_cast<unsigned>(spatial::key_bits(cells)),
                                      native(stream)),
            "rocprim::radix_sort_pairs");
#endif
    });
  if (scratch.measuring()) return;
#endif
  spatial::queue_ranges(stream, args, cells, sorted_keys);
}

}  // namespace warpview::WARPVIEW_BACKEND
