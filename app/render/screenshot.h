// Pictures on the host: PNG files and how much two pictures differ.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
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

// How two pictures of one size differ.
struct PictureDifference {
  double share = 0.0;  // of the pixels, 0 to 1: red, green or blue differs
  int largest = 0;     // of one of these, 0 to 255

  bool operator==(const PictureDifference&) const = default;
};

// "3.20 % of the pixels differ, by 57 of 255 at most".
std::string difference_in_words(const PictureDifference& difference);

// Pictures of one height, from left to right.
Picture side_by_side(const std::vector<Picture>& pictures);

// Fraction of the pixels, 0 to 1, in which some colour channel differs by more than `threshold`
// of 255. Error when the sizes differ.
double compare_images(const Picture& a, const Picture& b, int threshold = 16);

}  // namespace warpview
