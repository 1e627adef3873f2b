#include "app/handbook/figure_style.h"

#include <algorithm>
#include <array>

#include "app/handbook/figure.h"
#include "scenes/files/svg_values.h"

namespace warpview {
namespace {

constexpr std::string_view dark_media = "@media";

// Properties that elements take over from what is around them.
bool is_inherited(std::string_view property) {
  static constexpr std::array all = {"fill",        "stroke",    "stroke-width",
                                     "font-family", "font-size", "font-weight"};
  return std::find(all.begin(), all.end(), property) != all.end();
}

// The block behind the first brace, without its braces, and what follows it; a block that does not
// end goes to the end.
std::string_view block_of(std::string_view& css) {
  const std::size_t begin = std::min(css.find('{'), css.size());
  std::size_t end = begin;
  int depth = 0;
  for (; end < css.size(); ++end) {
    if (css[end] == '{') ++depth;
    if (css[end] == '}' && --depth == 0) break;
  }
  const std::string_view block =
      begin < css.size() ? css.substr(begin + 1, end - begin - 1) : std::string_view();
  css.remove_prefix(std::min(end + 1, css.size()));
  return block;
}

std::optional<unsigned> parsed_colour(std::string_view text) {
  const auto colour = read_svg_colour(text);
  if (!colour || !(colour->alpha > 0.0)) return {};
  const unsigned rgb = colour->rgb;
  return (rgb & 0xffU) << 16U | (rgb & 0xff00U) | (rgb >> 16U & 0xffU);
}

}  // namespace

FigureStyle::FigureStyle(const pugi::xml_node& root) : root_(root) {
  std::string_view css = root.child("style").child_value();
  while (!css.empty()) {
    const std::string_view selector = svg_trimmed(css.substr(0, css.find('{')));
    std::string_view rest = css;
    const std::string_view block = block_of(rest);
    if (selector.starts_with(dark_media))
      read_rules(block, dark_);
    else
      read_rules(css.substr(0, css.size() - rest.size()), light_);
    css = rest;
  }
}

void FigureStyle::read_rules(std::string_view css, Rules& rules) {
  while (css.find('{') != std::string_view::npos) {
    const std::string_view selector = svg_trimmed(css.substr(0, css.find('{')));
    std::string_view block = block_of(css);
    Declarations& rule = rules[std::string(selector)];
    while (!block.empty()) {
      const std::string_view one = block.substr(0, block.find(';'));
      block.remove_prefix(std::min(one.size() + 1, block.size()));
      const std::size_t colon = one.find(':');
      if (colon == std::string_view::npos) continue;
      rule[std::string(svg_trimmed(one.substr(0, colon)))] = svg_trimmed(one.substr(colon + 1));
    }
  }
}

FigureStyle::Found FigureStyle::find(const pugi::xml_node& node, std::string_view property,
                                     bool dark) const {
  const auto in = [property](const Rules& rules, std::string_view selector) -> std::string_view {
    const auto rule = rules.find(selector);
    if (rule == rules.end()) return {};
    const auto value = rule->second.find(property);
    return value == rule->second.end() ? std::string_view() : std::string_view(value->second);
  };
  const std::string name(property);
  std::string_view classes = node.attribute("class").value();
  while (!classes.empty()) {
    const std::string one = "." + std::string(classes.substr(0, classes.find(' ')));
    classes.remove_prefix(std::min(one.size(), classes.size()));
    if (const auto value = in(dark_, one); dark && !value.empty()) return {value, true};
    if (const auto value = in(light_, one); !value.empty()) return {value, true};
  }
  if (const auto value = in(dark_, node.name()); dark && !value.empty()) return {value, true};
  if (const auto value = in(light_, node.name()); !value.empty()) return {value, true};
  if (const std::string_view own = node.attribute(name.c_str()).value(); !own.empty())
    return {own, false};
  if (!is_inherited(property)) return {};
  return {root_.attribute(name.c_str()).value(), false};
}

float FigureStyle::number(const pugi::xml_node& node, std::string_view property,
                          float otherwise) const {
  std::string_view text = value(node, property);
  const auto number = read_svg_number(text);
  return number ? static_cast<float>(*number) : otherwise;
}

std::optional<Shades> FigureStyle::paint(const pugi::xml_node& node,
                                         std::string_view property) const {
  const auto shade = [&](bool dark) -> std::optional<unsigned> {
    const Found found = find(node, property, dark);
    // Fills are black where nothing is said, and strokes are not drawn.
    const std::string_view text =
        found.value.empty() ? (property == "fill" ? "#000000" : "none") : found.value;
    const auto colour = parsed_colour(text);
    const bool is_told = found.is_of_sheet && !dark_.empty();
    return dark && colour && !is_told ? dark_shade_of(*colour) : colour;
  };
  const auto light = shade(false);
  const auto dark = shade(true);
  if (!light || !dark) return {};
  return Shades{*dark, *light};
}

}  // namespace warpview
