#include "gpu/runtime/whole_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <future>
#include <string>
#include <system_error>
#include <vector>

#include "gpu/runtime/error.h"
#include "tests/panels/temporary_folder.h"
#include "tests/support/files.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

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
    EXPECT_EQ(test::read_file(file), bytes);
    EXPECT_EQ(entries_of(folder.path()), 1U);
  }
}

TEST(WholeFile, HasDefaultPermissionsOrKeepsThem) {
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
  EXPECT_EQ(test::read_file(folder.path() / "file"), "new");
  EXPECT_TRUE(fs::is_symlink(folder.path() / "near"));
  EXPECT_TRUE(fs::is_symlink(other.path() / "far"));
  fs::create_symlink("absent", folder.path() / "dangling");
  write_whole_file(folder.path() / "dangling", "new");
  EXPECT_TRUE(fs::is_symlink(folder.path() / "dangling"));
  EXPECT_EQ(test::read_file(folder.path() / "absent"), "new");
  fs::create_symlink("loop", folder.path() / "loop");
  error_of(folder.path() / "loop");
  EXPECT_TRUE(fs::is_symlink(folder.path() / "loop"));
}

// Reads a pipe to its end. The constructor opens it, so that no writer comes before its reader.
class PipeReader {
 public:
  explicit PipeReader(const fs::path& pipe)
      : number_(open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {}
  ~PipeReader() { close(number_); }
  PipeReader(const PipeReader&) = delete;
  PipeReader& operator=(const PipeReader&) = delete;

  std::string read_all() const {
    std::string text;
    std::string part(4096, '\0');
    for (;;) {
      pollfd ready{number_, POLLIN, 0};
      poll(&ready, 1, -1);
      const ssize_t count = ::read(number_, part.data(), part.size());
      if (count <= 0) return text;
      text.append(part, 0, static_cast<std::size_t>(count));
    }
  }

 private:
  int number_;
};

TEST(WholeFile, WritesDirectlyToIrregularFiles) {
  write_whole_file("/dev/null", "new");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const PipeReader reader(pipe);
  auto got = std::async(std::launch::async, [&] { return reader.read_all(); });
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

// ---- Files that killed writers left behind -----------------------------------------------------

std::string part_of(pid_t process, int call = 0) {
  return ".warpview-" + std::to_string(process) + "-" + std::to_string(call) + ".part";
}

// The number of a process that has ended.
pid_t ended_process() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return child;
}

TEST(WholeFile, PartsOfEndedProcessesAreRemovedByTheFirstWrite) {
  const TemporaryFolder folder;
  const pid_t ended = ended_process();
  folder.write(part_of(ended), "half");
  folder.write(part_of(ended, 17), "half");
  write_whole_file(folder.path() / "file", "new");
  EXPECT_EQ(entries_of(folder.path()), 1U);
  EXPECT_EQ(test::read_file(folder.path() / "file"), "new");
}

TEST(WholeFile, PartsOfLivingProcessesStay) {
  const TemporaryFolder folder;
  for (const pid_t living : {getpid(), getppid(), pid_t{1}}) folder.write(part_of(living, 9), "");
  const std::size_t before = entries_of(folder.path());
  write_whole_file(folder.path() / "file", "new");
  EXPECT_EQ(entries_of(folder.path()), before + 1);
}

// A part of a process in another container, whose number means nothing here.
TEST(WholeFile, LockedPartsStay) {
  const TemporaryFolder folder;
  const fs::path part = folder.path() / part_of(ended_process());
  folder.write(part.filename().string(), "half");
  const int held = open(part.c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(flock(held, LOCK_EX), 0);
  write_whole_file(folder.path() / "file", "new");
  EXPECT_TRUE(fs::exists(part));
  close(held);
}

TEST(WholeFile, FilesThatOnlyResemblePartsStay) {
  const TemporaryFolder folder;
  const std::string ended = std::to_string(ended_process());
  for (const std::string& name :
       {".warpview-" + ended + ".part", ".warpview-" + ended + "-0.png",
        ".warpview-0" + ended + "-0.part", ".warpview-" + ended + "-+0.part",
        ".warpview-" + ended + "-0x.part", "warpview-" + ended + "-0.part",
        std::string(".warpview--1-0.part"), std::string(".warpview-.part"),
        std::string(".warpview-99999999999999999999-0.part")})
    folder.write(name, "");
  fs::create_directory(folder.path() / (".warpview-" + ended + "-1.part"));
  fs::create_symlink("target", folder.path() / (".warpview-" + ended + "-2.part"));
  ASSERT_EQ(mkfifo((folder.path() / (".warpview-" + ended + "-3.part")).c_str(), 0600), 0);
  const std::size_t before = entries_of(folder.path());
  write_whole_file(folder.path() / "file", "new");
  EXPECT_EQ(entries_of(folder.path()), before + 1);
}

// A writer locks its part from the first byte on until it has its name.
TEST(WholeFile, AWriterLocksItsPart) {
  const TemporaryFolder folder;
  folder.write("file", "old");
  const std::string large(100'000, 'x');
  auto writer = std::async(std::launch::async, [&] {
    for (int i = 0; i < 200; ++i) write_whole_file(folder.path() / "file", large);
  });
  while (writer.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    std::error_code none;
    for (fs::directory_iterator entry(folder.path(), none);
         !none && entry != fs::directory_iterator(); entry.increment(none)) {
      if (entry->path().extension() != ".part") continue;
      // Another process, which sees no process of this number, does this there.
      const int part = open(entry->path().c_str(), O_RDONLY | O_CLOEXEC);
      if (part >= 0 && flock(part, LOCK_EX | LOCK_NB) == 0) unlink(entry->path().c_str());
      if (part >= 0) close(part);
    }
  }
  EXPECT_NO_THROW(writer.get());
  EXPECT_EQ(entries_of(folder.path()), 1U);
}

// Where a file may not grow beyond what was written so far, the child sees an error, and the older
// file is unchanged and the only one.
TEST(WholeFileDeathTest, ATruncatedWriteLosesNothing) {
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
      _exit(alone && test::read_file(folder.path() / "file") == "old" ? 0 : 2);
    }
    _exit(1);
  };
  EXPECT_EXIT(write_too_much(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace warpview
