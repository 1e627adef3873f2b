// A radix sort: the keys before and after a pass, the counts of each digit and their offsets, and
// how a warp ranks its keys.
//
// D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics", SIGGRAPH
// Asia 2023 course: Radix sort; the talk "Scan with decoupled look-back and Onesweep radix sort".
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "app/step_views/key.h"
#include "app/step_views/paragraph.h"
#include "app/step_views/radix_parts.h"

namespace warpview::step_views {
namespace radix {
namespace {

struct PhaseWords {
  const char* name;
  const char* sentence;
};
constexpr PhaseWords phase_words[sort_phases] = {
    {"Count all",
     "One read of the keys counts the digits of all passes: each lane adds 1 to the counter "
     "of each digit of its keys."},
    {"Count", "Each lane adds 1 to the counter of its key's digit."},
    {"Scan",
     "An exclusive scan turns counts into offsets, digit by digit, and tile by tile within a "
     "digit."},
    {"Rank",
     "A match finds the lanes of a warp with equal digits. A key's rank is its digit's counter "
     "plus the number of lower lanes with the same digit."},
    {"Look back",
     "The tile looks back at the counts that earlier tiles have published and adds them up."},
    {"Move", "Each key goes to its digit's offset plus its rank among equal digits."},
    {"Finish", "One block sorts one bucket, whose keys share their high digits."},
    {"Split", "Buckets larger than a tile get another pass; one block sorts each smaller one."},
};

class Radix : public StepView {
 public:
  explicit Radix(RadixSort sort) : sort_(std::move(sort)) {}

  StepDrawing draw(const Playback& at, const StepFocus& focus,
                   const PlotSurface& surface) const override;
  std::string legend() const override {
    return "Keys before and after the pass. The shade of a key is its digit in this pass, as "
           "in the table below. Arrows: keys that this step writes.";
  }

 private:
  Moment moment(const Playback& at, const StepFocus& focus) const;
  std::string title(const Moment& now) const;
  // By places in the pass' input; of buckets the digit by which keys came there.
  std::vector<std::optional<std::uint64_t>> digits_of(const SortPass& pass) const;
  float draw_phases(Sketch& sketch, const PlotSurface& surface, const Moment& now, float y) const;

  RadixSort sort_;
};

Moment Radix::moment(const Playback& at, const StepFocus& focus) const {
  const std::size_t end = at.executed();
  const RadixSort::Change* const change = end == 0 ? nullptr : sort_.change_at(end - 1);
  const bool has_begun = change != nullptr;
  return {.pass = sort_.pass_at(end == 0 ? 0 : end - 1),
          .begin = at.last_begin(),
          .end = end,
          .digit_values = sort_.digit_values,
          .block = has_begun ? change->block : focus.block,
          .phase = has_begun                   ? change->phase
                   : sort_.counted_all.empty() ? SortPhase::count
                                               : SortPhase::count_all};
}

std::string Radix::title(const Moment& now) const {
  const SortPass& pass = now.pass;
  if (now.phase == SortPhase::count_all)
    return fmt::format("Before the {} passes: the kernel counts their digits", sort_.passes.size());
  const auto number = static_cast<std::size_t>(&pass - sort_.passes.data());
  std::string words = fmt::format("Pass {} of {}", number + 1, sort_.passes.size());
  if (pass.finishes) return words + ": one block sorts each bucket";
  const auto bits = static_cast<unsigned>(std::countr_zero(sort_.digit_values));
  if (pass.shift)
    words += fmt::format(": by bits {} to {}", *pass.shift,
                         std::min(*pass.shift + bits, sort_.key_bits) - 1);
  return words + fmt::format(", digits 0 to {}", sort_.digit_values - 1);
}

std::vector<std::optional<std::uint64_t>> Radix::digits_of(const SortPass& pass) const {
  std::vector<std::optional<std::uint64_t>> digits(pass.keys.size());
  if (!pass.finishes) {
    for (std::size_t i = 0; i < digits.size(); ++i)
      if (pass.keys[i].digit.event != Brought::never) digits[i] = pass.keys[i].digit.value;
    return digits;
  }
  for (const SortPass& before : sort_.passes) {
    if (&before == &pass) break;
    if (before.finishes || before.keys.size() != digits.size()) continue;
    for (const PassKey& key : before.keys)
      if (key.to.event != Brought::never && key.digit.event != Brought::never)
        digits[key.to.value] = key.digit.value;
  }
  return digits;
}

float Radix::draw_phases(Sketch& sketch, const PlotSurface& surface, const Moment& now,
                         float y) const {
  const float first = y;
  std::set<SortPhase> phases = {now.phase};
  if (now.phase != SortPhase::count_all)
    for (const RadixSort::Change& change : sort_.changes)
      if (now.pass.begin <= change.event && change.event < now.pass.end)
        phases.insert(change.phase);
  float x = 0.0F;
  for (const SortPhase phase : phases) {
    const char* const words = phase_words[static_cast<unsigned>(phase)].name;
    const float width = Sketch::width_of(surface, words);
    if (x > 0.0F && x + width > sketch.width()) {
      x = 0.0F;
      y += plot_line_height;
    }
    const bool is_now = phase == now.phase;
    sketch.text({x, y}, words, is_now ? plot_ink::text : plot_ink::dim);
    if (is_now)
      sketch.line({x, y + plot_line_height}, {x + width, y + plot_line_height}, plot_ink::text,
                  0.12F);
    x += width;
    if (phase == *phases.rbegin()) break;
    sketch.text({x + 0.3F, y}, ">", plot_ink::dim);
    x += 1.3F;
  }
  y += plot_line_height + 0.2F;
  y += draw_paragraph(sketch, surface, {0.0F, y},
                      phase_words[static_cast<unsigned>(now.phase)].sentence, plot_ink::dim);
  return y - first;
}

StepDrawing Radix::draw(const Playback& at, const StepFocus& focus,
                        const PlotSurface& surface) const {
  Sketch sketch(surface);
  const Moment now = moment(at, focus);
  const auto digits = digits_of(now.pass);
  float y = draw_paragraph(sketch, surface, {0.0F, 0.0F}, title(now), plot_ink::text, true);
  y += draw_phases(sketch, surface, now, y) + 0.3F;
  y += draw_key(sketch, surface, {0.0F, y},
                {{"read in this step", framed(ink::read)},
                 {"counted in this step", framed(ink::atomic)},
                 {"written in this step", framed(ink::write)}});
  y += 0.3F;
  KeyRows rows(sketch, surface, now, digits);
  sketch.text({0.0F, y}, now.phase == SortPhase::count_all ? "Keys" : "Keys before the pass",
              plot_ink::dim);
  y += plot_line_height;
  y += rows.draw_input(y);
  if (now.phase != SortPhase::count_all) {
    constexpr float for_arrows = 4.0F;
    const float bottom = y;
    y += for_arrows;
    y += rows.draw_output(y, bottom);
    sketch.text({0.0F, y}, "Keys after the pass", plot_ink::dim);
    y += plot_line_height;
  }
  if (rows.shown() < now.pass.keys.size())
    y += draw_paragraph(sketch, surface, {0.0F, y},
                        fmt::format("The first {} of {} keys.", rows.shown(), now.pass.keys.size()),
                        plot_ink::dim);
  y += 0.4F;
  if (now.phase == SortPhase::count_all)
    y += draw_all_counts(sketch, now, sort_, y);
  else if (!now.pass.finishes)
    y += draw_counts(sketch, surface, now, y);
  if (now.end > 0 && (now.phase == SortPhase::rank || now.pass.finishes))
    if (const Ranking* const ranking = sort_.ranking_at(now.end - 1, now.block))
      y += draw_ranking(sketch, surface, at, *ranking, now, y + 0.4F) + 0.4F;
  return sketch.take(y);
}

}  // namespace
}  // namespace radix

bool is_for_radix(const Recording& recording) {
  return radix::radix_sort_of(recording).has_value();
}

std::unique_ptr<StepView> make_radix(const std::shared_ptr<const Recording>& recording) {
  return std::make_unique<radix::Radix>(*radix::radix_sort_of(*recording));
}

}  // namespace warpview::step_views
