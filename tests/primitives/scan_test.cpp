// Every scan of the catalogue beyond its experiment: modes of the operators that have no form,
// arrays at any alignment, and several tiles per partition.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "gpu/primitives/scan/operators.h"
#include "gpu/runtime/scratch_memory.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

class Scan : public testing::TestWithParam<Row> {};

// Pointers that are not 16-byte aligned take the scalar path of vectorised variants.
TEST_P(Scan, TakesUnalignedPointers) {
  const auto n = static_cast<std::uint32_t>(allowed(5000));
  for (const TestDevice& on : devices_for(n, GetParam())) {
    const auto stream = on.device->create_stream();
    ScratchMemory scratch(*on.device);
    Buffer<std::uint32_t> data(*on.device, n + 1);
    data.upload(*stream, std::vector<std::uint32_t>(n + 1, 1));
    scratch.run(on.device->table().get<Primitive::scan>(GetParam().index), *stream,
                ScanArgs{.in = data.data() + 1, .out = data.data() + 1, .n = n, .inclusive = true});
    const auto got = data.download(*stream);
    for (std::uint32_t i = 1; i <= n; ++i) ASSERT_EQ(got[i], i) << on.name;
  }
}

// Words that make an item of T whose prefixes lose no information: maps and matrices are
// invertible, and floats are small whole numbers, so that every sum is exact.
template <class T>
T random_item(std::mt19937_64& random) {
  if constexpr (std::is_same_v<T, float>)
    return static_cast<float>(static_cast<int>(random() % 21) - 10);
  else if constexpr (std::is_same_v<T, Affine>)
    return {static_cast<std::uint32_t>(random()) | 1U, static_cast<std::uint32_t>(random())};
  else if constexpr (std::is_same_v<T, Matrix2>)
    return {{random() | 1U, random() & ~std::uint64_t{1}, random(), random() | 1U}};
  else
    return static_cast<T>(random());
}

struct Mode {
  ScanOperator combine;
  bool inclusive;
  bool in_place;
};
// Those that are no form of the experiment.
constexpr Mode modes[] = {
    {ScanOperator::sum_u32, true, true},      {ScanOperator::sum_f32, false, false},
    {ScanOperator::sum_f32, false, true},     {ScanOperator::sum_f32, true, true},
    {ScanOperator::max_i32, false, false},    {ScanOperator::max_i32, false, true},
    {ScanOperator::max_i32, true, true},      {ScanOperator::affine_u32, true, false},
    {ScanOperator::affine_u32, false, true},  {ScanOperator::affine_u32, true, true},
    {ScanOperator::matrix_u64, false, false}, {ScanOperator::matrix_u64, false, true},
    {ScanOperator::matrix_u64, true, true}};

template <class Operator>
void scans_with(Operator, const Mode& mode, const TestDevice& on, VariantId variant,
                std::uint32_t n) {
  using T = typename Operator::Type;
  std::mt19937_64 random(n);
  std::vector<T> host(n);
  for (T& item : host) item = random_item<T>(random);
  const auto stream = on.device->create_stream();
  ScratchMemory scratch(*on.device);
  Buffer<T> in(*on.device, n);
  Buffer<T> out(*on.device, n);
  in.upload(*stream, host);
  const Buffer<T>& result = mode.in_place ? in : out;
  scratch.run(on.device->table().get<Primitive::scan>(variant), *stream,
              ScanArgs{.in = in.data(),
                       .out = result.data(),
                       .n = n,
                       .inclusive = mode.inclusive,
                       .combine = mode.combine});
  const std::vector<T> got = result.download(*stream);
  T prefix = Operator::identity();
  for (std::uint32_t i = 0; i < n; ++i) {
    const T upto = Operator::combine(prefix, host[i]);
    ASSERT_EQ(std::memcmp(&got[i], mode.inclusive ? &upto : &prefix, sizeof(T)), 0)
        << "item " << i << " of " << n << ", operator " << static_cast<int>(mode.combine) << ", "
        << on.name << (mode.inclusive ? ", inclusive" : ", exclusive")
        << (mode.in_place ? ", in place" : "");
    prefix = upto;
  }
}

TEST_P(Scan, TakesEveryOperatorInModesWithoutAForm) {
  for (const std::size_t n : allowed({1, 1000, 3001, 70001}))
    for (const TestDevice& on : devices_for(n, GetParam()))
      for (const Mode& mode : modes) {
        with_operator(mode.combine, [&](auto op) {
          scans_with(op, mode, on, GetParam().index, static_cast<std::uint32_t>(n));
        });
        if (HasFatalFailure()) return;
      }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Scan, testing::ValuesIn(rows_of(Primitive::scan)),
                         [](const auto& row) { return name_of(row.param); });

// More tiles than partitions, so that a block has several tiles.
TEST(ScanInPartitions, ScansSeveralTilesPerPartition) {
  const Row row{find_variant(Primitive::scan, "reduce_scan_fixed")};
  const auto n = static_cast<std::uint32_t>(allowed(4'300'011));
  for (const TestDevice& on : devices_for(n, row)) {
    const auto stream = on.device->create_stream();
    ScratchMemory scratch(*on.device);
    Buffer<std::uint32_t> data(*on.device, n);
    data.upload(*stream, std::vector<std::uint32_t>(n, 1));
    scratch.run(on.device->table().get<Primitive::scan>(row.index), *stream,
                ScanArgs{.in = data.data(), .out = data.data(), .n = n});
    const auto got = data.download(*stream);
    for (std::uint32_t i = 0; i < n; ++i) ASSERT_EQ(got[i], i) << on.name;
  }
}

// The operators follow their definitions: composing maps and applying them one by one agree,
// matrices multiply from left to right, and the identity changes nothing.
TEST(ScanOperators, FollowTheirDefinitions) {
  const Affine f{3, 5};
  const Affine g{7, 11};
  const Affine both = ComposeAffine::combine(f, g);
  const std::uint32_t x = 13;
  EXPECT_EQ(both.factor * x + both.offset, 7 * (3 * x + 5) + 11);

  const Matrix2 p{{1, 2, 3, 4}};
  const Matrix2 q{{5, 6, 7, 8}};
  const Matrix2 product = ProductMatrix2::combine(p, q);
  EXPECT_EQ(product.m[0], 19U);
  EXPECT_EQ(product.m[1], 22U);
  EXPECT_EQ(product.m[2], 43U);
  EXPECT_EQ(product.m[3], 50U);
  const Matrix2 same = ProductMatrix2::combine(ProductMatrix2::identity(), q);
  EXPECT_EQ(std::memcmp(&same, &q, sizeof(q)), 0);

  EXPECT_EQ(MaxI32::combine(-3, -7), -3);
  EXPECT_EQ(MaxI32::combine(MaxI32::identity(), -7), -7);
  EXPECT_EQ(SumU32::without_last(SumU32::combine(4, 9), 9), 4U);
}

}  // namespace
}  // namespace warpview::test
