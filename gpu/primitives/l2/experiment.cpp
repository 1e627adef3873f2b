// The experiment of L2 residency: words streamed past a table, in which some of them are looked up.
#include "gpu/primitives/l2/l2.h"

#include <algorithm>

#include "gpu/lab/experiment.h"
#include "gpu/primitives/reduce/reduce.h"

namespace warpview::lab {
namespace {

constexpr Form l2_forms[] = {
    {"one_in_8", "a table of up to 24 MiB that every eighth key is looked up in"},
    {"one_in_32", "a table of up to 24 MiB that one key of 32 is looked up in"},
    {"all", "a table of up to 24 MiB that every key is looked up in"},
    {"all_small", "a table of up to 8 MiB that every key is looked up in"},
    {"one_in_8_warm", "one_in_8, with the table in the cache at the start"},
    {"one_in_32_warm", "one_in_32, with the table in the cache at the start"},
    {"hit_25", "one_in_8, where a quarter of the accesses to the table are persisting"},
    {"hit_50", "one_in_8, where half of them are"},
    {"hit_60", "one_in_8, where 0.6 of them are"},
    {"hit_100", "one_in_8, where all of them are, whether there is room or not"},
};
constexpr std::uint32_t large = 3U << 20U;  // slots, of 8 bytes
constexpr std::uint32_t most_slots[] = {large, large, large, 1U << 20U, large,
                                        large, large, large, large,     large};
constexpr std::uint32_t every[] = {8, 32, 1, 1, 8, 32, 8, 8, 8, 8};
constexpr bool is_warm[] = {false, false, false, false, true, true, false, false, false, false};
constexpr float hit_ratios[] = {0, 0, 0, 0, 0, 0, 0.25F, 0.5F, 0.6F, 1.0F};

class L2 : public Experiment {
 public:
  explicit L2(const Setup& setup)
      : Experiment(setup),
        every_(every[setup.form]),
        is_warm_(is_warm[setup.form]),
        hit_ratio_(hit_ratios[setup.form]),
        read_(device_, 1),
        values_(device_, n_),
        want_(n_) {
    // A key and a value are 8 bytes of the stream, and so is a slot of the table. The table shrinks
    // where the stream would not be eight times its size.
    table_.slots = std::clamp(n_ / 8, 8U, most_slots[setup.form]) / 4 * 4;
    memory_ = Buffer<std::byte>(device_, hash_table_bytes(table_.key_bits, table_.slots));
    table_.memory = memory_.data();

    const std::uint32_t held = table_.slots / 2;
    std::vector<std::uint32_t> keys(held);
    std::vector<std::uint32_t> values(held);
    for (std::uint32_t i = 0; i < held; ++i) {
      keys[i] = key(i);
      values[i] = value(i);
    }
    const auto device_keys = uploaded(setup, keys);
    const auto device_values = uploaded(setup, values);
    const Buffer<std::uint32_t> not_fitted(device_, 1);
    clear(stream_, table_);
    scratch_.run(
        device_.table().get<Primitive::hash_map>(find_variant(Primitive::hash_map, "linear")),
        stream_,
        HashMapArgs{.operation = HashOperation::insert,
                    .table = &table_,
                    .keys = device_keys.data(),
                    .values = device_values.data(),
                    .n = held,
                    .not_fitted = not_fitted.data()});
    stream_.synchronize();

    // Uniform: the table holds every other key. Otherwise it holds the smaller numbers.
    const auto numbers = integers(setup.distribution, n_, 32, setup.seed);
    std::vector<std::uint32_t> sought(n_);
    for (std::uint32_t i = 0; i < n_; ++i) {
      const auto number = static_cast<std::uint32_t>(numbers[i] % (2 * std::uint64_t{held}));
      sought[i] = key(number);
      want_[i] = i % every[setup.form] != 0 ? sought[i] : number < held ? value(number) : no_value;
    }
    keys_ = uploaded(setup, sought);
  }

  void run(VariantId variant) override {
    if (variant != prepared_for_) {
      prepared_.reset();  // what one variant sets aside must not be missing for the next
      prepared_ = device_.table().get<Primitive::l2>(variant)(stream_, {.table = &table_,
                                                                        .keys = keys_.data(),
                                                                        .values = values_.data(),
                                                                        .n = n_,
                                                                        .every = every_,
                                                                        .hit_ratio = hit_ratio_});
      prepared_for_ = variant;
    }
    prepared_->run();
  }
  // A sum over the table reads every slot.
  void warm_caches() override {
    if (!is_warm_) return;
    scratch_.run(device_.table().get<Primitive::reduce>(
                     default_variant(Primitive::reduce, device_.info().backend)),
                 stream_,
                 ReduceArgs{.op = ReduceOperator::sum_i32,
                            .in = table_.memory,
                            .n = 2 * table_.slots,
                            .out = read_.data()});
  }
  std::string check(VariantId /*variant*/) override {
    return first_difference(values_.download(stream_), want_, "values");
  }
  std::vector<Region> outputs() override { return {region("values", values_)}; }
  std::vector<Region> result() override { return {region("values", values_)}; }

 private:
  // An odd factor keeps all keys distinct; the reserved key comes from an unused number.
  static std::uint32_t key(std::uint32_t number) { return number * 0x9e3779b1U; }
  static std::uint32_t value(std::uint32_t number) { return number ^ 0x5a5a5a5U; }

  std::uint32_t every_;
  bool is_warm_;
  float hit_ratio_;
  Buffer<std::int32_t> read_;
  HashTable table_;
  Buffer<std::byte> memory_;
  Buffer<std::uint32_t> keys_, values_;
  std::vector<std::uint32_t> want_;
  std::optional<VariantId> prepared_for_{};
  std::unique_ptr<Prepared> prepared_;
};

constexpr Distribution l2_distributions[] = {Distribution::uniform, Distribution::skewed};

std::string why_not_l2(VariantId variant, int form) {
  const bool has_window = (variant->traits & L2Trait::has_window) != 0;
  return hit_ratios[form] > 0.0F && !has_window ? "has no window: its time is that of one_in_8"
                                                : "";
}

}  // namespace

const ExperimentKind& l2_experiment() {
  static constexpr ExperimentKind kind = {.items = "keys",
                                          .forms = l2_forms,
                                          .distributions = l2_distributions,
                                          .memory_each = 12,
                                          .make = make<L2>,
                                          .why_not = why_not_l2};
  return kind;
}

}  // namespace warpview::lab
