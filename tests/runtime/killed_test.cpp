// A file whose writer is killed.
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "gpu/runtime/whole_file.h"
#include "tests/support/files.h"

namespace warpview {
namespace {

enum class End { killed, written, untraced, failed };

// Writes the file in a child process, which is killed when it has entered or left the kernel that
// often.
End write_until(int stops, const std::filesystem::path& file, const std::string& content) {
  const pid_t child = fork();
  if (child < 0) return End::failed;
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(1);
    raise(SIGSTOP);
    try {
      write_whole_file(file, content);
    } catch (...) {
      _exit(2);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  for (int i = 0; i < stops && !WIFEXITED(status); ++i) {
    ptrace(PTRACE_SYSCALL, child, nullptr, nullptr);
    waitpid(child, &status, 0);
  }
  if (WIFEXITED(status))
    return WEXITSTATUS(status) == 0   ? End::written
           : WEXITSTATUS(status) == 1 ? End::untraced
                                      : End::failed;
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return End::killed;
}

TEST(WholeFile, AKilledWriterLeavesTheOldOrTheNewFile) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("warpview_killed_" + std::to_string(getpid()));
  const std::filesystem::path file = folder / "file";
  const std::string older(1000, 'o');
  const std::string newer(300'000, 'n');
  bool ended = false;
  int kept = 0;
  int replaced = 0;
  for (int stops = 0; !ended && stops < 1000; ++stops) {
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    std::ofstream(file, std::ios::binary) << older;
    const End end = write_until(stops, file, newer);
    if (end == End::untraced) GTEST_SKIP() << "no process may be traced here";
    ASSERT_NE(end, End::failed) << "at stop " << stops;
    ended = end == End::written;
    const std::string found = test::read_file(file);
    ASSERT_TRUE(found == older || found == newer)
        << "killed at stop " << stops << " it holds " << found.size() << " bytes";
    ++(found == older ? kept : replaced);
  }
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(ended);
  EXPECT_GT(kept, 5);
  EXPECT_GT(replaced, 1);
}

}  // namespace
}  // namespace warpview
