// Collects what this backend implements: every row of the catalogue and the pipeline's kernels.
#include "gpu/backend_table.h"

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr bool is_here(Availability available) {
  constexpr bool cuda = Backend::WARPVIEW_BACKEND == Backend::cuda;
  constexpr bool hip = Backend::WARPVIEW_BACKEND == Backend::hip;
  constexpr bool cpu = Backend::WARPVIEW_BACKEND == Backend::cpu;
  switch (available) {
    case Availability::everywhere:
      return true;
    case Availability::cuda_only:
    case Availability::cuda_70:
    case Availability::cuda_80:
      return cuda;
    case Availability::cuda_and_cpu:
    case Availability::cuda_70_and_cpu:
      return cuda || cpu;
    case Availability::cuda_and_hip:
      return cuda || hip;
    case Availability::hip_only:
      return hip;
    case Availability::cpu_only:
      return cpu;
  }
  return false;
}

}  // namespace

#define VARIANT(primitive, name, function, ...) FunctionOf<Primitive::primitive>::Type function;
#include "gpu/catalogue.def"
#undef VARIANT

void drop(Stream&, const DropArgs&, Workspace&);
void triangle_boxes(Stream&, const TriangleBoxArgs&);
void deform(Stream&, const DeformArgs&);
void tree_statistics(Stream&, const TreeStatisticsArgs&);
void write_mesh(Stream&, const WriteMeshArgs&);
void write_boxes(Stream&, const WriteBoxesArgs&);
void write_curve(Stream&, const WriteCurveArgs&);

namespace {

// A function in a discarded branch needs no definition on this backend.
BackendTable make_table() {
  BackendTable table;
#define VARIANT(primitive, name, function, available, ...)                     \
  if constexpr (is_here(Availability::available))                              \
    table.functions.push_back(reinterpret_cast<BackendTable::Any>(&function)); \
  else                                                                         \
    table.functions.push_back(nullptr);
#include "gpu/catalogue.def"
#undef VARIANT
  table.drop = drop;
  table.triangle_boxes = triangle_boxes;
  table.deform = deform;
  table.tree_statistics = tree_statistics;
  table.write_mesh = write_mesh;
  table.write_boxes = write_boxes;
  table.write_curve = write_curve;
  return table;
}

}  // namespace

const BackendTable& backend_table() {
  static const BackendTable table = make_table();
  return table;
}

}  // namespace warpview::WARPVIEW_BACKEND
