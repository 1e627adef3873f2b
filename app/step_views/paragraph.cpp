#include "app/step_views/paragraph.h"

#include <algorithm>

namespace warpview::step_views {

std::string cut_to(const PlotSurface& surface, std::string words, float ems) {
  if (Sketch::width_of(surface, words) <= ems) return words;
  while (!words.empty() && Sketch::width_of(surface, words + "...") > ems) {
    // A letter of UTF-8 is cut off whole.
    while (words.size() > 1 && (static_cast<unsigned char>(words.back()) & 0xc0U) == 0x80U)
      words.pop_back();
    words.pop_back();
  }
  return words + "...";
}

std::vector<std::string> wrapped(const PlotSurface& surface, std::string_view words, float ems) {
  std::vector<std::string> lines(1);
  while (!words.empty()) {
    const std::size_t space = std::min(words.find(' '), words.size());
    const std::string word(words.substr(0, space));
    words.remove_prefix(std::min(space + 1, words.size()));
    std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
    if (lines.back().empty() || Sketch::width_of(surface, longer) <= ems)
      lines.back() = std::move(longer);
    else
      lines.push_back(word);
  }
  return lines;
}

float draw_paragraph(Sketch& sketch, const PlotSurface& surface, PlotVertex at,
                     std::string_view words, int ink, bool bold) {
  if (words.empty()) return 0.0F;
  const float width = (sketch.width() - at.x) / (bold ? Sketch::bold_is_wider : 1.0F);
  float y = at.y;
  for (std::string& line : wrapped(surface, words, width)) {
    sketch.text({at.x, y}, cut_to(surface, std::move(line), width), ink, PlotShape::Align::left,
                bold);
    y += plot_line_height;
  }
  return y - at.y;
}

}  // namespace warpview::step_views
