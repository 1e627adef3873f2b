#include "gpu/partition/partition.h"

#include <algorithm>
#include <iterator>

#include "gpu/lab/passing.h"

namespace warpview::lab {
namespace {

class Partition : public Experiment {
 public:
  explicit Partition(const Setup& setup)
      : Experiment(setup),
        at_most_(passing_limits[setup.form]),
        out_(device_, n_),
        count_(device_, 1) {
    const auto wide = integers(setup.distribution, n_, 32, setup.seed);
    const std::vector<std::uint32_t> host(wide.begin(), wide.end());
    const auto passes = [this](std::uint32_t item) { return item <= at_most_; };
    want_.resize(n_);
    const auto ends =
        std::partition_copy(host.begin(), host.end(), want_.begin(), want_.rbegin(), passes);
    want_count_ = static_cast<std::uint32_t>(ends.first - want_.begin());
    in_ = uploaded(setup, host);
  }

  void run(int row) override {
    scratch_.run(device_.table().get<Primitive::partition>(row), stream_,
                 PartitionArgs{.in = in_.data(),
                               .out = out_.data(),
                               .count = count_.data(),
                               .n = n_,
                               .at_most = at_most_});
  }
  std::string check(int /*row*/) override {
    if (const auto count = count_.download(stream_).front(); count != want_count_)
      return std::to_string(count) + " items in front instead of " + std::to_string(want_count_);
    return first_difference(out_.download(stream_), want_, "items");
  }
  std::vector<Region> outputs() override { return {region(out_), region(count_)}; }
  std::vector<Region> result() override { return {region(out_), region(count_)}; }

 private:
  std::uint32_t at_most_;
  std::vector<std::uint32_t> want_;
  std::uint32_t want_count_;
  Buffer<std::uint32_t> in_, out_, count_;
};

}  // namespace

const ExperimentKind& partition_experiment() {
  static constexpr ExperimentKind kind = {.items = "words",
                                          .forms = passing_forms,
                                          .distributions = passing_distributions,
                                          .memory_each = 13,
                                          .make = make<Partition>};
  return kind;
}

}  // namespace warpview::lab
