// The experiment of the matrix product: numbers whose sums are exact, compared with three loops.
#include "gpu/primitives/matrix/matrix.h"

#include <cmath>

#include "gpu/lab/experiment.h"
#include "gpu/reference/product.h"

namespace warpview::lab {
namespace {

// In the order of MatrixType.
constexpr Form matrix_forms[] = {
    {"f32", "32-bit elements"},
    {"f16", "16-bit elements, 32-bit sums"},
    {"f16_f16", "16-bit elements and results"},
    {"i8_i32", "8-bit integers, 32-bit sums"},
    {"tf32", "32-bit elements, of which 19 bits count"},
};

// Floats: k / 8 with |k| <= 16. Products are multiples of 1/64 and at most 4, so that sums of up to
// 2^16 of them are exact in a float, in any order. For 16-bit sums: -1, 0 or 1; up to 2048 products
// are exact, and far more where as many are positive as negative. Bytes: integers up to 16.
float small_number(MatrixType type, std::uint64_t random) {
  constexpr float of_halves[] = {-1.0F, 0.0F, 0.0F, 1.0F};
  if (type == MatrixType::f16_f16) return of_halves[random % 4];
  const auto number = static_cast<float>(static_cast<int>(random % 33) - 16);
  return type == MatrixType::i8_i32 ? number : number / 8.0F;
}

// Elements of a or b in their memory format.
std::vector<std::byte> stored(MatrixType type, const std::vector<float>& numbers) {
  const std::size_t each = bytes_of_input(type);
  std::vector<std::byte> bytes(numbers.size() * each);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Half half = to_half(numbers[i]);
    const auto byte = static_cast<std::int8_t>(numbers[i]);
    const void* element = each == 4   ? static_cast<const void*>(&numbers[i])
                          : each == 2 ? static_cast<const void*>(&half)
                                      : &byte;
    std::memcpy(&bytes[i * each], element, each);
  }
  return bytes;
}
// An element of c as a number.
float loaded(MatrixType type, const std::byte* element) {
  if (type == MatrixType::f16_f16) {
    Half half;
    std::memcpy(&half, element, sizeof half);
    return to_float(half);
  }
  std::uint32_t bits = 0;
  std::memcpy(&bits, element, sizeof bits);
  if (type == MatrixType::i8_i32) return static_cast<float>(static_cast<std::int32_t>(bits));
  float number = 0.0F;
  std::memcpy(&number, &bits, sizeof number);
  return number;
}

// n items give about n elements of the result, of sizes that are seldom multiples of anything.
class Matrix : public Experiment {
 public:
  explicit Matrix(const Setup& setup)
      : Experiment(setup),
        type_(static_cast<MatrixType>(setup.form)),
        columns_(static_cast<std::uint32_t>(std::sqrt(static_cast<double>(n_)))),
        rows_(columns_ > 0 ? (n_ + columns_ - 1) / columns_ : 0),
        inner_(columns_),
        c_(device_, std::size_t{rows_} * columns_ * bytes_of_output(type_)) {
    std::vector<float> a(std::size_t{rows_} * inner_);
    std::vector<float> b(std::size_t{inner_} * columns_);
    const auto random = integers(setup.distribution, a.size() + b.size(), 32, setup.seed);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = small_number(type_, random[i]);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = small_number(type_, random[a.size() + i]);
    a_ = uploaded(setup, stored(type_, a));
    b_ = uploaded(setup, stored(type_, b));
    want_ = reference::product(a, b, rows_, inner_, columns_);
  }

  void run(VariantId variant) override {
    scratch_.run(device_.table().get<Primitive::matrix>(variant), stream_,
                 MatrixArgs{.type = type_,
                            .a = a_.data(),
                            .b = b_.data(),
                            .c = c_.data(),
                            .rows = rows_,
                            .inner = inner_,
                            .columns = columns_});
  }
  std::string check(VariantId /*variant*/) override {
    const std::vector<std::byte> got = c_.download(stream_);
    for (std::size_t i = 0; i < want_.size(); ++i) {
      const float number = loaded(type_, &got[i * bytes_of_output(type_)]);
      // 0 and -0 count as equal.
      if (!(number == want_[i]))
        return "element (" + std::to_string(i / columns_) + ", " + std::to_string(i % columns_) +
               ") is " + std::to_string(number) + " instead of " + std::to_string(want_[i]);
    }
    return {};
  }
  std::vector<Region> outputs() override { return {region("c", c_)}; }
  std::vector<Region> result() override { return {region("c", c_)}; }

 protected:
  Traffic traffic() const override {
    return {.item = static_cast<double>(bytes_of_input(type_)),
            .value = static_cast<double>(bytes_of_output(type_))};
  }

 private:
  MatrixType type_;
  std::uint32_t columns_, rows_, inner_;
  Buffer<std::byte> a_, b_, c_;
  std::vector<float> want_;
};

std::string matrix_why_not(VariantId variant, int form) {
  return multiplies(variant->traits, static_cast<MatrixType>(form))
             ? ""
             : "does not multiply elements of this type";
}

}  // namespace

const ExperimentKind& matrix_experiment() {
  static constexpr ExperimentKind kind = {.items = "elements",
                                          .forms = matrix_forms,
                                          .distributions = only_uniform,
                                          .memory_each = 13,
                                          .make = make<Matrix>,
                                          .most_on_cpu = 1U << 18U,
                                          .why_not = matrix_why_not};
  return kind;
}

}  // namespace warpview::lab
