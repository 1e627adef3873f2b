#include "app/step_views/sketch.h"

#include <cmath>

namespace warpview::step_views {

PlotShape& Sketch::add(PlotShape shape) { return shapes_.emplace_back(std::move(shape)); }

PlotShape& Sketch::box(PlotBox ems, int ink, float opacity, std::string name) {
  return add(polygon_shape({place({ems.x, ems.y}), place({ems.right(), ems.y}),
                            place({ems.right(), ems.bottom()}), place({ems.x, ems.bottom()})},
                           ink, opacity, std::move(name)));
}

PlotShape& Sketch::frame(PlotBox ems, int ink, float width, std::string name) {
  const PlotVertex corner{ems.x, ems.y};
  return path(
      {corner, {ems.right(), ems.y}, {ems.right(), ems.bottom()}, {ems.x, ems.bottom()}, corner},
      ink, width, std::move(name));
}

PlotShape& Sketch::line(PlotVertex from, PlotVertex to, int ink, float width) {
  return path({from, to}, ink, width);
}

PlotShape& Sketch::path(std::vector<PlotVertex> ems, int ink, float width, std::string name) {
  for (PlotVertex& each : ems) each = place(each);
  return add(line_shape(std::move(ems), ink, width * em_, std::move(name)));
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
  add(polygon_shape({place(to), place({base.x - half * along.y, base.y + half * along.x}),
                     place({base.x + half * along.y, base.y - half * along.x})},
                    ink, 1.0F, std::move(name)));
}

PlotShape& Sketch::triangle(PlotVertex a, PlotVertex b, PlotVertex c, int ink) {
  return add(polygon_shape({place(a), place(b), place(c)}, ink));
}

PlotShape& Sketch::text(PlotVertex at, std::string words, int ink, PlotShape::Align align,
                        bool bold) {
  return add(text_shape(place(at), std::move(words), ink, align, bold));
}

PlotShape& Sketch::text_in(PlotBox ems, std::string words, int ink, bool bold) {
  constexpr float middle = 0.57F;  // of digits and capitals, below the upper edge of their line
  return text({ems.x + 0.5F * ems.width, ems.y + 0.5F * ems.height - middle}, std::move(words), ink,
              PlotShape::Align::middle, bold);
}

}  // namespace warpview::step_views
