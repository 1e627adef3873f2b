// The window's settings: read, written and read again.
#include "app/panels/settings.h"

#include <cmath>
#include <sstream>

#include "fuzz/memory_file.h"
#include "fuzz/promises.h"

namespace warpview::fuzz {
namespace {

bool can_look_from(const SceneMemory::View& view) {
  const auto finite = [](float x) { return std::isfinite(x); };
  return finite(view.yaw) && finite(view.pitch) && finite(view.target.x) && finite(view.target.y) &&
         finite(view.target.z) && finite(view.distance) && view.distance > 0.0F &&
         view.field_of_view > 0.0F && view.field_of_view < 3.1416F;
}

void read(Bytes input) {
  std::istringstream in{std::string(text_of(input))};
  Settings settings = read_settings(in);
  require(settings.recent.size() <= Settings::most_recent, "number of recent files");
  require(settings.scenes.size() <= SceneMemory::most, "number of scenes");
  for (const SceneMemory& scene : settings.scenes) {
    require(!scene.key.empty() && !scene.empty(), "a scene with remembered settings");
    require(!scene.view || can_look_from(*scene.view), "a valid camera");
  }
  require(settings.width >= 1 && settings.height >= 1, "size of the window");
  std::istringstream again(settings_as_text(settings));
  require(read_settings(again) == settings, "settings read back equal those written");
  settings.opened(text_of(input));
  require(settings.recent.size() <= Settings::most_recent, "number of recent files");
}

}  // namespace
}  // namespace warpview::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warpview::fuzz::read({data, size});
  return 0;
}
