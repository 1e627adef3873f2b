// Parts of a whole, by a clock of the test's own.
#include "app/common/time_parts.h"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

namespace warpview {
namespace {

PartClock::Time at(double ms) {
  return PartClock::Time(std::chrono::duration_cast<PartClock::Time::duration>(
      std::chrono::duration<double, std::milli>(ms)));
}

TEST(PartClock, LapsAndWhatIsAddedAreTheWhole) {
  PartClock clock;
  EXPECT_EQ(clock.parts().whole_ms, 0.0);
  clock.begin(at(10.0));
  clock.lap({.order = 2, .title = "wait"}, at(13.0));
  EXPECT_NEAR(clock.lap(at(20.0)), 7.0, 1e-9);
  clock.add({.order = 0, .title = "sort", .place = TimePart::Place::device, .ms = 5.0});
  clock.add({.order = 1, .title = "launches", .ms = 2.0});
  clock.end(at(21.0));
  const TimeParts whole = clock.parts();
  EXPECT_NEAR(whole.whole_ms, 11.0, 1e-9);
  EXPECT_NEAR(whole.sum_ms(), whole.whole_ms, 1e-9);
  ASSERT_EQ(whole.parts.size(), 4U);
  EXPECT_EQ(whole.parts[0].title, "sort");
  EXPECT_NEAR(whole.parts[2].ms, 3.0, 1e-9);
  EXPECT_EQ(whole.parts[3].title, "Other");
  EXPECT_NEAR(whole.parts[3].ms, 1.0, 1e-9);
}

// A part that some wholes lack counts as nothing there.
TEST(PartClock, AveragesStillAddUp) {
  PartClock clock;
  for (int i = 0; i < 4; ++i) {
    clock.begin(at(100.0 * i));
    if (i % 2 == 0) clock.add({.order = 1, .title = "rebuild", .ms = 40.0});
    clock.add({.order = 0, .title = "refit", .ms = 10.0});
    clock.end(at(100.0 * i + 50.0 + i));
  }
  const TimeParts mean = clock.parts();
  EXPECT_NEAR(mean.whole_ms, 51.5, 1e-9);
  EXPECT_NEAR(mean.sum_ms(), 51.5, 1e-9);
  EXPECT_NEAR(mean.parts[0].ms, 10.0, 1e-9);
  EXPECT_NEAR(mean.parts[1].ms, 20.0, 1e-9);
  EXPECT_EQ(mean.last_wholes.size(), 4U);
}

TEST(PartClock, OldWholesGo) {
  PartClock clock;
  for (std::size_t i = 0; i < 2 * PartClock::kept; ++i) {
    clock.begin(at(0.0));
    clock.end(at(i < PartClock::kept ? 1000.0 : 1.0));
  }
  EXPECT_NEAR(clock.parts().whole_ms, 1.0, 1e-9);
  EXPECT_EQ(clock.parts().last_wholes, std::vector<float>(PartClock::kept, 1.0F));
  clock.forget();
  EXPECT_TRUE(clock.parts().parts.empty());
}

TEST(PartClock, WhatIsCancelledIsNoWhole) {
  PartClock clock;
  clock.begin(at(0.0));
  clock.cancel();
  clock.add({.order = 0, .title = "late", .ms = 1.0});
  clock.end(at(1.0));
  EXPECT_FALSE(clock.under_way());
  EXPECT_EQ(clock.parts().whole_ms, 0.0);
}

}  // namespace
}  // namespace warpview
