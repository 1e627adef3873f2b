// Every vertex reuse of the catalogue, beyond the experiment's grid: batches of one vertex, batches
// of distinct vertices only, triangles with a vertex twice, last batches of any length, and the
// memory around the arrays.
#include "gpu/primitives/reuse/reuse.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/lab/laboratory.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/scratch_memory.h"
#include "tests/support/devices.h"
#include "tests/support/guarded.h"

namespace warpview::test {
namespace {

class Reuse : public testing::TestWithParam<Row> {};

// Corner c of the mesh has vertex `index(c)` of 64.
TEST_P(Reuse, ShadesEachVertexOfABatchOnce) {
  const bool reuses = (GetParam().index->traits & ReuseTrait::every_corner) == 0;
  using Index = std::uint32_t (*)(std::uint32_t corner);
  constexpr Index meshes[] = {
      [](std::uint32_t) { return 7U; },
      [](std::uint32_t corner) { return corner % reuse_corners; },
      [](std::uint32_t corner) { return reuse_corners - 1 - corner % reuse_corners; },
      [](std::uint32_t corner) { return corner / 2 % 64; },
      [](std::uint32_t corner) { return corner * corner % 61; },
  };
  std::vector<Vec4> vertices;
  for (std::uint32_t v = 0; v < 64; ++v)
    vertices.push_back({{static_cast<float>(v), static_cast<float>(v * v), 1.0F}, 1.0F});
  for (const std::uint32_t n : {0U, 1U, 9U, 10U, 11U, 20U, 21U, 57U})
    for (const Index index : meshes) {
      std::vector<std::uint32_t> indices(std::size_t{3} * n);
      for (std::uint32_t c = 0; c < 3 * n; ++c) indices[c] = index(c);
      for (const TestDevice& on : devices_for(n, GetParam())) {
        SCOPED_TRACE(std::to_string(n) + " triangles, mesh " +
                     std::to_string(std::find(std::begin(meshes), std::end(meshes), index) -
                                    std::begin(meshes)) +
                     ", " + on.name);
        const auto stream = on.device->create_stream();
        ScratchMemory scratch(*on.device);
        const Guarded<std::uint32_t> in(*on.device, *stream, indices, 1);
        Buffer<Vec4> places(*on.device, vertices.size());
        places.upload(*stream, vertices);
        const std::size_t batches = reuse_batches(n);
        const Guarded<std::uint32_t> counts(*on.device, *stream, batches, 3);
        const Guarded<std::uint32_t> shaded(*on.device, *stream, batches * reuse_corners, 1);
        const Guarded<Vec4> out(*on.device, *stream, batches * reuse_corners, 1);
        const Guarded<std::uint8_t> corners(*on.device, *stream, batches * reuse_corners, 1);
        scratch.run(on.device->table().get<Primitive::reuse>(GetParam().index), *stream,
                    // x, y and z are permuted, and w becomes 2.
                    ReuseArgs{.indices = in.data(),
                              .n = n,
                              .vertices = places.data(),
                              .matrix = {0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 2},
                              .counts = counts.data(),
                              .shaded = shaded.data(),
                              .places = out.data(),
                              .corners = corners.data()});
        const auto got_counts = counts.download();
        const auto got_shaded = shaded.download();
        const auto got_out = out.download();
        const auto got_corners = corners.download();
        ASSERT_EQ(got_counts.size(), batches);
        for (std::uint32_t c = 0; c < 3 * n; ++c) {
          const std::uint32_t batch = c / reuse_corners;
          const auto begin = indices.begin() + static_cast<std::ptrdiff_t>(batch) * reuse_corners;
          const auto end = std::min(begin + reuse_corners, indices.end());
          std::vector<std::uint32_t> unique(begin, end);
          std::sort(unique.begin(), unique.end());
          unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
          ASSERT_EQ(got_counts[batch], reuses ? unique.size() : end - begin);
          ASSERT_LT(got_corners[c], got_counts[batch]);
          const std::uint32_t vertex = batch * reuse_corners + got_corners[c];
          ASSERT_EQ(got_shaded[vertex], indices[c]);
          const Vec4& from = vertices[indices[c]];
          ASSERT_EQ(got_out[vertex].xyz.x, from.xyz.y);
          ASSERT_EQ(got_out[vertex].xyz.y, from.xyz.z);
          ASSERT_EQ(got_out[vertex].xyz.z, from.xyz.x);
          ASSERT_EQ(got_out[vertex].w, 2.0F);
        }
        // Nothing past the counts is written.
        for (std::size_t v = 0; v < got_shaded.size(); ++v)
          if (v % reuse_corners >= got_counts[v / reuse_corners]) {
            ASSERT_EQ(got_shaded[v], 0xcdcdcdcdU) << v;
          }
      }
    }
}

// In the grid's own order and along a Morton curve a batch shares most of its vertices; in random
// order it does not.
TEST_P(Reuse, ReportsVerticesPerTriangle) {
  const TestDevice on = devices_for(1, GetParam()).front();
  lab::Laboratory laboratory(*on.device, 1);
  const auto per_triangle = [&](const char* form) {
    laboratory.ask({.primitive = Primitive::reuse,
                    .form = lab::find_form(Primitive::reuse, form),
                    .n = 20'000});
    const lab::Answer answer = laboratory.verify(GetParam().index);
    EXPECT_EQ(answer.facts.size(), 1U) << answer.difference;
    return answer.facts.empty() ? 0.0 : answer.facts.front().value;
  };
  if ((GetParam().index->traits & ReuseTrait::every_corner) != 0) {
    EXPECT_EQ(per_triangle("given"), 3.0);
    EXPECT_EQ(per_triangle("random"), 3.0);
    return;
  }
  EXPECT_NEAR(per_triangle("given"), 1.2, 0.01);  // five squares in a row: twelve vertices
  EXPECT_LT(per_triangle("morton"), 1.3);
  EXPECT_GT(per_triangle("random"), 2.95);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Reuse, testing::ValuesIn(rows_of(Primitive::reuse)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
