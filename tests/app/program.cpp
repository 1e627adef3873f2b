#include "tests/app/program.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace warpview::test {
namespace {

// What is measured on the way stays out of the user's cache.
class OwnCache : public testing::Environment {
 public:
  void SetUp() override {
    const std::string folder = testing::TempDir() + "warpview_test_cache";
    setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  }
};
const auto* const own_cache = testing::AddGlobalTestEnvironment(new OwnCache);

std::string quoted(const std::string& argument) {
  std::string text = "'";
  for (const char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

ProgramResult run_program(const std::vector<std::string>& arguments, const ShellSetting& setting) {
  const std::filesystem::path folder = test_folder() / "run";
  std::filesystem::create_directories(folder);
  std::filesystem::remove(folder / "out");
  // On a desktop a window would open, and wait for its user.
  std::string command =
      "unset DISPLAY WAYLAND_DISPLAY; " + setting.before + quoted(WARPVIEW_PROGRAM);
  for (const std::string& argument : arguments) command += " " + quoted(argument);
  command += " " + (setting.out.empty() ? ">" + quoted(folder / "out") : setting.out) + " 2>" +
             quoted(folder / "err") + " </dev/null";
  const int status = std::system(command.c_str());  // NOLINT(cert-env33-c): the point of it
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(folder / "out"),
          read_file(folder / "err")};
}

void expect_alike(const Picture& a, const Picture& b) {
  constexpr int rounding = 3;
  EXPECT_EQ(compare_images(a, b, rounding), 0.0);
}

std::filesystem::path test_folder() {
  static const testing::TestInfo* made_for = nullptr;
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "warpview_app" /
                                       test->test_suite_name() / test->name();
  if (std::exchange(made_for, test) != test) std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

}  // namespace warpview::test
