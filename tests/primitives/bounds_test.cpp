// Every bounds reduction of the catalogue against a plain loop.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "gpu/runtime/scratch.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

class Bounds : public testing::TestWithParam<Row> {};

std::vector<Aabb> boxes(Pattern pattern, std::size_t n) {
  std::mt19937 random(static_cast<unsigned>(n));
  std::uniform_real_distribution<float> place(-100.0F, 100.0F);
  std::uniform_real_distribution<float> size(0.0F, 3.0F);
  std::vector<Aabb> result(n);
  for (std::size_t i = 0; i < n; ++i) {
    Vec3 at{place(random), place(random), place(random)};
    const Vec3 extent{size(random), size(random), size(random)};
    const auto t = static_cast<float>(i);
    if (pattern == Pattern::equal) at = {1.0F, 2.0F, 3.0F};
    if (pattern == Pattern::sorted) at = {t, -t, 2.0F * t};
    if (pattern == Pattern::reversed) at = {-t, t, -2.0F * t};
    result[i] = {at, pattern == Pattern::equal ? at : at + extent};
    // "few": all but every seventh box are empty, as dropped triangles are.
    if (pattern == Pattern::few && i % 7 != 3) result[i] = Aabb::empty();
  }
  return result;
}

TEST_P(Bounds, CoversBoxesAndCentres) {
  for (const std::size_t n : sizes()) {
    for (const TestDevice& on : devices_for(n, GetParam())) {
      const auto stream = on.device->create_stream();
      Scratch scratch(*on.device);
      Buffer<Aabb> in(*on.device, n);
      Buffer<SceneBounds> out(*on.device, 1);
      for (const Pattern pattern : patterns) {
        const std::vector<Aabb> host = boxes(pattern, n);
        in.upload(*stream, host);
        stream->fill(out.data(), 0xcd, out.bytes());
        scratch.run(
            on.device->table().get<Primitive::bounds>(GetParam().index), *stream,
            BoundsArgs{.boxes = in.data(), .n = static_cast<std::uint32_t>(n), .out = out.data()});
        SceneBounds want{Aabb::empty(), Aabb::empty()};
        for (const Aabb& box : host) {
          if (box.is_empty()) continue;
          want.points = merge(want.points, box);
          want.centres = merge(want.centres, {box.centre(), box.centre()});
        }
        const SceneBounds got = out.download(*stream).front();
        ASSERT_EQ(std::memcmp(&got, &want, sizeof(got)), 0)
            << n << " boxes, " << to_string(pattern) << ", " << on.name;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Bounds, testing::ValuesIn(rows_of(Primitive::bounds)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
