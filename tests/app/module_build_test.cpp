// The counting module is built when counters are first asked for: the program in a build tree of
// its own, with a cmake of its own that copies the module which is there.
#include "app/common/module_build.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "app/common/process.h"
#include "app/options.h"
#include "tests/app/program.h"

namespace warpview::test {
namespace {

namespace fs = std::filesystem;

TEST(ModuleBuild, TellsNinjasStatusInWords) {
  EXPECT_EQ(module_build_progress("[3/20] Building CXX object x.o", "counting module"),
            "Building the counting module, once: step 3 of 20, 15 %");
  EXPECT_EQ(module_build_progress("[20/20] Linking", "counting module"),
            "Building the counting module, once: step 20 of 20, 100 %");
  for (const char* other : {"", "[", "[3", "[3/", "[/20] x", "[3/0] x", "[21/20] x", "[-1/20] x",
                            "3/20", "ninja: no work to do."})
    EXPECT_EQ(module_build_progress(other, "counting module"), "") << other;
}

#if defined(WARPVIEW_COUNTED_MODULE)

void write_file(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

class BuildTree : public testing::Test {
 protected:
  BuildTree() {
    fs::create_directories(folder_ / "bin");
    fs::copy_file(WARPVIEW_PROGRAM, folder_ / "bin" / "warpview");
    write_file(folder_ / "CMakeCache.txt", "");
    set_cmake("echo '[1/2] Building'; echo '[2/2] Linking'; cp '" WARPVIEW_COUNTED_MODULE "' '" +
              module_.string() + "'");
  }
  void set_cmake(const std::string& script) const {
    const fs::path cmake = folder_ / "tools" / "cmake";
    write_file(cmake, "#!/bin/sh\necho \"$*\" >>'" + calls_.string() + "'\n" + script + "\n");
    fs::permissions(cmake, fs::perms::owner_all);
  }
  ProcessResult count() const {
    return run_process({"env", "-u", "WARPVIEW_COUNTED_MODULE", folder_ / "bin" / "warpview", "lab",
                        "block_scan", "--form", "tile_64", "--sizes", "64", "--counters"},
                       {.time = std::chrono::hours(1)}, folder_ / "tools");
  }
  // How often cmake was called.
  long calls() const {
    const std::string all = read_file(calls_);
    return std::count(all.begin(), all.end(), '\n');
  }

  const fs::path folder_ = test_folder();
  const fs::path module_ = folder_ / "bin" / "libwarpview_counted.so";
  const fs::path calls_ = folder_ / "calls";
};

TEST_F(BuildTree, BuildsTheModuleOnceAndTellsHowFarItIs) {
  const ProcessResult first = count();
  EXPECT_EQ(first.code, exit_success) << first.err;
  EXPECT_NE(first.err.find("Building the counting module, once: step 1 of 2, 50 %\n"),
            std::string::npos)
      << first.err;
  EXPECT_NE(first.out.find("conflicts by step"), std::string::npos) << first.out;
  EXPECT_EQ(read_file(calls_), "--build " + folder_.string() + " --target warpview_counted\n");
  const ProcessResult second = count();
  EXPECT_EQ(second.out, first.out);
  EXPECT_EQ(second.err.find("Building"), std::string::npos) << second.err;
  EXPECT_EQ(calls(), 1);
}

TEST_F(BuildTree, BuildsAModuleOfOtherSourcesAnew) {
  write_file(module_, "sources of the counting module: 0123456789abcdef");
  EXPECT_EQ(count().code, exit_success);
  EXPECT_EQ(calls(), 1);
  // Where that does not help, the program is the one that is old.
  write_file(module_, "");
  set_cmake("exit 0");
  const ProcessResult refused = count();
  EXPECT_EQ(refused.code, exit_unavailable);
  EXPECT_NE(refused.err.find("is not built from this program's sources. Build both again"),
            std::string::npos)
      << refused.err;
}

TEST_F(BuildTree, SaysWhatTheCompilerSaid) {
  set_cmake("echo 'kernel.cu:1: error: all is lost'; exit 3");
  const ProcessResult refused = count();
  EXPECT_EQ(refused.code, exit_unavailable);
  for (const std::string& words : {std::string("cmake ended with 3"), std::string("all is lost"),
                                   "cmake --build " + folder_.string()})
    EXPECT_NE(refused.err.find(words), std::string::npos) << refused.err;
}

TEST_F(BuildTree, IsNotLookedForWhereTheProgramIsInstalled) {
  fs::remove(folder_ / "CMakeCache.txt");
  EXPECT_EQ(count().code, exit_unavailable);
  EXPECT_EQ(calls(), 0);
}

#endif

}  // namespace
}  // namespace warpview::test
