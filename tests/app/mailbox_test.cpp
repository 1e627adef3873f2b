#include "app/common/mailbox.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

namespace warpview::test {
namespace {

TEST(Mailbox, BringsEachLetterOnceInTheOrderOfItsThread) {
  constexpr int letters = 1000;
  std::atomic<int> rung{0};
  Mailbox<int> box([&rung] { ++rung; });
  std::vector<int> taken;
  const auto take = [&] {
    for (const int letter : box.take()) taken.push_back(letter);
  };
  {
    std::array<std::jthread, 2> threads;
    for (int t = 0; t < 2; ++t)
      threads[static_cast<std::size_t>(t)] = std::jthread([&box, t] {
        for (int i = 0; i < letters; ++i) box.post(2 * i + t);
      });
    while (taken.size() < letters) take();
  }
  take();
  ASSERT_EQ(taken.size(), 2U * letters);
  EXPECT_EQ(rung, 2 * letters);
  std::array<int, 2> next{0, 1};
  for (const int letter : taken) {
    int& expected = next[static_cast<std::size_t>(letter % 2)];
    EXPECT_EQ(letter, expected);
    expected += 2;
  }
  EXPECT_TRUE(box.take().empty());
}

}  // namespace
}  // namespace warpview::test
