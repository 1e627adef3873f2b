#include "app/panels/format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace warpview {
namespace {

TEST(Format, Digits) {
  EXPECT_EQ(group_digits(0), "0");
  EXPECT_EQ(group_digits(999), "999");
  EXPECT_EQ(group_digits(1000), "1 000");
  EXPECT_EQ(group_digits(1'234'567), "1 234 567");
  EXPECT_EQ(group_digits(18'446'744'073'709'551'615U), "18 446 744 073 709 551 615");
}

TEST(Format, DifferencesInPercent) {
  const auto words = [](Spread before, Spread now) { return difference_of(before, now).words; };
  EXPECT_EQ(words({10, 9, 11}, {5, 4.5, 5.5}), "-50 % (-59 to -39)");
  EXPECT_EQ(words({2, 2, 2}, {2.1, 2.1, 2.1}), "+5.0 %");
  EXPECT_EQ(words({2, 1, 3}, {2, 1, 3}), "+0.0 % (-67 to +200)");
  EXPECT_EQ(difference_of({10, 9, 11}, {5, 4.5, 5.5}).direction, -1);
  EXPECT_EQ(difference_of({5, 4.5, 5.5}, {10, 9, 11}).direction, 1);
  EXPECT_EQ(difference_of({10, 9, 11}, {10.5, 10, 12}).direction, 0);
  const Spread spread = spread_of({5.0, 1.0, 3.0, 2.0, 4.0});
  EXPECT_EQ(spread.median, 3.0);
  EXPECT_EQ(spread.quartile_1, 2.0);
  EXPECT_EQ(spread.quartile_3, 4.0);
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

TEST(Format, Changes) {
  const auto words = [](const Spread& before, const Spread& now) {
    const Change change = change_of(before, now);
    return std::to_string(change.direction) + ": " + change.words;
  };
  EXPECT_EQ(words({1.0, 0.96, 1.05}, {0.125, 0.12, 0.13}), "-1: 8.00 x faster (7.38 to 8.75)");
  EXPECT_EQ(words({0.125, 0.12, 0.13}, {1.0, 0.96, 1.05}), "1: 8.00 x slower (7.38 to 8.75)");
  EXPECT_EQ(words({1.0, 1.0, 1.0}, {0.5, 0.5, 0.5}), "-1: 2.00 x faster");
  EXPECT_EQ(words({1.0, 0.9, 1.1}, {0.95, 0.85, 1.05}), "0: as fast");
  EXPECT_EQ(words({1.0, 1.0, 1.0}, {1.0, 1.0, 1.0}), "0: as fast");
  EXPECT_EQ(words({300.0, 300.0, 300.0}, {1.0, 1.0, 1.0}), "-1: 300 x faster");
  EXPECT_EQ(words({12.34, 12.34, 12.34}, {1.0, 1.0, 1.0}), "-1: 12.3 x faster");
}

TEST(Format, ChangesAreNotToldByColourAlone) {
  const Spread slow{2.0, 1.9, 2.1};
  const Spread fast{1.0, 0.9, 1.1};
  EXPECT_NE(change_of(slow, fast).words.find("faster"), std::string::npos);
  EXPECT_NE(change_of(fast, slow).words.find("slower"), std::string::npos);
  EXPECT_TRUE(difference_of(slow, fast).words.starts_with("-"));
  EXPECT_TRUE(difference_of(fast, slow).words.starts_with("+"));
}

}  // namespace
}  // namespace warpview
