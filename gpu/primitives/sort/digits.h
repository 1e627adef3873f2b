// Digits of keys, and the mapping of every key type to unsigned integers in the same order.
#pragma once

#include <type_traits>

#include "gpu/primitives/sort/sort.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::sort {

inline constexpr int digit_bits = tile_extent(8, 6);
inline constexpr unsigned digit_values = 1U << digit_bits;
// The minimum per block: thread d handles digit d.
inline constexpr unsigned threads = digit_values;

// One pass sorts by key bits [shift, shift + bits).
struct Digit {
  int shift;
  int bits;  // 1 to digit_bits

  template <class Key>
  HOST_DEVICE std::uint32_t of(Key key) const {
    return static_cast<std::uint32_t>(key >> shift) & ((1U << bits) - 1);
  }
};

// The digits of `width` bits by which keys are compared in bits [begin_bit, end_bit), least
// significant first, with one pass for each.
template <int width>
struct DigitsOf {
  int begin_bit;
  int end_bit;

  HOST_DEVICE int count() const { return ceil_div(end_bit - begin_bit, width); }
  HOST_DEVICE Digit operator[](int pass) const {
    const int shift = begin_bit + pass * width;
    return {shift, end_bit - shift < width ? end_bit - shift : width};
  }

  // All digits of a key, side by side, are key >> begin_bit & ones<Key>(), without the bits above
  // them; there must be some. Each is then a whole digit, at a place known at compile time.
  template <class Key>
  HOST_DEVICE Key ones() const {
    return ~Key{0} >> (static_cast<int>(8 * sizeof(Key)) - (end_bit - begin_bit));
  }
  template <class Key>
  HOST_DEVICE static std::uint32_t one_of(Key all, int pass) {
    return static_cast<std::uint32_t>(all >> pass * width) % (1U << width);
  }
};
using Digits = DigitsOf<digit_bits>;

// Kernels treat keys as unsigned integers of their width, and sort them ascending. One mapping
// handles key types and directions. The first pass maps the keys that it reads, the last maps back
// the keys that it writes, and an identity mapping takes neither step.
template <class Key>
struct Order {
  Key flip = 0;           // bits to complement
  Key flip_negative = 0;  // more of them, except the highest, where the highest is set

  HOST_DEVICE bool changes() const { return (flip | flip_negative) != 0; }
  HOST_DEVICE Key map(Key key) const { return magnitude(key) ^ flip; }
  HOST_DEVICE Key unmap(Key mapped) const { return magnitude(mapped ^ flip); }

 private:
  // It keeps the highest bit, and so is its own inverse.
  HOST_DEVICE Key magnitude(Key key) const {
    const auto is_negative = static_cast<std::make_signed_t<Key>>(key) < 0;
    return is_negative ? key ^ flip_negative : key;
  }
};

template <class Key>
Order<Key> order_of(const SortArgs& args) {
  constexpr Key highest = Key{1} << (8 * sizeof(Key) - 1);
  Order<Key> order;
  if (args.key == SortKey::i32 || args.key == SortKey::f32) order.flip = highest;
  if (args.key == SortKey::f32) order.flip_negative = ~highest;
  // Complements compare in reverse, and equal keys stay equal: stable.
  if (args.descending) order.flip = ~order.flip;
  return order;
}

// Values are unsigned integers of their width, or this type.
struct NoValue {};
template <class Value>
inline constexpr bool has_values = !std::is_same_v<Value, NoValue>;

}  // namespace warpview::WARPVIEW_BACKEND::sort
