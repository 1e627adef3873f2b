// Collects what this backend implements: every row of the catalogue and the pipeline's kernels.
#include "gpu/backend_table.h"

#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

// The function type of each primitive, by the name its rows use.
namespace function_type {
using scan = ScanFunction;
using dedup = DedupFunction;
using bounds = BoundsFunction;
using morton = MortonFunction;
using sort = SortFunction;
using build = BuildFunction;
using refit = RefitFunction;
}  // namespace function_type

constexpr bool is_here(Availability available) {
  constexpr Backend backend = Backend::WARPVIEW_BACKEND;
  return available == Availability::everywhere ||
         (available == Availability::cuda_only && backend == Backend::cuda) ||
         (available == Availability::hip_only && backend == Backend::hip) ||
         (available == Availability::cpu_only && backend == Backend::cpu);
}

}  // namespace

#define VARIANT(primitive, name, function, ...) function_type::primitive function;
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
