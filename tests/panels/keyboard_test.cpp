// The window without a mouse: keys as the window gets them go to the view, the panels' widgets and
// the menus.
#include "app/panels/keyboard.h"

#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "app/panels/actions.h"
#include "app/panels/command_keys.h"
#include "app/panels/parts.h"
#include "app/window/keys.h"
#include "tests/panels/hands.h"

namespace warpview {
namespace {

class Keyboard : public HandsTest {
 protected:
  Keyboard() {
    use_keys_of_window();
    set_size(1280, 1400);
    frames(3);
  }

  void alt(int key) { tap_with(InputEvent::alt, GLFW_KEY_LEFT_ALT, key); }
  void shift(int key) { tap_with(InputEvent::shift, GLFW_KEY_LEFT_SHIFT, key); }
  void control(int key) { tap_with(InputEvent::control, GLFW_KEY_LEFT_CONTROL, key); }

  // "Scene: level/value": the widget that has the focus; empty: the view has it.
  std::string focused() {
    if (!state_.keyboard.ring || context_->NavDisableHighlight) return {};
    for (const ui::WidgetRecord& each : widgets())
      if (each.focused) return each.window + ": " + each.name;
    return std::string(context_->NavWindow->RootWindow->Name) + ": a page";
  }
  // Tab until that widget has the focus.
  bool tab_to(const std::string& widget, int most = 200) {
    for (int i = 0; i < most; ++i) {
      if (focused() == widget) return true;
      tap(GLFW_KEY_TAB);
    }
    return false;
  }
  std::string window_of_focus() {
    const std::string widget = focused();
    return widget.substr(0, widget.find(':'));
  }
  // A control that is a slider, in the Scene panel.
  double value_of(const std::string& control) {
    return model_.controls.value(model_.controls.find(control));
  }
};

TEST_F(Keyboard, TabGoesThroughThePanels) {
  EXPECT_EQ(focused(), "");
  for (const char* const widget : {"Scene: Mesh", "Scene: Wireframe", "Scene: BVH boxes"}) {
    tap(GLFW_KEY_TAB);
    EXPECT_EQ(focused(), widget);
  }
  shift(GLFW_KEY_TAB);
  EXPECT_EQ(focused(), "Scene: Wireframe");
  EXPECT_TRUE(tab_to("Timings: sort/variant"));
  EXPECT_TRUE(tab_to("Scene: Mesh")) << "around";
  shift(GLFW_KEY_TAB);
  EXPECT_EQ(window_of_focus(), "##status") << "around, backwards";
}

TEST_F(Keyboard, QuickKeysAreNotLost) {
  const bool shown = model_.outputs[0].shown;
  hands_.tap(GLFW_KEY_TAB);
  hands_.tap(GLFW_KEY_SPACE);
  see();
  EXPECT_NE(model_.outputs[0].shown, shown);
  EXPECT_TRUE(model_.playing) << "the view did not get it";
}

TEST_F(Keyboard, EveryWidgetOfThePanelsIsReached) {
  std::set<std::string> wanted;
  for (const ui::WidgetRecord& each : widgets())
    if ((each.window == "Scene" || each.window == "Timings") && each.enabled &&
        each.kind != std::string_view("fact"))
      wanted.insert(each.window + ": " + each.name);
  ASSERT_GT(wanted.size(), 40U);
  for (int i = 0; i < 200 && !wanted.empty(); ++i) {
    tap(GLFW_KEY_TAB);
    wanted.erase(focused());
  }
  for (const std::string& missed : wanted) ADD_FAILURE() << missed;
}

TEST_F(Keyboard, F6GoesFromPanelToPanel) {
  for (const char* const panel : {"Scene", "Timings", "##status", "Scene"}) {
    tap(GLFW_KEY_F6);
    EXPECT_EQ(window_of_focus(), panel);
  }
  shift(GLFW_KEY_F6);
  EXPECT_EQ(window_of_focus(), "##status");
  state_.show_lab = true;
  frames(3);
  tap(GLFW_KEY_F6);
  EXPECT_EQ(window_of_focus(), "##status") << "the laboratory took the keys when it appeared";
  tap(GLFW_KEY_F6);
  EXPECT_EQ(window_of_focus(), "Laboratory");
}

TEST_F(Keyboard, EscapeGivesTheKeysBackToTheView) {
  tap(GLFW_KEY_SPACE);
  EXPECT_FALSE(model_.playing) << "the view's key";
  tap(GLFW_KEY_TAB);
  const bool shown = model_.outputs[0].shown;
  tap(GLFW_KEY_SPACE);
  EXPECT_NE(model_.outputs[0].shown, shown);
  EXPECT_FALSE(model_.playing) << "the box had it";
  tap(GLFW_KEY_HOME);
  EXPECT_FALSE(model_.requests.find<request::LookFrom>());
  tap(GLFW_KEY_F);
  EXPECT_TRUE(model_.requests.find<request::FitCamera>()) << "no widget has a use for it";
  tap(GLFW_KEY_ESCAPE);
  EXPECT_EQ(focused(), "");
  tap(GLFW_KEY_SPACE);
  EXPECT_TRUE(model_.playing);
  tap(GLFW_KEY_HOME);
  EXPECT_TRUE(model_.requests.find<request::LookFrom>());
}

TEST_F(Keyboard, AClickTakesTheRingAway) {
  tap(GLFW_KEY_TAB);
  ASSERT_EQ(focused(), "Scene: Mesh");
  click(place("Scene", "Wireframe"));
  EXPECT_EQ(focused(), "");
  tap(GLFW_KEY_TAB);
  EXPECT_EQ(focused(), "Scene: BVH boxes") << "from where it was clicked";
}

TEST_F(Keyboard, ArrowsMoveASlider) {
  ASSERT_TRUE(tab_to("Scene: cut/Cut open"));
  tap(GLFW_KEY_SPACE);
  ASSERT_TRUE(tab_to("Scene: cut_at/value"));
  const double before = value_of("cut_at");
  tap(GLFW_KEY_RIGHT);
  EXPECT_NEAR(value_of("cut_at"), before + 0.01, 0.002);
  EXPECT_EQ(focused(), "Scene: cut_at/value");
  EXPECT_EQ(context_->ActiveId, 0U) << "it is let go";
  shift(GLFW_KEY_LEFT);
  EXPECT_NEAR(value_of("cut_at"), before - 0.09, 0.01);
}

TEST_F(Keyboard, EnterTypesTheValueOfASlider) {
  ASSERT_TRUE(tab_to("Scene: cut/Cut open"));
  tap(GLFW_KEY_SPACE);
  ASSERT_TRUE(tab_to("Scene: cut_at/value"));
  tap(GLFW_KEY_ENTER);
  ASSERT_TRUE(ImGui::GetIO().WantTextInput);
  hands_.type("0.25");
  see();
  EXPECT_EQ(model_.requests.count<request::LookFrom>(), 0U);
  tap(GLFW_KEY_ENTER);
  EXPECT_NEAR(value_of("cut_at"), 0.25, 1e-6);
  EXPECT_EQ(focused(), "Scene: cut_at/value");
}

TEST_F(Keyboard, AListChoosesAVariant) {
  ASSERT_TRUE(tab_to("Timings: sort/variant"));
  const auto before = stage(model_, "sort").variant;
  tap(GLFW_KEY_ENTER);
  ASSERT_TRUE(state_.popup_open);
  tap(GLFW_KEY_DOWN);
  tap(GLFW_KEY_ENTER);
  EXPECT_FALSE(state_.popup_open);
  EXPECT_NE(stage(model_, "sort").variant, before);
  EXPECT_EQ(focused(), "Timings: sort/variant");
  tap(GLFW_KEY_ENTER);
  tap(GLFW_KEY_ESCAPE);
  EXPECT_FALSE(state_.popup_open);
  EXPECT_EQ(focused(), "Timings: sort/variant") << "Escape closed the list alone";
}

TEST_F(Keyboard, ComparesTheVariantsOfAStage) {
  ASSERT_TRUE(tab_to("Timings: sort/Compare"));
  tap(GLFW_KEY_ENTER);
  const auto* const asked = model_.requests.find<request::Compare>();
  ASSERT_NE(asked, nullptr);
  EXPECT_EQ(asked->stage, "sort");
}

TEST_F(Keyboard, AltAndItsLetterOpenAMenu) {
  alt(GLFW_KEY_V);
  ASSERT_TRUE(find("##Menu_00", "Fit"));
  EXPECT_FALSE(find("##Menu_00", "Open..."));
  EXPECT_FALSE(model_.outputs[1].shown);
  tap(GLFW_KEY_DOWN);
  tap(GLFW_KEY_ENTER);
  EXPECT_TRUE(model_.outputs[1].shown) << "Wireframe is the second item";
  EXPECT_FALSE(state_.popup_open);
  EXPECT_FALSE(state_.keyboard.ring) << "the view had the focus before";
}

TEST_F(Keyboard, MenusGiveTheFocusBack) {
  ASSERT_TRUE(tab_to("Timings: sort/variant"));
  alt(GLFW_KEY_F);
  ASSERT_TRUE(find("##Menu_00", "Open..."));
  tap(GLFW_KEY_ESCAPE);
  EXPECT_FALSE(find("##Menu_00", "Open..."));
  EXPECT_EQ(focused(), "Timings: sort/variant");
}

TEST_F(Keyboard, F10AndAltEnterTheMenuBar) {
  const auto on_bar = [this] {
    return state_.keyboard.in_menus && std::string(context_->NavWindow->Name) == "##MainMenuBar";
  };
  const auto tap_alt = [this] {
    hands_.hold(InputEvent::alt, GLFW_KEY_LEFT_ALT, true);
    hands_.hold(InputEvent::alt, GLFW_KEY_LEFT_ALT, false);
    for (int i = 0; i < 4; ++i) see();
  };
  tap(GLFW_KEY_F10);
  ASSERT_TRUE(on_bar());
  tap(GLFW_KEY_RIGHT);
  tap(GLFW_KEY_DOWN);
  EXPECT_TRUE(find("##Menu_00", "Undo")) << "Edit is beside File";
  tap(GLFW_KEY_RIGHT);
  EXPECT_TRUE(find("##Menu_00", "Reset settings of this scene")) << "and Scene beside Edit";
  tap(GLFW_KEY_F10);
  EXPECT_FALSE(state_.popup_open);
  EXPECT_FALSE(on_bar());
  tap_alt();
  EXPECT_TRUE(on_bar());
  tap(GLFW_KEY_H);
  EXPECT_TRUE(find("##Menu_00", "Keys")) << "on the bar a letter is enough";
  tap(GLFW_KEY_ESCAPE);
  tap_alt();
  tap(GLFW_KEY_ESCAPE);
  EXPECT_FALSE(on_bar());

  // With another key Alt is no step into the menus, and neither where the window loses the keys.
  alt(GLFW_KEY_TAB);
  EXPECT_FALSE(on_bar());
  hands_.hold(InputEvent::alt, GLFW_KEY_LEFT_ALT, true);
  hands_.unfocus();
  hands_.hold(InputEvent::alt, GLFW_KEY_LEFT_ALT, false);
  for (int i = 0; i < 4; ++i) see();
  EXPECT_FALSE(on_bar());
}

TEST_F(Keyboard, ADialogHasTabToItself) {
  tap(GLFW_KEY_TAB);
  state_.show_log = true;
  say(Message::Kind::error, "wrong");
  frames(3);
  tap(GLFW_KEY_F6);
  for (int i = 0; i < 10 && window_of_focus() != "Messages"; ++i) tap(GLFW_KEY_F6);
  ASSERT_EQ(window_of_focus(), "Messages");
  for (int i = 0; i < 5; ++i) {
    tap(GLFW_KEY_TAB);
    EXPECT_EQ(window_of_focus(), "Messages");
  }
  tap(GLFW_KEY_ESCAPE);
  EXPECT_FALSE(state_.show_log);
}

// Whether it was opened by a key or by the mouse.
TEST_F(Keyboard, AWindowOverTheSceneKeepsItsKeys) {
  tap(GLFW_KEY_F1);
  for (int i = 0; i < 3; ++i) see();
  ASSERT_TRUE(state_.show_help);
  EXPECT_EQ(focused_window(), "Keys");
  const bool plays = model_.playing;
  control(GLFW_KEY_R);
  tap(GLFW_KEY_SPACE);
  tap(GLFW_KEY_HOME);
  EXPECT_FALSE(state_.video.open);
  EXPECT_EQ(model_.playing, plays);
  EXPECT_FALSE(model_.requests.find<request::LookFrom>());
  ASSERT_FALSE(state_.notices.empty());
  const std::string& told = state_.notices.back().message.text;
  EXPECT_NE(told.find("Ctrl+R (record a video of the view) acts on the scene"), std::string::npos)
      << told;
  control(GLFW_KEY_P);
  EXPECT_TRUE(state_.palette.open) << "that is the window's";
  tap(GLFW_KEY_ESCAPE);
  tap(GLFW_KEY_F1);
  for (int i = 0; i < 3; ++i) see();
  ASSERT_FALSE(state_.show_help);
  EXPECT_EQ(focused_window(), "");
  control(GLFW_KEY_R);
  EXPECT_TRUE(state_.video.open);
}

TEST_F(Keyboard, TheTourIsReached) {
  run_command(Command::tour, model_, state_);
  frames(4);
  ASSERT_TRUE(tab_to("Tour: Skip"));
  tap(GLFW_KEY_ENTER);
  EXPECT_EQ(state_.tour.step, 1U);
  tap(GLFW_KEY_ESCAPE);
  EXPECT_TRUE(state_.tour.step) << "the view has the keys again";
  tap(GLFW_KEY_ESCAPE);
  EXPECT_FALSE(state_.tour.step);
}

TEST_F(Keyboard, TheTabsOfTheLaboratoryAreReached) {
  state_.show_lab = true;
  frames(3);
  ASSERT_TRUE(tab_to("Laboratory: Sweep"));
  tap(GLFW_KEY_ENTER);
  EXPECT_EQ(state_.lab.front, LabTask::sweep);
  ASSERT_TRUE(tab_to("Laboratory: primitive"));
  tap(GLFW_KEY_ENTER);
  tap(GLFW_KEY_DOWN);
  const Primitive before = model_.lab.question.primitive;
  tap(GLFW_KEY_ENTER);
  EXPECT_NE(model_.lab.question.primitive, before);
}

TEST_F(Keyboard, PanelsAreHiddenByAnotherKeyThanTab) {
  EXPECT_FALSE(command_of(GLFW_KEY_TAB, 0) == Command::toggle_panels);
  tap(GLFW_KEY_F11);
  EXPECT_FALSE(is_shown(state_, Panel::scene));
  tap(GLFW_KEY_F11);
  EXPECT_TRUE(is_shown(state_, Panel::scene));
}

// Each command has a key of its own, which is the one that is told.
TEST(CommandKeys, AreWhatTheWindowGoesBy) {
  std::set<std::string> seen;
  for (const CommandKeys& row : command_keys) {
    EXPECT_TRUE(seen.insert(row.keys).second) << row.keys;
    EXPECT_EQ(keys_of(row.command), row.keys) << "one row has the command";
  }
  using enum Command;
  constexpr unsigned control = InputEvent::control;
  constexpr unsigned shift = InputEvent::shift;
  EXPECT_EQ(command_of(GLFW_KEY_P, control), open_palette);
  EXPECT_EQ(command_of(GLFW_KEY_P, 0), std::nullopt);
  EXPECT_EQ(command_of(GLFW_KEY_S, control), screenshot);
  EXPECT_EQ(command_of(GLFW_KEY_S, control | shift), save_picture);
  EXPECT_EQ(command_of(GLFW_KEY_Z, control), undo);
  EXPECT_EQ(command_of(GLFW_KEY_Z, control | shift), redo);
  EXPECT_EQ(command_of(GLFW_KEY_EQUAL, control), larger);
  EXPECT_EQ(command_of(GLFW_KEY_EQUAL, control | shift), larger);
  EXPECT_EQ(command_of(GLFW_KEY_KP_SUBTRACT, control), smaller);
  EXPECT_EQ(command_of(GLFW_KEY_KP_0, control), usual_size);
  EXPECT_EQ(command_of(GLFW_KEY_F, 0), fit);
  EXPECT_EQ(command_of(GLFW_KEY_F, shift), fly);
  EXPECT_EQ(command_of(GLFW_KEY_L, shift), toggle_lab);
  EXPECT_EQ(command_of(GLFW_KEY_L, InputEvent::alt), std::nullopt);
  EXPECT_EQ(command_of(GLFW_KEY_SLASH, shift), toggle_help);
  EXPECT_EQ(command_of(GLFW_KEY_SLASH, 0), std::nullopt);
  EXPECT_EQ(command_of(GLFW_KEY_F1, 0), toggle_help);
  EXPECT_EQ(command_of(GLFW_KEY_PERIOD, 0), step);
  EXPECT_EQ(command_of(GLFW_KEY_ESCAPE, 0), close_dialog);
  EXPECT_EQ(side_of(GLFW_KEY_KP_1, 0), Side::front);
  EXPECT_EQ(side_of(GLFW_KEY_KP_1, control), Side::back);
  EXPECT_EQ(side_of(GLFW_KEY_HOME, control), Side::home);
  EXPECT_EQ(side_of(GLFW_KEY_KP_5, 0), std::nullopt);
}

}  // namespace
}  // namespace warpview
