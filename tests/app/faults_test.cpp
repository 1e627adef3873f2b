// The program where the system fails it: every fault is a message and an exit code.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "app/options.h"
#include "tests/app/program.h"
#include "tests/app/session_test.h"

namespace warpview::test {
namespace {

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

// Wherever on the way the system refuses another thread. The file is read in several blocks, which
// threads would share.
TEST(Faults, NoThreads) {
  const std::string file = test_folder() / "triangle.obj";
  {
    std::ofstream text(file);
    for (int line = 0; line < 50'000; ++line) text << "# nothing\n";
    text << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  }
  bool refused = false;
  bool drawn = false;
  for (int threads = 0; !drawn && threads < 64; threads += threads < 12 ? 1 : 8) {
    const ProgramResult result =
        draw("export LD_PRELOAD='" WARPVIEW_REFUSES_THREADS "' WARPVIEW_TEST_THREADS=" +
                 std::to_string(threads) + "; ",
             file);
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

// Stacks of threads that are smaller than the program's thread-local variables, or hardly larger.
// Without a limit a thread gets 2 MiB.
TEST(Faults, SmallStacks) {
  for (const char* bytes : {"262144", "1048576", "3145728", "3600000", "4194304", "unlimited"}) {
    const std::string limit = std::string("prlimit --stack=") + bytes + " ";
    const ProgramResult mesh = draw(limit);
    EXPECT_EQ(mesh.code, exit_success) << bytes << ": " << mesh.err;
    const ProgramResult particles =
        run_program({"--headless", "--backend", "cpu", "--size", "64x64", "--frames", "2",
                     "--verify", "--panels", "--screenshot", "/dev/null", "particles:2000"},
                    {.before = limit, .out = {}});
    EXPECT_EQ(particles.code, exit_success) << bytes << ": " << particles.err;
    const ProgramResult lab =
        run_program({"lab", "scan", "--backend", "cpu", "--sizes", "4096", "--verify"},
                    {.before = limit, .out = {}});
    EXPECT_EQ(lab.code, exit_success) << bytes << ": " << lab.err;
  }
  const ProgramResult tiny = draw("prlimit --stack=200000 ");
  EXPECT_EQ(tiny.code, exit_unavailable) << tiny.err;
  EXPECT_NE(tiny.err.find("the program needs 256 KiB"), std::string::npos) << tiny.err;
  EXPECT_NE(tiny.err.find("ulimit -s"), std::string::npos) << tiny.err;
}

// Drivers of OpenGL crash where they get no memory. The program's file, which the system maps
// before the program says anything, comes on top: with kernels for GPUs it is some 90 MB.
TEST(Faults, SmallAddressSpaces) {
  const auto program = std::filesystem::file_size(WARPVIEW_PROGRAM) / 1024;
  for (const int kibibytes : {100'000, 300'000, 500'000, 650'000, 700'000, 750'000, 850'000}) {
    const std::string limit = "ulimit -v " + std::to_string(program + kibibytes);
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

// The mesh is read, but the scene does not fit on the device: nothing is wrong with the input.
TEST(Faults, DeviceMemoryThatIsExhausted) {
  const ProgramResult result = draw("ulimit -v 1200000; ", "generated:sphere:1500000");
  EXPECT_EQ(result.code, exit_failure) << result.err;
  EXPECT_NE(result.err.find("MB of device memory, and "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("Open a smaller one"), std::string::npos) << result.err;
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

// A window's session, in a process of its own whose address space is limited once a scene is open.
class LimitedSessionDeathTest : public SessionTest {
 protected:
  LimitedSessionDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }

  static void require(bool holds, const std::string& what, const Model& model) {
    if (holds) return;
    fmt::print(stderr, "not so: {}\n", what);
    for (const Message& message : model.messages) fmt::print(stderr, "{}\n", message.text);
    _exit(1);
  }

  // With so much beyond what it has. Exits with 0.
  [[noreturn]] static void open_too_large(std::uint64_t gibibytes) {
    SessionInWindow window(open_device(Backend::cpu));
    Model& model = window.model;
    window.open(describe(sphere_of_2000, {"animation=refit"}));
    require(model.scene_spec == sphere_of_2000, "a first scene opens", model);
    // What OpenGL's driver has reserved by now depends on the machine's cores.
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t most = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (gibibytes << 30U);
    const rlimit limit{most, most};
    require(setrlimit(RLIMIT_AS, &limit) == 0, "the limit can be set", model);
    // More than reading may take, and more than the device has.
    for (const std::uint64_t triangles_per_gibibyte : {20'000'000, 1'200'000}) {
      const std::size_t before = model.messages.size();
      model.requests.add(request::Open{
          describe(fmt::format("generated:sphere:{}", gibibytes * triangles_per_gibibyte))});
      window.until([&] { return model.messages.size() > before && !model.loading; });
      const Message& told = model.messages.back();
      require(told.kind == Message::Kind::error, "an error", model);
      require(told.text.find("emory") != std::string::npos, "an error that speaks of memory",
              model);
      require(model.messages.size() == before + 1, "one message", model);
      require(model.scene_spec == sphere_of_2000, "what was open stays", model);
      window.until([&, frames = window.frames()] { return window.frames() > frames + 3; });
    }
    model.requests.add(request::Open{describe("generated:sphere:100")});
    window.until([&] { return model.scene_spec == "generated:sphere:100" && window.frames() > 3; });
    _exit(0);
  }
};

TEST_F(LimitedSessionDeathTest, WhatWasOpenStays) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer reserves more address space than the limit";
#endif
  for (const std::uint64_t gibibytes : {1, 2}) {
    SCOPED_TRACE(gibibytes);
    EXPECT_EXIT(open_too_large(gibibytes), testing::ExitedWithCode(0), "");
  }
}

}  // namespace
}  // namespace warpview::test
