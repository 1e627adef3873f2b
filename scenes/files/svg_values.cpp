#include "scenes/files/svg_values.h"

// Spirit's grammars for it take long to compile: they are here, and nowhere else.
#define BOOST_ERROR_CODE_HEADER_ONLY
#include <boost/mpl/set.hpp>
#include <svgpp/adapter/path.hpp>
#include <svgpp/factory/integer_color.hpp>
#include <svgpp/parser/grammar/color.hpp>
#include <svgpp/parser/path_data.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <vector>

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

// --- transforms

namespace {

constexpr std::string_view blanks = " \t\r\n\f";

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
}
// Cuts letters off the front and returns them in lower case.
std::string next_name(std::string_view& text) {
  std::string name;
  for (; !text.empty(); text.remove_prefix(1)) {
    const char c = text.front();
    const bool is_large = c >= 'A' && c <= 'Z';
    if (!is_large && !(c >= 'a' && c <= 'z')) break;
    name += static_cast<char>(is_large ? c + ('a' - 'A') : c);
  }
  return name;
}

struct Unit {
  std::string_view name;
  double size;
};
// Returns the size of a unit; that of no unit is 1.
std::optional<double> size_of(std::span<const Unit> units, std::string_view name) {
  if (name.empty()) return 1.0;
  for (const Unit& unit : units)
    if (unit.name == name) return unit.size;
  return {};
}
constexpr std::array lengths = {Unit{"px", 1.0},         Unit{"pt", 96.0 / 72.0}, Unit{"pc", 16.0},
                                Unit{"mm", 96.0 / 25.4}, Unit{"cm", 96.0 / 2.54}, Unit{"in", 96.0},
                                Unit{"q", 96.0 / 101.6}};
// In degrees:
constexpr std::array angles = {Unit{"deg", 1.0}, Unit{"rad", 180.0 / std::numbers::pi},
                               Unit{"grad", 0.9}, Unit{"turn", 360.0}};

SvgTransform turned(double degrees) {
  const double radians = degrees * std::numbers::pi / 180.0;
  const double cosine = std::cos(radians);
  const double sine = std::sin(radians);
  return {{cosine, sine, -sine, cosine, 0, 0}};
}
double slope_of(double degrees) { return std::tan(degrees * std::numbers::pi / 180.0); }

// Returns the matrix of a transform function; its name is in lower case.
std::optional<SvgTransform> transform_of(std::string_view name, std::span<const double> v) {
  const std::size_t n = v.size();
  const auto moved = [](double x, double y) { return SvgTransform{{1, 0, 0, 1, x, y}}; };
  if (name == "matrix" && n == 6) return SvgTransform{{v[0], v[1], v[2], v[3], v[4], v[5]}};
  if (name == "translate" && (n == 1 || n == 2)) return moved(v[0], n == 2 ? v[1] : 0);
  if (name == "translatex" && n == 1) return moved(v[0], 0);
  if (name == "translatey" && n == 1) return moved(0, v[0]);
  if (name == "scale" && (n == 1 || n == 2)) return SvgTransform{{v[0], 0, 0, v[n - 1], 0, 0}};
  if (name == "scalex" && n == 1) return SvgTransform{{v[0], 0, 0, 1, 0, 0}};
  if (name == "scaley" && n == 1) return SvgTransform{{1, 0, 0, v[0], 0, 0}};
  if (name == "rotate" && n == 1) return turned(v[0]);
  if (name == "rotate" && n == 3) return moved(v[1], v[2]) * turned(v[0]) * moved(-v[1], -v[2]);
  if (name == "skew" && (n == 1 || n == 2))
    return SvgTransform{{1, n == 2 ? slope_of(v[1]) : 0, slope_of(v[0]), 1, 0, 0}};
  if (name == "skewx" && n == 1) return SvgTransform{{1, 0, slope_of(v[0]), 1, 0, 0}};
  if (name == "skewy" && n == 1) return SvgTransform{{1, slope_of(v[0]), 0, 1, 0, 0}};
  return {};
}

// Cuts arguments such as "(1, 2px 3deg)" off the front of `text`.
std::optional<std::vector<double>> next_arguments(std::string_view& text) {
  constexpr std::size_t most = 6;
  skip_blanks(text);
  if (!text.starts_with('(')) return {};
  text.remove_prefix(1);
  std::vector<double> values;
  while (values.size() <= most) {
    skip_blanks(text);
    if (text.starts_with(')')) {
      text.remove_prefix(1);
      return values;
    }
    if (text.starts_with(',') && values.empty()) return {};
    const std::optional<double> number = read_svg_number(text);
    if (!number) return {};
    const std::string unit = next_name(text);
    const std::optional<double> length = size_of(lengths, unit);
    const std::optional<double> angle = size_of(angles, unit);
    if (!length && !angle) return {};
    values.push_back(*number * (length ? *length : *angle));
  }
  return {};
}

}  // namespace

std::optional<SvgTransform> read_svg_transform(std::string_view text) {
  SvgTransform all;
  if (svg_is_word(svg_trimmed(text), "none")) return all;
  for (;;) {
    skip_blanks(text);
    while (text.starts_with(',')) {
      text.remove_prefix(1);
      skip_blanks(text);
    }
    if (text.empty()) return all;
    const std::string name = next_name(text);
    const std::optional<std::vector<double>> values = next_arguments(text);
    if (!values) return {};
    const std::optional<SvgTransform> one = transform_of(name, *values);
    if (!one) return {};
    all = all * *one;
  }
}

// --- colours

namespace {

std::uint32_t packed_bytes(const std::array<double, 3>& parts) {  // 0 to 1
  std::uint32_t packed = 0;
  for (std::size_t i = 0; i < 3; ++i)
    packed |= static_cast<std::uint32_t>(std::floor(std::clamp(parts[i], 0.0, 1.0) * 255.0 + 0.5))
              << 8U * i;
  return packed;
}

// #rgb, #rgba, #rrggbb, #rrggbbaa, without the #.
std::optional<SvgColour> colour_of_digits(std::string_view digits) {
  const std::size_t n = digits.size();
  if (n != 3 && n != 4 && n != 6 && n != 8) return {};
  const std::size_t length = n <= 4 ? 1 : 2;
  SvgColour colour;
  for (std::size_t i = 0; i < n / length; ++i) {
    const std::string_view part = digits.substr(i * length, length);
    std::uint32_t value = 0;
    const auto [end, failure] = std::from_chars(part.data(), part.data() + part.size(), value, 16);
    if (failure != std::errc() || end != part.data() + part.size()) return {};
    if (length == 1) value *= 17;
    if (i == 3)
      colour.alpha = value / 255.0;
    else
      colour.rgb |= value << 8U * i;
  }
  return colour;
}

struct Argument {
  double value;
  std::string unit;  // "%" as well
};
// Reads three or four arguments of a colour function, such as "(1, 2 3% / 4)".
std::optional<std::vector<Argument>> arguments_of(std::string_view text) {
  std::vector<Argument> found;
  if (!text.starts_with('(') || !text.ends_with(')')) return {};
  text = text.substr(1, text.size() - 2);
  for (;;) {
    skip_blanks(text);
    if (text.empty()) break;
    if (!found.empty() && (text.front() == ',' || (text.front() == '/' && found.size() == 3))) {
      text.remove_prefix(1);
      skip_blanks(text);
    }
    if (text.starts_with(',')) return {};
    const std::optional<double> number = read_svg_number(text);
    if (!number || found.size() == 4) return {};
    std::string unit = next_name(text);
    if (unit.empty() && text.starts_with('%')) {
      unit = "%";
      text.remove_prefix(1);
    }
    found.push_back({*number, std::move(unit)});
  }
  if (found.size() < 3) return {};
  return found;
}

// Converts as CSS Color 4 does. The hue is in degrees, the others are from 0 to 1.
std::array<double, 3> rgb_of_hsl(double hue, double saturation, double lightness) {
  const double range = saturation * std::min(lightness, 1 - lightness);
  const auto part = [&](double n) {
    double k = std::fmod(n + hue / 30.0, 12.0);
    if (k < 0) k += 12.0;
    return lightness - range * std::max(-1.0, std::min({k - 3.0, 9.0 - k, 1.0}));
  };
  return {part(0), part(8), part(4)};
}

std::optional<SvgColour> colour_of_function(std::string_view name, std::string_view text) {
  const bool is_hsl = name == "hsl" || name == "hsla";
  if (!is_hsl && name != "rgb" && name != "rgba") return {};
  const std::optional<std::vector<Argument>> arguments = arguments_of(text);
  if (!arguments) return {};
  SvgColour colour;
  std::array<double, 3> parts{};
  for (std::size_t i = 0; i < arguments->size(); ++i) {
    const auto& [value, unit] = (*arguments)[i];
    const bool is_share = unit == "%";
    if (is_hsl && i == 0) {
      const std::optional<double> size = size_of(angles, unit);
      if (!size) return {};
      parts[0] = value * *size;
      continue;
    }
    if (!is_share && !unit.empty()) return {};
    // Without a unit, alpha is from 0 to 1; saturation and lightness are percentages.
    const double whole = is_share || (is_hsl && i < 3) ? 100.0 : i == 3 ? 1.0 : 255.0;
    (i == 3 ? colour.alpha : parts[i]) = std::clamp(value / whole, 0.0, 1.0);
  }
  colour.rgb = packed_bytes(is_hsl ? rgb_of_hsl(parts[0], parts[1], parts[2]) : parts);
  return colour;
}

}  // namespace

std::optional<SvgColour> read_svg_colour(std::string_view text) {
  using Factory = svgpp::factory::color::integer<std::uint32_t>;
  static const svgpp::color_grammar<svgpp::tag::source::css, std::string::const_iterator, Factory>
      grammar;
  if (ascii_of(text).size() < text.size()) return {};
  // SVG 1.1 allows a profile's colour after an sRGB one.
  if (const std::size_t profile = text.find("icc-color("); profile != std::string_view::npos)
    text = svg_trimmed(text.substr(0, profile));
  if (text.starts_with('#')) return colour_of_digits(text.substr(1));
  const std::string name = next_name(text);
  if (!text.empty()) return colour_of_function(name, text);
  if (name == "transparent") return SvgColour{0, 0.0};
  if (name == "rebeccapurple") return SvgColour{0x993366, 1.0};
  std::uint32_t colour = 0;  // 0xrrggbb
  auto at = name.begin();
  if (!boost::spirit::qi::parse(at, name.end(), grammar, colour) || at != name.end()) return {};
  return SvgColour{(colour >> 16U & 255U) | (colour & 0xff00U) | (colour & 255U) << 16U, 1.0};
}

// --- numbers and lengths

std::string_view svg_trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool svg_is_word(std::string_view text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) {
    const auto small = [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    };
    return small(a) == small(b);
  });
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

std::optional<double> read_svg_share(std::string_view text) {
  const std::optional<double> number = read_svg_number(text);
  text = svg_trimmed(text);
  if (!number || (!text.empty() && text != "%")) return {};
  return std::clamp(text.empty() ? *number : *number / 100.0, 0.0, 1.0);
}

std::optional<double> read_svg_length(std::string_view text, const SvgMeasure& measure) {
  const std::optional<double> number = read_svg_number(text);
  if (!number) return {};
  const std::string name = next_name(text);
  text = svg_trimmed(text);
  if (name.empty() && text == "%") return *number / 100.0 * measure.whole;
  if (!text.empty()) return {};
  // CSS: an unknown x-height counts as half an em.
  const std::array relative = {Unit{"em", measure.em}, Unit{"ex", measure.em / 2},
                               Unit{"rem", measure.root_em}};
  const std::optional<double> size = size_of(relative, name);
  if (size) return *number * *size;
  if (const std::optional<double> fixed = size_of(lengths, name)) return *number * *fixed;
  return {};
}

// --- viewports

std::optional<SvgBox> read_svg_box(std::string_view text) {
  std::array<double, 4> box{};
  for (double& value : box) {
    const std::optional<double> number = read_svg_number(text);
    if (!number) return {};
    value = *number;
  }
  if (!svg_trimmed(text).empty()) return {};
  return SvgBox{box[0], box[1], box[2], box[3]};
}

std::optional<SvgFitting> read_svg_fitting(std::string_view text) {
  const auto next_word = [&text] {
    skip_blanks(text);
    const std::string_view word = text.substr(0, text.find_first_of(blanks));
    text.remove_prefix(word.size());
    return word;
  };
  SvgFitting fitting;
  std::string_view word = next_word();
  if (word == "defer") word = next_word();
  if (word == "none") {
    fitting.is_stretched = true;
  } else {
    // "xMinYMid"
    const auto share = [](std::string_view name) -> std::optional<double> {
      if (name == "Min") return 0.0;
      if (name == "Mid") return 0.5;
      if (name == "Max") return 1.0;
      return {};
    };
    if (word.size() != 8 || word[0] != 'x' || word[4] != 'Y') return {};
    const std::optional<double> across = share(word.substr(1, 3));
    const std::optional<double> down = share(word.substr(5, 3));
    if (!across || !down) return {};
    fitting.across = *across;
    fitting.down = *down;
  }
  word = next_word();
  if (word == "slice")
    fitting.covers = true;
  else if (!word.empty() && word != "meet")
    return {};
  if (!next_word().empty()) return {};
  return fitting;
}

}  // namespace warpview
