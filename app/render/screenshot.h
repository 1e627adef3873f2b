// Pictures on the host: PNG files and how much two pictures differ.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace warpview {

// 8-bit RGBA, sRGB-encoded, the top row first, without padding.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgba;  // [4 * width * height]
};

// Error names the file when it cannot be written or read; write_whole_file() writes it.
void write_png(const std::filesystem::path& file, const Picture& image);
Picture read_png(const std::filesystem::path& file);

// Divides premultiplied colours by their alpha, as PNG has it: over
// any background it looks as the first would. What is covered by nothing is black.
Picture unmultiplied(Picture image);

// Fraction of the pixels, 0 to 1, in which some colour channel differs by more than `threshold`
// of 255. Error when the sizes differ.
double compare_images(const Picture& a, const Picture& b, int threshold = 16);

}  // namespace warpview
