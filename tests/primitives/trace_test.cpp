// Every row of ray tracing, on trees of any shape; and what a hit is, against arithmetic in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "gpu/lab/experiment.h"
#include "gpu/operators/ray_triangle.h"
#include "gpu/primitives/collapse/wide_memory.h"
#include "gpu/primitives/sort/sort.h"
#include "gpu/reference/rays.h"
#include "gpu/runtime/tile_extent.h"
#include "gpu/steps/trace_boxes.h"
#include "gpu/steps/tree.h"
#include "tests/steps/support.h"
#include "tests/support/closed_mesh.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

constexpr float no_number = std::numeric_limits<float>::quiet_NaN();
constexpr float without_end = std::numeric_limits<float>::infinity();

BoundedRay ray_of(Vec3 origin, Vec3 direction) {
  return {.origin = origin, .direction = direction};
}

reference::RayTracer tracer_of(const Triangles& triangles) {
  return {triangles.vertices, triangles.indices};
}

struct Traced {
  std::vector<RayHit> hits;
  std::vector<std::uint32_t> any;
  std::vector<TraceSteps> steps, steps_of_any;
};

struct HostWide {
  std::vector<WideNode4> four;
  std::vector<WideNode8> eight;
  std::vector<LeafTriangle> triangles;
};

// Rows whose hits are the same bits: all but a library's, whose experiment compares by tolerance.
std::vector<Row> walking_rows() {
  std::vector<Row> rows = rows_of(Primitive::trace);
  std::erase_if(rows,
                [](const Row& row) { return (row.index->traits & TraceTrait::own_tree) != 0; });
  return rows;
}

// By a row on a device, with counted steps and without.
class Tracing {
 public:
  Tracing(const TestDevice& on, const Row& row, const Triangles& triangles, const HostTree& tree,
          std::uint32_t capacity)
      : on_(on),
        row_(row),
        stream_(on.device->create_stream()),
        scratch_(*on.device),
        vertices_(on_device(*on.device, *stream_, triangles.vertices)),
        indices_(on_device(*on.device, *stream_, triangles.indices)),
        count_(on_device(*on.device, *stream_, triangles.count())),
        parent_(on_device(*on.device, *stream_, tree.parent)),
        root_(on_device(*on.device, *stream_, tree.root)),
        nodes_(on_device(*on.device, *stream_, tree.nodes)),
        bvh_{nodes_.data(), parent_.data(), root_.data(), capacity} {
    if (const auto collapse = collapse_for(row.index)) make_wide(*collapse, capacity);
  }

  Traced trace(const std::vector<BoundedRay>& rays) {
    const auto in = on_device(*on_.device, *stream_, rays);
    const auto hits =
        on_device(*on_.device, *stream_, std::vector<RayHit>(rays.size(), {7, 7, 7, 7}));
    const auto any = on_device(*on_.device, *stream_, std::vector<std::uint32_t>(rays.size(), 7));
    const std::vector<TraceSteps> wrong(rays.size(), {7, 7});
    const auto steps = on_device(*on_.device, *stream_, wrong);
    const auto steps_of_any = on_device(*on_.device, *stream_, wrong);
    TraceArgs args{.rays = in.data(),
                   .n = static_cast<std::uint32_t>(rays.size()),
                   .count = count_.data(),
                   .bvh = bvh_,
                   .vertices = vertices_.data(),
                   .indices = indices_.data(),
                   .sort = on_.device->table().get<Primitive::sort>(
                       default_variant(Primitive::sort, on_.device->info().backend)),
                   .wide = wide_.tree()};
    // What counts steps is another kernel: both must give the same.
    const auto run_both = [&](TraceSteps* counted, auto check_equal) {
      args.steps = counted;
      run(args);
      const auto with_steps = check_equal();
      args.steps = nullptr;
      run(args);
      EXPECT_TRUE(with_steps == check_equal()) << "without steps";
    };
    args.hits = hits.data();
    run_both(steps.data(), [&] { return bytes_of(hits.download(*stream_)); });
    args.hits = nullptr;
    args.any = any.data();
    run_both(steps_of_any.data(), [&] { return any.download(*stream_); });
    return {hits.download(*stream_), any.download(*stream_), steps.download(*stream_),
            steps_of_any.download(*stream_)};
  }

  // The tree that the row walks, if that is a wide one.
  HostWide host_wide() const {
    return {wide_.four().download(*stream_), wide_.eight().download(*stream_),
            wide_.triangles().download(*stream_)};
  }

 private:
  static std::vector<std::byte> bytes_of(const std::vector<RayHit>& hits) {
    const auto bytes = std::as_bytes(std::span(hits));
    return {bytes.begin(), bytes.end()};
  }
  void make_wide(VariantId collapse, std::uint32_t capacity) {
    wide_ = WideMemory(*on_.device, collapse, capacity);
    const Buffer<LeafTriangle> leaves(*on_.device, capacity);
    test::run<Step::leaf_triangles>(*stream_, LeafTrianglesArgs{.count = count_.data(),
                                                                .bvh = bvh_,
                                                                .vertices = vertices_.data(),
                                                                .indices = indices_.data(),
                                                                .out = leaves.data()});
    scratch_.run(
        on_.device->table().get<Primitive::collapse>(collapse), *stream_,
        CollapseArgs{
            .count = count_.data(), .bvh = bvh_, .leaves = leaves.data(), .out = wide_.tree()});
    stream_->synchronize();
  }
  void run(const TraceArgs& args) {
    scratch_.run(on_.device->table().get<Primitive::trace>(row_.index), *stream_, args);
    stream_->synchronize();
  }

  const TestDevice& on_;
  const Row& row_;
  std::unique_ptr<Stream> stream_;
  ScratchMemory scratch_;
  Buffer<Vertex> vertices_;
  Buffer<std::uint32_t> indices_, count_, parent_, root_;
  Buffer<BvhNode> nodes_;
  Bvh bvh_;
  WideMemory wide_;  // only for rows that walk a wide tree
};

class Trace : public testing::TestWithParam<Row> {
 protected:
  // The row gives the reference's bits for these rays, on each device, in a tree of this shape.
  void gives_the_reference(const Triangles& triangles, const HostTree& tree, std::uint32_t capacity,
                           const std::vector<BoundedRay>& rays) {
    const reference::RayTracer tracer = tracer_of(triangles);
    for (const TestDevice& on : devices_for(rays.size(), GetParam())) {
      SCOPED_TRACE(on.name);
      const Traced got = Tracing(on, GetParam(), triangles, tree, capacity).trace(rays);
      for (std::size_t r = 0; r < rays.size(); ++r) {
        const RayHit want = tracer.nearest_of_all(rays[r]);
        ASSERT_EQ(got.hits[r].triangle, want.triangle) << "ray " << r;
        ASSERT_EQ(std::bit_cast<std::uint32_t>(got.hits[r].t),
                  std::bit_cast<std::uint32_t>(want.t));
        ASSERT_EQ(got.hits[r].u, want.u);
        ASSERT_EQ(got.hits[r].v, want.v);
        ASSERT_EQ(got.any[r], want.triangle == RayHit::nothing ? 0U : 1U) << "ray " << r;
      }
    }
  }
};

std::vector<BoundedRay> random_rays(int count, Random& random) {
  std::vector<BoundedRay> rays;
  for (int i = 0; i < count; ++i) {
    BoundedRay ray = ray_of(random.vector() * 2.0F, random.vector());
    if (i % 3 == 0) ray.direction.x = 0.0F;  // along a side of boxes
    if (i % 9 == 0) ray.direction.y = -0.0F;
    if (i % 5 == 0) ray.direction = ray.direction * 1e-3F;
    if (i % 4 == 0) ray.tmax = std::abs(random.number()) * 2.0F;
    if (i % 7 == 0) ray.tmin = 0.5F;
    rays.push_back(ray);
  }
  return rays;
}

Triangles random_triangles(std::uint32_t n, Random& random) {
  Triangles triangles;
  for (std::uint32_t t = 0; t < n; ++t) {
    const Vec3 at = random.vector();
    const float size = n > 50 ? 0.2F : 1.0F;
    triangles.add(at, at + random.vector() * size, at + random.vector() * size);
  }
  return triangles;
}

TEST_P(Trace, GivesTheReferencesBitsInAnyTree) {
  for (const std::uint32_t n : {0U, 1U, 2U, 33U, 300U}) {
    SCOPED_TRACE(n);
    Random random(n);
    const Triangles triangles = random_triangles(n, random);
    const HostTree tree(n + n / 3, n, triangles.boxes());
    gives_the_reference(triangles, tree, n + n / 3, random_rays(200, random));
  }
}

// Deeper than any stack and any trail: each inner node has a leaf and the rest.
TEST_P(Trace, GivesTheReferencesBitsInATreeOfTheGreatestDepth) {
  constexpr std::uint32_t n = 400;
  for (const bool leaf_is_left : {true, false}) {
    Random random(5);
    Triangles triangles;
    for (std::uint32_t t = 0; t < n; ++t)  // all near the origin: a ray wants most of them
      triangles.add(random.vector(), random.vector() * 0.5F, random.vector());
    const HostTree tree = HostTree::chain(n, triangles.boxes(), leaf_is_left);
    gives_the_reference(triangles, tree, n, random_rays(150, random));
  }
}

// Along edges and through corners of many triangles at once, where equal distances meet.
TEST_P(Trace, GivesTheReferencesBitsAlongEdges) {
  Random random(11);
  Triangles triangles;
  constexpr int cells = 8;
  const auto place = [](int x, int y) {
    return Vec3{static_cast<float>(x), static_cast<float>(y), 0.0F};
  };
  for (int y = 0; y < cells; ++y) {
    for (int x = 0; x < cells; ++x) {
      triangles.add(place(x, y), place(x + 1, y), place(x, y + 1));
      triangles.add(place(x + 1, y), place(x + 1, y + 1), place(x, y + 1));
    }
  }
  const HostTree tree(triangles.count(), triangles.count(), triangles.boxes());
  std::vector<BoundedRay> rays;
  for (int y = 0; y <= 2 * cells; ++y) {
    for (int x = 0; x <= 2 * cells; ++x) {
      const Vec3 at{0.5F * static_cast<float>(x), 0.5F * static_cast<float>(y), 0.0F};
      rays.push_back(ray_of(at + Vec3{0.0F, 0.0F, 3.0F}, {0.0F, 0.0F, -1.0F}));
      const Vec3 from = random.vector() + Vec3{0.0F, 0.0F, 3.0F};
      rays.push_back(ray_of(from, at - from));
      rays.push_back(ray_of(at - Vec3{20.0F, 0.0F, 0.0F}, {1.0F, 0.0F, 0.0F}));  // within the plane
    }
  }
  gives_the_reference(triangles, tree, triangles.count(), rays);
}

// Along z, x and y: what is special about an axis is so for each.
TEST_P(Trace, IsExactInSpecialCases) {
  struct SpecialRay {
    const char* what;
    BoundedRay ray;
    std::uint32_t triangle = RayHit::nothing;
    float t = 0.0F;
  };
  const std::vector<SpecialRay> cases = {
      {"from the front", {{0, 0, 3}, 0, {0, 0, -1}}, 1, 2},
      {"from the back", {{0, 0, -3}, 0, {0, 0, 2}}, 0, 0.5F},
      {"from between", {{0, 0, 0}, 0, {0, 0, 1}}, 1, 1},
      {"from a triangle itself", {{0, 0, 1}, 0, {0, 0, 1}}, 1, 0},
      {"away from all", {{0, 0, 2}, 0, {0, 0, 1}}},
      {"past them", {{5, 0, 3}, 0, {0, 0, -1}}},
      {"no direction", {{0, 0, 3}, 0, {0, 0, 0}}},
      {"along an edge, in the lower side of every box", {{-1, 0, 3}, 0, {0, 0, -1}}, 1, 2},
      {"the same with zeros of the other sign", {{-1, 0, 3}, 0, {-0.0F, -0.0F, -1}}, 1, 2},
      {"through a corner, in its upper side", {{-1, 3, 3}, 0, {0, 0, -1}}, 1, 2},
      {"the same with zeros of the other sign", {{-1, 3, 3}, 0, {-0.0F, -0.0F, -1}}, 1, 2},
      {"ends at a triangle", {{0, 0, 3}, 0, {0, 0, -1}, 2}, 1, 2},
      {"ends before it", {{0, 0, 3}, 0, {0, 0, -1}, 1.9999F}},
      {"begins at a triangle", {{0, 0, 3}, 2, {0, 0, -1}, 9}, 1, 2},
      {"begins behind it", {{0, 0, 3}, 2.0001F, {0, 0, -1}, 9}, 0, 5},
      {"ends before it begins", {{0, 0, 3}, 3, {0, 0, -1}, 2}},
      {"begins before 0", {{0, 0, 3}, -1, {0, 0, -1}}},
      {"NaN in the origin", {{no_number, 0, 3}, 0, {0, 0, -1}}},
      {"NaN in the direction", {{0, 0, 3}, 0, {0, no_number, -1}}},
      {"NaN as its end", {{0, 0, 3}, 0, {0, 0, -1}, no_number}},
      {"NaN as its beginning", {{0, 0, 3}, no_number, {0, 0, -1}}},
      {"infinite origin", {{0, without_end, 3}, 0, {0, 0, -1}}},
      {"infinite direction", {{0, 0, 3}, 0, {0, 0, -without_end}}},
  };
  for (int axis = 0; axis < 3; ++axis) {
    const auto turned = [axis](Vec3 v) {
      return axis == 0 ? v : axis == 1 ? Vec3{v.z, v.x, v.y} : Vec3{v.y, v.z, v.x};
    };
    Triangles triangles;
    for (const float z : {-2.0F, 1.0F, 1.0F})  // the first of equally near ones counts
      triangles.add(turned({-1, -1, z}), turned({3, -1, z}), turned({-1, 3, z}));
    triangles.add(turned({0, 0, 0.5F}), turned({0, 0, 0.5F}), turned({1, 0, 0.5F}));  // no area
    std::vector<BoundedRay> rays;
    for (const SpecialRay& one : cases)
      rays.push_back(
          {turned(one.ray.origin), one.ray.tmin, turned(one.ray.direction), one.ray.tmax});
    const HostTree tree(4, 4, triangles.boxes());
    for (const TestDevice& on : devices_for(4, GetParam())) {
      const Traced got = Tracing(on, GetParam(), triangles, tree, 4).trace(rays);
      for (std::size_t i = 0; i < rays.size(); ++i) {
        SCOPED_TRACE(on.name + ", axis " + std::to_string(axis) + ": " + cases[i].what);
        EXPECT_EQ(got.hits[i].triangle, cases[i].triangle);
        EXPECT_EQ(got.hits[i].t, cases[i].t);
        EXPECT_EQ(got.any[i], cases[i].triangle == RayHit::nothing ? 0U : 1U);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, Trace, testing::ValuesIn(walking_rows()),
                         [](const testing::TestParamInfo<Row>& row) { return name_of(row.param); });

// --- a library, whose own tests are of its contract alone: it has an experiment for its hits

class TraceLibrary : public testing::Test {
 protected:
  void SetUp() override {
    const VariantId library = find_variant(Primitive::trace, "library");
    device_ = devices_for(1, Row{library}).front().device;
    if (const std::string why = lab::why_not(library, 0, device_->info()); !why.empty())
      GTEST_SKIP() << why;
  }

  // Traces one ray to a triangle at this height; the caller may keep the tree.
  RayHit hit(float height, const BoundedRay& ray, LibraryTree* kept = nullptr,
             std::uint32_t triangles = 1) const {
    const auto stream = device_->create_stream();
    Triangles one;
    one.add({-1, -1, height}, {3, -1, height}, {-1, 3, height});
    const auto vertices = on_device(*device_, *stream, one.vertices);
    const auto indices = on_device(*device_, *stream, one.indices);
    const auto count = on_device(*device_, *stream, triangles);
    const auto rays = on_device(*device_, *stream, std::vector{ray});
    const Buffer<RayHit> hits(*device_, 1);
    const Buffer<std::uint32_t> any(*device_, 1);
    TraceArgs args{.rays = rays.data(),
                   .n = 1,
                   .count = count.data(),
                   .bvh = {},
                   .vertices = vertices.data(),
                   .indices = indices.data(),
                   .hits = hits.data(),
                   .library = kept};
    ScratchMemory scratch(*device_);
    auto* const trace =
        device_->table().get<Primitive::trace>(find_variant(Primitive::trace, "library"));
    scratch.run(trace, *stream, args);
    args.hits = nullptr;
    args.any = any.data();
    scratch.run(trace, *stream, args);
    const RayHit found = hits.download(*stream)[0];
    EXPECT_EQ(any.download(*stream)[0], found.triangle != RayHit::nothing ? 1U : 0U);
    return found;
  }

  std::shared_ptr<Device> device_;
};

TEST_F(TraceLibrary, KeepsToTheRaysBounds) {
  const auto hits = [this](const BoundedRay& ray) {
    return hit(1, ray).triangle != RayHit::nothing;
  };
  EXPECT_NEAR(hit(1, {{0, 0, 3}, 0, {0, 0, -2}}).t, 1.0F, 1e-5F);
  EXPECT_TRUE(hits({{0, 0, 3}, 0, {0, 0, -1}, 2.1F}));
  EXPECT_FALSE(hits({{0, 0, 3}, 0, {0, 0, -1}, 1.9F}));
  EXPECT_TRUE(hits({{0, 0, 3}, 1.9F, {0, 0, -1}}));
  EXPECT_FALSE(hits({{0, 0, 3}, 2.1F, {0, 0, -1}}));
  EXPECT_FALSE(hits({{0, 0, 3}, 3, {0, 0, -1}, 2}));
  EXPECT_FALSE(hits({{0, 0, 3}, -1, {0, 0, -1}}));
  EXPECT_FALSE(hits({{0, 0, 3}, 0, {0, 0, 0}}));
  EXPECT_FALSE(hits({{0, 0, 3}, 0, {0, no_number, -1}}));
  EXPECT_FALSE(hits({{no_number, 0, 3}, 0, {0, 0, -1}}));
  EXPECT_FALSE(hits({{0, 0, 3}, 0, {0, 0, -1}, no_number}));
  EXPECT_EQ(hit(1, {{0, 0, 3}, 0, {0, 0, -1}}, nullptr, 0).triangle, RayHit::nothing);
}

TEST_F(TraceLibrary, KeepsItsTreeUntilTheCallerDropsIt) {
  const BoundedRay ray{{0, 0, 3}, 0, {0, 0, -1}};
  LibraryTree kept;
  EXPECT_NEAR(hit(1, ray, &kept).t, 2.0F, 1e-5F);
  EXPECT_TRUE(kept.tree);
  EXPECT_GT(kept.build_ms, 0.0);
  EXPECT_NEAR(hit(2, ray, &kept).t, 2.0F, 1e-5F);  // the kept tree's triangle
  kept = {};
  EXPECT_NEAR(hit(2, ray, &kept).t, 1.0F, 1e-5F);
  EXPECT_NEAR(hit(1, ray).t, 2.0F, 1e-5F);
}

// --- what a hit is

struct HostHit {
  double t = 0.0, u = 0.0, v = 0.0;
  // How far the hit is inside the triangle and ahead of the origin; below 0: no hit.
  double margin = -1.0;
};

// By Cramer's rule: origin + t direction = a + u (b - a) + v (c - a).
HostHit meet(const BoundedRay& ray, Vec3 a, Vec3 b, Vec3 c) {
  struct DoubleVec {
    double x, y, z;
  };
  const auto minus = [](Vec3 p, Vec3 q) {
    return DoubleVec{double{p.x} - q.x, double{p.y} - q.y, double{p.z} - q.z};
  };
  const auto determinant = [](DoubleVec p, DoubleVec q, DoubleVec r) {
    return p.x * (q.y * r.z - q.z * r.y) - p.y * (q.x * r.z - q.z * r.x) +
           p.z * (q.x * r.y - q.y * r.x);
  };
  const DoubleVec ab = minus(b, a);
  const DoubleVec ac = minus(c, a);
  const DoubleVec back = minus({0, 0, 0}, ray.direction);
  const DoubleVec from_a = minus(ray.origin, a);
  const double all = determinant(ab, ac, back);
  if (all == 0.0) return {};
  HostHit hit;
  hit.u = determinant(from_a, ac, back) / all;
  hit.v = determinant(ab, from_a, back) / all;
  hit.t = determinant(ab, ac, from_a) / all;
  hit.margin = std::min({hit.u, hit.v, 1.0 - hit.u - hit.v, hit.t - ray.tmin, ray.tmax - hit.t});
  return hit;
}

// Hits near an edge may go either way by rounding; all others may not.
TEST(RayTracer, FindsTheNearestTriangle) {
  constexpr double doubtful = 1e-4;
  constexpr std::uint32_t n = 300;
  Random random(n);
  const Triangles triangles = random_triangles(n, random);
  const reference::RayTracer tracer = tracer_of(triangles);
  for (const BoundedRay& ray : random_rays(1000, random)) {
    const RayHit hit = tracer.nearest(ray);
    const bool found = hit.triangle != RayHit::nothing;
    if (found) {
      ASSERT_LT(hit.triangle, n);
      const HostHit exact =
          meet(ray, triangles.corner(hit.triangle, 0), triangles.corner(hit.triangle, 1),
               triangles.corner(hit.triangle, 2));
      ASSERT_GT(exact.margin, -doubtful);
      ASSERT_NEAR(double{hit.t}, exact.t, 1e-3 * (1.0 + std::abs(exact.t)));
      ASSERT_NEAR(double{hit.u}, exact.u, 1e-2);
      ASSERT_NEAR(double{hit.v}, exact.v, 1e-2);
    }
    for (std::uint32_t t = 0; t < n; ++t) {
      const HostHit other =
          meet(ray, triangles.corner(t, 0), triangles.corner(t, 1), triangles.corner(t, 2));
      if (other.margin < doubtful) continue;
      ASSERT_TRUE(found) << "missed triangle " << t << " at " << other.t;
      ASSERT_LE(double{hit.t}, other.t * (1.0 + 1e-4)) << "triangle " << t << " is nearer";
    }
  }
}

TEST(RayTracer, FindsWhatTestingAllTrianglesFinds) {
  Random random(17);
  const Triangles triangles = random_triangles(500, random);
  const reference::RayTracer tracer = tracer_of(triangles);
  for (const BoundedRay& ray : random_rays(1000, random)) {
    const RayHit want = tracer.nearest_of_all(ray);
    const RayHit got = tracer.nearest(ray);
    ASSERT_EQ(got.triangle, want.triangle);
    ASSERT_EQ(got.t, want.t);
    ASSERT_EQ(tracer.any(ray), want.triangle != RayHit::nothing);
  }
}

// No ray from inside gets out between triangles: aimed at corners, at points of edges and anywhere.
TEST(RayTracer, AClosedMeshLeaksNoRay) {
  const Triangles triangles = closed_mesh(4);
  const reference::RayTracer tracer = tracer_of(triangles);
  constexpr int rays = 200'000;
  Random random(23);
  for (int i = 0; i < rays; ++i)
    ASSERT_TRUE(tracer.any(ray_from_inside(triangles, random))) << "ray " << i;
}

// Where rounding puts the ray on an edge, exact arithmetic decides on which side of it it passes.
TEST(RayShear, DecidesDoubtfulEdgesExactly) {
  Random random(31);
  const RayShear along_z(ray_of({0.0F, 0.0F, -1.0F}, {0.0F, 0.0F, 1.0F}));
  int doubtful = 0;
  for (int i = 0; i < 200'000 || doubtful < 1000; ++i) {
    // Two corners in nearly one line with the ray.
    const Vec3 a{random.number(), random.number(), 0.0F};
    const float far = -1.0F - random.number();
    const Vec3 b{a.x * far, a.y * far, 0.0F};
    const double exact = double{a.x} * b.y - double{a.y} * b.x;
    if (a.x * b.y - a.y * b.x != 0.0F || exact == 0.0) continue;
    ++doubtful;
    // The third corner on the side of the edge that the ray passes on, or on the other one.
    const Vec3 beside{-(b.y - a.y), b.x - a.x, 0.0F};
    const float side = exact > 0.0 ? 1.0F : -1.0F;
    TriangleHit hit;
    ASSERT_TRUE(along_z.meets(a, b, (a + b) * 0.5F + beside * side, hit)) << i;
    ASSERT_FALSE(along_z.meets(a, b, (a + b) * 0.5F - beside * side, hit)) << i;
  }
}

// A box in another one is not entered before it, and not left out where the outer one is met, to
// the bit: walks rely on it.
TEST(RaySlabs, AreMonotone) {
  Random random(29);
  for (int i = 0; i < 100'000; ++i) {
    BoundedRay ray = ray_of(random.vector() * 2.0F, random.vector());
    if (i % 4 == 0) ray.direction.y = 0.0F;
    if (i % 6 == 0) ray.direction.z = -0.0F;
    const Aabb inner = random.box();
    Aabb outer = merge(inner, random.box());
    if (i % 3 == 0) outer.min.y = inner.min.y;   // in one plane
    if (i % 5 == 0) ray.origin.y = inner.max.y;  // the ray in it, too
    if (i % 7 == 0) outer = {inner.min, outer.max};
    const RaySlabs slabs(ray);
    const float enters_inner = slabs.enter(inner.min, inner.max);
    const float enters_outer = slabs.enter(outer.min, outer.max);
    ASSERT_LE(enters_outer, enters_inner) << i;
  }
}

// --- steps

// Walks recursively: where both children are wanted the nearer one first; nodes behind the nearest
// hit are skipped.
class PlainWalk {
 public:
  PlainWalk(const HostTree& tree, const Triangles& triangles, const BoundedRay& ray)
      : tree_(tree), triangles_(triangles), slabs_(ray), shear_(ray) {
    visit(tree.root, enter(tree.root));
  }
  TraceSteps steps() const { return steps_; }

 private:
  float enter(std::uint32_t node) {
    ++steps_.nodes;
    return slabs_.enter(tree_.nodes[node].min, tree_.nodes[node].max);
  }
  void visit(std::uint32_t node, float key) {
    if (key > nearest_ || key == RaySlabs::misses) return;
    const BvhNode& here = tree_.nodes[node];
    if (here.is_leaf()) {
      ++steps_.triangles;
      TriangleHit hit;
      if (shear_.meets(triangles_.corner(here.left, 0), triangles_.corner(here.left, 1),
                       triangles_.corner(here.left, 2), hit))
        nearest_ = std::min(nearest_, std::max(hit.t, key));
      return;
    }
    const float left = enter(here.left);
    const float right = enter(here.right);
    visit(left <= right ? here.left : here.right, std::min(left, right));
    visit(left <= right ? here.right : here.left, std::max(left, right));
  }

  const HostTree& tree_;
  const Triangles& triangles_;
  RaySlabs slabs_;
  RayShear shear_;
  float nearest_ = 3e38F;
  TraceSteps steps_;
};

// Walks a wide tree recursively: of four children the nearest first, which may turn out not to be
// wanted by then; of eight in the order of their slots, which the ray's direction turns around.
class PlainWideWalk {
 public:
  PlainWideWalk(const HostWide& tree, const BoundedRay& ray)
      : tree_(tree), ray_(ray), slabs_(ray), shear_(ray) {
    if (tree.four.empty())
      visit_eight(0);
    else
      visit_four(0);
  }
  TraceSteps steps() const { return steps_; }

 private:
  struct Child {
    float key;
    std::uint32_t word;
  };

  bool wants(float key) const { return key <= nearest_; }
  float enter(Vec3 min, Vec3 max) {
    ++steps_.nodes;
    return slabs_.enter(min, max);
  }
  void test(std::uint32_t first, std::uint32_t count) {
    for (const LeafTriangle& one : std::span(tree_.triangles).subspan(first, count)) {
      ++steps_.triangles;
      TriangleHit hit;
      if (!shear_.meets(one.a, one.b, one.c, hit)) continue;
      const float key = slabs_.enter(one.box().min, one.box().max);
      if (wants(key)) nearest_ = std::min(nearest_, std::max(hit.t, key));
    }
  }
  void visit_four(std::uint32_t index) {
    const WideNode4& node = tree_.four[index];
    std::vector<Child> children;
    for (unsigned i = 0; i < WideNode4::width; ++i) {
      if (node.child[i] == WideNode4::no_child) continue;
      const float key = enter({node.min_x[i], node.min_y[i], node.min_z[i]},
                              {node.max_x[i], node.max_y[i], node.max_z[i]});
      if (wants(key)) children.push_back({key, node.child[i]});
    }
    std::sort(children.begin(), children.end(),
              [](const Child& a, const Child& b) { return a.key < b.key; });
    for (const Child& child : children) {
      if (!wants(child.key)) continue;
      if (const std::uint32_t count = WideNode4::triangles_of(child.word); count > 0)
        test(WideNode4::first_of(child.word), count);
      else
        visit_four(child.word);
    }
  }
  void visit_eight(std::uint32_t index) {
    const WideNode8& node = tree_.eight[index];
    const unsigned downwards = (ray_.direction.x < 0.0F ? 1U : 0U) |
                               (ray_.direction.y < 0.0F ? 2U : 0U) |
                               (ray_.direction.z < 0.0F ? 4U : 0U);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> leaves;
    std::vector<std::pair<unsigned, std::uint32_t>> inner;  // by turn
    std::uint32_t next = node.first_node;
    for (unsigned slot = 0; slot < WideNode8::width; ++slot) {
      const std::uint32_t kind = WideNode8::byte(node.kinds, slot);
      if (kind == 0) continue;
      const auto side = [&](float origin, unsigned axis, std::uint64_t row) {
        return WideNode8::side(origin, node.scale(axis), WideNode8::number(row, slot));
      };
      const float key =
          enter({side(node.origin.x, 0, node.min_x), side(node.origin.y, 1, node.min_y),
                 side(node.origin.z, 2, node.min_z)},
                {side(node.origin.x, 0, node.max_x), side(node.origin.y, 1, node.max_y),
                 side(node.origin.z, 2, node.max_z)});
      if (kind == WideNode8::inner_mark) {
        if (wants(key)) inner.emplace_back(slot ^ downwards, next);
        ++next;
      } else if (wants(key)) {
        leaves.emplace_back(node.first_triangle + (kind & 31U), kind >> 5U);
      }
    }
    std::sort(leaves.begin(), leaves.end());
    for (const auto& [first, count] : leaves) test(first, count);
    std::sort(inner.begin(), inner.end());
    for (const auto& [turn, child] : inner) visit_eight(child);
  }

  const HostWide& tree_;
  const BoundedRay& ray_;
  RaySlabs slabs_;
  RayShear shear_;
  float nearest_ = 3e38F;
  TraceSteps steps_;
};

TraceSteps steps_together(const std::vector<TraceSteps>& all) {
  TraceSteps sum;
  for (const TraceSteps& steps : all) {
    sum.nodes += steps.nodes;
    sum.triangles += steps.triangles;
  }
  return sum;
}

// As the plain walk, where the order of nodes is the same; more boxes, within limits, where they
// are tested again.
TEST(TraceCounts, BoxesAndTriangles) {
  // Small stacks overflow: what is walked by links comes in another order.
  constexpr bool has_usual_stacks = tile_extent(true, false);
  Random random(3);
  const Triangles triangles = random_triangles(200, random);
  const HostTree tree(250, triangles.count(), triangles.boxes());
  std::vector<BoundedRay> rays;
  for (int i = 0; i < 50; ++i)
    rays.push_back(
        ray_of({random.number(), random.number(), 4}, {0.01F * random.number(), 0.013F, -1}));
  std::vector<TraceSteps> plain;
  for (const BoundedRay& ray : rays) plain.push_back(PlainWalk(tree, triangles, ray).steps());
  for (const Row& row : walking_rows()) {
    const std::string name = row.index->name;
    const bool restarts = name == "short_stack";
    const bool tests_again = restarts || name == "stackless";
    const bool is_wide = (row.index->traits & TraceTrait::wide) != 0;
    for (const TestDevice& on : devices_for(rays.size(), row)) {
      SCOPED_TRACE(on.name + ", " + name);
      Tracing tracing(on, row, triangles, tree, 250);
      const std::vector<TraceSteps> got = tracing.trace(rays).steps;
      for (std::size_t i = 0; i < rays.size(); ++i) {
        SCOPED_TRACE("ray " + std::to_string(i));
        if (name == "brute") {
          EXPECT_EQ(got[i].nodes, triangles.count());
        } else if (is_wide && has_usual_stacks) {
          const TraceSteps want = PlainWideWalk(tracing.host_wide(), rays[i]).steps();
          EXPECT_EQ(got[i].nodes, want.nodes);
          EXPECT_EQ(got[i].triangles, want.triangles);
        } else if (is_wide) {
          EXPECT_GT(got[i].nodes, 0U);
        } else if (tests_again) {
          EXPECT_GE(got[i].nodes, plain[i].nodes);
          EXPECT_GE(got[i].triangles, plain[i].triangles);
        } else if (has_usual_stacks) {
          EXPECT_EQ(got[i].nodes, plain[i].nodes);
          EXPECT_EQ(got[i].triangles, plain[i].triangles);
        }
      }
      if (tests_again) {
        EXPECT_LE(steps_together(got).nodes, (restarts ? 2 : 3) * steps_together(plain).nodes);
        EXPECT_LE(steps_together(got).triangles, steps_together(plain).triangles * 11 / 10);
      }
    }
  }
}

// The first hit ends the walk.
TEST(TraceCounts, AnyHitTakesFewerSteps) {
  Random random(13);
  const Triangles triangles = random_triangles(300, random);
  const HostTree tree(300, triangles.count(), triangles.boxes());
  const std::vector<BoundedRay> rays = random_rays(200, random);
  for (const Row& row : walking_rows()) {
    for (const TestDevice& on : devices_for(rays.size(), row)) {
      SCOPED_TRACE(on.name + ", " + row.index->name);
      const Traced got = Tracing(on, row, triangles, tree, 300).trace(rays);
      EXPECT_LT(steps_together(got.steps_of_any).triangles, steps_together(got.steps).triangles);
      EXPECT_LT(steps_together(got.steps_of_any).nodes, steps_together(got.steps).nodes);
    }
  }
}

// --- boxes

TEST(TraceBoxes, FindsTheNearestBox) {
  for (const std::uint32_t n : {0U, 1U, 2U, 33U, 300U}) {
    Random random(n + 41);
    std::vector<Aabb> boxes;
    for (std::uint32_t i = 0; i < n; ++i) {
      const Vec3 at = random.vector();
      boxes.push_back({at, at + Vec3{0.2F, 0.1F, 0.15F}});
    }
    const HostTree tree(n, n, boxes);
    const std::vector<BoundedRay> rays = random_rays(200, random);
    for (const TestDevice& on : devices_for(rays.size())) {
      const auto stream = on.device->create_stream();
      const auto nodes = on_device(*on.device, *stream, tree.nodes);
      const auto parent = on_device(*on.device, *stream, tree.parent);
      const auto root = on_device(*on.device, *stream, tree.root);
      const auto count = on_device(*on.device, *stream, n);
      const auto in = on_device(*on.device, *stream, rays);
      const Buffer<RayHit> hits(*on.device, rays.size());
      run<Step::trace_boxes>(*stream,
                             TraceBoxesArgs{.rays = in.data(),
                                            .n = static_cast<std::uint32_t>(rays.size()),
                                            .count = count.data(),
                                            .bvh = {nodes.data(), parent.data(), root.data(), n},
                                            .hits = hits.data()});
      const std::vector<RayHit> got = hits.download(*stream);
      for (std::size_t r = 0; r < rays.size(); ++r) {
        const BoundedRay& ray = rays[r];
        RayHit want{.t = 3e38F};
        for (std::uint32_t i = 0; i < n; ++i) {
          float first, last;
          RaySlabs(ray).cut(boxes[i].min, boxes[i].max, first, last);
          const float t = first > ray.tmin ? first : last;
          if (first <= last && t < ray.tmax && t < want.t) want = {i, t, 0.0F, 0.0F};
        }
        ASSERT_EQ(got[r].triangle, want.triangle) << on.name << ", ray " << r;
        if (want.triangle != RayHit::nothing) {
          ASSERT_EQ(got[r].t, want.t);
        }
      }
    }
  }
}

}  // namespace
}  // namespace warpview::test
