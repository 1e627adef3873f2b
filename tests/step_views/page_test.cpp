// Pages of recordings, and pictures of a step: what the player reads is what the views draw.
#include "app/step_views/page/page.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "app/common/plot_svg.h"
#include "app/step_views/names.h"
#include "app/step_views/page/scene.h"
#include "app/step_views/page/sheet.h"
#include "app/step_views/page/step_texts.h"
#include "app/step_views/words.h"
#include "gpu/runtime/error.h"
#include "tests/step_views/page_reader.h"
#include "tests/step_views/recordings.h"

namespace warpview::test {
namespace {

using step_views::page_data;
using step_views::page_widths;
using step_views::recording_as_page;
using step_views::step_as_svg;

void expect_same(const PlotShape& read, const PlotShape& drawn) {
  constexpr float tenth = 0.0501F;
  constexpr float hundredth = 0.00501F;
  EXPECT_EQ(read.kind, drawn.kind);
  EXPECT_EQ(read.ink, drawn.ink);
  EXPECT_EQ(read.words, drawn.words);
  EXPECT_EQ(read.name, drawn.name);
  EXPECT_EQ(read.bold, drawn.bold);
  EXPECT_EQ(read.align, drawn.align);
  EXPECT_EQ(read.line, drawn.line);
  EXPECT_NEAR(read.opacity, drawn.opacity, hundredth);
  if (drawn.kind == PlotShape::Kind::line) {
    EXPECT_NEAR(read.width, drawn.width, hundredth);
  }
  ASSERT_EQ(read.vertices.size(), drawn.vertices.size());
  for (std::size_t i = 0; i < read.vertices.size(); ++i) {
    EXPECT_NEAR(read.vertices[i].x, drawn.vertices[i].x, tenth);
    EXPECT_NEAR(read.vertices[i].y, drawn.vertices[i].y, tenth);
  }
}

void expect_same(const std::vector<PlotShape>& read, const std::vector<PlotShape>& drawn) {
  ASSERT_EQ(read.size(), drawn.size());
  for (std::size_t i = 0; i < read.size(); ++i) expect_same(read[i], drawn[i]);
}

std::shared_ptr<const Recording> small_scan() {
  static const auto recording = record({.primitive = "scan", .variant = "lookback", .items = 600});
  return recording;
}

TEST(Page, HasWhatEachViewDrawsAtEachStep) {
  const auto recording = small_scan();
  const ReadPage page = read_page(page_data(recording));
  const auto views = step_views::views_of(recording);
  Playback playback(recording);
  ASSERT_EQ(page.steps.size(), playback.steps() + 1);
  ASSERT_EQ(page.layouts.size(), page_widths.size());
  for (const float width : page_widths) {
    const auto& read = page.layouts.at(static_cast<unsigned>(width));
    ASSERT_EQ(read.size(), views.size());
    for (std::size_t i = 0; i < views.size(); ++i) {
      EXPECT_EQ(read[i].title, views[i].row->title);
      EXPECT_EQ(read[i].legend, views[i].view->legend());
    }
    const PlotSurface surface = svg_surface(width, 700.0F);
    for (std::size_t step = 0; step <= playback.steps(); ++step) {
      playback.seek(step);
      for (std::size_t i = 0; i < views.size(); ++i) {
        SCOPED_TRACE(std::string(views[i].row->name) + " at " + std::to_string(step));
        const StepDrawing drawing = views[i].view->draw(playback, focus_of(playback), surface);
        EXPECT_GE(read[i].scene.height, drawing.height);
        expect_same(read[i].scene.steps[step], drawing.shapes);
        if (HasFailure()) return;
      }
    }
  }
}

// Any lists of shapes, one after another: mostly alike, out of order, with some of them twice.
TEST(Page, ReadsAnyDrawingsAgain) {
  std::mt19937 random(1);
  std::vector<PlotShape> shapes;
  for (int i = 0; i < 40; ++i) {
    PlotShape shape{.kind = static_cast<PlotShape::Kind>(i % 3),
                    .ink = i % 5,
                    .opacity = i % 7 == 0 ? 0.35F : 1.0F,
                    .width = 0.7F,
                    .vertices = {},
                    .words = i % 3 == 2 ? "word " + std::to_string(i % 4) : "",
                    .name = i % 2 == 0 ? "word/1/" + std::to_string(i) + "/007" : ""};
    for (int k = 0; k < (i % 3 == 2 ? 1 : 4); ++k)
      shape.vertices.push_back({static_cast<float>(random() % 5000) / 7.0F - 20.0F,
                                static_cast<float>(random() % 5000) / 7.0F});
    shapes.push_back(shape);
  }
  step_views::ShapeTables tables;
  step_views::Scene scene(tables);
  std::vector<StepDrawing> drawings;
  for (int step = 0; step < 300; ++step) {
    StepDrawing next = drawings.empty() ? StepDrawing{} : drawings.back();
    next.height = static_cast<float>(random() % 100);
    for (unsigned edit = random() % 5; edit-- > 0;) {
      const std::size_t at = next.shapes.empty() ? 0 : random() % next.shapes.size();
      const auto place = next.shapes.begin() + static_cast<std::ptrdiff_t>(at);
      if (next.shapes.size() > 30 || (random() % 3 == 0 && !next.shapes.empty()))
        next.shapes.erase(place);
      else
        next.shapes.insert(place, shapes[random() % shapes.size()]);
    }
    if (random() % 40 == 0) std::shuffle(next.shapes.begin(), next.shapes.end(), random);
    if (random() % 60 == 0) next.shapes.clear();
    scene.add(next);
    drawings.push_back(next);
  }
  const ReadScene read = read_scene(tables, scene, drawings.size());
  EXPECT_EQ(read.height, 99.0F);
  for (std::size_t i = 0; i < drawings.size(); ++i) {
    SCOPED_TRACE(i);
    expect_same(read.steps[i], drawings[i].shapes);
    if (HasFailure()) return;
  }
}

// A step differs from the one before by few shapes, and as few are written.
TEST(Page, WritesOnlyWhatChanges) {
  step_views::ShapeTables tables;
  step_views::Scene scene(tables);
  StepDrawing drawing{.height = 10.0F, .shapes = {}};
  for (int i = 0; i < 1000; ++i)
    drawing.shapes.push_back({.kind = PlotShape::Kind::text,
                              .vertices = {{static_cast<float>(i), 0.0F}},
                              .words = std::to_string(i)});
  scene.add(drawing);
  const std::size_t before = scene.bytes();
  for (std::size_t i = 0; i < 100; ++i) {
    drawing.shapes[i * 10].words = "x";
    scene.add(drawing);
  }
  EXPECT_LT(scene.bytes(), before + 100 * 20);
}

// What about() and related_names() say of the names that have been shown up to each step.
TEST(Page, SaysOfEachNameAtEachStepWhatTheWindowSays) {
  const auto recording = small_scan();
  const ReadPage page = read_page(page_data(recording));
  Playback playback(recording);
  std::set<std::string> shown;
  std::map<std::string, std::vector<std::string>> abouts;
  std::map<std::string, std::string> lines;
  for (std::size_t step = 0; step <= playback.steps(); ++step) {
    SCOPED_TRACE(step);
    playback.seek(step);
    const ReadStep& read = page.steps[step];
    EXPECT_EQ(read.words, step_views::sentence_of(playback));
    for (const auto& [width, views] : page.layouts)
      for (const ReadView& view : views)
        for (const PlotShape& shape : view.scene.steps[step])
          if (!shape.name.empty()) shown.insert(shape.name);
    for (const auto& [name, about] : read.abouts) abouts[name] = about;
    for (const auto& [lane, line] : read.moves) lines[lane] = line;
    std::map<std::string, std::set<std::string>> related;
    for (const auto& [one, other] : read.links) {
      related[one].insert(other);
      related[other].insert(one);
    }
    for (const auto& [lane, line] : lines) {
      if (line.empty()) continue;
      related[lane].insert(line);
      related[line].insert(lane);
    }
    for (const std::string& name : shown) {
      ASSERT_EQ(abouts[name], step_views::about(playback, name)) << name;
      std::set<std::string> expected;
      for (const std::string& other : step_views::related_names(playback, name))
        if (other != name && shown.contains(other)) expected.insert(other);
      ASSERT_EQ(related[name], expected) << name;
    }
  }
  EXPECT_FALSE(shown.empty());
}

TEST(Page, MarksWhatOneCanJumpTo) {
  const auto recording = record({.primitive = "block_scan", .variant = "blelloch"});
  const ReadPage page = read_page(page_data(recording));
  Playback playback(recording);
  for (std::size_t bit = 0; bit < step_views::page_landmarks.size(); ++bit) {
    std::vector<std::size_t> marked, found;
    for (std::size_t step = 0; step < page.steps.size(); ++step)
      if ((page.steps[step].mark >> bit & 1U) != 0) marked.push_back(step);
    playback.seek(0);
    while (const auto next = playback.find(step_views::page_landmarks[bit], true)) {
      found.push_back(*next);
      playback.seek(*next);
    }
    EXPECT_EQ(marked, found);
    if (step_views::page_landmarks[bit] == Landmark::barrier ||
        step_views::page_landmarks[bit] == Landmark::conflict) {
      EXPECT_FALSE(found.empty());
    }
  }
}

TEST(Page, OfLookBackOverEightTilesHasAtMost400000Bytes) {
  const auto recording = record({.primitive = "scan", .variant = "lookback", .items = 4096});
  const std::string page = recording_as_page(recording, {});
  RecordProperty("bytes", static_cast<int>(page.size()));
  EXPECT_LE(page.size(), 400000U);
}

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(Page, EscapesWhatNamesSay) {
  Recording hostile = *small_scan();
  const std::string evil = "</script><img src=x onerror=alert(1)>{{data}}\1\"&";
  hostile.primitive += evil;
  hostile.form = evil;
  for (RecordedArray& array : hostile.arrays) array.name += evil;
  for (RecordedLaunch& launch : hostile.launches) launch.kernel += evil;
  for (RecordedPlace& place : hostile.places)
    place.chain = {{.function = evil, .file = "gpu/" + evil, .line = 7}};
  const auto recording = std::make_shared<const Recording>(hostile);
  const std::string usual = recording_as_page(small_scan(), 1);
  const std::string page = recording_as_page(recording, 1);
  EXPECT_EQ(count_of(page, "</script"), count_of(usual, "</script"));
  EXPECT_EQ(count_of(page, "<img"), 0U);
  EXPECT_EQ(count_of(page, "id=\"recording\""), 1U);
  const std::string svg = step_as_svg(recording, {});
  EXPECT_EQ(count_of(svg, "<img"), 0U);
  EXPECT_GT(count_of(svg, "&lt;img"), 0U);
  EXPECT_EQ(count_of(svg, "\1"), 0U);
}

TEST(Page, ShowsItsFirstMomentWithoutJavaScript) {
  const std::string page = recording_as_page(small_scan(), 5);
  Playback playback(small_scan());
  playback.seek(5);
  const std::string words = svg_escaped(step_views::sentence_of(playback));
  EXPECT_NE(page.find("Step 5 of " + std::to_string(playback.steps()) + ". " + words),
            std::string::npos);
  // A page has a limit for such pictures: views after it say so.
  EXPECT_EQ(count_of(page, "<svg ") + count_of(page, "Too large to be shown"),
            page_widths.size() * step_views::views_of(small_scan()).size());
  EXPECT_GE(count_of(page, "<svg "), 3 * page_widths.size());
  EXPECT_NE(page.find("<noscript>"), std::string::npos);
  EXPECT_NE(page.find("Warp 0"), std::string::npos);
  EXPECT_EQ(page.find("{{"), std::string::npos);
  EXPECT_EQ(page.find("http"), page.find("http://www.w3.org/2000/svg"));  // the only address
}

// Base64 as atob() of a browser reads it: groups of four, the last one padded.
std::vector<std::uint8_t> base64_read(const std::string& text) {
  std::vector<std::uint8_t> bytes;
  if (text.size() % 4 != 0) return bytes;
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool is_last = i + 4 == text.size();
    const std::size_t end = std::min(text.find('=', i), i + 4);
    if (end < i + 2 || (end < i + 4 && (!is_last || text.find_first_not_of('=', end) < i + 4)))
      return {};
    std::size_t bits = 0;
    for (std::size_t k = i; k < i + 4; ++k)
      bits = bits << 6U | (k < end ? letters.find(text[k]) : 0U);
    for (std::size_t k = 0; k + 1 < end - i; ++k)
      bytes.push_back(static_cast<std::uint8_t>(bits >> (16 - 8 * k)));
  }
  return bytes;
}

TEST(Page, HoldsItsDataWhateverTheirSize) {
  std::set<std::size_t> remainders;
  for (std::uint32_t items = 1; items <= 24 && remainders.size() < 3; ++items) {
    const auto recording = record({.primitive = "counter", .variant = "relaxed", .items = items});
    const std::string page = recording_as_page(recording, {});
    const std::string_view begin = R"(<script id="recording" type="text/plain">)";
    const std::size_t at = page.find(begin) + begin.size();
    const auto deflated = base64_read(page.substr(at, page.find('<', at) - at));
    ASSERT_FALSE(deflated.empty()) << items;
    remainders.insert(deflated.size() % 3);
    const std::vector<std::uint8_t> data = page_data(recording);
    std::vector<std::uint8_t> inflated(data.size());
    uLongf size = inflated.size();
    ASSERT_EQ(uncompress(inflated.data(), &size, deflated.data(), deflated.size()), Z_OK) << items;
    EXPECT_TRUE(size == data.size() && inflated == data) << items;
  }
  EXPECT_EQ(remainders.size(), 3U);
}

TEST(Page, RefusesWhatItCannotHold) {
  try {
    page_data(small_scan(), 20000);
    FAIL() << "it was written";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the recording is too long: a page holds about"),
              std::string::npos);
    EXPECT_NE(std::string(error.what()).find("Record about"), std::string::npos);
  }
  const std::size_t bytes = page_data(small_scan()).size();
  EXPECT_EQ(page_data(small_scan(), bytes).size(), bytes);  // exactly as many as it may have
  EXPECT_THROW(page_data(small_scan(), bytes - 1), Error);
  EXPECT_THROW(recording_as_page(small_scan(), 1U << 20U), Error);
  EXPECT_THROW(step_as_svg(small_scan(), 1U << 20U), Error);
}

// A page that is clearly too long is refused by this, before all steps are drawn.
TEST(Page, IsEstimatedFromAFewOfItsSteps) {
  const auto expect_near = [](double estimate, std::size_t size) {
    const double ratio = estimate / static_cast<double>(size);
    EXPECT_LT(ratio, step_views::page_estimate_margin);
    EXPECT_GT(ratio, 1.0 / step_views::page_estimate_margin);
  };
  const auto scan = record({.primitive = "scan", .variant = "lookback", .items = 4096});
  expect_near(step_views::estimated_page(scan).page, recording_as_page(scan, {}).size());
  // Steps of different sizes: several kernels, and passes over few keys.
  const auto sort = record({.primitive = "sort", .variant = "onesweep", .items = 64});
  expect_near(step_views::estimated_page(sort).data, page_data(sort).size());
}

TEST(StepPicture, HasAllViewsWithTitlesAndLegends) {
  const std::string svg = step_as_svg(small_scan(), 7);
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_NE(svg.find(">Step 7 of "), std::string::npos);
  for (const auto& shown : step_views::views_of(small_scan())) {
    EXPECT_NE(svg.find(">" + svg_escaped(shown.row->title) + "<"), std::string::npos);
    const std::string legend = svg_escaped(shown.view->legend());
    EXPECT_NE(svg.find(">" + legend.substr(0, legend.find(' '))), std::string::npos);
  }
}

// The upper edges of a picture's words, by what they say.
std::vector<std::pair<float, std::string>> words_by_height(const std::string& svg) {
  std::vector<std::pair<float, std::string>> words;
  for (std::size_t at = svg.find("<text"); at != std::string::npos;
       at = svg.find("<text", at + 1)) {
    const std::size_t y = svg.find(" y=\"", at), begin = svg.find('>', at) + 1;
    words.emplace_back(std::stof(svg.substr(y + 4)),
                       svg.substr(begin, svg.find('<', begin) - begin));
  }
  return words;
}

// A view's words lie between its title and the next view's.
TEST(StepPicture, HasItsViewsBelowEachOther) {
  const std::string svg = step_as_svg(small_scan(), 7);
  const auto words = words_by_height(svg);
  float lowest = 0.0F;
  std::size_t at = 0;
  for (const auto& shown : step_views::views_of(small_scan())) {
    const std::string title = svg_escaped(shown.row->title);
    while (at < words.size() && words[at].second != title) {
      lowest = std::max(lowest, words[at].first);
      ++at;
    }
    ASSERT_LT(at, words.size()) << title;
    EXPECT_GT(words[at].first, lowest) << title;
    lowest = words[at].first;
  }
  for (; at < words.size(); ++at) EXPECT_GE(words[at].first, lowest);
}

TEST(StepPicture, IsOfTheMiddleIfNoStepIsNamed) {
  const std::size_t steps = Playback(small_scan()).steps();
  EXPECT_EQ(step_as_svg(small_scan(), {}),
            step_as_svg(small_scan(), static_cast<std::uint32_t>(steps / 2)));
}

}  // namespace
}  // namespace warpview::test
