#include "tests/step_views/hand_made.h"

#include <utility>

#include "gpu/runtime/error.h"

namespace warpview::test {

HandMade::HandMade(std::uint32_t blocks, std::uint32_t threads) {
  recording_.places.resize(1);
  recording_.arrays = {{.name = "out",
                        .type = "u32",
                        .element_bytes = 4,
                        .bytes = 1024,
                        .before = std::vector<std::uint8_t>(1024, 0)},
                       {.name = "tile",
                        .type = "u32",
                        .element_bytes = 4,
                        .bytes = 1024,
                        .kind = ArrayKind::shared,
                        .before = {}}};
  recording_.launches = {
      {.kernel = "test::wave_kernel<int>", .grid = {blocks, 1, 1}, .block = {threads, 1, 1}}};
  event({.kind = EventKind::launch});
}

void HandMade::access(EventKind kind, std::uint32_t array, std::uint32_t first, std::uint32_t end,
                      std::uint32_t stride, std::uint32_t live) {
  const auto lanes_below = [](std::uint32_t lane) { return (std::uint64_t{1} << lane) - 1; };
  event({.kind = EventKind::step,
         .value = lanes_below(end) & ~lanes_below(first),
         .other = lanes_below(live)});
  for (std::uint32_t i = first; i < end; ++i)
    event({.kind = kind,
           .bytes = 4,
           .thread = static_cast<std::uint16_t>(i),
           .subject = array,
           .offset = 4 * stride * i,
           .value = 100 + i});
}

void HandMade::arrive(std::uint32_t block, std::uint32_t threads) {
  for (std::uint32_t i = 0; i < threads; ++i)
    event({.kind = EventKind::arrive, .thread = static_cast<std::uint16_t>(i), .block = block});
}

PlotSurface step_surface(float width) {
  constexpr float em = 14.0F;
  return {.width = width, .height = 400.0F, .em = em, .text_width = [](std::string_view words) {
            return 0.6F * em * static_cast<float>(words.size());
          }};
}

StepDrawing drawn(std::string_view view, const Playback& at, std::uint32_t block, float width) {
  const auto recording = std::make_shared<const Recording>(at.recording());
  for (const StepViewRow& row : all_step_views())
    if (row.name == view)
      return row.make(recording)->draw(at, {.block = block}, step_surface(width));
  throw Error("a view of steps", "there is none of this name", "");
}

std::vector<const PlotShape*> named(const StepDrawing& drawing, std::string_view name,
                                    PlotShape::Kind kind) {
  std::vector<const PlotShape*> shapes;
  for (const PlotShape& shape : drawing.shapes)
    if (shape.name == name && shape.kind == kind) shapes.push_back(&shape);
  return shapes;
}

std::string texts_of(const StepDrawing& drawing) {
  std::string all;
  for (const PlotShape& shape : drawing.shapes)
    if (shape.kind == PlotShape::Kind::text) all += shape.words + "\n";
  return all;
}

bool says(const StepDrawing& drawing, std::string_view words) {
  return texts_of(drawing).find(words) != std::string::npos;
}

}  // namespace warpview::test
