#include "scenes/files/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include "scenes/files/picture_decoders.h"

namespace warpview {
namespace {

constexpr std::size_t channels = 4;

bool begins_with(std::span<const std::byte> file, std::string_view magic) {
  return file.size() >= magic.size() && std::memcmp(file.data(), magic.data(), magic.size()) == 0;
}

float linear_light(double encoded) {
  return static_cast<float>(encoded <= 0.04045 ? encoded / 12.92
                                               : std::pow((encoded + 0.055) / 1.055, 2.4));
}

const std::array<float, 256>& linear_of_srgb() {
  static const auto table = [] {
    std::array<float, 256> linear{};
    for (std::size_t i = 0; i < linear.size(); ++i)
      linear[i] = linear_light(static_cast<double>(i) / 255.0);
    return linear;
  }();
  return table;
}

// The 8-bit sRGB value whose light is nearest, as seen in the encoding.
std::uint8_t srgb_of_linear(float linear) {
  static const auto ends = [] {
    std::array<float, 255> between{};  // where the encoding rounds to the next value
    for (std::size_t i = 0; i < between.size(); ++i)
      between[i] = linear_light((static_cast<double>(i) + 0.5) / 255.0);
    return between;
  }();
  return static_cast<std::uint8_t>(std::upper_bound(ends.begin(), ends.end(), linear) -
                                   ends.begin());
}

// Colours of pixels that cannot be seen count a little, so that areas of them keep one.
constexpr float least_alpha = 1.0F / (1U << 20U);

}  // namespace

Image decode_picture(std::span<const std::byte> file, std::uint64_t memory,
                     const LoadControl& control) {
  control.throw_if_cancelled();
  if (begins_with(file, "\x89PNG\r\n\x1a\n")) return decode_png(file, memory, control);
  if (begins_with(file, "\xFF\xD8\xFF")) return decode_jpeg(file, memory, control);
  if (begins_with(file, "BM")) return decode_bmp(file, memory, control);
  if (is_tga_header(file)) return decode_tga(file, memory, control);
  throw Error("it is not a PNG, JPEG, BMP or TGA file");
}

void require_sides(std::int64_t width, std::int64_t height) {
  if (width < 1 || height < 1)
    throw Error(fmt::format("{} x {} pixels are an empty picture", width, height));
  if (width > longest_picture_side || height > longest_picture_side)
    throw Error(fmt::format("{} x {} pixels are too many; the limit is {} a side", width, height,
                            longest_picture_side));
}

void require_picture_memory(std::uint64_t needed, std::uint64_t memory) {
  if (needed <= memory) return;
  constexpr double mebibyte = 1024.0 * 1024.0;
  throw Error(fmt::format("it needs {:.1f} MiB of memory, {:.1f} MiB are left",
                          static_cast<double>(needed) / mebibyte,
                          static_cast<double>(memory) / mebibyte));
}

PictureRows::PictureRows(std::int64_t width, std::int64_t height, std::uint64_t memory) {
  require_sides(width, height);
  width_ = static_cast<std::uint32_t>(width);
  height_ = static_cast<std::uint32_t>(height);
  image_.width = std::min(width_, Image::longest_side);
  image_.height = std::min(height_, Image::longest_side);
  const std::uint64_t pixels = std::uint64_t{image_.width} * image_.height;
  const std::uint64_t working = shrinks() ? 2 * sizeof(Sums) * image_.width : 0;
  bytes_needed_ = channels * pixels + working;
  require_picture_memory(bytes_needed_, memory);
  image_.rgba.reserve(channels * pixels);
  if (!shrinks()) return;
  row_.resize(image_.width);
  sums_.resize(image_.width);
}

void PictureRows::add(std::span<const Rgba> row) {
  if (row.size() != width_ || rows_ == height_) throw Error("its rows do not match its header");
  if (!shrinks()) {
    ++rows_;
    const std::size_t so_far = image_.rgba.size();
    image_.rgba.resize(so_far + row.size_bytes());
    std::memcpy(image_.rgba.data() + so_far, row.data(), row.size_bytes());
    return;
  }
  shrink_row(row);
  // In units of which a row of the file is image_.height high, and one of the result height_.
  const std::uint64_t top = std::uint64_t{rows_++} * image_.height;
  const std::uint64_t bottom = top + image_.height;
  const std::uint64_t end = (top / height_ + 1) * height_;  // of the result's row
  const std::uint64_t inside = std::min(bottom, end) - top;
  add_sums(static_cast<float>(inside) / static_cast<float>(height_));
  if (bottom < end) return;
  finish_row();
  if (bottom > end) add_sums(static_cast<float>(bottom - end) / static_cast<float>(height_));
}

void PictureRows::shrink_row(std::span<const Rgba> row) {
  const std::array<float, 256>& linear = linear_of_srgb();
  const float unit = 1.0F / static_cast<float>(width_);
  const auto add_pixel = [](Sums& sums, const Sums& pixel, float share) {
    for (std::size_t c = 0; c < channels; ++c) sums[c] += share * pixel[c];
  };
  std::fill(row_.begin(), row_.end(), Sums{});
  // As in add(): a pixel of the file is image_.width wide, one of the result width_.
  std::size_t to = 0;
  std::uint64_t end = width_;
  std::uint64_t left = 0;
  for (const auto& [r, g, b, a] : row) {
    const float alpha = static_cast<float>(a) / 255.0F + least_alpha;
    const Sums pixel = {linear[r] * alpha, linear[g] * alpha, linear[b] * alpha, alpha};
    const std::uint64_t right = left + image_.width;
    add_pixel(row_[to], pixel, static_cast<float>(std::min(right, end) - left) * unit);
    if (right >= end) {
      ++to;
      if (right > end) add_pixel(row_[to], pixel, static_cast<float>(right - end) * unit);
      end += width_;
    }
    left = right;
  }
}

void PictureRows::add_sums(float share) {
  for (std::size_t x = 0; x < row_.size(); ++x)
    for (std::size_t c = 0; c < channels; ++c) sums_[x][c] += share * row_[x][c];
}

void PictureRows::finish_row() {
  for (Sums& sums : sums_) {
    const float alpha = sums[3];
    for (std::size_t c = 0; c < 3; ++c) image_.rgba.push_back(srgb_of_linear(sums[c] / alpha));
    image_.rgba.push_back(static_cast<std::uint8_t>(
        std::lround(255.0F * std::clamp(alpha - least_alpha, 0.0F, 1.0F))));
    sums = {};
  }
}

Image PictureRows::take() {
  if (rows_ != height_) throw Error("its rows do not match its header");
  return std::move(image_);
}

}  // namespace warpview
