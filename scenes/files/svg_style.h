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

// Troubles of a kind, told once.
class SvgNotices {
 public:
  void add(const std::string& what, std::string_view example);
  std::vector<std::string> all() const;

 private:
  std::map<std::string, std::pair<std::uint64_t, std::string>> notices_;
};

// What one element says of itself: of each property the value that wins. Attributes come first,
// then `style`, in its order, and last what is !important there.
class SvgDeclarations {
 public:
  SvgDeclarations(const pugi::xml_node& node, SvgNotices& notices);
  // Values point into it.
  SvgDeclarations(const SvgDeclarations&) = delete;
  SvgDeclarations& operator=(const SvgDeclarations&) = delete;

  // Without blanks at either end.
  std::optional<std::string_view> find(std::string_view name) const;
  // Only where the value is in `style`.
  std::optional<std::string_view> find_in_style(std::string_view name) const;

 private:
  struct One {
    std::string_view name, value;
  };
  void add_style(SvgNotices& notices);

  std::string style_;  // without comments
  std::vector<One> attributes_, declared_, important_;
};

// What a shape is filled with.
struct SvgFill {
  enum class Kind { none, colour, current };  // `current`: the colour of the element itself
  Kind kind = Kind::colour;
  SvgColour colour;
};

// What an element has of those around it, and of itself.
struct SvgStyle {
  SvgFill fill;
  SvgColour colour;
  double fill_opacity = 1.0;
  double opacity = 1.0;  // of all the groups, multiplied
  double font_size = 16.0;
  SvgRule rule = SvgRule::nonzero;
  bool is_visible = true;

  // Red in the lowest 8 bits, then green, blue, alpha. None: nothing is seen of it.
  std::optional<std::uint32_t> packed_fill() const;
};

class SvgStyles {
 public:
  // Of gradients and patterns in the file, by their ids.
  SvgStyles(const pugi::xml_node& root, SvgNotices& notices);

  // Of an element in one that has the style `around`.
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
