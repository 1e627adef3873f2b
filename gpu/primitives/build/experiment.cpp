// The experiment of building a BVH: the hierarchy over Morton codes of boxes (tree_experiment.h).
#include "gpu/primitives/build/tree_experiment.h"

namespace warpview::lab {
namespace {

constexpr Form build_forms[] = {{"morton30", "over 30-bit Morton codes"}};

class Build : public TreeExperiment {
 public:
  explicit Build(const Setup& setup) : TreeExperiment(setup) {}
  void run(VariantId variant) override { build(variant); }
  std::string check(VariantId variant) override {
    return check_tree(variant, (variant->traits & BuildTrait::fits) != 0);
  }
};

}  // namespace

const ExperimentKind& build_experiment() {
  static constexpr ExperimentKind kind = {.items = "boxes",
                                          .forms = build_forms,
                                          .distributions = all_distributions,
                                          .memory_each = 120,
                                          .make = make<Build>,
                                          .items_a_triangle = one_a_triangle};
  return kind;
}

}  // namespace warpview::lab
