// The vendor's radix sort, the baseline: CUB, rocPRIM; oneTBB's comparison sort on cpu.
//
// Both support every type of key in both directions, but each combination takes seconds to compile.
// With 32-bit values, as the laboratory compares them, CUB sorts all types directly. Everything
// else is sorted as ascending unsigned integers, with keys mapped before and back after.

#include "gpu/primitives/sort/passes.h"
#include "gpu/runtime/vendor_scratch.h"

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

template <class Key, class Value>
void sort_pairs(Stream& stream, const SortArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  run_host(stream, [args] {
    const auto* keys = static_cast<const Key*>(args.keys_in);
    auto* keys_out = static_cast<Key*>(args.keys_out);
    const sort::Order<Key> by_key = sort::order_of<Key>(args);
    const int unused = bits_of(args.key) - args.end_bit;
    const auto significant = [&](std::uint32_t i) {
      return static_cast<Key>(by_key.map(keys[i]) << unused) >> (unused + args.begin_bit);
    };
    std::vector<std::uint32_t> order(args.n);
    std::iota(order.begin(), order.end(), 0U);
    // The index decides between equal keys, which makes the sort stable.
    tbb::parallel_sort(order, [&](std::uint32_t a, std::uint32_t b) {
      const Key key_a = significant(a);
      const Key key_b = significant(b);
      return key_a != key_b ? key_a < key_b : a < b;
    });
    for (std::uint32_t i = 0; i < args.n; ++i) keys_out[i] = keys[order[i]];
    if constexpr (sort::has_values<Value>) {
      const auto* values = static_cast<const Value*>(args.values_in);
      auto* values_out = static_cast<Value*>(args.values_out);
      for (std::uint32_t i = 0; i < args.n; ++i)
        values_out[i] = values ? values[order[i]] : Value{order[i]};
    }
  });
}

}  // namespace

void sort_library(Stream& stream, const SortArgs& args, Scratch& scratch) {
  sort::sort_by_widths(stream, args, scratch, [&](auto key, auto value) {
    sort_pairs<decltype(key), decltype(value)>(stream, args, scratch);
  });
}

#else

// Whether keys of all types are sorted directly, in both directions.
#if defined(WARPVIEW_BACKEND_CUDA)
template <class Value>
constexpr bool is_native = std::is_same_v<Value, std::uint32_t>;
#else
template <class Value>
constexpr bool is_native = false;
#endif

template <class Key, class Value>
void vendor_sort(void* memory, std::size_t& bytes, Stream& stream, const SortArgs& args) {
  const auto* keys_in = static_cast<const Key*>(args.keys_in);
  auto* keys_out = static_cast<Key*>(args.keys_out);
  [[maybe_unused]] const auto* values_in = static_cast<const Value*>(args.values_in);
  [[maybe_unused]] auto* values_out = static_cast<Value*>(args.values_out);
#if defined(WARPVIEW_BACKEND_CUDA)
  using Radix = cub::DeviceRadixSort;
  const int begin = args.begin_bit;
  const int end = args.end_bit;
  if constexpr (is_native<Value>)
    check(args.descending
              ? Radix::SortPairsDescending(memory, bytes, keys_in, keys_out, values_in, values_out,
                                           args.n, begin, end, native(stream))
              : Radix::SortPairs(memory, bytes, keys_in, keys_out, values_in, values_out, args.n,
                                 begin, end, native(stream)),
          "cub::DeviceRadixSort");
  else if constexpr (sort::has_values<Value>)
    check(Radix::SortPairs(memory, bytes, keys_in, keys_out, values_in, values_out, args.n, begin,
                           end, native(stream)),
          "cub::DeviceRadixSort");
  else
    check(Radix::SortKeys(memory, bytes, keys_in, keys_out, args.n, begin, end, native(stream)),
          "cub::DeviceRadixSort");
#else
  const auto begin = static_cast<unsigned>(args.begin_bit);
  const auto end = static_cast<unsigned>(args.end_bit);
  if constexpr (sort::has_values<Value>)
    check(rocprim::radix_sort_pairs(memory, bytes, keys_in, keys_out, values_in, values_out, args.n,
                                    begin, end, native(stream)),
          "rocprim::radix_sort_pairs");
  else
    check(rocprim::radix_sort_keys(memory, bytes, keys_in, keys_out, args.n, begin, end,
                                   native(stream)),
          "rocprim::radix_sort_keys");
#endif
}

template <class Key, class Value>
void sort_pairs(Stream& stream, SortArgs args, Scratch& scratch) {
  void* places = nullptr;
  if (args.value_bytes > 0 && args.values_in == nullptr) {
    places = scratch.take<std::byte>(args.n * static_cast<std::size_t>(args.value_bytes), "places");
    args.values_in = places;
  }
  if (places && !scratch.measuring()) sort::fill_identity(stream, args.value_bytes, places, args.n);
  with_scratch(scratch, [&](void* memory, std::size_t& bytes) {
    vendor_sort<Key, Value>(memory, bytes, stream, args);
  });
}

template <class Key>
__global__ void map_kernel(const Key* in, std::uint32_t n, sort::Order<Key> order, Key* out) {
  if (const std::uint32_t i = global_thread(); i < n) out[i] = order.map(in[i]);
}
template <class Key>
__global__ void unmap_kernel(Key* keys, std::uint32_t n, sort::Order<Key> order) {
  if (const std::uint32_t i = global_thread(); i < n) keys[i] = order.unmap(keys[i]);
}

template <class Key, class Value>
void sort_mapped(Stream& stream, const SortArgs& args, Scratch& scratch) {
  const sort::Order<Key> order = sort::order_of<Key>(args);
  if (!order.changes()) {
    sort_pairs<Key, Value>(stream, args, scratch);
    return;
  }
  Key* mapped = scratch.take<Key>(args.n, "mapped");
  if (!scratch.measuring())
    launch(stream, KERNEL(map_kernel<Key>), one_thread_each(args.n),
           static_cast<const Key*>(args.keys_in), args.n, order, mapped);
  SortArgs unsigned_args = args;
  unsigned_args.keys_in = mapped;
  unsigned_args.descending = false;
  sort_pairs<Key, Value>(stream, unsigned_args, scratch);
  if (!scratch.measuring())
    launch(stream, KERNEL(unmap_kernel<Key>), one_thread_each(args.n),
           static_cast<Key*>(args.keys_out), args.n, order);
}

}  // namespace

void sort_library(Stream& stream, const SortArgs& args, Scratch& scratch) {
  sort::sort_by_widths(stream, args, scratch, [&](auto key, auto value) {
    using Key = decltype(key);
    using Value = decltype(value);
    if constexpr (!is_native<Value>)
      sort_mapped<Key, Value>(stream, args, scratch);
    else if (args.key == SortKey::i32)
      sort_pairs<std::int32_t, Value>(stream, args, scratch);
    else if (args.key == SortKey::f32)
      sort_pairs<float, Value>(stream, args, scratch);
    else
      sort_pairs<Key, Value>(stream, args, scratch);
  });
}

#endif

}  // namespace warpview::WARPVIEW_BACKEND
