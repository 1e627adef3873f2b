// Output files are whole or absent: a full disk costs neither the file that was there nor leaves
// half a new one.
#pragma once

#include <filesystem>
#include <string_view>

namespace warpview {

// Writes `bytes` under another name into the folder of `path`, sees them onto the disk and only
// then gives them the name. A link is followed, permissions of a file that was there are kept. What
// is no regular file (a terminal, a pipe, /dev/null), or is this program's own stdout or stderr, is
// written as it stands; a pipe that no program reads is an Error, where opening would wait for one. What a writer left behind in the folder that was killed at it is removed
// when a process first writes there, but never what a living process may still be at.
//
// Error with the system's reason when that fails; a file that was there is then as it was.
void write_whole_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace warpview
