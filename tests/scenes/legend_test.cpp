// What scenes say of their colours.
#include <string>
#include <vector>

#include "gpu/runtime/backends.h"
#include "tests/scenes/mesh_scene.h"

namespace warpview::test {
namespace {

using Scale = Legend::Scale;

Legend legend_of(Device& device, const std::string& setting, Mesh mesh = sphere(100)) {
  const auto scene = open_scene(device, std::move(mesh), {setting});
  const std::optional<Legend> legend = scene->legend();
  if (!legend) {
    ADD_FAILURE() << setting << " has no legend";
    return {};
  }
  EXPECT_STREQ(scene->outputs()[legend->output].name, "mesh");
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
  EXPECT_EQ(scene->legend()->most, static_cast<double>(count(*scene, "bvh.max_depth")));
  EXPECT_EQ(legend_of(*device_, "colour_by=digit").most, 255.0);
  // Of 30 bits the fourth digit has six.
  Controls controls = scene->controls();
  controls.set("colour_by=digit");
  controls.set("digit=3");
  scene->set_controls(controls);
  EXPECT_EQ(scene->legend()->most, 63.0);
  EXPECT_NE(scene->legend()->title.find('3'), std::string::npos);
}

TEST_F(LegendTest, BlocksAndNormalsSayWhatTheyAre) {
  const Legend leaf = legend_of(*device_, "colour_by=leaf");
  EXPECT_EQ(leaf.scale, Scale::blocks);
  EXPECT_FALSE(leaf.note.empty());
  EXPECT_EQ(legend_of(*device_, "colour_by=normal").swatches.size(), 6U);
}

TEST_F(LegendTest, MaterialsAreThoseOfTriangles) {
  EXPECT_FALSE(open_scene(*device_, of_materials(1))->legend()) << "one says nothing";
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
    return *scene->legend();
  };
  EXPECT_EQ(legend("colour=speed").scale, Scale::sphere_ramp);
  EXPECT_GT(legend("colour=speed").most, 0.0);
  EXPECT_EQ(legend("colour=cell").scale, Scale::sphere_hues);
  EXPECT_EQ(legend("colour=slot").scale, Scale::sphere_hues);
  EXPECT_EQ(legend("colour=neighbours").most, 12.0);
}

}  // namespace
}  // namespace warpview::test
