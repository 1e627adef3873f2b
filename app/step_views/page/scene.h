// A view's shapes at all steps, as differences.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "app/step_views/page/strings.h"
#include "app/step_views/view.h"

namespace warpview::step_views {

// What shapes of all scenes share.
struct ShapeTables {
  // A way to draw: kind, ink, opacity and width in hundredths, dashes, alignment, boldness.
  using Style = std::array<std::uint32_t, 7>;
  // Vertices as differences from the one before, in tenths of a unit; the first is the place.
  using Outline = std::vector<std::int32_t>;

  std::uint32_t style(const PlotShape& shape);
  std::uint32_t outline(Outline outline);
  // The styles, then the outlines, each after their number.
  void write(ByteWriter& to) const;

  Strings strings;

 private:
  std::map<Style, std::uint32_t> styles_;
  std::vector<Style> styles_in_order_;
  std::map<Outline, std::uint32_t> outlines_;
  std::vector<Outline> outlines_in_order_;
};

// Coordinates are kept in tenths of a unit.
inline constexpr float page_steps_in_a_unit = 10.0F;

// One view in one width. Each shape that differs is kept once, and a step is what it takes away
// from and adds to the list of the step before.
class Scene {
 public:
  explicit Scene(ShapeTables& tables) : tables_(tables) {}

  // The drawing at the next step.
  void add(const StepDrawing& drawing);
  // The names of shapes that the last drawing has added, as numbers of strings.
  std::span<const std::uint32_t> new_names() const { return new_names_; }
  // About as many will be written.
  std::size_t bytes() const;

  // The largest height in units, rounded up. The number of shapes, then by columns: style, outline,
  // x, y, words, name. The number of edits of each step; of each edit how many shapes stay before
  // it, are taken away, and are added; the shapes that are added. All but counts are differences:
  // of words and names 0 stands for none, and they are 1 larger than the difference from the last
  // ones; of added shapes from the one that follows the one before.
  void write(ByteWriter& to) const;

 private:
  // Style, outline, x, y, words + 1, name + 1.
  static constexpr std::size_t words_column = 4;
  using Key = std::array<std::uint32_t, 6>;
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  std::uint32_t id_of(const PlotShape& shape);
  void add_edits(const std::vector<std::uint32_t>& next);

  ShapeTables& tables_;
  float height_ = 0.0F;
  std::unordered_map<Key, std::uint32_t, KeyHash> ids_;
  std::array<ByteWriter, 6> columns_;
  Key last_{};
  std::vector<std::uint32_t> new_names_;
  std::vector<std::uint32_t> now_;  // the shapes of the last drawing
  // By shape, for add_edits(): where it stands in the last and in the next drawing, + 1.
  std::vector<std::uint32_t> place_now_, place_next_;
  ByteWriter edit_counts_, edits_, added_;
  std::uint32_t last_added_ = 0;
};

}  // namespace warpview::step_views
