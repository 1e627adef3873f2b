// A|B of the command line.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "app/options.h"
#include "app/render/screenshot.h"
#include "tests/app/program.h"

namespace warpview::test {
namespace {

ProgramResult compared(const std::vector<std::string>& more) {
  std::vector<std::string> words = {"--headless", "--backend", "cpu",
                                    "--software", "--size",    "80x60"};
  words.insert(words.end(), more.begin(), more.end());
  return run_program(words);
}

// So many columns of a picture.
Picture columns(const Picture& of, int begin, int end) {
  Picture part{end - begin, of.height, {}};
  for (int row = 0; row < of.height; ++row)
    part.rgba.insert(part.rgba.end(), of.rgba.begin() + 4 * (row * of.width + begin),
                     of.rgba.begin() + 4 * (row * of.width + end));
  return part;
}

TEST(AbCommand, ASheetHasBothAndTheirDifference) {
  const std::string sheet = test_folder() / "sheet.png";
  const std::string a = test_folder() / "a.png";
  const std::string b = test_folder() / "b.png";
  const std::vector<std::string> scene = {"generated:sphere:2000", "--set", "level=5"};
  const auto with = [&scene](std::vector<std::string> words) {
    words.insert(words.end(), scene.begin(), scene.end());
    return words;
  };
  ASSERT_EQ(compared(with({"--show", "boxes", "--screenshot", b})).code, exit_success);
  ASSERT_EQ(compared(with({"--set", "level=2", "--no-shadows", "--screenshot", a})).code,
            exit_success);
  const ProgramResult result =
      compared(with({"--show", "boxes", "--compare-to", "show=mesh,shadows=off", "--amplify", "2",
                     "--screenshot", sheet}));
  ASSERT_EQ(result.code, exit_success) << result.err;
  EXPECT_TRUE(result.out.starts_with("A|B: ")) << result.out;
  EXPECT_NE(result.out.find(" % of the pixels differ, by "), std::string::npos) << result.out;
  const Picture all = read_png(sheet);
  ASSERT_EQ(all.width, 240);
  ASSERT_EQ(all.height, 60);
  expect_alike(columns(all, 0, 80), read_png(a));
  expect_alike(columns(all, 80, 160), read_png(b));
  const Picture difference = columns(all, 160, 240);
  for (std::size_t i = 0; i < difference.rgba.size(); ++i)
    if (i % 4 != 3) {
      ASSERT_EQ(
          difference.rgba[i],
          std::min(2 * std::abs(columns(all, 0, 80).rgba[i] - columns(all, 80, 160).rgba[i]), 255));
    }
}

TEST(AbCommand, TheDividerPartsThem) {
  const auto picture = [](const std::string& view) {
    const std::string file = test_folder() / (view + ".png");
    EXPECT_EQ(compared({"generated:sphere:2000", "--show", "boxes", "--set", "level=5",
                        "--compare-to", "level=2", "--compare-view", view, "--screenshot", file})
                  .code,
              exit_success);
    return read_png(file);
  };
  const Picture sheet = picture("sheet");
  const Picture divided = picture("divider");
  EXPECT_EQ(columns(divided, 0, 40).rgba, columns(sheet, 0, 40).rgba);
  EXPECT_EQ(columns(divided, 40, 80).rgba, columns(sheet, 120, 160).rgba);
  EXPECT_EQ(picture("a").rgba, columns(sheet, 0, 80).rgba);
  EXPECT_EQ(picture("difference").rgba, columns(sheet, 160, 240).rgba);
}

// Of one moment, also of what moves, and in another size.
TEST(AbCommand, EqualSettingsDoNotDiffer) {
  for (const std::vector<std::string>& scene :
       {std::vector<std::string>{"generated:sphere:2000", "--compare-to", "level=0"},
        {"particles:1000", "generated:sphere:20", "--frames", "5", "--compare-to", "count=1000"},
        {"reyes", "--compare-to", "samples=2"}}) {
    const ProgramResult result = compared(scene);
    EXPECT_EQ(result.code, exit_success) << result.err;
    EXPECT_EQ(result.out, "A|B: No pixel differs\n") << scene.front();
  }
  const ProgramResult sizes =
      compared({"particles:1000", "generated:sphere:20", "--compare-to", "count=3000"});
  EXPECT_NE(sizes.out.find("differ, by"), std::string::npos) << sizes.out << sizes.err;
  const ProgramResult reyes = compared({"reyes", "--compare-to", "colour_by=patches"});
  EXPECT_NE(reyes.out.find("differ, by"), std::string::npos) << reyes.out << reyes.err;
}

TEST(AbCommand, WrongUsageIsExplained) {
  const auto refused = [](const std::vector<std::string>& words, const std::string& why) {
    const ProgramResult result = compared(words);
    EXPECT_EQ(result.code, exit_usage) << words.back();
    EXPECT_NE(result.err.find(why), std::string::npos) << result.err;
  };
  refused({"--compare-to", "level"}, "there is no '=' in it");
  refused({"--compare-to", "levle=2"}, "level");
  refused({"--compare-to", "shadows=maybe"}, "neither on nor off");
  refused({"--compare-view", "a", "--screenshot", "x.png"}, "--compare-to");
  refused({"--compare-to", "level=2", "--amplify", "65"}, "--amplify");
  refused({"--compare-to", "level=2", "--panels", "--compare-view", "sheet"}, "without panels");
}

}  // namespace
}  // namespace warpview::test
