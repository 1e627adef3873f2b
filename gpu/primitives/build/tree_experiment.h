// A tree over the 30-bit Morton codes of boxes: the input of the builders and refits.
#pragma once

#include "gpu/lab/experiment.h"
#include "gpu/reference/reference.h"

namespace warpview::lab {

class TreeExperiment : public Experiment {
 public:
  std::vector<Region> result() override {
    if (n_ == 0) return {region("root", root_)};
    return {region("parent", parent_), region("nodes", nodes_), region("root", root_)};
  }

 protected:
  explicit TreeExperiment(const Setup& setup);

  std::vector<Region> outputs() override {
    return {region("nodes", nodes_), region("parent", parent_), region("root", root_)};
  }

  // The tree on the host, as it is on the device.
  reference::Tree tree() const;
  const std::vector<Aabb>& host_boxes() const { return host_boxes_; }
  Bvh bvh() const {
    return {.nodes = nodes_.data(), .parent = parent_.data(), .root = root_.data(), .capacity = n_};
  }
  const std::uint32_t* count() const { return count_.data(); }

  void build(VariantId variant);
  void refit(VariantId variant);
  // How the tree that a builder made, or that was refitted since, differs from the reference's.
  std::string check_tree(VariantId builder, bool fitted);
  // For experiments whose input is the tree and whose output is its boxes: stores the current tree,
  // with spoiled boxes, for put_back_links.
  void keep_links();
  void put_back_links() { nodes_.upload(stream_, kept_nodes_); }
  // Queues the copy of a whole tree of the same places over the current one.
  void put_back(const Buffer<BvhNode>& nodes, const Buffer<std::uint32_t>& parent) {
    stream_.copy(nodes_.data(), nodes.data(), nodes.bytes(), Copy::device_to_device);
    stream_.copy(parent_.data(), parent.data(), parent.bytes(), Copy::device_to_device);
  }
  // Returns the regions that hold links and boxes.
  std::vector<Region> links() const { return {region("nodes", nodes_), region("parent", parent_)}; }

  // From here on `refit` computes totals, not boxes.
  void make_totals() { totals_ = Buffer<NodeTotals>(device_, nodes_.size()); }
  const Buffer<NodeTotals>& totals() const { return totals_; }
  // After `keep_links`: checks the totals, and that the nodes are unchanged.
  std::string check_totals();

 private:
  std::vector<Aabb> host_boxes_;
  std::vector<std::uint64_t> host_codes_;
  std::vector<std::uint32_t> host_primitives_;
  std::vector<BvhNode> kept_nodes_;
  Buffer<std::uint32_t> codes_, primitives_, count_;
  Buffer<Aabb> boxes_;
  Buffer<BvhNode> nodes_;
  Buffer<NodeTotals> totals_;
  Buffer<std::uint32_t> parent_, root_;
};

}  // namespace warpview::lab
