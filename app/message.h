// Something to tell the user.
#pragma once

#include <string>
#include <string_view>

namespace warpview {

struct Message {
  enum class Kind { info, warning, error };
  Kind kind = Kind::info;
  std::string text;
  // The mesh that it is about, by its name, with which `text` begins. Messages about one mesh share
  // a card, and count as long as it is open. Empty: none.
  std::string about{};
};

// For a terminal: control characters, and bytes that are no UTF-8, are written as "\x1b" and "\n".
// Names of files may hold any, which would otherwise colour the terminal, or look like a line of
// their own.
std::string printable(std::string_view text);

}  // namespace warpview
