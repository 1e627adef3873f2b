// The experiment of hash maps: tables filled and searched, compared with reference::KeyValues.
// Times are of the operation alone: the table is cleared before each run. For finds it is filled
// before the first.
#include "gpu/primitives/hash_map/hash_map.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "gpu/lab/experiment.h"
#include "gpu/reference/key_values.h"

namespace warpview::lab {
namespace {

struct HashMapFormDetail {
  HashOperation operation;
  int key_bits;
  double load;  // the load factor at the end
};

constexpr Form hash_map_forms[] = {
    {"insert_50", "distinct keys into an empty table, up to a load factor of 0.5"},
    {"insert_80", "the same until 80 % are taken"},
    {"insert_95", "the same until 95 % are taken"},
    {"insert_u64_80", "64-bit keys until 80 % are taken"},
    {"find_50", "the value of keys, of which every other is there, in a table half full"},
    {"find_95", "the same where 95 % are taken"},
    {"find_or_insert", "the value of the first to come of many equal keys, until 80 % are taken"},
    {"count", "how often each of many keys occurs, until 80 % are taken"},
};
constexpr HashMapFormDetail hash_map_details[] = {
    {HashOperation::insert, 32, 0.5},         {HashOperation::insert, 32, 0.8},
    {HashOperation::insert, 32, 0.95},        {HashOperation::insert, 64, 0.8},
    {HashOperation::find, 32, 0.5},           {HashOperation::find, 32, 0.95},
    {HashOperation::find_or_insert, 32, 0.8}, {HashOperation::count, 32, 0.8},
};

// Keys and values, ascending.
using Pairs = reference::KeyValues::Pairs;

// The i-th of 2^32 different keys except the reserved one: consecutive or scattered.
std::uint64_t different_map_key(Distribution distribution, std::uint64_t i, int key_bits) {
  if (distribution == Distribution::sorted) return i;
  if (key_bits == 64) return i * 0x9e3779b97f4a7c15ULL;
  // An odd factor keeps all products distinct. The index whose product is the reserved key is
  // skipped.
  constexpr std::uint32_t factor = 0x9e3779b1U;
  const auto key = static_cast<std::uint32_t>(i) * factor;
  return key == ~std::uint32_t{0} ? std::uint32_t{0} - factor : key;
}

std::uint32_t value_for(std::uint64_t key) {
  return static_cast<std::uint32_t>(key * 0xc2b2ae3d27d4eb4fULL >> 40U);
}

class HashMap : public Experiment {
 public:
  explicit HashMap(const Setup& setup)
      : Experiment(setup),
        detail_(hash_map_details[static_cast<std::size_t>(setup.form)]),
        results_(device_, n_),
        not_fitted_(device_, 1) {
    std::vector<std::uint64_t> keys(n_);
    std::vector<std::uint32_t> values(n_);
    if (detail_.operation == HashOperation::insert || detail_.operation == HashOperation::find) {
      for (std::uint32_t i = 0; i < n_; ++i)
        keys[i] = different_map_key(setup.distribution, i, detail_.key_bits);
    } else {
      // About eight of each where they are uniform.
      keys = integers(setup.distribution, n_, std::max(1, static_cast<int>(std::bit_width(n_)) - 4),
                      setup.seed);
    }
    for (std::uint32_t i = 0; i < n_ && detail_.operation != HashOperation::count; ++i) {
      // For find_or_insert the value shows whose value the result is.
      values[i] = detail_.operation == HashOperation::find_or_insert ? i : value_for(keys[i]);
    }
    const auto add = [&](reference::KeyValues::Map& map, std::uint32_t i) {
      if (detail_.operation == HashOperation::count)
        ++map[keys[i]];
      else
        map.emplace(keys[i], values[i]);
    };
    const reference::KeyValues reference(keys, add);
    pairs_ = reference.pairs();
    const auto distinct = static_cast<std::uint32_t>(pairs_.size());
    table_.key_bits = detail_.key_bits;
    table_.slots = hash_table_slots(distinct, detail_.load);
    memory_ = Buffer<std::byte>(device_, hash_table_bytes(table_.key_bits, table_.slots));
    table_.memory = memory_.data();

    key_memory_ = uploaded_keys(setup, keys);
    values_ = uploaded(setup, values);
    if (detail_.operation == HashOperation::find) {
      for (std::uint32_t i = 0; i < n_; ++i) {
        const bool there = i % 2 == 0;
        // Present keys, in another order than they were inserted in.
        const std::uint64_t which = there ? i * 2654435761ULL % n_ : std::uint64_t{n_} + i;
        keys[i] = different_map_key(setup.distribution, which, detail_.key_bits);
      }
      found_.resize(n_);
      reference::for_each_item(
          n_, [&](std::size_t i) { found_[i] = reference.find(keys[i]).value_or(no_value); });
      sought_memory_ = uploaded_keys(setup, keys);
    } else {
      listed_keys_ = Buffer<std::byte>(device_, std::size_t{table_.slots} * key_bytes());
      listed_values_ = Buffer<std::uint32_t>(device_, table_.slots);
      listed_count_ = Buffer<std::uint32_t>(device_, 1);
      keys_ = std::move(keys);
    }
  }

  void reset() override {
    if (detail_.operation != HashOperation::find) clear(stream_, table_);
  }
  void run(VariantId variant) override {
    if (detail_.operation != HashOperation::find) {
      operate(variant, detail_.operation, key_memory_, n_);
      not_listed_ = variant;
      return;
    }
    if (filled_by_ != variant) {
      clear(stream_, table_);
      stream_.fill(not_fitted_.data(), spoiled_byte, not_fitted_.bytes());
      operate(variant, HashOperation::insert, key_memory_, n_);
      filled_by_ = variant;
    }
    operate(variant, HashOperation::find, sought_memory_, n_);
  }
  std::string check(VariantId /*variant*/) override {
    if (const std::uint32_t failed = not_fitted_.download(stream_).front(); failed != 0)
      return std::to_string(failed) + " keys did not fit";
    if (detail_.operation == HashOperation::find)
      return first_difference(results_.download(stream_), found_, "found values");
    list_once();
    const std::uint32_t count = listed_count_.download(stream_).front();
    if (count > table_.slots)
      return std::to_string(count) + " pairs in " + std::to_string(table_.slots) + " slots";
    const Pairs got = downloaded_pairs(count);
    if (detail_.operation != HashOperation::find_or_insert)
      return got == pairs_ ? "" : "the pairs in the table differ from the reference";
    // The value of any equal key may win: it must be one of the key's values, the same in all
    // results.
    if (got.size() != pairs_.size())
      return std::to_string(got.size()) + " keys instead of " + std::to_string(pairs_.size());
    const std::vector<std::uint32_t> results = results_.download(stream_);
    return reference::first_complaint(n_, [&](std::size_t i) -> std::string {
      const auto entry = std::lower_bound(got.begin(), got.end(), std::pair(keys_[i], 0U));
      if (entry == got.end() || entry->first != keys_[i])
        return "key " + std::to_string(keys_[i]) + " is not there";
      if (entry->second >= n_ || keys_[entry->second] != keys_[i])
        return "key " + std::to_string(keys_[i]) + " has a value that was not its own";
      if (results[i] != entry->second)
        return "result " + std::to_string(i) + " is not the value that the key has";
      return {};
    });
  }
  // The table is an input of finds.
  std::vector<Region> outputs() override {
    if (detail_.operation == HashOperation::find) return {region("results", results_)};
    return {region("memory", memory_),
            region("results", results_),
            region("not_fitted", not_fitted_),
            keys_region("listed_keys", listed_keys_),
            region("listed_values", listed_values_),
            region("listed_count", listed_count_)};
  }
  std::vector<Region> result() override {
    if (detail_.operation == HashOperation::find) return {region("results", results_)};
    list_once();
    const std::uint32_t count = listed_count_.download(stream_).front();
    std::vector<Region> regions = {region("listed_values", listed_values_, count),
                                   keys_region("listed_keys", listed_keys_, count),
                                   region("not_fitted", not_fitted_)};
    if (detail_.operation == HashOperation::find_or_insert)
      regions.push_back(region("results", results_));
    return regions;
  }

 protected:
  Traffic traffic() const override {
    return {.item = static_cast<double>(key_bytes()),
            .value = detail_.operation == HashOperation::count ? 0.0 : 4.0};
  }

 private:
  Region keys_region(const char* name, const Buffer<std::byte>& keys,
                     std::size_t count = SIZE_MAX) const {
    const ElementType type =
        detail_.key_bits == 64 ? element_type<std::uint64_t>() : element_type<std::uint32_t>();
    return {name, type, keys.data(), std::min(count, keys.size() / type.bytes) * type.bytes};
  }
  std::size_t key_bytes() const { return static_cast<std::size_t>(detail_.key_bits) / 8; }

  Buffer<std::byte> uploaded_keys(const Setup& setup,
                                  const std::vector<std::uint64_t>& keys) const {
    std::vector<std::byte> bytes(keys.size() * key_bytes());
    for (std::size_t i = 0; i < keys.size(); ++i)  // the low bytes come first
      std::memcpy(&bytes[i * key_bytes()], &keys[i], key_bytes());
    return uploaded(setup, bytes);
  }
  Pairs downloaded_pairs(std::uint32_t count) {
    const std::vector<std::byte> keys = listed_keys_.download(stream_, count * key_bytes());
    const std::vector<std::uint32_t> values = listed_values_.download(stream_, count);
    Pairs pairs(count);
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(&pairs[i].first, &keys[i * key_bytes()], key_bytes());
      pairs[i].second = values[i];
    }
    reference::sort_items(pairs.begin(), pairs.end(), std::less<>());
    return pairs;
  }

  void operate(VariantId variant, HashOperation operation, const Buffer<std::byte>& keys,
               std::uint32_t n) {
    scratch_.run(device_.table().get<Primitive::hash_map>(variant), stream_,
                 HashMapArgs{.operation = operation,
                             .table = &table_,
                             .keys = keys.data(),
                             .values = values_.data(),
                             .results = results_.data(),
                             .n = n,
                             .not_fitted = not_fitted_.data(),
                             .listed_keys = listed_keys_.data(),
                             .listed_values = listed_values_.data(),
                             .listed_count = listed_count_.data()});
  }
  // Lists what the last run left in the table.
  void list_once() {
    if (!not_listed_) return;
    operate(*not_listed_, HashOperation::list, key_memory_, 0);
    not_listed_.reset();
  }

  HashMapFormDetail detail_;
  std::vector<std::uint64_t> keys_;   // in the order of insertion
  Pairs pairs_;                       // the expected content of the table
  std::vector<std::uint32_t> found_;  // the expected results of finds
  HashTable table_;
  Buffer<std::byte> memory_, key_memory_, sought_memory_, listed_keys_;
  Buffer<std::uint32_t> values_, results_, not_fitted_, listed_values_, listed_count_;
  std::optional<VariantId> not_listed_{};  // the variant that has run since the last list
  std::optional<VariantId> filled_by_{};   // the variant that filled the table for finds
};

constexpr Distribution hash_map_distributions[] = {Distribution::uniform, Distribution::sorted,
                                                   Distribution::skewed};

}  // namespace

const ExperimentKind& hash_map_experiment() {
  static constexpr ExperimentKind kind = {.items = "keys",
                                          .forms = hash_map_forms,
                                          .distributions = hash_map_distributions,
                                          .memory_each = 64,
                                          .make = make<HashMap>};
  return kind;
}

}  // namespace warpview::lab
