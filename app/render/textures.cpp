#include "app/render/textures.h"

#include <fmt/format.h>
#include <stb_image_resize.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "gpu/runtime/error.h"

namespace warpview {
namespace {

constexpr std::size_t channels = 4;

struct Size {
  int width = 1;
  int height = 1;

  bool operator==(const Size&) const = default;
  bool operator<(const Size& other) const {
    return width != other.width ? width < other.width : height < other.height;
  }
  std::uint64_t pixels() const {
    return static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
  }
  std::size_t bytes() const { return channels * static_cast<std::size_t>(pixels()); }
  // Size of the level below.
  Size halved() const { return {std::max(width / 2, 1), std::max(height / 2, 1)}; }
};

Size size_of(const Image& image) {
  const auto side = [](std::uint32_t pixels) {
    return static_cast<int>(std::clamp(pixels, 1U, Image::longest_side));
  };
  return {side(image.width), side(image.height)};
}

// How many bits it takes to write `n`, which is not negative.
int bits_of(int n) { return static_cast<int>(std::bit_width(static_cast<unsigned>(n))); }

int levels_of(Size size) { return bits_of(std::max(size.width, size.height)); }

using Group = TexturePlan::Array;

Size size_of(const Group& group) { return {group.width, group.height}; }

std::uint64_t pixels_of(const Group& group) {
  return size_of(group).pixels() * group.images.size();
}

std::size_t arrays_of(const Group& group) {
  return (group.images.size() + most_texture_layers - 1) / most_texture_layers;
}

Size around(const Group& a, const Group& b) {
  return {std::max(a.width, b.width), std::max(a.height, b.height)};
}

// Those of one size are a group. Where there are very many sizes, those between the same powers of
// two are.
std::vector<Group> group_by_size(std::span<const Image> images) {
  constexpr std::size_t most_groups = 144;
  const auto grouped = [images](auto&& key_of) {
    std::map<Size, Group> groups;
    for (std::size_t i = 0; i < images.size(); ++i) {
      const Size size = size_of(images[i]);
      Group& group = groups[key_of(size)];
      group.width = std::max(group.width, size.width);
      group.height = std::max(group.height, size.height);
      group.images.push_back(i);
    }
    return groups;
  };
  std::map<Size, Group> groups = grouped([](Size size) { return size; });
  if (groups.size() > most_groups)
    groups = grouped([](Size size) {
      return Size{bits_of(size.width - 1), bits_of(size.height - 1)};
    });
  std::vector<Group> found;
  found.reserve(groups.size());
  for (auto& [key, group] : groups) found.push_back(std::move(group));
  return found;
}

// Joins groups until there are few enough arrays, and further while that costs little: each array
// is a texture that the shader has to choose among.
void join(std::vector<Group>& groups, std::uint64_t pixels_of_images) {
  const std::uint64_t little = pixels_of_images + pixels_of_images / 2;
  std::uint64_t pixels = 0;
  for (const Group& group : groups) pixels += pixels_of(group);
  while (groups.size() > 1) {
    std::pair<std::size_t, std::size_t> best;
    std::uint64_t least = ~std::uint64_t{0};
    std::size_t arrays = 0;
    for (std::size_t a = 0; a < groups.size(); ++a) {
      arrays += arrays_of(groups[a]);
      for (std::size_t b = a + 1; b < groups.size(); ++b) {
        const std::uint64_t more = around(groups[a], groups[b]).pixels() *
                                       (groups[a].images.size() + groups[b].images.size()) -
                                   pixels_of(groups[a]) - pixels_of(groups[b]);
        if (more >= least) continue;
        least = more;
        best = {a, b};
      }
    }
    if (arrays <= most_texture_arrays && pixels + least > little) return;
    Group& into = groups[best.first];
    const Group& from = groups[best.second];
    const Size joined = around(into, from);
    into.width = joined.width;
    into.height = joined.height;
    into.images.insert(into.images.end(), from.images.begin(), from.images.end());
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(best.second));
    pixels += least;
  }
}

void resize(const std::uint8_t* from, Size old_size, std::uint8_t* to, Size new_size) {
  constexpr int alpha_channel = 3;
  if (stbir_resize_uint8_srgb(from, old_size.width, old_size.height, 0, to, new_size.width,
                              new_size.height, 0, channels, alpha_channel, 0) == 0)
    throw Error(
        fmt::format("resizing a texture to {} x {} pixels", new_size.width, new_size.height),
        "there is not enough memory", "Use smaller textures");
}

std::size_t bytes_with_levels(Size size) {
  std::size_t bytes = 0;
  for (int level = levels_of(size); level > 0; --level, size = size.halved()) bytes += size.bytes();
  return bytes;
}

// All levels of an image, each made of the one above it.
template <class Visit>
std::vector<std::uint8_t> with_levels(const Image& image, Size size, Visit each_level) {
  std::vector<std::uint8_t> levels(bytes_with_levels(size));
  const Size original = {static_cast<int>(image.width), static_cast<int>(image.height)};
  if (original == size)
    std::copy(image.rgba.begin(), image.rgba.end(), levels.begin());
  else
    resize(image.rgba.data(), original, levels.data(), size);
  each_level();
  std::uint8_t* above = levels.data();
  for (int level = levels_of(size) - 1; level > 0; --level) {
    std::uint8_t* const below = above + size.bytes();
    resize(above, size, below, size.halved());
    each_level();
    above = below;
    size = size.halved();
  }
  return levels;
}

}  // namespace

int TextureArray::levels() const { return levels_of({width, height}); }

std::uint64_t TexturePlan::memory() const {
  std::uint64_t bytes = 0;
  for (const Array& array : arrays)
    bytes += bytes_with_levels(size_of(array)) * array.images.size();
  return bytes;
}

TexturePlan plan_textures(std::span<const Image> images) {
  if (images.size() > most_texture_arrays * most_texture_layers)
    throw Error(
        fmt::format("{} textures", images.size()),
        fmt::format("at most {} are drawn in one scene", most_texture_arrays * most_texture_layers),
        "Use fewer of them");
  std::uint64_t pixels = 0;
  for (const Image& image : images) pixels += size_of(image).pixels();
  std::vector<Group> groups = group_by_size(images);
  join(groups, pixels);
  TexturePlan plan;
  for (Group& group : groups)
    for (std::size_t begin = 0; begin < group.images.size(); begin += most_texture_layers) {
      const std::size_t end = std::min(begin + most_texture_layers, group.images.size());
      const auto first = group.images.begin();
      plan.arrays.push_back(
          {group.width,
           group.height,
           {first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end)}});
    }
  return plan;
}

TextureArrays make_textures(std::span<const Image> images, std::uint64_t memory,
                            const std::function<void(float)>& report) {
  const TexturePlan plan = plan_textures(images);
  if (const std::uint64_t needed = plan.memory(); needed > memory)
    throw Error(
        fmt::format("{} textures", images.size()),
        fmt::format("drawing them takes about {:.1f} MiB of memory, {:.1f} MiB are free",
                    static_cast<double>(needed) / 0x1p20, static_cast<double>(memory) / 0x1p20),
        "Use smaller textures, or fewer of them");
  TextureArrays made;
  made.places.resize(images.size());
  std::size_t images_done = 0;
  for (const TexturePlan::Array& planned : plan.arrays) {
    const auto number = static_cast<std::int32_t>(made.arrays.size());
    TextureArray& array = made.arrays.emplace_back();
    array.width = planned.width;
    array.height = planned.height;
    for (const std::size_t i : planned.images) {
      made.places[i] = {number, static_cast<std::int32_t>(array.layers.size())};
      array.layers.push_back(with_levels(images[i], size_of(planned), [&] {
        report(static_cast<float>(images_done) / static_cast<float>(images.size()));
      }));
      ++images_done;
    }
  }
  return made;
}

}  // namespace warpview
