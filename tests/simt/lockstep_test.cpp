// The CPU device whose warps advance in lockstep: which spins end there, and the reports of those
// that do not.
#define WARPVIEW_BACKEND_CPU
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gpu/catalogue.h"
#include "gpu/primitives/branches/branches.h"
#include "gpu/primitives/lock/lock.h"
#include "gpu/runtime/cpu/cpu_device.h"
#include "gpu/runtime/scratch_memory.h"
#include "gpu/warp/warp.h"

namespace warpview::cpu {
namespace {

struct WarpAndSeed {
  unsigned warp_size;
  std::uint64_t seed;
};

class Lockstep : public testing::TestWithParam<WarpAndSeed> {
 protected:
  static std::unique_ptr<Device> open(bool lockstep) {
    return open_cpu_device({.warp_size = GetParam().warp_size,
                            .seed = GetParam().seed,
                            .workers = 3,
                            .lockstep = lockstep});
  }
  std::unique_ptr<Device> device = open(true);
  std::unique_ptr<Device> independent = open(false);

  // The text of the error that the kernel ends in; empty if it succeeds.
  template <class... P>
  static std::string error_of(Device& on, Kernel<P...> kernel, Shape shape,
                              std::type_identity_t<P>... args) {
    const auto stream = on.create_stream();
    try {
      launch(*stream, kernel, shape, args...);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
};

INSTANTIATE_TEST_SUITE_P(Schedules, Lockstep,
                         testing::Values(WarpAndSeed{32, 0}, WarpAndSeed{64, 0}, WarpAndSeed{32, 1},
                                         WarpAndSeed{64, 2}),
                         [](const auto& schedule) {
                           return "warp" + std::to_string(schedule.param.warp_size) + "_seed" +
                                  std::to_string(schedule.param.seed);
                         });

// The locks of the catalogue, with 5 tallies and 257 items. Returns the device's error.
std::string error_of_lock(Device& device, const char* variant) {
  constexpr std::uint32_t n = 257;
  constexpr std::uint32_t count = 5;
  const auto stream = device.create_stream();
  ScratchMemory scratch(device);
  Buffer<std::uint32_t> items(device, n);
  Buffer<Tally> tallies(device, count);
  std::vector<std::uint32_t> host(n);
  for (std::uint32_t i = 0; i < n; ++i) host[i] = i;
  items.upload(*stream, host);
  stream->fill(tallies.data(), 0, tallies.bytes());
  try {
    scratch.run(
        device.table().get<Primitive::lock>(find_variant(Primitive::lock, variant)), *stream,
        LockArgs{.items = items.data(), .n = n, .tallies = tallies.data(), .tally_count = count});
  } catch (const Error& error) {
    return error.what();
  }
  std::uint32_t counted = 0;
  for (const Tally& tally : tallies.download(*stream)) counted += tally.count;
  return counted == n ? "" : "a lock lets two in";
}

TEST_P(Lockstep, ReportsWhereTheIndependentLockHangs) {
  const std::string text = error_of_lock(*device, "independent");
  EXPECT_NE(text.find("tally_independent_kernel"), std::string::npos) << text;
  EXPECT_NE(text.find("never ends in lockstep"), std::string::npos) << text;
  EXPECT_NE(text.find("has left the loop"), std::string::npos) << text;
  EXPECT_NE(text.find("independent.cu:"), std::string::npos) << text;
  EXPECT_NE(text.find("block "), std::string::npos) << text;
  EXPECT_NE(text.find("lane "), std::string::npos) << text;
  EXPECT_EQ(error_of_lock(*independent, "independent"), "");
}

// Two branches wait for each other: the first to arrive waits for ever.
TEST_P(Lockstep, ReportsWhereMutuallyWaitingBranchesHang) {
  constexpr std::uint32_t n = 64;
  const auto error_of_branches = [](Device& on, const char* variant) -> std::string {
    const auto stream = on.create_stream();
    ScratchMemory scratch(on);
    const Buffer<std::uint32_t> in(on, n), out(on, n);
    stream->fill(in.data(), 1, in.bytes());
    try {
      scratch.run(on.table().get<Primitive::branches>(find_variant(Primitive::branches, variant)),
                  *stream, BranchesArgs{.in = in.data(), .out = out.data(), .n = n});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const std::string text = error_of_branches(*device, "flags");
  EXPECT_NE(text.find("branches_flags_kernel"), std::string::npos) << text;
  EXPECT_NE(text.find("never ends in lockstep"), std::string::npos) << text;
  EXPECT_NE(text.find("is on another branch"), std::string::npos) << text;
  EXPECT_NE(text.find("flags.cu:"), std::string::npos) << text;
  EXPECT_EQ(error_of_branches(*independent, "flags"), "");
  EXPECT_EQ(error_of_branches(*device, "together"), "");
}

TEST_P(Lockstep, PassesTheLocksWrittenForIt) {
  for (const char* variant : {"atomics", "lockstep", "exponential"})
    EXPECT_EQ(error_of_lock(*device, variant), "") << variant;
}

TEST_P(Lockstep, TheCatalogueSaysWhichVariantNeedsIndependentLanes) {
  for (const VariantId variant : variants_of(Primitive::lock)) {
    if (!why_unavailable(*variant, Backend::cpu).empty()) continue;
    EXPECT_EQ(why_unavailable(*variant, independent->info()), "") << variant->name;
    const std::string why = why_unavailable(*variant, device->info());
    EXPECT_EQ(why.find("lockstep") != std::string::npos,
              std::string(variant->name) == "independent")
        << variant->name << ": " << why;
  }
}

// The lane that could end the spin took the other branch, and gets no turn.
__global__ void other_way_kernel(std::uint32_t* flag, warp::LaneMask* here) {
  if (warp::lane() == 5)
    for (Spin spin; load_acquire(flag) == 0;) spin.back_off();
  here[threadIdx.x] = warp::active();
  store_release(flag, 1U);
}

TEST_P(Lockstep, ReportsASpinForALaneInAnotherBranch) {
  std::uint32_t flag = 0;
  std::vector<warp::LaneMask> here(GetParam().warp_size);
  const std::string text = error_of(*device, KERNEL(other_way_kernel),
                                    Shape(1, GetParam().warp_size), &flag, here.data());
  EXPECT_NE(text.find("is on another branch"), std::string::npos) << text;
  flag = 0;
  EXPECT_EQ(error_of(*independent, KERNEL(other_way_kernel), Shape(1, GetParam().warp_size), &flag,
                     here.data()),
            "");
}

// Warps take turns: even warps end what odd warps wait for. Each warp leaves its loop as a whole,
// repeatedly, and lanes may have a loop within the loop.
__global__ void turns_kernel(std::uint32_t* turn, std::uint32_t* order, unsigned rounds) {
  const unsigned warps = blockDim.x / warp::size() * gridDim.x;
  const unsigned mine = global_thread() / warp::size();
  for (unsigned round = 0; round < rounds; ++round) {
    for (Spin spin; load_acquire(turn) != round * warps + mine;) {
      if (warp::lane() % 2 == 0)
        for (Spin inner; load_acquire(turn) < round * warps;) inner.back_off();
      spin.back_off();
    }
    warp::sync(warp::all_lanes());
    if (warp::lane() == 0) {
      order[round * warps + mine] = mine;
      store_release(turn, round * warps + mine + 1);
    }
  }
}

TEST_P(Lockstep, LetsWarpsWaitForEachOther) {
  std::uint32_t turn = 0;
  const unsigned rounds = 4;
  const unsigned warps = 2 * 128 / GetParam().warp_size;
  std::vector<std::uint32_t> order(rounds * warps);
  EXPECT_EQ(error_of(*device, KERNEL(turns_kernel), Shape(2, 128), &turn, order.data(), rounds),
            "");
  for (std::uint32_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i % warps);
}

// One lane at a time leaves the loop; after it all of them are together again.
__global__ void one_by_one_kernel(warp::LaneMask* behind) {
  unsigned turn = 0;
  for (Spin spin; turn < warp::lane(); ++turn) spin.back_off();
  behind[warp::lane()] = warp::active();
}

TEST_P(Lockstep, KeepsLanesTogetherAfterALoop) {
  const unsigned size = GetParam().warp_size;
  std::vector<warp::LaneMask> behind(size);
  EXPECT_EQ(error_of(*device, KERNEL(one_by_one_kernel), Shape(1, size), behind.data()), "");
  // A seed may still separate lanes in warp::active.
  if (GetParam().seed != 0) return;
  for (const warp::LaneMask mask : behind) EXPECT_EQ(warp::count(mask), size);
}

}  // namespace
}  // namespace warpview::cpu
