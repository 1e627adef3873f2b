// A hierarchy over triangles: its nodes as they are linked, their boxes as they are fitted.
#include <fmt/format.h>

#include <algorithm>

#include "app/common/digits.h"
#include "app/step_views/arrays.h"
#include "app/step_views/names.h"
#include "app/step_views/space.h"
#include "app/step_views/trees.h"
#include "app/step_views/words.h"

namespace warpview::step_views {
namespace {

constexpr std::size_t most_boxes = 48;
constexpr std::size_t recent_boxes = 6;  // of nodes that were written last

class TreeInSpace : public SpaceScene {
 public:
  TreeInSpace(const Recording& recording, const TreeArrays& arrays, const MeshPicture& mesh)
      : arrays_(arrays),
        tree_(recording, arrays),
        boxes_(find_input(recording, std::uint64_t{triangle_box_bytes} * mesh.triangles())) {
    const std::vector<std::uint8_t> nodes = contents_after(recording, arrays.nodes);
    find_triangles(nodes, mesh);
    box_.resize(tree_.nodes.size());
    for (std::uint32_t k = 0; k < tree_.leaves(); ++k)
      box_[arrays.first_leaf() + k] = mesh.box(triangle_[k]);
    // Children before parents.
    for (std::size_t i = tree_.inner.size(); i-- > 0;) {
      const FinishedTree::Node& node = tree_.nodes[tree_.inner[i]];
      if (node.left < box_.size() && node.right < box_.size())
        box_[tree_.inner[i]] = box_[node.left].merged(box_[node.right]);
    }
    fits_ = !arrays.builds || writes_boxes(nodes);
  }

  SpacePicture at(const Playback& at, const MeshPicture& mesh) const override {
    SpacePicture picture;
    picture.triangles.resize(mesh.triangles());
    const std::size_t leaves = add_leaves(at, picture);
    std::vector<std::uint32_t> written;
    for (const std::uint32_t i : tree_.inner)
      if (is_written(at, i)) written.push_back(i);
    if (fits_)
      add_topmost(at, picture, written);
    else
      add_links(at, picture, written);
    add_new(at, picture, written);
    add_waiting(at, picture);
    if (boxes_) mark_reads(at, *boxes_, triangle_box_bytes, 1, picture.triangles);
    picture.progress = fmt::format("{} of {} inner nodes and {} of {} leaves are {}.",
                                   group_digits(written.size()), group_digits(tree_.inner.size()),
                                   group_digits(leaves), group_digits(tree_.leaves()),
                                   !arrays_.builds ? "fitted"
                                   : fits_         ? "written with their boxes"
                                                   : "linked");
    picture.now = what_happens(at);
    return picture;
  }

  std::vector<KeyEntry> key() const override {
    std::vector<KeyEntry> entries = {
        {arrays_.builds ? "leaf not written" : "leaf not fitted", filled(plot_ink::neutral, 0.3F)},
        {"node written in this step", framed(ink::write)}};
    if (fits_)
      entries.push_back({"box whose parent has none yet", framed(plot_ink::text)});
    else
      entries.push_back(
          {"links to inner nodes", [](Sketch& sketch, PlotBox box) {
             sketch.line({box.x, box.bottom()}, {box.right(), box.y}, plot_ink::text, 0.12F);
           }});
    if (arrays_.arrived || arrays_.arrivals)
      entries.push_back(
          {"node that one child has reached", [](Sketch& sketch, PlotBox box) {
             const float side = 0.5F * box.width;
             sketch.box({box.x + 0.5F * side, box.y + 0.5F * side, side, side}, ink::atomic);
           }});
    return entries;
  }
  std::string legend() const override {
    if (!arrays_.builds)
      return "A triangle gets the colour of its place in Morton order when its leaf gets its box. "
             "Boxes are those of fitted nodes whose parents are not fitted yet: they merge.";
    return fits_ ? "A triangle gets the colour of its place in Morton order when its leaf is "
                   "written. Boxes are those of nodes whose parents are not written yet."
                 : "A triangle gets the colour of its place in Morton order when its leaf is "
                   "written. Lines go from the middle of a node's box to its children that are "
                   "inner nodes; the last nodes show their boxes.";
  }
  bool has_ramp() const override { return true; }
  bool has_boxes() const override { return true; }

 private:
  bool is_leaf(std::uint32_t node) const { return node >= arrays_.first_leaf(); }
  std::optional<std::size_t> write_of(const Playback& at, std::uint32_t node) const {
    const auto event = at.last_write({arrays_.nodes, node, 0});
    if (!event || is_host_write(at.recording().events[*event].kind)) return std::nullopt;
    return event;
  }
  bool is_written(const Playback& at, std::uint32_t node) const {
    return write_of(at, node).has_value();
  }
  bool is_new(const Playback& at, std::uint32_t node) const {
    const auto event = write_of(at, node);
    return event && at.last_did(*event);
  }
  std::string name_of(std::uint32_t node) const { return word_name({arrays_.nodes, node, 0}); }

  // Leaves name their triangles.
  void find_triangles(std::span<const std::uint8_t> nodes, const MeshPicture& mesh) {
    for (std::uint32_t k = 0; k < tree_.leaves(); ++k) {
      const auto t =
          number_at<std::uint32_t>(nodes, std::size_t{arrays_.first_leaf() + k} * 32 + 12);
      triangle_.push_back(t < mesh.triangles() ? t : 0);
    }
  }
  // Do inner nodes end with boxes that are not empty?
  bool writes_boxes(std::span<const std::uint8_t> nodes) const {
    if (tree_.inner.empty()) return false;
    const std::size_t offset = std::size_t{tree_.inner.front()} * 32;
    return number_at<float>(nodes, offset) <= number_at<float>(nodes, offset + 16);
  }

  std::size_t add_leaves(const Playback& at, SpacePicture& picture) const {
    std::size_t written = 0;
    for (std::uint32_t k = 0; k < tree_.leaves(); ++k) {
      const std::uint32_t node = arrays_.first_leaf() + k;
      SpaceTriangle& triangle = picture.triangles[triangle_[k]];
      triangle.name = name_of(node);
      if (!is_written(at, node)) continue;
      ++written;
      triangle.ink = ramp_ink(k, tree_.leaves());
      triangle.opacity = 0.9F;
      triangle.is_written = is_new(at, node);
    }
    return written;
  }
  std::uint32_t keys_of(std::uint32_t node) const {
    return tree_.nodes[node].last - tree_.nodes[node].first + 1;
  }

  // The width of links, which are thinner towards the leaves.
  float width_of(std::uint32_t node) const {
    const std::uint32_t keys = keys_of(node);
    return keys * 8 >= tree_.leaves() ? 0.15F : keys * 64 >= tree_.leaves() ? 0.09F : 0.05F;
  }

  // The boxes of nodes whose parents are not written, the largest of them.
  void add_topmost(const Playback& at, SpacePicture& picture,
                   const std::vector<std::uint32_t>& written) const {
    std::vector<std::uint32_t> topmost;
    for (const std::uint32_t i : written) {
      const std::uint32_t parent = tree_.nodes[i].parent;
      if (parent >= tree_.nodes.size() || !is_written(at, parent)) topmost.push_back(i);
    }
    std::stable_sort(topmost.begin(), topmost.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return keys_of(a) > keys_of(b); });
    topmost.resize(std::min(topmost.size(), most_boxes));
    // The last box stays with those of its upper levels.
    if (topmost.size() == 1)
      for (const std::uint32_t i : written)
        if (0 < tree_.nodes[i].depth && tree_.nodes[i].depth <= last_levels) topmost.push_back(i);
    for (const std::uint32_t i : topmost)
      picture.boxes.push_back(
          {.box = box_[i], .ink = plot_ink::text, .width = 0.09F, .name = name_of(i)});
  }
  void add_links(const Playback& at, SpacePicture& picture,
                 const std::vector<std::uint32_t>& written) const {
    for (const std::uint32_t i : written) {
      const FinishedTree::Node& node = tree_.nodes[i];
      for (const std::uint32_t child : {node.left, node.right})
        if (child < box_.size() && (is_new(at, i) || !is_leaf(child)))
          picture.lines.push_back({.from = box_[i].centre(),
                                   .to = box_[child].centre(),
                                   .ink = is_new(at, i) ? ink::write : plot_ink::text,
                                   .width = is_new(at, i) ? 0.2F : width_of(i),
                                   .opacity = 0.9F});
    }
  }
  // The boxes of the nodes that were written last.
  void add_new(const Playback& at, SpacePicture& picture,
               const std::vector<std::uint32_t>& written) const {
    std::vector<std::pair<std::size_t, std::uint32_t>> recent;
    recent.reserve(written.size());
    for (const std::uint32_t i : written) recent.emplace_back(*write_of(at, i), i);
    std::sort(recent.rbegin(), recent.rend());
    std::size_t older = 0;
    for (const auto& [event, i] : recent) {
      const bool now = at.last_did(event);
      if (!now && (fits_ || ++older > recent_boxes)) break;
      if (picture.boxes.size() >= 2 * most_boxes) break;
      picture.boxes.push_back({.box = box_[i],
                               .ink = now ? ink::write : plot_ink::text,
                               .width = now ? 0.2F : 0.08F,
                               .name = name_of(i)});
    }
  }
  // Nodes that wait for their second child.
  void add_waiting(const Playback& at, SpacePicture& picture) const {
    for (const std::uint32_t i : tree_.inner)
      if (!is_written(at, i) && has_one_arrival(at, i))
        picture.dots.push_back(
            {.at = box_[i].centre(), .ink = ink::atomic, .side = 0.35F, .name = name_of(i)});
  }
  bool has_one_arrival(const Playback& at, std::uint32_t node) const {
    if (arrays_.arrived && !at.last_write({*arrays_.arrived, node, 0})) return false;
    if (arrays_.arrived)
      return number_at<std::uint32_t>(at.contents(*arrays_.arrived), std::size_t{node} * 4) == 1;
    return arrays_.arrivals && at.last_write({*arrays_.arrivals, node, 0}) &&
           number_at<std::uint64_t>(at.contents(*arrays_.arrivals), std::size_t{node} * 8) !=
               ~std::uint64_t{0};
  }

  std::string what_happens(const Playback& at) const {
    std::vector<std::uint32_t> nodes;
    for (const RecordedEvent& event : at.last()) {
      if (!is_access(event.kind) || is_read(event.kind) || event.subject != arrays_.nodes) continue;
      const std::uint32_t node = event.offset / 32;
      if (node < tree_.nodes.size() && (nodes.empty() || nodes.back() != node))
        nodes.push_back(node);
    }
    if (nodes.empty()) return {};
    const std::uint32_t node = nodes.front();
    if (nodes.size() > 1) return fmt::format("{} nodes are written.", nodes.size());
    if (is_leaf(node))
      return fmt::format("The leaf of triangle {} is written.",
                         node - arrays_.first_leaf() < triangle_.size()
                             ? triangle_[node - arrays_.first_leaf()]
                             : 0);
    return fmt::format("Node {} over {} is written.", node, count_of(keys_of(node), "triangle"));
  }

  static constexpr std::uint32_t last_levels = 3;

  TreeArrays arrays_;
  FinishedTree tree_;
  std::optional<std::uint32_t> boxes_;
  std::vector<std::uint32_t> triangle_;  // of each leaf
  std::vector<Box3> box_;                // by node, of its triangles
  bool fits_ = false;                    // does the kernel write boxes?
};

}  // namespace

std::unique_ptr<SpaceScene> tree_scene(const Recording& recording, const MeshPicture& mesh) {
  const auto arrays = tree_arrays(recording);
  if (!arrays || arrays->capacity != mesh.triangles()) return nullptr;
  return std::make_unique<TreeInSpace>(recording, *arrays, mesh);
}

}  // namespace warpview::step_views
