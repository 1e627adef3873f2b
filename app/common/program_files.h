// Files that come with the program: where it was installed, or in the tree that it was built from.
#pragma once

#include <filesystem>

namespace warpview {

// The file of the program that runs; empty where the system does not say it.
std::filesystem::path this_program();

// The folder of the meshes and scenes to try; empty where they did not come along.
std::filesystem::path assets_folder();

// The folder that has the kernel sources below gpu/; empty where they did not come along.
std::filesystem::path sources_folder();

// A file by its path from the repository's root, "docs/recordings.md"; empty where it did not come
// along.
std::filesystem::path program_file(const std::filesystem::path& name);
std::filesystem::path program_file(const std::filesystem::path& program,
                                   const std::filesystem::path& name);

// These folders for a program in `program`.
std::filesystem::path assets_folder(const std::filesystem::path& program);
std::filesystem::path sources_folder(const std::filesystem::path& program);

}  // namespace warpview
