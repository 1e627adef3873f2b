// The experiment of run-length encoding: runs of equal keys and their lengths, compared with a
// loop.
#include "gpu/primitives/run_length/run_length.h"

#include "gpu/lab/experiment.h"
#include "gpu/primitives/run_length/key_runs.h"

namespace warpview::lab {
namespace {

constexpr Form run_length_forms[] = {
    {"u32", "32-bit keys"},
    {"runs_8", "keys that come 8 times in a row on average"},
    {"runs_64", "the same, 64 times"},
    {"runs_4096", "the same, 4096 times"},
};
constexpr std::uint32_t means[] = {1, 8, 64, 4096};

class RunLength : public Experiment {
 public:
  explicit RunLength(const Setup& setup)
      : Experiment(setup), keys_out_(device_, n_), lengths_(device_, n_), count_(device_, 1) {
    const std::vector<std::uint32_t> host =
        key_runs(setup, means[static_cast<std::size_t>(setup.form)]);
    for (const std::uint32_t key : host) {
      if (want_keys_.empty() || key != want_keys_.back()) {
        want_keys_.push_back(key);
        want_lengths_.push_back(0);
      }
      ++want_lengths_.back();
    }
    keys_ = uploaded(setup, host);
  }

  void run(VariantId variant) override {
    scratch_.run(device_.table().get<Primitive::run_length>(variant), stream_,
                 RunLengthArgs{.keys = keys_.data(),
                               .keys_out = keys_out_.data(),
                               .lengths = lengths_.data(),
                               .count = count_.data(),
                               .n = n_});
  }
  std::string check(VariantId /*variant*/) override {
    if (const auto count = count_.download(stream_).front(); count != want_keys_.size())
      return std::to_string(count) + " runs instead of " + std::to_string(want_keys_.size());
    std::string difference =
        first_difference(keys_out_.download(stream_, want_keys_.size()), want_keys_, "keys");
    if (!difference.empty()) return difference;
    return first_difference(lengths_.download(stream_, want_keys_.size()), want_lengths_,
                            "lengths");
  }
  std::vector<Region> outputs() override {
    return {region("keys_out", keys_out_), region("lengths", lengths_), region("count", count_)};
  }
  std::vector<Region> result() override {
    return {region("keys_out", keys_out_, want_keys_.size()),
            region("lengths", lengths_, want_keys_.size()), region("count", count_)};
  }

 private:
  Traffic traffic() const override {
    const auto runs = static_cast<double>(want_keys_.size());
    return {.item = 4.0, .value = n_ > 0 ? 8.0 * runs / n_ : 0.0};
  }

  std::vector<std::uint32_t> want_keys_, want_lengths_;
  Buffer<std::uint32_t> keys_, keys_out_, lengths_, count_;
};

}  // namespace

const ExperimentKind& run_length_experiment() {
  static constexpr Distribution distributions[] = {Distribution::few, Distribution::uniform,
                                                   Distribution::sorted, Distribution::constant};
  static constexpr ExperimentKind kind = {.items = "keys",
                                          .forms = run_length_forms,
                                          .distributions = distributions,
                                          .memory_each = 18,
                                          .make = make<RunLength>,
                                          .numbers = takes_words};
  return kind;
}

}  // namespace warpview::lab
