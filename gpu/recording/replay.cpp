#include "gpu/recording/replay.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>

namespace warpview {

Replay::Replay(const Recording& recording) : recording_(&recording) {
  arrays_.reserve(recording.arrays.size());
  for (const RecordedArray& array : recording.arrays) arrays_.push_back(array.before);
}

std::vector<std::uint8_t>& Replay::memory(std::uint32_t array, std::uint32_t block) {
  const RecordedArray& like = recording_->arrays[array];
  if (like.kind == ArrayKind::device) return arrays_[array];
  const auto [found, is_new] = shared_.try_emplace({array, block});
  if (is_new) found->second.assign(like.bytes, RecordedArray::spoiled);
  return found->second;
}

std::span<const std::uint8_t> Replay::contents(std::uint32_t array, std::uint32_t block) const {
  if (recording_->arrays[array].kind == ArrayKind::device) return arrays_[array];
  const auto found = shared_.find({array, block});
  if (found == shared_.end()) return {};
  return found->second;
}

std::uint64_t Replay::value_before() const {
  const RecordedEvent& event = recording_->events[at_];
  if (!is_access(event.kind)) return 0;
  std::uint64_t value = 0;
  const auto bytes = contents(event.subject, event.block);
  if (bytes.empty())
    std::memset(&value, RecordedArray::spoiled, event.bytes);
  else
    std::memcpy(&value, bytes.data() + event.offset, event.bytes);
  return value;
}

std::string Replay::step() {
  const RecordedEvent& event = recording_->events[at_];
  std::string difference;
  if (is_access(event.kind)) {
    if (is_read(event.kind)) {
      if (const std::uint64_t here = value_before(); here != event.value)
        difference =
            fmt::format("event {}: a read of {} at byte {} finds {:#x}, which holds {:#x}", at_,
                        recording_->arrays[event.subject].name, event.offset, event.value, here);
    } else {
      std::memcpy(memory(event.subject, event.block).data() + event.offset, &event.value,
                  event.bytes);
    }
  } else if (is_patch(event.kind)) {
    const RecordedPatch& patch = recording_->patches[event.subject];
    std::copy(patch.bytes.begin(), patch.bytes.end(), arrays_[patch.array].begin() + patch.offset);
  } else if (event.kind == EventKind::block_end) {
    std::erase_if(shared_, [&](const auto& each) { return each.first.second == event.block; });
  }
  ++at_;
  return difference;
}

std::string Replay::finish() {
  while (!ended())
    if (std::string difference = step(); !difference.empty()) return difference;
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    const RecordedArray& array = recording_->arrays[i];
    if (array.kind == ArrayKind::device &&
        crc32(0, arrays_[i].data(), static_cast<uInt>(arrays_[i].size())) != array.check_after)
      return fmt::format("{} ends with other contents than in the recorded run", array.name);
  }
  return {};
}

}  // namespace warpview
