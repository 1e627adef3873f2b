// Pictures for cards, made by a program that is started for each.
#include "app/thumbnails.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "scenes/scene.h"
#include "tests/app/program.h"

namespace warpview::test {
namespace {

namespace fs = std::filesystem;

// All that comes until none is left to come.
std::vector<Thumbnail> all_of(const fs::path& program) {
  std::mutex mutex;
  std::condition_variable changed;
  Thumbnails thumbnails([&] { changed.notify_all(); }, program);
  thumbnails.start();
  std::vector<Thumbnail> all;
  std::unique_lock lock(mutex);
  for (bool more = true; more;) {
    more = thumbnails.busy();
    for (Thumbnail& each : thumbnails.take()) all.push_back(std::move(each));
    if (more) changed.wait_for(lock, std::chrono::milliseconds(50));
  }
  return all;
}

// A program in place of warpview.
fs::path script(const std::string& text) {
  const fs::path file = test_folder() / "program";
  std::ofstream(file) << "#!/bin/sh\n" << text;
  fs::permissions(file, fs::perms::owner_all);
  return file;
}

TEST(Thumbnails, AreMadeForEverySceneByItsOwnWords) {
  const fs::path folder = test_folder() / "pictures";
  fs::create_directories(folder);
  write_png(folder / "one.png", {.width = 2, .height = 1, .rgba = {1, 2, 3, 255, 9, 9, 9, 0}});
  const fs::path program =
      script("echo \"$@\" >> " + (folder / "asked").string() + "\n[ \"$1\" = --headless ] && cat " +
             (folder / "one.png").string() + "\n");
  std::map<std::string, Picture> pictures;
  for (const Thumbnail& each : all_of(program)) pictures[each.scene] = each.picture;
  const std::string asked = read_file(folder / "asked");
  for (const SceneKind& kind : scene_kinds()) {
    ASSERT_TRUE(pictures.contains(kind.name)) << kind.name;
    EXPECT_EQ(pictures[kind.name].width, 2);
    EXPECT_EQ(pictures[kind.name].rgba.size(), 8U);
    EXPECT_NE(asked.find(kind.thumbnail), std::string::npos) << asked;
  }
}

TEST(Thumbnails, ThatCannotBeMadeAreLeftOut) {
  EXPECT_TRUE(all_of(script("exit 1\n")).empty());
  EXPECT_TRUE(all_of(script("echo no picture\n")).empty());
  EXPECT_TRUE(all_of(test_folder() / "no such program").empty());
}

// The end does not wait for a program that hangs.
TEST(Thumbnails, EndWithWhatTheyStarted) {
  const fs::path here = test_folder() / "pid";
  const fs::path program = script("echo $$ > " + here.string() + "\nexec sleep 1000\n");
  {
    Thumbnails thumbnails([] {}, program);
    thumbnails.start();
    while (!fs::exists(here) || fs::file_size(here) == 0) std::this_thread::yield();
  }
  EXPECT_FALSE(fs::exists("/proc/" + std::to_string(std::stoi(read_file(here)))));
}

// By the program itself.
TEST(Thumbnails, TheWordsOfEverySceneDrawSomething) {
  for (const SceneKind& kind : scene_kinds()) {
    const fs::path file = test_folder() / (std::string(kind.name) + ".png");
    std::vector<std::string> words = {"--headless", "--transparent", "--backend",    "cpu",
                                      "--size",     "96x60",         "--screenshot", file.string()};
    std::istringstream in(kind.thumbnail);
    for (std::string word; in >> word;) words.push_back(word);
    const ProgramResult result = run_program(words);
    ASSERT_EQ(result.code, 0) << kind.name << result.err;
    const Picture picture = read_png(file);
    std::size_t covered = 0;
    for (std::size_t i = 3; i < picture.rgba.size(); i += 4) covered += picture.rgba[i] > 0 ? 1 : 0;
    EXPECT_GT(covered, picture.rgba.size() / 4 / 20) << kind.name;
  }
}

}  // namespace
}  // namespace warpview::test
