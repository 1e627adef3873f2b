#include "scenes/parts/reyes_reference.h"

#include <algorithm>
#include <cmath>

namespace warpview {
namespace {

class OneByOne {
 public:
  OneByOne(const ReyesView& view, std::span<const std::uint32_t> colours)
      : view_(view), colours_(colours) {
    result_.samples.assign(std::size_t{view.width} * view.height, empty_sample);
  }

  void begin(const BezierPatch& patch, std::uint32_t number) {
    ReyesPiece piece{patch, number, 0, scramble(number), 0, 0, 0};
    const bool is_measurable = std::all_of(patch.points, patch.points + 16, [this](const Vec3& p) {
      return reyes_is_measurable(reyes_clip(view_, p));
    });
    if (is_measurable) check(piece);
  }
  ReyesReference take() { return std::move(result_); }

 private:
  std::uint64_t& executed(ReyesWork work) {
    return result_.executed[static_cast<std::size_t>(work)];
  }

  // The longest of four lines through four points each.
  template <class Place>
  static float longest(const std::array<Vec3, 16>& points, Place place) {
    float most = 0.0F;
    for (std::size_t line = 0; line < 4; ++line) {
      float sum = 0.0F;
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 way = points[place(line, k + 1)] - points[place(line, k)];
        sum += std::sqrt(dot(way, way));
      }
      most = std::max(most, sum);
    }
    return most;
  }

  void check(ReyesPiece piece) {
    ++executed(ReyesWork::check);
    std::array<ReyesPoint, 16> clip;
    for (std::size_t i = 0; i < 16; ++i) clip[i] = reyes_clip(view_, piece.patch.points[i]);
    std::uint32_t outside_all = ~0U;
    std::uint32_t outside_any = 0;
    float nearest = clip[0].w;
    for (const ReyesPoint& point : clip) {
      const std::uint32_t outside = reyes_outside(view_, point);
      outside_all &= outside;
      outside_any |= outside;
      nearest = std::min(nearest, point.w);
    }
    std::array<Vec3, 16> points;
    for (std::size_t i = 0; i < 16; ++i) {
      points[i] = piece.patch.points[i];
      if ((outside_any & 16U) != 0) continue;
      const ReyesPoint on_screen = reyes_screen(view_, clip[i]);
      points[i] = {on_screen.x, on_screen.y, 0.0F};
    }
    piece.level = reyes_level(view_, nearest);
    const float row = longest(points, [](std::size_t i, std::size_t k) { return 4 * i + k; });
    const float column = longest(points, [](std::size_t i, std::size_t k) { return 4 * k + i; });
    piece.columns = reyes_cells(view_, row);
    piece.rows = reyes_cells(view_, column);
    switch (reyes_fate(view_, piece.splits, outside_all, outside_any, row, column)) {
      case ReyesFate::dropped:
        return;
      case ReyesFate::split_u:
        return split(piece, true);
      case ReyesFate::split_v:
        return split(piece, false);
      case ReyesFate::diced:
        return dice(piece);
    }
  }

  void split(const ReyesPiece& piece, bool along_u) {
    ++executed(along_u ? ReyesWork::split_u : ReyesWork::split_v);
    std::array<ReyesPiece, 2> halves = {piece, piece};
    for (std::size_t i = 0; i < 4; ++i) {
      const auto place = [=](std::size_t k) { return along_u ? 4 * i + k : 4 * k + i; };
      Vec3 line[4], first[4], second[4];
      for (std::size_t k = 0; k < 4; ++k) line[k] = piece.patch.points[place(k)];
      reyes_halve(line, first, second);
      for (std::size_t k = 0; k < 4; ++k) {
        halves[0].patch.points[place(k)] = first[k];
        halves[1].patch.points[place(k)] = second[k];
      }
    }
    for (std::uint32_t half = 0; half < 2; ++half) {
      halves[half].splits = piece.splits + 1;
      halves[half].key = reyes_child_key(piece.key, half);
      check(halves[half]);
    }
  }

  void dice(const ReyesPiece& piece) {
    ++executed(ReyesWork::dice);
    result_.micropolygons += std::uint64_t{piece.columns} * piece.rows;
    struct Point {
      ReyesPoint seen;
      std::uint32_t colour;
    };
    std::array<std::array<Point, reyes_grid>, reyes_grid> points;
    for (std::uint32_t row = 0; row <= piece.rows; ++row)
      for (std::uint32_t column = 0; column <= piece.columns; ++column) {
        const float u = static_cast<float>(column) / static_cast<float>(piece.columns);
        const float v = static_cast<float>(row) / static_cast<float>(piece.rows);
        const ReyesSurface at = reyes_evaluate(piece.patch, u, v);
        const Vec3 base =
            reyes_base_colour(view_, piece, colours_[piece.number], row * reyes_grid + column);
        points[row][column] = {
            reyes_screen(view_, reyes_clip(view_, at.place)),
            reyes_encoded(reyes_shade(view_, at.place, reyes_normal(piece.patch, at, u, v), base))};
      }
    for (std::uint32_t row = 0; row < piece.rows; ++row)
      for (std::uint32_t column = 0; column < piece.columns; ++column)
        draw({points[row][column].seen, points[row][column + 1].seen,
              points[row + 1][column + 1].seen, points[row + 1][column].seen},
             points[row][column].colour);
  }

  void draw(const std::array<ReyesPoint, 4>& around, std::uint32_t colour) {
    ReyesCorner corners[4];
    float depth = 0.0F;
    for (std::size_t k = 0; k < 4; ++k) {
      corners[k] = reyes_corner(around[k]);
      depth += around[k].w;
    }
    const std::uint64_t own = reyes_sample(std::bit_cast<std::uint32_t>(depth * 0.25F), colour);
    reyes_each_sample(view_, corners, [&](std::uint32_t place) {
      ++executed(ReyesWork::blend);
      result_.samples[place] = std::min(result_.samples[place], own);
    });
  }

  const ReyesView& view_;
  std::span<const std::uint32_t> colours_;
  ReyesReference result_;
};

}  // namespace

ReyesReference reyes_one_by_one(std::span<const BezierPatch> patches,
                                std::span<const std::uint32_t> colours, const ReyesView& view) {
  OneByOne picture(view, colours);
  for (std::size_t i = 0; i < patches.size(); ++i)
    picture.begin(patches[i], static_cast<std::uint32_t>(i));
  return picture.take();
}

std::vector<std::uint32_t> reyes_pixels(std::span<const std::uint64_t> samples, std::uint32_t width,
                                        std::uint32_t height, std::uint32_t side) {
  std::vector<std::uint32_t> pixels;
  pixels.reserve(std::size_t{width} * height);
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x)
      pixels.push_back(reyes_pixel(samples.data(), side, width * side, x, y));
  return pixels;
}

}  // namespace warpview
