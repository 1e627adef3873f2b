#include "app/panels/code_diff.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpview {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// By the first line of each text: the most lines that both have in common from there on.
class CommonLines {
 public:
  CommonLines(const std::vector<std::string>& before, const std::vector<std::string_view>& after)
      : columns_(after.size() + 1), counts_((before.size() + 1) * columns_) {
    for (std::size_t i = before.size(); i-- > 0;)
      for (std::size_t j = after.size(); j-- > 0;)
        at(i, j) =
            before[i] == after[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  }
  std::uint32_t operator()(std::size_t i, std::size_t j) const { return counts_[i * columns_ + j]; }

 private:
  std::uint32_t& at(std::size_t i, std::size_t j) { return counts_[i * columns_ + j]; }

  std::size_t columns_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace

Code difference(std::string_view before, std::string_view after,
                const std::function<std::string(std::string_view)>& key) {
  struct Line {
    Code::Mark mark;
    std::size_t number;
  };
  const std::vector<std::string_view> old_lines = lines_of(before);
  const std::vector<std::string_view> new_lines = lines_of(after);
  std::vector<std::string> keys;
  keys.reserve(old_lines.size());
  for (const std::string_view line : old_lines) keys.push_back(key(line));
  const CommonLines common(keys, new_lines);
  std::string text;
  std::vector<Line> lines;
  const auto add = [&](std::string_view line, Code::Mark mark, std::size_t index) {
    text.append(line).push_back('\n');
    lines.push_back({mark, index + 1});
  };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < old_lines.size() || j < new_lines.size()) {
    const bool both = i < old_lines.size() && j < new_lines.size();
    if (both && keys[i] == new_lines[j]) {
      add(new_lines[j], Code::Mark::none, j);
      ++i;
      ++j;
    } else if (j == new_lines.size() || (both && common(i + 1, j) >= common(i, j + 1))) {
      add(old_lines[i], Code::Mark::removed, i);
      ++i;
    } else {
      add(new_lines[j], Code::Mark::added, j);
      ++j;
    }
  }
  Code code = tinted(text, Language::kernel);
  for (std::size_t line = 0; line < lines.size(); ++line) {
    code.lines[line].mark = lines[line].mark;
    code.lines[line].number = static_cast<std::uint32_t>(lines[line].number);
  }
  return code;
}

}  // namespace warpview
