// Shared parts of the tests of steps.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "gpu/catalogue.h"
#include "gpu/interop/draw_command.h"
#include "gpu/primitives/build/bvh.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/scratch_memory.h"
#include "gpu/runtime/vertex.h"
#include "tests/support/devices.h"

namespace warpview::test {

// Up to a few blocks; a large size adds nothing for kernels without cooperation between blocks.
inline std::vector<std::uint32_t> small_sizes() {
  std::vector<std::uint32_t> small;
  for (const std::size_t n : sizes())
    if (n <= 4097) small.push_back(static_cast<std::uint32_t>(n));
  return small;
}

template <class T>
Buffer<T> on_device(Device& device, Stream& stream, const std::vector<T>& host) {
  Buffer<T> buffer(device, host.size());
  if (!host.empty()) buffer.upload(stream, host);
  stream.synchronize();
  return buffer;
}
template <class T>
Buffer<T> on_device(Device& device, Stream& stream, T value) {
  return on_device(device, stream, std::vector<T>{value});
}

template <Step step, class Args>
void run(Stream& stream, const Args& args) {
  ScratchMemory scratch(stream.device());
  scratch.run(stream.device().table().step<step>(), stream, args);
  stream.synchronize();  // before the scratch goes
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  float number() { return std::uniform_real_distribution<float>(-1.0F, 1.0F)(engine_); }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine_() % n); }
  Vec3 vector() { return {number(), number(), number()}; }
  Vertex vertex() {
    Vertex v{vector(), vector(), {number(), number()}};
    v.normal = v.normal * (1.0F / std::sqrt(dot(v.normal, v.normal)));
    return v;
  }
  std::vector<Vertex> vertices(std::size_t n) {
    std::vector<Vertex> result(n);
    for (Vertex& v : result) v = vertex();
    return result;
  }
  Aabb box() {
    const Vec3 a = vector();
    const Vec3 b = vector();
    return {min_of(a, b), max_of(a, b)};
  }

 private:
  std::mt19937_64 engine_;
};

// A random binary tree in host memory, in the layout of gpu/primitives/build/bvh.h.
struct HostTree {
  std::vector<BvhNode> nodes;
  std::vector<std::uint32_t> parent;
  std::vector<std::uint32_t> depth;
  std::uint32_t root = Bvh::no_node;
  std::uint32_t first_leaf;
  std::uint32_t next_inner = 0;
  Random random;

  std::vector<Aabb> boxes;  // of the primitives; empty: any

  HostTree(std::uint32_t capacity, std::uint32_t count, std::vector<Aabb> primitive_boxes = {})
      : nodes(capacity ? 2 * std::size_t{capacity} - 1 : 0, BvhNode{{}, 0x5a5a5a5aU, {}, 0}),
        parent(nodes.size(), 0x5a5a5a5aU),
        depth(nodes.size(), 0x5a5a5a5aU),
        first_leaf(capacity - 1),
        random(capacity),
        boxes(std::move(primitive_boxes)) {
    if (count > 0) root = build(0, count, Bvh::no_node, 0);
  }

  // The deepest tree: each inner node has a leaf, on the left or on the right, and all that follow.
  static HostTree chain(std::uint32_t count, std::vector<Aabb> primitive_boxes, bool leaf_is_left) {
    HostTree tree(count, 0, std::move(primitive_boxes));
    tree.is_chain_ = true;
    tree.leaf_is_left_ = leaf_is_left;
    tree.root = tree.build(0, count, Bvh::no_node, 0);
    return tree;
  }

  // The subtree over leaves [first, end).
  std::uint32_t build(std::uint32_t first, std::uint32_t end, std::uint32_t up,
                      std::uint32_t level) {
    const bool leaf = end - first == 1;
    const std::uint32_t node = leaf ? first_leaf + first : next_inner++;
    parent[node] = up;
    depth[node] = level;
    if (leaf) {
      const Aabb box = boxes.empty() ? random.box() : boxes[first];
      nodes[node] = {box.min, first, box.max, BvhNode::leaf_mark};
    } else {
      const std::uint32_t middle = !is_chain_      ? first + 1 + random.below(end - first - 1)
                                   : leaf_is_left_ ? first + 1
                                                   : end - 1;
      const std::uint32_t left = build(first, middle, node, level + 1);
      const std::uint32_t right = build(middle, end, node, level + 1);
      const Aabb box = merge(nodes[left].box(), nodes[right].box());
      nodes[node] = {box.min, left, box.max, right};
    }
    return node;
  }
  bool has(std::size_t node) const { return depth[node] != 0x5a5a5a5aU; }

 private:
  bool is_chain_ = false;
  bool leaf_is_left_ = true;
};

// One draw of this many indices or vertices, from the first on.
inline void expect_command(const DrawCommand& command, std::uint32_t count) {
  EXPECT_EQ(command.count, count);
  EXPECT_EQ(command.instances, 1U);
  EXPECT_EQ(command.first, 0U);
  EXPECT_EQ(command.base_vertex, 0U);
  EXPECT_EQ(command.base_instance, 0U);
}

struct Triangles {
  std::vector<Vertex> vertices;
  std::vector<std::uint32_t> indices;

  std::uint32_t count() const { return static_cast<std::uint32_t>(indices.size() / 3); }
  void add(Vec3 a, Vec3 b, Vec3 c) {
    for (const Vec3& corner : {a, b, c}) {
      indices.push_back(static_cast<std::uint32_t>(vertices.size()));
      vertices.push_back({corner, {0, 0, 1}, {0, 0}});
    }
  }
  Vec3 corner(std::uint32_t triangle, std::uint32_t which) const {
    return vertices[indices[3 * std::size_t{triangle} + which]].position;
  }
  std::vector<Aabb> boxes() const {
    std::vector<Aabb> all;
    for (std::uint32_t t = 0; t < count(); ++t) {
      Aabb box = Aabb::empty();
      for (std::uint32_t c = 0; c < 3; ++c) box = merge(box, {corner(t, c), corner(t, c)});
      all.push_back(box);
    }
    return all;
  }
};

}  // namespace warpview::test
