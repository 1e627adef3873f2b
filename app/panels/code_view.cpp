#include "app/panels/code_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "app/panels/widgets.h"

namespace warpview {
namespace {

constexpr std::array<std::string_view, 72> keywords = {
    "alignas",   "auto",          "bool",      "break",       "case",      "char",
    "class",     "const",         "constexpr", "continue",    "default",   "delete",
    "do",        "double",        "else",      "enum",        "explicit",  "false",
    "float",     "for",           "friend",    "if",          "inline",    "int",
    "long",      "namespace",     "noexcept",  "nullptr",     "operator",  "private",
    "protected", "public",        "return",    "short",       "signed",    "sizeof",
    "static",    "static_assert", "struct",    "switch",      "template",  "this",
    "throw",     "true",          "try",       "catch",       "typename",  "union",
    "unsigned",  "using",         "void",      "volatile",    "while",     "size_t",
    "uint8_t",   "uint16_t",      "uint32_t",  "uint64_t",    "int8_t",    "int16_t",
    "int32_t",   "int64_t",       "concept",   "requires",    "mutable",   "virtual",
    "override",  "final",         "asm",       "static_cast", "constinit", "reinterpret_cast"};
constexpr std::array<std::string_view, 7> kernel_words = {
    "threadIdx", "blockIdx", "blockDim", "gridDim", "warp", "UNROLL", "KERNEL"};

bool begins_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}
bool in_word(char c) { return begins_word(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

template <std::size_t n>
bool is_one_of(std::string_view word, const std::array<std::string_view, n>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Walks over the text and notes the pieces.
class Tinter {
 public:
  Tinter(std::string_view text, Language language) : language_(language) {
    constexpr std::size_t tab = 4;
    std::size_t column = 0;
    for (const char c : text) {
      if (c == '\r') continue;
      const std::size_t blanks = c == '\t' ? tab - column % tab : 0;
      code_.text.append(blanks > 0 ? std::string(blanks, ' ') : std::string(1, c));
      column = c == '\n' ? 0 : column + std::max<std::size_t>(blanks, 1);
    }
  }

  Code tint() {
    const std::string& text = code_.text;
    std::size_t begin = 0;
    while (begin < text.size()) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const auto first = static_cast<std::uint32_t>(code_.pieces.size());
      at_ = begin;
      line_end_ = end;
      line();
      code_.lines.push_back({first, static_cast<std::uint32_t>(code_.pieces.size()) - first});
      code_.widest = std::max(code_.widest, end - begin);
      begin = end + 1;
    }
    return std::move(code_);
  }

 private:
  using Tint = Code::Tint;

  std::string_view rest() const {
    return std::string_view(code_.text).substr(at_, line_end_ - at_);
  }
  char here() const { return code_.text[at_]; }

  void piece(std::size_t end, Tint tint) {
    end = std::min(end, line_end_);
    if (end <= at_) return;
    const auto from = static_cast<std::uint32_t>(at_);
    const auto to = static_cast<std::uint32_t>(end);
    // Neighbours of one tint are one piece.
    if (!code_.pieces.empty() && code_.pieces.back().tint == tint &&
        code_.pieces.back().end == from)
      code_.pieces.back().end = to;
    else
      code_.pieces.push_back({from, to, tint});
    at_ = end;
  }
  std::size_t end_of_word() const {
    std::size_t end = at_;
    while (end < line_end_ && in_word(code_.text[end])) ++end;
    return end;
  }

  void line() {
    const std::size_t word = code_.text.find_first_not_of(' ', at_);
    if (!in_comment_ && language_ == Language::kernel && word < line_end_ &&
        code_.text[word] == '#') {
      const std::size_t comment = std::min(code_.text.find("//", word), line_end_);
      piece(comment, Tint::directive);
    }
    first_word_ = true;
    while (at_ < line_end_) token();
  }

  void token() {
    if (in_comment_) {
      const std::size_t end = code_.text.find("*/", at_);
      in_comment_ = end == std::string::npos || end >= line_end_;
      piece(in_comment_ ? line_end_ : end + 2, Tint::comment);
    } else if (rest().starts_with("//")) {
      piece(line_end_, Tint::comment);
    } else if (rest().starts_with("/*")) {
      in_comment_ = true;
      piece(at_ + 2, Tint::comment);
    } else if (here() == '"' || here() == '\'') {
      quoted();
    } else if (language_ == Language::ptx) {
      ptx_token();
    } else if (begins_word(here())) {
      const std::size_t end = end_of_word();
      const std::string_view word = rest().substr(0, end - at_);
      const bool device = word.starts_with("__") || is_one_of(word, kernel_words);
      piece(end, device ? Tint::device : is_one_of(word, keywords) ? Tint::keyword : Tint::plain);
    } else if (is_digit(here())) {
      number();
    } else {
      piece(at_ + 1, Tint::plain);
    }
  }

  void quoted() {
    const char quote = here();
    std::size_t end = at_ + 1;
    while (end < line_end_ && code_.text[end] != quote) end += code_.text[end] == '\\' ? 2 : 1;
    piece(end + 1, Tint::literal);
  }
  void number() {
    std::size_t end = at_;
    while (end < line_end_ &&
           (in_word(code_.text[end]) || code_.text[end] == '.' || code_.text[end] == '\''))
      ++end;
    piece(end, Tint::literal);
  }

  // PTX: the instruction comes first on its line, after a guard; directives begin with a dot.
  void ptx_token() {
    const char c = here();
    if (c == '.' || c == '%' || c == '@' || begins_word(c)) {
      std::size_t end = at_ + 1;
      while (end < line_end_ && (in_word(code_.text[end]) || code_.text[end] == '.' ||
                                 code_.text[end] == '!' || code_.text[end] == '%'))
        ++end;
      const bool label = end < line_end_ && code_.text[end] == ':';
      Tint tint = Tint::plain;
      if (c == '.')
        tint = Tint::directive;
      else if (c == '%')
        tint = Tint::plain;
      else if (c == '@')
        tint = Tint::device;
      else if (label || c == '$')
        tint = Tint::device;
      else if (first_word_)
        tint = Tint::keyword;
      if (c != '@') first_word_ = false;
      piece(end, tint);
    } else if (is_digit(c)) {
      number();
    } else {
      piece(at_ + 1, Tint::plain);
    }
  }

  Language language_;
  Code code_;
  std::size_t at_ = 0;
  std::size_t line_end_ = 0;
  bool in_comment_ = false;
  bool first_word_ = true;
};

ImU32 colour_of(Code::Tint tint) {
  switch (tint) {
    case Code::Tint::plain:
      return colour::text;
    case Code::Tint::comment:
      return IM_COL32(124, 154, 120, 255);
    case Code::Tint::keyword:
      return IM_COL32(120, 180, 236, 255);
    case Code::Tint::device:
      return IM_COL32(222, 160, 204, 255);
    case Code::Tint::literal:
      return IM_COL32(226, 184, 112, 255);
    case Code::Tint::directive:
      return IM_COL32(150, 160, 176, 255);
  }
  return colour::text;
}

void draw_line(const Code& code, const Code::Line& line, ImVec2 at, float advance) {
  ImDrawList* const list = ImGui::GetWindowDrawList();
  const char* const text = code.text.data();
  for (std::uint32_t p = line.first_piece; p < line.first_piece + line.piece_count; ++p) {
    const Code::Piece& piece = code.pieces[p];
    list->AddText(at, colour_of(piece.tint), text + piece.begin, text + piece.end);
    // One letter may take several bytes; all are equally wide.
    for (std::uint32_t b = piece.begin; b < piece.end; ++b)
      if ((static_cast<unsigned char>(text[b]) & 0xc0U) != 0x80U) at.x += advance;
  }
}

// Into the current child window.
void draw_lines(const Code& code, const Fonts& fonts, int scroll_to, int marked) {
  const FontScope mono(fonts.mono);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0.0F, 0.0F));
  const float advance = ImGui::CalcTextSize("0").x;
  const float height = ImGui::GetTextLineHeight() + 1.0F;
  const auto count = static_cast<int>(code.lines.size());
  const auto digits = static_cast<float>(std::max<std::size_t>(fmt::format("{}", count).size(), 3));
  const float margin = (digits + 2.0F) * advance;
  if (scroll_to >= 0) ImGui::SetScrollY(static_cast<float>(scroll_to) * height);

  ImDrawList* const list = ImGui::GetWindowDrawList();
  ImGuiListClipper clipper;
  clipper.Begin(count, height);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const std::string number = fmt::format("{}", i + 1);
      const float slack = (digits - static_cast<float>(number.size())) * advance;
      if (i == marked)
        list->AddRectFilled({at.x + (digits + 0.6F) * advance, at.y},
                            {at.x + (digits + 0.9F) * advance, at.y + height}, colour::accent);
      list->AddText({at.x + slack, at.y}, colour::faint, number.c_str());
      draw_line(code, code.lines[static_cast<std::size_t>(i)], {at.x + margin, at.y}, advance);
      ImGui::Dummy({margin + static_cast<float>(code.widest) * advance, height});
    }
  clipper.End();
  ImGui::PopStyleVar();
}

}  // namespace

Code tinted(std::string_view text, Language language) { return Tinter(text, language).tint(); }

void draw_code(const char* id, const Code& code, const Fonts& fonts, int scroll_to, int marked) {
  ImGui::PushStyleColor(ImGuiCol_ChildBg, IM_COL32(16, 19, 23, 255));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0.6F * em(), 0.5F * em()));
  ImGui::BeginChild(id, {0.0F, 0.0F}, true, ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  draw_lines(code, fonts, scroll_to, marked);
  ImGui::EndChild();
}

}  // namespace warpview
