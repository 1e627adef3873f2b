// Normals for faces that have none.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "gpu/runtime/cpu/crew.h"
#include "gpu/runtime/host_array.h"
#include "gpu/runtime/vec.h"
#include "scenes/files/triangulate.h"

namespace warpview {

// Corner of a face: indices from 0. Those that are not given, or out of any range, are of no
// consequence here but for the position's.
struct CornerIndices {
  std::int32_t position, normal, texcoord;
};

struct FaceShape {
  DoubleVec3 area_normal;  // of triangulate.h; NaN counts as zero
  std::uint32_t first;     // its first corner
  std::uint32_t corners;
};

// The normal of each corner: the mean of the faces around its vertex, weighted by area, of those
// that one reaches from its own face without crossing a crease. A crease is an edge at which the
// normals of two faces differ by more than `crease` degrees; at 180 there is none. 0 where the mean
// is. A face without area belongs to what is beside it.
//
// Takes O(n log n), whatever meets in a vertex. `progress` is called now and then, from 0 to 1, on
// the calling thread, whose crew has nothing else to do.
HostArray<Vec3> creased_normals(std::size_t positions, std::span<const CornerIndices> corners,
                                std::span<const FaceShape> faces, double crease, Crew& crew,
                                const std::function<void(double)>& progress);

// Bytes that this takes at its peak, its result included.
std::uint64_t creased_normals_bytes(std::size_t positions, std::size_t corners, std::size_t faces);

// Length 1, or 0 where v has no direction. No zero is negative.
Vec3 normalized(DoubleVec3 v);

}  // namespace warpview
