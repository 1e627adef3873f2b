#include "gpu/runtime/whole_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <string>
#include <vector>

#include "gpu/runtime/error.h"
#include "tests/panels/temporary_folder.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t entries_of(const fs::path& folder) {
  const auto entries = fs::directory_iterator(folder);
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

std::string error_of(const fs::path& file) {
  try {
    write_whole_file(file, "new");
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << file << " was written";
  return "";
}

TEST(WholeFile, IsWrittenAndReplaced) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "file";
  const std::string large(3'000'000, 'x');
  for (const std::string& bytes : {std::string("first"), large, std::string()}) {
    write_whole_file(file, bytes);
    EXPECT_EQ(read(file), bytes);
    EXPECT_EQ(entries_of(folder.path()), 1U);
  }
}

TEST(WholeFile, HasThePermissionsOfANewFileOrThatBefore) {
  const TemporaryFolder folder;
  const mode_t mask = umask(022);
  write_whole_file(folder.path() / "new", "");
  umask(mask);
  EXPECT_EQ(static_cast<unsigned>(fs::status(folder.path() / "new").permissions()), 0644U);
  folder.write("old", "");
  fs::permissions(folder.path() / "old", fs::perms(0751));
  write_whole_file(folder.path() / "old", "");
  EXPECT_EQ(static_cast<unsigned>(fs::status(folder.path() / "old").permissions()), 0751U);
}

TEST(WholeFile, LinksAreFollowed) {
  const TemporaryFolder folder;
  const TemporaryFolder other;
  folder.write("file", "old");
  fs::create_symlink("file", folder.path() / "near");
  fs::create_symlink(folder.path() / "near", other.path() / "far");
  write_whole_file(other.path() / "far", "new");
  EXPECT_EQ(read(folder.path() / "file"), "new");
  EXPECT_TRUE(fs::is_symlink(folder.path() / "near"));
  EXPECT_TRUE(fs::is_symlink(other.path() / "far"));
  fs::create_symlink("absent", folder.path() / "dangling");
  write_whole_file(folder.path() / "dangling", "new");
  EXPECT_TRUE(fs::is_symlink(folder.path() / "dangling"));
  EXPECT_EQ(read(folder.path() / "absent"), "new");
  fs::create_symlink("loop", folder.path() / "loop");
  error_of(folder.path() / "loop");
  EXPECT_TRUE(fs::is_symlink(folder.path() / "loop"));
}

TEST(WholeFile, WhatIsNoRegularFileIsWrittenAsItStands) {
  write_whole_file("/dev/null", "new");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  auto got = std::async(std::launch::async, read, pipe);
  const std::string large(300'000, 'x');
  write_whole_file(pipe, large);
  EXPECT_EQ(got.get(), large);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(WholeFile, ErrorsNameTheFileAndTheReason) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "inner");
  for (const fs::path& file : {folder.path() / "absent" / "file", folder.path() / "inner",
                               fs::path("/dev/full"), fs::path()})
    EXPECT_EQ(error_of(file).find(file.string() + ": "), 0U) << file;
  EXPECT_NE(error_of("/dev/full").find("No space left"), std::string::npos);
  EXPECT_EQ(entries_of(folder.path()), 1U);
}

// Where a file may not grow beyond what was written so far, the child sees an error, and that the
// older file is as it was and stands alone.
TEST(WholeFileDeathTest, ATruncatedWriteCostsNothing) {
  const TemporaryFolder folder;
  folder.write("file", "old");
  const auto write_too_much = [&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit most = {65536, 65536};
    if (setrlimit(RLIMIT_FSIZE, &most) != 0) _exit(3);
    try {
      write_whole_file(folder.path() / "file", std::string(100'000, 'x'));
    } catch (const Error& error) {
      const bool alone = entries_of(folder.path()) == 1;
      _exit(alone && read(folder.path() / "file") == "old" ? 0 : 2);
    }
    _exit(1);
  };
  EXPECT_EXIT(write_too_much(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace warpview
