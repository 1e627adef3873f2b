#include "gpu/simt/recorded/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "gpu/runtime/recorded_device.h"
#include "gpu/simt/counting.h"
#include "gpu/simt/instrumented/calls.h"
#include "gpu/simt/recorded/memory.h"
#include "gpu/simt/recorded/places.h"
#include "gpu/simt/recording.h"
#include "gpu/simt/worker.h"

namespace warpview::simt {
namespace recording {
namespace {

constexpr unsigned widest_piece = 8;

struct Access {
  Address site = 0;
  const std::byte* address = nullptr;
  std::size_t bytes = 0;  // 0: none
  bool is_kept = false;
  RecordedEvent event{};
};

// How far apart in the code the two calls lie that announce a copy.
constexpr Address copy_reach = 64;

// One for the module.
struct Recorder {
  unsigned interleave = usual_interleave;
  Memory memory;
  bool is_on = false;
  bool inside_atomic = false;
  Access pending;  // announced, and not yet written down
  // What the destination of a pending write held; and, where it is a copy, its source.
  std::vector<std::byte> held;
  Access copied;
  Recording recording;
  const char* full = nullptr;  // why it does not hold the run
  std::size_t step_event = 0;  // the last step's, or where it would be
  Places places;
  std::unordered_map<const Worker*, std::uint32_t> block_of;
};

Recorder& recorder() {
  static Recorder instance;
  return instance;
}

bool has_room() {
  Recorder& r = recorder();
  if (r.recording.events.size() < Recording::most_events) return true;
  r.full = "more than 1 000 000 events";
  return false;
}
static_assert(Recording::most_events == 1'000'000);
constexpr const char* too_large = "more than 256 MiB of contents";

// Nothing throws within an access: the compiler takes the hook for a function that does not.
void touch(std::uint32_t object) {
  if (!recorder().memory.touch(object)) recorder().full = too_large;
}

void add(const RecordedEvent& event) {
  if (has_room()) recorder().recording.events.push_back(event);
}

bool is_limited() { return !recorder().recording.blocks.empty(); }
bool is_recorded(std::uint32_t block) { return contains(recorder().recording.blocks, block); }

// Adds what the events do not explain of bytes [begin, end), before the event at `at`, which moves:
// changes by blocks that are not recorded, or by the host in pinned memory.
void bring_in(std::uint32_t number, std::size_t begin, std::size_t end, std::size_t& at) {
  Recorder& r = recorder();
  Object& object = r.memory.objects[number];
  const std::uint8_t* const now = bytes_at(object.begin);
  const EventKind kind = is_limited() ? EventKind::others : EventKind::host;
  auto& events = r.recording.events;
  auto& patches = r.recording.patches;
  each_change(object.played.data(), now, begin, end, [&](std::size_t from, std::size_t to) {
    if (!r.memory.keep(to - from)) r.full = too_large;
    if (r.full != nullptr || !has_room()) return;
    std::copy(now + from, now + to, object.played.begin() + static_cast<std::ptrdiff_t>(from));
    if (at > 0 && events[at - 1].kind == kind) {
      RecordedPatch& last = patches[events[at - 1].subject];
      if (last.array == number && last.offset + last.bytes.size() == from) {
        last.bytes.insert(last.bytes.end(), now + from, now + to);
        return;
      }
    }
    RecordedEvent event;
    event.kind = kind;
    event.subject = static_cast<std::uint32_t>(patches.size());
    patches.push_back({number, static_cast<std::uint32_t>(from), {now + from, now + to}});
    events.insert(events.begin() + static_cast<std::ptrdiff_t>(at++), event);
  });
}

// Brings in all bytes of the object, and of all objects.
void bring_in(std::uint32_t number) {
  std::size_t at = recorder().recording.events.size();
  bring_in(number, 0, recorder().memory.objects[number].played.size(), at);
}
void bring_in_all() {
  for (const auto& [begin, number] : recorder().memory.live()) bring_in(number);
}

// Brings in what other blocks changed in the sectors of an access, before its step.
void bring_in(Spot spot, std::size_t bytes) {
  constexpr std::size_t sector = 32;
  Recorder& r = recorder();
  const std::size_t begin = spot.offset / sector * sector;
  const std::size_t end = (spot.offset + bytes + sector - 1) / sector * sector;
  if (r.interleave == 0) r.step_event = r.recording.events.size();
  bring_in(spot.object, begin, std::min(end, r.memory.objects[spot.object].bytes), r.step_event);
}

// The compiler announces both halves of `*to = *from` before it makes either, the write first. Is
// this the other half of the pending write? If that had been made and changed nothing, it would be
// no harm to take it for a copy.
bool completes_copy(Address site, std::size_t bytes, EventKind kind) {
  const Recorder& r = recorder();
  return kind == EventKind::read && r.pending.event.kind == EventKind::write &&
         r.pending.bytes == bytes && site - r.pending.site <= copy_reach &&
         std::memcmp(r.held.data(), r.pending.address, bytes) == 0;
}

void write_down(Access& access) {
  if (!access.is_kept) return;
  access.is_kept = false;
  const std::byte* from = access.address;
  RecordedEvent event = access.event;
  if (Object& object = recorder().memory.objects[event.subject]; !object.played.empty())
    std::memcpy(object.played.data() + event.offset, from, access.bytes);
  for (std::size_t left = std::exchange(access.bytes, 0); left > 0;) {
    event.bytes = static_cast<std::uint8_t>(std::min<std::size_t>(left, widest_piece));
    event.value = 0;
    std::memcpy(&event.value, from, event.bytes);
    add(event);
    event.continues = true;
    event.offset += event.bytes;
    from += event.bytes;
    left -= event.bytes;
  }
}

// Is there anything to write down? What the last access did comes first.
bool records() {
  complete_access();
  return recorder().is_on;
}
// Is what this block does recorded now?
bool records(std::uint32_t block) { return records() && is_recorded(block); }

std::uint32_t place_of_code(Address code) {
  return recorder().places.of_code(code, recorder().recording.places);
}
std::uint32_t place_of_line(const char* file, int line) {
  return recorder().places.of_line(file, line, recorder().recording.places);
}

std::uint32_t block_of(const Lane& lane) {
  const dim3 at = lane.place->index;
  const dim3 grid = lane.place->grid;
  return at.x + grid.x * (at.y + grid.y * at.z);
}

RecordedEvent event_of(EventKind kind, const Lane& lane) {
  RecordedEvent event;
  event.kind = kind;
  event.thread = static_cast<std::uint16_t>(lane.number);
  event.block = block_of(lane);
  return event;
}

void add_patch(EventKind kind, Spot spot, std::size_t bytes) {
  Recorder& r = recorder();
  Object& object = r.memory.objects[spot.object];
  const auto* const from = bytes_at(object.begin) + spot.offset;
  if (!object.played.empty()) std::memcpy(object.played.data() + spot.offset, from, bytes);
  RecordedEvent event;
  event.kind = kind;
  event.subject = static_cast<std::uint32_t>(r.recording.patches.size());
  r.recording.patches.push_back({spot.object, spot.offset, {from, from + bytes}});
  add(event);
}

EventKind kind_of(HostWork work) {
  constexpr EventKind kinds[] = {EventKind::fill, EventKind::copy, EventKind::upload,
                                 EventKind::host};
  return kinds[static_cast<unsigned>(work)];
}

// Contents of all device memory before host code runs. One at a time.
std::unordered_map<std::uint32_t, std::vector<std::uint8_t>> contents_before;

}  // namespace

void set_interleave(unsigned interleave) { recorder().interleave = interleave; }
unsigned interleave() { return recorder().interleave; }

void begin(const BlockRanges& blocks) {
  Recorder& r = recorder();
  r.memory.begin_recording(!blocks.empty());
  r.recording = {};
  r.recording.blocks = blocks;
  r.places.begin(r.recording.places);
  r.full = nullptr;
  r.step_event = 0;
  r.is_on = true;
}

void abandon() {
  Recorder& r = recorder();
  r.is_on = false;
  r.recording = {};
  r.full = nullptr;
  r.memory.begin_recording(false);
}

const char* why_full() { return recorder().full; }

void refuse_if_full() {
  if (const char* const why = why_full())
    throw Error("recording a run", fmt::format("it has {}", why), "Choose a smaller size");
}

Recording take(const std::vector<Region>& regions) {
  Recorder& r = recorder();
  complete_access();
  bring_in_all();
  refuse_if_full();
  r.is_on = false;
  Recording recording = std::exchange(r.recording, {});
  recording.interleave = r.interleave;
  name_arrays(recording, r.memory.objects, regions);
  r.memory.begin_recording(false);
  return recording;
}

void complete_access() {
  Recorder& r = recorder();
  if (r.is_on) {
    write_down(r.copied);
    write_down(r.pending);
  }
  r.copied.bytes = r.pending.bytes = 0;
}

namespace {

// The current lane is about to access memory. Returns when the schedule lets it. Does nothing where
// no lane runs, nor for memory that is neither shared nor global: stacks, parameters, constants.
void access(const void* site, const volatile void* address, std::size_t bytes, EventKind kind) {
  Recorder& r = recorder();
  if (!current_lane || r.inside_atomic) return;
  const std::optional<Spot> spot = r.memory.find(reinterpret_cast<Address>(address));
  if (!spot) return;
  const auto code = reinterpret_cast<Address>(site);
  const bool is_copy = completes_copy(code, bytes, kind);
  if (!is_copy) {
    if (r.interleave > 0)
      worker->wait_for_access(code, spot->is_global);
    else
      complete_access();
  }
  Access next{.site = code,
              .address = static_cast<const std::byte*>(const_cast<const void*>(address)),
              .bytes = bytes};
  if (r.is_on) {
    touch(spot->object);
    next.event = event_of(kind, *current_lane);
    next.is_kept = r.full == nullptr && is_recorded(next.event.block);
  }
  if (next.is_kept) {
    if (spot->is_global && is_limited()) bring_in(*spot, bytes);
    next.event.place = place_of_code(code);
    next.event.subject = spot->object;
    next.event.offset = spot->offset;
  }
  next.event.kind = kind;
  if (kind == EventKind::write) r.held.assign(next.address, next.address + bytes);
  (is_copy ? r.copied : r.pending) = next;
}

}  // namespace

// --- called by the executor

void step(unsigned first_thread, LaneMask chosen, LaneMask live, Address place) {
  Recorder& r = recorder();
  const std::uint32_t block = r.block_of[worker];
  if (!r.is_on || !is_recorded(block)) return;
  r.step_event = r.recording.events.size();
  RecordedEvent event;
  event.kind = EventKind::step;
  event.thread = static_cast<std::uint16_t>(first_thread);
  event.block = block;
  event.place = place_of_code(place);
  event.value = chosen;
  event.other = live;
  add(event);
}

void barrier(Where where, unsigned votes) {
  const std::uint32_t block = recorder().block_of[worker];
  if (!records(block)) return;
  RecordedEvent event;
  event.kind = EventKind::barrier;
  event.block = block;
  event.place = place_of_line(where.file, where.line);
  event.value = votes;
  add(event);
}

void collective(const LaneState* lanes, const Warp& warp, LaneMask mask, CollectiveCall call,
                const char* file) {
  if (!records(block_of(lanes[0]))) return;
  constexpr EventKind kinds[] = {EventKind::sync, EventKind::ballot, EventKind::match,
                                 EventKind::shuffle};
  RecordedEvent event = event_of(kinds[static_cast<unsigned>(call.what())], lanes[0]);
  event.place = place_of_line(file, call.line());
  event.value = mask;
  add(event);
  const bool is_shuffle = call.what() == Collective::shuffle;
  const std::size_t bytes = is_shuffle ? call.bytes() : widest_piece;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<unsigned>(__builtin_ctzll(rest));
    RecordedEvent answer = event_of(EventKind::answer, lanes[i]);
    answer.offset = is_shuffle ? warp.sources[i] : 0;
    const bool is_word = warp.outs[i] == nullptr;
    // Values larger than a word are passed by address.
    const auto* const brought =
        is_word ? reinterpret_cast<const std::uint8_t*>(&warp.values[i]) : bytes_at(warp.values[i]);
    const auto* const gets = is_word ? reinterpret_cast<const std::uint8_t*>(&lanes[i].fiber.result)
                                     : static_cast<const std::uint8_t*>(warp.outs[i]);
    for (std::size_t at = 0; at < bytes; at += widest_piece) {
      answer.bytes = static_cast<std::uint8_t>(std::min<std::size_t>(bytes - at, widest_piece));
      answer.value = answer.other = 0;
      std::memcpy(&answer.value, gets + at, answer.bytes);
      std::memcpy(&answer.other, brought + at, answer.bytes);
      answer.continues = at > 0;
      add(answer);
    }
  }
}

void active(const LaneState& first, LaneMask group) {
  if (!records(block_of(first))) return;
  RecordedEvent event = event_of(EventKind::active, first);
  event.thread = static_cast<std::uint16_t>(first.number - first.lane);
  event.place = place_of_line(first.where.file, first.where.line);
  event.value = group;
  add(event);
}

HostWrite::HostWrite(HostWork work, const void* to, std::size_t bytes)
    : work_(work), to_(to), bytes_(bytes) {
  Recorder& r = recorder();
  if (!records()) return;
  if (to) {
    if (const auto spot = r.memory.find_device(reinterpret_cast<Address>(to))) touch(spot->object);
    return;
  }
  contents_before.clear();
  for (const auto& [begin, number] : r.memory.live()) {
    touch(number);
    const auto* const from = bytes_at(begin);
    contents_before[number].assign(from, from + r.memory.objects[number].bytes);
  }
}

HostWrite::~HostWrite() {
  Recorder& r = recorder();
  if (!r.is_on) return;
  if (to_) {
    if (const auto spot = r.memory.find_device(reinterpret_cast<Address>(to_)))
      add_patch(kind_of(work_), *spot, bytes_);
    return;
  }
  for (const auto& [begin, number] : r.memory.live()) {
    const std::vector<std::uint8_t>& before = contents_before[number];
    each_change(
        before.data(), bytes_at(begin), 0, before.size(),
        [&, number = number](std::size_t from, std::size_t to) {
          add_patch(kind_of(work_), {number, static_cast<std::uint32_t>(from), true}, to - from);
        });
  }
}

}  // namespace recording

// --- called by the kernel

void instrumented::on_access(const void* site, const volatile void* address, std::size_t bytes,
                             EventKind kind) {
  recording::access(site, address, bytes, kind);
}

void instrumented::on_fence(const void* site) {
  if (!current_lane || !recording::records(recording::block_of(*current_lane))) return;
  RecordedEvent event = recording::event_of(EventKind::fence, *current_lane);
  event.place = recording::place_of_code(reinterpret_cast<std::uintptr_t>(site));
  recording::add(event);
}

using recording::recorder;

void note_operator() {}

OneAtomic::OneAtomic(const void* address, std::size_t bytes) {
  recording::access(__builtin_return_address(0), address, bytes, EventKind::modify);
  recorder().inside_atomic = true;
}
OneAtomic::~OneAtomic() { recorder().inside_atomic = false; }

namespace counting {

unsigned banks() { return 32; }

// Contents that were never written would differ from run to run.
void allocated(const void* memory, std::size_t bytes) {
  std::memset(const_cast<void*>(memory), RecordedArray::spoiled, bytes);
  recorder().memory.allocated(reinterpret_cast<recording::Address>(memory), bytes);
}
void pinned(const void* memory) {
  recorder().memory.pinned(reinterpret_cast<recording::Address>(memory));
}
void released(const void* memory) {
  recording::Memory& known = recorder().memory;
  const auto address = reinterpret_cast<recording::Address>(memory);
  const auto found = known.live().find(address);
  if (found == known.live().end()) return;
  if (recording::records()) recording::bring_in(found->second);
  known.released(address);
}

void begin_launch(const Options& options, const Launch& launch, unsigned /*workers*/) {
  recording::Recorder& r = recorder();
  r.inside_atomic = false;
  r.memory.begin_launch(launch.kernel);
  r.block_of.clear();
  if (!recording::records()) return;
  r.recording.seed = options.seed;
  r.recording.warp_size = options.warp_size;
  r.recording.late_publications = options.late_publications;
  r.recording.lockstep = options.lockstep;
  recording::bring_in_all();
  RecordedEvent event;
  event.kind = EventKind::launch;
  event.subject = static_cast<std::uint32_t>(r.recording.launches.size());
  r.recording.launches.push_back({.kernel = launch.kernel,
                                  .grid = {launch.grid.x, launch.grid.y, launch.grid.z},
                                  .block = {launch.block.x, launch.block.y, launch.block.z},
                                  .concurrent = launch.concurrent});
  recording::add(event);
}
void end_launch() { recording::complete_access(); }

namespace {

void add_of_block(EventKind kind, unsigned block) {
  if (!recording::records(block)) return;
  RecordedEvent event;
  event.kind = kind;
  event.block = block;
  recording::add(event);
}
void add_of_lane(EventKind kind, const Lane& lane, Where where) {
  if (!recording::records(recording::block_of(lane))) return;
  RecordedEvent event = recording::event_of(kind, lane);
  if (where.line != 0) event.place = recording::place_of_line(where.file, where.line);
  recording::add(event);
}

}  // namespace

void begin_block(unsigned number, unsigned /*lanes*/) {
  recorder().block_of[worker] = number;
  add_of_block(EventKind::block_begin, number);
}
void end_block() { add_of_block(EventKind::block_end, recorder().block_of[worker]); }
void arrives(const Lane& lane) { add_of_lane(EventKind::arrive, lane, {"", 0}); }
void barrier() {}
void collective(const Lane&, LaneMask) {}
void spins(const Lane& lane) {
  add_of_lane(EventKind::back_off, lane, static_cast<const LaneState&>(lane).where);
}
void exits(const Lane& lane) { add_of_lane(EventKind::exit, lane, {"", 0}); }

}  // namespace counting
}  // namespace warpview::simt
