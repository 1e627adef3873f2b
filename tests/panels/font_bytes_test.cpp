// Font files that are not what they say are refused before ImGui sees them.
#include "app/panels/font_bytes.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "tests/panels/made_font.h"

namespace warpview {
namespace {

constexpr std::array<char32_t, 2> letters = {0x4e2d, 0x4e2f};

FontTables tables() { return made_tables(letters); }
// With one table as given.
std::string font_with(const char* name, const std::string& table) {
  FontTables changed = tables();
  changed[name] = table;
  return face_of(changed);
}
std::string font_without(const char* name) {
  FontTables fewer = tables();
  fewer.erase(name);
  return face_of(fewer);
}
std::string put(std::string bytes, std::size_t at, const std::string& other) {
  return bytes.replace(at, other.size(), other);
}

bool is_drawn(const std::string& font, int face, ImWchar letter) {
  ImFontAtlas atlas;
  ImFontConfig config;
  config.FontNo = face;
  const std::array<ImWchar, 3> range = {letter, letter, 0};
  const ImFont* const made = add_font(atlas, font, 20.0F, config, range.data());
  const ImFontGlyph* const glyph = atlas.Build() ? made->FindGlyphNoFallback(letter) : nullptr;
  return glyph != nullptr && glyph->X1 - glyph->X0 > 5.0F;
}

TEST(FontBytes, OfAWholeFontAreDrawn) {
  const std::string font = face_of(tables());
  ASSERT_TRUE(can_be_read(font, 0));
  EXPECT_TRUE(has_glyph(font, 0, 0x4e2d));
  EXPECT_TRUE(has_glyph(font, 0, 0x4e2f));
  EXPECT_FALSE(has_glyph(font, 0, 0x4e2e));
  EXPECT_TRUE(is_drawn(font, 0, 0x4e2d));
}

TEST(FontBytes, OfACollectionHaveAsManyFacesAsItSays) {
  const std::array<char32_t, 1> other = {0x5000};
  const std::string fonts = collection_of({tables(), made_tables(other)});
  EXPECT_TRUE(can_be_read(fonts, 0));
  ASSERT_TRUE(can_be_read(fonts, 1));
  EXPECT_FALSE(can_be_read(fonts, 2));
  EXPECT_FALSE(can_be_read(fonts, -1));
  EXPECT_FALSE(can_be_read(put(fonts, 8, four_bytes(1)), 1)) << "more offsets than faces";
  EXPECT_FALSE(has_glyph(fonts, 0, 0x5000));
  EXPECT_TRUE(has_glyph(fonts, 1, 0x5000));
  EXPECT_TRUE(is_drawn(fonts, 1, 0x5000));
  EXPECT_FALSE(can_be_read(put(fonts, 4, four_bytes(0x00030000)), 0)) << "of another version";
  EXPECT_FALSE(can_be_read(put(fonts, 12, four_bytes(0x7fffffff)), 0)) << "a face outside";
  EXPECT_FALSE(can_be_read(put(fonts, 12, four_bytes(2)), 0)) << "no face";
  EXPECT_FALSE(can_be_read(put(fonts, 8, four_bytes(0xffffffff)), 0x7fffffff));
  EXPECT_FALSE(can_be_read(face_of(tables()), 1)) << "no collection";
}

TEST(FontBytes, OfOtherFilesAreRefused) {
  const std::string font = face_of(tables());
  EXPECT_FALSE(can_be_read("", 0));
  EXPECT_FALSE(can_be_read("no font", 0));
  EXPECT_FALSE(can_be_read(put(font, 0, "wOF2"), 0));
  EXPECT_TRUE(can_be_read(put(font, 0, "true"), 0));
}

TEST(FontBytes, ThatAreCutAreRefused) {
  const std::string font = face_of(tables());
  for (std::size_t length = 0; length < font.size(); ++length)
    EXPECT_FALSE(can_be_read(font.substr(0, length), 0)) << length;
}

TEST(FontBytes, MustHaveAllTables) {
  for (const char* name : {"cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp"})
    EXPECT_FALSE(can_be_read(font_without(name), 0)) << name;
  for (const auto& [name, table] : tables())
    EXPECT_FALSE(can_be_read(font_with(name.c_str(), table.substr(0, table.size() - 1)), 0))
        << name << " is too short";
}

TEST(FontBytes, HaveTablesInsideTheFile) {
  const std::string font = face_of(tables());
  for (std::size_t i = 0; i < tables().size(); ++i) {
    const std::size_t record = 12 + 16 * i;
    const std::string name = font.substr(record, 4);
    for (const std::uint32_t far : {0U, 0x01000000U, 0x7fffffffU, 0xfffffff0U})
      EXPECT_FALSE(can_be_read(put(font, record + 8, four_bytes(far)), 0)) << name << far;
    EXPECT_FALSE(can_be_read(put(font, record + 12, four_bytes(0xffffffff)), 0)) << name;
  }
  EXPECT_FALSE(can_be_read(put(font, 4, two_bytes(0xffff)), 0)) << "more tables than there are";
}

TEST(FontBytes, HaveOutlinesOfOneOfTwoKinds) {
  FontTables postscript = tables();
  postscript.erase("glyf");
  postscript.erase("loca");
  postscript["CFF "] = std::string("\1\0\4\1", 4);
  EXPECT_TRUE(can_be_read(face_of(postscript), 0));
  const std::string font = face_of(postscript);  // "CFF " is the first table
  EXPECT_FALSE(can_be_read(put(font, 12 + 8, four_bytes(0x01000000)), 0));
}

TEST(FontBytes, HaveGlyphsInsideTheirTable) {
  const std::string whole = tables()["loca"];
  EXPECT_FALSE(can_be_read(font_with("loca", put(whole, 8, four_bytes(1000))), 0));
  EXPECT_FALSE(can_be_read(font_with("loca", put(whole, 4, four_bytes(0xffff0000))), 0));
  EXPECT_FALSE(can_be_read(font_with("head", put(tables()["head"], 50, two_bytes(2))), 0));
  EXPECT_FALSE(can_be_read(font_with("maxp", put(tables()["maxp"], 4, two_bytes(3))), 0));
}

TEST(FontBytes, HaveAHeight) {
  const std::string lines = tables()["hhea"];
  EXPECT_FALSE(can_be_read(font_with("hhea", put(lines, 6, two_bytes(800))), 0));
  EXPECT_FALSE(can_be_read(font_with("hhea", put(lines, 34, two_bytes(0))), 0));
}

TEST(FontBytes, HaveAMapThatIsUnderstood) {
  const std::string map = tables()["cmap"];
  const auto with = [&map](std::size_t at, const std::string& other) {
    return can_be_read(font_with("cmap", put(map, at, other)), 0);
  };
  EXPECT_FALSE(with(4, two_bytes(1))) << "of no Unicode";
  EXPECT_FALSE(with(8, four_bytes(1000))) << "outside";
  EXPECT_FALSE(with(12, two_bytes(2)));
  EXPECT_FALSE(with(12, two_bytes(14)));
  EXPECT_FALSE(with(24, four_bytes(3))) << "more groups than there are";
  EXPECT_FALSE(with(24, four_bytes(0xffffffff)));
}

// From one segment of letters to glyphs in a list, and the segment that ends all.
std::string map_of_segments(std::uint32_t first, std::uint32_t last, std::uint32_t list,
                            std::uint32_t search_range = 4) {
  std::string map = two_bytes(0) + two_bytes(1) + two_bytes(3) + two_bytes(1) + four_bytes(12);
  for (const std::uint32_t x : {4U, 36U, 0U, 4U}) map += two_bytes(x);
  for (const std::uint32_t x :
       {search_range, 1U, 0U, last, 0xffffU, 0U, first, 0xffffU, 0U, 1U, list, 0U, 1U, 1U})
    map += two_bytes(x);
  return map;
}

TEST(FontBytes, HaveSegmentsOfLettersInsideTheirMap) {
  const auto with = [](const std::string& map) { return font_with("cmap", map); };
  const std::string whole = with(map_of_segments(0x4e2d, 0x4e2e, 4));
  ASSERT_TRUE(can_be_read(whole, 0));
  EXPECT_TRUE(has_glyph(whole, 0, 0x4e2d));
  EXPECT_TRUE(has_glyph(whole, 0, 0x4e2e));
  EXPECT_FALSE(has_glyph(whole, 0, 0x4e2f));
  EXPECT_FALSE(can_be_read(with(map_of_segments(0x4e2d, 0x4e2f, 4)), 0)) << "one too many";
  EXPECT_FALSE(can_be_read(with(map_of_segments(0x4e2d, 0x4e2e, 0xfff0)), 0)) << "a list outside";
  EXPECT_FALSE(can_be_read(with(map_of_segments(0x4e2d, 0x4e2e, 4, 0xfffe)), 0));
  const std::string many = put(map_of_segments(0x4e2d, 0x4e2e, 4), 18, two_bytes(0xfffe));
  EXPECT_FALSE(can_be_read(with(many), 0)) << "more segments than there are";
}

TEST(FontBytes, NameGlyphsThatAreThere) {
  const std::string map = tables()["cmap"];
  const std::string font = font_with("cmap", put(map, 28 + 8, four_bytes(2)));
  ASSERT_TRUE(can_be_read(font, 0));
  EXPECT_FALSE(has_glyph(font, 0, 0x4e2d)) << "of two glyphs, the third";
}

// Whatever is said in place of what a font says: it is refused, or can be asked for its letters.
TEST(FontBytes, OfChanceDoNoHarm) {
  std::mt19937 chance(7);
  const std::string font = face_of(tables());
  int refused = 0;
  constexpr int fonts = 20'000;
  for (int i = 0; i < fonts; ++i) {
    std::string changed = font;
    for (int bytes = 1 + static_cast<int>(chance() % 4); bytes > 0; --bytes)
      changed[chance() % font.size()] = static_cast<char>(chance());
    if (can_be_read(changed, 0))
      has_glyph(changed, 0, 0x4e2d);
    else
      ++refused;
  }
  EXPECT_GT(refused, fonts / 10);
  EXPECT_LT(refused, fonts);
  for (int i = 0; i < 1000; ++i) {
    std::string noise(chance() % 2000, '\0');
    for (char& byte : noise) byte = static_cast<char>(chance());
    EXPECT_FALSE(can_be_read(noise, 0));
    EXPECT_FALSE(can_be_read("ttcf" + noise, 0));
    EXPECT_FALSE(can_be_read(four_bytes(0x00010000) + noise, 0));
  }
}

TEST(FontBytes, AreNotCopied) {
  const std::string font = face_of(tables());
  ImFontAtlas atlas;
  const std::array<ImWchar, 3> range = {0x4e2d, 0x4e2d, 0};
  const ImFont* const made = add_font(atlas, font, 10.0F, ImFontConfig(), range.data());
  ASSERT_EQ(atlas.ConfigData.size(), 1);
  EXPECT_EQ(atlas.ConfigData[0].FontData, font.data());
  EXPECT_FALSE(atlas.ConfigData[0].FontDataOwnedByAtlas);
  ASSERT_TRUE(atlas.Build());
  EXPECT_NE(made->FindGlyphNoFallback(0x4e2d), nullptr);
}

}  // namespace
}  // namespace warpview
