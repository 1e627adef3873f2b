// The experiment of select: the items that pass, compared with std::copy_if.
#include <algorithm>
#include <iterator>

#include "gpu/primitives/select/passing_experiment.h"
#include "gpu/primitives/select/select.h"

namespace warpview::lab {
namespace {

class Select : public PassingExperiment {
 public:
  explicit Select(const Setup& setup) : PassingExperiment(setup) {
    const std::vector<std::uint32_t> host = make_input(setup);
    std::ranges::copy_if(host, std::back_inserter(want_),
                         [this](std::uint32_t item) { return passes(item); });
    want_count_ = static_cast<std::uint32_t>(want_.size());
  }

  void run(VariantId variant) override {
    scratch_.run(device_.table().get<Primitive::select>(variant), stream_, SelectArgs{args()});
  }

 private:
  Traffic traffic() const override {
    const auto passing = static_cast<double>(want_.size());
    return {.item = 4.0, .value = n_ > 0 ? 4.0 * passing / n_ : 0.0};
  }
};

}  // namespace

const ExperimentKind& select_experiment() {
  static constexpr ExperimentKind kind = {.items = "words",
                                          .forms = passing_forms,
                                          .distributions = passing_distributions,
                                          .memory_each = 13,
                                          .make = make<Select>,
                                          .numbers = takes_words};
  return kind;
}

}  // namespace warpview::lab
