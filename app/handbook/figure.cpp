#include "app/handbook/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <pugixml.hpp>
#include <utility>

#include "app/handbook/figure_style.h"
#include "gpu/runtime/error.h"
#include "scenes/files/svg_values.h"

namespace warpview {
namespace {

// A line of a path.
struct Stroke {
  std::vector<PlotVertex> vertices;
  bool closed = false;
};

// Reads path data; false where it has something else than M, absolute C, and L, H, V and Z.
class PathReader {
 public:
  explicit PathReader(std::string_view text) : text_(text) {}

  bool read() {
    while (!(text_ = svg_trimmed(text_)).empty()) {
      const char front = text_.front();
      const bool is_command = std::isalpha(static_cast<unsigned char>(front)) != 0;
      if (is_command) {
        command_ = front;
        text_.remove_prefix(1);
        if (front == 'Z' || front == 'z') {
          if (strokes_.empty()) return false;
          strokes_.back().closed = true;
          continue;
        }
      }
      if (!segment()) return false;
    }
    return true;
  }
  std::vector<Stroke> take() { return std::move(strokes_); }

 private:
  // The next of several numbers, which blanks or a comma part.
  bool number(float& value) {
    text_ = svg_trimmed(text_);
    if (text_.starts_with(',')) text_ = svg_trimmed(text_.substr(1));
    const auto found = read_svg_number(text_);
    if (!found) return false;
    value = static_cast<float>(*found);
    return std::isfinite(value);
  }
  bool vertex(PlotVertex& at) { return number(at.x) && number(at.y); }

  bool segment() {
    if (command_ == 'M') {
      PlotVertex at;
      if (!vertex(at)) return false;
      strokes_.push_back({{at}});
      command_ = 'L';
      return true;
    }
    if (strokes_.empty() || strokes_.back().closed) return false;
    if (command_ == 'C') return curve();
    const PlotVertex from = strokes_.back().vertices.back();
    const bool is_relative = command_ >= 'a';
    PlotVertex to = is_relative ? PlotVertex{0.0F, 0.0F} : from;
    const bool is_read = command_ == 'L' || command_ == 'l'   ? vertex(to)
                         : command_ == 'H' || command_ == 'h' ? number(to.x)
                         : command_ == 'V' || command_ == 'v' ? number(to.y)
                                                              : false;
    if (is_relative) to = {from.x + to.x, from.y + to.y};
    if (is_read) strokes_.back().vertices.push_back(to);
    return is_read;
  }

  bool curve() {
    std::array<PlotVertex, 4> p{strokes_.back().vertices.back()};
    for (std::size_t i = 1; i < p.size(); ++i)
      if (!vertex(p[i])) return false;
    constexpr int pieces = 16;
    for (int i = 1; i <= pieces; ++i) {
      const float t = static_cast<float>(i) / pieces;
      const float s = 1.0F - t;
      const auto of = [&](float PlotVertex::*axis) {
        return s * s * s * p[0].*axis + 3.0F * s * s * t * p[1].*axis +
               3.0F * s * t * t * p[2].*axis + t * t * t * p[3].*axis;
      };
      strokes_.back().vertices.push_back({of(&PlotVertex::x), of(&PlotVertex::y)});
    }
    return true;
  }

  std::string_view text_;
  char command_ = 0;
  std::vector<Stroke> strokes_;
};

std::vector<PlotVertex> circle(PlotVertex at, float radius) {
  constexpr int corners = 32;
  std::vector<PlotVertex> all;
  for (int i = 0; i < corners; ++i) {
    const float turn = 2.0F * std::numbers::pi_v<float> * static_cast<float>(i) / corners;
    all.push_back({at.x + radius * std::cos(turn), at.y + radius * std::sin(turn)});
  }
  return all;
}

std::vector<PlotVertex> rectangle(const PlotBox& box, float radius) {
  radius = std::clamp(radius, 0.0F, 0.5F * std::min(box.width, box.height));
  if (!(radius > 0.0F))
    return {
        {box.x, box.y}, {box.right(), box.y}, {box.right(), box.bottom()}, {box.x, box.bottom()}};
  constexpr int steps = 5;
  std::vector<PlotVertex> all;
  for (int corner = 0; corner < 4; ++corner) {  // from the upper right on, clockwise
    const PlotVertex middle{corner < 2 ? box.right() - radius : box.x + radius,
                            corner == 1 || corner == 2 ? box.bottom() - radius : box.y + radius};
    for (int i = 0; i <= steps; ++i) {
      const float turn = 0.5F * std::numbers::pi_v<float> *
                         (static_cast<float>(corner - 1) + static_cast<float>(i) / steps);
      all.push_back({middle.x + radius * std::cos(turn), middle.y + radius * std::sin(turn)});
    }
  }
  return all;
}

class Reader {
 public:
  explicit Reader(const pugi::xml_node& root) : root_(root), style_(root) {}

  Figure read() {
    const auto box = read_svg_box(root_.attribute("viewBox").value());
    if (!box || !box->has_area() || box->x != 0.0 || box->y != 0.0)
      throw Error("reading a drawing", "it has no viewBox from 0 0 with an area",
                  "Give its <svg> one");
    figure_.width = static_cast<float>(box->width);
    figure_.height = static_cast<float>(box->height);
    figure_.description = root_.child("title").child_value();
    if (figure_.description.empty()) figure_.description = root_.attribute("aria-label").value();
    for (const pugi::xml_node& node : root_.children()) element(node);
    return std::move(figure_);
  }

 private:
  void element(const pugi::xml_node& node) {
    const std::string_view kind = node.name();
    if (node.type() == pugi::node_comment || kind == "title" || kind == "style" || kind == "defs")
      return;
    if (kind == "marker") return;  // drawn where a line ends
    if (kind == "g") return group(node);
    if (node.attribute("transform") && kind != "text") skip("transform of " + std::string(kind));
    if (kind == "rect")
      rect(node);
    else if (kind == "circle")
      area(node, circle({number(node, "cx"), number(node, "cy")}, number(node, "r")));
    else if (kind == "line")
      line(node);
    else if (kind == "path")
      path(node, node.attribute("d").value());
    else if (kind == "polygon")
      path(node, "M" + std::string(node.attribute("points").value()) + "Z");
    else if (kind == "text")
      words(node);
    else
      skip(fmt::format("element {}", kind.empty() ? "without a name" : kind));
  }

  // Groups move what is in them, and do no more.
  void group(const pugi::xml_node& node) {
    constexpr int deepest = 16;
    const std::string_view text = node.attribute("transform").value();
    const auto transform = text.empty() ? SvgTransform{} : read_svg_transform(text);
    for (const char* const look : {"fill", "stroke", "stroke-width", "font-size", "class"})
      if (node.attribute(look)) skip(fmt::format("{} of a group", look));
    if (!transform || !is_move(*transform) || depth_ == deepest) return skip("a group");
    const PlotVertex before = moved_;
    moved_.x += static_cast<float>(transform->m[4]);
    moved_.y += static_cast<float>(transform->m[5]);
    ++depth_;
    for (const pugi::xml_node& each : node.children()) element(each);
    --depth_;
    moved_ = before;
  }

  static bool is_move(const SvgTransform& transform) {
    SvgTransform move;
    move.m[4] = transform.m[4];
    move.m[5] = transform.m[5];
    return transform.m == move.m;
  }

  void skip(std::string what) {
    if (std::find(figure_.skipped.begin(), figure_.skipped.end(), what) == figure_.skipped.end())
      figure_.skipped.push_back(std::move(what));
  }

  // An attribute that is a place or a length; 0 where there is none.
  float number(const pugi::xml_node& node, const char* name) {
    std::string_view text = node.attribute(name).value();
    if (text.empty()) return 0.0F;
    const auto value = read_svg_number(text);
    if (!value || !svg_trimmed(text).empty() || !std::isfinite(static_cast<float>(*value))) {
      skip(fmt::format("{} of {}", name, node.name()));
      return 0.0F;
    }
    return static_cast<float>(*value);
  }

  FigureShape& add(FigureShape shape) {
    if (figure_.shapes.size() >= Figure::most_shapes)
      throw Error("reading a drawing",
                  fmt::format("it has more than {} shapes", Figure::most_shapes), "Draw less");
    for (PlotVertex& v : shape.vertices) v = {v.x + moved_.x, v.y + moved_.y};
    return figure_.shapes.emplace_back(std::move(shape));
  }

  void fill(const pugi::xml_node& node, std::vector<PlotVertex> vertices) {
    const auto paint = style_.paint(node, "fill");
    if (!paint || vertices.size() < 3) return;
    if (!is_convex(vertices)) return skip("a fill that is not convex");
    add({.kind = FigureShape::Kind::fill, .colour = *paint, .vertices = std::move(vertices)});
  }

  static bool is_convex(const std::vector<PlotVertex>& v) {
    bool left = false;
    bool right = false;
    for (std::size_t i = 0; i < v.size(); ++i) {
      const PlotVertex a = v[i];
      const PlotVertex b = v[(i + 1) % v.size()];
      const PlotVertex c = v[(i + 2) % v.size()];
      const float turn = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
      constexpr float straight = 1e-3F;
      left |= turn > straight;
      right |= turn < -straight;
    }
    return !(left && right);
  }

  void stroke(const pugi::xml_node& node, std::vector<PlotVertex> vertices, bool closed) {
    const auto paint = style_.paint(node, "stroke");
    const float width = style_.number(node, "stroke-width", 1.0F);
    if (!paint || !(width > 0.0F) || vertices.size() < 2) return;
    FigureShape& shape = add({.kind = FigureShape::Kind::line,
                              .colour = *paint,
                              .vertices = std::move(vertices),
                              .closed = closed,
                              .width = width});
    std::string_view dashes = style_.value(node, "stroke-dasharray");
    if (dashes.empty() || dashes == "none") return;
    const auto on = read_svg_number(dashes);
    dashes = svg_trimmed(dashes);
    if (dashes.starts_with(',')) dashes = svg_trimmed(dashes.substr(1));
    const auto off = read_svg_number(dashes);
    if (on) shape.dash = static_cast<float>(*on + off.value_or(*on));
  }

  void area(const pugi::xml_node& node, std::vector<PlotVertex> vertices) {
    fill(node, vertices);
    stroke(node, std::move(vertices), true);
  }

  void rect(const pugi::xml_node& node) {
    const PlotBox box{number(node, "x"), number(node, "y"), number(node, "width"),
                      number(node, "height")};
    if (box.width > 0.0F && box.height > 0.0F) area(node, rectangle(box, number(node, "rx")));
  }

  void line(const pugi::xml_node& node) {
    std::vector<PlotVertex> ends = {{number(node, "x1"), number(node, "y1")},
                                    {number(node, "x2"), number(node, "y2")}};
    marker(node, ends);
    stroke(node, std::move(ends), false);
  }

  void path(const pugi::xml_node& node, std::string_view data) {
    PathReader reader(data);
    if (!reader.read()) return skip("path data");
    std::vector<Stroke> strokes = reader.take();
    if (strokes.empty()) return;
    const std::vector<PlotVertex> last = strokes.back().vertices;
    for (Stroke& each : strokes) {
      fill(node, each.vertices);
      stroke(node, std::move(each.vertices), each.closed);
    }
    marker(node, last);
  }

  // The marker at the end of a line: the shapes of its paths, turned along the last piece.
  void marker(const pugi::xml_node& node, const std::vector<PlotVertex>& line) {
    std::string_view name = style_.value(node, "marker-end");
    if (name.empty() || name == "none") return;
    const bool is_reference = name.starts_with("url(#") && name.ends_with(")");
    const pugi::xml_node found =
        is_reference ? find_marker(name.substr(5, name.size() - 6)) : pugi::xml_node();
    const auto box = read_svg_box(found.attribute("viewBox").value());
    if (!box || !box->has_area() || line.size() < 2) return skip("a marker");
    const PlotVertex end = line.back();
    PlotVertex along{0.0F, 0.0F};
    for (std::size_t i = line.size() - 1; i-- > 0 && along.x == 0.0F && along.y == 0.0F;)
      along = {end.x - line[i].x, end.y - line[i].y};
    const float length = std::hypot(along.x, along.y);
    if (!(length > 0.0F)) return;
    const float scale = style_.number(node, "stroke-width", 1.0F) * number(found, "markerWidth") /
                        static_cast<float>(box->width);
    const float cosine = along.x / length * scale;
    const float sine = along.y / length * scale;
    const PlotVertex from{number(found, "refX"), number(found, "refY")};
    for (const pugi::xml_node& part : found.children("path")) {
      PathReader reader(part.attribute("d").value());
      if (!reader.read()) return skip("a marker's path data");
      for (Stroke& each : reader.take()) {
        for (PlotVertex& v : each.vertices)
          v = {end.x + cosine * (v.x - from.x) - sine * (v.y - from.y),
               end.y + sine * (v.x - from.x) + cosine * (v.y - from.y)};
        fill(part, std::move(each.vertices));
      }
    }
  }

  pugi::xml_node find_marker(std::string_view id) const {
    for (const pugi::xml_node& defs : root_.children("defs"))
      if (const auto found = defs.find_child_by_attribute("marker", "id", std::string(id).c_str()))
        return found;
    return {};
  }

  void words(const pugi::xml_node& node) {
    std::string letters;
    for (const pugi::xml_node& part : node.children()) {
      if (part.type() == pugi::node_pcdata || part.type() == pugi::node_cdata)
        letters += part.value();
      else
        skip(fmt::format("element {}", part.name()));
    }
    const auto paint = style_.paint(node, "fill");
    if (!paint || letters.empty()) return;
    FigureShape shape{.kind = FigureShape::Kind::words,
                      .colour = *paint,
                      .vertices = {{number(node, "x"), number(node, "y")}},
                      .words = std::move(letters),
                      .size = style_.number(node, "font-size", 13.0F)};
    const std::string_view anchor = style_.value(node, "text-anchor");
    if (anchor == "middle") shape.align = PlotShape::Align::middle;
    if (anchor == "end") shape.align = PlotShape::Align::right;
    shape.bold = style_.value(node, "font-weight") == "bold";
    const std::string_view family = style_.value(node, "font-family");
    using Face = FigureShape::Face;
    shape.face = family.find("mono") != std::string_view::npos ? Face::mono
                 : family.starts_with("DejaVu Sans")           ? Face::wide
                                                               : Face::narrow;
    if (const std::string_view transform = node.attribute("transform").value(); !transform.empty())
      turn(shape, transform);
    add(std::move(shape));
  }

  void turn(FigureShape& shape, std::string_view text) {
    const auto transform = read_svg_transform(text);
    constexpr double exact = 1e-6;
    // The only turn there is: (x, y) becomes (y, -x), and then moves.
    if (!transform || std::abs(transform->m[0]) > exact ||
        std::abs(transform->m[1] + 1.0) > exact || std::abs(transform->m[2] - 1.0) > exact ||
        std::abs(transform->m[3]) > exact)
      return skip("transform of text");
    const PlotVertex at = shape.vertices.front();
    const SvgPoint moved = (*transform)({double{at.x}, double{at.y}});
    shape.vertices.front() = {static_cast<float>(moved.x), static_cast<float>(moved.y)};
    shape.is_upwards = true;
  }

  pugi::xml_node root_;
  FigureStyle style_;
  PlotVertex moved_;  // by the groups around
  int depth_ = 0;     // of groups
  Figure figure_;
};

struct Oklab {
  double l, a, b;
};

Oklab oklab_of(unsigned colour) {
  const auto linear = [colour](unsigned shift) {
    const double c = static_cast<double>(colour >> shift & 0xffU) / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  const double r = linear(16);
  const double g = linear(8);
  const double b = linear(0);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

unsigned rgb_of(const Oklab& lab) {
  const auto cube = [](double x) { return x * x * x; };
  const double l = cube(lab.l + 0.3963377774 * lab.a + 0.2158037573 * lab.b);
  const double m = cube(lab.l - 0.1055613458 * lab.a - 0.0638541728 * lab.b);
  const double s = cube(lab.l - 0.0894841775 * lab.a - 1.2914855480 * lab.b);
  const auto channel = [](double c, unsigned shift) {
    c = std::clamp(c, 0.0, 1.0);
    c = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1.0 / 2.4) - 0.055;
    return static_cast<unsigned>(std::lround(255.0 * c)) << shift;
  };
  return channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, 16) |
         channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s, 8) |
         channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s, 0);
}

// White stands for paper.
unsigned dark_paper() {
  const PlotColour paper = plot_colour(plot_ink::paper, Theme::dark);
  return static_cast<unsigned>(paper.red) << 16U | static_cast<unsigned>(paper.green) << 8U |
         paper.blue;
}

}  // namespace

unsigned dark_shade_of(unsigned colour) {
  constexpr unsigned white = 0xffffff;
  if (colour == white) return dark_paper();
  // Lines and words in a colour need more light than greys of the same lightness.
  constexpr double turned = 1.2;
  constexpr double of_chroma = 0.9;
  Oklab lab = oklab_of(colour);
  lab.l = std::clamp(turned - lab.l + of_chroma * std::hypot(lab.a, lab.b), 0.0, 0.96);
  return rgb_of(lab);
}

Figure read_figure(std::string_view svg) {
  pugi::xml_document document;
  const pugi::xml_parse_result parsed =
      document.load_buffer(svg.data(), svg.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!parsed)
    throw Error("reading a drawing", fmt::format("it is no XML: {}", parsed.description()),
                "Look at the file");
  if (std::string_view(document.document_element().name()) != "svg")
    throw Error("reading a drawing", "its outermost element is no <svg>", "Look at the file");
  return Reader(document.document_element()).read();
}

}  // namespace warpview
