// Every pool of the catalogue with fewer buffers than warps that request one.
#include "gpu/primitives/pool/pool.h"

#include <gtest/gtest.h>

#include "gpu/runtime/cpu/cpu_device.h"
#include "gpu/runtime/scratch_memory.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

class Pool : public testing::TestWithParam<Row> {};

TEST_P(Pool, GivesEachBufferToOneWarpAtATime) {
  const auto n = static_cast<std::uint32_t>(allowed(300 * pool_stretch + 17));
  std::vector<TestDevice> devices = devices_for(1, GetParam());
  if (devices.front().device->info().backend == Backend::cpu)
    for (const unsigned warp_size : {32U, 64U})
      devices.push_back({"cpu with more threads than cores, warp " + std::to_string(warp_size),
                         open_cpu_device({.warp_size = warp_size, .seed = 5, .workers = 16})});
  std::vector<std::uint32_t> host(n);
  for (std::uint32_t i = 0; i < n; ++i) host[i] = i;
  for (const TestDevice& on : devices) {
    const auto stream = on.device->create_stream();
    ScratchMemory scratch(*on.device);
    Buffer<std::uint32_t> in(*on.device, n);
    const Buffer<std::uint32_t> out(*on.device, n);
    const Buffer<std::uint32_t> clashes(*on.device, 1);
    in.upload(*stream, host);
    for (const std::uint32_t buffers : {1, 2, 3, 33, 65}) {
      SCOPED_TRACE(std::to_string(buffers) + " buffers, on " + on.name);
      stream->fill(out.data(), 0xff, out.bytes());
      scratch.run(on.device->table().get<Primitive::pool>(GetParam().index), *stream,
                  PoolArgs{.in = in.data(),
                           .out = out.data(),
                           .n = n,
                           .buffers = buffers,
                           .clashes = clashes.data()});
      ASSERT_EQ(clashes.download(*stream).front(), 0U);
      const auto got = out.download(*stream);
      for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t begin = i / pool_stretch * pool_stretch;
        const std::uint32_t count = std::min(pool_stretch, n - begin);
        ASSERT_EQ(got[i], begin + count - 1 - (i - begin)) << "word " << i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Pool, testing::ValuesIn(rows_of(Primitive::pool)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
