// The steps on the picked primitive, and the values by which triangles are coloured.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gpu/steps/particles.h"
#include "gpu/steps/pick.h"
#include "gpu/steps/tree.h"
#include "gpu/steps/triangle_values.h"
#include "tests/steps/support.h"

namespace warpview::test {
namespace {

// Primitives in an arbitrary order.
std::vector<std::uint32_t> shuffled(std::uint32_t n, Random& random) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint32_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

TEST(Steps, WritePathGoesFromTheRootToTheLeaf) {
  for (const std::uint32_t capacity : small_sizes()) {
    const std::uint32_t count = capacity - capacity / 3;
    if (count == 0) continue;
    Random random(capacity);
    const HostTree tree(capacity, count);
    const std::vector<std::uint32_t> primitives = shuffled(capacity, random);
    for (const TestDevice& on : devices_for(capacity)) {
      const auto stream = on.device->create_stream();
      const auto nodes = on_device(*on.device, *stream, tree.nodes);
      const auto parent = on_device(*on.device, *stream, tree.parent);
      const auto depth = on_device(*on.device, *stream, tree.depth);
      const auto root = on_device(*on.device, *stream, tree.root);
      const auto live = on_device(*on.device, *stream, count);
      const auto order = on_device(*on.device, *stream, primitives);
      for (const std::uint32_t rank : {0U, count / 2, count - 1}) {
        SCOPED_TRACE(on.name + ", leaf " + std::to_string(rank) + " of " + std::to_string(count));
        const auto picked = on_device(*on.device, *stream, primitives[rank]);
        const Buffer<Aabb> out(*on.device, Bvh::longest_path);
        const auto command = on_device(*on.device, *stream, DrawCommand{9, 9, 9, 9, 9});
        const auto leaf = on_device(*on.device, *stream, LeafPlace{9, 9});
        run<Step::write_path>(
            *stream, WritePathArgs{.count = live.data(),
                                   .bvh = {nodes.data(), parent.data(), root.data(), capacity},
                                   .depth = depth.data(),
                                   .primitives = order.data(),
                                   .picked = picked.data(),
                                   .n = capacity,
                                   .out = out.data(),
                                   .command = command.data(),
                                   .leaf = leaf.data()});
        // Up from the leaf, in the opposite direction.
        std::vector<Aabb> want;
        for (std::uint32_t node = tree.first_leaf + rank; node != Bvh::no_node;
             node = tree.parent[node])
          want.insert(want.begin(), tree.nodes[node].box());
        const LeafPlace place = leaf.download(*stream)[0];
        ASSERT_EQ(place.rank, rank);
        ASSERT_EQ(place.depth, want.size() - 1);
        const std::size_t drawn = std::min<std::size_t>(want.size(), Bvh::longest_path);
        const DrawCommand got = command.download(*stream)[0];
        ASSERT_EQ(got.count, 24U);
        ASSERT_EQ(got.instances, drawn);
        ASSERT_EQ(got.first, 0U);
        const std::vector<Aabb> boxes = out.download(*stream, drawn);
        for (std::size_t i = 0; i < drawn; ++i) {
          ASSERT_EQ(boxes[i].min.x, want[i].min.x) << i;
          ASSERT_EQ(boxes[i].max.z, want[i].max.z) << i;
        }
      }
    }
  }
}

TEST(Steps, NothingPickedHasNeitherPathNorTriangle) {
  const HostTree tree(40, 30);
  std::vector<std::uint32_t> primitives(40);
  std::iota(primitives.begin(), primitives.end(), 0U);
  for (const TestDevice& on : devices_for(40)) {
    const auto stream = on.device->create_stream();
    const auto nodes = on_device(*on.device, *stream, tree.nodes);
    const auto parent = on_device(*on.device, *stream, tree.parent);
    const auto depth = on_device(*on.device, *stream, tree.depth);
    const auto root = on_device(*on.device, *stream, tree.root);
    const auto live = on_device(*on.device, *stream, 30U);
    const auto order = on_device(*on.device, *stream, primitives);
    const Buffer<Aabb> out(*on.device, Bvh::longest_path);
    const Buffer<Vec3> corners(*on.device, 3);
    for (const std::uint32_t nothing : {nothing_picked, 30U}) {  // the second does not exist
      SCOPED_TRACE(on.name + ", " + std::to_string(nothing));
      const auto picked = on_device(*on.device, *stream, nothing);
      const auto commands =
          on_device(*on.device, *stream, std::vector<DrawCommand>(2, {9, 9, 9, 9, 9}));
      const auto leaf = on_device(*on.device, *stream, LeafPlace{9, 9});
      run<Step::write_path>(*stream,
                            WritePathArgs{.count = live.data(),
                                          .bvh = {nodes.data(), parent.data(), root.data(), 40},
                                          .depth = depth.data(),
                                          .primitives = order.data(),
                                          .picked = picked.data(),
                                          .n = 40,
                                          .out = out.data(),
                                          .command = commands.data(),
                                          .leaf = leaf.data()});
      run<Step::write_triangle>(*stream, WriteTriangleArgs{.count = live.data(),
                                                           .picked = picked.data(),
                                                           .out = corners.data(),
                                                           .command = commands.data() + 1});
      EXPECT_EQ(commands.download(*stream)[0].instances, 0U);
      EXPECT_EQ(commands.download(*stream)[1].count, 0U);
      EXPECT_EQ(leaf.download(*stream)[0].rank, 9U);
    }
  }
}

// Computes the step's contract in doubles.
SphereHit first_sphere(const Ray& ray, const std::vector<Vec4>& positions,
                       const std::vector<Vec4>& motions, double radius) {
  SphereHit first;
  double nearest = INFINITY;
  const auto sum = [](auto&& term) { return term(0) + term(1) + term(2); };
  const auto axis = [](const Vec3& v, int k) {
    return static_cast<double>(k == 0 ? v.x : k == 1 ? v.y : v.z);
  };
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto off = [&](int k) { return axis(ray.origin, k) - axis(positions[i].xyz, k); };
    const auto along = [&](int k) { return axis(ray.direction, k); };
    const double a = sum([&](int k) { return along(k) * along(k); });
    const double b = sum([&](int k) { return off(k) * along(k); });
    const double c = sum([&](int k) { return off(k) * off(k); }) - radius * radius;
    const double t = (-b - std::sqrt(b * b - a * c)) / a;
    const std::uint32_t number = number_of(motions[i]);
    if (!(t >= 0.0) || t > nearest || (t == nearest && number > first.number)) continue;
    nearest = t;
    first = {number, static_cast<float>(t), positions[i].xyz, motions[i].xyz};
  }
  return first;
}

TEST(Steps, PickSphereFindsTheFirstHit) {
  constexpr float radius = 0.15F;
  const float none = std::nanf("");
  for (const std::uint32_t n : small_sizes()) {
    Random random(n);
    const std::vector<std::uint32_t> numbers = shuffled(n, random);
    std::vector<Vec4> positions(n);
    std::vector<Vec4> motions(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      positions[i] = {random.vector(), 0.0F};
      motions[i] = motion_of(random.vector(), numbers[i]);
      if (i % 5 == 4) positions[i].xyz = {none, none, none};
      if (i % 7 == 6) positions[i] = positions[i - 6];  // in one place: the smaller number counts
    }
    std::vector<Ray> rays = {{{3, 0, 0}, {-1, 0, 0}},  // from outside, and from within
                             {{0, 0, 0}, {0.2F, 0.1F, 2}},
                             {{3, 0, 0}, {1, 0, 0}},        // away from all
                             {{300, 1, 2}, {-100, 0, 0}}};  // from far away
    for (int i = 0; i < 4; ++i) {
      const Vec3 from = random.vector() * 3.0F;
      rays.push_back({from, random.vector() - from});
    }
    for (const TestDevice& on : devices_for(n)) {
      const auto stream = on.device->create_stream();
      const auto places = on_device(*on.device, *stream, positions);
      const auto others = on_device(*on.device, *stream, motions);
      const auto nearest = on_device(*on.device, *stream, std::uint64_t{0});
      const auto hit = on_device(*on.device, *stream, SphereHit{});
      for (std::size_t r = 0; r < rays.size(); ++r) {
        SCOPED_TRACE(on.name + ", " + std::to_string(n) + ", ray " + std::to_string(r));
        const auto ray = on_device(*on.device, *stream, rays[r]);
        run<Step::pick_sphere>(*stream, PickSphereArgs{.ray = ray.data(),
                                                       .n = n,
                                                       .radius = radius,
                                                       .positions = places.data(),
                                                       .motions = others.data(),
                                                       .nearest = nearest.data(),
                                                       .hit = hit.data()});
        const SphereHit want = first_sphere(rays[r], positions, motions, double{radius});
        const SphereHit got = hit.download(*stream)[0];
        ASSERT_EQ(got.number, want.number);
        if (want.number == nothing_picked) continue;
        ASSERT_NEAR(got.t, want.t, 2e-3F);
        ASSERT_EQ(got.centre.y, want.centre.y);
        ASSERT_EQ(got.velocity.z, want.velocity.z);
      }
    }
  }
}

TEST(Steps, WriteTriangleGivesItsCorners) {
  Random random(5);
  Triangles triangles;
  for (int t = 0; t < 20; ++t) triangles.add(random.vector(), random.vector(), random.vector());
  std::reverse(triangles.indices.begin(), triangles.indices.end());
  for (const TestDevice& on : devices_for(20)) {
    const auto stream = on.device->create_stream();
    const auto vertices = on_device(*on.device, *stream, triangles.vertices);
    const auto indices = on_device(*on.device, *stream, triangles.indices);
    const auto count = on_device(*on.device, *stream, triangles.count());
    for (const std::uint32_t which : {0U, 7U, 19U}) {
      const auto picked = on_device(*on.device, *stream, which);
      const Buffer<Vec3> out(*on.device, 3);
      const auto command = on_device(*on.device, *stream, DrawCommand{9, 9, 9, 9, 9});
      run<Step::write_triangle>(*stream, WriteTriangleArgs{.count = count.data(),
                                                           .vertices = vertices.data(),
                                                           .indices = indices.data(),
                                                           .picked = picked.data(),
                                                           .out = out.data(),
                                                           .command = command.data()});
      SCOPED_TRACE(on.name);
      expect_command(command.download(*stream)[0], 3);
      const std::vector<Vec3> got = out.download(*stream);
      for (std::uint32_t k = 0; k < 3; ++k) {
        EXPECT_EQ(got[k].x, triangles.corner(which, k).x) << k;
        EXPECT_EQ(got[k].z, triangles.corner(which, k).z) << k;
      }
    }
  }
}

// --- triangle_values

TEST(Steps, TriangleValuesEqualAPlainLoop) {
  for (const std::uint32_t n : small_sizes()) {
    const std::uint32_t count = n - n / 4;
    Random random(n);
    const std::vector<std::uint32_t> primitives = shuffled(count, random);
    std::vector<std::uint32_t> depth(2 * std::size_t{n});
    for (std::uint32_t& d : depth) d = random.below(21);
    std::vector<std::uint64_t> wide(n);
    for (std::uint64_t& code : wide)
      code = std::uint64_t{random.below(1U << 31U)} << 32U | random.below(0xffffffffU);
    std::vector<std::uint32_t> narrow(wide.begin(), wide.end());
    for (std::uint32_t& code : narrow) code &= (1U << 30U) - 1;
    const std::uint32_t first_leaf = n - 1;
    for (const TestDevice& on : devices_for(n)) {
      const auto stream = on.device->create_stream();
      const auto live = on_device(*on.device, *stream, count);
      const auto order = on_device(*on.device, *stream, primitives);
      const auto depths = on_device(*on.device, *stream, depth);
      const auto wide_codes = on_device(*on.device, *stream, wide);
      const auto narrow_codes = on_device(*on.device, *stream, narrow);
      const auto statistics = on_device(*on.device, *stream, TreeStatistics{0, 20, 0.0});
      const auto expect = [&](TriangleValueChoice choice, int key_bits, const auto& value) {
        const auto how = on_device(*on.device, *stream, choice);
        const auto out = on_device(*on.device, *stream, std::vector<float>(n, -1.0F));
        run<Step::triangle_values>(
            *stream,
            TriangleValuesArgs{.count = live.data(),
                               .primitives = order.data(),
                               .codes = key_bits == 64 ? static_cast<const void*>(wide_codes.data())
                                                       : narrow_codes.data(),
                               .key_bits = key_bits,
                               .code_bits = key_bits == 64 ? 63 : 30,
                               .depth = depths.data(),
                               .first_leaf = first_leaf,
                               .statistics = statistics.data(),
                               .choice = how.data(),
                               .n = n,
                               .out = out.data()});
        const std::vector<float> got = out.download(*stream);
        for (std::uint32_t i = 0; i < count; ++i)
          ASSERT_NEAR(got[primitives[i]], value(i), 1e-6)
              << on.name << ", " << i << " of " << count << ", value "
              << static_cast<int>(choice.value);
        for (std::uint32_t t = count; t < n; ++t) ASSERT_EQ(got[t], -1.0F) << "beyond the count";
      };
      expect({TriangleValue::rank, 0}, 32, [&](std::uint32_t i) {
        return count > 1 ? static_cast<double>(i) / (count - 1) : 0.0;
      });
      expect({TriangleValue::leaf, 0}, 32, [](std::uint32_t i) {
        const double turns = i * (std::sqrt(5.0) - 1.0) / 2.0;
        return turns - std::floor(turns);
      });
      expect({TriangleValue::depth, 0}, 32,
             [&](std::uint32_t i) { return depth[first_leaf + i] / 20.0; });
      for (const std::uint32_t digit : {0U, 3U, 4U, 7U}) {
        const auto of = [digit](std::uint64_t code, unsigned bits) {
          if (8 * digit >= bits) return 0.0;
          const std::uint64_t largest = (std::uint64_t{1} << std::min(8U, bits - 8 * digit)) - 1;
          return static_cast<double>(code >> 8 * digit & largest) / static_cast<double>(largest);
        };
        expect({TriangleValue::digit, digit}, 64, [&](std::uint32_t i) { return of(wide[i], 63); });
        expect({TriangleValue::digit, digit}, 32,
               [&](std::uint32_t i) { return of(narrow[i], 30); });
      }
    }
  }
}

}  // namespace
}  // namespace warpview::test
