#include "scenes/files/normals.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

namespace warpview {
namespace {

// What a thread takes at a time.
constexpr std::size_t faces_a_task = std::size_t{1} << 14U;
constexpr std::size_t vertices_a_task = std::size_t{1} << 13U;

std::size_t ceil_div(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

double dot(DoubleVec3 a, DoubleVec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
bool has_no_length(DoubleVec3 v) { return v.x == 0.0 && v.y == 0.0 && v.z == 0.0; }

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
                  HostArray<Vec3>& normals) {
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
  // At most so many faces at one edge are compared with each other, else each with the next.
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
    const auto first = std::find_if(places_.begin(), places_.end(), [](const Place& place) {
      return !has_no_length(place.direction);
    });
    return first == places_.end() || std::all_of(first, places_.end(), [&](const Place& place) {
             return has_no_length(place.direction) ||
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
      return !has_no_length(places_[spoke.place].direction);
    });
    if (lender == edge.end()) return;
    for (const Spoke& spoke : edge)
      if (has_no_length(places_[spoke.place].direction))
        places_[spoke.place].direction = places_[lender->place].direction;
  }

  bool are_smooth(std::uint32_t a, std::uint32_t b) const {
    const DoubleVec3 of_a = places_[a].direction;
    const DoubleVec3 of_b = places_[b].direction;
    return has_no_length(of_a) || has_no_length(of_b) || dot(of_a, of_b) >= least_;
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

  void write(HostArray<Vec3>& normals) {
    sums_.assign(places_.size(), {0.0, 0.0, 0.0});
    for (std::size_t place = 0; place < places_.size(); ++place) {
      const DoubleVec3& n = places_[place].face->area_normal;
      if (!std::isfinite(n.x + n.y + n.z)) continue;  // a NaN must not spread
      DoubleVec3& sum = sums_[group_[place]];
      sum = {sum.x + n.x, sum.y + n.y, sum.z + n.z};
    }
    for (std::size_t place = 0; place < places_.size(); ++place) {
      const std::uint32_t first = group_[place];
      normals[places_[place].corner] =
          first == place ? normalized(sums_[first]) : normals[places_[first].corner];
    }
  }

  std::span<const CornerIndices> corners_;
  std::span<const FaceShape> faces_;
  bool is_smooth_;
  double least_, least_of_half_;  // cosines
  // Kept between vertices to save allocations.
  std::vector<Place> places_;
  std::vector<Spoke> spokes_;
  std::vector<std::uint32_t> group_;  // by place: another of its group, at last its first place
  std::vector<DoubleVec3> sums_;
};

// The corners at each vertex, in order, by counting. Each thread takes some of the vertices, and
// looks at all corners for those.
class CornersAround {
 public:
  CornersAround(std::size_t positions, std::span<const CornerIndices> corners, Crew& crew)
      : first_(positions + 1), around_(corners.size()) {
    const std::size_t ranges =
        corners.size() < corners_that_pay ? 1 : std::min<std::size_t>(crew.size(), most_ranges);
    const std::size_t width = ceil_div(positions, ranges);
    const auto for_each_corner = [&](std::size_t range, const auto& visit) {
      const std::size_t begin = std::min(positions, range * width);
      const std::size_t end = std::min(positions, begin + width);
      for (std::size_t c = 0; c < corners.size(); ++c) {
        const auto v = static_cast<std::size_t>(corners[c].position);
        if (v >= begin && v < end) visit(v, static_cast<std::uint32_t>(c));
      }
    };
    // Counts become the places behind each vertex's last corner, and then those of its first.
    std::vector<std::uint32_t> in_range(ranges + 1, 0);
    crew.for_each(ranges, [&](std::size_t range) {
      const std::size_t begin = std::min(positions, range * width);
      std::fill_n(&first_[begin], std::min(positions, begin + width) - begin, 0U);
      std::uint32_t count = 0;
      for_each_corner(range, [&](std::size_t v, std::uint32_t) {
        ++first_[v];
        ++count;
      });
      in_range[range + 1] = count;
    });
    std::partial_sum(in_range.begin(), in_range.end(), in_range.begin());
    crew.for_each(ranges, [&](std::size_t range) {
      const std::size_t begin = std::min(positions, range * width);
      const std::size_t end = std::min(positions, begin + width);
      std::uint32_t sum = in_range[range];
      for (std::size_t v = begin; v < end; ++v) sum += std::exchange(first_[v], sum);
      for_each_corner(range, [&](std::size_t v, std::uint32_t c) { around_[first_[v]++] = c; });
      for (std::size_t v = end; v > begin; --v)
        first_[v - 1] = v - 1 > begin ? first_[v - 2] : in_range[range];
    });
    first_[positions] = static_cast<std::uint32_t>(corners.size());
  }

  std::span<const std::uint32_t> operator[](std::size_t vertex) const {
    return std::span(around_).subspan(first_[vertex], first_[vertex + 1] - first_[vertex]);
  }

 private:
  static constexpr std::size_t corners_that_pay = std::size_t{1} << 16U;
  static constexpr std::size_t most_ranges = 16;

  HostArray<std::uint32_t> first_;  // by vertex, into the next
  HostArray<std::uint32_t> around_;
};

}  // namespace

Vec3 normalized(DoubleVec3 v) {
  const DoubleVec3 unit = direction_of(v);
  // Adding 0 makes -0 positive.
  return {static_cast<float>(unit.x) + 0.0F, static_cast<float>(unit.y) + 0.0F,
          static_cast<float>(unit.z) + 0.0F};
}

HostArray<Vec3> creased_normals(std::size_t positions, std::span<const CornerIndices> corners,
                                std::span<const FaceShape> faces, double crease, Crew& crew,
                                const std::function<void(double)>& progress) {
  HostArray<std::uint32_t> face_of(corners.size());
  crew.for_each(ceil_div(faces.size(), faces_a_task), [&](std::size_t task) {
    const std::size_t end = std::min(faces.size(), (task + 1) * faces_a_task);
    for (std::size_t f = task * faces_a_task; f < end; ++f)
      std::fill_n(&face_of[faces[f].first], faces[f].corners, static_cast<std::uint32_t>(f));
  });
  const CornersAround around(positions, corners, crew);
  HostArray<Vec3> normals(corners.size());
  const std::size_t tasks = ceil_div(positions, vertices_a_task);
  crew.for_each(
      tasks,
      [&](std::size_t task) {
        Fan fan(corners, faces, crease);
        const std::size_t end = std::min(positions, (task + 1) * vertices_a_task);
        for (std::size_t v = task * vertices_a_task; v < end; ++v) fan(around[v], face_of, normals);
      },
      [&](std::size_t done) { progress(static_cast<double>(done) / static_cast<double>(tasks)); });
  return normals;
}

std::uint64_t creased_normals_bytes(std::size_t positions, std::size_t corners, std::size_t faces) {
  return positions * sizeof(std::uint32_t) + faces * sizeof(FaceShape) +
         corners * (2 * sizeof(std::uint32_t) + sizeof(Vec3));
}

}  // namespace warpview
