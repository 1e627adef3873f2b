// Program text with line numbers and a light tint of its words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
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
  struct Line {
    std::uint32_t first_piece, piece_count;
  };
  std::string text;
  std::vector<Piece> pieces;
  std::vector<Line> lines;
  std::size_t widest = 0;  // bytes of the longest line
};
// Tabs become blanks. `device` marks what only kernels know (__shared__, threadIdx).
Code tinted(std::string_view text, Language language);

// A scrolling part of the current window, as large as what is left of it. `scroll_to` is a line
// (from 0) to bring to the top in this frame; -1: none. `marked` is shown with a bar beside it.
void draw_code(const char* id, const Code& code, const Fonts& fonts, int scroll_to = -1,
               int marked = -1);

}  // namespace warpview
