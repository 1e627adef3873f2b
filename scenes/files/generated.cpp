#include "scenes/files/generated.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "scenes/files/double_point.h"

namespace warpview {
namespace {

using generated::add_quad;
using generated::Point;
using generated::to_float;
using std::numbers::pi;

// The curve that the tube follows: on a torus around z, twice around the axis while three times
// around the core. With it the frame across the curve: the torus' normal, which is at right angles
// to the curve, and the direction beside both.
struct CurvePoint {
  Point centre, tangent;    // tangent: derivative by t, of any length
  Point normal, normal_dt;  // unit vector and its derivative by t
  Point beside, beside_dt;
};

// t from 0 to 2 pi.
CurvePoint trefoil(double t) {
  constexpr double turns_around_axis = 2.0;
  constexpr double turns_around_core = 3.0;
  constexpr double core_radius = 1.0;
  constexpr double torus_radius = 0.44;
  const double u = turns_around_axis * t;
  const double w = turns_around_core * t;
  const double du = turns_around_axis;
  const double dw = turns_around_core;
  const Point out = {std::cos(u), std::sin(u), 0.0};  // away from the axis
  const Point along = {-std::sin(u), std::cos(u), 0.0};
  const Point up = {0.0, 0.0, 1.0};
  const double radius = core_radius + torus_radius * std::cos(w);
  const double radius_dt = -torus_radius * dw * std::sin(w);
  const double radius_dt2 = -torus_radius * dw * dw * std::cos(w);

  CurvePoint p;
  p.centre = radius * out + torus_radius * std::sin(w) * up;
  p.tangent = radius_dt * out + radius * du * along + torus_radius * dw * std::cos(w) * up;
  p.normal = std::cos(w) * out + std::sin(w) * up;
  p.normal_dt = -dw * std::sin(w) * out + du * std::cos(w) * along + dw * std::cos(w) * up;

  const Point curvature = (radius_dt2 - radius * du * du) * out + 2.0 * radius_dt * du * along -
                          torus_radius * dw * dw * std::sin(w) * up;
  const double speed = std::sqrt(dot(p.tangent, p.tangent));
  const Point forward = (1.0 / speed) * p.tangent;
  const Point forward_dt = (1.0 / speed) * (curvature - dot(curvature, forward) * forward);
  p.beside = cross(forward, p.normal);
  p.beside_dt = cross(forward_dt, p.normal) + cross(forward, p.normal_dt);
  return p;
}

// The angle by which the tube's cross-section is turned in the curve's frame, and its derivative by
// t, at each of n points of the curve. The frame itself winds around the curve unevenly, so the
// angle takes that back and adds an even twist: `turns` in all, a whole number, so the ends meet.
struct Twist {
  std::vector<double> angle, angle_dt;
};

Twist even_twist(const std::vector<CurvePoint>& curve, int turns) {
  const double step = 2.0 * pi / static_cast<double>(curve.size());
  double winding = 0.0;
  double length = 0.0;
  for (const CurvePoint& p : curve) {
    winding += step * dot(p.normal_dt, p.beside);
    length += step * std::sqrt(dot(p.tangent, p.tangent));
  }
  const double twist_by_length = (2.0 * pi * turns + winding) / length;
  Twist twist;
  for (const CurvePoint& p : curve)
    twist.angle_dt.push_back(twist_by_length * std::sqrt(dot(p.tangent, p.tangent)) -
                             dot(p.normal_dt, p.beside));
  double angle = 0.0;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    twist.angle.push_back(angle);
    angle += 0.5 * step * (twist.angle_dt[i] + twist.angle_dt[(i + 1) % curve.size()]);
  }
  return twist;
}

// Moves and scales the mesh so that its bounding box is centred and its farthest corner is at 1.
void fit_to_unit_sphere(std::vector<Vertex>& vertices) {
  Aabb box = Aabb::empty();
  for (const Vertex& v : vertices) box = merge(box, {v.position, v.position});
  const Vec3 centre = box.centre();
  float farthest = 0.0F;
  for (Vertex& v : vertices) {
    v.position = v.position - centre;
    farthest = std::max(farthest, warpview::dot(v.position, v.position));
  }
  const float scale = 1.0F / std::sqrt(farthest);
  for (Vertex& v : vertices) v.position = v.position * scale + Vec3{0.0F, 0.0F, 0.0F};
}

}  // namespace

Mesh make_knot() {
  LoadControl unwatched;
  return make_knot(unwatched);
}

Mesh make_knot(LoadControl& control) {
  constexpr std::size_t rings = 512;    // along the curve
  constexpr std::size_t segments = 72;  // around the tube
  constexpr std::size_t flutes = 6;
  constexpr double tube_radius = 0.25;
  constexpr double flute_depth = 0.17;      // of the radius, up and down
  constexpr int turns = -2;                 // in the curve's frame, which adds its own
  constexpr double texture_repeats = 10.0;  // along, which makes the texels about square

  // One row and column more than there are points: the seam's texture coordinates differ.
  std::vector<Vertex> grid((rings + 1) * (segments + 1));
  const auto vertex = [&grid](std::size_t i, std::size_t j) -> Vertex& {
    return grid[i * (segments + 1) + j];
  };
  std::vector<CurvePoint> curve(rings);
  for (std::size_t i = 0; i < rings; ++i)
    curve[i] = trefoil(2.0 * pi * static_cast<double>(i) / rings);
  const Twist twist = even_twist(curve, turns);
  for (std::size_t i = 0; i < rings; ++i) {
    control.report(static_cast<float>(i) / rings);
    const CurvePoint& p = curve[i];
    const double along = static_cast<double>(i) / rings;
    for (std::size_t j = 0; j < segments; ++j) {
      const double around = static_cast<double>(j) / segments;
      const double angle = 2.0 * pi * around;
      const double radius = tube_radius * (1.0 + flute_depth * std::cos(flutes * angle));
      const double radius_da = -tube_radius * flute_depth * flutes * std::sin(flutes * angle);
      const double turned = angle + twist.angle[i];
      const double c = std::cos(turned);
      const double s = std::sin(turned);
      const Point outward = c * p.normal + s * p.beside;
      const Point sideways = c * p.beside - s * p.normal;

      const Point by_angle = radius_da * outward + radius * sideways;
      const Point by_t =
          p.tangent + radius * (twist.angle_dt[i] * sideways + c * p.normal_dt + s * p.beside_dt);
      vertex(i, j) = {to_float(p.centre + radius * outward),
                      to_float(normalized(cross(by_angle, by_t))),
                      {static_cast<float>(around), static_cast<float>(texture_repeats * along)}};
    }
  }
  fit_to_unit_sphere(grid);  // the seams' copies, still at the origin, change nothing
  for (std::size_t i = 0; i < rings; ++i) {
    vertex(i, segments) = vertex(i, 0);
    vertex(i, segments).texcoord.x = 1.0F;
  }
  for (std::size_t j = 0; j <= segments; ++j) {
    vertex(rings, j) = vertex(0, j);
    vertex(rings, j).texcoord.y = static_cast<float>(texture_repeats);
  }

  Mesh mesh;
  mesh.name = "knot";
  mesh.file = "generated:knot";
  mesh.materials.resize(3);
  enum : std::uint32_t { ivory, copper, verdigris };
  mesh.materials[ivory] = {"ivory", {0.88F, 0.82F, 0.68F}, {0.20F, 0.20F, 0.18F}, {}, 30.0F};
  mesh.materials[copper] = {"copper", {0.72F, 0.33F, 0.16F}, {0.75F, 0.50F, 0.38F}, {}, 60.0F};
  mesh.materials[verdigris] = {
      "verdigris", {0.13F, 0.42F, 0.40F}, {0.35F, 0.50F, 0.48F}, {}, 60.0F};

  mesh.corners.reserve(6 * rings * segments);
  mesh.triangle_material.reserve(2 * rings * segments);
  // Ridges are copper and verdigris in turn, the flutes between them ivory. Quads are numbered from
  // the middle of a flute, so each band of segments_a_band quads is one ridge or one flute.
  constexpr std::size_t segments_a_band = segments / (2 * flutes);
  constexpr std::size_t half_band = segments_a_band / 2;
  for (std::size_t i = 0; i < rings; ++i) {
    for (std::size_t j = 0; j < segments; ++j) {
      const std::size_t band = (j + half_band) / segments_a_band % (2 * flutes);
      const std::uint32_t material = band % 2 == 1 ? ivory : band % 4 == 0 ? copper : verdigris;
      add_quad(mesh, vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1), vertex(i + 1, j),
               material);
    }
  }
  return mesh;
}

Mesh make_lattice() {
  LoadControl unwatched;
  return make_lattice(unwatched);
}

Mesh make_lattice(LoadControl& control) {
  control.throw_if_cancelled();
  Mesh mesh;
  mesh.name = "lattice";
  mesh.file = "generated:lattice";
  mesh.materials.resize(2);
  mesh.materials[0] = {.name = "outside",
                       .diffuse = {0.24F, 0.46F, 0.62F},
                       .specular = {0.30F, 0.30F, 0.30F},
                       .shininess = 50.0F};
  mesh.materials[1] = {.name = "within",
                       .diffuse = {0.84F, 0.50F, 0.22F},
                       .specular = {0.30F, 0.30F, 0.30F},
                       .shininess = 50.0F};
  // The cubes of 3 x 3 x 3 in the middle of a side, or of the whole, are missing.
  constexpr int side = 3;
  using Cube = std::array<int, 3>;
  const auto is_outside = [](const Cube& cube) {
    return std::any_of(cube.begin(), cube.end(), [](int at) { return at < 0 || at >= side; });
  };
  const auto is_there = [&](const Cube& cube) {
    return !is_outside(cube) && std::count(cube.begin(), cube.end(), 1) < 2;
  };
  // A face between a cube and one beside it that is not there, seen from the latter.
  const auto add_face = [&](const Cube& cube, std::size_t axis, int way) {
    const std::size_t right = (axis + (way > 0 ? 1 : 2)) % 3;
    const std::size_t up = (axis + (way > 0 ? 2 : 1)) % 3;
    const auto corner = [&](int to_right, int to_up) {
      std::array<double, 3> at{};
      at[axis] = cube[axis] + (way > 0 ? 1 : 0);
      at[right] = cube[right] + to_right;
      at[up] = cube[up] + to_up;
      std::array<double, 3> normal{};
      normal[axis] = way;
      const auto centred = [&at](std::size_t k) { return (at[k] - 0.5 * side) * 2.0 / side; };
      return Vertex{to_float({centred(0), centred(1), centred(2)}),
                    to_float({normal[0], normal[1], normal[2]}),
                    {static_cast<float>(to_right), static_cast<float>(to_up)}};
    };
    Cube beside = cube;
    beside[axis] += way;
    add_quad(mesh, corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1),
             is_outside(beside) ? 0 : 1);
  };
  for (int z = 0; z < side; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        const Cube cube{x, y, z};
        if (!is_there(cube)) continue;
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (const int way : {-1, 1}) {
            Cube beside = cube;
            beside[axis] += way;
            if (!is_there(beside)) add_face(cube, axis, way);
          }
      }
  return mesh;
}

Mesh make_sphere(std::uint64_t triangles) {
  LoadControl unwatched;
  return make_sphere(triangles, unwatched);
}

Mesh make_sphere(std::uint64_t triangles, LoadControl& control) {
  Mesh mesh;
  mesh.name = "sphere";
  mesh.file = "generated:sphere:" + std::to_string(triangles);
  mesh.materials.resize(1);
  mesh.materials[0].name = "clay";
  mesh.materials[0].diffuse = {0.76F, 0.52F, 0.38F};
  if (triangles == 0) return mesh;

  // `rings` rings of about 2 rings segments. The two at the poles are of triangles, the others of
  // quads: 2 segments (rings - 1) triangles in all, which is at least what is asked.
  const auto rings = std::max<std::uint64_t>(
      2,
      static_cast<std::uint64_t>(std::ceil(0.5 + std::sqrt(static_cast<double>(triangles)) / 2.0)));
  const std::uint64_t per_segment = 2 * (rings - 1);
  const std::uint64_t segments =
      std::max<std::uint64_t>(3, (triangles + per_segment - 1) / per_segment);

  const auto vertex = [&](std::uint64_t ring, std::uint64_t segment) {
    const double down = static_cast<double>(ring) / static_cast<double>(rings);
    const double around = static_cast<double>(segment) / static_cast<double>(segments);
    const double polar = pi * down;
    // The seam's two sides are the same point.
    const double azimuth = segment == segments ? 0.0 : 2.0 * pi * around;
    const bool is_pole = ring == 0 || ring == rings;
    const double across = is_pole ? 0.0 : std::sin(polar);
    const Point d = {across * std::sin(azimuth), std::cos(polar), across * std::cos(azimuth)};

    // The radius is a function of the direction, so the surface's normal is the direction less the
    // part of the function's gradient that lies in the sphere.
    constexpr double height = 0.06;
    constexpr double frequency = 7.0;
    const Point s = {std::sin(frequency * d.x), std::sin(frequency * d.y),
                     std::sin(frequency * d.z)};
    const Point c = {std::cos(frequency * d.x), std::cos(frequency * d.y),
                     std::cos(frequency * d.z)};
    const double radius = 1.0 + height * (s.x * s.y + s.y * s.z + s.z * s.x);
    const Point gradient =
        (height * frequency) * Point{c.x * (s.y + s.z), c.y * (s.z + s.x), c.z * (s.x + s.y)};
    const Point slope = gradient - dot(gradient, d) * d;
    return Vertex{to_float(radius * d),
                  to_float(normalized(radius * d - slope)),
                  {static_cast<float>(around), static_cast<float>(1.0 - down)}};
  };

  const std::uint64_t in_grid = per_segment * segments;
  mesh.corners.reserve(3 * in_grid);
  std::vector<Vertex> above(segments + 1);
  std::vector<Vertex> below(segments + 1);
  for (std::uint64_t j = 0; j <= segments; ++j) above[j] = vertex(0, j);
  for (std::uint64_t i = 0; i < rings && mesh.corners.size() < 3 * triangles; ++i) {
    control.report(static_cast<float>(i) / static_cast<float>(rings));
    for (std::uint64_t j = 0; j <= segments; ++j) below[j] = vertex(i + 1, j);
    for (std::uint64_t j = 0; j < segments; ++j) {
      if (i + 1 < rings)
        mesh.corners.insert(mesh.corners.end(), {above[j], below[j], below[j + 1]});
      if (i > 0) mesh.corners.insert(mesh.corners.end(), {above[j], below[j + 1], above[j + 1]});
    }
    above.swap(below);
  }
  mesh.corners.resize(3 * triangles);
  mesh.triangle_material.assign(triangles, 0);
  return mesh;
}

}  // namespace warpview
