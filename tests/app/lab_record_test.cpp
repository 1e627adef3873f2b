// `warpview lab --record`: the program writes recordings, and refuses what one cannot hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "gpu/recording/file.h"
#include "gpu/recording/replay.h"
#include "tests/app/program.h"

namespace warpview::test {
namespace {

namespace fs = std::filesystem;

#if defined(WARPVIEW_RECORDED_MODULE)

std::vector<std::string> lookback(const fs::path& file, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {"lab",     "scan", "--variant", "lookback",
                                    "--sizes", "4096", "--record",  file.string()};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(LabRecord, WritesARecordingThatReplays) {
  const fs::path file = test_folder() / "scan.wvrec";
  const ProgramResult run = run_program(
      lookback(file, {"--seed", "3", "--interleave", "4", "--warp-size", "64", "--delay-publish",
                      "--form", "inclusive", "--distribution", "constant"}));
  EXPECT_EQ(run.code, 0) << run.err;
  const Recording recording = read_recording(file);
  EXPECT_EQ(Replay(recording).finish(), "");
  EXPECT_EQ(recording.variant, "lookback");
  EXPECT_EQ(recording.form, "inclusive");
  EXPECT_EQ(recording.distribution, "constant");
  EXPECT_EQ(recording.items, 4096U);
  EXPECT_EQ(recording.seed, 3U);
  EXPECT_EQ(recording.interleave, 4U);
  EXPECT_EQ(recording.warp_size, 64U);
  EXPECT_TRUE(recording.late_publications);
}

TEST(LabRecord, TakesNumbersThatAreTyped) {
  const fs::path file = test_folder() / "typed.wvrec";
  const auto record = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"lab",      "block_scan", "--variant",
                                      "blelloch", "--record",   file.string()};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  };
  const ProgramResult run = record({"--input", "8,1,7,4,6,3,5,2"});
  ASSERT_EQ(run.code, 0) << run.err;
  const Recording recording = read_recording(file);
  EXPECT_EQ(recording.distribution, "typed");
  EXPECT_EQ(recording.items, 8U);
  ASSERT_EQ(record({"--sizes", "16"}).code, 0);
  EXPECT_EQ(read_recording(file).distribution, "small");
  EXPECT_EQ(record({"--input", "8,1", "--sizes", "2"}).code, 2);
  EXPECT_EQ(record({"--input", "8,one"}).code, 2);
  EXPECT_EQ(record({"--input=-8,1"}).code, 2);
}

TEST(LabRecord, TakesTheTrianglesOfAMesh) {
  const fs::path file = test_folder() / "mesh.wvrec";
  const auto record = [&](const char* primitive, const char* variant,
                          const std::vector<std::string>& more) {
    std::vector<std::string> words = {"lab",      primitive,     "--variant", variant,
                                      "--record", file.string(), "--mesh"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  };
  ProgramResult run = record("sort", "resident", {"generated:sphere:2000", "--sizes", "100"});
  ASSERT_EQ(run.code, 0) << run.err;
  Recording recording = read_recording(file);
  ASSERT_TRUE(recording.mesh);
  EXPECT_EQ(recording.mesh->triangles(), 100U);
  EXPECT_EQ(recording.items, 100U);
  EXPECT_GT(recording.mesh->whole, 1500U);
  run = record("reduce", "vectors", {"generated:sphere:2000", "--camera", "0,0,9,0,0,0"});
  ASSERT_EQ(run.code, 0) << run.err;
  recording = read_recording(file);
  EXPECT_EQ(recording.form, "scene_bounds");
  EXPECT_EQ(recording.mesh->triangles(), 1024U);
  EXPECT_NEAR(recording.mesh->right[0], 1.0F, 1e-5F);
  EXPECT_NEAR(recording.mesh->up[1], 1.0F, 1e-5F);
  EXPECT_EQ(record("hash_map", "linear", {"generated:knot"}).code, 2);
  EXPECT_EQ(record("sort", "resident", {"generated:knot", "--sizes", "5000"}).code, 2);
  EXPECT_EQ(record("sort", "resident", {"generated:knot", "--form", "f32"}).code, 2);
  EXPECT_EQ(record("sort", "resident", {"generated:knot", "--input", "1,2"}).code, 2);
  EXPECT_EQ(record("sort", "resident", {"no_such_file.obj"}).code, 3);
  EXPECT_EQ(run_program({"lab", "sort", "--mesh", "generated:knot"}).code, 2);
}

TEST(LabRecord, NamesTheLinesOfTheKernel) {
  const fs::path file = test_folder() / "scan.wvrec";
  ASSERT_EQ(run_program(lookback(file)).code, 0);
  const Recording recording = read_recording(file);
  EXPECT_TRUE(
      std::any_of(recording.places.begin(), recording.places.end(), [](const RecordedPlace& place) {
        return place.code != 0 && !place.chain.empty() && place.chain.back().line > 0 &&
               place.chain.back().file == "gpu/primitives/scan/lookback.cu";
      }));
  // Those that the executor knows, too: by names that are the same in every build.
  for (const RecordedPlace& place : recording.places)
    for (const SourceLine& line : place.chain)
      EXPECT_TRUE(line.file.starts_with("gpu/")) << line.file;
}

TEST(LabRecord, EqualSeedsGiveEqualFiles) {
  const fs::path one = test_folder() / "one.wvrec";
  const fs::path two = test_folder() / "two.wvrec";
  const fs::path other = test_folder() / "other.wvrec";
  ASSERT_EQ(run_program(lookback(one, {"--seed", "1"})).code, 0);
  ASSERT_EQ(run_program(lookback(two, {"--seed", "1"})).code, 0);
  ASSERT_EQ(run_program(lookback(other, {"--seed", "2"})).code, 0);
  EXPECT_EQ(read_file(one), read_file(two));
  EXPECT_NE(read_file(one), read_file(other));
}

TEST(LabRecord, ExportsJson) {
  const fs::path file = test_folder() / "scan.json";
  ASSERT_EQ(run_program(lookback(file)).code, 0);
  const auto json = nlohmann::json::parse(read_file(file));
  EXPECT_EQ(json["variant"], "lookback");
  EXPECT_GT(json["events"].size(), 1000U);
}

TEST(LabRecord, WritesAPageAndAPictureOfTheStepThatIsNamed) {
  const fs::path page = test_folder() / "scan.html";
  const fs::path picture = test_folder() / "scan.svg";
  for (const fs::path& file : {page, picture}) {
    const ProgramResult run = run_program(lookback(file, {"--step", "12"}));
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_NE(read_file(file).find("Step 12 of "), std::string::npos);
  }
  EXPECT_TRUE(read_file(page).starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(read_file(picture).starts_with("<svg "));
}

TEST(LabRecord, RefusesAStepThatARecordingLacksAndWritesNothing) {
  const fs::path file = test_folder() / "scan.svg";
  const ProgramResult run = run_program(lookback(file, {"--step", "1000000"}));
  EXPECT_EQ(run.code, 1);
  EXPECT_NE(run.err.find("the recording has "), std::string::npos) << run.err;
  EXPECT_FALSE(fs::exists(file));
}

TEST(LabRecord, RefusesMoreEventsThanARecordingHoldsAndWritesNothing) {
  const fs::path file = test_folder() / "sort.wvrec";
  const ProgramResult run = run_program({"lab", "sort", "--variant", "onesweep", "--sizes", "2^14",
                                         "--distribution", "uniform", "--record", file.string()});
  EXPECT_EQ(run.code, 1);
  EXPECT_NE(run.err.find("more than 1 000 000 events"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find(" keys fit"), std::string::npos) << run.err;
  EXPECT_FALSE(fs::exists(file));
}

TEST(LabRecord, RecordsTheBlocksThatAreChosen) {
  const fs::path file = test_folder() / "blocks.wvrec";
  const ProgramResult run = run_program({"lab", "scan", "--variant", "lookback", "--sizes", "4096",
                                         "--record", file.string(), "--blocks", "5,2-3"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("Data races: not searched"), std::string::npos) << run.out;
  const Recording recording = read_recording(file);
  EXPECT_EQ(recording.blocks, (BlockRanges{{2, 3}, {5, 5}}));
  EXPECT_EQ(Replay(recording).finish(), "");
  for (const char* wrong : {"5-2", "x"}) {
    const ProgramResult refused = run_program(
        {"lab", "scan", "--variant", "lookback", "--record", file.string(), "--blocks", wrong});
    EXPECT_EQ(refused.code, 2) << refused.err;
    EXPECT_NE(refused.err.find("such as 0,3-5"), std::string::npos) << refused.err;
  }
}

TEST(LabRecord, SaysThatALibraryRunsOnTheHost) {
  const fs::path file = test_folder() / "scan.wvrec";
  const ProgramResult run =
      run_program({"lab", "scan", "--variant", "library", "--record", file.string()});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("runs on the host"), std::string::npos) << run.out;
}

#endif

TEST(LabRecord, NamesAStepOnlyOfWhatIsDrawn) {
  const fs::path file = test_folder() / "scan.wvrec";
  const ProgramResult run = run_program(
      {"lab", "scan", "--variant", "lookback", "--step", "3", "--record", file.string()});
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("--step: it goes with"), std::string::npos) << run.err;
}

TEST(LabRecord, TakesOneRun) {
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {"lab", "scan"},
           {"lab", "scan", "sort", "--variant", "library"},
           {"lab", "scan", "--variant", "lookback,library"},
           {"lab", "scan", "--variant", "lookback", "--form", "all"},
           {"lab", "scan", "--variant", "lookback", "--sizes", "64,128"}}) {
    std::vector<std::string> words = more;
    words.insert(words.end(), {"--record", (test_folder() / "scan.wvrec").string()});
    const ProgramResult run = run_program(words);
    EXPECT_EQ(run.code, 2) << run.err;
    EXPECT_NE(run.err.find("it takes one"), std::string::npos) << run.err;
  }
}

}  // namespace
}  // namespace warpview::test
