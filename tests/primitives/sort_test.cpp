// Every sort of the catalogue against std::stable_sort.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "gpu/runtime/scratch.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

struct BitRange {
  int begin, end;
};

class Sort : public testing::TestWithParam<Row> {
 protected:
  template <class Key>
  void check(const TestDevice& on, std::size_t n, Pattern pattern, BitRange bits,
             bool with_values) {
    constexpr int key_bits = 8 * sizeof(Key);
    const auto stream = on.device->create_stream();
    Scratch scratch(*on.device);
    const auto wide = values(pattern, n, key_bits);
    const std::vector<Key> keys(wide.begin(), wide.end());
    const auto wide_payload = values(Pattern::random, n, 32);
    const std::vector<std::uint32_t> payload(wide_payload.begin(), wide_payload.end());
    Buffer<Key> keys_in(*on.device, n);
    Buffer<Key> keys_out(*on.device, n);
    Buffer<std::uint32_t> values_in(*on.device, n);
    Buffer<std::uint32_t> values_out(*on.device, n);
    keys_in.upload(*stream, keys);
    values_in.upload(*stream, payload);
    scratch.run(on.device->table().get<Primitive::sort>(GetParam().index), *stream,
                SortArgs{.key_bits = key_bits,
                         .keys_in = keys_in.data(),
                         .keys_out = keys_out.data(),
                         .values_in = with_values ? values_in.data() : nullptr,
                         .values_out = values_out.data(),
                         .n = static_cast<std::uint32_t>(n),
                         .begin_bit = bits.begin,
                         .end_bit = bits.end});

    const int width = bits.end - bits.begin;
    const Key mask = width == key_bits ? ~Key{0} : static_cast<Key>((Key{1} << width) - 1);
    const auto compared = [&](Key key) {
      return width == 0 ? Key{0} : static_cast<Key>(key >> bits.begin) & mask;
    };
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return compared(keys[a]) < compared(keys[b]);
    });
    const auto got_keys = keys_out.download(*stream);
    const auto got_values = values_out.download(*stream);
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t value = with_values ? payload[order[i]] : order[i];
      ASSERT_TRUE(got_keys[i] == keys[order[i]] && got_values[i] == value)
          << "place " << i << " of " << n << ", " << to_string(pattern) << ", " << key_bits
          << "-bit keys, bits " << bits.begin << " to " << bits.end << ", " << on.name;
    }
    ASSERT_EQ(keys_in.download(*stream), keys) << "the input was changed, " << on.name;
  }
};

TEST_P(Sort, OrdersEveryPattern) {
  for (const std::size_t n : sizes()) {
    for (const TestDevice& on : devices_for(n, GetParam())) {
      for (const Pattern pattern : patterns) {
        check<std::uint32_t>(on, n, pattern, {0, 32}, pattern != Pattern::random);
        check<std::uint64_t>(on, n, pattern, {0, 64}, pattern == Pattern::random);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(Sort, ComparesTheBitRangeAloneAndIsStable) {
  for (const std::size_t n : {33, 1025}) {
    for (const TestDevice& on : devices_for(n, GetParam())) {
      for (const BitRange bits : {BitRange{0, 30}, {0, 1}, {3, 20}, {24, 32}, {7, 7}})
        check<std::uint32_t>(on, n, Pattern::random, bits, true);
      for (const BitRange bits : {BitRange{0, 63}, {30, 41}, {63, 64}, {0, 0}})
        check<std::uint64_t>(on, n, Pattern::random, bits, false);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(Sort, RefusesImpossibleBitRanges) {
  const TestDevice on = devices_for(1, GetParam()).front();
  const auto stream = on.device->create_stream();
  Scratch scratch(*on.device);
  for (const BitRange bits : {BitRange{-1, 4}, {0, 33}, {9, 8}})
    EXPECT_THROW(scratch.run(on.device->table().get<Primitive::sort>(GetParam().index), *stream,
                             SortArgs{.n = 1, .begin_bit = bits.begin, .end_bit = bits.end}),
                 Error);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Sort, testing::ValuesIn(rows_of(Primitive::sort)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
