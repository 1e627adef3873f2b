#include "scenes/files/picture.h"

#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <string>
#include <vector>

#include "tests/scenes/picture_files.h"
#include "tests/scenes/support.h"

namespace warpview {
namespace {

using test::big_endian;
using test::Bmp;
using test::bytes;
using test::contains;
using test::deflated;
using test::Jpeg;
using test::little_endian;
using test::Pixels;
using test::Png;
using test::png_chunk;
using test::scans_of_coefficients;
using test::Tga;

constexpr std::uint64_t mebibyte = 1U << 20U;

Image decode(std::string_view file, std::uint64_t memory = 256 * mebibyte) {
  return decode_picture(std::as_bytes(std::span(file)), memory, LoadControl());
}

// The reason for which it is refused; empty and a failure if it is not.
std::string refusal_of_picture(std::string_view file, std::uint64_t memory = 256 * mebibyte) {
  try {
    decode(file, memory);
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "it was decoded";
  return "";
}

void expect_pixels(std::string_view file, std::uint32_t width, const Pixels& rgba) {
  const Image image = decode(file);
  EXPECT_EQ(image.width, width);
  EXPECT_EQ(std::size_t{4} * image.width * image.height, rgba.size());
  EXPECT_EQ(image.rgba, rgba);
}

// --- TGA

TEST(PictureTga, TrueColour) {
  const Pixels two = {3, 2, 1, 255, 6, 5, 4, 255};
  expect_pixels(Tga{}.file(2, 1, "\1\2\3\4\5\6"), 2, two);
  expect_pixels(Tga{.name = "a name"}.file(2, 1, "\1\2\3\4\5\6"), 2, two);
  expect_pixels(Tga{.bits = 32}.file(2, 1, "\1\2\3\7\4\5\6\7"), 2, two);  // says: no alpha
  expect_pixels(Tga{.bits = 32, .descriptor = 0x28}.file(1, 1, "\1\2\3\7"), 1, {3, 2, 1, 7});
  expect_pixels(Tga{.bits = 16}.file(2, 1, bytes("\x00\xfc\xff\x03")), 2,
                {255, 0, 0, 255, 0, 255, 255, 255});
  expect_pixels(Tga{.bits = 15}.file(1, 1, bytes("\x1f\x80")), 1, {0, 0, 255, 255});
  expect_pixels(Tga{.bits = 16, .descriptor = 0x21}.file(2, 1, bytes("\xff\xff\xff\x7f")), 2,
                {255, 255, 255, 255, 255, 255, 255, 0});
}

TEST(PictureTga, GreyAndMapped) {
  expect_pixels(Tga{.kind = 3, .bits = 8}.file(2, 1, bytes("\0\x80")), 2,
                {0, 0, 0, 255, 128, 128, 128, 255});
  const Tga map = {.kind = 1, .bits = 8, .first_of_map = 1, .map_colours = 2, .map_bits = 24};
  // Numbers that the map does not hold are black.
  expect_pixels(map.file(4, 1,
                         bytes("\1\2\3\4\5\6"
                               "\1\2\3\0")),
                4, {3, 2, 1, 255, 6, 5, 4, 255, 0, 0, 0, 255, 0, 0, 0, 255});
  const Tga far = {.kind = 1, .bits = 8, .first_of_map = 65535, .map_colours = 1, .map_bits = 16};
  expect_pixels(far.file(1, 1, bytes("\xff\xff\xff")), 1, {0, 0, 0, 255});
  // A map that is not needed.
  expect_pixels(Tga{.map_colours = 1, .map_bits = 32}.file(1, 1, bytes("abcd\1\2\3")), 1,
                {3, 2, 1, 255});
}

TEST(PictureTga, RunLengths) {
  const std::string runs =
      "\x82\1\2\3"
      "\1\4\5\6\7\1\1"
      "\x80\4\5\6";  // 3 + 2 + 1 pixels
  const Pixels pixels = {3, 2, 1, 255, 3, 2, 1, 255, 3, 2, 1, 255,
                         6, 5, 4, 255, 1, 1, 7, 255, 6, 5, 4, 255};
  expect_pixels(Tga{.kind = 10}.file(2, 3, runs), 2, pixels);  // over the ends of rows
  expect_pixels(Tga{.kind = 10}.file(2, 3, runs + "more"), 2, pixels);
  expect_pixels(Tga{.kind = 11, .bits = 8}.file(2, 1, "\xff\7"), 2, {7, 7, 7, 255, 7, 7, 7, 255});
  expect_pixels(
      Tga{.kind = 9, .bits = 8, .map_colours = 1, .map_bits = 24}.file(1, 2, bytes("\1\2\3\x81\0")),
      1, {3, 2, 1, 255, 3, 2, 1, 255});
  for (std::size_t length = 0; length < runs.size(); ++length)
    EXPECT_TRUE(contains(refusal_of_picture(Tga{.kind = 10}.file(2, 3, runs.substr(0, length))),
                         "truncated"));
}

TEST(PictureTga, EveryDirection) {
  const Tga grey = {.kind = 3, .bits = 8, .descriptor = 0};
  const auto values = [&](int descriptor) {
    Tga turned = grey;
    turned.descriptor = descriptor;
    const Image image = decode(turned.file(2, 2, "\1\2\3\4"));
    std::string reds;
    for (std::size_t i = 0; i < 4; ++i) reds += static_cast<char>('0' + image.rgba[4 * i]);
    return reds;
  };
  EXPECT_EQ(values(0x20), "1234");
  EXPECT_EQ(values(0x00), "3412");
  EXPECT_EQ(values(0x30), "2143");
  EXPECT_EQ(values(0x10), "4321");
}

TEST(PictureTga, OnlyHeadersThatMakeSense) {
  const std::string rest(64, '\1');
  for (const Tga& tga :
       {Tga{.kind = 0}, Tga{.kind = 4}, Tga{.kind = 12}, Tga{.kind = 32}, Tga{.bits = 8},
        Tga{.bits = 0}, Tga{.kind = 3, .bits = 16}, Tga{.descriptor = 0x60},
        Tga{.kind = 1, .bits = 8}, Tga{.kind = 1, .bits = 16, .map_colours = 1, .map_bits = 24},
        Tga{.map_colours = 1, .map_bits = 8}})
    EXPECT_TRUE(
        contains(refusal_of_picture(tga.file(2, 2, rest)), "not a PNG, JPEG, BMP or TGA file"));
  refusal_of_picture(Tga{}.file(0, 2, rest));
  refusal_of_picture(Tga{}.file(2, 0, rest));
  EXPECT_TRUE(
      contains(refusal_of_picture(Tga{}.file(2, 16385, rest)), "2 x 16385 pixels are too many"));
  EXPECT_TRUE(contains(refusal_of_picture(Tga{}.file(16384, 16384, rest)), "truncated"));
  EXPECT_TRUE(contains(refusal_of_picture(Tga{.kind = 10}.file(16384, 16384, rest)), "truncated"));
}

// --- BMP

TEST(PictureBmp, TrueColour) {
  const Pixels column = {3, 2, 1, 255, 6, 5, 4, 255};  // the last row comes first
  expect_pixels(Bmp{}.file(1, 2, bytes("\4\5\6\0\1\2\3\0")), 1, column);
  expect_pixels(Bmp{}.file(1, 2, bytes("\4\5\6\0\1\2\3")), 1, column);
  expect_pixels(Bmp{}.file(1, -2, bytes("\1\2\3\0\4\5\6\0")), 1, column);
  expect_pixels(Bmp{.header_bytes = 12}.file(1, 2, bytes("\4\5\6\0\1\2\3\0")), 1, column);
  expect_pixels(Bmp{.bits = 32}.file(1, 2, bytes("\4\5\6\0\1\2\3\7")), 1, column);
  expect_pixels(Bmp{.bits = 16}.file(2, 1, bytes("\x00\x7c\xff\x83")), 2,
                {255, 0, 0, 255, 0, 255, 255, 255});
  const std::string v4(68, '\0');
  expect_pixels(Bmp{.behind_header = v4, .header_bytes = 108}.file(1, 1, "\1\2\3"), 1,
                {3, 2, 1, 255});
}

TEST(PictureBmp, Masks) {
  const auto masks = [](std::uint32_t r, std::uint32_t g, std::uint32_t b) {
    return little_endian(r, 4) + little_endian(g, 4) + little_endian(b, 4);
  };
  const Bmp six_of_green = {
      .bits = 16, .compression = 3, .behind_header = masks(0xf800, 0x7e0, 0x1f)};
  expect_pixels(six_of_green.file(2, 1, bytes("\x00\xf8\xe0\x03")), 2,
                {255, 0, 0, 255, 0, 125, 0, 255});
  const std::string alpha = masks(0xff, 0xff00, 0xff0000) + little_endian(0xff000000, 4);
  expect_pixels(Bmp{.bits = 32, .compression = 3, .behind_header = alpha, .header_bytes = 56}.file(
                    1, 1, "\1\2\3\4"),
                1, {1, 2, 3, 4});
  expect_pixels(Bmp{.bits = 32, .compression = 6, .behind_header = alpha}.file(1, 1, "\1\2\3\4"), 1,
                {1, 2, 3, 4});
  // Whole words, bits apart and none at all are masks too.
  const std::string odd = masks(0xffffffff, 0x80000001, 0);
  expect_pixels(
      Bmp{.bits = 32, .compression = 3, .behind_header = odd}.file(1, 1, "\xff\xff\xff\xff"), 1,
      {255, 255, 0, 255});
}

TEST(PictureBmp, Palettes) {
  const std::string two = bytes("\1\2\3\0\4\5\6\0");
  const auto pixels_of = [](const std::string& numbers) {
    Pixels pixels;
    for (const char number : numbers) {
      const Pixels colour = number == '0'   ? Pixels{3, 2, 1, 255}
                            : number == '1' ? Pixels{6, 5, 4, 255}
                                            : Pixels{0, 0, 0, 255};
      pixels.insert(pixels.end(), colour.begin(), colour.end());
    }
    return pixels;
  };
  expect_pixels(Bmp{.bits = 1, .behind_header = two}.file(10, 1, bytes("\x2d\x40\0\0")), 10,
                pixels_of("0010110101"));
  // Numbers beyond the palette are black.
  expect_pixels(
      Bmp{.bits = 4, .behind_header = two, .colours = 2}.file(3, 1, bytes("\x01\x20\0\0")), 3,
      pixels_of("01-"));
  expect_pixels(Bmp{.bits = 8, .behind_header = two, .colours = 2}.file(3, -1, bytes("\1\0\xff\0")),
                3, pixels_of("10-"));
  expect_pixels(
      Bmp{.bits = 1, .behind_header = two, .colours = 0xffffffff}.file(2, 1, bytes("\x40\0\0\0")),
      2, pixels_of("01"));
  expect_pixels(Bmp{.bits = 1, .behind_header = "\1\2\3\4\5\6", .header_bytes = 12}.file(
                    2, 1, bytes("\x40\0\0\0")),
                2, pixels_of("01"));
}

TEST(PictureBmp, WhatIsRefused) {
  const std::string rest(64, '\0');
  EXPECT_TRUE(contains(
      refusal_of_picture(Bmp{.bits = 8, .compression = 1, .behind_header = rest}.file(2, 2, rest)),
      "compressed BMP"));
  EXPECT_TRUE(contains(refusal_of_picture(Bmp{.bits = 24, .compression = 4}.file(2, 2, rest)),
                       "with compression"));
  EXPECT_TRUE(contains(refusal_of_picture(Bmp{.bits = 24, .compression = 3}.file(2, 2, rest)),
                       "with compression"));
  EXPECT_TRUE(contains(refusal_of_picture(Bmp{.bits = 2}.file(2, 2, rest)), "2 bits"));
  EXPECT_TRUE(contains(refusal_of_picture(Bmp{.bits = 0}.file(2, 2, rest)), "0 bits"));
  EXPECT_TRUE(contains(refusal_of_picture(Bmp{.header_bytes = 64}.file(2, 2, rest)), "64 bytes"));
  EXPECT_TRUE(
      contains(refusal_of_picture(Bmp{}.file(0, 2, rest)), "0 x 2 pixels are an empty picture"));
  EXPECT_TRUE(contains(refusal_of_picture(Bmp{}.file(2, 0, rest)), "empty picture"));
  EXPECT_TRUE(contains(refusal_of_picture(Bmp{}.file(-2, 2, rest)), "empty picture"));
  EXPECT_TRUE(contains(refusal_of_picture(Bmp{}.file(2, -2147483648LL, rest)), "too many"));
  EXPECT_TRUE(contains(refusal_of_picture(Bmp{}.file(16385, 2, rest)), "too many"));
  EXPECT_TRUE(contains(refusal_of_picture(Bmp{}.file(16384, 16384, rest)), "truncated"));
  std::string far = Bmp{}.file(1, 1, rest);
  far.replace(10, 4, "\xff\xff\xff\xff");  // where the pixels are
  EXPECT_TRUE(contains(refusal_of_picture(far), "truncated"));
}

// --- PNG

TEST(PicturePng, EveryKindOfPixel) {
  expect_pixels(Png{}.file(1, 2, bytes("\0\1\2\3\0\4\5\6")), 1, {1, 2, 3, 255, 4, 5, 6, 255});
  expect_pixels(Png{.colour = 6}.file(1, 1, bytes("\0\1\2\3\4")), 1, {1, 2, 3, 4});
  expect_pixels(Png{.colour = 4}.file(1, 1, bytes("\0\7\4")), 1, {7, 7, 7, 4});
  expect_pixels(Png{.bits = 1, .colour = 0}.file(2, 1, bytes("\0\x40")), 2,
                {0, 0, 0, 255, 255, 255, 255, 255});
  expect_pixels(Png{.bits = 16}.file(1, 1, bytes("\0\xff\xff\x80\x80\0\0")), 1, {255, 128, 0, 255});
  const std::string palette = png_chunk("PLTE", "\1\2\3\4\5\6") + png_chunk("tRNS", "\x40");
  expect_pixels(Png{.bits = 8, .colour = 3, .before = palette}.file(2, 1, bytes("\0\1\0")), 2,
                {4, 5, 6, 255, 1, 2, 3, 64});
  const std::string clear = png_chunk("tRNS", bytes("\0\7"));
  expect_pixels(Png{.bits = 8, .colour = 0, .before = clear}.file(2, 1, bytes("\0\7\5")), 2,
                {7, 7, 7, 0, 5, 5, 5, 255});
  // The pixel at the corner, that at its right, the lower row.
  expect_pixels(Png{.bits = 8, .colour = 0, .interlaced = 1}.file(2, 2, bytes("\0\1\0\2\0\3\4")), 2,
                {1, 1, 1, 255, 2, 2, 2, 255, 3, 3, 3, 255, 4, 4, 4, 255});
}

TEST(PicturePng, GammaBecomesThatOfSrgb) {
  const auto grey = [](const std::string& before) {
    return decode(Png{.colour = 0, .before = before}.file(1, 1, bytes("\0\x80"))).rgba[0];
  };
  const std::string linear = png_chunk("gAMA", big_endian(100'000, 4));
  EXPECT_EQ(grey(""), 128);
  EXPECT_EQ(grey(png_chunk("gAMA", big_endian(45'455, 4))), 128);
  EXPECT_NEAR(grey(linear), 187, 2);
  EXPECT_EQ(grey(png_chunk("sRGB", bytes("\0")) + linear), 128);  // which overrides it
}

TEST(PicturePng, WhatIsRefused) {
  const std::string whole = Png{}.file(1, 2, bytes("\0\1\2\3\0\4\5\6"));
  std::string damaged = whole;
  damaged[damaged.size() - 20] ^= 1;  // in the pixels
  EXPECT_NE(refusal_of_picture(damaged), "");
  EXPECT_NE(refusal_of_picture(Png{}.file(1, 2, bytes("\0\1\2\3"))), "");
  EXPECT_NE(refusal_of_picture(Png{}.file(0, 2, bytes("\0"))), "");
  EXPECT_NE(refusal_of_picture(Png{}.file(2, 0, bytes("\0"))), "");
  const std::string zeros(20 * mebibyte, '\0');
  EXPECT_TRUE(
      contains(refusal_of_picture(Png{}.file(1, 1, zeros)), "contains data after its pixels"));
  EXPECT_NE(refusal_of_picture(Png{.colour = 3}.file(1, 1, bytes("\0\0"))), "");  // no palette
  EXPECT_TRUE(contains(refusal_of_picture(Png{}.file(30000, 2, bytes("\0"))), "30000 x 2 pixels"));
  EXPECT_NE(refusal_of_picture(Png{}.file(0x7fffffff, 0x7fffffff, bytes("\0"))), "");
  // Whatever stands behind the pixels.
  const std::string large = Png{.interlaced = 1}.file(4000, 4000, bytes("\0"));
  EXPECT_TRUE(contains(refusal_of_picture(large + std::string(100'000, ' '), 64 * mebibyte),
                       "MiB of memory"));
}

// No memory is asked for that the pixels of so short a file cannot need.
TEST(PicturePng, SmallFilesOfLargePicturesAreRefusedFirst) {
  for (const unsigned interlaced : {0U, 1U})
    EXPECT_TRUE(contains(
        refusal_of_picture(
            Png{.bits = 1, .colour = 0, .interlaced = interlaced}.file(8193, 15145, ""), 1),
        "truncated"));
  // Which packs as well as it can.
  const std::string zeros(2 * mebibyte + 2048, '\0');
  const std::string whole = Png{.bits = 1, .colour = 0}.file(8192, 2048, zeros);
  EXPECT_EQ(decode(whole).height, 2048U);
}

TEST(PicturePng, RowsThatDoNotPack) {
  unsigned state = 1;
  std::string rows;
  for (int i = 0; i < 3 * (1 + 8 * 16384); ++i)
    rows += static_cast<char>(((state = state * 1664525U + 1013904223U) >> 24U) % 251);
  for (std::size_t y = 0; y < 3; ++y) rows[y * (1 + 8 * 16384)] = '\0';
  EXPECT_EQ(decode(Png{.bits = 16, .colour = 6}.file(16384, 3, rows)).height, 3U);
}

// Metadata are not looked at, though there are many and they are packed well.
TEST(PicturePng, MetadataCostNothing) {
  const std::string packed = deflated(std::string(10 * mebibyte, 'x'));
  std::string before;
  for (int i = 0; i < 2000; ++i) before += png_chunk("zTXt", bytes("note\0\0") + packed);
  before += png_chunk("iCCP", bytes("profile\0\0") + packed);
  expect_pixels(Png{.before = before}.file(1, 1, bytes("\0\1\2\3")), 1, {1, 2, 3, 255});
}

// --- JPEG

void expect_near(std::string_view file, const Pixels& first_pixel) {
  const Image image = decode(file);
  ASSERT_GE(image.rgba.size(), 4U);
  for (std::size_t c = 0; c < 4; ++c) EXPECT_NEAR(image.rgba[c], first_pixel[c], 3) << c;
}

TEST(PictureJpeg, EveryKindOfColour) {
  const Pixels orange = {250, 130, 10, 250, 130, 10};
  expect_near(Jpeg{}.file(2, 3, orange), {250, 130, 10, 255});
  expect_near(Jpeg{.progressive = true}.file(2, 3, orange), {250, 130, 10, 255});
  expect_near(Jpeg{.colours = JCS_GRAYSCALE}.file(1, 1, {77}), {77, 77, 77, 255});
  // Inks; Adobe's programs write how little there is of them.
  expect_near(Jpeg{.colours = JCS_CMYK}.file(1, 1, {255, 128, 0, 255}), {255, 128, 0, 255});
  expect_near(Jpeg{.colours = JCS_CMYK}.file(1, 1, {255, 255, 255, 100}), {100, 100, 100, 255});
  expect_near(Jpeg{.colours = JCS_CMYK, .adobe = false}.file(1, 1, {0, 127, 255, 0}),
              {255, 128, 0, 255});
}

TEST(PictureJpeg, LargeOnesAreShrunk) {
  Pixels row(std::size_t{3} * 5000, 200);
  const Image image = decode(Jpeg{}.file(5000, 3000, row));
  EXPECT_EQ(image.width, Image::longest_side);
  EXPECT_EQ(image.height, Image::longest_side);
  EXPECT_NEAR(image.rgba[4 * 1000 * image.width], 200, 3);
  const Image flat = decode(Jpeg{}.file(5000, 3, row));
  EXPECT_EQ(flat.width, Image::longest_side);
  EXPECT_EQ(flat.height, 3U);
}

TEST(PictureJpeg, WhatIsRefused) {
  Pixels row(std::size_t{3} * 100);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<std::uint8_t>(i * i);
  for (const bool progressive : {false, true}) {
    const std::string whole = Jpeg{.progressive = progressive}.file(100, 100, row);
    EXPECT_TRUE(contains(refusal_of_picture(whole.substr(0, whole.size() / 2)), "JPEG"));
  }
  // Tables that are not there.
  std::string damaged = Jpeg{.progressive = true}.file(100, 100, row);
  for (std::size_t at = 0; (at = damaged.find("\xff\xc4", at)) != std::string::npos;)
    damaged[at + 1] = '\xfe';  // a comment
  EXPECT_TRUE(contains(refusal_of_picture(damaged), "Huffman table"));
  std::string sized = Jpeg{}.file(100, 100, row);
  const std::size_t header = sized.find(bytes("\xff\xc0\0\x11"));
  ASSERT_NE(header, std::string::npos);
  EXPECT_NE(refusal_of_picture(std::string(sized).replace(header + 5, 2, bytes("\0\0"))), "");
  EXPECT_NE(refusal_of_picture(std::string(sized).replace(header + 7, 2, bytes("\0\0"))), "");
  EXPECT_TRUE(contains(refusal_of_picture(std::string(sized).replace(header + 7, 2, "\xf0\1")),
                       "too many"));
  EXPECT_NE(refusal_of_picture(std::string(sized).replace(header + 5, 4, "\x40\1\x40\1")), "");
}

// As of PNG.
TEST(PictureJpeg, SmallFilesOfLargePicturesAreRefusedFirst) {
  for (const bool progressive : {false, true}) {
    std::string file = Jpeg{.progressive = progressive}.file(8, 8, Pixels(24, 77));
    const std::size_t header =
        file.find(progressive ? bytes("\xff\xc2\0\x11") : bytes("\xff\xc0\0\x11"));
    ASSERT_NE(header, std::string::npos);
    file.replace(header + 5, 4, "\x3f\xff\x3f\xff");
    EXPECT_TRUE(contains(refusal_of_picture(file, 1), "truncated"));
  }
}

// All of the scans say something of all pixels.
TEST(PictureJpeg, ScansAreLimited) {
  const Jpeg few = {.colours = JCS_GRAYSCALE, .scans = scans_of_coefficients(false)};
  expect_near(few.file(16, 16, Pixels(16, 77)), {77, 77, 77, 255});
  const Jpeg many = {.colours = JCS_GRAYSCALE, .scans = scans_of_coefficients(true)};
  EXPECT_TRUE(contains(refusal_of_picture(many.file(16, 16, Pixels(16, 77))), "too many scans"));
}

TEST(PictureJpeg, AProgressiveOneMustFitAsAWhole) {
  const Jpeg progressive = {.colours = JCS_GRAYSCALE, .progressive = true};
  const std::string file = progressive.file(16384, 2048, Pixels(16384, 77));
  EXPECT_TRUE(contains(refusal_of_picture(file, 32 * mebibyte), "more memory than is free"));
  decode(file);
}

// --- All of them

struct Sample {
  const char* name;
  std::string file;
};
std::vector<Sample> samples() {
  Pixels row(std::size_t{3} * 40);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<std::uint8_t>(5 * i);
  std::string png_rows;
  std::string runs;
  for (int y = 0; y < 40; ++y) {
    png_rows += '\0';
    png_rows.append(row.begin(), row.end());
    runs += "\xa7\1\2\3";
  }
  const std::string pixels(std::size_t{3} * 40 * 40, 'p');
  return {{"png", Png{}.file(40, 40, png_rows)},
          {"jpeg", Jpeg{}.file(40, 40, row)},
          {"progressive jpeg", Jpeg{.progressive = true}.file(40, 40, row)},
          {"bmp", Bmp{}.file(40, 40, pixels)},
          {"tga", Tga{}.file(40, 40, pixels)},
          {"tga with runs", Tga{.kind = 10}.file(40, 40, runs)}};
}

TEST(Picture, BrokenOffAnywhereItIsRefusedOrWhole) {
  for (const auto& [name, file] : samples()) {
    SCOPED_TRACE(name);
    const Image whole = decode(file);
    for (std::size_t length = 0; length < file.size(); ++length) {
      try {
        EXPECT_EQ(decode(file.substr(0, length)).rgba, whole.rgba) << length;
        EXPECT_GE(length + 20, file.size());  // what stands behind the pixels
      } catch (const Error& error) {
        EXPECT_STRNE(error.what(), "");
      }
    }
  }
}

TEST(Picture, DamagedAnywhereItDoesNoHarm) {
  unsigned state = 1;
  const auto random = [&state] { return (state = state * 1664525U + 1013904223U) >> 8U; };
  for (const auto& [name, file] : samples()) {
    SCOPED_TRACE(name);
    for (int i = 0; i < 2000; ++i) {
      std::string damaged = file;
      for (unsigned n = random() % 4 + 1; n > 0; --n)
        damaged[random() % (random() % 2 == 0 ? file.size() : 64)] = static_cast<char>(random());
      try {
        const Image image = decode(damaged);
        EXPECT_EQ(image.rgba.size(), std::size_t{4} * image.width * image.height);
      } catch (const Error& error) {
        EXPECT_STRNE(error.what(), "");
      }
    }
  }
}

TEST(Picture, OtherFilesAreNone) {
  for (const std::string& file :
       {std::string(), std::string("GIF89a"), bytes("P5 4 4 65535\n\0\0"), std::string(5000, 'x'),
        std::string("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 0\n"),
        bytes("8BPS\0\1\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\4\0\x8\0\3"), std::string(5000, '\0')})
    EXPECT_TRUE(contains(refusal_of_picture(file), "not a PNG, JPEG, BMP or TGA file"));
}

TEST(Picture, MoreMemoryThanMayBeTakenIsNotTaken) {
  for (const auto& [name, file] : samples()) {
    SCOPED_TRACE(name);
    EXPECT_TRUE(contains(refusal_of_picture(file, 4 * 40 * 40 - 1), "memory"));
  }
}

TEST(Picture, LargeOnesAreShrunkByMeans) {
  // A black and a white pixel make half the light, 188 in sRGB; so do a black and a white row.
  const Tga grey = {.kind = 3, .bits = 8};
  std::string black_and_white;
  for (int i = 0; i < 4096; ++i) black_and_white += i % 2 == 0 ? '\0' : '\xff';
  const Pixels half = decode(grey.file(4096, 1, black_and_white)).rgba;
  EXPECT_EQ(half.size(), std::size_t{4} * 2048);
  for (std::size_t i = 0; i < half.size(); ++i) EXPECT_EQ(half[i], i % 4 == 3 ? 255 : 188) << i;
  EXPECT_EQ(decode(grey.file(1, 4096, black_and_white)).rgba, half);

  // Clear pixels have no say in the colour: one of three is red.
  std::string reds;
  for (int i = 0; i < 2048; ++i)
    reds += bytes(
        "\xff\0\0\0"
        "\0\0\xff\xff"
        "\xff\0\0\0");
  const Tga with_alpha = {.bits = 32, .descriptor = 0x28};
  const Image red = decode(with_alpha.file(6144, 1, reds));
  EXPECT_EQ(red.width, 2048U);
  EXPECT_EQ((Pixels{red.rgba.begin(), red.rgba.begin() + 4}), (Pixels{255, 0, 0, 85}));

  // A pixel of the file may lie in two of the result.
  std::string steps(2049, '\0');
  steps.back() = '\xff';
  const Pixels step = decode(grey.file(2049, 1, steps)).rgba;
  EXPECT_EQ(step.size(), std::size_t{4} * 2048);
  EXPECT_EQ(step[4 * 2046], 0);
  EXPECT_EQ(step[4 * 2047], 255);
  const std::string even(std::size_t{2049} * 2051, '\x7b');
  for (const std::uint8_t value : decode(grey.file(2049, 2051, even)).rgba)
    ASSERT_TRUE(value == 0x7b || value == 255);
}

// --- Cancelling

// Bytes of which the later ones cannot be read at first. Reading there cancels a load.
class TrappedBytes {
 public:
  TrappedBytes(std::string_view bytes, LoadControl& control)
      : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        size_((bytes.size() + page_ - 1) / page_ * page_),
        memory_(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)),
        bytes_(static_cast<const std::byte*>(memory_), bytes.size()) {
    std::memcpy(memory_, bytes.data(), bytes.size());
    trap_ = static_cast<char*>(memory_) + size_ / page_ / 2 * page_;
    mprotect(trap_, page_, PROT_NONE);
    trapped_ = this;
    cancelled_ = &control;
    struct sigaction action {};
    action.sa_handler = [](int) {
      cancelled_->cancel();
      mprotect(trapped_->trap_, trapped_->page_, PROT_READ);
    };
    sigaction(SIGSEGV, &action, &before_);
  }
  ~TrappedBytes() {
    sigaction(SIGSEGV, &before_, nullptr);
    munmap(memory_, size_);
  }
  TrappedBytes(const TrappedBytes&) = delete;
  TrappedBytes& operator=(const TrappedBytes&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  static inline TrappedBytes* trapped_ = nullptr;
  static inline LoadControl* cancelled_ = nullptr;
  std::size_t page_;
  std::size_t size_;
  void* memory_;
  std::span<const std::byte> bytes_;
  char* trap_ = nullptr;
  struct sigaction before_ {};
};

TEST(Picture, CancelIsSeenBetweenRows) {
  unsigned state = 1;
  std::string noise;
  for (int i = 0; i < 3 * 500 * 500; ++i)
    noise += static_cast<char>((state = state * 1664525U + 1013904223U) >> 24U);
  std::string png_rows;
  std::string runs;
  for (std::size_t y = 0; y < 500; ++y) {
    png_rows += '\0';
    png_rows += noise.substr(y * 1500, 1500);
    for (std::size_t x = 0; x < 500; x += 125) {
      runs += '\xfc';
      runs += noise.substr(y * 12 + x, 3);
    }
  }
  std::string filters = noise;  // wherever a row of a pass begins
  for (char& filter : filters) filter = static_cast<char>(static_cast<unsigned char>(filter) % 5);
  const Pixels row(noise.begin(), noise.begin() + 1500);
  for (const auto& [name, file] :
       std::vector<Sample>{{"png", Png{}.file(500, 500, png_rows)},
                           {"interlaced png", Png{.interlaced = 1}.file(500, 400, filters)},
                           {"jpeg", Jpeg{}.file(500, 500, row)},
                           {"progressive jpeg", Jpeg{.progressive = true}.file(500, 500, row)},
                           {"bmp", Bmp{}.file(500, 500, noise)},
                           {"tga", Tga{}.file(500, 500, noise)},
                           {"tga with runs", Tga{.kind = 10}.file(500, 500, runs)}}) {
    SCOPED_TRACE(name);
    ASSERT_GT(file.size(), 7000U);
    LoadControl control;
    const TrappedBytes trapped(file, control);
    EXPECT_THROW(decode_picture(trapped.bytes(), 256 * mebibyte, control), LoadCancelled);
  }
}

}  // namespace
}  // namespace warpview
