// The OS threads of the CPU device: it uses as many as it reports, and continues with fewer if the
// system refuses some.
#define WARPVIEW_BACKEND_CPU
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gpu/runtime/cpu/cpu_device.h"
#include "gpu/runtime/cpu/crew.h"
#include "gpu/runtime/error.h"
#include "gpu/runtime/kernel.h"
#include "tests/support/sanitized.h"

namespace {
// Threads that the system still starts; below zero: any number.
std::atomic<int> threads_left{-1};
}  // namespace

// Called by std::thread in place of the C library's.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*begin)(void*), void* argument) noexcept {
  static const auto of_the_system =
      reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  if (threads_left == 0) return EAGAIN;
  if (threads_left > 0) --threads_left;
  return of_the_system(thread, attributes, begin, argument);
}

namespace warpview::cpu {
namespace {

// Passes only if all blocks run at once: each waits for all others. All lanes of a block wait, each
// on its own stack.
__global__ void gathering_kernel(std::uint32_t* arrived, int* passed) {
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1U);
    while (load_acquire(arrived) < gridDim.x) backoff();
    atomicAdd(passed, 1);
  }
  __syncthreads();
}

// All blocks at once, so each on its own worker: what niceness has it?
__global__ void niceness_kernel(std::uint32_t* arrived, int* niceness) {
  if (threadIdx.x != 0) return;
  atomicAdd(arrived, 1U);
  while (load_acquire(arrived) < gridDim.x) backoff();
  niceness[blockIdx.x] = getpriority(PRIO_PROCESS, 0);
}

class OpenDevice {
 public:
  explicit OpenDevice(unsigned workers) : device_(open_cpu_device({.workers = workers})) {}

  const DeviceInfo& info() const { return device_->info(); }
  unsigned most_concurrent_blocks() {
    return concurrent_blocks(*stream_, KERNEL(gathering_kernel).function, 64);
  }
  // The text of the error that the launch ends in; empty if all blocks met.
  std::string meet(unsigned blocks, unsigned threads, bool concurrent = false) {
    std::uint32_t arrived = 0;
    int passed = 0;
    try {
      const Shape shape(blocks, threads);
      if (concurrent)
        launch_concurrent(*stream_, KERNEL(gathering_kernel), shape, &arrived, &passed);
      else
        launch(*stream_, KERNEL(gathering_kernel), shape, &arrived, &passed);
    } catch (const Error& error) {
      return error.what();
    }
    return passed == static_cast<int>(blocks) ? "" : "not all blocks have met";
  }
  // Launches blocks that do not wait for each other.
  std::string run(unsigned blocks) {
    std::uint32_t all = blocks;
    int passed = 0;
    launch(*stream_, KERNEL(gathering_kernel), Shape(blocks, 64), &all, &passed);
    return passed == static_cast<int>(blocks) ? "" : "not all blocks have run";
  }

 private:
  std::unique_ptr<Device> device_;
  std::unique_ptr<Stream> stream_ = device_->create_stream();
};

TEST(Threads, AreAsManyAsTheDeviceSays) {
  OpenDevice device(20);
  const auto said = static_cast<unsigned>(device.info().multiprocessors);
  EXPECT_NE(device.info().name.find(", " + std::to_string(said) + " threads)"), std::string::npos)
      << device.info().name;
  EXPECT_EQ(device.meet(said, 64), "");
}

TEST(Threads, LeaveMemoryMappingsToTheRestOfTheProgram) {
  if (test::is_sanitized)
    GTEST_SKIP() << "lanes are fewer under ThreadSanitizer, stacks larger under both";
  OpenDevice device(64);
  // The most lanes that may have a stack at a time, spread over different threads.
  for (const unsigned threads : {1024U, 256U, 512U, 1024U})
    EXPECT_EQ(device.meet(16 * 1024 / threads, threads), "") << threads;
  std::ifstream maps("/proc/self/maps");
  const auto mappings = std::count(std::istreambuf_iterator<char>(maps), {}, '\n');
  EXPECT_LT(mappings, 40'000);
}

// Threads that were started stay: each case has a separate process.
class ThreadsDeathTest : public testing::Test {
 protected:
  ThreadsDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  [[noreturn]] static void end() { std::exit(HasFailure() ? EXIT_FAILURE : EXIT_SUCCESS); }
};

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

void go_on_without_any() {
  threads_left = 0;
  OpenDevice device(4);
  expect_contains(device.info().name, "1 of 4 threads");
  EXPECT_EQ(device.info().multiprocessors, 1);
  EXPECT_EQ(device.run(8), "");
  EXPECT_EQ(device.run(8), "");
  EXPECT_EQ(device.most_concurrent_blocks(), 1U);
  EXPECT_EQ(device.meet(1, 64, true), "");
  expect_contains(device.meet(2, 64, true), "the system allows only 1 for");
  EXPECT_EQ(device.run(8), "");
}

TEST_F(ThreadsDeathTest, WorkWithoutAny) {
  EXPECT_EXIT((go_on_without_any(), end()), testing::ExitedWithCode(EXIT_SUCCESS), "");
}

void go_on_with_those_there_are() {
  threads_left = 2;
  OpenDevice device(4);
  expect_contains(device.info().name, "3 of 4 threads");
  EXPECT_EQ(device.info().multiprocessors, 3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(device.run(8), "");
    EXPECT_EQ(device.meet(3, 64), "");
  }
  threads_left = -1;  // the device's report stays true
  EXPECT_EQ(device.most_concurrent_blocks(), 3U);
  EXPECT_EQ(device.meet(3, 64, true), "");
  EXPECT_EQ(OpenDevice(2).meet(2, 64), "");
}

TEST_F(ThreadsDeathTest, WorkWithFewerThanRequested) {
  EXPECT_EXIT((go_on_with_those_there_are(), end()), testing::ExitedWithCode(EXIT_SUCCESS), "");
}

void refuse_concurrent_launches() {
  OpenDevice device(2);
  threads_left = 1;
  for (int i = 0; i < 2; ++i) {
    const std::string text = device.meet(16, 64, true);
    expect_contains(text, "gathering_kernel was launched with 16 concurrent blocks");
    expect_contains(text, "the system allows only 3 for");
    expect_contains(text, "ulimit -u");
  }
  EXPECT_EQ(device.most_concurrent_blocks(), 3U);
  EXPECT_EQ(device.meet(3, 64, true), "");
  EXPECT_EQ(device.run(8), "");
}

TEST_F(ThreadsDeathTest, RefuseConcurrentLaunchesThatNeedMore) {
  EXPECT_EXIT((refuse_concurrent_launches(), end()), testing::ExitedWithCode(EXIT_SUCCESS), "");
}

// Threads of host loops: the existing ones do all the work.
void share_loops_among_few() {
  for (const int left : {0, 2}) {
    threads_left = left;
    Crew crew(5);
    // A thread is started where tasks wait: not in every round. Then two rounds with all of them.
    for (int rounds_left = 2; rounds_left > 0; rounds_left -= threads_left == 0 ? 1 : 0) {
      std::atomic<int> done{0};
      crew.for_each(100, [&](std::size_t) { ++done; });
      EXPECT_EQ(done, 100);
    }
  }
}

TEST_F(ThreadsDeathTest, ShareLoopsAmongFewThreads) {
  EXPECT_EXIT((share_loops_among_few(), end()), testing::ExitedWithCode(EXIT_SUCCESS), "");
}

std::uint64_t address_space() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

// On the calling thread and on others.
void find_no_memory_for_lanes() {
  OpenDevice device(3);
  rlimit before{};
  getrlimit(RLIMIT_AS, &before);
  for (const std::uint64_t left : {0U, 1U << 20U}) {
    const rlimit now{.rlim_cur = address_space() + left, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_AS, &now);
    for (int i = 0; i < 3; ++i)
      expect_contains(device.meet(3, 1024), "memory for the lanes of kernel gathering_kernel");
    setrlimit(RLIMIT_AS, &before);
  }
  EXPECT_EQ(device.meet(3, 1024), "");
}

TEST_F(ThreadsDeathTest, ReportMissingMemoryForLanes) {
  if (test::is_sanitized) GTEST_SKIP() << "a sanitizer has terabytes of address space reserved";
  EXPECT_EXIT((find_no_memory_for_lanes(), end()), testing::ExitedWithCode(EXIT_SUCCESS), "");
}

// A thread that computes for a window yields to the window's thread, on all cores.
TEST(Threads, HaveTheirCallersNiceness) {
#if defined(WARPVIEW_SANITIZE_THREAD)
  GTEST_SKIP() << "lanes are separate threads there";
#endif
  const std::unique_ptr<Device> device = open_cpu_device({.workers = 4});
  const std::unique_ptr<Stream> stream = device->create_stream();
  const int before = getpriority(PRIO_PROCESS, 0);
  const auto asked = [&] {
    std::uint32_t arrived = 0;
    std::vector<int> niceness(4, -100);
    launch(*stream, KERNEL(niceness_kernel), Shape(4, 1), &arrived, niceness.data());
    return niceness;
  };
  EXPECT_EQ(asked(), std::vector<int>(4, before));
  const int nicer = std::min(before + 3, 19);  // the highest niceness
  std::thread([&] {
    ASSERT_EQ(setpriority(PRIO_PROCESS, 0, nicer), 0);
    EXPECT_EQ(asked(), std::vector<int>(4, nicer));
  }).join();
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), before);
}

}  // namespace
}  // namespace warpview::cpu
