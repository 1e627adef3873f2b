// What scenes say of their colours.
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gpu/runtime/backends.h"
#include "tests/scenes/mesh_scene.h"

namespace warpview::test {
namespace {

using Scale = Legend::Scale;

// Of an output; none: its colours say nothing.
std::optional<Legend> find_legend(const Scene& scene, const std::string& output) {
  for (const Legend& legend : scene.legends())
    if (scene.outputs()[legend.output].name == output) return legend;
  return {};
}

Legend legend_of(Device& device, const std::string& setting, Mesh mesh = sphere(100)) {
  const auto scene = open_scene(device, std::move(mesh), {setting});
  const std::optional<Legend> legend = find_legend(*scene, "mesh");
  if (!legend) {
    ADD_FAILURE() << setting << " has no legend";
    return {};
  }
  return *legend;
}

// A mesh whose triangles have these materials in turn.
Mesh of_materials(std::uint32_t count) {
  Mesh mesh = sphere(100);
  mesh.materials.clear();
  for (std::uint32_t i = 0; i < count; ++i)
    mesh.materials.push_back({.name = "m" + std::to_string(i), .diffuse = {0.25F, 0.5F, 0.75F}});
  mesh.materials.push_back({.name = "of no triangle"});
  for (std::size_t t = 0; t < mesh.triangle_material.size(); ++t)
    mesh.triangle_material[t] = static_cast<std::uint32_t>(t) % count;
  return mesh;
}

class LegendTest : public testing::Test {
 protected:
  std::unique_ptr<Device> device_ = open_device(Backend::cpu);
};

TEST_F(LegendTest, RampsSayTheirEnds) {
  const Legend rank = legend_of(*device_, "colour_by=rank");
  EXPECT_EQ(rank.scale, Scale::ramp);
  EXPECT_EQ(rank.least, 0.0);
  EXPECT_EQ(rank.most, 99.0);
  const auto scene = open_scene(*device_, sphere(100), {"colour_by=depth"});
  EXPECT_EQ(find_legend(*scene, "mesh")->most, static_cast<double>(count(*scene, "bvh.max_depth")));
  EXPECT_EQ(legend_of(*device_, "colour_by=digit").most, 255.0);
  // Of 30 bits the fourth digit has six.
  Controls controls = scene->controls();
  controls.set("colour_by=digit");
  controls.set("digit=3");
  scene->set_controls(controls);
  EXPECT_EQ(find_legend(*scene, "mesh")->most, 63.0);
  EXPECT_NE(find_legend(*scene, "mesh")->title.find('3'), std::string::npos);
}

TEST_F(LegendTest, BlocksAndNormalsSayWhatTheyAre) {
  const Legend leaf = legend_of(*device_, "colour_by=leaf");
  EXPECT_EQ(leaf.scale, Scale::blocks);
  EXPECT_FALSE(leaf.note.empty());
  EXPECT_EQ(legend_of(*device_, "colour_by=normal").swatches.size(), 6U);
}

TEST_F(LegendTest, MaterialsAreThoseOfTriangles) {
  EXPECT_FALSE(find_legend(*open_scene(*device_, of_materials(1)), "mesh")) << "one says nothing";
  const Legend three = legend_of(*device_, "colour_by=material", of_materials(3));
  ASSERT_EQ(three.swatches.size(), 3U);
  EXPECT_EQ(three.swatches[2].name, "m2");
  EXPECT_EQ(three.swatches[2].colour.y, 0.5F);
  EXPECT_EQ(three.left_out, 0U);
  const Legend many = legend_of(*device_, "colour_by=material", of_materials(50));
  EXPECT_EQ(many.swatches.size() + many.left_out, 50U);
  EXPECT_LT(many.swatches.size(), 12U);
}

TEST_F(LegendTest, SpheresHaveOneOfTheirOwn) {
  const SceneKind& kind = *find_scene_kind("particles");
  const auto legend = [&](const std::string& colour) {
    const auto scene =
        make_scene(kind, *device_, sphere(100), controls_of(kind, {"count=1000", colour}));
    return *find_legend(*scene, "spheres");
  };
  EXPECT_EQ(legend("colour=speed").scale, Scale::sphere_ramp);
  EXPECT_GT(legend("colour=speed").most, 0.0);
  EXPECT_EQ(legend("colour=cell").scale, Scale::sphere_hues);
  EXPECT_EQ(legend("colour=slot").scale, Scale::sphere_hues);
  EXPECT_EQ(legend("colour=neighbours").most, 12.0);
}

// The picture has a colour map for each of them: so have the legends.
TEST_F(LegendTest, EveryColouredLayerHasItsOwn) {
  const auto scene = open_scene(*device_, sphere(100), {"colour_by=rank", "level=3"});
  std::set<std::size_t> outputs;
  for (const Legend& legend : scene->legends())
    EXPECT_TRUE(outputs.insert(legend.output).second) << "two of one output";
  EXPECT_EQ(find_legend(*scene, "mesh")->scale, Scale::ramp);
  const auto curve = find_legend(*scene, "curve");
  ASSERT_TRUE(curve);
  EXPECT_EQ(curve->scale, Scale::strip);
  EXPECT_EQ(curve->most, 99.0);
  const auto boxes = find_legend(*scene, "boxes");
  ASSERT_TRUE(boxes);
  EXPECT_EQ(boxes->scale, Scale::box_level);
  EXPECT_EQ(boxes->least, 3.0);
  EXPECT_FALSE(find_legend(*scene, "path")) << "nothing is picked";
  const Aabb box = scene->bounds();
  const Vec3 centre = box.centre();
  ASSERT_FALSE(scene->pick({{centre.x, centre.y, box.max.z + 1.0F}, {0, 0, -1}}).empty());
  ASSERT_TRUE(find_legend(*scene, "path"));
  EXPECT_EQ(find_legend(*scene, "path")->scale, Scale::box_path);
}

// Legend, fact and picture agree where the control asks for more than there is.
TEST_F(LegendTest, TheDeepestLevelIsDrawnWhereNoneIsSoDeep) {
  for (const char* name : {"mesh", "ships"}) {
    const SceneKind& kind = *find_scene_kind(name);
    const auto scene = make_scene(kind, *device_, sphere(100), controls_of(kind, {"level=63"}));
    load(*scene);
    const Targets targets(*scene);
    run(*scene, targets.all());
    const auto deepest = static_cast<std::uint32_t>(count(*scene, "bvh.max_depth"));
    EXPECT_EQ(find_legend(*scene, "boxes")->least, deepest) << name;
    for (const Fact& fact : scene->facts())
      if (fact.name == "bvh.level_boxes") {
        EXPECT_EQ(fact.title, "Level " + std::to_string(deepest)) << name;
      }
    EXPECT_GT(count(*scene, "bvh.level_boxes"), 0U) << name;
    EXPECT_EQ(scene->slider_max(scene->controls().find("level")), deepest) << name;
  }
}

TEST_F(LegendTest, TheLastDigitIsDrawnWhereNoneIsSoHigh) {
  const Legend digit = legend_of(*device_, "colour_by=digit");
  const auto scene = open_scene(*device_, sphere(100), {"colour_by=digit", "digit=7"});
  const double last = scene->slider_max(scene->controls().find("digit"));
  EXPECT_EQ(find_legend(*scene, "mesh")->title,
            "Digit " + std::to_string(static_cast<int>(last)) + " of the sort key");
  EXPECT_GT(find_legend(*scene, "mesh")->most, 0.0);
}

TEST_F(LegendTest, AMeshOfSeveralMaterialsHasOneInEveryScene) {
  for (const char* name : {"mesh", "particles", "deformation", "cloth"}) {
    const SceneKind& kind = *find_scene_kind(name);
    Controls controls(kind.controls);
    if (kind.size_control)
      controls.set(controls.find(kind.size_control),
                   kind.controls[controls.find(kind.size_control)].least);
    const auto scene = make_scene(kind, *device_, of_materials(3), controls);
    const auto legend = find_legend(*scene, "mesh");
    ASSERT_TRUE(legend) << name;
    EXPECT_EQ(legend->swatches.size(), 3U) << name;
  }
}

}  // namespace
}  // namespace warpview::test
