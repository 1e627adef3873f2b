// Picture files, which may come from anywhere: PNG, JPEG, BMP and TGA into pixels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "scenes/files/load_control.h"
#include "scenes/files/mesh.h"

namespace warpview {

constexpr std::uint32_t longest_picture_side = 16384;  // pixels; a longer one is refused
// Room for four bytes per pixel at the largest size. A larger file is not worth reading.
constexpr std::uint64_t largest_picture_file = std::uint64_t{5} << 28U;

// Decodes what its first bytes say it is; a TGA file, which has no such bytes, what its header says
// if all of that makes sense. Sides longer than Image::longest_side are shrunk to it, each for
// itself. The result has no file name.
//
// `memory` is how many bytes may be taken beside those of `file`.
//
// Error with the reason alone, "13 x 0 pixels make no picture": the file is of none of the four
// kinds, is broken or cut short, is of a variety that is left out (BMP: compressed; JPEG: lossless
// or of 12 bits), or goes beyond a limit. LoadCancelled after control.cancel(), which is looked at
// between rows.
Image decode_picture(std::span<const std::byte> file, std::uint64_t memory,
                     const LoadControl& control);

}  // namespace warpview
