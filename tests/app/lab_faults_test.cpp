// `warpview lab faults`: what it lists, runs, records and refuses.
#include <gtest/gtest.h>

#include "gpu/recording/file.h"
#include "tests/app/program.h"

namespace warpview::test {
namespace {

TEST(LabFaults, AreListedWithoutTheirAnswers) {
  const ProgramResult run = run_program({"lab", "faults"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("missing_barrier (war, raw, waw, right)"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("wrong on purpose"), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("no barrier"), std::string::npos) << run.out;
}

TEST(LabFaults, RefuseWhatTheyDoNotHave) {
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"scan"},
                                             {"none"},
                                             {"lost_update", "one_sync"},
                                             {"--variant", "none"},
                                             {"--variant", "lost_update", "--form", "none"},
                                             {"--variant", "lost_update,one_sync"},
                                             {"--variant", "lost_update", "--sizes", "64"},
                                             {"lost_update", "--blocks", "0", "--record", "x.svg"},
                                             {"lost_update", "--mesh", "generated:teapot"},
                                             {"--variant", "lost_update", "--counters"},
                                             {"--variant", "lost_update", "--backend", "cuda"},
                                             {"--seeds", "3"}}) {
    std::vector<std::string> words = {"lab", "faults"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(run_program(words).code, 2) << more.back();
  }
  EXPECT_EQ(run_program({"lab", "scan", "--seeds", "3"}).code, 2);
}

#if defined(WARPVIEW_RECORDED_MODULE)

TEST(LabFaults, TellAndRecordTheFirstRunThatShowsThem) {
  const auto file = test_folder() / "fault.wvrec";
  const ProgramResult run =
      run_program({"lab", "faults", "--variant", "missing_barrier", "--form", "war", "--seed", "5",
                   "--seeds", "3", "--record", file.string()});
  EXPECT_EQ(run.code, 0) << run.err;
  for (const char* words :
       {"Seeds 5 to 7", "wrong words in the result: in 3 of 3, first with seed 5", "out[",
        "data races in the recording: in 3 of 3", "scan_a.cu:", "Write after read"})
    EXPECT_NE(run.out.find(words), std::string::npos) << words << run.out;
  const Recording recording = read_recording(file);
  EXPECT_EQ(recording.primitive, "faults");
  EXPECT_EQ(recording.variant, "missing_barrier");
  EXPECT_EQ(recording.form, "war");
  EXPECT_EQ(recording.seed, 5U);
}

// A page and a picture begin where the run shows the fault.
TEST(LabFaults, AreDrawnWhereTheyShowTheFault) {
  const auto picture = [](const std::string& name, const std::vector<std::string>& more) {
    const auto file = test_folder() / name;
    std::vector<std::string> words = {"lab", "faults",   "lost_update", "--seeds",
                                      "3",   "--record", file.string()};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult run = run_program(words);
    EXPECT_EQ(run.code, 0) << run.err;
    return std::pair(run.out, read_file(file));
  };
  const auto [out, at_fault] = picture("a.svg", {});
  const std::size_t option = out.find("--step ");
  ASSERT_NE(option, std::string::npos) << out;
  EXPECT_NE(out.find("This step wrote it last."), std::string::npos) << out;
  const std::string step = out.substr(option + 7, out.find(' ', option + 7) - option - 7);
  EXPECT_EQ(picture("b.svg", {"--step", step}).second, at_fault);
  EXPECT_NE(picture("c.svg", {"--step", "0"}).second, at_fault);
  EXPECT_NE(at_fault.find("*args.out += args.items[i]"), std::string::npos);
  // They say that the kernel is wrong on purpose, and what shows it.
  const std::size_t shown = out.find("out[", option);
  const std::string words = out.substr(shown, out.find('.', shown) - shown);
  for (const std::string& text : {at_fault, picture("d.html", {}).second}) {
    EXPECT_NE(text.find("lost_update, wrong (wrong on purpose), 256 items"), std::string::npos);
    EXPECT_NE(text.find("This kernel is wrong on purpose. Step " + step), std::string::npos);
    EXPECT_NE(text.find(words), std::string::npos) << words;
  }
  const std::string twin = picture("e.svg", {"--form", "right"}).second;
  EXPECT_EQ(twin.find("(wrong on purpose)"), std::string::npos);
  EXPECT_NE(twin.find("the twin of one"), std::string::npos);
}

TEST(LabFaults, EndWithTheExecutorsReportWhereTheyHang) {
  const ProgramResult run =
      run_program({"lab", "faults", "--variant", "spin_lock", "--seeds", "2"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("the spin never ends in lockstep"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find(" (gpu/faults/kernels/locked_sums_wrong.cu:11)"), std::string::npos)
      << run.out;
}

// The locks are drawn.
TEST(LabFaults, HaveTheViewOfLocks) {
  for (const char* const fault : {"spin_lock", "two_locks"}) {
    const auto file = test_folder() / "locks.svg";
    const auto picture = [&](const char* form) {
      run_program(
          {"lab", "faults", fault, "--form", form, "--seeds", "2", "--record", file.string()});
      return read_file(file);
    };
    EXPECT_NE(picture("wrong").find(">Locks<"), std::string::npos) << fault;
    EXPECT_NE(picture("right").find("protects out[1]"), std::string::npos) << fault;
  }
}

// With one seed that does not show it, a fault is as if it were right.
TEST(LabFaults, FailWhereNothingShowsThem) {
  bool has_failed = false;
  for (int seed = 1; seed <= 20 && !has_failed; ++seed)
    has_failed = run_program({"lab", "faults", "--variant", "block_index", "--seed",
                              std::to_string(seed), "--seeds", "1"})
                     .code == 5;
  EXPECT_TRUE(has_failed);
}

TEST(LabFaults, FindNothingInARightTwin) {
  const ProgramResult run = run_program(
      {"lab", "faults", "--variant", "missing_fence", "--form", "right", "--seeds", "5"});
  EXPECT_EQ(run.code, 0) << run.out;
  EXPECT_NE(run.out.find("data races in the recording: in none"), std::string::npos) << run.out;
}

TEST(LabRecord, TellsThatAVariantIsFreeOfRaces) {
  const ProgramResult run = run_program({"lab", "scan", "--variant", "lookback", "--sizes", "4096",
                                         "--record", (test_folder() / "scan.wvrec").string()});
  EXPECT_NE(run.out.find("No data races"), std::string::npos) << run.out;
}

#endif

}  // namespace
}  // namespace warpview::test
