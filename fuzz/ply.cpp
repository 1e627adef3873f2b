// A PLY file.
#include "fuzz/mesh_file.h"
#include "scenes/files/ply_loader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warpview::fuzz::load_mesh_file({data, size}, warpview::load_ply);
  return 0;
}
