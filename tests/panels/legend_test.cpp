// The legend over the view.
#include <string>
#include <tuple>
#include <utility>

#include "tests/panels/panel_test.h"

namespace warpview {
namespace {

class LegendTest : public PanelTest {
 protected:
  LegendTest() {
    model_ = loaded_model();
    model_.results.change().legends = {{.title = "Depth of the leaf", .most = 31.0}};
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
  model_.results.change().legends.clear();
  EXPECT_FALSE(is_shown());
}

TEST_F(LegendTest, IsOfWhatIsShown) {
  model_.outputs[0].shown = false;
  EXPECT_FALSE(is_shown());
  model_.outputs[0].shown = true;
  EXPECT_TRUE(is_shown());
  model_.results.change().legends[0].output = 100;
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

TEST_F(LegendTest, NoCardCoversIt) {
  model_.loading = true;
  model_.loading_spec = "mesh.obj";
  model_.behind_ms = 3000.0;
  for (const auto& [width, height] : {std::pair(1280, 800), std::pair(1600, 900)}) {
    set_size(width, height);
    ASSERT_TRUE(is_shown());
    frames(3);
    EXPECT_FALSE(window("##loading")->Rect().Overlaps(window("##legend")->Rect())) << width;
    EXPECT_FALSE(window("##loading")->Rect().Overlaps(window("##lag")->Rect())) << width;
  }
  model_.results.change().legends.clear();
  frames(3);
  EXPECT_LT(window("##loading")->Pos.y, state_.view.y + 2.0F * ImGui::GetFontSize())
      << "at the view's upper edge where there is no legend";
}

TEST_F(LegendTest, KeepsItsWidthWhateverItSays) {
  ASSERT_TRUE(is_shown());
  const float width = window("##legend")->Rect().GetWidth();
  Legend legend{.title = "Material", .scale = Legend::Scale::swatches, .left_out = 1'000'000};
  for (int i = 0; i < 8; ++i)
    legend.swatches.push_back({.name = std::string(200, 'm'), .is_texture = i % 2 == 0});
  model_.results.change().legends = {legend};
  EXPECT_TRUE(is_shown());
  EXPECT_TRUE(is_inside_the_view());
  EXPECT_NEAR(window("##legend")->Rect().GetWidth(), width, 3.0F);
  // Short names, two in a line.
  legend.left_out = 0;
  legend.swatches = {{.name = "tin"}, {.name = "copper"}};
  model_.results.change().legends = {legend};
  EXPECT_TRUE(is_shown());
  EXPECT_NEAR(window("##legend")->Rect().GetWidth(), width, 3.0F);
}

TEST_F(LegendTest, HasAPartForEveryLayerThatIsShown) {
  using Scale = Legend::Scale;
  model_.results.change().legends = {
      {.output = 0, .title = "Depth of the leaf", .most = 31.0},
      {.output = 2, .title = "BVH boxes", .scale = Scale::box_level, .least = 3.0},
      {.output = 3, .title = "Morton curve", .scale = Scale::strip, .most = 99.0}};
  ASSERT_TRUE(is_shown());
  const float alone = window("##legend")->Rect().GetHeight();
  EXPECT_FALSE(can_read("Level 3"));
  model_.outputs[2].shown = model_.outputs[3].shown = true;
  ASSERT_TRUE(is_shown());
  EXPECT_GT(window("##legend")->Rect().GetHeight(), 2.0F * alone);
  EXPECT_TRUE(is_inside_the_view());
  EXPECT_TRUE(can_read("Depth of the leaf"));
  EXPECT_TRUE(can_read("Level 3"));
  EXPECT_TRUE(can_read("Morton curve"));
}

TEST_F(LegendTest, SaysThatTheSurfaceIsDimmed) {
  model_.outputs[2].dims_surfaces = true;
  model_.outputs[2].kind = OutputKind::boxes;
  ASSERT_TRUE(is_shown());
  EXPECT_FALSE(can_read("dimmed"));
  model_.outputs[2].shown = true;
  ASSERT_TRUE(is_shown());
  EXPECT_TRUE(can_read("dimmed"));
  model_.show.dims_surfaces = false;
  ASSERT_TRUE(is_shown());
  EXPECT_FALSE(can_read("dimmed"));
}

}  // namespace
}  // namespace warpview
