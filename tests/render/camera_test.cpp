#include "app/render/camera.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec4.hpp>

namespace warpview {
namespace {

// The farthest corner of the box from the middle of the view: 1 is the view's edge. Fails when a
// corner is outside the near and far planes.
void expect_near(const glm::vec3& a, const glm::vec3& b) {
  EXPECT_LT(glm::length(a - b), 1e-5F) << a.x << ' ' << a.y << ' ' << a.z;
}

float farthest_corner(const Camera& camera, const Aabb& box, float aspect) {
  float farthest = 0.0F;
  for (int corner = 0; corner < 8; ++corner) {
    const glm::vec4 position((corner & 1) != 0 ? box.max.x : box.min.x,
                             (corner & 2) != 0 ? box.max.y : box.min.y,
                             (corner & 4) != 0 ? box.max.z : box.min.z, 1.0F);
    const glm::vec4 clip = camera.projection(aspect) * camera.view() * position;
    EXPECT_GT(clip.w, 0.0F);
    EXPECT_LE(std::abs(clip.z), clip.w);
    farthest = std::max({farthest, std::abs(clip.x / clip.w), std::abs(clip.y / clip.w)});
  }
  return farthest;
}

TEST(Camera, FitFillsTheViewWithTheBox) {
  const Aabb boxes[] = {{{-1, -1, -1}, {1, 1, 1}},
                        {{100, 0, 0}, {101, 50, 2}},
                        {{-1e-4F, 0, 0}, {1e-4F, 1e-5F, 1e-4F}},
                        {{-1e6F, -10, -1e6F}, {1e6F, 10, 1e6F}}};
  for (const Aabb& box : boxes) {
    for (const float aspect : {0.5F, 1.0F, 1.78F}) {
      for (const float yaw : {-2.0F, 0.0F, 0.65F}) {
        Camera camera;
        camera.yaw = yaw;
        camera.fit(box, aspect);
        const float farthest = farthest_corner(camera, box, aspect);
        EXPECT_LT(farthest, 1.0F);
        EXPECT_GT(farthest, 0.9F);
      }
    }
  }
}

// Left and right, and above and below: the largest gap between the box and the view's edge, as the
// share of the view.
struct Margins {
  float left = 1.0F, right = 1.0F, below = 1.0F, above = 1.0F;
};
Margins margins(const Camera& camera, const Aabb& box, float aspect) {
  Margins found;
  for (int corner = 0; corner < 8; ++corner) {
    const glm::vec4 position((corner & 1) != 0 ? box.max.x : box.min.x,
                             (corner & 2) != 0 ? box.max.y : box.min.y,
                             (corner & 4) != 0 ? box.max.z : box.min.z, 1.0F);
    const glm::vec4 clip = camera.projection(aspect) * camera.view() * position;
    found.left = std::min(found.left, 0.5F + 0.5F * clip.x / clip.w);
    found.right = std::min(found.right, 0.5F - 0.5F * clip.x / clip.w);
    found.below = std::min(found.below, 0.5F + 0.5F * clip.y / clip.w);
    found.above = std::min(found.above, 0.5F - 0.5F * clip.y / clip.w);
  }
  return found;
}

// From any direction: nothing is cut off, opposite margins are equal, and no view is half empty.
TEST(Camera, FitLeavesEqualMargins) {
  const Aabb boxes[] = {{{-1, -1, -1}, {1, 1, 1}},
                        {{100, 0, 0}, {140, 3, 40}},
                        {{-5, -0.2F, -1}, {5, 0.2F, 1}},
                        {{0, 0, 0}, {1, 20, 1}}};
  for (const Aabb& box : boxes)
    for (const UpAxis up : {UpAxis::y, UpAxis::z})
      for (const float aspect : {0.6F, 1.6F})
        for (const float yaw : {0.0F, 0.65F, 2.5F})
          for (const float pitch : {-0.5F, 0.0F, 0.38F, 1.5F}) {
            Camera camera;
            camera.up_axis = up;
            camera.yaw = yaw;
            camera.pitch = pitch;
            camera.fit(box, aspect);
            const Margins found = margins(camera, box, aspect);
            EXPECT_NEAR(found.left, found.right, 1e-3F) << yaw << ' ' << pitch;
            EXPECT_NEAR(found.below, found.above, 1e-3F) << yaw << ' ' << pitch;
            const float smaller = std::min(found.left, found.below);
            EXPECT_GT(smaller, 0.01F);
            EXPECT_LT(smaller, 0.06F) << yaw << ' ' << pitch;
            EXPECT_EQ(camera.yaw, yaw);
            EXPECT_EQ(camera.pitch, pitch);
          }
}

// Most corners of this box are empty.
TEST(Camera, FitOfAnOutlineIsThatOfItsPoints) {
  const Aabb box{{-2, -2, -2}, {2, 2, 2}};
  const std::vector<Vec3> outline = {{-2, 0, 0}, {2, 0, 0},  {0, -2, 0},
                                     {0, 2, 0},  {0, 0, -2}, {0, 0, 2}};
  for (const float yaw : {0.0F, 0.65F, 2.0F}) {
    Camera camera;
    camera.yaw = yaw;
    camera.fit(box, 1.0F, outline);
    Camera wide = camera;
    wide.fit(box, 1.0F);
    EXPECT_LT(camera.distance, 0.9F * wide.distance);
    Margins found;
    for (const Vec3& point : outline) {
      const Margins one = margins(camera, {point, point}, 1.0F);
      found.left = std::min(found.left, one.left);
      found.right = std::min(found.right, one.right);
      found.below = std::min(found.below, one.below);
      found.above = std::min(found.above, one.above);
    }
    EXPECT_NEAR(found.left, found.right, 1e-3F);
    EXPECT_NEAR(found.below, found.above, 1e-3F);
    EXPECT_NEAR(std::min(found.left, found.below), 0.03F, 0.02F);
    EXPECT_EQ(camera.scene_radius, wide.scene_radius);
  }
  Camera camera;
  camera.fit(box, 1.0F, std::vector<Vec3>{{1, 1, 1}});
  EXPECT_TRUE(std::isfinite(camera.distance));
  EXPECT_GT(camera.distance, 0.0F);
}

TEST(Camera, FitCentredTurnsAroundTheMiddleOfTheBox) {
  const Aabb box{{-5, -0.2F, -1}, {5, 0.2F, 1}};
  Camera camera;
  camera.fit_centred(box, 1.6F);
  expect_near(camera.target, {0, 0, 0});
  const Margins found = margins(camera, box, 1.6F);
  EXPECT_GT(std::min({found.left, found.right, found.below, found.above}), 0.01F);
  Camera tight;
  tight.fit(box, 1.6F);
  EXPECT_LE(tight.distance, camera.distance);
}

TEST(Camera, FitOfBoxesWithoutExtentIsFinite) {
  const Aabb boxes[] = {Aabb::empty(), {{0, 0, 0}, {0, 0, 0}}, {{5, 5, 5}, {5, 5, 5}}};
  for (const Aabb& box : boxes) {
    Camera camera;
    camera.fit(box, 1.5F);
    EXPECT_TRUE(std::isfinite(camera.distance));
    EXPECT_GT(camera.distance, 0.0F);
    EXPECT_GT(camera.scene_radius, 0.0F);
    EXPECT_NE(camera.eye(), camera.target);
  }
}

// From each side the eye is where its name says, and what is up stays up.
TEST(Camera, LooksFromEachSide) {
  struct Case {
    Side side;
    glm::vec3 eye_y_up, up_y_up, eye_z_up, up_z_up;
  };
  const Case cases[] = {
      {Side::front, {0, 0, 1}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}},
      {Side::back, {0, 0, -1}, {0, 1, 0}, {0, 1, 0}, {0, 0, 1}},
      {Side::right, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}},
      {Side::left, {-1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, 0, 1}},
      {Side::top, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}, {0, 1, 0}},
      {Side::bottom, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}, {0, -1, 0}},
  };
  for (const Case& c : cases) {
    Camera camera;
    camera.look_from(c.side);
    expect_near(camera.backward(), c.eye_y_up);
    expect_near(camera.up(), c.up_y_up);
    camera.up_axis = UpAxis::z;
    expect_near(camera.backward(), c.eye_z_up);
    expect_near(camera.up(), c.up_z_up);
    expect_near(glm::cross(camera.right(), camera.up()), camera.backward());
  }
  Camera home;
  home.orbit(1.0F, -1.0F);
  home.field_of_view = 1.0F;
  home.look_from(Side::home);
  EXPECT_EQ(home, Camera{});
}

TEST(Camera, IsInFrontOfAFlatSceneAtHome) {
  Camera camera;
  EXPECT_TRUE(camera.is_at_home());
  camera.enclose({{0, 0, 0}, {4, 3, 0}});
  EXPECT_FALSE(camera.is_at_home());
  camera.look_from(Side::home);
  EXPECT_TRUE(camera.is_at_home());
  expect_near(camera.backward(), {0, 0, 1});
  camera.enclose({{0, 0, 0}, {4, 3, 1}});
  EXPECT_FALSE(camera.is_at_home());
  camera.look_from(Side::home);
  camera.field_of_view = 1.0F;
  EXPECT_FALSE(camera.is_at_home());
}

TEST(Camera, ZUpStandsUpright) {
  Camera camera;
  camera.up_axis = UpAxis::z;
  camera.fit_centred({{-1, -1, 0}, {1, 1, 6}}, 1.0F);
  const glm::vec4 low = camera.projection(1.0F) * camera.view() * glm::vec4(0, 0, 0, 1);
  const glm::vec4 high = camera.projection(1.0F) * camera.view() * glm::vec4(0, 0, 6, 1);
  EXPECT_NEAR(low.x / low.w, high.x / high.w, 1e-5F);
  EXPECT_GT(high.y / high.w, low.y / low.w + 1.0F);
  // An eye and where it looks are the same whatever is up.
  camera.look_from({3, 4, 5}, {0, 1, 0}, {});
  expect_near(camera.eye(), {3, 4, 5});
}

TEST(Camera, ZoomsTowardsAPlaceOfTheView) {
  constexpr float aspect = 1.6F;
  for (const float factor : {0.5F, 1.25F}) {
    Camera camera;
    camera.fit({{-1, -1, -1}, {1, 1, 1}}, aspect);
    // A point in the plane of the target, seen at a quarter of the width and a fifth of the height.
    const Ray before = camera.ray(0.25F, 0.2F, aspect);
    const glm::vec3 way(before.direction.x, before.direction.y, before.direction.z);
    const glm::vec3 point = camera.eye() + way * camera.distance;
    camera.zoom_at(factor, 0.25F, 0.2F, aspect);
    const glm::vec4 clip = camera.projection(aspect) * camera.view() * glm::vec4(point, 1.0F);
    EXPECT_NEAR(clip.x / clip.w, 2.0F * 0.25F - 1.0F, 1e-4F);
    EXPECT_NEAR(clip.y / clip.w, 1.0F - 2.0F * 0.2F, 1e-4F);
  }
}

TEST(Camera, OrbitKeepsTheDistanceAndStaysShortOfThePoles) {
  Camera camera;
  camera.orbit(1.0F, 10.0F);
  EXPECT_LT(camera.pitch, 1.5708F);
  EXPECT_NEAR(glm::length(camera.eye() - camera.target), camera.distance, 1e-5F);
  EXPECT_GT(camera.up().y, 0.0F);
}

TEST(Camera, PanMovesTheSceneWithTheCursor) {
  Camera camera;
  const glm::vec4 point(camera.target, 1.0F);
  camera.pan(0.25F, -0.25F);  // to the right and up
  const glm::vec4 clip = camera.projection(1.0F) * camera.view() * point;
  EXPECT_NEAR(clip.x / clip.w, 0.5F, 1e-4F);
  EXPECT_NEAR(clip.y / clip.w, 0.5F, 1e-4F);
}

TEST(Camera, TurnsItsHeadWhereItStands) {
  for (const UpAxis up : {UpAxis::y, UpAxis::z}) {
    Camera camera;
    camera.up_axis = up;
    camera.look_from({2, 1, 3}, {0.2F, 0, -0.3F}, {});
    const glm::vec3 eye = camera.eye();
    const glm::vec3 ahead = -camera.backward();
    const glm::vec3 right = camera.right();
    const float distance = camera.distance;
    camera.turn(-0.3F, 0.0F);
    expect_near(camera.eye(), eye);
    EXPECT_EQ(camera.distance, distance);
    EXPECT_GT(glm::dot(-camera.backward(), right), 0.1F) << "less yaw is to the right";
    camera.turn(0.3F, 0.2F);
    EXPECT_LT(glm::dot(-camera.backward(), camera.up()), 0.1F);
    EXPECT_GT(glm::dot(ahead, camera.up()), 0.1F) << "more pitch is down";
    camera.turn(0.0F, 100.0F);
    expect_near(camera.eye(), eye);
    EXPECT_GT(camera.up()[up == UpAxis::y ? 1 : 2], 0.0F) << "not over its head";
  }
}

TEST(Camera, MovesWithItsTarget) {
  for (const UpAxis up : {UpAxis::y, UpAxis::z}) {
    Camera camera;
    camera.up_axis = up;
    const glm::vec3 eye = camera.eye();
    const glm::vec3 target = camera.target;
    camera.move({0.5F, 0, 2});
    expect_near(camera.eye() - eye, 0.5F * camera.right() - 2.0F * camera.backward());
    expect_near(camera.target - target, camera.eye() - eye);
    camera.move({0, 1, 0});
    const glm::vec3 upwards = up == UpAxis::y ? glm::vec3(0, 1, 0) : glm::vec3(0, 0, 1);
    expect_near(camera.eye() - eye, upwards + 0.5F * camera.right() - 2.0F * camera.backward());
  }
}

TEST(Camera, DoesNotMoveOutOfSight) {
  Camera camera;
  camera.fit({{-1, -1, -1}, {1, 1, 1}}, 1.0F);
  for (int i = 0; i < 100; ++i) camera.move({1e5F, 0, 0});
  EXPECT_NEAR(glm::length(camera.eye() - camera.scene_centre),
              Camera::farthest * camera.scene_radius, 1.0F);
  // Whoever is farther away already stays where it is, or comes back.
  camera.look_from({0, 0, 1e4F}, {0, 0, 0}, {});
  camera.move({0, 0, -10});
  EXPECT_NEAR(glm::length(camera.eye()), 1e4F, 1.0F);
  camera.move({0, 0, 1000});
  EXPECT_NEAR(glm::length(camera.eye()), 9e3F, 1.0F);
}

TEST(Camera, ZoomHasLimits) {
  Camera camera;
  camera.zoom(0.5F);
  EXPECT_FLOAT_EQ(camera.distance, 1.5F);
  camera.zoom(0.0F);
  EXPECT_GT(camera.distance, 0.0F);
  camera.zoom(1e30F);
  EXPECT_LT(camera.distance, 1e4F);
}

TEST(Camera, LooksFromOnePlaceToAnother) {
  Camera camera;
  camera.look_from({1, 2, 3}, {1, 1, -1}, 40.0F);
  EXPECT_LT(glm::length(camera.eye() - glm::vec3(1, 2, 3)), 1e-5F);
  EXPECT_EQ(camera.target, glm::vec3(1, 1, -1));
  EXPECT_NEAR(camera.field_of_view, 0.6981317F, 1e-6F);
  camera.look_from({0, 0, 2}, {0, 0, 0}, {});
  EXPECT_NEAR(camera.field_of_view, 0.6981317F, 1e-6F);
  EXPECT_LT(glm::length(camera.eye() - glm::vec3(0, 0, 2)), 1e-5F);
  // From straight above: as near to the pole as a camera goes.
  camera.look_from({0, 5, 0}, {0, 0, 0}, {});
  EXPECT_NEAR(camera.eye().y, 5.0F, 1e-2F);
  EXPECT_GT(camera.up().y, 0.0F);
}

// A ray through a place of the view meets what is drawn there.
TEST(Camera, RaysGoThroughTheirPlaceInTheView) {
  Camera camera;
  camera.look_from({2, 1, 3}, {0.2F, 0, -0.3F}, 50.0F);
  for (const float aspect : {0.5F, 1.0F, 1.8F})
    for (const glm::vec2 place : {glm::vec2(0.5F, 0.5F), glm::vec2(0, 0), glm::vec2(0.9F, 0.2F)}) {
      const Ray ray = camera.ray(place.x, place.y, aspect);
      EXPECT_LT(glm::length(glm::vec3(ray.origin.x, ray.origin.y, ray.origin.z) - camera.eye()),
                1e-5F);
      const Vec3 ahead = ray.origin + ray.direction * 2.5F;
      const glm::vec4 clip =
          camera.projection(aspect) * camera.view() * glm::vec4(ahead.x, ahead.y, ahead.z, 1.0F);
      EXPECT_NEAR(clip.x / clip.w, 2.0F * place.x - 1.0F, 1e-4F);
      EXPECT_NEAR(clip.y / clip.w, 1.0F - 2.0F * place.y, 1e-4F);
    }
}

}  // namespace
}  // namespace warpview
