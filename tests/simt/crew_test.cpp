// Host loops that several OS threads share.
#include "gpu/runtime/cpu/crew.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace warpview {
namespace {

// The exception of `function`.
template <class Function>
std::string thrown_by(const Function& function) {
  try {
    function();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Crew, DoesEachItemOnce) {
  for (const unsigned threads : {1U, 2U, 7U}) {
    Crew crew(threads);
    EXPECT_EQ(crew.size(), threads);
    for (const std::size_t n : {0U, 1U, 2U, 500U}) {
      std::vector<int> times(n, 0);  // plain: two threads at one item would be a race
      crew.for_each(n, [&](std::size_t i) { ++times[i]; });
      EXPECT_EQ(std::count(times.begin(), times.end(), 1), static_cast<std::ptrdiff_t>(n));
    }
  }
  EXPECT_EQ(Crew().size(), std::max(1U, std::thread::hardware_concurrency()));
}

// Two items that wait for each other end only if two threads work on them.
TEST(Crew, WorksInParallel) {
  Crew crew(2);
  std::atomic<int> here{0};
  crew.for_each(2, [&](std::size_t) {
    ++here;
    while (here < 2) std::this_thread::yield();
  });
  EXPECT_EQ(here, 2);
}

TEST(Crew, ReportsProgressToItsOwner) {
  Crew crew(3);
  const std::thread::id owner = std::this_thread::get_id();
  std::vector<std::size_t> told;
  std::atomic<std::size_t> begun{0};
  crew.for_each(
      100, [&](std::size_t) { ++begun; },
      [&](std::size_t done) {
        EXPECT_EQ(std::this_thread::get_id(), owner);
        EXPECT_LE(done, begun);
        told.push_back(done);
      });
  ASSERT_EQ(told.size(), 100U);
  for (std::size_t i = 0; i < told.size(); ++i) EXPECT_EQ(told[i], i + 1);
}

// Whatever happens first in time, the exception that is first in order is thrown.
TEST(Crew, ThrowsTheFirstException) {
  for (const unsigned threads : {1U, 4U}) {
    Crew crew(threads);
    for (int round = 0; round < 20; ++round) {
      std::atomic<std::size_t> begun{0};
      EXPECT_EQ(thrown_by([&] {
                  crew.for_each(1000, [&](std::size_t i) {
                    ++begun;
                    if (i < 5) return;
                    if (i == 5)
                      for (int n = 0; n < round; ++n) std::this_thread::yield();
                    throw std::runtime_error(std::to_string(i));
                  });
                }),
                "5");
      EXPECT_LT(begun, 1000U);  // the rest is dropped
    }
    int done = 0;
    crew.for_each(1, [&](std::size_t) { ++done; });
    EXPECT_EQ(done, 1);  // it can be used again
  }
}

TEST(Crew, EndsWhenItsOwnerThrows) {
  Crew crew(3);
  const std::thread::id owner = std::this_thread::get_id();
  std::atomic<int> under_way{0};
  std::atomic<std::size_t> begun{0};
  std::atomic<bool> has_thrown{false};
  EXPECT_EQ(thrown_by([&] {
              crew.for_each(
                  1000,
                  [&](std::size_t i) {
                    ++under_way;
                    ++begun;
                    // Other tasks do not end before the owner has thrown.
                    while (i >= 100 && !has_thrown && std::this_thread::get_id() != owner)
                      std::this_thread::yield();
                    --under_way;
                  },
                  [&](std::size_t done) {
                    if (done < 10) return;
                    has_thrown = true;
                    throw std::runtime_error("enough");
                  });
            }),
            "enough");
  EXPECT_EQ(under_way, 0);
  EXPECT_LT(begun, 1000U);
}

TEST(Crew, TasksMayBeAddedOneByOne) {
  Crew crew(3);
  std::vector<int> values(50, 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    crew.add([&values, i] { values[i] = static_cast<int>(i); });
    while (crew.waiting() > 4) crew.help();
  }
  crew.finish();
  EXPECT_FALSE(crew.help());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], static_cast<int>(i));
}

// It waits for running tasks only.
TEST(Crew, MayBeDestroyedWithTasksLeft) {
  std::atomic<int> begun{0};
  std::atomic<int> ended{0};
  {
    Crew crew(2);
    for (int i = 0; i < 100; ++i)
      crew.add([&] {
        ++begun;
        std::this_thread::yield();
        ++ended;
      });
  }
  EXPECT_EQ(begun, ended);
}

}  // namespace
}  // namespace warpview
