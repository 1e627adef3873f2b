// A PLY file.
#include "fuzz/memory_file.h"
#include "fuzz/promises.h"
#include "scenes/files/ply_loader.h"

namespace warpview::fuzz {
namespace {

void load(Bytes input) {
  static MemoryFile file;
  file.write(input);
  LoadControl control;
  try {
    require_well_formed(load_ply(file.path(), control, {.memory = memory_for_loading}));
  } catch (const Error&) {
    return;
  }
  require(control.progress() <= 1.0F, "progress of a load");
}

}  // namespace
}  // namespace warpview::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warpview::fuzz::load({data, size});
  return 0;
}
