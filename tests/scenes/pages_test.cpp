// The pages of the scenes, held to the scenes. Run from the root of the project.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "tests/scenes/meshes.h"
#include "tests/scenes/scene_test.h"

namespace warpview::test {
namespace {

std::string page(const std::string& name) {
  std::ifstream file("docs/" + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class ScenePages : public testing::TestWithParam<const SceneKind*> {
 protected:
  const SceneKind& kind() const { return *GetParam(); }
  std::string text() const { return page(fmt::format("scenes/{}.md", kind().name)); }
  // The table's row of a control, without its spaces; empty: there is none.
  std::string row_of(const char* control) const {
    std::istringstream lines(text());
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with(fmt::format("| `{}` |", control))) continue;
      std::erase(line, ' ');
      return line;
    }
    return {};
  }
  std::unique_ptr<Scene> scene() const {
    return make_scene(kind(), *devices_for(1).front().device, sphere(2), Controls(kind().controls));
  }
};

TEST_P(ScenePages, AreListed) {
  EXPECT_TRUE(has(page("scenes/README.md"), fmt::format("| [{0}]({0}.md) |", kind().name)));
  EXPECT_TRUE(has(page("scenes/README.md"), fmt::format("| {} |\n", kind().invitation)));
}

// One row per control, with the values that it takes and the one that it begins with.
TEST_P(ScenePages, SayWhatCanBeSet) {
  for (const Control& control : kind().controls) {
    const std::string row = row_of(control.name);
    ASSERT_NE(row, "") << control.name;
    const auto name = [](std::string_view value) { return fmt::format("`{}`", value); };
    std::string initial = fmt::format("|{}|", control.initial);
    if (control.kind == Control::Kind::number) {
      EXPECT_TRUE(has(row, fmt::format("|{}to{}", control.least, control.most))) << row;
    } else {
      initial = fmt::format("|{}|", name(value_in_words(control, control.initial)));
      for (const char* choice : control.choices) EXPECT_TRUE(has(row, name(choice))) << choice;
    }
    EXPECT_TRUE(has(row, initial)) << row;
  }
}

TEST_P(ScenePages, NameOutputsAndStages) {
  const std::string page = text();
  const std::unique_ptr<Scene> made = scene();
  for (const Output& output : made->outputs())
    EXPECT_TRUE(has(page, fmt::format("| {} | `{}` |", output.key, output.name))) << output.name;
  for (const StageResult& stage : made->timeline().stage_results())
    EXPECT_TRUE(has(page, fmt::format("`{}`", stage.name))) << stage.name;
}

TEST_P(ScenePages, FactsAreInThePageOfTheReport) {
  const std::string report = page("report.md");
  const std::unique_ptr<Scene> made = scene();
  for (const Fact& fact : made->facts())
    EXPECT_TRUE(has(report, fmt::format("`{}`", fact.name))) << fact.name;
}

std::vector<const SceneKind*> all_kinds() {
  std::vector<const SceneKind*> kinds;
  for (const SceneKind& kind : scene_kinds()) kinds.push_back(&kind);
  return kinds;
}
INSTANTIATE_TEST_SUITE_P(All, ScenePages, testing::ValuesIn(all_kinds()),
                         [](const auto& test) { return std::string(test.param->name); });

}  // namespace
}  // namespace warpview::test
