// What surrounds the bodies of a picture: ground, horizon and ambient occlusion.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "app/render/renderer.h"
#include "gl_test.h"
#include "gpu/runtime/vertex.h"
#include "tests/support/pixels.h"

namespace warpview {
namespace {

constexpr int ground_side = 160;

struct Rgba {
  int r = 0, g = 0, b = 0, a = 0;
  int sum() const { return r + g + b; }
};

Rgba at(const Picture& picture, int x, int y) {
  const auto [r, g, b, a] = rgba_at(picture, x, y);
  return {r, g, b, a};
}

int most_apart(const Rgba& a, const Rgba& b) {
  return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)});
}

// The six sides of a box.
std::vector<Vertex> corners_of(const Aabb& box) {
  std::vector<Vertex> vertices;
  for (int axis = 0; axis < 3; ++axis)
    for (const bool high : {false, true})
      for (const auto& [u, v] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}}) {
        std::array<float, 3> place{};
        std::array<float, 3> normal{};
        const std::array low{box.min.x, box.min.y, box.min.z};
        const std::array top{box.max.x, box.max.y, box.max.z};
        const auto set = [&](int which, bool upper) {
          const auto i = static_cast<std::size_t>(which % 3);
          place[i] = upper ? top[i] : low[i];
        };
        set(axis, high);
        set(axis + 1, u == 1);
        set(axis + 2, v == 1);
        normal[static_cast<std::size_t>(axis)] = high ? 1.0F : -1.0F;
        vertices.push_back({{place[0], place[1], place[2]}, {normal[0], normal[1], normal[2]}, {}});
      }
  return vertices;
}

class GroundTest : public GlTest {
 protected:
  void stand(const std::vector<Aabb>& boxes) {
    std::vector<Vertex> vertices;
    Aabb all = Aabb::empty();
    for (const Aabb& box : boxes) {
      const std::vector<Vertex> of_box = corners_of(box);
      vertices.insert(vertices.end(), of_box.begin(), of_box.end());
      all = merge(all, box);
    }
    std::vector<std::uint32_t> indices(vertices.size());
    std::iota(indices.begin(), indices.end(), 0U);
    drawn_ = {static_cast<std::uint32_t>(indices.size()), 1, 0, 0, 0};
    vertices_ = upload(vertices);
    indices_ = upload(indices);
    materials_ = upload(std::vector<std::uint32_t>(indices.size() / 3, 0U));
    commands_ = upload(std::vector<DrawCommand>{drawn_});
    bounds_ = all;
    camera_.fit(all, 1.0F);
  }

  static RenderOptions bare() {
    return {.shadows = false, .ground = false, .horizon = false, .occlusion = false};
  }
  static RenderOptions with_ground(bool shadows = false) {
    RenderOptions options = bare();
    options.ground = true;
    options.shadows = shadows;
    return options;
  }

  Picture picture(const RenderOptions& options, OutputKind kind = OutputKind::surface) {
    const DrawnOutput output{.kind = kind,
                             .buffers = {vertices_.get(), indices_.get(), materials_.get()},
                             .command = 0,
                             .drawn = drawn_,
                             .style = {}};
    const Framebuffer& target = options.antialiased ? target_ : coarse_target_;
    renderer_.draw(target, camera_, {output}, commands_.get(), options);
    return target.read_back();
  }

  // Where a place of the world is in the picture.
  std::array<int, 2> pixel_of(const glm::vec3& place) const {
    const glm::vec4 clip = camera_.projection(1.0F) * camera_.view() * glm::vec4(place, 1.0F);
    const auto pixel = [](float ndc) {
      return static_cast<int>((0.5F + 0.5F * ndc) * static_cast<float>(ground_side));
    };
    return {pixel(clip.x / clip.w), pixel(-clip.y / clip.w)};
  }
  Rgba at_place(const Picture& picture, const glm::vec3& place) const {
    const auto [x, y] = pixel_of(place);
    return at(picture, std::clamp(x, 0, ground_side - 1), std::clamp(y, 0, ground_side - 1));
  }

  Renderer renderer_;
  Framebuffer target_{ground_side, ground_side};
  Framebuffer coarse_target_{ground_side, ground_side, 1};
  Camera camera_;
  Aabb bounds_ = Aabb::empty();

 private:
  GlBuffer vertices_, indices_, materials_, commands_;
  DrawCommand drawn_{};
};

constexpr Aabb cube{{-1, 0, -1}, {1, 2, 1}};

TEST_F(GroundTest, LiesAroundTheSceneAndFadesOut) {
  for (const Theme theme : {Theme::dark, Theme::light}) {
    stand({cube});
    camera_.zoom(4.0F);
    RenderOptions off = bare();
    RenderOptions on = with_ground();
    off.theme = on.theme = theme;
    const Picture without = picture(off);
    const Picture with = picture(on);
    EXPECT_GT(at_place(with, {2.0F, 0.0F, 2.0F}).sum(),
              at_place(without, {2.0F, 0.0F, 2.0F}).sum() + 6)
        << "the ground is lighter than what is behind it";
    // Nowhere a step: along a line from the scene outwards the difference shrinks evenly.
    int before = 255;
    for (float x = 2.0F; x < 11.0F; x += 0.5F) {
      const int apart = most_apart(at_place(with, {x, 0, x}), at_place(without, {x, 0, x}));
      EXPECT_LE(apart, before + 1) << x;
      EXPECT_GE(apart, before == 255 ? 3 : before - 8) << x;
      before = apart;
    }
    EXPECT_LE(before, 1) << "it has faded out";
    for (int x = 0; x < ground_side; ++x)
      EXPECT_LE(most_apart(at(with, x, 2), at(without, x, 2)), 1) << "nothing above the horizon";
  }
}

TEST_F(GroundTest, IsDarkWhereTheBodyTakesTheLight) {
  stand({cube});
  camera_.zoom(1.8F);
  const Picture lit = picture(with_ground(false));
  const Picture shaded = picture(with_ground(true));
  // The light comes from the upper left of the eye, and a little from before.
  const glm::vec3 right = glm::normalize(camera_.right());
  const auto darker = [&](const glm::vec3& place) {
    return at_place(lit, place).sum() - at_place(shaded, place).sum();
  };
  EXPECT_GT(darker(right * 1.75F), 40);
  EXPECT_LE(darker(right * -2.5F), 1) << "on the other side it is lit";
  EXPECT_GT(darker(right * 1.75F), darker(right * 2.9F) + 20) << "the shadow ends";
  RenderOptions none = bare();
  none.shadows = true;
  const Picture without = picture(none);
  EXPECT_EQ(at_place(without, right * 1.75F).sum(), at_place(picture(bare()), right * 1.75F).sum());
}

TEST_F(GroundTest, ShadowIsHardWhereTheBodyStandsAndSoftBelowAHighOne) {
  // The widest step of brightness between two neighbours along a line across the shadow.
  const auto steepest = [&](const Aabb& box) {
    stand({box,
           {{-2.0F, 0.0F, -2.0F}, {-1.98F, 0.02F, -1.98F}},
           {{1.98F, 2.5F, 1.98F}, {2, 2.52F, 2}}});
    camera_.look_from(Side::top);
    camera_.orbit(0.0F, -0.5F);
    camera_.fit(bounds_, 1.0F);
    const Picture lit = picture(with_ground(false));
    const Picture shaded = picture(with_ground(true));
    const Picture body = picture(bare());
    const Picture ground = picture(with_ground(false));
    int widest = 0;
    for (int y = 0; y < ground_side; ++y)
      for (int x = 1; x < ground_side; ++x) {
        // The ground alone counts.
        const auto share = [&](int column) {
          return at(lit, column, y).sum() - at(shaded, column, y).sum();
        };
        const bool is_ground = most_apart(at(body, x, y), at(ground, x, y)) > 0 &&
                               most_apart(at(body, x - 1, y), at(ground, x - 1, y)) > 0;
        if (is_ground) widest = std::max(widest, std::abs(share(x) - share(x - 1)));
      }
    return widest;
  };
  const int near = steepest({{-0.5F, 0.0F, -0.5F}, {0.5F, 0.3F, 0.5F}});
  const int high = steepest({{-0.5F, 2.2F, -0.5F}, {0.5F, 2.5F, 0.5F}});
  EXPECT_GT(near, high + high / 2);
}

// Else the ground would darken or brighten around the bodies when what moved comes to rest.
TEST_F(GroundTest, ShadowIsAsSoftInACoarsePicture) {
  stand({{{-0.5F, 2.2F, -0.5F}, {0.5F, 2.5F, 0.5F}}, {{-2, 0, -2}, {-1.98F, 0.02F, -1.98F}}});
  camera_.look_from(Side::top);
  camera_.orbit(0.0F, -0.5F);
  camera_.fit(bounds_, 1.0F);
  const auto seen = [&](bool coarse, bool shadows) {
    RenderOptions options = with_ground(shadows);
    options.antialiased = !coarse;
    return picture(options);
  };
  const Picture lit = seen(false, false);
  const Picture sharp = seen(false, true);
  const Picture coarse_lit = seen(true, false);
  const Picture coarse = seen(true, true);
  const Picture body = picture(bare());
  // Beside bodies, whose edges only the sharp picture smooths.
  const auto is_ground = [&](int x, int y) {
    for (int i = 0; i < 9; ++i) {
      const int column = x + i % 3 - 1;
      const int row = y + i / 3 - 1;
      if (most_apart(at(body, column, row), at(lit, column, row)) == 0) return false;
    }
    return true;
  };
  int darkest = 0;
  int furthest = 0;
  int steepest = 0;
  const auto marker = pixel_of({-2, 0, -2});
  for (int y = 1; y < ground_side - 1; ++y)
    for (int x = 2; x < ground_side - 1; ++x) {
      if (!is_ground(x, y)) continue;
      const int dark = at(lit, x, y).sum() - at(sharp, x, y).sum();
      const int coarse_dark = at(coarse_lit, x, y).sum() - at(coarse, x, y).sum();
      darkest = std::max(darkest, dark);
      furthest = std::max(furthest, std::abs(dark - coarse_dark));
      const bool is_at_marker = std::abs(x - marker[0]) < 12 && std::abs(y - marker[1]) < 12;
      if (is_ground(x - 1, y) && !is_at_marker)
        steepest = std::max(steepest,
                            std::abs(dark - at(lit, x - 1, y).sum() + at(sharp, x - 1, y).sum()));
    }
  EXPECT_LE(furthest, darkest / 4);
  EXPECT_LE(steepest, darkest / 4) << "no step from pixel to pixel";
  EXPECT_GT(darkest, 12) << "there is a shadow";
}

TEST_F(GroundTest, IsNotDrawnFromBelow) {
  stand({cube});
  camera_.orbit(0.0F, -1.0F);
  ASSERT_LT(camera_.eye().y, 0.0F);
  EXPECT_EQ(picture(with_ground()).rgba, picture(bare()).rgba);
  // It hides nothing from there either: a part of the cube is below it.
  camera_.scene_half.y = 0.0F;
  camera_.target.y = camera_.scene_centre.y + 1.0F;
  ASSERT_LT(camera_.eye().y, camera_.floor_height());
  EXPECT_EQ(picture(with_ground()).rgba, picture(bare()).rgba);
  camera_.up_axis = UpAxis::z;
  camera_.fit(bounds_, 1.0F);
  camera_.orbit(0.0F, 1.0F);
  ASSERT_GT(camera_.eye().z, -1.0F);
  EXPECT_NE(picture(with_ground()).rgba, picture(bare()).rgba) << "with z up it is across z";
}

TEST_F(GroundTest, DoesNotFightWithWhatLiesOnIt) {
  stand({{{-1, 0, -1}, {1, 0, 1}}, {{-1, 0, -1}, {-0.9F, 0.4F, -0.9F}}});
  for (const float pitch : {0.1F, 0.4F, 1.2F}) {
    camera_.orbit(0.0F, pitch - camera_.pitch);
    for (const float away : {1.0F, 6.0F}) {
      if (pitch < 0.2F && away > 1.0F) continue;  // a strip of a pixel or two
      camera_.fit(bounds_, 1.0F);
      camera_.zoom(away);
      const Picture without = picture(bare());
      const Picture with = picture(with_ground());
      for (float x = -0.6F; x < 0.65F; x += 0.2F)
        for (float z = -0.6F; z < 0.65F; z += 0.2F)
          EXPECT_LE(most_apart(at_place(with, {x, 0, z}), at_place(without, {x, 0, z})), 1)
              << pitch << ' ' << away << ' ' << x << ' ' << z;
    }
  }
}

TEST_F(GroundTest, HidesWhatLiesBelowIt) {
  stand({cube});
  camera_.scene_half.y = 0.0F;  // the ground goes through the middle of the cube
  const Picture without = picture(bare());
  const Picture with = picture(with_ground());
  EXPECT_GT(most_apart(at_place(with, {1, 0.2F, 1}), at_place(without, {1, 0.2F, 1})), 20);
  EXPECT_LE(most_apart(at_place(with, {1, 1.8F, 1}), at_place(without, {1, 1.8F, 1})), 1);
}

TEST_F(GroundTest, IsThereThroughANarrowLens) {
  stand({cube});
  camera_.field_of_view = 0.02F;  // as good as orthographic
  camera_.fit(bounds_, 1.0F);
  camera_.zoom(2.0F);
  const Picture without = picture(bare());
  const Picture with = picture(with_ground());
  for (const glm::vec3 place : {glm::vec3(1.6F, 0, 1.6F), {-1.6F, 0, 1.6F}, {1.6F, 0, -1.6F}})
    EXPECT_GT(most_apart(at_place(with, place), at_place(without, place)), 4);
}

TEST_F(GroundTest, HasNoSeamAtTheHorizon) {
  for (const Theme theme : {Theme::dark, Theme::light})
    for (const float pitch : {0.03F, 0.15F, 0.4F}) {
      stand({{{-0.01F, 0, -0.01F}, {0.01F, 0.02F, 0.01F}}});
      camera_.orbit(0.0F, pitch - camera_.pitch);
      camera_.field_of_view = 1.2F;
      camera_.zoom(8.0F);
      RenderOptions options = with_ground();
      options.horizon = true;
      options.theme = theme;
      const Picture seen = picture(options);
      for (const int x : {2, ground_side / 4, ground_side - 3})
        for (int y = 1; y < ground_side; ++y)
          EXPECT_LE(most_apart(at(seen, x, y), at(seen, x, y - 1)), 4)
              << "pitch " << pitch << " row " << y;
    }
}

TEST_F(GroundTest, HorizonTurnsWithTheCameraAndIsLightest) {
  stand({cube});
  RenderOptions options = bare();
  options.horizon = true;
  const auto column = [&](float pitch) {
    camera_.orbit(0.0F, pitch - camera_.pitch);
    camera_.field_of_view = 1.0F;
    return picture(options);
  };
  const Picture level = column(0.0F);
  const Picture down = column(0.9F);
  EXPECT_GT(at(level, 2, ground_side / 2).sum(), at(level, 2, 2).sum() + 10);
  EXPECT_GT(at(level, 2, ground_side / 2).sum(), at(level, 2, ground_side - 3).sum() + 10);
  EXPECT_LT(at(down, 2, ground_side / 2).sum(), at(level, 2, ground_side / 2).sum() - 10);
  EXPECT_EQ(at(level, 2, 2).a, 255);
}

TEST_F(GroundTest, AFlatPageHasNoHorizon) {
  stand({cube});
  camera_.scene_half.z = 0.0F;
  RenderOptions options = bare();
  options.horizon = true;
  const auto backdrop = [&](const RenderOptions& how) {
    renderer_.draw(target_, camera_, {}, 0, how);
    return target_.read_back();
  };
  EXPECT_EQ(backdrop(options).rgba, backdrop(bare()).rgba);
  camera_.scene_half.z = 1.0F;
  EXPECT_NE(backdrop(options).rgba, backdrop(bare()).rgba);
}

// Its shadow would end at the picture's edge, over whatever page that is laid on.
TEST_F(GroundTest, TransparentPicturesHaveTheSceneAlone) {
  stand({cube});
  RenderOptions options = bare();
  options.shadows = options.transparent = true;
  const Picture alone = picture(options);
  options.ground = options.horizon = true;
  EXPECT_EQ(picture(options).rgba, alone.rgba);
  EXPECT_EQ(at_place(alone, {0, 1, 0}).a, 255);
  EXPECT_EQ(at(alone, 1, ground_side - 2).a, 0);
}

TEST_F(GroundTest, StandsUnderBodiesAlone) {
  stand({cube});
  EXPECT_NE(picture(with_ground(), OutputKind::edges).rgba,
            picture(bare(), OutputKind::edges).rgba);
  const auto nothing = [&](const RenderOptions& how) {
    renderer_.draw(target_, camera_, {}, 0, how);
    return target_.read_back();
  };
  EXPECT_EQ(nothing(with_ground()).rgba, nothing(bare()).rgba);
}

// ---- Ambient occlusion --------------------------------------------------------------------------

TEST_F(GroundTest, OcclusionDarkensACreaseAndNotAnOpenPlane) {
  // A step: a wall of 1 stands on a floor that goes on before it.
  stand({{{-2, -0.2F, -2}, {2, 0, 2}}, {{-2, 0, -2}, {2, 1.2F, -1}}});
  RenderOptions on = bare();
  on.occlusion = true;
  const Picture without = picture(bare());
  const Picture with = picture(on);
  const auto darker = [&](const glm::vec3& place) {
    const int before = at_place(without, place).sum();
    return static_cast<double>(before - at_place(with, place).sum()) / before;
  };
  EXPECT_GT(darker({0.3F, 0.03F, -1.0F}), 0.10) << "where wall and floor meet";
  EXPECT_GT(darker({0.3F, 0.0F, -0.95F}), 0.08);
  EXPECT_LT(darker({0.3F, 0.0F, 1.0F}), 0.02) << "the open floor";
  EXPECT_LT(darker({0.3F, 1.2F, -1.6F}), 0.02) << "the top of the wall";
  EXPECT_LT(darker({0.3F, 0.9F, -1.0F}), 0.06) << "high up on the wall";
  EXPECT_EQ(at(with, 1, 1).sum(), at(without, 1, 1).sum()) << "the background stays";
}

// Beyond an edge there is nothing to be close to.
TEST_F(GroundTest, OcclusionLeavesThePicturesEdgesAlone) {
  stand({{{-20, -0.2F, -20}, {20, 0, 20}}});
  camera_.zoom(0.1F);
  camera_.pitch = 0.9F;
  RenderOptions off = bare();
  off.transparent = true;
  RenderOptions on = off;
  on.occlusion = true;
  const Picture without = picture(off);
  const Picture with = picture(on);
  const int last = ground_side - 1;
  for (int i = 0; i < ground_side; ++i)
    for (const auto& [x, y] : {std::pair{i, 0}, {i, last}, {0, i}, {last, i}}) {
      ASSERT_EQ(at(without, x, y).a, 255) << "the floor fills the picture";
      EXPECT_GE(at(with, x, y).sum(), 0.97 * at(without, x, y).sum()) << x << ' ' << y;
    }
}

// What is dark behind a body does not darken the body's edges.
TEST_F(GroundTest, OcclusionEndsAtTheEdgesOfBodies) {
  const std::vector<Aabb> step = {{{-2, -0.2F, -2}, {2, 0, 2}}, {{-2, 0, -2}, {2, 1.2F, -1}}};
  std::vector<Aabb> with_panel = step;
  with_panel.push_back({{-0.5F, 0.6F, 1.2F}, {0.5F, 1.1F, 1.25F}});
  RenderOptions off = bare();
  off.antialiased = false;  // each pixel is the panel's or is not
  RenderOptions on = off;
  on.occlusion = true;
  stand(step);
  const Picture empty = picture(off);
  stand(with_panel);
  const Picture without = picture(off);
  const Picture with = picture(on);
  int pixels = 0;
  double least = 1.0;
  for (int y = 0; y < ground_side; ++y)
    for (int x = 0; x < ground_side; ++x) {
      if (most_apart(at(without, x, y), at(empty, x, y)) <= 2) continue;
      ++pixels;
      least = std::min(least, static_cast<double>(at(with, x, y).sum()) / at(without, x, y).sum());
    }
  EXPECT_GT(least, 0.98);
  EXPECT_GT(pixels, 200) << "the panel is seen";
}

TEST_F(GroundTest, OcclusionKeepsAlphaAndTheBackground) {
  stand({cube, {{1, 0, -1}, {2, 0.5F, 1}}});
  RenderOptions off = bare();
  off.transparent = true;
  RenderOptions on = off;
  on.occlusion = true;
  const Picture without = picture(off);
  const Picture with = picture(on);
  for (int y = 0; y < ground_side; ++y)
    for (int x = 0; x < ground_side; ++x) {
      ASSERT_EQ(at(with, x, y).a, at(without, x, y).a) << x << ' ' << y;
      ASSERT_LE(at(with, x, y).sum(), at(without, x, y).sum()) << "it only darkens";
    }
  EXPECT_NE(with.rgba, without.rgba);
}

TEST_F(GroundTest, OcclusionIsTheSameWithoutMultisampling) {
  stand({{{-2, -0.2F, -2}, {2, 0, 2}}, {{-2, 0, -2}, {2, 1.2F, -1}}});
  RenderOptions on = bare();
  on.occlusion = true;
  const Picture many = picture(on);
  target_ = Framebuffer(ground_side, ground_side, 1);
  const Picture one = picture(on);
  for (const glm::vec3 place : {glm::vec3(0.3F, 0, -0.95F), {0.3F, 0, 1}, {0.3F, 0.6F, -1}})
    EXPECT_LE(most_apart(at_place(many, place), at_place(one, place)), 6);
}

TEST_F(GroundTest, BodiesDarkenTheGroundWhereTheyTouchIt) {
  stand({cube});
  camera_.zoom(1.5F);
  RenderOptions on = with_ground();
  on.occlusion = true;
  const Picture without = picture(with_ground());
  const Picture with = picture(on);
  const auto darker = [&](const glm::vec3& place) {
    return at_place(without, place).sum() - at_place(with, place).sum();
  };
  EXPECT_GT(darker({1.06F, 0, 0.4F}), 8);
  EXPECT_LE(darker({2.2F, 0, 1.6F}), 2);
}

}  // namespace
}  // namespace warpview
