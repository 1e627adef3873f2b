#include "scenes/files/svg_style.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "scenes/files/text_lines.h"

namespace warpview {
namespace {

constexpr SvgFill grey_fill = {SvgFill::Kind::colour, {0x808080, 1.0}};
constexpr SvgFill no_fill = {SvgFill::Kind::none, {}};

// Removes comments of CSS. A comment that is not closed reaches to the end.
std::string without_comments(std::string_view text) {
  std::string rest;
  for (;;) {
    const std::size_t begin = text.find("/*");
    rest += text.substr(0, begin);
    if (begin == std::string_view::npos) return rest;
    const std::size_t end = text.find("*/", begin + 2);
    if (end == std::string_view::npos) return rest;
    rest += ' ';
    text.remove_prefix(end + 2);
  }
}

// A declaration ends at a semicolon outside quotes and brackets.
std::size_t end_of_declaration(std::string_view text, std::size_t at) {
  char quote = 0;
  int brackets = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(') {
      ++brackets;
    } else if (c == ')' && brackets > 0) {
      --brackets;
    } else if (c == ';' && brackets == 0) {
      break;
    }
  }
  return at;
}

// Does an inherited property take its parent's value?
bool is_inherited(std::string_view value) {
  return svg_is_word(value, "inherit") || svg_is_word(value, "unset");
}

// Keywords of `font-size`, in pixels.
std::optional<double> named_font_size(std::string_view name, double around) {
  struct Named {
    std::string_view name;
    double size;
  };
  constexpr std::array sizes = {Named{"xx-small", 9}, Named{"x-small", 10}, Named{"small", 13},
                                Named{"medium", 16},  Named{"initial", 16}, Named{"large", 18},
                                Named{"x-large", 24}, Named{"xx-large", 32}};
  for (const Named& one : sizes)
    if (svg_is_word(name, one.name)) return one.size;
  if (svg_is_word(name, "smaller")) return around / 1.2;
  if (svg_is_word(name, "larger")) return around * 1.2;
  return {};
}

}  // namespace

void SvgNotices::add(const std::string& what, std::string_view example) {
  auto& [count, first] = notices_[what];
  if (count++ == 0) first = shortened(std::string(example));
}
std::vector<std::string> SvgNotices::all() const {
  std::vector<std::string> texts;
  for (const auto& [what, found] : notices_)
    texts.push_back(fmt::format(
        "{} ({}{}).", what, found.first > 1 ? fmt::format("{} times, first: ", found.first) : "",
        found.second));
  return texts;
}

// --- declarations

SvgDeclarations::SvgDeclarations(const pugi::xml_node& node, SvgNotices& notices) {
  for (const pugi::xml_attribute attribute : node.attributes()) {
    const std::string_view name = attribute.name();
    if (name == "style")
      style_ = without_comments(attribute.value());
    else
      attributes_.push_back({name, svg_trimmed(attribute.value())});
  }
  add_style(notices);
}

void SvgDeclarations::add_style(SvgNotices& notices) {
  const std::string_view text = style_;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_declaration(text, at);
    const std::string_view one = svg_trimmed(text.substr(at, end - at));
    at = end + 1;
    if (one.empty()) continue;
    const std::size_t colon = one.find(':');
    if (colon == std::string_view::npos) {
      notices.add("Declarations that cannot be read are ignored", one);
      continue;
    }
    std::string_view value = svg_trimmed(one.substr(colon + 1));
    const std::size_t mark = value.rfind('!');
    const bool is_important = mark != std::string_view::npos &&
                              svg_is_word(svg_trimmed(value.substr(mark + 1)), "important");
    if (is_important) value = svg_trimmed(value.substr(0, mark));
    (is_important ? important_ : declared_).push_back({svg_trimmed(one.substr(0, colon)), value});
  }
}

std::optional<std::string_view> SvgDeclarations::find_in_style(std::string_view name) const {
  for (const std::vector<One>* list : {&important_, &declared_}) {
    const auto last = std::find_if(list->rbegin(), list->rend(),
                                   [name](const One& one) { return svg_is_word(one.name, name); });
    if (last != list->rend()) return last->value;
  }
  return {};
}
std::optional<std::string_view> SvgDeclarations::find(std::string_view name) const {
  if (const auto value = find_in_style(name)) return value;
  for (const One& one : attributes_)
    if (one.name == name) return one.value;
  return {};
}

// --- styles

std::optional<std::uint32_t> SvgStyle::packed_fill() const {
  if (!is_visible || fill.kind == SvgFill::Kind::none) return {};
  const SvgColour& from = fill.kind == SvgFill::Kind::current ? colour : fill.colour;
  const double alpha = std::floor(from.alpha * fill_opacity * opacity * 255.0 + 0.5);
  if (!(alpha > 0)) return {};
  return from.rgb | static_cast<std::uint32_t>(alpha) << 24U;
}

SvgStyles::SvgStyles(const pugi::xml_node& root, SvgNotices& notices) : notices_(notices) {
  struct Walker : pugi::xml_tree_walker {
    std::set<std::string, std::less<>>& paints;
    explicit Walker(std::set<std::string, std::less<>>& found) : paints(found) {}
    bool for_each(pugi::xml_node& node) override {
      const std::string_view name = node.name();
      if (name.ends_with("Gradient") || name.ends_with("pattern"))
        if (const pugi::xml_attribute id = node.attribute("id")) paints.insert(id.value());
      return true;
    }
  } walker(paints_);
  pugi::xml_node all = root;
  all.traverse(walker);
}

SvgStyle SvgStyles::of(const SvgDeclarations& own, const SvgStyle& around, double root_font_size) {
  SvgStyle style = around;
  style.font_size = font_size(own, around.font_size, root_font_size);
  if (const auto text = own.find("color"))
    if (!is_inherited(*text) && !svg_is_word(*text, "currentColor"))
      style.colour = colour(*text).value_or(style.colour);
  if (const auto text = own.find("fill"))
    if (!is_inherited(*text)) style.fill = fill(*text).value_or(style.fill);
  if (const auto text = own.find("fill-opacity"))
    style.fill_opacity = share(*text, style.fill_opacity);
  if (const auto text = own.find("opacity")) style.opacity *= share(*text, 1.0);
  if (const auto text = own.find("fill-rule")) {
    if (svg_is_word(*text, "evenodd")) style.rule = SvgRule::even_odd;
    if (svg_is_word(*text, "nonzero")) style.rule = SvgRule::nonzero;
  }
  if (const auto text = own.find("visibility"))
    if (!is_inherited(*text)) style.is_visible = svg_is_word(*text, "visible");
  tell_what_is_left_out(own);
  return style;
}

std::optional<SvgColour> SvgStyles::colour(std::string_view text) {
  if (svg_is_word(text, "initial")) return SvgColour();
  if (const auto found = read_svg_colour(text)) return found;
  notices_.add("Colours that cannot be read are ignored", text);
  return {};
}

std::optional<SvgFill> SvgStyles::fill(std::string_view text) {
  if (svg_is_word(text, "none")) return no_fill;
  if (svg_is_word(text, "currentColor")) return SvgFill{SvgFill::Kind::current, {}};
  if (text.starts_with("url(")) return fill_of_reference(text);
  if (const auto found = colour(text)) return SvgFill{SvgFill::Kind::colour, *found};
  return {};
}

// "url(#id)" with an optional fallback for a missing paint server.
SvgFill SvgStyles::fill_of_reference(std::string_view text) {
  const std::size_t end = std::min(text.find(')'), text.size());
  std::string_view target = svg_trimmed(text.substr(4, end - 4));
  if (target.size() >= 2 && target.front() == target.back() &&
      (target.front() == '"' || target.front() == '\''))
    target = target.substr(1, target.size() - 2);
  const std::string_view instead =
      end == text.size() ? std::string_view() : svg_trimmed(text.substr(end + 1));
  const bool is_elsewhere = !target.starts_with('#');
  const bool is_paint = is_elsewhere || paints_.contains(target.substr(1));
  if (is_paint)
    notices_.add("Gradients and patterns are ignored: their paths are filled with one colour",
                 text);
  const SvgFill otherwise = is_paint ? grey_fill : no_fill;
  // CSS allows no second reference as a fallback.
  if (instead.empty() || instead.starts_with("url(")) return otherwise;
  return fill(instead).value_or(otherwise);
}

double SvgStyles::share(std::string_view text, double otherwise) {
  if (is_inherited(text)) return otherwise;
  if (svg_is_word(text, "initial")) return 1.0;
  if (const auto found = read_svg_share(text)) return *found;
  notices_.add("Opacities that cannot be read are ignored", text);
  return otherwise;
}

double SvgStyles::font_size(const SvgDeclarations& own, double around, double root_font_size) {
  const SvgMeasure measure{around, around, root_font_size};
  if (const auto text = own.find("font-size")) {
    if (is_inherited(*text)) return around;
    if (const auto named = named_font_size(*text, around)) return *named;
    const std::optional<double> size = read_svg_length(*text, measure);
    if (size && *size >= 0) return *size;
    notices_.add("Font sizes that cannot be read are ignored", *text);
    return around;
  }
  // "italic 700 12px/14px serif": a weight has no unit.
  std::string_view font = own.find_in_style("font").value_or("");
  while (!font.empty()) {
    const std::size_t end = std::min(font.find_first_of(" \t\r\n/"), font.size());
    const std::string_view word = font.substr(0, end);
    font = svg_trimmed(font.substr(std::min(end + 1, font.size())));
    if (word.find_first_not_of("0123456789.") >= word.size()) continue;
    if (const auto named = named_font_size(word, around)) return *named;
    const std::optional<double> size = read_svg_length(word, measure);
    if (size && *size >= 0) return *size;
  }
  return around;
}

// Tells of properties that would change the picture.
void SvgStyles::tell_what_is_left_out(const SvgDeclarations& own) {
  const auto is_none = [](std::string_view value) {
    return svg_is_word(value, "none") || svg_is_word(value, "auto") ||
           svg_is_word(value, "normal") || is_inherited(value);
  };
  if (const auto stroke = own.find("stroke"); stroke && !is_none(*stroke))
    notices_.add("Strokes are ignored: only fills are drawn", *stroke);
  for (const char* name : {"clip-path", "mask", "filter", "clip", "mix-blend-mode", "marker",
                           "marker-start", "marker-mid", "marker-end"})
    if (const auto value = own.find(name); value && !is_none(*value))
      notices_.add(fmt::format("\"{}\" is ignored: elements are drawn without it", name), *value);
  if (const auto origin = own.find("transform-origin");
      origin && origin->find_first_not_of("0 px.%,") != std::string_view::npos)
    notices_.add("\"transform-origin\" is ignored: the origin is 0, 0", *origin);
  // Attributes of these names mean something else.
  for (const char* name : {"translate", "rotate", "scale"})
    if (const auto value = own.find_in_style(name); value && !is_none(*value))
      notices_.add(fmt::format("\"{}\" is ignored: elements are drawn without it", name), *value);
  if (const auto name = own.find("class"))
    notices_.add("Classes and style sheets are ignored", *name);
}

}  // namespace warpview
