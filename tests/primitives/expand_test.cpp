// Every expansion of the catalogue beyond its experiment: more outputs than there is room for, and
// counts of any size.
#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/primitives/expand/expand.h"
#include "gpu/runtime/scratch_memory.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

class Expand : public testing::TestWithParam<Row> {
 protected:
  static constexpr std::uint32_t unwritten = 0xcdcdcdcdU;

  // The words of the output and some past its end, and the total after those.
  std::vector<std::uint32_t> expanded(const TestDevice& on,
                                      const std::vector<std::uint32_t>& counts,
                                      std::uint32_t capacity) const {
    const auto stream = on.device->create_stream();
    ScratchMemory scratch(*on.device);
    Buffer<std::uint32_t> in(*on.device, counts.size());
    const Buffer<std::uint32_t> out(*on.device, capacity + guard);
    const Buffer<std::uint32_t> total(*on.device, 1);
    in.upload(*stream, counts);
    stream->fill(out.data(), 0xcd, out.bytes());
    stream->fill(total.data(), 0xcd, total.bytes());
    scratch.run(on.device->table().get<Primitive::expand>(GetParam().index), *stream,
                ExpandArgs{.counts = in.data(),
                           .n = static_cast<std::uint32_t>(counts.size()),
                           .out = out.data(),
                           .capacity = capacity,
                           .total = total.data()});
    std::vector<std::uint32_t> words = out.download(*stream);
    words.push_back(total.download(*stream).front());
    return words;
  }

  static constexpr std::uint32_t guard = 64;
};

// Nothing after the end of the output is written, and the total is the room that it would need.
TEST_P(Expand, DropsWhatDoesNotFit) {
  const bool in_order = GetParam().index->determinism == Determinism::same_bits;
  std::vector<std::uint32_t> counts(allowed(5000));
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = static_cast<std::uint32_t>(i % 4);
  std::vector<std::uint32_t> want;
  for (std::size_t i = 0; i < counts.size(); ++i)
    want.insert(want.end(), counts[i], static_cast<std::uint32_t>(i));
  const auto all = static_cast<std::uint32_t>(want.size());
  for (const TestDevice& on : devices_for(counts.size(), GetParam()))
    for (const std::uint32_t capacity : {0U, 1U, all / 2, all - 1, all, all + 5}) {
      SCOPED_TRACE(std::to_string(capacity) + " places of " + std::to_string(all) + ", on " +
                   on.name);
      const std::vector<std::uint32_t> got = expanded(on, counts, capacity);
      EXPECT_EQ(got.back(), all);
      const auto end = got.begin() + std::min(capacity, all);
      if (in_order)
        EXPECT_TRUE(std::equal(got.begin(), end, want.begin()));
      else
        EXPECT_TRUE(std::all_of(got.begin(), end, [&](std::uint32_t item) {
          return item < counts.size() && counts[item] > 0;
        }));
      const auto behind = got.begin() + capacity;
      EXPECT_EQ(std::count(behind, behind + guard, unwritten), guard);
    }
}

// One item with all outputs, the first, the last or one in between; and many with none.
TEST_P(Expand, TakesCountsOfAnySize) {
  const std::size_t n = allowed(3000);
  for (const TestDevice& on : devices_for(n, GetParam()))
    for (const std::size_t item : {std::size_t{0}, n / 2, n - 1}) {
      SCOPED_TRACE("item " + std::to_string(item) + ", on " + on.name);
      std::vector<std::uint32_t> counts(n);
      counts[item] = 10'000;
      std::vector<std::uint32_t> want(counts[item], static_cast<std::uint32_t>(item));
      want.insert(want.end(), guard, unwritten);
      want.push_back(counts[item]);
      EXPECT_EQ(expanded(on, counts, counts[item]), want);
    }
}

// An item with nearly 2^32 outputs: no thread iterates over absent places.
TEST_P(Expand, CountsMoreThanItWrites) {
  const std::vector<std::uint32_t> counts = {5, 4'000'000'000U, 7};
  for (const TestDevice& on : devices_for(counts.size(), GetParam())) {
    SCOPED_TRACE(on.name);
    const std::vector<std::uint32_t> got = expanded(on, counts, 12);
    EXPECT_EQ(got.back(), 4'000'000'012U);
    EXPECT_EQ(std::count(got.begin(), got.begin() + 12, unwritten), 0);
    EXPECT_EQ(std::count(got.begin() + 12, got.begin() + 12 + guard, unwritten), guard);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Expand, testing::ValuesIn(rows_of(Primitive::expand)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
