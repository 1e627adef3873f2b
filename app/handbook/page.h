// A page of the handbook, docs/primitives/*.md, as blocks of words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpview {

// Words of one look; a blank parts them, and never a line's end.
struct PageSpan {
  std::string text{};
  bool bold = false;
  bool italic = false;
  bool code = false;
  std::string link{};  // its target as written; empty: none

  bool operator==(const PageSpan& other) const = default;
};
using PageWords = std::vector<PageSpan>;

struct PageCell {
  enum class Align : std::uint8_t { left, middle, right };
  PageWords words{};
  Align align = Align::left;
};

struct PageBlock {
  enum class Kind : std::uint8_t { heading, paragraph, code, drawing, table, rule };
  Kind kind = Kind::paragraph;
  int level = 0;       // of a heading, from 1
  int depth = 0;       // of the lists and quotes around it
  std::string mark{};  // of the list's item that begins here: a dot or "2."; empty: none begins
  PageWords words{};   // of a heading or paragraph; of a drawing its description
  std::string text{};  // of code; of a drawing its file
  std::vector<std::vector<PageCell>> rows{};  // of a table: all as long as the head, which is first
};

struct Page {
  std::vector<PageBlock> blocks{};

  // The first heading; empty: there is none.
  std::string title() const;
  // The first drawing's file; empty: there is none.
  std::string first_drawing() const;
  // The first `most` sentences of the first paragraph, without links.
  PageWords introduction(std::size_t most) const;
};

// CommonMark with GitHub's tables. HTML, comments among it, is left out.
Page read_page(std::string_view markdown);

std::string plain(const PageWords& words);
// What links to a heading name behind their '#', as GitHub has it: "waiting-in-turn".
std::string anchor_of(const PageWords& heading);

}  // namespace warpview
