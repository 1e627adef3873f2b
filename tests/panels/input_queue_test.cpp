// Events that come faster than frames, in the queue alone and through ImGui to the panels.
#include "app/window/input_queue.h"

#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "app/window/imgui_input.h"
#include "tests/panels/hands.h"
#include "tests/panels/temporary_folder.h"

namespace warpview {
namespace {

using Kind = InputEvent::Kind;

class Queue : public testing::Test {
 protected:
  std::vector<InputFrame> frames() {
    std::vector<InputFrame> all;
    while (!queue_.empty() && all.size() < 10'000) all.push_back(queue_.next());
    return all;
  }

  InputQueue queue_;
  Hands hands_{queue_};
};

TEST_F(Queue, AButtonIsSeenWhereItWentDownAndUp) {
  hands_.click(10, 20);
  hands_.move(300, 400);
  const auto seen = frames();
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_EQ(seen[0].x, 10);
  EXPECT_FALSE(seen[0].buttons[0]) << "first the place, then the button";
  EXPECT_TRUE(seen[1].buttons[0]);
  EXPECT_EQ(seen[1].x, 10);
  EXPECT_FALSE(seen[2].buttons[0]);
  EXPECT_EQ(seen[2].y, 20);
  EXPECT_EQ(seen[3].x, 300);
}

TEST_F(Queue, WhatIsDraggedArrivesBeforeItIsLetGo) {
  hands_.move(10, 20);
  hands_.button(true);
  for (int x = 11; x <= 500; ++x) hands_.move(x, 20);
  hands_.button(false);
  const auto seen = frames();
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_EQ(seen[2].x, 500);
  EXPECT_TRUE(seen[2].buttons[0]);
  EXPECT_EQ(seen[2].events.size(), 490U);
  EXPECT_FALSE(seen[3].buttons[0]);
}

TEST_F(Queue, TheWheelTurnsWhereTheCursorIs) {
  hands_.move(10, 20);
  hands_.scroll(1);
  hands_.scroll(2);
  hands_.move(30, 40);
  hands_.scroll(-1);
  const auto seen = frames();
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].x, 10);
  EXPECT_EQ(seen[0].steps_y, 3);
  EXPECT_EQ(seen[1].x, 30);
  EXPECT_EQ(seen[1].steps_y, -1);
  EXPECT_EQ(queue_.next().steps_y, 0);
}

TEST_F(Queue, AKeyIsSeenWithItsModifiers) {
  constexpr int control = 100;
  hands_.hold(InputEvent::control, control, true);
  hands_.tap(65);
  hands_.hold(InputEvent::control, control, false);
  const auto seen = frames();
  const auto both = std::find_if(seen.begin(), seen.end(), [&](const InputFrame& frame) {
    return frame.keys.contains(65) && frame.keys.contains(control);
  });
  ASSERT_NE(both, seen.end());
  EXPECT_EQ(both->modifiers, unsigned{InputEvent::control});
  EXPECT_TRUE(seen.back().keys.empty());
  EXPECT_EQ(seen.back().modifiers, 0U);
}

TEST_F(Queue, LettersAndKeysKeepTheirOrder) {
  constexpr int backspace = 9;
  hands_.type("ab");
  hands_.tap(backspace);
  hands_.type("c");
  std::string order;
  for (const InputFrame& frame : frames()) {
    const bool erases = std::any_of(frame.events.begin(), frame.events.end(), [](const auto& e) {
      return e.kind == Kind::key && e.down && e.code == backspace;
    });
    EXPECT_TRUE(!erases || frame.text.empty());
    if (erases) order += '<';
    order.append(frame.text.begin(), frame.text.end());
  }
  EXPECT_EQ(order, "ab<c");
}

TEST_F(Queue, ASecondClickIsOneByTheUsersClock) {
  hands_.click(10, 20);
  hands_.wait(0.5 * InputQueue::double_click);
  hands_.click(10, 20);
  hands_.wait(2.0 * InputQueue::double_click);
  hands_.click(10, 20);
  std::vector<bool> again;
  for (const InputFrame& frame : frames())
    if (frame.presses_button) again.push_back(frame.presses_again);
  EXPECT_EQ(again, (std::vector{false, true, false}));
}

TEST_F(Queue, ACursorThatLeftIsNowhereUnlessItDrags) {
  hands_.move(10, 20);
  hands_.button(true);
  hands_.leave();
  hands_.move(-50, 20);
  auto seen = frames();
  EXPECT_TRUE(seen.back().has_cursor);
  EXPECT_EQ(seen.back().x, -50);
  hands_.button(false);
  seen = frames();
  EXPECT_FALSE(seen.back().has_cursor);
  hands_.move(10, 20);
  EXPECT_TRUE(queue_.next().has_cursor);
}

TEST_F(Queue, AWindowWithoutTheKeysHoldsNone) {
  hands_.move(10, 20);
  hands_.key(65, true);
  hands_.button(true);
  hands_.unfocus();
  const auto seen = frames();
  EXPECT_TRUE(std::any_of(seen.begin(), seen.end(),
                          [](const InputFrame& frame) { return frame.keys.contains(65); }));
  EXPECT_TRUE(seen.back().keys.empty());
  EXPECT_FALSE(seen.back().buttons[0]);
}

TEST_F(Queue, WhatWaitsIsWhereTheCursorIsPut) {
  hands_.move(10, 20);
  frames();
  hands_.move(1e6, -1e6);
  hands_.button(true);
  hands_.scroll(1.0);
  queue_.put_cursor(30, 40);
  for (const InputFrame& seen : frames()) {
    EXPECT_EQ(seen.x, 30);
    EXPECT_EQ(seen.y, 40);
    for (const InputEvent& event : seen.events) EXPECT_EQ(event.x, 30);
  }
  hands_.key(65, true);
  queue_.put_cursor(50, 60);
  EXPECT_EQ(queue_.next().x, 50) << "though nothing moved";
}

TEST_F(Queue, UnknownButtonsAreIgnored) {
  hands_.button(true, 7);
  hands_.button(true, -1);
  EXPECT_TRUE(queue_.empty());
}

// Whatever is done: each event once and in order, and no frame in which one would hide another.
// A picture is drawn when the panels have seen everything, and now and then while more comes.
TEST_F(Queue, IsBehindUntilTheLastFrameOfWhatWaits) {
  EXPECT_FALSE(queue_.is_behind());
  hands_.click(10, 20);
  for (int frame = 0; frame < 2; ++frame) {
    queue_.next();
    EXPECT_TRUE(queue_.is_behind()) << frame;
  }
  queue_.next();
  EXPECT_TRUE(queue_.empty());
  EXPECT_FALSE(queue_.is_behind());
  for (int i = 0; i < 50; ++i) hands_.click(10, 20);
  for (int picture = 0; picture < 2; ++picture) {
    for (int frame = 0; frame < InputQueue::most_unseen; ++frame) {
      queue_.next();
      EXPECT_TRUE(queue_.is_behind());
    }
    queue_.next();
    EXPECT_FALSE(queue_.is_behind());
  }
}

TEST_F(Queue, LosesNothing) {
  std::mt19937 random(7);
  const auto below = [&random](int n) {
    return static_cast<int>(random() % static_cast<unsigned>(n));
  };
  constexpr int count = 5'000;
  for (int i = 0; i < count; ++i) {
    const int code = below(4);
    const bool down = below(2) == 0;
    switch (below(7)) {
      case 0:
        hands_.move(below(50), below(50));
        break;
      case 1:
        hands_.button(down, code);
        break;
      case 2:
        hands_.scroll(1);
        break;
      case 3:
        hands_.key(code, down);
        break;
      case 4:
        hands_.type("x");
        break;
      case 5:
        hands_.leave();
        break;
      default:
        if (below(20) == 0) hands_.unfocus();
    }
  }
  const std::size_t pushed = queue_.waiting();
  double last = -1.0;
  InputFrame before;
  for (const InputFrame& frame : frames()) {
    int presses = 0;
    std::vector<int> changed;
    for (const InputEvent& event : frame.events) {
      EXPECT_GT(event.seconds, last);
      last = event.seconds;
      presses += event.kind == Kind::button || (event.kind == Kind::key && event.down) ? 1 : 0;
      if (event.kind == Kind::key) changed.push_back(event.code);
      if (event.kind == Kind::button) {
        EXPECT_EQ(event.x, frame.x);
        EXPECT_EQ(event.y, frame.y);
        EXPECT_EQ(event.x, before.x);
        EXPECT_EQ(event.y, before.y);
      }
      if (event.kind == Kind::scroll) {
        EXPECT_EQ(event.x, frame.x);
      }
    }
    EXPECT_LE(presses, 1);
    std::sort(changed.begin(), changed.end());
    EXPECT_EQ(std::adjacent_find(changed.begin(), changed.end()), changed.end());
    before = frame;
  }
  EXPECT_EQ(queue_.taken(), pushed);
  EXPECT_TRUE(queue_.empty());
}

// ---- Through ImGui ------------------------------------------------------------------------------

class QuickHands : public HandsTest {
 protected:
  double level() const { return model_.controls["level"]; }
  bool shows(const char* output) { return model_.output(output)->shown; }
};

TEST_F(QuickHands, AClickTogglesTheBoxThatItHit) {
  const ImVec2 mesh = place("Scene", "Mesh");
  const ImVec2 points = place("Scene", "Unique vertices");
  for (int i = 1; i <= 6; ++i) {
    hands_.click(mesh.x, mesh.y);
    hands_.move(points.x, points.y);
    see(0.5F);
    EXPECT_EQ(shows("mesh"), i % 2 == 0) << i;
    EXPECT_FALSE(shows("points")) << i;
  }
}

TEST_F(QuickHands, ClicksOnTwoBoxesToggleBoth) {
  const ImVec2 mesh = place("Scene", "Mesh");
  const ImVec2 points = place("Scene", "Unique vertices");
  hands_.click(mesh.x, mesh.y);
  hands_.click(points.x, points.y);
  see();
  EXPECT_FALSE(shows("mesh"));
  EXPECT_TRUE(shows("points"));
}

// From the slider out into the view, and let go there.
TEST_F(QuickHands, ADragOfASliderDoesNotTurnTheCamera) {
  model_.output("boxes")->shown = true;  // which the level needs
  frames(2);
  const ImVec2 at = place("Scene", "level/value");
  const Camera camera = model_.camera;
  const double before = level();
  hands_.move(at.x, at.y);
  hands_.button(true);
  for (int i = 1; i <= 100; ++i) hands_.move(at.x + 5.0 * i, at.y + 2.0 * i);
  hands_.button(false);
  see(0.5F);
  EXPECT_NE(level(), before);
  EXPECT_EQ(model_.camera, camera);
  EXPECT_FALSE(model_.requests.find<request::Pick>());
}

// From a panel straight into the view, with a button that goes down there.
TEST_F(QuickHands, ADragOfTheViewTurnsTheCameraAndNothingElse) {
  const ImVec2 mesh = place("Scene", "Mesh");
  const Area& view = state_.view;
  hands_.move(mesh.x, mesh.y);
  see();
  hands_.move(view.x + 0.5F * view.width, view.y + 0.5F * view.height);
  hands_.button(true);
  hands_.move(mesh.x, mesh.y);
  hands_.button(false);
  const Camera camera = model_.camera;
  see(0.5F);
  EXPECT_NE(model_.camera, camera);
  EXPECT_TRUE(shows("mesh"));
}

TEST_F(QuickHands, TheWheelBelongsToWhatIsUnderTheCursor) {
  const ImVec2 mesh = place("Scene", "Mesh");
  const Area& view = state_.view;
  const Camera camera = model_.camera;
  hands_.move(view.x + 0.5F * view.width, view.y + 0.5F * view.height);
  see();
  hands_.move(mesh.x, mesh.y);
  hands_.scroll(1);
  hands_.move(view.x + 0.5F * view.width, view.y + 0.5F * view.height);
  see();
  EXPECT_EQ(model_.camera, camera);
  hands_.scroll(1);
  hands_.move(mesh.x, mesh.y);
  see();
  EXPECT_NE(model_.camera.distance, camera.distance);
}

TEST_F(QuickHands, AClickIntoTheViewPicksAndASecondOneTurnsAroundIt) {
  const Area& view = state_.view;
  hands_.click(view.x + 0.5F * view.width, view.y + 0.5F * view.height);
  see(0.5F);
  EXPECT_TRUE(model_.requests.find<request::Pick>());
  EXPECT_FALSE(model_.requests.find<request::Pivot>());
  hands_.click(view.x + 0.5F * view.width, view.y + 0.5F * view.height);
  see(0.5F);
  EXPECT_TRUE(model_.requests.find<request::Pivot>());
}

TEST_F(QuickHands, TwoQuickClicksAtTwoPlacesAskTwice) {
  const Area& view = state_.view;
  hands_.click(view.x + 0.5F * view.width, view.y + 0.5F * view.height);
  see(0.5F);
  const auto first = model_.requests.take<request::Pick>();
  hands_.click(view.x + 0.25F * view.width, view.y + 0.5F * view.height);
  see(0.5F);
  const auto second = model_.requests.take<request::Pick>();
  ASSERT_TRUE(first.size() == 1 && second.size() == 1);
  EXPECT_NE(first[0].ray.direction.x, second[0].ray.direction.x);
  EXPECT_FALSE(model_.requests.find<request::Pivot>());
}

TEST_F(QuickHands, EveryClickOnRepeatAsksForARun) {
  const ImVec2 at = place("Timings", "sort/Repeat");
  for (int i = 0; i < 5; ++i) hands_.click(at.x, at.y);
  see(0.5F);
  ASSERT_EQ(model_.requests.count<request::Repeat>(), 5U);
  EXPECT_EQ(model_.requests.find<request::Repeat>()->stage, "sort");
}

// Select all, and type over it.
TEST_F(QuickHands, AQuickControlAIsNotLost) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  state_.settings.folder = "/";
  run_command(Command::open_file, model_, state_);
  frames(3);
  const ImVec2 path = place("Open a mesh or scene", "path");
  hands_.click(path.x, path.y);
  hands_.hold(InputEvent::control, 300, true);
  hands_.tap(ImGuiKey_A);
  hands_.hold(InputEvent::control, 300, false);
  hands_.type(folder.string());
  hands_.tap(ImGuiKey_Enter);
  see(0.5F);
  frames();
  EXPECT_EQ(state_.browser.folder(), folder);
}

TEST_F(QuickHands, KeysBelongToAFieldAsSoonAsItIsClicked) {
  EXPECT_FALSE([&] {
    ImGui::NewFrame();
    const bool wanted = panels_want_keys();
    ImGui::EndFrame();
    return wanted;
  }());
  run_command(Command::open_file, model_, state_);
  frames();
  ImGui::NewFrame();
  EXPECT_TRUE(panels_want_keys());
  ImGui::EndFrame();
}

// Frames that take longer than a double click may.
TEST_F(QuickHands, ADoubleClickIsOneInSlowFramesToo) {
  const TemporaryFolder temporary;
  const std::filesystem::path& folder = temporary.path();
  std::filesystem::create_directories(folder / "inner");
  state_.settings.folder = folder.string();
  run_command(Command::open_file, model_, state_);
  frames(3);
  const ImGuiWindow* dialog = popup();
  ASSERT_NE(dialog, nullptr);
  const ImVec2 size = dialog->Size;
  // The first entry lies below path, filter and heading.
  const double x = dialog->Pos.x + 0.3F * size.x;
  const double y = dialog->Pos.y + 8.4F * ImGui::GetFontSize();
  hands_.click(x, y);
  hands_.wait(1.0);
  hands_.click(x, y);
  see(0.5F);
  EXPECT_EQ(state_.browser.folder(), folder) << "two clicks";
  hands_.wait(1.0);
  hands_.click(x, y);
  hands_.click(x, y);
  see(0.5F);
  EXPECT_EQ(state_.browser.folder(), folder / "inner");
}

}  // namespace
}  // namespace warpview
