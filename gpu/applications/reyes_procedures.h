// Reyes as procedures for the schedulers: gpu/applications/reyes.h says what they compute.
//
//     begin --> Check --> Split U, Split V --> Check ...
//                 |
//                 +--> Dice and shade --> Blend
//
// They differ in lanes and memory: Check has 16 lanes, one per control point; the splits have 4,
// one per row or column; Dice has a block of 256, one thread per point of the grid; Blend has a
// single lane per sample.
#pragma once

#include "gpu/applications/reyes.h"
#include "gpu/primitives/schedule/application.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::reyes {

struct Application;

// Near pieces come before far ones.
struct OfPieces : schedule::Procedure {
  using Item = ReyesPiece;
  static constexpr unsigned levels = reyes_levels;
  __device__ static std::uint32_t level(const Item& item) { return item.level; }
};

struct Check : OfPieces {
  static constexpr const char* name = "procedure_kernel<Check>";
  static constexpr unsigned workers = 16;
  struct Shared {
    ReyesPoint points[16];  // of the control net, on the screen
    float lengths[8];       // of its rows, then of its columns
  };
  template <class Lanes, class Emit>
  __device__ static void execute(const Application& application, const Item& item,
                                 const Lanes& lanes, Shared& shared, const Emit& emit);
};

struct Halves {
  ReyesPiece half;
};
// Splits along u: row by row; along v: column by column.
template <bool along_u>
struct Split : OfPieces {
  static constexpr const char* name =
      along_u ? "procedure_kernel<SplitU>" : "procedure_kernel<SplitV>";
  static constexpr unsigned workers = 4;
  using Shared = Halves;
  template <class Lanes, class Emit>
  __device__ static void execute(const Application& application, const Item& item,
                                 const Lanes& lanes, Shared& shared, const Emit& emit);
};
using SplitU = Split<true>;
using SplitV = Split<false>;

struct Dice : OfPieces {
  static constexpr const char* name = "procedure_kernel<Dice>";
  static constexpr unsigned workers = reyes_grid * reyes_grid;
  static constexpr unsigned group = 1;
  struct Shared {
    ReyesCorner corners[reyes_grid * reyes_grid];
    float depths[reyes_grid * reyes_grid];
  };
  template <class Lanes, class Emit>
  __device__ static void execute(const Application& application, const Item& item,
                                 const Lanes& lanes, Shared& shared, const Emit& emit);
};

struct Blend : schedule::Procedure {
  static constexpr const char* name = "procedure_kernel<Blend>";
  struct Item {
    std::uint32_t sample, depth, colour;
  };
  template <class Lanes, class Emit>
  __device__ static void execute(const Application& application, const Item& item, const Lanes&,
                                 schedule::NoShared&, const Emit&);
};

struct Application {
  using Procedures = schedule::Procedures<Check, SplitU, SplitV, Dice, Blend>;

  const BezierPatch* patches;
  const std::uint32_t* colours;
  const ReyesView* view;
  std::uint64_t* samples;
  std::uint32_t* micropolygons;

  template <class Emit>
  __device__ void begin(std::uint32_t i, const Emit& emit) const {
    ReyesPiece piece{patches[i], i, 0, scramble(i), 0, 0, 0};
    float nearest = reyes_clip(*view, piece.patch.points[0]).w;
    for (const Vec3 p : piece.patch.points) {
      const ReyesPoint clip = reyes_clip(*view, p);
      if (!reyes_is_measurable(clip)) return;
      nearest = min_of(clip.w, nearest);
    }
    piece.level = reyes_level(*view, nearest);
    emit(Check{}, piece);
  }
};

template <class Lanes, class Emit>
__device__ void Check::execute(const Application& application, const Item& item, const Lanes& lanes,
                               Shared& shared, const Emit& emit) {
  const ReyesView& view = *application.view;
  const unsigned rank = lanes.rank();
  const Vec3 own = item.patch.points[rank];
  const ReyesPoint clip = reyes_clip(view, own);
  const std::uint32_t outside = reyes_outside(view, clip);
  const std::uint32_t outside_all =
      lanes.reduce(outside, [](std::uint32_t a, std::uint32_t b) { return a & b; });
  const std::uint32_t outside_any =
      lanes.reduce(outside, [](std::uint32_t a, std::uint32_t b) { return a | b; });
  const float nearest = lanes.reduce(clip.w, [](float a, float b) { return min_of(a, b); });
  const bool is_before = (outside_any & 16U) == 0;
  shared.points[rank] = is_before ? reyes_screen(view, clip) : ReyesPoint{own.x, own.y, own.z};
  lanes.sync();
  // The length of a row or column; in the world it has three coordinates.
  if (rank < 8) {
    const unsigned first = rank < 4 ? 4 * rank : rank - 4;
    const unsigned step = rank < 4 ? 1 : 4;
    float sum = 0.0F;
    for (unsigned k = 0; k < 3; ++k) {
      const ReyesPoint a = shared.points[first + k * step];
      const ReyesPoint b = shared.points[first + (k + 1) * step];
      const Vec3 way{b.x - a.x, b.y - a.y, is_before ? 0.0F : b.w - a.w};
      sum += std::sqrt(dot(way, way));
    }
    shared.lengths[rank] = sum;
  }
  lanes.sync();
  if (rank > 0) return;
  float longest[2] = {0.0F, 0.0F};
  for (unsigned k = 0; k < 8; ++k) longest[k / 4] = max_of(longest[k / 4], shared.lengths[k]);
  const ReyesFate fate =
      reyes_fate(view, item.splits, outside_all, outside_any, longest[0], longest[1]);
  if (fate == ReyesFate::dropped) return;
  ReyesPiece piece = item;
  piece.level = reyes_level(view, nearest);
  piece.columns = reyes_cells(view, longest[0]);
  piece.rows = reyes_cells(view, longest[1]);
  if (fate == ReyesFate::diced)
    emit(Dice{}, piece);
  else if (fate == ReyesFate::split_u)
    emit(SplitU{}, piece);
  else
    emit(SplitV{}, piece);
}

template <bool along_u>
template <class Lanes, class Emit>
__device__ void Split<along_u>::execute(const Application&, const Item& item, const Lanes& lanes,
                                        Shared& shared, const Emit& emit) {
  const unsigned rank = lanes.rank();
  const auto place = [rank](unsigned k) { return along_u ? 4 * rank + k : 4 * k + rank; };
  Vec3 row[4], first[4], second[4];
  for (unsigned k = 0; k < 4; ++k) row[k] = item.patch.points[place(k)];
  reyes_halve(row, first, second);
  for (unsigned half = 0; half < 2; ++half) {
    for (unsigned k = 0; k < 4; ++k)
      shared.half.patch.points[place(k)] = half == 0 ? first[k] : second[k];
    if (rank == 0) {
      shared.half.number = item.number;
      shared.half.splits = item.splits + 1;
      shared.half.key = reyes_child_key(item.key, half);
      shared.half.level = item.level;
      shared.half.columns = shared.half.rows = 0;
    }
    lanes.sync();
    if (rank == 0) emit(Check{}, shared.half);
    lanes.sync();
  }
}

template <class Lanes, class Emit>
__device__ void Dice::execute(const Application& application, const Item& item, const Lanes& lanes,
                              Shared& shared, const Emit& emit) {
  const ReyesView& view = *application.view;
  const unsigned rank = lanes.rank();
  const unsigned points = item.columns + 1;  // per row
  const unsigned column = rank % points;
  const unsigned row = rank / points;
  const bool is_quad = column < item.columns && row < item.rows;
  const unsigned quad = row * reyes_grid + column;
  Vec3 shaded{};
  if (row <= item.rows) {
    const float u = static_cast<float>(column) / static_cast<float>(item.columns);
    const float v = static_cast<float>(row) / static_cast<float>(item.rows);
    const ReyesSurface at = reyes_evaluate(item.patch, u, v);
    const ReyesPoint point = reyes_screen(view, reyes_clip(view, at.place));
    shared.corners[rank] = reyes_corner(point);
    shared.depths[rank] = point.w;
    if (is_quad)
      shaded = reyes_shade(view, at.place, reyes_normal(item.patch, at, u, v),
                           reyes_base_colour(view, item, application.colours[item.number], quad));
  }
  if (rank == 0) atomicAdd(application.micropolygons, item.columns * item.rows);
  lanes.sync();
  if (!is_quad) return;
  const unsigned around[4] = {rank, rank + 1, rank + points + 1, rank + points};
  ReyesCorner corners[4];
  float depth = 0.0F;
  for (unsigned k = 0; k < 4; ++k) {
    corners[k] = shared.corners[around[k]];
    depth += shared.depths[around[k]];
  }
  const Blend::Item sample{0, std::bit_cast<std::uint32_t>(depth * 0.25F), reyes_encoded(shaded)};
  // The stored depth may get nearer meanwhile, but never farther away: no visible sample is
  // skipped.
  const std::uint64_t own = reyes_sample(sample.depth, sample.colour);
  reyes_each_sample(view, corners, [&](std::uint32_t place) {
    if (view.skips_hidden != 0 && load_relaxed(&application.samples[place]) <= own) return;
    emit(Blend{}, {place, sample.depth, sample.colour});
  });
}

template <class Lanes, class Emit>
__device__ void Blend::execute(const Application& application, const Item& item, const Lanes&,
                               schedule::NoShared&, const Emit&) {
  atomicMin(&application.samples[item.sample], reyes_sample(item.depth, item.colour));
}

}  // namespace warpview::WARPVIEW_BACKEND::reyes
