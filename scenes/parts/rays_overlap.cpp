#include "scenes/parts/rays_overlap.h"

#include <fmt/format.h>

#include <cmath>

#include "gpu/reference/overlap.h"

namespace warpview {

RaysOverlap::RaysOverlap(Timeline& timeline, const Tree& tree, const Buffer<LeafTriangle>& leaves,
                         const std::string& prefix)
    : prefix_(prefix), found_(timeline.device(), 1) {
  stage_ =
      timeline.add({.name = prefix + "overlap",
                    .title = stage_title(prefix, "Overlap"),
                    .about = "Clips each triangle to all boxes that it touches and is not below.",
                    .queue =
                        [this, &tree, &leaves](const StageRun& run) {
                          run.run<Step::tree_overlap>(TreeOverlapArgs{.count = tree.count(),
                                                                      .bvh = tree.bvh(),
                                                                      .leaves = leaves.data(),
                                                                      .out = found_.data()});
                        },
                    .work =
                        [&tree] {
                          const std::uint64_t n = tree.triangle_count();
                          return StageWork{n, n * (sizeof(LeafTriangle) + 2 * sizeof(BvhNode))};
                        }});
  read_ = timeline.read_back(found_.data());
}

Fact RaysOverlap::fact(const std::string& group) const {
  return {.name = group + ".overlap",
          .title = "Overlap",
          .value = read_->epo(),
          .tooltip =
              "End-point overlap: how many nodes, on average, a point of the surface lies "
              "in without being below them. A ray that ends there visits them for nothing. "
              "Lower is better."};
}

Check RaysOverlap::verify(const Tree::Snapshot& tree,
                          const std::vector<LeafTriangle>& leaves) const {
  constexpr double tolerance = 1e-4;
  const double want = reference::overlap(tree.tree(), leaves).epo();
  const double got = read_->epo();
  const bool is_right = std::abs(got - want) <= tolerance * want;
  return {prefix_ + "overlap",
          is_right ? std::string() : fmt::format("the overlap is {}, not {}", got, want)};
}

}  // namespace warpview
