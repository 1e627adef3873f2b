#include "scenes/parts/deform_stage.h"

#include <cstdint>
#include <utility>

namespace warpview {

StageInfo deform_stage(Deformable mesh, const char* name, const char* title, const char* about) {
  StageInfo stage{.name = name, .title = title, .about = about};
  stage.work = [&vertices = mesh.vertices, &elements = mesh.elements] {
    const std::uint64_t n = vertices.counts().vertices;
    return StageWork{n, 2 * n * sizeof(Vertex)} + elements.deformed();
  };
  stage.queue = [mesh = std::move(mesh)](const StageRun& run) {
    const Deformation* const deformation = mesh.deformation();
    run.run<Step::deform>(DeformArgs{.rest = mesh.vertices.vertices(),
                                     .count = mesh.vertices.vertex_count(),
                                     .n = mesh.vertices.vertex_capacity(),
                                     .deformation = deformation,
                                     .vertices = mesh.deformed.data()});
    mesh.elements.deform(run, deformation);
  };
  return stage;
}

}  // namespace warpview
