#include "scenes/files/ply_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "scenes/files/text_lines.h"

namespace warpview {
namespace {

struct TypeRow {
  PlyType type;
  std::string_view name, other_name;
  std::size_t bytes;
  double full_scale;
};
// By PlyType.
constexpr std::array<TypeRow, 8> types = {{{PlyType::i8, "char", "int8", 1, 127.0},
                                           {PlyType::u8, "uchar", "uint8", 1, 255.0},
                                           {PlyType::i16, "short", "int16", 2, 32767.0},
                                           {PlyType::u16, "ushort", "uint16", 2, 65535.0},
                                           {PlyType::i32, "int", "int32", 4, 255.0},
                                           {PlyType::u32, "uint", "uint32", 4, 255.0},
                                           {PlyType::f32, "float", "float32", 4, 1.0},
                                           {PlyType::f64, "double", "float64", 8, 1.0}}};

PlyType type_of(std::string_view word) {
  const auto row = std::ranges::find_if(
      types, [word](const TypeRow& each) { return each.name == word || each.other_name == word; });
  if (row == types.end())
    throw PlyHeaderReader::Malformed{fmt::format("there is no type \"{}\"", shortened(word))};
  return row->type;
}

void require_end(std::string_view rest) {
  if (!trimmed(rest).empty())
    throw PlyHeaderReader::Malformed{
        fmt::format("\"{}\" does not belong here", shortened(trimmed(rest)))};
}

}  // namespace

std::size_t size_of(PlyType type) { return types[static_cast<std::size_t>(type)].bytes; }
double full_scale(PlyType type) { return types[static_cast<std::size_t>(type)].full_scale; }

const PlyElement* PlyHeader::element(std::string_view name) const {
  const auto found = std::ranges::find(elements, name, &PlyElement::name);
  return found == elements.end() ? nullptr : &*found;
}

bool PlyHeaderReader::read(std::string_view line) {
  std::string_view rest = line;
  const std::string_view word = next_word(rest);
  const bool is_first = lines_++ == 0;
  if (is_first) {
    if (word != "ply") throw Malformed{"a PLY file begins with the word ply"};
    require_end(rest);
    return true;
  }
  if (word.empty() || word == "obj_info") return true;
  if (word == "comment") {
    if (next_word(rest) == "TextureFile" && header_.textures.size() < most_elements)
      header_.textures.emplace_back(trimmed(rest));
    return true;
  }
  if (word == "end_header") {
    if (!has_format_) throw Malformed{"no line says the format"};
    return false;
  }
  if (word == "format")
    read_format(rest);
  else if (word == "element")
    read_element(rest);
  else if (word == "property")
    read_property(rest);
  else
    throw Malformed{fmt::format("\"{}\" is not a statement of a header", shortened(word))};
  return true;
}

void PlyHeaderReader::read_format(std::string_view rest) {
  const std::string_view name = next_word(rest);
  if (name == "ascii")
    header_.format = PlyFormat::ascii;
  else if (name == "binary_little_endian")
    header_.format = PlyFormat::little_endian;
  else if (name == "binary_big_endian")
    header_.format = PlyFormat::big_endian;
  else
    throw Malformed{fmt::format("there is no format \"{}\"", shortened(name))};
  if (has_format_) throw Malformed{"the format is said twice"};
  if (next_word(rest) != "1.0") throw Malformed{"only version 1.0 is known"};
  require_end(rest);
  has_format_ = true;
}

void PlyHeaderReader::read_element(std::string_view rest) {
  const std::string_view name = next_word(rest);
  const std::string_view number = next_word(rest);
  std::uint64_t count = 0;
  const auto [end, failure] = std::from_chars(number.data(), number.data() + number.size(), count);
  if (number.empty() || failure != std::errc() || end != number.data() + number.size())
    throw Malformed{fmt::format("\"{}\" is not a number of elements", shortened(number))};
  require_end(rest);
  if (header_.element(name) != nullptr)
    throw Malformed{fmt::format("the element \"{}\" is declared twice", shortened(name))};
  if (header_.elements.size() == most_elements)
    throw Malformed{fmt::format("more than {} elements are declared", most_elements)};
  header_.elements.push_back({std::string(name), count, {}});
}

void PlyHeaderReader::read_property(std::string_view rest) {
  if (header_.elements.empty()) throw Malformed{"a property stands before any element"};
  std::vector<PlyProperty>& properties = header_.elements.back().properties;
  if (properties.size() == most_properties)
    throw Malformed{fmt::format("an element has more than {} properties", most_properties)};
  std::string_view word = next_word(rest);
  std::optional<PlyType> count;
  if (word == "list") {
    count = type_of(next_word(rest));
    if (*count == PlyType::f32 || *count == PlyType::f64)
      throw Malformed{"the length of a list is a fraction"};
    word = next_word(rest);
  }
  const PlyType type = type_of(word);
  const std::string_view name = next_word(rest);
  if (name.empty()) throw Malformed{"a property has no name"};
  require_end(rest);
  properties.push_back({std::string(name), type, count});
}

}  // namespace warpview
