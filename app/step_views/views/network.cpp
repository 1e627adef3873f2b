#include "app/step_views/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "app/step_views/key.h"
#include "app/step_views/names.h"
#include "app/step_views/paragraph.h"

namespace warpview::step_views {
namespace {

constexpr float network_cell_height = 1.6F;
constexpr float fold_gap = 1.4F;
constexpr float narrowest_column = 1.7F;  // columns, in ems
constexpr float widest_column = 4.5F;

// A number as it is in the recording's form.
std::string network_number(const Recording& recording, std::uint64_t value, unsigned bytes) {
  const std::string_view form = recording.form;
  const auto low = static_cast<std::uint32_t>(value);
  if (bytes == 4 && (form.ends_with("f32")))
    return fmt::format("{:.4g}", std::bit_cast<float>(low));
  if (bytes == 4 && form.ends_with("i32")) return fmt::format("{}", static_cast<std::int32_t>(low));
  return fmt::format("{}", value);
}

// Is the operator of this block_scan or reduce a sum?
bool is_sum(const Recording& recording) {
  if (recording.primitive == "block_scan") return recording.form.find("map") == std::string::npos;
  return recording.form.starts_with("sum") || recording.form.starts_with("dot");
}

// A drawing of one network at one step.
class NetworkDrawing {
 public:
  NetworkDrawing(Sketch& sketch, const PlotSurface& surface, const Playback& at,
                 const Network& network)
      : sketch_(sketch),
        surface_(surface),
        at_(at),
        recording_(at.recording()),
        network_(network),
        adds_(is_sum(recording_)),
        executed_(at.executed()) {
    for (std::size_t r = 0; r < network.rows.size(); ++r)
      if (has_begun(r)) lit_ = r;
    lay_columns();
    fold_rows();
    gap_ = gap();
  }

  // Returns where it ends.
  float draw(float y) {
    y = draw_heading(y);
    float above = y;  // the lower edge of the cells of the row above
    for (std::size_t r = 0; r < network_.rows.size(); ++r) {
      if (folded_[r]) {
        const std::size_t first = r;
        y += draw_sweep(r, y);
        while (r + 1 < network_.rows.size() && folded_[r + 1] && sweep_of(r + 1).empty()) ++r;
        lines_ = y;
        y += fold_gap;
        draw_folded(first, r, above, y);
        y += network_cell_height;
        above = y;
        continue;
      }
      if (r > 0) y += draw_sweep(r, y);
      const float gap = r == 0 ? 0.0F : gap_;
      lines_ = y;
      draw_row(r, above, y + gap);
      y += gap + network_cell_height;
      above = y;
    }
    return draw_notes(y + 0.5F);
  }

 private:
  // ---- What is shown --------------------------------------------------------------------------

  bool has_begun(std::size_t row) const {
    return std::ranges::any_of(network_.rows[row].cells, [this](const auto& each) {
      return each.second.event < executed_ ||
             std::ranges::any_of(each.second.arrows, [this](const NetworkArrow& arrow) {
               return arrow.event < executed_;
             });
    });
  }

  std::string words_of(const NetworkCell& cell) const {
    return network_number(recording_, cell.value, cell.bytes);
  }

  // As many columns with items as have room. A total behind them is one more.
  void lay_columns() {
    std::uint32_t wanted = std::max(network_.items, 1U);
    if (!network_.of_lanes && wanted < network_.columns && is_total(wanted)) ++wanted;
    text_ = 0.0F;
    for (const NetworkRow& row : network_.rows)
      for (const auto& [column, cell] : row.cells)
        if (column < wanted) text_ = std::max(text_, Sketch::width_of(surface_, words_of(cell)));
    const std::size_t last = network_.rows.size() - 1;
    left_ = Sketch::width_of(surface_, step_range(std::min<std::size_t>(last, 1), last)) + 0.6F;
    for (std::size_t r = 0; r < network_.rows.size(); ++r)
      for (const std::string& words : {label_of(r), detail_of(r)})
        left_ = std::max(left_, Sketch::width_of(surface_, words) + 0.6F);
    const float room = std::max(sketch_.width() - left_, 1.0F);
    const float least = std::max(text_ + 0.5F, narrowest_column);
    shown_ = std::min(wanted, std::max(static_cast<std::uint32_t>(room / least), 1U));
    column_ = std::min(room / static_cast<float>(shown_), std::max(widest_column, least));
  }
  // Is the column behind the items made of one of them, and used for one?
  bool is_total(std::uint32_t column) const {
    bool is_made = false;
    for (const NetworkRow& row : network_.rows)
      for (const auto& [to, cell] : row.cells)
        for (const NetworkArrow& arrow : cell.arrows) {
          if (to == column && arrow.from < column) is_made = true;
          if (is_made && to < column && arrow.from == column) return true;
        }
    return false;
  }

  // Rows that change none of the values shown, and combine none of them.
  void fold_rows() {
    folded_.assign(network_.rows.size(), false);
    for (std::size_t r = 1; r < network_.rows.size(); ++r) {
      const NetworkRow& row = network_.rows[r];
      if (row.kind == NetworkRow::Kind::output) continue;
      folded_[r] = std::ranges::none_of(row.cells, [&](const auto& each) {
        const std::uint32_t column = each.first;
        const NetworkCell& cell = each.second;
        if (column >= shown_) return false;
        const NetworkCell* const before = network_.cell(r - 1, column);
        return before == nullptr || before->value != cell.value ||
               std::ranges::any_of(cell.arrows, [&](const NetworkArrow& arrow) {
                 return arrow.from != column && arrow.from < shown_;
               });
      });
    }
  }

  // ---- Words ----------------------------------------------------------------------------------

  std::size_t step_number(std::size_t row) const {
    std::size_t number = 0;
    for (std::size_t r = 0; r <= row; ++r)
      if (network_.rows[r].kind == NetworkRow::Kind::step) ++number;
    return number;
  }
  std::string label_of(std::size_t row) const {
    switch (network_.rows[row].kind) {
      case NetworkRow::Kind::input:
        return network_.from.empty() ? "Input" : network_.from;
      case NetworkRow::Kind::step:
        return fmt::format("Level {}", step_number(row));
      case NetworkRow::Kind::set:
        return "Set";
      case NetworkRow::Kind::output:
        break;
    }
    return "Output";
  }
  std::string detail_of(std::size_t row) const {
    if (network_.by_ballot && row > 0) return "ones before";
    if (network_.by_thread && row == 0 && network_.from.empty()) return "per thread";
    if (network_.rows[row].kind == NetworkRow::Kind::step) {
      const std::uint32_t stride = network_.stride(row);
      return stride > 0 ? fmt::format("stride {}", stride) : "";
    }
    return {};
  }
  // "Up-sweep" and "Down-sweep" above the first step of each, where strides grow and shrink again.
  std::string sweep_of(std::size_t row) const {
    if (recording_.primitive != "block_scan" || network_.of_lanes) return {};
    std::size_t widest_row = 0;
    std::size_t first = 0;
    std::size_t last = 0;
    for (std::size_t r = 0; r < network_.rows.size(); ++r) {
      if (network_.rows[r].kind != NetworkRow::Kind::step || network_.stride(r) == 0) continue;
      if (first == 0) first = r;
      last = r;
      if (network_.stride(r) > network_.stride(widest_row)) widest_row = r;
    }
    if (widest_row == 0 || widest_row == last) return {};
    if (row == first) return "Up-sweep";
    return row == widest_row + 1 ? "Down-sweep" : "";
  }

  // ---- Shapes ---------------------------------------------------------------------------------

  float middle_of(std::uint32_t column) const {
    return left_ + column_ * (static_cast<float>(column) + 0.5F);
  }
  PlotBox box_of(std::uint32_t column, float y) const {
    const float width = std::min(column_ - 0.3F, std::max(text_ + 0.5F, 3.6F));
    return {middle_of(column) - 0.5F * width, y, width, network_cell_height};
  }

  float draw_heading(float y) {
    sketch_.text({0.0F, y}, network_.of_lanes ? "Lane" : "Word", plot_ink::dim);
    for (std::uint32_t column = 0; column < shown_; ++column)
      sketch_.text({middle_of(column), y}, fmt::format("{}", column), plot_ink::dim,
                   PlotShape::Align::middle);
    return y + plot_line_height + (detail_of(0).empty() ? 0.1F : 0.5F);
  }

  float draw_sweep(std::size_t row, float y) {
    const std::string words = sweep_of(row);
    if (words.empty()) return 0.0F;
    // Below the second line of the label above.
    constexpr float above = 0.9F;
    sketch_.text({0.0F, y + above}, words, plot_ink::dim, PlotShape::Align::left, true);
    return above + 0.85F * plot_line_height;
  }

  // Between rows: higher where arrows go far.
  float gap() const {
    float farthest = 0.0F;
    for (const NetworkRow& row : network_.rows)
      for (const auto& [column, cell] : row.cells)
        for (const NetworkArrow& arrow : cell.arrows)
          if (column < shown_ && arrow.from < shown_)
            farthest = std::max(farthest, std::abs(middle_of(column) - middle_of(arrow.from)));
    return std::clamp(0.3F * farthest, 1.6F, 2.6F);
  }

  void draw_label(const std::string& label, const std::string& detail, float y, bool has_come,
                  bool is_lit) {
    const float text_y = y + 0.5F * (network_cell_height - plot_line_height);
    sketch_.text({0.15F, detail.empty() ? text_y : text_y - 0.55F * plot_line_height}, label,
                 has_come ? plot_ink::text : plot_ink::dim, PlotShape::Align::left, is_lit);
    if (!detail.empty())
      sketch_.text({0.15F, text_y + 0.4F * plot_line_height}, detail, plot_ink::dim);
  }

  void draw_row(std::size_t r, float above, float y) {
    const NetworkRow& row = network_.rows[r];
    const bool is_lit = lit_ == r;
    const bool has_come = lit_ && r <= *lit_;
    if (is_lit)
      sketch_.box({0.0F, y - 0.5F, left_ + column_ * static_cast<float>(shown_),
                   network_cell_height + 0.8F},
                  ink::result, 0.14F);
    draw_label(label_of(r), detail_of(r), y, has_come, is_lit);
    for (std::uint32_t column = 0; column < shown_; ++column) {
      const auto found = row.cells.find(column);
      if (found != row.cells.end()) {
        draw_arrows(found->second, column, above, y, is_lit);
        draw_made(found->second, column, y, r);
      } else if (row.kind != NetworkRow::Kind::output) {
        draw_kept(network_.cell(r, column), column, above, y, has_come);
      }
    }
  }

  void draw_arrows(const NetworkCell& cell, std::uint32_t to, float above, float y, bool is_lit) {
    const PlotVertex head{middle_of(to), y - 0.05F};
    const bool is_copy = cell.arrows.size() == 1;
    for (const NetworkArrow& arrow : cell.arrows) {
      if (arrow.event >= executed_) continue;
      const bool is_hidden = arrow.from >= shown_;
      const PlotVertex tail{
          is_hidden ? std::min(head.x + 0.6F * column_, sketch_.width()) : middle_of(arrow.from),
          is_hidden ? y - 0.9F : above + 0.05F};
      if (is_copy && arrow.from == to) {
        sketch_.line(tail, head, plot_ink::grid);
        continue;
      }
      const int ink = is_lit ? ink::operand : plot_ink::dim;
      const float width = at_.last_did(arrow.event) ? 0.2F : 0.1F;
      sketch_.arrow(tail, head, ink, is_copy ? 0.4F * width : width,
                    lane_name(network_.block, cell.thread));
      has_hidden_ = has_hidden_ || is_hidden;
    }
    if (cell.arrows.size() > 1 && adds_ && cell.event < executed_) draw_plus(cell, to, y, is_lit);
  }
  // Beside the heads, on the side from which no arrow comes.
  void draw_plus(const NetworkCell& cell, std::uint32_t to, float y, bool is_lit) {
    const bool from_left = std::ranges::any_of(
        cell.arrows, [to](const NetworkArrow& arrow) { return arrow.from < to; });
    const float x = middle_of(to) + (from_left ? 0.6F : -0.6F);
    sketch_.text({std::min(x, sketch_.width() - 0.5F), y - 1.25F}, "+",
                 is_lit ? plot_ink::text : plot_ink::dim, PlotShape::Align::middle, true);
  }

  std::string name_of(const NetworkCell& cell) const {
    if (!cell.is_word) return lane_name(network_.block, cell.thread);
    const bool is_shared = recording_.arrays[cell.array].kind == ArrayKind::shared;
    return word_name({cell.array, cell.element, is_shared ? network_.block : 0});
  }

  // A value that the row makes.
  void draw_made(const NetworkCell& cell, std::uint32_t column, float y, std::size_t row) {
    const PlotBox box = box_of(column, y);
    const bool is_there = cell.event < executed_;
    const bool is_copy = cell.arrows.size() == 1 && cell.arrows.front().from == column &&
                         network_.rows[row].kind == NetworkRow::Kind::step;
    if (!is_there) {
      sketch_.frame(box, plot_ink::grid, 0.05F);
      return;
    }
    if (lit_ == row && !is_copy) sketch_.box(box, ink::result, 0.4F);
    sketch_.frame(box,
                  at_.last_did(cell.event) ? ink::result
                  : is_copy                ? plot_ink::grid
                                           : plot_ink::dim,
                  at_.last_did(cell.event) ? 0.16F : 0.07F, name_of(cell));
    draw_value(cell, column, y, is_copy ? plot_ink::dim : plot_ink::text,
               network_.rows[row].kind == NetworkRow::Kind::output);
  }
  // One that stays from a row above.
  void draw_kept(const NetworkCell* cell, std::uint32_t column, float above, float y,
                 bool has_come) {
    if (cell == nullptr) return;
    if (!has_come || cell->event >= executed_) {
      sketch_.frame(box_of(column, y), plot_ink::grid, 0.05F);
      return;
    }
    sketch_.line({middle_of(column), std::max(above + 0.05F, lines_)}, {middle_of(column), y},
                 plot_ink::grid);
    draw_value(*cell, column, y, plot_ink::dim, false);
  }
  void draw_value(const NetworkCell& cell, std::uint32_t column, float y, int ink, bool bold) {
    sketch_
        .text({middle_of(column), y + 0.5F * (network_cell_height - plot_line_height)},
              words_of(cell), ink, PlotShape::Align::middle, bold)
        .name = name_of(cell);
  }

  void draw_folded(std::size_t first, std::size_t last, float above, float y) {
    const bool is_set = last == first && network_.rows[first].kind == NetworkRow::Kind::set;
    draw_label(is_set ? label_of(first) : step_range(first, last), "no change", y,
               lit_ && first <= *lit_, false);
    for (std::uint32_t column = 0; column < shown_; ++column)
      draw_kept(network_.cell(last, column), column, above, y, lit_ && last <= *lit_);
  }
  std::string step_range(std::size_t first, std::size_t last) const {
    const bool is_step = network_.rows[first].kind == NetworkRow::Kind::step;
    const std::size_t from = step_number(first) + (is_step ? 0 : 1);
    const std::size_t to = std::max(step_number(last), from);
    return from == to ? fmt::format("Level {}", to) : fmt::format("Levels {}-{}", from, to);
  }

  float draw_words(const std::string& words, float y) {
    return y + draw_paragraph(sketch_, surface_, {0.0F, y}, words, plot_ink::dim);
  }

  float draw_notes(float y) {
    const auto left_out = [](const char* what, std::uint32_t first, std::uint64_t end) {
      return first + 1 == end
                 ? fmt::format("Not shown: {} {} (no item).", what, first)
                 : fmt::format("Not shown: {}s {}-{} (no item).", what, first, end - 1);
    };
    const std::uint64_t threads = recording_.launches[network_.launch].threads();
    const std::uint32_t items = network_.items;
    if (network_.by_ballot)
      y = draw_words(fmt::format("The ballot gives each lane the bits of all: {:#x}. A lane counts "
                                 "the ones before its own.",
                                 network_.ballot),
                     y);
    if (shown_ < items)
      y = draw_words(fmt::format("{} of {} values have room here.", shown_, items), y);
    if (network_.of_lanes && network_.from.empty() && threads > recording_.warp_size)
      y = draw_words(fmt::format("Warp 0 of {} is shown.",
                                 (threads + recording_.warp_size - 1) / recording_.warp_size),
                     y);
    const std::uint32_t end = std::max(items, shown_);
    if (end < network_.columns)
      y = draw_words(left_out(network_.of_lanes ? "lane" : "word", end, network_.columns), y);
    if (has_hidden_) y = draw_words("Short arrows come from values that are not shown.", y);
    return y;
  }

  Sketch& sketch_;
  const PlotSurface& surface_;
  const Playback& at_;
  const Recording& recording_;
  const Network& network_;
  bool adds_;             // is the operator a sum?
  std::size_t executed_;  // events
  std::optional<std::size_t> lit_;
  std::vector<bool> folded_;
  std::uint32_t shown_ = 1;  // columns
  float text_ = 0.0F;        // the widest value
  float left_ = 0.0F;        // of the columns
  float column_ = 1.0F;      // width
  float gap_ = 1.6F;         // between rows
  float lines_ = 0.0F;       // where those of values that are kept may begin, below a heading
  bool has_hidden_ = false;
};

class NetworkView : public StepView {
 public:
  explicit NetworkView(const Recording& recording) : networks_(networks_of(recording)) {}

  StepDrawing draw(const Playback& at, const StepFocus& focus,
                   const PlotSurface& surface) const override {
    Sketch sketch(surface);
    const std::vector<const Network*> shown = shown_of(at, focus.block);
    if (shown.empty()) {
      sketch.text({0.0F, 0.0F}, fmt::format("Block {} combines no values.", focus.block),
                  plot_ink::dim);
      return sketch.take(plot_line_height);
    }
    float y = 0.0F;
    for (const Network* network : shown) {
      y = NetworkDrawing(sketch, surface, at, *network).draw(y == 0.0F ? y : y + 1.0F);
    }
    return sketch.take(y + 0.3F + draw_key(sketch, surface, {0.0F, y + 0.3F}, key()));
  }

  std::string legend() const override {
    return "Each row is a level of the algorithm; the lit row is running now. Arrows lead from the "
           "operands to the results; + combines two values. Thin arrows copy a value.";
  }

 private:
  static std::vector<KeyEntry> key() {
    return {{"computed on this level",
             [](Sketch& sketch, PlotBox box) {
               sketch.box(box, ink::result, 0.4F);
               sketch.frame(box, plot_ink::dim, 0.07F);
             }},
            {"written in this step", framed(ink::result)},
            {"computed before",
             [](Sketch& sketch, PlotBox box) { sketch.frame(box, plot_ink::dim, 0.07F); }},
            {"grey: kept or copied",
             [](Sketch& sketch, PlotBox box) { sketch.text_in(box, "7", plot_ink::dim); }},
            {"not computed yet",
             [](Sketch& sketch, PlotBox box) { sketch.frame(box, plot_ink::grid, 0.05F); }}};
  }

  // Those of the block in the launch that runs; if it has none there, in the last launch before
  // that has, else in the first.
  std::vector<const Network*> shown_of(const Playback& at, std::uint32_t block) const {
    const std::uint32_t now = at.launch().value_or(0);
    std::optional<std::uint32_t> launch;
    for (const Network& network : networks_)
      if (network.block == block && (network.launch <= now || !launch)) launch = network.launch;
    std::vector<const Network*> shown;
    for (const Network& network : networks_)
      if (network.block == block && network.launch == launch) shown.push_back(&network);
    return shown;
  }

  std::vector<Network> networks_;
};

}  // namespace

bool is_for_network(const Recording& recording) {
  // The values of boxes are six floats: lanes exchange them in parts.
  if (recording.form == "scene_bounds") return false;
  return !networks_of(recording).empty();
}
// NOLINTNEXTLINE(performance-unnecessary-value-param): all views are made so
std::unique_ptr<StepView> make_network(const std::shared_ptr<const Recording>& recording) {
  return std::make_unique<NetworkView>(*recording);
}

}  // namespace warpview::step_views
