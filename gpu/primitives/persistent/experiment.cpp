// The experiment of persistent threads: numbers scaled by the largest, compared with two loops.
#include <algorithm>
#include <cmath>

#include "gpu/lab/experiment.h"
#include "gpu/primitives/persistent/persistent.h"

namespace warpview::lab {
namespace {

constexpr Form persistent_forms[] = {{"scale", "numbers scaled by the largest magnitude"}};

class Persistent : public Experiment {
 public:
  explicit Persistent(const Setup& setup) : Experiment(setup), out_(device_, n_) {
    std::vector<float> host(n_);
    const auto ranks = integers(setup.distribution, n_, 24, setup.seed);
    std::transform(ranks.begin(), ranks.end(), host.begin(),
                   [](std::uint64_t rank) { return static_cast<float>(rank) - 0x1p23F; });
    in_ = uploaded(setup, host);

    float largest = 0.0F;
    for (const float number : host) largest = std::max(largest, std::fabs(number));
    want_ = host;
    if (largest > 0.0F)
      for (float& number : want_) number /= largest;
  }

  void run(VariantId variant) override {
    scratch_.run(device_.table().get<Primitive::persistent>(variant), stream_,
                 PersistentArgs{.in = in_.data(), .out = out_.data(), .n = n_});
  }
  std::string check(VariantId /*variant*/) override {
    return first_difference(out_.download(stream_), want_, "scaled numbers");
  }
  std::vector<Region> outputs() override { return {region("out", out_)}; }
  std::vector<Region> result() override { return {region("out", out_)}; }

 private:
  std::vector<float> want_;
  Buffer<float> in_, out_;
};

}  // namespace

const ExperimentKind& persistent_experiment() {
  static constexpr ExperimentKind kind = {.items = "numbers",
                                          .forms = persistent_forms,
                                          .distributions = all_distributions,
                                          .memory_each = 10,
                                          .make = make<Persistent>};
  return kind;
}

}  // namespace warpview::lab
