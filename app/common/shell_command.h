// What is open, or asked of the laboratory, as a command that repeats it.
#pragma once

#include <string>
#include <vector>

namespace warpview {

// Quotes words for a POSIX shell: "warpview 'my mesh.obj' --show mesh".
std::string shell_command(const std::vector<std::string>& words);

}  // namespace warpview
