// What the window remembers: read, written and read again.
#include "app/panels/settings.h"

#include <sstream>

#include "fuzz/memory_file.h"
#include "fuzz/promises.h"

namespace warpview::fuzz {
namespace {

void read(Bytes input) {
  std::istringstream in{std::string(text_of(input))};
  Settings settings = read_settings(in);
  require(settings.recent.size() <= Settings::most_recent, "number of recent files");
  require(settings.width >= 1 && settings.height >= 1, "size of the window");
  std::istringstream again(settings_as_text(settings));
  require(read_settings(again) == settings, "what was written is what is read");
  settings.opened(text_of(input));
  require(settings.recent.size() <= Settings::most_recent, "number of recent files");
}

}  // namespace
}  // namespace warpview::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warpview::fuzz::read({data, size});
  return 0;
}
