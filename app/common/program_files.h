// Files that come with the program: where it was installed, or in the tree that it was built from.
#pragma once

#include <filesystem>

namespace warpview {

// The running program's file; empty if the system does not report it.
std::filesystem::path this_program();

// The folder of sample meshes and scenes; empty if they are not installed.
std::filesystem::path assets_folder();

// The folder that has the kernel sources below gpu/; empty if they are not installed.
std::filesystem::path sources_folder();

// Finds a file by its path from the repository's root, "docs/recordings.md"; empty if it is not
// installed.
std::filesystem::path program_file(const std::filesystem::path& name);
std::filesystem::path program_file(const std::filesystem::path& program,
                                   const std::filesystem::path& name);

// Finds these folders for a program in `program`.
std::filesystem::path assets_folder(const std::filesystem::path& program);
std::filesystem::path sources_folder(const std::filesystem::path& program);

}  // namespace warpview
