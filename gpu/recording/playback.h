// A recording as steps, at any of which its memory and lanes can be seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gpu/recording/recording.h"
#include "gpu/recording/replay.h"

namespace warpview {

enum class LaneState : std::uint8_t {
  running,
  at_barrier,   // waits for the other lanes of its block
  backing_off,  // waits until others have made progress
  exited
};

struct PlayedLane {
  LaneState state = LaneState::running;
  std::uint32_t place = 0;  // of its last access or collective; 0: none yet
};

// A block that runs.
struct PlayedBlock {
  std::uint32_t block = 0;  // in its grid
  std::vector<PlayedLane> lanes;
};

// An element of an array. Each block has its own copy of a shared array; `block` is 0 for others.
struct Word {
  std::uint32_t array = 0;
  std::uint32_t element = 0;
  std::uint32_t block = 0;
  auto operator<=>(const Word&) const = default;
};

// What one can jump to.
enum class Landmark : std::uint8_t {
  block,       // a step of the block that made the last one
  barrier,     // all lanes of a block have arrived
  publish,     // a relaxed or release store, or an atomic, to device memory
  conflict,    // lanes of a warp access different words of one bank of shared memory
  divergence,  // a step in which lanes of the warp take no part, though they have not exited
  launch
};

// Executes a recording step by step. A step is what happens together: one access of each lane that
// takes part, with the barriers and exits that these lanes come to; or a collective with its
// answers; or a barrier, a launch, the begin or the end of a block, a write by the host.
class Playback {
 public:
  // Executes the recording once, and keeps the state at regular distances for seek().
  explicit Playback(std::shared_ptr<const Recording> recording);

  const Recording& recording() const { return *recording_; }
  std::size_t steps() const { return begins_.size() - 1; }
  // The number of steps that were executed, 0 to steps().
  std::size_t at() const { return at_; }
  // Goes to a step, or to the last one if there are fewer.
  void seek(std::size_t step);
  // The events of step i, from 0. It was executed last when at() is i + 1.
  std::span<const RecordedEvent> events_of(std::size_t step) const {
    return std::span(recording_->events).subspan(begins_[step], begins_[step + 1] - begins_[step]);
  }
  // The events of the step that was executed last; empty at step 0.
  std::span<const RecordedEvent> last() const {
    return at_ == 0 ? std::span<const RecordedEvent>{} : events_of(at_ - 1);
  }
  std::size_t first_event_of(std::size_t step) const { return begins_[step]; }
  // The number of events that were executed. The step that was executed last has those from
  // last_begin() on; none at step 0.
  std::size_t executed() const { return begins_[at_]; }
  std::size_t last_begin() const { return at_ == 0 ? 0 : begins_[at_ - 1]; }
  bool last_did(std::size_t event) const { return last_begin() <= event && event < executed(); }
  // The step that an event belongs to.
  std::size_t step_of(std::size_t event) const;
  // The next position behind at() that executes such a step last, or the one before; none if there
  // is no more.
  std::optional<std::size_t> find(Landmark landmark, bool forward) const;
  // All positions that find() can give, ascending; of `block` those for the block of the last step.
  std::vector<std::size_t> find_all(Landmark landmark) const;

  // An array's contents now. Empty for a shared array that its block has not used.
  std::span<const std::uint8_t> contents(std::uint32_t array, std::uint32_t block = 0) const {
    return now_.replay.contents(array, block);
  }
  // The event that wrote any byte of the element last; none if it holds what it began with.
  std::optional<std::size_t> last_write(const Word& word) const;
  // The event that read or wrote it last.
  std::optional<std::size_t> last_access(const Word& word) const;

  // The launch that runs or has run last; none before the first.
  std::optional<std::uint32_t> launch() const { return now_.launch; }
  // Blocks that run, in the order in which they began.
  std::span<const PlayedBlock> blocks() const { return now_.blocks; }
  // The block of that number if it runs, else null.
  const PlayedBlock* block(std::uint32_t number) const;

 private:
  struct Touched {
    std::uint32_t write = 0, access = 0;  // events, from 1; 0: none
  };
  struct State {
    Replay replay;
    std::optional<std::uint32_t> launch{};
    std::vector<PlayedBlock> blocks{};
    std::vector<std::vector<Touched>> device{};  // by array, element
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Touched>> shared{};
  };

  void group();
  void advance();
  void apply(std::size_t index);
  void touch(std::size_t index);
  Touched touched(const Word& word) const;
  PlayedBlock* running(std::uint32_t block);
  bool is(Landmark landmark, std::size_t step) const;
  std::size_t snapshot_bytes() const;

  std::shared_ptr<const Recording> recording_;
  std::vector<std::size_t> begins_;  // the first event of each step, and the number of events
  std::size_t at_ = 0;
  State now_;
  std::size_t interval_ = 1;      // steps between snapshots
  std::vector<State> snapshots_;  // at interval_ * i
};

// The turns that shared memory takes to serve the step (gpu/runtime/shared_banks.h). 0 if the
// events access none.
unsigned bank_turns(const Recording& recording, std::span<const RecordedEvent> step,
                    unsigned banks = 32);

}  // namespace warpview
