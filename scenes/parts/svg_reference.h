// Filled paths done sequentially: path by path and row by row, without winding numbers that go from
// tile to tile, without queues or atomics.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/applications/svg.h"

namespace warpview {

// The edges of a path on the picture, and the box around it; first and count of that are 0 and
// their number.
struct SvgEdgesOfPath {
  std::vector<SvgEdge> edges;
  SvgOutline outline;
};
SvgEdgesOfPath svg_edges_of(const SvgPath& path, std::span<const SvgSegment> segments,
                            const SvgView& view);

// What one path covers of one tile.
struct SvgCoverage {
  std::uint64_t key;           // as svg_key
  std::uint32_t level, edges;  // as in SvgRecord
  // Sample by sample, row by row; only of samples that are in the picture.
  std::array<std::uint32_t, svg_mask_words(4)> mask;

  bool operator==(const SvgCoverage& other) const = default;
};

struct SvgReference {
  std::vector<SvgCoverage> covered;  // sorted by key
  std::uint64_t edges = 0;
  std::array<std::uint64_t, svg_procedures> executed{};  // of items, by SvgWork
};
SvgReference svg_one_by_one(std::span<const SvgPath> paths, std::span<const SvgSegment> segments,
                            const SvgView& view);

// A record as coverage: `mask` has svg_mask_words of the view's side, and is not looked at where
// the tile is full.
SvgCoverage svg_coverage(const SvgView& view, std::uint64_t key, const SvgRecord& record,
                         const std::uint32_t* mask);

// The picture of them.
std::vector<std::uint32_t> svg_pixels(std::span<const SvgCoverage> covered,
                                      std::span<const SvgPath> paths, const SvgView& view);

}  // namespace warpview
