// Reyes: curved patches that are split until they are small on the screen, then diced into
// micropolygons, shaded, and drawn.
//
//   R. Cook, L. Carpenter, E. Catmull, "The Reyes Image Rendering Architecture", SIGGRAPH 1987.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial: its procedures, as a load for schedulers.
//
// This header defines the contents of a picture, for the kernels and for the reference. All of it
// is compiled without fused multiply-adds, so that every device computes the same numbers.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "gpu/applications/bezier_patch.h"
#include "gpu/interop/draw_command.h"
#include "gpu/primitives/schedule/settings.h"
#include "gpu/runtime/vec.h"
#include "gpu/steps/random.h"

namespace warpview {

class HostLoop;

enum class ReyesColouring : std::uint32_t {
  material,
  patches,        // each patch of the input
  grids,          // each piece that was diced
  micropolygons,  // each of its quads
  distance        // each level of priority: see `farthest`
};

// One picture. It consists of samples: several for each pixel, side by side.
struct ReyesView {
  float to_clip[16];  // from the world to OpenGL's clip space, column by column
  Vec3 eye, right, up, backward;
  std::uint32_t width, height;  // in samples
  float size;                   // the largest side of a micropolygon, in samples
  // Nothing nearer than `nearest` is drawn. From there to `farthest`, levels of priority have equal
  // lengths.
  float nearest, farthest;
  ReyesColouring colouring;
  // Whether samples covered by something nearer are skipped. The picture is the same.
  std::uint32_t skips_hidden;
};

// A patch, or a part of one after several splits.
struct ReyesPiece {
  BezierPatch patch;
  std::uint32_t number;  // of the patch in the input
  std::uint32_t splits;
  std::uint32_t key;  // identifies the piece: for its colour
  std::uint32_t level;
  std::uint32_t columns, rows;  // in micropolygons, if the piece is diced
};

inline constexpr std::uint32_t reyes_grid = 16;  // points along a side of a grid, at most
inline constexpr std::uint32_t reyes_levels = 4;
// A piece that reaches behind the eye cannot be measured: it is split this often, then dropped.
inline constexpr std::uint32_t most_eye_splits = 12;
inline constexpr std::uint32_t most_splits = 40;

// A sample that nothing has covered.
inline constexpr std::uint64_t empty_sample = ~std::uint64_t{0};

// The procedures, in their order.
enum class ReyesWork : std::uint32_t { check, split_u, split_v, dice, blend };
inline constexpr unsigned reyes_procedures = 5;

// `micropolygons` becomes their number. `samples` become the nearest surface that covers them: its
// distance in the upper 32 bits, as the bits of a float, and its colour in the lower ones.
struct ReyesArgs {
  const BezierPatch* patches = nullptr;    // [n]
  const std::uint32_t* colours = nullptr;  // [n], of the patches: red in the lowest bits; sRGB
  std::uint32_t n = 0;
  const ReyesView* view = nullptr;   // in device memory
  std::uint64_t* samples = nullptr;  // [sample_count], row by row from the top
  std::uint64_t sample_count = 0;    // the view's number of samples
  std::uint32_t* micropolygons = nullptr;
  Scheduler scheduler{};
  ScheduleSettings settings{};  // capacity: by ReyesWork
  HostLoop* host = nullptr;     // for schedulers with host_looks()
};

// The picture of `samples`: each pixel is the mean of its covered samples out of side x side, and
// its alpha is the covered fraction.
struct ReyesPictureArgs {
  const std::uint64_t* samples = nullptr;
  std::uint32_t width = 0, height = 0;  // in pixels
  std::uint32_t side = 1;
  std::uint32_t* out = nullptr;    // [width * height], as OutputKind::image
  DrawCommand* command = nullptr;  // or null
};

// --- for kernels and for the reference

struct ReyesPoint {
  float x, y;  // in samples, from the upper left
  float w;     // distance from the eye, along its line of sight
};
HOST_DEVICE inline ReyesPoint reyes_clip(const ReyesView& view, Vec3 p) {
  const float* m = view.to_clip;
  return {m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12],
          m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13],
          m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15]};
}
// From clip space to samples; only for points that are not nearer than `nearest`.
HOST_DEVICE inline ReyesPoint reyes_screen(const ReyesView& view, ReyesPoint clip) {
  return {(clip.x / clip.w * 0.5F + 0.5F) * static_cast<float>(view.width),
          (0.5F - clip.y / clip.w * 0.5F) * static_cast<float>(view.height), clip.w};
}
// The sides of the view frustum that the point lies beyond, one bit each. A patch with all control
// points beyond the same side is invisible, because it lies in their convex hull.
HOST_DEVICE inline std::uint32_t reyes_outside(const ReyesView& view, ReyesPoint clip) {
  return (clip.x < -clip.w ? 1U : 0U) | (clip.x > clip.w ? 2U : 0U) | (clip.y < -clip.w ? 4U : 0U) |
         (clip.y > clip.w ? 8U : 0U) | (clip.w < view.nearest ? 16U : 0U);
}
// Control points farther out than this cannot be located on the screen: their patches are dropped.
HOST_DEVICE inline bool reyes_is_measurable(ReyesPoint clip) {
  constexpr float most = 1e15F;
  return clip.x > -most && clip.x < most && clip.y > -most && clip.y < most && clip.w > -most &&
         clip.w < most;
}
HOST_DEVICE inline std::uint32_t reyes_level(const ReyesView& view, float w) {
  const float share = (w - view.nearest) / (view.farthest - view.nearest);
  const float level = share * static_cast<float>(reyes_levels);
  if (!(level > 0.0F)) return 0;
  return level < static_cast<float>(reyes_levels) ? static_cast<std::uint32_t>(level)
                                                  : reyes_levels - 1;
}

// The fate of a piece, by the longest row and column of its control net: measured in the world if
// it reaches behind the eye, otherwise in samples.
enum class ReyesFate : std::uint32_t { dropped, split_u, split_v, diced };
HOST_DEVICE inline ReyesFate reyes_fate(const ReyesView& view, std::uint32_t splits,
                                        std::uint32_t outside_all, std::uint32_t outside_any,
                                        float longest_row, float longest_column) {
  if (outside_all != 0 || splits >= most_splits) return ReyesFate::dropped;
  const bool reaches_behind = (outside_any & 16U) != 0;
  if (reaches_behind && splits >= most_eye_splits) return ReyesFate::dropped;
  const float most = view.size * static_cast<float>(reyes_grid - 1);
  if (!reaches_behind && longest_row <= most && longest_column <= most) return ReyesFate::diced;
  return longest_row >= longest_column ? ReyesFate::split_u : ReyesFate::split_v;
}

// The number of micropolygons along a piece of that length.
HOST_DEVICE inline std::uint32_t reyes_cells(const ReyesView& view, float longest) {
  const float wanted = longest / view.size;
  constexpr float most = reyes_grid - 1;
  if (!(wanted > 1.0F)) return 1;
  return static_cast<std::uint32_t>(std::ceil(wanted < most ? wanted : most));
}

// Splits a row or column of control points in half (de Casteljau).
HOST_DEVICE inline void reyes_halve(const Vec3 (&p)[4], Vec3 (&first)[4], Vec3 (&second)[4]) {
  const Vec3 a = (p[0] + p[1]) * 0.5F;
  const Vec3 b = (p[1] + p[2]) * 0.5F;
  const Vec3 c = (p[2] + p[3]) * 0.5F;
  const Vec3 d = (a + b) * 0.5F;
  const Vec3 e = (b + c) * 0.5F;
  first[0] = p[0];
  first[1] = a;
  first[2] = d;
  first[3] = second[0] = (d + e) * 0.5F;
  second[1] = e;
  second[2] = c;
  second[3] = p[3];
}
HOST_DEVICE constexpr std::uint32_t reyes_child_key(std::uint32_t key, std::uint32_t half) {
  return scramble(2 * key + half + 1);
}

// Bernstein polynomials and their derivatives.
HOST_DEVICE inline void reyes_weights(float t, float (&of)[4], float (&by)[4]) {
  const float s = 1.0F - t;
  of[0] = s * s * s;
  of[1] = 3.0F * t * s * s;
  of[2] = 3.0F * t * t * s;
  of[3] = t * t * t;
  by[0] = -3.0F * s * s;
  by[1] = 3.0F * s * s - 6.0F * t * s;
  by[2] = 6.0F * t * s - 3.0F * t * t;
  by[3] = 3.0F * t * t;
}
struct ReyesSurface {
  Vec3 place, along_u, along_v;
};
HOST_DEVICE inline ReyesSurface reyes_evaluate(const BezierPatch& patch, float u, float v) {
  float u_of[4], u_by[4], v_of[4], v_by[4];
  reyes_weights(u, u_of, u_by);
  reyes_weights(v, v_of, v_by);
  ReyesSurface at{};
  for (int row = 0; row < 4; ++row) {
    Vec3 place{0.0F, 0.0F, 0.0F};
    Vec3 along{0.0F, 0.0F, 0.0F};
    for (int column = 0; column < 4; ++column) {
      const Vec3 p = patch.points[4 * row + column];
      place = place + p * u_of[column];
      along = along + p * u_by[column];
    }
    at.place = at.place + place * v_of[row];
    at.along_u = at.along_u + along * v_of[row];
    at.along_v = at.along_v + place * v_by[row];
  }
  return at;
}
HOST_DEVICE inline Vec3 reyes_unit(Vec3 v) {
  const float square = dot(v, v);
  return square > 0.0F ? v * (1.0F / std::sqrt(square)) : Vec3{0.0F, 0.0F, 0.0F};
}
// Where a side of the patch has shrunk to a point there is no normal: it is taken slightly inwards.
HOST_DEVICE inline Vec3 reyes_normal(const BezierPatch& patch, const ReyesSurface& at, float u,
                                     float v) {
  const Vec3 normal = cross(at.along_u, at.along_v);
  const float by_u = dot(at.along_u, at.along_u);
  const float by_v = dot(at.along_v, at.along_v);
  constexpr float flat = 1e-8F;
  const bool has_shrunk = !(by_u > flat * by_v && by_v > flat * by_u);
  if (!has_shrunk && dot(normal, normal) > flat * by_u * by_v) return reyes_unit(normal);
  constexpr float inwards = 1.0F / 64.0F;
  const ReyesSurface near =
      reyes_evaluate(patch, u + (0.5F - u) * inwards, v + (0.5F - v) * inwards);
  return reyes_unit(cross(near.along_u, near.along_v));
}

// Colours are squared to compute with, and shown as square roots: close to sRGB, and the same on
// every device.
HOST_DEVICE inline Vec3 reyes_decoded(std::uint32_t colour) {
  const auto part = [colour](unsigned shift) {
    const float share = static_cast<float>(colour >> shift & 255U) / 255.0F;
    return share * share;
  };
  return {part(0), part(8), part(16)};
}
HOST_DEVICE inline std::uint32_t reyes_encoded(Vec3 colour) {
  const auto part = [](float share) {
    if (!(share > 0.0F)) return 0U;
    return share < 1.0F ? static_cast<std::uint32_t>(std::floor(std::sqrt(share) * 255.0F + 0.5F))
                        : 255U;
  };
  return part(colour.x) | part(colour.y) << 8U | part(colour.z) << 16U | 0xff000000U;
}
// One of many bright colours.
HOST_DEVICE inline Vec3 reyes_any_colour(std::uint32_t word) {
  const std::uint32_t bits = scramble(word);
  const float hue = static_cast<float>(bits >> 8U & 0xffffU) / 65536.0F * 6.0F;
  const float depth = 0.45F + 0.45F * static_cast<float>(bits & 255U) / 255.0F;
  const auto part = [hue, depth](float at) {
    float off = hue > at ? hue - at : at - hue;
    if (off > 3.0F) off = 6.0F - off;
    const float share = off < 1.0F ? 1.0F : off > 2.0F ? 0.0F : 2.0F - off;
    return 1.0F - depth * (1.0F - share);
  };
  return {part(0.0F), part(2.0F), part(4.0F)};
}
HOST_DEVICE inline Vec3 reyes_base_colour(const ReyesView& view, const ReyesPiece& piece,
                                          std::uint32_t colour, std::uint32_t quad) {
  switch (view.colouring) {
    case ReyesColouring::patches:
      return reyes_any_colour(piece.number + 1);
    case ReyesColouring::grids:
      return reyes_any_colour(piece.key);
    case ReyesColouring::micropolygons:
      return reyes_any_colour(piece.key + quad * 0x9e3779b9U);
    case ReyesColouring::distance: {
      const float share = static_cast<float>(piece.level) / (reyes_levels - 1);
      return {0.85F - 0.8F * share, 0.45F - 0.2F * share, 0.05F + 0.8F * share};
    }
    case ReyesColouring::material:
      break;
  }
  return reyes_decoded(colour);
}
// Two lights that move with the eye, for both sides of the surface.
HOST_DEVICE inline Vec3 reyes_shade(const ReyesView& view, Vec3 place, Vec3 normal, Vec3 base) {
  const Vec3 to_eye = reyes_unit(view.eye - place);
  if (dot(normal, to_eye) < 0.0F) normal = normal * -1.0F;
  const Vec3 key = reyes_unit(view.right * -0.55F + view.up * 0.70F + view.backward * 0.62F);
  const Vec3 rim = reyes_unit(view.right * 0.75F + view.up * 0.45F + view.backward * -0.55F);
  const float by_key = max_of(dot(normal, key), 0.0F);
  const float by_rim = max_of(dot(normal, rim), 0.0F);
  float gloss = max_of(dot(normal, reyes_unit(key + to_eye)), 0.0F);
  for (int k = 0; k < 5; ++k) gloss = gloss * gloss;  // to the 32nd power
  const float sky = 0.5F + 0.5F * dot(normal, view.up);
  const Vec3 light = Vec3{0.07F, 0.08F, 0.10F} + Vec3{0.10F, 0.11F, 0.13F} * sky +
                     Vec3{0.82F, 0.79F, 0.74F} * by_key + Vec3{0.16F, 0.20F, 0.28F} * by_rim;
  const float shine = 0.30F * gloss;
  return {base.x * light.x + shine, base.y * light.y + shine, base.z * light.z + shine};
}

// A micropolygon's corners in units of 1/256 of a sample. It covers the samples whose centre is in
// it or within an eighth of a sample of it, so that there are no cracks between pieces that were
// split differently.
struct ReyesCorner {
  std::int32_t x, y;
};
HOST_DEVICE inline ReyesCorner reyes_corner(ReyesPoint p) {
  const auto fixed = [](float value) {
    constexpr float most = 4194304.0F;
    const float scaled = std::floor(value * 256.0F + 0.5F);
    return static_cast<std::int32_t>(scaled < -most ? -most : scaled > most ? most : scaled);
  };
  return {fixed(p.x), fixed(p.y)};
}
HOST_DEVICE inline bool reyes_covers(ReyesCorner a, ReyesCorner b, ReyesCorner c, std::int32_t x,
                                     std::int32_t y) {
  const auto beside = [](ReyesCorner from, ReyesCorner to, std::int32_t px, std::int32_t py) {
    return std::int64_t{to.x - from.x} * (py - from.y) -
           std::int64_t{to.y - from.y} * (px - from.x);
  };
  const std::int64_t area = beside(a, b, c.x, c.y);
  if (area == 0) return false;
  const auto is_in = [&](ReyesCorner from, ReyesCorner to) {
    const std::int32_t dx = to.x - from.x;
    const std::int32_t dy = to.y - from.y;
    constexpr std::int32_t slack = 32;
    const std::int64_t reach = std::int64_t{slack} * ((dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy));
    const std::int64_t side = beside(from, to, x, y);
    return area > 0 ? side >= -reach : side <= reach;
  };
  return is_in(a, b) && is_in(b, c) && is_in(c, a);
}
// Calls put(sample) for each sample that a quad covers; its corners in order around it.
template <class Put>
HOST_DEVICE inline void reyes_each_sample(const ReyesView& view, const ReyesCorner (&corners)[4],
                                          Put put) {
  constexpr std::int32_t middle = 128;
  constexpr std::int32_t slack = 32;
  ReyesCorner low = corners[0];
  ReyesCorner high = corners[0];
  for (const ReyesCorner corner : corners) {
    if (corner.x < low.x) low.x = corner.x;
    if (corner.y < low.y) low.y = corner.y;
    if (corner.x > high.x) high.x = corner.x;
    if (corner.y > high.y) high.y = corner.y;
  }
  const auto first = [](std::int32_t least) {
    const std::int32_t at = (least - slack - middle + 255) >> 8;
    return at < 0 ? 0 : at;
  };
  const auto last = [](std::int32_t most, std::uint32_t count) {
    const std::int32_t at = (most + slack - middle) >> 8;
    const auto end = static_cast<std::int32_t>(count) - 1;
    return at < end ? at : end;
  };
  const std::int32_t right = last(high.x, view.width);
  const std::int32_t bottom = last(high.y, view.height);
  for (std::int32_t y = first(low.y); y <= bottom; ++y)
    for (std::int32_t x = first(low.x); x <= right; ++x) {
      const std::int32_t at_x = 256 * x + middle;
      const std::int32_t at_y = 256 * y + middle;
      if (reyes_covers(corners[0], corners[1], corners[2], at_x, at_y) ||
          reyes_covers(corners[0], corners[2], corners[3], at_x, at_y))
        put(static_cast<std::uint32_t>(y) * view.width + static_cast<std::uint32_t>(x));
    }
}
HOST_DEVICE inline std::uint64_t reyes_sample(std::uint32_t depth, std::uint32_t colour) {
  return std::uint64_t{depth} << 32U | colour;
}

// A pixel of `side` x `side` samples.
HOST_DEVICE inline std::uint32_t reyes_pixel(const std::uint64_t* samples, std::uint32_t side,
                                             std::uint32_t row, std::uint32_t x, std::uint32_t y) {
  Vec3 sum{0.0F, 0.0F, 0.0F};
  std::uint32_t covered = 0;
  for (std::uint32_t j = 0; j < side; ++j)
    for (std::uint32_t i = 0; i < side; ++i) {
      const std::uint64_t sample = samples[std::uint64_t{y * side + j} * row + x * side + i];
      if (sample == empty_sample) continue;
      sum = sum + reyes_decoded(static_cast<std::uint32_t>(sample));
      ++covered;
    }
  if (covered == 0) return 0;
  const std::uint32_t colour = reyes_encoded(sum * (1.0F / static_cast<float>(covered)));
  const std::uint32_t alpha = (covered * 255 + side * side / 2) / (side * side);
  return (colour & 0xffffffU) | alpha << 24U;
}

}  // namespace warpview
