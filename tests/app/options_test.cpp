// The command line, parsed: what a picture of the laboratory shows, and what a scene is set to.
#include "app/options.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
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

// May a window that is opened so begin with Welcome?
bool may_welcome(const std::vector<const char*>& words) {
  std::vector<const char*> arguments = {"warpview"};
  arguments.insert(arguments.end(), words.begin(), words.end());
  int code = exit_success;
  const auto options = parse_options(static_cast<int>(arguments.size()), arguments.data(), code);
  EXPECT_TRUE(options);
  return options && options->welcome;
}

TEST(Options, WelcomeOpensWhereNothingToShowIsNamed) {
  EXPECT_TRUE(may_welcome({}));
  EXPECT_TRUE(may_welcome({"--backend", "cpu", "--theme", "light"}));
  EXPECT_FALSE(may_welcome({"--no-welcome"}));
  EXPECT_FALSE(may_welcome({"particles"}));
  EXPECT_FALSE(may_welcome({"generated:sphere:500"}));
  EXPECT_FALSE(may_welcome({"run.wvrec"}));
  EXPECT_FALSE(may_welcome({"--set", "level=2"}));
  EXPECT_FALSE(may_welcome({"--show", "wire"}));
  EXPECT_FALSE(may_welcome({"--camera", "1,2,3,4,5,6"}));
  EXPECT_FALSE(may_welcome({"--watch", "sort"}));
  EXPECT_FALSE(may_welcome({"--headless", "--screenshot", "x.png"}));
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

// The controls that a command line sets, by their names; those at their initial values left out.
std::map<std::string, std::string> set_by(const std::vector<std::string>& words) {
  std::vector<const char*> arguments = {"warpview"};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  int code = exit_success;
  const auto options = parse_options(static_cast<int>(arguments.size()), arguments.data(), code);
  EXPECT_TRUE(options) << words.back() << ": " << code;
  std::map<std::string, std::string> set;
  if (!options) return set;
  const Controls controls = controls_of(options->scene);
  for (std::size_t i = 0; i < controls.size(); ++i)
    if (controls.value(i) != controls.all()[i].initial)
      set[controls.all()[i].name] = controls.text(i);
  return set;
}

TEST(Options, EarlierSettingsOfScenesMeanTheSame) {
  using Set = std::map<std::string, std::string>;
  const Set rebuilt = {{"shape", "wave"}, {"tree", "rebuild"}};
  EXPECT_EQ(set_by({"--animate", "off"}), Set{});
  EXPECT_EQ(set_by({"--animate", "refit"}), (Set{{"shape", "wave"}}));
  EXPECT_EQ(set_by({"--animate", "rebuild", "generated:knot"}), rebuilt);
  EXPECT_EQ(set_by({"mesh", "--set", "animation=rebuild"}), rebuilt);
  EXPECT_EQ(set_by({"mesh", "--set", "travels=z", "--set", "displaces=x"}),
            (Set{{"axis", "z"}, {"displaces", "x"}}));
  EXPECT_EQ(set_by({"--set", "animation=refit", "--set", "amplitude=0.2", "--set", "waves=3",
                    "--set", "speed=-1", "--level", "4"}),
            (Set{{"shape", "wave"},
                 {"amplitude", "0.2"},
                 {"waves", "3"},
                 {"speed", "-1"},
                 {"level", "4"}}));
  EXPECT_EQ(set_by({"deformation", "--set", "shape=explode", "--set", "tree=refit", "--set",
                    "strength=1", "--set", "axis=x", "--set", "growth=0.5"}),
            (Set{{"shape", "explode"},
                 {"tree", "refit"},
                 {"strength", "1"},
                 {"axis", "x"},
                 {"growth", "0.5"}}));
  // The last one counts, whichever name it has.
  EXPECT_EQ(set_by({"--set", "animation=rebuild", "--set", "tree=refit"}),
            (Set{{"shape", "wave"}}));
  EXPECT_EQ(set_by({"--set", "shape=twist", "--set", "animation=off"}), Set{});
  // And whichever option says it.
  EXPECT_EQ(set_by({"--animate", "rebuild", "--set", "tree=refit"}), (Set{{"shape", "wave"}}));
  EXPECT_EQ(set_by({"--set", "tree=refit", "--animate", "rebuild"}), rebuilt);
  EXPECT_EQ(set_by({"--level", "4", "--set", "level=5"}), (Set{{"level", "5"}}));
  EXPECT_EQ(set_by({"--set", "level=5", "--level", "4"}), (Set{{"level", "4"}}));
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

TEST(Options, TheTabFaultsTakesAFaultAndItsForm) {
  const auto fault = [](const char* words) {
    return asked({"--lab", "scan", "--lab-tab", "faults", "--lab-variant", words}).fault;
  };
  const Fault& scan = find_fault("missing_barrier");
  EXPECT_EQ(fault("missing_barrier"), &find_form(scan, "war"));
  EXPECT_EQ(fault("missing_barrier:raw"), &find_form(scan, "raw"));
  EXPECT_EQ(fault("missing_barrier:right"), &find_form(scan, "right"));
  for (const char* const wrong : {"scan", "missing_barrier:", "missing_barrier:none", ":raw"})
    EXPECT_NE(complaint({"--lab", "scan", "--lab-tab", "faults", "--lab-variant", wrong})
                  .find("Choose one of: "),
              std::string::npos)
        << wrong;
  EXPECT_NE(
      complaint({"--lab", "faults", "--lab-tab", "faults"}).find("--lab scan --lab-tab faults"),
      std::string::npos);
}

TEST(Options, NamesABlockThatIsNoneOnce) {
  const std::string words = complaint({"lab", "scan", "--record", "a.wvrec", "--blocks", "3-1"});
  const std::size_t at = words.find("3-1");
  EXPECT_NE(words.find("such as 0,3-5"), std::string::npos) << words;
  EXPECT_NE(at, std::string::npos) << words;
  EXPECT_EQ(words.find("3-1", at + 1), std::string::npos) << words;
}

TEST(Options, TheLaboratorysCommandRefusesTheViewersOptions) {
  const auto refusal = [](std::vector<const char*> words) {
    int code = exit_success;
    testing::internal::CaptureStderr();
    const bool is_taken =
        parse_options(static_cast<int>(words.size()), words.data(), code).has_value();
    EXPECT_EQ(code, is_taken ? exit_success : exit_usage) << words.back();
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_NE(refusal({"warpview", "lab", "sort", "--watch", "x"})
                .find("--watch: warpview lab does not take it"),
            std::string::npos);
  EXPECT_NE(refusal({"warpview", "--headless", "lab", "sort"}).find("--headless: "),
            std::string::npos);
  EXPECT_NE(refusal({"warpview", "knot", "lab", "sort"}).find("FILE: "), std::string::npos);
  EXPECT_EQ(refusal({"warpview", "--backend", "cpu", "lab", "sort", "--lockstep", "--seed", "3",
                     "--warp-size", "64", "--device", "0", "--delay-publish"}),
            "");
  EXPECT_EQ(refusal({"warpview", "lab", "build", "--record", "a.svg", "--mesh", "generated:knot",
                     "--step", "3", "--up", "z", "--camera", "1,2,3,0,0,0"}),
            "");
}

TEST(Options, AStepIsOfTheTabSteps) {
  const std::vector<std::string> more = {"--lab", "scan", "--lab-tab", "steps", "--step", "17"};
  const std::vector<const char*> words = with_lab(more);
  int code = exit_success;
  const auto options = parse_options(static_cast<int>(words.size()), words.data(), code);
  ASSERT_TRUE(options);
  EXPECT_EQ(options->panel_lab->tab, LabTask::steps);
  EXPECT_EQ(options->lab.step, 17U);
}

TEST(Options, TakesAStageToWatch) {
  const std::vector<std::string> more = {"--watch", "sort", "--step", "12"};
  const std::vector<const char*> words = with_lab(more);
  int code = exit_success;
  const auto options = parse_options(static_cast<int>(words.size()), words.data(), code);
  ASSERT_TRUE(options);
  EXPECT_EQ(options->watch, "sort");
  EXPECT_EQ(options->lab.step, 12U);
  EXPECT_NE(complaint({"--lab", "scan", "--watch", "sort"}).find("excludes"), std::string::npos);
  EXPECT_NE(complaint({"--watch", "sort", "a.wvrec"}).find("one recording at a time"),
            std::string::npos);
  const std::vector<const char*> without_panels = {"warpview", "--headless",   "--watch",
                                                   "sort",     "--screenshot", "a.png"};
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(parse_options(static_cast<int>(without_panels.size()), without_panels.data(), code));
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("add --panels"), std::string::npos);
}

// A step is of a recording that is drawn.
TEST(Options, RefusesAStepOfNothing) {
  const std::string remedy = "--step: it goes with --lab-tab steps, or with --record and a file";
  EXPECT_NE(complaint({"--step", "3"}).find(remedy), std::string::npos);
  EXPECT_NE(complaint({"--lab", "scan", "--step", "3"}).find(remedy), std::string::npos);
  EXPECT_NE(complaint({"lab", "scan", "--record", "scan.wvrec", "--step", "3"}).find(remedy),
            std::string::npos);
  EXPECT_NE(complaint({"--step", "-1"}).find("\"-1\": write a whole number"), std::string::npos);
}

TEST(Options, ARecordingIsNoPartOfTheScene) {
  const std::vector<std::string> more = {"generated:knot", "a.wvrec", "--step", "17"};
  const std::vector<const char*> words = with_lab(more);
  int code = exit_success;
  const auto options = parse_options(static_cast<int>(words.size()), words.data(), code);
  ASSERT_TRUE(options);
  EXPECT_EQ(options->recording, "a.wvrec");
  EXPECT_EQ(options->lab.step, 17U);
  const std::array plain = {"warpview", "--headless", "--screenshot", "picture.png",
                            "generated:knot"};
  const auto without = parse_options(static_cast<int>(plain.size()), plain.data(), code);
  ASSERT_TRUE(without);
  EXPECT_EQ(options->scene.spec(), without->scene.spec());

  EXPECT_NE(complaint({"a.wvrec", "b.wvrec"}).find("one recording at a time"), std::string::npos);
  const std::array bare = {"warpview", "--headless", "--screenshot", "picture.png", "a.wvrec"};
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(parse_options(static_cast<int>(bare.size()), bare.data(), code));
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("add --panels"), std::string::npos);
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
