// The experiment of chains of kernels: two chains and a join, compared with the same steps on the
// host.
#include "gpu/primitives/chain/chain.h"

#include <map>

#include "gpu/lab/experiment.h"

namespace warpview::lab {
namespace {

constexpr Form chain_forms[] = {
    {"steps16", "two chains of 16 steps and a join: 33 launches"},
    {"steps1", "two chains of one step and a join: 3 launches"},
};

std::vector<std::uint32_t> words(const Setup& setup, std::uint64_t seed) {
  const auto wide = integers(setup.distribution, setup.n, 32, seed);
  return {wide.begin(), wide.end()};
}

class Chain : public Experiment {
 public:
  explicit Chain(const Setup& setup)
      : Experiment(setup),
        steps_(setup.form == 0 ? 16 : 1),
        x_(device_, n_),
        y_(device_, n_),
        out_(device_, n_),
        want_x_(n_),
        want_y_(n_),
        want_(n_) {
    const std::vector<std::uint32_t> x = words(setup, setup.seed);
    const std::vector<std::uint32_t> y = words(setup, setup.seed + 1);
    x_in_ = uploaded(setup, x);
    y_in_ = uploaded(setup, y);
    for (std::uint32_t i = 0; i < n_; ++i) {
      std::uint32_t a = x[i];
      std::uint32_t b = y[i];
      for (std::uint32_t s = 0; s < steps_; ++s) {
        a = 5 * a + 1;
        b = 3 * b + 7;
      }
      want_x_[i] = a;
      want_y_[i] = b;
      want_[i] = a ^ b;
    }
  }

  void run(VariantId variant) override {
    auto& prepared = prepared_[variant];
    if (!prepared)
      prepared = device_.table().get<Primitive::chain>(variant)(stream_, {.x_in = x_in_.data(),
                                                                          .y_in = y_in_.data(),
                                                                          .x = x_.data(),
                                                                          .y = y_.data(),
                                                                          .out = out_.data(),
                                                                          .n = n_,
                                                                          .steps = steps_});
    prepared->run();
  }
  std::string check(VariantId /*variant*/) override {
    std::string difference = first_difference(x_.download(stream_), want_x_, "words of x");
    if (difference.empty())
      difference = first_difference(y_.download(stream_), want_y_, "words of y");
    if (!difference.empty()) return difference;
    return first_difference(out_.download(stream_), want_, "words");
  }
  std::vector<Region> outputs() override {
    return {region("x", x_), region("y", y_), region("out", out_)};
  }
  std::vector<Region> result() override {
    return {region("out", out_), region("x", x_), region("y", y_)};
  }

 protected:
  Traffic traffic() const override { return {.passes = static_cast<double>(steps_)}; }

 private:
  std::uint32_t steps_;
  Buffer<std::uint32_t> x_in_, y_in_, x_, y_, out_;
  std::vector<std::uint32_t> want_x_, want_y_, want_;
  std::map<VariantId, std::unique_ptr<Prepared>> prepared_;
};

}  // namespace

const ExperimentKind& chain_experiment() {
  static constexpr ExperimentKind kind = {.items = "words",
                                          .forms = chain_forms,
                                          .distributions = only_uniform,
                                          .memory_each = 20,
                                          .make = make<Chain>,
                                          .start = Start::idle};
  return kind;
}

}  // namespace warpview::lab
