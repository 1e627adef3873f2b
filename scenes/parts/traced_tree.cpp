#include "scenes/parts/traced_tree.h"

#include <fmt/format.h>

#include "scenes/parts/differences.h"
#include "scenes/parts/rays_reference.h"

namespace warpview {
namespace {

StageInfo leaves_stage(const Tree& tree, const std::string& prefix,
                       const Buffer<LeafTriangle>& leaves) {
  return {.name = prefix + "leaves",
          .title = stage_title(prefix, "Leaf triangles"),
          .about = "Copies the corners of each triangle to its leaf's place, for the rays.",
          .queue =
              [&tree, &leaves](const StageRun& run) {
                run.run<Step::leaf_triangles>(LeafTrianglesArgs{.count = tree.count(),
                                                                .bvh = tree.bvh(),
                                                                .vertices = tree.vertices(),
                                                                .indices = tree.indices(),
                                                                .out = leaves.data()});
              },
          .work =
              [&tree] {
                const std::uint64_t n = tree.triangle_count();
                return StageWork{n, n * (2 * sizeof(LeafTriangle) + sizeof(std::uint32_t))};
              }};
}

}  // namespace

TracedTree::TracedTree(Timeline& timeline, const Tree& tree, const std::string& prefix)
    : timeline_(timeline),
      tree_(tree),
      prefix_(prefix),
      leaves_(timeline.device(), tree.capacity()),
      leaf_stage_(timeline.add(leaves_stage(tree, prefix, leaves_))),
      wide_(timeline, tree, leaves_, prefix) {}

std::uint64_t TracedTree::bytes_needed(std::uint64_t triangles) {
  return triangles * sizeof(LeafTriangle) + RaysWide::bytes_needed(triangles);
}

// A tracer that is chosen may walk a tree that is not there yet. True: there is a new one, empty.
bool TracedTree::make_room_for(const std::vector<VariantId>& tracers) {
  const bool has_room = wide_.has_room_for(tracers);
  if (has_room && !wide_.has_more_than(tracers)) return false;
  timeline_.collect();
  timeline_.forget_graphs();
  timeline_.begin_anew(wide_.stage());
  wide_.make_room_for(tracers);
  return !has_room;
}

void TracedTree::compute(StageId first, const std::vector<VariantId>& tracers) {
  if (first <= leaf_stage_) timeline_.run(leaf_stage_);
  const bool is_new = make_room_for(tracers);
  if (first <= wide_.stage() || is_new) timeline_.run(wide_.stage());
}

void TracedTree::prepare_for(const std::vector<VariantId>& tracers) {
  if (!wide_.has_room_for(tracers) && make_room_for(tracers)) timeline_.run_untimed(wide_.stage());
}

void TracedTree::renew() {
  timeline_.run(leaf_stage_);
  timeline_.run(wide_.stage());
}

void TracedTree::renew_untimed() {
  timeline_.run_untimed(leaf_stage_);
  timeline_.run_untimed(wide_.stage());
}

double TracedTree::milliseconds(double (StageTimes::*of)() const) const {
  return (timeline_.times(leaf_stage_).*of)() + (timeline_.times(wide_.stage()).*of)();
}

std::string TracedTree::why_not_traced(VariantId tracer, std::uint32_t rays) {
  if ((tracer->traits & TraceTrait::own_tree) != 0)
    return "makes a tree of its own, which no stage keeps; the laboratory runs it";
  if ((tracer->traits & TraceTrait::all_triangles) == 0 || rays <= most_rays_for_all) return {};
  return fmt::format("takes {} rays at most, and there may be {}", most_rays_for_all, rays);
}

void TracedTree::trace(const StageRun& run, VariantId tracer, TraceArgs args) const {
  args.count = tree_.count();
  args.bvh = tree_.bvh();
  args.leaves = leaves_.data();
  const BackendTable& table = run.stream().device().table();
  args.sort =
      table.get<Primitive::sort>(timeline_.chosen(*timeline_.find(prefix_ + "sort")).value());
  args.wide = wide_.tree_of(tracer);
  run.run_variant<Primitive::trace>(tracer, args);
}

std::vector<Check> TracedTree::verify(const Tree::Snapshot& tree) {
  const auto leaves = leaves_.download(timeline_.stream(), tree.boxes.size());
  std::vector<Check> checks = {
      {prefix_ + "leaves", difference("leaf", leaves, leaf_triangles_of(tree))}};
  if (checks.back().difference.empty()) append(checks, wide_.verify(tree, leaves));
  return checks;
}

}  // namespace warpview
