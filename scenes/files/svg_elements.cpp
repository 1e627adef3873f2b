#include "scenes/files/svg_elements.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "scenes/files/svg_values.h"

namespace warpview {

std::string_view svg_own_name(std::string_view name) { return name.substr(name.find(':') + 1); }
std::string_view svg_prefix_of(std::string_view name) {
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? std::string_view() : name.substr(0, colon);
}

SvgNamespaces::Scope::Scope(SvgNamespaces& all, const pugi::xml_node& node) : all_(all) {
  for (const pugi::xml_attribute attribute : node.attributes()) {
    std::string_view name = attribute.name();
    if (!name.starts_with("xmlns") || (name.size() > 5 && name[5] != ':')) continue;
    name.remove_prefix(std::min<std::size_t>(name.size(), 6));
    all_.bound_[name].push_back(attribute.value());
    names_.push_back(name);
  }
}
SvgNamespaces::Scope::~Scope() {
  for (const std::string_view name : names_) all_.bound_[name].pop_back();
}

std::string_view SvgNamespaces::of(std::string_view prefix) const {
  const auto found = bound_.find(prefix);
  if (found != bound_.end() && !found->second.empty()) return found->second.back();
  return prefix.empty() || prefix == "svg" ? svg_namespace : std::string_view();
}

bool svg_has_no_picture(std::string_view kind) {
  static constexpr std::array silent = {
      "title",    "desc", "metadata",       "defs",           "script",  "marker", "symbol",
      "clipPath", "mask", "linearGradient", "radialGradient", "pattern", "filter"};
  return std::find(silent.begin(), silent.end(), kind) != silent.end();
}

bool svg_conditions_hold(const pugi::xml_node& node) {
  const auto every_word = [](std::string_view text, std::string_view separators, auto holds) {
    text = svg_trimmed(text);
    while (!text.empty()) {
      const std::size_t end = std::min(text.find_first_of(separators), text.size());
      if (!holds(svg_trimmed(text.substr(0, end)))) return false;
      text = svg_trimmed(text.substr(std::min(end + 1, text.size())));
    }
    return true;
  };
  if (*node.attribute("requiredExtensions").value() != 0) return false;
  const bool has_features =
      every_word(node.attribute("requiredFeatures").value(), " \t\r\n", [](std::string_view name) {
        static constexpr std::array there = {"SVG",
                                             "SVG-static",
                                             "CoreAttribute",
                                             "Structure",
                                             "BasicStructure",
                                             "Shape",
                                             "Style",
                                             "ConditionalProcessing",
                                             "PaintAttribute",
                                             "BasicPaintAttribute",
                                             "OpacityAttribute",
                                             "GraphicsAttribute",
                                             "BasicGraphicsAttribute"};
        name.remove_prefix(name.find('#') + 1);
        return name.empty() || std::find(there.begin(), there.end(), name) != there.end();
      });
  const pugi::xml_attribute languages = node.attribute("systemLanguage");
  return has_features && (!languages || !every_word(languages.value(), ",", [](auto language) {
           return !(svg_is_word(language.substr(0, 2), "en") &&
                    (language.size() == 2 || language[2] == '-'));
         }));
}

}  // namespace warpview
