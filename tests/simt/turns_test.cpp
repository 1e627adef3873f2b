// Host threads that launch at the same time take turns.
#define WARPVIEW_BACKEND_CPU
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>

#include "gpu/runtime/cpu/cpu_device.h"
#include "gpu/runtime/kernel.h"
#include "gpu/simt/pool.h"

namespace warpview::cpu {
namespace {

constexpr int launches_each = 50;

struct Turns {
  std::string order;                           // of the kernels that began
  std::array<std::atomic<int>, 2> begun = {};  // by thread
};

// Ends only when a launch of the other thread waits for its turn, as long as there is one to come.
// So the next launch of this thread arrives after that.
__global__ void turn_kernel(Turns* turns, int thread) {
  turns->order += static_cast<char>('a' + thread);
  ++turns->begun[static_cast<std::size_t>(thread)];
  const std::atomic<int>& other = turns->begun[static_cast<std::size_t>(1 - thread)];
  while (other < launches_each && simt::Pool::instance().waiting() == 0) std::this_thread::yield();
}

TEST(Turns, AlternateBetweenThreadsThatLaunchInLoops) {
  const auto device = open_cpu_device({.workers = 2});
  Turns turns;
  const auto launch_in_a_loop = [&](int thread) {
    const auto stream = device->create_stream();
    for (int i = 0; i < launches_each; ++i)
      launch(*stream, KERNEL(turn_kernel), Shape(1, 1), &turns, thread);
  };
  std::thread second(launch_in_a_loop, 1);
  launch_in_a_loop(0);
  second.join();

  ASSERT_EQ(turns.order.size(), 2U * launches_each);
  for (std::size_t i = 1; i < turns.order.size(); ++i)
    ASSERT_NE(turns.order[i], turns.order[i - 1]) << turns.order << ", at " << i;
}

}  // namespace
}  // namespace warpview::cpu
