#include "app/step_views/chips.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpview::step_views {

std::string lane_words(const Recording& recording, std::uint32_t block, std::uint32_t thread) {
  const std::uint32_t warp = std::max(recording.warp_size, 1U);
  return fmt::format("{}/{}/{}", block, thread / warp, thread % warp);
}

std::string fitted(const PlotSurface& surface, std::string words, float ems) {
  if (Sketch::width_of(surface, words) <= ems) return words;
  while (!words.empty() && Sketch::width_of(surface, words + "..") > ems) words.pop_back();
  return words + "..";
}

void draw_chip(Sketch& sketch, const PlotSurface& surface, PlotBox ems, const Chip& chip) {
  sketch.box(ems, chip.ink, chip.active ? 0.45F : 0.15F, chip.name);
  sketch.frame(ems, chip.ink, chip.active ? 0.14F : 0.07F, chip.name).line =
      chip.dashed ? PlotLine::dotted : PlotLine::solid;
  PlotShape& text = sketch.text(
      {ems.x + 0.5F * ems.width, ems.y + 0.5F * (ems.height - plot_line_height)},
      fitted(surface, chip.words, ems.width - 0.2F), plot_ink::text, PlotShape::Align::middle);
  text.name = chip.name;
}

float draw_key(Sketch& sketch, const PlotSurface& surface, PlotVertex at,
               const std::vector<KeyEntry>& entries) {
  PlotVertex pen = at;
  for (const KeyEntry& entry : entries) {
    const float width = 1.3F + Sketch::width_of(surface, entry.words);
    if (pen.x > at.x && pen.x + width > sketch.width()) pen = {at.x, pen.y + plot_line_height};
    sketch.box({pen.x, pen.y + 0.25F, 0.9F, 0.9F}, entry.ink, entry.opacity);
    sketch.text({pen.x + 1.3F, pen.y}, entry.words, plot_ink::dim);
    pen.x += width + 1.2F;
  }
  return pen.y + plot_line_height - at.y;
}

float draw_lines(Sketch& sketch, const PlotSurface& surface, PlotVertex at, std::string_view words,
                 float ems, int ink) {
  std::string line;
  float y = at.y;
  const auto end_line = [&] {
    sketch.text({at.x, y}, fitted(surface, line, ems), ink);
    y += plot_line_height;
    line.clear();
  };
  while (!words.empty()) {
    const std::size_t blank = std::min(words.find(' '), words.size());
    const std::string longer =
        line + (line.empty() ? "" : " ") + std::string(words.substr(0, blank));
    if (!line.empty() && Sketch::width_of(surface, longer) > ems) {
      end_line();
      line = words.substr(0, blank);
    } else {
      line = longer;
    }
    words.remove_prefix(std::min(blank + 1, words.size()));
  }
  if (!line.empty()) end_line();
  return y - at.y;
}

}  // namespace warpview::step_views
