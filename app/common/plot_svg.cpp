#include "app/common/plot_svg.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string_view>

namespace warpview {
namespace {

constexpr float em = 14.0F;
constexpr float ascent = 0.93F;  // ems from the upper edge of a line of text to its base line

std::string escaped(std::string_view words) {
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

// Bytes that begin a letter in UTF-8.
std::size_t letters_of(std::string_view words) {
  std::size_t count = 0;
  for (const char c : words) count += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U ? 1 : 0;
  return count;
}

std::string rules(Theme theme) {
  std::string text;
  for (int ink = 0; ink < plot_inks; ++ink) {
    const PlotColour c = plot_colour(ink, theme);
    const std::string colour = fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue);
    text += fmt::format(".f{0}{{fill:{1}}}.s{0}{{stroke:{1}}}", ink, colour);
  }
  return text;
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

std::string text_of(const PlotShape& shape) {
  static constexpr std::array anchors = {"start", "middle", "end"};
  return fmt::format(
      "<text class=\"f{}\" text-anchor=\"{}\"{}{} x=\"{:.2f}\" y=\"{:.2f}\">{}</text>\n", shape.ink,
      anchors[static_cast<std::size_t>(shape.align)], shape.bold ? " font-weight=\"bold\"" : "",
      opacity_of(shape), shape.vertices[0].x, shape.vertices[0].y + ascent * em,
      escaped(shape.words));
}

}  // namespace

std::string plot_as_svg(const Plot& plot, int width, int height) {
  constexpr float margin = 16.0F;
  const auto text_width = [](std::string_view words) {
    constexpr float letter = 0.62F;  // ems, of a wide font
    return letter * em * static_cast<float>(letters_of(words));
  };
  const PlotSurface surface{.width = static_cast<float>(width) - 2.0F * margin,
                            .height = static_cast<float>(height) - 2.0F * margin,
                            .em = em,
                            .text_width = text_width};
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" font-family=\"DejaVu Sans,Verdana,sans-serif\" "
      "font-size=\"{2}\">\n<title>{3}</title>\n<style>{4}@media(prefers-color-scheme:dark){{{5}}}"
      "</style>\n<rect class=\"f{6}\" width=\"{0}\" height=\"{1}\"/>\n"
      "<g transform=\"translate({7} {7})\" stroke-linejoin=\"round\">\n",
      width, height, em, escaped(plot.title), rules(Theme::light), rules(Theme::dark),
      plot_ink::paper, margin);
  const std::vector<PlotShape> shapes = plot_shapes(plot, lay_out(plot, surface), surface);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const PlotShape& shape = shapes[i];
    switch (shape.kind) {
      case PlotShape::Kind::line:
        svg += line_of(shape);
        break;
      case PlotShape::Kind::text:
        svg += text_of(shape);
        break;
      case PlotShape::Kind::polygon: {
        // Neighbours of a band are one path, so that no seam shows between them.
        std::string path = path_of(shape) + "Z";
        while (i + 1 < shapes.size() && shapes[i + 1].kind == shape.kind &&
               shapes[i + 1].ink == shape.ink && shapes[i + 1].opacity == shape.opacity)
          path += path_of(shapes[++i]) + "Z";
        svg +=
            fmt::format("<path class=\"f{}\"{} d=\"{}\"/>\n", shape.ink, opacity_of(shape), path);
        break;
      }
    }
  }
  return svg + "</g>\n</svg>\n";
}

}  // namespace warpview
