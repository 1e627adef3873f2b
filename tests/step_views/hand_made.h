// Recordings that are made by hand, and shapes of drawings.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/step_views/view.h"

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

// 14 units an em, a letter 0.6 ems wide.
PlotSurface step_surface(float width);
// What a view of that name draws of the step that the playback stands at.
StepDrawing drawn(std::string_view view, const Playback& at, std::uint32_t block = 0,
                  float width = 900.0F);

std::vector<const PlotShape*> named(const StepDrawing& drawing, std::string_view name,
                                    PlotShape::Kind kind);
// All texts, a line each.
std::string texts_of(const StepDrawing& drawing);
bool says(const StepDrawing& drawing, std::string_view words);

}  // namespace warpview::test
