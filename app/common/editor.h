// The user's editor for source files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpview {

// The words of a command, parted at blanks; quotes keep blanks, as in 'my editor' or "my editor".
std::vector<std::string> words_of(std::string_view command);

// What opens a file at a line (from 1). In `command`, {file} and {line} stand for them; a command
// without {file} gets it as its last word. Where `command` is empty: code, if that is installed,
// else xdg-open, which knows no lines. Error where there is none of them.
std::vector<std::string> editor_command(std::string_view command, const std::filesystem::path& file,
                                        int line);

}  // namespace warpview
