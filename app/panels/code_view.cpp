#include "app/panels/code_view.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iterator>
#include <tuple>

#include "app/panels/keyboard.h"
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
      code_.lines.push_back({first, static_cast<std::uint32_t>(code_.pieces.size()) - first,
                             static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
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

ImU32 tint_colour(Code::Tint tint) {
  switch (tint) {
    case Code::Tint::plain:
      return colour::text;
    case Code::Tint::comment:
      return colour::code_comment;
    case Code::Tint::keyword:
      return colour::code_keyword;
    case Code::Tint::device:
      return colour::code_device;
    case Code::Tint::literal:
      return colour::code_literal;
    case Code::Tint::directive:
      return colour::code_directive;
  }
  return colour::text;
}

bool continues_letter(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

int letters_between(const Code& code, std::size_t begin, std::size_t end) {
  return static_cast<int>(std::count_if(code.text.begin() + static_cast<std::ptrdiff_t>(begin),
                                        code.text.begin() + static_cast<std::ptrdiff_t>(end),
                                        [](char c) { return !continues_letter(c); }));
}

// Draws the lines that are seen, and does what the mouse and the keys ask for.
class CodePane {
 public:
  CodePane(const Code& code, CodeView& view) : code_(code), view_(view) {
    const auto count = static_cast<int>(code.lines.size());
    advance_ = ImGui::CalcTextSize("0").x;
    height_ = ImGui::GetTextLineHeight() + 1.0F;
    digits_ = std::max<std::size_t>(fmt::format("{}", count).size(), 3);
    margin_ = static_cast<float>(digits_ + 2) * advance_;
    origin_ = ImGui::GetCursorScreenPos();
  }

  // Returns the link that was clicked.
  const Code::Link* draw() {
    view_.anchor = std::min(view_.anchor, code_.text.size());
    view_.cursor = std::min(view_.cursor, code_.text.size());
    if (view_.scroll_to >= 0)
      ImGui::SetScrollY(static_cast<float>(std::exchange(view_.scroll_to, -1)) * height_);
    ImGui::Dummy({margin_ + static_cast<float>(code_.widest) * advance_,
                  static_cast<float>(code_.lines.size()) * height_});
    const Code::Link* const clicked = take_mouse();
    take_keys();
    const ImRect seen = ImGui::GetCurrentWindow()->InnerClipRect;
    const int first = std::max(line_at(seen.Min.y), 0);
    const int last = std::min(line_at(seen.Max.y), static_cast<int>(code_.lines.size()) - 1);
    view_.top = line_at(ImGui::GetWindowPos().y + ImGui::GetStyle().WindowPadding.y);
    for (int line = first; line <= last; ++line) draw_line(line);
    return clicked;
  }

 private:
  const Code::Line& at(int line) const { return code_.lines[static_cast<std::size_t>(line)]; }
  int line_at(float y) const { return static_cast<int>(std::floor((y - origin_.y) / height_)); }
  float x_of(int column) const {
    return origin_.x + margin_ + static_cast<float>(column) * advance_;
  }
  float y_of(int line) const { return origin_.y + static_cast<float>(line) * height_; }

  std::size_t place_at(ImVec2 mouse) const {
    const float column = (mouse.x - origin_.x - margin_) / advance_;
    return place_in(code_, line_at(mouse.y), static_cast<int>(std::floor(column + 0.5F)));
  }
  const Code::Link* link_at(ImVec2 mouse) const {
    const int line = line_at(mouse.y);
    if (line < 0 || line >= static_cast<int>(code_.lines.size())) return nullptr;
    for (const Code::Link& link : code_.links) {
      if (link.begin < at(line).begin || link.end > at(line).end) continue;
      const float begin = x_of(letters_between(code_, at(line).begin, link.begin));
      const float end = x_of(letters_between(code_, at(line).begin, link.end));
      if (mouse.x >= begin && mouse.x < end) return &link;
    }
    return nullptr;
  }

  const Code::Link* take_mouse() {
    // One invisible button over what is seen: it has the mouse also where a drag leaves it.
    ImGuiWindow* const window = ImGui::GetCurrentWindow();
    const ImVec2 most = window->DC.CursorMaxPos;
    const ImRect seen = window->InnerClipRect;
    if (seen.GetWidth() < 1.0F || seen.GetHeight() < 1.0F) return nullptr;
    ImGui::SetCursorScreenPos(seen.Min);
    const bool released = ImGui::InvisibleButton("text", seen.GetSize());
    window->DC.CursorMaxPos = most;
    const ImGuiIO& io = ImGui::GetIO();
    const Code::Link* const link = ImGui::IsItemHovered() ? link_at(io.MousePos) : nullptr;
    hovered_ = link;
    if (ImGui::IsItemHovered())
      ImGui::SetMouseCursor(link != nullptr ? ImGuiMouseCursor_Hand : ImGuiMouseCursor_TextInput);
    if (ImGui::IsItemActivated()) begin_selection(place_at(io.MousePos));
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
      view_.cursor = place_at(io.MousePos);
      follow(seen, io.MousePos);
    }
    return released && view_.anchor == view_.cursor ? link : nullptr;
  }

  void begin_selection(std::size_t place) {
    const ImGuiIO& io = ImGui::GetIO();
    switch (ImGui::GetMouseClickedCount(ImGuiMouseButton_Left)) {
      case 2:
        std::tie(view_.anchor, view_.cursor) = word_at(code_, place);
        break;
      case 3: {
        const Code::Line* const line =
            code_.lines.empty() ? nullptr : &at(line_and_column(code_, place).first);
        if (line == nullptr) break;
        view_.anchor = line->begin;
        view_.cursor = std::min<std::size_t>(line->end + 1, code_.text.size());
        break;
      }
      default:
        view_.cursor = place;
        if (!io.KeyShift) view_.anchor = place;
    }
  }

  // Where a drag leaves the pane, it scrolls.
  void follow(const ImRect& seen, ImVec2 mouse) const {
    const float beyond_y = mouse.y - std::clamp(mouse.y, seen.Min.y, seen.Max.y);
    const float beyond_x = mouse.x - std::clamp(mouse.x, seen.Min.x, seen.Max.x);
    constexpr float pace = 0.3F;  // of the way beyond, a frame
    if (beyond_y != 0.0F) ImGui::SetScrollY(std::max(ImGui::GetScrollY() + pace * beyond_y, 0.0F));
    if (beyond_x != 0.0F) ImGui::SetScrollX(std::max(ImGui::GetScrollX() + pace * beyond_x, 0.0F));
  }

  void take_keys() {
    const ImGuiIO& io = ImGui::GetIO();
    if (!ImGui::IsWindowFocused() || io.WantTextInput) return;
    const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
    if (io.KeyCtrl && pressed(ImGuiKey_A)) {
      view_.anchor = 0;
      view_.cursor = code_.text.size();
    }
    if (io.KeyCtrl && pressed(ImGuiKey_C) && view_.anchor != view_.cursor)
      ImGui::SetClipboardText(
          code_.text.substr(view_.begin(), view_.end() - view_.begin()).c_str());
    if (!io.KeyShift || code_.lines.empty()) return;
    const auto [line, column] = line_and_column(code_, view_.cursor);
    const auto page = static_cast<int>(ImGui::GetWindowHeight() / height_);
    const std::size_t before = view_.cursor;
    if (pressed(ImGuiKey_LeftArrow))
      view_.cursor = column > 0 || line == 0 ? place_in(code_, line, column - 1) : at(line - 1).end;
    if (pressed(ImGuiKey_RightArrow))
      view_.cursor = view_.cursor < at(line).end ? place_in(code_, line, column + 1)
                                                 : place_in(code_, line + 1, 0);
    if (pressed(ImGuiKey_UpArrow)) view_.cursor = place_in(code_, line - 1, column);
    if (pressed(ImGuiKey_DownArrow)) view_.cursor = place_in(code_, line + 1, column);
    if (pressed(ImGuiKey_PageUp)) view_.cursor = place_in(code_, line - page, column);
    if (pressed(ImGuiKey_PageDown)) view_.cursor = place_in(code_, line + page, column);
    if (view_.cursor != before) keep_in_sight(line_and_column(code_, view_.cursor).first);
  }

  void keep_in_sight(int line) const {
    const float top = static_cast<float>(line) * height_;
    const float room = ImGui::GetCurrentWindow()->InnerClipRect.GetHeight();
    if (top < ImGui::GetScrollY()) ImGui::SetScrollY(top);
    if (top + 2.0F * height_ > ImGui::GetScrollY() + room)
      ImGui::SetScrollY(top + 2.0F * height_ - room);
  }

  void draw_selection(int number, const Code::Line& line) const {
    const std::size_t begin = std::max<std::size_t>(view_.begin(), line.begin);
    const std::size_t end = std::min<std::size_t>(view_.end(), line.end);
    // The line's end counts as a letter.
    const bool goes_on = view_.end() > line.end;
    if (view_.begin() > line.end || view_.end() < line.begin || (begin >= end && !goes_on)) return;
    const int from = letters_between(code_, line.begin, begin);
    const int to = letters_between(code_, line.begin, std::max(begin, end)) + (goes_on ? 1 : 0);
    ImGui::GetWindowDrawList()->AddRectFilled({x_of(from), y_of(number)},
                                              {x_of(to), y_of(number + 1)},
                                              ImGui::GetColorU32(ImGuiCol_TextSelectedBg));
  }

  void draw_line(int number) const {
    ImDrawList* const list = ImGui::GetWindowDrawList();
    const Code::Line& line = at(number);
    const ImVec2 left{origin_.x, y_of(number)};
    const auto column = [this, left](float letters) { return left.x + letters * advance_; };
    const auto digits = static_cast<float>(digits_);
    const std::string name = fmt::format("{}", line.number > 0 ? line.number : number + 1);
    draw_mark(line, left);
    if (number == view_.marked)
      list->AddRectFilled({column(digits + 0.6F), left.y},
                          {column(digits + 0.9F), left.y + height_}, colour::accent);
    list->AddText({column(digits - static_cast<float>(name.size())), left.y}, colour::faint,
                  name.c_str());
    draw_selection(number, line);
    draw_pieces(line, {left.x + margin_, left.y});
    for (const Code::Link& link : code_.links) {
      if (link.begin < line.begin || link.end > line.end) continue;
      const float y = left.y + height_ - 1.0F;
      list->AddLine({x_of(letters_between(code_, line.begin, link.begin)), y},
                    {x_of(letters_between(code_, line.begin, link.end)), y},
                    &link == hovered_ ? colour::accent : colour::faint);
    }
  }

  // A sign and a ground over the width that is seen.
  void draw_mark(const Code::Line& line, ImVec2 left) const {
    if (line.mark == Code::Mark::none) return;
    const bool is_removed = line.mark == Code::Mark::removed;
    const ImU32 ink = is_removed ? colour::error : colour::good;
    constexpr float share = 0.16F;
    ImVec4 ground = ImGui::ColorConvertU32ToFloat4(ink);
    ground.w *= share;
    ImDrawList* const list = ImGui::GetWindowDrawList();
    const ImRect seen = ImGui::GetCurrentWindow()->InnerClipRect;
    list->AddRectFilled({seen.Min.x, left.y}, {seen.Max.x, left.y + height_},
                        ImGui::ColorConvertFloat4ToU32(ground));
    list->AddText({left.x + (static_cast<float>(digits_) + 0.5F) * advance_, left.y}, ink,
                  is_removed ? "-" : "+");
  }

  void draw_pieces(const Code::Line& line, ImVec2 at) const {
    ImDrawList* const list = ImGui::GetWindowDrawList();
    const char* const text = code_.text.data();
    for (std::uint32_t p = line.first_piece; p < line.first_piece + line.piece_count; ++p) {
      const Code::Piece& piece = code_.pieces[p];
      list->AddText(at, tint_colour(piece.tint), text + piece.begin, text + piece.end);
      meet_with_item({text + piece.begin, piece.end - piece.begin});
      // One letter may take several bytes; all are equally wide.
      at.x += static_cast<float>(letters_between(code_, piece.begin, piece.end)) * advance_;
    }
  }

  const Code& code_;
  CodeView& view_;
  float advance_ = 1.0F;
  float height_ = 1.0F;
  std::size_t digits_ = 3;
  float margin_ = 0.0F;
  ImVec2 origin_;
  const Code::Link* hovered_ = nullptr;
};

}  // namespace

Code tinted(std::string_view text, Language language) { return Tinter(text, language).tint(); }

std::size_t place_in(const Code& code, int line, int column) {
  if (code.lines.empty() || line < 0) return 0;
  if (line >= static_cast<int>(code.lines.size())) return code.text.size();
  const Code::Line& in = code.lines[static_cast<std::size_t>(line)];
  std::size_t place = in.begin;
  for (; place < in.end && column > 0; --column)
    for (++place; place < in.end && continues_letter(code.text[place]);) ++place;
  return place;
}

std::pair<int, int> line_and_column(const Code& code, std::size_t place) {
  const auto after =
      std::upper_bound(code.lines.begin(), code.lines.end(), place,
                       [](std::size_t at, const Code::Line& line) { return at < line.begin; });
  if (after == code.lines.begin()) return {0, 0};
  const auto line = std::prev(after);
  return {static_cast<int>(line - code.lines.begin()),
          letters_between(code, line->begin, std::min<std::size_t>(place, line->end))};
}

std::pair<std::size_t, std::size_t> word_at(const Code& code, std::size_t place) {
  const std::string& text = code.text;
  const auto is_word = [&text](std::size_t at) {
    return at < text.size() && (in_word(text[at]) || static_cast<unsigned char>(text[at]) >= 0x80U);
  };
  if (place >= text.size()) return {text.size(), text.size()};
  std::size_t begin = place;
  std::size_t end = place;
  while (begin > 0 && is_word(begin - 1)) --begin;
  while (is_word(end)) ++end;
  if (begin == end) ++end;
  return {begin, end};
}

const Code::Link* draw_code(const char* id, const Code& code, const Fonts& fonts, CodeView& view) {
  ImGui::PushStyleColor(ImGuiCol_ChildBg, colour::code_paper);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0.6F * em(), 0.5F * em()));
  ImGui::BeginChild(id, {0.0F, 0.0F}, true, ImGuiWindowFlags_HorizontalScrollbar);
  if (!ImGui::GetIO().KeyShift) scroll_by_keys("##scroll");  // else the arrows select
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  const Code::Link* clicked = nullptr;
  {
    const FontScope mono(fonts.mono);
    clicked = CodePane(code, view).draw();
  }
  ImGui::EndChild();
  return clicked;
}

}  // namespace warpview
