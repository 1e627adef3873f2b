// The program where the system fails it: every fault is a message and an exit code.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "app/options.h"
#include "tests/app/program.h"

namespace warpview::test {
namespace {

constexpr const char* small_scene = "generated:sphere:500";

ProgramResult draw(const std::string& before, const std::string& scene = small_scene) {
  return run_program({"--headless", "--backend", "cpu", "--size", "64x64", "--screenshot",
                      test_folder() / "picture.png", scene},
                     {.before = before, .out = {}});
}

// It ended by itself, and said why if it did not do what it was asked to.
void expect_told(const ProgramResult& result, const std::string& under) {
  EXPECT_GE(result.code, exit_success) << under;
  EXPECT_LE(result.code, exit_verify) << under << ": " << result.err;
  if (result.code != exit_success) {
    EXPECT_NE(result.err.find("warpview: "), std::string::npos) << under << ": " << result.err;
  }
  EXPECT_EQ(result.err.find("std::bad_alloc"), std::string::npos) << result.err;
}

TEST(Faults, NoEgl) {
  const std::string hidden =
      "export __EGL_VENDOR_LIBRARY_DIRS=/no/such/folder; "
      "export __EGL_VENDOR_LIBRARY_FILENAMES=/no/such/file; unset DISPLAY WAYLAND_DISPLAY; ";
  const ProgramResult result = draw(hidden);
  EXPECT_EQ(result.code, exit_unavailable) << result.err;
  EXPECT_NE(result.err.find("headless OpenGL 4.5: EGL"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("apt install"), std::string::npos) << result.err;
  EXPECT_EQ(run_program({small_scene}, {.before = hidden, .out = {}}).code, exit_unavailable);
}

// Wherever on the way the system refuses another thread.
TEST(Faults, NoThreads) {
  bool refused = false;
  bool drawn = false;
  for (int threads = 0; !drawn && threads < 64; threads += threads < 12 ? 1 : 8) {
    const ProgramResult result =
        draw("export LD_PRELOAD='" WARPVIEW_REFUSES_THREADS "' WARPVIEW_TEST_THREADS=" +
             std::to_string(threads) + "; ");
    expect_told(result, std::to_string(threads) + " threads");
    drawn = result.code == exit_success;
    if (drawn) continue;
    refused = true;
    EXPECT_EQ(result.code, exit_failure) << threads << ": " << result.err;
    EXPECT_NE(result.err.find("ulimit -u"), std::string::npos) << threads << ": " << result.err;
  }
  EXPECT_TRUE(refused);
  EXPECT_TRUE(drawn);
}

// Drivers of OpenGL crash where they get no memory.
TEST(Faults, SmallAddressSpaces) {
  for (const int kibibytes : {100'000, 300'000, 500'000, 650'000, 700'000, 750'000, 850'000}) {
    const std::string limit = "ulimit -v " + std::to_string(kibibytes);
    const ProgramResult result = draw(limit + "; ");
    expect_told(result, limit);
    if (kibibytes <= 500'000) {
      EXPECT_EQ(result.code, exit_unavailable) << limit;
      EXPECT_NE(result.err.find("ulimit -v"), std::string::npos) << result.err;
    }
  }
}

TEST(Faults, LimitsOfMemoryAreKept) {
  for (const int gibibytes : {1, 2}) {
    const std::string limit = "ulimit -v " + std::to_string(gibibytes << 20) + "; ";
    const ProgramResult small = draw(limit);
    EXPECT_EQ(small.code, exit_success) << limit << small.err;
    const ProgramResult large = draw(limit, "generated:sphere:20000000");
    EXPECT_EQ(large.code, exit_input) << limit << large.err;
    expect_told(large, limit);
  }
}

TEST(Faults, AHomeThatCannotBeWritten) {
  const ProgramResult result = draw(
      "export HOME=/dev/null XDG_CONFIG_HOME=/dev/null/config XDG_CACHE_HOME=/dev/null/cache; ");
  EXPECT_EQ(result.code, exit_success) << result.err;
}

// A disk of 64 KiB, where one may be made.
TEST(Faults, AFullDisk) {
  const std::string disk = test_folder() / "disk";
  std::filesystem::create_directories(disk);
  const std::string mount = "unshare -Urm sh -c 'mount -t tmpfs -o size=64k none \"$0\" && ";
  const std::string quoted_disk = "' '" + disk + "' ";
  if (std::system((mount + "true" + quoted_disk + "2>/dev/null").c_str()) != 0)  // NOLINT
    GTEST_SKIP() << "no disk may be made here";
  const ProgramResult result = run_program(
      {"--headless", "--backend", "cpu", "--size", "1024x1024", "--show", "mesh,wire",
       "--screenshot", disk + "/picture.png", "generated:sphere:5000"},
      {.before = mount + "echo older >\"$0/picture.png\"; \"$@\"; code=$?; cat \"$0\"/*; " +
                 "ls -A \"$0\"; exit $code" + quoted_disk,
       .out = {}});
  EXPECT_EQ(result.code, exit_failure) << result.err;
  EXPECT_NE(result.err.find("No space left"), std::string::npos) << result.err;
  EXPECT_EQ(result.out, "older\npicture.png\n");
}

}  // namespace
}  // namespace warpview::test
