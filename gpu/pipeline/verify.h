// What the pipeline computed, held against the sequential references.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/pipeline/mesh_pipeline.h"

namespace warpview {

struct Difference {
  Stage stage;
  std::string text;  // what differs first, with its index, what there is and what should be
};

// Recomputes every stage on the host from what went into it, in the pipeline's order, and returns
// the first difference. `input_corners` and `material` are what the pipeline was given.
//
// The sort, the topology and the boxes of the tree are always checked. Where the snapshot says that
// the tree is not current (refit in each frame), the bounds and codes belong to positions that are
// gone: they are left out.
std::optional<Difference> verify(const MeshPipeline::Snapshot& snapshot,
                                 std::span<const Vertex> input_corners,
                                 std::span<const std::uint32_t> material,
                                 const VariantChoice& choice);

// The stages that `verify` checks for this snapshot.
std::vector<Stage> verifiable_stages(const MeshPipeline::Snapshot& snapshot);

}  // namespace warpview
