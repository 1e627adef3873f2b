#include "tests/video/decoded.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>

#ifdef WARPVIEW_HAS_GIF
#include <gif_lib.h>
#endif
#ifdef WARPVIEW_HAS_WEBP
#include <webp/demux.h>
#endif

namespace warpview::test {
namespace {

constexpr std::size_t channels = 4;

#ifdef WARPVIEW_HAS_WEBP
std::vector<DecodedFrame> decoded_webp(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
  const std::unique_ptr<WebPAnimDecoder, decltype(&WebPAnimDecoderDelete)> decoder(
      WebPAnimDecoderNew(&data, nullptr), WebPAnimDecoderDelete);
  WebPAnimInfo info{};
  if (!decoder || WebPAnimDecoderGetInfo(decoder.get(), &info) == 0)
    throw std::runtime_error(file + " is no WebP");
  std::vector<DecodedFrame> frames;
  int before = 0;
  while (WebPAnimDecoderHasMoreFrames(decoder.get()) != 0) {
    std::uint8_t* pixels = nullptr;
    int end = 0;
    if (WebPAnimDecoderGetNext(decoder.get(), &pixels, &end) == 0)
      throw std::runtime_error(file + " has a broken frame");
    DecodedFrame& frame = frames.emplace_back();
    frame.picture.width = static_cast<int>(info.canvas_width);
    frame.picture.height = static_cast<int>(info.canvas_height);
    frame.picture.rgba.assign(
        pixels, pixels + channels * std::size_t{info.canvas_width} * info.canvas_height);
    frame.milliseconds = end - before;
    before = end;
  }
  return frames;
}
#endif

#ifdef WARPVIEW_HAS_GIF
// What the frame draws over the picture.
void draw(const GifFileType& gif, int index, Picture& picture, int& milliseconds) {
  const SavedImage& image = gif.SavedImages[index];
  GraphicsControlBlock control{};
  control.TransparentColor = NO_TRANSPARENT_COLOR;
  DGifSavedExtensionToGCB(const_cast<GifFileType*>(&gif), index, &control);
  milliseconds = 10 * control.DelayTime;
  const ColorMapObject* const map =
      image.ImageDesc.ColorMap != nullptr ? image.ImageDesc.ColorMap : gif.SColorMap;
  if (map == nullptr) throw std::runtime_error("a frame of a GIF has no colours");
  for (int y = 0; y < image.ImageDesc.Height; ++y)
    for (int x = 0; x < image.ImageDesc.Width; ++x) {
      const int colour = image.RasterBits[y * image.ImageDesc.Width + x];
      if (colour == control.TransparentColor) continue;
      const GifColorType& given = map->Colors[colour];
      const auto pixel =
          channels * static_cast<std::size_t>((image.ImageDesc.Top + y) * gif.SWidth +
                                              image.ImageDesc.Left + x);
      picture.rgba[pixel] = given.Red;
      picture.rgba[pixel + 1] = given.Green;
      picture.rgba[pixel + 2] = given.Blue;
      picture.rgba[pixel + 3] = 255;
    }
}

std::vector<DecodedFrame> decoded_gif(const std::string& file) {
  int error = 0;
  GifFileType* const gif = DGifOpenFileName(file.c_str(), &error);
  if (gif == nullptr) throw std::runtime_error(file + " is no GIF");
  const auto close = [](GifFileType* each) {
    int none = 0;
    DGifCloseFile(each, &none);
  };
  const std::unique_ptr<GifFileType, decltype(close)> closes(gif, close);
  if (DGifSlurp(gif) == GIF_ERROR) throw std::runtime_error(file + " is broken");
  Picture picture{gif->SWidth, gif->SHeight, {}};
  picture.rgba.resize(channels * static_cast<std::size_t>(gif->SWidth * gif->SHeight));
  std::vector<DecodedFrame> frames;
  for (int i = 0; i < gif->ImageCount; ++i) {
    int milliseconds = 0;
    draw(*gif, i, picture, milliseconds);
    frames.push_back({picture, milliseconds});
  }
  return frames;
}
#endif

}  // namespace

bool can_decode([[maybe_unused]] const std::string& file) {
#ifdef WARPVIEW_HAS_WEBP
  if (file.ends_with(".webp")) return true;
#endif
#ifdef WARPVIEW_HAS_GIF
  if (file.ends_with(".gif")) return true;
#endif
  return false;
}

std::vector<DecodedFrame> decoded(const std::string& file) {
#ifdef WARPVIEW_HAS_WEBP
  if (file.ends_with(".webp")) return decoded_webp(file);
#endif
#ifdef WARPVIEW_HAS_GIF
  if (file.ends_with(".gif")) return decoded_gif(file);
#endif
  throw std::runtime_error("nothing decodes " + file);
}

}  // namespace warpview::test
