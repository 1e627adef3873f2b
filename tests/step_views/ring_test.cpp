// The view of queues: the places of a ring and the lanes that use it.
#include <gtest/gtest.h>

#include <string>

#include "app/step_views/names.h"
#include "app/step_views/sketch.h"
#include "gpu/primitives/queue/queue.h"
#include "tests/step_views/drawn.h"
#include "tests/step_views/hand_made.h"
#include "tests/step_views/recordings.h"

namespace warpview::test {
namespace {

namespace ink = step_views::ink;
using step_views::lane_name;

// A broker of two places and eight threads, of which six want to append and two to take. Four
// appends and two takes are admitted. (B. Kerbl, M. Kenzel, J. H. Mueller, D. Schmalstieg,
// M. Steinberger, "The Broker Queue", ICS 2018, and its tutorial's example.)
class BrokerExample {
 public:
  // Step numbers at which the example's pictures are.
  std::size_t all_admitted = 0, numbers_drawn = 0, two_put = 0, two_taken = 0, last_two_put = 0;
  WrittenRun run{"queue", 1, 8};

  explicit BrokerExample(std::uint32_t first_number = 0) {
    words_ = run.array("words", "Words", 256, 1);
    tickets_ = run.array("tickets", "u32", 4, 2);
    ring_ = run.array("ring", "u32", 4, 2);
    const std::uint32_t appended = run.array("appended", "u32", 4, 8);
    run.begin(0);
    step_ = 2;
    // The count after each attempt that is admitted: two appends, two takes, two appends.
    const std::uint16_t order[] = {0, 1, 6, 7, 2, 3};
    const std::uint32_t counts[] = {1, 2, 1, 0, 1, 2};
    for (int i = 0; i < 6; ++i) access(EventKind::add, order[i], words_, 0, counts[i]);
    for (const std::uint16_t thread : {4, 5}) access(EventKind::load_relaxed, thread, words_, 0, 2);
    for (const std::uint16_t thread : {4, 5}) run.event(EventKind::back_off, 0, thread);
    all_admitted = step_;
    for (std::uint16_t i = 0; i < 4; ++i)
      access(EventKind::add, i, words_, 132, first_number + i + 1U);
    for (std::uint16_t i = 0; i < 2; ++i)
      access(EventKind::add, static_cast<std::uint16_t>(6 + i), words_, 128, i + 1U);
    numbers_drawn = step_;
    for (std::uint16_t i = 0; i < 2; ++i) put(i, i, 40U + i, 1);
    two_put = step_;
    for (std::uint16_t i = 0; i < 2; ++i) {
      access(EventKind::read, static_cast<std::uint16_t>(6 + i), ring_, 4U * i, 40U + i);
      access(EventKind::store_release, static_cast<std::uint16_t>(6 + i), tickets_, 4U * i, 2);
    }
    two_taken = step_;
    for (std::uint16_t i = 0; i < 2; ++i) put(static_cast<std::uint16_t>(2 + i), i, 42U + i, 3);
    last_two_put = step_;
    for (const std::uint16_t thread : {4, 5})  // they give up in the end
      access(EventKind::write, thread, appended, 4U * thread, 0);
  }

 private:
  void access(EventKind kind, std::uint16_t thread, std::uint32_t array, std::uint32_t offset,
              std::uint64_t value) {
    run.access(kind, 0, thread, array, offset, value);
    ++step_;
  }
  void put(std::uint16_t thread, std::uint32_t place, std::uint32_t item, std::uint32_t ticket) {
    access(EventKind::write, thread, ring_, 4 * place, item);
    access(EventKind::store_release, thread, tickets_, 4 * place, ticket);
  }

  std::uint32_t words_ = 0, tickets_ = 0, ring_ = 0;
  std::size_t step_ = 0;
};

TEST(RingView, ShowsTheTutorialsBroker) {
  const BrokerExample example;
  Drawn drawn("ring", example.run.done());
  drawn.at(example.all_admitted);
  EXPECT_TRUE(drawn.says("Count 2 of 2"));
  EXPECT_TRUE(drawn.says("is admitted (4)"));  // appends
  EXPECT_TRUE(drawn.says("is admitted (2)"));  // takes
  EXPECT_TRUE(drawn.says("wants room (2)"));
  EXPECT_EQ(drawn.text_of(lane_name(0, 4)), "0/0/4");

  drawn.at(example.numbers_drawn);
  EXPECT_TRUE(drawn.says("head 2, tail 4"));
  EXPECT_EQ(drawn.text_of(lane_name(0, 3)), "0/0/3: 3");
  EXPECT_EQ(drawn.text_of(lane_name(0, 7)), "0/0/7: 1");
  EXPECT_TRUE(drawn.says("append 0") && drawn.says("append 1"));

  drawn.at(example.two_put);
  EXPECT_TRUE(drawn.says("take 0") && drawn.says("take 1"));
  EXPECT_EQ(
      drawn.names_of(ink::write, "lane"),
      (std::set<std::string>{lane_name(0, 1),  // it puts its item in this step
                             lane_name(0, 2), lane_name(0, 3), lane_name(0, 4), lane_name(0, 5)}));
  EXPECT_EQ(drawn.text_of(lane_name(0, 1)), "0/0/1: item 41");
  EXPECT_EQ(drawn.text_of(step_views::word_name({2, 0, 0})), "40");
  EXPECT_EQ(drawn.text_of(step_views::word_name({2, 1, 0})), "41");

  // The takes issue the tickets of the two that wait.
  drawn.at(example.two_taken);
  EXPECT_TRUE(drawn.says("append 2") && drawn.says("append 3"));
  EXPECT_EQ(drawn.names_of(ink::read, "lane"), (std::set<std::string>{lane_name(0, 7)}));
  drawn.at(example.two_taken + 1);
  EXPECT_EQ(drawn.names_of(ink::read, "lane"), std::set<std::string>());

  drawn.at(example.last_two_put);
  EXPECT_EQ(drawn.text_of(step_views::word_name({2, 0, 0})), "42");
  EXPECT_EQ(drawn.names_of(ink::write, "lane"),
            (std::set<std::string>{lane_name(0, 3), lane_name(0, 4), lane_name(0, 5)}));

  // Another tail gives other numbers.
  const BrokerExample broken(8);
  Drawn other("ring", broken.run.done());
  other.at(broken.numbers_drawn);
  EXPECT_FALSE(other.says("head 2, tail 4"));
  EXPECT_NE(other.text_of(lane_name(0, 3)), "0/0/3: 3");
}

// The items that are moved, as the view shows them step by step: "17" once for each move.
std::multiset<std::string> items_moved(Drawn& drawn) {
  std::multiset<std::string> moved;
  std::set<std::string> before;
  for (std::size_t step = 0; step <= drawn.steps(); ++step) {
    drawn.at(step);
    std::set<std::string> now;
    for (const PlotShape& shape : drawn.shapes())
      if (const std::size_t at = shape.words.find(": item ");
          at != std::string::npos && shape.name.starts_with("lane"))
        now.insert(shape.name + shape.words.substr(at));
    for (const std::string& each : now)
      if (!before.contains(each)) moved.insert(each.substr(each.find(": item ") + 7));
    before = std::move(now);
  }
  return moved;
}

TEST(RingView, SeesEachItemPutAndTaken) {
  for (const char* variant : {"broker", "broker_distribution", "index", "locked", "bucket_2",
                              "bucket_8", "broker_stealing"}) {
    SCOPED_TRACE(variant);
    const auto recording = record({.primitive = "queue", .variant = variant, .items = 32});
    Drawn drawn("ring", recording);
    const auto moved = items_moved(drawn);  // and the run has ended
    ASSERT_EQ(recording->arrays[0].name, "appended");
    const auto appended = drawn.playback().contents(0);
    for (std::size_t item = 0; item < 32; ++item)
      EXPECT_EQ(moved.count(std::to_string(item)), appended[4 * item] == 1 ? 2U : 0U) << item;
    EXPECT_GE(moved.size(), 48U);
  }
}

TEST(RingView, IsForQueues) {
  BrokerExample example;
  EXPECT_TRUE(view_named("ring").is_for(*example.run.done()));
  example.run.recording().arrays[1].bytes = 4;  // fewer tickets than places
  EXPECT_FALSE(view_named("ring").is_for(*example.run.done()));
  BrokerExample odd;
  for (const int array : {1, 2}) odd.run.recording().arrays[array].bytes = 12;
  EXPECT_FALSE(view_named("ring").is_for(*odd.run.done()));
}

}  // namespace
}  // namespace warpview::test
