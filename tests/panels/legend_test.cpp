// The legend over the view.
#include <string>
#include <tuple>

#include "tests/panels/panel_test.h"

namespace warpview {
namespace {

class LegendTest : public PanelTest {
 protected:
  LegendTest() {
    model_ = loaded_model();
    model_.results.legend = Legend{.title = "Depth of the leaf", .most = 31.0};
  }
  // Is it shown, after frames in which it finds its size?
  bool is_shown() {
    frames(3);
    return window("##legend") != nullptr && window("##legend")->WasActive;
  }
  bool is_inside_the_view() {
    const ImRect at = window("##legend")->Rect();
    const Area& view = state_.view;
    return at.Min.x >= view.x && at.Min.y >= view.y && at.Max.x <= view.x + view.width &&
           at.Max.y <= view.y + view.height;
  }
};

TEST_F(LegendTest, IsShownWhereColoursSaySomething) {
  EXPECT_TRUE(is_shown());
  EXPECT_NEAR(opacity_of("##legend"), overlay_alpha, 0.01F);
  EXPECT_TRUE(is_inside_the_view());
  model_.results.legend.reset();
  EXPECT_FALSE(is_shown());
}

TEST_F(LegendTest, IsOfWhatIsShown) {
  model_.outputs[0].shown = false;
  EXPECT_FALSE(is_shown());
  model_.outputs[0].shown = true;
  EXPECT_TRUE(is_shown());
  model_.results.legend->output = 100;
  EXPECT_FALSE(is_shown());
}

TEST_F(LegendTest, CanBeHiddenForGood) {
  EXPECT_TRUE(is_shown());
  click("##MainMenuBar", "View");
  state_.settings_changed = false;
  click("##Menu_00", "Legend");
  EXPECT_TRUE(state_.settings_changed);
  EXPECT_FALSE(is_shown());
  state_ = [this] {
    PanelState next = panel_state_for(state_.settings);
    next.fonts = state_.fonts;
    return next;
  }();
  EXPECT_FALSE(is_shown()) << "after the next start";
}

TEST_F(LegendTest, MakesWayWhereThereIsLittleRoom) {
  for (const auto& [width, height, folded, shown] :
       {std::tuple(480, 320, true, false), std::tuple(800, 600, false, false),
        std::tuple(800, 600, true, true), std::tuple(1280, 800, false, true),
        std::tuple(1600, 900, false, true)}) {
    SCOPED_TRACE(std::to_string(width) + (folded ? ", panels folded away" : ""));
    set_size(width, height);
    frames();
    state_.folded = folded;
    ASSERT_EQ(is_shown(), shown);
    if (shown) {
      EXPECT_TRUE(is_inside_the_view());
    }
  }
}

TEST_F(LegendTest, KeepsItsWidthWhateverItSays) {
  ASSERT_TRUE(is_shown());
  const float width = window("##legend")->Rect().GetWidth();
  Legend legend{.title = "Material", .scale = Legend::Scale::swatches, .left_out = 1'000'000};
  for (int i = 0; i < 8; ++i)
    legend.swatches.push_back({.name = std::string(200, 'm'), .is_texture = i % 2 == 0});
  model_.results.legend = legend;
  EXPECT_TRUE(is_shown());
  EXPECT_TRUE(is_inside_the_view());
  EXPECT_NEAR(window("##legend")->Rect().GetWidth(), width, 3.0F);
}

}  // namespace
}  // namespace warpview
