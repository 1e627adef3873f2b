#include "app/common/shell_command.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace warpview {
namespace {

bool is_plain(char c) {
  constexpr std::string_view signs = "_-+=./:,@%^";
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         signs.find(c) != std::string_view::npos;
}

std::string quoted(const std::string& word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

}  // namespace

std::string shell_command(const std::vector<std::string>& words) {
  std::string command;
  for (const std::string& word : words) {
    if (!command.empty()) command += ' ';
    command += quoted(word);
  }
  return command;
}

}  // namespace warpview
