// What the host functions of the radix sorts share: the arguments, and the inputs and outputs of
// each pass.
#pragma once

#include <string>

#include "gpu/primitives/sort/tile.h"

namespace warpview::WARPVIEW_BACKEND::sort {

// Throws Error unless the arguments are valid and n is within the sorts' range.
inline void check_arguments(const SortArgs& args) {
  if (args.begin_bit < 0 || args.end_bit > bits_of(args.key) || args.begin_bit > args.end_bit)
    throw Error("radix sort of an impossible bit range",
                "these keys have " + std::to_string(bits_of(args.key)) + " bits",
                "Choose 0 <= begin_bit <= end_bit <= the bits of a key");
  if (args.value_bytes != 0 && args.value_bytes != 4 && args.value_bytes != 8)
    throw Error("radix sort with values of " + std::to_string(args.value_bytes) + " bytes",
                "values have 4 or 8 bytes, or 0 where keys are sorted alone",
                "Sort 4-byte indices and gather by them");
  if (args.n >= 1U << 30U)
    throw Error("radix sort of 2^30 keys or more", "tile counts have 30 bits", "Sort fewer keys");
}

// A second array of keys and values, which passes alternate with the output.
template <class Key, class Value>
struct Pairs {
  Key* keys;
  Value* values;  // null where there are none

  // From pair i on.
  HOST_DEVICE Pairs from(std::uint32_t i) const {
    if constexpr (has_values<Value>)
      return {keys + i, values + i};
    else
      return {keys + i, nullptr};
  }
};
template <class Key, class Value>
Pairs<Key, Value> take_pairs(std::uint32_t n, Scratch& scratch) {
  auto* keys = scratch.take<Key>(n, "keys");
  if constexpr (has_values<Value>)
    return {keys, scratch.take<Value>(n, "values")};
  else
    return {keys, nullptr};
}
template <class Key, class Value>
Pairs<Key, Value> output_pairs(const SortArgs& args) {
  return {static_cast<Key*>(args.keys_out), static_cast<Value*>(args.values_out)};
}

// The arrays of all passes. The first reads the input; then they alternate between the output and
// `other`, so that the last one ends in the output.
template <class Key, class Value>
struct AllPasses {
  Input<Key, Value> input;
  Pairs<Key, Value> out, other;

  // The buffers of the pass with `left` passes to go, itself included: 1 for the last.
  HOST_DEVICE PassBuffers<Key, Value> of(bool is_first, unsigned left) const {
    const bool writes_out = left % 2 == 1;
    // Member by member: of two structs the compiler would select the address, and keep both in
    // memory.
    PassBuffers<Key, Value> buffers{.keys_in = writes_out ? other.keys : out.keys,
                                    .values_in = writes_out ? other.values : out.values,
                                    .keys_out = writes_out ? out.keys : other.keys,
                                    .values_out = writes_out ? out.values : other.values,
                                    .order_in = {},
                                    .order_out = left == 1 ? input.order : Order<Key>{}};
    if (is_first) buffers.read(input);
    return buffers;
  }
};
template <class Key, class Value>
AllPasses<Key, Value> all_passes(const SortArgs& args, const Pairs<Key, Value>& other) {
  return {.input = {static_cast<const Key*>(args.keys_in),
                    static_cast<const Value*>(args.values_in), order_of<Key>(args)},
          .out = output_pairs<Key, Value>(args),
          .other = other};
}

template <class Value>
__global__ void identity_kernel(Value* values, std::uint32_t n) {
  if (const std::uint32_t i = global_thread(); i < n) values[i] = i;
}
// values[i] = i.
inline void fill_identity(Stream& stream, int value_bytes, void* values, std::uint32_t n) {
  if (value_bytes == 4)
    launch(stream, KERNEL(identity_kernel<std::uint32_t>), one_thread_each(n),
           static_cast<std::uint32_t*>(values), n);
  else
    launch(stream, KERNEL(identity_kernel<std::uint64_t>), one_thread_each(n),
           static_cast<std::uint64_t*>(values), n);
}

// A sort by an empty bit range.
inline void copy_pairs(Stream& stream, const SortArgs& args) {
  const auto value_bytes = static_cast<std::size_t>(args.value_bytes);
  stream.copy(args.keys_out, args.keys_in, std::size_t{args.n} * (bits_of(args.key) / 8),
              Copy::device_to_device);
  if (value_bytes == 0) return;
  if (args.values_in)
    stream.copy(args.values_out, args.values_in, args.n * value_bytes, Copy::device_to_device);
  else
    fill_identity(stream, args.value_bytes, args.values_out, args.n);
}

// Checks the arguments and handles what needs no sorting. Returns whether anything is left to do.
inline bool must_sort(Stream& stream, const SortArgs& args, const Scratch& scratch) {
  check_arguments(args);
  if (args.n == 0) return false;
  if (args.begin_bit < args.end_bit) return true;
  if (!scratch.measuring()) copy_pairs(stream, args);
  return false;
}

template <class Key, class SortPairs>
void with_value_type(int value_bytes, SortPairs sort_pairs) {
  if (value_bytes == 0)
    sort_pairs(Key{}, NoValue{});
  else if (value_bytes == 4)
    sort_pairs(Key{}, std::uint32_t{});
  else
    sort_pairs(Key{}, std::uint64_t{});
}
// The host function of each of our sorts: calls sort_pairs(Key{}, Value{}) with the unsigned
// integers of the arguments' widths, if anything must be sorted.
template <class SortPairs>
void sort_by_widths(Stream& stream, const SortArgs& args, const Scratch& scratch,
                    SortPairs sort_pairs) {
  if (!must_sort(stream, args, scratch)) return;
  if (bits_of(args.key) == 32)
    with_value_type<std::uint32_t>(args.value_bytes, sort_pairs);
  else
    with_value_type<std::uint64_t>(args.value_bytes, sort_pairs);
}

// As sort_by_widths, for sorts compiled only for 4-byte values (SortTrait::four_byte_values).
template <class SortPairs>
void sort_with_words(Stream& stream, const SortArgs& args, const Scratch& scratch,
                     SortPairs sort_pairs) {
  if (!must_sort(stream, args, scratch)) return;
  if (args.value_bytes != 4)
    throw Error("radix sort with values of " + std::to_string(args.value_bytes) + " bytes",
                "this variant takes values of 4 bytes", "Choose sort=count_scan_reorder");
  if (bits_of(args.key) == 32)
    sort_pairs(std::uint32_t{}, std::uint32_t{});
  else
    sort_pairs(std::uint64_t{}, std::uint32_t{});
}

}  // namespace warpview::WARPVIEW_BACKEND::sort
