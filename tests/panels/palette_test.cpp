// The command palette: what it offers, what it finds, and that keys and mouse carry it out.
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include "app/common/fuzzy.h"
#include "app/panels/actions.h"
#include "app/panels/command_keys.h"
#include "app/panels/parts.h"
#include "app/panels/variant_names.h"
#include "tests/panels/hands.h"

namespace warpview {
namespace {

TEST(FuzzyMatch, FindsLettersInOrder) {
  const auto places = [](const char* typed, const char* text) {
    const auto match = fuzzy_match(typed, text);
    return match ? match->places : std::vector<std::size_t>{999};
  };
  using Places = std::vector<std::size_t>;
  EXPECT_EQ(places("", "Mesh"), Places{});
  EXPECT_EQ(places("wire", "Wireframe"), (Places{0, 1, 2, 3}));
  EXPECT_EQ(places("MC", "Morton curve"), (Places{0, 7})) << "beginnings of words first";
  EXPECT_EQ(places("frm", "Wireframe"), (Places{4, 5, 7}));
  EXPECT_EQ(places("cur mor", "Morton curve"), (Places{0, 1, 2, 7, 8, 9})) << "words in any order";
  EXPECT_EQ(places("en", "Unique"), Places{999});
  EXPECT_EQ(places("xyz", "Mesh"), Places{999});
  EXPECT_EQ(places("mesh", ""), Places{999});
}

TEST(FuzzyMatch, BeginningsOfWordsComeFirst) {
  const auto score = [](const char* typed, const char* text) {
    return fuzzy_match(typed, text).value().score;
  };
  EXPECT_GT(score("so", "Radix sort"), score("so", "Reason"));
  EXPECT_GT(score("aso", "Reason"), score("aso", "Animals of old"));
  EXPECT_GT(score("re", "Reload"), score("re", "Open recent")) << "nearer to the beginning";
  EXPECT_GT(score("op re", "Open recent"), score("op re", "Top results"));
}

class Palette : public HandsTest {
 protected:
  Palette() {
    use_keys_of_window();
    state_.settings.recent = {"/home/someone/meshes/bunny.obj"};
    frames(3);
  }
  void open_by_key() { tap_with(InputEvent::control, GLFW_KEY_LEFT_CONTROL, GLFW_KEY_P); }
  // Opens it, and types.
  void look_for(const std::string& words) {
    open_by_key();
    ASSERT_TRUE(state_.palette.open);
    hands_.type(words);
    for (int i = 0; i < 3; ++i) see();
    ASSERT_EQ(state_.palette.query, words);
  }
  // The rows that can be seen.
  std::vector<std::string> rows() {
    std::vector<std::string> names;
    for (const ui::WidgetRecord& each : widgets())
      if (each.window == "Commands" && std::string(each.kind) == "choice" && each.visible)
        names.push_back(each.name);
    return names;
  }
  // The one that Enter carries out.
  std::string first() {
    const auto all = rows();
    return all.empty() ? "" : all.front();
  }
  const Action* action(const std::vector<Action>& all, const std::string& path,
                       const std::string& label) {
    for (const Action& each : all) {
      std::string whole;
      for (const std::string& part : each.path) whole += (whole.empty() ? "" : " > ") + part;
      if (whole == path && each.label == label) return &each;
    }
    return nullptr;
  }
};

TEST_F(Palette, OffersAllThatThereIs) {
  const std::vector<Action> all = all_actions(model_, state_);
  const auto has = [&](const std::string& path, const std::string& label) {
    EXPECT_NE(action(all, path, label), nullptr) << path << ": " << label;
  };
  for (const SceneKind& kind : scene_kinds()) has("Scene", kind.title);
  for (int p = 0; p < primitive_count; ++p)
    has("Laboratory > Primitive", capitalised(title(static_cast<Primitive>(p))));
  for (const StageRow& row : model_.stages)
    for (const VariantId variant : row.variants)
      has("Variant", row.result->title + ": " + full_name(*variant));
  for (const OutputRow& output : model_.outputs) has("View", output.title);
  for (const SideKeys& side : side_keys) has("View > Look from", side.title);
  has("File > Open recent", "bunny.obj");
  has("View > Theme", "Light");
  for (const Control& control : model_.controls.all())
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Action& each) {
      return each.path[0] == "Control" && each.id == control.name;
    })) << control.name;
  for (const CommandKeys& command : command_keys)
    if (command.command != Command::close_dialog) {
      EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Action& each) {
        return each.keys == command.keys;
      })) << command.keys;
    }
  std::set<std::string> seen;
  for (const Action& each : all) {
    std::string whole = each.label + each.id;
    for (const std::string& part : each.path) whole += "/" + part;
    EXPECT_TRUE(seen.insert(whole).second) << whole << " is there twice";
    EXPECT_TRUE(each.act) << each.label;
  }
}

// Every item that a menu shows is a row, and the other way around.
TEST_F(Palette, MenusShowTheirRows) {
  for (const char* const menu : menu_names()) {
    click(place("##MainMenuBar", menu));
    std::vector<std::string> drawn;
    for (const ui::WidgetRecord& each : widgets())
      if (each.window == "##Menu_00" && std::string(each.kind) == "choice")
        drawn.push_back(each.name);
    std::vector<std::string> wanted;
    for (const Action& each : menu_actions(model_, state_))
      if (each.path == std::vector<std::string>{menu}) wanted.push_back(each.label);
    EXPECT_EQ(drawn, wanted) << menu;
    tap(GLFW_KEY_ESCAPE);
  }
}

TEST_F(Palette, EnterCarriesOutWhatIsFound) {
  look_for("wiref");
  EXPECT_EQ(first(), "View: Wireframe");
  tap(GLFW_KEY_ENTER);
  EXPECT_FALSE(state_.palette.open);
  EXPECT_TRUE(model_.outputs[1].shown);

  look_for("spaceships");
  tap(GLFW_KEY_ENTER);
  const auto* const asked = model_.requests.find<request::Open>();
  ASSERT_NE(asked, nullptr);
  EXPECT_EQ(asked->scene.scene, "ships");
}

// The primitive, then the stage; what only has a variant of that name follows.
TEST_F(Palette, WhatIsNamedSoComesFirst) {
  look_for("sort");
  const std::vector<std::string> found = rows();
  const std::size_t variants = stage(model_, "sort").variants.size();
  ASSERT_GT(found.size(), variants + 1);
  EXPECT_EQ(found[0], "Laboratory > Primitive: Radix sort");
  for (std::size_t i = 1; i <= variants; ++i)
    EXPECT_EQ(found[i].find("Variant: Sort: "), 0U) << found[i];
  EXPECT_EQ(found[variants + 1].find("Variant: Sort: "), std::string::npos);
}

TEST_F(Palette, ArrowsChooseAndTheMouseToo) {
  look_for("theme");
  const auto found = rows();
  ASSERT_GE(found.size(), 2U);
  const auto light = std::find(found.begin(), found.end(), "View > Theme: Light");
  ASSERT_NE(light, found.end());
  for (auto i = found.begin(); i != light; ++i) tap(GLFW_KEY_DOWN);
  tap(GLFW_KEY_ENTER);
  EXPECT_EQ(state_.settings.theme, Theme::light);
  look_for("theme dark");
  click(place("Commands", "View > Theme: Dark"));
  EXPECT_EQ(state_.settings.theme, Theme::dark);
  EXPECT_FALSE(state_.palette.open);
}

TEST_F(Palette, EscapeAndAClickOutsideCloseIt) {
  const bool playing = model_.playing;
  look_for("l u");
  tap(GLFW_KEY_ESCAPE);
  EXPECT_FALSE(state_.palette.open);
  EXPECT_FALSE(state_.show_lab) << "letters are typed, not carried out";
  EXPECT_EQ(model_.playing, playing);
  open_by_key();
  EXPECT_EQ(state_.palette.query, "") << "it begins empty";
  click(ImVec2(20.0F, 780.0F));
  EXPECT_FALSE(state_.palette.open);
}

TEST_F(Palette, SaysWhyAnEntryIsUnavailable) {
  const auto unavailable = [this](const std::string& path, const std::string& label) {
    const std::vector<Action> all = all_actions(model_, state_);
    const Action* const row = action(all, path, label);
    return row != nullptr ? row->why_not : "not there";
  };
  EXPECT_EQ(unavailable("Scene > Compute on", "cuda"), model_.absent[0]);
  EXPECT_EQ(unavailable("Edit", "Undo"), "There is nothing to undo.");
  EXPECT_NE(unavailable("Control > Cut", "Axis: X"), "");
  StageRow& sort = stage(model_, "sort");
  sort.why_not[0] = "needs what is not here";
  const std::string name = sort.result->title + ": " + full_name(*sort.variants[0]);
  EXPECT_EQ(unavailable("Variant", name), "It needs what is not here.");
  const auto before = sort.variant;
  look_for(name);
  EXPECT_EQ(first(), "Variant: " + name);
  EXPECT_TRUE(can_read("It needs what is not here."));
  tap(GLFW_KEY_ENTER);
  EXPECT_TRUE(state_.palette.open) << "it was not carried out";
  EXPECT_EQ(sort.variant, before);
}

// The laboratory does not leave a primitive that it runs: its tabs can be shown.
TEST_F(Palette, ARunningLaboratoryKeepsItsPrimitive) {
  model_.lab.question.primitive = Primitive::scan;
  model_.lab.state = LabModel::State::measuring;
  const auto unavailable = [this](Primitive primitive) {
    const std::vector<Action> all = all_actions(model_, state_);
    return action(all, "Laboratory > Primitive", capitalised(title(primitive)))->why_not;
  };
  EXPECT_EQ(unavailable(Primitive::sort), "The laboratory is running.");
  EXPECT_EQ(unavailable(Primitive::scan), "");
  open_laboratory(model_, state_, Primitive::sort, {}, LabTask::about);
  frames(3);
  EXPECT_EQ(model_.lab.question.primitive, Primitive::scan);
  EXPECT_NE(state_.lab.front, LabTask::about);
  open_laboratory(model_, state_, Primitive::scan, {}, LabTask::about);
  frames(3);
  EXPECT_EQ(state_.lab.front, LabTask::about);
}

TEST_F(Palette, ChoosesAVariantAndAControl) {
  StageRow& sort = stage(model_, "sort");
  const VariantId other = sort.variants.back();
  look_for(sort.result->title + ": " + other->name);
  tap(GLFW_KEY_ENTER);
  EXPECT_EQ(sort.variant, other);
  look_for("cut open");
  tap(GLFW_KEY_ENTER);
  EXPECT_TRUE(model_.controls.on("cut"));
  look_for("colour by: rank");
  tap(GLFW_KEY_ENTER);
  EXPECT_EQ(model_.controls.text(model_.controls.find("colour_by")), "rank");
}

// The pages of the menu Help, whose links lead on.
TEST_F(Palette, HelpShowsPages) {
  const auto choose = [this](const char* item) {
    click(place("##MainMenuBar", "Help"));
    click(place("##Menu_00", item));
    frames(3);
  };
  choose("This scene");
  ASSERT_TRUE(state_.show_page);
  EXPECT_TRUE(can_read("The mesh scene"));
  const auto all = widgets();
  const auto link = std::find_if(all.begin(), all.end(), [](const ui::WidgetRecord& each) {
    return each.window == "Handbook" && std::string(each.kind) == "link" && each.visible;
  });
  ASSERT_NE(link, all.end());
  click(ImVec2(0.5F * (link->from.x + link->to.x), 0.5F * (link->from.y + link->to.y)));
  frames(3);
  EXPECT_EQ(state_.page.page, "docs/obj-files.md");
  click(place("Handbook", "Back"));
  EXPECT_EQ(state_.page.page, "docs/scenes/mesh.md");
  choose("Using the window");
  EXPECT_EQ(state_.page.page, "docs/using.md");
  choose("Glossary");
  EXPECT_TRUE(can_read("aggregate"));

  // By keys: the page scrolls, and Escape closes it.
  tap(GLFW_KEY_TAB);
  for (int i = 0;
       i < 10 && std::string(context_->NavWindow->Name).find("page") == std::string::npos; ++i)
    tap(GLFW_KEY_TAB);
  const float before = state_.page.scroll;
  tap(GLFW_KEY_PAGE_DOWN);
  EXPECT_GT(state_.page.scroll, before + 100.0F);
  tap(GLFW_KEY_ESCAPE);
  EXPECT_FALSE(state_.show_page);

  choose("This primitive");
  EXPECT_TRUE(state_.show_lab);
  EXPECT_EQ(state_.lab.front, LabTask::about);
  EXPECT_EQ(model_.lab.question.primitive, Primitive::scan) << "the first stage with variants";
}

// A number is set at its slider, wherever the panel is scrolled to.
TEST_F(Palette, ANumberIsSetAtItsSlider) {
  set_size(1280, 420);
  state_.show_scene = false;
  frames(3);
  look_for("crease");
  tap(GLFW_KEY_ENTER);
  ASSERT_TRUE(is_shown(state_, Panel::scene));
  const auto slider = find("Scene", "crease/value");
  ASSERT_TRUE(slider) << "it is scrolled to";
  EXPECT_TRUE(state_.keyboard.ring);
  tap(GLFW_KEY_RIGHT);
  EXPECT_GT(model_.controls.value(model_.controls.find("crease")), 45.0);
}

}  // namespace
}  // namespace warpview
