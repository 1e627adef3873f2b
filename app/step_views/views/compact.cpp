// Compaction and expansion: the items that are kept, and the slot of the output of each.
//
// D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
// SIGGRAPH Asia 2023 course: Enqueue; the talk "Scan with decoupled look-back and Onesweep radix
// sort": allocation by scan.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/step_views/arrays.h"
#include "app/step_views/key.h"
#include "app/step_views/landings.h"
#include "app/step_views/names.h"

namespace warpview::step_views {
namespace {

// What is drawn at one step.
class CompactPicture {
 public:
  CompactPicture(const Landings& landings, const Playback& at, const StepFocus& focus,
                 const PlotSurface& surface)
      : landings_(landings),
        at_(at),
        surface_(surface),
        sketch_(surface),
        now_(at.executed()),
        is_whole_(landings.items <= 32 && landings.slots <= 128) {
    for (const Landing& each : landings.all) {
      of_item_[each.item].push_back(&each);
      if (each.event >= now_) continue;
      filled_[each.slot] = &each;
      if (each.block == focus.block || last_ == nullptr || last_->block != focus.block)
        last_ = &each;
    }
  }

  StepDrawing draw() {
    key();
    counter();
    for (const auto& items : chunks(shown_items())) chunk(items);
    if (!is_whole_) {
      strip(
          "Input", landings_.items, [this](std::uint32_t i) { return item_look(i); },
          landings_.input);
      strip(
          "Output", landings_.slots, [this](std::uint32_t i) { return slot_look(i); },
          landings_.output);
    }
    return sketch_.take(y_);
  }

 private:
  struct Look {
    int ink;
    float opacity;
    bool operator==(const Look&) const = default;
  };
  static constexpr Look unread = {plot_ink::grid, 0.45F};
  static constexpr Look dropped = {plot_ink::neutral, 0.55F};
  static constexpr Look kept = {ink::kept, 0.6F};
  static constexpr Look landed = {ink::landed, 0.6F};
  static constexpr float left = 3.8F;  // of the columns

  float width_of(std::string_view words) const { return Sketch::width_of(surface_, words); }
  bool is_read(std::uint32_t item) const { return landings_.read[item] < now_; }
  bool is_new(const Landing& each) const { return at_.last_did(each.event); }
  const std::vector<const Landing*>& landings_of_item(std::uint32_t item) const {
    static const std::vector<const Landing*> none;
    const auto found = of_item_.find(item);
    return found == of_item_.end() ? none : found->second;
  }
  Look item_look(std::uint32_t item) const {
    if (!is_read(item)) return unread;
    const auto& all = landings_of_item(item);
    if (all.empty()) return dropped;
    return std::all_of(all.begin(), all.end(),
                       [this](const Landing* each) { return each->event < now_; })
               ? landed
               : kept;
  }
  Look slot_look(std::uint32_t slot) const { return filled_.contains(slot) ? landed : unread; }

  // ---- parts, from top to bottom

  void key() {
    const auto sample = [](Look look) { return filled(look.ink, look.opacity); };
    y_ += draw_key(sketch_, surface_, {0.0F, y_},
                   {{"not read or written yet", sample(unread)},
                    {landings_.is_expansion ? "needs no slot" : "dropped", sample(dropped)},
                    {landings_.is_expansion ? "needs slots" : "kept", sample(kept)},
                    {"written", sample(landed)}}) +
          0.3F;
  }

  void counter() {
    if (landings_.counter && now_ > 0) {
      const Word word{.array = *landings_.counter};
      const RecordedArray& array = at_.recording().arrays[word.array];
      std::string value = "not written yet";
      if (at_.last_write(word))
        value = value_of(array, at_.contents(word.array).first(array.element_bytes));
      std::string words = fmt::format("{}: {}", array.name, value);
      for (const RecordedEvent& event : at_.last())
        if (is_atomic(event.kind) && event.subject == word.array && event.offset == 0)
          words = fmt::format("{}: {} (block {}, thread {} adds to it)", array.name, value,
                              event.block, event.thread);
      sketch_.text({0.0F, y_}, std::move(words)).name = word_name(word);
      y_ += plot_line_height;
    }
    sketch_.text({0.0F, y_},
                 fmt::format("Slots written: {} of {}", filled_.size(), landings_.slots));
    y_ += plot_line_height + 0.3F;
  }

  // All items of a small input; else those that the warp of this step has read and not written yet,
  // or those of the last step that wrote some.
  std::vector<std::uint32_t> shown_items() const {
    std::vector<std::uint32_t> items;
    if (is_whole_) {
      for (std::uint32_t i = 0; i < landings_.items; ++i) items.push_back(i);
      return items;
    }
    items = waiting_items();
    if (!items.empty() || last_ == nullptr) return items;
    for (const Landing* each : step_landings()) items.push_back(each->item);
    std::sort(items.begin(), items.end());
    items.erase(std::unique(items.begin(), items.end()), items.end());
    // With those between that are left out, if they fit.
    const std::uint32_t first = items.front();
    const std::uint32_t last = items.back();
    if (last - first >= 64) return items;
    items.clear();
    for (std::uint32_t i = first; i <= last; ++i) items.push_back(i);
    return items;
  }
  std::vector<std::uint32_t> waiting_items() const {
    std::vector<std::uint32_t> items;
    if (at_.last().empty()) return items;
    const RecordedEvent& now = at_.last().front();
    if (now.kind != EventKind::step && !is_access(now.kind) && !is_collective(now.kind))
      return items;
    const std::uint32_t warp = at_.recording().warp_size;
    for (std::uint32_t i = 0; i < landings_.items; ++i) {
      if (!is_read(i)) continue;
      const RecordedEvent& read = at_.recording().events[landings_.read[i]];
      if (read.block != now.block || read.thread / warp != now.thread / warp) continue;
      for (const Landing* each : landings_of_item(i))
        if (each->event < now_) return {};
      items.push_back(i);
    }
    constexpr std::size_t most = 64;
    if (items.size() > most) items.clear();
    return items;
  }
  std::vector<const Landing*> step_landings() const {
    const std::size_t step = at_.step_of(last_->event);
    std::vector<const Landing*> all;
    for (const auto& [slot, each] : filled_)
      if (at_.step_of(each->event) == step) all.push_back(each);
    return all;
  }
  // An item's landings that the picture has.
  std::vector<const Landing*> shown_landings(std::uint32_t item) const {
    std::vector<const Landing*> all;
    for (const Landing* each : landings_of_item(item))
      if (is_whole_ ||
          (each->event < now_ && at_.step_of(each->event) == at_.step_of(last_->event)))
        all.push_back(each);
    return all;
  }

  // Items side by side, as many as fit with their slots.
  std::vector<std::vector<std::uint32_t>> chunks(const std::vector<std::uint32_t>& items) const {
    const auto most = static_cast<std::size_t>((sketch_.width() - left) / 2.1F);
    std::vector<std::vector<std::uint32_t>> all;
    std::size_t slots = 0;
    for (const std::uint32_t item : items) {
      const std::size_t more = shown_landings(item).size();
      if (all.empty() || all.back().size() >= most || slots + more > most) {
        all.emplace_back();
        slots = 0;
      }
      slots += more;
      all.back().push_back(item);
    }
    return all;
  }

  float column(std::size_t i, std::size_t count) const {
    return left + each_ * (static_cast<float>(i) +
                           0.5F * static_cast<float>(columns_ - std::min(columns_, count)) + 0.5F);
  }
  void number(float x, float y, const std::string& words, int ink) {
    if (width_of(words) < each_ - 0.1F) sketch_.text({x, y}, words, ink, PlotShape::Align::middle);
  }
  void label(const char* words) { sketch_.text({0.0F, y_}, words, plot_ink::dim); }
  PlotBox cell(float x) const { return {x - 0.44F * each_, y_, 0.88F * each_, plot_line_height}; }

  void chunk(const std::vector<std::uint32_t>& items) {
    std::map<std::uint32_t, const Landing*> slots;
    for (const std::uint32_t item : items)
      for (const Landing* each : shown_landings(item)) slots[each->slot] = each;
    columns_ = std::max(items.size(), slots.size());
    each_ = std::min((sketch_.width() - left) / static_cast<float>(columns_), 3.4F);
    label("Item");
    for (std::size_t i = 0; i < items.size(); ++i)
      number(column(i, items.size()), y_, fmt::format("{}", items[i]), plot_ink::dim);
    y_ += plot_line_height;
    label(landings_.is_expansion ? "Count" : landings_.has_back ? "Front" : "Kept");
    for (std::size_t i = 0; i < items.size(); ++i) item_box(items[i], column(i, items.size()));
    y_ += plot_line_height + 0.15F;
    ranks(items);
    if (slots.empty()) {
      y_ += 0.4F;
      return;
    }
    const float from = y_ + 0.1F;
    y_ += 2.4F;
    std::map<std::uint32_t, float> places;
    for (const auto& [slot, each] : slots) places[slot] = column(places.size(), slots.size());
    for (std::size_t i = 0; i < items.size(); ++i)
      for (const Landing* each : shown_landings(items[i]))
        if (each->event < now_)
          sketch_.arrow({column(i, items.size()), from}, {places[each->slot], y_ - 0.05F},
                        is_new(*each) ? ink::landed : plot_ink::neutral,
                        is_new(*each) ? 0.14F : 0.07F, word_of(landings_.output, each->slot));
    label("Item");
    for (const auto& [slot, each] : slots) slot_box(slot, places[slot]);
    y_ += plot_line_height;
    label("Slot");
    for (const auto& [slot, each] : slots)
      number(places[slot], y_, fmt::format("{}", slot), plot_ink::dim);
    y_ += plot_line_height + 0.5F;
  }
  static std::string word_of(std::uint32_t array, std::uint32_t element) {
    return word_name({.array = array, .element = element});
  }
  void item_box(std::uint32_t item, float x) {
    const Look look = item_look(item);
    sketch_.box(cell(x), look.ink, look.opacity, word_of(landings_.input, item));
    if (!is_read(item)) return;
    const auto& all = landings_of_item(item);
    const std::uint32_t value =
        landings_.is_expansion
            ? number_at<std::uint32_t>(at_.recording().arrays[landings_.input].before,
                                       std::size_t{item} * 4)
        : all.empty() || all.front()->slot >= landings_.front ? 0U
                                                              : 1U;
    number(x, y_, fmt::format("{}", value), plot_ink::text);
  }
  void slot_box(std::uint32_t slot, float x) {
    const Look look = slot_look(slot);
    sketch_.box(cell(x), look.ink, look.opacity, word_of(landings_.output, slot));
    if (const auto found = filled_.find(slot); found != filled_.end())
      number(x, y_, fmt::format("{}", found->second->item), plot_ink::text);
  }

  // Below the items: where an expansion's slots begin, or an item's rank behind the slots that were
  // reserved together.
  void ranks(const std::vector<std::uint32_t>& items) {
    if (landings_.is_expansion && is_whole_ && landings_.keeps_order) {
      label("Begin");
      std::uint32_t begin = landings_.slots;
      for (std::uint32_t i = landings_.items; i-- > 0;) {
        for (const Landing* each : landings_of_item(i)) begin = std::min(begin, each->slot);
        const auto found = std::find(items.begin(), items.end(), i);
        if (found != items.end() && is_read(i))
          number(column(static_cast<std::size_t>(found - items.begin()), items.size()), y_,
                 fmt::format("{}", begin), plot_ink::text);
      }
      y_ += plot_line_height;
      return;
    }
    std::optional<std::uint32_t> offset;
    bool shared = true;
    for (const std::uint32_t item : items)
      for (const Landing* each : shown_landings(item)) {
        if (!each->offset || each->event >= now_) continue;
        shared = shared && (!offset || *offset == *each->offset);
        offset = each->offset;
      }
    if (!offset || landings_.is_expansion) return;
    label("Rank");
    for (std::size_t i = 0; i < items.size(); ++i)
      for (const Landing* each : shown_landings(items[i]))
        if (each->offset && each->event < now_) {
          number(column(i, items.size()), y_, fmt::format("{}", each->slot - *each->offset),
                 plot_ink::text);
          break;
        }
    y_ += plot_line_height;
    sketch_.text({0.0F, y_},
                 shared ? fmt::format("Slot = {} (offset) + rank", *offset)
                        : std::string("Slot = the counter before the addition"),
                 plot_ink::text);
    y_ += plot_line_height;
  }

  // All items or slots as small cells, in rows.
  template <class LookOf>
  void strip(const char* words, std::uint32_t count, LookOf look_of, std::uint32_t array) {
    label(words);
    y_ += plot_line_height;
    const float width = sketch_.width();
    const float size =
        std::clamp(std::sqrt(6.0F * width / static_cast<float>(std::max(count, 1U))), 0.3F, 1.2F);
    const auto row = std::max(static_cast<std::uint32_t>(width / size), 1U);
    for (std::uint32_t i = 0; i < count;) {
      const Look look = look_of(i);
      std::uint32_t end = i + 1;
      // Large inputs: equal neighbours are one shape.
      while (count > 1024 && end < count && end % row != 0 && look_of(end) == look) ++end;
      const auto x = static_cast<float>(i % row);
      const std::uint32_t down = i / row;
      sketch_.box({size * x, y_ + size * static_cast<float>(down),
                   size * static_cast<float>(end - i) - 0.12F * size, 0.88F * size},
                  look.ink, look.opacity, word_of(array, i));
      i = end;
    }
    const std::uint32_t rows = (count + row - 1) / row;
    y_ += size * static_cast<float>(rows) + 0.4F;
  }

  const Landings& landings_;
  const Playback& at_;
  const PlotSurface& surface_;
  Sketch sketch_;
  std::size_t now_;  // events that were executed
  bool is_whole_;    // the picture has all items
  float y_ = 0.0F;
  float each_ = 1.0F;  // width of a column
  std::size_t columns_ = 1;
  const Landing* last_ = nullptr;  // of the block that is looked at, if it has one
  std::map<std::uint32_t, std::vector<const Landing*>> of_item_;
  std::map<std::uint32_t, const Landing*> filled_;  // by slot
};

class Compact : public StepView {
 public:
  explicit Compact(Landings landings) : landings_(std::move(landings)) {}

  StepDrawing draw(const Playback& at, const StepFocus& focus,
                   const PlotSurface& surface) const override {
    return CompactPicture(landings_, at, focus, surface).draw();
  }
  std::string legend() const override {
    return landings_.is_expansion
               ? "Items of the input above, slots of the output below. Arrows lead from an item to "
                 "its slots; thick: written in this step."
               : "Items of the input above, slots of the output below. An arrow leads from an item "
                 "to its slot; thick: written in this step.";
  }

 private:
  Landings landings_;
};

}  // namespace

bool is_for_compact(const Recording& recording) { return landings_of(recording).has_value(); }
std::unique_ptr<StepView> make_compact(const std::shared_ptr<const Recording>& recording) {
  return std::make_unique<Compact>(landings_of(*recording).value());
}

}  // namespace warpview::step_views
