#include "scenes/files/svg_values.h"

// Spirit's grammars for it take long to compile: they are here, and nowhere else.
#define BOOST_ERROR_CODE_HEADER_ONLY
#include <boost/mpl/set.hpp>
#include <svgpp/adapter/path.hpp>
#include <svgpp/factory/integer_color.hpp>
#include <svgpp/parser/grammar/color.hpp>
#include <svgpp/parser/path_data.hpp>
#include <svgpp/parser/transform_list.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

namespace warpview {
namespace {

// Absolute places, whole curves. Arcs stay what they are: SVG++ makes no end of some that are not
// finite.
struct PlainPaths {
  static constexpr bool absolute_coordinates_only = true;
  static constexpr bool no_ortho_line_to = true;
  static constexpr bool no_quadratic_bezier_shorthand = true;
  static constexpr bool no_cubic_bezier_shorthand = true;
  static constexpr bool quadratic_bezier_as_cubic = false;
  static constexpr bool arc_as_cubic_bezier = false;
};

struct PathContext {
  SvgOutlines& outlines;

  void path_move_to(double x, double y, svgpp::tag::coordinate::absolute) const {
    outlines.move_to(x, y);
  }
  void path_line_to(double x, double y, svgpp::tag::coordinate::absolute) const {
    outlines.line_to(x, y);
  }
  void path_quadratic_bezier_to(double x1, double y1, double x, double y,
                                svgpp::tag::coordinate::absolute) const {
    outlines.quadratic_to(x1, y1, x, y);
  }
  void path_cubic_bezier_to(double x1, double y1, double x2, double y2, double x, double y,
                            svgpp::tag::coordinate::absolute) const {
    outlines.cubic_to(x1, y1, x2, y2, x, y);
  }
  void path_elliptical_arc_to(double rx, double ry, double degrees, bool large, bool sweep,
                              double x, double y, svgpp::tag::coordinate::absolute) const {
    outlines.arc_to(rx, ry, degrees, large, sweep, x, y);
  }
  void path_close_subpath() const { outlines.close(); }
  void path_exit() const { outlines.close(); }
};

struct TransformContext {
  SvgTransform transform;

  void transform_matrix(const boost::array<double, 6>& matrix) {
    std::copy(matrix.begin(), matrix.end(), transform.m.begin());
  }
};

// What was wrong is told by the result.
struct Quietly {
  using context_type = const void;
  template <class... Anything>
  static bool parse_failed(const Anything&...) {
    return false;
  }
};

// What of a text comes before its first byte that is no ASCII: the grammars may not see such.
std::string_view ascii_of(std::string_view text) {
  const auto* const end =
      std::find_if(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0 || c == 0; });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

}  // namespace

SvgTransform SvgTransform::operator*(const SvgTransform& inner) const {
  const auto& a = m;
  const auto& b = inner.m;
  return {{a[0] * b[0] + a[2] * b[1], a[1] * b[0] + a[3] * b[1], a[0] * b[2] + a[2] * b[3],
           a[1] * b[2] + a[3] * b[3], a[0] * b[4] + a[2] * b[5] + a[4],
           a[1] * b[4] + a[3] * b[5] + a[5]}};
}

void SvgOutlines::add(SvgCurve kind, std::array<double, 4> x, std::array<double, 4> y) {
  const std::size_t last = static_cast<std::size_t>(kind) + 1;
  for (std::size_t i = last + 1; i < 4; ++i) {
    x[i] = x[last];
    y[i] = y[last];
  }
  pieces_.push_back({kind, x, y});
  x_ = x[last];
  y_ = y[last];
}
void SvgOutlines::move_to(double x, double y) {
  close();
  x_ = begin_x_ = x;
  y_ = begin_y_ = y;
}
void SvgOutlines::line_to(double x, double y) { add(SvgCurve::line, {x_, x}, {y_, y}); }
void SvgOutlines::quadratic_to(double x1, double y1, double x, double y) {
  add(SvgCurve::quadratic, {x_, x1, x}, {y_, y1, y});
}
void SvgOutlines::cubic_to(double x1, double y1, double x2, double y2, double x, double y) {
  add(SvgCurve::cubic, {x_, x1, x2, x}, {y_, y1, y2, y});
}
// The implementation notes of SVG 1.1 (F.6), with the ellipse as a unit circle.
void SvgOutlines::arc_to(double rx, double ry, double degrees, bool large, bool sweep, double x,
                         double y) {
  rx = std::abs(rx);
  ry = std::abs(ry);
  if (!(rx > 0 && ry > 0)) return line_to(x, y);
  const double cosine = std::cos(degrees * std::numbers::pi / 180.0);
  const double sine = std::sin(degrees * std::numbers::pi / 180.0);
  const double half_x = (x_ - x) / 2;
  const double half_y = (y_ - y) / 2;
  // From the middle of both ends to the first.
  double u = (cosine * half_x + sine * half_y) / rx;
  double v = (cosine * half_y - sine * half_x) / ry;
  double square = u * u + v * v;
  if (square > 1) {
    const double larger = std::sqrt(square);
    rx *= larger;
    ry *= larger;
    u /= larger;
    v /= larger;
    square = 1;
  }
  const double away = std::sqrt(std::max(0.0, 1 / square - 1)) * (large == sweep ? -1 : 1);
  const double centre_u = away * v;
  const double centre_v = -away * u;
  const double begin = std::atan2(v - centre_v, u - centre_u);
  double way = std::atan2(-v - centre_v, -u - centre_u) - begin;
  if (sweep && way < 0) way += 2 * std::numbers::pi;
  if (!sweep && way > 0) way -= 2 * std::numbers::pi;
  if (!std::isfinite(way + rx + ry)) return line_to(x, y);
  const double middle_x = (x_ + x) / 2;
  const double middle_y = (y_ + y) / 2;
  const auto place = [&](double a, double b) {
    a = (a + centre_u) * rx;
    b = (b + centre_v) * ry;
    return std::pair(cosine * a - sine * b + middle_x, sine * a + cosine * b + middle_y);
  };
  const int count =
      std::clamp(static_cast<int>(std::ceil(std::abs(way) * 2 / std::numbers::pi - 1e-9)), 1, 4);
  const double step = way / count;
  const double reach = 4.0 / 3.0 * std::tan(step / 4);
  for (int i = 0; i < count; ++i) {
    const double from = begin + step * i;
    const double to = from + step;
    const auto first =
        place(std::cos(from) - reach * std::sin(from), std::sin(from) + reach * std::cos(from));
    const auto second =
        place(std::cos(to) + reach * std::sin(to), std::sin(to) - reach * std::cos(to));
    const auto end = i + 1 == count ? std::pair(x, y) : place(std::cos(to), std::sin(to));
    cubic_to(first.first, first.second, second.first, second.second, end.first, end.second);
  }
}
void SvgOutlines::close() {
  if (x_ != begin_x_ || y_ != begin_y_) line_to(begin_x_, begin_y_);
}

bool SvgOutlines::append_to(std::vector<SvgSegment>& segments,
                            const SvgTransform& transform) const {
  const auto& m = transform.m;
  const auto first = static_cast<std::ptrdiff_t>(segments.size());
  for (const Piece& piece : pieces_) {
    SvgSegment segment{piece.kind, {}, {}};
    for (std::size_t i = 0; i < 4; ++i) {
      segment.x[i] = static_cast<float>(m[0] * piece.x[i] + m[2] * piece.y[i] + m[4]);
      segment.y[i] = static_cast<float>(m[1] * piece.x[i] + m[3] * piece.y[i] + m[5]);
      const bool is_near =
          std::abs(segment.x[i]) <= svg_farthest && std::abs(segment.y[i]) <= svg_farthest;
      if (is_near) continue;
      segments.erase(segments.begin() + first, segments.end());
      return false;
    }
    segments.push_back(segment);
  }
  return true;
}

bool read_svg_path(std::string_view text, SvgOutlines& outlines) {
  const std::string_view ascii = ascii_of(text);
  PathContext context{outlines};
  const bool is_right =
      svgpp::value_parser<svgpp::tag::type::path_data, svgpp::path_policy<PlainPaths>,
                          svgpp::error_policy<Quietly>>::parse(svgpp::tag::attribute::d(), context,
                                                               ascii,
                                                               svgpp::tag::source::attribute());
  outlines.close();
  return is_right && ascii.size() == text.size();
}

bool read_svg_points(std::string_view text, SvgOutlines& outlines) {
  if (text.find_first_not_of("+-.,0123456789eE \t\r\n") != std::string_view::npos) return false;
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return true;
  return read_svg_path("M" + std::string(text), outlines);
}

std::optional<SvgTransform> read_svg_transform(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return SvgTransform();
  if (ascii_of(text).size() < text.size()) return {};
  TransformContext context;
  if (!svgpp::value_parser<svgpp::tag::type::transform_list, svgpp::error_policy<Quietly>>::parse(
          svgpp::tag::attribute::transform(), context, text, svgpp::tag::source::attribute()))
    return {};
  return context.transform;
}

std::optional<std::uint32_t> read_svg_colour(std::string_view text) {
  using Factory = svgpp::factory::color::integer<std::uint32_t>;
  static const svgpp::color_grammar<svgpp::tag::source::css, std::string_view::const_iterator,
                                    Factory>
      grammar;
  if (ascii_of(text).size() < text.size()) return {};
  std::uint32_t colour = 0;  // 0xrrggbb
  auto at = text.begin();
  if (!boost::spirit::qi::parse(at, text.end(), grammar, colour) || at != text.end()) return {};
  return (colour >> 16U & 255U) | (colour & 0xff00U) | (colour & 255U) << 16U;
}

std::optional<double> read_svg_number(std::string_view& text) {
  const std::size_t blank = text.find_first_not_of(" \t\r\n,");
  text.remove_prefix(blank == std::string_view::npos ? text.size() : blank);
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || !std::isfinite(value)) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

}  // namespace warpview
