// Both stages of `persistent` where the divisor is zero, and for more items than registers hold.
#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/primitives/persistent/persistent.h"
#include "gpu/runtime/scratch_memory.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

class Persistent : public testing::TestWithParam<Row> {
 protected:
  std::vector<float> scaled(const TestDevice& on, const std::vector<float>& numbers) {
    const auto stream = on.device->create_stream();
    ScratchMemory scratch(*on.device);
    Buffer<float> in(*on.device, numbers.size());
    Buffer<float> out(*on.device, numbers.size());
    in.upload(*stream, numbers);
    scratch.run(
        on.device->table().get<Primitive::persistent>(GetParam().index), *stream,
        PersistentArgs{
            .in = in.data(), .out = out.data(), .n = static_cast<std::uint32_t>(numbers.size())});
    return out.download(*stream);
  }
};

TEST_P(Persistent, LeavesZerosAsTheyAre) {
  const std::vector<float> zeros(1000, 0.0F);
  for (const TestDevice& on : devices_for(zeros.size(), GetParam()))
    EXPECT_EQ(scaled(on, zeros), zeros) << on.name;
}

// A single number decides, in any position: in the first block, in the last, in a thread's
// registers or beyond.
TEST_P(Persistent, FindsTheLargestInAnyPosition) {
  const std::size_t n = allowed(300007);
  for (const TestDevice& on : devices_for(n, GetParam()))
    for (const std::size_t place : {std::size_t{0}, std::min<std::size_t>(4095, n / 2),
                                    std::min<std::size_t>(65536, n - 2), n - 1}) {
      std::vector<float> numbers(n, 1.0F);
      numbers[place] = -8.0F;
      std::vector<float> want(n, 0.125F);
      want[place] = -1.0F;
      EXPECT_TRUE(scaled(on, numbers) == want) << "place " << place << ", " << on.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Persistent, testing::ValuesIn(rows_of(Primitive::persistent)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
