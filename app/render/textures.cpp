#include "app/render/textures.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "gpu/runtime/error.h"
#include "scenes/parts/image_levels.h"

namespace warpview {
namespace {

// How many bits it takes to write `n`, which is not negative.
int bits_of(int n) { return static_cast<int>(std::bit_width(static_cast<unsigned>(n))); }

using Group = TexturePlan::Array;

ImageSize size_of(const Group& group) { return {group.width, group.height}; }

std::uint64_t pixels_of(const Group& group) {
  return size_of(group).pixels() * group.images.size();
}

std::size_t arrays_of(const Group& group) {
  return (group.images.size() + most_texture_layers - 1) / most_texture_layers;
}

ImageSize around(const Group& a, const Group& b) {
  return {std::max(a.width, b.width), std::max(a.height, b.height)};
}

// Those of one size are a group. Where there are very many sizes, those between the same powers of
// two are.
std::vector<Group> group_by_size(std::span<const Image> images) {
  constexpr std::size_t most_groups = 144;
  const auto grouped = [images](auto&& key_of) {
    std::map<ImageSize, Group> groups;
    for (std::size_t i = 0; i < images.size(); ++i) {
      const ImageSize size = size_of(images[i]);
      Group& group = groups[key_of(size)];
      group.width = std::max(group.width, size.width);
      group.height = std::max(group.height, size.height);
      group.images.push_back(i);
    }
    return groups;
  };
  std::map<ImageSize, Group> groups = grouped([](ImageSize size) { return size; });
  if (groups.size() > most_groups)
    groups = grouped([](ImageSize size) {
      return ImageSize{bits_of(size.width - 1), bits_of(size.height - 1)};
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
    const ImageSize joined = around(into, from);
    into.width = joined.width;
    into.height = joined.height;
    into.images.insert(into.images.end(), from.images.begin(), from.images.end());
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(best.second));
    pixels += least;
  }
}

}  // namespace

int TextureArray::levels() const { return ImageSize{width, height}.levels(); }

std::uint64_t TexturePlan::memory() const {
  std::uint64_t bytes = 0;
  for (const Array& array : arrays)
    bytes += size_of(array).bytes_with_levels() * array.images.size();
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
