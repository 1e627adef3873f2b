// Every number of loads in flight, beyond the experiment's input: arrays at any alignment, the
// memory around them, and the reported times.
#include "gpu/primitives/latency/latency.h"

#include <gtest/gtest.h>

#include "gpu/lab/data.h"
#include "gpu/lab/experiment.h"
#include "gpu/runtime/scratch_memory.h"
#include "tests/support/devices.h"
#include "tests/support/guarded.h"

namespace warpview::test {
namespace {

class Loads : public testing::TestWithParam<Row> {};

TEST_P(Loads, SumEachThreadsWordsAtAnyOccupancy) {
  std::size_t turn = 0;
  for (const std::size_t n :
       {std::size_t{1}, std::size_t{latency_threads} - 1, std::size_t{latency_threads} + 1,
        std::size_t{latency_tile}, std::size_t{latency_tile} + 1}) {
    const auto wide = lab::integers(lab::Distribution::uniform, n, 32, 1);
    const std::vector<std::uint32_t> host(wide.begin(), wide.end());
    const auto items = static_cast<std::uint32_t>(n);
    std::vector<std::uint32_t> want(std::size_t{latency_blocks(items)} * latency_threads);
    for (std::size_t i = 0; i < n; ++i)
      want[i / latency_tile * latency_threads + i % latency_tile % latency_threads] += host[i];
    for (const TestDevice& on : devices_for(n, GetParam()))
      for (const std::uint32_t share : {1U, 8U, 1000U}) {
        SCOPED_TRACE(std::to_string(n) + " words, one block in " + std::to_string(share) + ", " +
                     on.name);
        const std::size_t offset = ++turn % 4;
        const auto stream = on.device->create_stream();
        ScratchMemory scratch(*on.device);
        const Guarded<std::uint32_t> in(*on.device, *stream, host, offset);
        const Guarded<std::uint32_t> out(*on.device, *stream, want.size(), offset);
        scratch.run(on.device->table().get<Primitive::latency>(GetParam().index), *stream,
                    LatencyArgs{.in = in.data(), .n = items, .out = out.data(), .share = share});
        ASSERT_EQ(out.download(), want);
      }
  }
}

TEST_P(Loads, RefuseAShareOfZero) {
  const TestDevice on = devices_for(1, GetParam()).front();
  const auto stream = on.device->create_stream();
  Scratch measure;
  auto* const function = on.device->table().get<Primitive::latency>(GetParam().index);
  EXPECT_THROW(function(*stream, {.in = nullptr, .n = 1, .out = nullptr, .share = 0}, measure),
               Error);
}

// A chase reports the time from load to load, whatever else is in flight; a sum reports the bytes
// in flight, where the device knows what was resident.
TEST_P(Loads, ReportTheLatencyAndTheLoadsInFlight) {
  const VariantId variant = GetParam().index;
  const unsigned loads = variant->traits;
  const TestDevice on = devices_for(1, GetParam()).front();
  const auto stream = on.device->create_stream();
  const lab::ExperimentKind& kind = lab::experiment(Primitive::latency);
  const auto make = [&](const char* form, std::uint32_t n) {
    return kind.make({.device = *on.device,
                      .stream = *stream,
                      .n = n,
                      .form = lab::find_form(Primitive::latency, form)});
  };
  const auto chase = make("chase", 1000);
  EXPECT_TRUE(chase->facts({.variant = variant}).empty()) << "nothing was timed";
  // 8192 loads, one microsecond each if they are serialized.
  EXPECT_EQ(chase->facts({.variant = variant, .ms = 8.192 / loads}),
            (std::vector<lab::Fact>{{"from load to load", 1000.0, "ns"}}));

  const auto sum = make("half", 100 * latency_tile);
  LaunchRecord launch{.kernel = "of a device that knows nothing"};
  EXPECT_TRUE(sum->facts({.variant = variant}).empty());
  EXPECT_TRUE(sum->facts({.variant = variant, .launches = {&launch, 1}}).empty());
  launch.blocks_per_multiprocessor = 3;
  launch.occupancy = 0.25;
  const auto told = sum->facts({.variant = variant, .launches = {&launch, 1}});
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0], (lab::Fact{"occupancy", 25.0, "%"}));
  const int resident = std::min(3 * on.device->info().multiprocessors, 100);
  EXPECT_EQ(told[1],
            (lab::Fact{"in flight", resident * latency_threads * loads * 4 / 1024.0, "KiB"}));
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Loads, testing::ValuesIn(rows_of(Primitive::latency)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
