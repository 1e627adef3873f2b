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

// What is not finite, or has no place on the axes, is not drawn: a point without x or y parts its
// curve, one without quartiles leaves a gap in the band. On logarithmic axes 0 has no place.
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
  int colour = -1;  // a place in the palette's series, from 0; -1: neutral
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
  // Both axes from 0, the horizontal one in milliseconds; the vertical one up to 1 at least where
  // it is of shares. Else both are logarithmic, and the horizontal one counts items.
  bool linear = false;
  // In a linear plot: its horizontal axis is of the clock, in seconds from here, and points above 0
  // have bands.
  std::optional<std::chrono::sys_seconds> since{};
  std::vector<PlotSeries> series{};
};

// "1.5 ms", "20 G/s", "300 GB/s", "45%", with as many digits as tell something. "-" for what is not
// finite or below 0, and for a rate of 0.
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

// Values from `low` to `high`, both above 0 unless the axis is linear, at places from `begin` to
// `end`.
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

// Powers of two within the axis. Labels are `room` apart or farther, and then every second, fourth
// or eighth power alone has one.
std::vector<PlotTick> power_ticks(const PlotAxis& axis, float room);
// 1, 2 and 5 of each power of ten within the axis; the words stand at the powers alone where these
// are three or more.
std::vector<PlotTick> decade_ticks(const PlotAxis& axis, PlotUnit unit);
// Ticks of a linear axis from 0: multiples of 1, 2 or 5 times a power of ten, seven at most.
std::vector<PlotTick> linear_ticks(const PlotAxis& axis, PlotUnit unit);

// Ticks of an axis in seconds from `since`: whole seconds, minutes, hours or days, `room` apart or
// farther, where the clock is `ahead` of UTC.
std::vector<PlotTick> clock_ticks(const PlotAxis& axis, std::chrono::sys_seconds since,
                                  std::chrono::seconds ahead, float room);
// How far the user's clock was ahead of UTC.
std::chrono::seconds ahead_of_utc(std::chrono::sys_seconds at);
// "21:10:05", and before it "Nov 26" where `day` is wished for.
std::string on_the_clock(std::chrono::sys_seconds at, std::chrono::seconds ahead, bool day);

// The part of a polyline within a box: several, where it leaves and comes back.
std::vector<std::vector<PlotVertex>> clipped_line(const std::vector<PlotVertex>& line,
                                                  const PlotBox& box);
// The part of a convex polygon within a box; empty where it is outside.
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

// Those that the surface has room for; the line below them says how many are left out.
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
  // Are title and subtitle part of it?
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

// The axes hold the points of all series that are shown; a band that reaches far beyond is clipped.
PlotGeometry lay_out(const Plot& plot, const PlotSurface& surface);

struct PlotHit {
  std::size_t series, point;
  PlotVertex at;
};
// The point next to a place, at most `within` away.
std::optional<PlotHit> nearest(const PlotGeometry& geometry, PlotVertex to, float within);

// ---- Shapes -------------------------------------------------------------------------------------

// In ems.
inline constexpr float plot_line_height = 1.35F;
inline constexpr float plot_sample_width = 2.2F;  // of a line in the legend

// Series are told apart, and from the paper, by people who lack the red, green or blue receptors,
// too.
inline constexpr int plot_series_colours = 8;
// From dark to bright, for places in an order.
inline constexpr int plot_ramp_colours = 16;

// Names of colours; series of the palette follow from `first_series` on, then the ramp.
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
  std::string name{};  // what it stands for, where one can point at it
};

// Shapes of one kind each. A line has two vertices or more; a box is a polygon.
PlotShape text_shape(PlotVertex at, std::string words, int ink,
                     PlotShape::Align align = PlotShape::Align::left, bool bold = false);
PlotShape line_shape(std::vector<PlotVertex> vertices, int ink, float width, std::string name = {});
PlotShape polygon_shape(std::vector<PlotVertex> vertices, int ink, float opacity = 1.0F,
                        std::string name = {});
PlotShape box_shape(const PlotBox& box, int ink, float opacity = 1.0F, std::string name = {});

// In the order in which they are to be drawn, without the paper.
std::vector<PlotShape> plot_shapes(const Plot& plot, const PlotGeometry& geometry,
                                   const PlotSurface& surface);
// A line in dashes or dots, as lines of its own.
std::vector<std::vector<PlotVertex>> dashed(const std::vector<PlotVertex>& line, PlotLine style,
                                            float em);

}  // namespace warpview
