// What the stage `write` leaves for OpenGL, held against the same done sequentially on the host.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "gpu/interop/draw_command.h"
#include "gpu/steps/triangle_values.h"
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

// Compares streams and draw commands one after the other, up to the first that differs. What is
// copied or chosen must have the same bits. What a stream has room for none of is not written, and
// its draw command draws nothing.
class DrawnCheck {
 public:
  // `stream` is that of the device memory which writers read.
  DrawnCheck(const Drawn& drawn, const std::vector<StreamInfo>& streams, Stream& stream)
      : drawn_(drawn), streams_(streams), stream_(stream) {}

  const std::string& difference() const { return difference_; }
  const Drawn& drawn() const { return drawn_; }

  // What lies on the device: arrays, and a tree without its vertices. Both wait.
  template <class T>
  std::vector<T> read(const T* from, std::size_t count) const {
    std::vector<T> to(count);
    if (count > 0) stream_.copy(to.data(), from, count * sizeof(T), Copy::device_to_host);
    stream_.synchronize();
    return to;
  }
  template <class T>
  T read(const T* from) const {
    return read(from, 1).front();
  }
  const Tree::Snapshot& snapshot(const Tree& tree);

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

  // The boxes of the nodes at one depth of each tree, in any order, and, where there is a second
  // stream, children_overlap() of each.
  void boxes(const WrittenAt& at, std::span<const Tree* const> of,
             std::span<const std::uint32_t> levels);
  // The centres of the boxes that a tree stands on, in Morton order.
  void curve(const WrittenAt& at, const Tree& of);
  // A number of each triangle.
  void triangle_values(std::size_t stream, const Tree& of, const TriangleValueChoice& choice);
  // The boxes from the root to the leaf of what is picked, the root's first.
  void path(std::size_t stream, std::size_t command, const Tree& of, std::uint32_t picked);
  // Whatever the draw command of an output that is not written is, it draws nothing.
  void nothing(std::size_t command);
  bool has_room(std::size_t stream) const { return !drawn_.streams[stream].empty(); }

 private:
  bool is_done() const { return !difference_.empty(); }
  // Notes that an element of a stream differs.
  void note(std::size_t stream, std::size_t element, const std::string& what);
  void words(std::size_t stream, std::size_t element_bytes, std::size_t count,
             const void* expected);

  const Drawn& drawn_;
  const std::vector<StreamInfo>& streams_;
  Stream& stream_;
  std::map<const Tree*, Tree::Snapshot> trees_;
  std::string difference_;
};

// By node: edges from the root, found by walking down from it.
std::vector<std::uint32_t> depths_of(const Tree::Snapshot& tree);

}  // namespace warpview
