// Points and lines of a mesh's file, on the device: as they came, or deformed like the mesh.
#pragma once

#include <cstdint>

#include "gpu/interop/draw_command.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/vertex.h"
#include "gpu/steps/deform.h"
#include "gpu/timeline/timeline.h"
#include "scenes/files/mesh.h"

namespace warpview {

// Streams of the points and of the ends of lines, in the order in which their kinds want them.
struct ElementStreams {
  std::size_t points = 0, point_colours = 0;
  std::size_t ends = 0, end_colours = 0;
  std::size_t points_command = 0, lines_command = 0;
};

// What a frame wants of them, and where it goes. A null stream is not written.
struct ElementTargets {
  Vertex* points = nullptr;
  std::uint32_t* point_colours = nullptr;
  Vertex* ends = nullptr;
  std::uint32_t* end_colours = nullptr;
};

// Their bounds. Empty where there is none.
Aabb bounds_of_elements(const Mesh& mesh);

class Elements {
 public:
  // The mesh must outlive this. Error when it has 2^31 of them or more.
  Elements(Timeline& timeline, const Mesh& mesh);

  // With two slots of everything that is drawn of them.
  static std::uint64_t bytes_needed(const Mesh& mesh);

  bool any() const { return points_ + ends_ > 0; }
  // Fills device memory, and the draw commands. Waits.
  void upload(DrawCommand* points, DrawCommand* lines);
  // Queues their deformation; without it they are as they came.
  void deform(const StageRun& run, const Deformation* deformation);
  // Queues copies to the targets: of what deform() left, or as they came.
  void write(const StageRun& run, bool deformed, const ElementTargets& targets) const;
  // What deform() moves, reading and writing each byte once; and what write() does.
  StageWork deformed() const;
  StageWork work_of(const ElementTargets& targets) const;

 private:
  Timeline& timeline_;
  const Mesh& mesh_;
  std::uint32_t points_, ends_;
  Buffer<Vertex> rest_, deformed_;  // points, then ends
  Buffer<std::uint32_t> colours_, count_;
};

}  // namespace warpview
