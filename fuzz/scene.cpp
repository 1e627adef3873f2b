// A scene file, as `warpview FILE.json` reads it before it opens what the file names.
#include "fuzz/memory_file.h"
#include "fuzz/promises.h"
#include "scenes/description.h"

namespace warpview::fuzz {
namespace {

void read(Bytes input) {
  static MemoryFile file;
  file.write(input);
  try {
    const SceneDescription scene = read_scene_file(file.path());
    // A refused file is refused while it is read.
    const Controls controls = controls_of(scene);
    require(controls.size() == kind_of(scene).controls.size(), "a scene's controls");
    require(!scene.spec().empty(), "a scene's name");
    for (const MeshSource& source : scene.files) {
      const Vec3 normal = source.transform.normal({0.0F, 0.0F, 1.0F});
      require(!std::isinf(normal.x) && !std::isinf(normal.y) && !std::isinf(normal.z), "a normal");
    }
    // What is written of it is read as the same.
    static MemoryFile written;
    const std::string text = scene_file_text(scene, written.path().parent_path());
    written.write({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    const SceneDescription again = read_scene_file(written.path());
    require(scene_file_text(again, written.path().parent_path()) == text, "a scene as it was");
  } catch (const Error&) {
    return;
  }
}

}  // namespace
}  // namespace warpview::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warpview::fuzz::read({data, size});
  return 0;
}
