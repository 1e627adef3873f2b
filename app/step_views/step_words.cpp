#include "app/step_views/step_words.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <string_view>

namespace warpview::step_views {
namespace {

std::string lanes(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "lane" : "lanes");
}

// What lanes do, and what one lane does.
struct Verb {
  const char* many;
  const char* one;
};

Verb verb_of(EventKind kind) {
  switch (kind) {
    case EventKind::read:
      return {"read", "reads"};
    case EventKind::write:
      return {"write", "writes"};
    case EventKind::load_relaxed:
      return {"load", "loads"};
    case EventKind::load_acquire:
      return {"load, with acquire,", "loads, with acquire,"};
    case EventKind::store_relaxed:
      return {"store to", "stores to"};
    case EventKind::store_release:
      return {"store, with release, to", "stores, with release, to"};
    case EventKind::add:
      return {"add atomically to", "adds atomically to"};
    case EventKind::subtract:
      return {"subtract atomically from", "subtracts atomically from"};
    case EventKind::bit_and:
      return {"and bits atomically in", "ands bits atomically in"};
    case EventKind::bit_or:
      return {"or bits atomically in", "ors bits atomically in"};
    case EventKind::bit_xor:
      return {"xor bits atomically in", "xors bits atomically in"};
    case EventKind::exchange:
      return {"exchange a word of", "exchanges a word of"};
    case EventKind::compare_exchange:
      return {"compare and exchange a word of", "compares and exchanges a word of"};
    case EventKind::modify:
      return {"change atomically", "changes atomically"};
    case EventKind::fence:
      return {"execute a fence", "executes a fence"};
    case EventKind::arrive:
      return {"arrive at a barrier", "arrives at a barrier"};
    case EventKind::back_off:
      return {"back off", "backs off"};
    case EventKind::exit:
      return {"exit", "exits"};
    case EventKind::sync:
      return {"synchronise", "synchronises"};
    case EventKind::ballot:
      return {"vote", "votes"};
    case EventKind::match:
      return {"match values", "matches its value"};
    case EventKind::shuffle:
      return {"shuffle values", "shuffles a value"};
    default:
      return {"are active", "is active"};
  }
}

std::string host_in_words(const Recording& recording, const RecordedEvent& event) {
  const RecordedPatch& patch = recording.patches[event.subject];
  const char* const does = event.kind == EventKind::fill   ? "fills"
                           : event.kind == EventKind::copy ? "copies to"
                                                           : "writes";
  return fmt::format("The host {} {} bytes of {}", does, patch.bytes.size(),
                     recording.arrays[patch.array].name);
}

std::string launch_in_words(const RecordedLaunch& launch) {
  return fmt::format("Launch of {}: {} {} of {} threads", launch.kernel, launch.blocks(),
                     launch.blocks() == 1 ? "block" : "blocks", launch.threads());
}

// " (lookback.h:88)", or nothing.
std::string line_in_words(const RecordedPlace& place) {
  if (place.chain.empty()) return {};
  const SourceLine& line = place.chain.front();
  return fmt::format(" ({}:{})", std::filesystem::path(line.file).filename().string(), line.line);
}

// What lanes of a warp do together. The first access says what it is.
std::string lanes_in_words(const Recording& recording, std::span<const RecordedEvent> events) {
  const RecordedEvent& head = events.front();
  const RecordedEvent* shown = &head;
  if (head.kind == EventKind::step && events.size() > 1) shown = &events[1];
  std::set<std::uint16_t> threads;
  for (const RecordedEvent& event : events)
    if (event.kind == shown->kind || event.kind == EventKind::answer) threads.insert(event.thread);
  const Verb verb = verb_of(shown->kind);
  std::string words =
      fmt::format("Block {}, warp {}: {} {}", head.block, head.thread / recording.warp_size,
                  lanes(threads.size()), threads.size() == 1 ? verb.one : verb.many);
  if (is_access(shown->kind)) words += ' ' + recording.arrays[shown->subject].name;
  return words + line_in_words(recording.places[shown->place != 0 ? shown->place : head.place]);
}

}  // namespace

std::string step_in_words(const Playback& at) {
  const auto events = at.last();
  if (events.empty()) return "Before the first step";
  const Recording& recording = at.recording();
  const RecordedEvent& head = events.front();
  switch (head.kind) {
    case EventKind::launch:
      return launch_in_words(recording.launches[head.subject]);
    case EventKind::block_begin:
      return fmt::format("Block {} begins", head.block);
    case EventKind::block_end:
      return fmt::format("Block {} ends", head.block);
    case EventKind::barrier:
      return fmt::format("Block {}: all lanes have arrived at the barrier{}", head.block,
                         line_in_words(recording.places[head.place]));
    case EventKind::fill:
    case EventKind::copy:
    case EventKind::upload:
    case EventKind::host:
      return host_in_words(recording, head);
    default:
      return lanes_in_words(recording, events);
  }
}

std::string run_in_words(const Recording& recording) {
  return fmt::format("{} {}, {}, {} items, warps of {}, seed {}", recording.primitive,
                     recording.variant, recording.form, recording.items, recording.warp_size,
                     recording.seed);
}

}  // namespace warpview::step_views
