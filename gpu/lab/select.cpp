#include "gpu/select/select.h"

#include <algorithm>
#include <iterator>

#include "gpu/lab/passing.h"

namespace warpview::lab {
namespace {

class Select : public Experiment {
 public:
  explicit Select(const Setup& setup)
      : Experiment(setup),
        at_most_(passing_limits[setup.form]),
        out_(device_, n_),
        count_(device_, 1) {
    const auto wide = integers(setup.distribution, n_, 32, setup.seed);
    const std::vector<std::uint32_t> host(wide.begin(), wide.end());
    std::ranges::copy_if(host, std::back_inserter(want_),
                         [this](std::uint32_t item) { return item <= at_most_; });
    in_ = uploaded(setup, host);
  }

  void run(int row) override {
    scratch_.run(device_.table().get<Primitive::select>(row), stream_,
                 SelectArgs{.in = in_.data(),
                            .out = out_.data(),
                            .count = count_.data(),
                            .n = n_,
                            .at_most = at_most_});
  }
  std::string check(int /*row*/) override {
    if (const auto count = count_.download(stream_).front(); count != want_.size())
      return std::to_string(count) + " items instead of " + std::to_string(want_.size());
    return first_difference(out_.download(stream_, want_.size()), want_, "items");
  }
  std::vector<Region> outputs() override { return {region(out_), region(count_)}; }
  std::vector<Region> result() override { return {region(out_, want_.size()), region(count_)}; }

 private:
  Traffic traffic() const override {
    const auto passing = static_cast<double>(want_.size());
    return {.item = 4.0, .value = n_ > 0 ? 4.0 * passing / n_ : 0.0};
  }

  std::uint32_t at_most_;
  std::vector<std::uint32_t> want_;
  Buffer<std::uint32_t> in_, out_, count_;
};

}  // namespace

const ExperimentKind& select_experiment() {
  static constexpr ExperimentKind kind = {.items = "words",
                                          .forms = passing_forms,
                                          .distributions = passing_distributions,
                                          .memory_each = 13,
                                          .make = make<Select>};
  return kind;
}

}  // namespace warpview::lab
