// Animated WebP by libwebp.
#include <webp/encode.h>
#include <webp/mux.h>

#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "app/video/writer.h"
#include "gpu/runtime/error.h"
#include "gpu/runtime/whole_file.h"

namespace warpview {
namespace {

class WebpWriter final : public VideoWriter {
 public:
  explicit WebpWriter(const VideoPlan& plan) : plan_(plan) {
    WebPAnimEncoderOptions options;
    if (WebPAnimEncoderOptionsInit(&options) == 0 || WebPConfigInit(&config_) == 0)
      throw Error(plan.file, "libwebp is of another version than the program was built for",
                  "Install the version that the program was built with, or rebuild it");
    constexpr float good = 90.0F;  // of 100: edges and text stay clean
    config_.quality = good;
    config_.method = 3;  // of 6: at 4 a frame takes half as long again, and is 2 % smaller
    config_.alpha_quality = 100;
    encoder_.reset(WebPAnimEncoderNew(plan.width, plan.height, &options));
    if (!encoder_) throw std::bad_alloc();
  }

  void add(const Picture& frame) override {
    WebPPicture picture;
    if (WebPPictureInit(&picture) == 0) fail("libwebp is of another version");
    const std::unique_ptr<WebPPicture, decltype(&WebPPictureFree)> frees(&picture, WebPPictureFree);
    picture.use_argb = 1;
    picture.width = frame.width;
    picture.height = frame.height;
    constexpr int channels = 4;
    const int read =
        plan_.transparent
            ? WebPPictureImportRGBA(&picture, frame.rgba.data(), channels * frame.width)
            : WebPPictureImportRGBX(&picture, frame.rgba.data(), channels * frame.width);
    if (read == 0) throw std::bad_alloc();
    if (WebPAnimEncoderAdd(encoder_.get(), &picture, milliseconds(frames_++), &config_) == 0)
      fail(WebPAnimEncoderGetError(encoder_.get()));
  }

  void finish() override {
    if (WebPAnimEncoderAdd(encoder_.get(), nullptr, milliseconds(frames_), nullptr) == 0)
      fail(WebPAnimEncoderGetError(encoder_.get()));
    struct Data : WebPData {
      Data() : WebPData{} { WebPDataInit(this); }
      ~Data() { WebPDataClear(this); }
      Data(const Data&) = delete;
      Data& operator=(const Data&) = delete;
    } data;
    if (WebPAnimEncoderAssemble(encoder_.get(), &data) == 0)
      fail(WebPAnimEncoderGetError(encoder_.get()));
    write_whole_file(plan_.file,
                     std::string_view(reinterpret_cast<const char*>(data.bytes), data.size));
  }

 private:
  int milliseconds(std::uint64_t frame) const { return plan_.begin_of(frame, 1000.0); }
  [[noreturn]] void fail(const std::string& why) const { detail::cannot_encode(plan_, why); }

  const VideoPlan plan_;
  WebPConfig config_{};
  std::unique_ptr<WebPAnimEncoder, decltype(&WebPAnimEncoderDelete)> encoder_{
      nullptr, WebPAnimEncoderDelete};
  std::uint64_t frames_ = 0;
};

}  // namespace

std::unique_ptr<VideoWriter> detail::make_webp(const VideoPlan& plan) {
  return std::make_unique<WebpWriter>(plan);
}

}  // namespace warpview
