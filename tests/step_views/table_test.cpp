// The view of hash tables: shapes against the kernels' documented hash, and against recordings that
// were broken.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "app/step_views/arrays.h"
#include "app/step_views/table_probes.h"
#include "app/step_views/view.h"
#include "tests/step_views/drawn.h"
#include "tests/step_views/recordings.h"

namespace warpview::test::table_view {
namespace {

using step_views::table::content_of;
using step_views::table::layout_of;

struct Drawn {
  std::map<std::uint32_t, std::uint32_t> keys;  // by slot: the number of the key
  std::map<std::uint32_t, int> from_home;       // by slot
  std::map<unsigned, unsigned> probes;          // how often so many
  std::set<std::string> names;
  std::string title;
};

Drawn drawn_at(const std::shared_ptr<const Recording>& recording, std::size_t step) {
  Playback at(recording);
  at.seek(step);
  Drawn drawn;
  for (const PlotShape& shape : test::drawn("table", at).shapes) {
    unsigned a = 0, b = 0;
    drawn.names.insert(shape.name);
    if (shape.bold && drawn.title.empty()) drawn.title = shape.words;
    if (std::sscanf(shape.name.c_str(), "key/%u", &a) == 1)
      drawn.keys[a] = static_cast<std::uint32_t>(std::stoul(shape.words));
    if (std::sscanf(shape.name.c_str(), "from_home/%u", &a) == 1)
      drawn.from_home[a] = std::stoi(shape.words);
    if (std::sscanf(shape.name.c_str(), "probes/%u/%u", &a, &b) == 2 && b > 0) drawn.probes[a] = b;
  }
  return drawn;
}

// MurmurHash3's last mixing, as docs/primitives/hash_map.md says, scaled to the slots.
std::uint32_t home_of(std::uint32_t key, std::uint32_t slots) {
  key = (key ^ key >> 16U) * 0x85ebca6bU;
  key = (key ^ key >> 13U) * 0xc2b2ae35U;
  key ^= key >> 16U;
  return static_cast<std::uint32_t>(std::uint64_t{key} * slots >> 32U);
}

// Compares the last step's shapes with the table and its hash. Returns what differs.
std::string complaint_of(const std::shared_ptr<const Recording>& recording) {
  const auto layout = *layout_of(*recording);
  Playback at(recording);
  at.seek(at.steps());
  const Drawn drawn = drawn_at(recording, at.steps());
  std::set<std::uint32_t> numbers;
  for (const auto& [slot, number] : drawn.keys) {
    numbers.insert(number);
    const auto content = content_of(layout, at.contents(layout.array), slot);
    if (!content) return fmt::format("slot {} is empty", slot);
    const std::uint32_t home = home_of(static_cast<std::uint32_t>(*content >> 32U), layout.slots);
    const auto found = drawn.from_home.find(slot);
    const int from_home = found == drawn.from_home.end() ? 0 : found->second;
    const int want = layout.is_ordered
                         ? static_cast<int>(slot) - static_cast<int>(home)
                         : static_cast<int>((slot + layout.slots - home) % layout.slots);
    if (from_home != want) return fmt::format("slot {}: {} instead of {}", slot, from_home, want);
  }
  if (numbers.size() != recording->items || *numbers.rbegin() != recording->items - 1)
    return fmt::format("{} keys", numbers.size());
  unsigned count = 0, sum = 0, want = recording->items;
  for (const auto& [length, often] : drawn.probes) {
    count += often;
    sum += length * often;
  }
  for (const auto& [slot, from_home] : drawn.from_home)
    want += static_cast<unsigned>(std::abs(from_home));
  if (count != recording->items) return fmt::format("{} probe sequences", count);
  if (drawn.probes.contains(12)) return {};  // counts the longer ones, too
  return sum == want ? std::string() : fmt::format("{} probes instead of {}", sum, want);
}

class TableView : public testing::TestWithParam<const char*> {};

TEST_P(TableView, AllKeysAreDrawnWithTheirDistanceFromHome) {
  for (const char* const form : {"insert_50", "insert_80", "insert_95"})
    EXPECT_EQ(complaint_of(record(
                  {.primitive = "hash_map", .variant = GetParam(), .form = form, .seed = 3})),
              "")
        << form;
}
INSTANTIATE_TEST_SUITE_P(Variants, TableView,
                         testing::Values("linear", "bidirectional", "bidirectional_warp"),
                         [](const auto& variant) { return std::string(variant.param); });

std::shared_ptr<Recording> linear() {
  return std::make_shared<Recording>(
      *record({.primitive = "hash_map", .variant = "linear", .form = "insert_80"}));
}

TEST(TableViewOfBrokenRecordings, ShowsAFirstProbeThatIsNotHome) {
  const auto broken = linear();
  ASSERT_EQ(complaint_of(broken), "");
  const auto array = layout_of(*broken)->array;
  const auto probe = std::find_if(
      broken->events.begin(), broken->events.end(), [array](const RecordedEvent& event) {
        return event.kind == EventKind::load_relaxed && event.subject == array;
      });
  probe->offset += 24;
  EXPECT_NE(complaint_of(broken), "");
}

TEST(TableViewOfBrokenRecordings, ShowsALostKey) {
  const auto broken = linear();
  const auto layout = *layout_of(*broken);
  const auto claim =
      std::find_if(broken->events.begin(), broken->events.end(), [&](const RecordedEvent& event) {
        return event.kind == EventKind::compare_exchange && event.subject == layout.array;
      });
  claim->value = layout.empty;
  EXPECT_EQ(complaint_of(broken), "63 keys");
}

TEST(TableView, TellsTheLoadFactor) {
  const auto recording = linear();
  Playback at(recording);
  EXPECT_EQ(drawn_at(recording, at.steps()).title, "64 of 84 slots occupied: load factor 76 %");
  EXPECT_TRUE(drawn_at(recording, 0).keys.empty());
}

TEST(TableView, LocksAreTakenAndReleased) {
  const auto recording =
      record({.primitive = "hash_map", .variant = "bidirectional", .form = "insert_80"});
  Playback at(recording);
  const auto is_locked = [&](std::size_t step) {
    return drawn_at(recording, step).names.contains("lock/0");
  };
  bool taken = false;
  for (std::size_t step = 0; step < at.steps() && !taken; step += 7) taken = is_locked(step);
  EXPECT_TRUE(taken);
  EXPECT_FALSE(is_locked(at.steps()));
}

// Corners are numbered by themselves: the slots name the first of equal ones, as many as there are
// vertices.
TEST(TableView, DedupEndsWithASlotForEachVertex) {
  for (const char* const variant : {"hash", "cooperative", "bidirectional"}) {
    SCOPED_TRACE(variant);
    const auto recording = record({.primitive = "dedup", .variant = variant});
    Playback at(recording);
    at.seek(at.steps());
    std::uint32_t vertices = 0;
    for (std::uint32_t i = 0; i < recording->arrays.size(); ++i)
      if (recording->arrays[i].name == "vertex_count")
        vertices = step_views::number_at<std::uint32_t>(at.contents(i));
    const Drawn drawn = drawn_at(recording, at.steps());
    EXPECT_EQ(drawn.keys.size(), vertices);
    std::set<std::uint32_t> corners;
    for (const auto& [slot, corner] : drawn.keys) corners.insert(corner);
    EXPECT_EQ(corners.size(), vertices);
    EXPECT_TRUE(corners.contains(0));
  }
}

// Arrays may be of any size in a file.
TEST(TableView, RefusesTablesOfOtherSizes) {
  const auto recording = linear();
  recording->arrays[layout_of(*recording)->array].bytes = 5;
  EXPECT_FALSE(view_named("table").is_for(*recording));
}

}  // namespace
}  // namespace warpview::test::table_view
