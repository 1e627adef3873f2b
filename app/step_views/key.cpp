#include "app/step_views/key.h"

#include "app/step_views/paragraph.h"

namespace warpview::step_views {

KeySample filled(int ink, float opacity) {
  return [=](Sketch& sketch, PlotBox box) { sketch.box(box, ink, opacity); };
}

KeySample framed(int ink) {
  return [=](Sketch& sketch, PlotBox box) {
    constexpr float width = 0.16F;
    sketch.frame(
        {box.x + 0.5F * width, box.y + 0.5F * width, box.width - width, box.height - width}, ink,
        width);
  };
}

float draw_key(Sketch& sketch, const PlotSurface& surface, PlotVertex at,
               const std::vector<KeyEntry>& entries) {
  constexpr float side = 1.05F, gap = 0.4F, between = 1.0F;
  PlotVertex pen = at;
  for (const KeyEntry& entry : entries) {
    std::string words = cut_to(surface, entry.words, sketch.width() - at.x - side - gap);
    const float width = side + gap + Sketch::width_of(surface, words);
    if (pen.x > at.x && pen.x + width > sketch.width()) pen = {at.x, pen.y + plot_line_height};
    entry.sample(sketch, {pen.x, pen.y + 0.5F * (plot_line_height - side), side, side});
    sketch.text({pen.x + side + gap, pen.y}, std::move(words), plot_ink::dim);
    pen.x += width + between;
  }
  return pen.y + plot_line_height - at.y;
}

}  // namespace warpview::step_views
