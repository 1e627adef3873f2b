// What the stage `write` leaves for OpenGL, held against the same done sequentially on the host.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "gpu/interop/draw_command.h"
#include "gpu/steps/triangle_values.h"
#include "scenes/parts/elements.h"
#include "scenes/parts/picked.h"
#include "scenes/parts/surface.h"
#include "scenes/parts/tree.h"
#include "scenes/scene.h"

namespace warpview {

// Streams and draw commands of a frame, read back.
struct Drawn {
  std::vector<std::vector<std::byte>> streams;  // by Scene::streams(), as long as their capacity
  std::vector<DrawCommand> commands;

  // The first `count` elements of a stream, or as many as there is room for.
  template <class T>
  std::vector<T> read(std::size_t stream, std::size_t count) const {
    const std::vector<std::byte>& bytes = streams[stream];
    std::vector<T> elements(std::min(count, bytes.size() / sizeof(T)));
    if (!elements.empty()) std::memcpy(elements.data(), bytes.data(), elements.size() * sizeof(T));
    return elements;
  }
};

// A mesh as a surface is drawn of it.
struct DrawnSurface {
  std::span<const Vertex> vertices;
  std::span<const std::uint32_t> indices, material, colours;  // no colours: the mesh has none
};

// Compares streams and draw commands one after the other, up to the first that differs. What is
// copied or chosen must have the same bits. What a stream has room for none of is not written, and
// its draw command draws nothing.
class DrawnCheck {
 public:
  DrawnCheck(const Drawn& drawn, const std::vector<StreamInfo>& streams)
      : drawn_(drawn), streams_(streams) {}

  const std::string& difference() const { return difference_; }

  void command(std::size_t command, const DrawCommand& expected);
  template <class T>
  void stream(std::size_t stream, std::span<const T> expected) {
    words(stream, sizeof(T), expected.size(), expected.data());
  }
  template <class T>
  void stream(std::size_t stream, const std::vector<T>& expected) {
    this->stream(stream, std::span<const T>(expected));
  }
  // Numbers from 0 to 1, which kernels may round otherwise: by 1e-6 at most.
  void shares(std::size_t stream, const std::vector<float>& expected);

  void surface(const SurfaceStreams& streams, const DrawnSurface& expected);
  void elements(const ElementStreams& streams, const Elements& elements, bool deformed);
  // The boxes of a tree's nodes at one depth, in any order.
  void boxes(std::size_t stream, std::size_t command, const Tree::Snapshot& tree,
             std::uint32_t level);
  // The centres of the boxes that a tree stands on, in Morton order.
  void curve(std::size_t stream, std::size_t command, const Tree::Snapshot& tree);
  // A number of each triangle.
  void triangle_values(std::size_t stream, const Tree::Snapshot& tree,
                       const TriangleValueChoice& choice);
  // The boxes from the root to the leaf of what is picked, the root's first.
  void path(std::size_t stream, std::size_t command, const Tree::Snapshot& tree,
            std::uint32_t picked);
  // The corners of the triangle that is picked.
  void picked_triangle(std::size_t stream, std::size_t command, const Tree::Snapshot& tree,
                       std::uint32_t picked);

 private:
  bool has_room(std::size_t stream) const { return !drawn_.streams[stream].empty(); }
  bool is_done() const { return !difference_.empty(); }
  // Whatever the draw command of an output that is not written is, it draws nothing.
  void nothing(std::size_t command);
  // Notes that an element of a stream differs.
  void note(std::size_t stream, std::size_t element, const std::string& what);
  void words(std::size_t stream, std::size_t element_bytes, std::size_t count,
             const void* expected);

  const Drawn& drawn_;
  const std::vector<StreamInfo>& streams_;
  std::string difference_;
};

// By node: edges from the root, found by walking down from it.
std::vector<std::uint32_t> depths_of(const Tree::Snapshot& tree);

}  // namespace warpview
