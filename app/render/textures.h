// Images of any sizes as a few arrays of textures, prepared where no picture waits for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "scenes/files/mesh.h"

namespace warpview {

// Images of one size, RGBA and sRGB-encoded, with their mipmaps. These are made here, so that the
// picture does not depend on the driver.
struct TextureArray {
  int width = 1;
  int height = 1;
  // All levels of each, one behind the other: the whole image first, a single pixel last. A level
  // has half the width and height of the one above, rounded down, and at least 1.
  std::vector<std::vector<std::uint8_t>> layers;

  int levels() const;
};

struct TextureArrays {
  struct Place {
    std::int32_t array = 0;
    std::int32_t layer = 0;
  };
  std::vector<TextureArray> arrays;
  std::vector<Place> places;  // of each image
};

// As many as a shader looks into, and as many layers as every OpenGL 4.5 takes.
constexpr std::size_t most_texture_arrays = 8;
constexpr std::size_t most_texture_layers = 2048;

// How large a texture is made for each image, and which share an array. Images of like sizes share
// one, where they get the largest width and height among them, at most Image::longest_side: a large
// one does not make all others large.
struct TexturePlan {
  struct Array {
    int width = 1;
    int height = 1;
    std::vector<std::size_t> images;
  };
  std::vector<Array> arrays;

  // Bytes, with all levels.
  std::uint64_t memory() const;
};
// Error when there are more images than the arrays have layers.
TexturePlan plan_textures(std::span<const Image> images);

// `report` is called between levels with the share that is done, 0 to 1; what it throws leaves.
// Error when this takes more than `memory` bytes beside the images, and where plan_textures() says
// so.
TextureArrays make_textures(std::span<const Image> images, std::uint64_t memory,
                            const std::function<void(float)>& report);

}  // namespace warpview
