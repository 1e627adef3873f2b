#include "scenes/parts/overlays.h"

#include <utility>

#include "gpu/steps/write.h"
#include "scenes/parts/drawn.h"

namespace warpview {

namespace {

Writer writer_of_boxes(const std::vector<const Tree*>& trees, const std::uint32_t* levels,
                       bool has_overlaps) {
  std::uint64_t capacity = 0;
  for (const Tree* tree : trees) capacity += tree->capacity();
  std::vector<StreamInfo> streams = {{"boxes", sizeof(Aabb), capacity}};
  if (has_overlaps) streams.push_back({"overlaps", sizeof(float), capacity});
  return {.streams = std::move(streams),
          .write =
              [trees, levels, has_overlaps](const StageRun& run, const Targets& to) {
                for (std::size_t i = 0; i < trees.size(); ++i)
                  run.run<Step::write_boxes>(
                      WriteBoxesArgs{.count = trees[i]->count(),
                                     .bvh = trees[i]->bvh(),
                                     .depth = trees[i]->depth(),
                                     .level = levels + i,
                                     .out = to.stream<Aabb>(),
                                     .overlaps = has_overlaps ? to.stream<float>(1) : nullptr,
                                     .command = to.command(),
                                     .appends = i > 0});
              },
          .work =
              [](const Targets& to) {
                const std::uint64_t boxes = to.drawn().instances;
                return StageWork{boxes, 2 * boxes * sizeof(Aabb)};
              },
          .check =
              [trees, levels](DrawnCheck& check, const WrittenAt& at) {
                check.boxes(at, trees, check.read(levels, trees.size()));
              }};
}

}  // namespace

Writer box_writer(const Tree& tree, const std::uint32_t* level) {
  return writer_of_boxes({&tree}, level, false);
}

Writer overlapping_box_writer(const std::vector<const Tree*>& trees, const std::uint32_t* levels) {
  return writer_of_boxes(trees, levels, true);
}

Writer curve_writer(const Tree& tree) {
  return {.streams = {{"curve", sizeof(Vec3), tree.capacity()}},
          .write =
              [&tree](const StageRun& run, const Targets& to) {
                run.run<Step::write_curve>(WriteCurveArgs{.count = tree.count(),
                                                          .boxes = tree.boxes(),
                                                          .primitives = tree.primitives(),
                                                          .n = tree.capacity(),
                                                          .out = to.stream<Vec3>(),
                                                          .command = to.command()});
              },
          .work =
              [&tree](const Targets&) {
                const std::uint64_t boxes = tree.triangle_count();
                return StageWork{boxes, 2 * boxes * sizeof(Vec3)};
              },
          .check = [&tree](DrawnCheck& check, const WrittenAt& at) { check.curve(at, tree); }};
}

}  // namespace warpview
