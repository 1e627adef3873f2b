#include "app/step_views/sketch.h"

#include <cmath>

namespace warpview::step_views {

PlotShape& Sketch::box(PlotBox ems, int ink, float opacity, std::string name) {
  shapes_.push_back({.kind = PlotShape::Kind::polygon,
                     .ink = ink,
                     .opacity = opacity,
                     .vertices = {place({ems.x, ems.y}), place({ems.right(), ems.y}),
                                  place({ems.right(), ems.bottom()}), place({ems.x, ems.bottom()})},
                     .words = {},
                     .name = std::move(name)});
  return shapes_.back();
}

PlotShape& Sketch::frame(PlotBox ems, int ink, float width, std::string name) {
  const PlotVertex corner = place({ems.x, ems.y});
  shapes_.push_back(
      {.kind = PlotShape::Kind::line,
       .ink = ink,
       .width = width * em_,
       .vertices = {corner, place({ems.right(), ems.y}), place({ems.right(), ems.bottom()}),
                    place({ems.x, ems.bottom()}), corner},
       .words = {},
       .name = std::move(name)});
  return shapes_.back();
}

PlotShape& Sketch::line(PlotVertex from, PlotVertex to, int ink, float width) {
  shapes_.push_back({.kind = PlotShape::Kind::line,
                     .ink = ink,
                     .width = width * em_,
                     .vertices = {place(from), place(to)},
                     .words = {}});
  return shapes_.back();
}

PlotShape& Sketch::path(std::vector<PlotVertex> ems, int ink, float width, std::string name) {
  for (PlotVertex& each : ems) each = place(each);
  shapes_.push_back({.kind = PlotShape::Kind::line,
                     .ink = ink,
                     .width = width * em_,
                     .vertices = std::move(ems),
                     .words = {},
                     .name = std::move(name)});
  return shapes_.back();
}

void Sketch::arrow(PlotVertex from, PlotVertex to, int ink, float width, std::string name) {
  const float x = to.x - from.x;
  const float y = to.y - from.y;
  const float length = std::hypot(x, y);
  if (!(length > 0.0F)) return;
  const float head = std::min(0.5F, 0.6F * length);
  const PlotVertex along{x / length, y / length};
  const PlotVertex base{to.x - head * along.x, to.y - head * along.y};
  const float half = 0.45F * head;
  line(from, base, ink, width).name = name;
  shapes_.push_back(
      {.kind = PlotShape::Kind::polygon,
       .ink = ink,
       .vertices = {place(to), place({base.x - half * along.y, base.y + half * along.x}),
                    place({base.x + half * along.y, base.y - half * along.x})},
       .words = {},
       .name = std::move(name)});
}

PlotShape& Sketch::triangle(PlotVertex a, PlotVertex b, PlotVertex c, int ink) {
  shapes_.push_back({.kind = PlotShape::Kind::polygon,
                     .ink = ink,
                     .vertices = {place(a), place(b), place(c)},
                     .words = {}});
  return shapes_.back();
}

PlotShape& Sketch::text(PlotVertex at, std::string words, int ink, PlotShape::Align align,
                        bool bold) {
  shapes_.push_back({.kind = PlotShape::Kind::text,
                     .ink = ink,
                     .vertices = {place(at)},
                     .align = align,
                     .bold = bold,
                     .words = std::move(words)});
  return shapes_.back();
}

PlotShape& Sketch::text_in(PlotBox ems, std::string words, int ink, bool bold) {
  constexpr float middle = 0.57F;  // of digits and capitals, below the upper edge of their line
  return text({ems.x + 0.5F * ems.width, ems.y + 0.5F * ems.height - middle}, std::move(words), ink,
              PlotShape::Align::middle, bold);
}

}  // namespace warpview::step_views
