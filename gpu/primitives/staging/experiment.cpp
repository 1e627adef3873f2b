// The experiment of staging: moving sums, compared with sums made word by word.
#include "gpu/primitives/staging/staging.h"

#include <algorithm>

#include "gpu/lab/experiment.h"

namespace warpview::lab {
namespace {

constexpr Form staging_forms[] = {
    {"radius_4", "sum of each word and its 4 neighbours on each side"},
    {"radius_1", "sum of each word and its neighbour on each side"},
    {"radius_21", "sum of each word and its 21 neighbours on each side"},
    {"radius_64", "sum of each word and its 64 neighbours on each side"},
};
constexpr std::uint32_t radii[] = {4, 1, 21, 64};

class Staging : public Experiment {
 public:
  explicit Staging(const Setup& setup)
      : Experiment(setup), radius_(radii[setup.form]), out_(device_, n_) {
    const auto wide = integers(setup.distribution, n_, 32, setup.seed);
    const std::vector<std::uint32_t> host(wide.begin(), wide.end());
    in_ = uploaded(setup, host);
    // A sliding window: one word enters and one leaves.
    want_.resize(n_);
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(radius_, n_); ++i) sum += host[i];
    for (std::size_t i = 0; i < n_; ++i) {
      if (i + radius_ < n_) sum += host[i + radius_];
      if (i > radius_) sum -= host[i - radius_ - 1];
      want_[i] = sum;
    }
  }

  void run(VariantId variant) override {
    scratch_.run(device_.table().get<Primitive::staging>(variant), stream_,
                 StagingArgs{.in = in_.data(), .out = out_.data(), .n = n_, .radius = radius_});
  }
  std::string check(VariantId /*variant*/) override {
    return first_difference(out_.download(stream_), want_, "sums");
  }
  std::vector<Region> outputs() override { return {region("out", out_)}; }
  std::vector<Region> result() override { return {region("out", out_)}; }

 private:
  std::uint32_t radius_;
  std::vector<std::uint32_t> want_;
  Buffer<std::uint32_t> in_, out_;
};

}  // namespace

const ExperimentKind& staging_experiment() {
  static constexpr ExperimentKind kind = {.items = "words",
                                          .forms = staging_forms,
                                          .distributions = only_uniform,
                                          .memory_each = 8,
                                          .make = make<Staging>};
  return kind;
}

}  // namespace warpview::lab
