// The kernels between primitives against plain loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "gpu/runtime/buffer.h"
#include "gpu/runtime/scratch_memory.h"
#include "gpu/steps/deform.h"
#include "gpu/steps/mesh.h"
#include "gpu/steps/tree.h"
#include "gpu/steps/write.h"
#include "tests/steps/support.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

// Compares bits, so that NaN equals itself and -0 does not equal 0.
std::array<std::uint32_t, 8> bits(const Vertex& v) {
  return std::bit_cast<std::array<std::uint32_t, 8>>(v);
}

TEST(Steps, DropKeepsTheFiniteTrianglesInOrder) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::uint32_t n : small_sizes()) {
    Random random(n);
    auto corners = random.vertices(3 * std::size_t{n});
    std::vector<std::uint32_t> material(n);
    std::vector<Vertex> kept;
    std::vector<std::uint32_t> kept_material;
    std::vector<std::uint32_t> colours(3 * std::size_t{n});
    for (std::uint32_t& colour : colours) colour = random.below(1U << 24U);
    std::vector<std::uint32_t> kept_colours;
    for (std::uint32_t t = 0; t < n; ++t) {
      material[t] = random.below(7);
      Vertex* corner = &corners[3 * std::size_t{t}];
      corner[random.below(3)].position.y = -0.0F;
      corner[0].texcoord.x = -0.0F;
      const std::uint32_t kind = random.below(6);
      if (kind < 3) {
        float& hit = kind == 0 ? corner[0].position.x : corner[kind].position.z;
        hit = kind == 0 ? nan : kind == 1 ? inf : -inf;
        continue;
      }
      for (int c = 0; c < 3; ++c) {
        kept.push_back(corner[c]);
        if (kept.back().position.y == 0.0F) kept.back().position.y = 0.0F;
        if (kept.back().texcoord.x == 0.0F) kept.back().texcoord.x = 0.0F;
      }
      kept_material.push_back(material[t]);
      kept_colours.insert(kept_colours.end(), &colours[3 * std::size_t{t}],
                          &colours[3 * std::size_t{t}] + 3);
    }
    for (const TestDevice& on : devices_for(n)) {
      const auto stream = on.device->create_stream();
      const auto in = on_device(*on.device, *stream, corners);
      const auto in_material = on_device(*on.device, *stream, material);
      const auto in_colours = on_device(*on.device, *stream, colours);
      const Buffer<std::uint32_t> out_colours(*on.device, colours.size());
      const Buffer<Vertex> out(*on.device, corners.size());
      const Buffer<std::uint32_t> out_material(*on.device, n);
      const auto counts = on_device(*on.device, *stream, MeshCounts{9, 9, 9, 9});
      run<Step::drop>(*stream,
                      DropArgs{.corners = in.data(),
                               .material = in_material.data(),
                               .colours = n % 2 == 0 ? in_colours.data() : nullptr,
                               .n = n,
                               .kept_corners = out.data(),
                               .kept_material = out_material.data(),
                               .kept_colours = n % 2 == 0 ? out_colours.data() : nullptr,
                               .counts = counts.data(),
                               .scan = on.device->table().get<Primitive::scan>(
                                   default_variant(Primitive::scan, on.device->info().backend))});
      const MeshCounts got = counts.download(*stream)[0];
      ASSERT_EQ(got.triangles, kept_material.size()) << on.name << ", " << n;
      ASSERT_EQ(got.corners, kept.size()) << on.name << ", " << n;
      ASSERT_EQ(got.dropped, n - kept_material.size()) << on.name << ", " << n;
      ASSERT_EQ(got.vertices, 9U) << on.name << ", " << n;
      ASSERT_EQ(out_material.download(*stream, kept_material.size()), kept_material) << on.name;
      if (n % 2 == 0) {
        ASSERT_EQ(out_colours.download(*stream, kept_colours.size()), kept_colours) << on.name;
      }
      const auto got_corners = out.download(*stream, kept.size());
      for (std::size_t c = 0; c < kept.size(); ++c)
        ASSERT_EQ(bits(got_corners[c]), bits(kept[c]))
            << on.name << ", corner " << c << " of " << n;
    }
  }
}

TEST(Steps, TriangleBoxesBoundAndPad) {
  for (const std::uint32_t n : small_sizes()) {
    Random random(n);
    const std::uint32_t count = n - n / 4;
    const auto vertices = random.vertices(n / 2 + 1);
    std::vector<std::uint32_t> indices(3 * std::size_t{n});
    for (std::uint32_t& index : indices)
      index = random.below(static_cast<std::uint32_t>(vertices.size()));
    for (const TestDevice& on : devices_for(n)) {
      const auto stream = on.device->create_stream();
      const auto v = on_device(*on.device, *stream, vertices);
      const auto i = on_device(*on.device, *stream, indices);
      const auto c = on_device(*on.device, *stream, count);
      const Buffer<Aabb> boxes(*on.device, n);
      run<Step::triangle_boxes>(*stream,
                                TriangleBoxArgs{v.data(), i.data(), c.data(), n, boxes.data()});
      const auto got = boxes.download(*stream);
      for (std::uint32_t t = 0; t < n; ++t) {
        Aabb want = Aabb::empty();
        for (std::uint32_t k = 0; k < 3 && t < count; ++k) {
          const Vec3 p = vertices[indices[3 * std::size_t{t} + k]].position;
          want = merge(want, {p, p});
        }
        ASSERT_EQ(got[t].min.x, want.min.x) << on.name << ", triangle " << t << " of " << n;
        ASSERT_EQ(got[t].min.z, want.min.z) << on.name << ", triangle " << t << " of " << n;
        ASSERT_EQ(got[t].max.y, want.max.y) << on.name << ", triangle " << t << " of " << n;
      }
    }
  }
}

float& component(Vec3& v, std::uint32_t axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

// A normal is right if it has length 1 and is orthogonal to both tangents as the wave transforms
// them, on the side that the triangle then shows.
TEST(Steps, DeformMovesVerticesAndTheirNormals) {
  constexpr std::uint32_t n = 700;
  Random random(1);
  const auto rest = random.vertices(n);
  for (const TestDevice& on : devices_for(n)) {
    const auto stream = on.device->create_stream();
    const auto in = on_device(*on.device, *stream, rest);
    const auto count = on_device(*on.device, *stream, n - 1);
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      for (std::uint32_t direction = 0; direction < 3; ++direction) {
        const Deformation wave{.kind = Deformer::wave,
                               .axis = axis,
                               .direction = direction,
                               .amplitude = 0.3F,
                               .wave_number = 2.5F,
                               .phase = 0.7F};
        const auto wave_on_device = on_device(*on.device, *stream, wave);
        const auto out = on_device(*on.device, *stream, rest);
        run<Step::deform>(
            *stream, DeformArgs{in.data(), count.data(), n, wave_on_device.data(), out.data()});
        const auto got = out.download(*stream);
        EXPECT_EQ(bits(got[n - 1]), bits(rest[n - 1])) << "beyond the count, " << on.name;
        for (std::uint32_t v = 0; v + 1 < n; ++v) {
          Vec3 place = rest[v].position;
          const float angle = wave.wave_number * component(place, axis) - wave.phase;
          component(place, direction) += wave.amplitude * std::sin(angle);
          const Vec3 miss = got[v].position - place;
          ASSERT_LT(dot(miss, miss), 1e-11F) << on.name << ", vertex " << v;

          const float slope = wave.amplitude * wave.wave_number * std::cos(angle);
          const Vec3 normal = rest[v].normal;
          const Vec3 helper = std::abs(normal.x) < 0.6F ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
          Vec3 tangent = cross(helper, normal);
          Vec3 bitangent = cross(normal, tangent);
          for (Vec3* t : {&tangent, &bitangent})
            component(*t, direction) += slope * component(*t, axis);
          const Vec3 moved = got[v].normal;
          ASSERT_NEAR(dot(moved, moved), 1.0F, 1e-5F) << on.name << ", vertex " << v;
          ASSERT_NEAR(dot(moved, tangent), 0.0F, 1e-5F) << on.name << ", vertex " << v;
          ASSERT_NEAR(dot(moved, bitangent), 0.0F, 1e-5F) << on.name << ", vertex " << v;
          ASSERT_GT(dot(moved, cross(tangent, bitangent)), 0.0F) << on.name << ", vertex " << v;
        }
      }
    }
  }
}

TEST(Steps, TreeStatisticsAndBoxesOfALevel) {
  for (const std::uint32_t capacity : small_sizes()) {
    for (const std::uint32_t count : {capacity, capacity / 2, 0U}) {
      const HostTree tree(capacity, count);
      std::uint32_t max_depth = 0;
      double cost = 0.0;
      for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
        if (!tree.has(node)) continue;
        max_depth = std::max(max_depth, tree.depth[node]);
        cost += double{tree.nodes[node].box().half_area()} /
                double{tree.nodes[tree.root].box().half_area()};
      }
      for (const TestDevice& on : devices_for(capacity)) {
        const auto stream = on.device->create_stream();
        const auto nodes = on_device(*on.device, *stream, tree.nodes);
        const auto parent = on_device(*on.device, *stream, tree.parent);
        const auto root = on_device(*on.device, *stream, tree.root);
        const auto live = on_device(*on.device, *stream, count);
        const Bvh bvh{nodes.data(), parent.data(), root.data(), capacity};
        const Buffer<std::uint32_t> depth(*on.device, tree.nodes.size());
        const auto statistics = on_device(*on.device, *stream, TreeStatistics{9, 9, 9.0});
        run<Step::tree_statistics>(
            *stream, TreeStatisticsArgs{live.data(), bvh, depth.data(), statistics.data()});
        const TreeStatistics got = statistics.download(*stream)[0];
        ASSERT_EQ(got.inner_nodes, count > 0 ? count - 1 : 0) << on.name << ", " << capacity;
        ASSERT_EQ(got.max_depth, max_depth) << on.name << ", " << capacity;
        // The areas are floats, and a GPU rounds a multiply-add once.
        ASSERT_NEAR(got.sah_cost, cost, 1e-6 * cost) << on.name << ", " << capacity;
        const auto got_depth = depth.download(*stream);
        for (std::size_t node = 0; node < tree.nodes.size(); ++node)
          if (tree.has(node)) {
            ASSERT_EQ(got_depth[node], tree.depth[node]) << on.name << ", " << node;
          }

        for (const std::uint32_t level : {0U, max_depth / 2, max_depth, max_depth + 1}) {
          std::multiset<float> want;
          for (std::size_t node = 0; node < tree.nodes.size(); ++node)
            if (tree.has(node) && tree.depth[node] == level) want.insert(tree.nodes[node].min.x);
          const auto level_on_device = on_device(*on.device, *stream, level);
          const Buffer<Aabb> boxes(*on.device, 2 * capacity);
          const auto commands = on_device(*on.device, *stream, DrawCommand{9, 9, 9, 9, 9});
          WriteBoxesArgs args{.count = live.data(),
                              .bvh = bvh,
                              .depth = depth.data(),
                              .level = level_on_device.data(),
                              .out = boxes.data(),
                              .command = commands.data()};
          run<Step::write_boxes>(*stream, args);
          const DrawCommand command = commands.download(*stream)[0];
          ASSERT_EQ(command.count, 24U) << on.name;
          ASSERT_EQ(command.first, 0U) << on.name;
          ASSERT_EQ(command.base_vertex, 0U) << on.name;
          ASSERT_EQ(command.base_instance, 0U) << on.name;
          ASSERT_EQ(command.instances, want.size()) << on.name << ", level " << level;
          std::multiset<float> written;
          for (const Aabb& box : boxes.download(*stream, want.size())) written.insert(box.min.x);
          ASSERT_EQ(written, want) << on.name << ", level " << level;
          args.appends = true;
          run<Step::write_boxes>(*stream, args);
          ASSERT_EQ(commands.download(*stream)[0].instances, 2 * want.size()) << on.name;
          for (const Aabb& box : boxes.download(*stream, 2 * want.size()))
            ASSERT_EQ(want.count(box.min.x), written.count(box.min.x)) << on.name;
        }
      }
    }
  }
}

TEST(Steps, WritersCopyAndFillTheCommands) {
  for (const std::uint32_t n : small_sizes()) {
    Random random(n);
    const MeshCounts counts{n - n / 3, 3 * (n - n / 3), n / 2, n / 3};
    const auto vertices = random.vertices(n);
    std::vector<std::uint32_t> indices(3 * std::size_t{n});
    for (std::uint32_t& index : indices) index = random.below(1000);
    std::vector<std::uint32_t> order(n);
    for (std::uint32_t i = 0; i < n; ++i) order[i] = n - 1 - i;
    std::vector<Aabb> boxes(n);
    for (Aabb& box : boxes) box = random.box();

    for (const TestDevice& on : devices_for(n)) {
      SCOPED_TRACE(on.name + ", " + std::to_string(n));
      const auto stream = on.device->create_stream();
      const auto device_counts = on_device(*on.device, *stream, counts);
      const auto in_vertices = on_device(*on.device, *stream, vertices);
      const auto in_indices = on_device(*on.device, *stream, indices);
      const auto in_material = on_device(*on.device, *stream, order);
      const auto in_boxes = on_device(*on.device, *stream, boxes);
      const Buffer<Vertex> out_vertices(*on.device, n);
      const Buffer<std::uint32_t> out_indices(*on.device, indices.size());
      const Buffer<std::uint32_t> out_material(*on.device, n);
      const Buffer<std::uint32_t> out_colours(*on.device, indices.size());
      const Buffer<Vec3> out_curve(*on.device, n);
      const std::vector<DrawCommand> untouched(3, DrawCommand{9, 9, 9, 9, 9});
      const auto commands = on_device(*on.device, *stream, untouched);
      run<Step::write_mesh>(*stream, WriteMeshArgs{.vertices = in_vertices.data(),
                                                   .counts = device_counts.data(),
                                                   .n_vertices = n,
                                                   .out_vertices = out_vertices.data(),
                                                   .indices = in_indices.data(),
                                                   .material = in_material.data(),
                                                   .colours = in_indices.data(),
                                                   .n_triangles = n,
                                                   .out_indices = out_indices.data(),
                                                   .out_material = out_material.data(),
                                                   .out_colours = out_colours.data(),
                                                   .triangles = commands.data(),
                                                   .points = commands.data() + 1});
      run<Step::write_curve>(
          *stream, WriteCurveArgs{&device_counts.data()->triangles, in_boxes.data(),
                                  in_material.data(), n, out_curve.data(), commands.data() + 2});
      const std::vector<DrawCommand> got = commands.download(*stream);
      expect_command(got[0], counts.corners);
      expect_command(got[1], counts.vertices);
      expect_command(got[2], counts.triangles);

      const auto got_vertices = out_vertices.download(*stream, counts.vertices);
      for (std::size_t v = 0; v < got_vertices.size(); ++v)
        ASSERT_EQ(bits(got_vertices[v]), bits(vertices[v])) << on.name << ", vertex " << v;
      ASSERT_TRUE(std::ranges::equal(out_indices.download(*stream, counts.corners),
                                     std::span(indices).first(counts.corners)))
          << on.name;
      ASSERT_TRUE(std::ranges::equal(out_colours.download(*stream, counts.corners),
                                     std::span(indices).first(counts.corners)))
          << on.name;
      ASSERT_TRUE(std::ranges::equal(out_material.download(*stream, counts.triangles),
                                     std::span(order).first(counts.triangles)))
          << on.name;
      const auto curve = out_curve.download(*stream, counts.triangles);
      for (std::size_t i = 0; i < curve.size(); ++i) {
        const Vec3 centre = boxes[order[i]].centre();
        ASSERT_FLOAT_EQ(curve[i].x, centre.x) << on.name << ", " << i;
        ASSERT_FLOAT_EQ(curve[i].z, centre.z) << on.name << ", " << i;
      }
    }
  }
}

// Null outputs are not written.
TEST(Steps, WriteMeshSkipsNullOutputs) {
  for (const TestDevice& on : devices_for(1)) {
    const auto stream = on.device->create_stream();
    const auto counts = on_device(*on.device, *stream, MeshCounts{1, 3, 2, 0});
    const auto commands = on_device(*on.device, *stream, std::vector<DrawCommand>(2));
    run<Step::write_mesh>(*stream, WriteMeshArgs{.counts = counts.data(),
                                                 .n_vertices = 3,
                                                 .n_triangles = 1,
                                                 .triangles = commands.data(),
                                                 .points = commands.data() + 1});
    SCOPED_TRACE(on.name);
    expect_command(commands.download(*stream)[0], 3);
    expect_command(commands.download(*stream)[1], 2);
  }
}

}  // namespace
}  // namespace warpview::test
