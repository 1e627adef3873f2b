// The user's editor for source files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpview {

// Splits a command into words at blanks; quotes keep blanks, as in 'my editor' or "my editor".
std::vector<std::string> words_of(std::string_view command);

// Returns the words that open a file at a line (from 1). `command` may contain {file} and {line};
// without {file} the file is appended. If `command` is empty, `code` is used if installed, else
// xdg-open, which ignores the line. Error if neither is installed.
std::vector<std::string> editor_command(std::string_view command, const std::filesystem::path& file,
                                        int line);

}  // namespace warpview
