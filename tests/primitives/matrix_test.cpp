// Every matrix product of the catalogue, beyond the experiment's input: sizes that are all
// different, so that a wrong stride shows, an inner size of 0, and numbers of 24 significant bits,
// so that inputs rounded to fewer bits show.
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

// In (-2, 2), with all the type's bits; any value for a byte.
float number(MatrixType type, std::mt19937& random) {
  const std::uint32_t bits = random();
  if (type == MatrixType::i8_i32) return static_cast<float>(static_cast<std::int8_t>(bits >> 24U));
  const bool wide = bytes_of_input(type) == 4;
  const std::uint32_t significand =
      wide ? bits % (1U << 23U) | 1U << 23U : bits % (1U << 10U) | 1U << 10U;
  const int exponent = static_cast<int>(bits >> 24U) % 4 - (wide ? 26 : 13);
  return std::ldexp((bits >> 31U) != 0 ? -1.0F : 1.0F, exponent) * static_cast<float>(significand);
}

template <class T>
std::vector<T> as(const std::vector<float>& numbers) {
  std::vector<T> converted;
  for (const float x : numbers)
    if constexpr (std::is_same_v<T, Half>)
      converted.push_back(to_half(x));
    else
      converted.push_back(static_cast<T>(x));
  return converted;
}

double as_double(Half x) { return to_float(x); }
double as_double(float x) { return x; }
double as_double(std::int32_t x) { return x; }

class MatrixProduct : public testing::TestWithParam<Row> {
 protected:
  template <class In, class Out>
  static void check(MatrixType type, const Size& size) {
    if (!multiplies(GetParam().index->traits, type)) return;
    std::mt19937 random(size.rows * 7919 + size.inner);
    std::vector<float> a(std::size_t{size.rows} * size.inner);
    std::vector<float> b(std::size_t{size.inner} * size.columns);
    for (std::vector<float>* numbers : {&a, &b})
      for (float& x : *numbers) x = number(type, random);
    for (const TestDevice& on : devices_for(1, GetParam())) {
      SCOPED_TRACE(std::to_string(size.rows) + " x " + std::to_string(size.inner) + " x " +
                   std::to_string(size.columns) + ", type " +
                   std::to_string(static_cast<int>(type)) + ", " + on.name);
      const auto stream = on.device->create_stream();
      ScratchMemory scratch(*on.device);
      const Guarded<In> device_a(*on.device, *stream, as<In>(a), 0);
      const Guarded<In> device_b(*on.device, *stream, as<In>(b), 0);
      const Guarded<Out> c(*on.device, *stream, std::size_t{size.rows} * size.columns, 0);
      scratch.run(on.device->table().get<Primitive::matrix>(GetParam().index), *stream,
                  MatrixArgs{.type = type,
                             .a = device_a.data(),
                             .b = device_b.data(),
                             .c = c.data(),
                             .rows = size.rows,
                             .inner = size.inner,
                             .columns = size.columns});
      const std::vector<Out> got = c.download();
      ASSERT_EQ(got.size(), std::size_t{size.rows} * size.columns);
      for (std::size_t i = 0; i < got.size(); ++i) {
        double sum = 0.0, absolute = 0.0;
        for (std::size_t k = 0; k < size.inner; ++k) {
          float of_a = a[i / size.columns * size.inner + k];
          float of_b = b[k * size.columns + i % size.columns];
          if (type == MatrixType::tf32) {
            of_a = to_tf32(of_a);
            of_b = to_tf32(of_b);
          }
          sum += double{of_a} * double{of_b};
          absolute += std::abs(double{of_a} * double{of_b});
        }
        // One rounding for each product and each addition, by half a unit or, in tensor cores, one,
        // in the type of the sums. Integers do not round.
        // cuBLAS may use 19 bits of a float for `tf32`, and uses all for few elements.
        const bool may_round =
            type == MatrixType::tf32 && std::string_view(GetParam().index->name) == "library";
        const double unit = type == MatrixType::i8_i32                 ? 0.0
                            : type == MatrixType::f16_f16 || may_round ? 0x1p-11
                                                                       : 0x1p-24;
        const double bound = 2.0 * (size.inner + 1) * unit * absolute;
        ASSERT_LE(std::abs(as_double(got[i]) - sum), bound)
            << "element (" << i / size.columns << ", " << i % size.columns << ")";
      }
    }
  }
};

TEST_P(MatrixProduct, IsRightForUnequalSizes) {
  for (const Size& size : sizes_to_multiply) {
    check<float, float>(MatrixType::f32, size);
    check<Half, float>(MatrixType::f16, size);
    check<Half, Half>(MatrixType::f16_f16, size);
    check<std::int8_t, std::int32_t>(MatrixType::i8_i32, size);
    check<float, float>(MatrixType::tf32, size);
    if (HasFatalFailure()) return;
  }
}

TEST_P(MatrixProduct, RefusesTypesOutsideItsTraits) {
  const unsigned traits = GetParam().index->traits;
  const TestDevice on = devices_for(1, GetParam()).front();
  const auto stream = on.device->create_stream();
  ScratchMemory scratch(*on.device);
  const Guarded<float> elements(*on.device, *stream, 3, 0);
  for (const MatrixType type : {MatrixType::f32, MatrixType::f16, MatrixType::f16_f16,
                                MatrixType::i8_i32, MatrixType::tf32}) {
    if (multiplies(traits, type)) continue;
    EXPECT_THROW(scratch.run(on.device->table().get<Primitive::matrix>(GetParam().index), *stream,
                             MatrixArgs{.type = type,
                                        .a = elements.data(),
                                        .b = elements.data() + 1,
                                        .c = elements.data() + 2,
                                        .rows = 1,
                                        .inner = 1,
                                        .columns = 1}),
                 Error)
        << static_cast<int>(type);
  }
}

TEST(MatrixElements, HalvesRoundToNearest) {
  // Every 16-bit number, and the midpoint between it and the next.
  for (std::uint32_t bits = 0; bits < 0x7c00U; ++bits) {
    const Half half{static_cast<std::uint16_t>(bits)};
    const float here = to_float(half);
    const float next = to_float({static_cast<std::uint16_t>(bits + 1)});
    ASSERT_EQ(to_half(here).bits, bits);
    ASSERT_EQ(to_half(-here).bits, bits | 0x8000U);
    if (bits + 1 == 0x7c00U) break;  // infinity comes next
    const float between = (here + next) / 2;
    ASSERT_EQ(to_half(between).bits, bits + bits % 2);  // ties to even
    ASSERT_EQ(to_half(std::nextafter(between, 0.0F)).bits, bits);
    ASSERT_EQ(to_half(std::nextafter(between, 1e6F)).bits, bits + 1);
  }
  EXPECT_EQ(to_half(65519.0F).bits, 0x7bffU);
  EXPECT_EQ(to_half(65520.0F).bits, 0x7c00U);
  EXPECT_EQ(to_half(-1e30F).bits, 0xfc00U);
  EXPECT_TRUE(std::isnan(to_float(to_half(std::nanf("")))));
  EXPECT_TRUE(std::isinf(to_float({0x7c00U})));
}

TEST(MatrixElements, Tf32RoundsToTenFractionBits) {
  EXPECT_EQ(to_tf32(1.0F), 1.0F);
  EXPECT_EQ(to_tf32(1.0F + 0x1p-10F), 1.0F + 0x1p-10F);
  EXPECT_EQ(to_tf32(1.0F + 0x1p-11F), 1.0F + 0x1p-10F);  // a tie: away from zero
  EXPECT_EQ(to_tf32(-1.0F - 0x1p-11F), -1.0F - 0x1p-10F);
  EXPECT_EQ(to_tf32(1.0F + 0x1p-12F), 1.0F);
  EXPECT_TRUE(std::isinf(to_tf32(HUGE_VALF)));
  EXPECT_TRUE(std::isnan(to_tf32(std::nanf("1"))));
}

INSTANTIATE_TEST_SUITE_P(Catalogue, MatrixProduct, testing::ValuesIn(rows_of(Primitive::matrix)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
