// BMP and TGA, uncompressed but for TGA's run lengths. Every byte is fetched through Bytes, which
// knows where the file ends.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <utility>

#include "scenes/files/picture_decoders.h"

namespace warpview {
namespace {

// Reads on through little-endian numbers. Error at the end.
class Bytes {
 public:
  explicit Bytes(std::span<const std::byte> bytes) : rest_(bytes) {}

  std::span<const std::byte> take(std::uint64_t count) {
    if (count > rest_.size()) throw Error("it is truncated");
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }
  void skip(std::uint64_t count) { take(count); }
  // A number of 1 to 4 bytes.
  std::uint32_t number(std::size_t bytes) {
    std::uint32_t value = 0;
    unsigned shift = 0;
    for (const std::byte byte : take(bytes)) {
      value |= std::to_integer<std::uint32_t>(byte) << shift;
      shift += 8;
    }
    return value;
  }
  std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() { return number(4); }
  std::int32_t i32() { return static_cast<std::int32_t>(u32()); }
  std::size_t left() const { return rest_.size(); }

 private:
  std::span<const std::byte> rest_;
};

constexpr Rgba black = {0, 0, 0, 255};

// Colours by number; black where the file names none.
class Palette {
 public:
  Palette() { colours_.fill(black); }
  void set(std::size_t number, const Rgba& colour) {
    if (number < colours_.size()) colours_[number] = colour;
  }
  const Rgba& operator[](std::uint8_t number) const { return colours_[number]; }

 private:
  std::array<Rgba, 256> colours_;
};

// Where in a pixel's number each channel is. A channel without bits has its default.
struct Masks {
  std::uint32_t red, green, blue, alpha;

  Rgba colour(std::uint32_t pixel) const {
    return {channel(pixel, red, 0), channel(pixel, green, 0), channel(pixel, blue, 0),
            channel(pixel, alpha, 255)};
  }

 private:
  // Scaled from 0 ... largest to 0 ... 255.
  static std::uint8_t channel(std::uint32_t pixel, std::uint32_t mask, std::uint8_t otherwise) {
    if (mask == 0) return otherwise;
    const auto shift = static_cast<unsigned>(std::countr_zero(mask));
    const std::uint64_t largest = mask >> shift;
    const std::uint64_t value = (pixel & mask) >> shift;
    return static_cast<std::uint8_t>((255 * value + largest / 2) / largest);
  }
};

constexpr Masks five_bits_each = {0x7c00, 0x03e0, 0x001f, 0};
constexpr Masks eight_bits_each = {0xff0000, 0x00ff00, 0x0000ff, 0};

Masks with_alpha(Masks masks, std::uint32_t alpha) {
  masks.alpha = alpha;
  return masks;
}

void turn_upside_down(Image& image) {
  const auto row_bytes = static_cast<std::ptrdiff_t>(sizeof(Rgba) * image.width);
  for (std::ptrdiff_t top = 0, bottom = image.height - 1; top < bottom; ++top, --bottom)
    std::swap_ranges(image.rgba.begin() + top * row_bytes,
                     image.rgba.begin() + (top + 1) * row_bytes,
                     image.rgba.begin() + bottom * row_bytes);
}

}  // namespace

// --- BMP

namespace {

// Members of the header that give the pixels' place and format.
struct BmpHeader {
  std::uint32_t pixels_at = 0;  // from the file's first byte
  std::int64_t width = 0;
  std::int64_t height = 0;
  bool top_down = false;
  unsigned bits = 0;  // a pixel
  Masks masks{};      // of pixels of 16 bits or more
  Palette palette;    // of the others

  std::uint64_t row_bytes() const { return (static_cast<std::uint64_t>(width) * bits + 7) / 8; }
  std::uint64_t padded_row_bytes() const { return (row_bytes() + 3) / 4 * 4; }
};

BmpHeader read_bmp_header(std::span<const std::byte> file) {
  constexpr std::uint32_t oldest_size = 12;  // OS/2's, with sides of 16 bits
  constexpr std::uint32_t common_size = 40;
  constexpr std::uint32_t size_with_masks = 52;
  constexpr std::uint32_t size_with_alpha = 56;
  enum Compression : std::uint32_t {
    none = 0,
    runs_of_8 = 1,
    runs_of_4 = 2,
    masks = 3,
    masks_with_alpha = 6
  };

  BmpHeader header;
  Bytes bytes(file);
  bytes.skip(10);
  header.pixels_at = bytes.u32();
  const std::uint32_t size = bytes.u32();
  std::uint32_t compression = none;
  std::uint32_t colours = 0;
  if (size == oldest_size) {
    header.width = bytes.u16();
    header.height = bytes.u16();
    bytes.skip(2);
    header.bits = bytes.u16();
  } else if (size == common_size || size == size_with_masks || size == size_with_alpha ||
             size == 108 || size == 124) {
    header.width = bytes.i32();
    header.height = bytes.i32();
    header.top_down = header.height < 0;
    if (header.top_down) header.height = -header.height;
    bytes.skip(2);
    header.bits = bytes.u16();
    compression = bytes.u32();
    bytes.skip(12);
    colours = bytes.u32();
    bytes.skip(4);
  } else {
    throw Error(fmt::format("a BMP header of {} bytes is not supported", size));
  }
  require_sides(header.width, header.height);
  if (compression == runs_of_8 || compression == runs_of_4)
    throw Error("it is a compressed BMP file, which is not supported");
  const bool has_masks = compression == masks || compression == masks_with_alpha;
  const bool is_known = has_masks ? header.bits == 16 || header.bits == 32
                                  : compression == none && (header.bits == 1 || header.bits == 4 ||
                                                            header.bits == 8 || header.bits == 16 ||
                                                            header.bits == 24 || header.bits == 32);
  if (!is_known)
    throw Error(fmt::format("BMP pixels of {} bits with compression {} are not supported",
                            header.bits, compression));

  header.masks = header.bits == 16 ? five_bits_each : eight_bits_each;
  std::uint32_t read = size == oldest_size ? oldest_size : common_size;  // of the header
  if (has_masks) {
    const bool has_alpha = size >= size_with_alpha || compression == masks_with_alpha;
    header.masks.red = bytes.u32();
    header.masks.green = bytes.u32();
    header.masks.blue = bytes.u32();
    if (has_alpha) header.masks.alpha = bytes.u32();
    read += has_alpha ? 16 : 12;
  }
  if (size > read) bytes.skip(size - read);

  if (header.bits <= 8) {
    const std::uint32_t most = 1U << header.bits;
    if (colours == 0 || colours > most) colours = most;
    for (std::uint32_t i = 0; i < colours; ++i)
      header.palette.set(i, eight_bits_each.colour(bytes.number(size == oldest_size ? 3 : 4)));
  }
  return header;
}

}  // namespace

Image decode_bmp(std::span<const std::byte> file, std::uint64_t memory,
                 const LoadControl& control) {
  const BmpHeader header = read_bmp_header(file);
  Bytes bytes(file);
  bytes.skip(header.pixels_at);
  // The last row may lack what the others are filled up with.
  const auto pixels =
      bytes.take(header.padded_row_bytes() * static_cast<std::uint64_t>(header.height - 1) +
                 header.row_bytes());

  PictureRows rows(header.width, header.height, memory);
  std::vector<Rgba> row(rows.width());
  for (std::uint32_t y = 0; y < rows.height(); ++y) {
    control.throw_if_cancelled();
    const std::uint64_t line = header.top_down ? y : rows.height() - 1 - y;
    Bytes in_row(pixels.subspan(line * header.padded_row_bytes(), header.row_bytes()));
    if (header.bits > 8) {
      for (Rgba& pixel : row) pixel = header.masks.colour(in_row.number(header.bits / 8));
    } else {
      const unsigned each = 8 / header.bits;  // pixels of a byte, the first in its highest bits
      const unsigned mask = (1U << header.bits) - 1;
      unsigned byte = 0;
      for (std::size_t x = 0; x < row.size(); ++x) {
        if (x % each == 0) byte = in_row.u8();
        const unsigned shift = 8 - header.bits * static_cast<unsigned>(x % each + 1);
        row[x] = header.palette[static_cast<std::uint8_t>(byte >> shift & mask)];
      }
    }
    rows.add(row);
  }
  return rows.take();
}

// --- TGA

namespace {

constexpr std::size_t tga_header_bytes = 18;

struct TgaHeader {
  enum Kind { mapped = 1, true_colour = 2, grey = 3 };

  std::uint8_t name_bytes = 0;
  std::uint8_t has_map = 0;
  std::uint8_t kind = 0;
  bool runs = false;               // run-length encoded
  std::uint16_t first_of_map = 0;  // number of its first colour
  std::uint16_t map_colours = 0;
  std::uint8_t map_bits = 0;  // a colour
  std::uint16_t width = 0;
  std::uint16_t height = 0;
  std::uint8_t bits = 0;        // a pixel
  std::uint8_t descriptor = 0;  // the rest of what there is to say

  unsigned alpha_bits() const { return descriptor & 0x0fU; }
  bool right_to_left() const { return (descriptor & 0x10U) != 0; }
  bool top_down() const { return (descriptor & 0x20U) != 0; }
  std::size_t pixel_bytes() const { return (bits + 7U) / 8U; }
  std::size_t map_colour_bytes() const { return (map_bits + 7U) / 8U; }

  static bool is_colour(unsigned bits) {
    return bits == 15 || bits == 16 || bits == 24 || bits == 32;
  }
  bool makes_sense() const {
    if (has_map > 1 || (descriptor & 0xc0U) != 0 || width == 0 || height == 0) return false;
    if (has_map == 1 && !is_colour(map_bits)) return false;
    switch (kind) {
      case mapped:
        return has_map == 1 && map_colours > 0 && bits == 8;
      case true_colour:
        return is_colour(bits);
      case grey:
        return bits == 8;
      default:
        return false;
    }
  }
};

TgaHeader read_tga_header(Bytes& bytes) {
  constexpr unsigned run_lengths = 8;  // added to the kind
  TgaHeader header;
  header.name_bytes = bytes.u8();
  header.has_map = bytes.u8();
  const unsigned kind = bytes.u8();
  header.runs = (kind & run_lengths) != 0;
  header.kind = static_cast<std::uint8_t>(kind & ~run_lengths);
  header.first_of_map = bytes.u16();
  header.map_colours = bytes.u16();
  header.map_bits = bytes.u8();
  bytes.skip(4);
  header.width = bytes.u16();
  header.height = bytes.u16();
  header.bits = bytes.u8();
  header.descriptor = bytes.u8();
  return header;
}

// What a number of so many bits means as a colour.
Masks tga_masks(unsigned bits, bool has_alpha) {
  if (bits <= 16) return with_alpha(five_bits_each, has_alpha && bits == 16 ? 0x8000U : 0);
  return with_alpha(eight_bits_each, has_alpha && bits == 32 ? 0xff000000U : 0);
}

// The pixels' numbers, one after the other.
class TgaPixels {
 public:
  TgaPixels(Bytes bytes, std::size_t pixel_bytes, bool runs)
      : bytes_(bytes), pixel_bytes_(pixel_bytes), runs_(runs) {}

  std::uint32_t next() {
    if (!runs_) return bytes_.number(pixel_bytes_);
    if (left_ == 0) {
      const unsigned head = bytes_.u8();
      left_ = (head & 0x7fU) + 1;
      repeats_ = (head & 0x80U) != 0;
      if (repeats_) repeated_ = bytes_.number(pixel_bytes_);
    }
    --left_;
    return repeats_ ? repeated_ : bytes_.number(pixel_bytes_);
  }

 private:
  Bytes bytes_;
  std::size_t pixel_bytes_;
  bool runs_;
  unsigned left_ = 0;  // pixels of the run or of those that stand one by one
  bool repeats_ = false;
  std::uint32_t repeated_ = 0;
};

}  // namespace

bool is_tga_header(std::span<const std::byte> file) {
  if (file.size() < tga_header_bytes) return false;
  Bytes bytes(file);
  return read_tga_header(bytes).makes_sense();
}

Image decode_tga(std::span<const std::byte> file, std::uint64_t memory,
                 const LoadControl& control) {
  Bytes bytes(file);
  const TgaHeader header = read_tga_header(bytes);
  require_sides(header.width, header.height);
  bytes.skip(header.name_bytes);
  Palette palette;
  if (header.has_map == 1) {
    const Masks masks = tga_masks(header.map_bits, header.alpha_bits() > 0);
    Bytes map(bytes.take(header.map_colours * header.map_colour_bytes()));
    for (std::size_t i = 0; i < header.map_colours; ++i)
      palette.set(header.first_of_map + i, masks.colour(map.number(header.map_colour_bytes())));
  }
  // Before memory is taken: no file says less with as many bytes than one whose runs are longest.
  const std::uint64_t count = std::uint64_t{header.width} * header.height;
  constexpr std::uint64_t longest_run = 128;
  const std::uint64_t fewest =
      header.runs ? (count + longest_run - 1) / longest_run * (1 + header.pixel_bytes())
                  : count * header.pixel_bytes();
  if (bytes.left() < fewest) throw Error("it is truncated");

  const Masks masks = tga_masks(header.bits, header.alpha_bits() > 0);
  const auto colour = [&](std::uint32_t number) -> Rgba {
    const auto byte = static_cast<std::uint8_t>(number);
    if (header.kind == TgaHeader::mapped) return palette[byte];
    if (header.kind == TgaHeader::grey) return {byte, byte, byte, 255};
    return masks.colour(number);
  };
  TgaPixels pixels(bytes, header.pixel_bytes(), header.runs);
  PictureRows rows(header.width, header.height, memory);
  std::vector<Rgba> row(rows.width());
  for (std::uint32_t y = 0; y < rows.height(); ++y) {
    control.throw_if_cancelled();
    for (Rgba& pixel : row) pixel = colour(pixels.next());
    if (header.right_to_left()) std::reverse(row.begin(), row.end());
    rows.add(row);
  }
  Image image = rows.take();
  if (!header.top_down()) turn_upside_down(image);
  return image;
}

}  // namespace warpview
