#include "scenes/parts/mesh_textures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "scenes/parts/image_levels.h"

namespace warpview {
namespace {

bool has_texture(const Material& material) { return material.texture != Material::no_texture; }

bool has_textures(const Mesh& mesh) {
  return std::any_of(mesh.materials.begin(), mesh.materials.end(), has_texture);
}

// Texels of an image with its mipmaps.
std::size_t texels_of(const Image& image) { return size_of(image).bytes_with_levels() / 4; }

// Where the texels of each image begin, and at the end of all.
std::vector<std::size_t> begins_of(const Mesh& mesh) {
  std::vector<std::size_t> begins{0};
  for (const Image& image : mesh.textures) begins.push_back(begins.back() + texels_of(image));
  return begins;
}

}  // namespace

MeshTextures::MeshTextures(Device& device, const Mesh& mesh) : mesh_(&mesh) {
  if (!has_textures(mesh)) return;
  if (!device.reads_host_memory()) texels_ = {device, begins_of(mesh).back()};
  textures_ = {device, mesh.materials.size()};
}

std::uint64_t MeshTextures::bytes_needed(const Mesh& mesh) {
  if (!has_textures(mesh)) return 0;
  return begins_of(mesh).back() * sizeof(std::uint32_t) + mesh.materials.size() * sizeof(Texture);
}

void MeshTextures::load(Stream& stream, LoadControl& control) {
  if (textures_.size() == 0) return;
  control.begin_phase("preparing textures");
  constexpr float of_textures = 0.3F;
  const LoadControl::Part part(control, 0.0F, of_textures);
  const std::vector<std::size_t> begins = begins_of(*mesh_);
  host_texels_.resize(begins.back());
  for (std::size_t i = 0; i < mesh_->textures.size(); ++i) {
    const auto share = static_cast<float>(i) / static_cast<float>(mesh_->textures.size());
    const Image& image = mesh_->textures[i];
    const std::vector<std::uint8_t> levels =
        with_levels(image, size_of(image), [&] { control.report(share); });
    std::memcpy(host_texels_.data() + begins[i], levels.data(), levels.size());
  }
  host_ = table(host_texels_.data());
  const bool is_copied = texels_.size() > 0;
  if (is_copied) texels_.upload_much(stream, host_texels_);
  const std::vector<Texture> on_device = is_copied ? table(texels_.data()) : host_;
  textures_.upload(stream, on_device);
  stream.synchronize();
}

std::vector<Texture> MeshTextures::table(const std::uint32_t* texels) const {
  const std::vector<std::size_t> begins = begins_of(*mesh_);
  std::vector<Texture> textures;
  for (const Material& material : mesh_->materials) {
    Texture& texture = textures.emplace_back();
    if (!has_texture(material)) continue;
    const ImageSize size = size_of(mesh_->textures[material.texture]);
    texture = {.texels = texels + begins[material.texture],
               .width = static_cast<std::uint32_t>(size.width),
               .height = static_cast<std::uint32_t>(size.height),
               .levels = static_cast<std::uint32_t>(size.levels()),
               .is_clamped = material.placement.is_clamped ? 1U : 0U,
               .scale = material.placement.scale,
               .offset = material.placement.offset};
  }
  return textures;
}

std::string MeshTextures::difference(Stream& stream) const {
  const std::vector<std::uint32_t> found = texels_.download(stream);
  const auto [a, b] = std::mismatch(found.begin(), found.end(), host_texels_.begin());
  if (a == found.end()) return {};
  return fmt::format("texel {} is {:08x}, not {:08x}", a - found.begin(), *a, *b);
}

}  // namespace warpview
