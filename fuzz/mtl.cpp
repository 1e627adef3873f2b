// An OBJ file, two material files and a picture, cut at lines of "%%". Their names are numbers of
// descriptors: `mtllib 101`, `mtllib 102` and `map_Kd 103`.
#include "fuzz/memory_file.h"
#include "fuzz/promises.h"
#include "scenes/files/obj_loader.h"

namespace warpview::fuzz {
namespace {

void load(Bytes input) {
  static MemoryFile obj(100), first(101), second(102), picture(103);
  const std::vector<Bytes> parts = parts_of(input, 4);
  obj.write(parts[0]);
  first.write(parts[1]);
  second.write(parts[2]);
  picture.write(parts[3]);
  LoadControl control;
  try {
    require_well_formed(load_obj(obj.path(), control, {.memory = memory_for_loading}));
  } catch (const Error&) {
    return;
  }
}

}  // namespace
}  // namespace warpview::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warpview::fuzz::load({data, size});
  return 0;
}
