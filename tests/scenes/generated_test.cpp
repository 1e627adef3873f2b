#include "scenes/files/generated.h"

#include <array>
#include <cmath>
#include <set>
#include <string>
#include <tuple>

#include "gpu/steps/contact.h"
#include "scenes/files/obj_writer.h"
#include "scenes/files/open_mesh.h"
#include "tests/scenes/support.h"

namespace warpview {
namespace {

using test::contains;
using test::expect_well_formed;
using test::TempDir;
using test::operator==;

Vec3 face_normal(const Mesh& mesh, std::size_t triangle) {
  const Vec3 a = mesh.corners[3 * triangle].position;
  return cross(mesh.corners[3 * triangle + 1].position - a,
               mesh.corners[3 * triangle + 2].position - a);
}

// The least cosine between a triangle's plane and the normals at its corners: near 1 for a fine
// mesh whose normals are right, negative for one that is inside out.
float least_agreement(const Mesh& mesh) {
  float least = 1.0F;
  for (std::size_t c = 0; c < mesh.corners.size(); ++c) {
    const Vec3 n = face_normal(mesh, c / 3);
    least = std::min(least, dot(n, mesh.corners[c].normal) / length(n));
  }
  return least;
}

std::size_t unique_positions(const Mesh& mesh) {
  std::set<std::tuple<float, float, float>> positions;
  for (const Vertex& v : mesh.corners) positions.insert({v.position.x, v.position.y, v.position.z});
  return positions.size();
}

Mesh open(const std::string& spec, const LoadLimits& limits = {}) {
  LoadControl control;
  Mesh mesh = open_mesh(spec, control, limits);
  EXPECT_EQ(control.progress(), 1.0F);
  return mesh;
}

std::string error_of_scene(const std::string& spec, const LoadLimits& limits = {}) {
  try {
    LoadControl control;
    open_mesh(spec, control, limits);
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << spec << " was opened";
  return "";
}

TEST(Generated, Knot) {
  const Mesh mesh = make_knot();
  expect_well_formed(mesh);
  EXPECT_EQ(mesh.triangle_count(), 73'728U);
  EXPECT_EQ(mesh.materials.size(), 3U);
  EXPECT_GT(least_agreement(mesh), 0.9F);
  // A closed tube has half as many vertices as triangles: both seams are watertight.
  EXPECT_EQ(unique_positions(mesh), mesh.triangle_count() / 2);
  Aabb box = Aabb::empty();
  float farthest = 0.0F;
  for (const Vertex& v : mesh.corners) {
    box = merge(box, {v.position, v.position});
    farthest = std::max(farthest, length(v.position));
  }
  EXPECT_NEAR(farthest, 1.0F, 1e-5F);
  EXPECT_NEAR(length(box.centre()), 0.0F, 1e-5F);
}

TEST(Generated, SphereOfAnyCount) {
  for (const std::uint64_t triangles :
       {0, 1, 2, 3, 5, 6, 7, 8, 31, 100, 1000, 1024, 65'537, 99'999}) {
    const Mesh mesh = make_sphere(triangles);
    expect_well_formed(mesh);
    EXPECT_EQ(mesh.triangle_count(), triangles);
    for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
      ASSERT_GT(length(face_normal(mesh, t)), 0.0F) << triangles;
  }
}

TEST(Generated, SphereIsSmoothAndShared) {
  const Mesh mesh = make_sphere(100'000);
  EXPECT_GT(least_agreement(mesh), 0.95F);
  const std::size_t unique = unique_positions(mesh);
  EXPECT_NEAR(static_cast<double>(unique), 50'000.0, 500.0);
}

TEST(Generated, IsDeterministic) {
  const auto same = [](const Mesh& a, const Mesh& b) {
    return std::equal(a.corners.begin(), a.corners.end(), b.corners.begin(), b.corners.end(),
                      [](const Vertex& v, const Vertex& w) {
                        return v.position == w.position && v.normal == w.normal &&
                               v.texcoord == w.texcoord;
                      });
  };
  EXPECT_TRUE(same(make_knot(), make_knot()));
  EXPECT_TRUE(same(make_sphere(1000), make_sphere(1000)));
}

TEST(OpenScene, GeneratedByName) {
  EXPECT_EQ(open(std::string(default_mesh)).triangle_count(), 73'728U);
  const Mesh sphere = open("generated:sphere:1000");
  EXPECT_EQ(sphere.triangle_count(), 1000U);
  EXPECT_EQ(sphere.file, "generated:sphere:1000");
  EXPECT_EQ(open("generated:sphere:0").triangle_count(), 0U);
  const Mesh rooms = open("generated:rooms:20000");
  EXPECT_NEAR(static_cast<double>(rooms.triangle_count()), 20'000.0, 600.0);
  EXPECT_EQ(rooms.file, "generated:rooms:20000");
  EXPECT_NEAR(static_cast<double>(open("generated:rooms").triangle_count()), 1e6, 3e4);
  EXPECT_TRUE(contains(error_of_scene("generated:rooms:9999"), "10000 or more"));
}

TEST(OpenScene, GeneratedOnesAreToldFromFiles) {
  for (const GeneratedMesh& mesh : generated_meshes()) EXPECT_TRUE(is_generated(mesh.spec));
  EXPECT_TRUE(is_generated("generated:no_such_one"));
  for (const char* path : {"", "knot", "generated.obj", "./generated:knot"})
    EXPECT_FALSE(is_generated(path)) << path;
}

TEST(OpenScene, UnknownNamesGetTheList) {
  for (const char* spec :
       {"generated:", "generated:cube", "generated:knots", "generated:sphere",
        "generated:sphere:", "generated:sphere:-1", "generated:sphere:10x",
        "generated:rooms:", "generated:roomsx", "generated:sphere:99999999999999999999999"}) {
    const std::string message = error_of_scene(spec);
    EXPECT_TRUE(contains(message, std::string(spec) + ": ")) << message;
    for (const GeneratedMesh& scene : generated_meshes())
      EXPECT_TRUE(contains(message, scene.spec)) << message;
  }
}

TEST(OpenScene, LimitsHoldForGeneratedOnes) {
  const LoadLimits few_corners = {.corners = 2999};
  EXPECT_TRUE(contains(error_of_scene("generated:sphere:1000", few_corners), "3000"));
  EXPECT_TRUE(contains(error_of_scene("generated:rooms:20000", few_corners), "60000"));
  EXPECT_TRUE(contains(error_of_scene("generated:sphere:1000", {.memory = 1000}), "memory"));
  EXPECT_TRUE(contains(error_of_scene("generated:sphere:18446744073709551615"), "corners"));
}

TEST(OpenScene, CancelBeforeGenerating) {
  LoadControl control;
  control.cancel();
  EXPECT_THROW(open_mesh("generated:knot", control), LoadCancelled);
}

TEST(OpenScene, CancelsWhileGenerating) {
  for (const char* spec : {"generated:knot", "generated:sphere:20000", "generated:rooms:20000"}) {
    LoadControl counted;
    int questions = 0;
    counted.stop_if([&questions] { return ++questions < 0; });
    open_mesh(spec, counted);
    EXPECT_GT(questions, 50) << spec;
    LoadControl control;
    int left = questions / 2;
    control.stop_if([&left] { return --left == 0; });
    EXPECT_THROW(open_mesh(spec, control), LoadCancelled) << spec;
    EXPECT_EQ(control.phase(), "generating");
    EXPECT_GT(control.progress(), 0.1F) << spec;
    EXPECT_LT(control.progress(), 0.9F) << spec;
  }
}

TEST(OpenScene, AnythingElseIsAPath) {
  const TempDir dir;
  const auto path = dir.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_EQ(open(path.string()).triangle_count(), 1U);
  EXPECT_TRUE(contains(error_of_scene((dir / "b.obj").string()), "no such file"));
}

TEST(ObjWriter, ReadsBackTheSame) {
  const TempDir dir;
  const Mesh mesh = make_knot();
  write_obj(mesh, dir / "knot.obj");
  const Mesh back = test::load(dir / "knot.obj");
  EXPECT_TRUE(back.warnings.empty());
  ASSERT_EQ(back.triangle_count(), mesh.triangle_count());
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const Material& a = mesh.materials[mesh.triangle_material[t]];
    const Material& b = back.materials[back.triangle_material[t]];
    ASSERT_EQ(a.name, b.name);
    ASSERT_TRUE(a.diffuse == b.diffuse);
  }
  for (std::size_t c = 0; c < mesh.corners.size(); ++c) {
    ASSERT_TRUE(length(mesh.corners[c].position - back.corners[c].position) < 1e-6F);
    ASSERT_TRUE(length(mesh.corners[c].normal - back.corners[c].normal) < 1e-6F);
    ASSERT_NEAR(mesh.corners[c].texcoord.y, back.corners[c].texcoord.y, 1e-5F);
  }
  EXPECT_EQ(unique_positions(back), unique_positions(mesh));
}

TEST(ObjWriter, KeepsGlassAndMirrors) {
  const std::array<Optics, 4> all = {
      Optics{.clear = 0.5F, .filter = {0.5F, 1.0F, 0.25F}},
      Optics{.clear = 1.0F, .index = 1.5F},
      Optics{.mirror = Optics::Mirror::plain},
      Optics{.mirror = Optics::Mirror::fresnel},
  };
  for (const Optics& optics : all) {
    const TempDir dir;
    Mesh mesh = make_sphere(8);
    mesh.materials[0].optics = optics;
    write_obj(mesh, dir / "sphere.obj");
    const Optics back = test::load(dir / "sphere.obj").materials.at(1).optics;
    EXPECT_EQ(back.clear, optics.clear);
    EXPECT_EQ(back.index, optics.index);
    EXPECT_TRUE(back.filter == optics.filter);
    EXPECT_EQ(back.mirror, optics.mirror);
  }
}

TEST(ObjWriter, EmptyMesh) {
  const TempDir dir;
  write_obj(make_sphere(0), dir / "empty.obj");
  EXPECT_EQ(test::load(dir / "empty.obj").triangle_count(), 0U);
}

TEST(ObjWriter, UnwritablePathIsAnError) {
  const TempDir dir;
  EXPECT_THROW(write_obj(make_sphere(8), dir / "absent/sphere.obj"), Error);
}

}  // namespace
}  // namespace warpview
