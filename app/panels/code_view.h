// Program text with line numbers and a light tint of its words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/panels/style.h"

namespace warpview {

enum class Language { kernel, ptx };

// Text, cut into lines and those into pieces of one tint each.
struct Code {
  enum class Tint : std::uint8_t { plain, comment, keyword, device, literal, directive };
  struct Piece {
    std::uint32_t begin, end;  // bytes of `text`
    Tint tint;
  };
  // In a difference of two texts: the text that alone has the line.
  enum class Mark : std::uint8_t { none, removed, added };
  struct Line {
    std::uint32_t first_piece, piece_count;
    std::uint32_t begin, end;  // bytes of `text`, without the line's end
    Mark mark = Mark::none;
    std::uint32_t number = 0;  // that is shown, from 1; 0: its place in this text
  };
  // A place that can be clicked, to another file.
  struct Link {
    std::uint32_t begin, end;  // bytes of `text`
    std::string file;
  };
  std::string text;
  std::vector<Piece> pieces;
  std::vector<Line> lines;
  std::vector<Link> links;  // in order
  std::size_t widest = 0;   // bytes of the longest line
};
// Tabs become blanks. `device` marks what only kernels know (__shared__, threadIdx).
Code tinted(std::string_view text, Language language);

// What is selected of a code, and where it is scrolled to.
struct CodeView {
  std::size_t anchor = 0;  // where the selection began, a byte of the text
  std::size_t cursor = 0;  // where it ends, before or after that
  int scroll_to = -1;      // a line (from 0) to bring to the top in the next frame; -1: none
  int marked = -1;         // a line with a bar beside it; -1: none
  int top = 0;             // the first line that is seen

  std::size_t begin() const { return anchor < cursor ? anchor : cursor; }
  std::size_t end() const { return anchor < cursor ? cursor : anchor; }
};

// The byte before which a column of a line stands, counted in letters; the nearest there is.
std::size_t place_in(const Code& code, int line, int column);
// The line of a byte, and its column.
std::pair<int, int> line_and_column(const Code& code, std::size_t place);
// From where to where a word goes, or what else stands at a byte.
std::pair<std::size_t, std::size_t> word_at(const Code& code, std::size_t place);

// A scrolling part of the current window, as large as what is left of it. Text is selected by
// dragging, with Shift by a click or the arrows, words by a double click, lines by a triple one,
// all by Ctrl+A; Ctrl+C copies it. Returns the link that was clicked, null else.
const Code::Link* draw_code(const char* id, const Code& code, const Fonts& fonts, CodeView& view);

}  // namespace warpview
