// A triangle that was pointed at, lit up with the boxes on the way to its leaf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/interop/draw_command.h"
#include "gpu/runtime/buffer.h"
#include "scenes/parts/tree.h"
#include "scenes/scene.h"

namespace warpview {

// Triangles with their tree, as they are now. The pointers are to device memory.
struct PointedSurface {
  Tree* tree = nullptr;
  const Vertex* positions = nullptr;
  const std::uint32_t* indices = nullptr;
  const std::uint32_t* material = nullptr;  // of each triangle, among `materials`
  std::span<const Material> materials{};
  bool is_drawn = true;  // what is not drawn is not hit
};

class Picked {
 public:
  // Nothing is picked at first. The timeline must outlive this.
  explicit Picked(Timeline& timeline);

  // A triangle of a surface, from the next frame on; nothing_picked: none. `commands` are the
  // writer's two, of nothing until then. Waits.
  void set(std::size_t surface, std::uint32_t triangle, DrawCommand* commands);
  // The surface of which there is a triangle.
  std::optional<std::size_t> surface() const {
    return triangle_ != nothing_picked ? std::optional(surface_) : std::nullopt;
  }
  // Streams and draw commands of the boxes on the way to its leaf, and of its corners: as they are
  // in every frame that is drawn, so that they move with the surface, which `surface` gives by
  // its number.
  Writer writer(const std::function<PointedSurface(std::size_t)>& surface) const;

 private:
  void write(const StageRun& run, const PointedSurface& surface, const Targets& to) const;

  Timeline& timeline_;
  std::size_t surface_ = 0;
  std::uint32_t triangle_ = nothing_picked;
  Buffer<std::uint32_t> on_device_;
};

// The part of a ray on the side of a plane that is shown: where dot(plane.normal, x) <=
// plane.offset. In units of the ray's direction; empty: first > last.
struct RaySpan {
  float first = 0.0F;
  float last = 0.0F;
};
RaySpan shown_span(const Ray& ray, const CutPlane& plane);

// "011 101 ...": the lowest `bits` bits of a Morton code, by threes from the lowest.
std::string morton_path(std::uint64_t code, int bits);
inline constexpr const char* morton_path_about =
    "Halves of the bounds, from the left. A group of three has the half along x, y and z. In long "
    "bounds the first bits are of the longest axis alone, then of the two longest in turn, until "
    "their parts are as long as the shortest axis.";

// All that is told of a picked triangle. Waits.
PickResult pick_result(Timeline& timeline, const PointedSurface& surface, const Ray& ray,
                       const Tree::Traced& traced);
// The least of it: triangle, material and place. Waits.
PickResult glance_result(Timeline& timeline, const PointedSurface& surface, const Ray& ray,
                         const RayHit& hit);

}  // namespace warpview
