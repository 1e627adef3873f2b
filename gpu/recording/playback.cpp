#include "gpu/recording/playback.h"

#include <algorithm>
#include <bit>

#include "gpu/recording/instructions.h"

namespace warpview {
namespace {

// Does the event go on with the step that `head` began?
bool continues_step(const RecordedEvent& head, const RecordedEvent& event, unsigned warp_size) {
  const bool same_block = head.block == event.block;
  if (is_collective(head.kind)) return event.kind == EventKind::answer;
  const bool is_lane_event = is_access(event.kind) || event.kind == EventKind::arrive ||
                             event.kind == EventKind::exit || event.kind == EventKind::back_off ||
                             event.kind == EventKind::fence;
  if (head.kind == EventKind::step)
    return is_lane_event && same_block && head.thread / warp_size == event.thread / warp_size;
  // Lanes that run until they meet: side by side at one place.
  if (is_access(head.kind))
    return same_block && event.kind == head.kind && event.place == head.place &&
           event.thread > head.thread && head.thread / warp_size == event.thread / warp_size;
  const bool gathers = head.kind == EventKind::arrive || head.kind == EventKind::exit ||
                       head.kind == EventKind::back_off;
  return gathers && same_block && event.kind == head.kind;
}

bool is_publication(const RecordedEvent& event) {
  return event.kind == EventKind::store_relaxed || event.kind == EventKind::store_release ||
         is_atomic(event.kind);
}

}  // namespace

Playback::Playback(std::shared_ptr<const Recording> recording)
    : recording_(std::move(recording)), now_{.replay = Replay(*recording_)} {
  for (const RecordedArray& array : recording_->arrays)
    now_.device.emplace_back(array.kind == ArrayKind::device ? array.bytes / array.element_bytes
                                                             : 0);
  group();
  constexpr std::size_t budget = std::size_t{64} << 20U, most = 256;
  const std::size_t count = std::clamp<std::size_t>(budget / snapshot_bytes(), 1, most);
  interval_ = steps() / count + 1;
  while (true) {
    if (at_ % interval_ == 0) snapshots_.push_back(now_);
    if (at_ == steps()) break;
    advance();
  }
  seek(0);
}

std::size_t Playback::snapshot_bytes() const {
  std::size_t threads = 0;
  for (const RecordedLaunch& launch : recording_->launches)
    threads = std::max<std::size_t>(threads, launch.threads());
  std::size_t bytes = 1 + Recording::most_resident * threads * sizeof(PlayedLane);
  for (const RecordedArray& array : recording_->arrays)
    bytes += array.bytes + array.bytes / array.element_bytes * sizeof(Touched);
  return bytes;
}

void Playback::group() {
  const auto& events = recording_->events;
  std::size_t head = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (i > 0 && continues_step(events[head], events[i], recording_->warp_size)) {
      // Of lanes that run until they meet, each is to come after the one before.
      if (is_access(events[head].kind) && events[i].thread <= events[i - 1].thread &&
          !events[i].continues)
        begins_.push_back(head = i);
      continue;
    }
    begins_.push_back(head = i);
  }
  begins_.push_back(events.size());
}

void Playback::seek(std::size_t step) {
  step = std::min(step, steps());
  const std::size_t snapshot = std::min(step / interval_, snapshots_.size() - 1);
  if (step < at_ || snapshot * interval_ > at_) {
    now_ = snapshots_[snapshot];
    at_ = snapshot * interval_;
  }
  while (at_ < step) advance();
}

void Playback::advance() {
  for (std::size_t i = begins_[at_]; i < begins_[at_ + 1]; ++i) apply(i);
  ++at_;
}

PlayedBlock* Playback::running(std::uint32_t block) {
  const auto found = std::find_if(now_.blocks.begin(), now_.blocks.end(),
                                  [block](const PlayedBlock& each) { return each.block == block; });
  return found == now_.blocks.end() ? nullptr : &*found;
}

const PlayedBlock* Playback::block(std::uint32_t number) const {
  return const_cast<Playback*>(this)->running(number);
}

void Playback::touch(std::size_t index) {
  const RecordedEvent& event = recording_->events[index];
  const RecordedArray& array = recording_->arrays[event.subject];
  std::vector<Touched>* words = &now_.device[event.subject];
  if (array.kind == ArrayKind::shared) {
    words = &now_.shared[{event.subject, event.block}];
    words->resize(array.bytes / array.element_bytes);
  }
  const std::size_t first = event.offset / array.element_bytes;
  const std::size_t last = (event.offset + event.bytes - 1U) / array.element_bytes;
  for (std::size_t i = first; i <= last; ++i) {
    (*words)[i].access = static_cast<std::uint32_t>(index + 1);
    if (!is_read(event.kind)) (*words)[i].write = static_cast<std::uint32_t>(index + 1);
  }
}

void Playback::apply(std::size_t index) {
  const RecordedEvent& event = recording_->events[index];
  now_.replay.step();
  if (is_access(event.kind)) touch(index);
  if (event.kind == EventKind::launch) {
    now_.launch = event.subject;
    now_.blocks.clear();
  } else if (event.kind == EventKind::block_begin) {
    PlayedBlock block{.block = event.block, .lanes = {}};
    block.lanes.resize(recording_->launches[*now_.launch].threads());
    now_.blocks.push_back(std::move(block));
  } else if (event.kind == EventKind::block_end) {
    std::erase_if(now_.blocks, [&](const PlayedBlock& each) { return each.block == event.block; });
    std::erase_if(now_.shared, [&](const auto& each) { return each.first.second == event.block; });
  } else if (is_patch(event.kind)) {
    const RecordedPatch& patch = recording_->patches[event.subject];
    const std::size_t each = recording_->arrays[patch.array].element_bytes;
    for (std::size_t i = patch.offset / each; i * each < patch.offset + patch.bytes.size(); ++i)
      now_.device[patch.array][i] = {static_cast<std::uint32_t>(index + 1),
                                     static_cast<std::uint32_t>(index + 1)};
  } else if (PlayedBlock* const block = running(event.block)) {
    if (event.kind == EventKind::barrier) {
      for (PlayedLane& lane : block->lanes)
        if (lane.state == LaneState::at_barrier) lane.state = LaneState::running;
      return;
    }
    // Of a step or a collective the accesses or answers tell of the lanes.
    if (event.kind == EventKind::step || is_collective(event.kind)) return;
    PlayedLane& lane = block->lanes[event.thread];
    lane.state = event.kind == EventKind::arrive     ? LaneState::at_barrier
                 : event.kind == EventKind::exit     ? LaneState::exited
                 : event.kind == EventKind::back_off ? LaneState::backing_off
                                                     : LaneState::running;
    if (event.place != 0) lane.place = event.place;
    // Answers have no place of their own.
    if (event.kind == EventKind::answer) lane.place = recording_->events[begins_[at_]].place;
  }
}

std::size_t Playback::step_of(std::size_t event) const {
  const auto after = std::upper_bound(begins_.begin(), begins_.end(), event);
  return static_cast<std::size_t>(after - begins_.begin()) - 1;
}

Playback::Touched Playback::touched(const Word& word) const {
  const std::vector<Touched>* words = &now_.device[word.array];
  if (recording_->arrays[word.array].kind == ArrayKind::shared) {
    const auto found = now_.shared.find({word.array, word.block});
    if (found == now_.shared.end()) return {};
    words = &found->second;
  }
  return word.element < words->size() ? (*words)[word.element] : Touched{};
}

std::optional<std::size_t> Playback::last_write(const Word& word) const {
  const std::uint32_t event = touched(word).write;
  return event == 0 ? std::nullopt : std::optional<std::size_t>(event - 1);
}

std::optional<std::size_t> Playback::last_access(const Word& word) const {
  const std::uint32_t event = touched(word).access;
  return event == 0 ? std::nullopt : std::optional<std::size_t>(event - 1);
}

bool Playback::is(Landmark landmark, std::size_t step) const {
  const auto events = events_of(step);
  const RecordedEvent& head = events.front();
  switch (landmark) {
    case Landmark::block:
      return at_ == 0 || (!is_patch(head.kind) && head.kind != EventKind::launch &&
                          head.block == last().front().block);
    case Landmark::barrier:
      return head.kind == EventKind::barrier;
    case Landmark::publish:
      return std::any_of(events.begin(), events.end(), [this](const RecordedEvent& event) {
        return is_publication(event) && recording_->arrays[event.subject].kind == ArrayKind::device;
      });
    case Landmark::conflict:
      return bank_cost(instructions_of(*recording_, events)).degree > 1;
    case Landmark::divergence:
      return head.kind == EventKind::step && head.value != head.other;
    case Landmark::launch:
      return head.kind == EventKind::launch;
  }
  return false;
}

std::optional<std::size_t> Playback::find(Landmark landmark, bool forward) const {
  if (forward) {
    for (std::size_t step = at_; step < steps(); ++step)
      if (is(landmark, step)) return step + 1;
  } else {
    for (std::size_t step = at_; step-- > 1;)
      if (is(landmark, step - 1)) return step;
  }
  return std::nullopt;
}

std::vector<std::size_t> Playback::find_all(Landmark landmark) const {
  std::vector<std::size_t> all;
  for (std::size_t step = 0; step < steps(); ++step)
    if (is(landmark, step)) all.push_back(step + 1);
  return all;
}

unsigned bank_turns(const Recording& recording, std::span<const RecordedEvent> step,
                    unsigned banks) {
  return static_cast<unsigned>(bank_cost(instructions_of(recording, step), banks).turns);
}

}  // namespace warpview
