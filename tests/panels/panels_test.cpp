#include "app/panels/panels.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/panels/panel_test.h"

namespace warpview {
namespace {

using DrawPanels = PanelTest;

// ImGui's own assertions end the test where begins and ends do not match.
TEST_F(DrawPanels, NothingIsOpen) {
  frames(3);
  EXPECT_GT(state_.view.width, 100.0F);
  EXPECT_GT(state_.view.height, 100.0F);
  EXPECT_FALSE(state_.animates);
}

TEST_F(DrawPanels, WhileLoading) {
  workspace_.loading = true;
  workspace_.loading_spec = "/a/long/way/" + std::string(300, 'x') + "/mesh.obj";
  workspace_.load_phase = "reading the file";
  for (const float progress : {0.0F, 0.5F, 1.0F, 2.0F}) {
    workspace_.load_progress = progress;
    frames(2);
    EXPECT_TRUE(state_.animates);
  }
  const ImGuiWindow* card = window("##loading");
  ASSERT_NE(card, nullptr);
  EXPECT_GE(card->Pos.x, state_.view.x);
  EXPECT_LE(card->Pos.x + card->Size.x, state_.view.x + state_.view.width);
  ASSERT_TRUE(click(card, id_in(card->ID, "Cancel")));
  EXPECT_TRUE(workspace_.requests.cancel_load);
}

TEST_F(DrawPanels, EveryVariantOnEveryBackend) {
  workspace_ = loaded_workspace();
  for (const Backend backend : {Backend::cuda, Backend::hip, Backend::cpu}) {
    workspace_.device.backend = backend;
    const std::span<const Variant> all = variants();
    for (std::size_t row = 0; row < all.size(); ++row) {
      if (!in_pipeline(all[row].primitive)) continue;
      workspace_.choice[all[row].primitive] = static_cast<int>(row);
      frames();
    }
  }
}

TEST_F(DrawPanels, EveryKindOfRow) {
  workspace_ = loaded_workspace();
  for (const Animation animation : {Animation::once, Animation::refit, Animation::rebuild}) {
    workspace_.animation = animation;
    for (StageRow& row : workspace_.stages) {
      row.every_frame = animation != Animation::once && row.stage >= Stage::bounds;
      row.fused = animation == Animation::rebuild && row.stage == Stage::refit;
      row.launch_bound = row.stage == Stage::morton;
    }
    frames(2);
  }
  for (const std::size_t runs : {0, 1, 2, 120, 1000})
    for (const float ms : {0.0F, 1e-7F, 1e7F, std::numeric_limits<float>::quiet_NaN(),
                           std::numeric_limits<float>::infinity()}) {
      for (StageRow& row : workspace_.stages) {
        row.milliseconds.assign(runs, ms);
        row.median_ms = row.last_ms = row.gb_per_s = row.copy_share = double{ms};
      }
      workspace_.frame_ms = workspace_.frame_gpu_ms = double{ms};
      frames();
    }
}

TEST_F(DrawPanels, TextIsOnlyText) {
  workspace_ = loaded_workspace();
  const std::vector<std::string> odd = {
      "%s%n%d",       "##hidden", "a\xff\xfe\x80z", "\xe4\xb8\xad", std::string(5000, 'w'),
      "two\nlines\n", ""};
  for (const std::string& text : odd) {
    workspace_.scene_name = workspace_.scene_spec = workspace_.interop = text;
    workspace_.device.name = workspace_.gl_renderer = workspace_.absent[0] = text;
    say(Message::Kind::error, text);
    workspace_.loading = true;
    workspace_.loading_spec = workspace_.load_phase = text;
    state_.show_log = state_.show_help = true;
    frames(2);
  }
}

TEST_F(DrawPanels, WindowsOfEverySize) {
  workspace_ = loaded_workspace();
  workspace_.loading = true;
  say(Message::Kind::error, "Something went wrong. Do it again.");
  state_.show_log = state_.show_help = true;
  run_command(Command::open_file, workspace_, state_);
  for (const auto& [width, height] :
       {std::pair{1, 1}, {40, 900}, {900, 40}, {300, 200}, {640, 480}, {1280, 800}, {3840, 2160}}) {
    set_size(width, height);
    frames(3);
    EXPECT_GE(state_.view.width, 1.0F) << width << " x " << height;
    EXPECT_GE(state_.view.height, 1.0F) << width << " x " << height;
  }
}

TEST_F(DrawPanels, NothingIsCutOff) {
  workspace_ = loaded_workspace();
  workspace_.animation = Animation::rebuild;
  for (StageRow& row : workspace_.stages) row.every_frame = row.stage >= Stage::bounds;
  for (const auto& [width, height] : {std::pair{1280, 800}, {1920, 1080}}) {
    set_size(width, height);
    frames(3);
    for (const char* name : {"Scene", "Timings", "##status"}) {
      const ImGuiWindow* const panel = window(name);
      ASSERT_NE(panel, nullptr);
      EXPECT_EQ(panel->ScrollMax.x, 0.0F) << name << " at " << width;
      EXPECT_EQ(panel->ScrollMax.y, 0.0F) << name << " at " << width;
      EXPECT_LE(panel->ContentSize.x, panel->InnerRect.GetWidth()) << name << " at " << width;
    }
    EXPECT_EQ(state_.view.width, std::floor(state_.view.width));
    EXPECT_GT(state_.view.width, 500.0F);
    EXPECT_GT(state_.view.height, 700.0F);
  }
}

// Longest names of the catalogue included.
TEST_F(DrawPanels, VariantNamesFitTheirBoxes) {
  workspace_ = loaded_workspace();
  frames(3);
  const ImGuiTable* const table =
      ImGui::GetCurrentContext()->Tables.GetByKey(id_in(window("Timings")->ID, "stages"));
  ASSERT_NE(table, nullptr);
  const ImGuiTableColumn& column = table->Columns[1];
  for (const Variant& variant : variants()) {
    if (!in_pipeline(variant.primitive)) continue;
    const float needed = ImGui::CalcTextSize(variant.name).x + ImGui::GetFontSize() +
                         2.0F * ImGui::GetStyle().FramePadding.x;
    EXPECT_LE(needed, column.WorkMaxX - column.WorkMinX + 1.0F) << variant.name;
  }
}

TEST_F(DrawPanels, ListChoosesAVariant) {
  workspace_ = loaded_workspace();
  frames(3);
  const int library = find_variant(Primitive::sort, "library");
  ASSERT_NE(workspace_.choice[Primitive::sort], library);
  const ImGuiWindow* const timings = window("Timings");
  const ImGuiID row = id_in(id_in(timings->ID, "stages"), to_string(Stage::sort));
  ASSERT_TRUE(click(timings, id_in(row, "##variant")));
  frames(2);
  const ImGuiWindow* const list = popup();
  ASSERT_NE(list, nullptr);
  EXPECT_TRUE(state_.popup_open);
  ASSERT_TRUE(click(list, id_in(list->ID, "library")));
  EXPECT_EQ(workspace_.choice[Primitive::sort], library);
  frames(2);
  EXPECT_FALSE(state_.popup_open);
}

TEST_F(DrawPanels, EscapeClosesAList) {
  workspace_ = loaded_workspace();
  frames(3);
  const VariantChoice before = workspace_.choice;
  const ImGuiWindow* const timings = window("Timings");
  const ImGuiID row = id_in(id_in(timings->ID, "stages"), to_string(Stage::build));
  ASSERT_TRUE(click(timings, id_in(row, "##variant")));
  frames(2);
  ASSERT_TRUE(state_.popup_open);
  press(ImGuiKey_Escape);
  frames(2);
  EXPECT_FALSE(state_.popup_open);
  EXPECT_EQ(workspace_.choice, before);
}

TEST_F(DrawPanels, RepeatAsksForItsStage) {
  workspace_ = loaded_workspace();
  for (const Stage stage : all_stages) {
    workspace_.requests.repeat.reset();
    frames(3);
    const ImGuiWindow* const timings = window("Timings");
    const ImGuiID row = id_in(id_in(timings->ID, "stages"), to_string(stage));
    ASSERT_TRUE(click(timings, id_in(row, "Repeat"))) << to_string(stage);
    EXPECT_EQ(workspace_.requests.repeat, stage);
  }
}

TEST_F(DrawPanels, StagesOfEveryFrameHaveNoRepeat) {
  workspace_ = loaded_workspace();
  for (StageRow& row : workspace_.stages) row.every_frame = true;
  frames(3);
  const ImGuiWindow* const timings = window("Timings");
  const ImGuiID row = id_in(id_in(timings->ID, "stages"), to_string(Stage::sort));
  EXPECT_FALSE(hover(timings, id_in(row, "Repeat")));
}

TEST_F(DrawPanels, TogglesShowWhatTheyName) {
  workspace_ = loaded_workspace();
  frames(3);
  const std::array toggles = {std::pair{"Mesh", &DrawOptions::mesh},
                              std::pair{"Wireframe", &DrawOptions::wire},
                              std::pair{"BVH boxes", &DrawOptions::boxes},
                              std::pair{"Morton curve", &DrawOptions::curve},
                              std::pair{"Unique vertices", &DrawOptions::points},
                              std::pair{"Shadows", &DrawOptions::shadows}};
  const ImGuiWindow* const scene = window("Scene");
  for (const auto& [label, member] : toggles) {
    const bool before = workspace_.show.*member;
    ASSERT_TRUE(click(scene, id_in(scene->ID, label))) << label;
    EXPECT_NE(workspace_.show.*member, before) << label;
  }
}

TEST_F(DrawPanels, AnimationIsChosenAndPaused) {
  workspace_ = loaded_workspace();
  frames(3);
  const ImGuiWindow* const scene = window("Scene");
  const ImGuiID modes = id_in(scene->ID, "animation");
  ASSERT_TRUE(click(scene, id_in(modes, "Rebuild")));
  EXPECT_EQ(workspace_.animation, Animation::rebuild);
  ASSERT_TRUE(click(scene, id_in(id_in(scene->ID, "direction"), "Z")));
  EXPECT_EQ(workspace_.wave.direction, 2);
  ASSERT_TRUE(click(scene, id_in(scene->ID, "Pause")));
  EXPECT_FALSE(workspace_.wave.running);
  ASSERT_TRUE(click(scene, id_in(scene->ID, "Run")));
  EXPECT_TRUE(workspace_.wave.running);
}

TEST_F(DrawPanels, MessagesBecomeNotices) {
  workspace_ = loaded_workspace();
  say(Message::Kind::info, "Wrote picture.png.");
  say(Message::Kind::error, "mesh.obj:12: no such vertex. Mend the file.");
  frames(3);
  EXPECT_TRUE(workspace_.messages.empty());
  ASSERT_EQ(state_.notices.size(), 2U);
  EXPECT_TRUE(state_.animates);

  // Errors wait to be dismissed, notes do not.
  frames(2, 30.0F);
  EXPECT_TRUE(state_.notices[0].dismissed);
  EXPECT_FALSE(state_.notices[1].dismissed);
  frames();
  EXPECT_FALSE(state_.animates);
  const ImGuiWindow* const card = window("##notice0");
  ASSERT_NE(card, nullptr);
  ASSERT_TRUE(click(card, id_in(card->ID, "Dismiss")));
  EXPECT_TRUE(state_.notices[1].dismissed);
}

TEST_F(DrawPanels, NoticesLeaveMostOfTheViewFree) {
  workspace_ = loaded_workspace();
  for (int i = 0; i < 600; ++i) say(Message::Kind::error, std::string(2000, 'm'));
  frames(3);
  EXPECT_EQ(state_.notices.size(), 500U);
  float covered = 0.0F;
  for (const char* name : {"##notice0", "##notice1", "##notice2", "##notice3"})
    if (const ImGuiWindow* card = window(name); card != nullptr && card->Active)
      covered += card->Size.x * card->Size.y;
  EXPECT_GT(covered, 0.0F);
  EXPECT_LT(covered, 0.6F * state_.view.width * state_.view.height);
}

TEST_F(DrawPanels, FilesOpenedAreRemembered) {
  workspace_ = loaded_workspace();
  frames();
  EXPECT_EQ(state_.settings.recent, std::vector<std::string>{"/home/someone/meshes/dragon.obj"});
  EXPECT_TRUE(std::exchange(state_.settings_changed, false));
  workspace_.scene_spec = "generated:knot";
  frames();
  EXPECT_EQ(state_.settings.recent.size(), 1U);
  EXPECT_FALSE(state_.settings_changed);
}

TEST_F(DrawPanels, CommandsOfKeysAndMenus) {
  workspace_ = loaded_workspace();
  frames();
  run_command(Command::fit, workspace_, state_);
  EXPECT_TRUE(workspace_.requests.fit_camera);
  run_command(Command::toggle_boxes, workspace_, state_);
  EXPECT_TRUE(workspace_.show.boxes);
  run_command(Command::pause, workspace_, state_);
  EXPECT_FALSE(workspace_.wave.running);
  run_command(Command::screenshot, workspace_, state_);
  EXPECT_TRUE(workspace_.requests.screenshot.has_value());

  const float narrow = state_.view.width;
  run_command(Command::toggle_panels, workspace_, state_);
  frames(2);
  EXPECT_EQ(state_.view.width, 1280.0F);
  run_command(Command::toggle_panels, workspace_, state_);
  frames(2);
  EXPECT_EQ(state_.view.width, narrow);

  run_command(Command::toggle_help, workspace_, state_);
  frames(2);
  EXPECT_TRUE(state_.show_help);
  run_command(Command::close_dialog, workspace_, state_);
  EXPECT_FALSE(state_.show_help);
  run_command(Command::quit, workspace_, state_);
  EXPECT_TRUE(state_.quit);
}

TEST_F(DrawPanels, NoScreenshotOfNothing) {
  run_command(Command::screenshot, workspace_, state_);
  EXPECT_FALSE(workspace_.requests.screenshot.has_value());
}

}  // namespace
}  // namespace warpview
