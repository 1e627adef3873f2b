// Recordings for tests of views.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/lab/mesh_input.h"
#include "gpu/recording/recording.h"

namespace warpview::test {

// A run that is recorded now, by the module that records; its places have no lines.
struct AskedRecording {
  std::string primitive, variant;
  std::string form{};  // empty: the first
  std::uint32_t items = 64;
  std::uint64_t seed = 1;
  unsigned interleave = 8;
  unsigned warp_size = 32;
  std::vector<std::int64_t> typed{};             // the items; empty: `items` random ones
  std::shared_ptr<const lab::MeshInput> mesh{};  // that the items are made from; null: none
  BlockRanges blocks{};                          // empty: all
  bool small = false;                            // small numbers, as recordings have by default
};
std::shared_ptr<const Recording> record(const AskedRecording& asked);

}  // namespace warpview::test
