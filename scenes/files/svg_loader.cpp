#include "scenes/files/svg_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <utility>
#include <vector>

#include "emblem_file.h"
#include "gpu/applications/svg.h"
#include "scenes/files/input_file.h"
#include "scenes/files/svg_elements.h"
#include "scenes/files/svg_entities.h"
#include "scenes/files/svg_style.h"
#include "scenes/files/svg_values.h"
#include "scenes/files/text_lines.h"

namespace warpview {
namespace {

constexpr int most_nested = 256;  // elements
// Bytes of the host for each byte of a file: its elements, and the segments that are made of it.
constexpr std::uint64_t memory_per_byte = 48;

// The region that percentages refer to and that its elements are clipped to.
struct Viewport {
  double width = 0, height = 0;
  std::vector<SvgHalfPlane> clips;  // in the page's coordinates; outer viewports' included
};

// State that an element takes over from its parent.
struct Around {
  const Viewport* viewport = nullptr;
  SvgTransform transform;
  SvgStyle style;
  int depth = 0;
};

// A shape in the page's coordinates.
struct Shape {
  SvgOutlines outlines;
  std::uint32_t fill = 0;
  SvgRule rule{};
  std::string name;
};

class SvgReader {
 public:
  SvgReader(const std::string& name, LoadControl& control, const LoadLimits& limits)
      : name_(name), control_(control), limits_(limits) {}

  Mesh read(std::string_view text) {
    limits_.require_memory(name_, memory_per_byte * text.size());
    const std::string expanded = expand_entities(
        text, [this](const std::string& what, std::string_view entity) { left_out(what, entity); });
    if (!expanded.empty()) text = expanded;
    limits_.require_memory(name_, memory_per_byte * text.size());
    pugi::xml_document document;
    const pugi::xml_parse_result result = document.load_buffer(text.data(), text.size());
    if (!result) {
      const auto before = text.substr(
          0, static_cast<std::size_t>(std::max<std::ptrdiff_t>(
                 std::min<std::ptrdiff_t>(result.offset, static_cast<std::ptrdiff_t>(text.size())),
                 0)));
      throw Error(fmt::format("{}:{}", name_, 1 + std::count(before.begin(), before.end(), '\n')),
                  fmt::format("it is not valid XML: {}", result.description()),
                  "Fix it, or export it again");
    }
    const pugi::xml_node root = document.document_element();
    if (svg_own_name(root.name()) != "svg")
      throw Error(name_, fmt::format("its root element is <{}>, not <svg>", shortened(root.name())),
                  "Open an SVG file");
    styles_.emplace(root, notices_);
    const SvgNamespaces::Scope scope(namespaces_, root);
    own_namespace_ = namespaces_.of(svg_prefix_of(root.name()));
    if (own_namespace_ != svg_namespace)
      left_out("The root element is not in SVG's namespace; it is read as if it were",
               own_namespace_);
    page(root);
    return mesh();
  }

 private:
  void left_out(const std::string& what, std::string_view example) { notices_.add(what, example); }

  // --- values

  // Reads the lengths of an element, from its attributes or its `style`.
  class Lengths {
   public:
    Lengths(SvgReader& reader, const SvgDeclarations& own, const SvgStyle& style,
            const Viewport& viewport)
        : reader_(reader), own_(own), style_(style), viewport_(viewport) {}

    double width() const { return viewport_.width; }
    double height() const { return viewport_.height; }
    double diagonal() const {
      return std::hypot(viewport_.width, viewport_.height) / std::numbers::sqrt2;
    }
    // `whole` is 100 %. None: the length is absent, "auto" or unreadable.
    std::optional<double> find(const char* name, double whole) const {
      const std::optional<std::string_view> text = own_.find(name);
      if (!text || text->empty() || svg_is_word(*text, "auto")) return {};
      const auto length =
          read_svg_length(*text, {whole, style_.font_size, reader_.root_font_size_});
      if (!length) reader_.left_out("Lengths that cannot be read count as 0", *text);
      return length;
    }
    double operator()(const char* name, double whole) const {
      return find(name, whole).value_or(0.0);
    }
    // A negative radius counts as absent.
    std::optional<double> radius(const char* name, double whole) const {
      const std::optional<double> found = find(name, whole);
      return found && *found >= 0 ? found : std::nullopt;
    }

   private:
    SvgReader& reader_;
    const SvgDeclarations& own_;
    const SvgStyle& style_;
    const Viewport& viewport_;
  };

  // --- the page and viewports

  std::optional<SvgBox> view_box(const pugi::xml_node& node) {
    const pugi::xml_attribute attribute = node.attribute("viewBox");
    if (!attribute) return {};
    const std::optional<SvgBox> box = read_svg_box(attribute.value());
    if (!box || box->width < 0 || box->height < 0) {
      left_out("A viewBox that cannot be read is ignored", attribute.value());
      return {};
    }
    return box;
  }

  // Reads the outermost element.
  void page(const pugi::xml_node& root) {
    const SvgDeclarations own(root, notices_);
    Around around;
    around.style = styles_->of(own, {}, root_font_size_);
    root_font_size_ = around.style.font_size;
    const std::optional<SvgBox> box = view_box(root);
    if (box && box->has_area()) {
      page_ = *box;
    } else {
      if (box) left_out("A viewBox without an area is ignored", root.attribute("viewBox").value());
      const Viewport none;
      const Lengths length(*this, own, around.style, none);
      page_ = {0, 0, length("width", 0), length("height", 0)};
    }
    if (!is_drawn(own)) return;
    const Viewport viewport{page_.width, page_.height, {}};
    around.viewport = &viewport;
    around.transform = own_transform(own);
    children(root, around);
  }

  // Reads an <svg> inside another one.
  void nested(const pugi::xml_node& node, const SvgDeclarations& own, Around around) {
    const Lengths length(*this, own, around.style, *around.viewport);
    const SvgBox place{length("x", length.width()), length("y", length.height()),
                       length.find("width", length.width()).value_or(length.width()),
                       length.find("height", length.height()).value_or(length.height())};
    if (!place.has_area()) return;
    const std::optional<SvgBox> box = view_box(node);
    if (box && !box->has_area()) return;
    Viewport inner{place.width, place.height, around.viewport->clips};
    const std::string_view overflow = own.find("overflow").value_or("hidden");
    if (!svg_is_word(overflow, "visible") && !svg_is_word(overflow, "auto")) {
      const std::vector<SvgHalfPlane> sides = half_planes_of(place, around.transform);
      if (sides.empty()) return;
      inner.clips.insert(inner.clips.end(), sides.begin(), sides.end());
    }
    if (box) {
      inner.width = box->width;
      inner.height = box->height;
      around.transform = around.transform * fit(*box, place, fitting(node));
    } else {
      around.transform = around.transform * SvgTransform{{1, 0, 0, 1, place.x, place.y}};
    }
    around.viewport = &inner;
    children(node, around);
  }
  SvgFitting fitting(const pugi::xml_node& node) {
    const pugi::xml_attribute attribute = node.attribute("preserveAspectRatio");
    if (!attribute) return {};
    const std::optional<SvgFitting> found = read_svg_fitting(attribute.value());
    if (!found) left_out("A preserveAspectRatio that cannot be read is ignored", attribute.value());
    return found.value_or(SvgFitting());
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
  static void rectangle(const Lengths& length, SvgOutlines& to) {
    const double x = length("x", length.width());
    const double y = length("y", length.height());
    const double width = length("width", length.width());
    const double height = length("height", length.height());
    if (!(width > 0 && height > 0)) return;
    const std::optional<double> across = length.radius("rx", length.width());
    const std::optional<double> down = length.radius("ry", length.height());
    const double rx = std::min(across.value_or(down.value_or(0)), width / 2);
    const double ry = std::min(down.value_or(across.value_or(0)), height / 2);
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
  static void ellipse(const Lengths& length, bool is_circle, SvgOutlines& to) {
    const std::optional<double> across =
        is_circle ? length.radius("r", length.diagonal()) : length.radius("rx", length.width());
    const std::optional<double> down = is_circle ? across : length.radius("ry", length.height());
    const double rx = across.value_or(down.value_or(0));
    const double ry = down.value_or(rx);
    if (rx > 0 && ry > 0)
      ellipse(to, length("cx", length.width()), length("cy", length.height()), rx, ry);
  }
  // False: it is no shape.
  bool outlines_of(std::string_view kind, const pugi::xml_node& node, const Lengths& length,
                   SvgOutlines& to) {
    if (kind == "path") {
      const std::string_view data = node.attribute("d").value();
      if (!svg_trimmed(data).empty() && !read_svg_path(data, to))
        left_out("Path data that cannot be read is cut at the first error", data);
    } else if (kind == "polygon" || kind == "polyline") {
      const char* const points = node.attribute("points").value();
      if (!read_svg_points(points, to))
        left_out("Points that cannot be read are cut at the first error", points);
    } else if (kind == "rect") {
      rectangle(length, to);
    } else if (kind == "circle" || kind == "ellipse") {
      ellipse(length, kind == "circle", to);
    } else {
      return false;
    }
    return true;
  }

  static bool is_drawn(const SvgDeclarations& own) {
    return !svg_is_word(own.find("display").value_or(""), "none");
  }
  SvgTransform own_transform(const SvgDeclarations& own) {
    const std::string_view text = own.find("transform").value_or("");
    const std::optional<SvgTransform> found = read_svg_transform(text);
    if (!found) left_out("Transforms that cannot be read are ignored", text);
    return found.value_or(SvgTransform());
  }

  bool is_of_svg(const pugi::xml_node& node) {
    const SvgNamespaces::Scope scope(namespaces_, node);
    const std::string_view space = namespaces_.of(svg_prefix_of(node.name()));
    return space == svg_namespace || space == own_namespace_;
  }
  // Adds a level of nesting. False: the limit is reached.
  bool go_deeper(const pugi::xml_node& node, Around& around) {
    if (around.depth++ < most_nested) return true;
    left_out(fmt::format("Elements nested more than {} deep are ignored", most_nested),
             node.name());
    return false;
  }
  void children(const pugi::xml_node& node, Around around) {
    if (!go_deeper(node, around)) return;
    for (const pugi::xml_node child : node.children()) {
      if (child.type() != pugi::node_element || !is_of_svg(child)) continue;
      if (svg_conditions_hold(child))
        element(child, around);
      else
        left_out("Elements for other languages, features or extensions are ignored", child.name());
    }
  }
  // A <switch> draws its first child whose conditions hold.
  void choice(const pugi::xml_node& node, Around around) {
    if (!go_deeper(node, around)) return;
    for (const pugi::xml_node child : node.children())
      if (child.type() == pugi::node_element && is_of_svg(child) &&
          !svg_has_no_picture(svg_own_name(child.name())) && svg_conditions_hold(child))
        return element(child, around);
  }

  void element(const pugi::xml_node& node, const Around& outer) {
    if ((++seen_ & 1023U) == 0) control_.report(0.5F);
    const SvgNamespaces::Scope scope(namespaces_, node);
    const std::string_view kind = svg_own_name(node.name());
    if (svg_has_no_picture(kind)) return;
    if (kind == "style") {
      left_out("Classes and style sheets are ignored", "<style>");
      return;
    }
    const SvgDeclarations own(node, notices_);
    if (!is_drawn(own)) return;
    Around around = outer;
    around.style = styles_->of(own, outer.style, root_font_size_);
    around.transform = outer.transform * own_transform(own);
    if (kind == "svg") return nested(node, own, around);
    if (kind == "g" || kind == "a") return children(node, around);
    if (kind == "switch") return choice(node, around);
    shape(kind, node, own, around);
  }
  void shape(std::string_view kind, const pugi::xml_node& node, const SvgDeclarations& own,
             const Around& around) {
    Shape shape;
    shape.name = node.attribute("id").value();
    if (!outlines_of(kind, node, {*this, own, around.style, *around.viewport}, shape.outlines)) {
      left_out(fmt::format("<{}> is ignored", shortened(std::string(kind))),
               shape.name.empty() ? node.name() : shape.name);
      return;
    }
    const std::optional<std::uint32_t> fill = around.style.packed_fill();
    if (!fill || shape.outlines.size() == 0) return;
    shape.fill = *fill;
    shape.rule = around.style.rule;
    shape.outlines.transform(around.transform);
    if (!shape.outlines.is_near(page_.has_area() ? scale() : 1.0)) return too_far(shape);
    for (const SvgHalfPlane& side : around.viewport->clips) shape.outlines.clip(side);
    if (shape.outlines.size() == 0) return;
    // Beside the page.
    if (shapes_.size() + 1 >= svg_most_paths)
      throw Error(name_, fmt::format("it has more than {} paths", svg_most_paths - 1),
                  "Open a smaller picture");
    shapes_.push_back(std::move(shape));
  }
  void too_far(const Shape& shape) {
    left_out("Paths that are not finite or too far away are ignored",
             shape.name.empty() ? "without an id" : shape.name);
  }

  // --- the picture

  // Around all shapes, where the file names no page.
  void find_page() {
    if (page_.has_area()) return;
    double low[2] = {HUGE_VAL, HUGE_VAL};
    double high[2] = {-HUGE_VAL, -HUGE_VAL};
    std::vector<SvgSegment> segments;
    for (const Shape& shape : shapes_) {
      segments.clear();
      shape.outlines.append_to(segments, {});
      for (const SvgSegment& segment : segments)
        for (std::size_t i = 0; i < 4; ++i) {
          low[0] = std::min(low[0], double{segment.x[i]});
          low[1] = std::min(low[1], double{segment.y[i]});
          high[0] = std::max(high[0], double{segment.x[i]});
          high[1] = std::max(high[1], double{segment.y[i]});
        }
    }
    page_ = {low[0], low[1], high[0] - low[0], high[1] - low[1]};
    if (!page_.has_area()) page_ = {0, 0, 300, 150};
  }
  // World units per unit of the page.
  double scale() const { return 2.0 / std::max(page_.width, page_.height); }

  Mesh mesh() {
    find_page();
    Mesh mesh;
    mesh.name = name_;
    mesh.materials.emplace_back();
    PathPicture& picture = mesh.picture;
    const double scale = this->scale();
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
    const std::vector<SvgHalfPlane> sides = half_planes_of(page_, {});
    for (Shape& shape : shapes_) {
      for (const SvgHalfPlane& side : sides) shape.outlines.clip(side);
      if (shape.outlines.size() == 0) continue;
      if (!add(picture, shape.outlines, to_world, shape.fill, shape.rule, shape.name))
        too_far(shape);
    }
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
  SvgNotices notices_;
  SvgNamespaces namespaces_;
  std::string_view own_namespace_;  // of the outermost element
  std::optional<SvgStyles> styles_;
  double root_font_size_ = SvgStyle().font_size;
  SvgBox page_;
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
  if (text.empty()) throw_empty(path);
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
