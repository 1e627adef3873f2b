// Videos, scene files and cameras of the command line.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "app/options.h"
#include "app/render/screenshot.h"
#include "app/video/plan.h"
#include "scenes/description.h"
#include "tests/app/program.h"

namespace warpview::test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

ProgramResult headless(const Words& more) {
  Words words = {"--headless", "--backend", "cpu", "--software", "--size", "80x60"};
  words.insert(words.end(), more.begin(), more.end());
  return run_program(words);
}

TEST(VideoCommand, ATurntableEndsBesideItsBeginning) {
  const std::string pattern = test_folder() / "turn" / "%03d.png";
  const ProgramResult result = headless(
      {"--turntable", "--video", pattern, "--seconds", "1", "--rate", "12", "generated:knot"});
  ASSERT_EQ(result.code, exit_success) << result.err;
  std::vector<Picture> frames;
  for (std::uint64_t i = 0; fs::exists(frame_file(pattern, i)); ++i)
    frames.push_back(read_png(frame_file(pattern, i)));
  ASSERT_EQ(frames.size(), 12U);
  const double next = compare_images(frames[0], frames[1]);
  const double last = compare_images(frames[0], frames[11]);
  const double opposite = compare_images(frames[0], frames[6]);
  EXPECT_GT(next, 0.0);
  EXPECT_GT(last, 0.0) << "no frame is shown twice";
  EXPECT_LT(last, opposite);
  EXPECT_LT(next, opposite);
  // It goes on: every frame differs from its neighbours about as much.
  for (std::size_t i = 1; i < frames.size(); ++i)
    EXPECT_GT(compare_images(frames[i - 1], frames[i]), 0.2 * next) << i;
}

// The frame at a time is the picture of that time.
TEST(VideoCommand, EachFrameIsAtItsTime) {
  for (const Words& scene : {Words{"--set", "shape=wave", "generated:sphere:2000"},
                             Words{"cloth:24"}, Words{"particles:1000", "generated:sphere:200"}}) {
    SCOPED_TRACE(scene.back());
    const fs::path folder = test_folder() / scene.front();
    const std::string pattern = folder / "%d.png";
    Words words = {"--video", pattern, "--seconds", "0.5", "--rate", "10"};
    words.insert(words.end(), scene.begin(), scene.end());
    ASSERT_EQ(headless(words).code, exit_success);
    const std::string picture = test_folder() / "picture.png";
    words = {"--screenshot", picture, "--time", "0.3"};
    words.insert(words.end(), scene.begin(), scene.end());
    ASSERT_EQ(headless(words).code, exit_success);
    EXPECT_FALSE(fs::exists(frame_file(pattern, 5)));
    expect_alike(read_png(frame_file(pattern, 3)), read_png(picture));
    EXPECT_GT(compare_images(read_png(frame_file(pattern, 3)), read_png(frame_file(pattern, 1)), 0),
              0.0);
  }
}

// A video leaves the scene as it found it: what is saved after it is not how the video needed it.
TEST(VideoCommand, LeavesCameraAndPlayAsTheyWere) {
  const std::string file = test_folder() / "paused.json";
  std::ofstream(file) << R"({"scene": "cloth", "playing": false, "controls": {"side": 24},
    "camera": {"yaw": 10, "pitch": 20}})";
  const std::string before = test_folder() / "before.json";
  ASSERT_EQ(headless({"--save-scene", before, file}).code, exit_success);
  EXPECT_FALSE(read_scene_file(before).playing.value());
  for (const Words& kind : {Words{}, Words{"--turntable"}}) {
    const std::string after = test_folder() / "after.json";
    Words words = {"--video",
                   test_folder() / "v" / "%d.png",
                   "--seconds",
                   "0.2",
                   "--rate",
                   "10",
                   "--save-scene",
                   after,
                   file};
    words.insert(words.end(), kind.begin(), kind.end());
    const ProgramResult result = headless(words);
    ASSERT_EQ(result.code, exit_success) << result.err;
    fs::remove_all(test_folder() / "v");
    const SceneDescription saved = read_scene_file(after);
    EXPECT_FALSE(saved.playing.value());
    EXPECT_EQ(saved.seconds.value_or(0.0) > 0.0, kind.empty()) << "a turntable of it stands still";
    EXPECT_EQ(saved.camera->angles->yaw, 10.0);
    EXPECT_FALSE(saved.camera->angles->distance);
  }
}

TEST(VideoCommand, SaysWhereNothingMoves) {
  const std::string pattern = test_folder() / "still" / "%d.png";
  const ProgramResult result =
      headless({"--video", pattern, "--seconds", "0.2", "--rate", "10", "generated:sphere:200"});
  EXPECT_EQ(result.code, exit_success);
  EXPECT_NE(result.err.find("nothing moves"), std::string::npos) << result.err;
}

TEST(VideoCommand, RefusesWhatMakesNoSense) {
  const auto expect_told = [](const Words& words, const std::string& told) {
    const ProgramResult result = run_program(words);
    EXPECT_EQ(result.code, exit_usage) << testing::PrintToString(words);
    EXPECT_NE(result.err.find(told), std::string::npos) << result.err;
  };
  expect_told({"--headless", "--video", "a.mp4"}, "NAME.webp");
  expect_told({"--headless", "--video", "a.png"}, "NAME-%04d.png");
  expect_told({"--video", "%d.png"}, "--headless");
  expect_told({"--headless", "--turntable", "--verify"}, "--video");
  expect_told({"--headless", "--seconds", "2", "--verify"}, "--video");
  expect_told({"--headless", "--rate", "25", "--verify"}, "--video");
  expect_told({"--headless", "--video", "%d.png", "--frames", "5"}, "--frames");
  expect_told({"--headless", "--video", "%d.png", "--seconds", "601"}, "601");
  expect_told({"--headless", "--video", "%d.png", "--rate", "nan"}, "nan");
  expect_told({"--headless", "--video", "%d.png", "--seconds", "600", "--rate", "60"}, "36000");
  expect_told({"--headless", "--video", "%d.png", "--size", "16384x10"}, "16384 x 10");
  expect_told({"--headless", "--video", "%d.png", "--size", "9999x9999"}, "billion pixels");
  expect_told({"--headless", "--verify", "--transparent"}, "--screenshot or --video");
  expect_told({"--headless", "--save-scene", "a.obj"}, ".json");
  expect_told({"--save-scene", "a.json"}, "--headless");
}

TEST(VideoCommand, WhatCannotBeWrittenIsOneAndLeavesNothing) {
  const std::string nowhere = test_folder() / "no" / "a.webp";
  const ProgramResult result =
      headless({"--video", nowhere, "--seconds", "0.2", "generated:sphere:200"});
  EXPECT_EQ(result.code, exit_failure);
  EXPECT_NE(result.err.find("cannot be written"), std::string::npos) << result.err;
  // A disk that fills up in the middle of a series.
  const std::string pattern = test_folder() / "full" / "%d.png";
  const Words words = {"--headless",  "--software", "--backend", "cpu",
                       "--size",      "400x400",    "--video",   pattern,
                       "--turntable", "--seconds",  "0.2",       "generated:knot"};
  const ProgramResult full = run_program(words, {.before = "ulimit -f 8; ", .out = {}});
  EXPECT_EQ(full.code, exit_failure) << full.err;
  EXPECT_FALSE(fs::exists(test_folder() / "full"));
}

TEST(SceneCommand, SavesTheSceneThatOpensToTheSamePicture) {
  const std::string file = test_folder() / "saved.json";
  const std::string first = test_folder() / "first.png";
  const std::string again = test_folder() / "again.png";
  const ProgramResult saved =
      headless({"--set", "shape=twist", "--set", "level=2", "--show", "mesh,boxes", "--variant",
                "sort=onesweep", "--time", "1.5", "--screenshot", first, "--save-scene", file,
                "--camera", "1,2,5,0,0,0,40", "generated:sphere:2000"});
  ASSERT_EQ(saved.code, exit_success) << saved.err;
  ASSERT_EQ(headless({"--screenshot", again, file}).code, exit_success);
  expect_alike(read_png(again), read_png(first));
  EXPECT_EQ(read_scene_file(file).seconds, 1.5);
  // In place, with another setting on top.
  ASSERT_EQ(headless({"--set", "level=3", "--save-scene", file, file}).code, exit_success);
  EXPECT_NE(read_file(file).find("\"level\": 3"), std::string::npos) << read_file(file);
}

TEST(SceneCommand, LooksThroughACameraOfTheFile) {
  const std::string file = test_folder() / "scene.json";
  std::ofstream(file) << R"({"files": ["generated:knot"], "cameras": {
    "top": {"yaw": 0, "pitch": 90}, "side": {"yaw": 90, "pitch": 0}}})";
  const auto seen = [&](const Words& more) {
    const std::string picture = test_folder() / "picture.png";
    Words words = {"--screenshot", picture, file};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(headless(words).code, exit_success);
    return read_png(picture);
  };
  const Picture top = seen({"--camera", "top"});
  EXPECT_GT(compare_images(top, seen({"--camera", "side"})), 0.01);
  EXPECT_GT(compare_images(top, seen({})), 0.01);
  const ProgramResult unknown = headless({"--verify", "--camera", "tops", file});
  EXPECT_EQ(unknown.code, exit_usage);
  EXPECT_NE(unknown.err.find("Did you mean top?"), std::string::npos) << unknown.err;
  const ProgramResult none = headless({"--verify", "--camera", "top", "generated:knot"});
  EXPECT_EQ(none.code, exit_usage);
  EXPECT_NE(none.err.find("only a scene file has named cameras"), std::string::npos) << none.err;
}

}  // namespace
}  // namespace warpview::test
