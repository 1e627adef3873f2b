#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/handbook/handbook.h"
#include "app/handbook/page_layout.h"
#include "guide_file.h"
#include "handbook_file.h"

namespace warpview {
namespace {

constexpr float em = 10.0F;

// Every letter is half as wide as high.
PageSurface surface(float width, Handbook* handbook = nullptr) {
  return {.width = width,
          .em = em,
          .text_width =
              [](PageFont, float size, std::string_view words) {
                const auto letters = std::count_if(words.begin(), words.end(), [](char c) {
                  return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
                });
                return 0.5F * size * static_cast<float>(letters);
              },
          .figure =
              [handbook](const std::string& file) {
                return handbook != nullptr ? handbook->figure(file) : nullptr;
              }};
}

std::string letters_of(std::string_view text) {
  std::string letters;
  for (const char c : text)
    if (c != ' ' && c != '\n') letters += c;
  return letters;
}

std::vector<std::string> lines_of(const PageLayout& layout) {
  std::vector<std::string> lines;
  float y = -1.0F;
  for (const PageLayout::Words& words : layout.words) {
    if (lines.empty() || std::abs(words.at.y - y) > 0.3F * em) lines.emplace_back();
    y = words.at.y;
    lines.back() += words.text;
  }
  return lines;
}

PageLayout laid_out(const std::string& markdown, float width) {
  return lay_out(read_page(markdown), surface(width));
}

TEST(PageLayout, BreaksLinesAtBlanks) {
  const PageLayout layout = laid_out("aaaa bbb **cc**dd ee\n", 60.0F);  // 12 letters
  EXPECT_EQ(lines_of(layout), (std::vector<std::string>{"aaaa bbb", "ccdd ee"}));
  EXPECT_EQ(layout.words[1].font, PageFont::bold);
  EXPECT_EQ(layout.words[1].at.x, 0.0F) << "words that no blank parts stay together";
  EXPECT_EQ(layout.words[2].at.x, 10.0F);
}

TEST(PageLayout, CutsWordsThatNoLineHolds) {
  const PageLayout layout = laid_out("aa bbbbbbbbbbbb\n", 25.0F);  // 5 letters
  EXPECT_EQ(letters_of(layout.words[0].text), "aa");
  for (const PageLayout::Words& words : layout.words)
    EXPECT_LE(words.at.x + words.width, 25.0F + 1e-3F);
  EXPECT_GE(lines_of(layout).size(), 4U);
  // However narrow it is, there is an end.
  EXPECT_FALSE(laid_out("\u00e4\u00e4 bbb `c` | d |\n", 0.0F).words.empty());
}

TEST(PageLayout, CodeHasOneGroundForAllItsWords) {
  const PageLayout layout = laid_out("x `a b c` y\n", 500.0F);
  ASSERT_EQ(layout.boxes.size(), 1U);
  const auto code = std::find_if(layout.words.begin(), layout.words.end(),
                                 [](const auto& words) { return words.font == PageFont::mono; });
  EXPECT_EQ(code->text, "a b c");
  EXPECT_NEAR(layout.boxes[0].box.width, code->width, 0.3F * em);
}

TEST(PageLayout, LinksKeepTheirTargetsOverLines) {
  const PageLayout layout = laid_out("see [one two three](a.md) and [b](c.md)\n", 45.0F);
  ASSERT_EQ(layout.links, (std::vector<std::string>{"a.md", "c.md"}));
  std::string of_first;
  for (const PageLayout::Words& words : layout.words)
    if (words.link == 0) of_first += words.text;
  EXPECT_EQ(letters_of(of_first), "onetwothree");
}

TEST(PageLayout, TablesShareTheWidth) {
  const std::string table =
      "| name | what it does |\n| --- | ---: |\n| a | some words that are long |\n| bb | 7 |\n";
  const PageLayout wide = laid_out(table, 1000.0F);
  const auto find = [](const PageLayout& in, const std::string& text) {
    for (const PageLayout::Words& words : in.words)
      if (words.text == text) return words;
    ADD_FAILURE() << text;
    return PageLayout::Words{};
  };
  const PageLayout::Words seven = find(wide, "7");
  const PageLayout::Words cell = find(wide, "some words that are long");
  EXPECT_NEAR(seven.at.x + seven.width, cell.at.x + cell.width, 2.0F) << "to the right";
  EXPECT_LT(wide.width, 200.0F) << "no wider than its words";
  const PageLayout narrow = laid_out(table, 100.0F);
  EXPECT_LE(narrow.width, 100.0F);
  EXPECT_GT(narrow.height, wide.height);
}

TEST(PageLayout, HeadingsCanBeFound) {
  const PageLayout layout = laid_out("# A\n\nwords\n\n## Two parts\n\nmore\n", 300.0F);
  ASSERT_TRUE(layout.place_of("two-parts"));
  EXPECT_GT(*layout.place_of("two-parts"), *layout.place_of("a"));
  EXPECT_FALSE(layout.place_of("three"));
}

TEST(PageLayout, SaysWhichDrawingIsMissing) {
  const PageLayout layout = laid_out("![A tree](no.svg)\n", 600.0F);
  EXPECT_TRUE(layout.drawings.empty());
  EXPECT_NE(lines_of(layout).front().find("no.svg"), std::string::npos);
}

// Screenshots are not part of the program: their descriptions alone would explain nothing.
TEST(PageLayout, LeavesScreenshotsOut) {
  const PageLayout layout = laid_out(
      "words\n\n![A panel](panel.png)\n\n| one | two |\n| --- | --- |\n"
      "| ![A panel](a.png) | ![A panel](b.png) |\n\nmore\n",
      600.0F);
  EXPECT_EQ(lines_of(layout), (std::vector<std::string>{"words", "more"}));
  EXPECT_TRUE(layout.boxes.empty()) << "rules of a table";
}

// Else it could be scrolled sideways by a pixel or two.
TEST(PageLayout, ATableThatIsBrokenIsNoWiderThanThePage) {
  constexpr float width = 100.0F;
  const std::string cell = " many words in a cell |";
  const PageLayout layout =
      laid_out("|" + cell + cell + "\n| --- | --- |\n|" + cell + cell + "\n", width);
  EXPECT_LE(layout.width, width);
}

bool overlap(const PageLayout::Words& a, const PageLayout::Words& b) {
  constexpr float slack = 0.05F * em;
  return a.at.x + slack < b.at.x + b.width && b.at.x + slack < a.at.x + a.width &&
         a.at.y + slack < b.at.y + b.size && b.at.y + slack < a.at.y + a.size;
}

std::string letters_of(const PageBlock& block, bool has_drawing) {
  std::string letters = letters_of(block.mark);
  if (block.kind == PageBlock::Kind::code) letters += letters_of(block.text);
  const bool is_drawn = has_drawing && block.text.ends_with(".svg");
  const bool is_screenshot =
      block.kind == PageBlock::Kind::drawing && !block.text.ends_with(".svg");
  if ((block.kind != PageBlock::Kind::drawing || !is_drawn) && !is_screenshot)
    letters += letters_of(plain(block.words));
  for (const auto& row : block.rows)
    for (const PageCell& cell : row) letters += letters_of(plain(cell.words));
  return letters;
}

// Every letter of every page is there, nothing lies over something else, and nothing is wider than
// the page says.
TEST(PageLayout, EveryPageOfTheHandbookIsThere) {
  Handbook handbook;
  std::vector<std::string_view> names(handbook_file_names().begin(), handbook_file_names().end());
  names.insert(names.end(), guide_file_names().begin(), guide_file_names().end());
  for (const std::string_view name : names) {
    if (!name.ends_with(".md")) continue;
    const Page* const page = handbook.page(std::string(name));
    ASSERT_NE(page, nullptr) << name;
    std::string wanted;
    for (const PageBlock& block : page->blocks) wanted += letters_of(block, true);
    for (const float width : {250.0F, 560.0F, 1600.0F}) {
      const PageLayout layout = lay_out(*page, surface(width, &handbook));
      std::string shown;
      for (const PageLayout::Words& words : layout.words) shown += letters_of(words.text);
      ASSERT_TRUE(shown == wanted) << name << " at " << width;
      for (std::size_t i = 0; i < layout.words.size(); ++i) {
        const PageLayout::Words& words = layout.words[i];
        ASSERT_LE(words.at.x + words.width, layout.width + 0.5F) << name << ' ' << words.text;
        ASSERT_LE(words.at.y + words.size, layout.height + 0.5F) << name << ' ' << words.text;
        // Those nearby; all pairs take too long.
        for (std::size_t k = i + 1; k < std::min(i + 60, layout.words.size()); ++k)
          ASSERT_FALSE(overlap(words, layout.words[k]))
              << name << " at " << width << ": " << words.text << " / " << layout.words[k].text;
      }
      for (const PageLayout::Drawing& drawing : layout.drawings) {
        EXPECT_LE(drawing.box.right(), width + 0.5F) << name;
        for (const PageLayout::Words& words : layout.words)
          ASSERT_TRUE(words.at.y + words.size <= drawing.box.y + 0.5F ||
                      words.at.y >= drawing.box.bottom() - 0.5F)
              << name << ' ' << words.text;
      }
    }
  }
}

}  // namespace
}  // namespace warpview
