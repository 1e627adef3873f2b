// Arrays as cells with their values: those of device memory and the chosen block's shared ones.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "app/step_views/array_history.h"
#include "app/step_views/arrays.h"
#include "app/step_views/key.h"
#include "app/step_views/names.h"
#include "app/step_views/paragraph.h"

namespace warpview::step_views {
namespace {

enum class CellMark : std::uint8_t { none, written_before, read, written, atomic };

// What a step does to elements of an array. The host may write all of a large one, so they are not
// marked one by one.
struct MarkedCells {
  std::uint32_t first = 0, last = 0;
  CellMark mark = CellMark::none;
};
using CellMarks = std::vector<MarkedCells>;

CellMark mark_at(const CellMarks& marks, std::uint32_t element) {
  CellMark mark = CellMark::none;
  for (const MarkedCells& cells : marks)
    if (cells.first <= element && element <= cells.last) mark = std::max(mark, cells.mark);
  return mark;
}

// The elements of `array` that an event touches; of a shared array those of `block`.
std::optional<MarkedCells> cells_of(const Recording& recording, const RecordedEvent& event,
                                    std::uint32_t array, std::uint32_t block) {
  const RecordedArray& like = recording.arrays[array];
  std::size_t begin = 0, bytes = 0;
  if (is_access(event.kind) && event.subject == array &&
      (like.kind == ArrayKind::device || event.block == block)) {
    begin = event.offset;
    bytes = event.bytes;
  } else if (is_patch(event.kind) && recording.patches[event.subject].array == array) {
    begin = recording.patches[event.subject].offset;
    bytes = recording.patches[event.subject].bytes.size();
  }
  if (bytes == 0) return {};
  return MarkedCells{.first = static_cast<std::uint32_t>(begin / like.element_bytes),
                     .last = static_cast<std::uint32_t>((begin + bytes - 1) / like.element_bytes)};
}

CellMark mark_of(EventKind kind) {
  if (is_atomic(kind)) return CellMark::atomic;
  return is_access(kind) && is_read(kind) ? CellMark::read : CellMark::written;
}

// What is drawn of one array.
struct ArrayRows {
  std::size_t columns = 1;
  float label = 0.0F, cell = 0.0F;  // widths in ems
  std::size_t all = 0;              // rows
  std::vector<std::size_t> shown;   // rows
};

class Memory : public StepView {
 public:
  explicit Memory(const Recording& recording) : history_(recording) {}

  StepDrawing draw(const Playback& at, const StepFocus& focus,
                   const PlotSurface& surface) const override {
    Sketch sketch(surface);
    float y = 0.0F;
    std::string others;
    const auto& arrays = at.recording().arrays;
    for (const ArrayKind kind : {ArrayKind::shared, ArrayKind::device})
      for (std::uint32_t i = 0; i < arrays.size(); ++i) {
        if (arrays[i].kind != kind) continue;
        if (!history_.is_used_now(at, i))
          others += (others.empty() ? "" : ", ") + arrays[i].name;
        else
          y = draw_array(sketch, surface, y, at, i, kind == ArrayKind::shared ? focus.block : 0);
      }
    if (!others.empty())
      y += draw_paragraph(sketch, surface, {0.0F, y}, "Not used by this launch: " + others,
                          plot_ink::dim);
    y += 0.2F;
    return sketch.take(y + draw_key(sketch, surface, {0.0F, y}, key()));
  }

  std::string legend() const override {
    return "Each cell is an element of an array with its current value. A dot: not written yet.";
  }

 private:
  static constexpr std::size_t most_whole = 6;   // rows of an array that is shown whole
  static constexpr std::size_t window_rows = 4;  // of others, unless the step touches more
  static constexpr unsigned most_letters = 11;
  static constexpr float cell_height = 1.3F, row_height = 1.5F;

  // --- values

  unsigned letters_of(const RecordedArray& array, std::uint32_t number) const {
    if (const unsigned letters = history_.letters(number); letters != 0)
      return std::min(letters, most_letters);
    constexpr unsigned of_floats = 7, of_fields = 6;
    if (const auto fields = fields_of(array); !fields.empty())
      return of_fields * static_cast<unsigned>(fields.size());
    return array.type == "f32" || array.type == "f64" ? of_floats : most_letters;
  }

  // No longer than that many letters, if it can be.
  static std::string short_value(const RecordedArray& array, std::span<const std::uint8_t> element,
                                 unsigned letters) {
    if (array.type == "u32" && number_at<std::uint32_t>(element) == ~std::uint32_t{0})
      return "2^32-1";
    if (array.type == "u64" && number_at<std::uint64_t>(element) == ~std::uint64_t{0})
      return "2^64-1";
    std::string words = value_of(array, element);
    if (words.size() <= letters) return words;
    if (!fields_of(array).empty()) return words;  // cut where the cell ends
    if (array.type == "f32" || array.type == "f64") {
      return fmt::format(
          "{:.3g}", array.type == "f64" ? number_at<double>(element) : number_at<float>(element));
    }
    if (element.size() <= 8 && array.type.starts_with('u')) {
      words = fmt::format("{:#x}", number_at<std::uint64_t>(element));
      if (words.size() <= letters) return words;
    }
    // The ends say most: what is packed into a word, or the first and the last field.
    constexpr std::size_t tail = 4;
    return words.substr(0, letters - tail - 2) + ".." + words.substr(words.size() - tail);
  }

  static bool is_spoiled(std::span<const std::uint8_t> element) {
    return std::all_of(element.begin(), element.end(),
                       [](std::uint8_t byte) { return byte == RecordedArray::spoiled; });
  }

  // The words of a value of up to 8 bytes.
  static std::string old_words(const RecordedArray& array, std::uint64_t value, unsigned letters) {
    std::uint8_t bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof bytes);
    const auto element = std::span<const std::uint8_t>(bytes).first(array.element_bytes);
    return is_spoiled(element) ? "." : short_value(array, element, letters);
  }

  // --- what the step touches

  CellMarks marks_of(const Playback& at, std::uint32_t array, std::uint32_t block) const {
    CellMarks marks;
    const Recording& recording = at.recording();
    if (const auto written = history_.last_write(array, block, at.last_begin()))
      for (const RecordedEvent& event : at.events_of(at.step_of(*written)))
        if (!(is_access(event.kind) && is_read(event.kind)))
          if (auto cells = cells_of(recording, event, array, block);
              // A block of an earlier launch wrote to memory of its own.
              cells && at.last_write({array, cells->first, block})) {
            cells->mark = CellMark::written_before;
            marks.push_back(*cells);
          }
    for (const RecordedEvent& event : at.last())
      if (auto cells = cells_of(recording, event, array, block)) {
        cells->mark = mark_of(event.kind);
        marks.push_back(*cells);
      }
    return marks;
  }

  // By element: what it held before this step, of elements that the step writes as a whole.
  std::map<std::uint32_t, std::uint64_t> old_values(const Playback& at, std::uint32_t array,
                                                    std::uint32_t block) const {
    std::map<std::uint32_t, std::uint64_t> old;
    const RecordedArray& like = at.recording().arrays[array];
    std::size_t index = at.last_begin();
    for (const RecordedEvent& event : at.last()) {
      if (is_access(event.kind) && !is_read(event.kind) && event.subject == array &&
          (like.kind == ArrayKind::device || event.block == block) &&
          event.bytes == like.element_bytes && event.offset % like.element_bytes == 0)
        old.emplace(event.offset / like.element_bytes, history_.value_before(index));
      ++index;
    }
    return old;
  }

  // --- rows

  ArrayRows rows_of(const PlotSurface& surface, const Playback& at, std::uint32_t array,
                    std::uint32_t block, const CellMarks& marks) const {
    const RecordedArray& like = at.recording().arrays[array];
    const std::size_t elements = elements_of(like);
    const float letter = Sketch::width_of(surface, "0");
    const float width = surface.width / surface.em;
    ArrayRows rows;
    rows.label = letter * static_cast<float>(fmt::formatted_size("{}", elements)) + 0.5F;
    const float room = width - rows.label;
    const float wanted =
        std::max(1.3F, letter * static_cast<float>(letters_of(like, array)) + 0.5F);
    const auto fit = static_cast<std::size_t>(std::max(1.0F, room / wanted));
    rows.columns = std::min(std::bit_floor(fit), std::bit_ceil(std::max<std::size_t>(elements, 1)));
    rows.cell = std::min(room / static_cast<float>(rows.columns), 2.2F * wanted);
    rows.all = (elements + rows.columns - 1) / rows.columns;
    choose_rows(rows, at, array, block, marks);
    return rows;
  }

  // All of a small array. Of a large one the rows that the step touches, or a window around them or
  // around what was touched last.
  void choose_rows(ArrayRows& rows, const Playback& at, std::uint32_t array, std::uint32_t block,
                   const CellMarks& marks) const {
    if (rows.all <= most_whole) {
      for (std::size_t i = 0; i < rows.all; ++i) rows.shown.push_back(i);
      return;
    }
    std::set<std::size_t> touched;
    for (const MarkedCells& cells : marks) {
      if (cells.mark == CellMark::written_before) continue;
      const std::size_t first = cells.first / rows.columns;
      for (std::size_t i = first; i <= std::min(cells.last / rows.columns, first + most_whole); ++i)
        touched.insert(i);
    }
    std::size_t anchor = 0;
    if (!touched.empty()) {
      anchor = *touched.begin();
    } else if (const auto last = history_.last_access(array, block, at.executed())) {
      if (const auto cells = cells_of(at.recording(), at.recording().events[*last], array, block))
        anchor = cells->first / rows.columns;
    }
    const std::size_t begin = std::min(anchor / window_rows * window_rows, rows.all - window_rows);
    if (touched.empty() || *touched.rbegin() < begin + window_rows) {
      for (std::size_t i = begin; i < begin + window_rows; ++i) rows.shown.push_back(i);
      return;
    }
    for (const std::size_t row : touched) {
      if (rows.shown.size() == most_whole) break;
      rows.shown.push_back(row);
    }
  }

  // --- drawing

  float draw_array(Sketch& sketch, const PlotSurface& surface, float y, const Playback& at,
                   std::uint32_t array, std::uint32_t block) const {
    const RecordedArray& like = at.recording().arrays[array];
    const auto contents = at.contents(array, block);
    const CellMarks marks = marks_of(at, array, block);
    const auto old = old_values(at, array, block);
    const ArrayRows rows = rows_of(surface, at, array, block, marks);
    y = draw_head(sketch, surface, y, at, array, block, old);
    if (contents.empty()) {
      sketch.text({0.5F, y},
                  at.block(block) == nullptr ? fmt::format("Block {} is not resident.", block)
                                             : fmt::format("Block {} has not accessed it.", block),
                  plot_ink::dim);
      return y + plot_line_height + 0.4F;
    }
    if (rows.shown.size() < rows.all) y = draw_overview(sketch, y, rows, marks);
    std::size_t next = rows.shown.front();
    for (const std::size_t row : rows.shown) {
      // Rows are left out before it.
      if (row != next)
        sketch
            .line({rows.label, y + 0.02F},
                  {rows.label + rows.cell * static_cast<float>(rows.columns), y + 0.02F},
                  plot_ink::dim, 0.05F)
            .line = PlotLine::dotted;
      next = row + 1;
      sketch.text({rows.label - 0.3F, y + 0.08F}, fmt::format("{}", row * rows.columns),
                  plot_ink::dim, PlotShape::Align::right);
      for (std::size_t i = 0; i < rows.columns; ++i) {
        const auto element = static_cast<std::uint32_t>(row * rows.columns + i);
        if (std::size_t{element + 1} * like.element_bytes > contents.size()) break;
        const PlotBox box{rows.label + rows.cell * static_cast<float>(i), y, 0.95F * rows.cell,
                          cell_height};
        const auto before = old.find(element);
        draw_cell(sketch, surface, box, at, {array, element, block}, mark_at(marks, element),
                  before == old.end() ? std::nullopt : std::optional(before->second));
      }
      y += row_height;
    }
    return y + 0.5F;
  }

  // The name and the size, and how an element changes if it is the only one.
  float draw_head(Sketch& sketch, const PlotSurface& surface, float y, const Playback& at,
                  std::uint32_t array, std::uint32_t block,
                  const std::map<std::uint32_t, std::uint64_t>& old) const {
    const RecordedArray& like = at.recording().arrays[array];
    const std::string name = cut_to(surface, like.name, 0.6F * sketch.width());
    sketch.text({0.0F, y}, name, plot_ink::text, PlotShape::Align::left, true);
    const float x = Sketch::bold_is_wider * Sketch::width_of(surface, name) + 0.6F;
    std::string words = fmt::format("{} {}", elements_of(like), like.type);
    if (like.kind == ArrayKind::shared) words += fmt::format(", shared, block {}", block);
    if (old.size() == 1) {
      const auto [element, value] = *old.begin();
      const auto now = at.contents(array, block)
                           .subspan(std::size_t{element} * like.element_bytes, like.element_bytes);
      const unsigned letters = letters_of(like, array);
      words += fmt::format("; [{}]: {} → {}", element, old_words(like, value, letters),
                           short_value(like, now, letters));
    }
    sketch.text({x, y}, cut_to(surface, std::move(words), sketch.width() - x), plot_ink::dim);
    return y + plot_line_height;
  }

  // The whole array as a bar: the rows that are shown, and what the step touches.
  static float draw_overview(Sketch& sketch, float y, const ArrayRows& rows,
                             const CellMarks& marks) {
    const float width = rows.cell * static_cast<float>(rows.columns);
    const float each = width / static_cast<float>(rows.all);
    sketch.box({rows.label, y + 0.1F, width, 0.4F}, plot_ink::grid);
    constexpr float least = 0.2F;  // of what is to be seen
    const auto part = [&](std::size_t first, std::size_t last, float top, float height, int ink) {
      const float wide = std::max(each * static_cast<float>(last - first + 1), least);
      const float x = std::min(each * static_cast<float>(first), width - wide);
      sketch.box({rows.label + x, top, wide, height}, ink);
    };
    for (const std::size_t row : rows.shown) part(row, row, y + 0.1F, 0.4F, plot_ink::neutral);
    for (const MarkedCells& cells : marks)
      if (cells.mark != CellMark::written_before)
        part(cells.first / rows.columns, cells.last / rows.columns, y, 0.6F, ink_of(cells.mark));
    return y + 0.8F;
  }

  static int ink_of(CellMark mark) {
    switch (mark) {
      case CellMark::read:
        return ink::read;
      case CellMark::atomic:
        return ink::atomic;
      case CellMark::written:
      case CellMark::written_before:
        return ink::write;
      case CellMark::none:
        break;
    }
    return plot_ink::grid;
  }

  // A cell: framed if it is read, filled if it is written, both if it is changed atomically.
  static void draw_box(Sketch& sketch, PlotBox box, CellMark mark, const std::string& name) {
    if (mark == CellMark::none || mark == CellMark::read)
      sketch.box(box, plot_ink::grid, 0.6F, name);
    else
      sketch.box(box, ink_of(mark), mark == CellMark::written_before ? 0.25F : 1.0F, name);
    const PlotBox inside{box.x + 0.07F, box.y + 0.07F, box.width - 0.14F, box.height - 0.14F};
    if (mark == CellMark::read) sketch.frame(inside, ink::read, 0.14F, name);
    if (mark == CellMark::atomic) sketch.frame(inside, plot_ink::text, 0.1F, name);
  }

  void draw_cell(Sketch& sketch, const PlotSurface& surface, PlotBox box, const Playback& at,
                 const Word& word, CellMark mark, std::optional<std::uint64_t> before) const {
    const RecordedArray& like = at.recording().arrays[word.array];
    const auto element =
        at.contents(word.array, word.block)
            .subspan(std::size_t{word.element} * like.element_bytes, like.element_bytes);
    const std::string name = word_name(word);
    draw_box(sketch, box, mark, name);
    const unsigned letters = letters_of(like, word.array);
    const bool is_empty = is_spoiled(element) && !at.last_write(word);
    std::string words = is_empty ? "." : short_value(like, element, letters);
    if (before) {
      const std::string both = fmt::format("{} → {}", old_words(like, *before, letters), words);
      if (Sketch::width_of(surface, both) < box.width) words = both;
    }
    const bool strong = mark == CellMark::written || mark == CellMark::atomic;
    sketch
        .text_in(box, cut_to(surface, std::move(words), box.width),
                 strong     ? plot_ink::paper
                 : is_empty ? plot_ink::dim
                            : plot_ink::text,
                 strong)
        .name = name;
  }

  static std::vector<KeyEntry> key() {
    std::vector<KeyEntry> entries;
    for (const auto& [words, mark] : {std::pair("read in this step", CellMark::read),
                                      std::pair("written in this step", CellMark::written),
                                      std::pair("changed atomically", CellMark::atomic),
                                      std::pair("the last write before", CellMark::written_before)})
      entries.push_back(
          {words, [mark = mark](Sketch& sketch, PlotBox box) { draw_box(sketch, box, mark, {}); }});
    return entries;
  }

  ArrayHistory history_;
};

}  // namespace

bool is_for_memory(const Recording& recording) { return !recording.arrays.empty(); }
std::unique_ptr<StepView> make_memory(const std::shared_ptr<const Recording>& recording) {
  return std::make_unique<Memory>(*recording);
}

}  // namespace warpview::step_views
