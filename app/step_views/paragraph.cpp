#include "app/step_views/paragraph.h"

namespace warpview::step_views {

float draw_paragraph(Sketch& sketch, const PlotSurface& surface, float y, std::string_view words,
                     int ink, bool bold) {
  constexpr float bold_is_wider = 1.1F;
  const float width = sketch.width() / (bold ? bold_is_wider : 1.0F);
  const float first = y;
  std::string line;
  const auto end_line = [&] {
    sketch.text({0.0F, y}, std::move(line), ink, PlotShape::Align::left, bold);
    y += plot_line_height;
    line.clear();
  };
  while (!words.empty()) {
    const std::size_t blank = words.find(' ');
    const std::string_view word = words.substr(0, blank);
    words.remove_prefix(blank == std::string_view::npos ? words.size() : blank + 1);
    const std::string longer = line.empty() ? std::string(word) : line + " " + std::string(word);
    if (!line.empty() && Sketch::width_of(surface, longer) > width) {
      end_line();
      line = word;
    } else {
      line = longer;
    }
  }
  if (!line.empty()) end_line();
  return y - first;
}

float draw_swatches(Sketch& sketch, const PlotSurface& surface, float y,
                    const std::vector<Swatch>& swatches) {
  constexpr float side = 0.8F, gap = 0.4F, between = 1.2F;
  const float first = y;
  float x = 0.0F;
  for (const Swatch& swatch : swatches) {
    const float width = side + gap + Sketch::width_of(surface, swatch.words);
    if (x > 0.0F && x + width > sketch.width()) {
      x = 0.0F;
      y += plot_line_height;
    }
    sketch.frame({x + 0.08F, y + 0.25F, side, side}, swatch.ink, 0.16F);
    sketch.text({x + side + gap, y}, swatch.words, plot_ink::dim);
    x += width + between;
  }
  return y - first + plot_line_height;
}

}  // namespace warpview::step_views
