// The view of locks: which lanes hold one, wait, or back off.
#include <gtest/gtest.h>

#include <string>

#include "app/step_views/names.h"
#include "app/step_views/sketch.h"
#include "gpu/recording/replay.h"
#include "tests/step_views/drawn.h"
#include "tests/step_views/hand_made.h"
#include "tests/step_views/recordings.h"

namespace warpview::test {
namespace {

namespace ink = step_views::ink;

// Thread 0 takes locks[1]; thread 1 of the same block finds it taken, backs off, finds it taken
// again, and takes it after its release.
WrittenRun two_lanes(std::uint32_t wanted_by_second = 1) {
  WrittenRun run("lock", 1, 2);
  const std::uint32_t locks = run.array("locks", "u32", 4, 2);
  const std::uint32_t tallies = run.array("tallies", "Tally", 16, 2);
  const std::uint32_t wanted = 4 * wanted_by_second;
  run.begin(0);                                                  // steps 1 and 2: launch, begin
  run.access(EventKind::exchange, 0, 0, locks, 4, 1);            // 3: thread 0 takes it
  run.access(EventKind::exchange, 0, 1, locks, wanted, 1);       // 4: thread 1 fails
  run.event(EventKind::back_off, 0, 1);                          // belongs to step 4
  run.access(EventKind::write, 0, 0, tallies, 16, 7);            // 5: inside
  run.access(EventKind::exchange, 0, 1, locks, wanted, 1);       // 6: thread 1 fails again
  run.access(EventKind::store_relaxed, 0, 0, locks, 4, 0);       // 7: released
  run.access(EventKind::exchange, 0, 1, locks, wanted, 1);       // 8: thread 1 takes it
  run.access(EventKind::store_relaxed, 0, 1, locks, wanted, 0);  // 9
  run.event(EventKind::block_end, 0, 0);
  return run;
}

TEST(LockView, TellsWhoHoldsAndWhoWaits) {
  Drawn drawn("lock", two_lanes().done());
  const std::string first = step_views::lane_name(0, 0), second = step_views::lane_name(0, 1);
  const auto holders = [&] {
    std::set<std::string> names;
    for (const PlotShape& shape : drawn.shapes())  // chips, not the strip
      if (shape.ink == ink::atomic && shape.kind == PlotShape::Kind::line &&
          shape.name.starts_with("lane"))
        names.insert(shape.name);
    return names;
  };
  const auto waiters = [&] {
    std::set<std::string> names;
    for (const PlotShape& shape : drawn.shapes())
      if (shape.ink == ink::waiting && shape.kind == PlotShape::Kind::line)
        names.insert(shape.name);
    return names;
  };
  using Names = std::set<std::string>;
  drawn.at(2);
  EXPECT_EQ(holders(), Names());
  drawn.at(3);
  EXPECT_EQ(holders(), Names{first});
  EXPECT_EQ(waiters(), Names());
  drawn.at(4);
  EXPECT_EQ(waiters(), Names{second});
  EXPECT_EQ(drawn.text_of(second), "0/0/1: 1, 1");
  drawn.at(6);
  EXPECT_EQ(holders(), Names{first});
  EXPECT_EQ(drawn.text_of(second), "0/0/1: 2, 1");
  EXPECT_TRUE(drawn.says("tallies[1]: count 7, largest 0, sum 0"));
  drawn.at(8);
  EXPECT_EQ(holders(), Names{second});
  EXPECT_EQ(waiters(), Names());
  drawn.at(9);
  EXPECT_EQ(holders(), Names{second});  // it releases it
  drawn.at(10);
  EXPECT_EQ(holders(), Names());

  // Where the second wants the other lock, no lane waits.
  Drawn other("lock", two_lanes(0).done());
  other.at(4);
  EXPECT_EQ(other.count(ink::waiting, PlotShape::Kind::line), 0U);
}

// A lane that holds one lock and waits for another is drawn with both.
TEST(LockView, ShowsTheOuterLockOfALane) {
  WrittenRun run("faults", 1, 2);
  const std::uint32_t locks = run.array("locks", "u32", 4, 2);
  run.array("out", "u32", 4, 2);
  run.begin(0);                                             // steps 1 and 2
  run.access(EventKind::exchange, 0, 0, locks, 0, 1);       // 3: thread 0 takes locks[0]
  run.access(EventKind::exchange, 0, 1, locks, 4, 1);       // 4: thread 1 takes locks[1]
  run.access(EventKind::exchange, 0, 0, locks, 4, 1);       // 5: thread 0 fails
  run.access(EventKind::store_relaxed, 0, 1, locks, 4, 0);  // 6
  run.access(EventKind::exchange, 0, 0, locks, 4, 1);       // 7: thread 0 has both
  run.access(EventKind::store_relaxed, 0, 0, locks, 4, 0);  // 8: and releases the inner one
  run.access(EventKind::store_relaxed, 0, 0, locks, 0, 0);  // 9: and the outer one
  run.event(EventKind::block_end, 0, 0);
  Drawn drawn("lock", run.done());
  const std::string lane = step_views::lane_name(0, 0);
  const auto chips = [&](int ink) {
    return std::count_if(drawn.shapes().begin(), drawn.shapes().end(), [&](const PlotShape& shape) {
      return shape.ink == ink && shape.kind == PlotShape::Kind::line && shape.name == lane;
    });
  };
  drawn.at(3);
  const auto one = chips(ink::atomic);
  ASSERT_GT(one, 0);
  EXPECT_TRUE(drawn.says("protects out[0]: 0"));
  drawn.at(5);
  EXPECT_EQ(chips(ink::atomic), one);
  EXPECT_GT(chips(ink::waiting), 0);
  drawn.at(7);
  EXPECT_EQ(chips(ink::atomic), 2 * one);
  EXPECT_EQ(chips(ink::waiting), 0);
  drawn.at(8);
  EXPECT_EQ(chips(ink::atomic), 2 * one) << "it releases the inner lock and holds the outer one";
  drawn.at(9);
  EXPECT_EQ(chips(ink::atomic), one) << "it releases the outer lock";
  drawn.at(10);
  EXPECT_EQ(chips(ink::atomic), 0);
}

// Under one lock, one lane is inside at most, whatever the step. A lane that does not release it
// shows.
TEST(LockView, HasOneLaneInsideARealLock) {
  const auto recording = record({.primitive = "queue", .variant = "locked", .items = 32});
  struct Seen {
    std::size_t together = 0;  // steps with several lanes inside
    std::size_t alone = 0;     // with one that holds it, acquires it or has just released it
    std::size_t most_waiting = 0;
  };
  const auto seen_of = [](std::shared_ptr<const Recording> of) {
    Drawn drawn("lock", std::move(of));
    Seen seen;
    for (std::size_t step = 0; step <= drawn.steps(); ++step) {
      drawn.at(step);
      std::size_t inside = 0, waiting = 0;
      for (const PlotShape& shape : drawn.shapes()) {
        if (shape.kind != PlotShape::Kind::line || !shape.name.starts_with("lane")) continue;
        inside += shape.ink == ink::atomic ? 1 : 0;
        waiting += shape.ink == ink::waiting ? 1 : 0;
      }
      seen.together += drawn.says(" +") ? 1 : 0;
      seen.alone += inside == 1 && !drawn.says(" +") ? 1 : 0;
      seen.most_waiting = std::max(seen.most_waiting, waiting);
    }
    return seen;
  };
  const Seen real = seen_of(recording);
  EXPECT_EQ(real.together, 0U);
  EXPECT_GT(real.alone, 200U);
  EXPECT_GE(real.most_waiting, 4U);
  Recording broken = *recording;
  for (RecordedEvent& event : broken.events)
    if (event.kind == EventKind::store_relaxed && broken.arrays[event.subject].name == "state" &&
        event.thread == 3)
      event.thread = 4;
  EXPECT_GT(seen_of(std::make_shared<const Recording>(broken)).together, 0U);
}

TEST(LockView, IsForRecordingsWithLocks) {
  EXPECT_TRUE(view_named("lock").is_for(*two_lanes().done()));
  WrittenRun other = two_lanes();
  other.recording().primitive = "scan";
  EXPECT_FALSE(view_named("lock").is_for(*other.done()));
  other = two_lanes();
  other.recording().arrays[0].element_bytes = 8;
  EXPECT_FALSE(view_named("lock").is_for(*other.done()));
}

}  // namespace
}  // namespace warpview::test
