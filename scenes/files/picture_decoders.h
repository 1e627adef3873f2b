// What decode_picture() is made of: one function per kind of file, and what they share. Arguments
// and errors are those of decode_picture().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scenes/files/load_control.h"
#include "scenes/files/mesh.h"

namespace warpview {

Image decode_png(std::span<const std::byte> file, std::uint64_t memory, const LoadControl& control);
Image decode_jpeg(std::span<const std::byte> file, std::uint64_t memory,
                  const LoadControl& control);
Image decode_bmp(std::span<const std::byte> file, std::uint64_t memory, const LoadControl& control);
Image decode_tga(std::span<const std::byte> file, std::uint64_t memory, const LoadControl& control);

// Do these bytes begin with a TGA header?
bool is_tga_header(std::span<const std::byte> file);

using Rgba = std::array<std::uint8_t, 4>;

// Error unless both sides are in 1 ... longest_picture_side.
void require_sides(std::int64_t width, std::int64_t height);
// Error unless so many bytes may be taken.
void require_picture_memory(std::uint64_t needed, std::uint64_t memory);

// Collects the rows of a picture as they are decoded, and shrinks it on the way if a side is longer
// than Image::longest_side, so that the whole of a large picture never lies in memory. A pixel of
// the result is the mean of the area that it covers: of linear light, weighted by alpha.
class PictureRows {
 public:
  // Error when the sides make no picture or more memory is needed than may be taken.
  PictureRows(std::int64_t width, std::int64_t height, std::uint64_t memory);

  std::uint32_t width() const { return width_; }
  std::uint32_t height() const { return height_; }
  // Memory that this takes.
  std::uint64_t bytes_needed() const { return bytes_needed_; }
  // The next of `height` rows.
  void add(std::span<const Rgba> row);
  // The picture, after the last row.
  Image take();

 private:
  // Sums over an area, with the area's pixels as unit: linear colours times alpha, and alpha.
  using Sums = std::array<float, 4>;

  bool shrinks() const { return image_.width < width_ || image_.height < height_; }
  void shrink_row(std::span<const Rgba> row);
  void add_sums(float share);
  void finish_row();

  std::uint32_t width_;
  std::uint32_t height_;
  std::uint64_t bytes_needed_ = 0;
  std::uint32_t rows_ = 0;  // added so far
  Image image_;
  std::vector<Sums> row_;   // one row, shrunk in width
  std::vector<Sums> sums_;  // of the rows that the next row of the result covers
};

}  // namespace warpview
