#include "app/common/editor.h"

#include "app/common/process.h"
#include "gpu/runtime/error.h"

namespace warpview {
namespace {

bool replace(std::string& word, std::string_view mark, const std::string& by) {
  bool found = false;
  for (std::size_t at = word.find(mark); at != std::string::npos;
       at = word.find(mark, at + by.size())) {
    word.replace(at, mark.size(), by);
    found = true;
  }
  return found;
}

}  // namespace

std::vector<std::string> words_of(std::string_view command) {
  std::vector<std::string> words;
  char quote = 0;
  bool inside = false;  // of a word
  for (const char c : command) {
    if (quote != 0 ? c == quote : c == '\'' || c == '"') {
      quote = quote != 0 ? '\0' : c;
      if (!inside) words.emplace_back();
      inside = true;
    } else if (quote == 0 && (c == ' ' || c == '\t')) {
      inside = false;
    } else {
      if (!inside) words.emplace_back();
      inside = true;
      words.back() += c;
    }
  }
  return words;
}

std::vector<std::string> editor_command(std::string_view command, const std::filesystem::path& file,
                                        int line) {
  std::vector<std::string> words = words_of(command);
  if (!words.empty()) {
    bool named = false;
    for (std::string& word : words) {
      // The line first: a file's name may contain {line}.
      replace(word, "{line}", std::to_string(line));
      named |= replace(word, "{file}", file.string());
    }
    if (!named) words.push_back(file.string());
    return words;
  }
  if (const auto code = find_program("code"); !code.empty())
    return {code.string(), "-g", file.string() + ":" + std::to_string(line)};
  if (const auto open = find_program("xdg-open"); !open.empty())
    return {open.string(), file.string()};
  throw Error("opening " + file.string(), "neither code nor xdg-open is installed",
              "Right-click the button to set an editor");
}

}  // namespace warpview
