// The experiment of optimising a tree over Morton codes of boxes (tree_experiment.h).
#include <map>

#include "gpu/primitives/build/tree_experiment.h"
#include "gpu/primitives/optimise/optimise.h"
#include "gpu/reference/optimised.h"

namespace warpview::lab {
namespace {

enum OptimiseFormIndex { of_clusters, of_radix };
constexpr Form optimise_forms[] = {
    {"clusters", "a tree of clusters, by H-PLOC"},
    {"radix", "the radix tree of the codes"},
};

class Optimise : public TreeExperiment {
 public:
  explicit Optimise(const Setup& setup) : TreeExperiment(setup) {
    build(find_variant(Primitive::build, setup.form == of_clusters ? "hploc" : "apetrei"));
    before_ = tree();
    nodes_before_ = uploaded(setup, before_.nodes);
    parent_before_ = uploaded(setup, before_.parent);
  }

  void reset() override { put_back(nodes_before_, parent_before_); }
  void run(VariantId variant) override {
    scratch_.run(device_.table().get<Primitive::optimise>(variant), stream_,
                 OptimiseArgs{.count = count(), .bvh = bvh()});
  }
  std::vector<Region> outputs() override { return links(); }
  std::string check(VariantId variant) override {
    const auto [known, is_new] = expected_.try_emplace(variant->traits);
    if (is_new)
      known->second = reference::optimised(variant->traits, before_, OptimiseArgs{}.rounds);
    const reference::Tree got = tree();
    std::string wrong = reference::check_same_links(got, known->second);
    return wrong.empty() ? reference::check_boxes(got, host_boxes()) : wrong;
  }
  std::vector<Fact> facts(const Outcome& outcome) const override {
    if (n_ == 0) return {};
    return {{"SAH before", sah(before_)},
            {"SAH after", sah(expected_.at(outcome.variant->traits))}};
  }

 private:
  static double sah(const reference::Tree& tree) {
    const double root = tree.nodes[tree.root].box().half_area();
    return root > 0.0 ? reference::area_of_nodes(tree) / root : 0.0;
  }

  reference::Tree before_;
  Buffer<BvhNode> nodes_before_;
  Buffer<std::uint32_t> parent_before_;
  std::map<unsigned, reference::Tree> expected_;  // by traits
};

}  // namespace

const ExperimentKind& optimise_experiment() {
  static constexpr ExperimentKind kind = {.items = "boxes",
                                          .forms = optimise_forms,
                                          .distributions = all_distributions,
                                          .memory_each = 260,
                                          .make = make<Optimise>,
                                          .items_a_triangle = one_a_triangle};
  return kind;
}

}  // namespace warpview::lab
