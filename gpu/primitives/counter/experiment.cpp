// The experiment of counters: words counted, compared with a plain loop.
#include "gpu/primitives/counter/counter.h"

#include "gpu/lab/experiment.h"

namespace warpview::lab {
namespace {

// In the order of CounterTask.
constexpr Form counter_forms[] = {
    {"one", "one counter: how many words have their highest bit clear"},
    {"many", "1024 counters: how many words there are of each ten lowest bits"},
};

class Counter : public Experiment {
 public:
  explicit Counter(const Setup& setup)
      : Experiment(setup),
        task_(static_cast<CounterTask>(setup.form)),
        want_(counters_of(task_)),
        counts_(device_, want_.size()) {
    const auto wide = integers(setup.distribution, n_, 32, setup.seed);
    std::vector<std::uint32_t> in(wide.begin(), wide.end());
    if (n_ > 0) in.back() %= counter_limit;  // it counts, so that an omitted last word shows
    for (const std::uint32_t word : in) {
      if (task_ == CounterTask::many)
        ++want_[word % many_counters];
      else if (word < counter_limit)
        ++want_[0];
    }
    in_ = uploaded(setup, in);
  }

  void run(VariantId variant) override {
    scratch_.run(device_.table().get<Primitive::counter>(variant), stream_,
                 CounterArgs{.task = task_, .in = in_.data(), .n = n_, .counts = counts_.data()});
  }
  std::string check(VariantId /*variant*/) override {
    return first_difference(counts_.download(stream_), want_, "counts");
  }
  std::vector<Region> outputs() override { return {region("counts", counts_)}; }
  std::vector<Region> result() override { return {region("counts", counts_)}; }

  double operations() const override {
    if (task_ == CounterTask::many) return n_;
    return want_[0];
  }

 private:
  CounterTask task_;
  std::vector<std::uint32_t> want_;
  Buffer<std::uint32_t> in_, counts_;
};

constexpr Distribution counter_distributions[] = {Distribution::uniform, Distribution::few};

}  // namespace

const ExperimentKind& counter_experiment() {
  static constexpr ExperimentKind kind = {.items = "words",
                                          .forms = counter_forms,
                                          .distributions = counter_distributions,
                                          .memory_each = 4.1,
                                          .make = make<Counter>};
  return kind;
}

}  // namespace warpview::lab
