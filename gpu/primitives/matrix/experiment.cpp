// The experiment of the matrix product: numbers that floats add exactly, beside three loops.
#include "gpu/primitives/matrix/matrix.h"

#include <cmath>

#include "gpu/lab/experiment.h"
#include "gpu/reference/product.h"

namespace warpview::lab {
namespace {

constexpr Form forms[] = {
    {"f32", "32-bit elements"},
    {"f16", "16-bit elements, 32-bit sums"},
};

// A number k / 8 with |k| <= 16. Products are multiples of 1/64 and at most 4, so that sums of up
// to 2^16 of them are exact in a float, in any order.
int eighths(std::uint64_t random) { return static_cast<int>(random % 33) - 16; }

// 8 x as binary16, x as above: for these the format is 5 bits of exponent over a short fraction.
Half half_of(int eighth) {
  if (eighth == 0) return {0};
  const auto magnitude = static_cast<std::uint32_t>(std::abs(eighth));
  std::uint32_t exponent = 0;  // of the highest bit
  while (magnitude >> (exponent + 1) != 0) ++exponent;
  const std::uint32_t fraction = (magnitude << (10 - exponent)) & 0x3ffU;
  const std::uint32_t biased = exponent + 15 - 3;
  return {static_cast<std::uint16_t>((eighth < 0 ? 0x8000U : 0U) | biased << 10U | fraction)};
}

// n items are about n elements of the result, of sizes that are seldom multiples of anything.
class Matrix : public Experiment {
 public:
  explicit Matrix(const Setup& setup)
      : Experiment(setup),
        type_(setup.form == 0 ? MatrixType::f32 : MatrixType::f16),
        columns_(static_cast<std::uint32_t>(std::sqrt(static_cast<double>(n_)))),
        rows_(columns_ > 0 ? (n_ + columns_ - 1) / columns_ : 0),
        inner_(columns_),
        c_(device_, std::size_t{rows_} * columns_) {
    const std::size_t in_a = std::size_t{rows_} * inner_;
    const std::size_t in_b = std::size_t{inner_} * columns_;
    const auto random = integers(setup.distribution, in_a + in_b, 32, setup.seed);
    std::vector<float> a(in_a);
    std::vector<float> b(in_b);
    std::vector<Half> half_a(in_a);
    std::vector<Half> half_b(in_b);
    for (std::size_t i = 0; i < in_a; ++i) {
      a[i] = static_cast<float>(eighths(random[i])) / 8.0F;
      half_a[i] = half_of(eighths(random[i]));
    }
    for (std::size_t i = 0; i < in_b; ++i) {
      b[i] = static_cast<float>(eighths(random[in_a + i])) / 8.0F;
      half_b[i] = half_of(eighths(random[in_a + i]));
    }
    if (type_ == MatrixType::f32) {
      a_ = uploaded(setup, a);
      b_ = uploaded(setup, b);
    } else {
      half_a_ = uploaded(setup, half_a);
      half_b_ = uploaded(setup, half_b);
    }
    want_ = reference::product(a, b, rows_, inner_, columns_);
  }

  void run(int row) override {
    const bool wide = type_ == MatrixType::f32;
    scratch_.run(device_.table().get<Primitive::matrix>(row), stream_,
                 MatrixArgs{.type = type_,
                            .a = wide ? static_cast<const void*>(a_.data()) : half_a_.data(),
                            .b = wide ? static_cast<const void*>(b_.data()) : half_b_.data(),
                            .c = c_.data(),
                            .rows = rows_,
                            .inner = inner_,
                            .columns = columns_});
  }
  std::string check(int /*row*/) override {
    // 0 and -0 are the same sum.
    const std::vector<float> got = c_.download(stream_);
    for (std::size_t i = 0; i < want_.size(); ++i)
      if (!(got[i] == want_[i]))
        return "element (" + std::to_string(i / columns_) + ", " + std::to_string(i % columns_) +
               ") is " + std::to_string(got[i]) + " instead of " + std::to_string(want_[i]);
    return {};
  }
  std::vector<Region> outputs() override { return {region(c_)}; }
  std::vector<Region> result() override { return {region(c_)}; }

 protected:
  Traffic traffic() const override { return {.item = type_ == MatrixType::f32 ? 4.0 : 2.0}; }

 private:
  MatrixType type_;
  std::uint32_t columns_, rows_, inner_;
  Buffer<float> a_, b_;
  Buffer<Half> half_a_, half_b_;
  Buffer<float> c_;
  std::vector<float> want_;
};

std::string why_not(int row, int form) {
  const bool halves_only = (variant_at(row).traits & MatrixTrait::halves_only) != 0;
  return halves_only && form == 0 ? "multiplies 16-bit elements only" : "";
}

}  // namespace

const ExperimentKind& matrix_experiment() {
  static constexpr ExperimentKind kind = {.items = "elements",
                                          .forms = forms,
                                          .distributions = only_uniform,
                                          .memory_each = 13,
                                          .make = make<Matrix>,
                                          .most_on_cpu = 1U << 18U,
                                          .why_not = why_not};
  return kind;
}

}  // namespace warpview::lab
