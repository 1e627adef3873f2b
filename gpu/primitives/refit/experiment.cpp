// The experiment of refitting a BVH: the boxes of all nodes (tree_experiment.h), or their totals.
#include "gpu/primitives/build/tree_experiment.h"

namespace warpview::lab {
namespace {

enum RefitFormIndex { of_boxes, of_totals };
constexpr Form refit_forms[] = {
    {"boxes", "boxes of all nodes from those of the leaves"},
    {"totals", "number of primitives below each node, and the sum of their boxes' areas", true},
};

class Refit : public TreeExperiment {
 public:
  explicit Refit(const Setup& setup)
      : TreeExperiment(setup),
        builder_(default_variant(Primitive::build, device_.info().backend)),
        totals_wanted_(setup.form == of_totals) {
    build(builder_);
    keep_links();
    if (totals_wanted_) make_totals();
  }
  void run(VariantId variant) override { refit(variant); }
  std::string check(VariantId /*variant*/) override {
    return totals_wanted_ ? check_totals() : check_tree(builder_, true);
  }
  std::vector<Region> outputs() override {
    if (totals_wanted_) return {region("totals", totals())};
    return {};
  }
  std::vector<Region> result() override {
    return totals_wanted_ ? outputs() : TreeExperiment::result();
  }
  void spoil_more() override { put_back_links(); }

  // A node's box has 24 bytes, in a node of 32; its totals have 8.
  double bytes_needed(Primitive primitive) const override {
    return TreeExperiment::bytes_needed(primitive) - (totals_wanted_ ? 2 * (24.0 - 8.0) * n_ : 0.0);
  }
  double bytes_moved(VariantId variant) const override {
    return TreeExperiment::bytes_moved(variant) - (totals_wanted_ ? 2 * (32.0 - 8.0) * n_ : 0.0);
  }

 private:
  VariantId builder_;  // of a radix tree, which every refit takes
  bool totals_wanted_;
};

std::string refit_why_not(VariantId variant, int form) {
  if (form == of_totals && (variant->traits & RefitTrait::totals) == 0)
    return "its tiles have room for boxes";
  return {};
}

}  // namespace

const ExperimentKind& refit_experiment() {
  static constexpr ExperimentKind kind = {.items = "boxes",
                                          .forms = refit_forms,
                                          .distributions = all_distributions,
                                          .memory_each = 140,
                                          .make = make<Refit>,
                                          .why_not = refit_why_not,
                                          .items_a_triangle = one_a_triangle};
  return kind;
}

}  // namespace warpview::lab
