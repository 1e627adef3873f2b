#include "gpu/reference/neighbours.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "gpu/primitives/spatial_hash/within.h"
#include "gpu/reference/all_cores.h"

namespace warpview::reference {
namespace {

// Cells are an eighth larger than the radius, so that rounding moves no particle out of reach.
class Grid {
 public:
  Grid(std::span<const Vec4> positions, float radius)
      : positions_(positions), radius2_(radius * radius), side_(1.125 * radius) {
    for (std::uint32_t i = 0; i < positions.size(); ++i) {
      const Vec3 p = positions[i].xyz;
      if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z))
        sorted_.push_back({code(cell(p.x), cell(p.y), cell(p.z)), i});
    }
    const auto before = [](const Entry& a, const Entry& b) {
      return a.code != b.code ? a.code < b.code : a.particle < b.particle;
    };
    sort_items(sorted_.begin(), sorted_.end(), before);
  }

  // How many particles have cells.
  std::size_t count() const { return sorted_.size(); }

  // Calls visit(a, b) for every neighbour b of the particles a whose places in the order of cells
  // are in [begin, end): for each pair of neighbours both ways, if these are all places.
  template <class Visit>
  void for_each_neighbour(std::size_t begin, std::size_t end, Visit visit) const {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t a = sorted_[i].particle;
      const auto meet = [&](std::uint32_t b) {
        if (b != a && within(positions_[a].xyz, positions_[b].xyz, radius2_)) visit(a, b);
      };
      const std::int64_t x = cell(positions_[a].xyz.x);
      const std::int64_t y = cell(positions_[a].xyz.y);
      const std::int64_t z = cell(positions_[a].xyz.z);
      for (std::int64_t dz = -1; dz <= 1; ++dz)
        for (std::int64_t dy = -1; dy <= 1; ++dy) meet_row(x, y + dy, z + dz, meet);
    }
  }

 private:
  struct Entry {
    std::uint64_t code;
    std::uint32_t particle;
  };

  // From 1 on, far from the ends of 21 bits; coordinates beyond them count as in the outermost
  // cell.
  std::int64_t cell(float coordinate) const {
    constexpr double middle = 1 << 20;
    return static_cast<std::int64_t>(
        std::clamp(std::floor(coordinate / side_) + middle, 1.0, 2.0 * middle - 2.0));
  }
  // Ascending along x within a row, then by rows.
  static std::uint64_t code(std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<std::uint64_t>(z << 42 | y << 21 | x);
  }

  template <class Meet>
  void meet_row(std::int64_t x, std::int64_t y, std::int64_t z, Meet meet) const {
    auto entry =
        std::lower_bound(sorted_.begin(), sorted_.end(), code(x - 1, y, z),
                         [](const Entry& e, std::uint64_t wanted) { return e.code < wanted; });
    for (; entry != sorted_.end() && entry->code <= code(x + 1, y, z); ++entry)
      meet(entry->particle);
  }

  std::span<const Vec4> positions_;
  float radius2_;
  double side_;
  std::vector<Entry> sorted_;
};

}  // namespace

Neighbours neighbours(std::span<const Vec4> positions, float radius) {
  Neighbours found{std::vector<std::uint32_t>(positions.size()),
                   std::vector<std::uint64_t>(positions.size())};
  const Grid grid(positions, radius);
  for_each_block(grid.count(), [&](std::size_t begin, std::size_t end) {
    grid.for_each_neighbour(begin, end, [&found](std::uint32_t a, std::uint32_t b) {
      ++found.counts[a];
      found.marks[a] += neighbour_mark(b);
    });
  });
  return found;
}

std::vector<NeighbourPair> neighbour_pairs(std::span<const Vec4> positions, float radius) {
  const Grid grid(positions, radius);
  std::vector<NeighbourPair> pairs;
  std::mutex writing;
  for_each_block(grid.count(), [&](std::size_t begin, std::size_t end) {
    std::vector<NeighbourPair> mine;
    grid.for_each_neighbour(begin, end, [&mine](std::uint32_t a, std::uint32_t b) {
      if (a < b) mine.push_back({a, b});
    });
    const std::lock_guard lock(writing);
    pairs.insert(pairs.end(), mine.begin(), mine.end());
  });
  sort_items(pairs.begin(), pairs.end(), std::less<>());
  return pairs;
}

std::vector<NeighbourPair> neighbour_pairs_of_all(std::span<const Vec4> positions, float radius) {
  const auto n = static_cast<std::uint32_t>(positions.size());
  std::vector<NeighbourPair> pairs;
  for (std::uint32_t a = 0; a < n; ++a)
    for (std::uint32_t b = a + 1; b < n; ++b)
      if (within(positions[a].xyz, positions[b].xyz, radius * radius)) pairs.push_back({a, b});
  return pairs;
}

}  // namespace warpview::reference
