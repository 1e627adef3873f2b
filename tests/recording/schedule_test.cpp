// Something happens in a recorded run: blocks meet each other half-way, and equal seeds give equal
// runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "gpu/lab/record.h"
#include "gpu/recording/races.h"
#include "gpu/recording/replay.h"
#include "gpu/runtime/recorded_device.h"

namespace warpview::test {
namespace {

Recording record(Primitive primitive, const char* variant, std::uint32_t n,
                 const CpuOptions& options = {}, unsigned interleave = usual_interleave) {
  const auto device = open_recorded_device(options, interleave);
  lab::Recorded recorded =
      lab::record(*device,
                  {.primitive = primitive,
                   .distribution = lab::experiment(primitive).distributions.front(),
                   .n = n},
                  find_variant(primitive, variant));
  EXPECT_EQ(recorded.difference, "");
  EXPECT_EQ(Replay(recorded.recording).finish(), "");
  return std::move(recorded.recording);
}

unsigned count(const Recording& recording, EventKind kind) {
  return static_cast<unsigned>(
      std::count_if(recording.events.begin(), recording.events.end(),
                    [kind](const RecordedEvent& event) { return event.kind == kind; }));
}

// A small tile of a scan has 512 words.
constexpr std::uint32_t eight_tiles = 8 * 512;

// What walks over the states of tiles find: not ready, aggregates, prefixes.
std::array<unsigned, 3> looks(const Recording& recording) {
  std::array<unsigned, 3> found{};
  for (const RecordedEvent& event : recording.events)
    if (event.kind == EventKind::load_relaxed && event.bytes == 8) ++found.at(event.value >> 32U);
  return found;
}

TEST(Schedule, LookBackFindsInvalidAggregateAndPrefix) {
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    const Recording recording = record(Primitive::scan, "lookback", eight_tiles, {.seed = seed});
    EXPECT_EQ(recording.launches.at(0).blocks(), 8U);
    const auto [invalid, aggregate, prefix] = looks(recording);
    EXPECT_GT(invalid, 0U) << seed;
    EXPECT_GT(aggregate, 0U) << seed;
    EXPECT_GT(prefix, 0U) << seed;
  }
}

TEST(Schedule, BlocksRunInOrderWithoutInterleaving) {
  const Recording recording = record(Primitive::scan, "lookback", eight_tiles, {.seed = 1}, 0);
  const auto [invalid, aggregate, prefix] = looks(recording);
  EXPECT_EQ(aggregate, 0U);
  EXPECT_GT(prefix, 0U);
  EXPECT_EQ(count(recording, EventKind::step), 0U);
  unsigned resident = 0;
  for (const RecordedEvent& event : recording.events) {
    if (event.kind == EventKind::block_begin) ++resident;
    if (event.kind == EventKind::block_end) --resident;
    EXPECT_LE(resident, 1U);
  }
}

TEST(Schedule, DelayedPublicationsAreSeenLate) {
  unsigned usual = 0;
  unsigned late = 0;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    usual += looks(record(Primitive::scan, "lookback", eight_tiles, {.seed = seed}))[0];
    const Recording delayed =
        record(Primitive::scan, "lookback", eight_tiles, {.seed = seed, .late_publications = true});
    EXPECT_TRUE(delayed.late_publications);
    late += looks(delayed)[0];
  }
  EXPECT_GT(late, usual);
}

TEST(Schedule, LocksHaveWaiters) {
  for (const char* variant : {"lockstep", "independent", "exponential"})
    EXPECT_GT(count(record(Primitive::lock, variant, 256, {.seed = 1}), EventKind::back_off), 0U)
        << variant;
}

TEST(Schedule, EqualSeedsGiveEqualRuns) {
  for (const unsigned warp_size : {32U, 64U}) {
    std::set<std::vector<std::uint64_t>> runs;
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
      const CpuOptions options = {.warp_size = warp_size, .seed = seed};
      const Recording one = record(Primitive::scan, "lookback", eight_tiles, options);
      EXPECT_TRUE(one == record(Primitive::scan, "lookback", eight_tiles, options)) << seed;
      EXPECT_EQ(one.warp_size, warp_size);
      std::vector<std::uint64_t> blocks;
      for (const RecordedEvent& event : one.events) blocks.push_back(event.block);
      runs.insert(blocks);
    }
    EXPECT_EQ(runs.size(), 4U);
  }
}

// Lanes of a step follow it, in the order of their masks, and each makes one access.
TEST(Schedule, LanesOfAStepMakeOneAccessEach) {
  const Recording recording = record(Primitive::scan, "lookback", eight_tiles, {.seed = 1});
  std::uint64_t left = 0;
  RecordedEvent step;
  bool is_diverged = false;
  for (const RecordedEvent& event : recording.events) {
    if (event.kind == EventKind::step) {
      EXPECT_EQ(left, 0U);
      EXPECT_EQ(event.value & ~event.other, 0U);
      is_diverged = is_diverged || event.value != event.other;
      step = event;
      left = event.value;
    } else if (is_access(event.kind) && !event.continues) {
      ASSERT_NE(left, 0U);
      EXPECT_EQ(event.block, step.block);
      EXPECT_EQ(event.place, step.place);
      EXPECT_EQ(event.thread, step.thread + __builtin_ctzll(left));
      left &= left - 1;
    }
  }
  EXPECT_TRUE(is_diverged);
}

// Races of a run from whose recording all events of these kinds are erased.
std::size_t races_without(Primitive primitive, const char* variant, std::set<EventKind> kinds) {
  Recording recording = record(primitive, variant, eight_tiles, {.seed = 1});
  EXPECT_TRUE(find_races(recording).empty()) << variant;
  EXPECT_GT(std::erase_if(recording.events,
                          [&](const RecordedEvent& event) { return kinds.contains(event.kind); }),
            0U);
  return find_races(recording).size();
}

TEST(Schedule, SynchronisationIsWhatKeepsKernelsFreeOfRaces) {
  EXPECT_GT(races_without(Primitive::block_scan, "hillis_steele", {EventKind::barrier}), 0U);
  EXPECT_GT(races_without(Primitive::reduce, "warp_tail", {EventKind::sync}), 0U);
  EXPECT_GT(races_without(Primitive::refit, "atomic", {EventKind::fence}), 0U);
  EXPECT_GT(races_without(Primitive::lock, "independent", {EventKind::fence}), 0U);
  EXPECT_GT(races_without(Primitive::reduce, "two_pass", {EventKind::launch}), 0U);
}

TEST(Schedule, ArraysHaveTheirNames) {
  const Recording recording = record(Primitive::scan, "lookback", eight_tiles, {.seed = 1});
  std::set<std::string> names;
  for (const RecordedArray& array : recording.arrays) names.insert(array.name);
  for (const char* name : {"input", "storage", "ticket", "shared_before"})
    EXPECT_TRUE(names.contains(name)) << name;
  EXPECT_GE(names.size(), 6U);  // with the output and the tiles' states
}

}  // namespace
}  // namespace warpview::test
