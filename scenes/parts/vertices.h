// A mesh on the device: corners as they came, what is finite of them, and the vertices and indices
// that they become.
//
//   upload -> scan (drop what is not finite) -> dedup
//
// or, for what tears its triangles apart, without de-duplication: then every corner is a vertex.
// Where the device reads the host's memory nothing is uploaded.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gpu/runtime/buffer.h"
#include "gpu/steps/mesh.h"
#include "gpu/timeline/timeline.h"
#include "scenes/files/load_control.h"
#include "scenes/files/mesh.h"
#include "scenes/scene.h"

namespace warpview {

enum class Corners { shared, apart };

// The bounds of the triangles that `scan` keeps, on the host: of those without a coordinate that is
// no finite number. Empty where there is none.
Aabb bounds_of_finite(const Mesh& mesh);

class Vertices {
 public:
  // Adds the stages, each name with `prefix` before it. The mesh must outlive this. Error when it
  // has 2^31 corners or more.
  Vertices(Timeline& timeline, const Mesh& mesh, const std::string& prefix = "",
           Corners corners = Corners::shared);

  static constexpr int stages = 3;  // that upload() and compute() run
  static std::uint64_t bytes_needed(const Mesh& mesh);

  // From the host's corners on. Queues only.
  void upload();
  // From the device's corners on, or from a later stage: nothing where that is not one of these.
  // Queues only.
  void compute(StageId first = {});

  std::uint32_t triangle_capacity() const { return triangles_; }
  std::uint32_t vertex_capacity() const { return 3 * triangles_; }
  // All in device memory. Counts are upper bounds for the host; the counts themselves lie here.
  const Vertex* vertices() const {  // [vertex_capacity()]
    return is_apart_ ? kept_corners_.data() : vertices_.data();
  }
  const std::uint32_t* indices() const { return indices_.data(); }  // [3 triangle_capacity()]
  const std::uint32_t* material() const { return kept_material_.data(); }  // [triangle_capacity()]
  // [3 triangle_capacity()]: of corners, as Mesh::corner_colours has them; null: the mesh has none.
  const std::uint32_t* colours() const {
    return kept_colours_.size() > 0 ? kept_colours_.data() : nullptr;
  }
  const MeshCounts* device_counts() const { return counts_.data(); }
  const std::uint32_t* triangle_count() const { return &counts_.data()->triangles; }
  const std::uint32_t* vertex_count() const { return &counts_.data()->vertices; }
  // As of the timeline's last collect().
  const MeshCounts& counts() const { return *read_counts_; }

  // --- for verification: what lies on the device. Waits.
  struct Snapshot {
    MeshCounts counts;
    std::vector<Vertex> corners;  // as kept by `scan`
    std::vector<std::uint32_t> material;
    std::vector<std::uint32_t> colours;
    std::vector<Vertex> vertices;
    std::vector<std::uint32_t> indices;
  };
  Snapshot snapshot() const;
  // Holds a snapshot against the same done sequentially from the mesh: each stage in turn, up to
  // the first that differs.
  std::vector<Check> verify(const Snapshot& snapshot) const;

 private:
  // Is it read where the host has it? Then the stage that uploads has nothing to do.
  bool lies_on_host() const { return timeline_.device().reads_host_memory(); }
  void add_dedup();
  void add_numbering();

  Timeline& timeline_;
  const Mesh& mesh_;
  std::string prefix_;
  bool is_apart_;
  std::uint32_t triangles_;
  StageId upload_, scan_, index_;  // `index_` de-duplicates, or numbers the corners
  Buffer<Vertex> corners_, kept_corners_, vertices_;
  Buffer<std::uint32_t> material_, kept_material_, colours_, kept_colours_, indices_;
  Buffer<MeshCounts> counts_;
  ReadBack<MeshCounts> read_counts_;
};

}  // namespace warpview
