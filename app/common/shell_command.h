// What is open, or asked of the laboratory, as the command that does the same again.
#pragma once

#include <string>
#include <vector>

namespace warpview {

// Words as a POSIX shell takes them: "warpview 'my mesh.obj' --show mesh".
std::string shell_command(const std::vector<std::string>& words);

}  // namespace warpview
