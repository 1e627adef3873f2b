// Letters that are met get glyphs: of our own fonts, else of the machine's.
#include "app/panels/letters.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "app/panels/imgui_layer.h"
#include "app/panels/style.h"
#include "app/panels/widgets.h"
#include "app/render/framebuffer.h"
#include "tests/panels/panel_test.h"
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

TEST(Letters, ThatAreUsualAreNoNews) {
  Letters letters;
  meet("Plain, \xc3\xa4\xc3\xb6 \xce\xb1\xce\xb2 \xd0\x96 \xe2\x86\x92");
  meet("no UTF-8: \xff\xfe \xe4\xb8");
  meet("\xf0\x9f\x98\x80 needs more than 16 bits");
  EXPECT_FALSE(letters.has_news());
  EXPECT_FALSE(letters.take());
  meet(middle_utf8);
  EXPECT_TRUE(letters.has_news());
  EXPECT_TRUE(letters.take());
  meet(middle_utf8);
  EXPECT_FALSE(letters.take()) << "it has its place";
}

TEST(Letters, GoToNobodyWhereNobodyCollectsThem) {
  { const Letters letters; }
  meet(middle_utf8);
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
  Letters letters(10);
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
  if (!MachineFonts().with(middle))
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
  if (MachineFonts().with(0x2fe0)) GTEST_SKIP() << "a font has what Unicode has not";
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
  const auto plain = fonts.with(U'a');
  if (!plain) GTEST_SKIP() << "this machine has no fonts";
  EXPECT_TRUE(std::filesystem::is_regular_file(plain->path));
  EXPECT_FALSE(fonts.with(0x10ffff)) << "which is no letter";
#endif
}

}  // namespace
}  // namespace warpview
