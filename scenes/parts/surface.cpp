#include "scenes/parts/surface.h"

#include "gpu/steps/write.h"

namespace warpview {

void write_surface(const StageRun& run, const Vertices& mesh, const Vertex* positions,
                   const SurfaceTargets& targets) {
  if (!targets.any()) return;
  run.run<Step::write_mesh>(WriteMeshArgs{.vertices = positions,
                                          .counts = mesh.device_counts(),
                                          .n_vertices = mesh.vertex_capacity(),
                                          .out_vertices = targets.vertices,
                                          .indices = mesh.indices(),
                                          .material = mesh.material(),
                                          .colours = mesh.colours(),
                                          .n_triangles = mesh.triangle_capacity(),
                                          .out_indices = targets.indices,
                                          .out_material = targets.material,
                                          .out_colours = mesh.colours() ? targets.colours : nullptr,
                                          .triangles = targets.triangles,
                                          .points = targets.points});
}

StageWork work_of(const Vertices& mesh, const SurfaceTargets& targets) {
  const MeshCounts& counts = mesh.counts();
  StageWork work;
  const auto add = [&work](const void* target, std::uint64_t items, std::size_t bytes) {
    if (!target) return;
    work.items += items;
    work.bytes += 2 * items * bytes;
  };
  add(targets.vertices, counts.vertices, sizeof(Vertex));
  add(targets.indices, counts.corners, sizeof(std::uint32_t));
  add(targets.material, counts.triangles, sizeof(std::uint32_t));
  if (mesh.colours()) add(targets.colours, counts.corners, sizeof(std::uint32_t));
  return work;
}

}  // namespace warpview
