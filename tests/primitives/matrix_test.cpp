// Every matrix product of the catalogue, where the experiment's input does not lead: sizes of which
// no two are equal, so that a wrong stride shows, an inner size of 0, and numbers of 24 significant
// bits, so that inputs rounded to shorter ones show.
#include "gpu/primitives/matrix/matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "gpu/runtime/scratch_memory.h"
#include "tests/support/devices.h"
#include "tests/support/guarded.h"

namespace warpview::test {
namespace {

struct Size {
  std::uint32_t rows, inner, columns;
};
constexpr Size sizes_to_multiply[] = {{1, 1, 1},     {3, 0, 5},    {0, 4, 7},    {4, 7, 0},
                                      {17, 1, 31},   {5, 200, 3},  {16, 48, 32}, {65, 33, 17},
                                      {130, 19, 66}, {1, 129, 70}, {70, 64, 1}};

// In (-2, 2), with all the bits that the type has.
float number(MatrixType type, std::mt19937& random) {
  const std::uint32_t bits = random();
  const bool wide = type == MatrixType::f32;
  const std::uint32_t significand =
      wide ? bits % (1U << 23U) | 1U << 23U : bits % (1U << 10U) | 1U << 10U;
  const int exponent = static_cast<int>(bits >> 24U) % 4 - (wide ? 26 : 13);
  return std::ldexp((bits >> 31U) != 0 ? -1.0F : 1.0F, exponent) * static_cast<float>(significand);
}
// The number, which has 11 significant bits and lies between 1/8 and 2.
Half half_of(float number) {
  int exponent = 0;
  const float fraction = std::frexp(std::abs(number), &exponent);  // in [1/2, 1)
  const auto significand = static_cast<std::uint32_t>(std::ldexp(fraction, 11)) & 0x3ffU;
  const auto biased = static_cast<std::uint32_t>(exponent - 1 + 15);
  return {static_cast<std::uint16_t>((number < 0 ? 0x8000U : 0U) | biased << 10U | significand)};
}
template <class T>
std::vector<T> as(const std::vector<float>& numbers) {
  std::vector<T> converted;
  for (const float x : numbers)
    if constexpr (std::is_same_v<T, Half>)
      converted.push_back(half_of(x));
    else
      converted.push_back(x);
  return converted;
}

class MatrixProduct : public testing::TestWithParam<Row> {
 protected:
  template <class T>
  static void check(MatrixType type, const Size& size) {
    std::mt19937 random(size.rows * 7919 + size.inner);
    std::vector<float> a(std::size_t{size.rows} * size.inner);
    std::vector<float> b(std::size_t{size.inner} * size.columns);
    for (std::vector<float>* numbers : {&a, &b})
      for (float& x : *numbers) x = number(type, random);
    for (const TestDevice& on : devices_for(1, GetParam())) {
      SCOPED_TRACE(std::to_string(size.rows) + " x " + std::to_string(size.inner) + " x " +
                   std::to_string(size.columns) + ", " + on.name);
      const auto stream = on.device->create_stream();
      ScratchMemory scratch(*on.device);
      const Guarded<T> device_a(*on.device, *stream, as<T>(a), 0);
      const Guarded<T> device_b(*on.device, *stream, as<T>(b), 0);
      const Guarded<float> c(*on.device, *stream, std::size_t{size.rows} * size.columns, 0);
      scratch.run(on.device->table().get<Primitive::matrix>(GetParam().index), *stream,
                  MatrixArgs{.type = type,
                             .a = device_a.data(),
                             .b = device_b.data(),
                             .c = c.data(),
                             .rows = size.rows,
                             .inner = size.inner,
                             .columns = size.columns});
      const std::vector<float> got = c.download();
      ASSERT_EQ(got.size(), std::size_t{size.rows} * size.columns);
      for (std::size_t i = 0; i < got.size(); ++i) {
        double sum = 0.0, absolute = 0.0;
        for (std::size_t k = 0; k < size.inner; ++k) {
          const double product = double{a[i / size.columns * size.inner + k]} *
                                 double{b[k * size.columns + i % size.columns]};
          sum += product;
          absolute += std::abs(product);
        }
        // A rounding for each product and each addition, by half a unit or, in tensor cores, one.
        const double bound = 2.0 * (size.inner + 1) * 0x1p-24 * absolute;
        ASSERT_LE(std::abs(got[i] - sum), bound)
            << "element (" << i / size.columns << ", " << i % size.columns << ")";
      }
    }
  }
};

TEST_P(MatrixProduct, IsRightForSizesOfWhichNoTwoAreEqual) {
  const bool halves_only = (variant_at(GetParam().index).traits & MatrixTrait::halves_only) != 0;
  for (const Size& size : sizes_to_multiply) {
    if (!halves_only) check<float>(MatrixType::f32, size);
    check<Half>(MatrixType::f16, size);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, MatrixProduct, testing::ValuesIn(rows_of(Primitive::matrix)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
