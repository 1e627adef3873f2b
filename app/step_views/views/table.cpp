// A hash table: its slots, the keys in them and how far these are from home, runs of occupied
// slots, and the lengths of probe sequences.
//
// D. Knuth, The Art of Computer Programming 3, section 6.4; D. Meister, A. Yoshimura, C.-C. Kao,
// "GPU Programming Primitives for Computer Graphics", SIGGRAPH Asia 2023 course: Linear probing.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "app/step_views/arrays.h"
#include "app/step_views/key.h"
#include "app/step_views/names.h"
#include "app/step_views/paragraph.h"
#include "app/step_views/table_probes.h"
#include "app/step_views/words.h"
#include "gpu/primitives/hash_map/hash_map.h"

namespace warpview::step_views {
namespace table {
namespace {

constexpr std::uint32_t most_slots_with_words = 400;

// What the table holds at a step.
struct Slots {
  std::vector<std::optional<std::uint64_t>> keys;  // by slot
  std::uint32_t occupied = 0;
  std::uint32_t longest_run = 0;
};

Slots slots_at(const Playback& at, const Layout& layout) {
  Slots slots;
  const auto bytes = at.contents(layout.array);
  std::uint32_t run = 0;
  for (std::uint32_t slot = 0; slot < layout.slots; ++slot) {
    const auto content = content_of(layout, bytes, slot);
    slots.keys.push_back(content ? std::optional(key_of(layout, *content)) : std::nullopt);
    run = content ? run + 1 : 0;
    slots.occupied += content ? 1 : 0;
    slots.longest_run = std::max(slots.longest_run, run);
  }
  return slots;
}

// How often each number of probes was needed: [0] is one probe; the last is that or more.
struct Lengths {
  std::array<std::uint32_t, 12> counts{};
  std::uint64_t sum = 0;
  std::uint32_t number = 0;

  void add(std::uint64_t probes) {
    ++counts[std::min<std::size_t>(probes - 1, counts.size() - 1)];
    sum += probes;
    ++number;
  }
};

class Table : public StepView {
 public:
  Table(const Recording& recording, const Layout& layout) : run_(run_of(recording, layout)) {}

  StepDrawing draw(const Playback& at, const StepFocus& focus,
                   const PlotSurface& surface) const override;
  std::string legend() const override {
    return "Each cell is a slot of the table. A slot that holds a key farther from its home has a "
           "stronger shade. "
           "Frames enclose runs of occupied slots. Arrows are one lane's probes, from the key's "
           "home (square).";
  }

 private:
  struct Grid {
    float y = 0.0F, cell = 1.0F, box = 1.0F, row = 1.0F, labels = 0.0F;
    std::uint32_t first = 0, count = 0, a_row = 1, group = 1;
    bool has_words = false;

    bool shows(std::uint32_t slot) const { return first <= slot && slot < first + count; }
    std::uint32_t row_of(std::uint32_t slot) const { return (slot - first) / a_row; }
    float x(std::uint32_t slot) const {
      const std::uint32_t column = (slot - first) % a_row;
      return labels + cell * static_cast<float>(column) +
             gap * static_cast<float>(group > 1 ? column / group : 0);
    }
    float top(std::uint32_t slot) const {
      return y + row * static_cast<float>(row_of(slot)) + above;
    }
    float right_of(std::uint32_t slot) const { return x(slot) + cell; }
    // Where arrows run.
    PlotVertex above_slot(std::uint32_t slot) const {
      return {x(slot) + 0.5F * cell, top(slot) - 0.5F * above};
    }
    float height() const {
      const std::uint32_t rows = (count + a_row - 1) / a_row;
      return row * static_cast<float>(rows);
    }
    static constexpr float above = 0.8F;
    static constexpr float gap = 0.3F;  // between groups
  };

  const Operation* focused(const Playback& at) const;
  Lengths lengths_at(const Playback& at, const Slots& slots) const;
  Grid grid_for(const Playback& at, const Sketch& sketch, const PlotSurface& surface,
                float y) const;
  void draw_slots(Sketch& sketch, const Grid& grid, const Slots& slots) const;
  static void draw_runs(Sketch& sketch, const Grid& grid, const Slots& slots);
  void draw_locks(Sketch& sketch, const Grid& grid, const Playback& at) const;
  void draw_step(Sketch& sketch, const Grid& grid, const Playback& at) const;
  void draw_probes(Sketch& sketch, const Grid& grid, const Operation& operation,
                   std::size_t end) const;
  std::string sentence(const Operation& operation, std::size_t end) const;
  float draw_lengths(Sketch& sketch, const PlotSurface& surface, const Lengths& lengths,
                     double load, float y) const;

  Run run_;
};

// The operation that has probed most among the lanes that access the table in this step.
const Operation* Table::focused(const Playback& at) const {
  const Operation* longest = nullptr;
  const std::size_t end = at.executed();
  for (std::size_t i = at.last_begin(); i < end; ++i) {
    if (run_.operation_of[i] == 0) continue;
    const Operation& each = run_.operations[run_.operation_of[i] - 1];
    if (longest == nullptr || each.length(run_.layout, end) > longest->length(run_.layout, end))
      longest = &each;
  }
  return longest;
}

Lengths Table::lengths_at(const Playback& at, const Slots& slots) const {
  Lengths lengths;
  if (run_.layout.is_ordered) {
    for (std::uint32_t slot = 0; slot < slots.keys.size(); ++slot) {
      if (!slots.keys[slot]) continue;
      const auto home = run_.homes.find(*slots.keys[slot]);
      if (home == run_.homes.end()) continue;
      const std::int64_t from_home = run_.displacement(home->second, slot);
      lengths.add(static_cast<std::uint64_t>(from_home < 0 ? -from_home : from_home) + 1);
    }
    return lengths;
  }
  const std::size_t end = at.executed();
  std::uint32_t launch = 0;  // the last that has probed
  for (const Operation& each : run_.operations)
    if (each.probes.front().event < end) launch = std::max(launch, each.launch);
  for (const Operation& each : run_.operations) {
    if (each.launch != launch || each.probes.back().event >= end) continue;
    // Lanes that probe together count once.
    if (run_.layout.by_lanes && each.thread % run_.layout.group != 0) continue;
    lengths.add(each.length(run_.layout, end));
  }
  return lengths;
}

Table::Grid Table::grid_for(const Playback& at, const Sketch& sketch, const PlotSurface& surface,
                            float y) const {
  constexpr std::uint32_t most = 2048;
  Grid grid{.y = y};
  grid.count = std::min(run_.layout.slots, most);
  if (grid.count < run_.layout.slots)
    if (const Operation* const operation = focused(at))
      grid.first =
          std::min(operation->probes.back().slot / 64 * 64, run_.layout.slots - grid.count);
  grid.has_words = run_.layout.slots <= most_slots_with_words;
  std::uint32_t largest = 9;
  for (const auto& [key, home] : run_.homes) largest = std::max(largest, home.number);
  grid.labels = Sketch::width_of(surface, fmt::format("{}", run_.layout.slots)) + 0.5F;
  grid.cell = grid.has_words ? std::max(Sketch::width_of(surface, fmt::format("{}", largest)),
                                        Sketch::width_of(surface, "+99")) +
                                   0.35F
                             : 0.7F;
  grid.box = grid.has_words ? 2.0F * plot_line_height : 0.7F;
  grid.row = grid.box + Grid::above + 0.3F;
  grid.group = run_.layout.group;
  const float room = sketch.width() - grid.labels;
  if (grid.group > 1) {
    const float wide = grid.cell * static_cast<float>(grid.group) + Grid::gap;
    grid.a_row = std::max(static_cast<std::uint32_t>(room / wide), 1U) * grid.group;
    const std::uint32_t groups = grid.a_row / grid.group;
    grid.cell = std::min(grid.cell, (room / static_cast<float>(groups) - Grid::gap) /
                                        static_cast<float>(grid.group));
  } else {
    grid.a_row = std::max(static_cast<std::uint32_t>(room / grid.cell), 1U);
    grid.cell = std::min(grid.cell, room / static_cast<float>(grid.a_row));
  }
  return grid;
}

void Table::draw_slots(Sketch& sketch, const Grid& grid, const Slots& slots) const {
  for (std::uint32_t slot = grid.first; slot < grid.first + grid.count; ++slot) {
    if ((slot - grid.first) % grid.a_row == 0)
      sketch.text({0.0F, grid.top(slot) + 0.5F * (grid.box - plot_line_height)},
                  fmt::format("{}", slot), plot_ink::dim);
    const PlotBox box{grid.x(slot) + 0.04F, grid.top(slot), grid.cell - 0.08F, grid.box};
    const std::string name = word_name(
        {run_.layout.array, slot * run_.layout.slot_bytes / run_.layout.element_bytes, 0});
    if (!slots.keys[slot]) {
      sketch.box(box, plot_ink::grid, 0.5F, name);
      continue;
    }
    const auto home = run_.homes.find(*slots.keys[slot]);
    if (home == run_.homes.end()) {
      sketch.box(box, plot_ink::neutral, 0.3F, name);
      continue;
    }
    const std::int64_t from_home = run_.displacement(home->second, slot);
    const auto far = static_cast<float>(std::min<std::int64_t>(std::abs(from_home), 8));
    // Under words no darker than leaves them readable.
    sketch.box(box, plot_ink::neutral, grid.has_words ? 0.22F + 0.035F * far : 0.25F + 0.09F * far,
               name);
    if (!grid.has_words) continue;
    const float line = (from_home == 0 ? 1.0F : 0.5F) * box.height;
    sketch
        .text_in({box.x, box.y, box.width, line}, fmt::format("{}", home->second.number),
                 plot_ink::text, true)
        .name = fmt::format("key/{}", slot);
    if (from_home != 0)
      sketch
          .text_in({box.x, box.y + line, box.width, line}, fmt::format("{:+}", from_home),
                   plot_ink::text)
          .name = fmt::format("from_home/{}", slot);
  }
}

void Table::draw_runs(Sketch& sketch, const Grid& grid, const Slots& slots) {
  const auto is_full = [&](std::uint32_t slot) {
    return slot < slots.keys.size() && slots.keys[slot].has_value();
  };
  for (std::uint32_t slot = grid.first; slot < grid.first + grid.count; ++slot) {
    const bool goes_on = slot > 0 && is_full(slot - 1);
    if (!is_full(slot) || (!goes_on && !is_full(slot + 1))) continue;
    const float left = grid.x(slot);
    const bool in_row = grid.shows(slot + 1) && grid.row_of(slot + 1) == grid.row_of(slot);
    const float right = is_full(slot + 1) && in_row ? grid.x(slot + 1) : left + grid.cell;
    const float top = grid.top(slot), bottom = top + grid.box;
    constexpr float width = 0.12F;
    sketch.line({left, top}, {right, top}, plot_ink::text, width);
    sketch.line({left, bottom}, {right, bottom}, plot_ink::text, width);
    if (!goes_on) sketch.line({left, top}, {left, bottom}, plot_ink::text, width);
    if (!is_full(slot + 1)) sketch.line({right, top}, {right, bottom}, plot_ink::text, width);
  }
}

void Table::draw_locks(Sketch& sketch, const Grid& grid, const Playback& at) const {
  const Layout& layout = run_.layout;
  if (layout.lock_count == 0) return;
  const auto bytes = at.contents(layout.locks);
  for (std::uint32_t slot = grid.first; slot < grid.first + grid.count; ++slot) {
    const std::size_t lock = layout.locks_at + std::size_t{slot / slots_a_lock} * 4;
    if (lock + 4 > bytes.size()) return;
    if (number_at<std::uint32_t>(bytes, lock) != 0) continue;
    const float y = grid.top(slot) + grid.box + 0.18F;
    sketch.line({grid.x(slot), y}, {grid.x(slot) + grid.cell, y}, ink::waiting, 0.22F).name =
        fmt::format("lock/{}", slot / slots_a_lock);
  }
}

void Table::draw_step(Sketch& sketch, const Grid& grid, const Playback& at) const {
  for (const RecordedEvent& event : at.last()) {
    if (!is_access(event.kind) || event.subject != run_.layout.array) continue;
    const std::uint32_t slot = event.offset / run_.layout.slot_bytes;
    if (slot >= run_.layout.slots || !grid.shows(slot)) continue;
    const int how = is_atomic(event.kind) ? ink::atomic
                    : is_read(event.kind) ? ink::read
                                          : ink::write;
    sketch.frame({grid.x(slot), grid.top(slot), grid.cell, grid.box}, how, 0.18F,
                 lane_name(event.block, event.thread));
  }
}

void Table::draw_probes(Sketch& sketch, const Grid& grid, const Operation& operation,
                        std::size_t end) const {
  const std::string name = lane_name(operation.block, operation.thread);
  const std::uint32_t group = run_.layout.group;
  // From group to group, each at its first slot.
  const auto draw = [&](std::uint32_t from, std::uint32_t to) {
    from -= from % group;
    to -= to % group;
    if (!grid.shows(from) || !grid.shows(to)) return;
    const PlotVertex begin = grid.above_slot(from), head = grid.above_slot(to);
    const bool is_next = to == (from + group) % run_.layout.slots;
    if (is_next && grid.row_of(from) != grid.row_of(to)) {
      sketch.line(begin, {grid.right_of(from + group - 1), begin.y}, ink::read, 0.1F);
      sketch.arrow({grid.x(to), head.y}, head, ink::read, 0.1F, name);
    } else {
      sketch.arrow(begin, head, ink::read, 0.1F, name);
    }
  };
  const std::uint32_t home = operation.probes.front().slot / group * group;
  if (grid.shows(home)) {
    const PlotVertex at = grid.above_slot(home);
    sketch.box({at.x - 0.25F, at.y - 0.25F, 0.5F, 0.5F}, ink::read, 1.0F, name);
  }
  std::uint32_t last = home;
  for (const Probe& probe : operation.probes) {
    if (probe.event >= end) break;
    if (!run_.layout.is_ordered) draw(last, probe.slot);
    last = probe.slot;
  }
  // A plan looks to both sides, and is made again under the locks.
  if (run_.layout.is_ordered) draw(home, last);
}

std::string Table::sentence(const Operation& operation, std::size_t end) const {
  const std::uint32_t home = operation.probes.front().slot / run_.layout.group * run_.layout.group;
  const std::string where = run_.layout.group == 1
                                ? fmt::format("slot {}", home)
                                : fmt::format("slots {} to {}", home, home + run_.layout.group - 1);
  std::string words = fmt::format("Block {}, thread {}: the key with index {}, home {}",
                                  operation.block, operation.thread, operation.number, where);
  if (run_.layout.is_ordered) return words + ".";
  return words + fmt::format("; {} so far.", count_of(operation.length(run_.layout, end), "probe"));
}

float Table::draw_lengths(Sketch& sketch, const PlotSurface& surface, const Lengths& lengths,
                          double load, float y) const {
  constexpr float height = 3.0F;
  const float first = y;
  y += draw_paragraph(sketch, surface, {0.0F, y},
                      run_.layout.is_ordered ? "Probes that find each key, from its home"
                                             : "Probes of each key so far",
                      plot_ink::text, true);
  const float column = std::min(sketch.width() / static_cast<float>(lengths.counts.size()), 3.5F);
  const std::uint32_t most =
      std::max(*std::max_element(lengths.counts.begin(), lengths.counts.end()), 1U);
  const float base = y + plot_line_height + height;
  for (std::size_t i = 0; i < lengths.counts.size(); ++i) {
    const float left = column * static_cast<float>(i);
    const float tall = height * static_cast<float>(lengths.counts[i]) / static_cast<float>(most);
    const bool is_last = i + 1 == lengths.counts.size();
    sketch.box({left + 0.15F, base - tall, column - 0.3F, tall}, plot_ink::neutral, 1.0F,
               fmt::format("probes/{}/{}", i + 1, lengths.counts[i]));
    if (lengths.counts[i] > 0)
      sketch.text({left + 0.5F * column, base - tall - plot_line_height},
                  fmt::format("{}", lengths.counts[i]), plot_ink::text, PlotShape::Align::middle);
    sketch.text({left + 0.5F * column, base + 0.1F}, fmt::format("{}{}", i + 1, is_last ? "+" : ""),
                plot_ink::dim, PlotShape::Align::middle);
  }
  const float right = column * static_cast<float>(lengths.counts.size());
  sketch.line({0.0F, base}, {right, base}, plot_ink::grid, 0.06F);
  // Averages, at their places on the axis below.
  y = base + plot_line_height + 0.2F;
  const auto mark = [&](double probes, std::string words) {
    const float x = std::min(column * (static_cast<float>(probes) - 0.5F), right - 0.1F);
    sketch.line({x, base + plot_line_height}, {x, y + 0.3F}, plot_ink::text, 0.08F);
    const bool to_left = x > 0.5F * sketch.width();
    const float width = Sketch::width_of(surface, words);
    const float at =
        std::clamp(to_left ? x - width : x, 0.0F, std::max(sketch.width() - width, 0.0F));
    sketch.text({at, y + 0.2F}, std::move(words), plot_ink::text);
    y += plot_line_height + 0.1F;
  };
  // From the right to the left, so that no line crosses words.
  std::vector<std::pair<double, std::string>> averages;
  if (lengths.number > 0) {
    const double mean = static_cast<double>(lengths.sum) / lengths.number;
    averages.emplace_back(mean, fmt::format("average {:.2f}", mean));
  }
  if (load < 1.0) {
    const double left = 1.0 / (1.0 - load);
    averages.emplace_back(
        (1.0 + left) / 2.0,
        fmt::format("expected, key in the table {:.2f} (Knuth)", (1.0 + left) / 2.0));
    averages.emplace_back((1.0 + left * left) / 2.0, fmt::format("expected, new key {:.2f} (Knuth)",
                                                                 (1.0 + left * left) / 2.0));
  }
  std::sort(averages.rbegin(), averages.rend());
  for (auto& [probes, words] : averages) mark(probes, std::move(words));
  y += 0.3F;
  y += draw_paragraph(
      sketch, surface, {0.0F, y},
      run_.layout.group > 1 || run_.layout.is_ordered
          ? "Expected (Knuth): for linear probing, one slot at a time, at this load factor."
          : "Expected (Knuth): for linear probing at this load factor.",
      plot_ink::dim);
  return y - first;
}

StepDrawing Table::draw(const Playback& at, const StepFocus& /*focus*/,
                        const PlotSurface& surface) const {
  Sketch sketch(surface);
  const Slots slots = slots_at(at, run_.layout);
  const double load = static_cast<double>(slots.occupied) / run_.layout.slots;
  float y = draw_paragraph(sketch, surface, {0.0F, 0.0F},
                           fmt::format("{} of {} slots occupied: load factor {:.0f} %",
                                       slots.occupied, run_.layout.slots, 100.0 * load),
                           plot_ink::text, true);
  y += draw_paragraph(sketch, surface, {0.0F, y},
                      fmt::format("Longest run of occupied slots: {}", slots.longest_run));
  const Operation* const operation = focused(at);
  const std::size_t end = at.executed();
  const float sentence_top = y;
  if (operation != nullptr)
    draw_paragraph(sketch, surface, {0.0F, y}, sentence(*operation, end), plot_ink::dim);
  // Room for the longest sentence, so that the table stays where it is.
  y = sentence_top + plot_line_height * (sketch.is_narrow() ? 3.0F : 1.0F);
  std::vector<KeyEntry> key = {{"read in this step", framed(ink::read)},
                               {"claimed or changed in this step", framed(ink::atomic)}};
  if (run_.layout.is_ordered) {
    key.push_back({"written in this step", framed(ink::write)});
    key.push_back({"locked (bar below)", framed(ink::waiting)});
  }
  y += draw_key(sketch, surface, {0.0F, y}, key);
  const bool has_words = run_.layout.slots <= most_slots_with_words;
  const char* const unit = run_.layout.group == 1 ? "slots" : "groups of slots";
  y += draw_paragraph(
      sketch, surface, {0.0F, y},
      has_words
          ? fmt::format("In a slot: the key's index in the input (bold). Below it: its "
                        "distance from home in {}, if it is not at home.",
                        unit)
          : fmt::format("The farther a key is from home, in {}, the stronger its slot's shade.",
                        unit),
      plot_ink::dim);
  const Grid grid = grid_for(at, sketch, surface, y);
  draw_slots(sketch, grid, slots);
  draw_runs(sketch, grid, slots);
  draw_locks(sketch, grid, at);
  draw_step(sketch, grid, at);
  if (operation != nullptr) draw_probes(sketch, grid, *operation, end);
  y += grid.height() + 0.3F;
  if (grid.count < run_.layout.slots)
    y += draw_paragraph(sketch, surface, {0.0F, y},
                        fmt::format("Slots {} to {} of {}.", grid.first,
                                    grid.first + grid.count - 1, run_.layout.slots),
                        plot_ink::dim);
  y += draw_lengths(sketch, surface, lengths_at(at, slots), load, y + 0.3F) + 0.3F;
  return sketch.take(y);
}

}  // namespace
}  // namespace table

bool is_for_table(const Recording& recording) { return table::layout_of(recording).has_value(); }

std::unique_ptr<StepView> make_table(const std::shared_ptr<const Recording>& recording) {
  return std::make_unique<table::Table>(*recording, *table::layout_of(*recording));
}

}  // namespace warpview::step_views
