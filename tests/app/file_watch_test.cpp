// Files that are read again when they were written.
#include "app/file_watch.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/app/session_test.h"
#include "tests/panels/temporary_folder.h"

namespace warpview::test {
namespace {

namespace fs = std::filesystem;

void write_words(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }
// Another time than before, however coarse the file system's clock is.
void touch_file(const fs::path& file) {
  fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(2));
}
ReadFile as_it_is(const fs::path& file) { return {file, stamp_of(file)}; }

constexpr const char* one_triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0.5\nf 1 2 3\n";
constexpr const char* two_triangles = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0.5\nf 1 2 3\nf 2 4 3\n";

TEST(FileChanges, AFileIsReadOnceItRests) {
  const fs::path file = test_folder() / "pieces.obj";
  write_words(file, "v 0 0 0\n");
  FileChanges changes({as_it_is(file)});
  EXPECT_FALSE(changes.look());
  write_words(file, "v 0 0 0\nv 1 0 0\n");
  EXPECT_FALSE(changes.look()) << "it may still be being written";
  write_words(file, one_triangle);
  EXPECT_FALSE(changes.look());
  EXPECT_TRUE(changes.look());
  EXPECT_FALSE(changes.look()) << "once";
  // Of the same size.
  touch_file(file);
  EXPECT_FALSE(changes.look());
  EXPECT_TRUE(changes.look());
}

TEST(FileChanges, WhatChangedBeforeTheFirstLookIsNotMissed) {
  const fs::path file = test_folder() / "meanwhile.obj";
  write_words(file, "v 0 0 0\n");
  FileChanges changes({as_it_is(file)});
  write_words(file, one_triangle);
  changes.look();
  EXPECT_TRUE(changes.look());
}

TEST(FileChanges, AllFilesMustRest) {
  const fs::path mesh = test_folder() / "whole.obj";
  const fs::path material = test_folder() / "whole.mtl";
  write_words(mesh, one_triangle);
  fs::remove(material);
  FileChanges changes({as_it_is(mesh), as_it_is(material)});
  // One that was not there comes.
  write_words(material, "newmtl a\n");
  touch_file(mesh);
  EXPECT_FALSE(changes.look());
  write_words(material, "newmtl a\nKd 1 0 0\n");
  EXPECT_FALSE(changes.look());
  EXPECT_TRUE(changes.look());
  // One that goes may be about to be replaced.
  fs::remove(mesh);
  EXPECT_FALSE(changes.look());
  EXPECT_FALSE(changes.look());
  write_words(mesh, two_triangles);
  EXPECT_FALSE(changes.look());
  EXPECT_TRUE(changes.look());
}

TEST(FileWatch, TellsAChangeFromItsThread) {
  const fs::path file = test_folder() / "watched.obj";
  write_words(file, "v 0 0 0\n");
  std::atomic<int> news = 0;
  FileWatch watch(
      [&news] {
        ++news;
        news.notify_all();
      },
      std::chrono::milliseconds(1));
  watch.watch({as_it_is(file)});
  write_words(file, one_triangle);
  news.wait(0);
  EXPECT_TRUE(watch.take_change());
  watch.watch({});
  EXPECT_FALSE(watch.take_change());
}

// ---- With a session -----------------------------------------------------------------------------

TEST_F(SessionTest, FilesAreReadAgainAsTheyAreWrittenWhereThatIsWanted) {
  const fs::path file = test_folder() / "live.obj";
  const fs::path material = test_folder() / "live.mtl";
  fs::remove(material);
  const std::string library = "mtllib live.mtl\nusemtl a\n";
  write_words(file, library + one_triangle);
  write_words(material, "newmtl a\nKd 1 0 0\n");
  SessionInWindow window(open_device(Backend::cpu));
  Model& model = window.model;
  window.open(describe(file.string()));
  model.camera.orbit(0.4F, 0.1F);
  const Camera camera = model.camera;
  model.reload_on_change = true;
  write_words(file, library + two_triangles);
  window.until([&] { return count(model, "mesh.triangles") == 2U; });
  EXPECT_EQ(model.scene_number, 2U);
  EXPECT_EQ(model.camera, camera);
  // What belongs to it is looked at, too.
  write_words(material, "newmtl a\nKd 0 1 0\nNs 10\n");
  window.until([&] { return model.scene_number == 3U; });
  EXPECT_TRUE(model.messages.empty());

  // What cannot be read leaves what is open, and says so once.
  write_words(file, "no statement of one\n");
  window.until([&] { return has_message(model, Message::Kind::error); });
  EXPECT_EQ(model.scene_number, 3U);
  EXPECT_EQ(count(model, "mesh.triangles"), 2U);
  const std::size_t said = model.messages.size();
  write_words(file, library + one_triangle);
  window.until([&] { return model.scene_number == 4U; });
  EXPECT_EQ(model.messages.size(), said);
  window.until([&] { return count(model, "mesh.triangles") == 1U; });
}

TEST_F(SessionTest, FilesThatAreWrittenStayUnreadWhereNothingWasSaid) {
  const fs::path file = test_folder() / "left.obj";
  write_words(file, one_triangle);
  SessionInWindow left(open_device(Backend::cpu));
  left.open(describe(file.string()));
  // Another one that looks: when it has found two changes, this one would have found the first.
  SessionInWindow looking(open_device(Backend::cpu));
  looking.model.reload_on_change = true;
  looking.open(describe(file.string()));
  for (const std::uint64_t number : {2U, 3U}) {
    write_words(file, std::string(two_triangles) + (number == 2U ? "# and more\n" : ""));
    looking.until([&] {
      left.session.update();
      left.session.picture();
      return looking.model.scene_number == number;
    });
  }
  EXPECT_EQ(left.model.scene_number, 1U);
  // What was written meanwhile is found by whoever is told to look from now on.
  left.model.reload_on_change = true;
  left.until([&] { return left.model.scene_number == 2U; });
  EXPECT_EQ(count(left.model, "mesh.triangles"), 2U);
}

}  // namespace
}  // namespace warpview::test
