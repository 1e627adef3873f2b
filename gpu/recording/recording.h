// A recording: what the CPU device did in one run of a variant, whole and in the order of
// execution. The recorded build of the device makes it (gpu/runtime/recorded_device.h),
// gpu/recording/file.h keeps it in a file, gpu/recording/replay.h executes it again.
// docs/recordings.md describes it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpview {

enum class EventKind : std::uint8_t {
  // A launch: `subject` is its index. Its blocks follow, side by side.
  launch,
  block_begin,
  block_end,
  // Lanes of a warp are scheduled together for one access each, which follow in order. (The copy of
  // a structure is a read and a write.) `value` is their mask; `other` the mask of the warp's lanes
  // that have not exited, so the warp has diverged where the two differ. `thread` is the first of
  // the warp.
  step,
  // A lane's access to `bytes` bytes of array `subject` at byte `offset`; `value` is what is there
  // afterwards.
  read,
  write,
  load_relaxed,
  load_acquire,
  store_relaxed,
  store_release,
  // Read-modify-writes. `modify`: any other, such as a minimum or a sum of floats.
  add,
  subtract,
  bit_and,
  bit_or,
  bit_xor,
  exchange,
  compare_exchange,
  modify,
  fence,
  // A lane arrives at a barrier; all live lanes of its block have, `value` of them with true.
  arrive,
  barrier,
  // A collective of a warp, completed. `value` is its mask, `thread` the warp's first; one `answer`
  // for each lane of the mask follows.
  sync,
  ballot,
  match,
  shuffle,
  active,
  // What a lane gets (`value`) and what it brought (`other`); `offset` is a shuffle's source lane.
  answer,
  back_off,
  exit,
  // The host has written: patch `subject`.
  fill,
  copy,
  upload,
  host,
  // Blocks that are not recorded have changed device memory: patch `subject`. It comes before the
  // first recorded access to these bytes that follows, and before each launch and the end of the
  // run.
  others,
};
inline constexpr unsigned event_kinds = static_cast<unsigned>(EventKind::others) + 1;
const char* to_string(EventKind kind);

constexpr bool is_atomic(EventKind kind) {
  return EventKind::add <= kind && kind <= EventKind::modify;
}
constexpr bool is_access(EventKind kind) {
  return EventKind::read <= kind && kind <= EventKind::modify;
}
constexpr bool is_read(EventKind kind) {
  return kind == EventKind::read || kind == EventKind::load_relaxed ||
         kind == EventKind::load_acquire;
}
constexpr bool is_collective(EventKind kind) {
  return EventKind::sync <= kind && kind <= EventKind::active;
}
constexpr bool is_host_write(EventKind kind) {
  return EventKind::fill <= kind && kind <= EventKind::host;
}
// Does the event put a patch into memory?
constexpr bool is_patch(EventKind kind) { return kind >= EventKind::fill; }

struct RecordedEvent {
  EventKind kind = EventKind::launch;
  std::uint8_t bytes = 0;  // of an access or an answer: 1 to 8
  // Goes on with the event before it, which reaches 8 bytes less far.
  bool continues = false;
  std::uint16_t thread = 0;   // in its block
  std::uint32_t block = 0;    // in its grid
  std::uint32_t place = 0;    // index into `places`; 0: none
  std::uint32_t subject = 0;  // index into `arrays`, `launches` or `patches`
  std::uint32_t offset = 0;
  std::uint64_t value = 0;
  std::uint64_t other = 0;
  bool operator==(const RecordedEvent&) const = default;
};

// A line of the sources and the function that it is in.
struct SourceLine {
  std::string function;
  std::string file;
  std::uint32_t line = 0;
  bool operator==(const SourceLine&) const = default;
};

// A place in the kernels' code.
struct RecordedPlace {
  std::uint64_t code = 0;         // its offset in the module; 0: known by its line alone
  std::vector<SourceLine> chain;  // innermost first: the line, and the calls that were inlined
  bool operator==(const RecordedPlace&) const = default;
};

enum class ArrayKind : std::uint8_t {
  device,  // global memory
  shared,  // shared memory: each block that runs has one
};

struct RecordedArray {
  std::string name;  // "tiles"
  std::string type;  // "u32"
  std::uint32_t element_bytes = 1;
  std::uint32_t bytes = 0;  // a whole number of elements
  ArrayKind kind = ArrayKind::device;
  // Contents of a device array, all of them. Empty for a shared one: its bytes are `spoiled`.
  std::vector<std::uint8_t> before;
  std::uint32_t check_after = 0;  // CRC-32 of the contents afterwards; not of a shared array
  static constexpr std::uint8_t spoiled = 0xcd;
  bool operator==(const RecordedArray&) const = default;
};

struct RecordedLaunch {
  std::string kernel;
  std::uint32_t grid[3] = {1, 1, 1};
  std::uint32_t block[3] = {1, 1, 1};  // at most 1024 threads
  bool concurrent = false;             // all blocks are resident from the start
  bool operator==(const RecordedLaunch&) const = default;

  std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
  std::uint64_t threads() const { return std::uint64_t{block[0]} * block[1] * block[2]; }
};

// Bytes that the host wrote, or blocks that are not recorded.
struct RecordedPatch {
  std::uint32_t array = 0;
  std::uint32_t offset = 0;
  std::vector<std::uint8_t> bytes;
  bool operator==(const RecordedPatch&) const = default;
};

// Blocks of each launch, by their numbers in the grid.
struct BlockRange {
  std::uint32_t first = 0, last = 0;
  bool operator==(const BlockRange&) const = default;
};
using BlockRanges = std::vector<BlockRange>;  // ascending, with a gap between them; empty: all

// The blocks that words such as "0,3-5" name; none: all. ChoiceError if they are no such list.
BlockRanges parse_blocks(std::string_view words);
std::string in_words(const BlockRanges& blocks);  // "0,3-5"
inline bool contains(const BlockRanges& blocks, std::uint32_t block) {
  return blocks.empty() || std::any_of(blocks.begin(), blocks.end(), [block](BlockRange range) {
           return range.first <= block && block <= range.last;
         });
}

// The triangles that the input was made from, in its order, for views that draw the run over them.
struct RecordedMesh {
  std::string name;
  std::uint32_t whole = 0;       // triangles of the mesh that these are the first of
  std::vector<float> corners;    // x, y, z of three corners for each triangle; finite
  std::array<float, 3> right{};  // the axes of the picture; finite
  std::array<float, 3> up{};
  bool operator==(const RecordedMesh&) const = default;

  static constexpr std::uint32_t most_triangles = 4096;
  std::uint32_t triangles() const { return static_cast<std::uint32_t>(corners.size() / 9); }
};

struct Recording {
  static constexpr std::size_t most_events = 1000000;
  static constexpr std::size_t most_resident = 16;  // blocks that run at a time

  std::string primitive, variant, form, distribution;
  std::uint32_t items = 0;
  std::uint64_t input_seed = 0;
  std::uint64_t seed = 0;
  std::uint32_t interleave = 0;
  std::uint32_t warp_size = 32;
  bool late_publications = false;
  bool lockstep = false;
  BlockRanges blocks;  // the recorded ones: events of other blocks are left out

  std::vector<RecordedPlace> places;  // the first is no place
  std::vector<RecordedArray> arrays;
  std::vector<RecordedLaunch> launches;
  std::vector<RecordedPatch> patches;
  std::vector<RecordedEvent> events;
  std::optional<RecordedMesh> mesh{};  // none: the input was not made from one
  bool operator==(const Recording&) const = default;

  // The lines of a place, innermost first; none of a place that the recording does not have.
  const std::vector<SourceLine>& chain(std::uint32_t place) const {
    static const std::vector<SourceLine> none;
    return place < places.size() ? places[place].chain : none;
  }
};

// Does it have what version 1 of the file has no room for?
inline bool has_more(const Recording& recording) {
  return recording.mesh || !recording.blocks.empty();
}

}  // namespace warpview
