// The SIMT executor: order, barriers, collectives, concurrency, and the report of every misuse.
#define WARPVIEW_BACKEND_CPU
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "gpu/runtime/cpu/cpu_device.h"
#include "gpu/warp/warp.h"

namespace warpview::cpu {
namespace {

// A grid has a thread for the last of as many items as can be counted.
static_assert(ceil_div(0xffffffffU, 256U) == 1U << 24U);
static_assert(ceil_div(0U, 256U) == 0 && ceil_div(256U, 256U) == 1 && ceil_div(257U, 256U) == 2);

struct Schedule {
  unsigned warp_size;
  std::uint64_t seed;
};
void PrintTo(const Schedule& s, std::ostream* out) {
  *out << "warp " << s.warp_size << " seed " << s.seed;
}

class Executor : public testing::TestWithParam<Schedule> {
 protected:
  std::unique_ptr<Device> device =
      open_cpu_device({.warp_size = GetParam().warp_size, .seed = GetParam().seed, .workers = 3});
  std::unique_ptr<Stream> stream = device->create_stream();

  // Runs the kernel and returns the text of the error it ends in; empty if it ends well.
  template <class... P>
  std::string error_of(Kernel<P...> kernel, Shape shape, std::type_identity_t<P>... args) {
    try {
      launch(*stream, kernel, shape, args...);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

INSTANTIATE_TEST_SUITE_P(Schedules, Executor,
                         testing::Values(Schedule{32, 0}, Schedule{64, 0}, Schedule{32, 1},
                                         Schedule{64, 1}, Schedule{32, 7}, Schedule{64, 9}),
                         [](const auto& schedule) {
                           return "warp" + std::to_string(schedule.param.warp_size) + "_seed" +
                                  std::to_string(schedule.param.seed);
                         });

__global__ void mark_kernel(unsigned* out, unsigned width) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] += 1 + y * width + x;
}

TEST_P(Executor, RunsEveryThreadOnceAtItsPlace) {
  std::vector<unsigned> out(40 * 24);
  launch(*stream, KERNEL(mark_kernel), Shape(dim3(5, 3), dim3(8, 8)), out.data(), 40U);
  for (unsigned i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], i + 1);
}

// Each block reverses 256 values through shared memory, `rounds` times.
__global__ void reverse_kernel(int* data, int rounds) {
  __shared__ int tile[256];
  int* mine = data + blockIdx.x * 256;
  for (int i = 0; i < rounds; ++i) {
    tile[threadIdx.x] = mine[threadIdx.x];
    __syncthreads();
    mine[threadIdx.x] = tile[255 - threadIdx.x];
    __syncthreads();
  }
}

TEST_P(Executor, BarriersOrderSharedMemory) {
  std::vector<int> data(256 * 20);
  std::iota(data.begin(), data.end(), 0);
  launch(*stream, KERNEL(reverse_kernel), Shape(20, 256), data.data(), 5);
  for (int i = 0; i < static_cast<int>(data.size()); ++i)
    ASSERT_EQ(data[static_cast<std::size_t>(i)], i / 256 * 256 + 255 - i % 256);
}

// Reads shared memory that nobody has written.
__global__ void unwritten_kernel(std::uint32_t* out) {
  __shared__ std::uint32_t words[64];
  out[global_thread()] = words[threadIdx.x];
  __syncthreads();
  words[threadIdx.x] = 0;
}

TEST_P(Executor, FillsSharedMemoryBeforeEachBlockOfAShuffledLaunch) {
  if (GetParam().seed == 0) GTEST_SKIP() << "in order";
  std::vector<std::uint32_t> out(64 * 9);
  launch(*stream, KERNEL(unwritten_kernel), Shape(9, 64), out.data());
  for (const std::uint32_t word : out) EXPECT_EQ(word, 0xcdcdcdcdU);
}

// Lanes leave one after the other; the barrier counts the rest.
__global__ void leaving_kernel(int* steps) {
  for (unsigned i = 0; i < threadIdx.x; ++i) {
    __syncthreads();
    ++steps[threadIdx.x];
  }
}

TEST_P(Executor, BarriersCountTheLanesThatHaveNotExited) {
  std::vector<int> steps(64);
  launch(*stream, KERNEL(leaving_kernel), Shape(1, 64), steps.data());
  for (int i = 0; i < 64; ++i) EXPECT_EQ(steps[static_cast<std::size_t>(i)], i);
}

// The lanes below `gone` leave; of the rest, every third says no.
__global__ void vote_kernel(unsigned gone, int* count, int* all, int* any) {
  const unsigned i = threadIdx.x;
  if (i < gone) return;
  count[i] = __syncthreads_count(i % 3 != 0);
  all[i] = __syncthreads_and(i % 3 != 0) + 2 * __syncthreads_and(i >= gone);
  any[i] = __syncthreads_or(i % 3 == 0) + 2 * __syncthreads_or(i < gone);
}

TEST_P(Executor, BarriersCountVotesOfTheLanesThatHaveNotExited) {
  for (const unsigned gone : {0U, 40U}) {
    SCOPED_TRACE(gone);
    std::vector<int> count(128), all(128), any(128);
    launch(*stream, KERNEL(vote_kernel), Shape(1, 128), gone, count.data(), all.data(), any.data());
    int yes = 0;
    for (unsigned i = gone; i < 128; ++i) yes += i % 3 != 0 ? 1 : 0;
    for (unsigned i = gone; i < 128; ++i) {
      EXPECT_EQ(count[i], yes);
      EXPECT_EQ(all[i], 2);
      EXPECT_EQ(any[i], 1);
    }
  }
}

__global__ void collective_kernel(std::uint64_t* out) {
  const std::uint32_t value = warp::lane() % 5;
  const warp::LaneMask odd = warp::ballot(warp::all_lanes(), warp::lane() % 2 == 1);
  const warp::LaneMask peers = warp::match<8>(warp::all_lanes(), value);
  const std::uint64_t sum = warp::inclusive_sum(std::uint64_t{warp::lane()});
  const unsigned total =
      warp::reduce(warp::lane(), [](unsigned a, unsigned b) { return a > b ? a : b; });
  std::uint64_t* row = out + global_thread() * 4;
  row[0] = odd;
  row[1] = peers;
  row[2] = sum;
  row[3] = total;
  // Half of the warp goes on alone; its mask names only itself.
  if (warp::lane() < warp::size() / 2) {
    const warp::LaneMask half = (warp::LaneMask{1} << warp::size() / 2) - 1;
    row[3] += warp::shuffle(half, warp::lane(), warp::size() / 2 - 1 - warp::lane());
  }
}

TEST_P(Executor, CollectivesSeeEveryLaneOfTheMask) {
  const unsigned size = GetParam().warp_size;
  std::vector<std::uint64_t> out(256 * 2 * 4);
  launch(*stream, KERNEL(collective_kernel), Shape(2, 256), out.data());
  for (unsigned t = 0; t < 512; ++t) {
    const unsigned lane = t % size;
    std::uint64_t odd = 0;
    std::uint64_t peers = 0;
    for (unsigned i = 0; i < size; ++i) {
      odd |= static_cast<std::uint64_t>(i % 2) << i;
      peers |= static_cast<std::uint64_t>(i % 5 == lane % 5) << i;
    }
    EXPECT_EQ(out[t * 4], odd);
    EXPECT_EQ(out[t * 4 + 1], peers);
    EXPECT_EQ(out[t * 4 + 2], std::uint64_t{lane} * (lane + 1) / 2);
    EXPECT_EQ(out[t * 4 + 3], size - 1 + (lane < size / 2 ? size / 2 - 1 - lane : 0));
  }
}

// Every third lane goes one way, the rest the other; both write down who was with them, and who of
// those voted in a ballot among them.
__global__ void active_kernel(warp::LaneMask* masks, warp::LaneMask* votes) {
  const unsigned i = global_thread();
  if (warp::lane() % 3 == 0) {
    masks[i] = warp::active();
    votes[i] = warp::ballot(masks[i], true);
  } else {
    masks[i] = warp::active();
    votes[i] = warp::ballot(masks[i], warp::lane() % 2 == 0);
  }
  __syncthreads();
}

TEST_P(Executor, ActiveLanesAgreeAndAreConverged) {
  const unsigned size = GetParam().warp_size;
  std::uint64_t thirds = 0;
  std::uint64_t even = 0;
  for (unsigned i = 0; i < size; ++i) {
    thirds |= static_cast<std::uint64_t>(i % 3 == 0) << i;
    even |= static_cast<std::uint64_t>(i % 2 == 0) << i;
  }
  const std::uint64_t all = size == 64 ? ~std::uint64_t{0} : 0xffffffffU;
  std::vector<std::uint64_t> masks(256 * 4);
  std::vector<std::uint64_t> votes(masks.size());
  launch(*stream, KERNEL(active_kernel), Shape(4, 256), masks.data(), votes.data());
  bool parted = false;
  for (unsigned t = 0; t < masks.size(); ++t) {
    const unsigned lane = t % size;
    const std::uint64_t branch = lane % 3 == 0 ? thirds : all & ~thirds;
    ASSERT_TRUE(masks[t] >> lane & 1U) << "thread " << t;
    ASSERT_EQ(masks[t] & ~branch, 0U) << "thread " << t;
    for (std::uint64_t rest = masks[t]; rest != 0; rest &= rest - 1)
      ASSERT_EQ(masks[t - lane + warp::first(rest)], masks[t]);
    ASSERT_EQ(votes[t], lane % 3 == 0 ? masks[t] : masks[t] & even);
    parted |= masks[t] != branch;
  }
  // In order all lanes of a branch get there together; a seed parts some.
  EXPECT_EQ(parted, GetParam().seed != 0);
}

// Lane 0 comes only after another lane has been let through: nobody may wait for a whole warp.
__global__ void late_lane_kernel(std::uint32_t* flag, warp::LaneMask* masks) {
  if (warp::lane() == 0)
    while (load_acquire(flag) == 0) backoff();
  if (warp::lane() == 1) return;
  masks[threadIdx.x] = warp::active();
  store_release(flag, 1U);
}

TEST_P(Executor, ActiveWaitsForNobodyWhoMustWait) {
  std::uint32_t flag = 0;
  std::vector<std::uint64_t> masks(64);
  launch(*stream, KERNEL(late_lane_kernel), Shape(1, 64), &flag, masks.data());
  for (unsigned t = 0; t < GetParam().warp_size; ++t)
    EXPECT_EQ(masks[t] >> t & 1U, t == 1 ? 0U : 1U);
  // With a seed the others need not wait for lane 0 to start.
  if (GetParam().seed == 0) {
    EXPECT_EQ(masks[0], 1U);
  }
}

// A lock taken by every lane of every block: lanes spin on each other and across OS threads.
__global__ void lock_kernel(std::uint32_t* lock, int* counter) {
  for (;;) {
    if (atomicCAS(lock, 0U, 1U) == 0) {
      __threadfence();
      ++*counter;
      __threadfence();
      atomicExch(lock, 0U);
      return;
    }
    backoff();
  }
}

TEST_P(Executor, SpinsEndWhenAnotherLaneLetsGo) {
  std::uint32_t lock = 0;
  int counter = 0;
  launch(*stream, KERNEL(lock_kernel), Shape(8, 64), &lock, &counter);
  EXPECT_EQ(counter, 8 * 64);
}

// Passes only if all blocks run at once: each waits for all others.
__global__ void meet_kernel(std::uint32_t* arrived, int* passed) {
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1U);
    while (load_acquire(arrived) < gridDim.x) backoff();
    atomicAdd(passed, 1);
  }
  __syncthreads();
}

TEST_P(Executor, ConcurrentLaunchHoldsEveryBlock) {
  std::uint32_t arrived = 0;
  int passed = 0;
  launch_concurrent(*stream, KERNEL(meet_kernel), Shape(simt::max_concurrent_blocks, 64), &arrived,
                    &passed);
  EXPECT_EQ(passed, static_cast<int>(simt::max_concurrent_blocks));
  EXPECT_THROW(launch_concurrent(*stream, KERNEL(meet_kernel),
                                 Shape(simt::max_concurrent_blocks + 1, 64), &arrived, &passed),
               Error);
}

TEST_P(Executor, ReportsASpinThatNothingCanEnd) {
  // More blocks than OS threads, and each waits for the last.
  std::uint32_t arrived = 0;
  int passed = 0;
  const std::string text = error_of(KERNEL(meet_kernel), Shape(9, 64), &arrived, &passed);
  EXPECT_NE(text.find("meet_kernel"), std::string::npos) << text;
  EXPECT_NE(text.find("spin never ends"), std::string::npos) << text;
  EXPECT_NE(text.find("executor_test.cpp:"), std::string::npos) << text;
}

// To agree that they wait is no progress.
__global__ void wait_together_kernel(const std::uint32_t* word) {
  for (Spin spin; warp::any(warp::all_lanes(), load_relaxed(word) == 0);) spin.back_off();
}

TEST_P(Executor, ReportsASpinOfAWholeWarpThatNothingCanEnd) {
  const std::uint32_t word = 0;
  const std::string text = error_of(KERNEL(wait_together_kernel), Shape(2, 64), &word);
  EXPECT_NE(text.find("spin never ends"), std::string::npos) << text;
}

// Each lane waits for all others of its block, and gives them no turn.
__global__ void impatient_kernel(std::uint32_t* arrived) {
  atomicAdd(arrived, 1U);
  while (load_acquire(arrived) < blockDim.x) continue;
}

TEST_P(Executor, ReportsASpinThatDoesNotBackOff) {
  std::uint32_t arrived = 0;
  const std::string text = error_of(KERNEL(impatient_kernel), Shape(1, 64), &arrived);
  EXPECT_NE(text.find("impatient_kernel"), std::string::npos) << text;
  EXPECT_NE(text.find("does not back off"), std::string::npos) << text;
  EXPECT_NE(text.find("executor_test.cpp:"), std::string::npos) << text;
}

__global__ void two_barriers_kernel() {
  if (threadIdx.x < 32)
    __syncthreads();
  else
    __syncthreads();
}

TEST_P(Executor, ReportsLanesAtDifferentBarriers) {
  const std::string text = error_of(KERNEL(two_barriers_kernel), Shape(2, 64));
  EXPECT_NE(text.find("different barriers"), std::string::npos) << text;
  EXPECT_NE(text.find("two_barriers_kernel"), std::string::npos) << text;
  EXPECT_NE(text.find("block "), std::string::npos) << text;
  EXPECT_NE(text.find("lane "), std::string::npos) << text;
}

__global__ void exited_lane_kernel() {
  if (warp::lane() == 3) return;
  warp::sync(warp::all_lanes());
}

TEST_P(Executor, ReportsAMaskThatNamesAnExitedLane) {
  const std::string text = error_of(KERNEL(exited_lane_kernel), Shape(1, 64));
  EXPECT_NE(text.find("names lane 3, which has exited"), std::string::npos) << text;
}

__global__ void barrier_against_collective_kernel() {
  if (warp::lane() == 0)
    __syncthreads();
  else
    warp::sync(warp::all_lanes());
  __syncthreads();
}

TEST_P(Executor, ReportsAMaskWhoseLanesCannotArrive) {
  const std::string text = error_of(KERNEL(barrier_against_collective_kernel), Shape(1, 64));
  EXPECT_NE(text.find("no lane of the block can proceed"), std::string::npos) << text;
}

__global__ void different_masks_kernel() {
  warp::ballot(warp::lane() % 2 ? warp::all_lanes() : warp::all_lanes() & ~warp::LaneMask{2}, true);
}

TEST_P(Executor, ReportsLanesThatDisagreeAboutAMask) {
  const std::string text = error_of(KERNEL(different_masks_kernel), Shape(1, 64));
  EXPECT_NE(text.find("disagree"), std::string::npos) << text;
}

// The first lanes of each warp have a collective of their own, while the others wait for them in
// one of the whole warp.
__global__ void some_before_all_kernel(unsigned some, warp::LaneMask* votes) {
  const warp::LaneMask first = (warp::LaneMask{1} << some) - 1;
  warp::LaneMask of_some = 0;
  if (warp::lane() < some) of_some = warp::ballot(first, warp::lane() % 2 == 0);
  const warp::LaneMask of_all = warp::ballot(warp::all_lanes(), warp::lane() % 3 == 0);
  votes[threadIdx.x] = of_some ^ of_all;
}

TEST_P(Executor, LetsSomeLanesMeetWhileOthersWaitForThem) {
  constexpr warp::LaneMask even = 0x5555555555555555U;
  constexpr warp::LaneMask thirds = 0x9249249249249249U;
  const unsigned warp_size = GetParam().warp_size;
  const warp::LaneMask all = warp_size == 64 ? ~warp::LaneMask{0} : warp::LaneMask{0xffffffffU};
  for (const unsigned some : {1U, 11U, 31U}) {
    std::vector<warp::LaneMask> votes(64);
    launch(*stream, KERNEL(some_before_all_kernel), Shape(1, 64), some, votes.data());
    const warp::LaneMask first = (warp::LaneMask{1} << some) - 1;
    for (unsigned t = 0; t < 64; ++t)
      ASSERT_EQ(votes[t], (t % warp_size < some ? even & first : 0) ^ (thirds & all))
          << "thread " << t << ", " << some << " lanes";
  }
}

__global__ void two_lines_kernel(warp::LaneMask* votes) {
  if (warp::lane() % 2 == 0)
    votes[threadIdx.x] = warp::ballot(warp::all_lanes(), true);
  else
    votes[threadIdx.x] = warp::ballot(warp::all_lanes(), true);
}

TEST_P(Executor, ReportsACollectiveReachedFromTwoLines) {
  std::vector<warp::LaneMask> votes(64);
  const std::string text = error_of(KERNEL(two_lines_kernel), Shape(1, 64), votes.data());
  EXPECT_NE(text.find("different lines"), std::string::npos) << text;
  EXPECT_NE(text.find("ballot"), std::string::npos) << text;
}

__global__ void foreign_lane_kernel(unsigned* out) {
  const warp::LaneMask half = (warp::LaneMask{1} << warp::size() / 2) - 1;
  if (half >> warp::lane() & 1U) out[warp::lane()] = warp::shuffle(half, 1U, warp::size() - 1);
}

TEST_P(Executor, ReportsAShuffleFromOutsideItsMask) {
  std::vector<unsigned> out(64);
  const std::string text = error_of(KERNEL(foreign_lane_kernel), Shape(1, 64), out.data());
  EXPECT_NE(text.find("not in its mask"), std::string::npos) << text;
}

// Whichever lane asks for it: those between the first and the last of a mask have a way of their
// own.
__global__ void no_lane_kernel(unsigned* out, unsigned asking, unsigned source) {
  out[threadIdx.x] =
      warp::shuffle(warp::all_lanes(), 1U, warp::lane() == asking ? source : warp::lane());
}

TEST_P(Executor, ReportsAShuffleFromALaneThatNoWarpHas) {
  std::vector<unsigned> out(64);
  const unsigned size = GetParam().warp_size;
  for (const unsigned asking : {0U, 7U, size - 1})
    for (const unsigned source : {size, 64U, 65U, 0x10000U, ~0U}) {
      const std::string text =
          error_of(KERNEL(no_lane_kernel), Shape(1, 64), out.data(), asking, source);
      EXPECT_NE(text.find("not in its mask"), std::string::npos)
          << "lane " << asking << " reads lane " << source << ": " << text;
    }
}

// Answers each word of the host, which is the word's number plus one, by its square.
__global__ void answer_kernel(const std::uint32_t* asked, std::uint32_t* answers,
                              std::uint32_t count) {
  for (std::uint32_t k = 0; k < count; ++k) {
    if (threadIdx.x == 0)
      for (Spin spin; load_acquire(&asked[k]) == 0;) spin.back_off();
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) store_release(&answers[k], asked[k] * asked[k]);
  }
}

// Launches it beside work of the host; the text of the error that it ends in.
std::string error_beside(Stream& stream, dim3 grid, const std::function<bool()>& host,
                         const std::uint32_t* asked, std::uint32_t* answers, std::uint32_t count) {
  try {
    submit(stream, {.kernel = "answer_kernel", .grid = grid, .block = dim3(128), .host = host},
           kernel_call([=] { answer_kernel(asked, answers, count); }));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_P(Executor, GivesTheHostItsTurns) {
  constexpr std::uint32_t count = 20;
  std::vector<std::uint32_t> asked(count), answers(count);
  std::uint32_t next = 0;
  const auto host = [&] {
    if (next == count || (next > 0 && __atomic_load_n(&answers[next - 1], __ATOMIC_ACQUIRE) == 0))
      return false;
    __atomic_store_n(&asked[next], next + 1, __ATOMIC_RELEASE);
    ++next;
    return true;
  };
  EXPECT_EQ(error_beside(*stream, dim3(1), host, asked.data(), answers.data(), count), "");
  for (std::uint32_t k = 0; k < count; ++k) EXPECT_EQ(answers[k], (k + 1) * (k + 1));
}

TEST_P(Executor, ReportsASpinThatTheHostDoesNotEnd) {
  std::uint32_t asked = 0;
  std::uint32_t answer = 0;
  const auto idle = [] { return false; };
  const std::string text = error_beside(*stream, dim3(1), idle, &asked, &answer, 1);
  EXPECT_NE(text.find("answer_kernel"), std::string::npos) << text;
  EXPECT_NE(text.find("the spin never ends"), std::string::npos) << text;
  // What the host's part throws ends the launch, too.
  const auto failing = []() -> bool { throw Error("the host's part", "it failed", ""); };
  EXPECT_EQ(error_beside(*stream, dim3(1), failing, &asked, &answer, 1),
            "the host's part: it failed");
  // And there is one block for it.
  EXPECT_NE(error_beside(*stream, dim3(2), idle, &asked, &answer, 1).find("single block"),
            std::string::npos);
  asked = 3;
  EXPECT_EQ(error_beside(*stream, dim3(1), idle, &asked, &answer, 1), "");
  EXPECT_EQ(answer, 9U);
}

TEST_P(Executor, RunsOnAfterAReport) {
  EXPECT_NE(error_of(KERNEL(two_barriers_kernel), Shape(4, 64)), "");
  std::vector<int> data(512);
  std::iota(data.begin(), data.end(), 0);
  launch(*stream, KERNEL(reverse_kernel), Shape(2, 256), data.data(), 1);
  EXPECT_EQ(data[0], 255);
  EXPECT_EQ(data[511], 256);
}

TEST_P(Executor, RefusesImpossibleShapes) {
  EXPECT_NE(error_of(KERNEL(two_barriers_kernel), Shape(1, 2048)), "");
}

TEST_P(Executor, CapturedWorkRunsWhenLaunchedOnly) {
  std::vector<unsigned> out(64);
  stream->begin_capture();
  launch(*stream, KERNEL(mark_kernel), Shape(1, 64), out.data(), 64U);
  const auto graph = stream->end_capture();
  EXPECT_EQ(out[5], 0U);
  stream->launch(*graph);
  stream->launch(*graph);
  EXPECT_EQ(out[5], 12U);
}

TEST(CpuDevice, RefusesOtherWarpSizes) { EXPECT_THROW(open_cpu_device({.warp_size = 16}), Error); }

}  // namespace
}  // namespace warpview::cpu
