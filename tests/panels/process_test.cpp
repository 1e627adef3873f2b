// Other programs: the user's editor, and the toolkit's disassembler.
#include "app/common/process.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "app/common/editor.h"
#include "app/common/sass.h"
#include "gpu/runtime/error.h"
#include "tests/panels/temporary_folder.h"

namespace warpview {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

// A variable of the environment, put back at the end.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) {
    const char* const old = std::getenv(name);
    had_ = old != nullptr;
    if (had_) before_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~Setting() { had_ ? setenv(name_, before_.c_str(), 1) : unsetenv(name_); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

 private:
  const char* name_;
  std::string before_;
  bool had_ = false;
};

// A folder of programs written for the test.
class Programs : public testing::Test {
 protected:
  fs::path add(const std::string& name, const std::string& script) const {
    folder_.write(name, "#!/bin/sh\n" + script);
    fs::permissions(folder_.path() / name, fs::perms::owner_all);
    return folder_.path() / name;
  }
  TemporaryFolder folder_;
};

TEST_F(Programs, PrintAndEnd) {
  const fs::path program = add("program", "echo \"$2\"; echo wrong >&2; exit 7\n");
  const ProcessResult result = run_process({program, "x", "$HOME; `id` 'two words'"}, {});
  EXPECT_EQ(result.out, "$HOME; `id` 'two words'\n") << "as it was given";
  EXPECT_EQ(result.err, "wrong\n");
  EXPECT_EQ(result.code, 7);
  EXPECT_FALSE(result.timed_out);
  EXPECT_THROW(run_process({(folder_.path() / "none").string()}, {}), Error);
}

TEST_F(Programs, PrintMoreThanAPipeHolds) {
  const fs::path program =
      add("program", "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2\n");
  const ProcessResult result = run_process({program}, {});
  EXPECT_EQ(result.out.size(), 300'000U);
  EXPECT_EQ(result.err.size(), 300'000U);
}

TEST_F(Programs, ThatDoNotEndAreEnded) {
  // With what they started themselves.
  const fs::path program = add("program", "sleep 1000 & sleep 1000\n");
  EXPECT_TRUE(run_process({program}, {.time = 20ms}).timed_out);
  std::atomic<bool> cancelled{true};
  const ProcessResult result = run_process({program}, {.time = 1h, .cancelled = &cancelled});
  EXPECT_TRUE(result.cancelled);
  EXPECT_EQ(result.code, 128 + 9);
  const fs::path chatter = add("chatter", "while :; do echo more and more; done\n");
  EXPECT_TRUE(run_process({chatter}, {.time = 1h, .bytes = 10'000}).timed_out);
}

TEST_F(Programs, AreHeardLineByLine) {
  const fs::path program = add("program", "printf 'one\\n\\ntwo\\nthree'\n");
  std::vector<std::string> lines;
  const ProcessResult result = run_process(
      {program}, {.on_line = [&lines](std::string_view line) { lines.emplace_back(line); }});
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "", "two"})) << "and none that has no end";
  EXPECT_EQ(result.out, "one\n\ntwo\nthree");
}

TEST_F(Programs, ThatAreCancelledMayTidyUp) {
  const fs::path tidy = add("tidy",
                            "trap 'echo done; exit 5' TERM; echo on\n"
                            "while :; do sleep 0.01; done\n");
  const fs::path deaf = add("deaf", "trap '' TERM; echo on; while :; do sleep 0.01; done\n");
  const auto run = [](const fs::path& program, std::chrono::milliseconds grace) {
    std::atomic<bool> cancelled{false};
    return run_process({program},
                       {.time = 1h,
                        .cancelled = &cancelled,
                        .grace = grace,
                        .on_line = [&cancelled](std::string_view) { cancelled = true; }});
  };
  const ProcessResult ended = run(tidy, 1h);
  EXPECT_TRUE(ended.cancelled);
  EXPECT_EQ(ended.code, 5);
  EXPECT_EQ(ended.out, "on\ndone\n");
  EXPECT_EQ(run(deaf, 20ms).code, 128 + 9);
}

TEST_F(Programs, AreFoundInPath) {
  const fs::path program = add("some_program", "");
  folder_.write("some_text", "");
  EXPECT_TRUE(find_program("some_program").empty());
  EXPECT_EQ(find_program("some_program", {"", folder_.path()}), program);
  const Setting path("PATH", "relative::/no/such:" + folder_.path().string());
  EXPECT_EQ(find_program("some_program"), program);
  EXPECT_TRUE(find_program("some_text").empty()) << "it cannot be run";
  EXPECT_EQ(find_program(program.string()), program);
}

TEST_F(Programs, AreLaunchedAndLeft) {
  const fs::path mark = folder_.path() / "mark";
  LaunchedProcess launched({add("program", "echo \"$1\" > \"$2\"; exit 3\n"), "a;b", mark});
  std::optional<int> code;
  while (!(code = launched.ended())) std::this_thread::yield();
  EXPECT_EQ(*code, 3);
  EXPECT_EQ(run_process({"/bin/cat", mark}, {}).out, "a;b\n");
  EXPECT_THROW(LaunchedProcess({(folder_.path() / "none").string()}), Error);
}

// ---- The editor ---------------------------------------------------------------------------------

using Words = std::vector<std::string>;

TEST_F(Programs, TheEditorIsAsTheUserSays) {
  EXPECT_EQ(words_of("  code  -g 'my file' \"a b\"c ''"),
            (Words{"code", "-g", "my file", "a bc", ""}));
  EXPECT_TRUE(words_of("  ").empty());
  EXPECT_EQ(editor_command("edit +{line} {file}", "/a b/$(x);{line}.cu", 12),
            (Words{"edit", "+12", "/a b/$(x);{line}.cu"}));
  EXPECT_EQ(editor_command("edit -w", "/a.cu", 12), (Words{"edit", "-w", "/a.cu"}));
}

TEST_F(Programs, TheEditorIsOneThatIsInstalled) {
  const Setting path("PATH", folder_.path().string());
  EXPECT_THROW(editor_command("", "/a.cu", 5), Error);
  const fs::path open = add("xdg-open", "");
  EXPECT_EQ(editor_command("", "/a.cu", 5), (Words{open, "/a.cu"}));
  const fs::path code = add("code", "");
  EXPECT_EQ(editor_command("", "/a.cu", 5), (Words{code, "-g", "/a.cu:5"}));
}

// ---- SASS ---------------------------------------------------------------------------------------

// As cuobjdump prints it: two architectures, parts without code, encodings, filling.
constexpr const char* printed = R"(
Fatbin elf code:
================
arch = sm_80
	code for sm_80

	code for sm_80
		Function : _Z5otherv
	.headerflags	@"EF_CUDA_SM80"
        /*0000*/                   EXIT ;      /* 0x000000000000794d */
                                               /* 0x000fea0003800000 */
	code for sm_90
		Function : _ZN8warpview4cuda4scan6kernelIiEEvPT_
	.headerflags	@"EF_CUDA_SM90"
	.headerflags	@"EF_CUDA_SM90"
        /*0000*/                   LDC R1, c[0x0][0x28] ;      /* 0x00000a00ff017b82 */
                                                               /* 0x000fe20000000800 */
        /*0010*/              @!P0 BRA 0x30 ;                  /* 0x0000000000050947 */
                                                               /* 0x000fea0003800000 */
        /*0020*/                   NOP;                        /* 0x0000000000007918 */
		..........

		Function : _Z5otherv
        /*0000*/                   EXIT ;      /* 0x000000000000794d */
)";

TEST(Sass, IsMadeReadable) {
  SassQuestion question{.symbols = {"_ZN8warpview4cuda4scan6kernelIiEEvPT_"}};
  EXPECT_EQ(readable_sass(printed, question),
            "// code for sm_90, disassembled by cuobjdump\n\n// scan::kernel<int>: 2 instructions\n"
            "_ZN8warpview4cuda4scan6kernelIiEEvPT_:\n  /*0000*/  LDC R1, c[0x0][0x28] ;\n"
            "  /*0010*/  @!P0 BRA 0x30 ;\n  /*0020*/  NOP;\n");
  question.symbols.clear();
  EXPECT_EQ(sass_entries(readable_sass(printed, question)).size(), 2U) << "all of the newest";
  question.compute_capability = 89;
  EXPECT_TRUE(readable_sass(printed, question).starts_with("// code for sm_80")) << "what it runs";
  question.compute_capability = 75;
  EXPECT_TRUE(readable_sass(printed, question).starts_with("// code for sm_90"));
  question.symbols = {"_Z4nonev"};
  EXPECT_EQ(readable_sass(printed, question), "");
  for (const char* none :
       {"", "\n\n", "Function : ", "/*", "/*0000*/", "code for sm_\nFunction : x\n/*0"})
    readable_sass(none, {});
}

TEST(Sass, ListsItsKernels) {
  const std::vector<PtxEntry> entries = sass_entries(readable_sass(printed, {}));
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].name, "scan::kernel<int>");
  EXPECT_EQ(entries[0].line, 3);
  EXPECT_EQ(entries[1].symbol, "_Z5otherv");
}

std::string error_of(const SassQuestion& question) {
  try {
    sass_of(question);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST_F(Programs, WithoutADisassemblerItIsSaidHowToGetOne) {
  if (fs::exists("/usr/local/cuda/bin/cuobjdump")) GTEST_SKIP() << "it is installed";
  const Setting path("PATH", "");
  const Setting home("CUDA_HOME", "");
  const Setting other("CUDA_PATH", "");
  const std::string error = error_of({.file = "/proc/self/exe"});
  EXPECT_NE(error.find("cuobjdump was not found"), std::string::npos) << error;
  EXPECT_NE(error.find("CUDA_HOME"), std::string::npos) << error;
}

TEST_F(Programs, TheDisassemblerIsAskedForTheKernelsAlone) {
  const Setting home("CUDA_HOME", folder_.path().string());
  fs::create_directory(folder_.path() / "bin");
  folder_.write("printed", printed);
  const fs::path words = folder_.path() / "words";
  add("bin/cuobjdump",
      "echo \"$@\" > " + words.string() + "; cat " + (folder_.path() / "printed").string() + "\n");
  const std::string sass = sass_of({.file = "/a/program", .symbols = {"_Z5otherv", "_Z4nonev"}});
  EXPECT_NE(sass.find("// other: 1 instructions"), std::string::npos) << sass;
  EXPECT_EQ(run_process({"/bin/cat", words}, {}).out, "-sass -fun _Z5otherv,_Z4nonev /a/program\n");
  EXPECT_NE(error_of({.file = "/a/program", .symbols = {"_Z4nonev"}}).find("no machine code"),
            std::string::npos);
  add("bin/cuobjdump", "echo 'fatal: nvdisasm is missing' >&2; exit 255\n");
  const std::string error = error_of({.file = "/a/program"});
  EXPECT_NE(error.find("ended with 255: fatal: nvdisasm"), std::string::npos) << error;
  EXPECT_NE(error.find("cuda-nvdisasm"), std::string::npos) << "how to get it: " << error;
}

// With the real tools, where they are installed.
TEST_F(Programs, TheRealDisassemblerReadsACubin) {
  const fs::path nvcc = find_program("nvcc", {"/usr/local/cuda/bin"});
  if (nvcc.empty() || find_cuobjdump().empty()) GTEST_SKIP() << "nvcc or cuobjdump is not here";
  folder_.write("k.cu", "__global__ void doubled(float* p) { p[threadIdx.x] *= 2; }\n");
  const fs::path cubin = folder_.path() / "k.cubin";
  const ProcessResult compiled = run_process(
      {nvcc, "-arch=sm_80", "-cubin", "-o", cubin, folder_.path() / "k.cu"}, {.time = 10min});
  ASSERT_EQ(compiled.code, 0) << compiled.err;
  const std::string sass = sass_of({.file = cubin, .symbols = {"_Z7doubledPf"}});
  EXPECT_NE(sass.find("// doubled: "), std::string::npos) << sass;
  EXPECT_NE(sass.find("EXIT"), std::string::npos) << sass;
}

}  // namespace
}  // namespace warpview
