#include "app/handbook/page.h"

#include <fmt/format.h>
#include <md4c.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "gpu/runtime/error.h"

namespace warpview {
namespace {

struct Entity {
  std::string_view name, letter;
};
// Those that pages have; others stay as they are written.
constexpr std::array entities = {Entity{"&lt;", "<"},        Entity{"&gt;", ">"},
                                 Entity{"&amp;", "&"},       Entity{"&quot;", "\""},
                                 Entity{"&nbsp;", "\u00a0"}, Entity{"&times;", "\u00d7"}};

std::string_view letter_of(std::string_view entity) {
  for (const Entity& each : entities)
    if (each.name == entity) return each.letter;
  return entity;
}

std::string string_of(const MD_ATTRIBUTE& attribute) {
  return attribute.text == nullptr ? std::string() : std::string(attribute.text, attribute.size);
}

// Collects blocks as the parser enters and leaves them.
class Collector {
 public:
  void enter(MD_BLOCKTYPE type, void* detail) {
    switch (type) {
      case MD_BLOCK_QUOTE:
        ++depth_;
        break;
      case MD_BLOCK_UL:
        lists_.push_back({});
        ++depth_;
        break;
      case MD_BLOCK_OL:
        lists_.push_back({true, static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start});
        ++depth_;
        break;
      case MD_BLOCK_LI:
        begin_item();
        break;
      case MD_BLOCK_H:
        begin(PageBlock::Kind::heading).level =
            static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
        break;
      case MD_BLOCK_P:
        begin(PageBlock::Kind::paragraph);
        break;
      case MD_BLOCK_CODE:
        begin(PageBlock::Kind::code);
        break;
      case MD_BLOCK_HR:
        begin(PageBlock::Kind::rule);
        break;
      case MD_BLOCK_TABLE:
        begin(PageBlock::Kind::table);
        break;
      case MD_BLOCK_TR:
        page_.blocks.back().rows.emplace_back();
        break;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD:
        page_.blocks.back().rows.back().push_back(
            {.align = align_of(static_cast<MD_BLOCK_TD_DETAIL*>(detail)->align)});
        is_in_cell_ = true;
        break;
      case MD_BLOCK_DOC:
      case MD_BLOCK_HTML:
      case MD_BLOCK_THEAD:
      case MD_BLOCK_TBODY:
        break;
    }
  }

  void leave(MD_BLOCKTYPE type) {
    switch (type) {
      case MD_BLOCK_UL:
      case MD_BLOCK_OL:
        lists_.pop_back();
        --depth_;
        break;
      case MD_BLOCK_QUOTE:
        --depth_;
        break;
      case MD_BLOCK_LI:
      case MD_BLOCK_P:
      case MD_BLOCK_H:
      case MD_BLOCK_CODE:
        is_open_ = false;
        mark_.clear();
        break;
      case MD_BLOCK_TABLE:
        even_out(page_.blocks.back());
        if (has_no_words(page_.blocks.back())) page_.blocks.pop_back();
        break;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD:
        is_in_cell_ = false;
        break;
      default:
        break;
    }
  }

  void enter(MD_SPANTYPE type, void* detail) {
    if (type == MD_SPAN_EM) ++italic_;
    if (type == MD_SPAN_STRONG) ++bold_;
    if (type == MD_SPAN_CODE) ++code_;
    if (type == MD_SPAN_A) link_ = string_of(static_cast<MD_SPAN_A_DETAIL*>(detail)->href);
    if (type == MD_SPAN_IMG && is_in_cell_) is_in_picture_ = true;
    if (type == MD_SPAN_IMG && !is_in_cell_) {
      // Its description follows as text.
      PageBlock& block = begin(PageBlock::Kind::drawing);
      block.text = string_of(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src);
    }
  }
  void leave(MD_SPANTYPE type) {
    if (type == MD_SPAN_EM) --italic_;
    if (type == MD_SPAN_STRONG) --bold_;
    if (type == MD_SPAN_CODE) --code_;
    if (type == MD_SPAN_A) link_.clear();
    if (type == MD_SPAN_IMG && std::exchange(is_in_picture_, false)) return;
    if (type == MD_SPAN_IMG) is_open_ = false;  // what follows is a paragraph of its own
  }

  void text(MD_TEXTTYPE type, std::string_view letters) {
    if (type == MD_TEXT_HTML || is_in_picture_) return;
    if (type == MD_TEXT_NULLCHAR) letters = "\ufffd";
    if (type == MD_TEXT_BR || type == MD_TEXT_SOFTBR) letters = " ";
    if (type == MD_TEXT_ENTITY) letters = letter_of(letters);
    if (is_open_ && page_.blocks.back().kind == PageBlock::Kind::code) {
      page_.blocks.back().text += letters;
      return;
    }
    PageSpan span{.bold = bold_ > 0, .italic = italic_ > 0, .code = code_ > 0, .link = link_};
    PageWords& words = place();
    const bool goes_on = !words.empty() && words.back().bold == span.bold &&
                         words.back().italic == span.italic && words.back().code == span.code &&
                         words.back().link == span.link;
    if (!goes_on) words.push_back(std::move(span));
    words.back().text += letters;
  }

  Page take() {
    std::erase_if(page_.blocks, [](const PageBlock& block) {
      return (block.kind == PageBlock::Kind::paragraph || block.kind == PageBlock::Kind::heading) &&
             plain(block.words).find_first_not_of(' ') == std::string::npos && block.mark.empty();
    });
    return std::move(page_);
  }

 private:
  struct List {
    bool is_numbered = false;
    unsigned next = 1;
  };

  static PageCell::Align align_of(MD_ALIGN align) {
    return align == MD_ALIGN_RIGHT    ? PageCell::Align::right
           : align == MD_ALIGN_CENTER ? PageCell::Align::middle
                                      : PageCell::Align::left;
  }

  // Rows that are too short or too long for the head.
  static void even_out(PageBlock& table) {
    for (auto& row : table.rows) row.resize(table.rows.front().size());
  }

  // A table of pictures, which have no place in one: nothing is left below its head.
  static bool has_no_words(const PageBlock& table) {
    return table.rows.size() > 1 &&
           std::all_of(table.rows.begin() + 1, table.rows.end(), [](const auto& row) {
             return std::all_of(row.begin(), row.end(),
                                [](const PageCell& cell) { return cell.words.empty(); });
           });
  }

  void begin_item() {
    is_open_ = false;
    List& list = lists_.back();
    mark_ = list.is_numbered ? fmt::format("{}.", list.next++) : "\u2022";
  }

  PageBlock& begin(PageBlock::Kind kind) {
    page_.blocks.push_back(
        {.kind = kind, .depth = depth_, .mark = std::exchange(mark_, std::string())});
    is_open_ = true;
    return page_.blocks.back();
  }

  // Where words go: a tight list's item has no paragraph.
  PageWords& place() {
    if (is_in_cell_) return page_.blocks.back().rows.back().back().words;
    if (!is_open_) begin(PageBlock::Kind::paragraph);
    return page_.blocks.back().words;
  }

  Page page_;
  int depth_ = 0;
  std::vector<List> lists_;
  std::string mark_;      // of the item that has begun and has no block yet
  bool is_open_ = false;  // the last block takes words
  bool is_in_cell_ = false;
  bool is_in_picture_ = false;  // of a cell, whose description is left out
  int bold_ = 0;
  int italic_ = 0;
  int code_ = 0;
  std::string link_;
};

Collector& collector_of(void* user) { return *static_cast<Collector*>(user); }

bool ends_sentence(std::string_view text, std::size_t at) {
  return (text[at] == '.' || text[at] == '?' || text[at] == '!') &&
         (at + 1 == text.size() || text[at + 1] == ' ');
}

}  // namespace

Page read_page(std::string_view markdown) {
  Collector collector;
  MD_PARSER parser{};
  parser.flags = MD_DIALECT_GITHUB;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* user) {
    collector_of(user).enter(type, detail);
    return 0;
  };
  parser.leave_block = [](MD_BLOCKTYPE type, void*, void* user) {
    collector_of(user).leave(type);
    return 0;
  };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* user) {
    collector_of(user).enter(type, detail);
    return 0;
  };
  parser.leave_span = [](MD_SPANTYPE type, void*, void* user) {
    collector_of(user).leave(type);
    return 0;
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
    collector_of(user).text(type, {text, size});
    return 0;
  };
  if (md_parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &collector) != 0)
    throw Error("reading a page", "its Markdown cannot be read", "Look at the file");
  return collector.take();
}

std::string plain(const PageWords& words) {
  std::string text;
  for (const PageSpan& span : words) text += span.text;
  return text;
}

std::string anchor_of(const PageWords& heading) {
  std::string anchor;
  for (const char c : plain(heading)) {
    const auto letter = static_cast<unsigned char>(c);
    if (c == ' ')
      anchor += '-';
    else if (std::isalnum(letter) != 0 || c == '-' || c == '_' || letter >= 0x80)
      anchor += static_cast<char>(std::tolower(letter));
  }
  return anchor;
}

std::string Page::title() const {
  for (const PageBlock& block : blocks)
    if (block.kind == PageBlock::Kind::heading) return plain(block.words);
  return {};
}

std::string Page::first_drawing() const {
  for (const PageBlock& block : blocks)
    if (block.kind == PageBlock::Kind::drawing) return block.text;
  return {};
}

PageWords Page::introduction(std::size_t most) const {
  const auto first = std::find_if(blocks.begin(), blocks.end(), [](const PageBlock& block) {
    return block.kind == PageBlock::Kind::paragraph;
  });
  if (first == blocks.end()) return {};
  PageWords words;
  std::size_t sentences = 0;
  for (const PageSpan& span : first->words) {
    PageSpan part = span;
    part.link.clear();
    std::size_t end = 0;
    for (; end < span.text.size() && sentences < most; ++end)
      if (!span.code && ends_sentence(span.text, end)) ++sentences;
    part.text.resize(end);
    if (end > 0) words.push_back(std::move(part));
    if (sentences == most) break;
  }
  return words;
}

}  // namespace warpview
