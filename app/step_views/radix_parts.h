// The parts of the view of a radix sort. Heights and places are in ems.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/step_views/radix_passes.h"
#include "app/step_views/sketch.h"

namespace warpview::step_views::radix {

// What is drawn now: a pass, and the events of the last step. Events before `end` are executed.
struct Moment {
  const SortPass& pass;
  std::size_t begin, end;
  std::uint32_t digit_values;
  std::uint32_t block;  // of the last step
  SortPhase phase;
};

// Cells of keys side by side, as wide as the sketch.
class KeyRows {
 public:
  KeyRows(Sketch& sketch, const PlotSurface& surface, const Moment& now,
          const std::vector<std::optional<std::uint64_t>>& digits);

  std::size_t shown() const { return shown_; }
  bool writes_digits() const { return digits_inside_ || digit_lines_ > 0; }

  // The keys before the pass, with their labels above. Returns the height.
  float draw_input(float y);
  // Those that have been written, with their labels below, and arrows to those of the last step
  // from the input's lower edge.
  float draw_output(float y, float input_bottom);

 private:
  float box_height() const { return digits_inside_ ? 1.7F : 1.2F; }
  // Narrow keys still show their shade.
  float frame_width() const { return cell_ > 0.5F ? 0.12F : 0.15F * cell_; }
  float labels_height() const {
    return static_cast<float>(value_lines_ + digit_lines_) * plot_line_height;
  }
  float middle(std::size_t place) const { return cell_ * (static_cast<float>(place) + 0.5F); }
  void draw_key(std::size_t place, float y, std::optional<std::uint64_t> digit, std::string name);
  void draw_label(std::size_t place, float y, std::uint64_t value,
                  std::optional<std::uint64_t> digit);

  Sketch& sketch_;
  const PlotSurface& surface_;
  const Moment& now_;
  const std::vector<std::optional<std::uint64_t>>& digits_;  // by places in the input
  std::size_t shown_ = 0;
  float cell_ = 1.0F;
  bool digits_inside_ = false;
  unsigned value_lines_ = 0, digit_lines_ = 0;
};

// The counts of each digit as bars and numbers, and where its keys begin in the output. Returns the
// height, as all of these.
float draw_counts(Sketch& sketch, const PlotSurface& surface, const Moment& now, float y);
// The histograms of all passes, which Onesweep counts in one read.
float draw_all_counts(Sketch& sketch, const Moment& now, const RadixSort& sort, float y);
// A warp's lanes by the digits of their keys: which are equal, and each key's rank.
float draw_ranking(Sketch& sketch, const PlotSurface& surface, const Playback& at,
                   const Ranking& ranking, const Moment& now, float y);

}  // namespace warpview::step_views::radix
