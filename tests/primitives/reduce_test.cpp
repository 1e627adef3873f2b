// Every reduction of the catalogue, beyond the experiment's input: empty boxes, NaNs, float sums
// that must be exact, and the additional promises of two_pass.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "gpu/lab/data.h"
#include "gpu/primitives/reduce/reduce.h"
#include "gpu/runtime/scratch_memory.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

using lab::Distribution;

class Reduce : public testing::TestWithParam<Row> {
 protected:
  bool is(const char* name) const { return name_of(GetParam()) == name; }
  // The reason as a sentence; empty if the variant supports it.
  std::string why_not(ReduceOperator op) const {
    return why_not_reduced(GetParam().index->traits, op);
  }

  // The variant's result for the items on the device.
  template <class Value, class Item>
  Value reduced(const TestDevice& on, ReduceOperator op, const std::vector<Item>& host) const {
    const auto stream = on.device->create_stream();
    ScratchMemory scratch(*on.device);
    Buffer<Item> in(*on.device, host.size());
    Buffer<Value> out(*on.device, 1);
    in.upload(*stream, host);
    stream->fill(out.data(), 0xcd, out.bytes());
    scratch.run(on.device->table().get<Primitive::reduce>(GetParam().index), *stream,
                ReduceArgs{.op = op,
                           .in = in.data(),
                           .n = static_cast<std::uint32_t>(host.size()),
                           .out = out.data()});
    return out.download(*stream).front();
  }
};

std::vector<Aabb> boxes_to_unite(Distribution distribution, std::size_t n) {
  std::mt19937 random(static_cast<unsigned>(n));
  std::uniform_real_distribution<float> place(-100.0F, 100.0F);
  std::uniform_real_distribution<float> size(0.0F, 3.0F);
  std::vector<Aabb> result(n);
  for (std::size_t i = 0; i < n; ++i) {
    Vec3 at{place(random), place(random), place(random)};
    const Vec3 extent{size(random), size(random), size(random)};
    const auto t = static_cast<float>(i);
    if (distribution == Distribution::constant) at = {1.0F, 2.0F, 3.0F};
    if (distribution == Distribution::sorted) at = {t, -t, 2.0F * t};
    if (distribution == Distribution::reversed) at = {-t, t, -2.0F * t};
    result[i] = {at, distribution == Distribution::constant ? at : at + extent};
    // "few": all but every seventh box are empty, as dropped triangles are.
    if (distribution == Distribution::few && i % 7 != 3) result[i] = Aabb::empty();
  }
  return result;
}

TEST_P(Reduce, CoversBoxesAndCentres) {
  if (const std::string why = why_not(ReduceOperator::scene_bounds); !why.empty())
    GTEST_SKIP() << why;
  for (const std::size_t n : sizes_to_several_tiles()) {
    for (const Distribution distribution : lab::all_distributions) {
      const std::vector<Aabb> host = boxes_to_unite(distribution, n);
      SceneBounds want{Aabb::empty(), Aabb::empty()};
      for (const Aabb& box : host) {
        if (box.is_empty()) continue;
        want.points = merge(want.points, box);
        want.centres = merge(want.centres, {box.centre(), box.centre()});
      }
      want = {want.points.with_positive_zeros(), want.centres.with_positive_zeros()};
      for (const TestDevice& on : devices_for(n, GetParam())) {
        const auto got = reduced<SceneBounds>(on, ReduceOperator::scene_bounds, host);
        ASSERT_EQ(std::memcmp(&got, &want, sizeof(got)), 0)
            << n << " boxes, " << to_string(distribution) << ", " << on.name;
      }
    }
  }
}

// Zeros of both signs are equal, so either might win: the result is the positive one.
TEST_P(Reduce, CoversZerosByAPositiveZero) {
  if (const std::string why = why_not(ReduceOperator::scene_bounds); !why.empty())
    GTEST_SKIP() << why;
  constexpr float least = std::numeric_limits<float>::denorm_min();  // its half rounds to 0
  for (const float low : {-0.0F, -least}) {
    std::vector<Aabb> host(3000, {{low, -0.0F, 0.0F}, {-0.0F, 0.0F, -0.0F}});
    host[17] = {{0.0F, 0.0F, -0.0F}, {0.0F, -0.0F, 0.0F}};
    const Vec3 zero{};
    const SceneBounds want{{{low + 0.0F, 0.0F, 0.0F}, zero}, {zero, zero}};
    for (const TestDevice& on : devices_for(host.size(), GetParam())) {
      const auto got = reduced<SceneBounds>(on, ReduceOperator::scene_bounds, host);
      EXPECT_EQ(std::memcmp(&got, &want, sizeof got), 0) << on.name;
    }
  }
}

// Integers whose sums are all exact in a float: no item may be lost or counted twice.
TEST_P(Reduce, AddsWholeFloatsExactly) {
  if (const std::string why = why_not(ReduceOperator::sum_f32); !why.empty()) GTEST_SKIP() << why;
  std::mt19937 random(5);
  for (const std::size_t n : sizes_to_several_tiles()) {
    std::vector<float> host(n);
    double want = 0.0;
    for (float& x : host) want += x = static_cast<float>(random() % 17) - 8.0F;
    for (const TestDevice& on : devices_for(n, GetParam()))
      ASSERT_EQ(reduced<float>(on, ReduceOperator::sum_f32, host), want)
          << n << " floats, " << on.name;
  }
}

TEST_P(Reduce, TakesTheMaximumOfFloatsExceptNaN) {
  if (const std::string why = why_not(ReduceOperator::max_f32); !why.empty()) GTEST_SKIP() << why;
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float inf = std::numeric_limits<float>::infinity();
  struct Case {
    float first, others, last, want;
  };
  for (const Case& c :
       {Case{nan, nan, nan, -inf}, Case{nan, -2.0F, nan, -2.0F}, Case{-0.0F, -0.0F, nan, 0.0F},
        Case{-1.0F, 0.0F, -0.0F, 0.0F}, Case{-3.0F, -inf, nan, -3.0F}, Case{nan, -inf, inf, inf}}) {
    std::vector<float> host(allowed(3000), c.others);
    host.front() = c.first;
    host.back() = c.last;
    for (const TestDevice& on : devices_for(host.size(), GetParam())) {
      const float got = reduced<float>(on, ReduceOperator::max_f32, host);
      EXPECT_EQ(std::memcmp(&got, &c.want, sizeof(got)), 0)
          << got << " instead of " << c.want << ", " << on.name;
    }
  }
}

// The order of additions depends only on the input: warp size, schedule and backend have no effect.
TEST_P(Reduce, InTwoPassesGivesTheSameBitsOnEveryDevice) {
  if (!is("two_pass")) GTEST_SKIP() << "promised by two_pass alone";
  std::mt19937 random(9);
  std::uniform_real_distribution<float> real(-1000.0F, 1000.0F);
  for (const std::size_t n : allowed({1000, 4097, 300001})) {
    std::vector<float> host(n);
    for (float& x : host) x = real(random);
    const auto devices = devices_for(n, GetParam());
    const auto want = reduced<float>(devices.front(), ReduceOperator::sum_f32, host);
    for (const TestDevice& on : devices)
      EXPECT_EQ(reduced<float>(on, ReduceOperator::sum_f32, host), want)
          << n << " floats, " << on.name;
  }
}

TEST_P(Reduce, ComposesInOrderOrRefuses) {
  const std::vector<Affine> host = {{3, 1}, {5, 7}};  // 5 (3 x + 1) + 7
  for (const TestDevice& on : devices_for(host.size(), GetParam())) {
    if (is("two_pass")) {
      const auto got = reduced<Affine>(on, ReduceOperator::compose_u32, host);
      EXPECT_EQ(got.factor, 15U);
      EXPECT_EQ(got.offset, 12U);
    } else {
      EXPECT_THROW(reduced<Affine>(on, ReduceOperator::compose_u32, host), Error);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Reduce, testing::ValuesIn(rows_of(Primitive::reduce)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
