// The tree that rays walk in a recording of `trace`, binary or wide, as one shape: boxes with any
// number of children, and triangles at the bottom.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/step_views/names.h"
#include "app/step_views/trees.h"
#include "gpu/primitives/collapse/wide_tree.h"

namespace warpview::step_views {

// The arrays of gpu/primitives/trace/trace.h, as indices into the recording's, which has those that
// its run reads or writes.
struct WalkArrays {
  std::uint32_t rays = 0;
  // The binary tree. Walks of a wide one read it only where their stack is full.
  std::optional<std::uint32_t> nodes{}, root{}, leaves{}, indices{}, vertices{};
  std::optional<std::uint32_t> hits{}, any{};
  // The nodes of a wide tree, of one of the two layouts, and its triangles.
  std::optional<std::uint32_t> four{}, eight{}, triangles{};
  std::uint32_t node_count = 0;  // of the binary tree

  std::uint32_t first_leaf() const { return node_count / 2; }
  bool is_wide() const { return four || eight; }
  // The nodes that a walk begins with, and the bytes of one.
  std::uint32_t walked() const { return four ? *four : eight ? *eight : nodes.value(); }
  std::uint32_t node_bytes() const {
    return four ? sizeof(WideNode4) : eight ? sizeof(WideNode8) : sizeof(BvhNode);
  }
};

// None for other primitives, and where the arrays are not as the kernels have them.
std::optional<WalkArrays> walk_arrays(const Recording& recording);

// A node here is a box that a walk tests, or a triangle. In a binary tree nodes are numbered like
// the kernel's, and a leaf is the box of its triangle and the triangle itself. In a wide tree the
// root, whose box is not tested, is node 0; boxes follow, parents before children, then triangles.
// A box there has a node of the kernel's below it, or one to three triangles.
class WalkTree : public FinishedTree {
 public:
  WalkTree(const Recording& recording, const WalkArrays& arrays);

  bool is_wide() const { return is_wide_; }
  const std::vector<std::uint32_t>& children(std::uint32_t node) const { return children_[node]; }
  // As walks test it; of a triangle its own.
  const Aabb& box(std::uint32_t node) const { return boxes_[node]; }
  // `node` must have a leaf (has_leaf).
  const LeafTriangle& triangle(std::uint32_t node) const { return triangles_[nodes[node].first]; }

  // Has the node triangles below it, in a wide tree?
  bool is_wide_leaf(std::uint32_t node) const {
    return is_wide_ && !children_[node].empty() && has_leaf(children_[node].front());
  }
  // The first of a leaf's triangles, as an element of arrays.triangles.
  std::uint32_t first_element(std::uint32_t leaf) const {
    return words_[children_[leaf].front()].element;
  }
  // In which slot of its parent's element a box is, where walks go by that (wide8_compressed).
  std::optional<unsigned> slot(std::uint32_t node) const {
    return slots_.empty() ? std::nullopt : std::optional(slots_[node]);
  }

  // The node that an element of arrays.walked() is, and the nodes whose boxes a read of it tests.
  std::optional<std::uint32_t> node_of_element(std::uint32_t element) const {
    return found(of_element_, element);
  }
  std::vector<std::uint32_t> tested_by_read(std::uint32_t node) const;
  // The node of a triangle: by its number in the mesh, or by the element of arrays.triangles.
  std::optional<std::uint32_t> node_of_number(std::uint32_t triangle) const {
    return found(of_number_, triangle);
  }
  std::optional<std::uint32_t> node_of_triangle(std::uint32_t element) const {
    return found(of_triangle_, element);
  }

  std::string words(std::uint32_t node) const;  // "node 4", "leaf 12"
  // The name of what the kernels have for it (app/step_views/names.h).
  std::string name(std::uint32_t node) const { return word_name(words_[node]); }

 private:
  using ByNumber = std::unordered_map<std::uint32_t, std::uint32_t>;
  class WideReader;

  static std::optional<std::uint32_t> found(const ByNumber& all, std::uint32_t number);
  void resize(std::size_t count);
  void read_binary(const Recording& recording, const WalkArrays& arrays);
  void read_wide(const Recording& recording, const WalkArrays& arrays);

  bool is_wide_;
  std::vector<std::vector<std::uint32_t>> children_;  // by node, as the two below
  std::vector<Aabb> boxes_;
  std::vector<Word> words_;
  std::vector<unsigned> slots_;          // of compressed nodes alone
  std::vector<LeafTriangle> triangles_;  // by place
  ByNumber of_element_, of_number_, of_triangle_;
};

}  // namespace warpview::step_views
