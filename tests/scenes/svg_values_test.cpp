// Clipping of outlines.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "scenes/files/mesh.h"
#include "scenes/files/svg_values.h"
#include "scenes/parts/filled_paths.h"

namespace warpview::test {
namespace {

FilledPaths filled(const SvgOutlines& outlines, SvgRule rule) {
  Mesh mesh;
  EXPECT_TRUE(outlines.append_to(mesh.picture.segments, {}));
  mesh.picture.paths = {
      {0, static_cast<std::uint32_t>(mesh.picture.segments.size()), 0xff000000, rule}};
  mesh.picture.names = {""};
  return filled_paths_of(mesh);
}

// Segments begin and end at the same points, each equally often.
void expect_closed(const PathPicture& picture) {
  std::map<std::pair<float, float>, int> open;
  for (const SvgSegment& segment : picture.segments) {
    ++open[{segment.x[0], segment.y[0]}];
    --open[{segment.x[3], segment.y[3]}];
  }
  for (const auto& [place, count] : open)
    ASSERT_EQ(count, 0) << place.first << ", " << place.second;
}

// Clipping changes nothing for points within all half-planes, and no other point is inside.
TEST(SvgClip, PointsInsideStayAndOthersGo) {
  std::mt19937 random(20);
  const auto number = [&random] {
    return static_cast<double>(random() % 20001) / 10000.0 - 1.0;  // -1 to 1
  };
  std::size_t points = 0;
  for (int round = 0; round < 60; ++round) {
    SvgOutlines whole;
    for (int outline = 0; outline < 2; ++outline) {
      whole.move_to(number(), number());
      for (int i = 0; i < 3; ++i) {
        whole.cubic_to(number(), number(), number(), number(), number(), number());
        whole.quadratic_to(number(), number(), number(), number());
        whole.line_to(number(), number());
      }
      whole.close();
    }
    const double degrees = round % 3 == 0 ? 0.0 : number() * 180.0;
    const double cosine = std::cos(degrees);
    const double sine = std::sin(degrees);
    const SvgTransform turn{{cosine, sine, sine, -cosine, number() / 4, number() / 4}};
    const std::vector<SvgHalfPlane> sides = half_planes_of({-0.4, -0.3, 0.8, 0.6}, turn);
    ASSERT_EQ(sides.size(), 4U);
    SvgOutlines clipped = whole;
    for (const SvgHalfPlane& side : sides) clipped.clip(side);
    for (const SvgRule rule : {SvgRule::nonzero, SvgRule::even_odd}) {
      const FilledPaths before = filled(whole, rule);
      const FilledPaths after = filled(clipped, rule);
      expect_closed(after.picture);
      for (int i = 0; i < 200; ++i) {
        const SvgPoint p{number(), number()};
        double away = -1;
        for (const SvgHalfPlane& side : sides) away = std::max(away, side.distance(p));
        if (std::abs(away) < 0.01) continue;
        const bool was_inside = path_at(before, p.x, p.y, 0).has_value();
        // path_at() approximates curves by lines, differently after a cut.
        const bool is_near_an_edge =
            was_inside != path_at(before, p.x + 4e-3, p.y + 4e-3, 0).has_value() ||
            was_inside != path_at(before, p.x - 4e-3, p.y - 4e-3, 0).has_value() ||
            was_inside != path_at(before, p.x + 4e-3, p.y - 4e-3, 0).has_value() ||
            was_inside != path_at(before, p.x - 4e-3, p.y + 4e-3, 0).has_value();
        if (is_near_an_edge) continue;
        ASSERT_EQ(path_at(after, p.x, p.y, 0).has_value(), away < 0 && was_inside)
            << "round " << round << " at " << p.x << ", " << p.y;
        points += was_inside && away < 0 ? 1U : 0U;
      }
    }
  }
  EXPECT_GT(points, 1000U);
}

// An outline that is wholly inside stays, and one that is wholly outside vanishes.
TEST(SvgClip, WholeOutlines) {
  SvgOutlines outlines;
  ASSERT_TRUE(read_svg_path("M0 0 C1 2 3 4 5 0 Q4 7 0 9 z", outlines));
  const std::size_t size = outlines.size();
  SvgOutlines all = outlines;
  all.clip({{5, 0}, {1, 0}});  // it touches the border
  EXPECT_EQ(all.size(), size);
  all.clip({{-1, 0}, {1, 0}});
  EXPECT_EQ(all.size(), 0U);
}

// Lines along a border are merged, so repeated clips do not add segments.
TEST(SvgClip, ManyClipsStaySmall) {
  SvgOutlines outlines;
  std::string data = "M0 0";
  for (int i = 0; i < 100; ++i) data += " L9 " + std::to_string(i) + " L0 " + std::to_string(i);
  ASSERT_TRUE(read_svg_path(data + "z", outlines));
  const std::size_t size = outlines.size();
  for (int i = 0; i < 1000; ++i) outlines.clip({{9.0 - i * 0.008, 0}, {1, 0}});
  EXPECT_LE(outlines.size(), 2 * size);
  // Far points come to lie exactly on the border.
  SvgOutlines far;
  ASSERT_TRUE(read_svg_path("M0 0 L1e9 3 L1e12 7 L0 9z", far));
  far.clip({{0.1, 0}, {1, 0}});
  std::vector<SvgSegment> segments;
  ASSERT_TRUE(far.append_to(segments, {}));
  for (const SvgSegment& segment : segments)
    for (const float x : segment.x) EXPECT_LE(x, 0.1F);
}

}  // namespace
}  // namespace warpview::test
