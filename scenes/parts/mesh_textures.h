// The textures of a mesh's materials, where kernels sample them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gpu/operators/texture.h"
#include "gpu/runtime/buffer.h"
#include "scenes/files/load_control.h"
#include "scenes/files/mesh.h"

namespace warpview {

class MeshTextures {
 public:
  // Takes device memory; nothing where no material has a texture. Where the device reads the host's
  // memory, texels stay there. The mesh must outlive this.
  MeshTextures(Device& device, const Mesh& mesh);

  // Bytes of device memory that a mesh's textures take, at most.
  static std::uint64_t bytes_needed(const Mesh& mesh);

  // Makes the mipmaps on the host, reports, and uploads them. Waits. LoadCancelled after
  // control.cancel().
  void load(Stream& stream, LoadControl& control);

  // The texture of each material; null: none has one. In device memory, and the same on the host.
  const Texture* device() const { return textures_.size() > 0 ? textures_.data() : nullptr; }
  const Texture* host() const { return host_.empty() ? nullptr : host_.data(); }

  // How the device's texels differ from the host's; empty if they do not. Waits.
  std::string difference(Stream& stream) const;

 private:
  // The textures by material, whose texels begin at `texels`.
  std::vector<Texture> table(const std::uint32_t* texels) const;

  const Mesh* mesh_;
  std::vector<std::uint32_t> host_texels_;
  std::vector<Texture> host_;
  Buffer<std::uint32_t> texels_;  // empty where the device reads those of the host
  Buffer<Texture> textures_;
};

}  // namespace warpview
