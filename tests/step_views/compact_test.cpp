// The view of items and slots shows which lane wrote each slot, as memory has it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <set>

#include "app/step_views/arrays.h"
#include "app/step_views/landings.h"
#include "app/step_views/names.h"
#include "app/step_views/view.h"
#include "tests/step_views/drawn.h"
#include "tests/step_views/recordings.h"

namespace warpview::test {
namespace {

using step_views::Landing;
using step_views::Landings;
using step_views::number_at;

// The words in a row of the drawing that begins with a label, from left to right.
std::vector<std::string> words_in_row(const StepDrawing& drawing, const std::string& label,
                                      bool last = false) {
  const PlotShape* row = nullptr;
  for (const PlotShape& shape : drawing.shapes)
    if (shape.words == label && (row == nullptr || last)) row = &shape;
  std::map<float, std::string> words;
  if (row == nullptr) return {};
  for (const PlotShape& shape : drawing.shapes)
    if (shape.kind == PlotShape::Kind::text && &shape != row &&
        std::abs(shape.vertices[0].y - row->vertices[0].y) < 1.0F)
      words[shape.vertices[0].x] = shape.words;
  std::vector<std::string> all;
  all.reserve(words.size());
  for (const auto& [x, each] : words) all.push_back(each);
  return all;
}

unsigned arrows_in(const StepDrawing& drawing) {
  return static_cast<unsigned>(
      std::count_if(drawing.shapes.begin(), drawing.shapes.end(), [](const PlotShape& shape) {
        return shape.kind == PlotShape::Kind::polygon && shape.vertices.size() == 3;
      }));
}

// An arrow from the item's box to the slot's.
bool has_arrow(const StepDrawing& drawing, const std::string& item, const std::string& slot) {
  const auto is_over = [](const PlotShape& box, float x) {
    return box.kind == PlotShape::Kind::polygon && box.vertices.size() == 4 &&
           box.vertices[0].x < x && box.vertices[1].x > x;
  };
  for (std::size_t i = 1; i < drawing.shapes.size(); ++i) {
    const PlotShape& head = drawing.shapes[i];
    if (head.name != slot || head.vertices.size() != 3) continue;
    const PlotVertex from = drawing.shapes[i - 1].vertices[0];
    bool from_item = false;
    bool to_slot = false;
    for (const PlotShape& box : drawing.shapes) {
      from_item =
          from_item || (box.name == item && is_over(box, from.x) && box.vertices[0].y < from.y);
      to_slot = to_slot || (box.name == slot && is_over(box, head.vertices[0].x) &&
                            box.vertices[2].y > head.vertices[0].y);
    }
    if (from_item && to_slot) return true;
  }
  return false;
}

std::uint32_t final_word(const Playback& at, std::uint32_t array, std::uint32_t element) {
  return number_at<std::uint32_t>(at.contents(array), std::size_t{element} * 4);
}

struct CompactCase {
  const char *primitive, *variant;
  const char* form = "";
  std::uint32_t items = 100;
};
constexpr CompactCase compactions[] = {
    {"enqueue", "atomic"},
    {"enqueue", "atomic", "split"},
    {"enqueue", "ballot"},
    {"enqueue", "warp_scan", "up_to_two"},
    {"enqueue", "block", "", 300},
    {"enqueue", "active"},
    {"enqueue", "two_queues", "split"},
    {"select", "three_kernels"},
    {"select", "one_pass", "", 1100},
    {"select", "ahead"},
    {"partition", "one_pass", "", 1100},
    {"partition", "three_kernels"},
    {"expand", "three_kernels"},
    {"expand", "atomic"},
    {"expand", "one_pass"},
    {"expand", "load_balanced"},
};

TEST(Compact, KnowsTheItemOfEachSlot) {
  for (const CompactCase& each : compactions) {
    SCOPED_TRACE(std::string(each.primitive) + " " + each.variant + " " + each.form);
    const auto recording = record({.primitive = each.primitive,
                                   .variant = each.variant,
                                   .form = each.form,
                                   .items = each.items});
    const auto landings = step_views::landings_of(*recording);
    ASSERT_TRUE(landings);
    Playback at(recording);
    at.seek(at.steps());
    std::set<std::uint32_t> slots;
    for (const Landing& landing : landings->all) {
      EXPECT_TRUE(slots.insert(landing.slot).second);
      const std::uint32_t got = final_word(at, landings->output, landing.slot);
      const auto item = number_at<std::uint32_t>(recording->arrays[landings->input].before,
                                                 std::size_t{landing.item} * 4);
      EXPECT_TRUE(landings->is_expansion ? got == landing.item : got == item || got == ~item);
      if (landing.offset) {
        EXPECT_LE(*landing.offset, landing.slot);
        EXPECT_LT(landing.slot, landings->front);
      }
    }
    EXPECT_EQ(landings->has_back,
              std::string(each.form) == "split" || std::string(each.primitive) == "partition");
    const auto writes = static_cast<std::size_t>(std::count_if(
        recording->events.begin(), recording->events.end(), [&](const RecordedEvent& event) {
          return is_access(event.kind) && !is_read(event.kind) && event.subject == landings->output;
        }));
    EXPECT_EQ(slots.size(), writes);
  }
}

// Equal items cannot be told apart by their values.
TEST(Compact, KeepsTheOrderOfEqualItems) {
  std::vector<std::int64_t> items;
  for (int i = 0; i < 64; ++i) items.push_back(i * 7 % 10);
  for (const char* const variant : {"one_pass", "three_kernels", "ahead"}) {
    SCOPED_TRACE(variant);
    const auto landings = step_views::landings_of(
        *record({.primitive = "select", .variant = variant, .typed = items}));
    ASSERT_TRUE(landings);
    std::map<std::uint32_t, std::uint32_t> item_of;  // by slot
    for (const Landing& landing : landings->all) item_of[landing.slot] = landing.item;
    ASSERT_GT(item_of.size(), 10U);
    for (auto each = item_of.begin(), next = std::next(each); next != item_of.end(); ++each, ++next)
      EXPECT_LT(each->second, next->second) << "slot " << next->first;
  }
}

// At each step that writes items, arrows lead from these items to the slots.
TEST(Compact, ArrowsGoFromItemsToTheirSlots) {
  for (const CompactCase& each : compactions) {
    SCOPED_TRACE(std::string(each.primitive) + " " + each.variant + " " + each.form);
    const auto recording = record({.primitive = each.primitive,
                                   .variant = each.variant,
                                   .form = each.form,
                                   .items = each.items});
    const auto landings = *step_views::landings_of(*recording);
    const auto view = view_named("compact").make(recording);
    Playback at(recording);
    for (std::size_t i = 0; i < landings.all.size(); i += landings.all.size() / 40 + 1) {
      const Landing& landing = landings.all[i];
      at.seek(at.step_of(landing.event) + 1);
      const StepDrawing drawing = view->draw(at, {.block = landing.block}, step_surface());
      EXPECT_TRUE(has_arrow(
          drawing, step_views::word_name({.array = landings.input, .element = landing.item}),
          step_views::word_name({.array = landings.output, .element = landing.slot})))
          << "item " << landing.item << " slot " << landing.slot;
    }
  }
}

// With one atomic a warp, ranks within the warp and its offset give the slots.
TEST(Compact, RanksFollowTheBallot) {
  const auto recording = record({.primitive = "enqueue", .variant = "ballot"});
  const auto landings = *step_views::landings_of(*recording);
  std::map<std::uint32_t, std::vector<Landing>> warps;
  for (const Landing& each : landings.all) warps[each.thread / 32].push_back(each);
  ASSERT_EQ(warps.size(), 2U);
  std::set<std::uint32_t> offsets;
  for (auto& [warp, all] : warps) {
    std::sort(all.begin(), all.end(),
              [](const Landing& a, const Landing& b) { return a.item < b.item; });
    for (std::uint32_t rank = 0; rank < all.size(); ++rank) {
      ASSERT_TRUE(all[rank].offset);
      EXPECT_EQ(all[rank].slot - *all[rank].offset, rank);
      offsets.insert(*all[rank].offset);
    }
  }
  EXPECT_EQ(offsets.size(), 2U);
  EXPECT_TRUE(offsets.contains(0));
}

// What a warp has read is shown before it writes.
TEST(Compact, FlagsAreThereBeforeTheWrites) {
  const auto recording = record({.primitive = "enqueue", .variant = "ballot"});
  const auto landings = *step_views::landings_of(*recording);
  const auto view = view_named("compact").make(recording);
  Playback at(recording);
  at.seek(at.step_of(landings.read[0]) + 1);
  ASSERT_LT(at.first_event_of(at.at()), landings.all.front().event);
  const auto flags = words_in_row(view->draw(at, {}, step_surface()), "Kept");
  ASSERT_GT(flags.size(), 20U);
  std::set<std::uint32_t> kept;
  for (const Landing& each : landings.all) kept.insert(each.item);
  for (std::uint32_t i = 0; i < flags.size(); ++i)
    EXPECT_EQ(flags[i], kept.contains(i) ? "1" : "0") << i;
}

// The talk's example of allocation by scan: eight items ask for these numbers of slots.
constexpr std::uint32_t asked[] = {3, 1, 0, 0, 4, 2, 1, 1};

std::shared_ptr<Recording> allocation_example() {
  auto recording = std::make_shared<Recording>();
  recording->primitive = "expand";
  recording->variant = "one_pass";
  recording->items = 8;
  recording->places.emplace_back();
  const auto words = [](const char* name, std::uint32_t count) {
    RecordedArray array;
    array.name = name;
    array.type = "u32";
    array.element_bytes = 4;
    array.bytes = 4 * count;
    array.before.assign(array.bytes, RecordedArray::spoiled);
    return array;
  };
  recording->arrays = {words("input", 8), words("out", 12)};
  std::memcpy(recording->arrays[0].before.data(), asked, sizeof asked);
  recording->launches.push_back({.kernel = "expand_one_pass_kernel", .block = {8, 1, 1}});
  auto& events = recording->events;
  events = {{.kind = EventKind::launch}, {.kind = EventKind::block_begin}};
  for (std::uint16_t i = 0; i < 8; ++i)
    events.push_back(
        {.kind = EventKind::read, .bytes = 4, .thread = i, .offset = 4U * i, .value = asked[i]});
  for (std::uint32_t round = 0; round < 4; ++round) {
    std::uint32_t begin = 0;
    for (std::uint16_t i = 0; i < 8; begin += asked[i++])
      if (round < asked[i])
        events.push_back({.kind = EventKind::write,
                          .bytes = 4,
                          .thread = i,
                          .subject = 1,
                          .offset = 4 * (begin + round),
                          .value = i});
  }
  events.push_back({.kind = EventKind::block_end});
  return recording;
}

TEST(Compact, AllocatesAsTheTalk) {
  const auto recording = allocation_example();
  ASSERT_TRUE(view_named("compact").is_for(*recording));
  const auto view = view_named("compact").make(recording);
  Playback at(recording);
  EXPECT_TRUE(words_in_row(view->draw(at, {}, step_surface()), "Begin").empty());
  using Words = std::vector<std::string>;
  const Words begins = {"0", "3", "4", "4", "4", "8", "10", "11"};
  unsigned arrows = 0;
  for (std::size_t step = 1; step <= at.steps(); ++step) {
    at.seek(step);
    const StepDrawing drawing = view->draw(at, {}, step_surface());
    for (const RecordedEvent& event : at.last()) arrows += event.kind == EventKind::write ? 1 : 0;
    EXPECT_EQ(arrows_in(drawing), arrows) << step;
    if (step > 3) {
      EXPECT_EQ(words_in_row(drawing, "Begin"), begins) << step;
    }
  }
  const StepDrawing drawing = view->draw(at, {}, step_surface());
  EXPECT_EQ(arrows, 12U);
  EXPECT_EQ(words_in_row(drawing, "Count"), (Words{"3", "1", "0", "0", "4", "2", "1", "1"}));
  EXPECT_EQ(words_in_row(drawing, "Item", true),
            (Words{"0", "0", "0", "1", "4", "4", "4", "4", "5", "5", "6", "7"}));
}

TEST(Compact, ShowsASlotThatIsWrong) {
  const auto recording = allocation_example();
  for (RecordedEvent& event : recording->events)
    if (event.kind == EventKind::write && event.offset == 12) event.value = 2;
  const auto view = view_named("compact").make(recording);
  Playback at(recording);
  at.seek(at.steps());
  const auto begins = words_in_row(view->draw(at, {}, step_surface()), "Begin");
  ASSERT_EQ(begins.size(), 8U);
  EXPECT_EQ(begins[2], "3");
}

// A file may say anything of its arrays.
TEST(Compact, TakesNothingForGranted) {
  auto recording = allocation_example();
  recording->items = 1U << 30U;
  EXPECT_TRUE(step_views::landings_of(*recording));
  recording->arrays[0].before.clear();
  EXPECT_FALSE(step_views::landings_of(*recording));
  recording = allocation_example();
  recording->arrays[1].element_bytes = 8;
  EXPECT_FALSE(step_views::landings_of(*recording));
  recording = allocation_example();
  for (RecordedEvent& event : recording->events)
    if (event.kind == EventKind::write) event.value = 8;
  EXPECT_FALSE(view_named("compact").is_for(*recording));
}

}  // namespace
}  // namespace warpview::test
