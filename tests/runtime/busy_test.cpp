// The share of occupied block slots over time.
#include "gpu/lab/busy.h"

#include <gtest/gtest.h>

namespace warpview::lab {
namespace {

constexpr std::uint64_t second = 1'000'000'000;

TEST(Busy, DistributesBlocksOverTheirSlices) {
  // From 7 s to 11 s, in four slices: one block of two slots all the time, another from the middle
  // of the second slice until a quarter into the third.
  const BusyBlock blocks[] = {{7 * second, 11 * second, 0.5},
                              {8 * second + second / 2, 9 * second + second / 4, 0.5}};
  const Busy busy = busy_of(blocks, 4);
  EXPECT_DOUBLE_EQ(busy.milliseconds, 4000.0);
  EXPECT_DOUBLE_EQ(busy.slice_ms(), 1000.0);
  ASSERT_EQ(busy.shares.size(), 4U);
  EXPECT_DOUBLE_EQ(busy.shares[0], 0.5);
  EXPECT_DOUBLE_EQ(busy.shares[1], 0.75);
  EXPECT_DOUBLE_EQ(busy.shares[2], 0.625);
  EXPECT_DOUBLE_EQ(busy.shares[3], 0.5);
  EXPECT_DOUBLE_EQ(busy.mean(), 2.375 / 4.0);
}

TEST(Busy, AcceptsBlocksInAnyOrderAndOfZeroLength) {
  const BusyBlock blocks[] = {{30, 40, 1.0}, {40, 40, 1.0}, {0, 10, 1.0}, {0, 0, 1.0}};
  const Busy busy = busy_of(blocks, 4);
  EXPECT_EQ(busy.shares, (std::vector<double>{1.0, 0.0, 0.0, 1.0}));
}

TEST(Busy, IsEmptyIfNothingIsKnown) {
  const BusyBlock at_once[] = {{5, 5, 1.0}};
  for (const Busy& busy : {busy_of({}), busy_of(at_once)}) {
    EXPECT_TRUE(busy.shares.empty());
    EXPECT_EQ(busy.mean(), 0.0);
    EXPECT_EQ(busy.slice_ms(), 0.0);
  }
}

}  // namespace
}  // namespace warpview::lab
