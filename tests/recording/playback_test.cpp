// Recordings step by step: what belongs to a step, and that every step can be gone to.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gpu/recording/instructions.h"
#include "gpu/recording/playback.h"

namespace warpview::test {
namespace {

// Two blocks of four threads in warps of two, one shared array of four words, one of eight words in
// device memory: every lane writes its number to shared memory, all meet, lane 0 reads its
// neighbour's, publishes and exits.
std::shared_ptr<const Recording> two_blocks() {
  using enum EventKind;
  Recording recording;
  recording.warp_size = 2;
  recording.places.resize(4);
  recording.arrays = {{.name = "out",
                       .type = "u32",
                       .element_bytes = 4,
                       .bytes = 32,
                       .before = std::vector<std::uint8_t>(32, 0)},
                      {.name = "shared",
                       .type = "u32",
                       .element_bytes = 4,
                       .bytes = 16,
                       .kind = ArrayKind::shared,
                       .before = {}}};
  recording.launches = {{.kernel = "kernel", .grid = {2, 1, 1}, .block = {4, 1, 1}}};
  auto& events = recording.events;
  events.push_back({.kind = launch});
  for (std::uint32_t block = 0; block < 2; ++block)
    events.push_back({.kind = block_begin, .block = block});
  for (std::uint32_t block = 0; block < 2; ++block) {
    for (std::uint16_t warp = 0; warp < 2; ++warp) {
      const auto first = static_cast<std::uint16_t>(2 * warp);
      events.push_back(
          {.kind = step, .thread = first, .block = block, .place = 1, .value = 3, .other = 3});
      for (std::uint16_t i = first; i < first + 2; ++i) {
        events.push_back({.kind = write,
                          .bytes = 4,
                          .thread = i,
                          .block = block,
                          .place = 1,
                          .subject = 1,
                          .offset = 4U * i,
                          .value = i + 10U * block});
        events.push_back({.kind = arrive, .thread = i, .block = block});
      }
    }
    events.push_back({.kind = barrier, .block = block});
    events.push_back({.kind = step, .block = block, .place = 2, .value = 1, .other = 3});
    events.push_back({.kind = read,
                      .bytes = 4,
                      .block = block,
                      .place = 2,
                      .subject = 1,
                      .offset = 4,
                      .value = 1U + 10U * block});
    events.push_back({.kind = step, .block = block, .place = 3, .value = 1, .other = 3});
    events.push_back({.kind = store_release,
                      .bytes = 4,
                      .block = block,
                      .place = 3,
                      .subject = 0,
                      .offset = 4 * block,
                      .value = 1U + 10U * block});
    events.push_back({.kind = exit, .block = block});
    events.push_back({.kind = block_end, .block = block});
  }
  return std::make_shared<const Recording>(std::move(recording));
}

// All that can be seen at a step.
std::string seen(const Playback& at) {
  std::string all = std::to_string(at.at());
  for (std::uint32_t a = 0; a < at.recording().arrays.size(); ++a)
    for (std::uint32_t block = 0; block < 2; ++block) {
      for (const std::uint8_t byte : at.contents(a, block)) all += " " + std::to_string(byte);
      for (std::uint32_t i = 0; i < 8; ++i)
        all += "/" + std::to_string(at.last_write({a, i, block}).value_or(999)) + "," +
               std::to_string(at.last_access({a, i, block}).value_or(999));
    }
  for (const PlayedBlock& block : at.blocks()) {
    all += " b" + std::to_string(block.block);
    for (const PlayedLane& lane : block.lanes)
      all += "." + std::to_string(static_cast<int>(lane.state)) + "@" + std::to_string(lane.place);
  }
  return all;
}

TEST(Playback, GroupsWhatLanesDoTogetherIntoSteps) {
  const Playback playback(two_blocks());
  ASSERT_EQ(playback.steps(), 15U);  // launch, two begins, two blocks of six
  std::size_t events = 0;
  for (std::size_t i = 0; i < playback.steps(); ++i) {
    EXPECT_EQ(playback.first_event_of(i), events);
    EXPECT_EQ(playback.step_of(events), i);
    events += playback.events_of(i).size();
    EXPECT_EQ(playback.step_of(events - 1), i);
  }
  EXPECT_EQ(events, playback.recording().events.size());
  EXPECT_EQ(playback.events_of(3).size(), 5U);  // two writes and two arrivals
}

TEST(Playback, ShowsLanesMemoryAndWhoWroteIt) {
  Playback playback(two_blocks());
  EXPECT_TRUE(playback.last().empty());
  EXPECT_FALSE(playback.launch().has_value());
  playback.seek(4);  // the first warp of block 0 has arrived
  ASSERT_EQ(playback.blocks().size(), 2U);
  EXPECT_EQ(playback.block(0)->lanes[0].state, LaneState::at_barrier);
  EXPECT_EQ(playback.block(0)->lanes[2].state, LaneState::running);
  EXPECT_EQ(playback.block(0)->lanes[1].place, 1U);
  EXPECT_EQ(playback.contents(1, 0)[4], 1);
  EXPECT_TRUE(playback.contents(1, 1).empty());
  EXPECT_EQ(playback.last_write({1, 1, 0}), 6U);
  EXPECT_FALSE(playback.last_write({1, 1, 1}).has_value());
  playback.seek(6);
  EXPECT_EQ(playback.block(0)->lanes[0].state, LaneState::running);
  playback.seek(8);
  EXPECT_EQ(playback.block(0)->lanes[0].state, LaneState::exited);
  playback.seek(9);
  EXPECT_EQ(playback.block(0), nullptr);
  EXPECT_FALSE(playback.last_write({1, 1, 0}).has_value());
  EXPECT_EQ(playback.contents(0)[0], 1);
  playback.seek(1000);
  EXPECT_EQ(playback.at(), playback.steps());
  EXPECT_TRUE(playback.blocks().empty());
}

TEST(Playback, ShowsTheSameWhereverItCameFrom) {
  Playback forward(two_blocks());
  std::vector<std::string> all = {seen(forward)};
  while (forward.at() < forward.steps()) {
    forward.seek(forward.at() + 1);
    all.push_back(seen(forward));
  }
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    const std::size_t to = random() % all.size();
    forward.seek(to);
    EXPECT_EQ(seen(forward), all[to]);
  }
}

TEST(Playback, FindsLandmarksBothWays) {
  Playback playback(two_blocks());
  EXPECT_EQ(playback.find(Landmark::barrier, true), 6U);
  EXPECT_FALSE(playback.find(Landmark::barrier, false).has_value());
  playback.seek(6);
  EXPECT_EQ(playback.find(Landmark::barrier, true), 12U);
  EXPECT_FALSE(playback.find(Landmark::barrier, false).has_value());
  EXPECT_EQ(playback.find(Landmark::divergence, true), 7U);
  EXPECT_EQ(playback.find(Landmark::publish, true), 8U);
  playback.seek(15);
  EXPECT_EQ(playback.find(Landmark::barrier, false), 12U);
  EXPECT_EQ(playback.find(Landmark::publish, false), 14U);
  EXPECT_EQ(playback.find(Landmark::launch, false), 1U);
  EXPECT_FALSE(playback.find(Landmark::launch, true).has_value());
  playback.seek(2);  // block 0 has begun
  EXPECT_EQ(playback.find(Landmark::block, true), 4U);
  playback.seek(10);  // block 1 has written
  EXPECT_EQ(playback.find(Landmark::block, false), 3U);
}

TEST(Playback, ListsWhatItFinds) {
  using Positions = std::vector<std::size_t>;
  Playback playback(two_blocks());
  EXPECT_EQ(playback.find_all(Landmark::barrier), (Positions{6, 12}));
  EXPECT_EQ(playback.find_all(Landmark::launch), Positions{1});
  for (const Landmark landmark : {Landmark::publish, Landmark::conflict, Landmark::divergence}) {
    playback.seek(0);
    for (const std::size_t position : playback.find_all(landmark)) {
      EXPECT_EQ(playback.find(landmark, true), position);
      playback.seek(position);
    }
    EXPECT_FALSE(playback.find(landmark, true).has_value());
  }
}

// Events of one block of 64 threads in warps of 32, which has begun; array 0 is device memory of
// words of 8 bytes, array 1 shared memory of words of 4.
std::shared_ptr<const Recording> told(std::vector<RecordedEvent> events) {
  Recording recording;
  recording.warp_size = 32;
  recording.places.resize(4);
  recording.arrays = {{.name = "out",
                       .type = "u64",
                       .element_bytes = 8,
                       .bytes = 64,
                       .before = std::vector<std::uint8_t>(64, 0)},
                      {.name = "shared",
                       .type = "u32",
                       .element_bytes = 4,
                       .bytes = 64,
                       .kind = ArrayKind::shared,
                       .before = {}}};
  recording.launches = {{.kernel = "kernel", .grid = {1, 1, 1}, .block = {64, 1, 1}}};
  recording.patches = {{.array = 0, .offset = 8, .bytes = std::vector<std::uint8_t>(16, 3)}};
  recording.events = {{.kind = EventKind::launch}, {.kind = EventKind::block_begin}};
  recording.events.insert(recording.events.end(), events.begin(), events.end());
  return std::make_shared<const Recording>(std::move(recording));
}

RecordedEvent shared_access(EventKind kind, std::uint16_t thread, std::uint32_t place,
                            std::uint32_t word = 0, std::uint8_t bytes = 4) {
  return {.kind = kind,
          .bytes = bytes,
          .thread = thread,
          .place = place,
          .subject = 1,
          .offset = 4 * word};
}

// How many events each step has behind the launch and the begin of the block.
std::vector<std::size_t> sizes_of(std::vector<RecordedEvent> events) {
  const Playback playback(told(std::move(events)));
  std::vector<std::size_t> sizes;
  for (std::size_t i = 2; i < playback.steps(); ++i) sizes.push_back(playback.events_of(i).size());
  return sizes;
}

// Without lockstep no event begins a step: lanes that do the same one after another are together.
TEST(Playback, GroupsLanesThatRunUntilTheyMeet) {
  using enum EventKind;
  using Sizes = std::vector<std::size_t>;
  const auto at = [](std::uint16_t thread, std::uint32_t place) {
    return shared_access(read, thread, place);
  };
  EXPECT_EQ(sizes_of({at(0, 1), at(1, 1), at(2, 1)}), Sizes{3});
  EXPECT_EQ(sizes_of({at(0, 1), at(1, 2)}), (Sizes{1, 1}));            // other places
  EXPECT_EQ(sizes_of({at(31, 1), at(32, 1)}), (Sizes{1, 1}));          // other warps
  EXPECT_EQ(sizes_of({at(0, 1), at(2, 1), at(1, 1)}), (Sizes{2, 1}));  // lane 1 once more
  RecordedEvent more = at(2, 1);
  more.continues = true;
  EXPECT_EQ(sizes_of({at(0, 1), at(2, 1), more}), Sizes{3});
  EXPECT_EQ(sizes_of({{.kind = arrive, .thread = 0}, {.kind = arrive, .thread = 40}}), Sizes{2});
  EXPECT_EQ(sizes_of({{.kind = arrive, .thread = 0}, {.kind = exit, .thread = 1}}), (Sizes{1, 1}));
}

TEST(Playback, AnswersBelongToTheirCollective) {
  using enum EventKind;
  Playback playback(told({{.kind = ballot, .place = 3, .value = 3},
                          {.kind = answer, .bytes = 4, .thread = 0},
                          {.kind = answer, .bytes = 4, .thread = 1}}));
  ASSERT_EQ(playback.steps(), 3U);
  playback.seek(3);
  EXPECT_EQ(playback.last().size(), 3U);
  EXPECT_EQ(playback.block(0)->lanes[1].place, 3U);
  EXPECT_EQ(playback.block(0)->lanes[2].place, 0U);
}

TEST(Playback, LanesBackOffUntilTheyGoOn) {
  using enum EventKind;
  Playback playback(told({{.kind = back_off, .thread = 5, .place = 2},
                          {.kind = step, .place = 1, .value = 32, .other = 32},
                          shared_access(read, 5, 1)}));
  playback.seek(3);
  EXPECT_EQ(playback.block(0)->lanes[5].state, LaneState::backing_off);
  playback.seek(4);
  EXPECT_EQ(playback.block(0)->lanes[5].state, LaneState::running);
}

// Reads are no writes, wide accesses are of all their words, and the host writes too.
TEST(Playback, KnowsWhoTouchedAWordLast) {
  using enum EventKind;
  Playback playback(told({shared_access(write, 0, 1, 4, 8),
                          shared_access(read, 1, 2, 5),
                          {.kind = upload, .subject = 0}}));
  playback.seek(playback.steps());
  EXPECT_EQ(playback.last_write({1, 4, 0}), 2U);
  EXPECT_EQ(playback.last_write({1, 5, 0}), 2U);
  EXPECT_EQ(playback.last_access({1, 5, 0}), 3U);
  EXPECT_EQ(playback.last_write({1, 6, 0}), std::nullopt);
  EXPECT_EQ(playback.last_write({0, 0, 0}), std::nullopt);
  EXPECT_EQ(playback.last_write({0, 1, 0}), 4U);
  EXPECT_EQ(playback.last_write({0, 2, 0}), 4U);
  EXPECT_EQ(playback.last_write({0, 3, 0}), std::nullopt);
}

TEST(Playback, LandmarksAreWhatTheySay) {
  using enum EventKind;
  const auto lanes = [](std::uint64_t mask, std::uint64_t all) {
    return RecordedEvent{.kind = step, .place = 1, .value = mask, .other = all};
  };
  const Playback playback(told({lanes(1, 1),
                                shared_access(add, 0, 1),  // of its block alone
                                lanes(1, 3),
                                shared_access(read, 0, 1),  // lane 1 takes no part
                                lanes(3, 3),
                                shared_access(read, 0, 1),
                                shared_access(read, 1, 1),  // the same word
                                lanes(1, 1),
                                {.kind = add, .bytes = 8, .place = 1, .subject = 0}}));
  using Positions = std::vector<std::size_t>;
  ASSERT_EQ(playback.steps(), 6U);
  EXPECT_EQ(playback.find_all(Landmark::publish), Positions{6});
  EXPECT_EQ(playback.find_all(Landmark::divergence), Positions{4});
  EXPECT_EQ(playback.find_all(Landmark::conflict), Positions{});
}

TEST(Playback, CountsTheTurnsOfBanks) {
  using enum EventKind;
  Recording recording = *two_blocks();
  recording.warp_size = 32;
  const auto turns = [&recording](std::vector<std::uint32_t> offsets) {
    std::vector<RecordedEvent> events = {{.kind = step}};
    for (std::uint16_t i = 0; i < offsets.size(); ++i)
      events.push_back({.kind = read, .bytes = 4, .thread = i, .subject = 1, .offset = offsets[i]});
    return bank_turns(recording, events);
  };
  EXPECT_EQ(turns({}), 0U);
  EXPECT_EQ(turns({0, 4, 8}), 1U);
  EXPECT_EQ(turns({0, 0, 0}), 1U);      // one word, broadcast
  EXPECT_EQ(turns({0, 128, 256}), 3U);  // three words of bank 0
  EXPECT_EQ(turns({0, 128, 4, 8}), 2U);
}

// The rule of the device that counts: lanes with 8 bytes come in two groups, with 16 bytes in four,
// and lanes that change one word take turns.
TEST(Playback, ServesWideAccessesInGroupsAndAtomicsOneByOne) {
  using enum EventKind;
  const std::shared_ptr<const Recording> recording = two_blocks();
  Recording wide = *recording;
  wide.warp_size = 32;
  const auto cost = [&wide](EventKind kind, unsigned bytes, unsigned stride, unsigned banks = 32) {
    std::vector<RecordedEvent> events = {{.kind = step}};
    for (std::uint16_t i = 0; i < 32; ++i)
      for (unsigned at = 0; at < bytes; at += 8)
        events.push_back({.kind = kind,
                          .bytes = static_cast<std::uint8_t>(std::min(bytes, 8U)),
                          .continues = at > 0,
                          .thread = i,
                          .subject = 1,
                          .offset = stride * i + at});
    const BankCost is = bank_cost(instructions_of(wide, events), banks);
    EXPECT_EQ(bank_turns(wide, events, banks), is.turns);
    return std::pair(is.turns, is.degree);
  };
  using Cost = std::pair<std::uint64_t, unsigned>;
  EXPECT_EQ(cost(read, 4, 4), Cost(1, 1));
  EXPECT_EQ(cost(read, 4, 4, 16), Cost(2, 1));
  EXPECT_EQ(cost(read, 4, 8), Cost(2, 2));
  EXPECT_EQ(cost(read, 8, 8), Cost(2, 1));
  EXPECT_EQ(cost(read, 8, 16), Cost(4, 2));
  EXPECT_EQ(cost(read, 16, 16), Cost(4, 1));
  EXPECT_EQ(cost(read, 4, 0), Cost(1, 1));
  EXPECT_EQ(cost(add, 4, 0), Cost(32, 32));
  EXPECT_EQ(cost(read, 24, 24), Cost(12, 2));  // word by word: 6 words, each by a stride of 6
}

}  // namespace
}  // namespace warpview::test
