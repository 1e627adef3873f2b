// The facade over the tree's primitives: every variant that it can be made of gives the hits of the
// sequential reference, before and after vertices move.
#include "gpu/triangle_tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/reference/overlap.h"
#include "gpu/reference/rays.h"
#include "tests/steps/support.h"
#include "tests/support/closed_mesh.h"
#include "tests/support/devices.h"
#include "tests/support/small_device.h"

namespace warpview::test {
namespace {

class TriangleTrees : public testing::Test {
 protected:
  Vec3 point() { return random_.vector(); }

  Triangles scattered(std::uint32_t n) {
    Triangles triangles;
    for (std::uint32_t i = 0; i < n; ++i) {
      const Vec3 at = point();
      triangles.add(at, at + point() * 0.2F, at + point() * 0.2F);
    }
    return triangles;
  }
  std::vector<BoundedRay> rays(std::size_t n) {
    std::vector<BoundedRay> all(n);
    for (BoundedRay& ray : all) ray = {.origin = point() * 2.0F, .direction = point()};
    return all;
  }

  // Does the tree give the reference's hits, to the bit?
  void expect_reference(TriangleTree& tree, const Triangles& triangles, const std::string& what) {
    SCOPED_TRACE(what);
    const reference::RayTracer tracer(triangles.vertices, triangles.indices);
    const std::vector<BoundedRay> asked = rays(allowed(300));
    const std::vector<RayHit> hits = tree.nearest(asked);
    const std::vector<std::uint32_t> any = tree.any(asked);
    ASSERT_EQ(hits.size(), asked.size());
    ASSERT_EQ(any.size(), asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const RayHit want = tracer.nearest(asked[i]);
      ASSERT_EQ(std::memcmp(&hits[i], &want, sizeof want), 0) << "ray " << i;
      ASSERT_EQ(any[i], want.triangle != RayHit::nothing ? 1U : 0U) << "ray " << i;
    }
  }

  Random random_{7};
};

std::string message_of(const auto& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST_F(TriangleTrees, GiveTheHitsOfTheReferenceAtEverySize) {
  for (const TestDevice& on : few_devices()) {
    TriangleTree tree(*on.device);
    EXPECT_TRUE(tree.nearest(std::span<const BoundedRay>()).empty());
    for (const std::size_t n : allowed({0, 1, 2, 31, 33, 257, 1000})) {
      const Triangles triangles = scattered(static_cast<std::uint32_t>(n));
      tree.build(triangles.vertices, triangles.indices);
      EXPECT_EQ(tree.triangles(), n);
      expect_reference(tree, triangles, on.name + ", " + std::to_string(n) + " triangles");
    }
  }
}

TEST_F(TriangleTrees, AreMadeOfAnyVariants) {
  const Triangles triangles = scattered(static_cast<std::uint32_t>(allowed(200)));
  const auto expect = [&](Device& device, const TreeVariants& variants, const std::string& what) {
    TriangleTree tree(device, variants);
    tree.build(triangles.vertices, triangles.indices);
    expect_reference(tree, triangles, what);
    // Triangles that are out of order in space make a tree that is right, too, and slow.
    TriangleTree usual(device);
    usual.build(triangles.vertices, triangles.indices);
    EXPECT_LT(tree.statistics().sah_cost, 1.3 * usual.statistics().sah_cost) << what;
  };
  for (const TestDevice& on : few_devices()) {
    const auto each = [&](Primitive primitive, std::string TreeVariants::*member) {
      for (const VariantId variant : variants_of(primitive)) {
        if (!why_unavailable(variant, *on.device).empty()) continue;
        // Its hits are compared by tolerance, in its own experiment.
        if (primitive == Primitive::trace && (variant->traits & TraceTrait::own_tree) != 0)
          continue;
        TreeVariants variants;
        if (primitive == Primitive::refit) variants.build = "karras";
        if (primitive == Primitive::optimise) variants.optimise_rounds = 3;
        variants.*member = variant->name;
        expect(*on.device, variants, on.name + ", " + variant->name);
      }
    };
    each(Primitive::morton, &TreeVariants::morton);
    each(Primitive::sort, &TreeVariants::sort);
    each(Primitive::build, &TreeVariants::build);
    each(Primitive::refit, &TreeVariants::refit);
    each(Primitive::optimise, &TreeVariants::optimise);
    each(Primitive::trace, &TreeVariants::trace);
  }
}

TEST_F(TriangleTrees, CostLessOnceOptimised) {
  const Triangles triangles = closed_mesh(2);
  for (const TestDevice& on : few_devices())
    for (const char* build : {"treelets", "hploc"})
      for (const VariantId optimise : variants_of(Primitive::optimise)) {
        SCOPED_TRACE(on.name + ", " + build + ", " + optimise->name);
        const auto cost = [&](std::uint32_t rounds) {
          TriangleTree tree(
              *on.device, {.build = build, .optimise = optimise->name, .optimise_rounds = rounds});
          tree.build(triangles.vertices, triangles.indices);
          return tree.statistics().sah_cost;
        };
        EXPECT_LT(cost(4), 0.995 * cost(0));
        EXPECT_LE(cost(8), 1.005 * cost(4));  // gains are estimates: late rounds may lose a little
      }
}

// What the sequential reference measures of the same tree.
TreeOverlap overlap_of(Device& device, const TriangleTree& tree, const Triangles& triangles) {
  const Bvh bvh = tree.bvh();
  const std::unique_ptr<Stream> stream = device.create_stream();
  reference::Tree host{.nodes = std::vector<BvhNode>(bvh.node_count()),
                       .parent = std::vector<std::uint32_t>(bvh.node_count()),
                       .capacity = bvh.capacity,
                       .count = triangles.count()};
  const auto read = [&stream](auto* to, const auto* from, std::size_t n) {
    if (n > 0) stream->copy(to, from, n * sizeof *to, Copy::device_to_host);
  };
  read(host.nodes.data(), bvh.nodes, host.nodes.size());
  read(host.parent.data(), bvh.parent, host.parent.size());
  read(&host.root, bvh.root, 1);
  stream->synchronize();
  std::vector<LeafTriangle> leaves;
  for (std::uint32_t place = 0; place < host.count; ++place) {
    const std::uint32_t triangle = host.nodes[host.first_leaf() + place].left;
    leaves.push_back({triangles.corner(triangle, 0), triangle, triangles.corner(triangle, 1), 0.0F,
                      triangles.corner(triangle, 2), 0.0F});
  }
  return reference::overlap(host, leaves);
}

TEST_F(TriangleTrees, MeasureTheirOverlap) {
  for (const TestDevice& on : few_devices())
    for (const std::uint32_t n : {0U, 1U, 2U, 3U, 70U, 300U}) {
      SCOPED_TRACE(on.name + ", " + std::to_string(n) + " triangles");
      const Triangles triangles = scattered(n);
      TriangleTree tree(*on.device);
      tree.build(triangles.vertices, triangles.indices);
      const TreeOverlap got = tree.overlap();
      const TreeOverlap want = overlap_of(*on.device, tree, triangles);
      EXPECT_NEAR(got.triangles, want.triangles, 1e-5 * want.triangles);
      EXPECT_NEAR(got.foreign, want.foreign, 1e-4 * want.foreign);
      EXPECT_EQ(got.foreign > 0.0, n > 3);
    }
}

// Far from the origin, very large and very small, where areas are beyond floats.
TEST_F(TriangleTrees, MeasureTheirOverlapAtAnyPlaceAndSize) {
  const TestDevice& on = few_devices().front();
  const Triangles unit = scattered(static_cast<std::uint32_t>(allowed(120)));
  const auto moved = [&](float scale, float offset) {
    Triangles triangles = unit;
    for (Vertex& vertex : triangles.vertices)
      vertex.position = vertex.position * scale + Vec3{offset, -offset, offset};
    return triangles;
  };
  for (const auto& [scale, offset] :
       {std::pair{1.0F, 1e6F}, {1e12F, 0.0F}, {1e-12F, 0.0F}, {1e25F, 0.0F}, {1e-30F, 0.0F}}) {
    SCOPED_TRACE(std::to_string(scale) + ", " + std::to_string(offset));
    const Triangles triangles = moved(scale, offset);
    TriangleTree tree(*on.device);
    tree.build(triangles.vertices, triangles.indices);
    const TreeOverlap got = tree.overlap();
    const TreeOverlap want = overlap_of(*on.device, tree, triangles);
    ASSERT_GT(want.foreign, 0.0);
    EXPECT_NEAR(got.epo(), want.epo(), 1e-4 * want.epo());
  }
}

// Half of the second triangle lies in the box of the first; its own box is flat.
TEST_F(TriangleTrees, OverlapWhereOthersCross) {
  Triangles triangles;
  triangles.add({0, 0, 0}, {2, 0, 0}, {0, 2, 2});    // box [0, 2]^3
  triangles.add({1, 1, 1}, {1, 1, 3}, {1, 3, 1});    // a unit square of it is in that box
  triangles.add({9, 9, 9}, {9, 10, 9}, {9, 9, 10});  // far away
  TriangleTree tree(*few_devices().front().device);
  tree.build(triangles.vertices, triangles.indices);
  const TreeOverlap got = tree.overlap();
  EXPECT_FLOAT_EQ(static_cast<float>(got.triangles), 0.5F * std::sqrt(32.0F) + 2.0F + 0.5F);
  EXPECT_FLOAT_EQ(static_cast<float>(got.foreign), 1.0F);
}

TEST_F(TriangleTrees, FollowVerticesThatMove) {
  for (const TestDevice& on : few_devices()) {
    for (const VariantId build : variants_of(Primitive::build)) {
      if (!why_unavailable(build, *on.device).empty()) continue;
      Triangles triangles = scattered(static_cast<std::uint32_t>(allowed(200)));
      TriangleTree tree(*on.device, {.build = build->name});
      tree.build(triangles.vertices, triangles.indices);
      const TreeStatistics before = tree.statistics();
      for (Vertex& vertex : triangles.vertices) vertex.position = vertex.position + point() * 0.5F;
      tree.refit(triangles.vertices);
      expect_reference(tree, triangles, on.name + ", " + build->name);
      EXPECT_EQ(tree.statistics().max_depth, before.max_depth);
      EXPECT_NE(tree.statistics().sah_cost, before.sah_cost);
    }
  }
}

TEST_F(TriangleTrees, TakeTrianglesThatAreOnTheDevice) {
  for (const TestDevice& on : few_devices()) {
    TriangleTree tree(*on.device);
    Triangles triangles = scattered(static_cast<std::uint32_t>(allowed(100)));
    auto vertices = on_device(*on.device, tree.stream(), triangles.vertices);
    const auto indices = on_device(*on.device, tree.stream(), triangles.indices);
    tree.build({.vertices = vertices.data(), .indices = indices.data(), .n = triangles.count()});
    expect_reference(tree, triangles, on.name);
    for (Vertex& vertex : triangles.vertices) vertex.position = vertex.position * 1.5F;
    vertices.upload(tree.stream(), triangles.vertices);
    tree.refit();
    expect_reference(tree, triangles, on.name + ", moved");

    // Rays that are there, too: the answers come in the order of the stream.
    const std::vector<BoundedRay> asked = rays(50);
    const auto there = on_device(*on.device, tree.stream(), asked);
    const Buffer<RayHit> hits(*on.device, asked.size());
    tree.nearest(there.data(), 50, hits.data());
    const std::vector<RayHit> got = hits.download(tree.stream());
    const std::vector<RayHit> want = tree.nearest(asked);
    EXPECT_EQ(std::memcmp(got.data(), want.data(), got.size() * sizeof(RayHit)), 0);
  }
}

TEST_F(TriangleTrees, SayWhatTheyKnow) {
  const TestDevice& on = few_devices().front();
  TriangleTree tree(*on.device);
  EXPECT_EQ(tree.triangles(), 0U);
  EXPECT_EQ(tree.statistics().inner_nodes, 0U);
  EXPECT_TRUE(tree.bounds().is_empty());
  Triangles two;
  two.add({0, 0, 0}, {1, 0, 0}, {0, 2, 0});
  two.add({5, 0, -1}, {6, 0, 0}, {5, 1, 0});
  tree.build(two.vertices, two.indices);
  const Aabb box = tree.bounds();
  EXPECT_EQ(box.min.x, 0.0F);
  EXPECT_EQ(box.min.z, -1.0F);
  EXPECT_EQ(box.max.x, 6.0F);
  EXPECT_EQ(box.max.y, 2.0F);
  EXPECT_EQ(tree.statistics().inner_nodes, 1U);
  EXPECT_EQ(tree.statistics().max_depth, 1U);
}

TEST_F(TriangleTrees, KeepWhatWasBuiltWhereInputIsRefused) {
  const TestDevice& on = few_devices().front();
  const Triangles triangles = scattered(20);
  TriangleTree tree(*on.device);
  tree.build(triangles.vertices, triangles.indices);
  const auto refused = [&](auto spoil) {
    Triangles wrong = triangles;
    spoil(wrong);
    return message_of([&] { tree.build(wrong.vertices, wrong.indices); });
  };
  EXPECT_TRUE(has(refused([](Triangles& t) { t.indices.pop_back(); }), "there are 59 indices"));
  EXPECT_TRUE(has(refused([](Triangles& t) { t.indices[31] = 60; }),
                  "corner 1 of triangle 10: its index is 60, of 60 vertices"));
  EXPECT_TRUE(has(refused([](Triangles& t) {
                    t.vertices[5].position.y = std::numeric_limits<float>::quiet_NaN();
                  }),
                  "corner 2 of triangle 1: a coordinate is not a finite number"));
  const auto refit_refused = [&](auto spoil) {
    Triangles wrong = triangles;
    spoil(wrong);
    return message_of([&] { tree.refit(wrong.vertices); });
  };
  EXPECT_TRUE(has(refit_refused([](Triangles& t) { t.vertices.pop_back(); }),
                  "refit to 59 vertices: the tree was built with 60"));
  EXPECT_TRUE(has(refit_refused([](Triangles& t) {
                    t.vertices[7].position.x = std::numeric_limits<float>::infinity();
                  }),
                  "refit to vertex 7"));
  expect_reference(tree, triangles, "after all");
}

// Ten million rays on a GPU, in parts; few on the CPU device.
TEST_F(TriangleTrees, LetNoRayOutOfAClosedMesh) {
  const Triangles triangles = closed_mesh(4);
  for (const TestDevice& on : {few_devices().front(), few_devices().back()})
    for (const VariantId tracer : variants_of(Primitive::trace)) {
      SCOPED_TRACE(on.name + ", " + tracer->name);
      const bool is_cpu = on.device->info().backend == Backend::cpu;
      if (!why_unavailable(tracer, *on.device).empty() ||
          (tracer->traits & (TraceTrait::all_triangles | TraceTrait::own_tree)) != 0)
        continue;
      TriangleTree tree(*on.device, {.optimise_rounds = 4, .trace = tracer->name});
      tree.build(triangles.vertices, triangles.indices);
      for (int part = 0; part < (is_cpu ? 1 : 10); ++part) {
        std::vector<BoundedRay> rays(is_cpu ? allowed(2000) : 1'000'000);
        for (BoundedRay& ray : rays) ray = ray_from_inside(triangles, random_);
        const std::vector<std::uint32_t> any = tree.any(rays);
        const std::vector<RayHit> hits = tree.nearest(rays);
        for (std::size_t i = 0; i < rays.size(); ++i)
          ASSERT_TRUE(any[i] == 1 && hits[i].triangle != RayHit::nothing) << "ray " << i;
      }
    }
}

// Whichever allocation fails: nothing leaks, and the tree that was built before answers.
TEST_F(TriangleTrees, KeepWhatWasBuiltWhereMemoryIsMissing) {
  const TestDevice& on = few_devices().front();
  SmallDevice device(on.device);
  const Triangles first = scattered(20);
  const Triangles second = scattered(static_cast<std::uint32_t>(allowed(500)));
  TriangleTree tree(device);
  tree.build(first.vertices, first.indices);
  const std::size_t live = device.live_allocations();
  std::uint64_t refused = 0;
  for (bool is_built = false; !is_built; ++refused) {
    device.refuse_after(refused);
    try {
      tree.build(second.vertices, second.indices);
      is_built = true;
    } catch (const Error&) {
    }
    device.refuse_nothing();
    EXPECT_LE(device.live_allocations(), live) << refused;  // scratch memory may be gone
    expect_reference(tree, is_built ? second : first, std::to_string(refused));
  }
  EXPECT_GT(refused, 10U);
}

TEST_F(TriangleTrees, AreNotMadeOfWhatDoesNotGoTogether) {
  const TestDevice& on = few_devices().front();
  const auto refused = [&](const TreeVariants& variants) {
    return message_of([&] { TriangleTree(*on.device, variants); });
  };
  EXPECT_TRUE(has(refused({.build = "no_such"}), "no_such"));
  EXPECT_TRUE(
      has(refused({.build = "karras", .refit = "levels", .optimise_rounds = 1}),
          "refit levels of trees that karras builds, once optimised: it takes radix trees"));
  EXPECT_TRUE(has(refused({.optimise = "no_such"}), "no_such"));
  EXPECT_TRUE(has(refused({.build = "hploc", .refit = "treelets"}),
                  "refit treelets of trees that hploc builds: it takes radix trees alone"));
}

}  // namespace
}  // namespace warpview::test
