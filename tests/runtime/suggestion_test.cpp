#include "gpu/runtime/suggestion.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace warpview {
namespace {

constexpr std::array<std::string_view, 5> known = {"sort", "scan", "select", "spatial_hash", "l2"};

TEST(Suggestion, CorrectsTypingErrors) {
  EXPECT_EQ(likest_word("srot", known), "sort");     // swapped
  EXPECT_EQ(likest_word("scann", known), "scan");    // too many
  EXPECT_EQ(likest_word("selct", known), "select");  // too few
  EXPECT_EQ(likest_word("spatial-hash", known), "spatial_hash");
  EXPECT_EQ(likest_word("SORT", known), "sort");
  EXPECT_EQ(likest_word("l1", known), "l2");
  EXPECT_EQ(did_you_mean("srot", known), "Did you mean sort? ");
}

TEST(Suggestion, IgnoresOtherWords) {
  for (const char* word : {"", "x", "xy", "gravity", "hash", "abcdefghijkl"})
    EXPECT_EQ(did_you_mean(word, known), "") << word;
  EXPECT_EQ(did_you_mean("sort", {}), "");
  EXPECT_EQ(did_you_mean(std::string(1'000'000, 's'), known), "");
}

}  // namespace
}  // namespace warpview
