// Recordings: what their files contain, inflated, is read, executed, searched for races and
// written again.
#include <algorithm>
#include <string>

#include "fuzz/memory_file.h"
#include "fuzz/promises.h"
#include "gpu/recording/file.h"
#include "gpu/recording/races.h"
#include "gpu/recording/replay.h"
#include "gpu/runtime/error.h"

namespace warpview::fuzz {
namespace {

void read(Bytes input) {
  Recording recording;
  try {
    recording = parsed(input, "input");
  } catch (const Error&) {
    return;
  }
  require(recording.events.size() <= Recording::most_events, "number of events");
  Replay replay(recording);
  while (!replay.ended()) {
    replay.value_before();
    replay.step();
  }
  for (const Race& race : find_races(recording)) {
    require(race.first < race.second && race.second < recording.events.size(), "events of a race");
    in_words(recording, race);
  }
  require(unpacked(packed(recording), "written") == recording,
          "a recording read back equals the one written");
}

}  // namespace
}  // namespace warpview::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warpview::fuzz::read({data, size});
  return 0;
}
