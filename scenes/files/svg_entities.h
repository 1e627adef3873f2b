// Entities of an XML file that are declared in the file itself: <!ENTITY name "replacement">.
//
//   W3C, "Extensible Markup Language (XML) 1.0 (Fifth Edition)", 2008: 4.4, "XML Processor
//   Treatment of Entities and References".
//
// pugixml expands none. So references are replaced in the text before it is parsed. Entities of
// other files are not opened, and parameter entities are skipped: references to them stay.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace warpview {

// How many bytes all replacements of a file come to at most. Further references stay.
inline constexpr std::size_t most_entity_bytes = 1U << 22U;

// The text with its references replaced; empty where it declares no entity. `tell` is called for
// each reference that stays although it is declared: what the trouble is, and the entity's name.
std::string expand_entities(
    std::string_view xml,
    const std::function<void(const std::string& what, std::string_view entity)>& tell);

}  // namespace warpview
