// What views share: names of shapes with their tooltips, sentences, and words that fit a width.
#include "app/step_views/words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/step_views/key.h"
#include "app/step_views/names.h"
#include "app/step_views/paragraph.h"
#include "tests/step_views/drawn.h"
#include "tests/step_views/hand_made.h"

namespace warpview::test {
namespace {

using namespace step_views;
using Names = std::vector<std::string>;

// Two blocks of 40 threads; thread 33 of block 1 adds to out[2], thread 33 of block 0 stands at
// another line.
std::shared_ptr<const Recording> two_blocks() {
  HandMade run(2, 40);
  run.recording().places = {{},
                            {.code = 1, .chain = {{.function = "f", .file = "a.cu", .line = 5}}},
                            {.code = 2, .chain = {{.function = "f", .file = "a.cu", .line = 9}}}};
  run.begin(0);
  run.begin(1);
  for (const std::uint32_t block : {0U, 1U}) {
    run.event({.kind = EventKind::step,
               .thread = 32,
               .block = block,
               .place = 2 - block,
               .value = 2,
               .other = 255});
    run.event({.kind = block == 0 ? EventKind::load_acquire : EventKind::add,
               .bytes = 4,
               .thread = 33,
               .block = block,
               .place = 2 - block,
               .offset = 8,
               .value = 7 * block});
  }
  return run.take();
}

TEST(StepNames, TellOfWordsWhoWroteThem) {
  Playback at(two_blocks());
  at.seek(4);
  EXPECT_EQ(about(at, word_name({0, 2, 0})), (Names{"out[2] = 0", "not written yet"}));
  at.seek(5);
  EXPECT_EQ(about(at, word_name({0, 2, 0})),
            (Names{"out[2] = 7", "written by block 1, thread 33, step 5 (add)", "a.cu:5"}));
  EXPECT_EQ(about(at, lane_name(1, 33)),
            (Names{"Block 1, thread 33 (warp 1, lane 1)", "running", "a.cu:5"}));
  for (const char* const other : {"", "lane/0", "lane/0/40", "word/9/0/0", "word/0/256/0", "word/0",
                                  "word/0/2/0/", "lane/x/1", "else/0/0"})
    EXPECT_TRUE(about(at, other).empty()) << other;
}

TEST(StepNames, LightWhatBelongsTogether) {
  Playback at(two_blocks());
  at.seek(5);
  EXPECT_EQ(related_names(at, lane_name(1, 33)), (Names{"lane/1/33", "line/a.cu:5", "word/0/2/0"}));
  EXPECT_EQ(related_names(at, lane_name(0, 33)), (Names{"lane/0/33", "line/a.cu:9"}))
      << "it is another block's step";
  EXPECT_EQ(related_names(at, word_name({0, 2, 0})), (Names{"word/0/2/0", "lane/1/33"}));
  EXPECT_EQ(related_names(at, word_name({0, 3, 0})), Names{"word/0/3/0"});
  EXPECT_EQ(related_names(at, "line/a.cu:9"), (Names{"line/a.cu:9", "lane/0/33"}));
}

TEST(StepNames, ShowValuesByTheirType) {
  const auto value = [](const char* type, std::vector<std::uint8_t> bytes) {
    RecordedArray array;
    array.type = type;
    array.element_bytes = static_cast<std::uint32_t>(bytes.size());
    return value_of(array, bytes);
  };
  EXPECT_EQ(value("u8", {254}), "254");
  EXPECT_EQ(value("i8", {254}), "-2");
  EXPECT_EQ(value("i16", {254, 255}), "-2");
  EXPECT_EQ(value("i32", {254, 255, 255, 255}), "-2");
  EXPECT_EQ(value("i64", std::vector<std::uint8_t>(8, 255)), "-1");
  EXPECT_EQ(value("u32", {254, 255, 255, 255}), "4294967294");
  EXPECT_EQ(value("f32", {0, 0, 0x20, 0xc0}), "-2.5");
  EXPECT_EQ(value("f64", {0, 0, 0, 0, 0, 0, 0x04, 0x40}), "2.5");
  EXPECT_EQ(value("Box", {1, 0, 0, 0, 255}), "0x1 0xff");
}

TEST(StepWords, SayWhatAStepDid) {
  Playback at(two_blocks());
  EXPECT_EQ(sentence_of(at), "The run has not started.");
  const auto sentence = [&at](std::size_t step) {
    at.seek(step);
    return sentence_of(at);
  };
  EXPECT_EQ(sentence(1), "The host launches wave_kernel: 2 blocks of 40 threads.");
  EXPECT_EQ(sentence(2), "Block 0 begins.");
  EXPECT_EQ(sentence(4), "Block 0, warp 1: lane 1 loads (acquire) out.");
  EXPECT_EQ(sentence(5), "Block 1, warp 1: lane 1 adds atomically to out.");
}

TEST(StepWords, SayHowManyLanesTakePart) {
  HandMade run(1, 32);
  run.begin(0);
  run.access(EventKind::read, 0, 0, 3, 1, 8);
  run.access(EventKind::write, 1, 0, 8, 1, 8);
  for (const EventKind kind : {EventKind::ballot, EventKind::match, EventKind::active})
    run.event({.kind = kind, .value = 7});
  Playback at(run.take());
  Names sentences;
  for (std::size_t step = 3; step <= at.steps(); ++step) {
    at.seek(step);
    sentences.push_back(sentence_of(at));
  }
  EXPECT_EQ(sentences, (Names{"Block 0, warp 0: 3 of 8 lanes read out.",
                              "Block 0, warp 0: 8 lanes write tile.",
                              "Block 0, warp 0: 3 lanes vote (ballot).",
                              "Block 0, warp 0: 3 lanes find lanes with equal values (match).",
                              "Block 0, warp 0: 3 lanes query the active mask."}));
}

// They are not of the warp whose lane is the first.
TEST(StepWords, NameNoWarpWhereSeveralArrive) {
  HandMade run(1, 64);
  run.begin(0);
  run.arrive(0, 64);
  Playback at(run.take());
  at.seek(3);
  EXPECT_EQ(sentence_of(at), "Block 0: 64 lanes arrive at the barrier.");
}

TEST(StepWords, FoldNumbersIntoRanges) {
  EXPECT_EQ(ranges_of({}), "");
  EXPECT_EQ(ranges_of({1, 2, 3, 5, 6, 8}), "1 to 3, 5, 6, 8");
  EXPECT_EQ(ranges_of({1, 3, 5, 7}, 2), "1, 3, ...");
  EXPECT_EQ(ranges_of({1, 3}, 2), "1, 3");
  EXPECT_EQ(named_ranges("lane", {4}), "lane 4");
  EXPECT_EQ(named_ranges("lane", {4, 5, 6}), "lanes 4 to 6");
}

TEST(StepWords, ShortenFunctions) {
  EXPECT_EQ(short_function("void a::(anonymous namespace)::inner<b::C<int> >(int, float)"),
            "inner");
  EXPECT_EQ(short_function("void run<void (int)>(float)"), "run");
  EXPECT_EQ(short_function("a::plain"), "plain");
  EXPECT_EQ(short_function(""), "");
}

// A letter of the surface is 0.6 ems wide.
TEST(StepWords, FitTheirWidth) {
  const PlotSurface surface = step_surface();
  EXPECT_EQ(cut_to(surface, "abcdef", 3.7F), "abcdef");
  EXPECT_EQ(cut_to(surface, "abcdefg", 3.7F), "abc...");
  // An arrow has three bytes, none of which is there without the others.
  EXPECT_EQ(cut_to(surface, "ab\u2192\u2192cd", 4.3F), "ab...");
  EXPECT_EQ(wrapped(surface, "one two three four", 5.0F), (Names{"one two", "three", "four"}));
  EXPECT_EQ(wrapped(surface, "one extraordinary", 5.0F), (Names{"one", "extraordinary"}));
  for (const bool bold : {false, true}) {
    Sketch sketch(step_surface(140.0F));  // 10 ems
    const float height =
        draw_paragraph(sketch, surface, {0.0F, 0.0F}, "01234567 89012345", plot_ink::text, bold);
    EXPECT_EQ(height, 2.0F * plot_line_height);
    for (const PlotShape& line : sketch.take(height).shapes)
      EXPECT_LE(Sketch::width_of(surface, line.words) * (bold ? Sketch::bold_is_wider : 1.0F),
                10.0F);
  }
  // 10 ems have room for 14 letters that are bold, and for 16 others.
  for (const auto& [bold, words] :
       {std::pair{false, "0123456789abc..."}, {true, "0123456789a..."}}) {
    Sketch sketch(step_surface(140.0F));
    draw_paragraph(sketch, surface, {0.0F, 0.0F}, "0123456789abcdefgh", plot_ink::text, bold);
    EXPECT_EQ(sketch.take(1.0F).shapes.at(0).words, words);
  }
}

TEST(StepKeys, BreakIntoRowsThatFit) {
  const PlotSurface surface = step_surface(240.0F);
  Sketch sketch(surface);
  const std::vector<KeyEntry> entries(3, {"twelve words", filled(plot_ink::text)});
  const float height = draw_key(sketch, surface, {0.0F, 0.0F}, entries);
  EXPECT_EQ(height, 3.0F * plot_line_height);
  const StepDrawing drawing = sketch.take(height);
  expect_inside(drawing, surface);
  std::vector<float> rows;
  for (const PlotShape& shape : drawing.shapes)
    if (shape.kind == PlotShape::Kind::text) {
      EXPECT_LE(shape.vertices[0].x + surface.text_width(shape.words), surface.width);
      rows.push_back(shape.vertices[0].y);
    }
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_LT(rows[0], rows[1]);
  EXPECT_LT(rows[1], rows[2]);
}

}  // namespace
}  // namespace warpview::test
