// The experiment of reduction: results of every operator, compared with plain loops.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "gpu/lab/experiment.h"
#include "gpu/operators/affine.h"
#include "gpu/primitives/reduce/reduce.h"
#include "gpu/reference/reference.h"

namespace warpview::lab {
namespace {

// In the order of ReduceOperator.
constexpr Form reduce_forms[] = {
    {"sum_i32", "sum of 32-bit integers"},
    {.name = "min_i32", .summary = "minimum of 32-bit integers", .one_decides = true},
    {.name = "max_f32", .summary = "maximum of floats", .one_decides = true},
    {"sum_f32", "sum of floats", true},
    {"dot_f32", "dot product of two vectors of floats", true},
    {.name = "scene_bounds",
     .summary = "bounds of boxes and of their centres",
     .one_decides = true},
    {"compose_u32", "composition of maps x -> a x + b: the order matters"},
    {.name = "max_i32", .summary = "maximum of 32-bit integers", .one_decides = true},
    {.name = "and_u32", .summary = "the bits that all words have", .one_decides = true},
    {.name = "or_u32", .summary = "the bits that some word has", .one_decides = true},
    {"xor_u32", "the bits that an odd number of words have"},
};

template <class Item, class Value>
struct Task {
  std::vector<Item> in, in2;
  Value want;
  double exact = 0.0, absolute = 0.0;  // sums of floats, in double, and of their absolute values
};

template <class Item, class Value>
class Reduce : public Experiment {
 public:
  Reduce(const Setup& setup, Task<Item, Value> task)
      : Experiment(setup),
        op_(static_cast<ReduceOperator>(setup.form)),
        want_{task.want},
        exact_(task.exact),
        absolute_(task.absolute),
        in_(uploaded(setup, task.in)),
        in2_(uploaded(setup, task.in2)),
        out_(device_, 1) {}

  void run(VariantId variant) override {
    scratch_.run(
        device_.table().template get<Primitive::reduce>(variant), stream_,
        ReduceArgs{.op = op_, .in = in_.data(), .in2 = in2_.data(), .n = n_, .out = out_.data()});
  }
  std::string check(VariantId variant) override {
    const std::vector<Value> got = out_.download(stream_);
    if constexpr (std::is_same_v<Value, float>) {
      if (absolute_ > 0.0) {
        const double error = rounding(variant);
        const double off = std::abs(static_cast<double>(got.front()) - exact_);
        if (off <= error) return {};
        return "the sum is " + std::to_string(got.front()) + " instead of " +
               std::to_string(exact_) + ", and rounding explains at most " + std::to_string(error);
      }
    }
    return first_difference(got, want_, "results");
  }
  std::vector<Region> outputs() override { return {region("out", out_)}; }
  std::vector<Region> result() override { return {region("out", out_)}; }

 protected:
  Traffic traffic() const override {
    return {.item = static_cast<double>(sizeof(Item) * (in2_.size() > 0 ? 2 : 1))};
  }

 private:
  // The bound on rounding: an item that passes k roundings, one after another, is off by at most
  // (1 + 2^-24)^k - 1 times itself. The catalogue's own reductions add in trees: fewer than 100
  // roundings for the levels and the product, and one for each 1000 items where threads form
  // chains, for each 200 where warps do. A library may begin with a chain of 4096. Two variants add
  // a block's or a warp's values in sequence, and their results in another. One adds all items one
  // after another: its bound, and no other's, says little beyond 2^23 items.
  double rounding(VariantId variant) const {
    const bool same = variant->determinism == Determinism::same_bits;
    double chain = 100.0 + n_ / (same ? 1000.0 : 200.0) + (is_library(variant) ? 4096.0 : 0.0);
    if ((variant->traits & ReduceTrait::in_a_row) != 0) chain = 260.0 + n_ / 32.0;
    if ((variant->traits & ReduceTrait::one_by_one) != 0 || chain > n_) chain = n_ + 1.0;
    return absolute_ * std::expm1(chain * std::log1p(0x1p-24));
  }

  ReduceOperator op_;
  std::vector<Value> want_;
  double exact_, absolute_;
  Buffer<Item> in_, in2_;
  Buffer<Value> out_;
};

std::vector<std::int32_t> signed_integers(const Setup& setup) {
  std::vector<std::int32_t> numbers(setup.n);
  if (const auto given = given_numbers(setup, integers_range)) {
    std::ranges::transform(*given, numbers.begin(),
                           [](std::int64_t number) { return static_cast<std::int32_t>(number); });
    return numbers;
  }
  const auto wide = integers(setup.distribution, setup.n, 32, setup.seed);
  std::transform(wide.begin(), wide.end(), numbers.begin(), [](std::uint64_t v) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(v));
  });
  return numbers;
}

// Numbers in [least, least + 2), or those that are given.
std::vector<float> reals(const Setup& setup, std::uint64_t seed, float least) {
  std::vector<float> numbers(setup.n);
  if (const auto given = given_numbers(setup, floats_range)) {
    std::ranges::transform(*given, numbers.begin(),
                           [](std::int64_t number) { return static_cast<float>(number); });
    return numbers;
  }
  const auto wide = integers(setup.distribution, setup.n, 24, seed);
  std::transform(wide.begin(), wide.end(), numbers.begin(),
                 [least](std::uint64_t v) { return static_cast<float>(v) * 0x1p-23F + least; });
  return numbers;
}

// A sum of n products (or items), most of them of one sign: if the positive ones cancelled the
// negative ones, rounding might explain a result of 0.
constexpr float least_of_sums = -0.5F;
template <class Term>
Task<float, float> rounded_sum(std::vector<float> in, std::vector<float> in2, std::size_t n,
                               const Term& term) {
  double sum = 0.0, absolute = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    sum += term(i);
    absolute += std::abs(term(i));
  }
  return {.in = std::move(in),
          .in2 = std::move(in2),
          .want = static_cast<float>(sum),
          .exact = sum,
          .absolute = absolute};
}

Task<std::int32_t, std::int32_t> sum_i32(const Setup& setup) {
  std::vector<std::int32_t> in = signed_integers(setup);
  std::uint32_t sum = 0;
  for (const std::int32_t x : in) sum += static_cast<std::uint32_t>(x);
  return {.in = std::move(in), .in2 = {}, .want = static_cast<std::int32_t>(sum)};
}

Task<std::int32_t, std::int32_t> min_i32(const Setup& setup) {
  std::vector<std::int32_t> in = signed_integers(setup);
  const std::int32_t least = std::accumulate(in.begin(), in.end(), INT32_MAX,
                                             [](auto a, auto b) { return std::min(a, b); });
  return {.in = std::move(in), .in2 = {}, .want = least};
}

Task<std::int32_t, std::int32_t> max_i32(const Setup& setup) {
  std::vector<std::int32_t> in = signed_integers(setup);
  const std::int32_t most = std::accumulate(in.begin(), in.end(), INT32_MIN,
                                            [](auto a, auto b) { return std::max(a, b); });
  return {.in = std::move(in), .in2 = {}, .want = most};
}

// Words in which every other bit is the same in all: otherwise none or all bits would be left.
constexpr std::uint32_t every_other_bit = 0x55555555U;
template <class Combine>
Task<std::uint32_t, std::uint32_t> bits(const Setup& setup, std::uint32_t set, std::uint32_t kept,
                                        std::uint32_t of_none, const Combine& combine) {
  std::vector<std::uint32_t> in = words(setup);
  if (!is_readable(setup.distribution))
    for (std::uint32_t& word : in) word = (word & kept) | set;
  const std::uint32_t all = std::accumulate(in.begin(), in.end(), of_none, combine);
  return {.in = std::move(in), .in2 = {}, .want = all};
}
Task<std::uint32_t, std::uint32_t> and_u32(const Setup& setup) {
  return bits(setup, every_other_bit, ~0U, ~0U, std::bit_and<>());
}
Task<std::uint32_t, std::uint32_t> or_u32(const Setup& setup) {
  return bits(setup, 0, every_other_bit, 0, std::bit_or<>());
}
Task<std::uint32_t, std::uint32_t> xor_u32(const Setup& setup) {
  return bits(setup, 0, ~0U, 0, std::bit_xor<>());
}

Task<float, float> max_f32(const Setup& setup) {
  std::vector<float> in = reals(setup, setup.seed, -1.0F);
  const float most = std::accumulate(in.begin(), in.end(), -HUGE_VALF,
                                     [](float a, float b) { return std::max(a, b); });
  return {.in = std::move(in), .in2 = {}, .want = most};
}

Task<float, float> sum_f32(const Setup& setup) {
  const std::vector<float> in = reals(setup, setup.seed, least_of_sums);
  return rounded_sum(in, {}, in.size(), [&in](std::size_t i) { return double{in[i]}; });
}

Task<float, float> dot_f32(const Setup& setup) {
  const std::vector<float> a = reals(setup, setup.seed, least_of_sums);
  const std::vector<float> b = reals(setup, setup.seed + 1, least_of_sums);
  return rounded_sum(a, b, a.size(), [&](std::size_t i) { return double{a[i]} * double{b[i]}; });
}

Task<Aabb, SceneBounds> bounds(const Setup& setup) {
  std::vector<Aabb> in = boxes(setup);
  const SceneBounds want = reference::bounds(in);
  return {.in = std::move(in), .in2 = {}, .want = want};
}

// Factors are odd, so that no map is lost: the composition stays one-to-one.
Task<Affine, Affine> compose_u32(const Setup& setup) {
  const auto wide = integers(setup.distribution, setup.n, 64, setup.seed);
  std::vector<Affine> in(setup.n);
  std::transform(wide.begin(), wide.end(), in.begin(), [](std::uint64_t v) {
    return Affine{static_cast<std::uint32_t>(v) | 1U, static_cast<std::uint32_t>(v >> 32U)};
  });
  Affine all{1, 0};
  for (const Affine& f : in) all = {f.factor * all.factor, f.factor * all.offset + f.offset};
  return {.in = std::move(in), .in2 = {}, .want = all};
}

template <class Item, class Value>
std::unique_ptr<Experiment> make_from(const Setup& setup, Task<Item, Value> (*task)(const Setup&)) {
  return std::make_unique<Reduce<Item, Value>>(setup, task(setup));
}

std::unique_ptr<Experiment> make_reduce(const Setup& setup) {
  switch (static_cast<ReduceOperator>(setup.form)) {
    case ReduceOperator::sum_i32:
      return make_from(setup, sum_i32);
    case ReduceOperator::min_i32:
      return make_from(setup, min_i32);
    case ReduceOperator::max_f32:
      return make_from(setup, max_f32);
    case ReduceOperator::sum_f32:
      return make_from(setup, sum_f32);
    case ReduceOperator::dot_f32:
      return make_from(setup, dot_f32);
    case ReduceOperator::scene_bounds:
      return make_from(setup, bounds);
    case ReduceOperator::compose_u32:
      return make_from(setup, compose_u32);
    case ReduceOperator::max_i32:
      return make_from(setup, max_i32);
    case ReduceOperator::and_u32:
      return make_from(setup, and_u32);
    case ReduceOperator::or_u32:
      return make_from(setup, or_u32);
    case ReduceOperator::xor_u32:
      break;
  }
  return make_from(setup, xor_u32);
}

std::string why_not_reduce(VariantId variant, int form) {
  return why_not_reduced(variant->traits, static_cast<ReduceOperator>(form));
}
std::optional<NumberRange> reduce_numbers(int form) {
  switch (static_cast<ReduceOperator>(form)) {
    case ReduceOperator::sum_i32:
    case ReduceOperator::min_i32:
    case ReduceOperator::max_i32:
      return integers_range;
    case ReduceOperator::max_f32:
    case ReduceOperator::sum_f32:
      return floats_range;
    case ReduceOperator::and_u32:
    case ReduceOperator::or_u32:
    case ReduceOperator::xor_u32:
      return words_range;
    default:  // pairs of numbers, boxes, maps
      return std::nullopt;
  }
}
bool reduce_is_laborious(VariantId variant) {
  return (variant->traits & ReduceTrait::by_every_lane) != 0;
}

std::uint32_t boxes_a_triangle(int form) {
  return static_cast<ReduceOperator>(form) == ReduceOperator::scene_bounds ? 1 : 0;
}

}  // namespace

const ExperimentKind& reduce_experiment() {
  static constexpr ExperimentKind kind = {.items = "items",
                                          .forms = reduce_forms,
                                          .distributions = all_distributions,
                                          .memory_each = 25,
                                          .make = make_reduce,
                                          .why_not = why_not_reduce,
                                          .is_laborious = reduce_is_laborious,
                                          .numbers = reduce_numbers,
                                          .items_a_triangle = boxes_a_triangle};
  return kind;
}

}  // namespace warpview::lab
