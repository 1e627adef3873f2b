// What orders the accesses of lanes and what does not, by recordings that are written down here.
#include "gpu/recording/races.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warpview::test {
namespace {

using enum EventKind;

// Two blocks of 64 threads (more blocks where a test names them). Array 0 is device memory of 16
// words, array 1 shared memory of 16 words. Each access is at a line of its own, counted from 1.
class Story {
 public:
  Story() {
    recording_.arrays = {{.name = "words",
                          .type = "u32",
                          .element_bytes = 4,
                          .bytes = 64,
                          .before = std::vector<std::uint8_t>(64, 0)},
                         {.name = "shared",
                          .type = "u32",
                          .element_bytes = 4,
                          .bytes = 64,
                          .kind = ArrayKind::shared,
                          .before = {}}};
    recording_.places.emplace_back();
    launched();
  }

  struct Actor {
    std::uint32_t block = 0;
    std::uint16_t thread = 0;
  };

  // An access to a word; returns its event.
  std::size_t does(Actor actor, EventKind kind, std::uint32_t word, std::uint32_t array = 0) {
    return touches(actor, kind, 4 * word, 4, array);
  }
  std::size_t touches(Actor actor, EventKind kind, std::uint32_t offset, std::uint8_t bytes,
                      std::uint32_t array = 0) {
    const auto line = static_cast<std::uint32_t>(recording_.places.size());
    recording_.places.push_back(
        {.code = 0, .chain = {{.function = "kernel", .file = "a.cu", .line = line}}});
    return add({.kind = kind,
                .bytes = bytes,
                .thread = actor.thread,
                .block = actor.block,
                .place = line,
                .subject = array,
                .offset = offset});
  }
  // The access of `event` again, by another lane.
  std::size_t does_too(Actor actor, std::size_t event) {
    RecordedEvent same = recording_.events[event];
    same.block = actor.block;
    same.thread = actor.thread;
    return add(same);
  }
  // The same from another copy of its line.
  std::size_t does_too_elsewhere(Actor actor, std::size_t event) {
    RecordedEvent same = recording_.events[event];
    same.block = actor.block;
    same.thread = actor.thread;
    const SourceLine line = recording_.places[same.place].chain.front();
    same.place = static_cast<std::uint32_t>(recording_.places.size());
    recording_.places.push_back({.code = 0, .chain = {line}});
    return add(same);
  }
  void fences(Actor actor) { add({.kind = fence, .thread = actor.thread, .block = actor.block}); }
  void launched() {
    add({.kind = launch, .subject = static_cast<std::uint32_t>(recording_.launches.size())});
    recording_.launches.push_back({.kernel = "kernel", .grid = {100, 1, 1}, .block = {64, 1, 1}});
  }
  void meet(std::uint32_t block, std::vector<std::uint16_t> threads) {
    for (const std::uint16_t thread : threads)
      add({.kind = arrive, .thread = thread, .block = block});
    add({.kind = barrier, .block = block});
  }
  void meet_in_warp(std::uint32_t block, std::uint64_t mask, EventKind kind = EventKind::sync) {
    add({.kind = kind, .block = block, .value = mask});
  }
  void ends(std::uint32_t block) { add({.kind = block_end, .block = block}); }

  std::vector<Race> races() const { return find_races(recording_); }
  std::string words(const Race& race) const { return in_words(recording_, race); }
  void expect_none() const {
    for (const Race& race : races()) ADD_FAILURE() << words(race);
  }
  // One race, between these events.
  void expect(std::size_t first, std::size_t second) const {
    const std::vector<Race> found = races();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].first, first) << words(found[0]);
    EXPECT_EQ(found[0].second, second) << words(found[0]);
  }

 private:
  std::size_t add(const RecordedEvent& event) {
    recording_.events.push_back(event);
    return recording_.events.size() - 1;
  }

  Recording recording_;
};

constexpr Story::Actor a = {.block = 0, .thread = 0}, b = {.block = 0, .thread = 1},
                       c = {.block = 0, .thread = 2}, other = {.block = 1, .thread = 0},
                       third = {.block = 2, .thread = 0};

TEST(Races, OfTwoWritesAndOfAWriteAndARead) {
  for (const auto& [one, two] : {std::pair{write, write}, {write, read}, {read, write}}) {
    Story story;
    const std::size_t first = story.does(a, one, 3);
    const std::size_t second = story.does(b, two, 3);
    story.expect(first, second);
    const Race race = story.races().at(0);
    EXPECT_EQ(race.array, 0U);
    EXPECT_EQ(race.element, 3U);
    EXPECT_EQ(race.count, 1U);
  }
}

TEST(Races, NotOfReadsOfOtherWordsOrOfOneLane) {
  Story story;
  story.does(a, read, 0);
  story.does(b, read, 0);
  story.does(a, write, 1);
  story.does(b, write, 2);
  story.does(a, read, 1);
  story.does(a, write, 1);
  story.expect_none();
}

TEST(Races, AreTold) {
  Story story;
  story.does(a, write, 3, 1);
  story.does(b, read, 3, 1);
  story.does(a, write, 5);
  story.does(other, add, 5);
  const std::vector<Race> races = story.races();
  ASSERT_EQ(races.size(), 2U);
  EXPECT_EQ(
      story.words(races[0]),
      "shared[3]: block 0, thread 0 writes at a.cu:1 and thread 1 reads at a.cu:2, unordered");
  EXPECT_EQ(
      story.words(races[1]),
      "words[5]: block 0, thread 0 writes at a.cu:3 and block 1, thread 0 modifies atomically "
      "at a.cu:4, unordered");
}

TEST(Races, OfOnePairOfLinesAreOneAndAreCounted) {
  Story story;
  const std::size_t written = story.does(a, write, 0);
  const std::size_t first = story.does(b, read, 0);
  for (std::uint16_t i = 2; i < 10; ++i) story.does_too({0, i}, first);
  story.expect(written, first);
  EXPECT_EQ(story.races()[0].count, 9U);
}

TEST(Races, OfBytesNotOfTheirWord) {
  Story apart;
  apart.touches(a, write, 0, 1);
  apart.touches(b, write, 1, 1);
  apart.touches(c, write, 2, 2);
  apart.expect_none();
  Story overlap;
  const std::size_t wide = overlap.touches(a, write, 0, 8);
  const std::size_t narrow = overlap.touches(b, read, 6, 2);
  overlap.expect(wide, narrow);
  EXPECT_EQ(overlap.races()[0].element, 1U);
}

TEST(Races, NotOfSharedMemoryOfTwoBlocksNorOfOneAfterTheOther) {
  Story story;
  story.does(a, write, 0, 1);
  story.does(other, write, 0, 1);
  story.ends(0);
  story.does(b, write, 0, 1);
  story.expect_none();
}

TEST(Races, OfDeviceMemoryAreNotPreventedByABlocksEnd) {
  Story story;
  const std::size_t first = story.does(a, write, 0);
  story.ends(0);
  story.expect(first, story.does(other, read, 0));
}

TEST(Races, BarriersOrderThoseWhoArrived) {
  Story story;
  story.does(a, write, 0, 1);
  story.does(b, write, 1, 1);
  story.meet(0, {0, 1});
  story.does(b, write, 0, 1);
  story.does(a, read, 1, 1);
  story.meet(0, {1, 0});
  story.does(a, write, 0, 1);
  story.expect_none();
  // A lane that was not there knows nothing of it, and is not known.
  Story exited;
  const std::size_t first = exited.does(c, write, 0, 1);
  exited.meet(0, {0, 1});
  exited.expect(first, exited.does(a, read, 0, 1));
}

TEST(Races, BarriersOfOneBlockOrderNothingInAnother) {
  Story story;
  const std::size_t first = story.does(a, write, 0);
  story.meet(0, {0, 1});
  story.meet(1, {0, 1});
  story.expect(first, story.does(other, read, 0));
}

TEST(Races, SyncsOrderTheirLanesAndOtherCollectivesNone) {
  Story story;
  story.does(a, write, 0, 1);
  story.meet_in_warp(0, 0b11);
  story.does(b, write, 0, 1);
  story.expect_none();
  Story left_out;
  const std::size_t first = left_out.does(a, write, 0, 1);
  left_out.meet_in_warp(0, 0b110);
  left_out.expect(first, left_out.does(b, read, 0, 1));
  for (const EventKind kind : {ballot, match, shuffle, active}) {
    Story no_sync;
    const std::size_t before = no_sync.does(a, write, 0, 1);
    no_sync.meet_in_warp(0, 0b11, kind);
    no_sync.expect(before, no_sync.does(b, read, 0, 1));
  }
}

// Behind a sync each lane knows what the others knew of third ones.
TEST(Races, OrderIsTransitive) {
  Story story;
  story.does(a, write, 0, 1);
  story.meet_in_warp(0, 0b11);
  story.meet_in_warp(0, 0b110);
  story.does(c, read, 0, 1);
  story.expect_none();
}

TEST(Races, NotOfAtomicsButOfThemWithOthers) {
  Story story;
  for (const EventKind kind : {load_relaxed, store_relaxed, add, exchange, compare_exchange}) {
    story.does(a, kind, 0);
    story.does(other, kind, 0);
  }
  story.expect_none();
  for (const EventKind kind : {store_relaxed, store_release, add, compare_exchange}) {
    Story with_read;
    const std::size_t first = with_read.does(a, kind, 0);
    with_read.expect(first, with_read.does(b, read, 0));
  }
  for (const EventKind kind : {load_relaxed, load_acquire, add}) {
    Story with_write;
    const std::size_t first = with_write.does(a, kind, 0);
    with_write.expect(first, with_write.does(b, write, 0));
  }
  Story reads;
  reads.does(a, load_relaxed, 0);
  reads.does(b, read, 0);
  reads.expect_none();
}

// Word 0 is published through word 1.
struct Handover {
  bool writer_fences = false;
  EventKind publishes = store_relaxed;
  EventKind looks = load_relaxed;
  bool reader_fences = false;
};

Story hand_over(const Handover& how) {
  Story story;
  story.does(a, write, 0);
  if (how.writer_fences) story.fences(a);
  story.does(a, how.publishes, 1);
  story.does(other, how.looks, 1);
  if (how.reader_fences) story.fences(other);
  story.does(other, read, 0);
  return story;
}

TEST(Races, ReleaseAndAcquireOrder) {
  hand_over({.publishes = store_release, .looks = load_acquire}).expect_none();
  hand_over({.publishes = store_release, .reader_fences = true}).expect_none();
  hand_over({.writer_fences = true, .looks = load_acquire}).expect_none();
  hand_over({.writer_fences = true, .reader_fences = true}).expect_none();
  hand_over({.writer_fences = true, .publishes = add, .looks = add, .reader_fences = true})
      .expect_none();
}

TEST(Races, HalfOfAHandoverOrdersNothing) {
  EXPECT_EQ(hand_over({}).races().size(), 1U);
  EXPECT_EQ(hand_over({.publishes = store_release}).races().size(), 1U);
  EXPECT_EQ(hand_over({.looks = load_acquire}).races().size(), 1U);
  EXPECT_EQ(hand_over({.writer_fences = true}).races().size(), 1U);
  EXPECT_EQ(hand_over({.reader_fences = true}).races().size(), 1U);
  EXPECT_EQ(hand_over({.publishes = add, .looks = load_acquire}).races().size(), 1U);
  EXPECT_EQ(hand_over({.writer_fences = true, .publishes = write}).races().size(), 2U);
}

TEST(Races, AFenceReleasesWhatCameBeforeIt) {
  Story story;
  story.fences(a);
  const std::size_t first = story.does(a, write, 0);
  story.does(a, store_relaxed, 1);
  story.does(other, load_acquire, 1);
  story.expect(first, story.does(other, read, 0));
}

TEST(Races, AReaderThatLookedTooEarlyIsNotOrdered) {
  Story story;
  const std::size_t first = story.does(a, write, 0);
  story.does(other, load_acquire, 1);
  story.does(a, store_release, 1);
  story.expect(first, story.does(other, read, 0));
}

TEST(Races, ReadModifyWritesGoOnWithAReleaseAndStoresEndIt) {
  Story counted;
  counted.does(a, write, 0);
  counted.does(a, store_release, 1);
  counted.does(other, add, 1);
  counted.does(third, load_acquire, 1);
  counted.does(third, read, 0);
  counted.expect_none();
  Story stored;
  const std::size_t first = stored.does(a, write, 0);
  stored.does(a, store_release, 1);
  stored.does(other, store_relaxed, 1);
  stored.does(third, load_acquire, 1);
  stored.expect(first, stored.does(third, read, 0));
}

// The last of several blocks to count itself knows all of them: thread 0 speaks for its block.
TEST(Races, TheLastBlockKnowsAll) {
  Story story;
  constexpr std::uint32_t blocks = 100;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    story.does({block, 3}, write, 2 + block % 8);  // as did another block that its lanes know
    story.meet(block, {0, 3});
    story.fences({block, 0});
    story.does({block, 0}, add, 1);
    if (block + 1 == blocks) break;
    story.does({block + 1, 0}, load_acquire, 1);
    story.meet(block + 1, {0, 3});
  }
  for (std::uint32_t word = 2; word < 10; ++word) story.does({blocks - 1, 0}, read, word);
  story.expect_none();
}

TEST(Races, LaunchesOrderAll) {
  Story story;
  story.does(a, write, 0);
  story.does(b, read, 1);
  story.launched();
  story.does(b, read, 0);
  story.does(other, write, 1);
  story.expect_none();
}

// A write that all readers before it come before; and one that one of them does not.
TEST(Races, AWriteIsComparedWithEveryReader) {
  for (const bool all : {true, false}) {
    Story story;
    std::vector<std::uint16_t> lanes;
    const std::size_t first = story.does(a, read, 0, 1);
    for (std::uint16_t i = 1; i < 64; ++i) story.does_too({0, i}, first);
    for (std::uint16_t i = 0; i < 64; ++i)
      if (all || i != 40) lanes.push_back(i);
    story.meet(0, lanes);
    const std::size_t second = story.does(b, write, 0, 1);
    if (all)
      story.expect_none();
    else
      story.expect(first + 40, second);
  }
}

// Lanes that passed an earlier barrier are not at a later one.
TEST(Races, ABarrierForgetsWhoPassedIt) {
  Story story;
  story.meet(0, {0, 1});
  const std::size_t written = story.does(b, write, 0);
  story.meet(0, {0});
  story.expect(written, story.does(a, read, 0));
}

TEST(Races, APlainWriteEndsARelease) {
  Story story;
  const std::size_t written = story.does(a, write, 0);
  story.does(a, store_release, 1);
  story.does(a, write, 1);
  story.meet(0, {0, 64 - 1});
  story.does({0, 63}, write, 1);  // ordered behind the first
  story.does(other, load_acquire, 1);
  story.does(other, read, 0);
  std::size_t of_word = 0;
  for (const Race& race : story.races()) of_word += race.first == written ? 1 : 0;
  EXPECT_EQ(of_word, 1U);
}

TEST(Races, OfAWideAccessAreCountedOnce) {
  Story story;
  story.touches(a, write, 0, 4);
  story.touches(a, write, 4, 4);
  story.touches(b, read, 0, 8);
  const std::vector<Race> races = story.races();
  ASSERT_EQ(races.size(), 1U);
  EXPECT_EQ(races[0].count, 1U);
}

// Lanes behind one barrier know the same, but not what comes later.
TEST(Races, WhatAllLanesKnowIsNotWhatComesLater) {
  Story story;
  const std::size_t one = story.does(a, add, 0);
  story.does_too(b, one);
  story.meet(0, {0, 1, 2, 3});
  const std::size_t looks = story.does(c, read, 0);
  story.expect_none();
  const std::size_t two = story.does({0, 3}, add, 0);
  const std::vector<Race> races = story.races();
  ASSERT_EQ(races.size(), 1U);
  EXPECT_EQ(races[0].first, looks);
  story.does_too(a, two);  // also of several lanes
  const std::size_t late = story.does(c, read, 0);
  bool found = false;
  for (const Race& race : story.races())
    found = found || (race.first == two && race.second == late);
  EXPECT_TRUE(found);
}

// A race that one lane has seen is one of the next lane too, which knows the same.
TEST(Races, AreOfEachLaneThatKnowsTooLittle) {
  Story story;
  story.meet(0, {2, 3});
  const std::size_t first = story.does(a, add, 0);
  story.does_too(b, first);
  const std::size_t second = story.does(c, read, 0);
  story.does_too({0, 3}, second);
  story.expect(first, second);
  EXPECT_EQ(story.races()[0].count, 2U);
}

TEST(Races, NameTheEarliestOfSeveral) {
  Story story;
  const std::size_t first = story.does({0, 20}, read, 0);
  for (std::uint16_t i = 0; i < 20; ++i) story.does_too({0, i}, first);
  story.expect(first, story.does({0, 30}, write, 0));
}

// Code that is inlined several times is at several places of one line.
TEST(Races, OfCopiesOfALineAreOne) {
  Story story;
  const std::size_t written = story.does(a, write, 0);
  const std::size_t looked = story.does(b, read, 0);
  story.does_too_elsewhere(c, looked);
  story.expect(written, looked);
  EXPECT_EQ(story.races()[0].count, 2U);
}

}  // namespace
}  // namespace warpview::test
