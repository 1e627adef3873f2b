#include "app/step_views/radix_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "app/step_views/names.h"
#include "app/step_views/paragraph.h"

namespace warpview::step_views::radix {
namespace {

// The shade of a digit: light for small ones, dark for large ones.
float shade(std::uint64_t digit, std::uint32_t values) {
  return 0.06F + 0.79F * static_cast<float>(digit) / static_cast<float>(values - 1);
}
int ink_on(float shade_below) { return shade_below > 0.5F ? plot_ink::paper : plot_ink::text; }

}  // namespace

KeyRows::KeyRows(Sketch& sketch, const PlotSurface& surface, const Moment& now,
                 const std::vector<std::optional<std::uint64_t>>& digits)
    : sketch_(sketch), surface_(surface), now_(now), digits_(digits) {
  constexpr float narrowest = 0.12F, widest = 4.0F;
  const std::size_t n = now.pass.keys.size();
  shown_ = std::min(n, static_cast<std::size_t>(sketch.width() / narrowest));
  cell_ = std::min(sketch.width() / static_cast<float>(shown_), widest);
  const auto lines_for = [&](float words) {
    return static_cast<unsigned>(std::ceil((words + 0.3F) / cell_));
  };
  const unsigned digit_lines =
      lines_for(Sketch::width_of(surface, fmt::format("{}", now.digit_values - 1)));
  std::uint64_t largest = 0;
  for (const PassKey& key : now.pass.keys) largest = std::max(largest, key.value.value);
  value_lines_ = lines_for(Sketch::width_of(surface, fmt::format("{}", largest)));
  if (value_lines_ > 2) value_lines_ = 0;
  digits_inside_ = digit_lines == 1;
  digit_lines_ = digits_inside_ || digit_lines > 3 || value_lines_ > 0 ? 0 : digit_lines;
}

void KeyRows::draw_key(std::size_t place, float y, std::optional<std::uint64_t> digit,
                       std::string name) {
  const float gap = cell_ > 0.5F ? 0.06F : 0.0F;
  const PlotBox box{cell_ * static_cast<float>(place) + gap, y, cell_ - 2.0F * gap, box_height()};
  if (!digit) {
    sketch_.box(box, plot_ink::grid, 0.6F, std::move(name));
    return;
  }
  const float dark = shade(*digit, now_.digit_values);
  sketch_.box(box, plot_ink::text, dark, std::move(name));
  if (digits_inside_)
    sketch_.text({middle(place), y + 0.5F * (box_height() - plot_line_height)},
                 fmt::format("{}", *digit), ink_on(dark), PlotShape::Align::middle);
}

void KeyRows::draw_label(std::size_t place, float y, std::uint64_t value,
                         std::optional<std::uint64_t> digit) {
  const auto write = [&](unsigned lines, std::uint64_t number, int ink) {
    const std::string words = fmt::format("{}", number);
    const float half = 0.5F * Sketch::width_of(surface_, words);
    const float x = std::clamp(middle(place), half, std::max(sketch_.width() - half, half));
    sketch_.text({x, y + static_cast<float>(place % lines) * plot_line_height}, words, ink,
                 PlotShape::Align::middle);
  };
  if (value_lines_ > 0) write(value_lines_, value, plot_ink::text);
  if (digit_lines_ > 0 && digit) write(digit_lines_, *digit, plot_ink::dim);
}

float KeyRows::draw_input(float y) {
  const float top = y + labels_height();
  for (std::size_t i = 0; i < shown_; ++i) {
    const PassKey& key = now_.pass.keys[i];
    if (key.value.event == Brought::never) continue;
    const auto digit = now_.pass.finishes || key.digit.before(now_.end) ? digits_[i] : std::nullopt;
    draw_key(i, top, digit, word_name({now_.pass.in, static_cast<std::uint32_t>(i), 0}));
    draw_label(i, y, key.value.value, digit);
    const bool is_counted = key.digit.within(now_.begin, now_.end);
    if (is_counted || key.value.within(now_.begin, now_.end))
      sketch_.frame({cell_ * static_cast<float>(i), top, cell_, box_height()},
                    is_counted ? ink::atomic : ink::read, frame_width());
  }
  return labels_height() + box_height();
}

float KeyRows::draw_output(float y, float input_bottom) {
  std::vector<std::optional<std::size_t>> owners(shown_);
  for (std::size_t i = 0; i < now_.pass.keys.size(); ++i) {
    const Brought& to = now_.pass.keys[i].to;
    if (to.before(now_.end) && to.value < shown_) owners[to.value] = i;
  }
  for (std::size_t place = 0; place < shown_; ++place) {
    const std::string name = word_name({now_.pass.out, static_cast<std::uint32_t>(place), 0});
    if (!owners[place]) {
      if (cell_ > 0.5F)
        sketch_.frame({cell_ * static_cast<float>(place) + 0.06F, y, cell_ - 0.12F, box_height()},
                      plot_ink::grid, 0.06F, name);
      continue;
    }
    const PassKey& key = now_.pass.keys[*owners[place]];
    draw_key(place, y, digits_[*owners[place]], name);
    draw_label(place, y + box_height(), key.value.value, digits_[*owners[place]]);
    if (!key.to.within(now_.begin, now_.end)) continue;
    sketch_.frame({cell_ * static_cast<float>(place), y, cell_, box_height()}, ink::write,
                  frame_width());
    if (*owners[place] < shown_)
      sketch_.arrow({middle(*owners[place]), input_bottom}, {middle(place), y}, ink::write, 0.07F,
                    name);
  }
  if (cell_ <= 0.5F)
    sketch_.frame({0.0F, y, cell_ * static_cast<float>(shown_), box_height()}, plot_ink::grid,
                  0.06F);
  return box_height() + labels_height();
}

namespace {

// The counts of each digit as bars and numbers, and where its keys begin in the output.
class Counts {
 public:
  Counts(Sketch& sketch, const PlotSurface& surface, const Moment& now)
      : sketch_(sketch), surface_(surface), now_(now) {
    tiles_ = now.pass.tiles;
    for (const PassKey& key : now.pass.keys) {
      if (key.digit.event == Brought::never || key.tile >= tiles_) continue;
      columns_.insert(key.digit.value);
      if (key.digit.before(now.end)) ++counts_[{key.digit.value, key.tile}];
      if (key.digit.within(now.begin, now.end)) counted_.insert({key.digit.value, key.tile});
    }
  }

  float draw(float y);

 private:
  // A tile's count or offset of a digit in words; empty where it is not known yet.
  std::string count(std::uint64_t digit, std::uint32_t tile) const {
    const auto found = counts_.find({digit, tile});
    return found == counts_.end() ? std::string() : fmt::format("{}", found->second);
  }
  std::uint32_t sum(std::uint64_t digit) const {
    std::uint32_t all = 0;
    for (auto each = counts_.lower_bound({digit, 0});
         each != counts_.end() && each->first.first == digit; ++each)
      all += each->second;
    return all;
  }
  const Brought* offset(std::uint64_t digit, std::uint32_t tile) const {
    const std::size_t place = digit * tiles_ + tile;
    return place < now_.pass.offsets.size() && now_.pass.offsets[place].before(now_.end)
               ? &now_.pass.offsets[place]
               : nullptr;
  }
  float draw_block(float y, const std::vector<std::uint64_t>& digits,
                   const std::vector<std::uint32_t>& tiles);
  void number(PlotVertex corner, const std::string& words, bool is_new, int ink, std::string name);
  void label(float y, std::string words) {
    sketch_.text({0.0F, y}, std::move(words), plot_ink::dim);
  }

  Sketch& sketch_;
  const PlotSurface& surface_;
  const Moment& now_;
  std::uint32_t tiles_ = 1;
  std::set<std::uint64_t> columns_;  // digits that keys have
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> counts_;  // by digit and tile
  std::set<std::pair<std::uint64_t, std::uint32_t>> counted_;                // in the last step
  float column_ = 1.0F;
  static constexpr float labels_ = 4.8F;
};

void Counts::number(PlotVertex corner, const std::string& words, bool is_new, int ink,
                    std::string name) {
  if (is_new)
    sketch_.frame({corner.x + 0.08F, corner.y, column_ - 0.16F, plot_line_height - 0.1F}, ink,
                  0.12F);
  PlotShape& text = sketch_.text({corner.x + 0.5F * column_, corner.y}, words, plot_ink::text,
                                 PlotShape::Align::middle);
  text.name = std::move(name);
}

float Counts::draw_block(float y, const std::vector<std::uint64_t>& digits,
                         const std::vector<std::uint32_t>& tiles) {
  constexpr float bars = 1.6F;
  const float first = y;
  std::uint32_t most = 1;
  for (const std::uint64_t digit : columns_) most = std::max(most, sum(digit));
  const auto left = [&](std::size_t i) { return labels_ + column_ * static_cast<float>(i); };
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const float height = bars * static_cast<float>(sum(digits[i])) / static_cast<float>(most);
    const float dark = shade(digits[i], now_.digit_values);
    sketch_.box({left(i) + 0.15F, y + bars - height, column_ - 0.3F, height}, plot_ink::neutral);
    sketch_.box({left(i) + 0.06F, y + bars, column_ - 0.12F, plot_line_height}, plot_ink::text,
                dark);
    sketch_.text({left(i) + 0.5F * column_, y + bars}, fmt::format("{}", digits[i]), ink_on(dark),
                 PlotShape::Align::middle);
  }
  label(y + bars, "Digit");
  y += bars + plot_line_height + 0.1F;
  if (tiles_ > 1) {
    label(y, "All keys");
    for (std::size_t i = 0; i < digits.size(); ++i)
      number({left(i), y}, fmt::format("{}", sum(digits[i])), false, ink::atomic, {});
    y += plot_line_height;
  }
  for (const std::uint32_t tile : tiles) {
    label(y, tiles_ > 1 ? fmt::format("In tile {}", tile) : "Keys");
    for (std::size_t i = 0; i < digits.size(); ++i)
      number({left(i), y}, count(digits[i], tile), counted_.contains({digits[i], tile}),
             ink::atomic, fmt::format("count/{}/{}", digits[i], tile));
    y += plot_line_height;
  }
  if (now_.pass.offsets.empty()) return y - first;
  label(y, "Begin at");
  if (tiles_ > 1) y += plot_line_height;
  for (const std::uint32_t tile : tiles) {
    if (tiles_ > 1) label(y, fmt::format("of tile {}", tile));
    for (std::size_t i = 0; i < digits.size(); ++i) {
      const Brought* const known = offset(digits[i], tile);
      if (known == nullptr) continue;
      number({left(i), y}, fmt::format("{}", known->value), known->within(now_.begin, now_.end),
             ink::write, fmt::format("offset/{}/{}", digits[i], tile));
    }
    y += plot_line_height;
  }
  return y - first;
}

float Counts::draw(float y) {
  if (columns_.empty()) return 0.0F;
  const float first = y;
  const float number_width =
      std::max(Sketch::width_of(surface_, fmt::format("{}", now_.pass.keys.size())),
               Sketch::width_of(surface_, fmt::format("{}", now_.digit_values - 1)));
  column_ = number_width + 0.6F;
  const auto a_line =
      std::max<std::size_t>(static_cast<std::size_t>((sketch_.width() - labels_) / column_), 1);
  y += draw_paragraph(sketch_, surface_, {0.0F, y},
                      now_.pass.offsets.empty()
                          ? "Keys of each digit"
                          : "Keys of each digit, and their offsets in the output",
                      plot_ink::text, true);
  // All tiles where there is room, else the one that works.
  std::vector<std::uint32_t> tiles;
  constexpr std::uint32_t most_tiles = 8;
  if (tiles_ <= most_tiles && columns_.size() <= a_line) {
    for (std::uint32_t tile = 0; tile < tiles_; ++tile) tiles.push_back(tile);
  } else {
    std::uint32_t tile = std::min(now_.block, tiles_ - 1);
    for (const PassKey& key : now_.pass.keys)
      if (key.digit.within(now_.begin, now_.end) || key.to.within(now_.begin, now_.end))
        tile = std::min(key.tile, tiles_ - 1);
    tiles.push_back(tile);
  }
  const std::vector<std::uint64_t> digits(columns_.begin(), columns_.end());
  for (std::size_t i = 0; i < digits.size(); i += a_line) {
    const auto end = std::min(i + a_line, digits.size());
    y += draw_block(y,
                    {digits.begin() + static_cast<std::ptrdiff_t>(i),
                     digits.begin() + static_cast<std::ptrdiff_t>(end)},
                    tiles);
    y += 0.4F;
  }
  if (columns_.size() < now_.digit_values)
    y += draw_paragraph(sketch_, surface_, {0.0F, y}, "Digits without keys are not shown.",
                        plot_ink::dim);
  return y - first;
}

// A warp's lanes by the digits of their keys: which are equal, and each key's rank.
class RankedWarp {
 public:
  RankedWarp(Sketch& sketch, const PlotSurface& surface, const Playback& at, const Ranking& ranking,
             const Moment& now)
      : sketch_(sketch), surface_(surface), ranking_(ranking), now_(now) {
    const auto& events = at.recording().events;
    const std::size_t end = std::min({now.end, ranking.end, events.size()});
    for (std::size_t i = ranking.begin + 1; i < end && events[i].kind == EventKind::answer; ++i) {
      const std::uint32_t lane = events[i].thread - ranking.thread;
      if (lane < 64) lanes_[lane] = {events[i].other, events[i].value, {}};
    }
    bool shuffles = false;
    for (std::size_t i = ranking.begin + 1; i < end; ++i) {
      const RecordedEvent& event = events[i];
      const bool is_its = event.block == ranking.block && event.thread >= ranking.thread &&
                          event.thread - ranking.thread < at.recording().warp_size;
      if (event.kind == EventKind::shuffle && is_its) shuffles = true;
      if (event.kind != EventKind::answer || !is_its || !shuffles) continue;
      const auto found = lanes_.find(event.thread - ranking.thread);
      if (found != lanes_.end() && !found->second.base) found->second.base = event.value;
    }
  }

  float draw(float y);

 private:
  struct Ranked {
    std::uint64_t digit = 0;
    std::uint64_t peers = 0;            // a mask of lanes
    std::optional<std::uint64_t> base;  // what the digit's counter held
  };
  static unsigned before(std::uint32_t lane, const Ranked& ranked) {
    return static_cast<unsigned>(std::popcount(ranked.peers & ((std::uint64_t{1} << lane) - 1)));
  }
  float draw_lanes(float y, std::uint32_t begin, std::uint32_t end);
  float draw_peers(float y);

  Sketch& sketch_;
  const PlotSurface& surface_;
  const Ranking& ranking_;
  const Moment& now_;
  std::map<std::uint32_t, Ranked> lanes_;
  float cell_ = 1.0F;
  static constexpr float labels_ = 4.8F;
};

float RankedWarp::draw_lanes(float y, std::uint32_t begin, std::uint32_t end) {
  static constexpr const char* labels[] = {"Lane", "Digit", "Counter", "+ before", "= rank"};
  for (unsigned row = 0; row < 5; ++row)
    sketch_.text({0.0F, y + static_cast<float>(row) * plot_line_height}, labels[row],
                 plot_ink::dim);
  for (std::uint32_t lane = begin; lane < end; ++lane) {
    const auto found = lanes_.find(lane);
    if (found == lanes_.end()) continue;
    const Ranked& ranked = found->second;
    const float left = labels_ + cell_ * static_cast<float>(lane - begin);
    const std::string name = lane_name(ranking_.block, ranking_.thread + lane);
    const float dark = shade(ranked.digit % now_.digit_values, now_.digit_values);
    sketch_.box({left + 0.04F, y + plot_line_height, cell_ - 0.08F, plot_line_height},
                plot_ink::text, dark, name);
    const auto write = [&](unsigned row, std::uint64_t number, int ink) {
      sketch_
          .text({left + 0.5F * cell_, y + static_cast<float>(row) * plot_line_height},
                fmt::format("{}", number), ink, PlotShape::Align::middle)
          .name = name;
    };
    write(0, lane, plot_ink::dim);
    write(1, ranked.digit, ink_on(dark));
    if (ranked.base) write(2, *ranked.base, plot_ink::dim);
    write(3, before(lane, ranked), plot_ink::text);
    if (ranked.base) write(4, *ranked.base + before(lane, ranked), plot_ink::text);
  }
  return 5.0F * plot_line_height + 0.3F;
}

// A row of lanes for each digit that several have: the mask that match returns.
float RankedWarp::draw_peers(float y) {
  const float first = y;
  std::map<std::uint64_t, std::uint64_t> masks;  // by digit
  for (const auto& [lane, ranked] : lanes_)
    if (std::popcount(ranked.peers) > 1) masks[ranked.digit] = ranked.peers;
  if (masks.empty()) return 0.0F;
  y += draw_paragraph(sketch_, surface_, {0.0F, y}, "Peers: the mask of lanes with equal digits",
                      plot_ink::dim);
  const auto lanes = static_cast<float>(lanes_.rbegin()->first + 1);
  const float side = std::min((sketch_.width() - labels_) / lanes, cell_);
  constexpr unsigned most = 8;
  unsigned drawn = 0;
  for (const auto& [digit, mask] : masks) {
    if (drawn++ == most) {
      y += draw_paragraph(sketch_, surface_, {0.0F, y},
                          fmt::format("{} more digits", masks.size() - most), plot_ink::dim);
      break;
    }
    sketch_.text({0.0F, y}, fmt::format("Digit {}", digit), plot_ink::dim);
    for (const auto& [lane, ranked] : lanes_) {
      const bool is_peer = (mask >> lane & 1U) != 0;
      const float high = std::min(side, 1.0F) - 0.1F;
      sketch_.box({labels_ + side * static_cast<float>(lane) + 0.05F,
                   y + 0.5F * (plot_line_height - high), side - 0.1F, high},
                  is_peer ? ink::peer : plot_ink::grid, is_peer ? 1.0F : 0.6F,
                  lane_name(ranking_.block, ranking_.thread + lane));
    }
    y += plot_line_height;
  }
  return y - first;
}

float RankedWarp::draw(float y) {
  if (lanes_.empty()) return 0.0F;
  const float first = y;
  y += draw_paragraph(sketch_, surface_, {0.0F, y},
                      fmt::format("Block {}, warp from thread {}: lanes with equal digits",
                                  ranking_.block, ranking_.thread),
                      plot_ink::text, true);
  std::uint64_t largest = now_.digit_values - 1;
  for (const auto& [lane, ranked] : lanes_)
    if (ranked.base) largest = std::max(largest, *ranked.base + before(lane, ranked));
  cell_ = std::min(Sketch::width_of(surface_, fmt::format("{}", largest)) + 0.4F,
                   sketch_.width() - labels_);
  const std::uint32_t lanes = lanes_.rbegin()->first + 1;
  const auto fit = static_cast<std::uint32_t>((sketch_.width() - labels_) / cell_);
  const std::uint32_t lines = (lanes + fit - 1) / fit;
  const std::uint32_t a_line = (lanes + lines - 1) / lines;
  for (std::uint32_t begin = 0; begin < lanes; begin += a_line)
    y += draw_lanes(y, begin, std::min(begin + a_line, lanes));
  if (largest >= now_.pass.keys.size())
    y +=
        draw_paragraph(sketch_, surface_, {0.0F, y},
                       "Lanes without a key carry the largest digit and rank last.", plot_ink::dim);
  y += draw_peers(y);
  return y - first;
}

}  // namespace

float draw_counts(Sketch& sketch, const PlotSurface& surface, const Moment& now, float y) {
  return Counts(sketch, surface, now).draw(y);
}

float draw_all_counts(Sketch& sketch, const Moment& now, const RadixSort& sort, float y) {
  constexpr float labels = 4.8F, height = 1.6F;
  const float first = y;
  std::map<std::uint64_t, std::uint32_t> counts;
  std::set<std::uint64_t> counted;
  std::uint64_t passes = 0;
  std::uint32_t most = 1;
  for (const Brought& each : sort.counted_all) {
    passes = std::max(passes, each.value / now.digit_values + 1);
    if (!each.before(now.end)) continue;
    most = std::max(most, ++counts[each.value]);
    if (each.within(now.begin, now.end)) counted.insert(each.value);
  }
  const float bar = (sketch.width() - labels) / static_cast<float>(now.digit_values);
  for (std::uint64_t pass = 0; pass < passes; ++pass) {
    sketch.text({0.0F, y + 0.5F * (height - plot_line_height)}, fmt::format("Pass {}", pass + 1),
                plot_ink::dim);
    const float base = y + height;
    sketch.line({labels, base}, {sketch.width(), base}, plot_ink::grid, 0.06F);
    for (std::uint32_t digit = 0; digit < now.digit_values; ++digit) {
      const auto found = counts.find(pass * now.digit_values + digit);
      if (found == counts.end()) continue;
      const float tall =
          (height - 0.2F) * static_cast<float>(found->second) / static_cast<float>(most);
      sketch.box({labels + bar * static_cast<float>(digit), base - tall, 0.85F * bar, tall},
                 counted.contains(found->first) ? ink::atomic : plot_ink::neutral, 1.0F,
                 fmt::format("count_all/{}/{}", pass, digit));
    }
    y = base + 0.3F;
  }
  return y - first;
}

float draw_ranking(Sketch& sketch, const PlotSurface& surface, const Playback& at,
                   const Ranking& ranking, const Moment& now, float y) {
  return RankedWarp(sketch, surface, at, ranking, now).draw(y);
}

}  // namespace warpview::step_views::radix
