// The experiment of collapsing a binary tree, which H-PLOC built, into a wide one. A triangle of a
// box has three corners that span it.
#include <algorithm>
#include <optional>
#include <utility>

#include "gpu/primitives/build/tree_experiment.h"
#include "gpu/primitives/collapse/wide_regions.h"
#include "gpu/reference/wide.h"

namespace warpview::lab {
namespace {

constexpr Form collapse_forms[] = {
    {"triangles", "nodes of the layout, and the triangles in the order of its leaves"}};

class Collapse : public TreeExperiment {
 public:
  explicit Collapse(const Setup& setup) : TreeExperiment(setup) {
    build(find_variant(Primitive::build, "hploc"));
    tree_ = tree();
    for (std::uint32_t place = 0; place < n_; ++place) {
      const std::uint32_t triangle = tree_.nodes[tree_.first_leaf() + place].left;
      const Aabb& box = host_boxes()[triangle];
      host_leaves_.push_back({box.min, triangle, box.max, 0.0F, box.min, 0.0F});
    }
    leaves_ = uploaded(setup, host_leaves_);
    for (const VariantId variant : variants_of(Primitive::collapse))
      made_.push_back(
          {variant,
           reference::wide_node_count(tree_, (variant->traits & CollapseTrait::four) != 0 ? 4 : 8),
           WideMemory(device_, variant, n_)});
  }

  void run(VariantId variant) override {
    last_ = variant;
    scratch_.run(device_.table().get<Primitive::collapse>(variant), stream_,
                 CollapseArgs{.count = count(),
                              .bvh = bvh(),
                              .leaves = leaves_.data(),
                              .out = made_by(variant).memory.tree()});
  }
  std::vector<Region> result() override {
    const Made& made = made_by(*last_);
    const Region nodes =
        made.memory.with_nodes([&](const auto& all) { return region("nodes", all, made.nodes); });
    return {nodes, region("triangles", made.memory.triangles())};
  }
  std::vector<Region> outputs() override {
    std::vector<Region> all;
    for (const Made& made : made_)
      for (const Region& region : wide_regions(made.memory)) all.push_back(region);
    return all;
  }
  std::vector<Region> inputs() override {
    std::vector<Region> all = TreeExperiment::outputs();
    all.push_back(region("leaves", leaves_));
    return all;
  }
  std::string check(VariantId variant) override {
    const WideMemory& memory = made_by(variant).memory;
    const std::vector<LeafTriangle> triangles = memory.triangles().download(stream_);
    return memory.with_nodes([&](const auto& nodes) {
      return reference::check_wide(tree_, host_leaves_, nodes.download(stream_), triangles);
    });
  }
  std::vector<Fact> facts(const Outcome& outcome) const override {
    if (n_ == 0) return {};
    const Made& made = made_by(outcome.variant);
    const double bytes = made.memory.with_nodes([&](const auto& all) {
      return static_cast<double>(region("nodes", all, made.nodes).bytes);
    });
    return {{"nodes", static_cast<double>(made.nodes)},
            {"bytes of nodes per triangle", bytes / n_}};
  }

 private:
  struct Made {
    VariantId variant;
    std::uint32_t nodes;
    WideMemory memory;
  };
  const Made& made_by(VariantId variant) const {
    return *std::find_if(made_.begin(), made_.end(),
                         [variant](const Made& made) { return made.variant == variant; });
  }

  reference::Tree tree_;
  std::vector<LeafTriangle> host_leaves_;
  Buffer<LeafTriangle> leaves_;
  std::vector<Made> made_;
  std::optional<VariantId> last_;
};

}  // namespace

const ExperimentKind& collapse_experiment() {
  static constexpr ExperimentKind kind = {.items = "triangles",
                                          .forms = collapse_forms,
                                          .distributions = all_distributions,
                                          .memory_each = 340,
                                          .make = make<Collapse>,
                                          .items_a_triangle = one_a_triangle};
  return kind;
}

}  // namespace warpview::lab
