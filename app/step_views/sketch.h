// Draws shapes of a view, in ems.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/step_views/view.h"

namespace warpview::step_views {

// What inks mean in all views. No meaning rests on the colour alone: a word, a letter or the key
// says it too.
namespace ink {
// What a step does, in every view.
inline constexpr int read = plot_ink::first_series;            // words, and lanes that read
inline constexpr int write = plot_ink::first_series + 1;       // words, and lanes that write
inline constexpr int atomic = plot_ink::first_series + 2;      // read-modify-writes
inline constexpr int waiting = plot_ink::first_series + 3;     // at a barrier, in back-off, locked
inline constexpr int collective = plot_ink::first_series + 4;  // lanes of a shuffle, ballot, match

// In single views, in the inks of related accesses.
inline constexpr int current = read;    // the line of the sources at which the step is
inline constexpr int operand = read;    // what a level of an algorithm combines,
inline constexpr int result = write;    // and what it computes
inline constexpr int peer = read;       // lanes with equal keys
inline constexpr int kept = read;       // an item that was read and is kept,
inline constexpr int landed = write;    // and one that is written to the output
inline constexpr int takes = read;      // lanes that take from a queue, and its head
inline constexpr int appends = write;   // lanes that append to it, and its tail
inline constexpr int held = atomic;     // a lock that a lane holds, and the lane
inline constexpr int has_turn = write;  // a tile whose predecessors are all done

// In views that draw no collectives.
inline constexpr int prefix = plot_ink::first_series + 4;     // a sum of all tiles before
inline constexpr int aggregate = plot_ink::first_series + 5;  // a sum of one tile
// Kernels, or procedures of one.
constexpr int work(std::size_t number) {
  constexpr int first = 4, inks = 4;
  return plot_ink::first_series + first + static_cast<int>(number % inks);
}

// The turn in which a bank serves a word; the number of the turn is written on it.
constexpr int bank_turn(std::uint64_t turn) {
  return plot_ink::first_series + static_cast<int>(turn % plot_series_colours);
}
}  // namespace ink

class Sketch {
 public:
  explicit Sketch(const PlotSurface& surface) : em_(surface.em), width_(surface.width) {}

  // Units of the surface in an em, and the width in ems.
  float em() const { return em_; }
  float width() const { return width_ / em_; }
  // A phone, or a narrow column of the window: views put parts below each other that are side by
  // side elsewhere.
  bool is_narrow() const { return width() < 45.0F; }

  PlotShape& box(PlotBox ems, int ink, float opacity = 1.0F, std::string name = {});
  PlotShape& frame(PlotBox ems, int ink, float width = 0.08F, std::string name = {});
  PlotShape& line(PlotVertex from, PlotVertex to, int ink, float width = 0.08F);
  // A line through several places, at least two.
  PlotShape& path(std::vector<PlotVertex> ems, int ink, float width, std::string name = {});
  // A line with a head at its end.
  void arrow(PlotVertex from, PlotVertex to, int ink, float width = 0.08F, std::string name = {});
  PlotShape& triangle(PlotVertex a, PlotVertex b, PlotVertex c, int ink);
  // Its upper corner, or the upper end of its middle.
  PlotShape& text(PlotVertex at, std::string words, int ink = plot_ink::text,
                  PlotShape::Align align = PlotShape::Align::left, bool bold = false);
  // In the middle of a box.
  PlotShape& text_in(PlotBox ems, std::string words, int ink = plot_ink::text, bool bold = false);
  static constexpr float bold_is_wider = 1.15F;  // times as wide
  // The width of words in ems.
  static float width_of(const PlotSurface& surface, std::string_view words) {
    return surface.text_width(words) / surface.em;
  }

  StepDrawing take(float height_in_ems) { return {height_in_ems * em_, std::move(shapes_)}; }

 private:
  PlotShape& add(PlotShape shape);
  PlotVertex place(PlotVertex ems) const { return {ems.x * em_, ems.y * em_}; }

  float em_;
  float width_;
  std::vector<PlotShape> shapes_;
};

}  // namespace warpview::step_views
