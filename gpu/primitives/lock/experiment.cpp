// The experiment of locks: tallies that many threads add to, compared with a loop.
#include "gpu/primitives/lock/lock.h"

#include <algorithm>

#include "gpu/lab/experiment.h"

namespace warpview::lab {
namespace {

enum LockFormIndex { few_locks, many_locks };
constexpr Form lock_forms[] = {
    {"few", "1024 tallies with a lock each: threads wait for each other"},
    {"many", "a tally and a lock for every item: threads seldom meet"},
};

class Lock : public Experiment {
 public:
  explicit Lock(const Setup& setup)
      : Experiment(setup), want_(setup.form == few_locks ? 1024 : std::max(n_, 1U)) {
    const auto wide = integers(setup.distribution, n_, 32, setup.seed);
    const std::vector<std::uint32_t> host(wide.begin(), wide.end());
    items_ = uploaded(setup, host);
    for (const std::uint32_t item : host) {
      Tally& tally = want_[item % want_.size()];
      ++tally.count;
      tally.largest = std::max(tally.largest, item);
      tally.sum += item;
    }
    tallies_ = Buffer<Tally>(device_, want_.size());
  }

  void reset() override { stream_.fill(tallies_.data(), 0, tallies_.bytes()); }
  void run(VariantId variant) override {
    scratch_.run(device_.table().get<Primitive::lock>(variant), stream_,
                 LockArgs{.items = items_.data(),
                          .n = n_,
                          .tallies = tallies_.data(),
                          .tally_count = static_cast<std::uint32_t>(want_.size())});
  }
  std::string check(VariantId /*variant*/) override {
    return first_difference(tallies_.download(stream_), want_, "tallies");
  }
  std::vector<Region> outputs() override { return {region("tallies", tallies_)}; }
  std::vector<Region> result() override { return {region("tallies", tallies_)}; }

 protected:
  // Every tally that an item maps to is read and written at least once.
  Traffic traffic() const override {
    if (n_ == 0) return {.item = 4, .value = 0};
    const double met = std::min<double>(n_, static_cast<double>(want_.size()));
    return {.item = 4, .value = 2 * sizeof(Tally) * met / n_};
  }

 private:
  std::vector<Tally> want_;
  Buffer<std::uint32_t> items_;
  Buffer<Tally> tallies_;
};

}  // namespace

const ExperimentKind& lock_experiment() {
  static constexpr ExperimentKind kind = {.items = "items",
                                          .forms = lock_forms,
                                          .distributions = only_uniform,
                                          .memory_each = 24,
                                          .make = make<Lock>};
  return kind;
}

}  // namespace warpview::lab
