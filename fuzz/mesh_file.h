// A loader of mesh files, given an input as a file.
#pragma once

#include "fuzz/memory_file.h"
#include "fuzz/promises.h"
#include "scenes/files/load_control.h"

namespace warpview::fuzz {

// `load`: load_obj, load_ply.
template <class Load>
void load_mesh_file(Bytes input, Load load) {
  static MemoryFile file;
  file.write(input);
  LoadControl control;
  const LoadLimits limits{.memory = memory_for_loading};
  try {
    require_well_formed(load(file.path(), control, limits, MeshOptions()));
  } catch (const Error&) {
    return;
  }
  require(control.progress() <= 1.0F, "progress of a load");
}

}  // namespace warpview::fuzz
