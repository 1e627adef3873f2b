#include "app/step_views/tile_states.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>
#include <string_view>

#include "app/common/source_files.h"
#include "app/step_views/arrays.h"
#include "app/step_views/names.h"

namespace warpview::step_views {
namespace {

struct TiledKernel {
  std::string_view name;
  TileLayout layout;
  bool has_scanner = false;
  bool is_chained = false;
};
constexpr TiledKernel tiled_kernels[] = {
    {"chained_scan_kernel", TileLayout::value, false, true},
    {"lookback_lane_scan_kernel", TileLayout::value},
    {"lookback_scan_kernel", TileLayout::value},
    {"lookback_shared_scan_kernel", TileLayout::value},
    {"ahead_scan_kernel", TileLayout::value, true},
    {"waterfall_scan_kernel", TileLayout::turn},
    {"select_kernel", TileLayout::value},
    {"ahead_select_kernel", TileLayout::value, true},
    {"partition_kernel", TileLayout::value},
    {"ahead_partition_kernel", TileLayout::value, true},
    {"reduce_runs_kernel", TileLayout::stretch},
    {"ahead_reduce_runs_kernel", TileLayout::stretch, true},
    {"measure_runs_kernel", TileLayout::stretch},
    {"ahead_measure_kernel", TileLayout::heads, true},
    {"expand_one_pass_kernel", TileLayout::value},
    {"flags_packed_kernel", TileLayout::value},
    {"flags_fence_kernel", TileLayout::split},
    {"onesweep_kernel", TileLayout::digit},
};

const TiledKernel* tiled_kernel(std::string_view name) {
  name = bare_name(name);
  const auto* const found =
      std::find_if(std::begin(tiled_kernels), std::end(tiled_kernels),
                   [name](const TiledKernel& each) { return each.name == name; });
  return found == std::end(tiled_kernels) ? nullptr : found;
}

TileFlag flag_of(std::uint64_t number) {
  return number == 1 ? TileFlag::aggregate : number == 2 ? TileFlag::prefix : TileFlag::nothing;
}

TileFlag flag_of(TileLayout layout, std::uint64_t word) {
  switch (layout) {
    case TileLayout::value:
      return flag_of(word >> 32U);
    case TileLayout::stretch:
      return (word >> 63U) != 0        ? TileFlag::prefix
             : (word >> 62U & 1U) != 0 ? TileFlag::aggregate
                                       : TileFlag::nothing;
    case TileLayout::heads:
      return flag_of(word >> 62U);
    case TileLayout::digit:
      return flag_of(word >> 30U);
    case TileLayout::split:
      return flag_of(word);
    case TileLayout::turn:
      break;
  }
  return TileFlag::nothing;
}

std::string typed_word(const std::string& type, std::uint32_t bits) {
  std::array<std::uint8_t, 4> bytes{};
  std::memcpy(bytes.data(), &bits, sizeof bits);
  RecordedArray array;
  array.type = type;
  array.element_bytes = 4;
  return value_of(array, bytes);
}

// Reads one launch.
class TileReader {
 public:
  TileReader(const Recording& recording, std::size_t begin, std::size_t end)
      : recording_(recording) {
    launch_.launch = recording.events[begin].subject;
    launch_.grid = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(recording.launches[launch_.launch].blocks(), UINT32_MAX));
    launch_.begin = begin;
    launch_.end = end;
    for (std::size_t i = begin; i < end; ++i) {
      const RecordedEvent& event = recording.events[i];
      if (!is_access(event.kind) || recording.arrays[event.subject].kind != ArrayKind::device)
        continue;
      accessed_.insert(event.subject);
      if (!is_read(event.kind)) written_.insert(event.subject);
    }
  }

  // None if the launch is of another kind, or no block has published anything.
  std::optional<TiledLaunch> read() {
    const TiledKernel* const kernel = tiled_kernel(recording_.launches[launch_.launch].kernel);
    if (kernel == nullptr) return {};
    launch_.layout = kernel->layout;
    launch_.has_scanner = kernel->has_scanner;
    launch_.is_chained = kernel->is_chained;
    if (!find_arrays()) return {};
    launch_.value_type = value_type();
    bool published = false;
    for (std::size_t i = launch_.begin; i < launch_.end; ++i) read(i);
    for (const TileBlock& block : launch_.blocks)
      for (const TileAction& action : block.actions)
        published = published || action.kind == TileAction::Kind::publish;
    if (!published) return {};
    return std::move(launch_);
  }

 private:
  // An array of device memory that the launch accesses, by its name without a number behind it.
  std::optional<std::uint32_t> find_array(std::string_view name, std::uint32_t element_bytes,
                                          std::uint32_t least) const {
    for (const std::uint32_t i : accessed_) {
      const RecordedArray& array = recording_.arrays[i];
      const std::string_view first = std::string_view(array.name).substr(0, array.name.find(' '));
      if (first == name && (element_bytes == 0 || array.element_bytes == element_bytes) &&
          elements_of(array) >= least)
        return i;
    }
    return {};
  }

  bool find_arrays() {
    if (launch_.layout == TileLayout::turn) return find_turn();
    if (launch_.layout == TileLayout::digit) return find_digits();
    if (launch_.layout != TileLayout::split) {
      if (const auto states = find_array("states", 8, 2)) {
        launch_.states = *states;
        launch_.tiles = recording_.arrays[*states].bytes / 8 - 1;
        return true;
      }
      // Values that do not fit into a word beside their flag.
      if (launch_.layout != TileLayout::value) return false;
      launch_.layout = TileLayout::split;
    }
    const auto flags = find_array("flags", 4, 2);
    if (!flags) return false;
    launch_.states = *flags;
    launch_.tiles = recording_.arrays[*flags].bytes / 4 - 1;
    const auto aggregates = find_array("aggregates", 0, launch_.tiles);
    const auto prefixes = find_array("prefixes", 0, launch_.tiles);
    if (!prefixes) return false;
    launch_.prefixes = *prefixes;
    launch_.aggregates = aggregates.value_or(*prefixes);  // a single tile publishes none
    return true;
  }

  // Two words: the turn and the ticket.
  bool find_turn() {
    const auto counters = find_array("counters", 4, 2);
    const auto sum = find_array("sum", 0, 1);
    if (!counters || !sum || launch_.grid == 0) return false;
    launch_.states = *counters;
    launch_.prefixes = *sum;
    launch_.tiles = launch_.grid;
    launch_.first_word = 0;
    launch_.stride = 0;
    launch_.ticket_word = 1;
    return true;
  }

  // Totals and DigitStates of gpu/primitives/sort/onesweep.cu. The digit is the most frequent but
  // for the highest, which keys that fill up the last tile have.
  bool find_digits() {
    const auto array = find_array("counts_and_states", 4, 1);
    std::uint32_t digits = 0;
    for (const RecordedArray& each : recording_.arrays)
      if (each.name == "to" && each.kind == ArrayKind::shared) digits = each.bytes / 4;
    if (!array || digits == 0 || digits > 4096 || launch_.grid == 0) return false;
    std::uint64_t passes = 0;
    std::uint64_t pass = 0;
    for (std::uint32_t i = 0; i < recording_.launches.size(); ++i) {
      if (!bare_name(recording_.launches[i].kernel).starts_with("onesweep_kernel")) continue;
      if (i < launch_.launch) ++pass;
      ++passes;
    }
    const std::uint64_t words = std::uint64_t{launch_.grid} * digits;
    const std::uint64_t first = passes * (digits + 2U) + 1 + pass * words;
    if (first + words > recording_.arrays[*array].bytes / 4) return false;
    launch_.states = *array;
    launch_.tiles = launch_.grid;
    launch_.stride = digits;
    launch_.ticket_word = static_cast<std::uint32_t>(passes * digits + pass);
    std::uint32_t most = 0;
    for (std::size_t i = launch_.begin; i < launch_.end; ++i) {
      const RecordedEvent& event = recording_.events[i];
      if (!is_access(event.kind) || is_read(event.kind) || event.subject != *array) continue;
      const std::uint64_t word = event.offset / 4;
      const auto count = static_cast<std::uint32_t>(event.value & ((1U << 30U) - 1));
      if (word < first || word >= first + words || count <= most) continue;
      if ((word - first) % digits == digits - 1) continue;
      most = count;
      launch_.digit = static_cast<std::uint32_t>((word - first) % digits);
    }
    launch_.first_word = static_cast<std::uint32_t>(first) + launch_.digit;
    return true;
  }

  std::string value_type() const {
    std::string type = "u32";
    for (const std::uint32_t i : written_) {
      const RecordedArray& array = recording_.arrays[i];
      if (is_state(i) || array.element_bytes != 4) continue;
      type = array.type;
      if (array.name == "sums") break;
    }
    return type;
  }

  bool is_state(std::uint32_t array) const {
    const bool has_values =
        launch_.layout == TileLayout::split || launch_.layout == TileLayout::turn;
    return array == launch_.states ||
           (has_values && (array == launch_.prefixes ||
                           (launch_.layout == TileLayout::split && array == launch_.aggregates)));
  }

  void read(std::size_t i) {
    const RecordedEvent& event = recording_.events[i];
    if (event.kind == EventKind::block_begin) {
      running_[event.block] = launch_.blocks.size();
      launch_.blocks.push_back({.block = event.block, .begin = i, .end = launch_.end});
      has_loaded_.push_back(false);
      return;
    }
    const auto found = running_.find(event.block);
    if (found == running_.end()) return;
    TileBlock& block = launch_.blocks[found->second];
    if (event.kind == EventKind::block_end) {
      block.end = i;
      running_.erase(found);
    } else if (is_collective(event.kind)) {
      add(block, {.event = i, .kind = TileAction::Kind::scan});
    } else if (is_access(event.kind) && !event.continues) {
      read_access(block, i);
    }
  }

  void read_access(TileBlock& block, std::size_t i) {
    using Kind = TileAction::Kind;
    const RecordedEvent& event = recording_.events[i];
    const bool reads = is_read(event.kind);
    if (event.subject == launch_.states) {
      read_state(block, i);
    } else if (recording_.arrays[event.subject].kind == ArrayKind::shared) {
      add(block, {.event = i, .kind = Kind::scan});
    } else if (!is_state(event.subject)) {
      add(block, {.event = i, .kind = reads ? Kind::load : Kind::write});
    }
  }

  void read_state(TileBlock& block, std::size_t i) {
    using Kind = TileAction::Kind;
    const RecordedEvent& event = recording_.events[i];
    const std::uint32_t size = recording_.arrays[launch_.states].element_bytes;
    const std::uint32_t word = event.offset / size;
    if (word == launch_.ticket_word && event.offset % size == 0 && is_atomic(event.kind)) {
      const auto tile = static_cast<std::uint32_t>(event.value - 1);
      if (tile >= launch_.tiles) return;
      block.tile = tile;
      block.actions.push_back({.event = i, .kind = Kind::ticket, .tile = tile});
      return;
    }
    if (event.bytes != size || event.offset % size != 0) return;
    const Kind kind = is_read(event.kind) ? Kind::look : Kind::publish;
    if (launch_.layout == TileLayout::turn) {
      // A block that passes the turn on to the next tile has added its own.
      const auto tile = static_cast<std::uint32_t>(event.value - (kind == Kind::publish ? 1 : 0));
      if (word == launch_.first_word && tile < launch_.tiles)
        block.actions.push_back({.event = i,
                                 .kind = kind,
                                 .tile = tile,
                                 .flag = kind == Kind::publish || block.tile == tile
                                             ? TileFlag::prefix
                                             : TileFlag::nothing});
      return;
    }
    if (word < launch_.first_word || (word - launch_.first_word) % launch_.stride != 0) return;
    const std::uint32_t tile = (word - launch_.first_word) / launch_.stride;
    if (tile < launch_.tiles)
      block.actions.push_back(
          {.event = i, .kind = kind, .tile = tile, .flag = flag_of(launch_.layout, event.value)});
  }

  // The first of a row. What a block does before it has loaded anything is about its ticket.
  void add(TileBlock& block, const TileAction& action) {
    using Kind = TileAction::Kind;
    const auto index = static_cast<std::size_t>(&block - launch_.blocks.data());
    if (action.kind == Kind::load) has_loaded_[index] = true;
    if (action.kind == Kind::scan && !has_loaded_[index]) return;
    if (block.actions.empty() || block.actions.back().kind != action.kind)
      block.actions.push_back(action);
  }

  const Recording& recording_;
  TiledLaunch launch_;
  std::set<std::uint32_t> accessed_, written_;
  std::map<std::uint32_t, std::size_t> running_;  // blocks, to their places among the launch's
  std::vector<bool> has_loaded_;                  // by that place
};

}  // namespace

Word TiledLaunch::word_of(std::uint32_t tile) const {
  return {.array = states, .element = first_word + tile * stride};
}

std::vector<TiledLaunch> tiled_launches(const Recording& recording) {
  std::vector<TiledLaunch> all;
  const auto& events = recording.events;
  for (std::size_t begin = 0; begin < events.size();) {
    std::size_t end = begin + 1;
    while (end < events.size() && events[end].kind != EventKind::launch) ++end;
    if (events[begin].kind == EventKind::launch &&
        tiled_kernel(recording.launches[events[begin].subject].kernel) != nullptr)
      if (auto launch = TileReader(recording, begin, end).read()) all.push_back(std::move(*launch));
    begin = end;
  }
  return all;
}

TileView tile_at(const TiledLaunch& launch, const Playback& at, std::uint32_t tile) {
  const RecordedArray& array = at.recording().arrays[launch.states];
  const std::uint64_t word =
      element_at(at.contents(launch.states), array.element_bytes, launch.word_of(tile).element);
  TileView view{.flag = flag_of(launch.layout, word)};
  if (view.flag == TileFlag::nothing) return view;
  switch (launch.layout) {
    case TileLayout::value:
      view.value = typed_word(launch.value_type, static_cast<std::uint32_t>(word));
      break;
    case TileLayout::stretch:
      view.value = fmt::format(
          "{}, {}", word >> 32U & ((view.flag == TileFlag::prefix ? 1U << 31U : 1U << 30U) - 1),
          typed_word(launch.value_type, static_cast<std::uint32_t>(word)));
      break;
    case TileLayout::heads: {
      constexpr std::uint64_t mask = (std::uint64_t{1} << 31U) - 1;
      view.value = fmt::format("{}, {}", word >> 31U & mask, word & mask);
      break;
    }
    case TileLayout::digit:
      view.value = fmt::format("{}", word & ((1U << 30U) - 1));
      break;
    case TileLayout::split: {
      const std::uint32_t from =
          view.flag == TileFlag::prefix ? launch.prefixes : launch.aggregates;
      const RecordedArray& values = at.recording().arrays[from];
      const auto bytes = at.contents(from);
      const std::size_t offset = std::size_t{tile} * values.element_bytes;
      if (offset + values.element_bytes <= bytes.size())
        view.value = value_of(values, bytes.subspan(offset, values.element_bytes));
      break;
    }
    case TileLayout::turn:
      break;
  }
  return view;
}

std::uint32_t turn_at(const TiledLaunch& launch, const Playback& at) {
  return number_at<std::uint32_t>(at.contents(launch.states), std::size_t{launch.first_word} * 4);
}

std::string sum_at(const TiledLaunch& launch, const Playback& at) {
  const RecordedArray& array = at.recording().arrays[launch.prefixes];
  return value_of(array, at.contents(launch.prefixes).first(array.element_bytes));
}

}  // namespace warpview::step_views
