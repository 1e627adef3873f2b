// Fewer items where pictures are slow.
#include "app/fitting_sizes.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/app/session_test.h"

namespace warpview::test {
namespace {

constexpr Control count_control{
    .name = "count", .title = "", .tooltip = "", .initial = 20'000, .most = 1e6, .fewest = 4'000};
constexpr double allowed_ms = 100.0;

// As many pictures as are looked at, each of which took so long. The number that followed the last.
std::optional<double> after_pictures(FittingSizes& sizes, std::uint64_t scene, double items,
                                     std::vector<double> ms) {
  EXPECT_EQ(ms.size(), FittingSizes::looked_at);
  const double last = ms.back();
  ms.pop_back();
  for (const double each : ms)
    EXPECT_FALSE(sizes.after_picture(scene, count_control, items, each, allowed_ms));
  return sizes.after_picture(scene, count_control, items, last, allowed_ms);
}

std::vector<double> all_of(double ms) { return std::vector(FittingSizes::looked_at, ms); }

TEST(FittingSizes, FollowTheMedianOfTheFirstPictures) {
  const auto fitting = [](double ms) {
    FittingSizes sizes;
    return after_pictures(sizes, 7, 20'000, {3000.0, ms, 1.0, ms + 0.5, ms - 0.5});
  };
  EXPECT_EQ(fitting(99.0), std::nullopt);
  EXPECT_EQ(fitting(100.0), std::nullopt);
  EXPECT_EQ(fitting(200.0), 10'000.0);
  EXPECT_EQ(fitting(320.0), 6'300.0) << "in whole hundreds";
  EXPECT_EQ(fitting(1e6), 4'000.0);
  EXPECT_EQ(fitting(100.1), std::nullopt) << "it is as many, in whole hundreds";
}

// Of a scene whose pictures of 20 000 items took 200 ms and which was made again with half of them.
std::optional<double> after_half(double ms) {
  FittingSizes sizes;
  EXPECT_EQ(after_pictures(sizes, 7, 20'000, all_of(200.0)), 10'000.0);
  EXPECT_FALSE(sizes.is_second());
  EXPECT_FALSE(sizes.after_picture(7, count_control, 10'000, 1.0, allowed_ms)) << "of the old one";
  const auto second = after_pictures(sizes, 8, 10'000, all_of(ms));
  EXPECT_TRUE(sizes.is_second());
  EXPECT_FALSE(after_pictures(sizes, 9, second.value(), all_of(500.0))) << "a third";
  return second;
}

TEST(FittingSizes, FollowAgainWherePicturesCostTimeWithoutItems) {
  EXPECT_EQ(after_half(120.0), 7'500.0) << "40 ms and 8 ms for each thousand";
  EXPECT_EQ(after_half(180.0), 4'000.0) << "160 ms and 2 ms for each thousand";
  EXPECT_EQ(after_half(210.0), 4'800.0) << "fewer were slower: in proportion";
}

TEST(FittingSizes, AreNotSetAgainstTheUser) {
  FittingSizes sizes;
  EXPECT_EQ(after_pictures(sizes, 7, 20'000, all_of(500.0)), 4'000.0);
  EXPECT_FALSE(after_pictures(sizes, 7, 20'000, all_of(500.0))) << "undone";
  EXPECT_FALSE(after_pictures(sizes, 8, 30'000, all_of(500.0))) << "set by hand";
  EXPECT_FALSE(after_pictures(sizes, 9, 20'000, all_of(500.0))) << "once";
  EXPECT_FALSE(after_pictures(sizes, 9, 4'000, all_of(500.0))) << "set by hand";
}

TEST(FittingSizes, LookAtASceneFromItsFirstPictureOn) {
  FittingSizes sizes;
  for (std::size_t i = 1; i < FittingSizes::looked_at; ++i)
    EXPECT_FALSE(sizes.after_picture(1, count_control, 20'000, 500.0, allowed_ms));
  EXPECT_TRUE(after_pictures(sizes, 2, 20'000, all_of(500.0)));
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
  std::size_t pictures = 0;
  const Framebuffer* shown = nullptr;
  window.until([&] {
    const Framebuffer* const now = window.session.picture();
    pictures += now != nullptr && now != std::exchange(shown, now) ? 1U : 0U;
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
