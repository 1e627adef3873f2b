// Every select and partition of the catalogue, beyond the experiment's input: arrays at any
// alignment, limits that no item or every item passes, and the memory around the output.
#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/lab/data.h"
#include "gpu/primitives/partition/partition.h"
#include "gpu/primitives/select/select.h"
#include "gpu/runtime/scratch_memory.h"
#include "tests/support/devices.h"
#include "tests/support/guarded.h"

namespace warpview::test {
namespace {

using lab::Distribution;

// Tests run(args) on every device of the variant; `complete(want, others)` makes the whole output
// from the items that pass and those that do not.
template <Primitive primitive, class Args, class Complete>
void check_passing(const Row& row, Complete complete) {
  for (const std::size_t n : {0, 1, 3, 257, 2049, 6145}) {
    const auto wide = lab::integers(Distribution::uniform, n, 32, 1);
    const std::vector<std::uint32_t> host(wide.begin(), wide.end());
    const std::uint32_t middle = n > 0 ? host[n / 2] : 0;  // an item equal to the limit
    for (const std::uint32_t at_most : {0U, middle, ~0U}) {
      std::vector<std::uint32_t> want, others;
      for (const std::uint32_t item : host) (item <= at_most ? want : others).push_back(item);
      const auto passing = static_cast<std::uint32_t>(want.size());
      complete(want, others);
      std::size_t offset = 0;
      for (const TestDevice& on : devices_for(n, row)) {
        offset = (offset + 1) % 4;
        SCOPED_TRACE(std::to_string(n) + " items, at most " + std::to_string(at_most) +
                     ", from word " + std::to_string(offset) + " on, " + on.name);
        const auto stream = on.device->create_stream();
        ScratchMemory scratch(*on.device);
        const Guarded<std::uint32_t> in(*on.device, *stream, host, offset);
        const Guarded<std::uint32_t> out(*on.device, *stream, n, (offset + 2) % 4);
        const Guarded<std::uint32_t> count(*on.device, *stream, 1, 1);
        scratch.run(on.device->table().get<primitive>(row.index), *stream,
                    Args{{.in = in.data(),
                          .out = out.data(),
                          .count = count.data(),
                          .n = static_cast<std::uint32_t>(n),
                          .at_most = at_most}});
        ASSERT_EQ(count.download(), std::vector{passing});
        ASSERT_EQ(out.download(want.size()), want);
        ASSERT_EQ(in.download(), host);
      }
    }
  }
}

class Select : public testing::TestWithParam<Row> {};

TEST_P(Select, KeepsItemsThatPass) {
  check_passing<Primitive::select, SelectArgs>(GetParam(), [](auto&, const auto&) {});
}

class Partition : public testing::TestWithParam<Row> {};

TEST_P(Partition, PutsPassingItemsBeforeTheReversedOthers) {
  check_passing<Primitive::partition, PartitionArgs>(
      GetParam(), [](std::vector<std::uint32_t>& want, const std::vector<std::uint32_t>& others) {
        want.insert(want.end(), others.rbegin(), others.rend());
      });
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Select, testing::ValuesIn(rows_of(Primitive::select)),
                         [](const auto& row) { return name_of(row.param); });
INSTANTIATE_TEST_SUITE_P(Catalogue, Partition, testing::ValuesIn(rows_of(Primitive::partition)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
