#include "app/step_views/mesh_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace warpview::step_views {
namespace {

double dot(const Point3& a, const Point3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Point3 cross(const Point3& a, const Point3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Point3 minus(const Point3& a, const Point3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
// `otherwise` for a vector that has no direction.
Point3 direction(const Point3& v, const Point3& otherwise) {
  const double length = std::hypot(v[0], v[1], v[2]);
  if (!(length > 1e-9) || !std::isfinite(length)) return otherwise;
  return {v[0] / length, v[1] / length, v[2] / length};
}

}  // namespace

Point3 Box3::centre() const {
  return {0.5 * low[0] + 0.5 * high[0], 0.5 * low[1] + 0.5 * high[1], 0.5 * low[2] + 0.5 * high[2]};
}

bool Box3::contains(const Box3& other) const {
  for (std::size_t i = 0; i < 3; ++i)
    if (!(low.at(i) <= other.low.at(i) && other.low.at(i) <= other.high.at(i) &&
          other.high.at(i) <= high.at(i)))
      return false;
  return true;
}

Box3 Box3::merged(const Box3& other) const {
  Box3 both = *this;
  for (std::size_t i = 0; i < 3; ++i) {
    both.low.at(i) = std::min(low.at(i), other.low.at(i));
    both.high.at(i) = std::max(high.at(i), other.high.at(i));
  }
  return both;
}

MeshPicture::MeshPicture(const RecordedMesh& mesh) {
  for (std::size_t i = 0; i + 2 < mesh.corners.size(); i += 3)
    corners_.push_back({mesh.corners[i], mesh.corners[i + 1], mesh.corners[i + 2]});
  set_axes(mesh);
  measure();
  sort_by_depth();
}

MeshPicture::Extent MeshPicture::extent_of(const std::vector<Point3>& points) const {
  if (points.empty()) return {};
  constexpr double most = std::numeric_limits<double>::max();
  std::array<double, 2> low = {most, most};
  std::array<double, 2> high = {-most, -most};
  for (const Point3& point : points) {
    const std::array<double, 2> along = {dot(point, right_), dot(point, up_)};
    for (std::size_t i = 0; i < 2; ++i) {
      low.at(i) = std::min(low.at(i), along.at(i));
      high.at(i) = std::max(high.at(i), along.at(i));
    }
  }
  Extent extent{.width = high[0] - low[0], .height = high[1] - low[1]};
  for (std::size_t i = 0; i < 3; ++i)
    extent.middle.at(i) =
        0.5 * (low[0] + high[0]) * right_.at(i) + 0.5 * (low[1] + high[1]) * up_.at(i);
  return extent;
}

void MeshPicture::measure() {
  bare_ = extent_of(corners_);
  if (corners_.empty()) return;
  bounds_ = box(0);
  for (std::size_t t = 0; t < triangles(); ++t) {
    const Box3 one = box(t);
    bounds_ = bounds_.merged(one);
    const Point3 side = minus(one.high, one.low);
    reach_ += 0.5 * std::hypot(side[0], side[1], side[2]) / triangles();
  }
  std::vector<Point3> ends;
  for (unsigned i = 0; i < 8; ++i)
    ends.push_back({(i & 1U) != 0 ? bounds_.high[0] : bounds_.low[0],
                    (i & 2U) != 0 ? bounds_.high[1] : bounds_.low[1],
                    (i & 4U) != 0 ? bounds_.high[2] : bounds_.low[2]});
  boxed_ = extent_of(ends);
}

double MeshPicture::depth(const Point3& point) const { return dot(point, towards_); }

// The axes of a file may be anything that is finite.
void MeshPicture::set_axes(const RecordedMesh& mesh) {
  right_ = direction({mesh.right[0], mesh.right[1], mesh.right[2]}, {1.0, 0.0, 0.0});
  const Point3 up = {mesh.up[0], mesh.up[1], mesh.up[2]};
  const Point3 aside = std::abs(right_[1]) < 0.9 ? Point3{0.0, 1.0, 0.0} : Point3{0.0, 0.0, 1.0};
  towards_ = direction(cross(right_, direction(up, aside)), direction(cross(right_, aside), {}));
  up_ = cross(towards_, right_);
}

void MeshPicture::sort_by_depth() {
  for (std::size_t t = 0; t < triangles(); ++t) {
    depth_.push_back(depth(centre(t)));
    const Point3 normal = direction(
        cross(minus(corner(3 * t + 1), corner(3 * t)), minus(corner(3 * t + 2), corner(3 * t))),
        towards_);
    facing_.push_back(static_cast<float>(std::min(std::abs(dot(normal, towards_)), 1.0)));
  }
  order_.resize(triangles());
  std::iota(order_.begin(), order_.end(), 0U);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return depth_[a] < depth_[b]; });
}

Point3 MeshPicture::centre(std::size_t triangle) const {
  Point3 sum{};
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < 3; ++i) sum.at(i) += corner(3 * triangle + k).at(i) / 3.0;
  return sum;
}

Box3 MeshPicture::box(std::size_t triangle) const {
  Box3 box{corner(3 * triangle), corner(3 * triangle)};
  for (std::size_t k = 1; k < 3; ++k)
    box = box.merged({corner(3 * triangle + k), corner(3 * triangle + k)});
  return box;
}

MeshPicture::Frame MeshPicture::frame(float y, float width, float most, bool boxed) const {
  constexpr float margin = 0.5F;
  const Extent& extent = boxed ? boxed_ : bare_;
  const double across = std::max(width - 2.0F * margin, 1.0F);
  const double down = std::max(most - 2.0F * margin, 1.0F);
  const double larger = std::max(extent.width, extent.height);
  double scale = 0.0;  // of a point
  if (larger > 0.0)
    scale = std::min(across / std::max(extent.width, 1e-3 * larger),
                     down / std::max(extent.height, 1e-3 * larger));
  const auto height = static_cast<float>(extent.height * scale) + 2.0F * margin;
  return {.scale = scale,
          .centre = extent.middle,
          .middle = {0.5F * width, y + 0.5F * height},
          .height = height};
}

PlotVertex MeshPicture::place(const Frame& frame, const Point3& point) const {
  const Point3 from_middle = minus(point, frame.centre);
  return {frame.middle.x + static_cast<float>(frame.scale * dot(from_middle, right_)),
          frame.middle.y - static_cast<float>(frame.scale * dot(from_middle, up_))};
}

std::array<std::vector<PlotVertex>, 2> MeshPicture::box_lines(const Frame& frame,
                                                              const Box3& box) const {
  // The nearest corner, with the sides turned that the bits of `turned` name.
  const auto corner = [&](unsigned turned) {
    Point3 point{};
    for (std::size_t i = 0; i < 3; ++i) {
      const bool is_high = (towards_.at(i) > 0.0) != ((turned >> i & 1U) != 0);
      point.at(i) = is_high ? box.high.at(i) : box.low.at(i);
    }
    return place(frame, point);
  };
  constexpr unsigned x = 1, y = 2, z = 4;
  return {
      {{corner(x), corner(x | y), corner(y), corner(y | z), corner(z), corner(z | x), corner(x)},
       {corner(x), corner(0), corner(y), corner(0), corner(z)}}};
}

}  // namespace warpview::step_views
