// GIF by libgif. Each frame has a palette, and holds only the pixels that changed.
#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "app/video/palette.h"
#include "app/video/writer.h"
#include "gpu/runtime/whole_file.h"

namespace warpview {
namespace {

constexpr std::size_t pixel_bytes = 4;
constexpr int palette_bits = 8;
constexpr std::size_t palette_size = 1U << static_cast<unsigned>(palette_bits);
constexpr auto unchanged = static_cast<std::uint8_t>(palette_size - 1);  // shows the frame before

class GifWriter final : public VideoWriter {
 public:
  explicit GifWriter(const VideoPlan& plan) : plan_(plan) {
    int error = 0;
    gif_.reset(EGifOpen(&bytes_, append, &error));
    if (!gif_) fail(error);
    EGifSetGifVersion(gif_.get(), true);
    require(EGifPutScreenDesc(gif_.get(), plan.width, plan.height, palette_bits, 0, nullptr));
    // Repeats for ever, by the Netscape extension.
    constexpr std::array<GifByteType, 3> for_ever = {1, 0, 0};
    require(EGifPutExtensionLeader(gif_.get(), APPLICATION_EXT_FUNC_CODE));
    require(EGifPutExtensionBlock(gif_.get(), 11, "NETSCAPE2.0"));
    require(EGifPutExtensionBlock(gif_.get(), for_ever.size(), for_ever.data()));
    require(EGifPutExtensionTrailer(gif_.get()));
  }

  void add(const Picture& frame) override {
    const std::size_t pixels = frame.rgba.size() / pixel_bytes;
    std::vector<bool> changed(pixels, true);
    if (!before_.rgba.empty())
      for (std::size_t i = 0; i < pixels; ++i)
        changed[i] = !std::equal(&frame.rgba[pixel_bytes * i], &frame.rgba[pixel_bytes * i] + 3,
                                 &before_.rgba[pixel_bytes * i]);
    const PixelArea area = area_of(changed);
    const std::vector<Colour8> palette = palette_of(frame, changed, palette_size - 1);
    put(area, palette, dithered(frame, changed, area, palette, unchanged));
    before_ = frame;
    ++frames_;
  }

  void finish() override {
    int error = 0;
    if (EGifCloseFile(gif_.release(), &error) == GIF_ERROR) fail(error);
    write_whole_file(plan_.file, bytes_);
  }

 private:
  static int append(GifFileType* gif, const GifByteType* bytes, int count) {
    try {
      static_cast<std::string*>(gif->UserData)
          ->append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
      return count;
    } catch (const std::bad_alloc&) {
      return 0;  // the library reports an error
    }
  }

  // Encloses what changed; one pixel where nothing did, because a frame cannot be empty.
  PixelArea area_of(const std::vector<bool>& changed) const {
    int left = plan_.width;
    int right = -1;
    int top = plan_.height;
    int bottom = -1;
    std::size_t i = 0;
    for (int y = 0; y < plan_.height; ++y)
      for (int x = 0; x < plan_.width; ++x, ++i) {
        if (!changed[i]) continue;
        left = std::min(left, x);
        right = std::max(right, x);
        top = std::min(top, y);
        bottom = y;
      }
    if (right < 0) return {0, 0, 1, 1};
    return {left, top, right - left + 1, bottom - top + 1};
  }

  void put(const PixelArea& area, const std::vector<Colour8>& palette,
           std::vector<std::uint8_t> indices) {
    GraphicsControlBlock control{.DisposalMode = DISPOSE_DO_NOT,
                                 .UserInputFlag = false,
                                 .DelayTime = centiseconds(frames_ + 1) - centiseconds(frames_),
                                 .TransparentColor = unchanged};
    std::array<GifByteType, 4> extension{};
    EGifGCBToExtension(&control, extension.data());
    require(
        EGifPutExtension(gif_.get(), GRAPHICS_EXT_FUNC_CODE, extension.size(), extension.data()));
    std::array<GifColorType, palette_size> colours{};
    for (std::size_t i = 0; i < palette.size(); ++i)
      colours[i] = {palette[i].r, palette[i].g, palette[i].b};
    const std::unique_ptr<ColorMapObject, decltype(&GifFreeMapObject)> map(
        GifMakeMapObject(palette_size, colours.data()), GifFreeMapObject);
    if (!map) throw std::bad_alloc();
    require(EGifPutImageDesc(gif_.get(), area.left, area.top, area.width, area.height, false,
                             map.get()));
    for (std::uint8_t* line = indices.data(); line != indices.data() + indices.size();
         line += area.width)
      require(EGifPutLine(gif_.get(), line, area.width));
  }

  int centiseconds(std::uint64_t frame) const { return plan_.begin_of(frame, 100.0); }
  void require(int result) const {
    if (result == GIF_ERROR) fail(gif_->Error);
  }
  [[noreturn]] void fail(int error) const {
    const char* const why = GifErrorString(error);
    detail::cannot_encode(plan_, why != nullptr ? why : "unknown");
  }

  const VideoPlan plan_;
  std::string bytes_;
  struct Close {
    void operator()(GifFileType* gif) const {
      int error = 0;
      EGifCloseFile(gif, &error);
    }
  };
  std::unique_ptr<GifFileType, Close> gif_;
  Picture before_;
  std::uint64_t frames_ = 0;
};

}  // namespace

std::unique_ptr<VideoWriter> detail::make_gif(const VideoPlan& plan) {
  return std::make_unique<GifWriter>(plan);
}

}  // namespace warpview
