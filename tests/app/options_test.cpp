// The command line, parsed: what a picture of the laboratory shows.
#include "app/options.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/app/program.h"

namespace warpview::test {
namespace {

std::vector<const char*> with_lab(const std::vector<std::string>& more) {
  std::vector<const char*> arguments = {"warpview", "--headless", "--screenshot", "picture.png",
                                        "--panels"};
  for (const std::string& word : more) arguments.push_back(word.c_str());
  return arguments;
}

LabPicture asked(const std::vector<std::string>& more) {
  const std::vector<const char*> arguments = with_lab(more);
  int code = exit_success;
  const auto options = parse_options(static_cast<int>(arguments.size()), arguments.data(), code);
  EXPECT_TRUE(options && options->panel_lab) << more.back() << ": " << code;
  return options && options->panel_lab ? *options->panel_lab : LabPicture{};
}

// The message that a wrong command line gets.
std::string complaint(const std::vector<std::string>& more) {
  const std::vector<const char*> arguments = with_lab(more);
  int code = exit_success;
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(parse_options(static_cast<int>(arguments.size()), arguments.data(), code));
  EXPECT_EQ(code, exit_usage);
  return ::testing::internal::GetCapturedStderr();
}

TEST(Options, EveryTabOfTheLaboratoryHasAName) {
  for (const LabTaskRow& row : lab_tasks)
    EXPECT_EQ(asked({"--lab", "schedule", "--lab-tab", row.name}).tab, row.task) << row.name;
  const LabPicture usual = asked({"--lab", "scan"});
  EXPECT_EQ(usual.primitive, Primitive::scan);
  EXPECT_EQ(usual.tab, LabTask::results);
  EXPECT_EQ(usual.variant, std::nullopt);
  const LabPicture code = asked(
      {"--lab", "scan", "--lab-tab", "code", "--lab-variant", "lookback", "--lab-listing", "sass"});
  EXPECT_EQ(code.tab, LabTask::code);
  EXPECT_EQ(code.variant, find_variant(Primitive::scan, "lookback"));
  EXPECT_EQ(code.listing, Listing::sass);
}

TEST(Options, EarlierSpellingsOfTabsMeanTheSame) {
  EXPECT_EQ(asked({"--lab", "scan", "--lab-counters"}).tab, LabTask::counters);
  EXPECT_EQ(asked({"--lab-sweep", "--lab", "scan"}).tab, LabTask::sweep);
  EXPECT_EQ(asked({"--lab", "schedule", "--lab-busy"}).tab, LabTask::busy);
  const LabPicture code =
      asked({"--lab-listing", "ptx", "--lab", "scan", "--lab-code", "lookback"});
  EXPECT_EQ(code.tab, LabTask::code);
  EXPECT_EQ(code.variant, find_variant(Primitive::scan, "lookback"));
  EXPECT_EQ(code.listing, Listing::ptx);
}

TEST(Options, RefusesTabsThatExcludeEachOther) {
  using Words = std::vector<std::string>;
  for (const Words& words :
       {Words{"--lab-counters", "--lab-sweep"}, Words{"--lab-busy", "--lab-counters"},
        Words{"--lab-sweep", "--lab-tab", "sweep"}, Words{"--lab-code", "chained", "--lab-busy"},
        Words{"--lab-code", "chained", "--lab-variant", "chained"}}) {
    Words all = {"--lab", "schedule"};
    all.insert(all.end(), words.begin(), words.end());
    EXPECT_NE(complaint(all).find(" excludes "), std::string::npos) << words.front();
  }
  for (const Words& words :
       {Words{"--lab-tab", "sweep"}, Words{"--lab-counters"}, Words{"--lab-variant", "chained"}})
    EXPECT_NE(complaint(words).find(" requires --lab"), std::string::npos) << words.front();
}

TEST(Options, SaysWhichTabsThereAre) {
  const std::string unknown = complaint({"--lab", "scan", "--lab-tab", "tabs"});
  for (const LabTaskRow& row : lab_tasks)
    EXPECT_NE(unknown.find(row.name), std::string::npos) << unknown;
  // A scan does not tell when its blocks were at work.
  std::string tabs;
  for (const LabTaskRow& row : lab_tasks)
    if (row.task != LabTask::busy) tabs += (tabs.empty() ? "" : ", ") + std::string(row.name);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--lab", "scan", "--lab-tab", "busy"},
        {"--lab", "scan", "--lab-busy"}})
    EXPECT_NE(complaint(words).find("--lab-tab busy: the tabs of scan are " + tabs + "\n"),
              std::string::npos)
        << words.back();
  EXPECT_NE(complaint({"--lab", "scan", "--lab-tab", "sweep", "--lab-listing", "ptx"})
                .find("it goes with --lab-tab code"),
            std::string::npos);
  EXPECT_NE(complaint({"--lab", "scan", "--lab-tab", "code", "--lab-variant", "bubble"})
                .find("--lab-variant"),
            std::string::npos);
  EXPECT_NE(complaint({"--lab", "", "--lab-code", "chained"}).find("--lab"), std::string::npos);
}

}  // namespace
}  // namespace warpview::test
