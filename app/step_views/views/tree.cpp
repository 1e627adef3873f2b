// A hierarchy over Morton codes while it is built, or while its boxes are fitted: leaves in the
// order of their codes at the bottom, each inner node above the keys between which it splits.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>

#include "app/step_views/arrays.h"
#include "app/step_views/key.h"
#include "app/step_views/names.h"
#include "app/step_views/paragraph.h"
#include "app/step_views/tree_layout.h"
#include "app/step_views/trees.h"
#include "app/step_views/words.h"

namespace warpview::step_views {
namespace {

class TreeView : public StepView {
 public:
  TreeView(const Recording& recording, const TreeArrays& arrays)
      : arrays_(arrays),
        tree_(recording, arrays),
        keeps_order_(tree_.keeps_order()),
        codes_(find_codes(recording)) {}

  std::string legend() const override {
    if (!keeps_order_)
      return "Leaves are in the order of the finished tree. The number below a leaf is its place "
             "in "
             "Morton order. Two clusters are merged where each is the other's nearest neighbour, "
             "by "
             "the area of their common box: their parent appears when it is written.";
    return arrays_.builds
               ? "Leaves are in the order of their Morton codes. An inner node stands above the "
                 "keys between which it splits and appears, with its links, when it is written. "
                 "The bar below a node is the range of keys that it covers; dotted while a lane "
                 "searches for its ends."
               : "Two lanes arrive at each inner node, one from each child. The first stops; the "
                 "second merges the boxes of both children and climbs to the parent.";
  }

  StepDrawing draw(const Playback& at, const StepFocus& /*focus*/,
                   const PlotSurface& surface) const override {
    Sketch sketch(surface);
    const Layout layout(tree_, sketch.width());
    float y = draw_key(sketch, surface, {0.0F, 0.0F}, key()) + 0.2F;
    y += draw_paragraph(sketch, surface, {0.0F, y}, progress(at));
    // As high in each step, so that the tree does not move.
    const float room = sketch.is_narrow() ? 3.0F : 2.0F;
    draw_paragraph(sketch, surface, {0.0F, y}, what_happens(at), plot_ink::dim);
    y += room * plot_line_height + 0.5F;
    draw_nodes(sketch, at, layout, y);
    const float leaves = y + layout.tree_height();
    const float bottom = draw_leaves(sketch, surface, at, layout, leaves);
    draw_lanes(sketch, surface, at, layout, y, leaves);
    y = bottom;
    if (layout.least > 1)
      y += draw_paragraph(sketch, surface, {0.0F, y},
                          fmt::format("{} leaves. Nodes over fewer than {} of them are not shown.",
                                      tree_.leaves(), layout.least),
                          plot_ink::dim);
    return sketch.take(y);
  }

 private:
  using Layout = TreeLayout;

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
    if (arrays_.arrived && !at.last_write({*arrays_.arrived, node, 0})) return 0;
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
    std::vector<KeyEntry> entries;
    if (!arrays_.builds) {
      entries.push_back({"not fitted", framed(plot_ink::neutral)});
      entries.push_back({"fitted", filled(plot_ink::neutral, 0.8F)});
    } else {
      entries.push_back({"written", filled(plot_ink::neutral, 0.8F)});
    }
    entries.push_back({"written in this step", filled(ink::write)});
    entries.push_back({"read in this step", framed(ink::read)});
    if (has_arrivals()) {
      entries.push_back({"1 child has arrived", filled(ink::atomic)});
      entries.push_back({"2 children have arrived",
                         [](Sketch& sketch, PlotBox box) { draw_both_arrived(sketch, box, {}); }});
    }
    if (codes_) entries.push_back({"code read in this step", filled(ink::read)});
    entries.push_back({"number at a node: a lane", [](Sketch& sketch, PlotBox box) {
                         sketch.text_in(box, "7", plot_ink::text, true);
                       }});
    return entries;
  }

  static void draw_both_arrived(Sketch& sketch, PlotBox box, const std::string& name) {
    sketch.box(box, ink::atomic, 1.0F, name);
    // Inside, so that an outline of what is read leaves it visible.
    const float inset = 0.22F * box.width;
    sketch.frame(
        {box.x + inset, box.y + inset, box.width - 2.0F * inset, box.height - 2.0F * inset},
        plot_ink::paper, 0.14F, name);
  }

  std::string progress(const Playback& at) const {
    std::size_t done = 0;
    for (const std::uint32_t i : tree_.inner) done += is_written(at, i) ? 1 : 0;
    return fmt::format("{} of {} inner nodes are {}.", done, tree_.inner.size(),
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
      for (std::uint32_t k = 0; k < tree_.leaves() && is_sorted; ++k) {
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
      const std::string lane = lane_sentence(recording, event.block, event.thread);
      if (event.subject == arrays_.nodes && !is_read(event.kind)) {
        const std::uint32_t i = event.offset / 32;
        if (i >= arrays_.first_leaf())
          return fmt::format("{} writes leaf {}.", lane, i - arrays_.first_leaf());
        const FinishedTree::Node& node = tree_.nodes[i];
        if (!keeps_order_)
          return fmt::format("{} merges {} and {} into node {}.", lane, cluster_words(node.left),
                             cluster_words(node.right), i);
        return fmt::format("{} writes node {}: keys {} to {}, split after key {}.", lane, i,
                           node.first, node.last, node.split);
      }
      if (codes_ && event.subject == *codes_ && recording.variant == "karras") {
        const std::uint32_t i = thread_of(at, event);
        const std::uint32_t j = event.offset / recording.arrays[*codes_].element_bytes;
        if (i >= tree_.leaves() || j >= tree_.leaves()) continue;
        if (i == j)
          return fmt::format("{} finds the range of node {} and reads its own key {}.", lane, i, i);
        return fmt::format("{} finds the range of node {}: keys {} and {} share {} leading bits.",
                           lane, i, i, j, delta(at, i, j));
      }
      if (is_atomic(event.kind) && is_arrival(event)) return arrival_words(event, lane);
      if (!is_read(event.kind)) continue;
      if (const auto node = arrays_.node_of(event); node && *node < tree_.nodes.size())
        return fmt::format("{} reads {} {}.", lane,
                           event.subject == arrays_.parent ? "the parent of" : "a word of",
                           node_words(*node));
    }
    if (recording.variant == "treelets")
      return "A block builds the nodes of its tile in shared memory and then writes them.";
    return {};
  }
  std::string node_words(std::uint32_t node) const {
    return node < arrays_.first_leaf() ? fmt::format("node {}", node)
                                       : fmt::format("leaf {}", node - arrays_.first_leaf());
  }
  std::string cluster_words(std::uint32_t node) const {
    if (node >= arrays_.first_leaf() || node >= tree_.nodes.size()) return node_words(node);
    const FinishedTree::Node& is = tree_.nodes[node];
    return fmt::format("{} of {}", node_words(node), count_of(is.last - is.first + 1, "key"));
  }
  bool is_arrival(const RecordedEvent& event) const {
    return (arrays_.arrived && event.subject == *arrays_.arrived) ||
           (arrays_.arrivals && event.subject == *arrays_.arrivals);
  }
  // In apetrei the node that arrives first leaves its number.
  std::string arrival_words(const RecordedEvent& event, const std::string& lane) const {
    if (!arrays_.arrived) return fmt::format("{} arrives at node {}.", lane, event.offset / 8);
    return fmt::format("{} arrives at node {} {}.", lane, event.offset / 4,
                       event.value < 2 ? "first: it stops" : "second: it climbs on");
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
    const PlotBox box = layout.node_box(layout.place(node, y));
    sketch.frame(box, ink::read, 0.1F, word_name({arrays_.nodes, *i, 0}));
    sketch
        .line({(static_cast<float>(node.first) + 0.1F) * layout.leaf, box.bottom() + 0.08F},
              {(static_cast<float>(node.last) + 0.9F) * layout.leaf, box.bottom() + 0.08F},
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
    const PlotBox box = layout.node_box(place);
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
    } else if (arrivals(at, i) == 2) {
      draw_both_arrived(sketch, box, name);
    } else if (arrivals(at, i) == 1) {
      sketch.box(box, ink::atomic, 1.0F, name);
    } else if (!arrays_.builds) {
      sketch.frame(box, plot_ink::neutral, 0.06F, name);
    }
  }

  // Outlines the nodes and leaves that the step reads, and writes its lanes' numbers at the nodes
  // that they access. `leaves` is the upper edge of the leaves.
  void draw_lanes(Sketch& sketch, const PlotSurface& surface, const Playback& at,
                  const Layout& layout, float y, float leaves) const {
    std::set<std::uint32_t> outlined;
    std::map<std::uint32_t, std::set<std::uint32_t>> lanes;  // by node
    for (const RecordedEvent& event : at.last()) {
      const auto node = arrays_.node_of(event);
      if (!node || *node >= tree_.nodes.size()) continue;
      lanes[*node].insert(event.thread);
      if (is_read(event.kind) && outlined.insert(*node).second)
        if (const auto box = box_of(layout, *node, y, leaves))
          sketch.frame(*box, ink::read, Layout::outline, word_name({arrays_.nodes, *node, 0}));
    }
    std::vector<PlotBox> taken;  // by numbers that are drawn
    for (const auto& [node, threads] : lanes) {
      const auto box = box_of(layout, node, y, leaves);
      if (!box) continue;
      const std::uint32_t thread = *threads.begin();
      std::string words = threads.size() == 1 ? fmt::format("{}", thread % at.recording().warp_size)
                                              : fmt::format("{} lanes", threads.size());
      const float width = Sketch::bold_is_wider * Sketch::width_of(surface, words);
      const bool is_leaf = node >= arrays_.first_leaf();
      PlotBox place{box->right() + 0.1F, box->y, width, box->height};
      if (place.right() > sketch.width()) place.x = box->x - 0.1F - width;
      if (is_leaf) place.x = box->x + 0.5F * (box->width - width);
      if (is_leaf && width > box->width) continue;
      if (std::any_of(taken.begin(), taken.end(), [&](const PlotBox& other) {
            return place.x < other.right() && other.x < place.right() && place.y < other.bottom() &&
                   other.y < place.bottom();
          }))
        continue;
      taken.push_back(place);
      if (!is_leaf) sketch.box(place, plot_ink::paper, 0.8F);
      sketch.text_in(place, std::move(words), plot_ink::text, true).name =
          lane_name(at.last().front().block, thread);
    }
  }
  // Where a node or a leaf is drawn; none if it is not.
  std::optional<PlotBox> box_of(const Layout& layout, std::uint32_t node, float y,
                                float leaves) const {
    const FinishedTree::Node& is = tree_.nodes[node];
    if (node >= arrays_.first_leaf()) {
      if (layout.least > 1 || !tree_.has_leaf(node)) return std::nullopt;
      return layout.leaf_box(is.first, 1, leaves);
    }
    if (!layout.shows(is) || (arrays_.builds && is.left == no_tree_node)) return std::nullopt;
    return layout.node_box(layout.place(is, y));
  }
  // Lanes that have arrived second climb to the parent.
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
    std::vector<bool> is_read_now(tree_.leaves());
    for (const RecordedEvent& event : at.last())
      if (codes_ && event.subject == *codes_ && is_access(event.kind))
        if (const std::uint32_t k = event.offset / at.recording().arrays[*codes_].element_bytes;
            k < tree_.leaves())
          is_read_now[tree_.nodes[arrays_.first_leaf() + k].first] = true;
    float label_end = 0.0F;
    for (std::uint32_t first = 0; first < tree_.leaves(); first += layout.least) {
      const std::uint32_t end = std::min(first + layout.least, tree_.leaves());
      bool all = true, any_new = false, any_read = false;
      for (std::uint32_t k = first; k < end; ++k) {
        all &= is_written(at, tree_.leaf_at[k]);
        any_new |= is_new(at, tree_.leaf_at[k]);
        any_read |= is_read_now[k];
      }
      const PlotBox box = layout.leaf_box(first, end - first, y);
      const std::uint32_t leaf = tree_.leaf_at[first];
      const std::string name = word_name({arrays_.nodes, leaf, 0});
      if (any_new)
        sketch.box(box, ink::write, 1.0F, name);
      else if (any_read)
        sketch.box(box, ink::read, 1.0F, name);
      else
        sketch.box(box, all ? plot_ink::neutral : plot_ink::grid, all ? 0.8F : 0.6F, name);
      const std::string label = fmt::format("{}", leaf - arrays_.first_leaf());
      const float width = Sketch::width_of(surface, label);
      const float x = std::min(box.x, sketch.width() - width);
      if (x < label_end) continue;
      sketch.text({x, y + Layout::leaf_height + 0.1F}, label, plot_ink::dim);
      label_end = x + width + 0.6F;
    }
    return y + Layout::leaf_height + 0.1F + plot_line_height;
  }

  TreeArrays arrays_;
  FinishedTree tree_;
  bool keeps_order_;  // are leaves and keys in the same order?
  std::optional<std::uint32_t> codes_;
};

}  // namespace

bool is_for_tree(const Recording& recording) { return tree_arrays(recording).has_value(); }
std::unique_ptr<StepView> make_tree(const std::shared_ptr<const Recording>& recording) {
  return std::make_unique<TreeView>(*recording, tree_arrays(*recording).value());
}

}  // namespace warpview::step_views
