// The triangles of a recording in an orthographic projection. Places are in ems of a sketch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/common/plot.h"
#include "gpu/recording/recording.h"

namespace warpview::step_views {

using Point3 = std::array<double, 3>;

// A box with sides parallel to the axes.
struct Box3 {
  Point3 low{}, high{};
  Point3 centre() const;
  Box3 merged(const Box3& other) const;
  // False for what is no box, such as one of NaNs.
  bool contains(const Box3& other) const;
};

class MeshPicture {
 public:
  explicit MeshPicture(const RecordedMesh& mesh);

  std::uint32_t triangles() const { return static_cast<std::uint32_t>(corners_.size() / 3); }
  const Point3& corner(std::size_t corner) const { return corners_[corner]; }
  Point3 centre(std::size_t triangle) const;
  Box3 box(std::size_t triangle) const;
  const Box3& bounds() const { return bounds_; }  // of all triangles
  // Triangles from the farthest to the nearest.
  const std::vector<std::uint32_t>& order() const { return order_; }
  // Along the view: larger is nearer. What is less than this apart is about one triangle.
  double depth(const Point3& point) const;
  double triangle_depth(std::size_t triangle) const { return depth_[triangle]; }
  double reach() const { return reach_; }
  // 1: it faces the viewer, 0: it is seen from its side.
  float facing(std::size_t triangle) const { return facing_[triangle]; }

  // Where the picture is: in a box of this width, as high as its shape asks for, up to `most`.
  // `boxed`: with the box around all triangles.
  struct Frame {
    double scale = 1.0;
    Point3 centre{};
    PlotVertex middle{};
    float height = 0.0F;
  };
  Frame frame(float y, float width, float most, bool boxed) const;
  PlotVertex place(const Frame& frame, const Point3& point) const;
  // A box as two lines: its outline, and the three edges of its nearest corner.
  std::array<std::vector<PlotVertex>, 2> box_lines(const Frame& frame, const Box3& box) const;

 private:
  void set_axes(const RecordedMesh& mesh);
  void measure();
  void sort_by_depth();

  std::vector<Point3> corners_;
  Point3 right_{}, up_{}, towards_{};  // towards the viewer
  // The middle of a picture, and its size in units of the mesh.
  struct Extent {
    Point3 middle{};
    double width = 0.0, height = 0.0;
  };
  Extent extent_of(const std::vector<Point3>& points) const;
  Extent bare_, boxed_;
  double reach_ = 0.0;
  Box3 bounds_;
  std::vector<std::uint32_t> order_;
  std::vector<float> facing_;
  std::vector<double> depth_;  // of triangles
};

}  // namespace warpview::step_views
