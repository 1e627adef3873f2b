// Entities of an XML file that are declared in the file itself: <!ENTITY name "replacement">.
//
//   W3C, "Extensible Markup Language (XML) 1.0 (Fifth Edition)", 2008: 4.4, "XML Processor
//   Treatment of Entities and References".
//
// pugixml expands no entities, so references are replaced in the text before pugixml parses it. No
// other file is opened, and parameter entities are skipped: references to both stay as they are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace warpview {

// Limit on the bytes of all replacements together. References beyond it stay as they are.
constexpr std::size_t most_entity_bytes(std::size_t text_bytes) {
  constexpr std::size_t least = 1U << 20U;
  constexpr std::size_t most = 1U << 26U;
  return std::min(least + 8 * text_bytes, most);
}

// Returns the text with its references replaced, or nothing if the text declares no entity. Calls
// `tell` with the reason and the name for each reference to a declared entity that stays.
std::string expand_entities(
    std::string_view xml,
    const std::function<void(const std::string& what, std::string_view entity)>& tell);

}  // namespace warpview
