// Output files are whole or absent: a full disk neither destroys the file that was there nor leaves
// half a new one.
#pragma once

#include <filesystem>
#include <string_view>

namespace warpview {

// Writes `bytes` under another name into the folder of `path`, flushes them to the disk and only
// then gives them the name. Follows a link, and keeps the permissions of an existing file. A path
// that is not a regular file (a terminal, a pipe, /dev/null), or is this program's own stdout or
// stderr, is written directly; a pipe without a reader is an Error, where opening would wait for
// one. When a process first writes to a folder, it removes what killed writers left behind there,
// but never a file that a living process may still be writing.
//
// Error with the system's reason if that fails; an existing file is then unchanged.
void write_whole_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace warpview
