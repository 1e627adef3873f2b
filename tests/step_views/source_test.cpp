// The view of sources, held to a file that the program holds.
#include <gtest/gtest.h>

#include <algorithm>

#include "app/step_views/names.h"
#include "kernel_source.h"
#include "tests/step_views/drawn.h"
#include "tests/step_views/hand_made.h"
#include "tests/step_views/recordings.h"

namespace warpview::test {
namespace {

using step_views::line_name;
using enum PlotShape::Kind;

constexpr const char* file = "gpu/primitives/block_scan/kogge_stone.cu";

// How a line begins.
std::string line_of_file(std::size_t number) {
  std::string_view rest = kernel_source(file);
  for (std::size_t i = 1; i < number; ++i) rest.remove_prefix(rest.find('\n') + 1);
  rest = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  constexpr std::size_t shown = 24;  // letters for which there is room
  return std::string(rest.substr(0, shown));
}

TEST(SourceView, ShowsTheCallsAndTheLinesAroundTheInnermost) {
  HandMade run(1, 32);
  run.recording().places = {
      {},
      {.code = 1,
       .chain = {{.function = "void a::(anonymous namespace)::inner<b::C<int> >(int, float)",
                  .file = file,
                  .line = 12},
                 {.function = "outer", .file = file, .line = 20}}}};
  run.begin(0);
  run.access(EventKind::write, 1, 0, 8);
  for (auto& event : run.recording().events)
    if (is_access(event.kind) || event.kind == EventKind::step) event.place = 1;
  Playback at(run.take());
  at.seek(3);
  const StepDrawing drawing = drawn("source", at);
  const std::string all = texts_of(drawing);
  EXPECT_TRUE(says(drawing, "inner  kogge_stone.cu:12\n"));
  EXPECT_LT(all.find("outer  "), all.find("inner  "));
  for (std::uint32_t i = 9; i <= 15; ++i) {
    SCOPED_TRACE(i);
    EXPECT_TRUE(says(drawing, line_of_file(i)));
    // Of the 32 squares beside a line those of the lanes that stand there are filled.
    std::size_t filled = 0;
    for (const PlotShape* const shape :
         named(drawing, line_name({.function = {}, .file = file, .line = i}), polygon))
      filled += shape->ink == plot_ink::text ? 1 : 0;
    EXPECT_EQ(filled, i == 12 ? 8U : 0U);
  }
}

TEST(SourceView, SaysThatThereAreNoLines) {
  Playback at(record({.primitive = "block_scan", .variant = "kogge_stone"}));
  std::size_t step = 0;
  while (at.events_of(step).front().kind != EventKind::step) ++step;
  at.seek(step + 1);
  const StepDrawing drawing = drawn("source", at);
  EXPECT_TRUE(says(drawing, "no source lines"));
  EXPECT_TRUE(says(drawing, "Kernel: "));
  EXPECT_TRUE(says(drawing, "defined in gpu/"));
}

}  // namespace
}  // namespace warpview::test
