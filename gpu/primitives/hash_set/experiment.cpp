// The experiment of hash sets: sets filled and searched, compared with a sorted list of the keys.
// Times are of the operation alone: the set is cleared before each run. For finds it is filled
// before the first.
#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>

#include "gpu/lab/experiment.h"
#include "gpu/primitives/hash_set/hash_set.h"
#include "gpu/reference/all_cores.h"

namespace warpview::lab {
namespace {

enum class Keys {
  different,   // no two are equal
  repeated,    // about eight of each where they are uniform
  half_absent  // every other key sought is absent
};

struct HashSetFormDetail {
  SetOperation operation;
  double load;  // the load factor at the end
  Keys keys = Keys::different;
};

constexpr Form hash_set_forms[] = {
    {"insert_50", "distinct keys into an empty set, up to a load factor of 0.5"},
    {"insert_10", "the same until 10 % are taken"},
    {"insert_25", "the same until 25 % are taken"},
    {"insert_75", "the same until 75 % are taken"},
    {"insert_90", "the same until 90 % are taken"},
    {"find_50", "keys that all are there, in a set half full"},
    {"find_10", "the same where 10 % are taken"},
    {"find_25", "the same where 25 % are taken"},
    {"find_75", "the same where 75 % are taken"},
    {"find_90", "the same where 90 % are taken"},
    {"find_half_90", "keys of which every other is there, where 90 % are taken"},
    {"insert_repeated", "repeated keys, up to a load factor of 0.5"},
};
constexpr HashSetFormDetail hash_set_details[] = {
    {SetOperation::insert, 0.5},
    {SetOperation::insert, 0.1},
    {SetOperation::insert, 0.25},
    {SetOperation::insert, 0.75},
    {SetOperation::insert, 0.9},
    {SetOperation::find, 0.5},
    {SetOperation::find, 0.1},
    {SetOperation::find, 0.25},
    {SetOperation::find, 0.75},
    {SetOperation::find, 0.9},
    {SetOperation::find, 0.9, Keys::half_absent},
    {SetOperation::insert, 0.5, Keys::repeated},
};

constexpr std::uint32_t key_count = std::uint32_t{1} << set_key_bits;

// The i-th of 2^31 different keys: consecutive or scattered.
std::uint32_t different_set_key(Distribution distribution, std::uint32_t i) {
  if (distribution == Distribution::sorted) return i % key_count;
  return i * 0x9e3779b1U % key_count;  // an odd factor keeps all products distinct
}

class Set : public Experiment {
 public:
  explicit Set(const Setup& setup)
      : Experiment(setup),
        detail_(hash_set_details[static_cast<std::size_t>(setup.form)]),
        keys_(n_),
        found_(device_, words_of_bits(n_)),
        no_room_(device_, words_of_bits(n_)) {
    if (detail_.keys == Keys::repeated) {
      const int bits = std::clamp(static_cast<int>(std::bit_width(n_)) - 4, 1, set_key_bits);
      const auto wide = integers(setup.distribution, n_, bits, setup.seed);
      std::copy(wide.begin(), wide.end(), keys_.begin());
    } else {
      reference::for_each_item(n_, [&](std::size_t i) {
        keys_[i] = different_set_key(setup.distribution, static_cast<std::uint32_t>(i));
      });
    }
    distinct_ = keys_;
    reference::sort_items(distinct_.begin(), distinct_.end(), std::less<>());
    distinct_.erase(std::unique(distinct_.begin(), distinct_.end()), distinct_.end());

    set_.slots = hash_set_slots(static_cast<std::uint32_t>(distinct_.size()), detail_.load);
    memory_ = Buffer<std::uint32_t>(device_, set_.slots);
    set_.memory = memory_.data();
    key_memory_ = uploaded(setup, keys_);
    if (detail_.operation == SetOperation::find) {
      // Present keys, in another order than they were inserted in.
      reference::for_each_item(n_, [&](std::size_t i) {
        const bool there = detail_.keys != Keys::half_absent || i % 2 == 0;
        const std::uint64_t which = there ? i * 2654435761ULL % n_ : std::uint64_t{n_} + i;
        keys_[i] = different_set_key(setup.distribution, static_cast<std::uint32_t>(which));
      });
      sought_memory_ = uploaded(setup, keys_);
    } else {
      listed_keys_ = Buffer<std::uint32_t>(device_, set_.slots);
      listed_count_ = Buffer<std::uint32_t>(device_, 1);
    }
  }

  void reset() override {
    if (detail_.operation != SetOperation::find) clear(stream_, set_);
  }
  void run(VariantId variant) override {
    if (detail_.operation == SetOperation::insert) {
      operate(variant, SetOperation::insert, key_memory_);
      not_listed_ = variant;
      return;
    }
    if (filled_by_ != variant) {
      clear(stream_, set_);
      operate(variant, SetOperation::insert, key_memory_);
      filled_by_ = variant;
    }
    operate(variant, SetOperation::find, sought_memory_);
  }
  std::string check(VariantId /*variant*/) override {
    const std::vector<std::uint32_t> found = found_.download(stream_);
    const auto is_found = [&](std::size_t i) { return (found[i / 32] >> (i % 32) & 1U) != 0; };
    if (n_ % 32 != 0 && found.back() >> (n_ % 32) != 0) return "bits of no key are set";
    if (detail_.operation == SetOperation::find)
      return reference::first_complaint(n_, [&](std::size_t i) -> std::string {
        const bool there = std::binary_search(distinct_.begin(), distinct_.end(), keys_[i]);
        if (is_found(i) == there) return {};
        return "key " + std::to_string(keys_[i]) + (there ? " is not found" : " is found");
      });

    const std::vector<std::uint32_t> no_room = no_room_.download(stream_);
    list_once();
    const std::uint32_t count = listed_count_.download(stream_).front();
    if (count > set_.slots)
      return std::to_string(count) + " keys in " + std::to_string(set_.slots) + " slots";
    std::vector<std::uint32_t> listed = listed_keys_.download(stream_, count);
    reference::sort_items(listed.begin(), listed.end(), std::less<>());
    if (listed != distinct_) return "the keys in the set differ from the reference";
    if (std::any_of(no_room.begin(), no_room.end(), [](std::uint32_t word) { return word != 0; }))
      return "keys had no room";
    // Exactly one of equal keys was inserted.
    std::vector<std::atomic<std::uint32_t>> inserted(listed.size());
    reference::for_each_item(n_, [&](std::size_t i) {
      if (is_found(i)) return;
      const auto place = std::lower_bound(listed.begin(), listed.end(), keys_[i]);
      inserted[static_cast<std::size_t>(place - listed.begin())].fetch_add(
          1, std::memory_order_relaxed);
    });
    return reference::first_complaint(listed.size(), [&](std::size_t i) -> std::string {
      const std::uint32_t times = inserted[i].load(std::memory_order_relaxed);
      if (times == 1) return {};
      return "key " + std::to_string(listed[i]) + " came in " + std::to_string(times) + " times";
    });
  }
  // The set is an input of finds.
  std::vector<Region> outputs() override {
    if (detail_.operation == SetOperation::find)
      return {region("found", found_), region("no_room", no_room_)};
    return {region("memory", memory_), region("found", found_), region("no_room", no_room_),
            region("listed_keys", listed_keys_), region("listed_count", listed_count_)};
  }
  std::vector<Region> result() override {
    if (detail_.operation == SetOperation::find) return {region("found", found_)};
    list_once();
    return {region("listed_keys", listed_keys_, listed_count_.download(stream_).front()),
            region("found", found_), region("no_room", no_room_)};
  }

 protected:
  Traffic traffic() const override {
    return {.item = 4.0, .value = detail_.operation == SetOperation::find ? 0.125 : 0.25};
  }

 private:
  void operate(VariantId variant, SetOperation operation, const Buffer<std::uint32_t>& keys) {
    scratch_.run(device_.table().get<Primitive::hash_set>(variant), stream_,
                 HashSetArgs{.operation = operation,
                             .set = set_,
                             .keys = keys.data(),
                             .n = n_,
                             .found = found_.data(),
                             .no_room = no_room_.data(),
                             .listed_keys = listed_keys_.data(),
                             .listed_count = listed_count_.data()});
  }
  // Lists what the last run left in the set.
  void list_once() {
    if (!not_listed_) return;
    operate(*not_listed_, SetOperation::list, key_memory_);
    not_listed_.reset();
  }

  HashSetFormDetail detail_;
  std::vector<std::uint32_t> keys_;      // to insert or to find
  std::vector<std::uint32_t> distinct_;  // inserted keys, ascending
  HashSet set_;
  Buffer<std::uint32_t> memory_, key_memory_, sought_memory_, found_, no_room_, listed_keys_,
      listed_count_;
  std::optional<VariantId> not_listed_{};  // the variant that has run since the last list
  std::optional<VariantId> filled_by_{};   // the one that filled the set for finds
};

constexpr Distribution hash_set_distributions[] = {Distribution::uniform, Distribution::sorted,
                                                   Distribution::skewed};

}  // namespace

const ExperimentKind& hash_set_experiment() {
  static constexpr ExperimentKind kind = {.items = "keys",
                                          .forms = hash_set_forms,
                                          .distributions = hash_set_distributions,
                                          .memory_each = 100,
                                          .make = make<Set>};
  return kind;
}

}  // namespace warpview::lab
