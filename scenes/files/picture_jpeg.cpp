// JPEG by libjpeg-turbo, row by row.
#include <cstddef>
#include <cstdio>
// jpeglib.h needs the two above.
#include <jerror.h>
#include <jpeglib.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <limits>
#include <string>

#include "scenes/files/picture_decoders.h"

namespace warpview {
namespace {

// A progressive file gives the picture in several scans, each of which may take time for all pixels
// and hardly any bytes. Encoders write about ten.
constexpr int most_scans = 100;

// Is the picture all there in spite of this warning?
bool is_harmless(int warning) {
  return warning == JWRN_EXTRANEOUS_DATA || warning == JWRN_ADOBE_XFORM ||
         warning == JWRN_JFIF_MAJOR;
}

// The largest of libjpeg's divisors of a picture's sides that leaves as many pixels as are kept.
unsigned divisor_of(std::uint32_t width, std::uint32_t height) {
  const auto leaves_enough = [](std::uint32_t side, unsigned divisor) {
    return (side + divisor - 1) / divisor >= std::min(side, Image::longest_side);
  };
  for (const unsigned divisor : {8U, 4U, 2U})
    if (leaves_enough(width, divisor) && leaves_enough(height, divisor)) return divisor;
  return 1;
}

// libjpeg reports errors through a function that must not return, which ours leaves by longjmp:
// each call of the library is made through guarded().
class JpegReader {
 public:
  // Reads as far as the first scan.
  JpegReader(std::span<const std::byte> file, const LoadControl& control) : JpegReader(control) {
    guarded([&] {
      jpeg_create_decompress(&info_);
      info_.progress = &progress_;
      jpeg_mem_src(&info_, reinterpret_cast<const unsigned char*>(file.data()),
                   static_cast<unsigned long>(file.size()));
      jpeg_read_header(&info_, TRUE);
    });
  }
  ~JpegReader() { jpeg_destroy_decompress(&info_); }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  std::uint32_t width() const { return info_.image_width; }
  std::uint32_t height() const { return info_.image_height; }

  // Could a file of so many bytes hold all blocks of pixels? Asked before memory is taken for them.
  bool can_hold_pixels(std::size_t bytes) const {
    if (info_.arith_code != 0) return true;  // as little as one likes
    // A block of 8 by 8 stores at least its mean, in at least one bit.
    const jpeg_component_info& first = info_.comp_info[0];
    return std::uint64_t{first.width_in_blocks} * first.height_in_blocks <= 8 * bytes;
  }

  // Prepares rows of width() / divisor by height() / divisor pixels, rounded up.
  void choose_rows(unsigned divisor) {
    switch (info_.jpeg_color_space) {
      case JCS_GRAYSCALE:
      case JCS_YCbCr:
      case JCS_RGB:
        info_.out_color_space = JCS_EXT_RGBA;
        break;
      case JCS_CMYK:
      case JCS_YCCK:
        info_.out_color_space = JCS_CMYK;
        break;
      default:
        throw Error("its colour space is not defined by JPEG");
    }
    info_.scale_num = 1;
    info_.scale_denom = divisor;
    guarded([this] { jpeg_calc_output_dimensions(&info_); });
  }
  std::uint32_t row_width() const { return info_.output_width; }
  std::uint32_t row_count() const { return info_.output_height; }

  // Decodes all but the last step of a progressive file, within `memory` bytes.
  void begin_rows(std::uint64_t memory) {
    info_.mem->max_memory_to_use =
        static_cast<long>(std::min<std::uint64_t>(memory, std::numeric_limits<long>::max()));
    guarded([this] { jpeg_start_decompress(&info_); });
  }
  void read_row(std::span<Rgba> row) {
    JSAMPROW first = row.front().data();
    guarded([&] { jpeg_read_scanlines(&info_, &first, 1); });
    if (info_.out_color_space == JCS_CMYK)
      for (Rgba& pixel : row) pixel = of_cmyk(pixel);
  }

 private:
  explicit JpegReader(const LoadControl& control) : control_(control) {
    info_.err = jpeg_std_error(&errors_);
    errors_.error_exit = on_error;
    errors_.emit_message = on_message;
    progress_.progress_monitor = on_progress;
    info_.client_data = this;
  }

  // `call` must not hold anything with a destructor: an error jumps out of it. Error when it does,
  // or LoadCancelled.
  template <class Call>
  void guarded(Call call) {
    if (setjmp(jump_) != 0) {
      control_.throw_if_cancelled();
      throw Error(std::string(message_));
    }
    call();
  }
  [[noreturn]] void jump(const char* message) {
    std::strncpy(message_, message, sizeof(message_) - 1);
    std::longjmp(jump_, 1);
  }
  [[noreturn]] static void on_error(j_common_ptr info) {
    auto* const self = static_cast<JpegReader*>(info->client_data);
    if (info->err->msg_code == JERR_NO_BACKING_STORE)
      self->jump("it needs more memory than is free");
    char message[JMSG_LENGTH_MAX] = {};
    info->err->format_message(info, message);
    self->jump(message);
  }
  static void on_message(j_common_ptr info, int level) {
    constexpr int warning = -1;
    if (level == warning && !is_harmless(info->err->msg_code)) on_error(info);
  }
  static void on_progress(j_common_ptr info) {
    auto* const self = static_cast<JpegReader*>(info->client_data);
    if (self->control_.cancelled()) self->jump("cancelled");
    if (self->info_.input_scan_number > most_scans) self->jump("it has too many scans");
  }

  // Only Adobe's programs write CMYK, and they write it inverted.
  Rgba of_cmyk(const Rgba& ink) const {
    const auto light = [&](unsigned colour, unsigned black_ink) {
      if (info_.saw_Adobe_marker == 0) {
        colour = 255 - colour;
        black_ink = 255 - black_ink;
      }
      return static_cast<std::uint8_t>((colour * black_ink + 127) / 255);
    };
    const auto [c, m, y, k] = ink;
    return {light(c, k), light(m, k), light(y, k), 255};
  }

  const LoadControl& control_;
  jpeg_decompress_struct info_{};
  jpeg_error_mgr errors_{};
  jpeg_progress_mgr progress_{};
  std::jmp_buf jump_{};
  char message_[JMSG_LENGTH_MAX] = {};
};

}  // namespace

Image decode_jpeg(std::span<const std::byte> file, std::uint64_t memory,
                  const LoadControl& control) {
  JpegReader jpeg(file, control);
  require_sides(jpeg.width(), jpeg.height());
  if (!jpeg.can_hold_pixels(file.size())) throw Error("it is truncated");
  jpeg.choose_rows(divisor_of(jpeg.width(), jpeg.height()));
  PictureRows rows(jpeg.row_width(), jpeg.row_count(), memory);
  jpeg.begin_rows(memory - rows.bytes_needed());
  std::vector<Rgba> row(rows.width());
  for (std::uint32_t y = 0; y < rows.height(); ++y) {
    control.throw_if_cancelled();
    jpeg.read_row(row);
    rows.add(row);
  }
  return rows.take();
}

}  // namespace warpview
