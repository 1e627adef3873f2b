// Curves on two axes, logarithmic or linear: the layout, which callers draw. Window,
// SVG and PNG draw the same shapes.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/common/theme.h"

namespace warpview {

// Values that are not finite, and values up to 0 on a logarithmic axis, are not drawn: a point
// without x or y splits its curve, one without quartiles leaves a gap in the band.
struct PlotPoint {
  double x = 0.0;
  double y = 0.0;    // the median
  double low = 0.0;  // the quartiles
  double high = 0.0;
  int runs = 0;
};

enum class PlotLine : std::uint8_t { solid, dashed, dotted };

struct PlotSeries {
  std::string name;
  int colour = -1;  // index into the palette's series, from 0; -1: neutral
  int mark = -1;    // a shape for its points; -1: none
  PlotLine line = PlotLine::solid;
  bool shown = true;
  std::vector<PlotPoint> points{};  // by ascending x
};

// How values of an axis are written.
enum class PlotUnit : std::uint8_t { milliseconds, per_second, gb_per_second, share };

struct Plot {
  std::string title{}, subtitle{};
  std::string x_title{}, y_title{};
  PlotUnit unit = PlotUnit::milliseconds;  // of the vertical axis
  // Linear: both axes begin at 0, the horizontal one is in milliseconds, and a vertical one of
  // shares reaches at least 1. Otherwise both are logarithmic, and the horizontal one counts items.
  bool linear = false;
  // In a linear plot: the horizontal axis shows the time of day, in seconds from here, and points
  // above 0 have bands.
  std::optional<std::chrono::sys_seconds> since{};
  std::vector<PlotSeries> series{};
  bool has_legend = true;  // else the names of the curves stand elsewhere
  // What points that are no median of runs are, in words.
  std::string unknown_runs = "for the problem's minimum bytes";
};

// "1.5 ms", "20 G/s", "300 GB/s", "45%", with few digits. "-" for values that are not finite or
// below 0, and for a rate of 0.
std::string plot_value(PlotUnit unit, double value);

// ---- Geometry, in units of the surface: x to the right, y down ----------------------------------

struct PlotVertex {
  float x = 0.0F;
  float y = 0.0F;
};

struct PlotBox {
  float x = 0.0F;
  float y = 0.0F;
  float width = 0.0F;
  float height = 0.0F;
  float right() const { return x + width; }
  float bottom() const { return y + height; }
  bool contains(PlotVertex v) const {
    return v.x >= x && v.x <= right() && v.y >= y && v.y <= bottom();
  }
};

// Maps values from `low` to `high`, both above 0 unless the axis is linear, to places from `begin`
// to `end`.
struct PlotAxis {
  double low = 1.0;
  double high = 10.0;
  float begin = 0.0F;
  float end = 1.0F;
  bool linear = false;
  float at(double value) const;
};

struct PlotTick {
  double value = 0.0;
  float at = 0.0F;
  std::string label;  // empty: a line without a word
};

// Returns the powers of two within the axis. Labels are at least `room` apart: if need be, only
// every second, fourth or eighth power has one.
std::vector<PlotTick> power_ticks(const PlotAxis& axis, float room);
// Returns 1, 2 and 5 times each power of ten within the axis. With three or more powers, only these
// have labels.
std::vector<PlotTick> decade_ticks(const PlotAxis& axis, PlotUnit unit);
// Returns the ticks of a linear axis: multiples of 1, 2 or 5 times a power of ten, at most seven.
std::vector<PlotTick> linear_ticks(const PlotAxis& axis, PlotUnit unit);

// Returns the ticks of an axis in seconds from `since`: whole seconds, minutes, hours or days of a
// clock that is `ahead` of UTC, at least `room` apart.
std::vector<PlotTick> clock_ticks(const PlotAxis& axis, std::chrono::sys_seconds since,
                                  std::chrono::seconds ahead, float room);
// How far the user's clock was ahead of UTC.
std::chrono::seconds ahead_of_utc(std::chrono::sys_seconds at);
// "21:10:05"; with `day`, "Nov 26 21:10:05".
std::string on_the_clock(std::chrono::sys_seconds at, std::chrono::seconds ahead, bool day);

// Returns the parts of a polyline within a box.
std::vector<std::vector<PlotVertex>> clipped_line(const std::vector<PlotVertex>& line,
                                                  const PlotBox& box);
// Returns the part of a convex polygon within a box; empty if it is outside.
std::vector<PlotVertex> clipped_polygon(std::vector<PlotVertex> polygon, const PlotBox& box);

struct PlotCurve {
  struct Mark {
    PlotVertex at;
    std::size_t point;  // of the series
  };
  std::size_t series = 0;                      // of the plot
  std::vector<std::vector<PlotVertex>> lines;  // within the area
  std::vector<std::vector<PlotVertex>> band;   // convex parts, within the area
  std::vector<Mark> marks;                     // within the area
};

// An entry of the legend. If the surface lacks room, the last line tells how many are left out.
struct PlotLegendEntry {
  std::size_t series = 0;
  PlotBox box;
};

// The surface that a plot is laid out on.
struct PlotSurface {
  float width = 0.0F;
  float height = 0.0F;
  float em = 14.0F;  // of its font
  // Width of a word in that font.
  std::function<float(std::string_view)> text_width;
  // Does it include title and subtitle?
  bool titled = true;
};

struct PlotGeometry {
  PlotBox area;  // between the axes
  PlotAxis x, y;
  std::vector<PlotTick> x_ticks, y_ticks;
  std::vector<PlotCurve> curves;  // of the series that are shown
  std::vector<PlotLegendEntry> legend;
  bool empty = true;  // there is no point to draw
};

// The axes contain the points of all shown series; a band that reaches far beyond is clipped.
PlotGeometry lay_out(const Plot& plot, const PlotSurface& surface);

struct PlotHit {
  std::size_t series, point;
  PlotVertex at;
};
// Returns the point nearest to a place, if it is at most `within` away.
std::optional<PlotHit> nearest(const PlotGeometry& geometry, PlotVertex to, float within);

// ---- Shapes -------------------------------------------------------------------------------------

// In ems.
inline constexpr float plot_line_height = 1.35F;
inline constexpr float plot_sample_width = 2.2F;  // of a line in the legend

// The colours are distinct from each other and from the paper in all three forms of colour
// blindness.
inline constexpr int plot_series_colours = 8;
// From dark to bright, for ordered values.
inline constexpr int plot_ramp_colours = 16;

// Indices of colours: the palette's series begin at `first_series`, the ramp at `first_ramp`.
namespace plot_ink {
inline constexpr int paper = 0;
inline constexpr int text = 1;
inline constexpr int dim = 2;
inline constexpr int grid = 3;
inline constexpr int neutral = 4;
inline constexpr int first_series = 5;
inline constexpr int first_ramp = first_series + plot_series_colours;
}  // namespace plot_ink

struct PlotColour {
  std::uint8_t red, green, blue;
};
inline constexpr int plot_inks = plot_ink::first_ramp + plot_ramp_colours;
int plot_ink_of(const PlotSeries& series);
PlotColour plot_colour(int ink, Theme theme);

struct PlotShape {
  enum class Kind : std::uint8_t { line, polygon, text };
  enum class Align : std::uint8_t { left, middle, right };
  Kind kind = Kind::line;
  int ink = plot_ink::text;
  float opacity = 1.0F;
  float width = 1.0F;  // of a line
  PlotLine line = PlotLine::solid;
  std::vector<PlotVertex> vertices;  // of a convex polygon or a line; of text its upper corner
  Align align = Align::left;
  bool bold = false;
  std::string words;
  std::string name{};  // what it stands for, if it can be pointed at
};

// Each makes a shape of one kind. A line has at least two vertices; a box is a polygon.
PlotShape text_shape(PlotVertex at, std::string words, int ink,
                     PlotShape::Align align = PlotShape::Align::left, bool bold = false);
PlotShape line_shape(std::vector<PlotVertex> vertices, int ink, float width, std::string name = {});
PlotShape polygon_shape(std::vector<PlotVertex> vertices, int ink, float opacity = 1.0F,
                        std::string name = {});
PlotShape box_shape(const PlotBox& box, int ink, float opacity = 1.0F, std::string name = {});

// Returns the shapes in drawing order, without the paper.
std::vector<PlotShape> plot_shapes(const Plot& plot, const PlotGeometry& geometry,
                                   const PlotSurface& surface);
// Splits a line into its dashes or dots.
std::vector<std::vector<PlotVertex>> dashed(const std::vector<PlotVertex>& line, PlotLine style,
                                            float em);

}  // namespace warpview
