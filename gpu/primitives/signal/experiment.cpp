// The experiment of signals: words handed over while a kernel runs, compared with a plain loop.
#include "gpu/primitives/signal/signal.h"

#include <map>

#include "gpu/lab/experiment.h"

namespace warpview::lab {
namespace {

// In the order of SignalWay.
constexpr Form signal_forms[] = {
    {.name = "round_trips",
     .summary = "up to 1024 messages to the device, each answered before the next is sent",
     .one_block = true},
    {.name = "to_host",
     .summary = "up to 1024 messages from the device, taken by the host as they come",
     .one_block = true},
    {.name = "to_device",
     .summary = "up to 1024 messages to the device, taken by the kernel as they come",
     .one_block = true},
};

class Signal : public Experiment {
 public:
  explicit Signal(const Setup& setup)
      : Experiment(setup), way_(static_cast<SignalWay>(setup.form)), out_(n_), want_(n_) {
    const auto wide = integers(setup.distribution, n_, 32, setup.seed);
    in_.assign(wide.begin(), wide.end());
    for (std::uint32_t i = 0; i < n_; ++i) want_[i] = 3 * in_[i] + 1;
  }

  void reset() override {
    for (const auto& [of, prepared] : prepared_) prepared->reset();
  }
  void run(VariantId variant) override {
    auto& prepared = prepared_[variant];
    if (!prepared) {
      prepared = device_.table().get<Primitive::signal>(variant)(
          stream_, {.way = way_, .in = in_.data(), .out = out_.data(), .n = n_});
      prepared->reset();
      prepared->spoil(spoiled_byte);
    }
    last_ = variant;
    prepared->run();
    is_fetched_ = false;
  }
  std::string check(VariantId /*variant*/) override {
    fetch();
    return first_difference(out_, want_, "words");
  }
  std::vector<Region> result() override {
    fetch();
    return outputs();
  }
  std::vector<Region> outputs() override { return {region("out", out_)}; }
  void spoil_more() override {
    for (const auto& [of, prepared] : prepared_) prepared->spoil(spoiled_byte);
  }

  // Signals.
  double operations() const override {
    return (way_ == SignalWay::round_trips ? 2.0 : 1.0) * messages_of(n_);
  }

 private:
  // Brings the last run's output to the host.
  void fetch() {
    if (is_fetched_) return;
    prepared_.at(*last_)->fetch();
    stream_.synchronize();
    is_fetched_ = true;
  }

  SignalWay way_;
  std::vector<std::uint32_t> in_, out_, want_;
  bool is_fetched_ = false;
  std::optional<VariantId> last_{};  // the variant that ran last
  std::map<VariantId, std::unique_ptr<Prepared>> prepared_;
};

}  // namespace

const ExperimentKind& signal_experiment() {
  static constexpr ExperimentKind kind = {.items = "words",
                                          .forms = signal_forms,
                                          .distributions = only_uniform,
                                          .memory_each = 44,
                                          .make = make<Signal>,
                                          .most_on_cpu = 1U << 22U,
                                          .start = Start::idle};
  return kind;
}

}  // namespace warpview::lab
