// Places by cells, on the host: all within a cell's side of a place are in 27 cells.
#pragma once

#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "gpu/runtime/vec.h"

namespace warpview {

class CellMap {
 public:
  // Places whose x is no number are left out.
  CellMap(const std::vector<Vec3>& places, float side) : side_(side) {
    for (std::uint32_t i = 0; i < places.size(); ++i)
      if (!std::isnan(places[i].x)) cells_[key(cell(places[i]))].push_back(i);
  }

  // Calls visit(index) for all in the cells around a place.
  template <class Visit>
  void visit_around(Vec3 place, const Visit& visit) const {
    const Cell centre = cell(place);
    for (std::int64_t z = -1; z <= 1; ++z)
      for (std::int64_t y = -1; y <= 1; ++y)
        for (std::int64_t x = -1; x <= 1; ++x) {
          const auto found = cells_.find(key({centre.x + x, centre.y + y, centre.z + z}));
          if (found == cells_.end()) continue;
          for (const std::uint32_t other : found->second) visit(other);
        }
  }

 private:
  struct Cell {
    std::int64_t x, y, z;
  };
  Cell cell(Vec3 p) const {
    const auto along = [this](float v) {
      return static_cast<std::int64_t>(std::floor(double{v} / double{side_}));
    };
    return {along(p.x), along(p.y), along(p.z)};
  }
  // Cells within 2^20 of the origin have keys of their own.
  static std::uint64_t key(Cell c) {
    const auto bits = [](std::int64_t v) { return static_cast<std::uint64_t>(v) & 0x1fffffU; };
    return bits(c.x) | bits(c.y) << 21U | bits(c.z) << 42U;
  }

  float side_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells_;
};

}  // namespace warpview
