// The experiment of sort: keys and values in order, compared with a stable sort on the host.
#include <algorithm>
#include <bit>
#include <compare>
#include <limits>
#include <numeric>
#include <type_traits>

#include "gpu/lab/experiment.h"
#include "gpu/primitives/sort/sort.h"
#include "gpu/reference/reference.h"

namespace warpview::lab {
namespace {

constexpr Form sort_forms[] = {
    {"u32", "32-bit keys with 32-bit values, by all bits"},
    {"u64", "64-bit keys with 32-bit values, by all bits"},
    {"i32", "signed 32-bit keys with 32-bit values"},
    {"f32", "float keys with 32-bit values"},
    {"u32_keys", "32-bit keys alone"},
    {"u32_value8", "32-bit keys with 64-bit values"},
    {"u32_descending", "32-bit keys with 32-bit values, the largest first"},
    {"u64_descending", "64-bit keys with 32-bit values, the largest first"},
    {"f32_descending", "float keys with 32-bit values, the largest first"},
    {"bits_8_20", "32-bit keys with 32-bit values, by bits 8 to 19 alone"},
};

struct SortMode {
  int begin_bit = 0;
  int end_bit = 32;
  bool descending = false;
};

// Keys in the order of the distribution's integers, from the type's lowest to its highest; floats
// from -2^12 to 2^12, without NaNs and -0, which CUB treats as 0.
template <class Key>
Key key_of(std::uint64_t rank) {
  if constexpr (std::is_unsigned_v<Key>) {
    return static_cast<Key>(rank);
  } else if constexpr (std::is_integral_v<Key>) {
    return static_cast<Key>(rank ^ 0x80000000U);
  } else {
    const bool is_negative = rank < 0x80000000U;
    const std::uint64_t from_middle = is_negative ? 0x7fffffffU - rank : rank - 0x80000000U;
    const auto bits = std::bit_cast<std::uint32_t>(0x1p-20F) + from_middle / 8;
    const auto size = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    return is_negative ? -size : size;
  }
}

// All keys that are whole numbers; 8 bits of them are enough for a radix sort to have work.
template <class Key>
constexpr NumberRange key_range() {
  constexpr std::int64_t small_most = 255;
  if constexpr (std::is_floating_point_v<Key>)
    return {floats_range.least, floats_range.most, small_most};
  else if constexpr (sizeof(Key) == 8)
    return {0, INT64_MAX, small_most};
  else
    return {std::numeric_limits<Key>::min(), std::numeric_limits<Key>::max(), small_most};
}

template <class Key, class Value>
class Sort : public Experiment {
 public:
  Sort(const Setup& setup, SortKey key, int value_bytes, SortMode mode)
      : Experiment(setup),
        key_(key),
        value_bytes_(value_bytes),
        mode_(mode),
        keys_out_(device_, n_),
        values_out_(device_, value_bytes > 0 ? n_ : 0) {
    const std::vector<Key> keys = keys_of(setup);
    keys_in_ = uploaded(setup, keys);
    const std::vector<Value> values = values_of(setup, values_out_.size());
    values_in_ = uploaded(setup, values);

    const auto order = reference::stable_order(n_, [&](std::uint32_t a, std::uint32_t b) {
      return mode.descending ? before(keys[b], keys[a]) : before(keys[a], keys[b]);
    });
    want_keys_.resize(n_);
    want_values_.resize(values_out_.size());
    reference::for_each_block(n_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t place = begin; place < end; ++place) {
        want_keys_[place] = keys[order[place]];
        if (value_bytes > 0) want_values_[place] = values[order[place]];
      }
    });
  }

  void run(VariantId variant) override {
    scratch_.run(device_.table().template get<Primitive::sort>(variant), stream_,
                 SortArgs{.key = key_,
                          .keys_in = keys_in_.data(),
                          .keys_out = keys_out_.data(),
                          .value_bytes = value_bytes_,
                          .values_in = values_in_.data(),
                          .values_out = values_out_.data(),
                          .n = n_,
                          .begin_bit = mode_.begin_bit,
                          .end_bit = mode_.end_bit,
                          .descending = mode_.descending});
  }
  std::string check(VariantId /*variant*/) override {
    std::string keys = first_difference(keys_out_.download(stream_), want_keys_, "keys");
    if (!keys.empty()) return keys;
    return first_difference(values_out_.download(stream_), want_values_, "values");
  }
  std::vector<Region> outputs() override {
    return {region("keys_out", keys_out_), region("values_out", values_out_)};
  }
  std::vector<Region> result() override {
    return {region("keys_out", keys_out_), region("values_out", values_out_)};
  }

 protected:
  Traffic traffic() const override {
    return {.item = sizeof(Key),
            .value = static_cast<double>(value_bytes_),
            .passes = static_cast<double>((mode_.end_bit - mode_.begin_bit + 7) / 8)};  // NOLINT
  }

 private:
  static std::vector<Key> keys_of(const Setup& setup) {
    std::vector<Key> keys(setup.n);
    if (setup.mesh)
      keys = codes_of(*setup.mesh);
    else if (const auto given = given_numbers(setup, key_range<Key>()))
      std::ranges::transform(*given, keys.begin(),
                             [](std::int64_t number) { return static_cast<Key>(number); });
    else
      std::ranges::transform(integers(setup.distribution, setup.n, 8 * sizeof(Key), setup.seed),
                             keys.begin(), key_of<Key>);
    return keys;
  }
  // Morton codes of the triangles, as wide as the keys are.
  static std::vector<Key> codes_of(const MeshInput& mesh) {
    const std::vector<Aabb> all = boxes(mesh);
    const Aabb domain = reference::bounds(all).centres;
    if constexpr (std::is_same_v<Key, std::uint64_t>)
      return reference::morton_bits63(all, all.size(), domain);
    else if constexpr (std::is_same_v<Key, std::uint32_t>)
      return reference::morton_bits30(all, all.size(), domain);
    else
      return {};
  }
  // Values of keys to be followed by eye are the keys' places in the input.
  static std::vector<Value> values_of(const Setup& setup, std::size_t count) {
    std::vector<Value> values(count);
    if (setup.mesh || given_numbers(setup, key_range<Key>())) {
      std::iota(values.begin(), values.end(), Value{0});
    } else {
      const auto payload =
          integers(Distribution::uniform, count, 8 * sizeof(Value), setup.seed + 1);
      std::copy(payload.begin(), payload.end(), values.begin());
    }
    return values;
  }

  bool before(Key a, Key b) const {
    if constexpr (std::is_unsigned_v<Key>) {
      const Key above = mode_.end_bit == 8 * sizeof(Key) ? Key{0} : ~Key{0} << mode_.end_bit;
      return (a & ~above) >> mode_.begin_bit < (b & ~above) >> mode_.begin_bit;
    } else {
      return std::is_lt(std::strong_order(a, b));
    }
  }

  SortKey key_;
  int value_bytes_;
  SortMode mode_;
  std::vector<Key> want_keys_;
  std::vector<Value> want_values_;
  Buffer<Key> keys_in_, keys_out_;
  Buffer<Value> values_in_, values_out_;
};

template <class Key, class Value = std::uint32_t>
std::unique_ptr<Experiment> make(const Setup& setup, SortKey key, SortMode mode = {},
                                 int value_bytes = sizeof(Value)) {
  return std::make_unique<Sort<Key, Value>>(setup, key, value_bytes, mode);
}

std::unique_ptr<Experiment> make_sort(const Setup& setup) {
  using std::uint32_t, std::uint64_t;
  const std::string_view form = sort_forms[setup.form].name;
  // By the bits that Morton codes have, as scenes do it.
  if (form == "u64") return make<uint64_t>(setup, SortKey::u64, {.end_bit = setup.mesh ? 63 : 64});
  if (form == "i32") return make<std::int32_t>(setup, SortKey::i32);
  if (form == "f32") return make<float>(setup, SortKey::f32);
  if (form == "u32_keys") return make<uint32_t>(setup, SortKey::u32, {}, 0);
  if (form == "u32_value8") return make<uint32_t, uint64_t>(setup, SortKey::u32);
  if (form == "u32_descending") return make<uint32_t>(setup, SortKey::u32, {.descending = true});
  if (form == "u64_descending")
    return make<uint64_t>(setup, SortKey::u64, {.end_bit = 64, .descending = true});
  if (form == "f32_descending") return make<float>(setup, SortKey::f32, {.descending = true});
  if (form == "bits_8_20")
    return make<uint32_t>(setup, SortKey::u32, {.begin_bit = 8, .end_bit = 20});
  return make<uint32_t>(setup, SortKey::u32, {.end_bit = setup.mesh ? 30 : 32});
}

std::string sort_why_not(VariantId variant, int form) {
  const std::string_view name = sort_forms[form].name;
  if ((variant->traits & SortTrait::four_byte_values) != 0 &&
      (name == "u32_keys" || name == "u32_value8"))
    return "it takes values of 4 bytes";
  return {};
}
std::optional<NumberRange> sort_numbers(int form) {
  const std::string_view name = sort_forms[form].name;
  if (name == "bits_8_20") return std::nullopt;  // of small keys these bits are 0
  if (name.starts_with("u64")) return key_range<std::uint64_t>();
  if (name.starts_with("i32")) return key_range<std::int32_t>();
  if (name.starts_with("f32")) return key_range<float>();
  return key_range<std::uint32_t>();
}
// The codes of a mesh are sorted as the scenes do it: ascending, with the triangles as values.
std::uint32_t keys_a_triangle(int form) {
  const std::string_view name = sort_forms[form].name;
  return name == "u32" || name == "u64" ? 1 : 0;
}
bool sort_is_laborious(VariantId variant) {
  return (variant->traits & SortTrait::small_digits) != 0;
}

}  // namespace

const ExperimentKind& sort_experiment() {
  static constexpr ExperimentKind kind = {.items = "keys",
                                          .forms = sort_forms,
                                          .distributions = all_distributions,
                                          .memory_each = 40,
                                          .make = make_sort,
                                          .why_not = sort_why_not,
                                          .is_laborious = sort_is_laborious,
                                          .numbers = sort_numbers,
                                          .items_a_triangle = keys_a_triangle};
  return kind;
}

}  // namespace warpview::lab
