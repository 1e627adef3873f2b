// Recordings that are made by hand.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/recording/recording.h"

namespace warpview::test {

// Makes a recording of one kernel, `wave_kernel`. Its arrays are `out` (0), 256 u32 in device
// memory that begin as 0, and `tile` (1), 256 u32 in shared memory.
class HandMade {
 public:
  HandMade(std::uint32_t blocks, std::uint32_t threads);

  void event(RecordedEvent event) { recording_.events.push_back(event); }
  void begin(std::uint32_t block) { event({.kind = EventKind::block_begin, .block = block}); }
  void end(std::uint32_t block) { event({.kind = EventKind::block_end, .block = block}); }
  // Lanes `first` to `end` - 1 of warp 0 of block 0 access element `stride` * i of the array; the
  // value is 100 + i. Lanes up to `live` have not exited.
  void access(EventKind kind, std::uint32_t array, std::uint32_t first, std::uint32_t end,
              std::uint32_t stride = 1, std::uint32_t live = 32);
  // All threads of the block arrive.
  void arrive(std::uint32_t block, std::uint32_t threads);
  // Lane i brings 10 + i. Gets what `from(i)` says.
  template <class From>
  void shuffle(From from) {
    event({.kind = EventKind::shuffle, .value = 0xffffffff});
    for (std::uint16_t i = 0; i < 32; ++i)
      event({.kind = EventKind::answer,
             .bytes = 4,
             .thread = i,
             .offset = from(i),
             .value = 10 + from(i),
             .other = 10U + i});
  }

  Recording& recording() { return recording_; }
  std::shared_ptr<const Recording> take() {
    return std::make_shared<const Recording>(std::move(recording_));
  }

 private:
  Recording recording_;
};

// Runs that are written down by hand: one launch of a kernel, a step for each access.
class WrittenRun {
 public:
  WrittenRun(std::string primitive, std::uint32_t blocks, std::uint32_t threads);
  // Device memory of zeros. Returns its index.
  std::uint32_t array(std::string name, std::string type, std::uint32_t element_bytes,
                      std::uint32_t elements);
  WrittenRun& begin(std::uint32_t block);
  WrittenRun& access(EventKind kind, std::uint32_t block, std::uint16_t thread, std::uint32_t array,
                     std::uint32_t offset, std::uint64_t value, std::uint8_t bytes = 4);
  WrittenRun& event(EventKind kind, std::uint32_t block, std::uint16_t thread);
  std::shared_ptr<const Recording> done() const {
    return std::make_shared<const Recording>(recording_);
  }
  Recording& recording() { return recording_; }

 private:
  Recording recording_;
};

}  // namespace warpview::test
