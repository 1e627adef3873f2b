// What subdivision comes to, by whichever scheduler.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <string>
#include <utility>

#include "gpu/steps/contact.h"
#include "scenes/files/open_mesh.h"
#include "scenes/parts/polygons.h"
#include "scenes/parts/subdivision_reference.h"
#include "tests/scenes/meshes.h"
#include "tests/scenes/scene_test.h"

namespace warpview::test {
namespace {

const SceneKind& subdivision_kind() { return *find_scene_kind("subdivision"); }

Vec3 unit(Vec3 v) {
  const float size = length(v);
  return size > 0.0F ? v * (1.0F / size) : v;
}

// --- meshes

// Faces by their corners' numbers; of four and more they are cut into a fan, as a loader does.
Mesh mesh_of(const std::string& name, const std::vector<Vec3>& places,
             const std::vector<std::vector<std::size_t>>& faces) {
  Mesh mesh = sphere(0);
  mesh.name = name;
  for (const auto& face : faces)
    for (std::size_t k = 1; k + 1 < face.size(); ++k) {
      // Corners of a face have a normal of their own: only places say what is one point.
      const Vec3 normal =
          unit(cross(places[face[1]] - places[face[0]], places[face[2]] - places[face[0]]));
      for (const std::size_t i : {face[0], face[k], face[k + 1]})
        mesh.corners.push_back({places[i], normal, {0.0F, 0.0F}});
      mesh.triangle_material.push_back(static_cast<std::uint32_t>(mesh.triangle_count() % 2));
    }
  // Both halves of a quad are of one material.
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    mesh.triangle_material[t] = static_cast<std::uint32_t>(t / 2 % 2);
  return mesh;
}

const std::vector<Vec3> cube_places = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                       {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
const std::vector<std::vector<std::size_t>> cube_faces = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                                          {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

Mesh cube() { return mesh_of("cube", cube_places, cube_faces); }
// Without its lid.
Mesh box() {
  auto faces = cube_faces;
  faces.erase(faces.begin() + 1);
  return mesh_of("open box", cube_places, faces);
}
Mesh tetrahedron() {
  return mesh_of("tetrahedron", {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}},
                 {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}});
}
// Two triangles, back to back.
Mesh pillow() {
  return mesh_of("pillow", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}});
}
// n triangles around a point; a cone, or closed by the same below.
Mesh fan(std::size_t n, bool closed) {
  std::vector<Vec3> places = {{0, 0, 0.7F}, {0, 0, -0.7F}};
  std::vector<std::vector<std::size_t>> faces;
  for (std::size_t k = 0; k < n; ++k) {
    const float angle = 2.0F * std::numbers::pi_v<float> * float(k) / float(n);
    places.push_back({std::cos(angle), std::sin(angle), 0.0F});
    faces.push_back({0, 2 + k, 2 + (k + 1) % n});
  }
  if (closed)
    for (std::size_t k = 0; k < n; ++k) faces.push_back({1, 2 + (k + 1) % n, 2 + k});
  return mesh_of(std::to_string(n) + (closed ? " triangles around, twice" : " triangles around"),
                 places, faces);
}
// side x side quads, not flat.
Mesh sheet(std::size_t side) {
  std::vector<Vec3> places;
  std::vector<std::vector<std::size_t>> faces;
  for (std::size_t y = 0; y <= side; ++y)
    for (std::size_t x = 0; x <= side; ++x)
      places.push_back({float(x), float(y), 0.4F * float((x * x + 3 * y) % 4)});
  for (std::size_t y = 0; y < side; ++y)
    for (std::size_t x = 0; x < side; ++x) {
      const std::size_t first = y * (side + 1) + x;
      faces.push_back({first, first + 1, first + side + 2, first + side + 1});
    }
  return mesh_of("sheet of " + std::to_string(side * side), places, faces);
}
// Three quads at one edge.
Mesh book() {
  return mesh_of("book",
                 {{0, 0, 0},
                  {0, 0, 1},
                  {1, 0, 0},
                  {1, 0, 1},
                  {-1, 1, 0},
                  {-1, 1, 1},
                  {-1, -1, 0},
                  {-1, -1, 1}},
                 {{0, 2, 3, 1}, {0, 1, 5, 4}, {0, 1, 7, 6}});
}
// Two triangles that have a point in common; and two at an edge that turn against each other.
Mesh bow_tie() {
  return mesh_of("bow tie", {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {-1, 0, 0}, {-1, -1, 0}},
                 {{0, 1, 2}, {3, 4, 0}});
}
Mesh against_each_other() {
  return mesh_of("against each other", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}},
                 {{0, 1, 2}, {0, 1, 3}});
}
Mesh lattice() { return make_lattice(); }

std::vector<Mesh> all_meshes() {
  std::vector<Mesh> meshes = degenerate_meshes();
  for (Mesh (*const make)() :
       {&cube, &box, &tetrahedron, &pillow, &book, &bow_tie, &against_each_other})
    meshes.push_back(make());
  meshes.push_back(fan(5, true));
  meshes.push_back(fan(6, false));
  meshes.push_back(fan(40, true));
  meshes.push_back(sheet(1));
  meshes.push_back(sheet(3));
  return meshes;
}

class SubdivisionWorld {
 public:
  SubdivisionWorld(Device& device, Mesh mesh, const std::vector<std::string>& settings,
                   const std::vector<std::string>& wishes = {})
      : scene_(make_scene(subdivision_kind(), device, std::move(mesh),
                          controls_of(subdivision_kind(), settings), wishes_of(wishes))),
        targets_(*scene_) {
    load(*scene_);
  }
  Scene& scene() { return *scene_; }
  // From so far in front of the origin.
  void draw(float distance = 6.0F, std::uint32_t height = 200) {
    Frame frame = targets_.all();
    frame.view.eye = {0.0F, 0.3F, distance};
    frame.view.to_clip[5] = 3.0F;
    frame.view.width = frame.view.height = height;
    run(*scene_, frame);
  }
  std::vector<Vertex> vertices() const {
    return targets_.read<Vertex>(stream(0), count(*scene_, "subdivision.points"));
  }
  std::vector<std::uint32_t> indices() const {
    return targets_.read<std::uint32_t>(stream(1), 3 * count(*scene_, "subdivision.triangles"));
  }
  // Everything that is drawn, to be compared.
  std::string bits() const {
    std::string all;
    const auto add = [&all](const auto& items) {
      all.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(*items.data()));
    };
    add(vertices());
    add(indices());
    add(targets_.read<std::uint32_t>(stream(2), count(*scene_, "subdivision.triangles")));
    add(targets_.read<float>(stream(4), count(*scene_, "subdivision.triangles")));
    return all;
  }

 private:
  std::size_t stream(std::size_t i) const { return scene_->outputs()[0].streams[i]; }

  std::unique_ptr<Scene> scene_;
  Targets targets_;
};

// Sides of triangles that no other triangle has the other way. Those without extent have none.
std::size_t open_sides(const std::vector<std::uint32_t>& indices) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> sides;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::uint32_t a = indices[i];
    const std::uint32_t b = indices[i % 3 == 2 ? i - 2 : i + 1];
    if (a < b) ++sides[{a, b}];
    if (b < a) --sides[{b, a}];
  }
  return static_cast<std::size_t>(
      std::count_if(sides.begin(), sides.end(), [](const auto& side) { return side.second != 0; }));
}

class Subdivision : public testing::TestWithParam<TestDevice> {
 protected:
  Device& device() const { return *GetParam().device; }
};
INSTANTIATE_TEST_SUITE_P(, Subdivision, testing::ValuesIn(every_schedule()),
                         [](const auto& one) { return one.param.name; });

// Each scheduler on each device: what the reference has, and all the same bits.
TEST_P(Subdivision, EverySchedulerGivesTheSame) {
  std::string first;
  for (const Row& row : rows_of(Primitive::schedule)) {
    if (!why_unavailable(row.index, device()).empty()) continue;
    const std::string name = row.index->name;
    SCOPED_TRACE(name);
    SubdivisionWorld world(device(), box(), {"level=4", "adaptive=on", "colour_by=patches"},
                           {"schedule=" + name});
    world.draw(2.5F, 60);
    expect_sound(world.scene());
    EXPECT_EQ(count(world.scene(), "subdivision.refused"), 0U);
    EXPECT_GT(count(world.scene(), "subdivision.quad"), 20U);
    EXPECT_GT(count(world.scene(), "subdivision.regular"), 60U);
    const std::string bits = world.bits();
    if (first.empty()) first = bits;
    EXPECT_TRUE(bits == first);
  }
}

class SubdivisionOnOne : public testing::TestWithParam<TestDevice> {
 protected:
  Device& device() const { return *GetParam().device; }
};
INSTANTIATE_TEST_SUITE_P(, SubdivisionOnOne, testing::ValuesIn(devices_for(SIZE_MAX)),
                         [](const auto& one) { return one.param.name; });

TEST_P(SubdivisionOnOne, EveryMeshBecomesWhatTheReferenceHas) {
  for (const Mesh& mesh : all_meshes())
    for (const int level : {0, 1, 2, 3}) {
      SCOPED_TRACE(mesh.name + ", level " + std::to_string(level));
      SubdivisionWorld world(device(), mesh, {"level=" + std::to_string(level)});
      world.draw();
      expect_sound(world.scene());
    }
}

// Regular patches of many cells are divided themselves.
TEST_P(SubdivisionOnOne, DividesDeeply) {
  SubdivisionWorld sheets(device(), sheet(3), {"level=5"});
  sheets.draw();
  expect_sound(sheets.scene());
  SubdivisionWorld deep(device(), fan(3, false), {"level=6", "pairs=off"});
  deep.draw();
  expect_sound(deep.scene());
  EXPECT_EQ(count(deep.scene(), "subdivision.triangles"), 9U * 2 * 32 * 32);
}

// Neighbours of different levels leave no cracks: each side of a triangle is one of its
// neighbour's.
TEST_P(SubdivisionOnOne, FacesOfDifferentLevelsMeet) {
  std::size_t fewer = 0;
  for (const Mesh& mesh : {cube(), tetrahedron(), fan(5, true), lattice()}) {
    SCOPED_TRACE(mesh.name);
    SubdivisionWorld world(device(), mesh, {"level=3", "adaptive=on", "size=6"});
    std::size_t most = 0;
    for (const float distance : {1.2F, 2.0F, 4.0F, 30.0F, 1000.0F}) {
      world.draw(distance, 100);
      EXPECT_EQ(open_sides(world.indices()), 0U) << distance;
      most = std::max(most, world.indices().size());
      if (world.indices().size() < most) ++fewer;
    }
    expect_sound(world.scene());
  }
  EXPECT_GT(fewer, 8U);
  // What is open stays open, and nothing else.
  SubdivisionWorld world(device(), box(), {"level=2"});
  world.draw();
  EXPECT_EQ(open_sides(world.indices()), 4U * 4);
}

// What there is no room for is divided less.
TEST_P(SubdivisionOnOne, LevelsAreLoweredForWantOfRoom) {
  SubdivisionWorld world(device(), cube(), {"level=6", "triangles=1024"});
  world.draw();
  expect_sound(world.scene());
  EXPECT_EQ(count(world.scene(), "subdivision.lowered"), 3U);
  EXPECT_EQ(count(world.scene(), "subdivision.triangles"), 6U * 4 * 2 * 16);
  SubdivisionWorld large(device(), sphere(1500), {"level=2", "triangles=1024", "pairs=off"});
  large.draw();
  EXPECT_EQ(count(large.scene(), "subdivision.triangles"), 1500U);
  expect_sound(large.scene());
}

TEST_P(SubdivisionOnOne, QueuesThatAreFullGrow) {
  for (const std::string scheduler : {"kernel_by_kernel", "megakernel"}) {
    SCOPED_TRACE(scheduler);
    SubdivisionWorld world(device(), lattice(), {"level=3"}, {"schedule=" + scheduler});
    world.draw();
    EXPECT_EQ(count(world.scene(), "subdivision.refused"), 0U);
    if (scheduler == "kernel_by_kernel") {
      EXPECT_GT(count(world.scene(), "subdivision.repeats"), 0U);
    }
    expect_sound(world.scene());
  }
}

// The view counts where faces are divided by their size, and only there.
TEST_P(SubdivisionOnOne, FollowsTheView) {
  SubdivisionWorld world(device(), cube(), {"level=4", "size=10"});
  world.draw(100.0F);
  EXPECT_FALSE(world.scene().depends_on_view());
  EXPECT_EQ(count(world.scene(), "subdivision.triangles"), 6U * 4 * 2 * 64);
  set(world.scene(), "adaptive=on");
  EXPECT_TRUE(world.scene().depends_on_view());
  world.draw(100.0F);
  const std::uint64_t far = count(world.scene(), "subdivision.triangles");
  world.draw(5.0F);
  EXPECT_GT(count(world.scene(), "subdivision.triangles"), 2 * far);
  world.draw(100.0F);
  EXPECT_EQ(count(world.scene(), "subdivision.triangles"), far);
  expect_sound(world.scene());
  set(world.scene(), "adaptive=off");
  world.draw(100.0F);
  EXPECT_EQ(count(world.scene(), "subdivision.triangles"), 6U * 4 * 2 * 64);
}

TEST_P(SubdivisionOnOne, IsPointedAt) {
  SubdivisionWorld world(device(), cube(), {"level=3"});
  world.draw();
  const std::vector<Fact> hit =
      world.scene().pick({{0.1F, 0.05F, 5.0F}, {0.0F, 0.0F, -1.0F}}).facts;
  std::map<std::string, Fact> facts;
  for (const Fact& fact : hit) facts.emplace(fact.name, fact);
  ASSERT_TRUE(facts.contains("pick.place"));
  EXPECT_NEAR(std::get<Vec3>(facts.at("pick.place").value).z, 0.83F, 0.012F);
  EXPECT_EQ(std::get<std::uint64_t>(facts.at("pick.face").value), 1U);
  EXPECT_EQ(std::get<std::uint64_t>(facts.at("pick.corners").value), 4U);
  EXPECT_EQ(std::get<std::uint64_t>(facts.at("pick.level").value), 3U);
  EXPECT_TRUE(world.scene().pick({{5.0F, 5.0F, 5.0F}, {0.0F, 0.0F, -1.0F}}).empty());
}

// --- polygons

TEST(SubdivisionPolygons, ACubeIsClosedWhateverItsNormals) {
  const Polygons polygons = polygons_of(cube(), true);
  EXPECT_EQ(polygons.positions.size(), 8U);
  EXPECT_EQ(polygons.material.size(), 6U);
  EXPECT_EQ(polygons.edge_corners.size(), 24U);
  EXPECT_EQ(polygons.pairs, 6U);
  EXPECT_EQ(polygons.boundary_edges, 0U);
  EXPECT_EQ(polygons.extraordinary, 8U);
  const Polygons unpaired = polygons_of(cube(), false);
  EXPECT_EQ(unpaired.material.size(), 12U);
  EXPECT_EQ(unpaired.positions.size(), 8U);
  EXPECT_EQ(unpaired.boundary_edges, 0U);
}

TEST(SubdivisionPolygons, TheLatticeIsClosed) {
  const Polygons polygons = polygons_of(make_lattice(), true);
  EXPECT_EQ(polygons.material.size(), 72U);
  EXPECT_EQ(polygons.boundary_edges, 0U);
  // Five holes: 2 - 2 * 5 = V - E + F.
  EXPECT_EQ(static_cast<int>(polygons.positions.size()) -
                static_cast<int>(polygons.edge_corners.size() / 2) + 72,
            -8);
  LoadControl control;
  EXPECT_EQ(open_mesh(std::string(lattice_mesh), control).triangle_count(), 144U);
}

TEST(SubdivisionPolygons, WhatIsNoManifoldIsCut) {
  const Polygons pages = polygons_of(book(), true);
  EXPECT_EQ(pages.cut_edges, 3U);
  EXPECT_EQ(pages.positions.size(), 12U);
  EXPECT_EQ(pages.boundary_edges, 12U);
  EXPECT_EQ(polygons_of(bow_tie(), true).positions.size(), 6U);
  const Polygons turned = polygons_of(against_each_other(), true);
  EXPECT_EQ(turned.cut_edges, 2U);
  EXPECT_EQ(turned.positions.size(), 6U);
  EXPECT_EQ(polygons_of(pillow(), true).boundary_edges, 0U);
  EXPECT_EQ(polygons_of(equal_triangles(70), true).positions.size(), 210U);
}

TEST(SubdivisionPolygons, WhatHasNoThreeCornersIsLeftOut) {
  EXPECT_EQ(polygons_of(points(65), true).dropped, 65U);
  Mesh mesh = with_non_finite(40, 3);
  mesh.corners[5].position.x = 1e30F;  // of the second triangle
  EXPECT_EQ(polygons_of(mesh, false).dropped, 15U);
}

// Each fan is in order: what follows a quad in it has its last edge as the first one.
TEST(SubdivisionPolygons, FansGoAround) {
  for (const Mesh& mesh : all_meshes()) {
    SCOPED_TRACE(mesh.name);
    const Polygons polygons = polygons_of(mesh, true);
    const SubdivisionMesh view = polygons.view();
    for (std::uint32_t v = 0; v < view.vertices; ++v) {
      const std::uint32_t n = view.fan_begin[v + 1] - view.fan_begin[v];
      for (std::uint32_t k = 0; k < n; ++k) {
        const std::uint32_t corner = view.fan[view.fan_begin[v] + k];
        ASSERT_EQ(view.vertex[corner], v);
        ASSERT_EQ(view.sector[corner], k);
        const std::uint32_t last = view.before(corner);
        if (k + 1 < n || !view.is_open(v)) {
          ASSERT_EQ(view.across(last), view.fan[view.fan_begin[v] + (k + 1) % n]);
        } else {
          ASSERT_EQ(view.across(last), no_corner);
        }
      }
    }
  }
}

// --- the reference

std::array<double, 3> position_at(const SubdivisionReference& reference, std::uint32_t corner,
                                  std::uint32_t x, std::uint32_t y) {
  return reference.point(reference.vertex(corner, x, y)).position;
}

// By hand: the cube's corner comes to a half, the middle of a side to 68 / 81; a lone square's
// corner to two thirds, as the cubic spline of its corners has it.
TEST(SubdivisionReferenceTest, ACubeComesToWhatIsKnown) {
  const Polygons polygons = polygons_of(cube(), true);
  for (const std::uint32_t level : {1U, 2U, 4U}) {
    const SubdivisionReference reference(polygons, level);
    const std::uint32_t cells = 1U << (level - 1);
    for (std::uint32_t c = 0; c < 24; ++c) {
      const auto corner = position_at(reference, c, 0, 0);
      for (const double x : corner) EXPECT_NEAR(std::abs(x), 0.5, 1e-12);
      const auto middle = position_at(reference, c, cells, cells);
      EXPECT_NEAR(std::hypot(middle[0], middle[1], middle[2]), 68.0 / 81.0, 1e-12);
    }
  }
  const Polygons square = polygons_of(
      mesh_of("square", {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, {{0, 1, 2, 3}}), true);
  const SubdivisionReference reference(square, 3);
  for (std::uint32_t c = 0; c < 4; ++c) {
    const auto corner = position_at(reference, c, 0, 0);
    EXPECT_NEAR(std::abs(corner[0]), 2.0 / 3.0, 1e-12);
    EXPECT_NEAR(std::abs(corner[1]), 2.0 / 3.0, 1e-12);
  }
}

// A point of the surface and its normal do not depend on how often the mesh was divided.
TEST(SubdivisionReferenceTest, LevelsDifferInHowManyPointsThereAre) {
  for (const Mesh& mesh : {box(), fan(7, false), sheet(2), sphere(33), make_lattice()}) {
    SCOPED_TRACE(mesh.name);
    const Polygons polygons = polygons_of(mesh, true);
    const SubdivisionReference few(polygons, 2);
    const SubdivisionReference many(polygons, 4);
    for (std::uint32_t c = 0; c < polygons.vertex.size(); ++c)
      for (std::uint32_t y = 0; y <= 2; ++y)
        for (std::uint32_t x = 0; x <= 2; ++x) {
          const auto a = position_at(few, c, x, y);
          const auto b = position_at(many, c, 4 * x, 4 * y);
          ASSERT_NEAR(std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), 0.0, 1e-10);
          const auto& n = few.point(few.vertex(c, x, y)).normal;
          const auto& m = many.point(many.vertex(c, 4 * x, 4 * y)).normal;
          if (std::hypot(n[0], n[1], n[2]) * std::hypot(m[0], m[1], m[2]) == 0.0) continue;
          ASSERT_NEAR(std::hypot(n[0] - m[0], n[1] - m[1], n[2] - m[2]), 0.0, 1e-8);
        }
  }
}

// Normals are at right angles to the small quads around a point, as nearly as these are flat.
TEST(SubdivisionReferenceTest, NormalsAreThoseOfTheSurface) {
  for (const Mesh& mesh : {cube(), box(), fan(5, true), sheet(3)}) {
    SCOPED_TRACE(mesh.name);
    const SubdivisionReference reference(polygons_of(mesh, true), 6);
    std::vector<Vec3> sums(reference.vertices(), Vec3{0, 0, 0});
    const auto at = [&reference](std::uint32_t v) {
      const auto& p = reference.point(v).position;
      return Vec3{float(p[0]), float(p[1]), float(p[2])};
    };
    for (std::uint32_t q = 0; q < reference.quads(); ++q) {
      const auto corners = reference.corners().subspan(std::size_t{4} * q, 4);
      const Vec3 normal =
          unit(cross(at(corners[2]) - at(corners[0]), at(corners[3]) - at(corners[1])));
      for (const std::uint32_t v : corners) sums[v] = sums[v] + normal;
    }
    std::size_t far = 0;
    for (std::uint32_t v = 0; v < reference.vertices(); ++v) {
      const auto& n = reference.point(v).normal;
      const Vec3 normal{float(n[0]), float(n[1]), float(n[2])};
      if (length(normal) == 0.0F) continue;
      if (length(unit(sums[v]) - normal) > 0.15F) ++far;
    }
    EXPECT_LT(far, reference.vertices() / 500);
  }
}

}  // namespace
}  // namespace warpview::test
