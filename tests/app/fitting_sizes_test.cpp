// Fewer items where pictures are slow.
#include "app/fitting_sizes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include "tests/app/session_test.h"

namespace warpview::test {
namespace {

constexpr Control count_control{
    .name = "count", .title = "", .tooltip = "", .initial = 20'000, .most = 1e6, .fewest = 4'000};
constexpr double allowed_ms = 100.0;

// Of a scene that has had three pictures, whose fastest took so long.
std::optional<double> after_three(double fastest_ms) {
  FittingSizes sizes;
  EXPECT_FALSE(sizes.after_picture(7, count_control, 20'000, 3000.0, allowed_ms))
      << "it may be slow";
  EXPECT_FALSE(sizes.after_picture(7, count_control, 20'000, fastest_ms, allowed_ms));
  return sizes.after_picture(7, count_control, 20'000, fastest_ms + 1.0, allowed_ms);
}

TEST(FittingSizes, FollowTheFastestOfTheFirstPictures) {
  EXPECT_EQ(after_three(99.0), std::nullopt);
  EXPECT_EQ(after_three(100.0), std::nullopt);
  EXPECT_EQ(after_three(200.0), 10'000.0);
  EXPECT_EQ(after_three(320.0), 6'300.0) << "in whole hundreds";
  EXPECT_EQ(after_three(1e6), 4'000.0);
  EXPECT_EQ(after_three(100.1), std::nullopt) << "it is as many, in whole hundreds";
}

// Of a scene whose pictures of 20 000 items took 200 ms and which was made again with half of them.
std::optional<double> after_half(double ms) {
  FittingSizes sizes;
  for (int i = 0; i < 2; ++i) sizes.after_picture(7, count_control, 20'000, 200.0, allowed_ms);
  EXPECT_EQ(sizes.after_picture(7, count_control, 20'000, 200.0, allowed_ms), 10'000.0);
  EXPECT_FALSE(sizes.is_second());
  EXPECT_FALSE(sizes.after_picture(7, count_control, 10'000, 1.0, allowed_ms)) << "of the old one";
  for (int i = 0; i < 2; ++i)
    EXPECT_FALSE(sizes.after_picture(8, count_control, 10'000, ms, allowed_ms));
  const auto second = sizes.after_picture(8, count_control, 10'000, ms, allowed_ms);
  EXPECT_EQ(sizes.is_second(), second.has_value());
  for (int i = 0; i < 9; ++i)
    EXPECT_FALSE(sizes.after_picture(9, count_control, second.value_or(10'000), 500.0, allowed_ms))
        << "a third";
  return second;
}

TEST(FittingSizes, FollowAgainWherePicturesCostTimeWithoutItems) {
  EXPECT_EQ(after_half(120.0), 7'500.0) << "40 ms and 8 ms for each thousand";
  EXPECT_EQ(after_half(180.0), 4'000.0) << "160 ms and 2 ms for each thousand";
  EXPECT_EQ(after_half(210.0), 4'800.0) << "fewer were slower: in proportion";
}

TEST(FittingSizes, AreSetOnceAndNotAgainstTheUser) {
  FittingSizes sizes;
  for (int i = 0; i < 2; ++i) sizes.after_picture(7, count_control, 20'000, 500.0, allowed_ms);
  EXPECT_EQ(sizes.after_picture(7, count_control, 20'000, 500.0, allowed_ms), 4'000.0);
  EXPECT_FALSE(sizes.after_picture(7, count_control, 20'000, 500.0, allowed_ms)) << "undone";
  for (int i = 0; i < 9; ++i)
    EXPECT_FALSE(sizes.after_picture(8, count_control, 30'000, 500.0, allowed_ms)) << "set by hand";
  for (int i = 0; i < 9; ++i)
    EXPECT_FALSE(sizes.after_picture(9, count_control, 20'000, 500.0, allowed_ms)) << "once";
  // A scene is looked at from its first picture on.
  FittingSizes others;
  for (int i = 0; i < 2; ++i) others.after_picture(1, count_control, 20'000, 500.0, allowed_ms);
  for (int i = 0; i < 2; ++i)
    EXPECT_FALSE(others.after_picture(2, count_control, 20'000, 500.0, allowed_ms));
  EXPECT_TRUE(others.after_picture(2, count_control, 20'000, 500.0, allowed_ms));
}

using FittingSizesInWindow = SessionTest;

SessionInWindow& with_slow_pictures(SessionInWindow& window) {
  window.model.coarse_pixels = 1;
  window.model.coarse_above_ms = 0.0;  // so that every picture is slow
  return window;
}

TEST_F(FittingSizesInWindow, ParticlesBecomeFewerAndCanBeHadBack) {
  SessionInWindow window(open_device(Backend::cpu));
  const auto count = [&window] { return window.model.controls["count"]; };
  with_slow_pictures(window).open(describe_scene({"particles"}));
  window.until([&] { return count() == 4'000.0 && !window.model.loading; });
  window.until([&] { return !window.model.messages.empty(); });
  EXPECT_EQ(
      window.model.messages[0].text,
      "Particles: 4 000 instead of 20 000, as pictures are slow here. Undo brings them back.");
  window.until([&] { return !window.model.undoes.empty(); });
  window.model.requests.add(request::Undo{});
  window.until([&] { return count() == 20'000.0 && !window.model.loading; });
}

// Until there were so many pictures that a number would have followed.
void see_pictures(SessionInWindow& window) {
  int pictures = 0;
  const Framebuffer* shown = nullptr;
  window.until([&] {
    const Framebuffer* const now = window.session.picture();
    pictures += now != nullptr && now != std::exchange(shown, now) ? 1 : 0;
    return pictures > FittingSizes::looked_at + 2;
  });
}

TEST_F(FittingSizesInWindow, AsManyAsTheUserAskedForStay) {
  const std::filesystem::path file = test_folder() / "many.json";
  std::ofstream(file) << R"({"scene": "particles", "controls": {"count": 20000}})";
  for (const std::string& asked : {std::string("particles:20000"), file.string()}) {
    SessionInWindow window(open_device(Backend::cpu));
    with_slow_pictures(window).open(describe_scene({asked}));
    see_pictures(window);
    EXPECT_EQ(window.model.controls["count"], 20'000.0) << asked;
    EXPECT_TRUE(window.model.messages.empty()) << asked;
  }
}

// How a scene was left is no wish for as many as it began with.
TEST_F(FittingSizesInWindow, AlsoFollowWhereTheSceneWasLeftEarly) {
  SessionInWindow window(open_device(Backend::cpu));
  window.model.remembers = true;
  window.model.coarse_above_ms = 1e9;
  window.open(describe_scene({"particles"}));
  set(window.model, "gravity=5");  // so that its controls are remembered, all of them
  const std::uint64_t then = window.frames();
  window.until([&] { return window.frames() > then + 1; });
  const std::uint64_t before = window.model.scene_number;
  window.model.requests.add(request::Open{describe_scene({sphere_of_2000})});
  window.until([&] { return window.model.scene_number != before && window.frames() > 0; });
  with_slow_pictures(window).model.requests.add(request::Open{describe_scene({"particles"})});
  window.until([&] {
    return window.model.controls.size() > 0 &&
           window.model.scene_kind->name == std::string("particles") &&
           window.model.controls["count"] == 4'000.0;
  });
  EXPECT_EQ(window.model.controls["gravity"], 5.0) << "it is as it was left";
}

}  // namespace
}  // namespace warpview::test
