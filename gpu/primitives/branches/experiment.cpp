// The experiment of branches that need each other: pairs of words, compared with a plain loop.
#include "gpu/primitives/branches/branches.h"

#include "gpu/lab/experiment.h"

namespace warpview::lab {
namespace {

constexpr Form branches_forms[] = {
    {"pairs", "each word needs what the other branch makes of its partner"}};

class Branches : public Experiment {
 public:
  explicit Branches(const Setup& setup) : Experiment(setup), want_(n_), out_(device_, n_) {
    const std::vector<std::uint32_t> in = words(setup);
    const auto made = [&](std::uint32_t i) {
      const std::uint32_t x = i < n_ ? in[i] : 0;
      return (i & branch_bit) != 0 ? branch_b(x) : branch_a(x);
    };
    for (std::uint32_t i = 0; i < n_; ++i) want_[i] = branch_c(made(i), made(i ^ branch_bit));
    in_ = uploaded(setup, in);
  }

  void run(VariantId variant) override {
    scratch_.run(device_.table().get<Primitive::branches>(variant), stream_,
                 BranchesArgs{.in = in_.data(), .out = out_.data(), .n = n_});
  }
  std::string check(VariantId /*variant*/) override {
    return first_difference(out_.download(stream_), want_, "words");
  }
  std::vector<Region> outputs() override { return {region("out", out_)}; }
  std::vector<Region> result() override { return {region("out", out_)}; }

 private:
  std::vector<std::uint32_t> want_;
  Buffer<std::uint32_t> in_, out_;
};

}  // namespace

const ExperimentKind& branches_experiment() {
  static constexpr ExperimentKind kind = {.items = "words",
                                          .forms = branches_forms,
                                          .distributions = only_uniform,
                                          .memory_each = 8,
                                          .make = make<Branches>,
                                          .numbers = takes_words};
  return kind;
}

}  // namespace warpview::lab
