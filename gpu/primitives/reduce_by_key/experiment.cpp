// The experiment of reduce by key: runs of equal keys and their sums, compared with a loop.
#include "gpu/primitives/reduce_by_key/reduce_by_key.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "gpu/lab/experiment.h"
#include "gpu/primitives/run_length/key_runs.h"

namespace warpview::lab {
namespace {

struct ReduceByKeyFormDetail {
  RunSum sum = RunSum::sum_u32;
  std::uint32_t mean = 1;
};

constexpr Form reduce_by_key_forms[] = {
    {"sum_u32", "sums of 32-bit integers"},
    {"sum_f32", "sums of floats", true},
    {"runs_8", "sums of integers, the keys 8 times in a row on average"},
    {"runs_64", "the same, 64 times"},
    {"runs_4096", "the same, 4096 times"},
};
constexpr ReduceByKeyFormDetail reduce_by_key_details[] = {
    {}, {.sum = RunSum::sum_f32}, {.mean = 8}, {.mean = 64}, {.mean = 4096},
};
const ReduceByKeyFormDetail& detail_of(const Setup& setup) {
  return reduce_by_key_details[static_cast<std::size_t>(setup.form)];
}

template <class Value>
class ReduceByKey : public Experiment {
 public:
  explicit ReduceByKey(const Setup& setup)
      : Experiment(setup),
        sum_(detail_of(setup).sum),
        keys_out_(device_, n_),
        count_(device_, 1),
        sums_(device_, n_) {
    const std::vector<std::uint32_t> keys = key_runs(setup, detail_of(setup).mean);
    const std::vector<Value> values = values_of(setup);
    for (std::uint32_t i = 0; i < n_; ++i) {
      if (want_.empty() || keys[i] != want_.back().key) want_.push_back({.key = keys[i]});
      Run& run = want_.back();
      ++run.length;
      run.sum += values[i];
      if constexpr (is_float) run.absolute += std::abs(values[i]);
    }
    keys_ = uploaded(setup, keys);
    values_ = uploaded(setup, values);
  }

  void run(VariantId variant) override {
    scratch_.run(device_.table().template get<Primitive::reduce_by_key>(variant), stream_,
                 ReduceByKeyArgs{.keys = keys_.data(),
                                 .values = values_.data(),
                                 .keys_out = keys_out_.data(),
                                 .sums = sums_.data(),
                                 .count = count_.data(),
                                 .n = n_,
                                 .sum = sum_});
  }
  std::string check(VariantId variant) override {
    if (const auto count = count_.download(stream_).front(); count != want_.size())
      return std::to_string(count) + " runs instead of " + std::to_string(want_.size());
    const auto keys = keys_out_.download(stream_, want_.size());
    const auto sums = sums_.download(stream_, want_.size());
    for (std::size_t r = 0; r < want_.size(); ++r) {
      const Run& run = want_[r];
      if (keys[r] != run.key)
        return "run " + std::to_string(r) + " has key " + std::to_string(keys[r]) + " instead of " +
               std::to_string(run.key);
      if (!is_near(sums[r], run, variant))
        return "the sum of run " + std::to_string(r) + ", of " + std::to_string(run.length) +
               " values, is " + std::to_string(sums[r]) + " instead of " + std::to_string(run.sum);
    }
    return {};
  }
  std::vector<Region> outputs() override {
    return {region("keys_out", keys_out_), region("sums", sums_), region("count", count_)};
  }
  std::vector<Region> result() override {
    return {region("sums", sums_, want_.size()), region("keys_out", keys_out_, want_.size()),
            region("count", count_)};
  }

 private:
  static constexpr bool is_float = std::is_same_v<Value, float>;
  struct Run {
    std::uint32_t key;
    std::uint32_t length = 0;
    std::conditional_t<is_float, double, Value> sum = 0;
    double absolute = 0.0;
  };

  // With keys that are followed by eye, small numbers.
  static std::vector<Value> values_of(const Setup& setup) {
    std::vector<Value> values(setup.n);
    if (given_numbers(setup, words_range)) {
      Setup of_values = setup;
      of_values.distribution = Distribution::small;
      ++of_values.seed;
      std::ranges::copy(*given_numbers(of_values, words_range), values.begin());
      return values;
    }
    std::ranges::transform(integers(Distribution::uniform, setup.n, 32, setup.seed + 1),
                           values.begin(), [](std::uint64_t word) {
                             if constexpr (is_float)
                               return static_cast<float>(word >> 8) * 0x1p-23F - 1.0F;
                             return static_cast<Value>(word);
                           });
    return values;
  }

  // The rounding error of k additions, one after another, is at most k times the unit roundoff
  // times the sum of the absolute values, whatever their arrangement. The catalogue's own variants
  // sum in trees, with one addition per warp where trees join; a library may add one value after
  // another.
  static bool is_near(Value got, const Run& run, [[maybe_unused]] VariantId variant) {
    if constexpr (is_float) {
      constexpr double unit = 0x1p-24;
      const double chain = 100.0 + run.length / (is_library(variant) ? 1.0 : 30.0);
      return std::abs(got - run.sum) <= chain * unit * run.absolute;
    } else {
      return got == run.sum;
    }
  }

  Traffic traffic() const override {
    const auto runs = static_cast<double>(want_.size());
    return {.item = 4.0, .value = 4.0 + (n_ > 0 ? 8.0 * runs / n_ : 0.0)};
  }

  RunSum sum_;
  std::vector<Run> want_;
  Buffer<std::uint32_t> keys_, keys_out_, count_;
  Buffer<Value> values_, sums_;
};

std::unique_ptr<Experiment> make_reduce_by_key(const Setup& setup) {
  if (detail_of(setup).sum == RunSum::sum_f32) return std::make_unique<ReduceByKey<float>>(setup);
  return std::make_unique<ReduceByKey<std::uint32_t>>(setup);
}

}  // namespace

const ExperimentKind& reduce_by_key_experiment() {
  static constexpr Distribution distributions[] = {Distribution::few, Distribution::uniform,
                                                   Distribution::sorted, Distribution::constant};
  static constexpr ExperimentKind kind = {.items = "pairs",
                                          .forms = reduce_by_key_forms,
                                          .distributions = distributions,
                                          .memory_each = 22,
                                          .make = make_reduce_by_key,
                                          .numbers = takes_words};
  return kind;
}

}  // namespace warpview::lab
