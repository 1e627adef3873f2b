// Letters that are met get glyphs: of our own fonts, else of others, which are the machine's or
// made for the test.
#include "app/panels/letters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/panels/code_view.h"
#include "app/panels/imgui_layer.h"
#include "app/panels/style.h"
#include "app/panels/widgets.h"
#include "app/render/framebuffer.h"
#include "tests/panels/made_font.h"
#include "tests/panels/panel_test.h"
#include "tests/panels/temporary_folder.h"
#include "tests/render/gl_test.h"

namespace warpview {
namespace {

constexpr ImWchar middle = 0x4e2d;                   // of "China" in Chinese
constexpr const char* middle_utf8 = "\xe4\xb8\xad";  // the same in UTF-8
constexpr ImWchar georgian = 0x10d0;                 // which DejaVu Sans has in all cuts
constexpr const char* georgian_utf8 = "\xe1\x83\x90";

std::vector<std::pair<const char*, ImFont*>> cuts(const Fonts& fonts) {
  return {{"regular", fonts.regular},
          {"bold", fonts.bold},
          {"small", fonts.small},
          {"mono", fonts.mono}};
}

bool has(const ImFont* font, ImWchar letter) {
  return font->FindGlyphNoFallback(letter) != nullptr;
}

TEST(Letters, OfEuropeAreInEveryCut) {
  ImFontAtlas atlas;
  const Fonts fonts = load_fonts(atlas, 1.0F, 1.0F);
  ASSERT_TRUE(atlas.Build());
  if (!has(fonts.regular, 0x0416)) GTEST_SKIP() << "built without DejaVu Sans";
  struct Script {
    const char* name;
    ImWchar first, last;
  };
  for (const Script& script :
       {Script{"Latin", 0x20, 0x7e}, Script{"Latin-1", 0xa1, 0xff},
        Script{"Latin Extended-A", 0x100, 0x17f}, Script{"Greek capitals", 0x391, 0x3a1},
        Script{"Greek", 0x3a3, 0x3ce}, Script{"Cyrillic", 0x400, 0x45f}})
    for (int letter = script.first; letter <= script.last; ++letter)
      for (const auto& [cut, font] : cuts(fonts))
        EXPECT_TRUE(has(font, static_cast<ImWchar>(letter)))
            << script.name << " U+" << std::hex << letter << " in " << cut;
}

// Letters that DejaVu Sans Mono lacks: in program text they are those of the other cuts.
TEST(Letters, ThatACutLacksAreOfTheRegularOne) {
  constexpr ImWchar hebrew = 0x05d0;
  MoreLetters more;
  more.letters = {0x20, 0x7e, hebrew, hebrew, 0};
  ImFontAtlas atlas;
  const Fonts fonts = load_fonts(atlas, 1.0F, 1.0F, more);
  ASSERT_TRUE(atlas.Build());
  if (!has(fonts.regular, hebrew)) GTEST_SKIP() << "built without DejaVu Sans";
  for (const auto& [cut, font] : cuts(fonts)) EXPECT_TRUE(has(font, hebrew)) << cut;
  EXPECT_EQ(fonts.mono->FindGlyph('i')->AdvanceX, fonts.mono->FindGlyph('W')->AdvanceX)
      << "what it has stays its own";
}

std::optional<FontFile> no_font(char32_t /*letter*/, const AcceptFont& /*accept*/) { return {}; }

TEST(Letters, ThatAreUsualAreNoNews) {
  Letters letters(no_font, {0x20, 0x17f, 0x370, 0x52f, 0x2190, 0x2199, 0});
  letters.meet("Plain, \xc3\xa4\xc3\xb6 \xce\xb1\xce\xb2 \xd0\x96 \xe2\x86\x92");
  letters.meet("no UTF-8: \xff\xfe \xe4\xb8");
  letters.meet("\xf0\x9f\x98\x80 needs more than 16 bits");
  EXPECT_FALSE(letters.has_news());
  EXPECT_FALSE(letters.take());
  letters.meet(middle_utf8);
  EXPECT_TRUE(letters.has_news());
  EXPECT_TRUE(letters.take());
  letters.meet(middle_utf8);
  EXPECT_FALSE(letters.take()) << "there is room for it";
}

TEST(Letters, GoToNobodyWhereNobodyCollectsThem) {
  { const Letters letters(no_font); }
  meet_with_item(middle_utf8);
}

std::string as_utf8(ImWchar letter) {
  return {static_cast<char>(0xe0U | (letter >> 12U)),
          static_cast<char>(0x80U | ((letter >> 6U) & 0x3fU)),
          static_cast<char>(0x80U | (letter & 0x3fU))};
}

bool is_among(const Letters& letters, ImWchar letter) {
  const std::vector<ImWchar>& ranges = letters.more().letters;
  for (std::size_t i = 0; i + 1 < ranges.size(); i += 2)
    if (letter >= ranges[i] && letter <= ranges[i + 1]) return true;
  return false;
}

TEST(Letters, ThatWereSeenLongAgoMakeRoom) {
  Letters letters(no_font, usual_letters(), 10);
  const auto see = [&letters](ImWchar first, ImWchar last) {
    for (ImWchar letter = first; letter <= last; ++letter) letters.meet(as_utf8(letter));
    return letters.take();
  };
  EXPECT_TRUE(see(0x4e00, 0x4e07));
  EXPECT_TRUE(see(0x5000, 0x5004));
  EXPECT_TRUE(is_among(letters, 0x5004));
  EXPECT_TRUE(is_among(letters, 0x4e00));
  EXPECT_FALSE(is_among(letters, 0x4e07)) << "there is room for five of these";
  EXPECT_FALSE(see(0x5000, 0x5004));
  // More than there is room for, frame after frame, do not ask for fonts in each.
  EXPECT_TRUE(see(0x6000, 0x6014));
  for (int frame = 0; frame < 3; ++frame) EXPECT_FALSE(see(0x6000, 0x6014));
}

// Files of fonts, of which those are found whose names have the letter's number in them: in the
// order of their names.
class FoundLetters : public testing::Test {
 protected:
  void file(std::string_view name, std::string_view bytes) const { folder_.write(name, bytes); }
  std::optional<FontFile> find(char32_t letter, const AcceptFont& accept) {
    ++asked_;
    std::vector<std::string> names;
    for (const auto& each : std::filesystem::directory_iterator(folder_.path()))
      names.push_back(each.path().filename());
    std::sort(names.begin(), names.end());
    for (const std::string& name : names)
      for (const int face : {face_, 0}) {
        FontFile font{folder_.path() / name, face};
        if (name.find(std::to_string(letter)) != std::string::npos && accept(font)) return font;
      }
    return {};
  }
  // As between frames. True when fonts were made for the sake of new letters.
  bool make_fonts() {
    if (!letters_.take()) return false;
    const auto make = [this] {
      atlas_.Clear();
      fonts_ = load_fonts(atlas_, 1.0F, 1.0F, letters_.more());
      EXPECT_TRUE(atlas_.Build());
    };
    make();
    if (letters_.look_for_fonts(*fonts_.regular)) make();
    return true;
  }
  bool see(ImWchar letter) {
    letters_.meet(as_utf8(letter));
    return make_fonts();
  }
  bool is_drawn(ImWchar letter) const { return has(fonts_.regular, letter); }
  std::vector<std::string> files_in_use() const {
    std::vector<std::string> names;
    for (const MoreLetters::Source& source : letters_.more().sources)
      names.push_back(std::filesystem::path(source.font.path).filename());
    return names;
  }

  TemporaryFolder folder_;
  int asked_ = 0;
  int face_ = 0;  // that is tried first
  Letters letters_{
      [this](char32_t letter, const AcceptFont& accept) { return find(letter, accept); }};
  ImFontAtlas atlas_;
  Fonts fonts_;
};

using Names = std::vector<std::string>;

TEST_F(FoundLetters, AreDrawnInEveryCut) {
  file("20013 20015", made_font({20013, 20015}));
  EXPECT_TRUE(see(20013));
  for (const auto& [cut, font] : cuts(fonts_)) EXPECT_TRUE(has(font, 20013)) << cut;
  EXPECT_TRUE(see(20015));
  EXPECT_TRUE(is_drawn(20013));
  EXPECT_TRUE(is_drawn(20015));
  EXPECT_FALSE(is_drawn(20014)) << "between them, and never met";
  ASSERT_EQ(letters_.more().sources.size(), 1U);
  EXPECT_EQ(letters_.more().sources[0].letters, (LetterRanges{20013, 20013, 20015, 20015, 0}));
}

TEST_F(FoundLetters, HaveTheFacesOfACollection) {
  face_ = 1;
  const std::array<char32_t, 1> other = {U'x'};
  const std::array<char32_t, 1> this_one = {20013};
  file("20013", collection_of({made_tables(other), made_tables(this_one)}));
  EXPECT_TRUE(see(20013));
  EXPECT_TRUE(is_drawn(20013));
}

TEST_F(FoundLetters, AreOfTheNextFontWhereOneIsRefused) {
  file("1 of 20013", "no font");
  file("2 of 20013", made_font({20013}).substr(0, 200));
  file("3 of 20013", made_font({20013}));
  face_ = 5;  // which none has
  EXPECT_TRUE(see(20013));
  EXPECT_TRUE(is_drawn(20013));
  EXPECT_EQ(files_in_use(), Names{"3 of 20013"});
}

TEST_F(FoundLetters, AreOfTheNextFontWhereOneLacksThem) {
  file("1 of 20013 20014", made_font({20013}));
  file("2 of 20013 20014", made_font({20014}));
  EXPECT_TRUE(see(20013));
  EXPECT_TRUE(see(20014));
  EXPECT_TRUE(is_drawn(20013));
  EXPECT_TRUE(is_drawn(20014));
  EXPECT_EQ(files_in_use(), (Names{"1 of 20013 20014", "2 of 20013 20014"}));
}

TEST_F(FoundLetters, AreNotOfAFontThatWasRefusedOnce) {
  file("20013 20014", "no font");
  EXPECT_TRUE(see(20013));
  file("20013 20014", made_font({20013, 20014}));
  EXPECT_TRUE(see(20014));
  EXPECT_FALSE(is_drawn(20014));
  EXPECT_EQ(files_in_use(), Names{});
}

TEST_F(FoundLetters, AreAskedForOnce) {
  file("20013", made_font({20013}));
  EXPECT_TRUE(see(20013));
  EXPECT_TRUE(see(20014));
  EXPECT_EQ(asked_, 2);
  EXPECT_TRUE(see(20015));
  EXPECT_EQ(asked_, 3) << "20014 is in no font, and 20013 has one";
  EXPECT_FALSE(make_fonts());
}

TEST_F(FoundLetters, AreReadOnce) {
  file("20013 20014", made_font({20013, 20014}));
  EXPECT_TRUE(see(20013));
  file("20013 20014", "no font any more");
  EXPECT_TRUE(see(20014));
  EXPECT_TRUE(is_drawn(20013));
  EXPECT_TRUE(is_drawn(20014));
}

TEST_F(FoundLetters, LeaveTheirFilesInOnePlace) {
  file("20013", made_font({20013}));
  EXPECT_TRUE(see(20013));
  ASSERT_EQ(letters_.more().sources.size(), 1U);
  const char* const bytes = letters_.more().sources[0].file->data();
  const auto cuts_with_it =
      std::count_if(atlas_.ConfigData.begin(), atlas_.ConfigData.end(),
                    [bytes](const ImFontConfig& each) { return each.FontData == bytes; });
  EXPECT_GE(cuts_with_it, 2) << "ImGui makes no copy for any of them";
}

// As where the program was built without fonts of its own.
TEST_F(FoundLetters, AreWhateverOurFontsLack) {
  file("1046", made_font({1046}));
  Letters letters(
      [this](char32_t letter, const AcceptFont& accept) { return find(letter, accept); },
      {0x20, 0xff, 0});
  letters.meet("\xd0\x96");  // U+0416, which is number 1046
  ASSERT_TRUE(letters.take());
  ImFontAtlas atlas;
  const ImFont* const plain = atlas.AddFontDefault();
  ASSERT_TRUE(atlas.Build());
  EXPECT_TRUE(letters.look_for_fonts(*plain));
  ASSERT_EQ(letters.more().sources.size(), 1U);
  EXPECT_EQ(letters.more().sources[0].letters, (LetterRanges{1046, 1046, 0}));
}

TEST(Letters, TakeNoMoreOfATextureThanTheyNeed) {
  ImFontAtlas atlas;
  load_fonts(atlas, 1.0F, 1.0F);
  ASSERT_TRUE(atlas.Build());
  const int height = atlas.TexHeight;
  atlas.Flags &= ~ImFontAtlasFlags_NoPowerOfTwoHeight;
  ASSERT_TRUE(atlas.Build());
  EXPECT_LT(height, atlas.TexHeight);
}

bool any_font(const FontFile& /*font*/) { return true; }

class LettersOnScreen : public GlTest {
 protected:
  void frame() {
    layer_.set_display(320, 120, 1.0 / 60.0);
    layer_.begin_frame();
    ImGui::SetNextWindowPos({0.0F, 0.0F});
    ImGui::SetNextWindowSize({320.0F, 120.0F});
    ImGui::Begin("words");
    text(words_);
    ImGui::End();
    whole_.bind();
    layer_.end_frame();
  }
  // How many pixels are as bright as text.
  int ink() {
    const Picture picture = whole_.read_back();
    int bright = 0;
    for (std::size_t i = 0; i < picture.rgba.size(); i += 4)
      bright += picture.rgba[i] > 120 ? 1 : 0;
    return bright;
  }

  Framebuffer whole_{320, 120, 1};
  ImguiLayer layer_;
  std::string words_;
};

TEST_F(LettersOnScreen, ThatOurFontsHaveAreDrawnInTheNextFrame) {
  frame();
  if (!has(layer_.fonts().regular, 0x0416)) GTEST_SKIP() << "built without DejaVu Sans";
  ASSERT_FALSE(has(layer_.fonts().regular, georgian));
  words_ = georgian_utf8;
  frame();
  EXPECT_TRUE(layer_.has_new_letters());
  frame();
  EXPECT_FALSE(layer_.has_new_letters());
  for (const auto& [cut, font] : cuts(layer_.fonts())) EXPECT_TRUE(has(font, georgian)) << cut;
}

TEST_F(LettersOnScreen, OfProgramTextAreMetToo) {
  const Code code = tinted(std::string("// ") + georgian_utf8 + "\n", Language::kernel);
  CodeView view;
  const auto pane = [&] {
    layer_.set_display(320, 120, 1.0 / 60.0);
    layer_.begin_frame();
    ImGui::SetNextWindowPos({0.0F, 0.0F});
    ImGui::SetNextWindowSize({320.0F, 120.0F});
    ImGui::Begin("words");
    draw_code("code", code, layer_.fonts(), view);
    ImGui::End();
    whole_.bind();
    layer_.end_frame();
  };
  for (int n = 0; n < 3; ++n) pane();
  if (!has(layer_.fonts().regular, 0x0416)) GTEST_SKIP() << "built without DejaVu Sans";
  EXPECT_TRUE(has(layer_.fonts().mono, georgian));
}

TEST_F(LettersOnScreen, OutOfSightDoNotCount) {
  layer_.set_display(320, 120, 1.0 / 60.0);
  layer_.begin_frame();
  ImGui::SetNextWindowPos({0.0F, 0.0F});
  ImGui::SetNextWindowSize({320.0F, 120.0F});
  ImGui::Begin("words");
  ImGui::SetCursorPosY(2000.0F);
  text(middle_utf8);
  ImGui::End();
  whole_.bind();
  layer_.end_frame();
  EXPECT_FALSE(layer_.has_new_letters());
}

TEST_F(LettersOnScreen, ThatAFontOfTheMachineHasAreDrawn) {
  if (!MachineFonts().with(middle, any_font))
    GTEST_SKIP() << "no font of this machine has Chinese letters, or fontconfig is not built in";
  words_ = middle_utf8;
  frame();
  const int before = ink();
  frame();
  for (const auto& [cut, font] : cuts(layer_.fonts())) EXPECT_TRUE(has(font, middle)) << cut;
  EXPECT_NE(ink(), before) << "instead of the mark of what is missing";
  EXPECT_EQ(layer_.fonts().regular->FindGlyph(' ')->Codepoint, static_cast<unsigned>(' '));
}

TEST_F(LettersOnScreen, ThatNoFontHasAreReplacedAndAskedForOnce) {
  constexpr const char* unassigned = "\xe2\xbf\xa0";  // U+2FE0
  if (MachineFonts().with(0x2fe0, any_font)) GTEST_SKIP() << "a font has what Unicode has not";
  words_ = unassigned;
  frame();
  frame();
  EXPECT_FALSE(has(layer_.fonts().regular, 0x2fe0));
  EXPECT_FALSE(layer_.has_new_letters());
  EXPECT_GT(ink(), 0);
}

TEST(MachineFonts, FindOneThatHasTheLetter) {
#if !defined(WARPVIEW_HAS_FONTCONFIG)
  GTEST_SKIP() << "fontconfig is not built in";
#else
  MachineFonts fonts;
  const auto plain = fonts.with(U'a', any_font);
  if (!plain) GTEST_SKIP() << "this machine has no fonts";
  EXPECT_TRUE(std::filesystem::is_regular_file(plain->path));
  EXPECT_FALSE(fonts.with(0x10ffff, any_font)) << "which is no letter";
  const auto other = fonts.with(U'a', [&](const FontFile& each) { return each != *plain; });
  EXPECT_NE(other, plain);
#endif
}

}  // namespace
}  // namespace warpview
