// The experiment of partition: items to both ends, compared with std::partition_copy.
#include <algorithm>

#include "gpu/primitives/partition/partition.h"
#include "gpu/primitives/select/passing_experiment.h"

namespace warpview::lab {
namespace {

class Partition : public PassingExperiment {
 public:
  explicit Partition(const Setup& setup) : PassingExperiment(setup) {
    const std::vector<std::uint32_t> host = make_input(setup);
    want_.resize(n_);
    const auto ends = std::partition_copy(host.begin(), host.end(), want_.begin(), want_.rbegin(),
                                          [this](std::uint32_t item) { return passes(item); });
    want_count_ = static_cast<std::uint32_t>(ends.first - want_.begin());
  }

  void run(VariantId variant) override {
    scratch_.run(device_.table().get<Primitive::partition>(variant), stream_,
                 PartitionArgs{args()});
  }
};

}  // namespace

const ExperimentKind& partition_experiment() {
  static constexpr ExperimentKind kind = {.items = "words",
                                          .forms = passing_forms,
                                          .distributions = passing_distributions,
                                          .memory_each = 13,
                                          .make = make<Partition>,
                                          .numbers = takes_words};
  return kind;
}

}  // namespace warpview::lab
