// What holds of each view, of each primitive: it draws every step within its surface.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "app/step_views/names.h"
#include "app/step_views/view.h"
#include "gpu/catalogue.h"
#include "tests/step_views/drawn.h"
#include "tests/step_views/recordings.h"

namespace warpview::test {
namespace {

class EveryView : public testing::TestWithParam<int> {};

// The default variants of all primitives, at some hundred of their steps, on a desktop and a phone.
TEST_P(EveryView, DrawsInsideItsSurface) {
  const auto primitive = static_cast<Primitive>(GetParam());
  const VariantId variant = default_variant(primitive, Backend::cpu);
  const auto recording =
      record({.primitive = std::string(to_string(primitive)), .variant = variant->name});
  Playback playback(recording);
  for (const StepViewRow& row : all_step_views()) {
    if (!row.is_for(*recording)) continue;
    SCOPED_TRACE(row.name);
    const auto view = row.make(recording);
    EXPECT_FALSE(view->legend().empty());
    const std::size_t stride = std::max<std::size_t>(playback.steps() / 100, 1);
    for (std::size_t step = 0; step <= playback.steps(); step += stride) {
      playback.seek(step);
      const StepFocus focus{.block = playback.last().empty() ? 0 : playback.last().front().block};
      for (const float width : {332.0F, 900.0F}) {
        const PlotSurface surface = step_surface(width);
        const StepDrawing drawing = view->draw(playback, focus, surface);
        expect_inside(drawing, surface);
        if (HasFatalFailure()) return;
        for (const PlotShape& shape : drawing.shapes) step_views::about(playback, shape.name);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Primitives, EveryView, testing::Range(0, primitive_count),
                         [](const testing::TestParamInfo<int>& primitive) {
                           return std::string(to_string(static_cast<Primitive>(primitive.param)));
                         });

}  // namespace
}  // namespace warpview::test
