// Which array an address belongs to, and what it is called.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <utility>

#include "gpu/simt/recorded/memory.h"

namespace warpview::simt::recording {
namespace {

// A part of an object that becomes an array.
struct Part {
  std::size_t begin = 0, end = 0;
  const Region* region = nullptr;
  std::uint32_t narrowest = 0;  // access, in bytes; 0: none
  bool is_written = false;
  std::uint32_t array = 0;

  bool is_used() const { return narrowest != 0 || is_written; }
};
using Parts = std::vector<Part>;

// The regions of an allocation and what lies between them, in order.
Parts parts_of(const Object& object, const std::vector<Region>& regions) {
  Parts parts;
  if (object.kind == ArrayKind::device && !object.is_released) {
    for (const Region& region : regions) {
      const auto address = reinterpret_cast<Address>(region.data);
      if (region.on_host || region.bytes == 0 || address < object.begin ||
          address + region.bytes > object.begin + object.bytes)
        continue;
      const Part part{address - object.begin, address - object.begin + region.bytes, &region};
      const bool overlaps = std::any_of(parts.begin(), parts.end(), [&](const Part& other) {
        return part.begin < other.end && other.begin < part.end;
      });
      if (!overlaps) parts.push_back(part);
    }
    std::sort(parts.begin(), parts.end(),
              [](const Part& a, const Part& b) { return a.begin < b.begin; });
  }
  Parts all;
  std::size_t at = 0;
  for (const Part& part : parts) {
    if (at < part.begin) all.push_back({at, part.begin});
    all.push_back(part);
    at = part.end;
  }
  if (at < object.bytes) all.push_back({at, object.bytes});
  return all;
}

Part& part_at(Parts& parts, std::size_t offset) {
  auto after = std::upper_bound(parts.begin(), parts.end(), offset,
                                [](std::size_t o, const Part& part) { return o < part.begin; });
  return *--after;
}

// Where an access lies in two parts their boundary means nothing: the first becomes the object.
void look_at_events(const Recording& recording, std::vector<Parts>& all,
                    const std::vector<Object>& objects) {
  for (const RecordedEvent& event : recording.events) {
    if (!is_access(event.kind)) continue;
    Parts& parts = all[event.subject];
    Part* part = &part_at(parts, event.offset);
    if (event.offset + event.bytes > part->end) {
      Part whole = *part;
      whole.begin = 0;
      whole.end = objects[event.subject].bytes;
      parts = {whole};
      part = &parts.front();
    }
    // Wide accesses are vectors, of words most often.
    const std::uint32_t width = event.continues ? 4 : event.bytes;
    if (part->narrowest == 0 || width < part->narrowest) part->narrowest = width;
    part->is_written = part->is_written || !is_read(event.kind);
  }
  for (const RecordedPatch& patch : recording.patches) {
    Parts& parts = all[patch.array];
    for (Part& part : parts)
      if (patch.offset < part.end && part.begin < patch.offset + patch.bytes.size())
        part.is_written = true;
  }
}

// Names arrays without a name: inputs, unless something writes them.
class Names {
 public:
  std::string unnamed(bool is_written) {
    int& count = is_written ? memories_ : inputs_;
    const char* const word = is_written ? "memory" : "input";
    return ++count == 1 ? word : fmt::format("{} {}", word, count);
  }

 private:
  int inputs_ = 0, memories_ = 0;
};

RecordedArray array_of(const Object& object, const Part& part, Names& names) {
  RecordedArray array{.name = object.name,
                      .type = {},
                      .element_bytes = std::max(part.narrowest, 1U),
                      .bytes = static_cast<std::uint32_t>(part.end - part.begin),
                      .kind = object.kind,
                      .before = {},
                      .check_after = 0};
  if (part.region && array.bytes % part.region->type.bytes == 0) {
    array.element_bytes = static_cast<std::uint32_t>(part.region->type.bytes);
    array.type = part.region->type.name;
  }
  if (array.bytes % array.element_bytes != 0) array.element_bytes = 1;
  if (array.type.empty()) array.type = fmt::format("u{}", 8 * array.element_bytes);
  if (array.name.empty())
    array.name = part.region ? std::string(part.region->name) : names.unnamed(part.is_written);
  if (object.kind == ArrayKind::shared) return array;
  array.before.assign(object.before.data() + part.begin, object.before.data() + part.end);
  array.check_after = static_cast<std::uint32_t>(
      crc32(0, object.after.data() + part.begin, static_cast<uInt>(part.end - part.begin)));
  return array;
}

// The part of a patch that lies in an array.
RecordedPatch cut(const RecordedPatch& patch, const Part& part) {
  const std::size_t begin = std::max<std::size_t>(patch.offset, part.begin);
  const std::size_t end = std::min(patch.offset + patch.bytes.size(), part.end);
  const auto* const bytes = patch.bytes.data() - patch.offset;
  return {part.array, static_cast<std::uint32_t>(begin - part.begin), {bytes + begin, bytes + end}};
}

}  // namespace

void name_arrays(Recording& recording, std::vector<Object>& objects,
                 const std::vector<Region>& regions) {
  std::vector<Parts> all;
  all.reserve(objects.size());
  for (Object& object : objects) {
    all.push_back(parts_of(object, regions));
    if (!object.is_touched || object.is_released || object.kind == ArrayKind::shared) continue;
    const auto* const bytes = bytes_at(object.begin);
    object.after.assign(bytes, bytes + object.bytes);
  }
  look_at_events(recording, all, objects);
  Names names;
  for (std::size_t i = 0; i < objects.size(); ++i)
    for (Part& part : all[i]) {
      if (!objects[i].is_touched || !(part.is_used() || part.region)) continue;
      part.array = static_cast<std::uint32_t>(recording.arrays.size());
      recording.arrays.push_back(array_of(objects[i], part, names));
    }
  std::vector<RecordedEvent> events;
  std::vector<RecordedPatch> patches;
  events.reserve(recording.events.size());
  for (RecordedEvent& event : recording.events) {
    if (is_access(event.kind)) {
      const Part& part = part_at(all[event.subject], event.offset);
      event.subject = part.array;
      event.offset -= static_cast<std::uint32_t>(part.begin);
    }
    if (!is_patch(event.kind)) {
      events.push_back(event);
      continue;
    }
    const RecordedPatch& patch = recording.patches[event.subject];
    for (const Part& part : all[patch.array]) {
      if (patch.offset >= part.end || part.begin >= patch.offset + patch.bytes.size()) continue;
      event.subject = static_cast<std::uint32_t>(patches.size());
      patches.push_back(cut(patch, part));
      events.push_back(event);
    }
  }
  recording.events = std::move(events);
  recording.patches = std::move(patches);
}

}  // namespace warpview::simt::recording
