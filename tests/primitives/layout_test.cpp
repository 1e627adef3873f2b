// Every layout of the catalogue, beyond the experiment's input: any number of rounds, elements that
// begin at any multiple of 16 bytes, and the memory around them.
#include "gpu/primitives/layout/layout.h"

#include <gtest/gtest.h>

#include <set>

#include "gpu/runtime/scratch_memory.h"
#include "gpu/runtime/tile_extent.h"
#include "tests/support/devices.h"
#include "tests/support/guarded.h"

namespace warpview::test {
namespace {

TEST(LayoutPlaces, AreDistinct) {
  for (const Layout layout : {Layout::structures, Layout::arrays, Layout::tiles})
    for (const std::uint32_t words : {2U, 4U, 8U})
      for (const std::size_t n : {0, 1, 31, 32, 33, 100}) {
        std::set<std::size_t> places;
        for (std::size_t i = 0; i < n; ++i)
          for (std::uint32_t m = 0; m < words; ++m)
            places.insert(layout_place(layout, n, words, i, m));
        EXPECT_EQ(places.size(), n * words);
        if (n > 0) {
          EXPECT_LT(*places.rbegin(), layout_words(layout, n, words));
        }
      }
  EXPECT_EQ(layout_place(Layout::tiles, 100, 4, 33, 2), 32U * 4 + 2 * 32 + 1);
}

class Layouts : public testing::TestWithParam<Row> {};

constexpr std::uint32_t more_than_a_block = tile_extent(300U, 70U);  // rounds: elements recur

TEST_P(Layouts, ChangeOnlyTheRequestedMembers) {
  const auto layout = static_cast<Layout>(GetParam().index->traits);
  std::uint32_t turn = 0;
  for (const std::size_t n : allowed({0, 1, 63, 65, 257, 600}))
    for (const std::uint32_t words : {2U, 4U, 8U})
      for (const std::uint32_t rounds : {0U, 1U, 3U, more_than_a_block}) {
        if (rounds == more_than_a_block && n != 65) continue;
        const bool all = ++turn % 2 == 0;
        std::vector<std::uint32_t> host(layout_words(layout, n, words));
        for (std::size_t i = 0; i < host.size(); ++i)
          host[i] = static_cast<std::uint32_t>(i * 2654435761U);
        std::vector<std::uint32_t> want = host;
        for (std::size_t i = 0; i < n; ++i)
          for (std::uint32_t m = all ? 0 : words - 1; m < words; ++m)
            for (std::uint32_t round = 0; round < rounds; ++round) {
              std::uint32_t& member = want[layout_place(layout, n, words, i, m)];
              member = layout_round(member, round);
            }
        std::size_t offset = 0;
        for (const TestDevice& on : devices_for(n, GetParam())) {
          offset += 4;
          SCOPED_TRACE(std::to_string(n) + " elements of " + std::to_string(words) + " words, " +
                       std::to_string(rounds) + " rounds, " + (all ? "all" : "one") + ", " +
                       on.name);
          const auto stream = on.device->create_stream();
          ScratchMemory scratch(*on.device);
          const Guarded<std::uint32_t> elements(*on.device, *stream, host, offset);
          scratch.run(on.device->table().get<Primitive::layout>(GetParam().index), *stream,
                      LayoutArgs{.elements = elements.data(),
                                 .n = static_cast<std::uint32_t>(n),
                                 .words = words,
                                 .all = all,
                                 .rounds = rounds});
          ASSERT_EQ(elements.download(), want);
        }
      }
}

TEST_P(Layouts, RefuseCasesWithoutAKernel) {
  const TestDevice on = devices_for(1, GetParam()).front();
  const auto stream = on.device->create_stream();
  auto* const function = on.device->table().get<Primitive::layout>(GetParam().index);
  Scratch measure;
  alignas(16) std::uint32_t elements[9] = {};
  const auto run = [&](std::uint32_t* from, std::uint32_t words) {
    function(*stream, {.elements = from, .n = 1, .words = words}, measure);
  };
  EXPECT_NO_THROW(run(elements, 8));
  for (const std::uint32_t words : {0U, 1U, 3U, 16U}) EXPECT_THROW(run(elements, words), Error);
  EXPECT_THROW(run(elements + 1, 8), Error);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Layouts, testing::ValuesIn(rows_of(Primitive::layout)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
