#include "app/handbook/page_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace warpview {
namespace {

constexpr float line_height = 1.4F;  // of the font
constexpr float mono_size = 0.94F;   // beside the other fonts
constexpr float indent = 1.6F;       // ems, of a list

// Sizes of headings, by level.
float size_of_heading(int level) {
  static constexpr std::array sizes = {1.5F, 1.2F, 1.06F};
  return sizes.at(static_cast<std::size_t>(std::clamp(level, 1, 3) - 1));
}

// A word, or the blank between two.
struct PageWord {
  std::string_view text;
  const PageSpan* span = nullptr;
  bool is_blank = false;
  float width = 0.0F;
};

class Layouter {
 public:
  explicit Layouter(const PageSurface& surface)
      : surface_(surface), em_(surface.em), column_(std::min(surface.width, page_column * em_)) {}

  void add(const PageBlock& block) {
    const float left = indent * em_ * static_cast<float>(block.depth);
    switch (block.kind) {
      case PageBlock::Kind::heading:
        heading(block);
        break;
      case PageBlock::Kind::paragraph:
        space(block.depth > 0 ? 0.3F : 0.7F);
        mark(block, left);
        paragraph(block.words, left, column_ - left);
        break;
      case PageBlock::Kind::code:
        code(block, left);
        break;
      case PageBlock::Kind::drawing:
        drawing(block, left);
        break;
      case PageBlock::Kind::table:
        space(0.9F);
        table(block, left);
        space(0.5F);
        break;
      case PageBlock::Kind::rule:
        space(1.0F);
        page_.boxes.push_back({{0.0F, y_, column_, 1.0F}, PageLayout::Ground::rule});
        space(1.0F);
        break;
    }
  }

  void paragraph(const PageWords& words, float left, float width) {
    PageLayout lines = flow(words, left, y_, width, {.size = em_});
    y_ = lines.height;
    take(std::move(lines));
  }

  PageLayout finish() {
    page_.height = y_;
    return std::move(page_);
  }

 private:
  struct Look {
    float size = 14.0F;
    bool bold = false;
    bool is_dim = false;
  };

  void space(float ems) { y_ += page_.height > 0.0F || y_ > 0.0F ? ems * em_ : 0.0F; }

  void take(PageLayout part) {
    page_.width = std::max(page_.width, part.width);
    page_.words.insert(page_.words.end(), std::make_move_iterator(part.words.begin()),
                       std::make_move_iterator(part.words.end()));
    page_.boxes.insert(page_.boxes.end(), part.boxes.begin(), part.boxes.end());
  }

  static PageFont font_of(const PageSpan& span, const Look& look) {
    if (span.code) return PageFont::mono;
    return span.bold || look.bold ? PageFont::bold : PageFont::regular;
  }
  static float size_of(const PageSpan& span, const Look& look) {
    return span.code ? mono_size * look.size : look.size;
  }

  std::vector<PageWord> words_of(const PageWords& words, const Look& look) const {
    std::vector<PageWord> all;
    for (const PageSpan& span : words)
      for (std::size_t at = 0; at < span.text.size();) {
        const bool is_blank = span.text[at] == ' ';
        std::size_t end = at;
        while (end < span.text.size() && (span.text[end] == ' ') == is_blank) ++end;
        PageWord word{std::string_view(span.text).substr(at, is_blank ? 1 : end - at), &span,
                      is_blank};
        word.width = surface_.text_width(font_of(span, look), size_of(span, look), word.text);
        all.push_back(word);
        at = end;
      }
    return all;
  }

  // The words from `first` on that no blank parts, however their looks differ, and their width.
  static std::pair<std::size_t, float> unbroken(const std::vector<PageWord>& words,
                                                std::size_t first) {
    float width = 0.0F;
    std::size_t end = first;
    for (; end < words.size() && !words[end].is_blank; ++end) width += words[end].width;
    return {end, width};
  }

  // Lines from `y` on; the height is where the last one ends.
  PageLayout flow(const PageWords& of, float left, float y, float width, const Look& look) {
    PageLayout lines;
    const std::vector<PageWord> words = words_of(of, look);
    float x = 0.0F;
    const auto end_line = [&] {
      x = 0.0F;
      y += line_height * look.size;
    };
    const PageWord* blank = nullptr;  // before the next word, if that stands in the same line
    for (std::size_t i = 0; i < words.size();) {
      if (words[i].is_blank) {
        blank = x > 0.0F ? &words[i] : nullptr;
        ++i;
        continue;
      }
      const auto [end, together] = unbroken(words, i);
      const float gap = blank != nullptr ? blank->width : 0.0F;
      if (x > 0.0F && x + gap + together > width) {
        end_line();
      } else if (blank != nullptr) {
        put(lines, *blank, left + x, y, look);
        x += gap;
      }
      blank = nullptr;
      for (; i < end; ++i)
        for (PageWord rest = words[i]; !rest.text.empty();) {
          const PageWord piece = cut(rest, width - x, x <= 0.0F, look);
          if (piece.text.empty()) {
            end_line();
            continue;
          }
          put(lines, piece, left + x, y, look);
          x += piece.width;
          lines.width = std::max(lines.width, left + x);
        }
    }
    lines.height = y + line_height * look.size;
    return lines;
  }

  // Takes as much of a word as there is room for, all of it where that suffices. Where the line is
  // empty that is one letter at least; else it is nothing where the word fits into a line.
  PageWord cut(PageWord& rest, float room, bool is_line_empty, const Look& look) const {
    PageWord piece = rest;
    if (rest.width <= std::max(room, 0.0F) + 0.5F) {
      rest.text = {};
      return piece;
    }
    if (!is_line_empty && rest.width <= column_) {
      piece.text = {};
      return piece;
    }
    const auto width_of = [&](std::string_view text) {
      return surface_.text_width(font_of(*rest.span, look), size_of(*rest.span, look), text);
    };
    const auto next = [&rest](std::size_t at) {
      for (++at;
           at < rest.text.size() && (static_cast<unsigned char>(rest.text[at]) & 0xc0U) == 0x80U;)
        ++at;
      return at;
    };
    std::size_t end = is_line_empty ? next(0) : 0;
    while (end < rest.text.size() && width_of(rest.text.substr(0, next(end))) <= room)
      end = next(end);
    piece.text = rest.text.substr(0, end);
    piece.width = width_of(piece.text);
    rest.text.remove_prefix(end);
    rest.width = width_of(rest.text);
    return piece;
  }

  void put(PageLayout& lines, const PageWord& word, float x, float y, const Look& look) {
    const float size = size_of(*word.span, look);
    const float top = y + 0.5F * (line_height * look.size - size);
    PageLayout::Words* const last = lines.words.empty() ? nullptr : &lines.words.back();
    const bool goes_on = last != nullptr && last_span_ == word.span && last->at.y == top &&
                         std::abs(last->at.x + last->width - x) < 0.01F * em_;
    last_span_ = word.span;
    if (goes_on) {
      last->text += word.text;
      last->width += word.width;
      if (has_ground(word, look)) lines.boxes.back().box.width += word.width;
      return;
    }
    if (word.is_blank) return;
    if (has_ground(word, look))
      lines.boxes.push_back(
          {{x - 0.12F * em_, top - 0.1F * em_, word.width + 0.24F * em_, size + 0.2F * em_},
           PageLayout::Ground::code});
    lines.words.push_back({.at = {x, top},
                           .width = word.width,
                           .font = font_of(*word.span, look),
                           .size = size,
                           .italic = word.span->italic,
                           .is_dim = look.is_dim,
                           .link = word.span->link.empty() ? -1 : number_of(word.span),
                           .text = std::string(word.text)});
  }

  // Headings have code without a ground.
  bool has_ground(const PageWord& word, const Look& look) const {
    return word.span->code && look.size == em_;
  }

  // A link's place among all.
  int number_of(const PageSpan* span) {
    if (last_link_ != span) {
      page_.links.push_back(span->link);
      last_link_ = span;
    }
    return static_cast<int>(page_.links.size()) - 1;
  }

  void heading(const PageBlock& block) {
    const float size = size_of_heading(block.level) * em_;
    space(block.level == 1 ? 0.0F : 1.3F);
    page_.anchors.push_back({anchor_of(block.words), y_});
    PageLayout lines = flow(block.words, 0.0F, y_, column_, {.size = size, .bold = true});
    y_ = lines.height;
    take(std::move(lines));
  }

  void mark(const PageBlock& block, float left) {
    if (block.mark.empty()) return;
    const float width = surface_.text_width(PageFont::regular, em_, block.mark);
    page_.words.push_back(
        {.at = {left - width - 0.45F * em_, y_ + 0.5F * (line_height - 1.0F) * em_},
         .width = width,
         .size = em_,
         .is_dim = true,
         .text = block.mark});
  }

  void code(const PageBlock& block, float left) {
    space(0.8F);
    const float padding = 0.7F * em_;
    const float size = mono_size * em_;
    PlotBox box{left, y_, 0.0F, padding};
    std::string_view rest = block.text;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      const float width = surface_.text_width(PageFont::mono, size, line);
      page_.words.push_back({.at = {left + padding, y_ + box.height},
                             .width = width,
                             .font = PageFont::mono,
                             .size = size,
                             .text = std::string(line)});
      box.width = std::max(box.width, width + 2.0F * padding);
      box.height += 1.3F * size;
    }
    box.height += padding;
    box.width = std::max(box.width, column_ - left);
    page_.boxes.push_back({box, PageLayout::Ground::code});
    page_.width = std::max(page_.width, box.right());
    y_ += box.height;
    space(0.3F);
  }

  void drawing(const PageBlock& block, float left) {
    const Figure* const figure = surface_.figure ? surface_.figure(block.text) : nullptr;
    // A screenshot is not part of the program, and its description alone would explain nothing.
    if (figure == nullptr && !block.text.ends_with(".svg")) return;
    space(0.9F);
    if (figure == nullptr) {
      const PageWords words = {
          {.text = "The drawing " + block.text + " did not come with the program: "},
          {.text = plain(block.words), .italic = true}};
      PageLayout lines = flow(words, left, y_, column_ - left, {.size = em_, .is_dim = true});
      y_ = lines.height;
      // The words die with this block, and no link points at them.
      last_span_ = nullptr;
      return take(std::move(lines));
    }
    const float scale = figure_scale(*figure, em_, surface_.width - left);
    const PlotBox box{left, y_, scale * figure->width, scale * figure->height};
    page_.drawings.push_back({box, block.text, scale});
    page_.width = std::max(page_.width, box.right());
    y_ = box.bottom();
    space(0.5F);
  }

  // --- tables

  static constexpr float cell_gap = 1.2F;  // ems, between columns

  struct Column {
    float least = 0.0F;    // its longest word
    float natural = 0.0F;  // its longest cell in one line
    float width = 0.0F;
  };

  Look look_of_row(std::size_t row) const {
    return {.size = em_, .bold = row == 0, .is_dim = row == 0};
  }

  std::vector<Column> columns_of(const PageBlock& table, float room) const {
    std::vector<Column> columns(table.rows.front().size());
    for (std::size_t r = 0; r < table.rows.size(); ++r)
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const std::vector<PageWord> words = words_of(table.rows[r][c].words, look_of_row(r));
        float whole = 0.0F;
        for (const PageWord& word : words) whole += word.width;
        columns[c].natural = std::max(columns[c].natural, whole);
        for (std::size_t i = 0; i < words.size(); ++i)
          if (!words[i].is_blank && (i == 0 || words[i - 1].is_blank))
            columns[c].least = std::max(columns[c].least, unbroken(words, i).second);
      }
    float least = 0.0F;
    float natural = 0.0F;
    for (const Column& each : columns) {
      least += each.least;
      natural += each.natural;
    }
    // Rounding up makes each column wider, by less than this.
    constexpr float rounding = 1.5F;
    room -= cell_gap * em_ * static_cast<float>(columns.size() - 1) +
            rounding * static_cast<float>(columns.size());
    // What is left beyond the longest words goes to the columns that want most.
    const float share =
        natural > least ? std::clamp((room - least) / (natural - least), 0.0F, 1.0F) : 1.0F;
    for (Column& each : columns)
      each.width = std::ceil(each.least + share * (each.natural - each.least) + 0.5F);
    return columns;
  }

  void table(const PageBlock& block, float left) {
    if (block.rows.empty() || block.rows.front().empty()) return;
    const std::vector<Column> columns = columns_of(block, surface_.width - left);
    float width = cell_gap * em_ * static_cast<float>(columns.size() - 1);
    for (const Column& each : columns) width += each.width;
    for (std::size_t r = 0; r < block.rows.size(); ++r) {
      y_ += 0.2F * em_;
      float bottom = y_ + line_height * em_;
      float x = left;
      for (std::size_t c = 0; c < columns.size(); ++c) {
        PageLayout cell = flow(block.rows[r][c].words, x, y_, columns[c].width, look_of_row(r));
        align(cell, block.rows[r][c].align, x + columns[c].width);
        bottom = std::max(bottom, cell.height);
        take(std::move(cell));
        x += columns[c].width + cell_gap * em_;
      }
      y_ = bottom + 0.2F * em_;
      page_.boxes.push_back({{left, y_, width, 1.0F}, PageLayout::Ground::rule});
    }
    page_.width = std::max(page_.width, left + width);
  }

  // Moves each line of a cell to the right.
  static void align(PageLayout& cell, PageCell::Align by, float right) {
    if (by == PageCell::Align::left) return;
    for (std::size_t i = 0; i < cell.words.size();) {
      std::size_t end = i;
      while (end < cell.words.size() &&
             std::abs(cell.words[end].at.y - cell.words[i].at.y) < 0.5F * cell.words[i].size)
        ++end;
      const PageLayout::Words& last = cell.words[end - 1];
      const float free = right - last.at.x - last.width;
      const float shift = by == PageCell::Align::middle ? 0.5F * free : free;
      for (PageLayout::Box& each : cell.boxes)
        if (std::abs(each.box.y - cell.words[i].at.y) < 0.5F * cell.words[i].size)
          each.box.x += shift;
      for (; i < end; ++i) cell.words[i].at.x += shift;
    }
  }

  const PageSurface& surface_;
  float em_;
  float column_;
  float y_ = 0.0F;
  PageLayout page_;
  const PageSpan* last_span_ = nullptr;  // of the piece that was put last
  const PageSpan* last_link_ = nullptr;
};

}  // namespace

std::optional<float> PageLayout::place_of(std::string_view anchor) const {
  for (const Anchor& each : anchors)
    if (each.name == anchor) return each.y;
  return {};
}

PageLayout lay_out(const Page& page, const PageSurface& surface) {
  Layouter layouter(surface);
  for (const PageBlock& block : page.blocks) layouter.add(block);
  return layouter.finish();
}

PageLayout lay_out(const PageWords& words, const PageSurface& surface) {
  Layouter layouter(surface);
  layouter.paragraph(words, 0.0F, surface.width);
  return layouter.finish();
}

float figure_scale(const Figure& figure, float em, float width) {
  // The drawings' letters, of 13 units and scaled to a wider font, are then as high as the page's.
  constexpr float letters = 12.0F;
  return std::min(em / letters, width / figure.width);
}

}  // namespace warpview
