// The experiment of refitting a BVH: the boxes of all nodes (tree_experiment.h).
#include "gpu/primitives/build/tree_experiment.h"

namespace warpview::lab {
namespace {

constexpr Form forms[] = {{"boxes", "boxes of all nodes from those of the leaves"}};

class Refit : public TreeExperiment {
 public:
  explicit Refit(const Setup& setup) : TreeExperiment(setup) {
    build(default_variant(Primitive::build));
    keep_links();
  }
  void run(int row) override { refit(row); }
  std::string check(int /*row*/) override { return check_tree(true); }
  std::vector<Region> outputs() override { return {}; }
  void spoil_more() override { put_back_links(); }
};

}  // namespace

const ExperimentKind& refit_experiment() {
  static constexpr ExperimentKind kind = {.items = "boxes",
                                          .forms = forms,
                                          .distributions = all_distributions,
                                          .memory_each = 140,
                                          .make = make<Refit>};
  return kind;
}

}  // namespace warpview::lab
