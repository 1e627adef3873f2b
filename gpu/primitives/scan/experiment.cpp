// The experiment of scan: prefixes by every operator, compared with reference::scan, or checked
// against bounds on rounding.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "gpu/lab/experiment.h"
#include "gpu/primitives/scan/operators.h"
#include "gpu/primitives/scan/scan.h"
#include "gpu/reference/all_cores.h"

namespace warpview::lab {
namespace {

constexpr Form scan_forms[] = {
    {"exclusive", "exclusive prefix sum of words"},
    {"inclusive", "sum of the words up to each"},
    {"in_place", "exclusive prefix sum of words, in place"},
    {"sum_f32", "sum of the floats up to each", true},
    {"max_i32", "greatest of the signed integers up to each"},
    {"affine_u32", "the maps x -> a x + b before each, one applied after the other (8 bytes)"},
    {"matrix_u64", "product of the 2 by 2 matrices up to each (32 bytes)"},
};
struct ScanMode {
  ScanOperator combine;
  bool inclusive;
  bool in_place;
};
constexpr ScanMode modes[] = {
    {ScanOperator::sum_u32, false, false},   {ScanOperator::sum_u32, true, false},
    {ScanOperator::sum_u32, false, true},    {ScanOperator::sum_f32, true, false},
    {ScanOperator::max_i32, true, false},    {ScanOperator::affine_u32, false, false},
    {ScanOperator::matrix_u64, true, false},
};
static_assert(std::size(scan_forms) == std::size(modes));

// An item made from a word of the distribution.
template <class T>
T item_of(std::uint64_t word) {
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<float>(word >> 40) * 0x1p-23F - 1.0F;  // in [-1, 1)
  } else if constexpr (std::is_same_v<T, Affine>) {
    // Invertible, otherwise products would soon be 0: a is odd.
    return {static_cast<std::uint32_t>(word >> 32) | 1U, static_cast<std::uint32_t>(word)};
  } else if constexpr (std::is_same_v<T, Matrix2>) {
    // Invertible: the diagonal is odd and the element above it even.
    const std::uint64_t other = word * 0x9e3779b97f4a7c15U;
    return {{word | 1U, other & ~std::uint64_t{1}, other >> 7, ~word | 1U}};
  } else {
    return static_cast<T>(word >> 32);
  }
}

template <class T>
constexpr std::optional<NumberRange> scan_numbers() {
  if constexpr (std::is_same_v<T, float>)
    return floats_range;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return integers_range;
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return words_range;
  else
    return std::nullopt;
}
template <class T>
T item_from_number(std::int64_t number) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<T>(number);
  else
    return item_of<T>(static_cast<std::uint64_t>(number));
}

template <class Operator>
class Scan : public Experiment {
  using T = typename Operator::Type;

 public:
  Scan(const Setup& setup, const ScanMode& mode) : Experiment(setup), mode_(mode) {
    std::vector<T> host(n_);
    if (setup.mesh)
      std::ranges::fill(host, item_from_number<T>(1));  // the flag of a triangle that is kept
    else if (const auto given = given_numbers(setup, scan_numbers<T>().value_or(words_range)))
      std::ranges::transform(*given, host.begin(), item_from_number<T>);
    else
      std::ranges::transform(integers(setup.distribution, n_, 64, setup.seed), host.begin(),
                             item_of<T>);
    if constexpr (std::is_same_v<T, float>)
      want_bounded(host);
    else
      want_ = reference::scan(std::span<const T>(host), mode.inclusive, Operator::identity(),
                              Operator::combine);
    in_ = uploaded(setup, host);
    out_ = Buffer<T>(device_, n_);
  }

  void reset() override {
    if (mode_.in_place) stream_.copy(out_.data(), in_.data(), in_.bytes(), Copy::device_to_device);
  }
  void run(VariantId variant) override {
    scratch_.run(device_.table().template get<Primitive::scan>(variant), stream_,
                 ScanArgs{.in = mode_.in_place ? out_.data() : in_.data(),
                          .out = out_.data(),
                          .n = n_,
                          .inclusive = mode_.inclusive,
                          .combine = mode_.combine});
  }
  std::string check(VariantId variant) override {
    const std::vector<T> got = out_.download(stream_);
    if constexpr (std::is_same_v<T, float>) return beyond_bound(got, variant);
    return first_difference(got, want_, "prefixes");
  }
  std::vector<Region> outputs() override { return {region("out", out_)}; }
  std::vector<Region> result() override { return {region("out", out_)}; }

 private:
  Traffic traffic() const override { return {.item = sizeof(T)}; }

  // Sums in double, and the sums of the absolute values.
  void want_bounded(const std::vector<float>& host) {
    double sum = 0.0;
    double absolute = 0.0;
    for (const float x : host) {
      sum += x;
      absolute += std::abs(x);
      exact_.push_back({sum, absolute});
    }
  }
  // The rounding error of k additions, one after another, is at most k times the unit roundoff
  // times the sum of the absolute values, whatever their arrangement. The catalogue's own scans add
  // in trees: fewer than 100 additions for the levels, and one per thousand items where tiles form
  // a chain. A library may add one item after another.
  std::string beyond_bound(const std::vector<float>& got, VariantId variant) const {
    constexpr double unit = 0x1p-24;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double chain = static_cast<double>(i) / (is_library(variant) ? 1.0 : 1000.0);
      const double bound = (100.0 + chain) * unit * exact_[i].absolute;
      if (!(std::abs(got[i] - exact_[i].sum) <= bound))
        return "sum " + std::to_string(i) + " is " + std::to_string(got[i]) + " instead of " +
               std::to_string(exact_[i].sum) + ", and rounding explains " + std::to_string(bound);
    }
    return {};
  }

  struct Exact {
    double sum;
    double absolute;
  };
  ScanMode mode_;
  std::vector<T> want_;
  std::vector<Exact> exact_;
  Buffer<T> in_, out_;
};

std::unique_ptr<Experiment> make_scan(const Setup& setup) {
  const ScanMode& mode = modes[setup.form];
  std::unique_ptr<Experiment> made;
  with_operator(mode.combine,
                [&](auto op) { made = std::make_unique<Scan<decltype(op)>>(setup, mode); });
  return made;
}

std::optional<NumberRange> scan_numbers(int form) {
  std::optional<NumberRange> numbers;
  with_operator(modes[form].combine,
                [&](auto op) { numbers = scan_numbers<typename decltype(op)::Type>(); });
  return numbers;
}

}  // namespace

const ExperimentKind& scan_experiment() {
  static constexpr Distribution distributions[] = {Distribution::uniform, Distribution::few,
                                                   Distribution::sorted, Distribution::constant};
  static constexpr ExperimentKind kind = {.items = "items",
                                          .forms = scan_forms,
                                          .distributions = distributions,
                                          .memory_each = 66,
                                          .make = make_scan,
                                          .numbers = scan_numbers,
                                          .items_a_triangle = one_a_triangle};
  return kind;
}

}  // namespace warpview::lab
