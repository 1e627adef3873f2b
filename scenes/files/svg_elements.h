// Which of a file's elements are SVG's, and which are drawn.
#pragma once

#include <map>
#include <pugixml.hpp>
#include <string_view>
#include <vector>

namespace warpview {

inline constexpr std::string_view svg_namespace = "http://www.w3.org/2000/svg";

// A name without the prefix of a namespace, and that prefix; empty: it has none.
std::string_view svg_own_name(std::string_view name);
std::string_view svg_prefix_of(std::string_view name);

// Maps prefixes to namespaces. Elements without a prefix, or with "svg:", are SVG's unless the file
// binds that prefix.
class SvgNamespaces {
 public:
  // The bindings of an element hold while its scope exists. The element must outlive it.
  class Scope {
   public:
    Scope(SvgNamespaces& all, const pugi::xml_node& node);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    SvgNamespaces& all_;
    std::vector<std::string_view> names_;
  };

  // Returns the namespace of a prefix.
  std::string_view of(std::string_view prefix) const;

 private:
  std::map<std::string_view, std::vector<std::string_view>> bound_;
};

// SVG draws these elements only where others refer to them, or never.
bool svg_has_no_picture(std::string_view kind);
// Evaluates conditional processing attributes. The user's language is English; supported features
// are those of filled shapes, and there are no extensions.
bool svg_conditions_hold(const pugi::xml_node& node);

}  // namespace warpview
