#include "app/common/worker.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace warpview {
namespace {

TEST(Worker, DoesJobsInOrder) {
  std::vector<int> done;
  {
    Worker worker;
    worker.start([] { return false; });
    for (int i = 0; i < 100; ++i) worker.post([&done, i] { done.push_back(i); });
  }  // ends after the jobs that were asked for
  ASSERT_EQ(done.size(), 100U);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(done[static_cast<std::size_t>(i)], i);
}

TEST(Worker, CallsGiveWhatTheJobGivesAndThrowWhatItThrows) {
  Worker worker;
  worker.start([] { return false; });
  EXPECT_EQ(worker.call([] { return std::string("done"); }), "done");
  EXPECT_NE(worker.call([] { return std::this_thread::get_id(); }), std::this_thread::get_id());
  EXPECT_THROW(worker.call([] { throw std::runtime_error("failed"); }), std::runtime_error);
  EXPECT_EQ(worker.call([] { return 7; }), 7) << "it goes on after that";
}

TEST(Worker, GivesWayToTheThreadThatStartsIt) {
  const auto niceness = [] { return getpriority(PRIO_PROCESS, 0); };
  const int own = niceness();
  Worker worker;
  worker.start([] { return false; });
  EXPECT_EQ(worker.call(niceness), std::max(own, 10));
  EXPECT_EQ(niceness(), own);
}

TEST(Worker, StepsWhileThatGivesSomethingToDoAndAfterEachJob) {
  std::atomic<int> steps{0};
  std::atomic<int> left{5};
  Worker worker;
  worker.start([&] {
    ++steps;
    return --left > 0;
  });
  while (left > 0) std::this_thread::yield();
  worker.call([] {});
  worker.call([] {});  // the step after the one before has ended
  EXPECT_GE(steps, 5);
  const int before = steps;
  worker.wake();
  while (steps == before) std::this_thread::yield();
}

TEST(Worker, JobsComeBetweenSteps) {
  Worker worker;
  worker.start([] { return true; });  // always something to do
  for (int i = 0; i < 50; ++i) EXPECT_EQ(worker.call([i] { return i; }), i);
  worker.stop();
  worker.stop();
}

TEST(Worker, NeverStartedIsNothing) {
  Worker worker;
  worker.stop();
}

}  // namespace
}  // namespace warpview
