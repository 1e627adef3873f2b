// Points and lines of a mesh's file, on the device: as they came, or deformed like the mesh.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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
  std::uint32_t point_count() const { return points_; }
  // Fills device memory, and the draw commands. Waits.
  void upload(DrawCommand* points, DrawCommand* lines);
  // Queues their deformation; without it they are as they came.
  void deform(const StageRun& run, const Deformation* deformation);
  // Queues copies to the targets: of what deform() left, or as they came.
  void write(const StageRun& run, bool deformed, const ElementTargets& targets) const;
  // What deform() moves, reading and writing each byte once; and what write() does.
  StageWork deformed() const;
  StageWork work_of(const ElementTargets& targets) const;

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
