// A recording as a file (.wvrec), and as JSON. docs/recordings.md describes both.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/recording/recording.h"

namespace warpview {

std::vector<std::uint8_t> packed(const Recording& recording);

// The recording that the bytes of a file are. Error, with `name` for the file, where they are not
// one, are of another version, damaged, or cut off: every index of what is returned is valid, and
// every access lies within its array.
Recording unpacked(std::span<const std::uint8_t> bytes, const std::string& name);

// Reads what such a file contains, inflated, of either version. Error as above.
Recording parsed(std::span<const std::uint8_t> contents, const std::string& name);

// The same for a file. Error if it cannot be read, or is too large to be one.
Recording read_recording(const std::filesystem::path& file);

// Is it a recording by the end of its name, .wvrec?
bool is_recording_file(std::string_view name);

std::string recording_as_json(const Recording& recording);

}  // namespace warpview
