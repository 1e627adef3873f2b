// How elements of a drawing look: attributes and the drawing's style sheet.
#pragma once

#include <map>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "app/common/theme.h"

namespace warpview {

class FigureStyle {
 public:
  // `root`: the outermost element, which must outlive this.
  explicit FigureStyle(const pugi::xml_node& root);

  // The value of a property: of a class, else of the element's name, else its attribute, else the
  // outermost element's where children inherit it. Empty: there is none.
  std::string_view value(const pugi::xml_node& node, std::string_view property) const {
    return find(node, property, false).value;
  }
  float number(const pugi::xml_node& node, std::string_view property, float otherwise) const;
  // `fill` or `stroke` in both themes; none where nothing is to be painted.
  std::optional<Shades> paint(const pugi::xml_node& node, std::string_view property) const;

 private:
  using Declarations = std::map<std::string, std::string, std::less<>>;
  using Rules = std::map<std::string, Declarations, std::less<>>;  // by selector
  struct Found {
    std::string_view value{};
    bool is_of_sheet = false;
  };
  Found find(const pugi::xml_node& node, std::string_view property, bool dark) const;
  static void read_rules(std::string_view css, Rules& rules);

  pugi::xml_node root_;
  Rules light_, dark_;
};

}  // namespace warpview
