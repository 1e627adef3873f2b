// A font that is made for a test: each of its letters is a square.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpview {

// As fonts have them: the highest byte first.
inline std::string two_bytes(std::uint32_t x) {
  return {static_cast<char>(x >> 8U & 0xffU), static_cast<char>(x & 0xffU)};
}
inline std::string four_bytes(std::uint32_t x) {
  return two_bytes(x >> 16U) + two_bytes(x & 0xffffU);
}

using FontTables = std::map<std::string, std::string>;  // by their names

// From letters to the only glyph with an outline.
inline std::string made_map(std::span<const char32_t> letters) {
  std::string groups;
  for (const char32_t letter : letters)
    groups += four_bytes(letter) + four_bytes(letter) + four_bytes(1);
  const auto count = static_cast<std::uint32_t>(letters.size());
  const std::string directory =
      two_bytes(0) + two_bytes(1) + two_bytes(3) + two_bytes(10) + four_bytes(12);
  return directory + two_bytes(12) + two_bytes(0) + four_bytes(16 + 12 * count) + four_bytes(0) +
         four_bytes(count) + groups;
}

// An outline of four corners, of which stb_truetype reads the flags and then all x and y.
inline std::string made_square() {
  std::string glyph = two_bytes(1);
  for (const std::uint32_t edge : {100U, 0U, 700U, 700U}) glyph += two_bytes(edge);
  glyph += two_bytes(3) + two_bytes(0) + std::string(4, '\1');
  constexpr std::uint32_t back = 0x10000U - 600U;
  for (const std::uint32_t x : {100U, 600U, 0U, back}) glyph += two_bytes(x);
  for (const std::uint32_t y : {0U, 0U, 700U, 0U}) glyph += two_bytes(y);
  return glyph;
}

inline FontTables made_tables(std::span<const char32_t> letters) {
  const std::string square = made_square();
  const auto size = static_cast<std::uint32_t>(square.size());
  FontTables tables;
  tables["cmap"] = made_map(letters);
  tables["glyf"] = square;
  tables["head"] = four_bytes(0x00010000) + std::string(14, '\0') + two_bytes(1000) +
                   std::string(30, '\0') + two_bytes(1) + two_bytes(0);  // long offsets
  tables["hhea"] = four_bytes(0x00010000) + two_bytes(800) + two_bytes(0x10000U - 200U) +
                   std::string(26, '\0') + two_bytes(1);
  tables["hmtx"] = two_bytes(800) + two_bytes(0) + two_bytes(0);
  tables["loca"] = four_bytes(0) + four_bytes(0) + four_bytes(size);
  tables["maxp"] = four_bytes(0x00005000) + two_bytes(2);
  return tables;
}

// A face whose first byte is that number `start` of its file.
inline std::string face_of(const FontTables& tables, std::size_t start = 0) {
  const auto count = static_cast<std::uint32_t>(tables.size());
  std::string directory = four_bytes(0x00010000) + two_bytes(count) + std::string(6, '\0');
  const std::size_t end_of_directory = start + 12 + 16 * tables.size();
  std::string contents;
  for (const auto& [name, table] : tables) {
    const auto at = static_cast<std::uint32_t>(end_of_directory + contents.size());
    directory += name + four_bytes(0) + four_bytes(at) +
                 four_bytes(static_cast<std::uint32_t>(table.size()));
    contents += table;
  }
  return directory + contents;
}

inline std::string made_font(std::vector<char32_t> letters) {
  return face_of(made_tables(letters));
}

inline std::string collection_of(const std::vector<FontTables>& faces) {
  std::string head =
      "ttcf" + four_bytes(0x00010000) + four_bytes(static_cast<std::uint32_t>(faces.size()));
  const std::size_t begin = head.size() + 4 * faces.size();
  std::string contents;
  for (const FontTables& face : faces) {
    const std::size_t start = begin + contents.size();
    head += four_bytes(static_cast<std::uint32_t>(start));
    contents += face_of(face, start);
  }
  return head + contents;
}

}  // namespace warpview
