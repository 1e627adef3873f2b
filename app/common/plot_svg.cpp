#include "app/common/plot_svg.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string_view>

namespace warpview {
namespace {

constexpr float em = 14.0F;

// Counts the bytes that begin a letter in UTF-8.
std::size_t letters_of(std::string_view words) {
  std::size_t count = 0;
  for (const char c : words) count += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U ? 1 : 0;
  return count;
}

std::string path_of(const PlotShape& shape) {
  std::string path;
  for (std::size_t i = 0; i < shape.vertices.size(); ++i)
    fmt::format_to(std::back_inserter(path), "{}{:.2f} {:.2f}", i == 0 ? 'M' : 'L',
                   shape.vertices[i].x, shape.vertices[i].y);
  return path;
}

std::string opacity_of(const PlotShape& shape) {
  return shape.opacity < 1.0F ? fmt::format(" opacity=\"{:.2g}\"", shape.opacity) : std::string();
}

std::string line_of(const PlotShape& shape) {
  static constexpr std::array dashes = {"", " stroke-dasharray=\"10 6\"",
                                        " stroke-dasharray=\"3 4\""};
  return fmt::format("<path class=\"s{}\" fill=\"none\" stroke-width=\"{:.2g}\"{}{} d=\"{}\"/>\n",
                     shape.ink, shape.width, dashes[static_cast<std::size_t>(shape.line)],
                     opacity_of(shape), path_of(shape));
}

// Joins neighbouring parts of a band into one path, so that no seam shows. Returns how many were
// joined.
std::size_t add_polygons(std::string& svg, std::span<const PlotShape> shapes) {
  const PlotShape& first = shapes.front();
  std::string path;
  std::size_t count = 0;
  while (count < shapes.size() && shapes[count].kind == first.kind &&
         shapes[count].ink == first.ink && shapes[count].opacity == first.opacity)
    path += path_of(shapes[count++]) + "Z";
  svg += fmt::format("<path class=\"f{}\"{} d=\"{}\"/>\n", first.ink, opacity_of(first), path);
  return count;
}

std::string text_of(const PlotShape& shape) {
  static constexpr std::array anchors = {"start", "middle", "end"};
  return fmt::format(
      "<text class=\"f{}\" text-anchor=\"{}\"{}{} x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n", shape.ink,
      anchors[static_cast<std::size_t>(shape.align)], shape.bold ? " font-weight=\"bold\"" : "",
      opacity_of(shape), shape.vertices[0].x, shape.vertices[0].y + svg_ascent * em,
      svg_escaped(shape.words));
}

std::string rules(Theme theme) {
  std::string text;
  for (int ink = 0; ink < plot_inks; ++ink) {
    text += fmt::format(".f{0}{{fill:{1}}}.s{0}{{stroke:{1}}}", ink, svg_colour(ink, theme));
  }
  return text;
}

}  // namespace

std::string svg_escaped(std::string_view words) {
  std::string text;
  for (const char c : words) {
    if (c == '&')
      text += "&amp;";
    else if (c == '<')
      text += "&lt;";
    else if (c == '>')
      text += "&gt;";
    else if (c == '"')
      text += "&quot;";
    else
      text += static_cast<unsigned char>(c) < 0x20U ? ' ' : c;
  }
  return text;
}

PlotSurface svg_surface(float width, float height) {
  return {.width = width, .height = height, .em = em, .text_width = [](std::string_view words) {
            constexpr float letter = 0.62F;  // ems, of a wide font
            return letter * em * static_cast<float>(letters_of(words));
          }};
}

std::string svg_colour(int ink, Theme theme) {
  const PlotColour c = plot_colour(ink, theme);
  return fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue);
}

std::string svg_ink_rules() {
  return fmt::format("{}@media(prefers-color-scheme:dark){{{}}}", rules(Theme::light),
                     rules(Theme::dark));
}

std::string shapes_as_svg(std::span<const PlotShape> shapes) {
  std::string svg;
  while (!shapes.empty()) {
    std::size_t done = 1;
    switch (shapes.front().kind) {
      case PlotShape::Kind::line:
        svg += line_of(shapes.front());
        break;
      case PlotShape::Kind::text:
        svg += text_of(shapes.front());
        break;
      case PlotShape::Kind::polygon:
        done = add_polygons(svg, shapes);
        break;
    }
    shapes = shapes.subspan(done);
  }
  return svg;
}

std::string svg_document(std::string_view title, std::span<const PlotShape> shapes, float width,
                         float height) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" font-family=\"{8}\" "
      "font-size=\"{2}\">\n<title>{3}</title>\n<style>{4}</style>\n"
      "<rect class=\"f{5}\" width=\"{0}\" height=\"{1}\"/>\n"
      "<g transform=\"translate({6} {6})\" stroke-linejoin=\"round\">\n{7}</g>\n</svg>\n",
      width, height, em, svg_escaped(title), svg_ink_rules(), plot_ink::paper, svg_margin,
      shapes_as_svg(shapes), svg_fonts);
}

std::string plot_as_svg(const Plot& plot, int width, int height) {
  const PlotSurface surface = svg_surface(static_cast<float>(width) - 2.0F * svg_margin,
                                          static_cast<float>(height) - 2.0F * svg_margin);
  return svg_document(plot.title, plot_shapes(plot, lay_out(plot, surface), surface),
                      static_cast<float>(width), static_cast<float>(height));
}

}  // namespace warpview
