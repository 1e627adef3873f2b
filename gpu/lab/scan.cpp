#include "gpu/lab/experiment.h"
#include "gpu/reference/reference.h"

namespace warpview::lab {
namespace {

constexpr Form forms[] = {
    {"exclusive", "sum of the words before each"},
    {"inclusive", "sum of the words up to each"},
    {"in_place", "sum of the words before each, written over them"},
};

class Scan : public Experiment {
 public:
  explicit Scan(const Setup& setup)
      : Experiment(setup), inclusive_(setup.form == 1), in_place_(setup.form == 2) {
    const auto wide = integers(setup.distribution, n_, 32, setup.seed);
    const std::vector<std::uint32_t> host(wide.begin(), wide.end());
    want_ = reference::scan(host, inclusive_);
    in_ = uploaded(setup, host);
    out_ = Buffer<std::uint32_t>(device_, n_);
  }

  void reset() override {
    if (in_place_) stream_.copy(out_.data(), in_.data(), in_.bytes(), Copy::device_to_device);
  }
  void run(int row) override {
    scratch_.run(device_.table().get<Primitive::scan>(row), stream_,
                 ScanArgs{.in = in_place_ ? out_.data() : in_.data(),
                          .out = out_.data(),
                          .n = n_,
                          .inclusive = inclusive_});
  }
  std::string check(int /*row*/) override {
    return first_difference(out_.download(stream_), want_, "sums");
  }
  std::vector<Region> result() override { return {region(out_)}; }

 private:
  bool inclusive_, in_place_;
  std::vector<std::uint32_t> want_;
  Buffer<std::uint32_t> in_, out_;
};

}  // namespace

const ExperimentKind& scan_experiment() {
  static constexpr ExperimentKind kind = {.items = "words",
                                          .forms = forms,
                                          .distributions = all_distributions,
                                          .memory_each = 12,
                                          .make = make<Scan>};
  return kind;
}

}  // namespace warpview::lab
