// Recordings as the window, files and pages show them: every view that takes one draws some of its
// steps, and words are found for what it draws.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "app/step_views/names.h"
#include "app/step_views/view.h"
#include "app/step_views/words.h"
#include "fuzz/memory_file.h"
#include "fuzz/promises.h"
#include "gpu/recording/file.h"
#include "gpu/runtime/error.h"

namespace warpview::fuzz {
namespace {

void draw(const StepView& view, const Playback& at, const PlotSurface& surface) {
  const std::uint32_t block = at.last().empty() ? 0 : at.last().front().block;
  const StepDrawing drawing = view.draw(at, {.block = block}, surface);
  require(std::isfinite(drawing.height), "a height that is finite");
  std::size_t named = 0;
  for (const PlotShape& shape : drawing.shapes) {
    for (const PlotVertex& v : shape.vertices)
      require(std::isfinite(v.x) && std::isfinite(v.y), "places that are finite");
    constexpr std::size_t most_named = 16;
    if (shape.name.empty() || ++named > most_named) continue;
    step_views::about(at, shape.name);
    step_views::related_names(at, shape.name);
  }
}

void show(Bytes input) {
  Recording parsed_recording;
  try {
    parsed_recording = parsed(input, "input");
  } catch (const Error&) {
    return;
  }
  const auto recording = std::make_shared<const Recording>(std::move(parsed_recording));
  Playback playback(recording);
  const PlotSurface surface{
      .width = 332.0F, .height = 400.0F, .em = 14.0F, .text_width = [](std::string_view words) {
        return 8.0F * static_cast<float>(words.size());
      }};
  constexpr std::size_t drawn = 6;  // steps, evenly spaced, the first and the last among them
  for (const StepViewRow& row : all_step_views()) {
    if (!row.is_for(*recording)) continue;
    const auto view = row.make(recording);
    for (std::size_t i = 0; i < drawn; ++i) {
      playback.seek(i * playback.steps() / (drawn - 1));
      step_views::sentence_of(playback);
      draw(*view, playback, surface);
    }
  }
}

}  // namespace
}  // namespace warpview::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warpview::fuzz::show({data, size});
  return 0;
}
