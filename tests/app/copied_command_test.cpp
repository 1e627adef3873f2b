// The command that is copied shows what the session shows, by the program itself.
#include <fstream>

#include "app/panels/commands.h"
#include "tests/app/session_test.h"

namespace warpview::test {
namespace {

struct WhatIsSeen {
  Picture picture;
  std::vector<std::string> command;
};

// As a user leaves it after some frames, halfway through which he acts.
WhatIsSeen seen_after(const SceneDescription& scene, int frames,
                      const std::function<void(Model&)>& user) {
  Model model;
  Session session(model, {}, open_device(Backend::cpu), GlTest::context().shared(),
                  Session::Mode::headless);
  session.set_view(150, 90);
  session.open(scene);
  for (int n = 0; n < frames; ++n) {
    if (n == frames / 2) user(model);
    session.advance(time_step);
  }
  session.draw();
  return {session.read_back(), scene_command(model)};
}

Picture drawn_by(std::vector<std::string> command) {
  const std::filesystem::path file = test_folder() / "picture.png";
  std::filesystem::remove(file);
  command.erase(command.begin());  // the program's name
  command.insert(command.end(), {"--headless", "--screenshot", file});
  const ProgramResult run = run_program(command);
  EXPECT_EQ(run.code, exit_success) << run.err;
  return run.code == exit_success ? read_png(file) : Picture{};
}

std::vector<std::string> without(std::vector<std::string> command, const std::string& option,
                                 std::ptrdiff_t words) {
  const auto at = std::find(command.begin(), command.end(), option);
  if (at == command.end())
    ADD_FAILURE() << option << " is not said";
  else
    command.erase(at, at + words);
  return command;
}

// The camera's place is said in numbers that are rounded: an edge may lie a hair beside.
constexpr double hairs = 0.002;

class CopiedCommand : public SessionTest {
 protected:
  static void expect_same(const WhatIsSeen& seen) {
    const Picture again = drawn_by(seen.command);
    ASSERT_EQ(again.width, seen.picture.width);
    ASSERT_EQ(again.height, seen.picture.height);
    EXPECT_LT(compare_images(seen.picture, again), hairs);
  }
};

TEST_F(CopiedCommand, ShowsTheSamePicture) {
  // A floor, for a shadow to fall on.
  const std::string floor = test_folder() / "a floor.obj";
  std::ofstream(floor) << "v -3 -1.2 -3\nv -3 -1.2 3\nv 3 -1.2 3\nv 3 -1.2 -3\nf 1 2 3 4\n";
  SceneDescription scene = describe_scene({sphere_of_2000, floor});
  scene.controls.emplace_back("animation", "refit");
  const WhatIsSeen seen = seen_after(scene, 20, [](Model& model) {
    set(model, "waves=3");
    set(model, "amplitude=0.2");
    set(model, "level=3");
    choose(model, "sort", "library");
    show(model, {"mesh"});
    model.show.theme = Theme::light;
    model.show.shadows = false;
    model.camera.orbit(0.4F, 0.2F);
    model.camera.zoom(0.8F);
  });
  expect_same(seen);
  // Nothing of it is said for nothing.
  for (const auto& [option, words] : {std::pair{"--no-shadows", 1}, {"--time", 2}})
    EXPECT_GT(compare_images(seen.picture, drawn_by(without(seen.command, option, words))), hairs)
        << option;
  EXPECT_NE(drawn_by(without(seen.command, "--size", 2)).width, seen.picture.width);
}

// What moves in small steps only.
TEST_F(CopiedCommand, LetsTimePassStepByStep) {
  const WhatIsSeen seen = seen_after(describe_scene({"cloth:24"}), 30, [](Model&) {});
  expect_same(seen);
  EXPECT_GT(compare_images(seen.picture, drawn_by(without(seen.command, "--time", 2))), hairs);
}

// What is drawn by kernels follows the camera, though no time passes.
TEST_F(CopiedCommand, ShowsPicturesThatKernelsMadeFromWhereTheCameraIs) {
  const WhatIsSeen moved = seen_after(describe_scene({"reyes:20000"}), 4, [](Model& model) {
    set(model, "colour_by=patches");
    model.camera.orbit(0.9F, 0.3F);
  });
  expect_same(moved);
  const WhatIsSeen at_first = seen_after(describe_scene({"reyes:20000"}), 4,
                                         [](Model& model) { set(model, "colour_by=patches"); });
  EXPECT_GT(compare_images(moved.picture, at_first.picture), hairs);
}

// What kernels grow, in the middle of its growth.
TEST_F(CopiedCommand, ShowsFleetsAsTheyGrow) {
  const WhatIsSeen seen = seen_after(describe_scene({"ships:6"}), 30, [](Model& model) {
    set(model, "animation=growing");
    set(model, "seed=4");
  });
  expect_same(seen);
}

TEST_F(CopiedCommand, ShowsFilledPathsFromWhereTheCameraIs) {
  const WhatIsSeen moved = seen_after(describe_scene({"svg:20000"}), 4, [](Model& model) {
    set(model, "samples=1");
    model.camera.orbit(0.4F, 0.2F);
  });
  expect_same(moved);
}

TEST_F(CopiedCommand, BeginsAgainWithTheScene) {
  const WhatIsSeen seen =
      seen_after(describe(sphere_of_2000, {"animation=refit"}), 9,
                 [](Model& model) { model.requests.add(request::ResetScene{}); });
  expect_same(seen);
}

TEST_F(CopiedCommand, NamesTheSceneFile) {
  const std::filesystem::path file = test_folder() / "garden.json";
  std::ofstream(file) << R"({"files": ["generated:sphere:500", {"path": "generated:sphere:500",
      "transform": {"scale": 0.5, "translate": [2, 0, 0]}}], "controls": {"level": 2}})";
  const WhatIsSeen seen = seen_after(describe_scene({file.string()}), 1, [](Model& model) {
    set(model, "level=4");
    show(model, {"mesh", "boxes"});
  });
  EXPECT_NE(std::find(seen.command.begin(), seen.command.end(), file.string()), seen.command.end());
  expect_same(seen);
}

}  // namespace
}  // namespace warpview::test
