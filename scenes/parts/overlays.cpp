#include "scenes/parts/overlays.h"

#include "gpu/steps/write.h"
#include "scenes/parts/drawn.h"

namespace warpview {

Writer box_writer(const Tree& tree, const std::uint32_t* level) {
  return {
      .streams = {{"boxes", sizeof(Aabb), tree.capacity()}},
      .write =
          [&tree, level](const StageRun& run, const Targets& to) {
            run.run<Step::write_boxes>(WriteBoxesArgs{.count = tree.count(),
                                                      .bvh = tree.bvh(),
                                                      .depth = tree.depth(),
                                                      .level = level,
                                                      .out = to.stream<Aabb>(),
                                                      .command = to.command()});
          },
      .work =
          [](const Targets& to) {
            const std::uint64_t boxes = to.drawn().instances;
            return StageWork{boxes, 2 * boxes * sizeof(Aabb)};
          },
      .check = [&tree, level](DrawnCheck& check,
                              const WrittenAt& at) { check.boxes(at, tree, check.read(level)); }};
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
