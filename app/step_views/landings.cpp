#include "app/step_views/landings.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "app/step_views/arrays.h"

namespace warpview::step_views {
namespace {

// Follows the events.
class LandingReader {
 public:
  explicit LandingReader(const Recording& recording) : recording_(recording) {}

  std::optional<Landings> read() {
    const std::string& primitive = recording_.primitive;
    const bool is_enqueue = primitive == "enqueue";
    found_.is_expansion = primitive == "expand";
    if (!is_enqueue && !found_.is_expansion && primitive != "select" && primitive != "partition")
      return {};
    const auto input = find_array(recording_, "input", 4);
    const auto output = find_array(recording_, is_enqueue ? "queue" : "out", 4);
    if (!input || !output || recording_.arrays[*input].before.empty()) return {};
    found_.input = *input;
    found_.output = *output;
    const char* const counter = is_enqueue ? "counts" : found_.is_expansion ? "total" : "count";
    found_.counter = find_array(recording_, counter, 4);
    found_.keeps_order = !is_enqueue && recording_.variant != "atomic";
    found_.items = std::min(recording_.items, recording_.arrays[*input].bytes / 4);
    found_.read.assign(found_.items, recording_.events.size());
    for (std::size_t i = 0; i < recording_.events.size(); ++i) follow(i);
    if (found_.all.empty()) return {};
    if (!found_.is_expansion) match_in_order();
    std::erase_if(found_.all, [](const Landing& each) { return each.item == unknown; });
    if (found_.all.empty()) return {};
    if (!found_.is_expansion && found_.counter) found_.front = counted_;
    for (Landing& each : found_.all) {
      found_.slots = std::max(found_.slots, each.slot + 1);
      if (each.slot < found_.front) continue;
      found_.has_back = true;
      each.offset.reset();
    }
    return std::move(found_);
  }

 private:
  static constexpr std::uint32_t unknown = UINT32_MAX;
  using Lane = std::pair<std::uint32_t, std::uint32_t>;  // block, thread

  std::uint32_t item_value(std::uint32_t item) const {
    return number_at<std::uint32_t>(recording_.arrays[found_.input].before, std::size_t{item} * 4);
  }

  void follow(std::size_t i) {
    const RecordedEvent& event = recording_.events[i];
    if (event.kind == EventKind::launch) {
      reads_.clear();
      offsets_.clear();
    }
    if (!is_access(event.kind)) return;
    const RecordedArray& array = recording_.arrays[event.subject];
    if (event.subject == found_.input && is_read(event.kind)) {
      for (std::uint32_t k = event.offset / 4; 4 * k < event.offset + event.bytes; ++k) {
        if (k >= found_.items) break;
        found_.read[k] = std::min(found_.read[k], i);
        reads_[{event.block, event.thread}].push_back(k);
      }
    } else if (event.subject == found_.output && !is_read(event.kind) && event.bytes == 4) {
      land(i);
    } else if (found_.counter && event.subject == *found_.counter && event.offset == 0 &&
               !is_read(event.kind)) {
      // Lanes of a warp share what one of them reserves, but where each reserves for itself.
      if (is_atomic(event.kind)) offsets_[owner_of(event)] = counted_;
      counted_ = static_cast<std::uint32_t>(event.value);
    } else if (array.kind == ArrayKind::shared && !is_read(event.kind) &&
               (array.name == "shared_before" || array.name == "begin" ||
                array.name == "shared_begin")) {
      block_offsets_[event.block] = static_cast<std::uint32_t>(event.value);
    }
  }
  Lane owner_of(const RecordedEvent& event) const {
    const std::uint32_t each =
        recording_.variant == "atomic" ? 1 : std::max(recording_.warp_size, 1U);
    return {event.block, event.thread / each};
  }

  void land(std::size_t i) {
    const RecordedEvent& event = recording_.events[i];
    const auto value = static_cast<std::uint32_t>(event.value);
    Landing landing{.event = i,
                    .item = unknown,
                    .slot = event.offset / 4,
                    .block = event.block,
                    .thread = event.thread};
    if (found_.is_expansion)
      landing.item = value < found_.items ? value : unknown;
    else
      landing.item = found_.keeps_order ? unknown : item_of_lane(event, value);
    std::optional<std::uint32_t> offset;
    if (const auto block = block_offsets_.find(event.block); block != block_offsets_.end())
      offset = block->second;
    else if (const auto own = offsets_.find(owner_of(event)); own != offsets_.end())
      offset = own->second;
    if (offset && *offset <= landing.slot) landing.offset = offset;
    found_.all.push_back(landing);
  }

  // The lane's own item that has this value, or whose complement is enqueued as well.
  std::uint32_t item_of_lane(const RecordedEvent& event, std::uint32_t value) {
    const auto& read = reads_[{event.block, event.thread}];
    for (const std::uint32_t wanted : {value, ~value})
      for (const std::uint32_t item : read)
        if (item_value(item) == wanted && used_.insert({item, value}).second) return item;
    return unknown;
  }

  // Where slots keep the order of the items, or another lane writes an item than has read it, the
  // order tells: of equal items, the first has the first slot, from the front or from the back.
  void match_in_order() {
    std::vector<Landing*> rest;
    for (Landing& each : found_.all)
      if (each.item == unknown) rest.push_back(&each);
    std::sort(rest.begin(), rest.end(),
              [](const Landing* a, const Landing* b) { return a->slot < b->slot; });
    const auto is_front = [this](const Landing* each) { return each->slot < counted_; };
    const auto back = std::stable_partition(rest.begin(), rest.end(), is_front);
    std::reverse(back, rest.end());
    const auto match = [this](auto begin, auto end) {
      std::uint32_t item = 0;
      for (auto each = begin; each != end; ++each) {
        const auto value = static_cast<std::uint32_t>(recording_.events[(*each)->event].value);
        while (item < found_.items && item_value(item) != value) ++item;
        if (item == found_.items) return;
        (*each)->item = item++;
      }
    };
    match(rest.begin(), back);
    match(back, rest.end());
  }

  const Recording& recording_;
  Landings found_;
  std::uint32_t counted_ = 0;                               // what the counter holds
  std::map<Lane, std::vector<std::uint32_t>> reads_;        // items, by lane
  std::map<Lane, std::uint32_t> offsets_;                   // by lane or warp
  std::map<std::uint32_t, std::uint32_t> block_offsets_;    // by block
  std::set<std::pair<std::uint32_t, std::uint32_t>> used_;  // item, value
};

}  // namespace

std::optional<Landings> landings_of(const Recording& recording) {
  return LandingReader(recording).read();
}

}  // namespace warpview::step_views
