// Every sort of the catalogue beyond its experiment: bit ranges of every type of key, NaNs, and
// values that are indices.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "gpu/lab/data.h"
#include "gpu/primitives/sort/sort.h"
#include "gpu/runtime/scratch_memory.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

using lab::Distribution;

struct Case {
  SortKey key = SortKey::u32;
  int begin = 0;
  int end = 32;
  bool descending = false;
  int value_bytes = 4;
  bool with_values = true;  // otherwise they are indices
};

// The order that sort.h describes, on the 64 bits of a wider integer.
std::uint64_t compared(std::uint64_t key, const Case& c) {
  const bool is_negative = (key & 0x80000000U) != 0;
  if (c.key == SortKey::i32) key ^= 0x80000000U;
  if (c.key == SortKey::f32) key ^= is_negative ? 0xffffffffU : 0x80000000U;
  const int unused = 64 - c.end;
  return c.begin == c.end ? 0 : key << unused >> unused >> c.begin;
}

class Sort : public testing::TestWithParam<Row> {
 protected:
  // An empty bit range only copies, which supports values of any size.
  bool takes(const Case& c) const {
    const unsigned traits = GetParam().index->traits;
    return (traits & SortTrait::four_byte_values) == 0 || c.value_bytes == 4 || c.begin == c.end;
  }

  template <class Bits, class Value>
  void check(const TestDevice& on, const std::vector<std::uint64_t>& wide, const Case& c) {
    const std::size_t n = wide.size();
    const auto stream = on.device->create_stream();
    ScratchMemory scratch(*on.device);
    const std::vector<Bits> keys(wide.begin(), wide.end());
    const auto payload = lab::integers(Distribution::uniform, n, 8 * sizeof(Value), 2);
    const std::vector<Value> values(payload.begin(), payload.end());
    Buffer<Bits> keys_in(*on.device, n);
    Buffer<Bits> keys_out(*on.device, n);
    Buffer<Value> values_in(*on.device, n);
    Buffer<Value> values_out(*on.device, n);
    keys_in.upload(*stream, keys);
    values_in.upload(*stream, values);
    scratch.run(on.device->table().get<Primitive::sort>(GetParam().index), *stream,
                SortArgs{.key = c.key,
                         .keys_in = keys_in.data(),
                         .keys_out = keys_out.data(),
                         .value_bytes = c.value_bytes,
                         .values_in = c.with_values ? values_in.data() : nullptr,
                         .values_out = values_out.data(),
                         .n = static_cast<std::uint32_t>(n),
                         .begin_bit = c.begin,
                         .end_bit = c.end,
                         .descending = c.descending});

    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return c.descending ? compared(wide[b], c) < compared(wide[a], c)
                          : compared(wide[a], c) < compared(wide[b], c);
    });
    const auto got_keys = keys_out.download(*stream);
    const auto got_values = values_out.download(*stream);
    for (std::size_t i = 0; i < n; ++i) {
      const Value value = c.with_values ? values[order[i]] : Value{order[i]};
      ASSERT_TRUE(got_keys[i] == keys[order[i]] && (c.value_bytes == 0 || got_values[i] == value))
          << "place " << i << " of " << n << ", " << bits_of(c.key) << "-bit keys of type "
          << static_cast<int>(c.key) << ", bits " << c.begin << " to " << c.end
          << (c.descending ? ", descending" : "") << ", " << c.value_bytes << " bytes of value, "
          << on.name;
    }
    ASSERT_EQ(keys_in.download(*stream), keys) << "the input was changed, " << on.name;
  }
  void check(const TestDevice& on, const std::vector<std::uint64_t>& wide, const Case& c) {
    if (!takes(c)) return;
    if (bits_of(c.key) == 64 && c.value_bytes == 8)
      check<std::uint64_t, std::uint64_t>(on, wide, c);
    else if (bits_of(c.key) == 64)
      check<std::uint64_t, std::uint32_t>(on, wide, c);
    else if (c.value_bytes == 8)
      check<std::uint32_t, std::uint64_t>(on, wide, c);
    else
      check<std::uint32_t, std::uint32_t>(on, wide, c);
  }
};

// Sorts by narrow digits, which have many passes, run only at a smaller size.
TEST_P(Sort, OrdersLongKeysOfEveryDistribution) {
  const bool narrow = name_of(GetParam()).starts_with("count_scan_reorder_");
  for (const std::size_t n : narrow ? allowed({16411}) : allowed({65537, 300007}))
    for (const TestDevice& on : devices_for(n, GetParam()))
      for (const Distribution distribution : lab::all_distributions) {
        if (n > 65537 && distribution != Distribution::uniform) continue;
        check(on, lab::integers(distribution, n, 64, 1), {.key = SortKey::u64, .end = 64});
        if (HasFatalFailure()) return;
      }
}

// Digits that all keys share, in every combination: a sort that skips their passes must find what
// the other passes left, and end in the output.
TEST_P(Sort, SkipsDigitsThatAllKeysShare) {
  const Case cases[] = {
      {},
      {.key = SortKey::i32, .descending = true, .with_values = false},
      {.key = SortKey::f32, .descending = true, .value_bytes = 0},
      {.key = SortKey::f32, .begin = 5, .end = 29, .value_bytes = 8},
  };
  for (const std::size_t n : allowed({1025}))
    for (const TestDevice& on : devices_for(n, GetParam()))
      for (unsigned varying = 0; varying < 16; ++varying) {
        // Bits of one digit each, whether digits have six bits or eight.
        std::uint64_t mask = 0;
        for (unsigned byte = 0; byte < 4; ++byte)
          if ((varying >> byte & 1U) != 0) mask |= std::uint64_t{0xf} << 8U * byte;
        std::vector<std::uint64_t> keys = lab::integers(Distribution::uniform, n, 32, varying);
        for (std::uint64_t& key : keys) key = (key & mask) | (0xa5a5a5a5U & ~mask);
        for (const Case& c : cases) {
          check(on, keys, c);
          if (HasFatalFailure()) return;
        }
        for (std::uint64_t& key : keys) key |= key << 32U;
        check(on, keys, {.key = SortKey::u64, .end = 64, .descending = true});
        if (HasFatalFailure()) return;
      }
}

TEST_P(Sort, ComparesOnlyTheBitRangeAndIsStable) {
  const Case cases[] = {
      {.begin = 0, .end = 30},
      {.begin = 0, .end = 1},
      {.begin = 3, .end = 20},
      {.begin = 24, .end = 32, .descending = true},
      {.begin = 7, .end = 7},
      {.begin = 7, .end = 7, .value_bytes = 8, .with_values = false},
      {.begin = 7, .end = 7, .value_bytes = 0},
      {.begin = 20, .end = 31, .value_bytes = 0},
      {.key = SortKey::i32, .begin = 25, .end = 32, .value_bytes = 8},
      {.key = SortKey::i32, .begin = 2, .end = 17, .descending = true},
      {.key = SortKey::f32, .begin = 23, .end = 32},
      {.key = SortKey::f32, .begin = 4, .end = 22, .descending = true, .value_bytes = 0},
      {.key = SortKey::u64, .end = 63, .with_values = false},
      {.key = SortKey::u64, .begin = 30, .end = 41, .value_bytes = 8},
      {.key = SortKey::u64, .begin = 63, .end = 64, .descending = true, .with_values = false},
      {.key = SortKey::u64, .begin = 40, .end = 64, .value_bytes = 0},
      {.key = SortKey::u64, .begin = 0, .end = 0, .with_values = false},
  };
  for (const std::size_t n : allowed({33, 1025, 4097}))
    for (const TestDevice& on : devices_for(n, GetParam()))
      for (const Case& c : cases) {
        check(on,
              lab::integers(n == 33 ? Distribution::few : Distribution::uniform, n, bits_of(c.key),
                            1),
              c);
        if (HasFatalFailure()) return;
      }
}

// 300 of each, interleaved, so that they also fill buckets and tiles.
TEST_P(Sort, OrdersEveryFloat) {
  using Limits = std::numeric_limits<float>;
  std::vector<float> floats = {0.0F,
                               1.0F,
                               -1.0F,
                               Limits::infinity(),
                               -Limits::infinity(),
                               Limits::denorm_min(),
                               -Limits::denorm_min(),
                               Limits::max(),
                               Limits::lowest(),
                               Limits::quiet_NaN(),
                               -Limits::quiet_NaN()};
  if (!is_library(GetParam().index)) floats.push_back(-0.0F);  // CUB treats it as 0
  std::vector<std::uint64_t> bits;
  for (int i = 0; i < 300; ++i)
    for (const float f : floats) bits.push_back(std::bit_cast<std::uint32_t>(f));
  for (const TestDevice& on : devices_for(bits.size(), GetParam()))
    for (const bool descending : {false, true}) {
      check(on, bits, {.key = SortKey::f32, .descending = descending});
      if (HasFatalFailure()) return;
    }
}

TEST_P(Sort, RefusesInvalidArguments) {
  const TestDevice on = devices_for(1, GetParam()).front();
  const auto stream = on.device->create_stream();
  ScratchMemory scratch(*on.device);
  auto* sort = on.device->table().get<Primitive::sort>(GetParam().index);
  for (const SortArgs& args : {SortArgs{.n = 1, .begin_bit = -1, .end_bit = 4},
                               SortArgs{.n = 1, .begin_bit = 0, .end_bit = 33},
                               SortArgs{.n = 1, .begin_bit = 9, .end_bit = 8},
                               SortArgs{.key = SortKey::i32, .n = 1, .end_bit = 64},
                               SortArgs{.value_bytes = 2, .n = 1}, SortArgs{.n = 1U << 30U}})
    EXPECT_THROW(scratch.run(sort, *stream, args), Error);
  for (const int value_bytes : {0, 8}) {
    if (takes({.value_bytes = value_bytes})) continue;
    EXPECT_THROW(scratch.run(sort, *stream, SortArgs{.value_bytes = value_bytes, .n = 1}), Error);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Sort, testing::ValuesIn(rows_of(Primitive::sort)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
