#include "app/step_views/table_probes.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "app/common/source_files.h"
#include "app/step_views/arrays.h"
#include "gpu/primitives/hash_map/hash_map.h"

namespace warpview::step_views::table {
namespace {

// Does each lane of the kernel look for keys in the table?
bool probes(std::string_view kernel) {
  kernel = bare_name(kernel);
  return kernel.find("insert") != std::string_view::npos || kernel == "claim_kernel" ||
         kernel == "lower_to_first_kernel" ||
         (kernel.starts_with("find_") && !kernel.starts_with("find_firsts"));
}

// The largest array of device memory whose name begins so.
std::optional<std::uint32_t> largest(const Recording& recording, std::string_view name) {
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = 0; i < recording.arrays.size(); ++i) {
    const RecordedArray& array = recording.arrays[i];
    if (array.kind != ArrayKind::device || !array.name.starts_with(name)) continue;
    if (!found || array.bytes > recording.arrays[*found].bytes) found = i;
  }
  return found;
}

std::optional<Layout> map_layout(const Recording& recording) {
  const auto array = largest(recording, "memory");
  if (!array) return {};
  Layout layout{.array = *array, .slot_bytes = 8, .empty = ~std::uint64_t{0}};
  const bool is_long = recording.form.find("u64") != std::string::npos;
  layout.key = is_long ? SlotKey::word : SlotKey::high_word;
  const std::uint32_t bytes = recording.arrays[*array].bytes;
  if (bytes / 16 > most_slots) return {};
  const std::uint32_t each = is_long ? 12 : 8;
  for (std::uint32_t slots = bytes / each / 4 * 4; slots >= 4 && layout.slots == 0; slots -= 4)
    if (hash_table_bytes(is_long ? 64 : 32, slots) == bytes) layout.slots = slots;
  layout.is_ordered = recording.variant.starts_with("bidirectional");
  if (layout.is_ordered) {
    layout.locks = *array;
    layout.locks_at = layout.slots * each;
    layout.lock_count = layout.slots / slots_a_lock + 1;
  }
  layout.by_lanes = recording.variant == "cooperative";
  if (layout.by_lanes || recording.variant == "buckets") layout.group = 4;
  return layout;
}

std::optional<Layout> set_layout(const Recording& recording) {
  const auto array = largest(recording, "memory");
  if (!array) return {};
  return Layout{.array = *array,
                .slots = recording.arrays[*array].bytes / 4,
                .slot_bytes = 4,
                .empty = 0,
                .group = recording.variant == "linear" ? 1U : 8U};
}

std::optional<Layout> dedup_layout(const Recording& recording) {
  const auto array = largest(recording, "table");
  if (!array) return {};
  Layout layout{.array = *array, .slot_bytes = 8, .key = SlotKey::low_word};
  if (recording.variant == "hash") {
    layout.slot_bytes = 4;
    layout.key = SlotKey::word;
  }
  layout.empty = layout.slot_bytes == 4 ? 0xffffffffU : ~std::uint64_t{0};
  layout.slots = recording.arrays[*array].bytes / layout.slot_bytes;
  layout.by_lanes = recording.variant == "cooperative";
  if (layout.by_lanes) layout.group = 4;
  layout.is_ordered = recording.variant == "bidirectional";
  if (const auto locks = largest(recording, "locks"); locks && layout.is_ordered) {
    layout.locks = *locks;
    layout.lock_count = recording.arrays[*locks].bytes / 4;
  }
  return layout;
}

// codes[slots], then begins[slots + 1] (gpu/primitives/spatial_hash/spatial_hash.h).
std::optional<Layout> cells_layout(const Recording& recording) {
  const auto array = largest(recording, "table");
  if (!array || recording.variant != "hash") return {};
  return Layout{.array = *array,
                .slots = (recording.arrays[*array].bytes - 4) / 12,
                .slot_bytes = 8,
                .empty = 0};
}

struct Lane {
  std::uint32_t launch = ~0U;
  std::uint32_t operation = 0;  // from 1; 0: its next probe begins one
  std::uint32_t number = 0;
};

class Reader {
 public:
  Reader(const Recording& recording, const Layout& layout) : recording_(recording) {
    run_.layout = layout;
    run_.operation_of.resize(recording.events.size());
  }

  Run read() {
    bool shuffles = false;
    for (std::size_t i = 0; i < recording_.events.size(); ++i) {
      const RecordedEvent& event = recording_.events[i];
      if (event.kind == EventKind::launch) {
        launch_ = event.subject;
        probes_ = probes(recording_.launches[launch_].kernel);
        lanes_.clear();
      }
      if (is_collective(event.kind)) shuffles = event.kind == EventKind::shuffle;
      if (!probes_) continue;
      if (event.kind == EventKind::answer && shuffles && run_.layout.by_lanes)
        take_turn(event);
      else if (is_access(event.kind) && event.subject == run_.layout.array)
        access(i, event);
    }
    return std::move(run_);
  }

 private:
  std::uint32_t in_grid(const RecordedEvent& event) const {
    return static_cast<std::uint32_t>(event.block * recording_.launches[launch_].threads()) +
           event.thread;
  }
  Lane& lane(const RecordedEvent& event) {
    return lanes_
        .try_emplace(std::uint64_t{event.block} << 16U | event.thread,
                     Lane{launch_, 0, in_grid(event)})
        .first->second;
  }
  // A tile of lanes goes on with the key of one of them.
  void take_turn(const RecordedEvent& event) {
    Lane& its = lane(event);
    its.operation = 0;
    its.number = in_grid(event) - event.thread % recording_.warp_size + event.offset;
  }
  void access(std::size_t i, const RecordedEvent& event) {
    const Layout& layout = run_.layout;
    const std::uint32_t slot = event.offset / layout.slot_bytes;
    if (slot >= layout.slots) return;
    Lane& its = lane(event);
    if (its.operation == 0) {
      run_.operations.push_back({.launch = launch_,
                                 .block = event.block,
                                 .thread = event.thread,
                                 .number = its.number,
                                 .probes = {}});
      its.operation = static_cast<std::uint32_t>(run_.operations.size());
    }
    Operation& operation = run_.operations[its.operation - 1];
    run_.operation_of[i] = its.operation;
    if (operation.probes.empty() || operation.probes.back().slot != slot)
      operation.probes.push_back({i, slot});
    if (is_read(event.kind) || event.bytes != layout.slot_bytes || event.value == layout.empty)
      return;
    const std::uint64_t key = key_of(layout, event.value);
    // Moved keys keep their homes.
    const bool names_itself = layout.key == SlotKey::low_word;
    run_.homes.try_emplace(key,
                           Home{operation.probes.front().slot,
                                names_itself ? static_cast<std::uint32_t>(key) : operation.number});
  }

  const Recording& recording_;
  Run run_{};
  std::uint32_t launch_ = 0;
  bool probes_ = false;
  std::unordered_map<std::uint64_t, Lane> lanes_;
};

}  // namespace

std::optional<Layout> layout_of(const Recording& recording) {
  std::optional<Layout> layout;
  if (recording.variant.starts_with("library")) return {};
  if (recording.primitive == "hash_map") layout = map_layout(recording);
  if (recording.primitive == "hash_set") layout = set_layout(recording);
  const std::string& variant = recording.variant;
  if (recording.primitive == "dedup" &&
      (variant == "hash" || variant == "cooperative" || variant == "bidirectional"))
    layout = dedup_layout(recording);
  if (recording.primitive == "spatial_hash") layout = cells_layout(recording);
  if (!layout || layout->slots == 0 || layout->slots > most_slots) return {};
  const auto fits = [&](std::uint32_t array, std::uint64_t bytes) {
    return recording.arrays[array].bytes >= bytes;
  };
  if (!fits(layout->array, std::uint64_t{layout->slots} * layout->slot_bytes)) return {};
  if (!fits(layout->locks, layout->locks_at + std::uint64_t{layout->lock_count} * 4)) return {};
  layout->element_bytes = recording.arrays[layout->array].element_bytes;
  const bool is_probed =
      std::any_of(recording.launches.begin(), recording.launches.end(),
                  [](const RecordedLaunch& launch) { return probes(launch.kernel); });
  return is_probed ? layout : std::nullopt;
}

std::optional<std::uint64_t> content_of(const Layout& layout, std::span<const std::uint8_t> bytes,
                                        std::uint32_t slot) {
  const std::size_t at = std::size_t{slot} * layout.slot_bytes;
  if (at + layout.slot_bytes > bytes.size()) return {};
  const std::uint64_t content = element_at(bytes, layout.slot_bytes, slot);
  std::uint64_t spoiled = 0;
  std::memset(&spoiled, RecordedArray::spoiled, layout.slot_bytes);
  if (content == layout.empty || content == spoiled) return {};
  return content;
}

std::uint64_t key_of(const Layout& layout, std::uint64_t content) {
  if (layout.key == SlotKey::high_word) return content >> 32U;
  return layout.key == SlotKey::low_word ? content & 0xffffffffU : content;
}

unsigned Operation::length(const Layout& layout, std::size_t end) const {
  unsigned groups = 0;
  std::optional<std::uint32_t> last;
  for (const Probe& probe : probes) {
    if (probe.event >= end) break;
    if (last != probe.slot / layout.group) ++groups;
    last = probe.slot / layout.group;
  }
  return groups;
}

std::int64_t Run::displacement(const Home& home, std::uint32_t slot) const {
  if (layout.is_ordered) return std::int64_t{slot} - home.slot;
  const std::uint32_t groups = std::max(layout.slots / layout.group, 1U);
  return (slot / layout.group + groups - home.slot / layout.group % groups) % groups;
}

Run run_of(const Recording& recording, const Layout& layout) {
  return Reader(recording, layout).read();
}

}  // namespace warpview::step_views::table
