// The view of queues: the places of a ring and the lanes that use it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
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

// The lanes that are drawn below a stage's title, left of the next stage and above what follows the
// stages.
std::set<std::string> below(const Drawn& drawn, const std::string& title) {
  std::set<std::string> lanes;
  for (const PlotShape& stage : drawn.shapes()) {
    if (stage.kind != PlotShape::Kind::text || !stage.words.starts_with(title)) continue;
    const PlotVertex corner = stage.vertices.front();
    float right = drawn.surface().width, bottom = drawn.drawing().height;
    for (const PlotShape& other : drawn.shapes()) {
      if (other.kind != PlotShape::Kind::text || !other.name.empty()) continue;
      const PlotVertex at = other.vertices.front();
      if (at.y == corner.y && at.x > corner.x) right = std::min(right, at.x);
      if (at.y > corner.y && other.bold) bottom = std::min(bottom, at.y);
    }
    for (const PlotShape& lane : drawn.shapes()) {
      if (!lane.name.starts_with("lane") || lane.vertices.empty()) continue;
      const PlotVertex at = lane.vertices.front();
      if (corner.x - 1.0F < at.x && at.x < right && corner.y < at.y && at.y < bottom)
        lanes.insert(lane.name);
    }
  }
  return lanes;
}

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

// The first step, from `from` on, at which the view says all of these.
std::size_t first_step_that_says(Drawn& drawn, std::size_t from,
                                 const std::vector<std::string>& words) {
  for (std::size_t step = from; step <= drawn.steps(); ++step) {
    drawn.at(step);
    if (std::all_of(words.begin(), words.end(),
                    [&](const std::string& each) { return drawn.says(each); }))
      return step;
  }
  ADD_FAILURE() << "no step says " << words.front();
  return drawn.steps();
}

// With seed 0 all lanes of the warp ask together.
TEST(RingView, ShowsTheTutorialsBrokerAtWork) {
  const auto lanes = [](std::initializer_list<std::uint32_t> numbers) {
    std::set<std::string> names;
    for (const std::uint32_t each : numbers) names.insert(lane_name(0, each));
    return names;
  };
  for (const unsigned warp_size : {32U, 64U}) {
    SCOPED_TRACE(warp_size);
    Drawn drawn("ring", record({.primitive = "queue",
                                .variant = "broker_limited",
                                .form = "six_and_two",
                                .items = 8,
                                .seed = 0,
                                .warp_size = warp_size}));
    // Four appends and two takes are let in, and have their numbers; two appends are held back.
    std::size_t step = first_step_that_says(drawn, 0, {"head 2, tail 4"});
    EXPECT_TRUE(drawn.says("Count 2 of 2"));
    EXPECT_TRUE(drawn.says("head 2, tail 4, in flight 6 of 6"));
    EXPECT_EQ(below(drawn, "has a number (4)"), lanes({0, 1, 2, 3}));
    EXPECT_EQ(below(drawn, "has a number (2)"), lanes({6, 7}));
    EXPECT_EQ(below(drawn, "wants room (2)"), lanes({4, 5}));
    EXPECT_TRUE(drawn.says("append 0") && drawn.says("append 1"));
    for (const std::uint32_t lane : {0U, 1U, 2U, 3U})
      EXPECT_EQ(drawn.text_of(lane_name(0, lane)), fmt::format("0/0/{}: {}", lane, lane));
    // Two have written, and two wait for their tickets.
    step = first_step_that_says(drawn, step, {"take 0", "take 1"});
    EXPECT_TRUE(below(drawn, "has a number").contains(lane_name(0, 2)));
    EXPECT_TRUE(below(drawn, "has a number").contains(lane_name(0, 3)));
    EXPECT_EQ(below(drawn, "wants room (2)"), lanes({4, 5}));
    // The takes issue the tickets of the two that wait, which write.
    step = first_step_that_says(drawn, step, {"append 2", "append 3"});
    step = first_step_that_says(drawn, step, {"take 2", "take 3"});
    // The queue is full now.
    first_step_that_says(drawn, step, {"gives up: full (2)"});
    EXPECT_EQ(below(drawn, "gives up: full (2)"), lanes({4, 5}));
  }
}

// A queue of two places, full or empty: a lane's attempt changes the count too
// far, is undone, and the lane gives up.
class Refused {
 public:
  explicit Refused(bool is_append) {
    const std::uint32_t words = run.array("words", "Words", 256, 1);
    run.array("tickets", "u32", 4, 2);
    run.array("ring", "u32", 4, 2);
    const std::uint32_t result = run.array(is_append ? "appended" : "taken", "u32", 4, 8);
    const std::uint32_t full = is_append ? 2 : 0;
    if (is_append) run.recording().arrays[words].before[0] = 2;
    run.begin(0);
    const auto change = [&](std::uint32_t count) {
      run.access(EventKind::add, 0, 3, words, 0, count);
    };
    run.access(EventKind::load_relaxed, 0, 3, words, 0, full);  // step 3
    change(is_append ? 3 : ~std::uint32_t{0});                  // its attempt
    change(full);                                               // is undone
    run.access(EventKind::write, 0, 3, result, 12, is_append ? 0 : queue_nothing);
  }
  WrittenRun run{"queue", 1, 8};
};

TEST(RingView, SaysThatALaneIsRefusedAndWhy) {
  for (const bool is_append : {true, false}) {
    Drawn drawn("ring", Refused(is_append).run.done());
    const int ink = is_append ? ink::appends : ink::takes;
    const char* const wish = is_append ? "wants room" : "wants an item";
    const std::set<std::string> lane = {lane_name(0, 3)};
    for (const std::size_t step : {3U, 4U, 5U}) {
      drawn.at(step);
      EXPECT_EQ(drawn.names_of(ink, "lane"), lane) << step;
      EXPECT_EQ(below(drawn, wish), lane) << step;
      EXPECT_TRUE(below(drawn, "is admitted").empty()) << step;
    }
    drawn.at(4);
    EXPECT_TRUE(drawn.says(is_append ? "Count 3 of 2" : "Count -1 of 2"));
    drawn.at(6);
    EXPECT_EQ(below(drawn, is_append ? "gives up: full" : "gives up: empty"), lane);
    EXPECT_TRUE(below(drawn, wish).empty());
  }
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
  for (const char* variant : {"broker", "broker_limited", "broker_distribution", "index", "locked",
                              "bucket_2", "bucket_8", "broker_stealing"}) {
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
