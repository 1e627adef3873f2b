// A hierarchy over Morton codes while it is built, or while its boxes are fitted: leaves in the
// order of their codes at the bottom, each inner node above the keys between which it splits.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "app/step_views/arrays.h"
#include "app/step_views/key.h"
#include "app/step_views/names.h"
#include "app/step_views/paragraph.h"
#include "app/step_views/words.h"
#include "gpu/recording/replay.h"

namespace warpview::step_views {
namespace {

constexpr std::uint32_t no_tree_node = 0xffffffffU;
constexpr std::uint32_t most_tree_leaves = 64;  // that are drawn one by one

// The arrays of gpu/primitives/build/bvh.h: nodes[2 capacity - 1] of 32 bytes with the children at
// bytes 12 and 28, inner nodes first; parent[2 capacity - 1].
struct TreeArrays {
  std::uint32_t nodes = 0, parent = 0;
  std::uint32_t capacity = 0;
  std::optional<std::uint32_t> arrived{};   // refit=atomic: arrivals at each inner node
  std::optional<std::uint32_t> arrivals{};  // build=apetrei: the first arrival, or all bits set
  bool builds = false;

  std::uint32_t first_leaf() const { return capacity - 1; }
};

std::optional<TreeArrays> tree_arrays(const Recording& recording) {
  TreeArrays found;
  found.builds = recording.primitive == "build";
  if (!found.builds && recording.primitive != "refit") return std::nullopt;
  const auto nodes = find_array(recording, "nodes", 32, 3);
  if (!nodes) return std::nullopt;
  const std::uint32_t count = recording.arrays[*nodes].bytes / 32;
  const auto parent = find_array(recording, "parent", 4, count);
  if (!parent || count % 2 == 0) return std::nullopt;
  found.nodes = *nodes;
  found.parent = *parent;
  found.capacity = (count + 1) / 2;
  found.arrived = find_array(recording, "arrived", 4, found.capacity);
  found.arrivals = find_array(recording, "arrivals", 8, found.capacity);
  return found;
}

// The tree as the run leaves it.
struct FinishedTree {
  struct Node {
    std::uint32_t left = no_tree_node, right = no_tree_node, parent = no_tree_node;
    std::uint32_t first = 0, last = 0, split = 0;  // keys; `split` is the last of its left child
    std::uint32_t depth = 0;
  };
  std::vector<Node> nodes;             // by index
  std::vector<std::uint32_t> inner{};  // those in the tree, parents before children
  std::uint32_t leaves = 0;
  std::uint32_t levels = 1;

  FinishedTree(const Recording& recording, const TreeArrays& arrays);
};

FinishedTree::FinishedTree(const Recording& recording, const TreeArrays& arrays) {
  Replay replay(recording);
  while (!replay.ended()) replay.step();
  const auto bytes = replay.contents(arrays.nodes);
  const auto parents = replay.contents(arrays.parent);
  const auto count = static_cast<std::uint32_t>(bytes.size() / 32);
  nodes.resize(count);
  std::uint32_t root = arrays.first_leaf();
  for (std::uint32_t steps = 0; steps < count; ++steps) {
    const auto above = number_at<std::uint32_t>(parents, std::size_t{root} * 4);
    if (above >= count) break;
    root = above;
  }
  std::vector<bool> seen(count);
  std::vector<std::uint32_t> order, left_to_do = {root};
  while (!left_to_do.empty()) {
    const std::uint32_t i = left_to_do.back();
    left_to_do.pop_back();
    if (i >= count || seen[i]) continue;
    seen[i] = true;
    Node& node = nodes[i];
    levels = std::max(levels, node.depth + 1);
    if (i >= arrays.first_leaf()) {
      node.first = node.last = i - arrays.first_leaf();
      leaves = std::max(leaves, node.last + 1);
      continue;
    }
    inner.push_back(i);
    node.left = number_at<std::uint32_t>(bytes, std::size_t{i} * 32 + 12);
    node.right = number_at<std::uint32_t>(bytes, std::size_t{i} * 32 + 28);
    for (const std::uint32_t child : {node.right, node.left}) {
      if (child >= count || seen[child]) continue;
      nodes[child].depth = node.depth + 1;
      nodes[child].parent = i;
      left_to_do.push_back(child);
    }
  }
  // Children before parents.
  for (std::size_t k = inner.size(); k-- > 0;) {
    Node& node = nodes[inner[k]];
    if (node.left >= count || node.right >= count) continue;
    node.first = nodes[node.left].first;
    node.split = nodes[node.left].last;
    node.last = nodes[node.right].last;
  }
}

class TreeView : public StepView {
 public:
  TreeView(const Recording& recording, const TreeArrays& arrays)
      : arrays_(arrays), tree_(recording, arrays), codes_(find_codes(recording)) {}

  std::string legend() const override {
    return arrays_.builds
               ? "Leaves are in the order of their Morton codes. An inner node stands above the "
                 "keys between which it splits; it appears when it is written, with its links. The "
                 "bar "
                 "below a node is the range of keys that it covers; dotted while a lane searches "
                 "it."
               : "An inner node is fitted when both children are: the lane that arrives second "
                 "merges their boxes and goes on upwards, the first one stops.";
  }

  StepDrawing draw(const Playback& at, const StepFocus& /*focus*/,
                   const PlotSurface& surface) const override {
    Sketch sketch(surface);
    const Layout layout(*this, sketch.width());
    float y = draw_key(sketch, surface, {0.0F, 0.0F}, key());
    y += draw_paragraph(sketch, surface, {0.0F, y}, progress(at));
    // As high in each step, so that the tree does not move.
    const float room = sketch.is_narrow() ? 3.0F : 2.0F;
    draw_paragraph(sketch, surface, {0.0F, y}, what_happens(at), plot_ink::dim);
    y += room * plot_line_height + 0.5F;
    draw_nodes(sketch, at, layout, y);
    y += layout.tree_height();
    y = draw_leaves(sketch, surface, at, layout, y);
    if (layout.least > 1)
      y += draw_paragraph(sketch, surface, {0.0F, y},
                          fmt::format("Of {} leaves: nodes above fewer than {} are left out.",
                                      tree_.leaves, layout.least),
                          plot_ink::dim);
    return sketch.take(y);
  }

 private:
  struct Layout {
    float leaf = 1.0F;         // width of a key
    float row = 1.6F;          // between levels
    float side = 0.8F;         // of a node
    std::uint32_t least = 1;   // keys of a node that is drawn, if there are too many leaves
    std::uint32_t levels = 1;  // of inner nodes that are drawn

    Layout(const TreeView& view, float width) {
      const FinishedTree& tree = view.tree_;
      const std::uint32_t leaves = std::max(tree.leaves, 1U);
      least = (leaves + most_tree_leaves - 1) / most_tree_leaves;
      leaf = width / static_cast<float>(leaves);
      for (const std::uint32_t i : tree.inner)
        if (shows(tree.nodes[i])) levels = std::max(levels, tree.nodes[i].depth + 1);
      row = std::clamp(26.0F / static_cast<float>(levels), 0.7F, 2.2F);
      side = std::clamp(0.8F * leaf * static_cast<float>(least), 0.3F, 0.6F * row);
    }
    bool shows(const FinishedTree::Node& node) const {
      return least == 1 || node.last - node.first + 1 >= std::max(least, 2U);
    }
    float tree_height() const { return static_cast<float>(levels) * row + 0.4F; }
    PlotVertex place(const FinishedTree::Node& node, float y) const {
      return {static_cast<float>(node.split + 1) * leaf,
              y + (static_cast<float>(node.depth) + 0.5F) * row};
    }
  };

  // ---- What is known at a step -----------------------------------------------------------------

  bool is_written(const Playback& at, std::uint32_t node) const {
    const auto event = at.last_write({arrays_.nodes, node, 0});
    return event && !is_host_write(at.recording().events[*event].kind);
  }
  bool is_new(const Playback& at, std::uint32_t node) const {
    const auto event = at.last_write({arrays_.nodes, node, 0});
    return event && at.last_did(*event);
  }
  // Children that have arrived at an inner node: 0, 1 or 2.
  std::uint32_t arrivals(const Playback& at, std::uint32_t node) const {
    if (arrays_.arrived)
      return std::min(
          number_at<std::uint32_t>(at.contents(*arrays_.arrived), std::size_t{node} * 4), 2U);
    if (arrays_.arrivals && at.last_write({*arrays_.arrivals, node, 0}))
      return is_written(at, node) ? 2
             : number_at<std::uint64_t>(at.contents(*arrays_.arrivals), std::size_t{node} * 8) ==
                     ~std::uint64_t{0}
                 ? 0
                 : 1;
    return 0;
  }
  bool has_arrivals() const { return arrays_.arrived || arrays_.arrivals; }

  std::vector<KeyEntry> key() const {
    std::vector<KeyEntry> entries = {
        {arrays_.builds ? "written" : "fitted", filled(plot_ink::neutral, 0.8F)},
        {"by this step", filled(ink::write)}};
    if (has_arrivals()) entries.push_back({"arrivals: 1 (framed: 2)", filled(ink::atomic)});
    if (codes_) entries.push_back({"code read by this step", filled(ink::read)});
    return entries;
  }

  std::string progress(const Playback& at) const {
    std::size_t done = 0;
    for (const std::uint32_t i : tree_.inner) done += is_written(at, i) ? 1 : 0;
    return fmt::format("{} of {} inner nodes are {}", done, tree_.inner.size(),
                       arrays_.builds ? "written" : "fitted");
  }

  // The codes: the sorted words that builders read.
  std::optional<std::uint32_t> find_codes(const Recording& recording) const {
    if (!arrays_.builds) return std::nullopt;
    for (std::uint32_t i = 0; i < recording.arrays.size(); ++i) {
      const RecordedArray& array = recording.arrays[i];
      if (!array.name.starts_with("input") || array.kind != ArrayKind::device) continue;
      if (array.element_bytes != 4 && array.element_bytes != 8) continue;
      if (elements_of(array) != arrays_.capacity) continue;
      std::uint64_t before = 0;
      bool is_sorted = true;
      for (std::uint32_t k = 0; k < tree_.leaves && is_sorted; ++k) {
        const std::uint64_t code = element_at(array.before, array.element_bytes, k);
        is_sorted = code >= before;
        before = code;
      }
      if (is_sorted) return i;
    }
    return std::nullopt;
  }
  // The length of the common prefix of two keys: codes with their index behind them (Karras 2012).
  std::uint32_t delta(const Playback& at, std::uint32_t i, std::uint32_t j) const {
    const std::uint32_t width = at.recording().arrays[*codes_].element_bytes;
    const auto bytes = at.contents(*codes_);
    const std::uint64_t differing = element_at(bytes, width, i) ^ element_at(bytes, width, j);
    const std::uint32_t bits = 8 * width;
    if (differing != 0) return static_cast<std::uint32_t>(std::countl_zero(differing)) + bits - 64;
    return bits + static_cast<std::uint32_t>(std::countl_zero(i ^ j));
  }

  // The lane's number in its grid.
  static std::uint32_t thread_of(const Playback& at, const RecordedEvent& event) {
    const auto launch = at.launch();
    const auto threads =
        launch ? static_cast<std::uint32_t>(at.recording().launches[*launch].threads()) : 0U;
    return event.block * threads + event.thread;
  }

  std::string what_happens(const Playback& at) const {
    const Recording& recording = at.recording();
    for (const RecordedEvent& event : at.last()) {
      if (!is_access(event.kind)) continue;
      const std::string lane = "Lane " + lane_words(recording, event.block, event.thread);
      if (event.subject == arrays_.nodes && !is_read(event.kind)) {
        const std::uint32_t i = event.offset / 32;
        if (i >= arrays_.first_leaf())
          return fmt::format("{} writes leaf {}.", lane, i - arrays_.first_leaf());
        const FinishedTree::Node& node = tree_.nodes[i];
        return fmt::format("{} writes node {}: keys {} to {}, split behind key {}.", lane, i,
                           node.first, node.last, node.split);
      }
      if (codes_ && event.subject == *codes_ && recording.variant == "karras") {
        const std::uint32_t i = thread_of(at, event);
        const std::uint32_t j = event.offset / recording.arrays[*codes_].element_bytes;
        if (i >= tree_.leaves || j >= tree_.leaves) continue;
        if (i == j)
          return fmt::format("{} searches node {} and reads key {}, its own.", lane, i, i);
        return fmt::format("{} searches node {}: keys {} and {} share {} leading bits (delta).",
                           lane, i, i, j, delta(at, i, j));
      }
      if (is_atomic(event.kind) && is_arrival(event)) return arrival_words(event, lane);
    }
    if (recording.variant == "treelets")
      return "A block makes the nodes of its tile in shared memory, and writes them together.";
    return {};
  }
  bool is_arrival(const RecordedEvent& event) const {
    return (arrays_.arrived && event.subject == *arrays_.arrived) ||
           (arrays_.arrivals && event.subject == *arrays_.arrivals);
  }
  // In apetrei the node that arrives first leaves its number.
  std::string arrival_words(const RecordedEvent& event, const std::string& lane) const {
    if (!arrays_.arrived) return fmt::format("{} arrives at node {}.", lane, event.offset / 8);
    return fmt::format("{} arrives at node {} {}.", lane, event.offset / 4,
                       event.value < 2 ? "first: it stops" : "second: it goes on upwards");
  }

  // ---- Shapes ----------------------------------------------------------------------------------

  void draw_nodes(Sketch& sketch, const Playback& at, const Layout& layout, float y) const {
    const float bottom = y + layout.tree_height();
    for (const std::uint32_t i : tree_.inner) {
      const FinishedTree::Node& node = tree_.nodes[i];
      if (!layout.shows(node) || (arrays_.builds && !is_written(at, i))) continue;
      const PlotVertex from = layout.place(node, y);
      for (const std::uint32_t child : {node.left, node.right}) {
        if (child >= tree_.nodes.size()) continue;
        const FinishedTree::Node& below = tree_.nodes[child];
        const bool is_leaf = child >= arrays_.first_leaf();
        if (!is_leaf && !layout.shows(below)) continue;
        if (is_leaf && layout.least > 1) continue;
        const PlotVertex to =
            is_leaf ? PlotVertex{(static_cast<float>(below.first) + 0.5F) * layout.leaf, bottom}
                    : layout.place(below, y);
        sketch.line(from, to, plot_ink::grid, 0.07F);
      }
    }
    for (const std::uint32_t i : tree_.inner) {
      const FinishedTree::Node& node = tree_.nodes[i];
      if (layout.shows(node)) draw_node(sketch, at, layout, i, layout.place(node, y));
    }
    draw_search(sketch, at, layout, y);
    draw_climbs(sketch, at, layout, y);
  }

  // The node that the first lane of this step searches, where the run will put it, above its range.
  void draw_search(Sketch& sketch, const Playback& at, const Layout& layout, float y) const {
    const auto i = searched(at);
    if (!i || is_written(at, *i) || !layout.shows(tree_.nodes[*i])) return;
    const FinishedTree::Node& node = tree_.nodes[*i];
    const PlotVertex place = layout.place(node, y);
    const float side = layout.side;
    const float left = std::clamp(place.x - 0.5F * side, 0.0F, sketch.width() - side);
    sketch.frame({left, place.y - 0.5F * side, side, side}, ink::read, 0.1F,
                 word_name({arrays_.nodes, *i, 0}));
    sketch
        .line(
            {(static_cast<float>(node.first) + 0.1F) * layout.leaf, place.y + 0.5F * side + 0.08F},
            {(static_cast<float>(node.last) + 0.9F) * layout.leaf, place.y + 0.5F * side + 0.08F},
            ink::read, 0.1F)
        .line = PlotLine::dotted;
  }
  std::optional<std::uint32_t> searched(const Playback& at) const {
    if (!codes_ || at.recording().variant != "karras") return std::nullopt;
    for (const RecordedEvent& event : at.last())
      if (is_access(event.kind) && event.subject == *codes_) {
        const std::uint32_t i = thread_of(at, event);
        return i < arrays_.first_leaf() ? std::optional(i) : std::nullopt;
      }
    return std::nullopt;
  }

  void draw_node(Sketch& sketch, const Playback& at, const Layout& layout, std::uint32_t i,
                 PlotVertex place) const {
    const float side = layout.side;
    const PlotBox box{std::clamp(place.x - 0.5F * side, 0.0F, sketch.width() - side),
                      place.y - 0.5F * side, side, side};
    const std::string name = word_name({arrays_.nodes, i, 0});
    if (is_new(at, i)) {
      sketch.box(box, ink::write, 1.0F, name);
      // The keys that it covers.
      const FinishedTree::Node& node = tree_.nodes[i];
      sketch.line({(static_cast<float>(node.first) + 0.1F) * layout.leaf, box.bottom() + 0.08F},
                  {(static_cast<float>(node.last) + 0.9F) * layout.leaf, box.bottom() + 0.08F},
                  ink::write, 0.1F);
    } else if (is_written(at, i)) {
      sketch.box(box, plot_ink::neutral, 0.8F, name);
    } else if (arrivals(at, i) > 0) {
      sketch.box(box, ink::atomic, 1.0F, name);
      if (arrivals(at, i) == 2) sketch.frame(box, plot_ink::text, 0.14F, name);
    } else if (!arrays_.builds) {
      sketch.frame(box, plot_ink::neutral, 0.06F, name);
    }
  }

  // Lanes that have arrived second go on to the parent.
  void draw_climbs(Sketch& sketch, const Playback& at, const Layout& layout, float y) const {
    for (const RecordedEvent& event : at.last()) {
      if (!is_atomic(event.kind) || !is_arrival(event) || !arrays_.arrived || event.value < 2)
        continue;
      const std::uint32_t i = event.offset / 4;
      if (i >= arrays_.first_leaf()) continue;
      const FinishedTree::Node& node = tree_.nodes[i];
      if (node.parent >= tree_.nodes.size() || !layout.shows(node)) continue;
      sketch.arrow(layout.place(node, y), layout.place(tree_.nodes[node.parent], y), ink::atomic,
                   0.14F, lane_name(event.block, event.thread));
    }
  }

  float draw_leaves(Sketch& sketch, const PlotSurface& surface, const Playback& at,
                    const Layout& layout, float y) const {
    std::vector<bool> is_read_now(tree_.leaves);
    for (const RecordedEvent& event : at.last())
      if (codes_ && event.subject == *codes_ && is_access(event.kind))
        if (const std::uint32_t k = event.offset / at.recording().arrays[*codes_].element_bytes;
            k < tree_.leaves)
          is_read_now[k] = true;
    const float height = 0.9F;
    float label_end = 0.0F;
    for (std::uint32_t first = 0; first < tree_.leaves; first += layout.least) {
      const std::uint32_t end = std::min(first + layout.least, tree_.leaves);
      bool all = true, any_new = false, any_read = false;
      for (std::uint32_t k = first; k < end; ++k) {
        all &= is_written(at, arrays_.first_leaf() + k);
        any_new |= is_new(at, arrays_.first_leaf() + k);
        any_read |= is_read_now[k];
      }
      const PlotBox box{(static_cast<float>(first) + 0.06F) * layout.leaf, y,
                        0.88F * static_cast<float>(end - first) * layout.leaf, height};
      const std::string name = word_name({arrays_.nodes, arrays_.first_leaf() + first, 0});
      if (any_new)
        sketch.box(box, ink::write, 1.0F, name);
      else if (any_read)
        sketch.box(box, ink::read, 1.0F, name);
      else
        sketch.box(box, all ? plot_ink::neutral : plot_ink::grid, all ? 0.8F : 0.6F, name);
      const std::string label = fmt::format("{}", first);
      const float width = Sketch::width_of(surface, label);
      const float x = std::min(box.x, sketch.width() - width);
      if (x < label_end) continue;
      sketch.text({x, y + height + 0.1F}, label, plot_ink::dim);
      label_end = x + width + 0.6F;
    }
    return y + height + 0.1F + plot_line_height;
  }

  TreeArrays arrays_;
  FinishedTree tree_;
  std::optional<std::uint32_t> codes_;
};

}  // namespace

bool is_for_tree(const Recording& recording) { return tree_arrays(recording).has_value(); }
std::unique_ptr<StepView> make_tree(const std::shared_ptr<const Recording>& recording) {
  return std::make_unique<TreeView>(*recording, tree_arrays(*recording).value());
}

}  // namespace warpview::step_views
