#include "scenes/parts/deform_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "gpu/steps/random.h"
#include "scenes/parts/differences.h"

namespace warpview {
namespace {

using Place = std::array<double, 3>;

Place place_of(Vec3 v) { return {double{v.x}, double{v.y}, double{v.z}}; }
Place operator+(const Place& a, const Place& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Place operator-(const Place& a, const Place& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Place operator*(const Place& a, double s) { return {a[0] * s, a[1] * s, a[2] * s}; }
double dot(const Place& a, const Place& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Place cross(const Place& a, const Place& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double length(const Place& a) { return std::sqrt(dot(a, a)); }
Place unit(const Place& a) {
  const double l = length(a);
  return l > 0.0 ? a * (1.0 / l) : Place{0.0, 1.0, 0.0};
}

// Around a unit vector.
Place turned(const Place& v, const Place& axis, double angle) {
  return v * std::cos(angle) + cross(axis, v) * std::sin(angle) +
         axis * (dot(axis, v) * (1.0 - std::cos(angle)));
}
Place unit_of_axis(std::uint32_t axis) {
  return {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0};
}

// Where `x`, a point of the triangle with this number and centre, goes.
Place deformed_place(const Place& x, const Deformation& how, std::uint32_t triangle,
                     const Place& triangle_centre) {
  const Place axis = unit_of_axis(how.axis);
  const Place centre = place_of(how.centre);
  const Place p = x - centre;
  const double s = dot(p, axis);
  switch (how.kind) {
    case Deformer::wave: {
      const double angle = double{how.wave_number} * s - double{how.phase};
      return x + unit_of_axis(how.direction) * (double{how.amplitude} * std::sin(angle));
    }
    case Deformer::twist:
      return centre + turned(p, axis, double{how.amplitude} * s);
    case Deformer::bulge: {
      const double share = s / double{how.half_length};
      const double hill =
          std::abs(share) > 1.0 ? 0.0 : 0.5 * (1.0 + std::cos(std::numbers::pi * share));
      return centre + axis * s + (p - axis * s) * (1.0 + double{how.amplitude} * hill);
    }
    case Deformer::turn:
      return centre + Place{dot(place_of(how.rows[0]), p), dot(place_of(how.rows[1]), p),
                            dot(place_of(how.rows[2]), p)};
    case Deformer::explode: {
      const auto random = [triangle](std::uint32_t which) {
        return double{random_signed(triangle, which, 0)};
      };
      const Place spin = unit({random(1), random(2), random(3)});
      const Place away =
          unit(triangle_centre - centre) * (double{how.amplitude} * (0.65 + 0.35 * random(0)));
      return triangle_centre + away +
             turned(x - triangle_centre, spin, double{how.phase} * random(4));
    }
  }
  return x;
}

// The normal of a surface whose points move so: two directions in it are carried along, and the
// normal stands on both. {} where they are carried into a line.
Place deformed_normal(const Place& x, const Place& normal, double step, auto&& moved) {
  const Place aside = std::abs(normal[0]) < 0.6 ? Place{1.0, 0.0, 0.0} : Place{0.0, 1.0, 0.0};
  const Place u = unit(cross(normal, aside));
  const Place v = cross(normal, u);
  const auto slope = [&](const Place& way) {
    return (moved(x + way * step) - moved(x - way * step)) * (0.5 / step);
  };
  const Place carried = cross(slope(u), slope(v));
  return length(carried) < 1e-2 ? Place{} : unit(carried);
}

}  // namespace

std::string check_deformed(std::span<const Vertex> rest, std::span<const Vertex> deformed,
                           const Deformation& how) {
  if (rest.size() != deformed.size())
    return fmt::format("there are {} deformed vertices, not {}", deformed.size(), rest.size());
  // Places are rounded in proportion to how far out they lie, and angles in proportion to their
  // size, which moves places as far as these lie from the centre.
  const bool flies = how.kind == Deformer::wave || how.kind == Deformer::explode;
  const double flight = flies ? std::abs(double{how.amplitude}) : 0.0;
  double far = 0.0;     // from the origin
  double extent = 0.0;  // from the centre
  for (const Vertex& vertex : rest) {
    far = std::max(far, length(place_of(vertex.position)));
    extent = std::max(extent, length(place_of(vertex.position) - place_of(how.centre)));
  }
  const double a_radian = how.kind == Deformer::wave    ? double{how.wave_number}
                          : how.kind == Deformer::twist ? std::abs(double{how.amplitude})
                                                        : 0.0;
  const double angle = std::abs(double{how.phase}) + a_radian * extent;
  const double swung = how.kind == Deformer::wave ? flight : extent + flight;
  const double growth = how.kind == Deformer::bulge ? 1.0 + std::abs(double{how.amplitude}) : 1.0;
  const double tolerance =
      4e-6 * ((far + extent) * growth + flight + length(place_of(how.moved))) +
      4e-7 * swung * (4.0 + angle) +
      4e-7 * far * a_radian * swung;  // of a place on the axis that was rounded
  // By how much an angle's rounding tilts the slope of a wave; and a step that is short beside it.
  const double steepness = how.kind == Deformer::wave ? flight * a_radian : 0.0;
  const bool has_normals = steepness * 4e-7 * (4.0 + angle) < 1e-2;
  const double step = std::min(1e-5 * extent, a_radian > 0.0 ? 1e-4 / a_radian : extent);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    Place centre{};
    if (how.kind == Deformer::explode)
      for (std::size_t k = 0; k < 3; ++k)
        centre = centre + place_of(rest[i - i % 3 + k].position) * (1.0 / 3.0);
    const auto moved = [&](const Place& x) {
      return deformed_place(x, how, static_cast<std::uint32_t>(i / 3), centre);
    };
    const Place x = place_of(rest[i].position);
    const Place place = moved(x) + place_of(how.moved);
    // The way of a triangle near the centre is known less well, the nearer the less.
    double allowed = tolerance;
    if (how.kind == Deformer::explode) {
      const double off = length(centre - place_of(how.centre));
      if (off < 2e-5 * double{how.half_length}) continue;
      allowed += flight * 1e-6 * (far + extent) / off;
    }
    // Beyond what floats hold it is not finite on the device.
    constexpr double largest = std::numeric_limits<float>::max();
    if (!(std::abs(place[0]) <= largest && std::abs(place[1]) <= largest &&
          std::abs(place[2]) <= largest))
      continue;
    // Not >: a NaN differs too.
    if (!(length(place - place_of(deformed[i].position)) <= allowed))
      return fmt::format("vertex {} lies at {}, not at ({}, {}, {})", i,
                         in_words(deformed[i].position), place[0], place[1], place[2]);
    const Place normal = place_of(rest[i].normal);
    if (!has_normals || !(std::abs(length(normal) - 1.0) < 1e-3) || extent == 0.0) continue;
    const Place expected = deformed_normal(x, normal, step, moved);
    if (length(expected) == 0.0) continue;
    // Where a wave folds the surface over, it is seen from the other side.
    const double cosine = dot(expected, place_of(deformed[i].normal));
    const bool may_fold = how.kind == Deformer::wave && how.axis == how.direction;
    if (!((may_fold ? std::abs(cosine) : cosine) > 0.999))
      return fmt::format("the normal of vertex {} is {}, not ({}, {}, {})", i,
                         in_words(deformed[i].normal), expected[0], expected[1], expected[2]);
  }
  return {};
}

}  // namespace warpview
