#include "app/panels/named_widgets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <string>
#include <vector>

#include "app/panels/widgets.h"
#include "tests/panels/panel_test.h"

namespace warpview {
namespace {

class NamedWidgets : public PanelTest {
 protected:
  NamedWidgets() {
    model_ = loaded_model();
    frames(3);
  }
};

TEST_F(NamedWidgets, AreWrittenDownWhenAskedFor) {
  const auto mesh = find("Scene", "Mesh");
  ASSERT_TRUE(mesh);
  EXPECT_STREQ(mesh->kind, "checkbox");
  EXPECT_EQ(mesh->on, true);
  EXPECT_TRUE(mesh->enabled && !mesh->hovered);
  const auto sort = find("Timings", "sort/variant");
  ASSERT_TRUE(sort);
  EXPECT_EQ(sort->text, (*stage(model_, "sort").variant)->title);
  EXPECT_EQ(sort->on, false);
  const auto level = find("Scene", "level/value");
  ASSERT_TRUE(level);
  EXPECT_TRUE(level->value.has_value());
  EXPECT_NE(find("Scene", "tree/choice/rebuild").has_value(),
            find("Scene", "tree/choice").has_value());
  EXPECT_TRUE(find("##MainMenuBar", "File"));
}

TEST_F(NamedWidgets, SlidersGroupTheDigitsOfLargeNumbers) {
  const auto add = [](double value, const char* format) {
    ui::slider("##one", &value, 0.0, 1e7, format, ImGuiSliderFlags_AlwaysClamp);
  };
  std::vector<ui::WidgetRecord> log;
  ui::write_down(&log);
  ImGui::NewFrame();
  ImGui::Begin("sliders");
  int whole = 65536;
  add(3e6, "%.0f items");
  add(12345.6, "%.1f");
  add(999.0, "%.0f");
  add(0.25, "%.3g");
  ui::slider("##two", &whole, 0, 100'000, "seed %d");
  ImGui::End();
  ImGui::Render();
  ui::write_down(nullptr);
  std::vector<std::string> words;
  for (const ui::WidgetRecord& each : log) words.push_back(each.text.value_or("none"));
  EXPECT_EQ(words, (std::vector<std::string>{"3 000 000 items", "12 345.6", "999", "0.25",
                                             "seed 65 536"}));
}

// The ground of an empty box is hardly brighter than a panel's.
TEST_F(NamedWidgets, BoxesHaveAnEdge) {
  bool on = false;
  const auto corners_of_edges = [&on](bool has_box) {
    std::ptrdiff_t corners = 0;
    for (int frame = 0; frame < 3; ++frame) {  // a window is drawn once its size is known
      ImGui::NewFrame();
      ImGui::Begin("boxes", nullptr, ImGuiWindowFlags_NoDecoration);
      ImGui::Button("button");
      if (has_box) ui::checkbox("box", &on);
      const ImVector<ImDrawVert>& all = ImGui::GetWindowDrawList()->VtxBuffer;
      corners = std::count_if(all.begin(), all.end(),
                              [](const ImDrawVert& v) { return v.col == colour::faint; });
      ImGui::End();
      ImGui::Render();
    }
    return corners;
  };
  EXPECT_EQ(corners_of_edges(false), 0);
  EXPECT_GT(corners_of_edges(true), 0);
}

TEST_F(NamedWidgets, AreNotWrittenDownUnasked) {
  std::vector<ui::WidgetRecord> log;
  ui::write_down(&log);
  frames();
  ui::write_down(nullptr);
  const std::size_t count = log.size();
  EXPECT_GT(count, 0U);
  frames();
  EXPECT_EQ(log.size(), count);
}

// Where they say they are they can be clicked.
TEST_F(NamedWidgets, AreWhereTheySay) {
  ImGui::GetIO().MousePos = place("Scene", "Mesh");
  EXPECT_TRUE(find("Scene", "Mesh")->hovered);
  click_here();
  EXPECT_FALSE(model_.output("mesh")->shown);
  for (const ui::WidgetRecord& each : widgets())
    if (each.visible) {
      EXPECT_LT(each.from.x, each.to.x) << each.name;
      EXPECT_LE(each.to.x, 1280.0F) << each.name;
    }
}

TEST_F(NamedWidgets, ListsAndMenusHaveWindowsOfTheirOwn) {
  click("Timings", "sort/variant");
  EXPECT_EQ(find("Timings", "sort/variant")->on, true);
  EXPECT_TRUE(find("##Combo_00", "sort/library"));
  const auto windows = ui::windows();
  EXPECT_TRUE(std::any_of(windows.begin(), windows.end(),
                          [](const ui::WindowRecord& each) { return each.name == "##Combo_00"; }));
}

// How wide is what is filled in a colour; 0: nothing is.
float filled(const ImDrawList& list, ImU32 c) {
  float left = FLT_MAX;
  float right = -FLT_MAX;
  for (const ImDrawVert& vertex : list.VtxBuffer) {
    if (vertex.col != c) continue;
    left = std::min(left, vertex.pos.x);
    right = std::max(right, vertex.pos.x);
  }
  return std::max(right - left, 0.0F);
}

class Sliders : public NamedWidgets {
 protected:
  // Draws one over the range and returns how long the line below its value is, the knob included.
  float line(double value, double least, double most) {
    float width = 0.0F;
    for (int i = 0; i < 2; ++i) {
      ImGui::NewFrame();
      ImGui::Begin("sliders");
      ImGui::SetNextItemWidth(200.0F);
      ui::slider("##one", &value, least, most, "%.0f", ImGuiSliderFlags_AlwaysClamp);
      width = filled(*ImGui::GetWindowDrawList(), colour::accent);
      ImGui::End();
      ImGui::Render();
    }
    return width;
  }
};

TEST_F(Sliders, HaveALineAsLongAsTheirValue) {
  EXPECT_GT(line(0.0, 0.0, 11.0), 2.0F) << "the knob";
  EXPECT_LT(line(0.0, 0.0, 11.0), 12.0F);
  EXPECT_NEAR(line(5.5, 0.0, 11.0), 100.0F, 8.0F);
  EXPECT_NEAR(line(11.0, 0.0, 11.0), 196.0F, 8.0F);
}

TEST_F(Sliders, WithNothingToChooseHaveNoLine) {
  EXPECT_EQ(line(11.0, 0.0, 0.0), 0.0F);
  EXPECT_EQ(line(0.0, 0.0, 0.0), 0.0F);
  EXPECT_EQ(line(5.0, 5.0, 4.0), 0.0F);
}

// ---- What is too long ---------------------------------------------------------------------------

TEST_F(NamedWidgets, LongNamesEndInDotsAndKeepTheirIdentity) {
  ImGui::NewFrame();
  ImGui::Begin("long");
  const std::string name(100, 'n');
  EXPECT_EQ(elided("short", 100.0F, Cut::end), "short");
  const std::string shown = elided(name, 100.0F, Cut::end);
  EXPECT_TRUE(shown.ends_with("...")) << shown;
  EXPECT_LE(ImGui::CalcTextSize(shown.c_str()).x, 100.0F);
  EXPECT_EQ(elided_label("short##1", 100.0F), "short##1");
  const std::string label = elided_label(name, 100.0F);
  EXPECT_EQ(ImGui::GetID(label.c_str()), ImGui::GetID(elided_label(name, 60.0F).c_str()));
  ImGui::End();
  ImGui::Render();
}

// Over the whole of it the mouse brings up the name.
TEST_F(NamedWidgets, LongNamesOfAPanelHaveATooltip) {
  const std::string name = "Edges of " + std::string(80, 'x');
  model_.outputs[1].title = name;
  frames(2);
  const std::vector<ui::WidgetRecord> log = widgets();
  const auto wire = std::find_if(log.begin(), log.end(), [](const ui::WidgetRecord& each) {
    return each.name.starts_with("Edges of ");
  });
  ASSERT_NE(wire, log.end());
  EXPECT_TRUE(wire->name.ends_with("...")) << wire->name;
  EXPECT_LT(wire->to.x, window("Scene")->Rect().Max.x);
  ImGui::GetIO().MousePos = {wire->from.x + 30.0F, 0.5F * (wire->from.y + wire->to.y)};
  frames(2);
  const auto windows = ui::windows();
  EXPECT_TRUE(std::any_of(windows.begin(), windows.end(), [](const ui::WindowRecord& each) {
    return each.name.starts_with("##Tooltip");
  }));
}

}  // namespace
}  // namespace warpview
