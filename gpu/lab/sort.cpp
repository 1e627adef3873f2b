#include "gpu/lab/experiment.h"
#include "gpu/reference/reference.h"

namespace warpview::lab {
namespace {

constexpr Form forms[] = {
    {"u32", "32-bit keys with 32-bit values, by all bits"},
    {"u64", "64-bit keys with 32-bit values, by all bits"},
};

template <class Key>
class Sort : public Experiment {
 public:
  explicit Sort(const Setup& setup)
      : Experiment(setup), keys_out_(device_, n_), values_out_(device_, n_) {
    const auto wide = integers(setup.distribution, n_, bits, setup.seed);
    const std::vector<Key> keys(wide.begin(), wide.end());
    const auto payload = integers(Distribution::uniform, n_, 32, setup.seed + 1);
    const std::vector<std::uint32_t> values(payload.begin(), payload.end());
    want_ = reference::sort<Key>(keys, values, 0, bits);
    keys_in_ = uploaded(setup, keys);
    values_in_ = uploaded(setup, values);
  }

  void run(int row) override {
    scratch_.run(device_.table().get<Primitive::sort>(row), stream_,
                 SortArgs{.key_bits = bits,
                          .keys_in = keys_in_.data(),
                          .keys_out = keys_out_.data(),
                          .values_in = values_in_.data(),
                          .values_out = values_out_.data(),
                          .n = n_,
                          .begin_bit = 0,
                          .end_bit = bits});
  }
  std::string check(int /*row*/) override {
    const std::string keys = first_difference(keys_out_.download(stream_), want_.keys, "keys");
    if (!keys.empty()) return keys;
    return first_difference(values_out_.download(stream_), want_.values, "values");
  }
  std::vector<Region> result() override { return {region(keys_out_), region(values_out_)}; }

 protected:
  Traffic traffic() const override {
    return {.item = sizeof(Key), .value = 4, .passes = sizeof(Key)};
  }

 private:
  static constexpr int bits = 8 * sizeof(Key);
  reference::Pairs<Key> want_;
  Buffer<Key> keys_in_, keys_out_;
  Buffer<std::uint32_t> values_in_, values_out_;
};

std::unique_ptr<Experiment> make_sort(const Setup& setup) {
  if (setup.form == 0) return std::make_unique<Sort<std::uint32_t>>(setup);
  return std::make_unique<Sort<std::uint64_t>>(setup);
}

}  // namespace

const ExperimentKind& sort_experiment() {
  static constexpr ExperimentKind kind = {.items = "pairs",
                                          .forms = forms,
                                          .distributions = all_distributions,
                                          .memory_each = 40,
                                          .make = make_sort};
  return kind;
}

}  // namespace warpview::lab
