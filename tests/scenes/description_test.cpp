#include "scenes/description.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "scenes/files/open_mesh.h"
#include "tests/scenes/support.h"

namespace warpview::test {
namespace {

const SceneKind& first_kind() { return scene_kinds().front(); }

Mesh load_of(const SceneDescription& description, const LoadLimits& limits = {}) {
  LoadControl control;
  return load_meshes(description, control, limits);
}

std::vector<std::string> files_of(const SceneDescription& description) {
  std::vector<std::string> files;
  for (const MeshSource& file : description.files) files.push_back(file.spec);
  return files;
}

// --- Words

TEST(DescribeScene, AWordIsASceneOrAFile) {
  using Files = std::vector<std::string>;
  const SceneDescription nothing = describe_scene({});
  EXPECT_EQ(nothing.scene, "");
  EXPECT_TRUE(nothing.files.empty());
  EXPECT_EQ(&kind_of(nothing), &first_kind());

  const SceneDescription file = describe_scene({"bunny.obj"});
  EXPECT_EQ(file.scene, "");
  EXPECT_EQ(files_of(file), Files{"bunny.obj"});

  for (const SceneKind& kind : scene_kinds()) {
    const SceneDescription scene = describe_scene({kind.name});
    EXPECT_EQ(scene.scene, kind.name);
    EXPECT_TRUE(scene.files.empty());
    EXPECT_EQ(&kind_of(scene), &kind);
    const SceneDescription both = describe_scene({kind.name, "a.obj", "b.obj"});
    EXPECT_EQ(both.scene, kind.name);
    EXPECT_EQ(files_of(both), (Files{"a.obj", "b.obj"}));
    // Only the first word names a scene.
    EXPECT_EQ(files_of(describe_scene({"a.obj", kind.name})), (Files{"a.obj", kind.name}));
    const SceneDescription named_so = describe_scene({std::string("./") + kind.name});
    EXPECT_EQ(named_so.scene, "");
    EXPECT_EQ(files_of(named_so), Files{std::string("./") + kind.name});
  }
  EXPECT_EQ(files_of(describe_scene({"generated:sphere:40"})), Files{"generated:sphere:40"});
}

TEST(DescribeScene, ASizeGoesToItsControl) {
  for (const SceneKind& kind : scene_kinds()) {
    const std::string name = kind.name;
    if (!kind.size_control) {
      try {
        describe_scene({name + ":5"});
        ADD_FAILURE() << name << " took a size";
      } catch (const Error& error) {
        EXPECT_TRUE(contains(error.what(), kind.usage)) << error.what();
      }
      continue;
    }
    const Control& control = kind.controls[Controls(kind.controls).find(kind.size_control)];
    const std::string size = std::to_string(static_cast<std::uint64_t>(control.least) + 5);
    const SceneDescription sized = describe_scene({name + ":" + size});
    EXPECT_EQ(controls_of(sized)[kind.size_control], control.least + 5.0);
    EXPECT_EQ(sized.spec(), name + ":" + size);
    for (const char* wrong : {":", ":x", ":-1", ":5x", ":1e99"})
      EXPECT_THROW(describe_scene({name + wrong}), Error) << wrong;
  }
}

TEST(DescribeScene, SpecSaysWhatWasAskedFor) {
  EXPECT_EQ(describe_scene({}).spec(), first_kind().name);
  EXPECT_EQ(describe_scene({first_kind().name}).spec(), first_kind().name);
  EXPECT_EQ(describe_scene({"bunny.obj"}).spec(), "bunny.obj");
  EXPECT_EQ(describe_scene({first_kind().name, "bunny.obj", "b.obj"}).spec(), "bunny.obj b.obj");
}

TEST(DescribeScene, SceneFilesAreKnownByTheirName) {
  EXPECT_TRUE(is_scene_file("scene.json"));
  EXPECT_TRUE(is_scene_file("/a/b.json"));
  EXPECT_FALSE(is_scene_file(".json"));
  EXPECT_FALSE(is_scene_file("scene.obj"));
  EXPECT_FALSE(is_scene_file("json"));
}

TEST(SceneDescription, NamesWhatThereIsWhereAskedForWhatIsNot) {
  SceneDescription description;
  description.scene = "ballet";
  try {
    kind_of(description);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_TRUE(contains(error.what(), "ballet"));
    EXPECT_TRUE(contains(error.what(), first_kind().name));
  }
}

TEST(SceneDescription, LaterControlsOverrideEarlierOnes) {
  SceneDescription description;
  description.scene = "mesh";
  description.controls = {{"waves", "3"}, {"animation", "refit"}, {"waves", "4"}};
  const Controls controls = controls_of(description);
  EXPECT_EQ(controls["waves"], 4.0);
  EXPECT_EQ(controls.choice("shape"), 1);
  EXPECT_EQ(controls["speed"], Controls(first_kind().controls)["speed"]);
  description.controls.emplace_back("waves", "many");
  EXPECT_THROW(controls_of(description), Error);
  description.controls = {{"gravity", "1"}};
  EXPECT_THROW(controls_of(description), Error);
}

// --- Transforms

TEST(Transform, MovesPointsAndTurnsNormals) {
  EXPECT_TRUE(Transform().is_identity());
  EXPECT_FALSE(Transform().mirrors());
  expect_near(Transform().point({1, 2, 3}), {1, 2, 3});
  const Transform moved = {{2, 0, 0, 10, 0, 1, 0, 20, 0, 0, 0.5F, 30}};
  EXPECT_FALSE(moved.is_identity());
  expect_near(moved.point({1, 2, 4}), {12, 22, 32});
  // A plane across (1, 0, 1) leans more once it is stretched along x and pressed along z.
  const Vec3 normal = moved.normal({std::sqrt(0.5F), 0, std::sqrt(0.5F)});
  expect_near(normal, {0.5F / std::sqrt(4.25F), 0, 2 / std::sqrt(4.25F)});
}

TEST(Transform, NormalsStayAcrossTheirPlanes) {
  const std::array<Transform, 5> transforms = {
      Transform{{1, 2, 0, 5, 0, 1, 3, 5, 1, 0, 1, 5}},      // a shear
      Transform{{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}},     // a mirror
      Transform{{0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0}},      // x and y change places: a mirror too
      Transform{{-2, 1, 0, 0, 0, -3, 1, 0, 1, 0, -1, 0}},   // through the origin
      Transform{{0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1e-3F, 0}}  // a turn, and nearly flat
  };
  const std::array<bool, 5> mirrored = {false, true, true, true, false};
  const Vec3 a = {0.3F, 0.1F, -0.2F};
  const Vec3 b = {1.0F, 0.4F, 0.5F};
  const Vec3 c = {-0.1F, 1.2F, 0.7F};
  Vec3 normal = cross(b - a, c - a);
  normal = normal * (1.0F / std::sqrt(dot(normal, normal)));
  for (std::size_t i = 0; i < transforms.size(); ++i) {
    SCOPED_TRACE(i);
    const Transform& transform = transforms[i];
    EXPECT_EQ(transform.mirrors(), mirrored[i]);
    const Vec3 moved = transform.normal(normal);
    EXPECT_NEAR(dot(moved, moved), 1.0F, 1e-5F);
    const Vec3 ab = transform.point(b) - transform.point(a);
    const Vec3 ac = transform.point(c) - transform.point(a);
    EXPECT_NEAR(dot(moved, ab), 0.0F, 1e-5F);
    EXPECT_NEAR(dot(moved, ac), 0.0F, 1e-5F);
    // The side from which it is seen: a mirrored triangle is turned round.
    EXPECT_GT(dot(moved, transform.mirrors() ? cross(ac, ab) : cross(ab, ac)), 0.0F);
  }
}

// What floats can hold, but not their products.
TEST(Transform, OfAnySizeGivesNormalsOfLengthOne) {
  for (const float scale : {1e30F, 1e20F, 1e-20F, 1e-30F, -1e30F, -1e-30F}) {
    SCOPED_TRACE(scale);
    const Transform transform = {{0, -scale, 0, 0, scale, 0, 0, 0, 0, 0, scale, 0}};
    EXPECT_EQ(transform.mirrors(), scale < 0);
    const float sign = scale < 0 ? -1.0F : 1.0F;
    expect_near(transform.normal({1, 0, 0}), {0, sign, 0});
  }
}

// --- Meshes

TEST(LoadMeshes, TakesTheScenesOwnMeshWhereNoneIsNamed) {
  LoadControl control;
  for (const SceneKind& kind : scene_kinds()) {
    SceneDescription description;
    description.scene = kind.name;
    const Mesh mesh = load_of(description);
    EXPECT_EQ(mesh.triangle_count(),
              open_mesh(std::string(kind.own_mesh), control).triangle_count());
    expect_well_formed(mesh);
  }
}

TEST(LoadMeshes, MovesEachByItsTransform) {
  SceneDescription description;
  description.files = {{"generated:sphere:100"}};
  const Mesh plain = load_of(description);
  for (const Transform& transform : {Transform{{2, 0, 0, 1, 0, 3, 0, 2, 0, 0, 4, 3}},
                                     Transform{{-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 5}}}) {
    description.files.front().transform = transform;
    const Mesh moved = load_of(description);
    expect_well_formed(moved);
    ASSERT_EQ(moved.corners.size(), plain.corners.size());
    for (std::size_t t = 0; t < plain.triangle_count(); ++t) {
      // A mirrored triangle begins with the same corner and goes round the other way.
      const std::array<std::size_t, 3> from = transform.mirrors()
                                                  ? std::array<std::size_t, 3>{0, 2, 1}
                                                  : std::array<std::size_t, 3>{0, 1, 2};
      for (std::size_t c = 0; c < 3; ++c) {
        const Vertex& before = plain.corners[3 * t + from[c]];
        const Vertex& after = moved.corners[3 * t + c];
        ASSERT_TRUE(after.position == transform.point(before.position));
        ASSERT_TRUE(after.normal == transform.normal(before.normal));
      }
      const auto face = [](const Vertex* corner) {
        return cross(corner[1].position - corner[0].position,
                     corner[2].position - corner[0].position);
      };
      // Seen from its front it still goes counter-clockwise.
      ASSERT_EQ(dot(face(&plain.corners[3 * t]), plain.corners[3 * t].normal) > 0.0F,
                dot(face(&moved.corners[3 * t]), moved.corners[3 * t].normal) > 0.0F);
    }
  }
}

TEST(LoadMeshes, MergesFilesWithTheirMaterialsAndTextures) {
  const TempDir dir;
  // 1 by 1, 2 by 1.
  const auto tga = [](char width) {
    const std::string head("\0\0\2\0\0\0\0\0\0\0\0\0", 12);
    return head + width + std::string("\0\1\0\x18\x20", 5) +
           std::string(3 * static_cast<std::size_t>(width), '\x7f');
  };
  dir.write("red.tga", tga(1));
  dir.write("green.tga", tga(2));
  dir.write("a.mtl", "newmtl plain\nKd 1 0 0\nnewmtl picture\nmap_Kd red.tga\n");
  dir.write("b.mtl", "newmtl picture\nmap_Kd green.tga\nnewmtl blue\nKd 0 0 1\n");
  const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  const auto a =
      dir.write("a.obj", "mtllib a.mtl\n" + triangle +
                             "f 1 2 3\nusemtl picture\nf 1 2 3\nusemtl plain\nf 1 2 3\n");
  const auto b = dir.write("b.obj", "mtllib b.mtl\n" + triangle +
                                        "usemtl blue\nf 1 2 3\nusemtl picture\nf 1 2 9\nf 3 2 1\n");
  const auto c = dir.write("c.obj", triangle + "f 1 2 3\n");
  SceneDescription description;
  description.files = {{a.string()}, {b.string()}, {c.string()}, {b.string()}};
  const Mesh mesh = load_of(description);
  expect_well_formed(mesh);
  ASSERT_EQ(mesh.triangle_count(), 8U);
  EXPECT_EQ(mesh.dropped_faces, 2U);
  EXPECT_EQ(count_warnings(mesh, "b: ", "line 8"), 2);
  EXPECT_EQ(mesh.name, "a + b + c + b");
  ASSERT_EQ(mesh.textures.size(), 3U);
  const auto material = [&mesh](std::size_t t) {
    return mesh.materials[mesh.triangle_material[t]];
  };
  const auto texture_width = [&](std::size_t t) {
    return mesh.textures[material(t).texture].width;
  };
  EXPECT_EQ(mesh.triangle_material[0], 0U);
  EXPECT_EQ(material(1).name, "picture");
  EXPECT_EQ(texture_width(1), 1U);
  EXPECT_EQ(material(2).name, "plain");
  EXPECT_EQ(material(3).name, "blue");
  EXPECT_EQ(material(3).texture, Material::no_texture);
  EXPECT_EQ(material(4).name, "picture");
  EXPECT_EQ(texture_width(4), 2U);
  EXPECT_EQ(mesh.triangle_material[5], 0U);  // names none
  EXPECT_EQ(material(6).name, "blue");
  EXPECT_EQ(texture_width(7), 2U);
  EXPECT_NE(material(7).texture, material(4).texture);
}

TEST(LoadMeshes, AViewFromWithinMovesWithItsMeshAndIsOfOneAlone) {
  SceneDescription description;
  description.files = {{"generated:rooms:10000"}};
  const auto plain = load_of(description).first_view;
  ASSERT_TRUE(plain);
  description.files[0].transform.m = {2, 0, 0, 1, 0, 2, 0, 0, 0, 0, 2, 0};
  const auto moved = load_of(description).first_view;
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->eye.x, 2.0F * plain->eye.x + 1.0F);
  EXPECT_EQ(moved->target.z, 2.0F * plain->target.z);
  // So small that floats cannot tell the eye from where it looks to.
  description.files[0].transform.m = {1e-30F, 0, 0, 1, 0, 1e-30F, 0, 0, 0, 0, 1e-30F, 0};
  EXPECT_FALSE(load_of(description).first_view);
  description.files = {{"generated:rooms:10000"}, {"generated:sphere:10"}};
  EXPECT_FALSE(load_of(description).first_view);
}

TEST(LoadMeshes, RefusesASceneFileAmongThem) {
  SceneDescription description;
  description.files = {{"generated:sphere:1"}, {"other.json"}};
  try {
    load_of(description);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_TRUE(contains(error.what(), "other.json: a scene file cannot be combined"))
        << error.what();
  }
}

TEST(LoadMeshes, EveryFileIsAPartOfTheWay) {
  SceneDescription description;
  description.files = {{"generated:sphere:10"}, {"generated:sphere:10"}, {"generated:knot"}};
  std::vector<float> seen;
  LoadControl control([&seen](float progress) { seen.push_back(progress); });
  {
    const LoadControl::Part half(control, 0.0F, 0.5F);
    load_meshes(description, control);
  }
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  for (const float step : {1.0F / 6.0F, 1.0F / 3.0F, 0.5F})
    EXPECT_TRUE(std::any_of(seen.begin(), seen.end(), [step](float progress) {
      return std::abs(progress - step) < 1e-5F;
    })) << step;
  EXPECT_FLOAT_EQ(control.progress(), 0.5F);
  control.report(1.0F);
  EXPECT_EQ(control.progress(), 1.0F);
}

// A file costs the same however many there are: where each spelt all of them, this took minutes.
TEST(LoadMeshes, ManyFilesAreOneMesh) {
  constexpr std::size_t count = 20'000;
  const SceneDescription many{.files = {count, MeshSource{"generated:sphere:2"}}};
  EXPECT_EQ(load_of(many).triangle_count(),
            count * load_of({.files = {many.files[0]}}).triangle_count());
}

TEST(LoadMeshes, KeepsTheLimits) {
  SceneDescription description;
  description.files = {{"generated:sphere:100"}, {"generated:sphere:100"}};
  EXPECT_EQ(load_of(description, {.corners = 600}).triangle_count(), 200U);
  EXPECT_THROW(load_of(description, {.corners = 599}), Error);
  description.files.push_back({"no/such/file.obj"});
  EXPECT_THROW(load_of(description), Error);
  LoadControl cancelled;
  cancelled.cancel();
  description.files.pop_back();
  EXPECT_THROW(load_meshes(description, cancelled), LoadCancelled);
}

}  // namespace
}  // namespace warpview::test
