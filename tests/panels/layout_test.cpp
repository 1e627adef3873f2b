#include "app/panels/layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/parts.h"
#include "app/window/keys.h"
#include "tests/panels/hands.h"

namespace warpview {
namespace {

// ---- Arithmetic ---------------------------------------------------------------------------------

float sum(const Layout& l) { return l.scene + l.view + l.timings + l.laboratory + l.tabs; }

TEST(Layout, WidthsAddUpWhateverIsWanted) {
  constexpr float least_view = 14.0F;
  for (float window = 1.0F; window < 300.0F; window += 0.75F)
    for (int bits = 0; bits < 64; ++bits)
      for (const float dragged : {0.0F, 1.0F, 20.0F, 50.0F, 1000.0F}) {
        const auto bit = [bits](int n) { return ((bits >> n) & 1) != 0; };
        const LayoutWishes wishes{.window = window,
                                  .scene = bit(0),
                                  .timings = bit(1),
                                  .laboratory = bit(2),
                                  .no_view = bit(5),
                                  .front = bit(3) ? Panel::scene : Panel::timings,
                                  .folded = bit(4),
                                  .scene_width = dragged,
                                  .timings_width = dragged,
                                  .laboratory_width = dragged};
        const Layout layout = lay_out(wishes);
        ASSERT_NEAR(sum(layout), window, 1e-3F);
        for (const float part :
             {layout.scene, layout.view, layout.timings, layout.laboratory, layout.tabs})
          ASSERT_GE(part, 0.0F) << window;
        // The view has its room, or none at all.
        const bool has_panel = layout.scene + layout.timings + layout.laboratory > 0.0F;
        if (has_panel && layout.view > 0.0F) {
          ASSERT_GE(layout.view, least_view - 1e-3F) << window;
        }
      }
}

TEST(Layout, BothStandBesideTheViewOrShareATabStrip) {
  const Layout wide = lay_out({.window = 90.0F});
  EXPECT_GT(wide.scene, 0.0F);
  EXPECT_GT(wide.timings, 0.0F);
  EXPECT_EQ(wide.tabs, 0.0F);
  const Layout narrow = lay_out({.window = 57.0F});
  EXPECT_EQ(narrow.scene, 0.0F);
  EXPECT_GT(narrow.timings, 0.0F);
  EXPECT_GT(narrow.tabs, 0.0F);
  const Layout other = lay_out({.window = 57.0F, .front = Panel::scene});
  EXPECT_GT(other.scene, 0.0F);
  EXPECT_EQ(other.timings, 0.0F);
  // One alone that has room needs no tabs, and the one that is wanted is in front.
  EXPECT_EQ(lay_out({.window = 57.0F, .timings = false}).tabs, 0.0F);
  EXPECT_GT(lay_out({.window = 40.0F, .scene = false, .front = Panel::scene}).timings, 0.0F);
  EXPECT_EQ(lay_out({.window = 40.0F, .scene = false, .timings = false}).view, 40.0F);
}

TEST(Layout, WhatWasDraggedWideGivesWayInANarrowerWindow) {
  LayoutWishes wishes{.window = 200.0F, .scene_width = 30.0F, .timings_width = 60.0F};
  EXPECT_EQ(lay_out(wishes).timings, 60.0F);
  wishes.window = 90.0F;
  const Layout layout = lay_out(wishes);
  EXPECT_EQ(layout.scene, 30.0F);
  EXPECT_EQ(layout.timings, 46.0F);
  EXPECT_EQ(layout.view, 14.0F);
  EXPECT_EQ(most_width(layout, Panel::timings), layout.timings) << "the view has its least room";
}

TEST(Layout, TheLaboratoryMayTakeTheViewsPlace) {
  const Layout both = lay_out({.window = 100.0F, .laboratory = true});
  EXPECT_GT(both.view, 0.0F);
  const Layout alone = lay_out({.window = 100.0F, .laboratory = true, .no_view = true});
  EXPECT_EQ(alone.view, 0.0F);
  EXPECT_EQ(alone.laboratory, 100.0F);
  EXPECT_GT(lay_out({.window = 100.0F, .no_view = true}).view, 0.0F) << "beside other panels";
  EXPECT_TRUE(has_room_beside_laboratory(100.0F));
  EXPECT_FALSE(has_room_beside_laboratory(70.0F));
  EXPECT_EQ(lay_out({.window = 70.0F, .laboratory = true}).view, 0.0F);
}

// ---- In the window ------------------------------------------------------------------------------

constexpr int panels_key = 300;  // GLFW_KEY_F11

class SidePanels : public HandsTest {
 protected:
  float width(Panel panel) const { return width_of(state_.layout, panel) * em_(); }
  static float em_() { return 14.0F; }
  void resize(int w, int h) {
    set_size(w, h);
    frames(2);
  }
};

TEST_F(SidePanels, EdgesAreDragged) {
  struct Case {
    Panel panel;
    const char* edge;
    float dx;
  };
  for (const auto& [panel, edge, dx] : {Case{Panel::scene, "##edge of Scene", 60.0F},
                                        Case{Panel::timings, "##edge of Timings", -60.0F}}) {
    const float before = width(panel);
    const float view = state_.view.width;
    const Camera camera = model_.camera;
    const ImVec2 at = place(edge, "Width");
    drag(at, dx);
    EXPECT_NEAR(width(panel), before + 60.0F, 1.0F) << edge;
    EXPECT_NEAR(state_.view.width, view - 60.0F, 1.0F);
    EXPECT_EQ(model_.camera, camera) << "a panel was dragged, not the scene";
    EXPECT_FALSE(model_.requests.find<request::Pick>());
    EXPECT_TRUE(std::exchange(state_.settings_changed, false));
    EXPECT_EQ(ImGui::GetMouseCursor(), ImGuiMouseCursor_ResizeEW);
    double_click(place(edge, "Width"));
    EXPECT_NEAR(width(panel), before, 1.0F) << "as usual again";
    EXPECT_TRUE(std::exchange(state_.settings_changed, false));
  }
  hands_.move(640.0, 400.0);
  see();
  EXPECT_EQ(ImGui::GetMouseCursor(), ImGuiMouseCursor_Arrow);
  EXPECT_EQ(state_.settings.scene_width, 0);
}

TEST_F(SidePanels, EdgesStayWhereViewAndPanelsKeepRoom) {
  drag(place("##edge of Timings", "Width"), -1200.0F);
  EXPECT_GE(state_.view.width, 14.0F * em_() - 1.0F);
  EXPECT_NEAR(width(Panel::scene), 17.0F * em_(), 1.0F) << "the other panel keeps its width";
  drag(place("##edge of Timings", "Width"), 1200.0F);
  EXPECT_NEAR(width(Panel::timings), width_range(Panel::timings).least * em_(), 1.0F);
  drag(place("##edge of Scene", "Width"), -1200.0F);
  EXPECT_NEAR(width(Panel::scene), width_range(Panel::scene).least * em_(), 1.0F);
  EXPECT_EQ(window("Scene")->ScrollMax.x, 0.0F) << "it can still be used";
}

TEST_F(SidePanels, TheLaboratoryIsDraggedToo) {
  run_command(Command::toggle_lab, model_, state_);
  frames(3);
  const float before = width(Panel::laboratory);
  drag(place("##edge of Laboratory", "Width"), 100.0F);
  EXPECT_NEAR(width(Panel::laboratory), before - 100.0F, 1.0F);
  double_click(place("##edge of Laboratory", "Width"));
  EXPECT_NEAR(width(Panel::laboratory), before, 1.0F);
}

// These tabs take the scene's place, unless the user wants it beside them.
TEST_F(SidePanels, TabsAboutThePrimitiveHaveTheWindow) {
  run_command(Command::toggle_lab, model_, state_);
  frames(3);
  const float view = state_.view.width;
  EXPECT_GT(view, 14.0F * em_());
  for (const LabTaskRow& row : lab_tasks) {
    if (!row.is_for(model_.lab.question.primitive)) continue;
    state_.lab.open = row.task;
    frames(3);
    EXPECT_EQ(state_.layout.view > 0.0F, !takes_scenes_place(row.task)) << row.name;
    if (state_.layout.view > 0.0F) {
      EXPECT_EQ(state_.view.width, view);
    } else {
      EXPECT_EQ(window("Laboratory")->Size.x, ImGui::GetIO().DisplaySize.x);
      for (const char* const over_view : {"##axes", "##legend", "##lag", "##emptiness", "##glance"})
        EXPECT_FALSE(window(over_view) != nullptr && window(over_view)->Active) << over_view;
    }
  }
  state_.lab.open = LabTask::about;
  frames(3);
  run_command(Command::fly, model_, state_);
  frames(2);
  EXPECT_FALSE(state_.flies) << "through what is not seen";
  click(place("Laboratory", "Show scene"));
  frames(2);
  EXPECT_EQ(state_.view.width, view);
  EXPECT_TRUE(state_.settings.scene_beside_primitive);
  EXPECT_TRUE(std::exchange(state_.settings_changed, false));
  drag(place("##edge of Laboratory", "Width"), 100.0F);
  EXPECT_NEAR(state_.view.width, view + 100.0F, 1.0F);
  click(place("Laboratory", "Show scene"));
  frames(2);
  EXPECT_EQ(state_.layout.view, 0.0F);
  run_command(Command::toggle_lab, model_, state_);
  frames(2);
  EXPECT_GT(state_.layout.view, 0.0F) << "without the laboratory";
  run_command(Command::toggle_lab, model_, state_);
  resize(900, 700);
  EXPECT_FALSE(find("Laboratory", "Show scene")->enabled) << "there is no room";
}

TEST_F(SidePanels, TheTableOfKernelsIsDragged) {
  const VariantId variant = find_variant(Primitive::scan, "lookback");
  model_.lab.question.primitive = Primitive::scan;
  LabSeries& times = model_.lab.shown(LabTask::results);
  times.asked.primitive = Primitive::scan;
  times.variants = {variant};
  lab::Answer answer;
  answer.question = model_.lab.question;
  answer.variant = variant;
  answer.launches.assign(12, LaunchRecord{.kernel = "some_kernel<T>"});
  times.answers = {answer};
  state_.lab.variant = variant;
  state_.lab.open = LabTask::code;
  run_command(Command::toggle_lab, model_, state_);
  frames(3);
  const auto height = [this] {
    const auto edge = find("Laboratory", "Height of kernels");
    return edge ? *edge->value : -1.0;
  };
  const double before = height();
  drag(place("Laboratory", "Height of kernels"), 0.0F, -40.0F);
  EXPECT_NEAR(height(), before - 40.0, 1.0);
  EXPECT_EQ(ImGui::GetMouseCursor(), ImGuiMouseCursor_ResizeNS);
  drag(place("Laboratory", "Height of kernels"), 0.0F, 2000.0F);
  EXPECT_LT(height(), 500.0) << "the code keeps room";
  double_click(place("Laboratory", "Height of kernels"));
  EXPECT_NEAR(height(), before, 1.0);
}

// What must be answered can be, also where a panel covers the view.
TEST_F(SidePanels, CardsHaveRoomInAVeryNarrowWindow) {
  resize(480, 320);
  click(place("##tabs", "Timings"));
  model_.loading = true;
  model_.loading_spec = "mesh.obj";
  frames(3);
  const ImGuiWindow* const card = window("##loading");
  ASSERT_NE(card, nullptr);
  EXPECT_GT(card->Size.x, 300.0F);
  EXPECT_GE(card->Pos.x, 0.0F);
  click(place("##loading", "Cancel"));
  EXPECT_TRUE(model_.requests.find<request::CancelLoad>());
}

// The settings hold what it is before it is scaled.
TEST_F(SidePanels, WidthsKeepWithTheScale) {
  drag(place("##edge of Scene", "Width"), 56.0F);
  EXPECT_NEAR(state_.settings.scene_width, 17.0F * em_() + 56.0F, 1.0F);
  const float ems = state_.layout.scene;
  state_.fonts = load_fonts(2.0F, 1.0F);
  apply_style(2.0F);
  ImGui::GetIO().Fonts->Build();
  resize(2560, 1600);
  EXPECT_NEAR(state_.layout.scene, ems, 0.1F);
  EXPECT_NEAR(window("Scene")->Size.x, 2.0F * ems * em_(), 3.0F);
  drag(place("##edge of Scene", "Width"), -2.0F * 56.0F);
  EXPECT_NEAR(state_.settings.scene_width, 17.0F * em_(), 1.0F) << "half of what the mouse went";
}

TEST_F(SidePanels, AtNarrowWidthsTheyShareTabs) {
  resize(800, 600);
  EXPECT_TRUE(is_shown(state_, Panel::timings));
  EXPECT_FALSE(is_shown(state_, Panel::scene));
  click(place("##tabs", "Scene"));
  EXPECT_TRUE(is_shown(state_, Panel::scene));
  EXPECT_FALSE(is_shown(state_, Panel::timings));
  EXPECT_TRUE(find("Scene", "Mesh"));
  EXPECT_GE(state_.view.width, 14.0F * em_() - 1.0F);
  EXPECT_TRUE(state_.settings.scene_in_front) << "so it is after the next start";
  click(place("##tabs", "Scene"));
  EXPECT_FALSE(is_shown(state_, Panel::scene)) << "the tab that is open folds its panel away";
  EXPECT_GT(state_.view.width, 760.0F);
  click(place("##tabs", "Timings"));
  EXPECT_TRUE(is_shown(state_, Panel::timings));
  resize(1280, 800);
  EXPECT_TRUE(is_shown(state_, Panel::scene) && is_shown(state_, Panel::timings));
}

TEST_F(SidePanels, AVeryNarrowWindowShowsTheView) {
  resize(480, 320);
  EXPECT_FALSE(is_shown(state_, Panel::scene) || is_shown(state_, Panel::timings));
  EXPECT_GT(state_.view.width, 440.0F);
  click(place("##tabs", "Timings"));
  EXPECT_TRUE(is_shown(state_, Panel::timings));
  EXPECT_GT(window("Timings")->Size.x, 440.0F) << "there is no room for both";
  frames(3);
  EXPECT_TRUE(is_shown(state_, Panel::timings)) << "it stays";
  click(place("##tabs", "Scene"));
  EXPECT_TRUE(is_shown(state_, Panel::scene));
  click(place("##tabs", "Scene"));
  EXPECT_GT(state_.view.width, 440.0F);
}

TEST_F(SidePanels, TheMenusTicksAreTrue) {
  for (const auto& [w, h] : {std::pair{480, 320}, {800, 600}, {1280, 800}}) {
    resize(w, h);
    for (int turn = 0; turn < 4; ++turn) {
      for (const auto& [name, panel] :
           {std::pair{"Scene", Panel::scene}, {"Timings", Panel::timings}}) {
        click(place("##MainMenuBar", "View"));
        frames(2);
        const std::string item = std::string(name) + " panel";
        const auto record = find("##Menu_00", item);
        ASSERT_TRUE(record) << w;
        const bool ticked = *record->on;
        const ImGuiWindow* const panel_window = window(name);
        EXPECT_EQ(ticked, panel_window != nullptr && panel_window->Active) << name << " at " << w;
        click(place("##Menu_00", item));
        frames(2);
        EXPECT_NE(is_shown(state_, panel), ticked) << name << " at " << w;
      }
    }
  }
}

TEST_F(SidePanels, KeysReachEachPanel) {
  EXPECT_EQ(command_of(panels_key, InputEvent::shift), Command::next_panel);
  EXPECT_EQ(command_of(panels_key, 0), Command::toggle_panels);
  const auto next = [this] {
    run_command(Command::next_panel, model_, state_);
    frames(2);
    return std::pair{is_shown(state_, Panel::scene), is_shown(state_, Panel::timings)};
  };
  EXPECT_EQ(next(), (std::pair{true, false}));
  EXPECT_EQ(next(), (std::pair{false, true}));
  EXPECT_EQ(next(), (std::pair{true, true}));
  for (const auto& [w, h] : {std::pair{800, 600}, {480, 320}}) {
    resize(w, h);
    const auto first = next();
    EXPECT_NE(first.first, first.second);
    EXPECT_EQ(next(), (std::pair{first.second, first.first})) << w;
    run_command(Command::toggle_panels, model_, state_);
    frames(2);
    EXPECT_FALSE(is_shown(state_, Panel::scene) || is_shown(state_, Panel::timings)) << w;
    run_command(Command::toggle_panels, model_, state_);
    frames(2);
    EXPECT_TRUE(is_shown(state_, Panel::scene) || is_shown(state_, Panel::timings)) << w;
  }
}

}  // namespace
}  // namespace warpview
