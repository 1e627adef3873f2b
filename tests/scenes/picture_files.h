// Picture files, made byte by byte.
#pragma once

#include <cstdio>
// jpeglib.h needs the one above.
#include <jpeglib.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace warpview::test {

using Pixels = std::vector<std::uint8_t>;

inline std::string little_endian(std::uint64_t number, int bytes) {
  std::string text;
  for (; bytes > 0; --bytes, number >>= 8) text += static_cast<char>(number & 0xffU);
  return text;
}
inline std::string big_endian(std::uint64_t number, int bytes) {
  std::string text = little_endian(number, bytes);
  std::reverse(text.begin(), text.end());
  return text;
}
// A string of bytes that may be 0.
template <std::size_t n>
std::string bytes(const char (&text)[n]) {
  return {text, n - 1};
}

struct Tga {
  int kind = 2;
  int bits = 24;
  int descriptor = 0x20;  // the first row on top
  std::string name = {};
  int first_of_map = 0, map_colours = 0, map_bits = 0;

  std::string file(std::uint64_t width, std::uint64_t height, const std::string& rest) const {
    return little_endian(name.size(), 1) + little_endian(map_colours > 0 ? 1 : 0, 1) +
           little_endian(static_cast<unsigned>(kind), 1) +
           little_endian(static_cast<unsigned>(first_of_map), 2) +
           little_endian(static_cast<unsigned>(map_colours), 2) +
           little_endian(static_cast<unsigned>(map_bits), 1) + little_endian(0, 4) +
           little_endian(width, 2) + little_endian(height, 2) +
           little_endian(static_cast<unsigned>(bits), 1) +
           little_endian(static_cast<unsigned>(descriptor), 1) + name + rest;
  }
};

struct Bmp {
  unsigned bits = 24;
  std::uint32_t compression = 0;
  std::string behind_header = {};  // masks or a palette
  std::uint32_t colours = 0;
  unsigned header_bytes = 40;  // of the second header; more are filled from `behind_header`

  std::string file(std::int64_t width, std::int64_t height, const std::string& pixels) const {
    const auto w = static_cast<std::uint64_t>(width);
    const auto h = static_cast<std::uint64_t>(height);
    std::string header = little_endian(header_bytes, 4);
    if (header_bytes == 12)
      header +=
          little_endian(w, 2) + little_endian(h, 2) + little_endian(1, 2) + little_endian(bits, 2);
    else
      header += little_endian(w, 4) + little_endian(h, 4) + little_endian(1, 2) +
                little_endian(bits, 2) + little_endian(compression, 4) + little_endian(0, 12) +
                little_endian(colours, 4) + little_endian(0, 4);
    header += behind_header;
    return "BM" + little_endian(0, 8) + little_endian(14 + header.size(), 4) + header + pixels;
  }
};

inline std::string png_chunk(const std::string& type, const std::string& data) {
  const std::string both = type + data;
  const auto check =
      crc32(0, reinterpret_cast<const Bytef*>(both.data()), static_cast<uInt>(both.size()));
  return big_endian(data.size(), 4) + both + big_endian(check, 4);
}

inline std::string deflated(const std::string& data) {
  uLongf size = compressBound(data.size());
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size,
           reinterpret_cast<const Bytef*>(data.data()), data.size());
  packed.resize(size);
  return packed;
}

struct Png {
  unsigned bits = 8;
  unsigned colour = 2;      // 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA
  std::string before = {};  // chunks between the header and the pixels
  unsigned interlaced = 0;

  // `rows` as they are filtered, each after its filter's number.
  std::string file(std::uint64_t width, std::uint64_t height, const std::string& rows) const {
    return packed_file(width, height, deflated(rows));
  }
  std::string packed_file(std::uint64_t width, std::uint64_t height,
                          const std::string& packed) const {
    return "\x89PNG\r\n\x1a\n" +
           png_chunk("IHDR", big_endian(width, 4) + big_endian(height, 4) + big_endian(bits, 1) +
                                 big_endian(colour, 1) + big_endian(0, 2) +
                                 big_endian(interlaced, 1)) +
           before + png_chunk("IDAT", packed) + png_chunk("IEND", "");
  }
};

// Of a grey picture: each coefficient in a scan of its own, 64 in all, or but for the first in two.
inline std::vector<jpeg_scan_info> scans_of_coefficients(bool refined) {
  std::vector<jpeg_scan_info> scans = {{1, {0}, 0, 0, 0, 0}};
  for (int i = 1; i < 64; ++i) scans.push_back({1, {0}, i, i, 0, 1});
  for (int i = 1; i < 64 && refined; ++i) scans.push_back({1, {0}, i, i, 1, 0});
  return scans;
}

struct Jpeg {
  J_COLOR_SPACE colours = JCS_RGB;
  bool progressive = false;
  bool adobe = true;  // of CMYK, say that Adobe's programs wrote it
  std::vector<jpeg_scan_info> scans = {};

  // Every row the same.
  std::string file(unsigned width, unsigned height, const Pixels& row) const {
    jpeg_compress_struct info{};
    jpeg_error_mgr errors{};
    info.err = jpeg_std_error(&errors);  // ends the test program
    jpeg_create_compress(&info);
    unsigned char* out = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&info, &out, &size);
    info.image_width = width;
    info.image_height = height;
    info.in_color_space = colours;
    info.input_components = static_cast<int>(row.size() / width);
    jpeg_set_defaults(&info);
    constexpr int best = 100;
    jpeg_set_quality(&info, best, TRUE);
    if (colours == JCS_CMYK && !adobe) info.write_Adobe_marker = FALSE;
    if (progressive) jpeg_simple_progression(&info);
    if (!scans.empty()) {
      info.scan_info = scans.data();
      info.num_scans = static_cast<int>(scans.size());
    }
    jpeg_start_compress(&info, TRUE);
    auto* samples = const_cast<JSAMPROW>(row.data());
    while (info.next_scanline < height) jpeg_write_scanlines(&info, &samples, 1);
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    std::string file(reinterpret_cast<const char*>(out), size);
    std::free(out);
    return file;
  }
};

}  // namespace warpview::test
