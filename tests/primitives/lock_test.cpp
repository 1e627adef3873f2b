// Every lock of the catalogue where all threads contend for one lock.
#include "gpu/primitives/lock/lock.h"

#include <gtest/gtest.h>

#include "gpu/runtime/cpu/cpu_device.h"
#include "gpu/runtime/scratch_memory.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

class Lock : public testing::TestWithParam<Row> {};

TEST_P(Lock, AdmitsOneThreadAtATime) {
  const auto n = static_cast<std::uint32_t>(allowed(4097));
  std::vector<TestDevice> devices = devices_for(n, GetParam());
  if (devices.front().device->info().backend == Backend::cpu)
    devices.push_back({"cpu with more threads than cores",
                       open_cpu_device({.warp_size = 32, .seed = 5, .workers = 16})});
  for (const TestDevice& on : devices) {
    const auto stream = on.device->create_stream();
    ScratchMemory scratch(*on.device);
    Buffer<std::uint32_t> items(*on.device, n);
    Buffer<Tally> tally(*on.device, 1);
    std::vector<std::uint32_t> host(n);
    const std::vector<Tally> before = {{.count = 3, .largest = 7, .sum = std::uint64_t{1} << 40}};
    tally.upload(*stream, before);
    Tally want = before.front();
    for (std::uint32_t i = 0; i < n; ++i) {
      host[i] = i * 2654435761U;
      ++want.count;
      want.largest = std::max(want.largest, host[i]);
      want.sum += host[i];
    }
    items.upload(*stream, host);
    scratch.run(on.device->table().get<Primitive::lock>(GetParam().index), *stream,
                LockArgs{.items = items.data(), .n = n, .tallies = tally.data()});
    const Tally got = tally.download(*stream).front();
    EXPECT_EQ(got.count, want.count) << on.name;
    EXPECT_EQ(got.largest, want.largest) << on.name;
    EXPECT_EQ(got.sum, want.sum) << on.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Lock, testing::ValuesIn(rows_of(Primitive::lock)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
