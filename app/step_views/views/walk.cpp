// Rays in a tree: which boxes and triangles they test, what one of them comes back to, and which
// lanes still walk.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "app/common/digits.h"
#include "app/step_views/arrays.h"
#include "app/step_views/key.h"
#include "app/step_views/names.h"
#include "app/step_views/paragraph.h"
#include "app/step_views/tree_layout.h"
#include "app/step_views/walks.h"
#include "app/step_views/words.h"

namespace warpview::step_views {
namespace {

constexpr std::size_t most_rays_shown = 128;
constexpr std::size_t rays_a_line = 32;

class WalkView : public StepView {
 public:
  WalkView(std::shared_ptr<const Recording> recording, const WalkArrays& arrays)
      : recording_(std::move(recording)),
        arrays_(arrays),
        tree_(*recording_, arrays),
        walks_(*recording_, arrays, tree_) {}

  std::string legend() const override {
    const char* const shape =
        arrays_.four
            ? "A node has up to four children: one load brings their boxes. A leaf has up to three "
              "triangles, which are at the bottom. "
        : arrays_.eight
            ? "A node has up to eight children: one load brings their compressed boxes. A leaf has "
              "up to three triangles, which are at the bottom. "
            : "Leaves are at the bottom, each with its triangle below it. ";
    return shape +
           std::string(
               "The more rays have tested a box, the stronger its colour. The view follows the ray "
               "of the first lane in the step. The thick line is the path from the root to the "
               "node whose children that ray tests, or to the triangle that it tests. Pending "
               "boxes wait until the walk comes back: on the stack, or where the variant remembers "
               "them. Skipped boxes are missed, or are beyond the nearest hit.");
  }

  StepDrawing draw(const Playback& at, const StepFocus& focus,
                   const PlotSurface& surface) const override {
    Sketch sketch(surface);
    const TreeLayout layout(tree_, sketch.width(), tree_.is_wide() ? 0.5F : 0.8F);
    const State state(*this, at, focus);
    float y = draw_key(sketch, surface, {0.0F, 0.0F}, key()) + 0.2F;
    y += draw_paragraph(sketch, surface, {0.0F, y}, progress(state));
    // As high in each step, so that the tree does not move.
    const float room = sketch.is_narrow() ? 3.0F : 2.0F;
    draw_paragraph(sketch, surface, {0.0F, y}, what_happens(state), plot_ink::dim);
    y += room * plot_line_height + 0.5F;
    draw_links(sketch, state, layout, y);
    draw_nodes(sketch, state, layout, y);
    const float leaves = y + layout.tree_height();
    draw_leaves(sketch, state, layout, leaves);
    draw_marks(sketch, state, layout, y, leaves);
    y = leaves + (tree_.is_wide() ? 1.0F : 2.0F) * TreeLayout::leaf_height + 0.8F;
    if (layout.least > 1)
      y += draw_paragraph(
          sketch, surface, {0.0F, y},
          fmt::format("{} {}. Nodes over fewer than {} of them are not shown.", tree_.leaves(),
                      tree_.is_wide() ? "triangles" : "leaves", layout.least),
          plot_ink::dim);
    y = draw_rays(sketch, surface, state, y);
    return sketch.take(y);
  }

 private:
  // What is known at a step.
  struct State {
    std::size_t executed;
    std::vector<std::uint32_t> box_rays, triangle_rays;  // by node: rays that have tested it
    std::set<std::uint32_t> boxes_now, triangles_now;    // read in this step
    std::set<std::uint32_t> acting;                      // walks that take part in this step
    std::optional<std::uint32_t> followed;               // a walk, and where it stands
    RayPosition position;
    std::size_t boxes = 0, triangles = 0, begun = 0, done = 0;
    std::vector<std::uint32_t> shown;  // walks of the block that is looked at

    State(const WalkView& view, const Playback& at, const StepFocus& focus)
        : executed(at.executed()),
          box_rays(view.tree_.nodes.size()),
          triangle_rays(view.tree_.nodes.size()) {
      std::vector<std::uint32_t> box_of(box_rays.size()), triangle_of(box_rays.size());
      for (std::uint32_t w = 0; w < view.walks_.walks.size(); ++w) {
        const RayWalk& walk = view.walks_.walks[w];
        if (walk.block == focus.block) shown.push_back(w);
        if (walk.begin >= executed) continue;
        ++begun;
        if (walk.end && *walk.end < executed) ++done;
        for (const RayWalk::Visit& visit : walk.visits) {
          if (visit.event >= executed) break;
          // A node counts once for each ray.
          std::uint32_t& last = (visit.is_triangle ? triangle_of : box_of)[visit.node];
          if (std::exchange(last, w + 1) == w + 1) continue;
          ++(visit.is_triangle ? triangle_rays : box_rays)[visit.node];
          ++(visit.is_triangle ? triangles : boxes);
        }
      }
      read_step(view, at);
      if (followed)
        position = position_of(*view.recording_, view.arrays_, view.tree_,
                               view.walks_.walks[*followed], executed);
    }

   private:
    void read_step(const WalkView& view, const Playback& at) {
      for (std::size_t i = at.last_begin(); i < executed; ++i) {
        if (view.walks_.walk_of[i] == 0) continue;
        const std::uint32_t walk = view.walks_.walk_of[i] - 1;
        if (!followed) followed = walk;
        acting.insert(walk);
        if (view.walks_.node_of[i] == 0) continue;
        const std::uint32_t node = view.walks_.node_of[i] - 1;
        if (at.recording().events[i].subject != view.arrays_.walked()) {
          triangles_now.insert(node);
          continue;
        }
        for (const std::uint32_t box : view.tree_.tested_by_read(node)) boxes_now.insert(box);
      }
      for (std::size_t i = at.last_begin(); i-- > 0 && !followed;)
        if (view.walks_.walk_of[i] != 0) followed = view.walks_.walk_of[i] - 1;
    }
  };

  std::vector<KeyEntry> key() const {
    return {{"not tested", framed(plot_ink::grid)},
            {"tested", filled(plot_ink::neutral, 0.7F)},
            {"read in this step", filled(ink::read)},
            {"pending", [](Sketch& sketch, PlotBox box) { draw_pending(sketch, box, {}); }},
            {"skipped", [](Sketch& sketch, PlotBox box) { draw_skipped(sketch, box, {}); }},
            {"ray that walks", filled(plot_ink::neutral, 0.5F)},
            {"done: hit", filled(ink::write)},
            {"done: miss", framed(plot_ink::text)},
            {"followed ray",
             [](Sketch& sketch, PlotBox box) { sketch.frame(box, plot_ink::text, 0.18F); }}};
  }
  static void draw_pending(Sketch& sketch, PlotBox box, const std::string& name) {
    sketch.frame(box, ink::waiting, 0.2F, name);
  }
  static void draw_skipped(Sketch& sketch, PlotBox box, const std::string& name) {
    PlotShape& frame = sketch.path({{box.x, box.y},
                                    {box.right(), box.y},
                                    {box.right(), box.bottom()},
                                    {box.x, box.bottom()},
                                    {box.x, box.y}},
                                   plot_ink::text, 0.1F, name);
    frame.line = PlotLine::dotted;
  }

  std::string progress(const State& state) const {
    return fmt::format("{} of {} are done. Rays have tested {} and {} so far.",
                       group_digits(state.done), count_of(walks_.walks.size(), "ray"),
                       boxes_in_words(state.boxes), count_of(state.triangles, "triangle"));
  }
  static std::string boxes_in_words(std::size_t boxes) {
    return boxes == 1 ? "1 box" : group_digits(boxes) + " boxes";
  }

  std::string what_happens(const State& state) const {
    if (!state.followed) return {};
    const RayWalk& walk = walks_.walks[*state.followed];
    std::string words = fmt::format("{} traces ray {}: {} and {} tested.",
                                    lane_sentence(*recording_, walk.block, walk.thread), walk.ray,
                                    boxes_in_words(state.position.boxes),
                                    count_of(state.position.triangles, "triangle"));
    if (state.position.has_left_wide_tree)
      return words + " Its stack was full: it begins again in the binary tree, which is not shown.";
    if (state.position.pending.empty()) return words;
    words += " Pending, next first:";
    for (const std::uint32_t node : state.position.pending)
      words += (node == state.position.pending.front() ? " " : ", ") + tree_.words(node);
    return words + ".";
  }

  // ---- Shapes ----------------------------------------------------------------------------------

  static float shade(std::uint32_t rays, std::size_t begun) {
    return 0.3F +
           0.6F * static_cast<float>(rays) / static_cast<float>(std::max(begun, std::size_t{1}));
  }

  void draw_links(Sketch& sketch, const State& state, const TreeLayout& layout, float y) const {
    const float bottom = y + layout.tree_height();
    const std::set<std::uint32_t> path(state.position.path.begin(), state.position.path.end());
    for (const bool on_path : {false, true}) {
      for (const std::uint32_t i : tree_.inner) {
        const FinishedTree::Node& node = tree_.nodes[i];
        if (!layout.shows(node)) continue;
        for (const std::uint32_t child : tree_.children(i)) {
          if ((path.contains(i) && path.contains(child)) != on_path) continue;
          const FinishedTree::Node& below = tree_.nodes[child];
          const bool is_leaf = tree_.has_leaf(child);
          if (is_leaf ? layout.least > 1 : !layout.shows(below)) continue;
          const PlotVertex to =
              is_leaf ? PlotVertex{(static_cast<float>(below.first) + 0.5F) * layout.leaf, bottom}
                      : layout.place(below, y);
          sketch.line(layout.place(node, y), to, on_path ? ink::read : plot_ink::grid,
                      on_path ? 0.22F : 0.07F);
        }
      }
    }
  }

  void draw_nodes(Sketch& sketch, const State& state, const TreeLayout& layout, float y) const {
    for (const std::uint32_t i : tree_.inner) {
      const FinishedTree::Node& node = tree_.nodes[i];
      if (!layout.shows(node)) continue;
      draw_box(sketch, state, i, layout.node_box(layout.place(node, y)));
    }
  }
  void draw_box(Sketch& sketch, const State& state, std::uint32_t i, PlotBox box) const {
    sketch.box(box, plot_ink::paper, 1.0F);
    const bool is_tested = !tree_.is_wide() || i > 0;
    if (!is_tested)
      sketch.frame(box, plot_ink::dim, 0.08F, tree_.name(i));
    else if (state.boxes_now.contains(i))
      sketch.box(box, ink::read, 1.0F, tree_.name(i));
    else if (state.box_rays[i] > 0)
      sketch.box(box, plot_ink::neutral, shade(state.box_rays[i], state.begun), tree_.name(i));
    else
      sketch.frame(box, plot_ink::grid, 0.08F, tree_.name(i));
  }
  // Frames around what is pending, and what is skipped.
  void draw_marks(Sketch& sketch, const State& state, const TreeLayout& layout, float y,
                  float leaves) const {
    const auto mark = [&](std::uint32_t node, auto draw_frame) {
      const FinishedTree::Node& is = tree_.nodes[node];
      const bool is_leaf = tree_.has_leaf(node);
      if (is_leaf ? layout.least > 1 : !layout.shows(is)) return;
      const PlotBox box =
          is_leaf ? layout.leaf_box(is.first, 1, leaves) : layout.node_box(layout.place(is, y));
      const float out = is_leaf ? 0.0F : 0.12F;
      draw_frame(sketch,
                 PlotBox{box.x - out, box.y - out, box.width + 2 * out, box.height + 2 * out},
                 tree_.name(node));
    };
    for (const std::uint32_t node : state.position.skipped) mark(node, draw_skipped);
    for (const std::uint32_t node : state.position.pending) mark(node, draw_pending);
  }

  // The boxes of leaves, and below them their triangles; in a wide tree triangles alone.
  void draw_leaves(Sketch& sketch, const State& state, const TreeLayout& layout, float y) const {
    for (std::uint32_t first = 0; first < tree_.leaves(); first += layout.least) {
      const std::uint32_t end = std::min(first + layout.least, tree_.leaves());
      std::uint32_t box_rays = 0, triangle_rays = 0;
      bool box_now = false, triangle_now = false;
      for (std::uint32_t k = first; k < end; ++k) {
        const std::uint32_t leaf = tree_.leaf_at[k];
        box_rays = std::max(box_rays, state.box_rays[leaf]);
        triangle_rays = std::max(triangle_rays, state.triangle_rays[leaf]);
        box_now |= state.boxes_now.contains(leaf);
        triangle_now |= state.triangles_now.contains(leaf);
      }
      const std::string name = tree_.name(tree_.leaf_at[first]);
      const auto draw_cell = [&](PlotBox box, std::uint32_t rays, bool now) {
        if (now)
          sketch.box(box, ink::read, 1.0F, name);
        else if (rays > 0)
          sketch.box(box, plot_ink::neutral, shade(rays, state.begun), name);
        else
          sketch.frame(box, plot_ink::grid, 0.06F, name);
      };
      const PlotBox box = layout.leaf_box(first, end - first, y);
      if (!tree_.is_wide()) draw_cell(box, box_rays, box_now);
      const float top = tree_.is_wide() ? y : box.bottom() + 0.2F;
      const float side = std::min(box.width, TreeLayout::leaf_height);
      draw_cell({box.x + 0.5F * (box.width - side), top, side, side}, triangle_rays, triangle_now);
    }
  }

  // The rays of the block, 32 in a line. Returns the lower edge.
  float draw_rays(Sketch& sketch, const PlotSurface& surface, const State& state, float y) const {
    y += draw_paragraph(sketch, surface, {0.0F, y}, rays_words(state), plot_ink::dim);
    y += 0.2F;
    const std::size_t count = std::min(state.shown.size(), most_rays_shown);
    const float side = std::min(1.4F, sketch.width() / static_cast<float>(rays_a_line));
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t w = state.shown[k];
      const RayWalk& walk = walks_.walks[w];
      const std::size_t line = k / rays_a_line;
      const PlotBox box{static_cast<float>(k % rays_a_line) * side,
                        y + static_cast<float>(line) * side, 0.88F * side, 0.88F * side};
      const std::string name = lane_name(walk.block, walk.thread);
      if (state.acting.contains(w))
        sketch.box(box, ink::read, 1.0F, name);
      else if (walk.begin >= state.executed)
        sketch.frame(box, plot_ink::grid, 0.06F, name);
      else if (!walk.end || *walk.end >= state.executed)
        sketch.box(box, plot_ink::neutral, 0.5F, name);
      else if (walk.hits)
        sketch.box(box, ink::write, 1.0F, name);
      else
        sketch.frame(box, plot_ink::text, 0.08F, name);
      if (state.followed == w) sketch.frame(box, plot_ink::text, 0.18F, name);
    }
    const std::size_t lines = (count + rays_a_line - 1) / rays_a_line;
    return y + static_cast<float>(lines) * side + 0.2F;
  }
  std::string rays_words(const State& state) const {
    std::string words = "Rays of the block";
    if (state.shown.size() > most_rays_shown)
      words += fmt::format(", the first {} of {}", most_rays_shown, state.shown.size());
    if (state.acting.empty()) return words + ":";
    return words +
           fmt::format(". {} of {} lanes of the warp take part in this step:", state.acting.size(),
                       recording_->warp_size);
  }

  std::shared_ptr<const Recording> recording_;
  WalkArrays arrays_;
  WalkTree tree_;
  RayWalks walks_;
};

}  // namespace

bool is_for_walk(const Recording& recording) { return walk_arrays(recording).has_value(); }
std::unique_ptr<StepView> make_walk(const std::shared_ptr<const Recording>& recording) {
  return std::make_unique<WalkView>(recording, walk_arrays(*recording).value());
}

}  // namespace warpview::step_views
