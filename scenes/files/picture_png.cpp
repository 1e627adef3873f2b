// PNG by libpng, row by row.
#include <png.h>

#include <csetjmp>
#include <cstring>
#include <limits>
#include <string>

#include "scenes/files/picture_decoders.h"

namespace warpview {
namespace {

// What the pixels do not depend on, and a file can hold a lot of: metadata, profiles, suggestions.
constexpr char ignored_chunks[] =
    "bKGD\0eXIf\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT\0tEXt\0tIME\0zTXt";
constexpr int ignored_chunk_count = sizeof(ignored_chunks) / 5;

// libpng reports errors through a function that must not return, which ours leaves by longjmp:
// each call of the library that may fail is made through guarded().
class PngReader {
 public:
  // Reads as far as the first row.
  PngReader(std::span<const std::byte> file, const LoadControl& control) : PngReader(control) {
    rest_ = file;
    guarded([this] {
      png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error, on_warning);
      if (png_ != nullptr) info_ = png_create_info_struct(png_);
    });
    if (info_ == nullptr) throw Error("libpng does not start");
    guarded([this] {
      constexpr png_alloc_size_t most_of_a_chunk = 1U << 20U;
      png_set_chunk_malloc_max(png_, most_of_a_chunk);
      png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER,
                                  reinterpret_cast<png_const_bytep>(ignored_chunks),
                                  ignored_chunk_count);
      png_set_read_fn(png_, this, on_read);
      png_read_info(png_, info_);
    });
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  std::uint32_t width() const { return png_get_image_width(png_, info_); }
  std::uint32_t height() const { return png_get_image_height(png_, info_); }
  // Could the rest of the file unpack to all pixels? Asked before memory is taken for them.
  bool can_hold_pixels() const {
    constexpr std::uint64_t most_of_a_byte = 1032;  // that DEFLATE can make of one
    const std::uint64_t needed = std::uint64_t{png_get_rowbytes(png_, info_)} * height();
    return needed <= most_of_a_byte * rest_.size();
  }
  bool interlaced() const { return png_get_interlace_type(png_, info_) != PNG_INTERLACE_NONE; }

  // Prepares rows of RGBA in sRGB, whatever the file holds. Returns how often all rows are to be
  // read.
  int begin_rows() {
    int passes = 1;
    std::size_t row_bytes = 0;
    guarded([&] {
      png_set_expand(png_);
      png_set_scale_16(png_);
      png_set_gray_to_rgb(png_);
      png_set_add_alpha(png_, 0xff, PNG_FILLER_AFTER);
      const bool is_srgb = png_get_valid(png_, info_, PNG_INFO_sRGB) != 0;
      png_fixed_point gamma = 0;
      if (!is_srgb && png_get_gAMA_fixed(png_, info_, &gamma) != 0)
        png_set_gamma_fixed(png_, PNG_DEFAULT_sRGB, gamma);
      passes = png_set_interlace_handling(png_);
      png_read_update_info(png_, info_);
      row_bytes = png_get_rowbytes(png_, info_);
    });
    if (row_bytes != sizeof(Rgba) * width()) throw Error("libpng cannot convert it to RGBA");
    return passes;
  }
  // Rows of an interlaced picture are read over those of the earlier passes. Behind the last row of
  // the last pass libpng unpacks what is left of the pixels' stream, which must be next to nothing.
  void read_row(std::span<Rgba> row, bool is_last) {
    constexpr std::size_t most_of_a_pixel = 8;  // in the file
    constexpr std::size_t slack = 1U << 14U;
    if (is_last) may_read_ = most_of_a_pixel * row.size() + slack;
    guarded([&] { png_read_row(png_, row.front().data(), nullptr); });
  }

 private:
  explicit PngReader(const LoadControl& control) : control_(control) {}

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
  static void on_error(png_structp png, png_const_charp message) {
    auto* const self = static_cast<PngReader*>(png_get_error_ptr(png));
    std::strncpy(self->message_, message, sizeof(self->message_) - 1);
    std::longjmp(self->jump_, 1);
  }
  static void on_warning(png_structp /*png*/, png_const_charp /*message*/) {}
  static void on_read(png_structp png, png_bytep to, std::size_t bytes) {
    auto* const self = static_cast<PngReader*>(png_get_io_ptr(png));
    if (self->control_.cancelled()) png_error(png, "cancelled");
    if (bytes > self->rest_.size()) png_error(png, "it is truncated");
    if (bytes > self->may_read_) png_error(png, "it contains data after its pixels");
    std::memcpy(to, self->rest_.data(), bytes);
    self->rest_ = self->rest_.subspan(bytes);
    self->may_read_ -= bytes;
  }

  const LoadControl& control_;
  std::span<const std::byte> rest_;                                 // of the file
  std::size_t may_read_ = std::numeric_limits<std::size_t>::max();  // of that
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::jmp_buf jump_{};
  char message_[128] = {};
};

}  // namespace

// What a file holds behind the pixels is not looked at.
Image decode_png(std::span<const std::byte> file, std::uint64_t memory,
                 const LoadControl& control) {
  PngReader png(file, control);
  require_sides(png.width(), png.height());
  if (!png.can_hold_pixels()) throw Error("it is truncated");
  PictureRows rows(png.width(), png.height(), memory);
  const std::uint64_t pixels = std::uint64_t{rows.width()} * rows.height();
  // No row of an interlaced picture is complete before the last pass.
  if (png.interlaced()) require_picture_memory(rows.bytes_needed() + sizeof(Rgba) * pixels, memory);
  std::vector<Rgba> decoded(png.interlaced() ? pixels : rows.width());
  const auto row = [&](std::uint32_t y) {
    const std::size_t first = png.interlaced() ? std::size_t{y} * rows.width() : 0;
    return std::span(decoded).subspan(first, rows.width());
  };
  for (int passes = png.begin_rows(); passes > 0; --passes) {
    for (std::uint32_t y = 0; y < rows.height(); ++y) {
      control.throw_if_cancelled();
      png.read_row(row(y), passes == 1 && y + 1 == rows.height());
      if (passes == 1) rows.add(row(y));
    }
  }
  return rows.take();
}

}  // namespace warpview
