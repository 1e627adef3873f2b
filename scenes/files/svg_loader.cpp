#include "scenes/files/svg_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <utility>
#include <vector>

#include "emblem_file.h"
#include "gpu/applications/svg.h"
#include "scenes/files/input_file.h"
#include "scenes/files/svg_values.h"
#include "scenes/files/text_lines.h"

namespace warpview {
namespace {

constexpr int most_nested = 256;  // elements
constexpr std::uint32_t grey = 0x808080;
// Bytes of the host for each byte of a file: its elements, and the segments that are made of it.
constexpr std::uint64_t memory_per_byte = 48;

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}
std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}
// Without the name of a namespace in front.
std::string_view own_name(std::string_view name) { return name.substr(name.find(':') + 1); }

// What an element has of those around it.
struct Style {
  SvgTransform transform;
  std::optional<std::uint32_t> fill = 0;  // none: it is not filled
  std::uint32_t colour = 0;               // that `currentColor` stands for
  double fill_opacity = 1.0;
  double opacity = 1.0;  // of all the groups
  SvgRule rule = SvgRule::nonzero;
  bool visible = true;
};

// A shape as it stands in the file.
struct Shape {
  SvgOutlines outlines;
  SvgTransform transform;
  std::uint32_t fill = 0;
  SvgRule rule{};
  std::string name;
};

struct Box {
  double x = 0, y = 0, width = 0, height = 0;
  bool is_page() const { return width > 0 && height > 0 && std::isfinite(x + y + width + height); }
};

// Troubles of a kind, told once.
class Notices {
 public:
  void add(const std::string& what, std::string_view example) {
    auto& [count, first] = notices_[what];
    if (count++ == 0) first = shortened(std::string(example));
  }
  std::vector<std::string> all() const {
    std::vector<std::string> texts;
    for (const auto& [what, found] : notices_)
      texts.push_back(fmt::format(
          "{} ({}{}).", what, found.first > 1 ? fmt::format("{} times, first: ", found.first) : "",
          found.second));
    return texts;
  }

 private:
  std::map<std::string, std::pair<std::uint64_t, std::string>> notices_;
};

class SvgReader {
 public:
  SvgReader(const std::string& name, LoadControl& control, const LoadLimits& limits)
      : name_(name), control_(control), limits_(limits) {}

  Mesh read(std::string_view text) {
    limits_.require_memory(name_, memory_per_byte * text.size());
    pugi::xml_document document;
    const pugi::xml_parse_result result = document.load_buffer(text.data(), text.size());
    if (!result) {
      const auto before = text.substr(
          0, static_cast<std::size_t>(std::max<std::ptrdiff_t>(
                 std::min<std::ptrdiff_t>(result.offset, static_cast<std::ptrdiff_t>(text.size())),
                 0)));
      throw Error(fmt::format("{}:{}", name_, 1 + std::count(before.begin(), before.end(), '\n')),
                  fmt::format("it is no XML that can be read: {}", result.description()),
                  "Mend it, or export it again");
    }
    const pugi::xml_node root = document.document_element();
    if (own_name(root.name()) != "svg")
      throw Error(
          name_,
          fmt::format("its outermost element is <{}>, and should be <svg>", shortened(root.name())),
          "Open an SVG file");
    read_page(root);
    element(root, Style(), 0);
    return mesh();
  }

 private:
  // --- values

  void left_out(const std::string& what, std::string_view example) { notices_.add(what, example); }

  // A length in user units, of a viewport of that size for percentages.
  std::optional<double> length(std::string_view text, double whole) {
    struct Unit {
      std::string_view name;
      double size;
    };
    static constexpr std::array units = {
        Unit{"px", 1.0},         Unit{"pt", 96.0 / 72.0}, Unit{"pc", 16.0}, Unit{"mm", 96.0 / 25.4},
        Unit{"cm", 96.0 / 2.54}, Unit{"in", 96.0},        Unit{"em", 16.0}, Unit{"ex", 8.0}};
    std::string_view rest = text;
    const std::optional<double> number = read_svg_number(rest);
    rest = trimmed(rest);
    if (number && rest.empty()) return number;
    if (number && rest == "%") return *number / 100.0 * whole;
    for (const Unit& unit : units)
      if (number && rest == unit.name) return *number * unit.size;
    left_out("Lengths that could not be read count as 0", text);
    return {};
  }
  double length(const pugi::xml_node& node, const char* name, double whole, double otherwise = 0) {
    const pugi::xml_attribute attribute = node.attribute(name);
    return attribute ? length(attribute.value(), whole).value_or(otherwise) : otherwise;
  }
  static std::optional<double> share(std::string_view text) {
    const std::optional<double> number = read_svg_number(text);
    text = trimmed(text);
    if (!number || (!text.empty() && text != "%")) return {};
    return std::clamp(text.empty() ? *number : *number / 100.0, 0.0, 1.0);
  }

  void read_page(const pugi::xml_node& root) {
    std::string_view text = root.attribute("viewBox").value();
    std::array<double, 4> box{};
    bool is_whole = !is_blank(text);
    for (double& value : box) {
      const std::optional<double> number = read_svg_number(text);
      is_whole = is_whole && number;
      value = number.value_or(0.0);
    }
    if (is_whole) page_ = {box[0], box[1], box[2], box[3]};
    if (page_.is_page()) return;
    if (root.attribute("viewBox"))
      left_out("A viewBox that names no page is not looked at", root.attribute("viewBox").value());
    page_ = {};
    const auto side = [&](const char* name) {
      const std::string_view value = root.attribute(name).value();
      return value.empty() || value.ends_with('%') ? 0.0 : length(value, 0.0).value_or(0.0);
    };
    page_.width = side("width");
    page_.height = side("height");
  }

  // --- style

  std::optional<std::uint32_t> colour(std::string_view text) {
    if (const auto found = read_svg_colour(text)) return found;
    left_out("Colours that could not be read are not looked at", text);
    return {};
  }
  void paint(Style& style, std::string_view text) {
    if (text == "inherit") return;
    if (text == "none" || text == "transparent") {
      style.fill = {};
    } else if (text == "currentColor") {
      style.fill = style.colour;
    } else if (text.starts_with("url(")) {
      const std::size_t end = text.find(')');
      const std::string_view instead =
          end == std::string_view::npos ? std::string_view() : trimmed(text.substr(end + 1));
      left_out("Gradients and patterns are left out: their paths are filled with one colour", text);
      style.fill = grey;
      if (instead == "none")
        style.fill = {};
      else if (!instead.empty())
        style.fill = colour(instead).value_or(grey);
    } else if (const auto found = colour(text)) {
      style.fill = found;
    }
  }
  void property(Style& style, std::string_view name, std::string_view value) {
    if (name == "fill") {
      paint(style, value);
    } else if (name == "color") {
      if (value != "inherit" && value != "currentColor")
        style.colour = colour(value).value_or(style.colour);
    } else if (name == "fill-opacity") {
      style.fill_opacity = share(value).value_or(style.fill_opacity);
    } else if (name == "opacity") {
      style.opacity *= share(value).value_or(1.0);
    } else if (name == "fill-rule") {
      if (value == "evenodd") style.rule = SvgRule::even_odd;
      if (value == "nonzero") style.rule = SvgRule::nonzero;
    } else if (name == "visibility") {
      if (value != "inherit") style.visible = value == "visible";
    } else if (name == "stroke") {
      if (value != "none") left_out("Strokes are left out: only fills are drawn", value);
    } else if (name == "clip-path" || name == "mask" || name == "filter") {
      if (value != "none")
        left_out(fmt::format("\"{}\" is left out: what it is for is drawn as it is", name), value);
    }
  }
  // Attributes first, then what stands in `style`, which wins. False: none of it is drawn.
  bool read_style(const pugi::xml_node& node, Style& style) {
    bool is_drawn = true;
    const auto take = [&](std::string_view name, std::string_view value) {
      if (name == "display" && value == "none") is_drawn = false;
      property(style, name, value);
    };
    const std::string_view sheet = node.attribute("style").value();
    // Of what colours may be made of comes first.
    if (const auto attribute = node.attribute("color")) take("color", trimmed(attribute.value()));
    const double opacity = style.opacity;
    for (const pugi::xml_attribute attribute : node.attributes()) {
      const std::string_view name = attribute.name();
      if (name == "transform") {
        if (const auto found = read_svg_transform(attribute.value()))
          style.transform = style.transform * *found;
        else
          left_out("Transforms that could not be read are not looked at", attribute.value());
      } else if (name == "class") {
        left_out("Classes are not looked at, nor are style sheets", attribute.value());
      } else if (name != "color") {
        take(name, trimmed(attribute.value()));
      }
    }
    for (std::size_t at = 0; at < sheet.size();) {
      const std::size_t end = std::min(sheet.find(';', at), sheet.size());
      const std::string_view one = sheet.substr(at, end - at);
      at = end + 1;
      const std::size_t colon = one.find(':');
      if (colon == std::string_view::npos) continue;
      std::string_view value = trimmed(one.substr(colon + 1));
      if (const std::size_t mark = value.find('!'); mark != std::string_view::npos)
        value = trimmed(value.substr(0, mark));
      const std::string_view name = trimmed(one.substr(0, colon));
      if (name == "opacity") style.opacity = opacity;  // instead of the attribute's
      take(name, value);
    }
    return is_drawn;
  }

  // --- elements

  static void ellipse(SvgOutlines& to, double x, double y, double rx, double ry) {
    // Four cubic curves, by the length that meets the circle in the middle of each.
    constexpr double k = 4.0 / 3.0 * (std::numbers::sqrt2 - 1.0);
    to.move_to(x + rx, y);
    to.cubic_to(x + rx, y + k * ry, x + k * rx, y + ry, x, y + ry);
    to.cubic_to(x - k * rx, y + ry, x - rx, y + k * ry, x - rx, y);
    to.cubic_to(x - rx, y - k * ry, x - k * rx, y - ry, x, y - ry);
    to.cubic_to(x + k * rx, y - ry, x + rx, y - k * ry, x + rx, y);
    to.close();
  }
  void rectangle(const pugi::xml_node& node, SvgOutlines& to) {
    const double x = length(node, "x", page_.width);
    const double y = length(node, "y", page_.height);
    const double width = length(node, "width", page_.width);
    const double height = length(node, "height", page_.height);
    if (!(width > 0 && height > 0)) return;
    double rx = length(node, "rx", page_.width, -1);
    double ry = length(node, "ry", page_.height, rx);
    if (rx < 0) rx = ry;
    rx = std::clamp(rx, 0.0, width / 2);
    ry = std::clamp(ry, 0.0, height / 2);
    const double right = x + width;
    const double bottom = y + height;
    if (!(rx > 0 && ry > 0)) {
      to.move_to(x, y);
      to.line_to(right, y);
      to.line_to(right, bottom);
      to.line_to(x, bottom);
      to.close();
      return;
    }
    constexpr double rest = 1.0 - 4.0 / 3.0 * (std::numbers::sqrt2 - 1.0);
    const double i = rest * rx;
    const double j = rest * ry;
    to.move_to(x + rx, y);
    to.line_to(right - rx, y);
    to.cubic_to(right - i, y, right, y + j, right, y + ry);
    to.line_to(right, bottom - ry);
    to.cubic_to(right, bottom - j, right - i, bottom, right - rx, bottom);
    to.line_to(x + rx, bottom);
    to.cubic_to(x + i, bottom, x, bottom - j, x, bottom - ry);
    to.line_to(x, y + ry);
    to.cubic_to(x, y + j, x + i, y, x + rx, y);
    to.close();
  }
  // False: it is no shape.
  bool outlines_of(std::string_view kind, const pugi::xml_node& node, SvgOutlines& to) {
    if (kind == "path") {
      const char* const data = node.attribute("d").value();
      if (!is_blank(data) && !read_svg_path(data, to))
        left_out("Path data that could not be read ends where it is wrong", data);
    } else if (kind == "polygon" || kind == "polyline") {
      const char* const points = node.attribute("points").value();
      if (!read_svg_points(points, to))
        left_out("Points that could not be read end where they are wrong", points);
    } else if (kind == "rect") {
      rectangle(node, to);
    } else if (kind == "circle" || kind == "ellipse") {
      const double diagonal = std::hypot(page_.width, page_.height) / std::numbers::sqrt2;
      const bool is_circle = kind == "circle";
      const double rx = is_circle ? length(node, "r", diagonal) : length(node, "rx", page_.width);
      const double ry = is_circle ? rx : length(node, "ry", page_.height);
      if (rx > 0 && ry > 0)
        ellipse(to, length(node, "cx", page_.width), length(node, "cy", page_.height), rx, ry);
    } else {
      return false;
    }
    return true;
  }
  void children(const pugi::xml_node& node, const Style& style, int depth) {
    if (depth >= most_nested) {
      left_out(fmt::format("Elements in more than {} others are left out", most_nested),
               node.name());
      return;
    }
    for (const pugi::xml_node child : node.children())
      if (child.type() == pugi::node_element) element(child, style, depth + 1);
  }
  void element(const pugi::xml_node& node, Style style, int depth) {
    if ((++seen_ & 1023U) == 0) control_.report(0.5F);
    const std::string_view kind = own_name(node.name());
    static constexpr std::array silent = {
        "title",  "desc",     "metadata", "defs",           "namedview",      "script",  "marker",
        "symbol", "clipPath", "mask",     "linearGradient", "radialGradient", "pattern", "filter"};
    if (std::find(silent.begin(), silent.end(), kind) != silent.end()) return;
    if (kind == "style") {
      left_out("Classes are not looked at, nor are style sheets", "<style>");
      return;
    }
    if (!read_style(node, style)) return;
    if (kind == "svg" || kind == "g" || kind == "a" || kind == "switch") {
      if (kind == "svg" && depth > 0)
        style.transform =
            style.transform * SvgTransform{{1, 0, 0, 1, length(node, "x", page_.width),
                                            length(node, "y", page_.height)}};
      return children(node, style, depth);
    }
    Shape shape;
    if (!outlines_of(kind, node, shape.outlines)) {
      left_out(fmt::format("<{}> is left out", shortened(std::string(kind))),
               node.attribute("id") ? node.attribute("id").value() : node.name());
      return;
    }
    if (!style.visible || !style.fill || shape.outlines.size() == 0) return;
    const double alpha = std::floor(style.fill_opacity * style.opacity * 255.0 + 0.5);
    if (!(alpha > 0)) return;
    shape.transform = style.transform;
    shape.fill = *style.fill | static_cast<std::uint32_t>(alpha) << 24U;
    shape.rule = style.rule;
    shape.name = node.attribute("id").value();
    // Beside the page.
    if (shapes_.size() + 1 >= svg_most_paths)
      throw Error(name_, fmt::format("it has more than {} paths", svg_most_paths - 1),
                  "Open a smaller picture");
    shapes_.push_back(std::move(shape));
  }

  // --- the picture

  // Around all shapes, where the file names no page.
  void find_page() {
    if (page_.is_page()) return;
    double low[2] = {HUGE_VAL, HUGE_VAL};
    double high[2] = {-HUGE_VAL, -HUGE_VAL};
    std::vector<SvgSegment> segments;
    for (const Shape& shape : shapes_) {
      segments.clear();
      shape.outlines.append_to(segments, shape.transform);
      for (const SvgSegment& segment : segments)
        for (std::size_t i = 0; i < 4; ++i) {
          low[0] = std::min(low[0], double{segment.x[i]});
          low[1] = std::min(low[1], double{segment.y[i]});
          high[0] = std::max(high[0], double{segment.x[i]});
          high[1] = std::max(high[1], double{segment.y[i]});
        }
    }
    page_ = {low[0], low[1], high[0] - low[0], high[1] - low[1]};
    if (!page_.is_page()) page_ = {0, 0, 300, 150};
  }

  Mesh mesh() {
    find_page();
    Mesh mesh;
    mesh.name = name_;
    mesh.materials.emplace_back();
    PathPicture& picture = mesh.picture;
    const double scale = 2.0 / std::max(page_.width, page_.height);
    const SvgTransform to_world{{scale, 0, 0, -scale, -scale * (page_.x + page_.width / 2),
                                 scale * (page_.y + page_.height / 2)}};
    const auto x = static_cast<float>(scale * page_.width / 2);
    const auto y = static_cast<float>(scale * page_.height / 2);
    picture.page = {{-x, -y, 0.0F}, {x, y, 0.0F}};
    SvgOutlines page;
    page.move_to(page_.x, page_.y);
    page.line_to(page_.x + page_.width, page_.y);
    page.line_to(page_.x + page_.width, page_.y + page_.height);
    page.line_to(page_.x, page_.y + page_.height);
    page.close();
    add(picture, page, to_world, 0xffffffffU, SvgRule::nonzero, "page");
    for (Shape& shape : shapes_)
      if (!add(picture, shape.outlines, to_world * shape.transform, shape.fill, shape.rule,
               shape.name))
        left_out("Paths that are not finite, or too far away, are left out",
                 shape.name.empty() ? "without an id" : shape.name);
    mesh.warnings = notices_.all();
    return mesh;
  }
  static bool add(PathPicture& picture, const SvgOutlines& outlines, const SvgTransform& transform,
                  std::uint32_t fill, SvgRule rule, std::string name) {
    const auto first = static_cast<std::uint32_t>(picture.segments.size());
    if (!outlines.append_to(picture.segments, transform)) return false;
    picture.paths.push_back(
        {first, static_cast<std::uint32_t>(picture.segments.size()) - first, fill, rule});
    picture.names.push_back(std::move(name));
    return true;
  }

  const std::string& name_;
  LoadControl& control_;
  const LoadLimits& limits_;
  Notices notices_;
  Box page_;
  std::vector<Shape> shapes_;
  std::uint64_t seen_ = 0;
};

}  // namespace

Mesh read_svg(std::string_view text, const std::string& name, LoadControl& control,
              const LoadLimits& limits) {
  return SvgReader(name, control, limits).read(text);
}

Mesh load_svg(const std::filesystem::path& path, LoadControl& control, const LoadLimits& limits) {
  control.begin_file(path);
  control.begin_phase("reading the file");
  control.report(0.0F);
  InputFile file(path);
  std::string text;
  // Some of the system's files say that they are empty, and are not.
  constexpr std::size_t piece = 1U << 20U;
  for (std::size_t read = piece; read == piece;) {
    const std::size_t before = text.size();
    limits.require_memory(path.string(), memory_per_byte * (before + file.size()));
    text.resize(before + piece);
    read = file.read(std::span(text).subspan(before));
    text.resize(before + read);
    control.report(0.0F);
  }
  Mesh mesh = read_svg(text, path.string(), control, limits);
  mesh.name = path.stem().string();
  mesh.file = path;
  control.report(1.0F);
  return mesh;
}

Mesh make_emblem() {
  LoadControl control;
  Mesh mesh = read_svg(emblem_file("emblem.svg"), "emblem", control);
  mesh.name = "emblem";
  return mesh;
}

}  // namespace warpview
