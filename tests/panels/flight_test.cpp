// Flying: what keys and mouse do to the camera, by the time that passes, and to nothing else.
#include "app/window/flight.h"

#define GLFW_INCLUDE_NONE  // files compiled together with this one include glad
#include <GLFW/glfw3.h>

#include <glm/geometric.hpp>
#include <utility>

#include "app/window/keys.h"
#include "tests/panels/hands.h"

namespace warpview {
namespace {

class FlightTest : public PanelTest {
 protected:
  FlightTest() {
    model_ = loaded_model();
    model_.camera.fit({{-1, -1, -1}, {1, 1, 1}}, 1.0F);
    frames(2);
    state_.flies = true;
    frame(0.0);
  }

  // A frame of the window, at this time: what is left of it for others.
  InputFrame frame(double now) {
    InputFrame left;
    do left = flight_.take(queue_.next(), now, state_, model_);
    while (!queue_.empty());
    return left;
  }
  glm::vec3 eye() const { return model_.camera.eye(); }
  float radius() const { return model_.camera.scene_radius; }

  InputQueue queue_;
  Hands hands_{queue_};
  Flight flight_;
};

TEST_F(FlightTest, MovesByTheTimeThatPasses) {
  const glm::vec3 begin = eye();
  const glm::vec3 ahead = -model_.camera.backward();
  hands_.key(GLFW_KEY_W, true);
  frame(5.0);  // held from now on: what passed before does not count
  EXPECT_EQ(eye(), begin);
  EXPECT_TRUE(flight_.moves());
  frame(5.02);
  const float step = Flight::usual_speed * radius();
  EXPECT_NEAR(glm::dot(eye() - begin, ahead), 0.02F * step, 1e-4F * radius());
  frame(5.05);
  EXPECT_NEAR(glm::dot(eye() - begin, ahead), 0.05F * step, 1e-4F * radius());
  hands_.key(GLFW_KEY_W, false);
  frame(5.06);
  EXPECT_NEAR(glm::dot(eye() - begin, ahead), 0.06F * step, 1e-4F * radius());
  EXPECT_FALSE(flight_.moves());
  const glm::vec3 end = eye();
  frame(6.0);
  EXPECT_EQ(eye(), end);
}

TEST_F(FlightTest, DoesNotJumpAfterASlowFrame) {
  const glm::vec3 begin = eye();
  hands_.key(GLFW_KEY_D, true);
  frame(1.0);
  frame(31.0);
  EXPECT_NEAR(glm::length(eye() - begin),
              static_cast<float>(Flight::longest_step) * Flight::usual_speed * radius(),
              1e-4F * radius());
}

TEST_F(FlightTest, GoesWhereEachKeySays) {
  const Camera before = model_.camera;
  const std::pair<int, glm::vec3> cases[] = {
      {GLFW_KEY_W, -before.backward()},  {GLFW_KEY_S, before.backward()},
      {GLFW_KEY_UP, -before.backward()}, {GLFW_KEY_DOWN, before.backward()},
      {GLFW_KEY_D, before.right()},      {GLFW_KEY_A, -before.right()},
      {GLFW_KEY_RIGHT, before.right()},  {GLFW_KEY_LEFT, -before.right()},
      {GLFW_KEY_E, glm::vec3(0, 1, 0)},  {GLFW_KEY_Q, glm::vec3(0, -1, 0)}};
  double now = 1.0;
  for (const auto& [code, way] : cases) {
    SCOPED_TRACE(code);
    model_.camera = before;
    hands_.key(code, true);
    frame(now += 1.0);
    frame(now += 0.05);
    hands_.key(code, false);
    frame(now);
    EXPECT_NEAR(glm::dot(glm::normalize(eye() - before.eye()), way), 1.0F, 1e-3F);
  }
}

TEST_F(FlightTest, ShiftAndWheelMakeItFaster) {
  const auto way_of_a_frame = [this](double at) {
    frame(at);
    const glm::vec3 begin = eye();
    frame(at + 0.05);
    return glm::length(eye() - begin);
  };
  hands_.key(GLFW_KEY_W, true);
  const float usual = way_of_a_frame(1.0);
  hands_.hold(InputEvent::shift, GLFW_KEY_LEFT_SHIFT, true);
  EXPECT_NEAR(way_of_a_frame(2.0) / usual, Flight::fast, 1e-2F);
  hands_.hold(InputEvent::shift, GLFW_KEY_LEFT_SHIFT, false);
  const float distance = model_.camera.distance;
  hands_.scroll(1.0);
  EXPECT_NEAR(way_of_a_frame(3.0) / usual, 1.25F, 1e-2F);
  EXPECT_EQ(model_.camera.distance, distance);
  for (int i = 0; i < 100; ++i) hands_.scroll(-9.0);
  frame(4.0);
  EXPECT_EQ(state_.flight_speed, Flight::least_speed);
}

TEST_F(FlightTest, TheMouseTurnsTheHead) {
  const glm::vec3 begin = eye();
  hands_.move(400, 300);
  frame(1.0);
  const Camera at = model_.camera;
  hands_.move(500, 300);
  InputFrame left = frame(1.1);
  EXPECT_LT(glm::length(eye() - begin), 1e-4F * radius());
  EXPECT_GT(glm::dot(-model_.camera.backward(), at.right()), 0.05F);
  EXPECT_TRUE(model_.camera_dragged);
  EXPECT_FALSE(left.has_cursor) << "nothing else lies under it";
  EXPECT_TRUE(left.events.empty());
  frame(1.2);
  EXPECT_FALSE(model_.camera_dragged);
}

// No key means two things, and no button goes to the view or a panel.
TEST_F(FlightTest, KeysDoOneThing) {
  hands_.key(GLFW_KEY_S, true);
  hands_.key(GLFW_KEY_ESCAPE, true);
  InputFrame left = flight_.take(queue_.next(), 1.0, state_, model_);
  EXPECT_TRUE(left.events.empty());
  EXPECT_TRUE(left.keys.empty());
  EXPECT_TRUE(flight_.moves());
  left = flight_.take(queue_.next(), 1.1, state_, model_);
  EXPECT_TRUE(left.events.empty()) << "Escape closes nothing else";
  EXPECT_FALSE(state_.flies);
  EXPECT_FALSE(flight_.moves());

  // Afterwards they mean what they mean.
  hands_.key(GLFW_KEY_ESCAPE, false);
  hands_.key(GLFW_KEY_ESCAPE, true);
  flight_.take(queue_.next(), 1.2, state_, model_);
  left = flight_.take(queue_.next(), 1.3, state_, model_);
  ASSERT_EQ(left.events.size(), 1U);
  EXPECT_EQ(command_of(left.events[0].code, 0), Command::close_dialog);
}

TEST_F(FlightTest, CommandsStayCommands) {
  const glm::vec3 begin = eye();
  hands_.hold(InputEvent::control, GLFW_KEY_LEFT_CONTROL, true);
  hands_.key(GLFW_KEY_S, true);
  const InputFrame left = frame(1.0);
  ASSERT_EQ(left.events.size(), 1U);
  EXPECT_EQ(command_of(left.events[0].code, left.events[0].modifiers), Command::screenshot);
  frame(1.1);
  EXPECT_EQ(eye(), begin);
  EXPECT_TRUE(state_.flies);
  hands_.hold(InputEvent::control, GLFW_KEY_LEFT_CONTROL, false);
  hands_.hold(InputEvent::shift, GLFW_KEY_LEFT_SHIFT, true);
  hands_.key(GLFW_KEY_F, true);
  const InputFrame again = frame(1.2);
  ASSERT_EQ(again.events.size(), 1U);
  EXPECT_EQ(command_of(again.events[0].code, again.events[0].modifiers), Command::fly);
  EXPECT_EQ(command_of(GLFW_KEY_F, 0), Command::fit);
}

TEST_F(FlightTest, AClickEndsItAndIsNoClickIntoTheView) {
  hands_.move(500, 300);
  frame(1.0);
  hands_.button(true);
  InputFrame left = flight_.take(queue_.next(), 1.1, state_, model_);
  EXPECT_TRUE(state_.flies) << "until it goes up: nobody shall see it held";
  EXPECT_FALSE(left.buttons[0]);
  hands_.button(false);
  left = flight_.take(queue_.next(), 1.2, state_, model_);
  EXPECT_FALSE(state_.flies);
  EXPECT_TRUE(left.events.empty());
}

// Nor does one that it ends with hold something afterwards.
TEST_F(FlightTest, AButtonThatIsStillHeldIsNoClickEither) {
  hands_.move(500, 300);
  frame(1.0);
  hands_.button(true);
  hands_.key(GLFW_KEY_ESCAPE, true);
  frame(1.1);
  ASSERT_FALSE(state_.flies);
  InputFrame left = frame(1.2);
  EXPECT_FALSE(left.buttons[0]);
  hands_.button(false);
  left = frame(1.3);
  EXPECT_TRUE(left.events.empty());
  hands_.button(true);
  left = frame(1.4);
  EXPECT_TRUE(left.buttons[0]);
  EXPECT_EQ(left.events.size(), 1U);
}

TEST_F(FlightTest, AnotherWindowEndsIt) {
  hands_.key(GLFW_KEY_W, true);
  frame(1.0);
  hands_.unfocus();
  frame(1.1);
  EXPECT_FALSE(state_.flies);
  EXPECT_FALSE(flight_.moves());
  const glm::vec3 end = eye();
  frame(1.2);
  EXPECT_EQ(eye(), end);
}

TEST_F(FlightTest, ADragEndsWhereItBegins) {
  state_.flies = false;
  frame(1.0);
  ViewMouse mouse;
  const double x = state_.view.x + 50.0;
  const double y = state_.view.y + 50.0;
  hands_.move(x, y);
  mouse.take(frame(1.1), false, state_.view, model_);
  hands_.button(true);
  mouse.take(frame(1.2), false, state_.view, model_);
  ASSERT_TRUE(mouse.drags());
  state_.flies = true;
  mouse.take(frame(1.3), false, state_.view, model_);
  EXPECT_FALSE(mouse.drags());
  hands_.button(false);
  frame(1.4);
  EXPECT_TRUE(state_.flies) << "that button went down before";
}

TEST_F(FlightTest, IsACommandOfTheViewMenu) {
  state_.flies = false;
  run_command(Command::fly, model_, state_);
  EXPECT_TRUE(state_.flies);
  frames(3);
  ASSERT_NE(window("##flight"), nullptr);
  EXPECT_TRUE(window("##flight")->WasActive);
  EXPECT_NEAR(opacity_of("##flight"), overlay_alpha, 0.01F);
  for (const Command other : {Command::pause, Command::fit, Command::screenshot})
    run_command(other, model_, state_);
  EXPECT_TRUE(state_.flies);
  run_command(Command::fly, model_, state_);
  EXPECT_FALSE(state_.flies);
  frames(2);
  EXPECT_FALSE(window("##flight")->WasActive);
  for (const Command other : {Command::open_file, Command::toggle_lab, Command::toggle_help}) {
    state_.flies = true;
    run_command(other, model_, state_);
    EXPECT_FALSE(state_.flies) << "there is something to click";
  }
  model_ = {};
  run_command(Command::fly, model_, state_);
  EXPECT_FALSE(state_.flies) << "nothing is open";
}

}  // namespace
}  // namespace warpview
