#include "scenes/files/normals.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <utility>

namespace warpview {
namespace {

double dot(DoubleVec3 a, DoubleVec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
bool is_zero(DoubleVec3 v) { return v.x == 0.0 && v.y == 0.0 && v.z == 0.0; }

// Length 1, or 0 where v has no direction.
DoubleVec3 direction_of(DoubleVec3 v) {
  const double length = std::sqrt(dot(v, v));
  if (!(length > 0.0) || !std::isfinite(length)) return {0.0, 0.0, 0.0};
  return {v.x / length, v.y / length, v.z / length};
}

// The faces around one vertex. A place among them is that of a corner.
class Fan {
 public:
  Fan(std::span<const CornerIndices> corners, std::span<const FaceShape> faces, double crease)
      : corners_(corners),
        faces_(faces),
        is_smooth_(crease >= 180.0),
        least_(std::cos(crease / 180.0 * std::numbers::pi) - tolerance),
        least_of_half_(std::cos(crease / 360.0 * std::numbers::pi)) {}

  // `around` are corners at one vertex, `face_of` the faces of all corners. Writes the normals of
  // those corners.
  void operator()(std::span<const std::uint32_t> around, std::span<const std::uint32_t> face_of,
                  std::vector<Vec3>& normals) {
    places_.clear();
    for (const std::uint32_t corner : around) {
      const FaceShape& face = faces_[face_of[corner]];
      places_.push_back({corner, &face, direction_of(face.area_normal)});
    }
    group_.resize(places_.size());
    if (is_smooth_ || are_all_alike())
      std::fill(group_.begin(), group_.end(), 0U);
    else
      join();
    write(normals);
  }

 private:
  static constexpr double tolerance = 1e-6;  // of a cosine: coordinates are floats
  // Of faces that meet in one edge so many are compared with each other, else each with the next.
  static constexpr std::size_t compared = 16;

  struct Place {
    std::uint32_t corner;
    const FaceShape* face;
    DoubleVec3 direction;  // 0: of a face without area
  };
  // An edge from the vertex to another.
  struct Spoke {
    std::int32_t other;
    std::uint32_t place;
  };

  // None is further from the first than half of what makes a crease.
  bool are_all_alike() const {
    const auto first = std::find_if(places_.begin(), places_.end(),
                                    [](const Place& place) { return !is_zero(place.direction); });
    return first == places_.end() || std::all_of(first, places_.end(), [&](const Place& place) {
             return is_zero(place.direction) ||
                    dot(place.direction, first->direction) >= least_of_half_;
           });
  }

  void find_spokes() {
    spokes_.clear();
    for (std::uint32_t place = 0; place < places_.size(); ++place) {
      const FaceShape& face = *places_[place].face;
      const std::uint32_t here = places_[place].corner - face.first;
      const auto position = [&](std::uint32_t corner) {
        return corners_[face.first + corner].position;
      };
      spokes_.push_back({position((here + 1) % face.corners), place});
      spokes_.push_back({position((here + face.corners - 1) % face.corners), place});
    }
    std::sort(spokes_.begin(), spokes_.end(), [](const Spoke& a, const Spoke& b) {
      return std::pair(a.other, a.place) < std::pair(b.other, b.place);
    });
  }

  // Calls visit for the spokes of each edge.
  template <class Visit>
  void for_each_edge(Visit visit) {
    for (std::size_t begin = 0; begin < spokes_.size();) {
      std::size_t end = begin + 1;
      while (end < spokes_.size() && spokes_[end].other == spokes_[begin].other) ++end;
      visit(std::span<const Spoke>(spokes_).subspan(begin, end - begin));
      begin = end;
    }
  }

  // What has no direction takes that of a face beside it.
  void lend_directions(std::span<const Spoke> edge) {
    const auto lender = std::find_if(edge.begin(), edge.end(), [this](const Spoke& spoke) {
      return !is_zero(places_[spoke.place].direction);
    });
    if (lender == edge.end()) return;
    for (const Spoke& spoke : edge)
      if (is_zero(places_[spoke.place].direction))
        places_[spoke.place].direction = places_[lender->place].direction;
  }

  bool are_smooth(std::uint32_t a, std::uint32_t b) const {
    const DoubleVec3 of_a = places_[a].direction;
    const DoubleVec3 of_b = places_[b].direction;
    return is_zero(of_a) || is_zero(of_b) || dot(of_a, of_b) >= least_;
  }

  std::uint32_t root_of(std::uint32_t place) {
    while (group_[place] != place) {
      group_[place] = group_[group_[place]];
      place = group_[place];
    }
    return place;
  }
  void unite_if_smooth(std::uint32_t a, std::uint32_t b) {
    if (a == b || !are_smooth(a, b)) return;
    const std::uint32_t root_a = root_of(a);
    const std::uint32_t root_b = root_of(b);
    group_[std::max(root_a, root_b)] = std::min(root_a, root_b);
  }

  // Groups of faces without a crease between them.
  void join() {
    find_spokes();
    for_each_edge([this](std::span<const Spoke> edge) { lend_directions(edge); });
    std::iota(group_.begin(), group_.end(), 0U);
    for_each_edge([this](std::span<const Spoke> edge) {
      for (std::size_t i = 0; i < edge.size(); ++i) {
        const std::size_t end =
            edge.size() <= compared ? edge.size() : std::min(i + 2, edge.size());
        for (std::size_t j = i + 1; j < end; ++j) unite_if_smooth(edge[i].place, edge[j].place);
      }
    });
    for (std::uint32_t place = 0; place < group_.size(); ++place) group_[place] = root_of(place);
  }

  void write(std::vector<Vec3>& normals) {
    sums_.assign(places_.size(), {0.0, 0.0, 0.0});
    for (std::size_t place = 0; place < places_.size(); ++place) {
      const DoubleVec3& n = places_[place].face->area_normal;
      if (!std::isfinite(n.x + n.y + n.z)) continue;  // a NaN must not spread
      DoubleVec3& sum = sums_[group_[place]];
      sum = {sum.x + n.x, sum.y + n.y, sum.z + n.z};
    }
    for (std::size_t place = 0; place < places_.size(); ++place)
      normals[places_[place].corner] = normalized(sums_[group_[place]]);
  }

  std::span<const CornerIndices> corners_;
  std::span<const FaceShape> faces_;
  bool is_smooth_;
  double least_, least_of_half_;  // cosines
  // Kept between vertices to save allocations.
  std::vector<Place> places_;
  std::vector<Spoke> spokes_;
  std::vector<std::uint32_t> group_;  // by place: another of its group, at last the first
  std::vector<DoubleVec3> sums_;
};

}  // namespace

Vec3 normalized(DoubleVec3 v) {
  const DoubleVec3 unit = direction_of(v);
  // Adding 0 makes -0 positive.
  return {static_cast<float>(unit.x) + 0.0F, static_cast<float>(unit.y) + 0.0F,
          static_cast<float>(unit.z) + 0.0F};
}

std::vector<Vec3> creased_normals(std::size_t positions, std::span<const CornerIndices> corners,
                                  std::span<const FaceShape> faces, double crease,
                                  const std::function<void(double)>& progress) {
  // The corners at each vertex, by counting.
  std::vector<std::uint32_t> first(positions + 1, 0);
  for (const CornerIndices& corner : corners)
    ++first[static_cast<std::size_t>(corner.position) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::uint32_t> around(corners.size());
  std::vector<std::uint32_t> face_of(corners.size());
  {
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t f = 0; f < faces.size(); ++f)
      for (std::uint32_t c = faces[f].first; c < faces[f].first + faces[f].corners; ++c) {
        face_of[c] = f;
        around[next[static_cast<std::size_t>(corners[c].position)]++] = c;
      }
  }
  std::vector<Vec3> normals(corners.size());
  Fan fan(corners, faces, crease);
  constexpr std::size_t vertices_per_report = 16384;
  for (std::size_t v = 0; v < positions; ++v) {
    fan(std::span<const std::uint32_t>(around).subspan(first[v], first[v + 1] - first[v]), face_of,
        normals);
    if (v % vertices_per_report == 0)
      progress(static_cast<double>(v) / static_cast<double>(positions));
  }
  return normals;
}

std::uint64_t creased_normals_bytes(std::size_t positions, std::size_t corners, std::size_t faces) {
  return 2 * positions * sizeof(std::uint32_t) + faces * sizeof(FaceShape) +
         corners * (2 * sizeof(std::uint32_t) + sizeof(Vec3));
}

}  // namespace warpview
