#include "app/step_views/collective_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "app/step_views/names.h"
#include "app/step_views/paragraph.h"
#include "app/step_views/words.h"

namespace warpview::step_views {
namespace {

struct LaneAnswer {
  std::uint32_t lane = 0, from = 0;
  std::uint64_t brought = 0, got = 0;
  std::string name;
  bool is_wide = false;  // more than 8 bytes: only the first are shown
};

std::string brought_words(std::uint64_t value) {
  constexpr std::uint64_t most = 0xffffffff;
  return value <= most ? fmt::format("{}", value) : fmt::format("{:#x}", value);
}

std::vector<LaneAnswer> lane_answers(const Playback& at) {
  std::vector<LaneAnswer> answers;
  const std::uint32_t warp = at.recording().warp_size;
  for (const RecordedEvent& event : at.last()) {
    if (event.kind != EventKind::answer) continue;
    if (event.continues) {
      if (!answers.empty()) answers.back().is_wide = true;
      continue;
    }
    answers.push_back({.lane = event.thread % warp,
                       .from = event.offset,
                       .brought = event.other,
                       .got = event.value,
                       .name = lane_name(event.block, event.thread)});
  }
  return answers;
}

// One picture of one collective.
class CollectivePicture {
 public:
  CollectivePicture(Sketch& sketch, const PlotSurface& surface, float y, float left, float side,
                    const Playback& at)
      : sketch_(sketch),
        surface_(surface),
        y_(y),
        left_(left),
        side_(side),
        warp_(at.recording().warp_size),
        answers_(lane_answers(at)) {}

  float draw(EventKind kind) {
    if (answers_.empty()) return y_;
    switch (kind) {
      case EventKind::shuffle:
        draw_shuffle();
        break;
      case EventKind::ballot:
        draw_ballot();
        break;
      case EventKind::match:
        draw_match();
        break;
      default:
        break;
    }
    return y_;
  }

 private:
  float middle(std::uint32_t lane) const {
    return left_ + side_ * (static_cast<float>(lane) + 0.45F);
  }
  bool fits(const std::string& words) const {
    constexpr float gap = 0.25F;  // between neighbours, in ems
    return Sketch::bold_is_wider * Sketch::width_of(surface_, words) + gap <= side_;
  }
  template <class Words>
  bool all_fit(Words words) const {
    return std::all_of(answers_.begin(), answers_.end(), [&](const LaneAnswer& answer) {
      return !answer.is_wide && fits(words(answer));
    });
  }
  void say(const std::string& words, int ink = plot_ink::text) {
    y_ += draw_paragraph(sketch_, surface_, {0.0F, y_}, words, ink);
  }
  // Texts, a lane each, where its column is.
  template <class Words>
  void row(const char* label, Words words, bool bold) {
    sketch_.text({0.0F, y_}, label, plot_ink::dim);
    for (const LaneAnswer& answer : answers_)
      sketch_
          .text({middle(answer.lane), y_}, words(answer), plot_ink::text, PlotShape::Align::middle,
                bold)
          .name = answer.name;
    y_ += plot_line_height;
  }

  void draw_shuffle() {
    const auto brought = [](const LaneAnswer& answer) { return brought_words(answer.brought); };
    const auto got = [](const LaneAnswer& answer) { return brought_words(answer.got); };
    const bool with_values = all_fit(brought) && all_fit(got);
    if (with_values)
      row("brings", brought, false);
    else
      sketch_.text({0.0F, y_ + 0.8F}, "source", plot_ink::dim);
    constexpr float height = 2.4F;
    for (const LaneAnswer& answer : answers_) {
      if (answer.from >= warp_) continue;
      const PlotVertex to{middle(answer.lane), y_ + height};
      if (answer.from == answer.lane) {
        sketch_.line({to.x, y_}, to, plot_ink::dim, 0.06F).name = answer.name;
        continue;
      }
      sketch_.arrow({middle(answer.from), y_}, to, ink::collective, 0.06F, answer.name);
    }
    y_ += height + 0.1F;
    if (with_values)
      row("gets", got, true);
    else
      list_values();
  }

  // A row of texts a lane, in columns; where all lanes get the same, one sentence.
  void list_values() {
    const bool same =
        std::all_of(answers_.begin(), answers_.end(), [this](const LaneAnswer& answer) {
          return answer.got == answers_.front().got && answer.from == answers_.front().from;
        });
    if (same && answers_.size() > 1)
      return say(fmt::format("All lanes get {} from lane {}.", brought_words(answers_.front().got),
                             answers_.front().from));
    constexpr float gap = 0.5F;
    const float number = Sketch::width_of(surface_, "lane") + gap;
    float value = Sketch::width_of(surface_, "brings");
    for (const LaneAnswer& answer : answers_)
      value = std::max({value, Sketch::width_of(surface_, words_of(answer.brought, answer)),
                        Sketch::width_of(surface_, words_of(answer.got, answer))});
    value += gap;
    const float widest = number + 2.0F * value + gap;
    const auto columns =
        std::clamp<std::size_t>(static_cast<std::size_t>((sketch_.width() + gap) / widest), 1, 4);
    const std::size_t rows = (answers_.size() + columns - 1) / columns;
    for (std::size_t i = 0; i < answers_.size(); ++i) {
      const std::size_t column = i / rows;
      const float x = widest * static_cast<float>(column);
      const float y = y_ + plot_line_height * static_cast<float>(i % rows + 1);
      const LaneAnswer& answer = answers_[i];
      if (i % rows == 0) {
        sketch_.text({x, y_}, "lane", plot_ink::dim);
        sketch_.text({x + number, y_}, "brings", plot_ink::dim);
        sketch_.text({x + number + value, y_}, "gets", plot_ink::dim);
      }
      sketch_.text({x, y}, fmt::format("{}", answer.lane), plot_ink::dim).name = answer.name;
      sketch_.text({x + number, y}, words_of(answer.brought, answer)).name = answer.name;
      sketch_.text({x + number + value, y}, words_of(answer.got, answer)).name = answer.name;
    }
    y_ += plot_line_height * static_cast<float>(rows + 1);
  }
  static std::string words_of(std::uint64_t value, const LaneAnswer& answer) {
    return brought_words(value) + (answer.is_wide ? "..." : "");
  }

  void draw_ballot() {
    row(
        "votes", [](const LaneAnswer& answer) { return answer.brought != 0 ? "1" : "0"; }, false);
    const std::vector<std::uint32_t> yes = lanes_of(answers_.front().got);
    say(yes.empty()
            ? "All lanes get an empty mask: no lane votes 1."
            : fmt::format("All lanes get the mask {:#x}: {} vote{} 1.", answers_.front().got,
                          named_ranges("lane", yes, 16), yes.size() == 1 ? "s" : ""));
  }

  // Lanes with equal values share a letter.
  void draw_match() {
    std::map<std::uint64_t, const LaneAnswer*> groups;  // by mask
    for (const LaneAnswer& answer : answers_) groups.emplace(answer.got, &answer);
    std::vector<const LaneAnswer*> by_lane;
    by_lane.reserve(groups.size());
    for (const auto& [mask, first] : groups) by_lane.push_back(first);
    std::sort(by_lane.begin(), by_lane.end(),
              [](const LaneAnswer* a, const LaneAnswer* b) { return a->lane < b->lane; });
    std::map<std::uint64_t, std::string> letters;
    for (std::size_t i = 0; i < by_lane.size(); ++i)
      letters[by_lane[i]->got] =
          i < 26 ? std::string(1, static_cast<char>('A' + i)) : fmt::format("{}", i + 1);
    row(
        "equal", [&](const LaneAnswer& answer) { return letters[answer.got]; }, true);
    constexpr std::size_t most = 8;
    for (std::size_t i = 0; i < std::min(by_lane.size(), most); ++i) {
      say(fmt::format("{}: {} brought {}.", letters[by_lane[i]->got],
                      named_ranges("lane", lanes_of(by_lane[i]->got), 12),
                      brought_words(by_lane[i]->brought)));
    }
    if (by_lane.size() > most) say(fmt::format("{} more.", by_lane.size() - most), plot_ink::dim);
  }

  Sketch& sketch_;
  const PlotSurface& surface_;
  float y_, left_, side_;
  std::uint32_t warp_;
  std::vector<LaneAnswer> answers_;
};

}  // namespace

float draw_collective(Sketch& sketch, const PlotSurface& surface, float y, float left, float side,
                      const Playback& at) {
  if (at.last().empty() || !is_collective(at.last().front().kind)) return y;
  return CollectivePicture(sketch, surface, y, left, side, at).draw(at.last().front().kind);
}

}  // namespace warpview::step_views
