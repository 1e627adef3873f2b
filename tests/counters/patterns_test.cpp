// The counts of kernels whose counts can be computed by hand.
#include "tests/counters/patterns.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <tuple>

#include "gpu/runtime/buffer.h"
#include "gpu/runtime/source_module.h"

namespace warpview::test {
namespace {

struct Modules {
  const CountedModule* counted;
  const Patterns* patterns;
};
const Modules& modules() {
  static const Modules instance = [] {
    void* module = dlopen(PATTERNS_MODULE, RTLD_NOW | RTLD_LOCAL);
    if (!module) throw Error(dlerror());
    return Modules{
        reinterpret_cast<const CountedModule* (*)()>(dlsym(module, counting_module.entry))(),
        reinterpret_cast<PatternsEntry*>(dlsym(module, patterns_entry))()};
  }();
  return instance;
}

class Counted {
 public:
  explicit Counted(unsigned banks = 32, unsigned warp_size = 32)
      : device_(modules().counted->open_device({.warp_size = warp_size}, banks)),
        stream_(device_->create_stream()),
        memory_(*device_, 1U << 16U) {
    stream_->fill(memory_.data(), 0, memory_.bytes());
    modules().counted->take_counters();
  }

  template <class... Parameters>
  KernelCounters operator()(void (*pattern)(Stream&, std::uint32_t*, Parameters...),
                            std::type_identity_t<Parameters>... arguments) {
    pattern(*stream_, memory_.data(), arguments...);
    auto all = modules().counted->take_counters();
    if (all.size() != 1) throw Error("not one kernel");
    return all.front();
  }

  std::uint32_t word(std::size_t i) { return memory_.download(*stream_)[i]; }

 private:
  std::unique_ptr<Device> device_;
  std::unique_ptr<Stream> stream_;
  Buffer<std::uint32_t> memory_;
};

const Patterns& patterns() { return *modules().patterns; }

// Two instructions: a read with the stride, and a write side by side in 4 sectors.
TEST(Coalescing, AdjacentWordsFillTheirSectors) {
  const KernelCounters c = Counted()(patterns().strided, 1U);
  EXPECT_EQ(c.global_accesses, 2U);
  EXPECT_EQ(c.global_sectors, 4U + 4U);
  EXPECT_EQ(c.global_sectors_least, 4U + 4U);
  EXPECT_EQ(c.coalescing(), 1.0);
  EXPECT_EQ(c.launches, 1U);
  EXPECT_EQ(c.blocks, 1U);
  EXPECT_EQ(c.threads, 32U);
  EXPECT_EQ(c.shared_accesses, 0U);
}
TEST(Coalescing, EverySecondWordTouchesTwiceTheSectors) {
  const KernelCounters c = Counted()(patterns().strided, 2U);
  EXPECT_EQ(c.global_sectors, 8U + 4U);
  EXPECT_EQ(c.global_sectors_least, 4U + 4U);
}
TEST(Coalescing, DistantWordsHaveASectorEach) {
  const KernelCounters c = Counted()(patterns().strided, 32U);
  EXPECT_EQ(c.global_sectors, 32U + 4U);
  EXPECT_EQ(c.global_sectors_least, 4U + 4U);
}
TEST(Coalescing, OneWordForAllIsOneSector) {
  const KernelCounters c = Counted()(patterns().strided, 0U);
  EXPECT_EQ(c.global_sectors, 1U + 4U);
  EXPECT_EQ(c.global_sectors_least, 1U + 4U);
}
TEST(Coalescing, WideValuesAreOneAccess) {
  const KernelCounters c = Counted()(patterns().wide);
  EXPECT_EQ(c.global_accesses, 2U);
  EXPECT_EQ(c.global_sectors, 16U + 16U);
  EXPECT_EQ(c.global_sectors_least, 16U + 16U);
}

// 64 writes that fill the memory without conflict, and one read.
TEST(Banks, DegreeFollowsTheStride) {
  const std::array<std::array<unsigned, 3>, 8> degrees = {{
      // stride, degree with 32 banks, with 16
      {0, 1, 1},  // a broadcast
      {1, 1, 1},
      {2, 2, 2},
      {3, 1, 1},
      {8, 8, 8},
      {16, 16, 16},
      {31, 1, 1},
      {32, 32, 16},
  }};
  for (const auto& [stride, of_32, of_16] : degrees) {
    const KernelCounters wide = Counted(32)(patterns().shared_strided, stride, 32U);
    EXPECT_EQ(wide.worst_degree, of_32) << stride;
    EXPECT_EQ(wide.shared_accesses, 65U) << stride;
    EXPECT_EQ(wide.shared_transactions, 64U + of_32) << stride;
    EXPECT_EQ(wide.steps.size(), 2U);
    EXPECT_EQ(wide.steps.at(0).worst_degree, 1U) << stride;
    EXPECT_EQ(wide.steps.at(1).worst_degree, of_32) << stride;
    const KernelCounters narrow = Counted(16)(patterns().shared_strided, stride, 32U);
    EXPECT_EQ(narrow.worst_degree, of_16) << stride;
    EXPECT_EQ(narrow.shared_transactions, 128U + 2 * of_16) << stride;
  }
}

// A warp of 64 lanes is two groups of 32.
TEST(Banks, WideWarpsAreServedInGroups) {
  const KernelCounters c = Counted(32, 64)(patterns().shared_strided, 2U, 64U);
  EXPECT_EQ(c.worst_degree, 2U);
  EXPECT_EQ(c.shared_accesses, 32U + 1);
  EXPECT_EQ(c.shared_transactions, 32U * 2 + 2 * 2);
}

// Lanes with 8 bytes each are served by 16, which fill the banks.
TEST(Banks, WideValuesAreServedInSmallerGroups) {
  const KernelCounters side_by_side = Counted()(patterns().shared_wide, 1U);
  EXPECT_EQ(side_by_side.worst_degree, 1U);
  EXPECT_EQ(side_by_side.shared_accesses, 32U + 1);
  EXPECT_EQ(side_by_side.shared_transactions, 33U * 2);
  EXPECT_EQ(Counted()(patterns().shared_wide, 2U).worst_degree, 2U);
}

TEST(Banks, ThereAre16Or32) {
  EXPECT_THROW(modules().counted->open_device({}, 24), Error);
  EXPECT_THROW(modules().counted->open_device({}, 0), Error);
}

TEST(Barriers, AreCountedByBlockAndAtomicsByLane) {
  Counted counted;
  const KernelCounters c = counted(patterns().atomics);
  EXPECT_EQ(counted.word(0), 4U * 64);
  EXPECT_EQ(c.barriers, 4U * 3);
  EXPECT_EQ(c.atomics, 4U * (64 + 32));
  EXPECT_EQ(c.atomic_rounds, 4U * (64 + 32));  // all on one word
  EXPECT_EQ(c.global_accesses, 4U * (2 + 2));
  EXPECT_EQ(c.global_sectors, 4U * (2 + 2));
}

TEST(Collectives, AreCountedByWarp) {
  const KernelCounters c = Counted()(patterns().collectives);
  EXPECT_EQ(c.collectives, 2U * 6);
  EXPECT_EQ(c.barriers, 0U);
  EXPECT_EQ(c.divergent_branches, 0U);
}

TEST(Branches, DivergeIfLanesOfAWarpTakeDifferentPaths) {
  EXPECT_EQ(Counted()(patterns().two_ways, 1U).divergent_branches, 2U);  // both warps
  EXPECT_EQ(Counted()(patterns().two_ways, 16U).divergent_branches, 2U);
  EXPECT_EQ(Counted()(patterns().two_ways, 32U).divergent_branches, 0U);  // a branch for each warp
  EXPECT_EQ(Counted()(patterns().two_ways, 48U).divergent_branches, 1U);  // the second warp
  EXPECT_EQ(Counted(32, 64)(patterns().two_ways, 32U).divergent_branches, 1U);
}

// Each iteration after which some lanes leave the loop and some do not.
TEST(Branches, DivergeInALoopThatLanesLeaveAtDifferentTimes) {
  EXPECT_EQ(Counted()(patterns().loop, 1U).divergent_branches, 0U);
  EXPECT_EQ(Counted()(patterns().loop, 2U).divergent_branches, 1U);
  EXPECT_EQ(Counted()(patterns().loop, 7U).divergent_branches, 6U);
  EXPECT_EQ(Counted()(patterns().loop, 32U).divergent_branches, 31U);
}

TEST(Counts, AreSummedPerKernel) {
  Counted counted;
  const KernelCounters once = counted(patterns().strided, 2U);
  EXPECT_EQ(counted(patterns().strided, 2U), once);
  const auto twice = [](Stream& stream, std::uint32_t* memory) {
    patterns().strided(stream, memory, 2);
    patterns().strided(stream, memory, 2);
  };
  const KernelCounters c = counted(+twice);
  EXPECT_EQ(c.launches, 2U);
  EXPECT_EQ(c.global_sectors, 2 * once.global_sectors);
  EXPECT_EQ(c.steps, once.steps);
}

// Blocks that run at the same time take turns, so that even their spins are the same each time.
TEST(Counts, AreTheSameInEveryRunWithConcurrentBlocks) {
  const KernelCounters first = Counted()(patterns().grid_barrier, 8U, 5U);
  EXPECT_EQ(first.barriers, 8U * 5 * 2);
  EXPECT_EQ(first.atomics, 8U * 5);
  for (int run = 0; run < 5; ++run) EXPECT_EQ(Counted()(patterns().grid_barrier, 8U, 5U), first);
}

}  // namespace
}  // namespace warpview::test
