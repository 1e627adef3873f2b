#include "app/window/icon.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "icon_file.h"

// It reads the SVG that the icon is made of: one rectangle with round corners, and strokes of one
// width with round ends, each a curve and a line behind it.
namespace warpview {
namespace {

constexpr float side = 64.0F;  // of the drawing
constexpr int steps = 24;      // of a curve

struct Point {
  float x, y;
};
struct Colour {
  float r, g, b;
};
struct Stroke {
  std::array<Point, steps + 2> line;
  Colour colour;
};
struct IconDrawing {
  Colour ground{};
  float rounding = 0.0F;
  float half_width = 0.0F;
  std::vector<Stroke> strokes;
};

// What an attribute of the element that begins at `at` says.
std::string attribute(std::string_view svg, std::size_t at, std::string_view name) {
  const std::string before = " " + std::string(name) + "=\"";
  const std::size_t begin = svg.find(before, at) + before.size();
  return std::string(svg.substr(begin, svg.find('"', begin) - begin));
}

Colour colour_of(const std::string& hex) {  // "#5aa9f0"
  const auto number = std::strtoul(hex.c_str() + 1, nullptr, 16);
  const auto part = [number](unsigned shift) {
    return static_cast<float>((number >> shift) & 0xffU);
  };
  return {part(16), part(8), part(0)};
}

float number_of(const std::string& text) { return std::strtof(text.c_str(), nullptr); }

Stroke stroke_of(const std::string& path, Colour colour) {
  std::array<Point, 5> p{};
  std::sscanf(path.c_str(), "M%f %f C%f %f %f %f %f %f L%f %f", &p[0].x, &p[0].y,  // NOLINT
              &p[1].x, &p[1].y, &p[2].x, &p[2].y, &p[3].x, &p[3].y, &p[4].x, &p[4].y);
  Stroke stroke{.line = {}, .colour = colour};
  for (int i = 0; i <= steps; ++i) {
    const float t = static_cast<float>(i) / steps;
    const float u = 1.0F - t;
    const std::array weights = {u * u * u, 3.0F * u * u * t, 3.0F * u * t * t, t * t * t};
    Point& at = stroke.line[static_cast<std::size_t>(i)];
    for (std::size_t k = 0; k < weights.size(); ++k) {
      at.x += weights[k] * p[k].x;
      at.y += weights[k] * p[k].y;
    }
  }
  stroke.line.back() = p[4];
  return stroke;
}

IconDrawing read_drawing() {
  const std::string_view svg = icon_file("warpview.svg");
  IconDrawing drawing;
  const std::size_t ground = svg.find("<rect");
  drawing.ground = colour_of(attribute(svg, ground, "fill"));
  drawing.rounding = number_of(attribute(svg, ground, "rx"));
  drawing.half_width = 0.5F * number_of(attribute(svg, svg.find("<g"), "stroke-width"));
  for (std::size_t at = svg.find("<path"); at != std::string_view::npos;
       at = svg.find("<path", at + 1))
    drawing.strokes.push_back(
        stroke_of(attribute(svg, at, "d"), colour_of(attribute(svg, at, "stroke"))));
  return drawing;
}

float distance_to(Point p, Point a, Point b) {
  const Point way{b.x - a.x, b.y - a.y};
  const float length = way.x * way.x + way.y * way.y;
  const float t = length > 0.0F ? ((p.x - a.x) * way.x + (p.y - a.y) * way.y) / length : 0.0F;
  const float share = std::clamp(t, 0.0F, 1.0F);
  return std::hypot(p.x - a.x - share * way.x, p.y - a.y - share * way.y);
}

float distance_to(Point p, const Stroke& stroke) {
  float least = side;
  for (std::size_t i = 0; i + 1 < stroke.line.size(); ++i)
    least = std::min(least, distance_to(p, stroke.line[i], stroke.line[i + 1]));
  return least;
}

// Distance to the square with round corners; below 0 inside.
float distance_to_square(Point p, float rounding) {
  const float inner = 0.5F * side - rounding;
  const float x = std::max(std::abs(p.x - 0.5F * side) - inner, 0.0F);
  const float y = std::max(std::abs(p.y - 0.5F * side) - inner, 0.0F);
  return std::hypot(x, y) - rounding;
}

}  // namespace

Icon draw_icon(int size) {
  const IconDrawing drawing = read_drawing();
  const float unit = side / static_cast<float>(size);  // of a pixel
  const auto covered = [unit](float distance) {
    return std::clamp(0.5F - distance / unit, 0.0F, 1.0F);
  };
  Icon icon{size, {}};
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const Point p{(static_cast<float>(x) + 0.5F) * unit, (static_cast<float>(y) + 0.5F) * unit};
      Colour c = drawing.ground;
      for (const Stroke& stroke : drawing.strokes) {
        const float share = covered(distance_to(p, stroke) - drawing.half_width);
        c.r += share * (stroke.colour.r - c.r);
        c.g += share * (stroke.colour.g - c.g);
        c.b += share * (stroke.colour.b - c.b);
      }
      const float alpha = 255.0F * covered(distance_to_square(p, drawing.rounding));
      for (const float value : {c.r, c.g, c.b, alpha})
        icon.rgba.push_back(static_cast<unsigned char>(std::lround(value)));
    }
  return icon;
}

}  // namespace warpview
