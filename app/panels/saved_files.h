// Names for files that the window writes.
#pragma once

#include <filesystem>
#include <string>

namespace warpview {

// Where the desktop keeps pictures, else the current folder.
std::filesystem::path pictures_folder();

// "warpview-003.png" there: the first that is not there yet.
std::string free_screenshot();

// "stem.svg", or "stem-2.svg", "stem-3.svg" and so on where that is there already.
std::string free_file(const std::string& stem, const std::string& extension);

}  // namespace warpview
