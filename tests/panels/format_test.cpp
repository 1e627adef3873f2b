#include "app/panels/format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "app/common/other_load.h"
#include "tests/panels/temporary_folder.h"

namespace warpview {
namespace {

TEST(Format, Digits) {
  EXPECT_EQ(group_digits(0), "0");
  EXPECT_EQ(group_digits(999), "999");
  EXPECT_EQ(group_digits(1000), "1 000");
  EXPECT_EQ(group_digits(1'234'567), "1 234 567");
  EXPECT_EQ(group_digits(18'446'744'073'709'551'615U), "18 446 744 073 709 551 615");
}

TEST(Format, StatisticsInWords) {
  EXPECT_EQ(statistics_in_words({4.0}), "n 1, min 4.000, p50 4.000, p95 4.000, max 4.000 ms");
  EXPECT_EQ(statistics_in_words({1.0, 5.0, 2.0, 4.0, 3.0}),
            "n 5, min 1.000, p50 3.000, p95 4.800, max 5.000 ms");
}

TEST(Format, Counts) {
  EXPECT_EQ(format_count(1, "triangle"), "1 triangle");
  EXPECT_EQ(format_count(0, "triangle"), "0 triangles");
  EXPECT_EQ(format_count(73'728, "triangle"), "73 728 triangles");
}

TEST(Format, Bytes) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(999), "999 B");
  EXPECT_EQ(format_bytes(1000), "1.00 kB");
  EXPECT_EQ(format_bytes(999'999), "1.00 MB");
  EXPECT_EQ(format_bytes(150'100'000'000), "150 GB");
}

TEST(Format, Rates) {
  EXPECT_EQ(format_rate(0.0), "-");
  EXPECT_EQ(format_rate(16.7), "60/s");
  EXPECT_EQ(format_rate(100.0), "10/s");
  EXPECT_EQ(format_rate(300.0), "3.3/s");
  EXPECT_EQ(format_rate(1000.0), "1/s");
  EXPECT_EQ(format_rate(2010.0), "0.5/s");
  EXPECT_EQ(format_rate(60'000.0), "0.017/s");
}

TEST(Format, Milliseconds) {
  EXPECT_EQ(format_milliseconds(0.0), "-");
  EXPECT_EQ(format_milliseconds(std::numeric_limits<double>::quiet_NaN()), "-");
  EXPECT_EQ(format_milliseconds(0.0021), "0.002");
  EXPECT_EQ(format_milliseconds(9.9999), "10.00");
  EXPECT_EQ(format_milliseconds(99.999), "100.0");
}

TEST(Format, Bandwidth) {
  EXPECT_EQ(format_bandwidth(0.0), "-");
  EXPECT_EQ(format_bandwidth(0.0012), "1.20 MB/s");
  EXPECT_EQ(format_bandwidth(0.5), "0.50 GB/s");
  EXPECT_EQ(format_bandwidth(91.34), "91.3 GB/s");
  EXPECT_EQ(format_bandwidth(3921.0), "3.92 TB/s");
}

TEST(Format, Percent) {
  EXPECT_EQ(format_percent(0.0), "-");
  EXPECT_EQ(format_percent(0.0001), "<0.1 %");
  EXPECT_EQ(format_percent(0.0234), "2.3 %");
  EXPECT_EQ(format_percent(0.5), "50 %");
  EXPECT_EQ(format_percent(1.04), "104 %");
}

TEST(Changes, AreRatiosWithAnInterval) {
  const auto words = [](const Spread& before, const Spread& now) {
    const Change change = change_of(before, now);
    return std::to_string(change.direction) + ": " + change.words();
  };
  EXPECT_EQ(words({1.0, 0.96, 1.05, 9}, {0.125, 0.12, 0.13, 9}), "-1: 8.00x (7.38 to 8.75)");
  EXPECT_EQ(words({0.125, 0.12, 0.13, 9}, {1.0, 0.96, 1.05, 9}), "1: 0.12x (0.11 to 0.14)");
  EXPECT_EQ(words({1.0, 1.0, 1.0, 3}, {300.0, 300.0, 300.0, 3}), "1: 0.0033x (0.0033 to 0.0033)");
  EXPECT_EQ(words({12.34, 12.34, 12.34, 3}, {1.0, 1.0, 1.0, 3}), "-1: 12.3x (12.3 to 12.3)");
  // Nothing is said to be faster, or as fast, that the interval does not decide.
  EXPECT_EQ(words({151.2, 90.0, 170.0, 5}, {91.2, 80.0, 160.0, 5}),
            "0: no clear difference (0.56x to 2.12x)");
  EXPECT_EQ(words({1.0, 1.0, 1.0, 5}, {1.0, 1.0, 1.0, 5}),
            "0: no clear difference (1.00x to 1.00x)");
  EXPECT_EQ(words({1.0, 1.0, 1.0, 5}, {0.5, 0.5, 0.5, 2}), "0: 2.00x (too few runs)");
  EXPECT_EQ(words({0.0, 0.0, 0.0, 5}, {0.5, 0.5, 0.5, 5}), "0: ");
  // An empty input: the timer and the call alone.
  EXPECT_EQ(words({2.0, 1.9, 2.1, 9}, {1e-4, 9e-5, 2e-4, 9}), "0: too small to compare");
  EXPECT_EQ(words({1e-4, 9e-5, 2e-4, 9}, {1e-4, 9e-5, 2e-4, 1}), "0: too small to compare");
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(words({1.0, 1.0, infinity, 5}, {0.5, 0.5, 0.5, 5}), "0: ");
}

TEST(Changes, TakeNoSideWhereConditionsDiffer) {
  Change change = change_of({1.0, 0.96, 1.05, 9}, {0.125, 0.12, 0.13, 9});
  EXPECT_EQ(change.ratio_in_words(), "Ratio of medians: 8.00x");
  change.take_no_side("cold run");
  EXPECT_EQ(change.direction, 0);
  EXPECT_EQ(change.words(), "8.00x (cold run)");
  Change none = change_of({2.0, 1.9, 2.1, 9}, {1e-4, 9e-5, 2e-4, 9});
  none.take_no_side("native, not emulated");
  EXPECT_EQ(none.words(), "too small to compare");
  EXPECT_EQ(none.ratio_in_words(), "Ratio of medians: too small to compare");
}

TEST(OtherLoad, IsWhatIsNeitherIdleNorOurs) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "stat").string();
  OtherLoad load(file);
  EXPECT_FALSE(load.look()) << "there is no such file";
  folder.write("stat", "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\n");
  EXPECT_FALSE(load.look()) << "it takes two";
  folder.write("stat", "cpu  20000000 5000000 5000000 60000000 10000000 0 0 0 0 0\n");
  EXPECT_NEAR(load.look().value_or(-1.0), 0.3, 0.001);
  EXPECT_FALSE(load.look()) << "no time has passed";
  folder.write("stat", "intr 1 2 3");
  EXPECT_FALSE(load.look());
}

}  // namespace
}  // namespace warpview
