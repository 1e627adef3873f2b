// The file: "wvrec", a byte with the version, the size of the contents and their CRC-32 as 4 bytes
// each, the lowest first, then the contents, deflated. The contents are a row of numbers and
// strings (bytes.h): what was asked, places, arrays, launches, patches, and the events by columns,
// as differences from what stood before. Columns deflate far better than whole events. The
// triangles that the input was made from, if any, come last: in files of version 2 alone.
#include "gpu/recording/file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <type_traits>
#include <utility>

#include "gpu/recording/bytes.h"
#include "gpu/runtime/error.h"

namespace warpview {
namespace {

constexpr char magic[] = {'w', 'v', 'r', 'e', 'c'};
// Version 2 ends with the mesh of its input and the blocks that it is limited to. A recording that
// has neither is of version 1.
constexpr std::uint8_t plain_version = 1, version_with_more = 2;
constexpr std::size_t head_bytes = sizeof(magic) + 1 + 4 + 4;
// The most bytes of contents, and of one array.
constexpr std::size_t most_bytes = std::size_t{768} << 20U;
constexpr std::uint32_t most_array_bytes = 256U << 20U;
constexpr std::uint32_t most_threads = 1024;

// --- Both directions: a Coder has number(value), text(value) and so on, which write or read.

class Writing {
 public:
  template <class T>
  void number(const T& value, std::uint64_t /*most*/, const char* /*what*/) {
    writer.number(static_cast<std::uint64_t>(value));
  }
  void text(const std::string& value) { writer.text(value); }
  void data(const std::vector<std::uint8_t>& value) { writer.data(value); }
  void real(float value) { writer.number(std::bit_cast<std::uint32_t>(value)); }
  template <class T, class Each>
  void list(const std::vector<T>& values, std::size_t /*most*/, const char* /*what*/, Each each) {
    writer.number(values.size());
    for (const T& value : values) each(value);
  }
  void difference(std::uint64_t value, std::uint64_t from) { writer.number(zigzag(value - from)); }

  ByteWriter writer;
};

class Reading {
 public:
  Reading(std::span<const std::uint8_t> bytes, const std::string& name) : reader(bytes, name) {}

  template <class T>
  void number(T& value, std::uint64_t most, const char* what) {
    value = static_cast<T>(reader.number(most, what));
  }
  void text(std::string& value) { value = reader.text(); }
  void data(std::vector<std::uint8_t>& value) {
    const auto bytes = reader.data();
    value.assign(bytes.begin(), bytes.end());
  }
  void real(float& value) {
    value = std::bit_cast<float>(reader.number(~std::uint32_t{0}, "a coordinate"));
    if (!std::isfinite(value)) reader.refuse("a coordinate that is not finite");
  }
  template <class T, class Each>
  void list(std::vector<T>& values, std::size_t most, const char* what, Each each) {
    const std::size_t count = reader.count(most, what);
    for (std::size_t i = 0; i < count; ++i) each(values.emplace_back());
  }
  void difference(std::uint64_t& value, std::uint64_t from) {
    value = from + unzigzag(reader.number());
  }

  ByteReader reader;
};

constexpr std::uint64_t any = ~std::uint64_t{0};
constexpr std::uint64_t any_word = ~std::uint32_t{0};
constexpr std::size_t most_things = 1U << 20U;

template <class Coder, class R>
void code_question(Coder& coder, R& r) {
  coder.text(r.primitive);
  coder.text(r.variant);
  coder.text(r.form);
  coder.text(r.distribution);
  coder.number(r.items, any_word, "a number of items");
  coder.number(r.input_seed, any, "");
  coder.number(r.seed, any, "");
  coder.number(r.interleave, any_word, "the interleaving");
  coder.number(r.warp_size, 64, "the size of a warp");
  coder.number(r.late_publications, 1, "a flag");
  coder.number(r.lockstep, 1, "a flag");
}

template <class Coder, class R>
void code_tables(Coder& coder, R& r) {
  coder.list(r.places, most_things, "the number of places", [&](auto& place) {
    coder.number(place.code, any, "");
    coder.list(place.chain, most_things, "the lines of a place", [&](auto& line) {
      coder.text(line.function);
      coder.text(line.file);
      coder.number(line.line, any_word, "a line");
    });
  });
  coder.list(r.arrays, most_things, "the number of arrays", [&](auto& array) {
    coder.text(array.name);
    coder.text(array.type);
    coder.number(array.element_bytes, most_array_bytes, "the size of an element");
    coder.number(array.bytes, most_array_bytes, "the size of an array");
    coder.number(array.kind, static_cast<unsigned>(ArrayKind::shared), "the kind of an array");
    coder.data(array.before);
    coder.number(array.check_after, any_word, "a checksum");
  });
  coder.list(r.launches, most_things, "the number of launches", [&](auto& launch) {
    coder.text(launch.kernel);
    for (auto& extent : launch.grid) coder.number(extent, 0x7fffffff, "a grid");
    for (auto& extent : launch.block) coder.number(extent, most_threads, "a block");
    coder.number(launch.concurrent, 1, "a flag");
  });
  coder.list(r.patches, most_things, "the number of patches", [&](auto& patch) {
    coder.number(patch.array, any_word, "an array");
    coder.number(patch.offset, most_array_bytes, "an offset");
    coder.data(patch.bytes);
  });
}

// Which columns does a kind of events have?
constexpr bool has_thread(EventKind kind) {
  return kind == EventKind::step || is_access(kind) || kind == EventKind::fence ||
         kind == EventKind::arrive || is_collective(kind) || kind == EventKind::answer ||
         kind == EventKind::back_off || kind == EventKind::exit;
}
constexpr bool has_place(EventKind kind) {
  return has_thread(kind)
             ? kind != EventKind::answer && kind != EventKind::arrive && kind != EventKind::exit
             : kind == EventKind::barrier;
}
constexpr bool has_block(EventKind kind) { return kind != EventKind::launch && !is_patch(kind); }
constexpr bool has_subject(EventKind kind) {
  return is_access(kind) || kind == EventKind::launch || is_patch(kind);
}
constexpr bool has_offset(EventKind kind) { return is_access(kind) || kind == EventKind::answer; }
constexpr bool has_value(EventKind kind) {
  return kind == EventKind::step || is_access(kind) || kind == EventKind::barrier ||
         is_collective(kind) || kind == EventKind::answer;
}
constexpr bool has_other(EventKind kind) {
  return kind == EventKind::step || kind == EventKind::answer;
}

// Kind, bytes and whether it goes on, in one number below 2^11.
std::uint64_t head_of(const RecordedEvent& event) {
  return static_cast<std::uint64_t>(event.kind) << 4U | static_cast<std::uint64_t>(event.bytes) |
         (event.continues ? 1U << 10U : 0);
}
bool set_head(RecordedEvent& event, std::uint64_t head) {
  const std::uint64_t kind = head >> 4U & 0x3fU;
  event.bytes = head & 0xfU;
  event.continues = head >> 10U != 0;
  if (kind >= event_kinds || head >> 11U != 0) return false;
  event.kind = static_cast<EventKind>(kind);
  const bool has_bytes = is_access(event.kind) || event.kind == EventKind::answer;
  return has_bytes ? 1 <= event.bytes && event.bytes <= 8 : event.bytes == 0;
}

// Codes a member of each event that has this column, as the difference from what `from` returns.
template <class Coder, class Events, class Has, class Member, class From>
void code_column(Coder& coder, Events& events, Has has, Member member, From from) {
  for (auto& event : events) {
    if (!has(event.kind)) continue;
    const std::uint64_t before = from(event);
    if constexpr (std::is_same_v<Coder, Writing>) {
      coder.difference(event.*member, before);
    } else {
      std::uint64_t value = 0;
      coder.difference(value, before);
      using T = std::remove_reference_t<decltype(event.*member)>;
      if (value > static_cast<T>(~T{0})) coder.reader.refuse("a number of an event");
      event.*member = static_cast<T>(value);
    }
  }
}

template <class Coder, class R>
void code_events(Coder& coder, R& r) {
  auto& events = r.events;
  coder.list(events, Recording::most_events, "the number of events", [&](auto& event) {
    if constexpr (std::is_same_v<Coder, Writing>)
      coder.writer.number(head_of(event));
    else if (!set_head(event, coder.reader.number()))
      coder.reader.refuse("an event of no known kind");
  });
  // Each column is coded by itself, so `from` sees the members of earlier columns. It is called in
  // order, and before an event's own member is known: it keeps the member of the event before.
  const RecordedEvent none;
  const auto from_last = [&](auto member) {
    return [member, last = static_cast<const RecordedEvent*>(&none)](
               const RecordedEvent& event) mutable -> std::uint64_t {
      return std::exchange(last, &event)->*member;
    };
  };
  // A step and the accesses in it have one place.
  const auto from_place = [&](auto member) {
    return [member, last = std::vector<const RecordedEvent*>()](
               const RecordedEvent& event) mutable -> std::uint64_t {
      const auto kind = static_cast<std::size_t>(event.kind);
      const std::size_t at = event.place == 0 ? kind
                                              : event_kinds + 2 * std::size_t{event.place} +
                                                    (event.kind == EventKind::step ? 1 : 0);
      if (at >= last.size()) last.resize(at + 1);
      const RecordedEvent* const before = std::exchange(last[at], &event);
      return before ? before->*member : 0;
    };
  };
  code_column(coder, events, has_block, &RecordedEvent::block, from_last(&RecordedEvent::block));
  code_column(coder, events, has_thread, &RecordedEvent::thread, from_last(&RecordedEvent::thread));
  code_column(coder, events, has_place, &RecordedEvent::place, from_last(&RecordedEvent::place));
  if constexpr (std::is_same_v<Coder, Reading>)
    for (const RecordedEvent& event : events)
      if (event.place >= r.places.size()) coder.reader.refuse("a place that it does not have");
  code_column(coder, events, has_subject, &RecordedEvent::subject,
              from_place(&RecordedEvent::subject));
  code_column(coder, events, has_offset, &RecordedEvent::offset,
              from_place(&RecordedEvent::offset));
  code_column(coder, events, has_value, &RecordedEvent::value, from_place(&RecordedEvent::value));
  code_column(coder, events, has_other, &RecordedEvent::other, from_place(&RecordedEvent::other));
}

template <class Coder, class Mesh>
void code_mesh(Coder& coder, Mesh& mesh) {
  coder.text(mesh.name);
  coder.number(mesh.whole, any_word, "the triangles of a mesh");
  for (auto& each : mesh.right) coder.real(each);
  for (auto& each : mesh.up) coder.real(each);
  coder.list(mesh.corners, 9 * std::size_t{RecordedMesh::most_triangles}, "the number of corners",
             [&](auto& each) { coder.real(each); });
}

template <class Coder, class R>
void code(Coder& coder, R& recording) {
  code_question(coder, recording);
  code_tables(coder, recording);
  code_events(coder, recording);
}

template <class Coder, class R>
void code_blocks(Coder& coder, R& r) {
  coder.list(r.blocks, most_things, "the number of blocks", [&](auto& range) {
    coder.number(range.first, 0x7ffffffe, "a block");
    coder.number(range.last, 0x7ffffffe, "a block");
  });
}

template <class Coder, class R>
void code_more(Coder& coder, R& r) {
  std::uint32_t has_mesh = r.mesh ? 1 : 0;
  coder.number(has_mesh, 1, "whether there is a mesh");
  if (has_mesh != 0) {
    if constexpr (!std::is_const_v<R>) r.mesh.emplace();
    code_mesh(coder, *r.mesh);
  }
  code_blocks(coder, r);
}

// --- What was read makes sense.

void check_tables(const Recording& r, const ByteReader& reader) {
  if (r.mesh && r.mesh->corners.size() % 9 != 0) reader.refuse("a triangle without three corners");
  if (r.warp_size != 32 && r.warp_size != 64) reader.refuse("the size of a warp");
  constexpr std::uint64_t most_shared_bytes = std::uint64_t{4} << 20U;  // of all kernels
  std::uint64_t shared_bytes = 0;
  for (const RecordedArray& array : r.arrays) {
    if (array.element_bytes == 0 || array.bytes % array.element_bytes != 0)
      reader.refuse("an array ends within an element");
    const std::size_t wanted = array.kind == ArrayKind::device ? array.bytes : 0;
    if (array.before.size() != wanted) reader.refuse("an array of another size than its contents");
    if (array.kind == ArrayKind::shared) shared_bytes += array.bytes;
  }
  if (shared_bytes > most_shared_bytes) reader.refuse("more shared memory than a block has");
  for (const RecordedPatch& patch : r.patches)
    if (patch.array >= r.arrays.size() || r.arrays[patch.array].kind != ArrayKind::device ||
        std::uint64_t{patch.offset} + patch.bytes.size() > r.arrays[patch.array].bytes)
      reader.refuse("a patch outside of its array");
  for (const RecordedLaunch& launch : r.launches)
    if (launch.threads() == 0 || launch.threads() > most_threads || launch.grid[0] == 0 ||
        launch.grid[1] == 0 || launch.grid[2] == 0 ||
        std::uint64_t{launch.grid[0]} * launch.grid[1] > 0x7fffffff || launch.blocks() > 0x7fffffff)
      reader.refuse("a launch of impossible shape");
}

void check_blocks(const Recording& r, const ByteReader& reader) {
  for (std::size_t i = 0; i < r.blocks.size(); ++i)
    if (r.blocks[i].last < r.blocks[i].first ||
        (i > 0 && r.blocks[i].first <= std::uint64_t{r.blocks[i - 1].last} + 1))
      reader.refuse("blocks out of order");
  for (const RecordedEvent& event : r.events) {
    if (event.kind == EventKind::others && r.blocks.empty())
      reader.refuse("a block that is not recorded, though all are");
    if (has_block(event.kind) && !contains(r.blocks, event.block))
      reader.refuse("an event of a block that is not recorded");
  }
}

// Blocks that run hold memory when the recording is played: each has its lanes and its copy of the
// shared arrays.
class ResidentBlocks {
 public:
  explicit ResidentBlocks(const ByteReader& reader) : reader_(reader) {}

  void launch() { running_.clear(); }
  void check(const RecordedEvent& event) {
    if (event.kind == EventKind::block_begin) {
      if (!running_.insert(event.block).second) reader_.refuse("a block that begins twice");
      if (running_.size() > Recording::most_resident)
        reader_.refuse("more resident blocks than a recording has");
    } else if (!running_.contains(event.block)) {
      reader_.refuse("an event of a block that does not run");
    }
    if (event.kind == EventKind::block_end) running_.erase(event.block);
  }

 private:
  const ByteReader& reader_;
  std::set<std::uint32_t> running_;
};

void check_events(const Recording& r, const ByteReader& reader) {
  const RecordedLaunch* launch = nullptr;
  ResidentBlocks resident(reader);
  for (const RecordedEvent& event : r.events) {
    if (event.kind == EventKind::launch) {
      if (event.subject >= r.launches.size()) reader.refuse("a launch that it does not have");
      launch = &r.launches[event.subject];
      resident.launch();
    } else if (is_patch(event.kind)) {
      if (event.subject >= r.patches.size()) reader.refuse("a patch that it does not have");
    } else {
      if (!launch || event.block >= launch->blocks() || event.thread >= launch->threads())
        reader.refuse("a block or a thread outside of its launch");
      if (is_access(event.kind) &&
          (event.subject >= r.arrays.size() ||
           std::uint64_t{event.offset} + event.bytes > r.arrays[event.subject].bytes))
        reader.refuse("an access outside of its array");
      resident.check(event);
    }
  }
}

std::uint32_t word_at(std::span<const std::uint8_t> bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word |= std::uint32_t{bytes[at + i]} << (8 * i);
  return word;
}
void add_word(std::vector<std::uint8_t>& bytes, std::size_t word) {
  for (std::size_t i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
}

// Memory grows with what comes out, not with what the head claims.
std::vector<std::uint8_t> inflated(std::span<const std::uint8_t> bytes, std::size_t size,
                                   const std::string& name) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK)
    throw Error("reading " + name, "zlib cannot be used", "Close other programs");
  std::vector<std::uint8_t> out;
  std::array<std::uint8_t, 1U << 16U> some;
  stream.next_in = const_cast<std::uint8_t*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  int state = Z_OK;
  while (state == Z_OK && out.size() <= size) {
    stream.next_out = some.data();
    stream.avail_out = static_cast<uInt>(some.size());
    state = inflate(&stream, Z_NO_FLUSH);
    out.insert(out.end(), some.data(), stream.next_out);
  }
  const bool is_whole = state == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  if (!is_whole || out.size() != size)
    throw Error("reading " + name, "the recording is cut off or damaged", "Record again");
  return out;
}

}  // namespace

std::vector<std::uint8_t> packed(const Recording& recording) {
  Writing writing;
  code(writing, recording);
  if (has_more(recording)) code_more(writing, recording);
  const std::vector<std::uint8_t>& bytes = writing.writer.bytes;
  if (bytes.size() > most_bytes)
    throw Error("writing a recording", "it has more than 768 MiB", "Choose a smaller size");
  std::vector<std::uint8_t> file(magic, magic + sizeof(magic));
  file.push_back(has_more(recording) ? version_with_more : plain_version);
  add_word(file, bytes.size());
  add_word(file, crc32(0, bytes.data(), static_cast<uInt>(bytes.size())));
  uLongf size = compressBound(bytes.size());
  file.resize(head_bytes + size);
  if (compress2(file.data() + head_bytes, &size, bytes.data(), bytes.size(), 6) != Z_OK)
    throw Error("writing a recording", "zlib cannot be used", "Close other programs");
  file.resize(head_bytes + size);
  return file;
}

Recording unpacked(std::span<const std::uint8_t> bytes, const std::string& name) {
  if (bytes.size() < head_bytes || !std::equal(magic, magic + sizeof(magic), bytes.begin()))
    throw Error("reading " + name, "it is no recording",
                "Make one: warpview lab scan --variant lookback --record scan.wvrec");
  const unsigned found = bytes[sizeof(magic)];
  if (found != plain_version && found != version_with_more)
    throw Error("reading " + name,
                fmt::format("it is of version {} of the format, and this program reads {} and {}",
                            found, plain_version, version_with_more),
                "Record again");
  const std::size_t size = word_at(bytes, sizeof(magic) + 1);
  if (size > most_bytes)
    throw Error("reading " + name, "the recording is damaged: it claims to be too large",
                "Record again");
  const auto contents = inflated(bytes.subspan(head_bytes), size, name);
  if (crc32(0, contents.data(), static_cast<uInt>(size)) != word_at(bytes, sizeof(magic) + 5))
    throw Error("reading " + name, "the recording is damaged: its checksum differs",
                "Record again");
  Recording recording = parsed(contents, name);
  if (has_more(recording) != (found == version_with_more))
    throw Error("reading " + name, "the recording is damaged: its contents are of another version",
                "Record again");
  return recording;
}

Recording parsed(std::span<const std::uint8_t> contents, const std::string& name) {
  Recording recording;
  Reading reading(contents, name);
  code(reading, recording);
  if (!reading.reader.at_end()) {
    code_more(reading, recording);
    if (!has_more(recording)) reading.reader.refuse("more follows");
  }
  if (!reading.reader.at_end()) reading.reader.refuse("more follows");
  check_tables(recording, reading.reader);
  check_events(recording, reading.reader);
  check_blocks(recording, reading.reader);
  return recording;
}

bool is_recording_file(std::string_view name) {
  constexpr std::string_view ending = ".wvrec";
  return name.size() > ending.size() && name.ends_with(ending);
}

Recording read_recording(const std::filesystem::path& file) {
  // What is no plain file may never end.
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(file, unknown))
    throw Error("reading " + file.string(), "there is no such file", "Check its name");
  if (std::filesystem::file_size(file, unknown) > head_bytes + compressBound(most_bytes))
    throw Error("reading " + file.string(), "it is too large for a recording", "Check its name");
  std::ifstream in(file, std::ios::binary);
  const std::vector<std::uint8_t> bytes((std::istreambuf_iterator<char>(in)), {});
  if (!in.good() && !in.eof())
    throw Error("reading " + file.string(), "it cannot be read", "Check its name and its rights");
  return unpacked(bytes, file.string());
}

}  // namespace warpview
