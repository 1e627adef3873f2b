// How SVG's elements look: presentation attributes, and the declarations of `style`.
//
//   W3C, "CSS Cascading and Inheritance Level 4" and "CSS Color Module Level 4", 2022.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenes/files/svg_values.h"

namespace warpview {

// Collects warnings, one for each kind.
class SvgNotices {
 public:
  void add(const std::string& what, std::string_view example);
  std::vector<std::string> all() const;

 private:
  std::map<std::string, std::pair<std::uint64_t, std::string>> notices_;
};

// The declarations of one element. `style` overrides attributes, later declarations override
// earlier ones, and !important overrides both.
class SvgDeclarations {
 public:
  SvgDeclarations(const pugi::xml_node& node, SvgNotices& notices);
  // Values that it returns point into it.
  SvgDeclarations(const SvgDeclarations&) = delete;
  SvgDeclarations& operator=(const SvgDeclarations&) = delete;

  // Returns the winning value, trimmed.
  std::optional<std::string_view> find(std::string_view name) const;
  // Ignores attributes.
  std::optional<std::string_view> find_in_style(std::string_view name) const;

 private:
  struct One {
    std::string_view name, value;
  };
  void add_style(SvgNotices& notices);

  std::string style_;  // without comments
  std::vector<One> attributes_, declared_, important_;
};

// The computed value of `fill`. A keyword `currentColor` is inherited as such (CSS Color 4).
struct SvgFill {
  enum class Kind { none, colour, current };  // `current`: the element's own `color`
  Kind kind = Kind::colour;
  SvgColour colour;
};

// The computed style of an element.
struct SvgStyle {
  SvgFill fill;
  SvgColour colour;
  double fill_opacity = 1.0;
  double opacity = 1.0;  // the product of all groups' and its own
  double font_size = 16.0;
  SvgRule rule = SvgRule::nonzero;
  bool is_visible = true;

  // Red in the lowest 8 bits, then green, blue, alpha. None: the shape is invisible.
  std::optional<std::uint32_t> packed_fill() const;
};

class SvgStyles {
 public:
  // Collects the ids of the gradients and patterns below `root`.
  SvgStyles(const pugi::xml_node& root, SvgNotices& notices);

  // Computes the style of an element from its declarations and its parent's style.
  SvgStyle of(const SvgDeclarations& own, const SvgStyle& around, double root_font_size);

 private:
  std::optional<SvgColour> colour(std::string_view text);
  std::optional<SvgFill> fill(std::string_view text);
  SvgFill fill_of_reference(std::string_view text);
  double share(std::string_view text, double otherwise);
  double font_size(const SvgDeclarations& own, double around, double root_font_size);
  void tell_what_is_left_out(const SvgDeclarations& own);

  SvgNotices& notices_;
  std::set<std::string, std::less<>> paints_;  // ids
};

}  // namespace warpview
