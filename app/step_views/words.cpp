#include "app/step_views/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "app/common/source_files.h"

namespace warpview::step_views {
namespace {

const char* access_verb(EventKind kind, bool one) {
  switch (kind) {
    case EventKind::read:
      return one ? "reads" : "read";
    case EventKind::load_relaxed:
      return one ? "loads (relaxed)" : "load (relaxed)";
    case EventKind::load_acquire:
      return one ? "loads (acquire)" : "load (acquire)";
    case EventKind::write:
      return one ? "writes" : "write";
    case EventKind::store_relaxed:
      return one ? "stores (relaxed) to" : "store (relaxed) to";
    case EventKind::store_release:
      return one ? "stores (release) to" : "store (release) to";
    case EventKind::add:
      return one ? "adds atomically to" : "add atomically to";
    case EventKind::subtract:
      return one ? "subtracts atomically from" : "subtract atomically from";
    case EventKind::exchange:
      return one ? "atomically exchanges" : "atomically exchange";
    case EventKind::compare_exchange:
      return one ? "compares and exchanges" : "compare and exchange";
    default:
      return one ? "atomically changes" : "atomically change";
  }
}

const char* lane_state_words(EventKind kind, bool one) {
  switch (kind) {
    case EventKind::arrive:
      return one ? "arrives at the barrier" : "arrive at the barrier";
    case EventKind::exit:
      return one ? "exits" : "exit";
    case EventKind::back_off:
      return one ? "backs off" : "back off";
    case EventKind::fence:
      return one ? "passes a fence" : "pass a fence";
    default:
      return "";
  }
}

std::string collective_phrase(const RecordedEvent& head) {
  const auto count = static_cast<std::size_t>(std::popcount(head.value));
  const auto phrase = [count](const char* one, const char* several) {
    return fmt::format("{} {}", count_of(count, "lane"), count == 1 ? one : several);
  };
  switch (head.kind) {
    case EventKind::shuffle:
      return phrase("exchanges values (shuffle)", "exchange values (shuffle)");
    case EventKind::ballot:
      return phrase("votes (ballot)", "vote (ballot)");
    case EventKind::match:
      return phrase("finds lanes with equal values (match)",
                    "find lanes with equal values (match)");
    case EventKind::active:
      return phrase("queries the active mask", "query the active mask");
    default:
      return phrase("waits for no other (sync)", "wait for each other (sync)");
  }
}

std::string patch_sentence(const Recording& recording, const RecordedEvent& event) {
  const std::string& array = recording.arrays[recording.patches[event.subject].array].name;
  switch (event.kind) {
    case EventKind::fill:
      return fmt::format("The host fills {}.", array);
    case EventKind::copy:
      return fmt::format("The host copies to {}.", array);
    case EventKind::upload:
      return fmt::format("The host uploads {}.", array);
    case EventKind::others:
      return fmt::format("Blocks that are not recorded have changed {}.", array);
    default:
      return fmt::format("The host writes {}.", array);
  }
}

std::string launch_sentence(const Recording& recording, const RecordedEvent& event) {
  const RecordedLaunch& launch = recording.launches[event.subject];
  return fmt::format("The host launches {}: {} of {}.", bare_name(launch.kernel),
                     count_of(launch.blocks(), "block"), count_of(launch.threads(), "thread"));
}

// What lanes of a warp did: their accesses, then changes of their states.
std::string lanes_phrase(const Recording& recording, std::span<const RecordedEvent> events) {
  const RecordedEvent& head = events.front();
  std::vector<std::string> parts;
  std::set<std::uint32_t> lanes;
  std::set<std::pair<EventKind, std::uint32_t>> told;  // kind, array
  for (const RecordedEvent& event : events)
    if (event.kind != EventKind::step) lanes.insert(event.thread);
  const bool one = lanes.size() == 1;
  for (const RecordedEvent& event : events) {
    const bool access = is_access(event.kind);
    if (event.kind == EventKind::step ||
        !told.emplace(event.kind, access ? event.subject : 0).second)
      continue;
    parts.push_back(access ? fmt::format("{} {}", access_verb(event.kind, one),
                                         recording.arrays[event.subject].name)
                           : std::string(lane_state_words(event.kind, one)));
  }
  std::string words = count_of(lanes.size(), "lane");
  if (one)
    words = fmt::format("lane {}", *lanes.begin() % recording.warp_size);
  else if (head.kind == EventKind::step && head.other != head.value)
    words = fmt::format("{} of {}", lanes.size(), count_of(std::popcount(head.other), "lane"));
  for (std::size_t i = 0; i < parts.size(); ++i)
    words += fmt::format("{} {}", i == 0 ? "" : ", then", parts[i]);
  return words;
}

}  // namespace

std::string short_function(std::string_view function) {
  std::string name(function);
  constexpr std::string_view nameless = "(anonymous namespace)";
  for (std::size_t at = name.find(nameless); at != std::string::npos; at = name.find(nameless))
    name.erase(at, nameless.size());
  // Its name ends at its arguments, outside of all angle brackets: types have arguments, too.
  std::size_t begin = 0, end = name.size();
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (depth != 0) continue;
    if (name[i] == '(') {
      end = i;
      break;
    }
    if (name[i] == ' ' || name[i] == ':') begin = i + 1;
  }
  std::string_view bare = std::string_view(name).substr(begin, end - begin);
  bare = bare.substr(0, bare.find('<'));
  return bare.empty() ? std::string(function) : std::string(bare);
}

std::string count_of(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string named_ranges(std::string_view what, const std::vector<std::uint32_t>& numbers,
                         std::size_t most) {
  return fmt::format("{}{} {}", what, numbers.size() == 1 ? "" : "s", ranges_of(numbers, most));
}

std::string ranges_of(const std::vector<std::uint32_t>& numbers, std::size_t most) {
  std::string words;
  for (std::size_t i = 0, ranges = 0; i < numbers.size(); ++ranges) {
    if (ranges == most) return words + ", ...";
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (i > 0) words += ", ";
    words += fmt::format("{}", numbers[i]);
    if (end - i > 1) words += fmt::format("{}{}", end - i == 2 ? ", " : " to ", numbers[end - 1]);
    i = end;
  }
  return words;
}

std::vector<std::uint32_t> lanes_of(std::uint64_t mask) {
  std::vector<std::uint32_t> lanes;
  for (; mask != 0; mask &= mask - 1)
    lanes.push_back(static_cast<std::uint32_t>(std::countr_zero(mask)));
  return lanes;
}

std::string lane_words(const Recording& recording, std::uint32_t block, std::uint32_t thread) {
  return fmt::format("{}/{}/{}", block, thread / recording.warp_size, thread % recording.warp_size);
}

std::string lane_sentence(const Recording& recording, std::uint32_t block, std::uint32_t thread) {
  return fmt::format("Block {}, warp {}, lane {}", block, thread / recording.warp_size,
                     thread % recording.warp_size);
}

std::string sentence_of(const Playback& at) {
  const auto events = at.last();
  if (events.empty()) return "The run has not started.";
  const Recording& recording = at.recording();
  const RecordedEvent& head = events.front();
  if (is_patch(head.kind)) return patch_sentence(recording, head);
  switch (head.kind) {
    case EventKind::launch:
      return launch_sentence(recording, head);
    case EventKind::block_begin:
      return fmt::format("Block {} begins.", head.block);
    case EventKind::block_end:
      return fmt::format("Block {} ends.", head.block);
    case EventKind::barrier:
      return fmt::format("Block {}: all lanes have arrived and pass the barrier.", head.block);
    default: {
      const std::string phrase =
          is_collective(head.kind) ? collective_phrase(head) : lanes_phrase(recording, events);
      // Lanes of several warps arrive at a barrier in one step.
      const bool one_warp = std::all_of(events.begin(), events.end(), [&](const auto& event) {
        return event.kind == EventKind::step ||
               event.thread / recording.warp_size == head.thread / recording.warp_size;
      });
      if (!one_warp) return fmt::format("Block {}: {}.", head.block, phrase);
      return fmt::format("Block {}, warp {}: {}.", head.block, head.thread / recording.warp_size,
                         phrase);
    }
  }
}

}  // namespace warpview::step_views
