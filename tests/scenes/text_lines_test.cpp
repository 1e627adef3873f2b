#include "scenes/files/text_lines.h"

#include <istream>
#include <string>
#include <vector>

#include "tests/scenes/support.h"

namespace warpview {
namespace {

// Lets every line through, and notes it with its number.
class AllLines : public TextLines {
 public:
  explicit AllLines(const std::filesystem::path& path)
      : TextLines(InputFile(path), [this](double fraction) { fractions.push_back(fraction); }) {}

  std::vector<std::string> seen;
  std::vector<std::uint64_t> numbers;
  std::vector<double> fractions;

 private:
  bool accept(std::string_view& line) override {
    seen.emplace_back(line);
    numbers.push_back(line_number());
    return true;
  }
};

// What a parser behind the buffer reads, line by line.
std::vector<std::string> lines_read(AllLines& lines) {
  std::istream stream(&lines);
  stream.exceptions(std::ios::badbit);
  std::vector<std::string> read;
  for (std::string line; std::getline(stream, line);) read.push_back(line);
  EXPECT_EQ(read, lines.seen);
  return read;
}

std::vector<std::string> lines_of(std::string_view text) {
  const test::TempDir dir;
  AllLines lines(dir.write("text", text));
  return lines_read(lines);
}

using Strings = std::vector<std::string>;

TEST(TextLines, EveryKindOfLineEnd) {
  EXPECT_EQ(lines_of("a\nb\r\nc\rd"), (Strings{"a", "b", "c", "d"}));
  EXPECT_EQ(lines_of("a\n\n\r\n\rb\n"), (Strings{"a", "", "", "", "b"}));
  EXPECT_EQ(lines_of("a\r"), (Strings{"a"}));
  EXPECT_EQ(lines_of(""), (Strings{}));
  EXPECT_EQ(lines_of("\n"), (Strings{""}));
}

TEST(TextLines, BackslashJoinsLines) {
  EXPECT_EQ(lines_of("f 1\\\n2\\\r\n3\nv"), (Strings{"f 1  2   3", "v"}));
  EXPECT_EQ(lines_of("# C:\\\nv"), (Strings{"# C:\\", "v"}));
  EXPECT_EQ(lines_of("a\\\n"), (Strings{"a  "}));
}

TEST(TextLines, ABackslashAtTheEndOfTheFileJoinsNothing) {
  EXPECT_EQ(lines_of("v 1\\"), (Strings{"v 1 "}));
  EXPECT_EQ(lines_of("a\nb\\\nc\\"), (Strings{"a", "b  c "}));
  EXPECT_EQ(lines_of("\\"), (Strings{" "}));
  EXPECT_EQ(lines_of("# C:\\"), (Strings{"# C:\\"}));
}

TEST(TextLines, OnlyWhatStandsFirstMakesAComment) {
  EXPECT_EQ(lines_of(" \\\n\t\\\n # a\\\nb"), (Strings{"   \t   # a\\", "b"}));
  EXPECT_EQ(lines_of("v\\\n# a\\\nb"), (Strings{"v  # a  b"}));
}

TEST(TextLines, ByteOrderMarkIsSkipped) {
  EXPECT_EQ(lines_of("\xEF\xBB\xBFv 1\n\xEF"), (Strings{"v 1", "\xEF"}));
}

TEST(TextLines, LinesLongerThanABlock) {
  const std::string first(1'000'000, 'x');
  const std::string second(300'000, 'y');
  EXPECT_EQ(lines_of(first + "\r\n" + second + "\n" + first), (Strings{first, second, first}));
}

// A CRLF and a joined line whose halves lie in different blocks, at every offset around a power of
// two that a block may end at.
TEST(TextLines, LineEndsAcrossBlocks) {
  for (std::size_t size = (1U << 17U) - 4; size < (1U << 17U) + 4; ++size) {
    const std::string filler(size, 'x');
    EXPECT_EQ(lines_of(filler + "\r\nb\n"), (Strings{filler, "b"}));
    EXPECT_EQ(lines_of(filler + "\rb\n"), (Strings{filler, "b"}));
    EXPECT_EQ(lines_of(filler + "\\\r\nb\nc"), (Strings{filler + "   b", "c"}));
  }
}

// Where each line that is joined looks through all before it, this is 10^13 steps: the end is not
// reached.
TEST(TextLines, JoiningTakesTimeInProportion) {
  constexpr std::size_t joined = 4'000'000;
  std::string text;
  for (std::size_t i = 0; i < joined; ++i) text += "\\\n";
  const test::TempDir dir;
  AllLines lines(dir.write("text", text + "v\nw"));
  std::string whole(2 * joined, ' ');
  whole += 'v';
  EXPECT_EQ(lines_read(lines), (Strings{whole, "w"}));
  EXPECT_EQ(lines.numbers, (std::vector<std::uint64_t>{1, joined + 2}));
  EXPECT_GT(lines.fractions.size(), 50U);
}

TEST(TextLines, NumbersCountTheFilesLines) {
  const test::TempDir dir;
  AllLines lines(dir.write("text", "a\nb \\\nb \\\r\nb\rc\n"));
  lines_read(lines);
  EXPECT_EQ(lines.numbers, (std::vector<std::uint64_t>{1, 2, 5}));
}

TEST(TextLines, ReportsWhatFractionIsRead) {
  const test::TempDir dir;
  AllLines lines(dir.write("text", std::string(1'000'000, '\n')));
  lines_read(lines);
  EXPECT_GT(lines.fractions.size(), 4U);
  EXPECT_TRUE(std::is_sorted(lines.fractions.begin(), lines.fractions.end()));
  EXPECT_LT(lines.fractions.front(), 0.5);
  EXPECT_EQ(lines.fractions.back(), 1.0);
}

TEST(TextLines, ByteZeroIsAnErrorWithItsLine) {
  const test::TempDir dir;
  AllLines lines(dir.write("text", std::string_view("a\nb\0c\n", 6)));
  try {
    lines_read(lines);
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(test::contains(error.what(), "text:2: ")) << error.what();
  }
}

TEST(Words, AreCutAtBlanks) {
  std::string_view text = "  a\tbc  ";
  EXPECT_EQ(next_word(text), "a");
  EXPECT_EQ(next_word(text), "bc");
  EXPECT_EQ(next_word(text), "");
  EXPECT_EQ(next_word(text), "");
  EXPECT_EQ(trimmed(" \t a b\t"), "a b");
  EXPECT_EQ(trimmed(" \t "), "");
}

TEST(Numbers, AreTold) {
  for (const char* word : {"0", "-0", "+1", "1.", ".5", "-.5", "12.75", "1e3", "1E+3", "-1.5e-30",
                           "1e-99999999", "1e0000000000001", "00012"})
    EXPECT_TRUE(is_number(word)) << word;
  for (const char* word :
       {"",     "-",        ".",   "e5",  "nan",         "NaN",          "-nan", "inf",
        "-inf", "Infinity", "1e",  "1e+", "0x10",        "1,5",          "1.5f", "1.2.3",
        "--1",  "1-",       "abc", "1d5", "1e999999999", "1e-999999999", "1/2",  "\xC2\xBD"})
    EXPECT_FALSE(is_number(word)) << word;
}

}  // namespace
}  // namespace warpview
