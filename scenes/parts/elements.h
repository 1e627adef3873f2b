// Points and lines of a mesh's file, on the device: as they came, or deformed like the mesh.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gpu/interop/draw_command.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/vertex.h"
#include "gpu/steps/deform.h"
#include "gpu/timeline/timeline.h"
#include "scenes/files/mesh.h"
#include "scenes/scene.h"

namespace warpview {

// Their bounds. Empty where there is none.
Aabb bounds_of_elements(const Mesh& mesh);

class Elements {
 public:
  // The mesh must outlive this. Error when it has 2^31 of them or more.
  Elements(Timeline& timeline, const Mesh& mesh);

  static std::uint64_t bytes_needed(const Mesh& mesh);

  bool any() const { return points_ + ends_ > 0; }
  // Fills device memory, and the two draw commands of writer(). Waits.
  void upload(DrawCommand* commands);
  // Queues their deformation; without it they are as they came.
  void deform(const StageRun& run, const Deformation* deformation);
  // The fewest bytes that deform() moves.
  StageWork deformed() const;
  // Streams of points, their colours, ends of lines and theirs; draw commands of points and lines.
  // Copies what deform() left, or what came where `is_deformed` says no.
  Writer writer(const std::function<bool()>& is_deformed) const;

  // --- for verification: points, then ends. As the mesh has them, and as deform() left them on the
  // device, which waits.
  std::vector<Vertex> at_rest() const;
  std::vector<std::uint32_t> colours() const;
  std::vector<Vertex> deformed_vertices() const;
  // Where what deform() left first differs from the same done sequentially; empty: nowhere.
  std::string check_deformed(const Deformation& deformation) const;

 private:
  Timeline& timeline_;
  const Mesh& mesh_;
  std::uint32_t points_, ends_;
  Buffer<Vertex> rest_, deformed_;  // points, then ends
  Buffer<std::uint32_t> colours_, count_;
};

}  // namespace warpview
