// The vendor's radix sort, the yardstick of ours: CUB, rocPRIM; oneTBB's comparison sort on cpu.

#include "gpu/sort/digits.h"

#if defined(WARPVIEW_BACKEND_CUDA)
#include <cub/device/device_radix_sort.cuh>
#elif defined(WARPVIEW_BACKEND_HIP)
#include <iostream>  // rocPRIM's headers name std::cout without it

#include <rocprim/device/device_radix_sort.hpp>
#else
#include <tbb/parallel_sort.h>

#include <numeric>
#include <vector>
#endif

namespace warpview::WARPVIEW_BACKEND {

namespace {

#if defined(WARPVIEW_BACKEND_CPU)

template <class Key>
void sort_pairs(Stream& stream, const SortArgs& args, Workspace& workspace) {
  if (workspace.measuring()) return;
  run_host(stream, [args] {
    const auto* keys = static_cast<const Key*>(args.keys_in);
    auto* keys_out = static_cast<Key*>(args.keys_out);
    const int unused = 8 * static_cast<int>(sizeof(Key)) - args.end_bit;
    const auto significant = [&](std::uint32_t i) {
      return static_cast<Key>(keys[i] << unused) >> (unused + args.begin_bit);
    };
    std::vector<std::uint32_t> order(args.n);
    std::iota(order.begin(), order.end(), 0U);
    // The index decides between equal keys, which makes the sort stable.
    tbb::parallel_sort(order, [&](std::uint32_t a, std::uint32_t b) {
      const Key key_a = significant(a);
      const Key key_b = significant(b);
      return key_a != key_b ? key_a < key_b : a < b;
    });
    for (std::uint32_t i = 0; i < args.n; ++i) {
      keys_out[i] = keys[order[i]];
      args.values_out[i] = args.values_in ? args.values_in[order[i]] : order[i];
    }
  });
}

#else

template <class Key>
void sort_pairs(Stream& stream, const SortArgs& args, Workspace& workspace) {
  std::uint32_t* identity = args.values_in ? nullptr : workspace.take<std::uint32_t>(args.n);
  const std::uint32_t* values_in = args.values_in ? args.values_in : identity;
  const auto run = [&](void* memory, std::size_t& bytes) {
    const auto* keys_in = static_cast<const Key*>(args.keys_in);
    auto* keys_out = static_cast<Key*>(args.keys_out);
#if defined(WARPVIEW_BACKEND_CUDA)
    check(cub::DeviceRadixSort::SortPairs(memory, bytes, keys_in, keys_out, values_in,
                                          args.values_out, args.n, args.begin_bit, args.end_bit,
                                          native(stream)),
          "cub::DeviceRadixSort");
#else
    check(rocprim::radix_sort_pairs(memory, bytes, keys_in, keys_out, values_in, args.values_out,
                                    args.n, static_cast<unsigned>(args.begin_bit),
                                    static_cast<unsigned>(args.end_bit), native(stream)),
          "rocprim::radix_sort_pairs");
#endif
  };
  std::size_t bytes = 0;
  run(nullptr, bytes);
  void* memory = workspace.take<std::byte>(bytes + 1);  // never null: null only asks for the size
  if (workspace.measuring()) return;
  if (identity)
    launch(stream, KERNEL(sort::identity_kernel), one_thread_each(args.n), identity, args.n);
  run(memory, bytes);
}

#endif

}  // namespace

void sort_library(Stream& stream, const SortArgs& args, Workspace& workspace) {
  sort::sort_by_key_type(stream, args, workspace,
                         [&](auto key) { sort_pairs<decltype(key)>(stream, args, workspace); });
}

}  // namespace warpview::WARPVIEW_BACKEND
