// The words that users and readers see, held to a list: each phrase of it has a better one beside
// it. String literals of the program, the scenes and of what reports to them are searched, and
// comments of the program, the scenes, the primitives, the applications and their tests, and the
// handbook's pages and drawings.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpview {
namespace {

namespace fs = std::filesystem;

struct Phrase {
  std::string_view banned;  // in small letters, whole words
  std::string_view better;
};

constexpr Phrase in_strings[] = {
    {"launches bound it", "launch-bound"},
    {"asked in vain", "failed takes"},
    {"drawn again", "redraws"},
    {"drawn anew", "rendered again"},
    {"host waits", "host synchronisations"},
    {"handing it over", "uploading"},
    {"taking memory on the device", "allocating device memory"},
    {"making textures ready", "preparing textures"},
    {"skip what is hidden", "cull occluded"},
    {"what is hidden", "occluded"},
    {"may grow by", "growth limit"},
    {"same bits", "deterministic, bit-identical"},
    {"sort in it", "cell sort"},
    {"scan in it", "cell scan"},
    {"where to read them", "source files"},
    {"served in", "transactions"},
    {"go different ways", "diverge"},
    {"went different ways", "diverged"},
    {"gone another way", "on another branch"},
    {"take their turn", "are run"},
    {"had their turn", "were run"},
    {"begets", "dynamically generated work; spawns"},
    {"nobody", "name the actor, or the passive"},
    {"somebody", "name the actor"},
    {"whoever", "name the actor"},
    {"likewise", "say it again"},
    {"anew", "again"},
    {"as it was left", "with its last settings"},
    {"as they were left", "with their last settings"},
    {"under way", "in flight, running"},
    {"on the way to", "in flight to"},
    {"multiprocessor", "SM"},
    {"first-level cache", "L1"},
    {"copy speed", "memcpy bandwidth"},
    {"copy's speed", "memcpy bandwidth"},
    {"vs copy", "vs memcpy"},
    {"of copy", "of memcpy"},
    {"fewest bytes", "minimum bytes"},
    {"the share sets", "share = ... / ..."},
    {"the problem needs", "minimum bytes"},
    {"than the library", "vs library"},
    {"from library", "vs library"},
    {"to the chosen one", "chosen -> variant"},
    {"all that the device has", "total memory"},
    {"lines as wide beside", "line widths scale with the picture"},
    {"cleared before", "empty"},
    {"until half of it is taken", "up to a load factor of 0.5"},
    {"the words before each", "exclusive prefix sum"},
    {"as fast, before", "before -> now, and a ratio"},
    {"not here", "unavailable"},
    {"is no number", "is not a number"},
    {"is no list", "is not a list"},
    {"is no object", "is not an object"},
    {"is no text", "is not a string"},
    {"no finite number", "not a finite number"},
    {"gives no more memory", "out of memory"},
    {"gives the program no more memory", "out of memory"},
    {"cannot be had", "cannot be allocated"},
    {"cut short", "truncated"},
    {"stands in", "is used"},
    {"stand in", "are used"},
    {"mend it", "fix it"},
    {"looks nowhere", "has no direction"},
    {"what is told", "the description"},
    {"as it is set now", "with these settings"},
    {"from now on", "now"},
    {"made way", "was closed"},
    {"given up for", "cancelled by"},
    {"at work", "running, busy"},
    {"letting time pass", "advancing the animation"},
    {"1 pixels", "1 pixel"},
};

constexpr Phrase in_comments[] = {
    {"whoever", "name the actor: the caller, the thread"},
    {"nobody", "no thread, no caller, or the passive"},
    {"somebody", "name the actor"},
    {"likewise", "say it again"},
    {"begets", "spawns, dynamically generated work"},
    {"under way", "running, in flight"},
    {"in vain", "without a result"},
    {"copy's speed", "memcpy bandwidth"},
    {"multiprocessor", "SM"},
};

constexpr Phrase in_pages[] = {
    {"who", "name the actor: the thread, the block, the host"},
    {"whom", "name the actor"},
    {"whoever", "name the actor: a thread that ..."},
    {"nobody", "no thread, no block, or the passive"},
    {"somebody", "name the actor"},
    {"likewise", "say it again"},
    {"anew", "again"},
    {"beget", "spawn"},
    {"begets", "spawns, dynamically generated work"},
    {"begotten", "spawned"},
    {"under way", "running, in flight"},
};

// A comment begins with its subject, or with a verb.
constexpr std::string_view comment_beginnings[] = {"Of ", "The same ", "Likewise"};

// A string of a program as it is printed, or a comment; those that follow each other are one.
struct Text {
  std::string words;
  int line = 1;
};
struct Texts {
  std::vector<Text> strings;
  std::vector<Text> comments;
};

// Of a source of C++. Directives give no strings.
class SourceReader {
 public:
  explicit SourceReader(std::string_view source) : rest_(source) {}

  Texts read() {
    while (!rest_.empty()) {
      if (rest_.starts_with("//"))
        add(comment_, texts_.comments, up_to("\n", 2));
      else if (rest_.starts_with("/*"))
        add(comment_, texts_.comments, up_to("*/", 2));
      else if (is_at_line_start_ && rest_.starts_with("#include"))
        up_to("\n", 0);
      else if (rest_.starts_with("R\"("))
        add(string_, texts_.strings, up_to(")\"", 3));
      else if (rest_[0] == '"')
        add(string_, texts_.strings, quoted('"'));
      else if (rest_[0] == '\'' && !is_in_number_)
        quoted('\'');
      else
        other();
    }
    return std::move(texts_);
  }

 private:
  // Adds to the last text, where nothing but space lies between.
  void add(bool& goes_on, std::vector<Text>& to, const std::string& words) {
    if (!goes_on) to.push_back({.words = {}, .line = begin_});
    // Lines of a comment are apart; parts of a string are not.
    if (goes_on && &to == &texts_.comments) to.back().words += ' ';
    to.back().words += words;
    string_ = &to == &texts_.strings;
    comment_ = &to == &texts_.comments;
    is_in_number_ = false;
  }
  // What lies before `end`, behind `skipped` characters. The end itself is taken, too.
  std::string up_to(std::string_view end, std::size_t skipped) {
    begin_ = line_;
    const std::size_t at = std::min(rest_.find(end, skipped), rest_.size());
    std::string words(rest_.substr(std::min(skipped, at), at - std::min(skipped, at)));
    take(std::min(at + end.size(), rest_.size()));
    is_at_line_start_ = end == "\n";
    return words;
  }
  std::string quoted(char quote) {
    begin_ = line_;
    take(1);
    std::string words;
    while (!rest_.empty() && rest_[0] != quote && rest_[0] != '\n') {
      const bool is_escaped = rest_[0] == '\\' && rest_.size() > 1;
      if (is_escaped)
        words += rest_[1] == 'n' ? ' ' : rest_[1];
      else
        words += rest_[0];
      take(is_escaped ? 2 : 1);
    }
    take(std::min<std::size_t>(1, rest_.size()));
    return words;
  }
  void other() {
    const auto c = static_cast<unsigned char>(rest_[0]);
    if (std::isspace(c) == 0) string_ = comment_ = is_at_line_start_ = false;
    if (c == '\n') is_at_line_start_ = true;
    is_in_number_ = std::isalnum(c) != 0;  // 1'000'000
    take(1);
  }
  void take(std::size_t count) {
    line_ +=
        static_cast<int>(std::count(rest_.begin(), rest_.begin() + std::ptrdiff_t(count), '\n'));
    rest_.remove_prefix(count);
  }

  std::string_view rest_;
  Texts texts_;
  int line_ = 1;
  int begin_ = 1;        // the line of the text that is read
  bool string_ = false;  // nothing but space has followed the last one
  bool comment_ = false;
  bool is_at_line_start_ = true;
  bool is_in_number_ = false;
};

// In small letters, a single space between words and at both ends, without punctuation. A name such
// as under_way is one word.
std::string plain(std::string_view text) {
  std::string words = " ";
  for (const char c : text) {
    const auto letter = static_cast<unsigned char>(c);
    const bool is_kept =
        std::isalnum(letter) != 0 || letter >= 0x80 || c == '\'' || c == '-' || c == '_';
    if (is_kept)
      words += static_cast<char>(std::tolower(letter));
    else if (words.back() != ' ')
      words += ' ';
  }
  if (words.back() != ' ') words += ' ';
  return words;
}

// A line for each phrase of the list that a text holds.
std::string complaints(std::string_view file, std::span<const Text> texts,
                       std::span<const Phrase> list) {
  std::string lines;
  for (const Text& text : texts) {
    const std::string words = plain(text.words);
    for (const Phrase& phrase : list)
      if (words.find(plain(phrase.banned)) != std::string::npos)
        lines += fmt::format("{}:{}: not \"{}\", but: {}\n", file, text.line, phrase.banned,
                             phrase.better);
  }
  return lines;
}

std::string complaints_of_beginnings(std::string_view file, std::span<const Text> comments) {
  std::string lines;
  for (const Text& comment : comments) {
    const std::string_view words =
        std::string_view(comment.words).substr(std::min<std::size_t>(1, comment.words.size()));
    for (const std::string_view beginning : comment_beginnings)
      if (words.starts_with(beginning))
        lines +=
            fmt::format("{}:{}: a comment begins with \"{}\"\n", file, comment.line, beginning);
  }
  return lines;
}

// Sources below a folder of the repository, in which the tests run.
std::vector<fs::path> sources(const std::vector<std::string>& folders) {
  constexpr std::string_view endings[] = {".cpp", ".h", ".cu", ".def"};
  std::vector<fs::path> files;
  for (const std::string& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (std::ranges::find(endings, entry.path().extension().string()) != std::end(endings))
        files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

Texts texts_of(const fs::path& file) {
  std::ifstream in(file);
  const std::string source{std::istreambuf_iterator<char>(in), {}};
  EXPECT_FALSE(source.empty()) << file;
  return SourceReader(source).read();
}

TEST(Wording, StringsUseTheTermsOfTheField) {
  std::string found;
  std::size_t strings = 0;
  for (const fs::path& file :
       sources({"app", "scenes", "gpu/runtime", "gpu/simt", "gpu/lab", "gpu/primitives"})) {
    const Texts texts = texts_of(file);
    strings += texts.strings.size();
    found += complaints(file.string(), texts.strings, in_strings);
  }
  EXPECT_EQ(found, "");
  EXPECT_GT(strings, 2000U) << "most sources were not found";
}

TEST(Wording, CommentsUseTheTermsOfTheField) {
  std::string found;
  std::size_t comments = 0;
  for (const fs::path& file : sources({"app", "scenes", "gpu/primitives", "gpu/applications",
                                       "tests/catalogue", "tests/primitives"})) {
    const Texts texts = texts_of(file);
    comments += texts.comments.size();
    found += complaints(file.string(), texts.comments, in_comments);
    found += complaints_of_beginnings(file.string(), texts.comments);
  }
  EXPECT_EQ(found, "");
  EXPECT_GT(comments, 1000U) << "most sources were not found";
}

TEST(Wording, PagesUseTheTermsOfTheField) {
  std::string found;
  int pages = 0;
  for (const auto& entry : fs::directory_iterator("docs/primitives")) {
    std::ifstream in(entry.path());
    Text text{.words = {}, .line = 0};
    for (; std::getline(in, text.words);
         found += complaints(entry.path().string(), {&text, 1}, in_pages))
      ++text.line;
    if (text.line > 0) ++pages;
  }
  EXPECT_EQ(found, "");
  EXPECT_GT(pages, 60) << "most pages were not found";
}

TEST(Wording, PlantedPhrasesAreFound) {
  constexpr std::string_view source =
      "#include \"asked in vain.h\"\n"
      "// Asked in\n"
      "// vain: nobody has it.\n"
      "const char c = '\"', d = '\\'';  const int n = 1'000;\n"
      "fact(\"Asked in vain\");\n"
      "tooltip(\"How often a block \\\"asked\\\" in \"\n"
      "        \"vain.\\nHost\\nwaits, 1 pixels\");\n"
      "text(R\"(handing it over)\");\n"
      "fact(\"asked\", \"in vain\", \"asked_in_vain\");\n"
      "fact(\"masked in vain\", \"asked in vainer\"); /* whoever */\n";
  const Texts texts = SourceReader(source).read();
  EXPECT_EQ(complaints("f", texts.strings, in_strings),
            "f:5: not \"asked in vain\", but: failed takes\n"
            "f:6: not \"asked in vain\", but: failed takes\n"
            "f:6: not \"host waits\", but: host synchronisations\n"
            "f:6: not \"1 pixels\", but: 1 pixel\n"
            "f:8: not \"handing it over\", but: uploading\n");
  EXPECT_EQ(complaints("f", texts.comments, in_comments),
            "f:2: not \"nobody\", but: no thread, no caller, or the passive\n"
            "f:2: not \"in vain\", but: without a result\n"
            "f:10: not \"whoever\", but: name the actor: the caller, the thread\n");
}

TEST(Wording, BeginningsOfCommentsAreFound) {
  const Texts texts = SourceReader(
                          "// Of all files.\n"
                          "// The same again.\n"
                          "int a;  // The same of it.\n"
                          "int b;  // of all files\n"
                          "// Often.\n")
                          .read();
  EXPECT_EQ(complaints_of_beginnings("f", texts.comments),
            "f:1: a comment begins with \"Of \"\n"
            "f:3: a comment begins with \"The same \"\n");
}

TEST(Wording, EachPhraseOfTheListsCanBeFound) {
  for (const std::span<const Phrase> list :
       {std::span<const Phrase>(in_strings), {in_comments}, {in_pages}})
    for (const Phrase& phrase : list) {
      const Text text{.words = fmt::format("Before, {}; after.", phrase.banned)};
      EXPECT_NE(complaints("f", {&text, 1}, {&phrase, 1}), "") << phrase.banned;
      EXPECT_NE(phrase.better, "") << phrase.banned;
    }
}

}  // namespace
}  // namespace warpview
