// `warpview lab`: what it takes, prints and returns.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "app/lists.h"
#include "app/options.h"
#include "gpu/lab/laboratory.h"
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
      {"scan", "--sizes", "2^8..2^10", "--runs", "1", "--distribution", "few", "--json"});
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
    EXPECT_GT(answer.at("copy_share"), 0.0);
    EXPECT_GT(answer.at("of_library"), 0.0);
    seen.insert(answer.at("variant"));
    items.insert(answer.at("items").get<int>());
  }
  EXPECT_EQ(seen.size(), variants_of(Primitive::scan).size());
  EXPECT_EQ(items, (std::set<int>{256, 512, 1024}));
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

TEST(LabCommand, WrongUsageIsTwo) {
  const std::vector<std::vector<std::string>> wrong = {
      {"fold"},
      {"scan", "--sizes", "many"},
      {"scan", "--sizes", "2^29"},
      {"scan", "--sizes", "2^12..2^10"},
      {"scan", "--form", "u128"},
      {"scan", "--distribution", "odd"},
      {"scan", "--json", "--csv"},
      {"scan", "--counters", "--csv"},
      {"scan", "--counters", "--banks", "8"},
      {"scan", "--counters", "--backend", "cuda"},
      {"scan", "--banks", "16"},
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
  EXPECT_EQ(read_file("docs/primitives/README.md"), list_variants_as_markdown())
      << "run: warpview --list-variants --markdown > docs/primitives/README.md";
}

TEST(CatalogueAsMarkdown, NamesPagesAndFilesThatExist) {
  for (int p = 0; p < primitive_count; ++p) {
    const std::string name = to_string(static_cast<Primitive>(p));
    EXPECT_TRUE(std::filesystem::exists("docs/primitives/" + name + ".md")) << name;
  }
  for (const Variant& variant : variants())
    EXPECT_TRUE(std::filesystem::exists(variant.file)) << variant.file;
}

}  // namespace
}  // namespace warpview::test
