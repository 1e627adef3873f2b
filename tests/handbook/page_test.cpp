#include "app/handbook/page.h"

#include <gtest/gtest.h>

#include <string>

namespace warpview {
namespace {

using BlockKind = PageBlock::Kind;

TEST(Page, ReadsBlocks) {
  const Page page = read_page(
      "# A *title*\n\nSome words\nin two lines. &lt;b&gt;\n\n- one\n- two\n  1. inner\n\n"
      "> quoted\n\n```cpp\nint x;\n  y();\n```\n\n---\n\n![What it draws](scan.svg)\n");
  EXPECT_EQ(page.title(), "A title");
  EXPECT_EQ(page.first_drawing(), "scan.svg");
  ASSERT_EQ(page.blocks.size(), 9U);
  EXPECT_EQ(page.blocks[0].kind, BlockKind::heading);
  EXPECT_EQ(page.blocks[0].level, 1);
  EXPECT_TRUE(page.blocks[0].words[1].italic);
  EXPECT_EQ(plain(page.blocks[1].words), "Some words in two lines. <b>");
  EXPECT_EQ(page.blocks[2].mark, "\u2022");
  EXPECT_EQ(page.blocks[2].depth, 1);
  EXPECT_EQ(plain(page.blocks[3].words), "two");
  EXPECT_EQ(page.blocks[4].mark, "1.");
  EXPECT_EQ(page.blocks[4].depth, 2);
  EXPECT_EQ(plain(page.blocks[5].words), "quoted");
  EXPECT_EQ(page.blocks[5].depth, 1);
  EXPECT_EQ(page.blocks[6].kind, BlockKind::code);
  EXPECT_EQ(page.blocks[6].text, "int x;\n  y();\n");
  EXPECT_EQ(page.blocks[7].kind, BlockKind::rule);
  EXPECT_EQ(page.blocks[8].kind, BlockKind::drawing);
  EXPECT_EQ(plain(page.blocks[8].words), "What it draws");
}

TEST(Page, ReadsSpans) {
  const Page page = read_page("a **b** `c_d` [e *f*](g.md#h) <https://i.org> j<!-- hidden -->\n");
  ASSERT_EQ(page.blocks.size(), 1U);
  const PageWords expected = {{.text = "a "},
                              {.text = "b", .bold = true},
                              {.text = " "},
                              {.text = "c_d", .code = true},
                              {.text = " "},
                              {.text = "e ", .link = "g.md#h"},
                              {.text = "f", .italic = true, .link = "g.md#h"},
                              {.text = " "},
                              {.text = "https://i.org", .link = "https://i.org"},
                              {.text = " j"}};
  EXPECT_EQ(page.blocks[0].words, expected);
}

TEST(Page, ReadsTables) {
  const Page page =
      read_page("| a | b | c |\n| --- | ---: | :-: |\n| 1 | [x](y) | `z` |\n| only one |\n");
  ASSERT_EQ(page.blocks.size(), 1U);
  const auto& rows = page.blocks[0].rows;
  ASSERT_EQ(rows.size(), 3U);
  for (const auto& row : rows) EXPECT_EQ(row.size(), 3U);
  EXPECT_EQ(plain(rows[0][0].words), "a");
  EXPECT_EQ(rows[1][1].align, PageCell::Align::right);
  EXPECT_EQ(rows[1][2].align, PageCell::Align::middle);
  EXPECT_EQ(rows[1][1].words[0].link, "y");
  EXPECT_TRUE(rows[1][2].words[0].code);
  EXPECT_EQ(plain(rows[2][0].words), "only one");
}

TEST(Page, IntroducesByItsFirstSentences) {
  const Page page = read_page(
      "# T\n\nOne is `x. y`. Two asks [why](a.md)? Three, 2.5 times. Four.\n\nAnother.\n");
  EXPECT_EQ(plain(page.introduction(1)), "One is x. y.");
  EXPECT_EQ(plain(page.introduction(3)), "One is x. y. Two asks why? Three, 2.5 times.");
  EXPECT_EQ(plain(page.introduction(9)), "One is x. y. Two asks why? Three, 2.5 times. Four.");
  for (const PageSpan& span : page.introduction(3)) EXPECT_TRUE(span.link.empty());
  EXPECT_TRUE(read_page("").introduction(3).empty());
}

TEST(Page, HeadingsHaveGitHubsAnchors) {
  EXPECT_EQ(anchor_of({{.text = "Waiting in turn"}}), "waiting-in-turn");
  EXPECT_EQ(anchor_of({{.text = "What `a_b` is, and why?"}}), "what-a_b-is-and-why");
}

TEST(Page, TakesAnything) {
  EXPECT_TRUE(read_page("").blocks.empty());
  EXPECT_TRUE(read_page("<!-- only\na comment -->\n").blocks.empty());
  read_page(std::string("a\0b \xff\xfe [", 9));
  EXPECT_EQ(read_page("[![a](b.svg)](c)\n").first_drawing(), "b.svg");
  read_page("| ![a](b) |\n| --- |\n| ![c](d) |\n");
  read_page(std::string(3000, '>') + " deep\n");
  read_page(std::string(3000, '[') + std::string(3000, '*'));
  read_page("1. - 2. - a\n");
  read_page("- ```\n  x\n");
}

}  // namespace
}  // namespace warpview
