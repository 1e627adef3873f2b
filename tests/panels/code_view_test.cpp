// Selecting program text with mouse and keys, and its links.
#include "app/panels/code_view.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/panels/panel_test.h"

namespace warpview {
namespace {

using Span = std::pair<std::size_t, std::size_t>;

TEST(CodePlaces, CountLetters) {
  const Code code = tinted("ab\n\n\xc3\xa4\xe2\x82\xac z\n", Language::kernel);
  EXPECT_EQ(place_in(code, 0, 1), 1U);
  EXPECT_EQ(place_in(code, 0, 9), 2U) << "not beyond its line";
  EXPECT_EQ(place_in(code, 1, 3), 3U);
  EXPECT_EQ(place_in(code, 2, 2), 9U) << "two letters, five bytes";
  EXPECT_EQ(place_in(code, -1, 5), 0U);
  EXPECT_EQ(place_in(code, 9, 0), code.text.size());
  EXPECT_EQ(line_and_column(code, 9), (std::pair{2, 2}));
  EXPECT_EQ(line_and_column(code, 3), (std::pair{1, 0}));
  EXPECT_EQ(line_and_column(tinted("", Language::kernel), 0), (std::pair{0, 0}));
}

TEST(CodePlaces, KnowWords) {
  const Code code = tinted("int scan_u32(x);", Language::kernel);
  EXPECT_EQ(word_at(code, 6), (Span{4, 12}));
  EXPECT_EQ(word_at(code, 12), (Span{4, 12})) << "what it ends";
  EXPECT_EQ(word_at(code, 15), (Span{15, 16}));
  EXPECT_EQ(word_at(code, 16), (Span{16, 16}));
}

class CodePaneTest : public PanelTest {
 protected:
  CodePaneTest() {
    code_ = tinted("#include \"gpu/a.h\"\nint first = second;\nlast();\n", Language::kernel);
    code_.links.push_back({10, 17, "gpu/a.h"});
    show(3);
  }

  void show(int count) {
    for (int i = 0; i < count; ++i) {
      ImGui::GetIO().DeltaTime = 1.0F / 60.0F;
      ImGui::NewFrame();
      ImGui::SetNextWindowPos({0.0F, 0.0F});
      ImGui::SetNextWindowSize({600.0F, 300.0F});
      ImGui::Begin("pane", nullptr, ImGuiWindowFlags_NoMove);
      if (const Code::Link* const link = draw_code("code", code_, state_.fonts, view_))
        clicked_ = link->file;
      for (ImGuiWindow* each : context_->Windows)
        if (std::string(each->Name).find("/code_") != std::string::npos) child_ = each;
      ImGui::End();
      ImGui::Render();
    }
  }
  // Above a letter of a line, a bit left of its middle.
  ImVec2 at(int line, int column) const {
    ImFont* const mono = state_.fonts.mono;
    const float advance = mono->CalcTextSizeA(mono->FontSize, 1e9F, 0.0F, "0").x;
    const ImVec2 origin = child_->DC.CursorStartPos;
    return {origin.x + (5.0F + static_cast<float>(column) + 0.3F) * advance,
            origin.y + (static_cast<float>(line) + 0.5F) * (mono->FontSize + 1.0F)};
  }
  void mouse(ImVec2 place, bool down) {
    ImGui::GetIO().MousePos = place;
    show(1);
    ImGui::GetIO().MouseDown[0] = down;
    show(1);
  }
  void click(int line, int column) {
    mouse(at(line, column), true);
    mouse(at(line, column), false);
  }
  std::string selected() const {
    return code_.text.substr(view_.begin(), view_.end() - view_.begin());
  }
  void key(ImGuiKey key, bool control, bool shift = false) {
    ImGuiIO& io = ImGui::GetIO();
    io.KeyCtrl = control;
    io.KeyShift = shift;
    io.KeysDown[key] = true;
    show(1);
    io.KeysDown[key] = io.KeyCtrl = io.KeyShift = false;
    show(1);
  }

  Code code_;
  CodeView view_;
  ImGuiWindow* child_ = nullptr;
  std::string clicked_;
};

TEST_F(CodePaneTest, ADragSelects) {
  mouse(at(1, 4), true);
  mouse(at(2, 4), true);
  EXPECT_EQ(selected(), "first = second;\nlast");
  mouse(at(1, 9), true);
  mouse(at(1, 9), false);
  EXPECT_EQ(selected(), "first");
  click(2, 0);
  EXPECT_EQ(selected(), "");
}

TEST_F(CodePaneTest, ADragMayLeaveThePane) {
  mouse(at(1, 4), true);
  mouse({580.0F, 900.0F}, true);
  EXPECT_EQ(selected(), "first = second;\nlast();\n");
  mouse({-50.0F, -50.0F}, true);
  EXPECT_EQ(selected(), "#include \"gpu/a.h\"\nint ");
}

TEST_F(CodePaneTest, ADoubleClickSelectsAWordAndATripleOneALine) {
  click(1, 5);
  click(1, 5);
  EXPECT_EQ(selected(), "first");
  click(1, 5);
  EXPECT_EQ(selected(), "int first = second;\n");
}

TEST_F(CodePaneTest, KeysSelectAndCopy) {
  click(1, 4);
  for (int i = 0; i < 5; ++i) key(ImGuiKey_RightArrow, false, true);
  EXPECT_EQ(selected(), "first");
  key(ImGuiKey_C, true);
  EXPECT_STREQ(ImGui::GetClipboardText(), "first");
  key(ImGuiKey_DownArrow, false, true);
  EXPECT_EQ(selected(), "first = second;\nlast();");
  key(ImGuiKey_LeftArrow, false, true);
  EXPECT_EQ(selected(), "first = second;\nlast()");
  key(ImGuiKey_A, true);
  key(ImGuiKey_C, true);
  EXPECT_EQ(ImGui::GetClipboardText(), code_.text);
}

TEST_F(CodePaneTest, AClickWithShiftExtends) {
  click(1, 4);
  ImGui::GetIO().KeyShift = true;
  click(1, 9);
  ImGui::GetIO().KeyShift = false;
  EXPECT_EQ(selected(), "first");
}

TEST_F(CodePaneTest, LinksAreFollowedByAClickAndNotByADrag) {
  click(1, 5);
  EXPECT_EQ(clicked_, "");
  mouse(at(0, 11), true);
  mouse(at(0, 15), true);
  mouse(at(0, 15), false);
  EXPECT_EQ(clicked_, "");
  show(60);
  click(0, 12);
  EXPECT_EQ(clicked_, "gpu/a.h");
}

TEST_F(CodePaneTest, AnOldSelectionDoesNotOutliveItsText) {
  key(ImGuiKey_A, true);
  view_.anchor = 0;
  view_.cursor = code_.text.size();
  code_ = tinted("x", Language::kernel);
  show(2);
  EXPECT_EQ(view_.cursor, 1U);
}

TEST_F(CodePaneTest, ScrollingToTheEndEnds) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "line\n";
  code_ = tinted(text, Language::kernel);
  view_.scroll_to = 199;
  show(5);
  const float most = child_->ScrollMax.y;
  EXPECT_GT(view_.top, 150);
  ImGui::GetIO().MousePos = at(199, 1);
  for (int i = 0; i < 10; ++i) {
    ImGui::GetIO().MouseWheel = -5.0F;
    show(1);
  }
  EXPECT_EQ(child_->ScrollMax.y, most);
}

}  // namespace
}  // namespace warpview
