#include "app/step_views/arrays.h"

#include "gpu/recording/replay.h"

namespace warpview::step_views {

std::optional<std::uint32_t> find_array(const Recording& recording, std::string_view name,
                                        std::uint32_t element_bytes, std::uint32_t least) {
  for (std::uint32_t i = 0; i < recording.arrays.size(); ++i) {
    const RecordedArray& array = recording.arrays[i];
    if (array.name == name && array.kind == ArrayKind::device &&
        (element_bytes == 0 || array.element_bytes == element_bytes) && elements_of(array) >= least)
      return i;
  }
  return std::nullopt;
}

std::vector<std::uint8_t> contents_after(const Recording& recording, std::uint32_t array) {
  Replay replay(recording);
  while (!replay.ended()) replay.step();
  const auto bytes = replay.contents(array);
  return {bytes.begin(), bytes.end()};
}

}  // namespace warpview::step_views
