// `warpview lab`: what it takes, prints and returns.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "app/lists.h"
#include "app/options.h"
#include "gpu/lab/laboratory.h"
#include "gpu/runtime/backends.h"
#include "gpu/runtime/cpu/interruption.h"
#include "tests/app/program.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

using nlohmann::json;

ProgramResult run_lab_program(std::vector<std::string> more) {
  std::vector<std::string> arguments = {"lab", "--backend", "cpu"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(arguments);
}

TEST(LabCommand, AnswersForEveryVariantOfAPrimitive) {
  const ProgramResult run = run_lab_program(
      {"scan", "--sizes", "2^8..2^10", "--runs", "4", "--distribution", "few", "--json"});
  ASSERT_EQ(run.code, exit_success) << run.err;
  const json answers = json::parse(run.out).at("results");
  ASSERT_EQ(answers.size(), 3 * variants_of(Primitive::scan).size());
  std::set<std::string> seen;
  std::set<int> items;
  for (const json& answer : answers) {
    EXPECT_EQ(answer.at("primitive"), "scan");
    EXPECT_EQ(answer.at("distribution"), "few");
    EXPECT_TRUE(answer.at("verified"));
    EXPECT_GT(answer.at("ms"), 0.0);
    EXPECT_LE(answer.at("quartile_1_ms"), answer.at("ms"));
    EXPECT_GE(answer.at("quartile_3_ms"), answer.at("ms"));
    EXPECT_EQ(answer.at("runs"), 4);
    EXPECT_EQ(answer.at("bytes_needed"), 8 * answer.at("items").get<int>());  // whichever variant
    EXPECT_GE(answer.at("bytes_moved"), answer.at("bytes_needed"));
    EXPECT_GT(answer.at("copy_share"), 0.0);
    EXPECT_GT(answer.at("of_library"), 0.0);
    seen.insert(answer.at("variant"));
    items.insert(answer.at("items").get<int>());
  }
  EXPECT_EQ(seen.size(), variants_of(Primitive::scan).size());
  EXPECT_EQ(items, (std::set<int>{256, 512, 1024}));
}

TEST(LabCommand, ListsTheScratchArraysOfARunInItsJson) {
  const auto scratch_of = [](const char* variant) {
    const ProgramResult run =
        run_lab_program({"scan", "--variant", variant, "--sizes", "100000", "--verify", "--json"});
    EXPECT_EQ(run.code, exit_success) << run.err;
    const json answer = json::parse(run.out).at("results").at(0);
    EXPECT_EQ(answer.at("variant"), variant);
    return answer.value("scratch", json::array());
  };
  const json sums = scratch_of("hierarchical");
  ASSERT_EQ(sums.size(), 1U);
  EXPECT_EQ(sums[0].at("name"), "sums");
  EXPECT_EQ(sums[0].at("type"), "u32");
  EXPECT_GT(sums[0].at("items"), 1);
  EXPECT_EQ(sums[0].at("bytes"), 4 * sums[0].at("items").get<int>());
  EXPECT_EQ(scratch_of("library"), json::array()) << "its scan runs on the host";
}

// Of queues: how many operations a run has, at which rate, and what became of them.
TEST(LabCommand, TellsOfOperationsWhereTheyAreWhatCounts) {
  const std::vector<std::string> question = {"queue",   "--variant", "broker", "--form", "empty",
                                             "--sizes", "1000",      "--runs", "2"};
  const auto asked = [&](std::vector<std::string> more) {
    more.insert(more.begin(), question.begin(), question.end());
    const ProgramResult run = run_lab_program(more);
    EXPECT_EQ(run.code, exit_success) << run.err;
    return run.out;
  };
  const json answer = json::parse(asked({"--json"})).at("results").at(0);
  EXPECT_EQ(answer.at("operations"), 1100);  // a hundred appends and a thousand takes
  EXPECT_DOUBLE_EQ(answer.at("operations_per_s"), 1100 / answer.at("ms").get<double>() * 1e3);
  EXPECT_GE(answer.at("occurrences").at("failed takes"), 900);
  EXPECT_EQ(answer.at("occurrences").at("refused appends"), 0);
  const std::string table = asked({});
  EXPECT_NE(table.find(" operations/s; failed takes 9"), std::string::npos) << table;
  EXPECT_NE(asked({"--verify"}).find(" 1100 operations; failed takes 9"), std::string::npos);
  // Elsewhere it is bytes.
  const ProgramResult reduce = run_lab_program({"reduce", "--sizes", "64", "--verify", "--json"});
  EXPECT_EQ(reduce.out.find("operations"), std::string::npos);
}

// What an experiment tells of a run, of its times, and of what was counted.
TEST(LabCommand, TellsWhatFollowsFromARun) {
  const auto asked = [](const std::vector<std::string>& arguments) {
    const ProgramResult run = run_lab_program(arguments);
    EXPECT_EQ(run.code, exit_success) << run.err;
    return run.out;
  };
  const std::vector<std::string> reuse = {"reuse",   "--variant", "ballot",
                                          "--sizes", "10",        "--verify"};
  // Five squares in two rows have eleven vertices.
  EXPECT_NE(asked(reuse).find(" vertices shaded per triangle 1.10\n"), std::string::npos);

  const json timed = json::parse(asked({"latency", "--form", "chase", "--variant", "loads_2",
                                        "--sizes", "100", "--runs", "1", "--json"}))
                         .at("results")
                         .at(0);
  ASSERT_EQ(timed.at("facts").size(), 1U);
  EXPECT_EQ(timed.at("facts")[0].at("what"), "from load to load");
  EXPECT_EQ(timed.at("facts")[0].at("unit"), "ns");
  EXPECT_DOUBLE_EQ(timed.at("facts")[0].at("value"),
                   timed.at("ms").get<double>() * 1e6 / (8192 / 2));

  const ProgramResult counted =
      run_lab_program({"block_scan", "--form", "tile_64", "--sizes", "64", "--variant",
                       "blelloch_halves", "--counters", "--banks", "16"});
  if (counted.code == exit_unavailable) GTEST_SKIP() << counted.err;
  EXPECT_NE(counted.out.find("102 cycles, without conflicts 36 cycles\n"), std::string::npos)
      << counted.out;
}

// Input, reference and kernels; what comes after is answered as ever.
TEST(Laboratory, CanBeInterruptedBetweenAnyTwoPieces) {
  const auto device = open_device(Backend::cpu);
  const lab::Question question = {.primitive = Primitive::sort, .n = 1U << 14U};
  lab::Laboratory laboratory(*device);
  // One with a launch for each pass.
  const std::vector<VariantId> all = variants_of(Primitive::sort);
  const VariantId onesweep = *std::find_if(all.begin(), all.end(), [](VariantId one) {
    return std::string_view(one->name) == "onesweep";
  });
  int asked = 0;
  int in_question = 0;
  {
    const Interruptible counts([&asked] { ++asked; });
    laboratory.ask(question);
    in_question = asked;
    EXPECT_TRUE(laboratory.verify(onesweep).verified);
  }
  EXPECT_GT(in_question, 4) << "input and reference ask";
  EXPECT_GT(asked, in_question + 4) << "kernels ask";
  for (const int at : {1, in_question / 2, in_question, in_question + 1, asked}) {
    SCOPED_TRACE(at);
    int left = at;
    const auto interrupted = [&] {
      const Interruptible stops([&left] {
        if (--left == 0) throw Interrupted();
      });
      laboratory.ask(question);
      laboratory.verify(onesweep);
    };
    EXPECT_THROW(interrupted(), Interrupted);
    EXPECT_FALSE(device->launches.recording());
  }
  laboratory.ask(question);
  const lab::Answer answer = laboratory.measure(onesweep);
  EXPECT_TRUE(answer.verified) << answer.difference;
  EXPECT_GT(answer.ms, 0.0);
}

// Where no variant could run, or no input was made, nothing was verified.
TEST(LabCommand, NothingVerifiedIsAFailure) {
  const std::vector<std::vector<std::string>> nothing = {
      {"matrix", "--variant", "tensor_cores", "--sizes", "64", "--verify"},
      {"matrix", "--variant", "tensor_cores", "--sizes", "64", "--verify", "--json"},
      {"latency", "--distribution", "reversed", "--verify"}};
  for (const std::vector<std::string>& arguments : nothing) {
    const ProgramResult run = run_lab_program(arguments);
    EXPECT_EQ(run.code, exit_failure) << run.out;
    EXPECT_NE(run.err.find("nothing was verified"), std::string::npos) << run.err;
  }
  // One that runs beside it is enough.
  EXPECT_EQ(
      run_lab_program({"matrix", "--variant", "tensor_cores,tiled", "--sizes", "64", "--verify"})
          .code,
      exit_success);
}

TEST(LabCommand, TellsWhatItsFiguresComeFrom) {
  const ProgramResult run = run_lab_program({"flags", "--sizes", "64", "--verify", "--json"});
  ASSERT_EQ(run.code, exit_success) << run.err;
  const json answers = json::parse(run.out);
  const std::string built_with = answers.at("built_with");
  EXPECT_NE(built_with.find("oneTBB 20"), std::string::npos) << built_with;
  for (const char* key : {"version", "backend", "device", "driver", "date"})
    EXPECT_FALSE(answers.at(key).get<std::string>().empty()) << key;
}

// What the program prints, answers and progress in the order in which they come.
std::string printed(const std::string& arguments) {
  std::FILE* out = popen((WARPVIEW_PROGRAM " " + arguments + " 2>&1").c_str(), "r");
  EXPECT_NE(out, nullptr);
  std::string text;
  for (int c = 0; out && (c = std::fgetc(out)) != EOF;) text += static_cast<char>(c);
  EXPECT_EQ(out ? pclose(out) : 0, 0) << text;
  return text;
}

TEST(LabCommand, PrintsEachAnswerAsItComes) {
  for (const std::string format : {"", "--csv", "--json"}) {
    const std::string text = printed("lab flags --backend cpu --sizes 64 --verify " + format);
    const std::size_t last = text.find("flags sum_u32 64 packed");  // is begun
    ASSERT_NE(last, std::string::npos) << text;
    EXPECT_LT(text.rfind(format == "" ? "verified" : "uniform", last), last) << text;
  }
}

TEST(LabCommand, RunsTheVariantsThatAreNamed) {
  const ProgramResult run = run_lab_program(
      {"scan", "reduce", "--sizes", "64", "--variant", "chained,tree", "--verify", "--json"});
  ASSERT_EQ(run.code, exit_success) << run.err;
  std::vector<std::string> seen;
  const json answers = json::parse(run.out).at("results");
  for (const json& answer : answers) seen.push_back(answer.at("variant"));
  EXPECT_EQ(seen, (std::vector<std::string>{"chained", "tree"}));
  const ProgramResult wrong = run_lab_program({"scan", "--sizes", "64", "--variant", "tree"});
  EXPECT_EQ(wrong.code, exit_usage);
  EXPECT_NE(wrong.err.find("has this variant"), std::string::npos) << wrong.err;
}

TEST(LabCommand, OnlyVerifiesWhenAsked) {
  const ProgramResult run =
      run_lab_program({"sort", "--sizes", "100", "--form", "all", "--verify", "--json"});
  ASSERT_EQ(run.code, exit_success) << run.err;
  const json answers = json::parse(run.out).at("results");
  ASSERT_GE(answers.size(), 2 * variants_of(Primitive::sort).size());
  for (const json& answer : answers) {
    EXPECT_TRUE(answer.at("verified") || !answer.at("available"));
    EXPECT_FALSE(answer.contains("ms"));
  }
}

TEST(LabCommand, ShowsInLockstepWhatHangsThere) {
  const std::vector<std::string> in_lockstep = {"lock",       "--sizes",  "1024",
                                                "--lockstep", "--verify", "--json"};
  const ProgramResult all = run_lab_program(in_lockstep);
  ASSERT_EQ(all.code, exit_success) << all.err;
  for (const json& answer : json::parse(all.out).at("results"))
    EXPECT_TRUE(answer.at("verified") || !answer.at("available"));

  std::vector<std::string> by_name = in_lockstep;
  by_name.insert(by_name.end(), {"--variant", "independent"});
  const ProgramResult one = run_lab_program(by_name);
  ASSERT_EQ(one.code, exit_verify) << one.err;
  const json answers = json::parse(one.out).at("results");
  ASSERT_EQ(answers.size(), 1U);
  const std::string difference = answers.front().at("difference");
  EXPECT_NE(difference.find("never ends in lockstep"), std::string::npos) << difference;
}

TEST(LabCommand, CsvHasALineForEachAnswer) {
  const ProgramResult run =
      run_lab_program({"morton", "--sizes", "64,2^7", "--runs", "1", "--csv"});
  ASSERT_EQ(run.code, exit_success) << run.err;
  std::istringstream text(run.out);
  std::string line;
  std::getline(text, line);
  EXPECT_EQ(line.rfind("primitive,form,", 0), 0U) << line;
  std::size_t lines = 0;
  while (std::getline(text, line)) {
    EXPECT_EQ(line.rfind("morton,", 0), 0U) << line;
    ++lines;
  }
  EXPECT_EQ(lines, 2 * variants_of(Primitive::morton).size());
}

TEST(LabCommand, PlotsASweep) {
  for (const char* name : {"plot.svg", "plot.png"}) {
    const std::filesystem::path file = test_folder() / name;
    const ProgramResult run = run_lab_program({"scan", "--sizes", "2^4..2^6", "--runs", "2",
                                               "--variant", "chained,library", "--plot", file});
    ASSERT_EQ(run.code, exit_success) << run.err;
    EXPECT_NE(run.out.find("chained"), std::string::npos) << "the table, too";
    if (file.extension() == ".png") {
      EXPECT_EQ(read_png(file).width, 1800);
      continue;
    }
    const std::string svg = read_file(file);
    for (const char* word : {">Chained tiles<", ">Vendor library<", ">device copy<", ">2^5<"})
      EXPECT_NE(svg.find(word), std::string::npos) << word;
  }
}

TEST(LabCommand, PlotsBusyBlocks) {
  const std::filesystem::path file = test_folder() / "busy.svg";
  const ProgramResult run =
      run_lab_program({"schedule", "--sizes", "500", "--runs", "1", "--form", "wide", "--variant",
                       "megakernel,time_sliced", "--busy", file, "--json"});
  ASSERT_EQ(run.code, exit_success) << run.err;
  const std::string svg = read_file(file);
  for (const char* word : {">Megakernel<", ">Time slices<", ">100%<"})
    EXPECT_NE(svg.find(word), std::string::npos) << word;
  for (const json& answer : json::parse(run.out).at("results")) {
    const auto shares = answer.at("busy").at("shares").get<std::vector<double>>();
    EXPECT_EQ(shares.size(), 128U);
    EXPECT_GT(*std::max_element(shares.begin(), shares.end()), 0.0);
    EXPECT_GT(answer.at("busy").at("ms").get<double>(), 0.0);
    EXPECT_EQ(answer.at("operations"), 500);
    EXPECT_GE(answer.at("occurrences").at("launches"), 2);
  }
}

TEST(LabCommand, BusyBlocksAreOfOneSizeOfAPrimitiveThatTells) {
  const std::filesystem::path file = test_folder() / "busy.svg";
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"scan", "--sizes", "64", "--busy", file},
           {"schedule", "--busy", file},
           {"schedule", "--sizes", "64,128", "--busy", file},
           {"schedule", "--sizes", "64", "--verify", "--busy", file}}) {
    const ProgramResult run = run_lab_program(arguments);
    EXPECT_EQ(run.code, exit_usage) << run.err;
    EXPECT_NE(run.err.find("--busy"), std::string::npos) << run.err;
  }
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(LabCommand, PlotsAreOfOnePrimitiveInOneForm) {
  const std::filesystem::path file = test_folder() / "plot.svg";
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"--plot", file},
           {"scan", "reduce", "--plot", file},
           {"scan", "--form", "all", "--plot", file},
           {"scan", "--verify", "--plot", file},
           {"scan", "--plot", (test_folder() / "plot.pdf").string()}}) {
    const ProgramResult run = run_lab_program(arguments);
    EXPECT_EQ(run.code, exit_usage) << run.err;
    EXPECT_NE(run.err.find("--plot"), std::string::npos) << run.err;
  }
  EXPECT_FALSE(std::filesystem::exists(file));
  const ProgramResult run = run_lab_program(
      {"morton", "--sizes", "16", "--runs", "1", "--plot", test_folder() / "no" / "plot.svg"});
  EXPECT_EQ(run.code, exit_failure);
  EXPECT_NE(run.out.find("bits30"), std::string::npos) << "what was measured is there";
}

TEST(LabCommand, PlotsOverNoOtherOutput) {
  const std::string file = test_folder() / "plot.png";
  for (const char* other : {"--screenshot", "--report"}) {
    const ProgramResult run =
        run_lab_program({"scan", "--sizes", "16", "--plot", file, "--headless", other,
                         test_folder() / "." / "plot.png"});
    EXPECT_EQ(run.code, exit_usage) << other;
    EXPECT_NE(run.err.find("this file is also"), std::string::npos) << run.err;
    EXPECT_FALSE(std::filesystem::exists(file));
  }
  const ProgramResult run = run_program(
      {"lab", "--backend", "cpu", "scan", "--sizes", "16", "--runs", "1", "--plot", file},
      {.before = "", .out = ">" + file});
  EXPECT_EQ(run.code, exit_usage);
  EXPECT_NE(run.err.find("where the table is printed"), std::string::npos) << run.err;
}

TEST(LabCommand, RefusesADeviceWhereTheCpuAloneRuns) {
  const std::string file = test_folder() / "run.wvrec";
  const std::vector<std::vector<std::string>> all = {
      {"scan", "--sizes", "64", "--counters"},
      {"scan", "--sizes", "64", "--variant", "lookback", "--record", file},
      {"faults", "missing_barrier"}};
  for (std::vector<std::string> arguments : all) {
    arguments.insert(arguments.end(), {"--device", "3"});
    const ProgramResult run = run_lab_program(arguments);
    EXPECT_EQ(run.code, exit_usage) << run.err;
    EXPECT_NE(run.err.find("--device 3: only the cpu device"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("Leave out --device"), std::string::npos) << run.err;
  }
}

TEST(LabCommand, SaysHowFastVariantsAreBesideTheLibrary) {
  const ProgramResult run = run_lab_program({"scan", "--sizes", "4096", "--runs", "3"});
  ASSERT_EQ(run.code, exit_success) << run.err;
  EXPECT_NE(run.out.find("vs library"), std::string::npos) << run.out;
  std::istringstream text(run.out);
  std::size_t told = 0;
  for (std::string line; std::getline(text, line);)
    told += line.ends_with(")") && (line.find("x (") != std::string::npos ||
                                    line.find("no clear difference (") != std::string::npos)
                ? 1
                : 0;
  EXPECT_EQ(told, variants_of(Primitive::scan).size() - 1) << "all but the library: " << run.out;
  EXPECT_NE(run.out.find("4 096 "), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("native, not emulated\n"), std::string::npos) << run.out;
}

TEST(LabCommand, CountsWhatKernelsDo) {
  const ProgramResult run =
      run_lab_program({"scan", "--sizes", "1024", "--counters", "--banks", "16", "--json"});
  if (run.code == exit_unavailable) {
    EXPECT_NE(run.err.find("the CPU device that counts"), std::string::npos) << run.err;
    return;
  }
  ASSERT_EQ(run.code, exit_success) << run.err;
  const json answers = json::parse(run.out).at("results");
  ASSERT_EQ(answers.size(), variants_of(Primitive::scan).size());
  for (const json& answer : answers) {
    EXPECT_TRUE(answer.at("verified"));
    EXPECT_FALSE(answer.contains("ms"));
    EXPECT_EQ(answer.contains("counters"), answer.at("variant") != "library");
    if (!answer.contains("counters")) continue;
    std::uint64_t sectors = 0;
    for (const json& kernel : answer.at("counters"))
      sectors += kernel.at("global_sectors").get<std::uint64_t>();
    EXPECT_GE(sectors, 2U * 1024 * 4 / 32);  // each word is read and written
  }
}

// With several tiles, so that variants which pass sums on differ from those that need not.
TEST(LabCommand, CountsMoreThanOneTileUnasked) {
  const ProgramResult run =
      run_lab_program({"scan", "--counters", "--json", "--variant", "chained"});
  if (run.code == exit_unavailable) GTEST_SKIP() << run.err;
  ASSERT_EQ(run.code, exit_success) << run.err;
  const json answer = json::parse(run.out).at("results").at(0);
  EXPECT_EQ(answer.at("items"), 1 << 14);
  std::uint64_t most_blocks = 0;
  for (const json& kernel : answer.at("counters"))
    most_blocks = std::max(most_blocks, kernel.at("blocks").get<std::uint64_t>());
  EXPECT_GT(most_blocks, 1U);
}

TEST(LabCommand, WrongUsageIsTwo) {
  const std::vector<std::vector<std::string>> wrong = {
      {"fold"},
      {"scan", "--sizes", "many"},
      {"scan", "--sizes", "2^32"},
      {"scan", "--sizes", "2^12..2^10"},
      {"scan", "--form", "u128"},
      {"scan", "--distribution", "odd"},
      {"scan", "--json", "--csv"},
      {"scan", "--counters", "--csv"},
      {"scan", "--counters", "--banks", "8"},
      {"scan", "--counters", "--backend", "cuda"},
      {"scan", "--banks", "16"},
      {"scan", "--variant", "independent"},
  };
  for (const std::vector<std::string>& arguments : wrong) {
    const ProgramResult run = run_lab_program(arguments);
    EXPECT_EQ(run.code, exit_usage) << arguments.back();
    EXPECT_NE(run.err, "") << arguments.back();
  }
}

TEST(Laboratory, SaysWhatDoesNotFit) {
  for (const TestDevice& on : devices_for(1)) {
    lab::Laboratory laboratory(*on.device, 1);
    const std::uint32_t most = lab::most_items(Primitive::dedup, *on.device);
    EXPECT_GT(most, 0U);
    const double fit = static_cast<double>(on.device->memory_available()) /
                       lab::experiment(Primitive::dedup).memory_each;
    if (fit > 0xffffffffU) continue;
    EXPECT_THROW(laboratory.ask({.primitive = Primitive::dedup, .n = 0xffffffffU}), Error);
  }
}

TEST(CatalogueAsMarkdown, IsTheIndexOfTheDocs) {
  const std::string page = read_file("docs/primitives/README.md");
  const std::size_t by_hand = page.find("## All variants");
  ASSERT_NE(by_hand, std::string::npos);
  EXPECT_EQ(page.substr(by_hand), list_variants_as_markdown())
      << "replace this part by what warpview --list-variants --markdown prints";
  // Every primitive solves a task.
  for (int p = 0; p < primitive_count; ++p)
    EXPECT_LT(page.find(fmt::format("({}.md)", to_string(static_cast<Primitive>(p)))), by_hand)
        << to_string(static_cast<Primitive>(p));
}

TEST(CatalogueAsMarkdown, NamesPagesAndFilesThatExist) {
  for (int p = 0; p < primitive_count; ++p) {
    const std::string name = to_string(static_cast<Primitive>(p));
    EXPECT_TRUE(std::filesystem::exists("docs/primitives/" + name + ".md")) << name;
  }
  for (const VariantId variant : variants())
    EXPECT_TRUE(std::filesystem::exists(variant->file)) << variant->file;
}

}  // namespace
}  // namespace warpview::test
