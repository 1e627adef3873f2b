// Draws shapes of a view, in ems.
#pragma once

#include <string>
#include <utility>

#include "app/step_views/view.h"

namespace warpview::step_views {

// What inks mean in all views. Never told by the colour alone.
namespace ink {
inline constexpr int read = plot_ink::first_series;       // what the step reads
inline constexpr int write = plot_ink::first_series + 1;  // what the step has written
inline constexpr int atomic = plot_ink::first_series + 2;
inline constexpr int waiting = plot_ink::first_series + 3;     // lanes at a barrier, in back-off
inline constexpr int collective = plot_ink::first_series + 4;  // lanes of a shuffle, ballot, match
}  // namespace ink

class Sketch {
 public:
  explicit Sketch(const PlotSurface& surface) : em_(surface.em), width_(surface.width) {}

  // Units of the surface in an em, and the width in ems.
  float em() const { return em_; }
  float width() const { return width_ / em_; }

  PlotShape& box(PlotBox ems, int ink, float opacity = 1.0F, std::string name = {});
  PlotShape& frame(PlotBox ems, int ink, float width = 0.08F, std::string name = {});
  PlotShape& line(PlotVertex from, PlotVertex to, int ink, float width = 0.08F);
  // A line with a head at its end.
  void arrow(PlotVertex from, PlotVertex to, int ink, float width = 0.08F, std::string name = {});
  PlotShape& triangle(PlotVertex a, PlotVertex b, PlotVertex c, int ink);
  // Its upper corner, or the upper end of its middle.
  PlotShape& text(PlotVertex at, std::string words, int ink = plot_ink::text,
                  PlotShape::Align align = PlotShape::Align::left, bool bold = false);
  // In the middle of a box.
  PlotShape& text_in(PlotBox ems, std::string words, int ink = plot_ink::text, bool bold = false);
  // The width of words in ems.
  static float width_of(const PlotSurface& surface, std::string_view words) {
    return surface.text_width(words) / surface.em;
  }

  StepDrawing take(float height_in_ems) { return {height_in_ems * em_, std::move(shapes_)}; }

 private:
  PlotVertex place(PlotVertex ems) const { return {ems.x * em_, ems.y * em_}; }

  float em_;
  float width_;
  std::vector<PlotShape> shapes_;
};

}  // namespace warpview::step_views
