// Every Morton variant of the catalogue against the bit-by-bit reference: codes must be equal on
// every backend, to the last bit.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "gpu/lab/data.h"
#include "gpu/primitives/morton/morton.h"
#include "gpu/reference/reference.h"
#include "gpu/runtime/scratch_memory.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

using lab::Distribution;

class Morton : public testing::TestWithParam<Row> {
 protected:
  // Codes of the boxes, of which the first `count` are real, as 64-bit numbers.
  std::vector<std::uint64_t> computed(const TestDevice& on, const std::vector<Aabb>& host,
                                      std::uint32_t count, const SceneBounds& bounds) const {
    return key_bits() == 32 ? run<std::uint32_t>(on, host, count, bounds)
                            : run<std::uint64_t>(on, host, count, bounds);
  }

  std::vector<std::uint64_t> wanted(const std::vector<Aabb>& host, std::uint32_t count,
                                    const SceneBounds& bounds) const {
    if (key_bits() == 64) return reference::morton_bits63(host, count, bounds.centres);
    const auto codes = reference::morton_bits30(host, count, bounds.centres);
    return {codes.begin(), codes.end()};
  }

  static int key_bits() { return morton_key_bits(GetParam().index->traits); }

 private:
  template <class Code>
  static std::vector<std::uint64_t> run(const TestDevice& on, const std::vector<Aabb>& host,
                                        std::uint32_t count, const SceneBounds& bounds) {
    const auto stream = on.device->create_stream();
    ScratchMemory scratch(*on.device);
    Buffer<Aabb> boxes(*on.device, host.size());
    Buffer<std::uint32_t> real(*on.device, 1);
    Buffer<SceneBounds> domain(*on.device, 1);
    Buffer<Code> codes(*on.device, host.size());
    boxes.upload(*stream, host);
    real.upload(*stream, {&count, 1});
    domain.upload(*stream, {&bounds, 1});
    scratch.run(on.device->table().get<Primitive::morton>(GetParam().index), *stream,
                MortonArgs{.boxes = boxes.data(),
                           .count = real.data(),
                           .n = static_cast<std::uint32_t>(host.size()),
                           .bounds = domain.data(),
                           .codes = codes.data()});
    const std::vector<Code> got = codes.download(*stream);
    return {got.begin(), got.end()};
  }
};

std::vector<Aabb> spread_boxes(Distribution distribution, std::size_t n) {
  std::mt19937 random(static_cast<unsigned>(n));
  std::uniform_real_distribution<float> place(-10.0F, 10.0F);
  std::uniform_real_distribution<float> size(0.0F, 0.1F);
  std::vector<Aabb> result(n);
  for (std::size_t i = 0; i < n; ++i) {
    const float t = static_cast<float>(i) / 3.0F;
    Vec3 at{place(random), place(random), place(random)};
    if (distribution == Distribution::constant) at = {1.0F, 2.0F, 3.0F};
    if (distribution == Distribution::sorted) at = {t, t, 5.0F};  // z without extent
    if (distribution == Distribution::reversed) at = {-t, 0.1F * t, -2.0F * t};
    if (distribution == Distribution::few)
      at = {static_cast<float>(i % 3), 0.0F, static_cast<float>(i % 2)};
    const bool points =
        distribution == Distribution::constant || distribution == Distribution::sorted;
    const Vec3 extent = points ? Vec3{} : Vec3{size(random), size(random), size(random)};
    result[i] = {at, at + extent};
  }
  return result;
}

TEST_P(Morton, EqualsTheReference) {
  for (const std::size_t n : sizes_to_several_tiles()) {
    for (const Distribution distribution : lab::all_distributions) {
      const std::vector<Aabb> host = spread_boxes(distribution, n);
      const auto count = static_cast<std::uint32_t>(n - n / 5);  // the last fifth is padding
      const SceneBounds bounds = reference::bounds({host.data(), count});
      const auto want = wanted(host, count, bounds);
      for (const TestDevice& on : devices_for(n, GetParam())) {
        const auto got = computed(on, host, count, bounds);
        for (std::size_t i = 0; i < n; ++i)
          ASSERT_EQ(got[i], want[i])
              << "box " << i << " of " << n << ", " << to_string(distribution) << ", " << on.name;
      }
    }
  }
}

Aabb point(float x, float y, float z) { return {{x, y, z}, {x, y, z}}; }

// Coordinates of every magnitude that a float can have: the codes stay defined and ordered.
TEST_P(Morton, TakesExtremeCoordinates) {
  constexpr float big = std::numeric_limits<float>::max();
  constexpr float small = std::numeric_limits<float>::denorm_min();
  constexpr float normal = std::numeric_limits<float>::min();
  const std::vector<std::vector<Aabb>> extremes = {
      {point(-big, -big, -big),
       point(0, 0, 0),
       point(big, big, big),
       {{-big, 0, 0}, {big, big, 0}}},
      {point(0, 0, 0), point(small, small, small), point(3 * small, 2 * small, 5 * small)},
      {point(-normal, 0, normal), point(normal, small, 3 * normal), point(0, -small, 2 * normal)},
      {point(1, 1, 1), point(std::nextafter(1.0F, 2.0F), 1, 1), point(big, small, -big)},
      {point(-0.0F, 0.0F, -0.0F), point(0.0F, -0.0F, 0.0F)},
  };
  for (const std::vector<Aabb>& host : extremes) {
    const auto count = static_cast<std::uint32_t>(host.size());
    const SceneBounds bounds = reference::bounds(host);
    const auto want = wanted(host, count, bounds);
    for (const TestDevice& on : devices_for(host.size(), GetParam()))
      EXPECT_EQ(computed(on, host, count, bounds), want) << on.name;
  }
}

// The header's contract: the lowest corner is 0, the highest all ones, x leads, boxes outside the
// domain take the nearest cell, and an axis without extent counts as 0 and leaves 15 of its bits to
// the others.
TEST_P(Morton, FollowsItsContract) {
  const std::uint64_t ones =
      (std::uint64_t{1} << static_cast<unsigned>(morton_code_bits(GetParam().index->traits))) - 1;
  const SceneBounds unit{{{0, 0, 0}, {1, 1, 1}}, {{0, 0, 0}, {1, 1, 1}}};
  const SceneBounds flat{{{0, 0, 2}, {1, 1, 2}}, {{0, 0, 2}, {1, 1, 2}}};
  for (const TestDevice& on : devices_for(8, GetParam())) {
    const auto codes =
        computed(on,
                 {point(0, 0, 0), point(1, 1, 1), point(0.5F, 0, 0), point(0, 0.5F, 0),
                  point(0, 0, 0.5F), point(-7, -7, -7), point(7, 7, 7)},
                 7, unit);
    EXPECT_EQ(codes, (std::vector<std::uint64_t>{0, ones, (ones >> 1U) + 1, (ones >> 2U) + 1,
                                                 (ones >> 3U) + 1, 0, ones}))
        << on.name;
    const bool is_narrow = morton_code_bits(GetParam().index->traits) == 30;
    const std::uint64_t both = (std::uint64_t{1} << 30U) - 1;
    const std::uint64_t without_z = ((std::uint64_t{1} << 27U) - 1) / 7 * 6;
    EXPECT_EQ(computed(on, {point(1, 1, 2)}, 1, flat).front(),
              is_narrow ? both : both << 27U | without_z)
        << on.name;
  }
}

// A box eight times as long as it is high: x alone, then x and y, then all three.
TEST_P(Morton, SplitsLongAxesFirst) {
  const bool is_narrow = morton_code_bits(GetParam().index->traits) == 30;
  const auto bit = [](int place) { return std::uint64_t{1} << static_cast<unsigned>(place); };
  const auto bounds_of = [](float y) {
    const Aabb box{{-4, 1, 0}, {4, 1 + y, 1}};
    return SceneBounds{box, box};
  };
  for (const TestDevice& on : devices_for(8, GetParam())) {
    SCOPED_TRACE(on.name);
    int top = is_narrow ? 29 : 62;
    EXPECT_EQ(computed(on,
                       {point(0, 1, 0), point(-2, 1, 0), point(-3, 1, 0), point(-3.5F, 1, 0),
                        point(-4, 1.5F, 0), point(-4, 1, 0.5F)},
                       6, bounds_of(1)),
              (std::vector<std::uint64_t>{bit(top), bit(top - 1), bit(top - 2), bit(top - 3),
                                          bit(top - 4), bit(top - 5)}));
    top = is_narrow ? 27 : 60;
    EXPECT_EQ(computed(on,
                       {point(0, 1, 0), point(-3, 1, 0), point(-4, 2, 0), point(-3.5F, 1, 0),
                        point(-4, 1.5F, 0), point(-4, 1, 0.5F)},
                       6, bounds_of(2)),
              (std::vector<std::uint64_t>{bit(top), bit(top - 2), bit(top - 3), bit(top - 4),
                                          bit(top - 5), bit(top - 6)}));
  }
}

// Boxes of any proportions, an axis longer than another by up to 2^40.
TEST_P(Morton, EqualsTheReferenceInBoxesOfAnyProportions) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> exponent(-20.0F, 20.0F);
  std::uniform_real_distribution<float> place(0.0F, 1.0F);
  for (int i = 0; i < 60; ++i) {
    const Vec3 sides{std::exp2(exponent(random)), std::exp2(exponent(random)),
                     i % 4 == 0 ? 0.0F : std::exp2(exponent(random) * 0.2F)};
    std::vector<Aabb> host;
    for (int k = 0; k < 20; ++k)
      host.push_back(
          point(sides.x * place(random), sides.y * place(random), sides.z * place(random)));
    const SceneBounds bounds = reference::bounds(host);
    const auto want = wanted(host, 20, bounds);
    for (const TestDevice& on : devices_for(host.size(), GetParam()))
      ASSERT_EQ(computed(on, host, 20, bounds), want) << on.name << ", box " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Morton, testing::ValuesIn(rows_of(Primitive::morton)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
