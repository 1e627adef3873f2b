#include "scenes/parts/rays_look.h"

#include <algorithm>
#include <cmath>

#include "gpu/steps/rays_shading.h"

namespace warpview {
namespace {

// Doubles while computing; the look gets floats.
struct Direction {
  double x, y, z;

  Direction operator+(Direction d) const { return {x + d.x, y + d.y, z + d.z}; }
  Direction operator*(double by) const { return {x * by, y * by, z * by}; }
  Vec3 rounded() const {
    return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
  }
};
double dot_product(Direction a, Direction b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Direction cross_product(Direction a, Direction b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// The row of the matrix to clip space, without what it adds.
Direction row_of(const FrameView& view, std::size_t row) {
  return {view.to_clip[row], view.to_clip[4 + row], view.to_clip[8 + row]};
}

// Directions whose clip coordinates (x, y, w) are the unit vectors.
struct Inverse {
  Direction right, up, forward;
};
Inverse inverse_of(const FrameView& view) {
  const Direction x = row_of(view, 0);
  const Direction y = row_of(view, 1);
  const Direction w = row_of(view, 3);
  const Direction right = cross_product(y, w);
  const double determinant = dot_product(x, right);
  const double scale = determinant != 0.0 ? 1.0 / determinant : 0.0;
  return {right * scale, cross_product(w, x) * scale, cross_product(x, y) * scale};
}

void set_depths(const FrameView& view, const Aabb& bounds, RaysLook& look) {
  look.nearest = 0.0F;
  look.farthest = 1.0F;
  if (bounds.is_empty()) return;
  const Direction w = row_of(view, 3);
  double least = INFINITY;
  double most = 0.0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    const Direction at{(corner & 1U) != 0 ? bounds.max.x : bounds.min.x,
                       (corner & 2U) != 0 ? bounds.max.y : bounds.min.y,
                       (corner & 4U) != 0 ? bounds.max.z : bounds.min.z};
    const double depth = dot_product(w, at) + view.to_clip[15];
    least = std::min(least, depth);
    most = std::max(most, depth);
  }
  look.nearest = static_cast<float>(std::max(least, 0.0));
  look.farthest = std::max(static_cast<float>(most), look.nearest + 1e-6F * (1.0F + look.nearest));
}

}  // namespace

RaysLook rays_look(const FrameView& view, std::uint32_t width, std::uint32_t height,
                   const Aabb& bounds) {
  RaysLook look{};
  const Inverse inverse = inverse_of(view);
  look.eye = view.eye;
  look.corner = (inverse.forward + inverse.up + inverse.right * -1.0).rounded();
  look.across = (inverse.right * (2.0 / width)).rounded();
  look.down = (inverse.up * (-2.0 / height)).rounded();
  look.width = width;
  look.height = height;
  // The lights move with the eye, as those of the other scenes do.
  const Vec3 right = rays_unit(inverse.right.rounded());
  const Vec3 up = rays_unit(inverse.up.rounded());
  const Vec3 backward = rays_unit(inverse.forward.rounded()) * -1.0F;
  const Vec3 sun = sun_that_stands_still();
  look.to_sun = rays_unit(right * sun.x + up * sun.y + backward * sun.z);
  look.to_rim = rays_unit(right * 0.75F + up * 0.45F + backward * -0.55F);
  set_depths(view, bounds, look);
  return look;
}

Vec3 sun_that_stands_still() { return rays_unit({-0.55F, 0.70F, 0.62F}); }

}  // namespace warpview
