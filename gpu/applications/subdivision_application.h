// Subdivision for the schedulers: its procedures, executed in subdivision_procedures.h, and their
// output.
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/applications/subdivision.h"
#include "gpu/primitives/schedule/application.h"
#include "gpu/runtime/kernel.h"
#include "gpu/steps/random.h"

namespace warpview::WARPVIEW_BACKEND::subdivision {

struct Application;

inline constexpr unsigned lanes_of_patch = 16;
// A regular patch with more cells along a side is divided first.
inline constexpr std::uint32_t most_grid = 8;

// The part of a corner's quad that a patch covers. The last region counts from the point of the
// face instead of the vertex: then both coordinates are reversed.
enum class Region : std::uint32_t {
  whole,      // the whole quad, which is regular after one step
  along_x,    // the quarter next to the vertex's, along x
  along_y,    // and along y
  at_vertex,  // within the quarter of the vertex
  at_face     // within the quarter of the face's point
};
// Bits for the sides on the boundary: the control points with y = 0, or with x = 0, that do not
// exist because the patch's side is on it; or the boundary points at the far sides of a quad.
inline constexpr std::uint32_t near_y = 1, near_x = 2, far_x = 4, far_y = 8;

struct Place {
  std::uint32_t corner;
  Region region;
  std::uint32_t level;  // how often it was divided
  std::uint32_t x, y;   // its first cell
  std::uint32_t cells;
  std::uint32_t boundary;
};

struct Poly : schedule::Procedure {
  static constexpr const char* name = "procedure_kernel<Poly>";
  static constexpr unsigned workers = lanes_of_patch;
  struct Item {
    std::uint32_t centre;
  };
  struct Shared {
    Vec3 diagonals[lanes_of_patch], ends[lanes_of_patch];  // sums
  };
  template <class Lanes, class Emit>
  __device__ static void execute(const Application& application, const Item& item,
                                 const Lanes& lanes, Shared& shared, const Emit& emit);
};

// Control points of a quad and its surroundings, four in a row, y by y. The quad's own are 5, 6, 9
// and 10; in a quad with an extraordinary centre that centre is 5, and 0 has no meaning.
struct Net {
  Vec3 points[16];
};

struct Quad : schedule::Procedure {
  static constexpr const char* name = "procedure_kernel<Quad>";
  static constexpr unsigned workers = lanes_of_patch;
  struct Item {
    Place place;
    Vec3 outer[7];  // points not on the centre's quads: 3, 7, 11, 15, 14, 13, 12
  };
  struct Shared {
    Net coarse;
    Vec3 fine[25];  // around it, after a step: from -1 to 3, y by y
  };
  template <class Lanes, class Emit>
  __device__ static void execute(const Application& application, const Item& item,
                                 const Lanes& lanes, Shared& shared, const Emit& emit);
};

struct Regular : schedule::Procedure {
  static constexpr const char* name = "procedure_kernel<Regular>";
  static constexpr unsigned workers = lanes_of_patch;
  struct Item {
    Place place;
    Net net;
  };
  struct Shared {
    Net coarse;
    Vec3 fine[25];
  };
  template <class Lanes, class Emit>
  __device__ static void execute(const Application& application, const Item& item,
                                 const Lanes& lanes, Shared& shared, const Emit& emit);
};

struct Application {
  using Procedures = schedule::Procedures<Poly, Quad, Regular>;

  SubdivisionMesh mesh;
  SubdivisionPoints points;
  SubdivisionLevels levels;
  const SubdivisionView* view;
  Vec3* rings;
  SubdivisionSurface surface;

  template <class Emit>
  __device__ void begin(std::uint32_t i, const Emit& emit) const {
    emit(Poly{}, {i});
  }

  __device__ std::uint32_t level_of(std::uint32_t corner) const {
    return levels.faces[mesh.face[corner]];
  }
  // Whether its quad is regular after one step.
  __device__ bool is_regular(std::uint32_t corner) const {
    return mesh.valence_of_face(mesh.face[corner]) == 4 && mesh.is_regular(mesh.vertex[corner]);
  }
  __device__ SubdivisionPlaces places() const { return {mesh, levels}; }

  __device__ float value_of(const Place& place, float kind) const {
    const std::uint32_t f = mesh.face[place.corner];
    const auto hashed = [](std::uint32_t key) {
      return static_cast<float>(scramble(key * 0x9e3779b9U + 1) >> 8U) * 0x1p-24F;
    };
    switch (view->colouring) {
      case SubdivisionColouring::faces:
        return hashed(f);
      case SubdivisionColouring::patches:
        return hashed(place.corner ^ scramble(static_cast<std::uint32_t>(place.region) << 20U |
                                              place.level << 16U | place.y << 8U | place.x));
      case SubdivisionColouring::kind:
        return kind;
      case SubdivisionColouring::level:
        return static_cast<float>(levels.faces[f]) / most_subdivision_level;
      case SubdivisionColouring::valence: {
        const std::uint32_t v = mesh.vertex[place.corner];
        const std::uint32_t n =
            mesh.fan_begin[v + 1] - mesh.fan_begin[v] + (mesh.is_open(v) ? 1 : 0);
        constexpr std::uint32_t most = 8;
        return static_cast<float>((n < 2 ? 2 : n > most ? most : n) - 2) / (most - 2);
      }
      default:
        return 0.0F;
    }
  }
  __device__ void put_triangle(std::uint32_t t, std::uint32_t f, std::uint32_t a, std::uint32_t b,
                               std::uint32_t c, float value) const {
    std::uint32_t* const corners = surface.indices + std::size_t{3} * t;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
    surface.material[t] = mesh.material[f];
    surface.values[t] = value;
    surface.face[t] = f;
  }
  // Two triangles, for the cell (x, y) of a region.
  __device__ void put_cell(const Place& place, std::uint32_t x, std::uint32_t y, float kind) const {
    const std::uint32_t corner = place.corner;
    const std::uint32_t f = mesh.face[corner];
    const std::uint32_t n = subdivision_cells(levels.faces[f]);
    if (place.region == Region::at_face) {
      x = n - 1 - x;
      y = n - 1 - y;
    }
    const SubdivisionPlaces of = places();
    const std::uint32_t around[4] = {of.of(corner, x, y), of.of(corner, x + 1, y),
                                     of.of(corner, x + 1, y + 1), of.of(corner, x, y + 1)};
    const std::uint32_t t =
        of.first_triangle(f) + 2 * ((corner - mesh.begin_of(corner)) * n * n + y * n + x);
    const float value = value_of(place, kind);
    put_triangle(t, f, around[0], around[1], around[2], value);
    put_triangle(t + 1, f, around[0], around[2], around[3], value);
  }
  // Whether this patch writes place (x, y) of a region.
  __device__ bool is_own(const Place& place, std::uint32_t x, std::uint32_t y) const {
    const std::uint32_t n = subdivision_cells(level_of(place.corner));
    const std::uint32_t half = n / 2;
    // A point between two patches belongs to the one that begins there; points on the outermost
    // sides, and between quarters, belong to patches without a centre.
    std::uint32_t last_x = ~0U, last_y = ~0U;
    if (place.region == Region::whole) last_x = last_y = n;
    if (place.region == Region::along_x) last_x = n, last_y = half;
    if (place.region == Region::along_y) last_x = half, last_y = n;
    if (x == place.x + place.cells && x != last_x) return false;
    if (y == place.y + place.cells && y != last_y) return false;
    if (place.region == Region::along_y && x == half && y == half) return false;
    if (place.region == Region::at_face) return places().is_own(place.corner, n - x, n - y);
    return places().is_own(place.corner, x, y);
  }
  __device__ void put_vertex(std::uint32_t i, Vec3 position, Vec3 normal) const {
    const float square = dot(normal, normal);
    const Vec3 unit =
        square > 0.0F && square < 3e38F ? normal * (1.0F / std::sqrt(square)) : Vec3{0, 0, 1};
    surface.vertices[i] = {position, unit, {0.0F, 0.0F}};
  }
};

}  // namespace warpview::WARPVIEW_BACKEND::subdivision
