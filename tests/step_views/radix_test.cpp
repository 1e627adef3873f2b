// The view of radix sorts: shapes against the sort's definition, against the numbers of the talk
// "Scan with decoupled look-back and Onesweep radix sort", and against broken recordings.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "app/step_views/radix_passes.h"
#include "app/step_views/view.h"
#include "tests/step_views/drawn.h"
#include "tests/step_views/recordings.h"

namespace warpview::test::radix_view {
namespace {

using step_views::radix::Brought;
using step_views::radix::PassKey;
using step_views::radix::radix_sort_of;
using step_views::radix::SortPass;

struct Drawn {
  std::string title;
  std::map<std::pair<unsigned, unsigned>, unsigned> counts, offsets;  // by digit and tile
  std::map<unsigned, unsigned> arrows;                                // by the output's places
  std::set<std::string> words;
};

StepDrawing drawing_at(const StepView& view, Playback& at, std::size_t step) {
  at.seek(step);
  return view.draw(at, {}, step_surface());
}

Drawn drawn_at(const StepView& view, Playback& at, std::size_t step) {
  Drawn drawn;
  for (const PlotShape& shape : drawing_at(view, at, step).shapes) {
    unsigned digit = 0, tile = 0, array = 0, place = 0;
    if (shape.bold && drawn.title.empty()) drawn.title = shape.words;
    if (!shape.words.empty()) drawn.words.insert(shape.words);
    if (std::sscanf(shape.name.c_str(), "count/%u/%u", &digit, &tile) == 2 && !shape.words.empty())
      drawn.counts[{digit, tile}] = static_cast<unsigned>(std::stoul(shape.words));
    if (std::sscanf(shape.name.c_str(), "offset/%u/%u", &digit, &tile) == 2)
      drawn.offsets[{digit, tile}] = static_cast<unsigned>(std::stoul(shape.words));
    // The head of an arrow has three corners.
    if (std::sscanf(shape.name.c_str(), "word/%u/%u", &array, &place) == 2 &&
        shape.kind == PlotShape::Kind::polygon && shape.vertices.size() == 3)
      ++drawn.arrows[place];
  }
  return drawn;
}

// Compares each pass' shapes at its end with the sort's definition. Returns the first difference.
std::string complaint_of(const std::shared_ptr<const Recording>& recording, bool has_offsets) {
  const auto sort = radix_sort_of(*recording);
  if (!sort) return "no sort";
  const auto view = view_named("radix").make(recording);
  Playback at(recording);
  std::map<std::pair<std::size_t, unsigned>, unsigned> arrows;  // by pass and place
  for (std::size_t step = 1; step <= at.steps(); ++step) {
    const std::size_t event = at.first_event_of(step - 1);
    const auto pass = static_cast<std::size_t>(&sort->pass_at(event) - sort->passes.data());
    const bool writes = std::any_of(
        sort->passes[pass].keys.begin(), sort->passes[pass].keys.end(), [&](const PassKey& key) {
          return key.to.within(event, event + at.events_of(step - 1).size());
        });
    if (!writes) continue;
    for (const auto& [place, count] : drawn_at(*view, at, step).arrows)
      arrows[{pass, place}] += count;
  }
  for (std::size_t number = 0; number < sort->passes.size(); ++number) {
    const SortPass& pass = sort->passes[number];
    for (unsigned place = 0; place < pass.keys.size(); ++place)
      if (arrows[{number, place}] != 1) return fmt::format("pass {}: arrows to {}", number, place);
    if (pass.finishes) continue;
    std::size_t moved = 0;
    for (const PassKey& key : pass.keys) moved = std::max(moved, key.to.event);
    const Drawn drawn = drawn_at(*view, at, at.step_of(moved) + 1);
    unsigned sum = 0;
    for (const auto& [digit_and_tile, count] : drawn.counts) {
      if (has_offsets && drawn.offsets.at(digit_and_tile) != sum)
        return fmt::format("pass {}: offset {} instead of {}", number,
                           drawn.offsets.at(digit_and_tile), sum);
      sum += count;
    }
    if (sum != pass.keys.size()) return fmt::format("pass {}: {} keys counted", number, sum);
    // Stable, and by the digit.
    std::vector<const PassKey*> by_place(pass.keys.size());
    for (const PassKey& key : pass.keys) by_place[key.to.value] = &key;
    for (std::size_t i = 1; i < by_place.size(); ++i)
      if (by_place[i - 1]->digit.value > by_place[i]->digit.value ||
          (by_place[i - 1]->digit.value == by_place[i]->digit.value &&
           by_place[i - 1] > by_place[i]))
        return fmt::format("pass {}: place {}", number, i);
  }
  const SortPass& last = sort->passes.back();
  std::vector<std::uint64_t> sorted(last.keys.size());
  for (const PassKey& key : last.keys) sorted[key.to.value] = key.value.value;
  return std::is_sorted(sorted.begin(), sorted.end()) ? "" : "not sorted";
}

struct Asked {
  const char* variant;
  std::uint32_t items;
  std::size_t passes;
  bool has_offsets;
};
class RadixView : public testing::TestWithParam<Asked> {};

TEST_P(RadixView, EachPassCountsScansAndMovesAllKeys) {
  const auto recording = record(
      {.primitive = "sort", .variant = GetParam().variant, .items = GetParam().items, .seed = 2});
  EXPECT_EQ(radix_sort_of(*recording)->passes.size(), GetParam().passes);
  EXPECT_EQ(complaint_of(recording, GetParam().has_offsets), "");
}
INSTANTIATE_TEST_SUITE_P(Variants, RadixView,
                         testing::Values(Asked{"count_scan_reorder", 64, 6, true},
                                         Asked{"count_scan_4_bits", 50, 8, true},
                                         Asked{"count_scan_2_bits", 300, 16, true},
                                         Asked{"onesweep", 64, 6, true},
                                         Asked{"resident", 64, 6, false}, Asked{"msd", 64, 2, true},
                                         Asked{"msd_segments", 64, 1, false}),
                         [](const auto& asked) { return std::string(asked.param.variant); });

TEST(RadixViewTitles, NameTheBitsOfEachPass) {
  const auto recording = record(
      {.primitive = "sort", .variant = "count_scan_4_bits", .form = "bits_8_20", .items = 64});
  const auto sort = *radix_sort_of(*recording);
  const auto view = view_named("radix").make(recording);
  Playback at(recording);
  ASSERT_EQ(sort.passes.size(), 3U);
  for (unsigned pass = 0; pass < 3; ++pass)
    EXPECT_EQ(drawn_at(*view, at, at.step_of(sort.passes[pass].begin) + 1).title,
              fmt::format("Pass {} of 3: by bits {} to {}, digits 0 to 15", pass + 1, 8 + 4 * pass,
                          11 + 4 * pass));
}

TEST(RadixViewTitles, PromiseOffsetsWhereTheyAreDrawn) {
  for (const char* variant : {"count_scan_reorder", "resident", "onesweep"}) {
    test::Drawn drawn("radix", record({.primitive = "sort", .variant = variant, .items = 64}));
    bool has_offsets = false, has_promise = false;
    for (std::size_t step = 0; step <= drawn.steps(); step += 5) {
      drawn.at(step);
      has_promise |= drawn.says("their offsets in the output");
      EXPECT_EQ(drawn.says("Begin at"), drawn.says("their offsets in the output"));
      for (const PlotShape& shape : drawn.shapes())
        has_offsets |= shape.name.starts_with("offset/");
    }
    EXPECT_EQ(has_offsets, has_promise) << variant;
    EXPECT_EQ(has_promise, std::string_view(variant) != "resident");
  }
}

// "Count > Rank > Look back > Move": as much room after each word, and the same row in each phase.
TEST(RadixViewTitles, PhasesAreEvenlySpaced) {
  test::Drawn drawn("radix", record({.primitive = "sort", .variant = "resident", .items = 64}));
  std::set<std::string> rows;
  for (std::size_t step = 0; step <= drawn.steps(); step += 5) {
    std::string row;
    drawn.at(step);
    for (const PlotShape& shape : drawn.shapes()) {
      if (shape.words != ">") continue;
      float end = 0.0F, next = drawn.surface().width;
      for (const PlotShape& other : drawn.shapes()) {
        if (other.kind != PlotShape::Kind::text || other.words == ">" ||
            other.vertices[0].y != shape.vertices[0].y)
          continue;
        const float left = other.vertices[0].x;
        if (left < shape.vertices[0].x)
          end = std::max(end, left + drawn.surface().text_width(other.words));
        else
          next = std::min(next, left);
      }
      EXPECT_NEAR(shape.vertices[0].x - end, 0.3F * drawn.surface().em, 0.01F);
      row += fmt::format("{} {} {},", end, shape.vertices[0].x, next);
    }
    if (!row.empty()) rows.insert(row);
  }
  EXPECT_EQ(rows.size(), 1U);
}

// Tiles of eight keys are sorted by digits of two bits, as the kernels of count_scan_2_bits do it.
class Talk {
 public:
  Talk(std::vector<std::uint32_t> keys, unsigned passes)
      : keys_(std::move(keys)), tiles_(static_cast<unsigned>(keys_.size()) / 8) {
    r_.primitive = "sort";
    r_.variant = "count_scan_2_bits";
    r_.form = "u32";
    r_.items = static_cast<std::uint32_t>(keys_.size());
    r_.places.resize(1);
    const auto n = static_cast<std::uint32_t>(keys_.size());
    for (const char* const name : {"keys_out", "keys", "input"})
      r_.arrays.push_back(
          {.name = name, .type = "u32", .element_bytes = 4, .bytes = 4 * n, .before = {}});
    r_.arrays.push_back(
        {.name = "counts", .type = "u32", .element_bytes = 4, .bytes = 16 * tiles_, .before = {}});
    r_.arrays.push_back({.name = "storage",
                         .type = "u32",
                         .element_bytes = 4,
                         .bytes = 32,
                         .kind = ArrayKind::shared,
                         .before = {}});
    for (RecordedArray& array : r_.arrays)
      if (array.kind == ArrayKind::device)
        array.before.assign(array.name == "input" ? 0 : array.bytes, RecordedArray::spoiled);
    for (const std::uint32_t key : keys_)
      for (unsigned byte = 0; byte < 4; ++byte)
        r_.arrays[input].before.push_back(static_cast<std::uint8_t>(key >> 8 * byte));
    for (unsigned pass = 0; pass < passes; ++pass)
      sort_by(2 * pass,
              pass == 0                ? input
              : pass % 2 == passes % 2 ? keys_out
                                       : other,
              pass % 2 == passes % 2 ? other : keys_out);
  }
  std::shared_ptr<const Recording> recording() const { return std::make_shared<Recording>(r_); }

 private:
  static constexpr std::uint32_t keys_out = 0, other = 1, input = 2, counts = 3, storage = 4;

  void launch(const char* kernel, unsigned grid) {
    r_.launches.push_back({.kernel = kernel, .grid = {grid, 1, 1}, .block = {8, 1, 1}});
    r_.events.push_back(
        {.kind = EventKind::launch, .subject = static_cast<std::uint32_t>(r_.launches.size() - 1)});
  }
  void event(EventKind kind, unsigned block, unsigned thread = 0, std::uint32_t array = 0,
             std::uint32_t element = 0, std::uint64_t value = 0) {
    const bool access = is_access(kind);
    r_.events.push_back({.kind = kind,
                         .bytes = static_cast<std::uint8_t>(access ? 4 : 0),
                         .thread = static_cast<std::uint16_t>(thread),
                         .block = block,
                         .subject = array,
                         .offset = 4 * element,
                         .value = value,
                         .other = kind == EventKind::step ? 0xffU : 0U});
  }
  template <class Each>
  void step(unsigned block, Each&& each) {
    event(EventKind::step, block, 0, 0, 0, 0xff);
    for (unsigned lane = 0; lane < 8; ++lane) each(lane);
  }
  std::uint32_t digit(unsigned block, unsigned lane, unsigned shift) const {
    return keys_[8 * block + lane] >> shift & 3U;
  }
  void read_keys(unsigned block, std::uint32_t in) {
    step(block, [&](unsigned lane) {
      event(EventKind::read, block, lane, in, 8 * block + lane, keys_[8 * block + lane]);
    });
  }
  void sort_by(unsigned shift, std::uint32_t in, std::uint32_t out);

  Recording r_{};
  std::vector<std::uint32_t> keys_;
  unsigned tiles_;
};

void Talk::sort_by(unsigned shift, std::uint32_t in, std::uint32_t out) {
  std::vector<std::uint32_t> sums(std::size_t{4} * tiles_);
  launch("count_kernel<Key, width>", tiles_);
  for (unsigned block = 0; block < tiles_; ++block) {
    event(EventKind::block_begin, block);
    read_keys(block, in);
    step(block, [&](unsigned lane) {
      const std::uint32_t d = digit(block, lane, shift);
      event(EventKind::add, block, lane, storage, d, ++sums[d * tiles_ + block]);
    });
    for (unsigned d = 0; d < 4; ++d)
      event(EventKind::write, block, d, counts, d * tiles_ + block, sums[d * tiles_ + block]);
    event(EventKind::block_end, block);
  }
  launch("scan_tiles_kernel<Operator>", 1);
  std::exclusive_scan(sums.begin(), sums.end(), sums.begin(), 0U);
  event(EventKind::block_begin, 0);
  for (unsigned i = 0; i < sums.size(); ++i) event(EventKind::write, 0, i % 8, counts, i, sums[i]);
  event(EventKind::block_end, 0);
  launch("reorder_kernel<Key, Value, width>", tiles_);
  std::vector<std::uint32_t> moved(keys_.size());
  for (unsigned block = 0; block < tiles_; ++block) {
    event(EventKind::block_begin, block);
    read_keys(block, in);
    r_.events.push_back({.kind = EventKind::match, .block = block, .value = 0xff});
    for (unsigned lane = 0; lane < 8; ++lane) {
      std::uint64_t peers = 0;
      for (unsigned i = 0; i < 8; ++i)
        if (digit(block, i, shift) == digit(block, lane, shift)) peers |= 1U << i;
      r_.events.push_back({.kind = EventKind::answer,
                           .bytes = 8,
                           .thread = static_cast<std::uint16_t>(lane),
                           .block = block,
                           .value = peers,
                           .other = digit(block, lane, shift)});
    }
    step(block, [&](unsigned lane) {
      const std::uint32_t to = sums[digit(block, lane, shift) * tiles_ + block]++;
      moved[to] = keys_[8 * block + lane];
      event(EventKind::write, block, lane, out, to, moved[to]);
    });
    event(EventKind::block_end, block);
  }
  keys_ = moved;
}

// Page 20: four passes of two bits.
const std::vector<std::uint64_t> rows_of_the_talk[] = {{32, 5, 18, 162, 71, 231, 51, 127},
                                                       {32, 18, 162, 51, 5, 71, 231, 127},
                                                       {5, 71, 18, 32, 162, 231, 51, 127},
                                                       {5, 18, 32, 51, 71, 127, 162, 231}};

TEST(RadixViewOfTheTalk, SortsEightValuesInFourPasses) {
  const auto recording = Talk({71, 231, 5, 18, 51, 162, 32, 127}, 4).recording();
  ASSERT_EQ(complaint_of(recording, true), "");
  const auto sort = *radix_sort_of(*recording);
  ASSERT_EQ(sort.passes.size(), 4U);
  const auto view = view_named("radix").make(recording);
  Playback at(recording);
  for (unsigned pass = 0; pass < 4; ++pass) {
    std::vector<std::uint64_t> row(8);
    for (const PassKey& key : sort.passes[pass].keys) row[key.to.value] = key.value.value;
    EXPECT_EQ(row, rows_of_the_talk[pass]) << pass;
    const Drawn drawn = drawn_at(*view, at, at.step_of(sort.passes[pass].end - 1) + 1);
    EXPECT_EQ(drawn.title, fmt::format("Pass {} of 4: by bits {} to {}, digits 0 to 3", pass + 1,
                                       2 * pass, 2 * pass + 1));
    for (const char* const value : {"71", "231", "5", "18", "51", "162", "32", "127"})
      EXPECT_TRUE(drawn.words.contains(value)) << value;
  }
}

// Kernels sort the same eight values: in the passes behind the fourth all digits are 0.
// (Tiles of eight keys, as on the next pages, are smaller than a warp, so no kernel has them.)
TEST(RadixViewOfTheTalk, KernelsSortEightValuesInTheSameFourPasses) {
  const auto recording = record({.primitive = "sort",
                                 .variant = "count_scan_2_bits",
                                 .items = 8,
                                 .typed = {71, 231, 5, 18, 51, 162, 32, 127}});
  const auto sort = *radix_sort_of(*recording);
  ASSERT_EQ(sort.passes.size(), 16U);
  const auto view = view_named("radix").make(recording);
  Playback at(recording);
  for (unsigned pass = 0; pass < 16; ++pass) {
    std::vector<std::uint64_t> row(8);
    for (const PassKey& key : sort.passes[pass].keys) row[key.to.value] = key.value.value;
    EXPECT_EQ(row, rows_of_the_talk[std::min(pass, 3U)]) << pass;
    const Drawn drawn = drawn_at(*view, at, at.step_of(sort.passes[pass].end - 1) + 1);
    EXPECT_EQ(drawn.title, fmt::format("Pass {} of 16: by bits {} to {}, digits 0 to 3", pass + 1,
                                       2 * pass, 2 * pass + 1));
  }
}

// Pages 21 to 25: seven tiles; where those of digit 0 begin, and where the digits do.
std::vector<std::uint32_t> keys_of_the_talk() {
  constexpr unsigned counts[7][3] = {{2, 1, 3}, {3, 2, 1}, {1, 1, 4}, {2, 2, 2},
                                     {1, 2, 2}, {4, 1, 1}, {1, 2, 3}};
  std::vector<std::uint32_t> keys;
  for (const auto& tile : counts) {
    std::vector<std::uint32_t> here;
    for (std::uint32_t digit = 0; digit < 3; ++digit) here.insert(here.end(), tile[digit], digit);
    here.resize(8, 3);
    for (std::size_t i = 0; i < 8; ++i) keys.push_back(here[i * 3 % 8]);
  }
  return keys;
}

TEST(RadixViewOfTheTalk, OffsetsOfSevenTiles) {
  const auto recording = Talk(keys_of_the_talk(), 1).recording();
  ASSERT_EQ(complaint_of(recording, true), "");
  const auto view = view_named("radix").make(recording);
  Playback at(recording);
  const Drawn drawn = drawn_at(*view, at, at.steps());
  const unsigned offsets[] = {0, 2, 5, 6, 8, 9, 13};
  for (unsigned tile = 0; tile < 7; ++tile) EXPECT_EQ(drawn.offsets.at({0, tile}), offsets[tile]);
  const unsigned begins[] = {0, 14, 25, 41};
  for (unsigned digit = 0; digit < 4; ++digit)
    EXPECT_EQ(drawn.offsets.at({digit, 0}), begins[digit]);
}

class BrokenSort : public testing::Test {
 protected:
  std::shared_ptr<Recording> broken_ = std::make_shared<Recording>(
      *record({.primitive = "sort", .variant = "count_scan_4_bits", .items = 64}));

  template <class Is>
  RecordedEvent& first(const char* array, Is&& is) {
    return *std::find_if(
        broken_->events.begin(), broken_->events.end(), [&](const RecordedEvent& event) {
          return is_access(event.kind) && is(event) && broken_->arrays[event.subject].name == array;
        });
  }
};

TEST_F(BrokenSort, ShowsAKeyCountedForAnotherDigit) {
  ASSERT_EQ(complaint_of(broken_, true), "");
  first("storage", [](const RecordedEvent& event) {
    return event.kind == EventKind::add;
  }).offset ^= 4U;
  EXPECT_NE(complaint_of(broken_, true), "");
}
TEST_F(BrokenSort, ShowsAWrongOffset) {
  const auto sort = *radix_sort_of(*broken_);
  const std::uint64_t digit = sort.passes.front().keys.front().digit.value;
  broken_->events[sort.passes.front().offsets[digit].event].value += 1;
  EXPECT_EQ(complaint_of(broken_, true).find("pass 0: offset"), 0U);
}
TEST_F(BrokenSort, ShowsAKeyWrittenToAnotherPlace) {
  first("keys", [](const RecordedEvent& event) { return event.kind == EventKind::write; }).offset ^=
      4U;
  EXPECT_NE(complaint_of(broken_, true), "");
}
TEST_F(BrokenSort, IsRefusedWhereArraysHaveOtherSizes) {
  for (RecordedArray& array : broken_->arrays)
    if (array.name == "counts") array.bytes = 12;
  EXPECT_FALSE(view_named("radix").is_for(*broken_));
}

}  // namespace
}  // namespace warpview::test::radix_view
