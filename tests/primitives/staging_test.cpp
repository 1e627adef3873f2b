// Every moving sum of the catalogue, beyond the experiment's input: arrays at any alignment, so
// that no 16 bytes can be copied at once, ends within a tile's halo, radius 0, and the memory
// around the arrays.
#include "gpu/primitives/staging/staging.h"

#include <gtest/gtest.h>

#include "gpu/lab/data.h"
#include "gpu/runtime/scratch_memory.h"
#include "tests/support/devices.h"
#include "tests/support/guarded.h"

namespace warpview::test {
namespace {

using lab::Distribution;

class Staging : public testing::TestWithParam<Row> {};

TEST_P(Staging, SumsNeighboursAtAnyAlignment) {
  for (const std::size_t n : {0, 1, 3, 63, 65, 1023, 1024, 1025, 1087, 2050, 3071})
    for (const std::uint32_t radius : {0U, 1U, 3U, 5U, 63U, 64U}) {
      const auto wide = lab::integers(Distribution::uniform, n, 32, 1);
      const std::vector<std::uint32_t> host(wide.begin(), wide.end());
      std::vector<std::uint32_t> want(n);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i < radius ? 0 : i - radius; j < n && j <= i + radius; ++j)
          want[i] += host[j];
      std::size_t offset = 0;
      for (const TestDevice& on : devices_for(n, GetParam())) {
        offset = (offset + 1) % 4;
        SCOPED_TRACE(std::to_string(n) + " words, radius " + std::to_string(radius) +
                     ", from word " + std::to_string(offset) + " on, " + on.name);
        const auto stream = on.device->create_stream();
        ScratchMemory scratch(*on.device);
        const Guarded<std::uint32_t> in(*on.device, *stream, host, offset);
        const Guarded<std::uint32_t> out(*on.device, *stream, n, (offset + 1) % 4);
        scratch.run(on.device->table().get<Primitive::staging>(GetParam().index), *stream,
                    StagingArgs{.in = in.data(),
                                .out = out.data(),
                                .n = static_cast<std::uint32_t>(n),
                                .radius = radius});
        ASSERT_EQ(out.download(), want);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Staging, testing::ValuesIn(rows_of(Primitive::staging)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
