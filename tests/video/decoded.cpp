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
// A WebP file that is read.
struct Webp {
  explicit Webp(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
    const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
    decoder.reset(WebPAnimDecoderNew(&data, nullptr));
    if (!decoder || WebPAnimDecoderGetInfo(decoder.get(), &info) == 0)
      throw std::runtime_error(file + " is no WebP");
  }

  std::string bytes;
  WebPAnimInfo info{};
  std::unique_ptr<WebPAnimDecoder, decltype(&WebPAnimDecoderDelete)> decoder{nullptr,
                                                                             WebPAnimDecoderDelete};
};

std::vector<DecodedFrame> decoded_webp(const std::string& file) {
  const Webp webp(file);
  const auto& [bytes, info, decoder] = webp;
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
// Draws the frame over the picture. True: its area is cleared before the next one.
bool draw(const GifFileType& gif, int index, Picture& picture, int& milliseconds) {
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
  return control.DisposalMode == DISPOSE_BACKGROUND;
}

struct CloseGif {
  void operator()(GifFileType* gif) const {
    int none = 0;
    DGifCloseFile(gif, &none);
  }
};
using Gif = std::unique_ptr<GifFileType, CloseGif>;

Gif open_gif(const std::string& file) {
  int error = 0;
  Gif gif(DGifOpenFileName(file.c_str(), &error));
  if (!gif) throw std::runtime_error(file + " is no GIF");
  if (DGifSlurp(gif.get()) == GIF_ERROR) throw std::runtime_error(file + " is broken");
  return gif;
}

// By the extension of Netscape, before the first frame.
bool gif_repeats(const std::string& file) {
  const Gif gif = open_gif(file);
  const SavedImage& first = gif->SavedImages[0];
  const auto bytes = [](const ExtensionBlock& block) {
    return std::string(reinterpret_cast<const char*>(block.Bytes),
                       static_cast<std::size_t>(block.ByteCount));
  };
  for (int i = 0; i + 1 < first.ExtensionBlockCount; ++i)
    if (first.ExtensionBlocks[i].Function == APPLICATION_EXT_FUNC_CODE &&
        bytes(first.ExtensionBlocks[i]) == "NETSCAPE2.0")
      return bytes(first.ExtensionBlocks[i + 1]) == std::string("\1\0\0", 3);
  return false;
}

std::vector<DecodedFrame> decoded_gif(const std::string& file) {
  const Gif gif = open_gif(file);
  Picture picture{gif->SWidth, gif->SHeight, {}};
  picture.rgba.resize(channels * static_cast<std::size_t>(gif->SWidth * gif->SHeight));
  std::vector<DecodedFrame> frames;
  for (int i = 0; i < gif->ImageCount; ++i) {
    int milliseconds = 0;
    const bool clears = draw(*gif, i, picture, milliseconds);
    frames.push_back({picture, milliseconds});
    if (clears) std::fill(picture.rgba.begin(), picture.rgba.end(), std::uint8_t{0});
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

bool repeats_for_ever(const std::string& file) {
#ifdef WARPVIEW_HAS_WEBP
  if (file.ends_with(".webp")) return Webp(file).info.loop_count == 0;
#endif
#ifdef WARPVIEW_HAS_GIF
  if (file.ends_with(".gif")) return gif_repeats(file);
#endif
  throw std::runtime_error("nothing decodes " + file);
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
