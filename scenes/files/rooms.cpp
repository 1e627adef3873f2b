#include "scenes/files/rooms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gpu/operators/split_mix.h"
#include "scenes/files/double_point.h"

namespace warpview {
namespace {

using generated::Point;

constexpr double circle = 2.0 * std::numbers::pi;

// Metres. Walls and floors are at multiples of 1/1024, so their corners coincide bit by bit.
constexpr double storey = 3.0;
constexpr double room_height = 2.75;
constexpr double half_wall = 0.125;  // from a line of the plan to a wall's face

enum Finish : std::uint32_t {
  white_wall,
  warm_wall,
  green_wall,
  ceiling_white,
  parquet,
  tiles_grey,
  outside,
  oak,
  walnut,
  painted,
  steel,
  red_cloth,
  blue_cloth,
  sand_cloth,
  porcelain,
  clay_brown,
  celadon,
  leaf_green,
  first_book,
  last_book = first_book + 5,
  lampshade,
  lamp_light,
  daylight,
  dark_pane,
  finishes
};

std::vector<Material> house_materials() {
  constexpr Vec3 matt{0.04F, 0.04F, 0.04F};
  constexpr Vec3 glossy{0.30F, 0.30F, 0.30F};
  std::vector<Material> all(finishes);
  const auto set = [&all](Finish finish, const char* name, Vec3 diffuse, Vec3 specular,
                          Vec3 emissive = {}) {
    all[finish] = {.name = name, .diffuse = diffuse, .specular = specular, .emissive = emissive};
  };
  set(white_wall, "white_wall", {0.82F, 0.81F, 0.78F}, matt);
  set(warm_wall, "warm_wall", {0.80F, 0.70F, 0.55F}, matt);
  set(green_wall, "green_wall", {0.55F, 0.66F, 0.60F}, matt);
  set(ceiling_white, "ceiling", {0.88F, 0.88F, 0.87F}, matt);
  set(parquet, "parquet", {0.50F, 0.33F, 0.19F}, glossy);
  set(tiles_grey, "tiles", {0.56F, 0.57F, 0.58F}, glossy);
  set(outside, "outside", {0.62F, 0.50F, 0.42F}, matt);
  set(oak, "oak", {0.66F, 0.47F, 0.28F}, glossy);
  set(walnut, "walnut", {0.32F, 0.20F, 0.12F}, glossy);
  set(painted, "painted", {0.86F, 0.86F, 0.82F}, glossy);
  set(steel, "steel", {0.45F, 0.46F, 0.48F}, {0.60F, 0.60F, 0.60F});
  set(red_cloth, "red_cloth", {0.56F, 0.16F, 0.14F}, matt);
  set(blue_cloth, "blue_cloth", {0.18F, 0.27F, 0.45F}, matt);
  set(sand_cloth, "sand_cloth", {0.72F, 0.64F, 0.50F}, matt);
  set(porcelain, "porcelain", {0.86F, 0.87F, 0.90F}, {0.50F, 0.50F, 0.50F});
  set(clay_brown, "clay", {0.62F, 0.33F, 0.20F}, glossy);
  set(celadon, "celadon", {0.42F, 0.60F, 0.52F}, {0.45F, 0.45F, 0.45F});
  set(leaf_green, "leaf", {0.20F, 0.42F, 0.14F}, glossy);
  constexpr std::array<Vec3, last_book - first_book + 1> spines = {{{0.50F, 0.12F, 0.12F},
                                                                    {0.14F, 0.24F, 0.42F},
                                                                    {0.16F, 0.34F, 0.22F},
                                                                    {0.76F, 0.68F, 0.48F},
                                                                    {0.28F, 0.20F, 0.26F},
                                                                    {0.74F, 0.44F, 0.14F}}};
  for (std::uint32_t i = 0; i < spines.size(); ++i)
    set(static_cast<Finish>(first_book + i), "book", spines[i], matt);
  for (std::uint32_t i = 0; i < spines.size(); ++i)
    all[first_book + i].name += std::to_string(i + 1);
  set(lampshade, "lampshade", {0.85F, 0.76F, 0.58F}, matt, {0.25F, 0.20F, 0.12F});
  set(lamp_light, "lamp", {0.90F, 0.88F, 0.80F}, matt, {3.0F, 2.6F, 2.0F});
  set(daylight, "daylight", {0.80F, 0.86F, 0.92F}, matt, {1.6F, 1.8F, 2.0F});
  set(dark_pane, "pane", {0.10F, 0.13F, 0.16F}, {0.60F, 0.60F, 0.60F});
  return all;
}

// Numbers that depend on the seed and the room, and on no other room's.
class Dice {
 public:
  Dice(std::uint64_t seed, std::uint64_t room) : state_(seed * 0xd1342543de82ef95U + room) {}

  double share() {  // from 0, below 1
    state_ += split_mix_step;
    return static_cast<double>(split_mix(state_) >> 11U) * 0x1p-53;
  }
  double between(double least, double most) { return least + (most - least) * share(); }
  bool chance(double probability) { return share() < probability; }
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(share() * static_cast<double>(n));
  }
  Finish one_of(std::initializer_list<Finish> all) {
    return all.begin()[below(static_cast<std::uint32_t>(all.size()))];
  }

 private:
  std::uint64_t state_;
};

double on_plan_grid(double metres) { return std::round(metres * 1024.0) / 1024.0; }

// Local coordinates of a wall or a piece of furniture. Seen from its front, to which z points, x
// runs to the right and y up.
struct Place {
  Point origin{};
  double cosine = 1.0;
  double sine = 0.0;

  Point direction(Point p) const {
    return {cosine * p.x + sine * p.z, p.y, cosine * p.z - sine * p.x};
  }
  Point point(Point p) const { return origin + direction(p); }
  Place moved(Point p) const { return {point(p), cosine, sine}; }
  Place turned(double angle) const {
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    return {origin, cosine * c - sine * s, sine * c + cosine * s};
  }
};

// --- pieces: each counts its triangles for an edge of some length, and makes them

void add_flat(Mesh& mesh, const Place& place, const std::array<Point, 4>& corners, Point normal,
              std::uint32_t finish) {
  const Vec3 n = generated::to_float(place.direction(normal));
  const auto corner = [&](std::size_t i, Vec2 at) {
    return Vertex{generated::to_float(place.point(corners[i])), n, at};
  };
  generated::add_quad(mesh, corner(0, {0.0F, 0.0F}), corner(1, {1.0F, 0.0F}),
                      corner(2, {1.0F, 1.0F}), corner(3, {0.0F, 1.0F}), finish);
}

struct Flat {
  Place place;
  std::array<Point, 4> corners;  // counter-clockwise from the front
  Point normal;
  std::uint32_t finish;

  std::uint64_t count(double /*edge*/) const { return 2; }
  void add(Mesh& mesh, double /*edge*/) const { add_flat(mesh, place, corners, normal, finish); }
};

struct Block {
  Place place;
  Point low, high;
  std::uint32_t finish;

  std::uint64_t count(double /*edge*/) const { return 12; }
  void add(Mesh& mesh, double /*edge*/) const {
    const auto [x, y, z] = low;
    const auto [u, v, w] = high;
    const auto face = [&](const std::array<Point, 4>& corners, Point normal) {
      add_flat(mesh, place, corners, normal, finish);
    };
    face({{{x, y, w}, {u, y, w}, {u, v, w}, {x, v, w}}}, {0.0, 0.0, 1.0});
    face({{{u, y, z}, {x, y, z}, {x, v, z}, {u, v, z}}}, {0.0, 0.0, -1.0});
    face({{{u, y, w}, {u, y, z}, {u, v, z}, {u, v, w}}}, {1.0, 0.0, 0.0});
    face({{{x, y, z}, {x, y, w}, {x, v, w}, {x, v, z}}}, {-1.0, 0.0, 0.0});
    face({{{x, v, w}, {u, v, w}, {u, v, z}, {x, v, z}}}, {0.0, 1.0, 0.0});
    face({{{x, y, z}, {u, y, z}, {u, y, w}, {x, y, w}}}, {0.0, -1.0, 0.0});
  }
};

std::uint64_t parts_of(double length, double edge, double least) {
  return static_cast<std::uint64_t>(std::max(least, std::ceil(length / edge)));
}

// A box as a pillow is one: |x|^5 + |y|^5 + |z|^5 = 1, scaled.
struct Cushion {
  Place place;  // of its centre
  Point half;
  std::uint32_t finish;

  std::array<std::uint64_t, 3> parts(double edge) const {
    return {parts_of(2.0 * half.x, edge, 2.0), parts_of(2.0 * half.y, edge, 2.0),
            parts_of(2.0 * half.z, edge, 2.0)};
  }
  std::uint64_t count(double edge) const {
    const auto [x, y, z] = parts(edge);
    return 4 * (x * y + y * z + z * x);
  }
  Vertex vertex(const std::array<double, 3>& on_cube, Vec2 at) const {
    const auto fourth = [](double a) { return a * a * a * a; };
    double sum = 0.0;
    for (const double a : on_cube) sum += fourth(a) * std::abs(a);
    const double scale = std::pow(sum, -0.2);
    const Point p = scale * Point{on_cube[0], on_cube[1], on_cube[2]};
    const auto slope = [&](double a, double size) { return std::copysign(fourth(a), a) / size; };
    const Point normal = {slope(p.x, half.x), slope(p.y, half.y), slope(p.z, half.z)};
    return {generated::to_float(place.point({p.x * half.x, p.y * half.y, p.z * half.z})),
            generated::to_float(place.direction(normalized(normal))), at};
  }
  void add(Mesh& mesh, double edge) const {
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const double side : {-1.0, 1.0}) add_side(mesh, axis, side, parts(edge));
  }

 private:
  void add_side(Mesh& mesh, std::size_t axis, double side,
                const std::array<std::uint64_t, 3>& parts) const {
    const std::size_t right = (axis + (side > 0.0 ? 1 : 2)) % 3;
    const std::size_t up = (axis + (side > 0.0 ? 2 : 1)) % 3;
    const auto at = [&](std::uint64_t i, std::uint64_t j) {
      const double a = static_cast<double>(i) / static_cast<double>(parts[right]);
      const double b = static_cast<double>(j) / static_cast<double>(parts[up]);
      std::array<double, 3> on_cube{};
      on_cube[axis] = side;
      on_cube[right] = 2.0 * a - 1.0;
      on_cube[up] = 2.0 * b - 1.0;
      return vertex(on_cube, {static_cast<float>(a), static_cast<float>(b)});
    };
    for (std::uint64_t j = 0; j < parts[up]; ++j)
      for (std::uint64_t i = 0; i < parts[right]; ++i)
        generated::add_quad(mesh, at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1), finish);
  }
};

// A profile that is turned about the place's y axis: from the axis over the outside, and back to
// the axis over the inside where it is hollow.
struct ProfileRing {
  double radius, height;
};
struct Turned {
  Place place;
  std::span<const ProfileRing> profile;  // from the axis to the axis
  double scale;
  std::uint32_t finish;
  double fineness = 1.0;  // of what the edge is multiplied by

  std::uint64_t rings(double edge) const {
    double length = 0.0;
    for (std::size_t i = 1; i < profile.size(); ++i)
      length += std::hypot(profile[i].radius - profile[i - 1].radius,
                           profile[i].height - profile[i - 1].height);
    return parts_of(scale * length, fineness * edge, static_cast<double>(profile.size() - 1));
  }
  std::uint64_t segments(double edge) const {
    double widest = 0.0;
    for (const ProfileRing& ring : profile) widest = std::max(widest, ring.radius);
    return parts_of(circle * scale * widest, fineness * edge, 6.0);
  }
  std::uint64_t count(double edge) const { return 2 * segments(edge) * (rings(edge) - 1); }

  // A point of the curve through the rings, at `along` of them, and its derivative: a spline by
  // Catmull and Rom.
  std::pair<ProfileRing, ProfileRing> curve(double along) const {
    const auto last = static_cast<std::ptrdiff_t>(profile.size()) - 1;
    const auto first = std::clamp(static_cast<std::ptrdiff_t>(along), std::ptrdiff_t{0}, last - 1);
    // Behind the axis the profile goes on as it came.
    const auto ring = [&](std::ptrdiff_t i) -> ProfileRing {
      if (i < 0) return {-profile[1].radius, profile[1].height};
      if (i > last) return {-profile[last - 1].radius, profile[last - 1].height};
      return profile[i];
    };
    const double t = along - static_cast<double>(first);
    const auto through = [t](double a, double b, double c, double d) {
      const double linear = 0.5 * (c - a);
      const double square = a - 2.5 * b + 2.0 * c - 0.5 * d;
      const double cubic = 0.5 * (d - a) + 1.5 * (b - c);
      return std::pair(b + t * (linear + t * (square + t * cubic)),
                       linear + t * (2.0 * square + t * 3.0 * cubic));
    };
    const ProfileRing a = ring(first - 1);
    const ProfileRing b = ring(first);
    const ProfileRing c = ring(first + 1);
    const ProfileRing d = ring(first + 2);
    const auto [radius, radius_dt] = through(a.radius, b.radius, c.radius, d.radius);
    const auto [height, height_dt] = through(a.height, b.height, c.height, d.height);
    return {{radius, height}, {radius_dt, height_dt}};
  }

  void add(Mesh& mesh, double edge) const {
    const std::uint64_t rows = rings(edge);
    const std::uint64_t columns = segments(edge);
    std::vector<Vertex> below(columns + 1);
    std::vector<Vertex> above(columns + 1);
    fill_ring(below, 0, rows);
    for (std::uint64_t i = 0; i < rows; ++i) {
      fill_ring(above, i + 1, rows);
      for (std::uint64_t j = 0; j < columns; ++j) {
        if (i > 0) add_triangle(mesh, below[j], below[j + 1], above[j]);
        if (i + 1 < rows) add_triangle(mesh, below[j + 1], above[j + 1], above[j]);
      }
      below.swap(above);
    }
  }

 private:
  void fill_ring(std::vector<Vertex>& ring, std::uint64_t row, std::uint64_t rows) const {
    const std::uint64_t columns = ring.size() - 1;
    const double share = static_cast<double>(row) / static_cast<double>(rows);
    const bool is_pole = row == 0 || row == rows;
    auto [at, by] = curve(share * static_cast<double>(profile.size() - 1));
    at.radius = is_pole ? 0.0 : std::max(at.radius, 0.001);
    for (std::uint64_t j = 0; j <= columns; ++j) {
      const double around = static_cast<double>(j) / static_cast<double>(columns);
      const double angle = j == columns ? 0.0 : circle * around;
      const Point out = {std::sin(angle), 0.0, std::cos(angle)};
      const Point normal = is_pole ? Point{0.0, by.radius > 0.0 ? -1.0 : 1.0, 0.0}
                                   : normalized(by.height * out + Point{0.0, -by.radius, 0.0});
      const Point position = (scale * at.radius) * out + Point{0.0, scale * at.height, 0.0};
      ring[j] = {generated::to_float(place.point(position)),
                 generated::to_float(place.direction(normal)),
                 {static_cast<float>(around), static_cast<float>(share)}};
    }
  }
  void add_triangle(Mesh& mesh, const Vertex& a, const Vertex& b, const Vertex& c) const {
    mesh.corners.insert(mesh.corners.end(), {a, b, c});
    mesh.triangle_material.push_back(finish);
  }
};

// Leaves that rise from the place's origin and bend down, folded along the middle.
struct Leaf {
  Place place;  // it grows towards z
  double length, width, rise, droop;

  static constexpr double least_parts = 3.0;
  std::uint64_t parts(double edge) const { return parts_of(length, 0.3 * edge, least_parts); }
  std::uint64_t count(double edge) const { return 4 * parts(edge) - 2; }
  void add(Mesh& mesh, double edge) const {
    const std::uint64_t rows = parts(edge);
    for (std::uint64_t i = 0; i < rows; ++i) {
      const std::array<Point, 3> near = row(i, rows);
      const std::array<Point, 3> far = row(i + 1, rows);
      for (std::size_t side = 0; side < 2; ++side) {
        const Point& a = near[side];
        const Point& b = near[side + 1];
        add_triangle(mesh, a, b, i + 1 < rows ? far[side + 1] : far[1]);
        if (i + 1 < rows) add_triangle(mesh, a, far[side + 1], far[side]);
      }
    }
  }

 private:
  // Left edge, middle, right edge.
  std::array<Point, 3> row(std::uint64_t i, std::uint64_t rows) const {
    const double s = static_cast<double>(i) / static_cast<double>(rows);
    const double half = 0.5 * width * std::sin(0.5 * circle * (0.12 + 0.88 * s));
    const Point middle = {0.0, length * (rise * s - droop * s * s),
                          length * s * std::sqrt(std::max(1.0 - rise * rise, 0.05))};
    const double fold = 0.4 * half;
    return {{middle + Point{-half, fold, 0.0}, middle, middle + Point{half, fold, 0.0}}};
  }
  void add_triangle(Mesh& mesh, Point a, Point b, Point c) const {
    const Point normal = place.direction(normalized(cross(b - a, c - a)));
    for (const Point& p : {a, b, c})
      mesh.corners.push_back(
          {generated::to_float(place.point(p)), generated::to_float(normal), {0.5F, 0.5F}});
    mesh.triangle_material.push_back(leaf_green);
  }
};

using Piece = std::variant<Flat, Block, Cushion, Turned, Leaf>;
using Pieces = std::vector<Piece>;

std::uint64_t count_of(const Pieces& pieces, double edge) {
  std::uint64_t sum = 0;
  for (const Piece& piece : pieces)
    sum += std::visit([edge](const auto& each) { return each.count(edge); }, piece);
  return sum;
}

// The shortest edge with which the pieces have at most so many triangles.
double edge_for(const Pieces& pieces, std::uint64_t triangles) {
  double too_short = 1e-5;
  double long_enough = 10.0;
  for (int step = 0; step < 60; ++step) {
    const double middle = std::sqrt(too_short * long_enough);
    (count_of(pieces, middle) > triangles ? too_short : long_enough) = middle;
  }
  return long_enough;
}

// --- furniture

void add_block(Pieces& pieces, const Place& place, Point low, Point high, std::uint32_t finish) {
  pieces.emplace_back(Block{place, low, high, finish});
}

// Four legs in the corners of a rectangle about the place's origin.
void add_legs(Pieces& pieces, const Place& place, double width, double depth, double height,
              double thickness, std::uint32_t finish) {
  for (const double x : {-0.5 * width, 0.5 * width - thickness})
    for (const double z : {-0.5 * depth, 0.5 * depth - thickness})
      add_block(pieces, place, {x, 0.0, z}, {x + thickness, height, z + thickness}, finish);
}

constexpr std::array<ProfileRing, 11> vase_profile = {{{0.0, 0.0},
                                                       {0.30, 0.0},
                                                       {0.38, 0.08},
                                                       {0.52, 0.50},
                                                       {0.36, 0.95},
                                                       {0.16, 1.20},
                                                       {0.26, 1.40},
                                                       {0.22, 1.40},
                                                       {0.12, 1.20},
                                                       {0.30, 0.90},
                                                       {0.0, 0.10}}};
constexpr std::array<ProfileRing, 9> jug_profile = {{{0.0, 0.0},
                                                     {0.34, 0.0},
                                                     {0.46, 0.25},
                                                     {0.40, 0.60},
                                                     {0.30, 0.80},
                                                     {0.34, 0.95},
                                                     {0.30, 0.95},
                                                     {0.34, 0.55},
                                                     {0.0, 0.06}}};
constexpr std::array<ProfileRing, 8> bowl_profile = {{{0.0, 0.0},
                                                      {0.26, 0.0},
                                                      {0.30, 0.06},
                                                      {0.66, 0.26},
                                                      {0.80, 0.48},
                                                      {0.76, 0.48},
                                                      {0.60, 0.28},
                                                      {0.0, 0.10}}};
constexpr std::array<ProfileRing, 6> pot_profile = {
    {{0.0, 0.0}, {0.34, 0.0}, {0.46, 0.70}, {0.50, 0.72}, {0.44, 0.66}, {0.0, 0.60}}};
constexpr std::array<ProfileRing, 5> globe_profile = {
    {{0.0, -0.5}, {0.36, -0.36}, {0.5, 0.0}, {0.36, 0.36}, {0.0, 0.5}}};
// A closed cup, open below: along the outside down, and up again within.
constexpr std::array<ProfileRing, 7> shade_profile = {{{0.0, 0.48},
                                                       {0.20, 0.44},
                                                       {0.48, 0.0},
                                                       {0.50, -0.02},
                                                       {0.46, 0.0},
                                                       {0.18, 0.42},
                                                       {0.0, 0.46}}};
constexpr std::array<ProfileRing, 6> stand_profile = {
    {{0.0, 0.0}, {0.15, 0.0}, {0.13, 0.03}, {0.016, 0.06}, {0.016, 1.48}, {0.0, 1.50}}};

void add_vessel(Pieces& pieces, const Place& place, double height, Dice& dice) {
  const Finish finish = dice.one_of({porcelain, clay_brown, celadon, porcelain});
  switch (dice.below(3)) {
    case 0:
      pieces.emplace_back(Turned{place, vase_profile, height / 1.4, finish, 0.35});
      return;
    case 1:
      pieces.emplace_back(Turned{place, jug_profile, height / 1.1, finish, 0.35});
      return;
    default:
      pieces.emplace_back(Turned{place, bowl_profile, height, finish, 0.35});
  }
}

void add_chair(Pieces& pieces, const Place& place, std::uint32_t wood, std::uint32_t cloth) {
  constexpr double side = 0.44;
  add_legs(pieces, place, side, side, 0.44, 0.04, wood);
  pieces.emplace_back(Cushion{place.moved({0.0, 0.465, 0.0}), {0.23, 0.035, 0.23}, cloth});
  for (const double x : {-0.5 * side, 0.5 * side - 0.04})
    add_block(pieces, place, {x, 0.44, -0.22}, {x + 0.04, 0.92, -0.18}, wood);
  for (const double y : {0.56, 0.70, 0.84})
    add_block(pieces, place, {-0.18, y, -0.21}, {0.18, y + 0.06, -0.19}, wood);
}

void add_table(Pieces& pieces, const Place& place, double width, double depth, double height,
               Finish wood, Dice& dice) {
  constexpr double top = 0.035;
  add_legs(pieces, place, width - 0.1, depth - 0.1, height - top, 0.06, wood);
  add_block(pieces, place, {-0.5 * width, height - top, -0.5 * depth},
            {0.5 * width, height, 0.5 * depth}, wood);
  const int vessels = 2 + static_cast<int>(3.0 * width * dice.share());
  for (int i = 0; i < vessels; ++i) {
    // Side by side, so that none is within another.
    const double x = width * ((i + 0.5) / vessels - 0.5);
    const double z = 0.5 * depth * dice.between(-0.4, 0.4);
    const double room = std::min(width / vessels, 0.6 * depth);
    add_vessel(pieces, place.moved({x, height, z}), room * dice.between(0.35, 0.58), dice);
  }
}

void add_dining(Pieces& pieces, const Place& place, double width, double depth, Dice& dice) {
  const Finish wood = dice.one_of({oak, walnut, painted});
  const Finish cloth = dice.one_of({red_cloth, blue_cloth, sand_cloth});
  add_table(pieces, place, width, depth, 0.75, wood, dice);
  const int pairs = std::max(1, static_cast<int>(width / 0.65));
  for (int i = 0; i < pairs; ++i)
    for (const double side : {-1.0, 1.0}) {
      const double x = width * ((i + 0.5) / pairs - 0.5);
      const Point at = {x, 0.0, side * (0.5 * depth + dice.between(0.05, 0.3))};
      const double turn = (side > 0.0 ? 0.5 * circle : 0.0) + dice.between(-0.25, 0.25);
      add_chair(pieces, place.moved(at).turned(turn), wood, cloth);
    }
}

void add_sofa(Pieces& pieces, const Place& place, double width, Dice& dice) {
  const Finish cloth = dice.one_of({red_cloth, blue_cloth, sand_cloth});
  const Finish pillow = dice.one_of({red_cloth, blue_cloth, sand_cloth, celadon});
  const auto cushion = [&](Point centre, Point half, std::uint32_t finish, double turn = 0.0) {
    pieces.emplace_back(Cushion{place.moved(centre).turned(turn), half, finish});
  };
  constexpr double depth = 0.85;
  cushion({0.0, 0.20, 0.5 * depth}, {0.5 * width, 0.14, 0.5 * depth}, cloth);
  cushion({0.0, 0.50, 0.13}, {0.5 * width - 0.1, 0.34, 0.12}, cloth);
  for (const double side : {-1.0, 1.0})
    cushion({side * (0.5 * width - 0.11), 0.36, 0.5 * depth}, {0.11, 0.26, 0.5 * depth}, cloth);
  const int seats = std::max(1, static_cast<int>((width - 0.4) / 0.6));
  const double seat = (width - 0.44) / seats;
  for (int i = 0; i < seats; ++i) {
    const double x = (i + 0.5) * seat - 0.5 * (width - 0.44);
    cushion({x, 0.40, 0.53}, {0.49 * seat, 0.085, 0.31}, cloth);
    if (dice.chance(0.6))
      cushion({x, 0.66, 0.33}, {0.21, 0.18, 0.07}, pillow, dice.between(-0.4, 0.4));
  }
}

// Books on a board from 0 to `end`, most of them upright.
void add_books(Pieces& pieces, const Place& place, double end, double height, double depth,
               Dice& dice) {
  double x = 0.0;
  while (x < end - 0.25) {
    const auto finish = static_cast<Finish>(first_book + dice.below(last_book - first_book + 1));
    if (dice.chance(0.04)) {  // a pile
      double y = 0.0;
      for (int i = 0; i < 3; ++i) {
        const double thickness = dice.between(0.015, 0.04);
        add_block(pieces, place, {x, y, 0.01}, {x + dice.between(0.18, 0.22), y + thickness, depth},
                  static_cast<std::uint32_t>(first_book + (finish - first_book + i) % 6));
        y += thickness + 0.001;
      }
      x += 0.23;
      continue;
    }
    const double thickness = dice.between(0.012, 0.05);
    add_block(pieces, place, {x, 0.0, 0.005},
              {x + thickness, height * dice.between(0.62, 0.92), depth * dice.between(0.6, 0.92)},
              finish);
    x += thickness + (dice.chance(0.06) ? dice.between(0.03, 0.2) : 0.001);
  }
}

// `books`: the share of each board that is full of them.
void add_shelf(Pieces& pieces, const Place& place, double width, double height, double books,
               Dice& dice) {
  constexpr double depth = 0.28;
  constexpr double board = 0.022;
  const Finish wood = dice.one_of({oak, walnut, painted});
  const double half = 0.5 * width;
  add_block(pieces, place, {-half, 0.0, 0.0}, {half, height, 0.01}, wood);
  for (const double x : {-half, half - board})
    add_block(pieces, place, {x, 0.0, 0.01}, {x + board, height, depth}, wood);
  const int boards = std::max(2, static_cast<int>(height / 0.34));
  const double step = (height - board) / boards;
  for (int i = 0; i <= boards; ++i) {
    const double y = i * step;
    add_block(pieces, place, {board - half, y, 0.01}, {half - board, y + board, depth}, wood);
    if (i == boards) break;
    const double full = books * dice.between(0.7, 1.3);
    const Place on = place.moved({board - half + 0.002, y + board, 0.01});
    const double room = width - 2.0 * board - 0.004;
    add_books(pieces, on, std::min(room * full + 0.25, room), step - board, depth - 0.02, dice);
    if (dice.chance(full < 0.75 ? 0.4 : 0.15))
      add_vessel(pieces, place.moved({half - board - 0.11, y + board, 0.15}),
                 dice.between(0.12, 0.18), dice);
  }
}

void add_cabinet(Pieces& pieces, const Place& place, double width, Dice& dice) {
  const Finish wood = dice.one_of({oak, walnut, painted});
  const double half = 0.5 * width;
  constexpr double height = 0.82;
  constexpr double depth = 0.42;
  add_block(pieces, place, {-half, 0.08, 0.0}, {half, height, depth}, wood);
  add_block(pieces, place, {-half - 0.01, height, 0.0}, {half + 0.01, height + 0.03, depth + 0.02},
            wood);
  add_legs(pieces, place.moved({0.0, 0.0, 0.5 * depth}), width - 0.06, depth - 0.06, 0.08, 0.05,
           wood);
  const int doors = std::max(1, static_cast<int>(width / 0.45));
  for (int i = 0; i < doors; ++i) {
    const double x = width * i / doors - half;
    add_block(pieces, place, {x + 0.01, 0.1, depth},
              {x + width / doors - 0.01, height - 0.02, depth + 0.018}, wood);
    pieces.emplace_back(Turned{place.moved({x + width / doors - 0.06, 0.5, depth + 0.03}),
                               globe_profile, 0.03, steel, 0.2});
  }
  for (int i = 0; i < doors; ++i)
    if (dice.chance(0.7))
      add_vessel(pieces, place.moved({width * (i + 0.5) / doors - half, height + 0.03, 0.21}),
                 dice.between(0.14, 0.24), dice);
}

void add_picture(Pieces& pieces, const Place& place, double width, Dice& dice) {
  const double height = width * dice.between(0.6, 0.9);
  add_block(pieces, place, {-0.5 * width, 1.35, 0.0}, {0.5 * width, 1.35 + height, 0.03},
            dice.one_of({oak, walnut, steel}));
  add_block(pieces, place, {0.05 - 0.5 * width, 1.40, 0.03},
            {0.5 * width - 0.05, 1.30 + height, 0.034}, first_book + dice.below(6));
}

void add_plant(Pieces& pieces, const Place& place, Dice& dice) {
  const double size = dice.between(0.38, 0.55);
  pieces.emplace_back(
      Turned{place, pot_profile, size, dice.one_of({clay_brown, porcelain, celadon}), 0.5});
  const int leaves = 22 + static_cast<int>(dice.below(14));
  for (int i = 0; i < leaves; ++i) {
    const double around = circle * (i * 0.381966 + 0.02 * dice.share());
    const double rise = dice.between(0.80, 0.97);
    pieces.emplace_back(Leaf{place.moved({0.0, 0.6 * size, 0.0}).turned(around),
                             dice.between(0.55, 1.1), dice.between(0.04, 0.09), rise,
                             dice.between(0.1, 0.5)});
  }
}

void add_standing_lamp(Pieces& pieces, const Place& place, Dice& dice) {
  const double size = dice.between(0.92, 1.05);
  pieces.emplace_back(Turned{place, stand_profile, size, steel, 0.3});
  pieces.emplace_back(
      Turned{place.moved({0.0, 1.48 * size, 0.0}), globe_profile, 0.1 * size, lamp_light, 0.3});
  pieces.emplace_back(
      Turned{place.moved({0.0, 1.40 * size, 0.0}), shade_profile, 0.46 * size, lampshade, 0.5});
}

// From a ceiling at the place's origin.
void add_hanging_lamp(Pieces& pieces, const Place& place, Dice& dice) {
  const double drop = dice.between(0.35, 0.6);
  const double size = dice.between(0.26, 0.4);
  add_block(pieces, place, {-0.006, -drop, -0.006}, {0.006, 0.0, 0.006}, steel);
  pieces.emplace_back(
      Turned{place.moved({0.0, -drop - 0.45 * size, 0.0}), globe_profile, size, lamp_light, 0.6});
}

// --- the house

// A hole in a wall, along the wall and above the floor.
struct Opening {
  double from, to, bottom, top;
};

enum class Passage { none, door, wide };

// One wall as its room sees it.
struct Wall {
  Place place;  // its lower left corner; z points into the room
  double length;
  std::optional<Opening> hole{};
  bool is_window = false;
  bool has_depth = false;  // this room makes the hole's sides
  bool has_door = false;   // which stands open
};

void add_rectangle(Pieces& pieces, const Place& place, double left, double bottom, double right,
                   double top, double z, std::uint32_t finish) {
  if (left >= right || bottom >= top) return;
  pieces.emplace_back(
      Flat{place,
           {{{left, bottom, z}, {right, bottom, z}, {right, top, z}, {left, top, z}}},
           {0.0, 0.0, 1.0},
           finish});
}

// The sides of a hole through a wall.
void add_reveal(Pieces& pieces, const Place& place, const Opening& hole, std::uint32_t finish) {
  const auto [l, r, b, t] = hole;
  constexpr double d = -2.0 * half_wall;
  const auto side = [&](const std::array<Point, 4>& corners, Point normal) {
    pieces.emplace_back(Flat{place, corners, normal, finish});
  };
  side({{{l, b, 0.0}, {l, b, d}, {l, t, d}, {l, t, 0.0}}}, {1.0, 0.0, 0.0});
  side({{{r, b, d}, {r, b, 0.0}, {r, t, 0.0}, {r, t, d}}}, {-1.0, 0.0, 0.0});
  side({{{l, b, 0.0}, {r, b, 0.0}, {r, b, d}, {l, b, d}}}, {0.0, 1.0, 0.0});
  side({{{l, t, d}, {r, t, d}, {r, t, 0.0}, {l, t, 0.0}}}, {0.0, -1.0, 0.0});
}

void add_window(Pieces& pieces, const Place& place, const Opening& hole) {
  constexpr double bar = 0.05;
  constexpr double pane = -0.2;
  const auto [l, r, b, t] = hole;
  add_rectangle(pieces, place, l, b, r, t, pane, daylight);
  const auto frame = [&](double left, double bottom, double right, double top) {
    add_block(pieces, place, {left, bottom, pane + 0.001}, {right, top, pane + 0.06}, painted);
  };
  frame(l, b, r, b + bar);
  frame(l, t - bar, r, t);
  frame(l, b + bar, l + bar, t - bar);
  frame(r - bar, b + bar, r, t - bar);
  // As it is seen from outside, before the shell.
  constexpr double shell = -2.0 * half_wall;
  add_block(pieces, place, {l - bar, b - bar, shell - 0.03}, {r + bar, t + bar, shell}, painted);
  pieces.emplace_back(Flat{
      place,
      {{{r, b, shell - 0.04}, {l, b, shell - 0.04}, {l, t, shell - 0.04}, {r, t, shell - 0.04}}},
      {0.0, 0.0, -1.0},
      dark_pane});
  const double middle = 0.5 * (l + r);
  frame(middle - 0.5 * bar, b + bar, middle + 0.5 * bar, t - bar);
}

void add_wall(Pieces& pieces, const Wall& wall, std::uint32_t finish, Dice& dice) {
  const double turn = dice.between(1.6, 2.9);
  if (!wall.hole) {
    add_rectangle(pieces, wall.place, 0.0, 0.0, wall.length, room_height, 0.0, finish);
    return;
  }
  const auto [l, r, b, t] = *wall.hole;
  add_rectangle(pieces, wall.place, 0.0, 0.0, l, room_height, 0.0, finish);
  add_rectangle(pieces, wall.place, r, 0.0, wall.length, room_height, 0.0, finish);
  add_rectangle(pieces, wall.place, l, 0.0, r, b, 0.0, finish);
  add_rectangle(pieces, wall.place, l, t, r, room_height, 0.0, finish);
  if (wall.has_depth) add_reveal(pieces, wall.place, *wall.hole, painted);
  if (wall.is_window) add_window(pieces, wall.place, *wall.hole);
  if (wall.has_door)
    add_block(pieces, wall.place.moved({l + 0.02, 0.0, 0.02}).turned(-turn), {0.0, 0.01, -0.02},
              {r - l - 0.04, t - 0.02, 0.02}, painted);
}

// What a room has triangles for.
struct Plenty {
  double furniture;  // the share of places that are taken
  double books;      // the share of each board that is full of them
};

// Pieces side by side along a stretch of a wall.
void furnish_wall(Pieces& pieces, const Place& wall, double from, double to, const Plenty& plenty,
                  Dice& dice) {
  constexpr double corner_piece = 0.75;
  double x = from;
  while (to - x > corner_piece) {
    const double room = to - x;
    const double width = std::min(room, dice.between(1.1, 2.2));
    const Place at = wall.moved({x + 0.5 * width, 0.0, 0.0});
    const bool is_taken = dice.chance(plenty.furniture);
    const double what = is_taken ? dice.share() : 1.0;
    if (width < 1.1 && is_taken) {
      const Place stands = wall.moved({x + 0.5 * corner_piece, 0.0, 0.4});
      if (what < 0.45)
        add_plant(pieces, stands, dice);
      else if (what < 0.75)
        add_standing_lamp(pieces, stands, dice);
      else
        add_vessel(pieces, stands, dice.between(0.5, 0.8), dice);
      x += corner_piece;
      continue;
    }
    if (what < 0.45) {
      add_shelf(pieces, at, width - 0.08, dice.between(1.4, 2.3), plenty.books, dice);
    } else if (what < 0.70 && width > 1.3) {
      add_sofa(pieces, at, width - 0.1, dice);
      add_picture(pieces, at, 0.6 * width, dice);
    } else if (what < 0.9) {
      add_cabinet(pieces, at, width - 0.12, dice);
      add_picture(pieces, at, 0.4 * width, dice);
    } else {
      add_picture(pieces, at, 0.7 * width, dice);
    }
    x += width;
  }
}

struct Extent {
  double from, to;
  double size() const { return to - from; }
};

struct Room {
  Extent x, z;
  double floor;
  std::array<Wall, 4> walls;  // at least z, least x, most z, most x

  Point middle(double height) const {
    return {0.5 * (x.from + x.to), floor + height, 0.5 * (z.from + z.to)};
  }
};

void furnish_middle(Pieces& pieces, const Room& room, Dice& dice) {
  const bool is_along_x = room.x.size() >= room.z.size();
  Place place{room.middle(0.0)};
  if (!is_along_x) place = {place.origin, 0.0, 1.0};
  const double length = std::max(room.x.size(), room.z.size()) - 2.6;
  const double width = std::min(room.x.size(), room.z.size()) - 2.4;
  if (length < 0.7 || width < 0.5) return;
  if (dice.chance(0.6)) {
    const double rug = 0.6;
    add_block(pieces, place, {-0.5 * length - rug, 0.0, -0.5 * width - rug},
              {0.5 * length + rug, 0.012, 0.5 * width + rug},
              dice.one_of({red_cloth, blue_cloth, sand_cloth}));
  }
  if (dice.chance(0.65))
    add_dining(pieces, place, std::min(length, 2.4), std::min(width, 1.0), dice);
  else
    add_table(pieces, place, std::min(length, 1.3), std::min(width, 0.7), 0.42,
              dice.one_of({oak, walnut, painted}), dice);
}

// `free_wall`: nothing stands along it.
void add_room(Pieces& pieces, const Room& room, const Plenty& plenty,
              std::optional<std::size_t> free_wall, Dice& dice) {
  const Finish paint = dice.one_of({white_wall, white_wall, warm_wall, green_wall});
  const Finish ground = dice.one_of({parquet, parquet, tiles_grey});
  const double low = room.floor;
  const double high = room.floor + room_height;
  const auto [x, u] = room.x;
  const auto [z, w] = room.z;
  pieces.emplace_back(
      Flat{{}, {{{x, low, w}, {u, low, w}, {u, low, z}, {x, low, z}}}, {0.0, 1.0, 0.0}, ground});
  pieces.emplace_back(Flat{{},
                           {{{x, high, z}, {u, high, z}, {u, high, w}, {x, high, w}}},
                           {0.0, -1.0, 0.0},
                           ceiling_white});
  for (const Wall& wall : room.walls) add_wall(pieces, wall, paint, dice);
  add_hanging_lamp(pieces, {room.middle(room_height)}, dice);
  furnish_middle(pieces, room, dice);
  for (std::size_t i = 0; i < room.walls.size(); ++i) {
    if (i == free_wall) continue;
    const Wall& wall = room.walls[i];
    // Corners belong to the walls along x.
    const double margin = i % 2 == 0 ? 0.02 : 0.9;
    const double from = margin;
    const double to = wall.length - margin;
    // A door's leaf opens to its left.
    if (!wall.hole) {
      furnish_wall(pieces, wall.place, from, to, plenty, dice);
    } else if (!wall.is_window) {
      furnish_wall(pieces, wall.place, from, wall.hole->from - (wall.has_door ? 0.9 : 0.1), plenty,
                   dice);
      furnish_wall(pieces, wall.place, wall.hole->to + 0.1, to, plenty, dice);
    }
  }
}

// The lines of a plan, about 0.
std::vector<double> plan_lines(std::size_t rooms, Dice& dice) {
  std::vector<double> lines = {0.0};
  for (std::size_t i = 0; i < rooms; ++i)
    lines.push_back(on_plan_grid(lines.back() + dice.between(3.4, 6.6)));
  const double middle = on_plan_grid(0.5 * lines.back());
  for (double& line : lines) line -= middle;
  return lines;
}

class House {
 public:
  House(std::uint64_t triangles, std::uint64_t seed);

  const Pieces& pieces() const { return pieces_; }
  const Viewpoint& view() const { return view_; }

 private:
  static constexpr std::size_t storeys = 2;

  Passage passage(std::size_t floor, std::size_t line, std::size_t row, bool along_x) const;
  // In the wall of a room at one side of such a passage, along the wall's axis of the world.
  Opening opening(Passage kind, std::size_t floor, std::size_t row, bool along_x,
                  Extent wall) const;
  Room room(std::size_t column, std::size_t row, std::size_t floor) const;
  Wall wall(const Room& room, std::size_t which, std::array<std::size_t, 3> at) const;
  void add_shell();
  void look_from(const Room& room);

  std::uint64_t seed_;
  std::size_t side_;  // rooms
  std::vector<double> columns_, rows_;
  Pieces pieces_;
  Viewpoint view_;
};

// Rooms along a side: boxes and coarse surfaces of one take about 4 000 triangles.
std::size_t rooms_along(std::uint64_t triangles) {
  const double each_floor = static_cast<double>(triangles) / 16'500.0;
  return static_cast<std::size_t>(std::clamp(std::sqrt(each_floor), 1.0, 6.0));
}

House::House(std::uint64_t triangles, std::uint64_t seed)
    : seed_(seed), side_(rooms_along(triangles)) {
  Dice across(seed, 1);
  Dice along(seed, 2);
  columns_ = plan_lines(side_, across);
  rows_ = plan_lines(side_, along);
  const auto rooms = static_cast<double>(storeys * side_ * side_);
  const double each_room = static_cast<double>(triangles) / rooms;
  const Plenty plenty = {.furniture = std::clamp(each_room / 9000.0, 0.4, 1.0),
                         .books = std::clamp(each_room / 16'000.0, 0.05, 0.95)};
  add_shell();
  const std::size_t viewed = side_ / 2;
  for (std::size_t floor = 0; floor < storeys; ++floor)
    for (std::size_t row = 0; row < side_; ++row)
      for (std::size_t column = 0; column < side_; ++column) {
        const bool is_viewed = floor == 0 && row == viewed && column == viewed;
        const Room each = room(column, row, floor);
        Dice dice(seed_, 1000 + (floor * side_ + row) * side_ + column);
        add_room(pieces_, each, plenty, is_viewed ? std::optional<std::size_t>(0) : std::nullopt,
                 dice);
        if (is_viewed) look_from(each);
      }
}

void House::add_shell() {
  add_block(pieces_, {}, {columns_.front() - half_wall, -0.25, rows_.front() - half_wall},
            {columns_.back() + half_wall, storeys * storey, rows_.back() + half_wall}, outside);
}

// Between two rooms that lie side by side along x or along z, or out of the house.
Passage House::passage(std::size_t floor, std::size_t line, std::size_t row, bool along_x) const {
  Dice dice(seed_, 100'000 + ((floor * 16 + line) * 16 + row) * 2 + (along_x ? 1 : 0));
  const double what = dice.share();
  return what < 0.70 ? Passage::door : what < 0.9 ? Passage::wide : Passage::none;
}

// Doors in line with each other: their places depend on the row alone.
Opening House::opening(Passage kind, std::size_t floor, std::size_t row, bool along_x,
                       Extent wall) const {
  Dice dice(seed_, 200'000 + (floor * 16 + row) * 2 + (along_x ? 1 : 0));
  const bool is_door = kind == Passage::door;
  const double width = is_door ? 0.9375 : on_plan_grid(std::min(2.0, wall.size() - 1.0));
  const double from =
      on_plan_grid(wall.from + 0.4 + (wall.size() - width - 0.8) * dice.between(0.15, 0.85));
  return {from, from + width, 0.0, is_door ? 2.125 : 2.375};
}

Wall House::wall(const Room& room, std::size_t which, std::array<std::size_t, 3> at) const {
  const auto [column, row, floor] = at;
  const bool along_x = which % 2 == 1;  // its passage leads along x
  const bool at_most = which >= 2;
  const Extent wall = along_x ? room.z : room.x;
  const std::array<Place, 4> places = {{{{room.x.from, room.floor, room.z.from}, 1.0, 0.0},
                                        {{room.x.from, room.floor, room.z.to}, 0.0, 1.0},
                                        {{room.x.to, room.floor, room.z.to}, -1.0, 0.0},
                                        {{room.x.to, room.floor, room.z.from}, 0.0, -1.0}}};
  Wall made{places[which], wall.size()};
  // On the wall's own axis, which runs against the world's for the middle two.
  const auto on_wall = [&](const Opening& hole) {
    if (which == 0 || which == 3)
      return Opening{hole.from - wall.from, hole.to - wall.from, hole.bottom, hole.top};
    return Opening{wall.to - hole.to, wall.to - hole.from, hole.bottom, hole.top};
  };
  const std::size_t line = (along_x ? column : row) + (at_most ? 1 : 0);
  const std::size_t lane = along_x ? row : column;
  if (line > 0 && line < side_) {
    const Passage kind = passage(floor, line, lane, along_x);
    if (kind == Passage::none) return made;
    made.hole = on_wall(opening(kind, floor, lane, along_x, wall));
    made.has_depth = at_most;
    made.has_door = at_most && kind == Passage::door;
    return made;
  }
  Dice dice(seed_, 300'000 + (floor * 16 + lane) * 4 + which);
  if (!dice.chance(0.75)) return made;
  const double width = on_plan_grid(dice.between(1.2, std::min(2.6, wall.size() - 0.8)));
  const double from = on_plan_grid(wall.from + 0.5 * (wall.size() - width));
  made.hole = on_wall({from, from + width, 0.875, 2.25});
  made.is_window = made.has_depth = true;
  return made;
}

Room House::room(std::size_t column, std::size_t row, std::size_t floor) const {
  Room made{{columns_[column] + half_wall, columns_[column + 1] - half_wall},
            {rows_[row] + half_wall, rows_[row + 1] - half_wall},
            static_cast<double>(floor) * storey,
            {}};
  for (std::size_t which = 0; which < made.walls.size(); ++which)
    made.walls[which] = wall(made, which, {column, row, floor});
  return made;
}

// From beside the wall that is free, through the length of the room.
void House::look_from(const Room& room) {
  const Point eye = {room.x.from + 0.28 * room.x.size(), 1.6, room.z.from + 0.3};
  const Point target = {room.x.from + 0.58 * room.x.size(), 1.2, room.z.to};
  view_ = {.eye = generated::to_float(eye),
           .target = generated::to_float(target),
           .field_of_view = 65.0};
}

}  // namespace

Mesh make_rooms(std::uint64_t triangles, std::uint64_t seed) {
  LoadControl unwatched;
  return make_rooms(triangles, seed, unwatched);
}

Mesh make_rooms(std::uint64_t triangles, std::uint64_t seed, LoadControl& control) {
  if (triangles < least_rooms_triangles)
    throw std::invalid_argument("a house of rooms with too few triangles");
  const House house(triangles, seed);
  const double edge = edge_for(house.pieces(), triangles);
  Mesh mesh;
  mesh.name = "rooms";
  mesh.file = "generated:rooms:" + std::to_string(triangles);
  mesh.materials = house_materials();
  mesh.first_view = house.view();
  const std::uint64_t count = count_of(house.pieces(), edge);
  mesh.corners.reserve(3 * count);
  mesh.triangle_material.reserve(count);
  for (const Piece& piece : house.pieces()) {
    control.report(static_cast<float>(mesh.triangle_count()) / static_cast<float>(count));
    std::visit([&mesh, edge](const auto& each) { each.add(mesh, edge); }, piece);
  }
  return mesh;
}

}  // namespace warpview
