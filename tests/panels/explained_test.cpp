// Every stage, fact, output and control of every scene says what it is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/panels/widgets.h"
#include "tests/panels/panel_test.h"
#include "tests/scenes/meshes.h"
#include "tests/scenes/scene_test.h"

namespace warpview {
namespace {

class Explained : public PanelTest, public testing::WithParamInterface<const SceneKind*> {
 protected:
  const SceneKind& kind() const { return *GetParam(); }

  // The scene as it begins, small, with what a click finds of it.
  void open() {
    Controls controls = kind().initial_controls();
    if (kind().size_control != nullptr) {
      const std::size_t size = controls.find(kind().size_control);
      controls.set(size, controls.all()[size].least);
    }
    scene_ = test::make_scene(kind(), *test::devices_for(1).front().device, test::sphere(2),
                              std::move(controls));
    test::load(*scene_);
    model_.scene_kind = &kind();
    model_.scene_name = kind().title;
    model_.scene_spec = kind().name;
    for (const Output& output : scene_->outputs())
      model_.outputs.push_back({output.name, output.title, output.key, output.shown, false,
                                output.kind, output.dims_surfaces, output.about});
    pick();
    take();
  }
  // A frame as the camera sees it.
  void compute() {
    constexpr std::uint32_t pixels = 64;
    const test::Targets targets(*scene_);
    Frame frame = targets.all();
    const Camera camera = camera_here();
    const glm::mat4 to_clip = camera.projection(1.0F) * camera.view();
    const glm::vec3 eye = camera.eye();
    std::copy_n(&to_clip[0][0], frame.view.to_clip.size(), frame.view.to_clip.begin());
    frame.view.eye = {eye.x, eye.y, eye.z};
    frame.view.width = frame.view.height = pixels;
    scene_->queue(frame);
    scene_->collect();
  }
  Camera camera_here() const {
    Camera camera;
    camera.fit(scene_->bounds(), 1.0F);
    return camera;
  }
  void pick() {
    compute();
    const Camera camera = camera_here();
    for (int row = 1; row < 10 && model_.picked.empty(); ++row)
      for (int column = 1; column < 10 && model_.picked.empty(); ++column)
        model_.picked = scene_->pick(camera.ray(0.1F * column, 0.1F * row, 1.0F)).facts;
  }
  // What the session would take.
  void take() {
    model_.controls = scene_->controls();
    model_.results.change().facts = scene_->facts();
    model_.stages.clear();
    for (StageResult& result : scene_->timeline().stage_results()) {
      StageRow row{.variant = result.variant, .has_run = true};
      if (result.primitive) row.variants = variants_of(*result.primitive);
      row.why_not.resize(row.variants.size());
      row.result = std::move(result);
      model_.stages.push_back(std::move(row));
    }
  }
  void set(std::size_t control, double value) {
    Controls controls = scene_->controls();
    controls.set(control, value);
    test::set(*scene_, controls);
    compute();
    take();
  }

  void unfold() {
    set_size(1280, 4000);
    frames(3);
    std::vector<std::string> folded;
    for (const ui::WidgetRecord& each : widgets())
      if (each.window == "Scene" && std::string_view(each.kind) == "fold" && each.on == false)
        folded.push_back(each.name);
    for (const std::string& name : folded) {
      click("Scene", name);
      frames(2);
    }
  }
  void expect_all_explained() {
    frames(2);
    for (const ui::WidgetRecord& each : widgets()) {
      const bool is_of_scene =
          each.window == "Scene" || each.window == "Timings" || each.window == "Picked";
      if (!is_of_scene || std::string_view(each.kind) == "splitter") continue;
      EXPECT_NE(each.about, "") << each.window << ": " << each.kind << " " << each.name;
      seen_.insert(each.name);
    }
  }

  std::unique_ptr<Scene> scene_;
  std::set<std::string> seen_;
};

TEST_P(Explained, AllThatCanBeSeenAndSet) {
  open();
  EXPECT_FALSE(model_.picked.empty());
  unfold();
  expect_all_explained();
  for (const StageRow& row : model_.stages) {
    EXPECT_NE(std::string(row.result->about), "") << row.result->name;
    EXPECT_TRUE(seen_.contains(row.result->name + "/stage") ||
                seen_.contains(row.result->name + "/" + row.result->title))
        << row.result->name;
    EXPECT_TRUE(can_read(row.result->title)) << "is it cut? " << row.result->title;
  }
  for (const Fact& fact : model_.results->facts)
    EXPECT_TRUE(seen_.contains(fact.name)) << fact.name;
  for (const Fact& fact : model_.picked) EXPECT_TRUE(seen_.contains(fact.name)) << fact.name;
  for (const OutputRow& output : model_.outputs) EXPECT_NE(output.about, "") << output.name;
  for (const Control& control : model_.controls.all())
    EXPECT_TRUE(std::any_of(seen_.begin(), seen_.end(), [&](const std::string& name) {
      return name == control.name || name.starts_with(std::string(control.name) + "/");
    })) << control.name;
}

// Facts come and go with what is chosen.
TEST_P(Explained, FactsOfEveryChoice) {
  open();
  for (std::size_t i = 0; i < model_.controls.size(); ++i) {
    const Control& control = model_.controls.all()[i];
    if (control.effect == Effect::remake || control.kind != Control::Kind::choice) continue;
    for (std::size_t choice = 0; choice < control.choices.size(); ++choice) {
      SCOPED_TRACE(std::string(control.name) + "=" + control.choices[choice]);
      set(i, static_cast<double>(choice));
      for (const Fact& fact : model_.results->facts) EXPECT_NE(fact.tooltip, "") << fact.name;
    }
    set(i, control.initial);
  }
}

TEST_P(Explained, WhatToTryTakesTwoLinesOfThePanel) {
  open();
  frames(3);
  EXPECT_TRUE(can_read(kind().invitation));
  const ImFont& small = *state_.fonts.small;
  const float width = window("Scene")->WorkRect.GetWidth();
  const ImVec2 size = small.CalcTextSizeA(small.FontSize, FLT_MAX, width, kind().invitation);
  EXPECT_LE(size.y, 2.5F * small.FontSize);
  EXPECT_GE(size.y, small.FontSize);
}

// A right click leads to the page.
TEST_P(Explained, StagesAndControlsHaveAPage) {
  open();
  const Page* const page = state_.handbook.page(scene_page(kind().name));
  ASSERT_NE(page, nullptr) << state_.handbook.why_not(scene_page(kind().name));
  std::set<std::string> headings;
  for (const PageBlock& block : page->blocks)
    if (block.kind == PageBlock::Kind::heading) headings.insert(anchor_of(block.words));
  for (const char* heading : {"what-is-drawn", "how-it-is-computed", "controls", "facts"})
    EXPECT_TRUE(headings.contains(heading)) << heading;
  frames(2);
  ImGui::GetIO().MousePos = place("Scene", model_.outputs.front().title);
  frames(2);
  ImGui::GetIO().MouseDown[1] = true;
  frames();
  ImGui::GetIO().MouseDown[1] = false;
  frames(3);
  EXPECT_TRUE(state_.show_page);
  EXPECT_EQ(state_.page.page, scene_page(kind().name));
  EXPECT_TRUE(find("Handbook", "All scenes"));
}

std::vector<const SceneKind*> every_kind() {
  std::vector<const SceneKind*> kinds;
  for (const SceneKind& kind : scene_kinds()) kinds.push_back(&kind);
  return kinds;
}
INSTANTIATE_TEST_SUITE_P(All, Explained, testing::ValuesIn(every_kind()),
                         [](const auto& test) { return std::string(test.param->name); });

}  // namespace
}  // namespace warpview
