// `warpview lab --record`: what one variant does, in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "app/options.h"
#include "gpu/recording/recording.h"

namespace warpview {

// Records what the options ask for, one primitive's variant in one form at one size, and writes it.
// Prints what it has become. Returns exit_verify when the result differs from its reference; the
// recording is written nevertheless. ChoiceError when more or less than one run is asked for.
int run_lab_record(const Options& options);

// Writes the recording as the file's name says: .wvrec, .json, a page (.html) or a picture (.svg)
// of one step; `step` as LabOptions::step. A page and a picture show `note` below their heading.
// Returns the size of the file. Error if it cannot be written.
std::size_t write_recording(const std::shared_ptr<const Recording>& recording,
                            const std::filesystem::path& file, std::optional<std::uint32_t> step,
                            std::string_view note = {});

}  // namespace warpview
