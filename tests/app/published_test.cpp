#include "app/common/published.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warpview::test {
namespace {

TEST(Published, ReadersKeepWhatTheyTook) {
  Published<std::vector<std::string>> words(std::vector<std::string>{"a", "b"});
  const Published<std::vector<std::string>> before = words;
  const Published<std::string> second = words.part((*words)[1]);
  words.change()[1] = "c";
  EXPECT_EQ((*words)[1], "c");
  EXPECT_EQ((*before)[1], "b");
  words = Published<std::vector<std::string>>();
  EXPECT_EQ(words->size(), 0U);
  EXPECT_EQ(*second, "b") << "a part keeps the whole";
}

}  // namespace
}  // namespace warpview::test
