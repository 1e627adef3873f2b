#include "app/surfaces.h"

#include <gtest/gtest.h>

namespace warpview {
namespace {

TEST(Surfaces, TightHighlightsAreSmooth) {
  Material dull;
  dull.shininess = 1.0F;
  Material shiny;
  shiny.shininess = 500.0F;
  EXPECT_GT(surface_of(dull).roughness, 0.85F);
  EXPECT_LT(surface_of(shiny).roughness, 0.3F);
  Material broken;
  broken.shininess = -3.0F;
  EXPECT_LE(surface_of(broken).roughness, 1.0F);
}

TEST(Surfaces, AColouredHighlightIsAMetals) {
  Material plastic;
  plastic.diffuse = {0.8F, 0.1F, 0.1F};
  plastic.specular = {1.0F, 1.0F, 1.0F};
  EXPECT_EQ(surface_of(plastic).metallic, 0.0F);
  Material gold;
  gold.diffuse = {0.0F, 0.0F, 0.0F};
  gold.specular = {1.0F, 0.77F, 0.34F};
  const Surface surface = surface_of(gold);
  EXPECT_EQ(surface.metallic, 1.0F);
  EXPECT_GT(surface.base_colour.x, surface.base_colour.z);
}

TEST(Surfaces, ColoursStayInRange) {
  Material bright;
  bright.diffuse = {7.0F, -1.0F, 0.5F};
  bright.emissive = {2.0F, -1.0F, 0.0F};
  const Surface surface = surface_of(bright);
  EXPECT_EQ(surface.base_colour.x, 1.0F);
  EXPECT_EQ(surface.base_colour.y, 0.0F);
  EXPECT_NEAR(surface.base_colour.z, 0.214F, 0.001F);
  // A lamp may be brighter than white.
  EXPECT_EQ(surface.emission.x, 2.0F);
  EXPECT_EQ(surface.emission.y, 0.0F);
}

TEST(Surfaces, TexturesKeepTheirNumber) {
  Material plain;
  EXPECT_EQ(surface_of(plain).texture, -1);
  plain.texture = 2;
  EXPECT_EQ(surface_of(plain).texture, 2);
}

TEST(Surfaces, TexturesKeepTheirPlacement) {
  Material material;
  EXPECT_EQ(surface_of(material).texture_scale.x, 1.0F);
  EXPECT_EQ(surface_of(material).texture_offset.y, 0.0F);
  EXPECT_EQ(surface_of(material).is_clamped, 0U);
  material.placement = {.scale = {2, 3}, .offset = {4, 5}, .is_clamped = true};
  const Surface surface = surface_of(material);
  EXPECT_EQ(surface.texture_scale.x, 2.0F);
  EXPECT_EQ(surface.texture_scale.y, 3.0F);
  EXPECT_EQ(surface.texture_offset.x, 4.0F);
  EXPECT_EQ(surface.texture_offset.y, 5.0F);
  EXPECT_EQ(surface.is_clamped, 1U);
}

}  // namespace
}  // namespace warpview
