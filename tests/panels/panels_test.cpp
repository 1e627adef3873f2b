#include "app/panels/panels.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/panels/format.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"
#include "tests/panels/panel_test.h"

namespace warpview {
namespace {

class DrawPanels : public PanelTest {
 protected:
  static ImGuiWindow* timings() { return window("Timings"); }
  // Of a control that has choices: they stand side by side or, where there is no room, in a list.
  void choose(const ImGuiWindow* scene, const char* control, const char* choice) {
    const ImGuiID row = id_in(scene->ID, control);
    if (click(scene, id_in(id_in(row, "choice"), choice))) return;
    ASSERT_TRUE(click(scene, id_in(row, "##choice")));
    frames(2);
    ASSERT_NE(popup(), nullptr);
    ASSERT_TRUE(click(popup(), id_in(popup()->ID, choice)));
    frames(2);
  }
  // Sets and shows what a control needs to have an effect.
  void meet_needs(std::size_t control) {
    const Need& need = model_.controls.all()[control].needs;
    if (need.output != nullptr) {
      if (model_.output(need.output) == nullptr)
        model_.outputs.push_back({.name = need.output, .title = need.output});
      model_.output(need.output)->shown = true;
    }
    if (need.control == nullptr) return;
    const std::size_t other = model_.controls.find(need.control);
    model_.controls.set(other, std::string_view(need.values[0]));
    meet_needs(other);
  }
  // A widget in the row of a stage.
  static ImGuiID in_stage(const std::string& stage, const char* label) {
    return id_in(id_in(id_in(timings()->ID, "stages"), stage.c_str()), label);
  }
};

// ImGui's own assertions end the test where begins and ends do not match.
TEST_F(DrawPanels, NothingIsOpen) {
  frames(3);
  EXPECT_GT(state_.view.width, 100.0F);
  EXPECT_GT(state_.view.height, 100.0F);
  EXPECT_FALSE(state_.animates);
  EXPECT_TRUE(can_read("No scene"));
  EXPECT_TRUE(can_read("The stages' times appear when a scene is open."));
  EXPECT_FALSE(can_read("all stages")) << "there are no times";
  EXPECT_FALSE(can_read("Kernels"));
}

TEST_F(DrawPanels, WhileLoading) {
  model_.loading = true;
  model_.loading_spec = "/a/long/way/" + std::string(300, 'x') + "/mesh.obj";
  model_.load_phase = "reading the file";
  for (const float progress : {0.0F, 0.5F, 1.0F, 2.0F}) {
    model_.load_progress = progress;
    frames(2);
    EXPECT_TRUE(state_.animates);
  }
  const ImGuiWindow* card = window("##loading");
  ASSERT_NE(card, nullptr);
  EXPECT_GE(card->Pos.x, state_.view.x);
  EXPECT_LE(card->Pos.x + card->Size.x, state_.view.x + state_.view.width);
  ASSERT_TRUE(click(card, id_in(card->ID, "Cancel")));
  EXPECT_TRUE(model_.requests.find<request::CancelLoad>());
}

TEST_F(DrawPanels, EveryVariantOnEveryBackend) {
  model_ = loaded_model();
  for (const Backend backend : {Backend::cuda, Backend::hip, Backend::cpu}) {
    model_.device.backend = backend;
    for (StageRow& row : model_.stages)
      for (const VariantId variant : row.variants) {
        row.variant = row.result.change().variant = variant;
        frames();
      }
  }
}

TEST_F(DrawPanels, EveryKindOfRow) {
  model_ = loaded_model();
  for (const bool every_frame : {false, true})
    for (const bool launch_bound : {false, true})
      for (const char* done_by : {"", "build"}) {
        for (StageRow& row : model_.stages) {
          row.every_frame = every_frame;
          row.launch_bound = launch_bound;
          row.result.change().runs = every_frame ? 3 : 0;
        }
        stage(model_, "refit").result.change().done_by = done_by;
        frames(2);
      }
  for (const std::size_t runs : {0, 1, 2, 120, 1000})
    for (const float ms : {0.0F, 1e-7F, 1e7F, std::numeric_limits<float>::quiet_NaN(),
                           std::numeric_limits<float>::infinity()}) {
      for (StageRow& row : model_.stages) {
        row.result.change().milliseconds.assign(runs, ms);
        row.result.change().median_ms = row.result.change().last_ms = double{ms};
        row.result.change().gb_per_s = row.result.change().copy_share = double{ms};
      }
      model_.picture_ms = model_.results.change().kernels_ms = double{ms};
      for (TimeParts* whole : {&model_.results.change().frame_parts, &model_.window_parts}) {
        whole->whole_ms = double{ms};
        for (TimePart& part : whole->parts) part.ms = double{ms};
        whole->last_wholes.assign(runs, ms);
      }
      frames();
    }
}

TEST_F(DrawPanels, TextIsOnlyText) {
  model_ = loaded_model();
  const std::vector<std::string> odd = {
      "%s%n%d",       "##hidden", "a\xff\xfe\x80z", "\xe4\xb8\xad", std::string(5000, 'w'),
      "two\nlines\n", ""};
  for (const std::string& text : odd) {
    model_.scene_name = model_.scene_spec = model_.interop = text;
    model_.device.name = model_.gl_renderer = model_.absent[0] = text;
    say(Message::Kind::error, text);
    model_.loading = true;
    model_.loading_spec = model_.load_phase = text;
    for (StageRow& row : model_.stages) row.result.change().title = text;
    for (OutputRow& output : model_.outputs) output.title = output.name + "##" + text;
    model_.results.change().facts = {
        {.name = text + ".x", .title = text, .value = text, .tooltip = text}};
    model_.picked = {{.name = "pick." + text, .title = text, .value = text}};
    state_.show_log = state_.show_help = state_.show_about = true;
    frames(2);
  }
}

TEST_F(DrawPanels, WindowsOfEverySize) {
  model_ = loaded_model();
  model_.loading = true;
  say(Message::Kind::error, "Something went wrong. Do it again.");
  state_.show_log = state_.show_help = state_.show_about = true;
  run_command(Command::open_file, model_, state_);
  for (const auto& [width, height] :
       {std::pair{1, 1}, {40, 900}, {900, 40}, {300, 200}, {640, 480}, {1280, 800}, {3840, 2160}}) {
    set_size(width, height);
    frames(3);
    EXPECT_GE(state_.view.width, 1.0F) << width << " x " << height;
    EXPECT_GE(state_.view.height, 1.0F) << width << " x " << height;
  }
}

TEST_F(DrawPanels, NothingIsCutOff) {
  model_ = loaded_model();
  for (StageRow& row : model_.stages) row.every_frame = row.result->name != "upload";
  for (const auto& [width, height] : {std::pair{1280, 800}, {1920, 1200}}) {
    set_size(width, height);
    frames(3);
    for (const char* name : {"Scene", "Timings", "##status"}) {
      const ImGuiWindow* const panel = window(name);
      ASSERT_NE(panel, nullptr);
      EXPECT_EQ(panel->ScrollMax.x, 0.0F) << name << " at " << width;
      // All that can be set in a scene takes more than 800 pixels.
      const bool may_scroll = height < 1000 && name == std::string_view("Scene");
      EXPECT_TRUE(panel->ScrollMax.y == 0.0F || may_scroll)
          << name << " at " << width << " by " << panel->ScrollMax.y;
      EXPECT_LE(panel->ContentSize.x, panel->InnerRect.GetWidth()) << name << " at " << width;
    }
    EXPECT_EQ(state_.view.width, std::floor(state_.view.width));
    EXPECT_GT(state_.view.width, 500.0F);
    EXPECT_GT(state_.view.height, 700.0F);
  }
}

// Longest names of the catalogue included.
TEST_F(DrawPanels, VariantNamesFitTheirBoxes) {
  model_ = loaded_model();
  frames(3);
  const ImGuiTable* const table =
      ImGui::GetCurrentContext()->Tables.GetByKey(id_in(window("Timings")->ID, "stages"));
  ASSERT_NE(table, nullptr);
  const ImGuiTableColumn& column = table->Columns[1];
  for (const StageRow& row : model_.stages)
    for (const VariantId variant : row.variants) {
      const float needed = ImGui::CalcTextSize(variant->name).x + ImGui::GetFontSize() +
                           2.0F * ImGui::GetStyle().FramePadding.x;
      EXPECT_LE(needed, column.WorkMaxX - column.WorkMinX + 1.0F) << variant->name;
    }
}

TEST_F(DrawPanels, ListChoosesAVariant) {
  model_ = loaded_model();
  frames(3);
  const VariantId library = find_variant(Primitive::sort, "library");
  ASSERT_NE(stage(model_, "sort").variant, library);
  ASSERT_TRUE(click(timings(), in_stage("sort", "##variant")));
  frames(2);
  const ImGuiWindow* const list = popup();
  ASSERT_NE(list, nullptr);
  EXPECT_TRUE(state_.popup_open);
  ASSERT_TRUE(click(list, id_in(list->ID, "###library")));
  EXPECT_EQ(stage(model_, "sort").variant, library);
  for (const StageRow& row : model_.stages)
    if (row.result->name != "sort") {
      EXPECT_EQ(row.variant, row.result->variant) << row.result->name;
    }
  frames(2);
  EXPECT_FALSE(state_.popup_open);
}

TEST_F(DrawPanels, VariantsThatAreNotThereCannotBeChosen) {
  model_ = loaded_model();
  StageRow& sort = stage(model_, "sort");
  const auto before = sort.variant;
  for (std::size_t i = 0; i < sort.variants.size(); ++i)
    if (std::string(sort.variants[i]->name) == "library")
      sort.why_not[i] = "needs what is not here";
  frames(3);
  ASSERT_TRUE(click(timings(), in_stage("sort", "##variant")));
  frames(2);
  const ImGuiWindow* const list = popup();
  ASSERT_NE(list, nullptr);
  EXPECT_TRUE(can_read("needs what is not here"));
  ASSERT_TRUE(click(list, id_in(list->ID, "###library")));
  EXPECT_EQ(sort.variant, before);
}

TEST_F(DrawPanels, EscapeClosesAList) {
  model_ = loaded_model();
  frames(3);
  const auto before = stage(model_, "build").variant;
  ASSERT_TRUE(click(timings(), in_stage("build", "##variant")));
  frames(2);
  ASSERT_TRUE(state_.popup_open);
  press(ImGuiKey_Escape);
  frames(2);
  EXPECT_FALSE(state_.popup_open);
  EXPECT_EQ(stage(model_, "build").variant, before);
}

TEST_F(DrawPanels, RepeatAsksForItsStage) {
  model_ = loaded_model();
  for (const StageRow& row : model_.stages) {
    const std::string& name = row.result->name;
    model_.requests.drop<request::Repeat>();
    frames(3);
    EXPECT_EQ(click(timings(), in_stage(name, "Repeat")), row.result->repeatable) << name;
    if (row.result->repeatable) {
      ASSERT_EQ(model_.requests.count<request::Repeat>(), 1U);
      EXPECT_EQ(model_.requests.find<request::Repeat>()->stage, name);
    }
  }
}

TEST_F(DrawPanels, TimesAreSavedAsTheyStand) {
  model_ = loaded_model();
  frames(3);
  for (const char* format : {"CSV", "JSON"}) {
    ASSERT_TRUE(click(timings(), id_in(timings()->ID, format)));
    const auto asked = model_.requests.take<request::WriteReport>();
    ASSERT_EQ(asked.size(), 1U);
    const std::string& file = asked.front().file;
    EXPECT_NE(file.find("warpview-mesh-times"), std::string::npos) << file;
    EXPECT_TRUE(file.ends_with(format == std::string("CSV") ? ".csv" : ".json")) << file;
  }
}

// ---- Variants side by side ----------------------------------------------------------------------

Comparison compared_sorts(Model& model) {
  Comparison comparison{.number = 1, .stage = "sort", .items = 1'000'000, .variants = {}};
  const StageRow& sort = stage(model, "sort");
  comparison.chosen = sort.variant;
  double ms = 1.0;
  for (const VariantId variant : sort.variants) {
    const std::vector<double> milliseconds = {ms, 1.1 * ms, 1.2 * ms, 1.1 * ms, 1.05 * ms};
    comparison.variants.push_back(
        {.variant = variant, .items = 1'000'000, .milliseconds = milliseconds});
    ms *= 2.0;
  }
  comparison.variants.back().milliseconds.clear();
  comparison.variants.back().why_not = "needs what is not here";
  return comparison;
}

// Of the cloth, whose frames go one of two ways.
TEST_F(DrawPanels, ATimeThatWasNotTakenIsADash) {
  model_ = loaded_model();
  set_size(1280, 2000);
  model_.results.change().facts = {
      {.name = "frame.stream", .title = "Frame, stream", .value = 0.0, .unit = "ms"},
      {.name = "cloth.stretch", .title = "Maximum stretch", .value = 0.0, .unit = "%"}};
  state_.show_timings = false;
  frames(3);
  EXPECT_FALSE(can_read("0 %")) << "facts are folded at first";
  click("Scene", "facts/Frame");
  click("Scene", "facts/Cloth");
  frames(3);
  EXPECT_FALSE(can_read("0 ms"));
  EXPECT_TRUE(can_read("0 %"));
  model_.results.change().facts[0].value = 2.5;
  frames();
  EXPECT_TRUE(can_read("2.500 ms"));
}

TEST_F(DrawPanels, ComparesTheVariantsOfAStage) {
  model_ = loaded_model();
  frames(3);
  ASSERT_TRUE(click(timings(), in_stage("sort", "Compare")));
  ASSERT_TRUE(model_.requests.find<request::Compare>());
  EXPECT_EQ(model_.requests.find<request::Compare>()->stage, "sort");
  EXPECT_FALSE(hover(timings(), in_stage("boxes", "Compare"))) << "there is one way";

  // While it is under way nothing else can be compared, and it can be cancelled.
  model_.results.change().comparison = compared_sorts(model_);
  model_.results.change().comparison.under_way = true;
  model_.requests.drop<request::Compare>();
  set_size(1280, 1200);
  frames(3);
  click(timings(), in_stage("build", "Compare"));
  EXPECT_FALSE(model_.requests.find<request::Compare>());
  ASSERT_TRUE(click(timings(), id_in(id_in(timings()->ID, "comparison"), "Cancel")));
  EXPECT_TRUE(model_.requests.find<request::CancelComparison>());

  // Then it stays with its stage, a row is a choice, and the list has the times.
  model_.results.change().comparison.under_way = false;
  StageRow& sort = stage(model_, "sort");
  sort.compared = model_.results->comparison;
  frames(3);
  const VariantTimes& other = sort.compared->variants[sort.variants[0] == sort.variant ? 1 : 0];
  const ImGuiID table = id_in(id_in(timings()->ID, "comparison"), "compared");
  EXPECT_EQ((*other.variant)->title, std::string("Count, scan, reorder"));
  EXPECT_TRUE(can_read("Count, scan, reorder")) << "it is not cut";
  ASSERT_TRUE(click(timings(), id_in(table, (*other.variant)->name)));
  EXPECT_EQ(sort.variant, other.variant);
  EXPECT_FALSE(click(timings(), id_in(table, sort.variants.back()->name)));
  EXPECT_NE(compared_in_words(model_, sort, *other.variant), "");
  EXPECT_EQ(compared_in_words(model_, sort, sort.variants.back()), "");
  EXPECT_EQ(compared_in_words(model_, stage(model_, "build"), *stage(model_, "build").variant), "");
  ASSERT_TRUE(click(timings(), in_stage("sort", "##variant")));
  frames(2);
  press(ImGuiKey_Escape);

  ASSERT_TRUE(click(timings(), id_in(id_in(timings()->ID, "comparison"), "Close")));
  frames(2);
  EXPECT_FALSE(hover(timings(), id_in(table, (*other.variant)->name)));
}

TEST_F(DrawPanels, PinsWhatRunsAndGoesBackToIt) {
  model_ = loaded_model();
  frames(3);
  EXPECT_FALSE(differs_from_pinned(model_, stage(model_, "sort")));
  ASSERT_TRUE(click(timings(), id_in(timings()->ID, "Pin as A")));
  ASSERT_TRUE(model_.pinned);
  EXPECT_EQ(model_.pinned->stages.size(), model_.stages.size());
  EXPECT_EQ(model_.pinned->frames_ms, (std::vector<double>{9.0, 11.0}));
  StageRow& sort = stage(model_, "sort");
  const auto a = sort.variant;
  const Controls controls = model_.controls;
  EXPECT_FALSE(differs_from_pinned(model_, sort)) << "it is A's, and as it was";
  std::vector<float>& boxes = stage(model_, "boxes").result.change().milliseconds;
  for (float& ms : boxes) ms *= 10.0F;
  EXPECT_TRUE(differs_from_pinned(model_, stage(model_, "boxes")));
  frames(2);

  // Another variant says nothing before it has run.
  sort.variant = find_variant(Primitive::sort, "library");
  EXPECT_FALSE(differs_from_pinned(model_, sort));
  sort.result.change().variant = sort.variant;
  sort.result.change().milliseconds = {0.1F, 0.11F, 0.12F};
  EXPECT_TRUE(differs_from_pinned(model_, sort));
  model_.controls.set("waves=5");
  frames(3);
  ASSERT_TRUE(click(timings(), id_in(timings()->ID, "Go back to A")));
  EXPECT_EQ(sort.variant, a);
  EXPECT_TRUE(model_.controls == controls);
  ASSERT_TRUE(model_.pinned);

  model_.controls.set("waves=7");
  frames(2);
  ASSERT_TRUE(click(timings(), id_in(timings()->ID, "Pin again")));
  EXPECT_EQ(model_.pinned->controls["waves"], 7.0);
  ASSERT_TRUE(click(timings(), id_in(timings()->ID, "Unpin")));
  EXPECT_FALSE(model_.pinned);
}

TEST_F(DrawPanels, SaysThatTheCommandWasCopied) {
  model_ = loaded_model();
  frames(3);
  ImGui::SetClipboardText("");
  click("##MainMenuBar", "File");
  click("##Menu_00", "Copy as command");
  frames(3);
  EXPECT_TRUE(std::string(ImGui::GetClipboardText()).starts_with("warpview "));
  EXPECT_TRUE(can_read("Copied to the clipboard: the command"));
}

// As long as their shares, and each says what it is.
TEST_F(DrawPanels, ThePartsOfAFrameFillTheirBar) {
  model_ = loaded_model();
  frames(3);
  const auto part = [](const char* bar, int order) {
    return id_in(ImHashData(&order, sizeof order, id_in(timings()->ID, bar)), "part");
  };
  // Its left end, by where the mouse finds it first.
  const auto left_of = [&](ImGuiID id) {
    EXPECT_TRUE(hover(timings(), id));
    frames(2);
    EXPECT_NE(window("##Tooltip_00"), nullptr);
    return ImGui::GetIO().MousePos.x;
  };
  constexpr float step = 24.0F;  // of the mouse
  const float sort = left_of(part("Frame", 7));
  const float wait = left_of(part("Frame", 1000));
  const float end = timings()->WorkRect.Max.x;
  EXPECT_NEAR((wait - sort) / (end - sort), 0.6F, step / (end - sort));
  EXPECT_EQ(left_of(part("Window", 0)), sort);
  EXPECT_LT(left_of(part("Window", 3)), wait);
  // What stands still has no frames: its stages are shown.
  model_.results.change().moving = false;
  frames(2);
  EXPECT_FALSE(hover(timings(), part("Frame", 7)));
  EXPECT_TRUE(hover(timings(), part("Stages", 7)));
}

TEST_F(DrawPanels, StagesOfEveryFrameHaveNoRepeat) {
  model_ = loaded_model();
  for (StageRow& row : model_.stages) row.every_frame = true;
  frames(3);
  EXPECT_FALSE(hover(timings(), in_stage("sort", "Repeat")));
}

// A scene has stages for what is not switched on: they come when they have run.
TEST_F(DrawPanels, StagesThatNeverRanHaveNoRow) {
  model_ = loaded_model();
  StageRow& deform = stage(model_, "deform");
  deform.has_run = false;
  deform.result.change().milliseconds.clear();
  frames(3);
  EXPECT_FALSE(hover(timings(), in_stage("deform", "Repeat")));
  const float shorter = timings()->ContentSize.y;
  deform.has_run = true;
  frames(3);
  EXPECT_GT(timings()->ContentSize.y, shorter);
  deform.result.change().milliseconds = {0.5F};
  frames(3);
  EXPECT_TRUE(hover(timings(), in_stage("deform", "Repeat")));
}

TEST_F(DrawPanels, TogglesShowWhatTheyName) {
  model_ = loaded_model();
  frames(3);
  const ImGuiWindow* const scene = window("Scene");
  for (OutputRow& output : model_.outputs) {
    const bool before = output.shown;
    ASSERT_TRUE(click(scene, id_in(scene->ID, output.title.c_str()))) << output.name;
    EXPECT_NE(output.shown, before) << output.name;
  }
  const bool before = model_.show.shadows;
  ASSERT_TRUE(click(scene, id_in(scene->ID, "Shadows")));
  EXPECT_NE(model_.show.shadows, before);
}

TEST_F(DrawPanels, KeysShowWhatTheyName) {
  model_ = loaded_model();
  for (std::size_t i = 0; i < model_.outputs.size(); ++i) {
    const std::vector<OutputRow> before = model_.outputs;
    toggle_output(model_.outputs[i].key, model_);
    for (std::size_t other = 0; other < model_.outputs.size(); ++other)
      EXPECT_EQ(model_.outputs[other].shown != before[other].shown, other == i);
  }
  // Those without a key are not those of key 0.
  model_.outputs[2].key = 0;
  const bool before = model_.outputs[2].shown;
  toggle_output(0, model_);
  toggle_output('9', model_);
  EXPECT_EQ(model_.outputs[2].shown, before);
}

TEST_F(DrawPanels, AnimationIsChosenAndPaused) {
  model_ = loaded_model();
  frames(3);
  const ImGuiWindow* const scene = window("Scene");
  choose(scene, "shape", "Wave");
  EXPECT_EQ(model_.controls.choice("shape"), 1);
  choose(scene, "tree", "Rebuild");
  EXPECT_EQ(model_.controls.choice("tree"), 1);
  choose(scene, "axis", "z");
  EXPECT_EQ(model_.controls.choice("axis"), 2);
  EXPECT_EQ(model_.controls.choice("displaces"), 1);
  ASSERT_TRUE(click(scene, id_in(scene->ID, "Step")));
  EXPECT_EQ(model_.requests.count<request::Step>(), 0U) << "it runs by itself";
  ASSERT_TRUE(click(scene, id_in(scene->ID, "Pause")));
  EXPECT_FALSE(model_.playing);
  EXPECT_EQ(model_.requests.count<request::Step>(), 0U);
  ASSERT_TRUE(click(scene, id_in(scene->ID, "Step")));
  EXPECT_EQ(model_.requests.count<request::Step>(), 1U);
  ASSERT_TRUE(click(scene, id_in(scene->ID, "Run")));
  EXPECT_TRUE(model_.playing);
  EXPECT_FALSE(model_.requests.find<request::ResetScene>());
  ASSERT_TRUE(click(scene, id_in(scene->ID, "Reset")));
  EXPECT_TRUE(model_.requests.find<request::ResetScene>());
}

TEST_F(DrawPanels, WhatStandsStillHasNoTime) {
  model_ = loaded_model();
  model_.results.change().moving = false;
  frames(3);
  EXPECT_FALSE(find("Scene", "Pause")->enabled) << "it may move once something is set";
  model_.scene_kind = find_scene_kind("svg");
  ASSERT_TRUE(model_.scene_kind->stands_still);
  EXPECT_FALSE(find("Scene", "Pause")) << "it never moves";
}

// Places of the Scene panel's widgets, by their names, but for facts and their heads, which come
// and go.
std::map<std::string, float> places(const std::vector<ui::WidgetRecord>& widgets) {
  std::map<std::string, float> all;
  for (const ui::WidgetRecord& each : widgets)
    if (each.window == "Scene" && each.kind != std::string_view("fact") &&
        each.kind != std::string_view("fold"))
      all[each.name + "/" + each.kind] = each.from.y;
  return all;
}

// A second click on the same place is on the same thing.
TEST_F(DrawPanels, NothingMovesInTheScenePanel) {
  model_ = loaded_model();
  set_size(1280, 2000);
  model_.results.change().moving = false;
  frames(3);
  const auto before = places(widgets());
  ASSERT_GT(before.size(), 20U);
  const auto same = [&](const std::string& what) {
    frames(3);
    EXPECT_EQ(places(widgets()), before) << what;
  };
  const std::vector<Fact> facts = model_.results->facts;
  for (OutputRow& output : model_.outputs) {
    output.shown = !output.shown;
    // As a scene does, of what is shown.
    model_.results.change().facts.push_back(
        {.name = "bvh.level", .title = "Level 3", .value = std::uint64_t{8}});
    same(output.title);
    output.shown = !output.shown;
    model_.results.change().facts = facts;
    same(output.title + " again");
  }
  model_.picked.resize(12, {.name = "pick.triangle", .title = "T", .value = std::uint64_t{7}});
  same("a pick");
  model_.picked.clear();
  same("no pick any more");
  model_.results.change().facts.clear();
  same("no facts");
  // The labels of a button that does the opposite aside.
  model_.results.change().moving = true;
  same("time passes");
}

TEST_F(DrawPanels, ControlsWithoutAnEffectAreGrey) {
  model_ = loaded_model();
  set_size(1280, 2000);
  frames(3);
  const auto enabled = [this](const char* name) {
    const auto widget = find("Scene", name);
    EXPECT_TRUE(widget) << name;
    return widget && widget->enabled;
  };
  EXPECT_FALSE(enabled("speed/value"));
  EXPECT_FALSE(enabled("axis/choice/y"));
  model_.controls.set("shape=wave");
  EXPECT_TRUE(enabled("speed/value"));
  EXPECT_FALSE(enabled("level/value"));
  model_.output("boxes")->shown = true;
  EXPECT_TRUE(enabled("level/value"));
  EXPECT_FALSE(enabled("digit/value"));
  model_.controls.set("colour_by=digit");
  EXPECT_TRUE(enabled("digit/value"));
  model_.output("mesh")->shown = false;
  EXPECT_FALSE(enabled("digit/value")) << "there is nothing to be coloured";
  // It says why.
  ImGui::GetIO().MousePos = place("Scene", "cut_at/value");
  frames(3);
  EXPECT_TRUE(can_read("No effect now: it needs Cut open to be On."));
}

TEST_F(DrawPanels, GreyControlsStandInTheColumnOfTheOthers) {
  model_ = loaded_model();
  set_size(1280, 2000);
  frames(3);
  const auto speed = find("Scene", "speed/value");
  ASSERT_TRUE(speed && !speed->enabled);
  EXPECT_EQ(speed->from.x, find("Scene", "shape/choice")->from.x);
  model_.controls.set("shape=wave");
  EXPECT_EQ(find("Scene", "speed/value")->from.x, speed->from.x) << "it does not move";
}

TEST_F(DrawPanels, TitlesOfControlsAreNotCut) {
  set_size(1280, 4000);
  for (const SceneKind& kind : scene_kinds()) {
    model_ = loaded_model();
    model_.scene_kind = &kind;
    model_.controls = kind.initial_controls();
    frames(3);
    for (const Control& control : model_.controls.all())
      EXPECT_TRUE(can_read(control.title)) << kind.name << ": " << control.title;
  }
}

TEST_F(DrawPanels, OneIsNoPlural) {
  model_ = loaded_model();
  EXPECT_EQ(amount_of(model_), "1 000 000 triangles");
  Fact& first = model_.results.change().facts.front();
  first.value = std::uint64_t{1};
  EXPECT_EQ(amount_of(model_), "1 triangle");
  first.title = "Patches";
  EXPECT_EQ(amount_of(model_), "1 patch");
  first.title = "Vertices";
  EXPECT_EQ(amount_of(model_), "1 vertex");
}

// Not a frame later: none may come.
TEST_F(DrawPanels, TheLineOfTheCursorIsAsWideAsItsWords) {
  model_ = loaded_model();
  const auto width_with = [this](const std::string& words) {
    model_.glanced = {{.name = "triangle", .title = "Triangle", .value = std::uint64_t{7}},
                      {.name = "material", .title = "Material", .value = words}};
    frames();
    return window("##glance")->Size.x;
  };
  frames(3);
  width_with("verdigris");
  frames(3);
  const float wide = window("##glance")->Size.x;
  const float narrow = width_with("tin");
  EXPECT_LT(narrow, wide);
  frames(3);
  EXPECT_EQ(window("##glance")->Size.x, narrow);
  EXPECT_EQ(width_with("verdigris"), wide);
}

TEST_F(DrawPanels, WhatAllScenesShareIsGreyWhereNothingHasIt) {
  model_ = loaded_model();
  model_.camera.scene_half = {1, 1, 1};
  set_size(1280, 2000);
  const auto enabled = [this](const char* name) { return find("Scene", name)->enabled; };
  model_.outputs = {{.name = "mesh", .title = "Mesh", .shown = true},
                    {.name = "boxes",
                     .title = "BVH boxes",
                     .shown = false,
                     .kind = OutputKind::boxes,
                     .dims_surfaces = true}};
  frames(3);
  for (const char* const name : {"Shadows", "Ground", "Horizon", "Occlusion"})
    EXPECT_TRUE(enabled(name)) << name;
  EXPECT_FALSE(enabled("Dim under overlays"));
  model_.outputs[1].shown = true;
  EXPECT_TRUE(enabled("Dim under overlays"));
  model_.outputs[0].kind = OutputKind::image;
  for (const char* const name : {"Shadows", "Ground", "Occlusion", "Dim under overlays"})
    EXPECT_FALSE(enabled(name)) << name;
  EXPECT_TRUE(enabled("Horizon"));
  model_.camera.scene_half.z = 0.0F;  // a page
  frames(3);
  EXPECT_FALSE(enabled("Horizon"));
}

TEST_F(DrawPanels, AnotherSceneIsSeenFromItsTop) {
  model_ = loaded_model();
  set_size(1280, 500);
  frames(3);
  const auto scrolled = [this] { return window("Scene")->Scroll.y; };
  ImGui::SetScrollY(window("Scene"), 100.0F);
  frames(3);
  ASSERT_EQ(scrolled(), 100.0F);
  ++model_.scene_number;  // another size
  frames(3);
  EXPECT_EQ(scrolled(), 100.0F);
  model_.scene_files = {{"/other.obj"}};
  frames(3);
  EXPECT_EQ(scrolled(), 0.0F);
}

// ---- Files and scenes ---------------------------------------------------------------------------

TEST_F(DrawPanels, AFileFollowsToScenesThatAreMadeForIt) {
  model_ = loaded_model();
  frames(2);
  const auto choose_scene = [this](const char* title) {
    model_.requests.drop<request::Open>();
    model_.messages.clear();
    click("##MainMenuBar", "Scene");
    click("##Menu_00", title);
    return model_.requests.find<request::Open>()->scene;
  };
  const std::string mesh = model_.scene_files[0].spec;
  SceneDescription asked = choose_scene("Reyes");
  ASSERT_EQ(asked.files.size(), 1U);
  EXPECT_EQ(asked.files[0].spec, mesh);
  EXPECT_TRUE(state_.notices.empty());
  asked = choose_scene("Filled paths");
  EXPECT_TRUE(asked.files.empty()) << "it is no picture";
  ASSERT_EQ(state_.notices.size(), 1U);
  EXPECT_NE(state_.notices[0].message.text.find("dragon.obj"), std::string::npos);
  // And back, though the scene had another file meanwhile.
  model_.scene_kind = find_scene_kind("svg");
  model_.scene_files = {{"/logo.svg"}};
  frames(2);
  asked = choose_scene("Mesh");
  ASSERT_EQ(asked.files.size(), 1U);
  EXPECT_EQ(asked.files[0].spec, mesh);
  asked = choose_scene("Filled paths");
  ASSERT_EQ(asked.files.size(), 1U);
  EXPECT_EQ(asked.files[0].spec, "/logo.svg");
}

TEST_F(DrawPanels, AFileOpensInASceneThatIsMadeForIt) {
  model_ = loaded_model();
  const auto opened = [this](const char* file) {
    model_.messages.clear();
    open_file_in(model_, file);
    return kind_of(model_.requests.find<request::Open>()->scene).name;
  };
  model_.scene_kind = find_scene_kind("cloth");
  EXPECT_STREQ(opened("bunny.obj"), "cloth");
  EXPECT_TRUE(model_.messages.empty());
  EXPECT_STREQ(opened("logo.SVG"), "svg");
  EXPECT_EQ(model_.messages.size(), 1U);
  model_.scene_kind = find_scene_kind("svg");
  EXPECT_STREQ(opened("bunny.obj"), "mesh");
  EXPECT_EQ(model_.messages.size(), 1U);
  EXPECT_STREQ(opened("generated:emblem"), "svg");
  EXPECT_TRUE(model_.messages.empty());
}

// Of every scene, its panel alone, where each has an effect.
TEST_F(DrawPanels, EveryControlOfEverySceneCanBeSet) {
  for (const SceneKind& kind : scene_kinds()) {
    model_ = loaded_model();
    model_.scene_kind = &kind;
    model_.controls = Controls(kind.controls);
    model_.results.change().facts.clear();
    // Each frame would draw the times of every stage beside the controls.
    model_.stages.clear();
    set_size(1280, 2400);
    frames(3);
    const ImGuiWindow* const scene = window("Scene");
    for (std::size_t i = 0; i < kind.controls.size(); ++i) {
      const Control& control = kind.controls[i];
      SCOPED_TRACE(std::string(kind.name) + ", " + control.name);
      meet_needs(i);
      const ImGuiID row = id_in(scene->ID, control.name);
      const double before = model_.controls.value(i);
      switch (control.kind) {
        case Control::Kind::toggle:
        case Control::Kind::action:
          ASSERT_TRUE(click(scene, id_in(row, control.title)));
          break;
        case Control::Kind::number:
          ASSERT_TRUE(click(scene, id_in(row, "##value")));
          break;
        case Control::Kind::choice: {
          const char* const other =
              control.choices[(static_cast<std::size_t>(before) + 1) % control.choices.size()];
          choose(scene, control.name, capitalised(other).c_str());
          break;
        }
      }
      // A number's slider is first met at its left end.
      if (control.kind == Control::Kind::number && control.least == before) continue;
      EXPECT_NE(model_.controls.value(i), before);
    }
  }
}

// What makes the scene anew is set when the slider is let go; all else while it moves.
TEST_F(DrawPanels, SizesWaitForTheEndOfADrag) {
  static constexpr std::array controls = {
      Control{.name = "size",
              .title = "Size",
              .tooltip = "",
              .effect = Effect::remake,
              .initial = 900,
              .least = 1,
              .most = 1000,
              .whole = true},
      Control{.name = "push", .title = "Push", .tooltip = "", .initial = 0.9}};
  model_ = loaded_model();
  model_.controls = Controls(controls);
  frames(3);
  const ImGuiWindow* const scene = window("Scene");
  for (const char* name : {"size", "push"}) {
    const double before = model_.controls[name];
    ASSERT_TRUE(hover(scene, id_in(id_in(scene->ID, name), "##value")));
    ImGui::GetIO().MouseDown[0] = true;
    frames(3);
    EXPECT_EQ(model_.controls[name] == before, std::string(name) == "size") << name;
    ImGui::GetIO().MouseDown[0] = false;
    frames(2);
    EXPECT_NE(model_.controls[name], before) << name;
    EXPECT_TRUE(state_.dragged.empty());
  }
}

// The course of a fact takes room below it.
TEST_F(DrawPanels, CoursesAreDrawnBelowTheirFacts) {
  model_ = loaded_model();
  frames(3);
  const float without = window("Scene")->ContentSize.y;
  model_.results.change().courses["bvh.sah_cost"] = {80.0F};
  frames(3);
  EXPECT_EQ(window("Scene")->ContentSize.y, without) << "one value is no course";
  for (const std::vector<float>& course :
       {std::vector<float>{80.0F, 81.0F, 85.0F}, std::vector<float>(1000, 3.0F),
        std::vector<float>{0.0F, 0.0F}, std::vector<float>{-5.0F, 1e30F},
        std::vector<float>{std::numeric_limits<float>::quiet_NaN(), 1.0F},
        std::vector<float>{std::numeric_limits<float>::infinity(), 1.0F}}) {
    model_.results.change().courses["bvh.sah_cost"] = course;
    frames(3);
    EXPECT_GT(window("Scene")->ContentSize.y, without);
  }
  // Of a fact that is not there nothing is drawn.
  model_.results.change().courses = {{"no.fact", {1.0F, 2.0F}}};
  frames(3);
  EXPECT_EQ(window("Scene")->ContentSize.y, without);
}

// Where a value begins and ends that stands beside a label in a window of 300.
TEST_F(DrawPanels, ValuesEndAtTheRightAndLeaveTheirLabels) {
  struct Place {
    float from, to, label_to, end;
  };
  const auto place = [](const char* label, const std::string& value) {
    ImGui::GetIO().DeltaTime = 1.0F / 60.0F;
    ImGui::NewFrame();
    ImGui::SetNextWindowSize({300.0F, 200.0F});
    ImGui::Begin("properties");
    const float left = ImGui::GetCursorScreenPos().x;
    property(label, value);
    const Place found{ImGui::GetItemRectMin().x - ImGui::GetWindowPos().x,
                      ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x,
                      left + ImGui::CalcTextSize(label).x - ImGui::GetWindowPos().x,
                      ImGui::GetContentRegionMax().x};
    ImGui::End();
    ImGui::Render();
    return found;
  };
  for (const auto& [label, value] : {std::pair<const char*, std::string>{"At", "1, 2, 3"},
                                     {"At", "-0.02122, 1.9880, 0.08692, 1"},
                                     {"At", std::string(100, 'w')},
                                     {"A label that is longer than most", "1"}}) {
    const Place found = place(label, value);
    EXPECT_NEAR(found.to, found.end, 1.5F) << label << ": " << value;
    EXPECT_GT(found.from, found.label_to) << label << ": " << value;
  }
}

TEST_F(DrawPanels, WhatWasPickedIsTold) {
  model_ = loaded_model();
  frames(3);
  EXPECT_FALSE(window("Picked") != nullptr && window("Picked")->Active);
  const float without = window("Scene")->Size.y;
  model_.picked = {{.name = "pick.triangle", .title = "Triangle", .value = std::uint64_t{7}},
                   {.name = "pick.place", .title = "At", .value = Vec3{1.0F, 2.0F, 3.0F}}};
  frames(3);
  EXPECT_TRUE(window("Picked")->Active);
  EXPECT_TRUE(can_read("Triangle"));
  EXPECT_EQ(window("Picked")->ScrollMax.y, 0.0F);
  EXPECT_EQ(window("Scene")->Size.y + window("Picked")->Size.y, without);
}

// For long enough to be read, and no longer.
TEST_F(DrawPanels, TheViewSaysThatThePictureLags) {
  model_ = loaded_model();
  model_.behind_ms = 100.0;
  frames(3);
  EXPECT_FALSE(can_read("behind")) << "nobody notices";
  EXPECT_TRUE(state_.animates) << "or nobody would look when it is longer";
  model_.behind_ms = 1234.0;
  frames(3);
  EXPECT_TRUE(can_read("Picture 1.2 s behind"));
  const ImGuiWindow* const mark = window("##lag");
  EXPECT_GE(mark->Pos.x, state_.view.x);
  EXPECT_LE(mark->Pos.x + mark->Size.x, state_.view.x + state_.view.width);
  EXPECT_GE(mark->Pos.y, window("##axes")->Pos.y + window("##axes")->Size.y);
  model_.behind_ms = 0.0;
  frames();
  EXPECT_TRUE(can_read("behind"));
  EXPECT_TRUE(state_.animates);
  frames(2, 1.0F);
  EXPECT_FALSE(can_read("behind"));
  EXPECT_FALSE(state_.animates);
}

TEST_F(DrawPanels, TheScenePanelSaysThatASceneIsOpening) {
  frames(3);
  EXPECT_TRUE(can_read("No scene"));
  model_.loading = true;
  model_.loading_spec = "mesh.obj";
  frames(3);
  EXPECT_FALSE(can_read("No scene"));
}

TEST_F(DrawPanels, TheScenePanelNamesAMeshThatHasAnEffect) {
  model_ = loaded_model();
  model_.scene_kind = find_scene_kind("ships");
  model_.scene_name = "Spaceships";
  model_.scene_spec = "ships bunny.obj";
  model_.controls = model_.scene_kind->initial_controls();
  frames(3);
  EXPECT_FALSE(can_read("bunny.obj"));
  model_.controls.set("formation=mesh");
  frames(3);
  EXPECT_TRUE(can_read("bunny.obj"));
}

TEST_F(DrawPanels, AValueThatIsDerivedIsShown) {
  model_ = loaded_model();
  model_.scene_kind = find_scene_kind("particles");
  model_.controls = model_.scene_kind->initial_controls();
  auto& derived = model_.results.change().derived;
  derived.resize(model_.controls.size());
  derived[model_.controls.find("radius")] = 0.0182;
  derived[model_.controls.find("substeps")] = 7.0;
  frames(3);
  EXPECT_EQ(find("Scene", "radius/value")->text, "auto (0.0182)");
  EXPECT_EQ(find("Scene", "substeps/value")->text, "auto (7)");
  model_.controls.set("substeps=4");
  frames(2);
  EXPECT_EQ(find("Scene", "substeps/value")->text, "4");
}

TEST_F(DrawPanels, LinesAreBrokenAtSpacesAlone) {
  frames();
  ImGui::NewFrame();
  const auto width = [](const char* words) { return ImGui::CalcTextSize(words).x + 1.0F; };
  EXPECT_EQ(broken_at_spaces("files (the \"Software\"), to", width("files (the \"Software\"")),
            "files (the\n\"Software\"), to");
  EXPECT_EQ(broken_at_spaces("one two", width("one two")), "one two");
  EXPECT_EQ(broken_at_spaces("one two\nthree four", width("three")), "one\ntwo\nthree\nfour");
  EXPECT_EQ(broken_at_spaces("a unbreakable b", width("a")), "a\nunbreakable\nb");
  EXPECT_EQ(broken_at_spaces("", 10.0F), "");
  ImGui::EndFrame();
}

TEST_F(DrawPanels, TheViewSaysWhyNothingIsDrawn) {
  model_ = loaded_model();
  frames(3);
  EXPECT_FALSE(can_read("draw"));
  // The first picture is to come.
  model_.first_picture_ms = 100.0;
  model_.behind_ms = 3900.0;
  frames(3);
  EXPECT_FALSE(can_read("Drawing"));
  EXPECT_TRUE(state_.animates) << "a longer wait is told";
  model_.first_picture_ms = 3900.0;
  frames(3);
  EXPECT_TRUE(can_read("Drawing the first picture... 3.9 s"));
  EXPECT_FALSE(can_read("behind")) << "which picture?";
  const ImGuiWindow* const words = window("##emptiness");
  EXPECT_GE(words->Pos.x, state_.view.x);
  EXPECT_LE(words->Pos.x + words->Size.x, state_.view.x + state_.view.width);
  model_.first_picture_ms = 0.0;
  frames(3);
  EXPECT_FALSE(can_read("Drawing"));
  // All that could be seen is hidden; outputs of a pick draw nothing before there is one.
  const std::vector<OutputRow> outputs = model_.outputs;
  for (OutputRow& output : model_.outputs) output.shown = false;
  model_.outputs.push_back({.name = "picked", .title = "Picked", .shown = true, .of_pick = true});
  frames(3);
  EXPECT_TRUE(can_read("All outputs are hidden: tick one under Show"));
  model_.picked = {{.name = "triangle", .title = "Triangle", .value = std::uint64_t{7}}};
  frames(3);
  EXPECT_FALSE(can_read("All outputs are hidden"));
  model_.picked.clear();
  model_.outputs = outputs;
  frames(3);
  EXPECT_FALSE(can_read("All outputs are hidden"));
  // There is nothing in the scene.
  model_.scene_bounds = Aabb::empty();
  model_.results.change().facts[0].value = std::uint64_t{0};
  frames(3);
  EXPECT_TRUE(can_read("Nothing to draw: 0 triangles"));
  model_.first_picture_ms = 10.0;
  frames(3);
  EXPECT_FALSE(can_read("Nothing to draw")) << "it is not known yet";
  model_.first_picture_ms = 0.0;
  model_.results.change().facts.clear();
  frames(3);
  EXPECT_TRUE(can_read("Nothing to draw"));
  model_.scene_name.clear();
  frames(3);
  EXPECT_FALSE(can_read("Nothing to draw")) << "nothing is open";
}

TEST_F(DrawPanels, MessagesBecomeNotices) {
  model_ = loaded_model();
  say(Message::Kind::info, "Wrote picture.png.");
  say(Message::Kind::error, "mesh.obj:12: no such vertex. Mend the file.");
  frames(3);
  EXPECT_TRUE(model_.messages.empty());
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
  model_ = loaded_model();
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
  model_ = loaded_model();
  frames();
  EXPECT_EQ(state_.settings.recent, std::vector<std::string>{"/home/someone/meshes/dragon.obj"});
  EXPECT_TRUE(std::exchange(state_.settings_changed, false));
  model_.scene_spec = "generated:knot";
  model_.scene_files = {{"generated:knot"}};
  frames();
  EXPECT_EQ(state_.settings.recent.size(), 1U);
  EXPECT_FALSE(state_.settings_changed);
}

TEST_F(DrawPanels, CommandsOfKeysAndMenus) {
  model_ = loaded_model();
  frames();
  run_command(Command::fit, model_, state_);
  EXPECT_TRUE(model_.requests.find<request::FitCamera>());
  run_command(Command::step, model_, state_);
  EXPECT_EQ(model_.requests.count<request::Step>(), 0U);
  run_command(Command::pause, model_, state_);
  EXPECT_FALSE(model_.playing);
  run_command(Command::step, model_, state_);
  EXPECT_EQ(model_.requests.count<request::Step>(), 1U);
  run_command(Command::screenshot, model_, state_);
  EXPECT_TRUE(model_.requests.find<request::SavePicture>());

  const float narrow = state_.view.width;
  run_command(Command::toggle_panels, model_, state_);
  frames(2);
  EXPECT_EQ(state_.view.width, 1280.0F);
  run_command(Command::toggle_panels, model_, state_);
  frames(2);
  EXPECT_EQ(state_.view.width, narrow);

  run_command(Command::toggle_help, model_, state_);
  frames(2);
  EXPECT_TRUE(state_.show_help);
  run_command(Command::close_dialog, model_, state_);
  EXPECT_FALSE(state_.show_help);
  run_command(Command::quit, model_, state_);
  EXPECT_TRUE(state_.quit);
}

TEST_F(DrawPanels, AboutNamesVersionLicenceAndParts) {
  set_size(1280, 1400);
  frames(2);
  EXPECT_EQ(window("About"), nullptr);
  click("##MainMenuBar", "Help");
  click("##Menu_00", "About Warpview");
  frames(2);
  for (const char* words :
       {"Warpview 0.", "MIT License", "Copyright (c) 2026 the Warpview authors",
        "WITHOUT WARRANTY OF ANY KIND", "Dear ImGui", "Apache 2.0", "pugixml", "packed PTX"})
    EXPECT_TRUE(can_read(words)) << words;
  run_command(Command::close_dialog, model_, state_);
  frames(2);
  EXPECT_FALSE(state_.show_about);
}

TEST_F(DrawPanels, GeneratedMeshesAreOpenedFromTheMenu) {
  model_ = loaded_model();
  frames(3);
  click("##MainMenuBar", "File");
  ImGui::GetIO().MousePos = place("##Menu_00", "Open generated");
  frames(30);
  EXPECT_TRUE(find("##Menu_01", "A fluted trefoil knot, 73 728 triangles"));
  click("##Menu_01", "A bumpy sphere of exactly 100 000 triangles");
  const auto* const open = model_.requests.find<request::Open>();
  ASSERT_TRUE(open);
  EXPECT_NE(open->scene.spec().find("generated:sphere:100000"), std::string::npos);
}

// Lines part rows of a menu: there is none above its first.
TEST_F(DrawPanels, NoMenuBeginsWithALine) {
  model_ = loaded_model();
  frames(3);
  const auto space_above_first = [this](const char* menu, const char* submenu, const char* first) {
    click("##MainMenuBar", menu);
    ImGui::GetIO().MousePos = place("##Menu_00", submenu);
    frames(30);
    const auto row = find("##Menu_01", first);
    EXPECT_TRUE(row) << submenu;
    const float space = row ? row->from.y - window("##Menu_01")->Pos.y : -1.0F;
    ImGui::GetIO().MousePos = {1.0F, 700.0F};  // or the submenu would open again
    frames(3);
    while (popup() != nullptr) press(ImGuiKey_Escape);
    return space;
  };
  const float usual = space_above_first("View", "Light and ground", "Shadows");
  EXPECT_EQ(space_above_first("View", "A|B", "Show A beside B"), usual);
  EXPECT_EQ(space_above_first("Scene", "Compute on", "cpu"),
            usual + 2.0F * (ImGui::GetTextLineHeight() + ImGui::GetStyle().ItemSpacing.y))
      << "below cuda and hip";
}

TEST_F(DrawPanels, TheThemeIsChosenInTheMenu) {
  model_ = loaded_model();
  const auto choose = [this](const char* theme) {
    click("##MainMenuBar", "View");
    click("##Menu_00", "Theme");
    click("##Menu_01", theme);
  };
  frames(2);
  choose("Light");
  EXPECT_EQ(state_.settings.theme, Theme::light);
  EXPECT_EQ(model_.show.theme, Theme::light);
  EXPECT_TRUE(std::exchange(state_.settings_changed, false));
  choose("Dark");
  EXPECT_EQ(model_.show.theme, Theme::dark);
  EXPECT_TRUE(state_.settings_changed);
}

TEST_F(DrawPanels, NoScreenshotOfNothing) {
  run_command(Command::screenshot, model_, state_);
  EXPECT_FALSE(model_.requests.find<request::SavePicture>());
}

// Every end of the axes that the eye sees can be clicked, and turns the view to its side.
TEST_F(DrawPanels, AxesInTheCornerTurnTheView) {
  model_ = loaded_model();
  frames(3);
  const ImGuiWindow* const axes = window("##axes");
  ASSERT_NE(axes, nullptr);
  const auto click_end = [&](const char* end) {
    for (float y = axes->Rect().Min.y; y < axes->Rect().Max.y; y += 3.0F)
      for (float x = axes->Rect().Min.x; x < axes->Rect().Max.x; x += 3.0F) {
        ImGui::GetIO().MousePos = {x, y};
        frames();
        if (context_->HoveredId != id_in(axes->ID, end)) continue;
        click_here();
        return true;
      }
    return false;
  };
  const auto side = [this]() -> std::optional<Side> {
    const auto asked = model_.requests.take<request::LookFrom>();
    return asked.size() == 1 ? std::optional(asked[0].side) : std::nullopt;
  };
  ASSERT_TRUE(click_end("Look from +X"));
  EXPECT_EQ(side(), Side::right);
  ASSERT_TRUE(click_end("Look from -Y"));
  EXPECT_EQ(side(), Side::bottom);
  model_.camera.up_axis = UpAxis::z;
  frames(2);
  ASSERT_TRUE(click_end("Look from +Z"));
  EXPECT_EQ(side(), Side::top);
  ASSERT_TRUE(click_end("Look from -Y"));
  EXPECT_EQ(side(), Side::front);

  // Not over nothing.
  model_.scene_name.clear();
  frames(3);
  EXPECT_FALSE(window("##axes")->Active);
}

TEST_F(DrawPanels, GrowAndShrinkWithinBounds) {
  model_ = loaded_model();
  run_command(Command::larger, model_, state_);
  EXPECT_EQ(state_.settings.scale_percent, 110);
  EXPECT_TRUE(state_.settings_changed);
  for (int i = 0; i < 50; ++i) run_command(Command::larger, model_, state_);
  EXPECT_EQ(state_.settings.scale_percent, Settings::most_scale);
  for (int i = 0; i < 50; ++i) run_command(Command::smaller, model_, state_);
  EXPECT_EQ(state_.settings.scale_percent, Settings::least_scale);
  run_command(Command::usual_size, model_, state_);
  EXPECT_EQ(state_.settings.scale_percent, Settings::usual_scale);
}

TEST_F(DrawPanels, RememberWhatIsUp) {
  model_ = loaded_model();
  frames(2);
  state_.settings_changed = false;
  run_command(Command::turn_up_axis, model_, state_);
  EXPECT_EQ(model_.camera.up_axis, UpAxis::z);
  EXPECT_TRUE(model_.requests.find<request::FitCamera>());
  frames();
  EXPECT_TRUE(state_.settings.z_up);
  EXPECT_TRUE(state_.settings_changed);
}

}  // namespace
}  // namespace warpview
