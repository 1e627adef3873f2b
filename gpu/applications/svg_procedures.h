// Filled paths as procedures for the schedulers: gpu/applications/svg.h says what they compute.
//
//     begin --> Coarse wide, tall, square --> Coarse ...
//                 |
//                 +--> Fine
//
// A coarse task has a rectangle of tiles, the edges of one path that touch it, and the path's
// winding number at its upper left corner. It cuts the rectangle into 8 x 2, 2 x 8 or 8 x 8 cells
// and finds the same data for each. A cell that no edge touches is full or empty; the others are
// cut again, down to single tiles. A fine task has one tile, and finds which samples are inside.
#pragma once

#include "gpu/applications/svg.h"
#include "gpu/primitives/schedule/application.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::svg {

struct Application;

// A path's part in a rectangle of tiles.
struct Part {
  std::uint32_t path;
  std::uint32_t column, row, columns, rows;  // in tiles
  std::int32_t winding;                      // at its upper left corner; 0 with `all`
  std::uint32_t first, count;                // of its edges: places in the lists
  std::uint32_t all;                         // instead, all of the path's edges, from `first` on
  std::uint32_t level;
};

template <unsigned columns_, unsigned rows_, unsigned lanes>
struct Coarse : schedule::Procedure {
  static constexpr unsigned columns = columns_;
  static constexpr unsigned rows = rows_;
  static constexpr const char* name = columns == rows  ? "procedure_kernel<CoarseSquare>"
                                      : columns > rows ? "procedure_kernel<CoarseWide>"
                                                       : "procedure_kernel<CoarseTall>";
  static constexpr unsigned workers = lanes;
  using Item = Part;
  struct Shared {
    // For each cell: the number of edges that touch it; the place of its list, or of its first
    // tile's record, among those of all cells; and the winding number at its corner, first as a
    // change from the left.
    std::uint32_t counts[columns * rows], begins[columns * rows];
    std::int32_t windings[columns * rows];
    std::int32_t down[rows];  // change from the row above, at the left border
    std::int32_t at_corner;
    std::uint32_t list, fits, record;  // beginnings of lists and records; whether there is room
  };
  template <class Lanes, class Emit>
  __device__ static void execute(const Application& application, const Item& item,
                                 const Lanes& lanes_of, Shared& shared, const Emit& emit);
};
using CoarseWide = Coarse<8, 2, 16>;
using CoarseTall = Coarse<2, 8, 16>;
using CoarseSquare = Coarse<8, 8, 8>;

struct Fine : schedule::Procedure {
  static constexpr const char* name = "procedure_kernel<Fine>";
  static constexpr unsigned workers = 128;
  static constexpr unsigned group = 1;
  using Item = Part;  // of a single tile
  struct Shared {
    std::uint32_t mask[svg_mask_words(4)];
    std::uint32_t covered, place;
  };
  template <class Lanes, class Emit>
  __device__ static void execute(const Application& application, const Item& item,
                                 const Lanes& lanes, Shared& shared, const Emit&);
};

struct Application {
  using Procedures = schedule::Procedures<CoarseWide, CoarseTall, CoarseSquare, Fine>;

  SvgPaths paths;
  const SvgView* view;
  SvgEdges edges;
  SvgCounts* counts;
  std::uint32_t* lists;
  std::uint32_t list_room;
  std::uint64_t* keys;
  SvgRecord* records;
  std::uint32_t record_room;
  std::uint32_t* masks;
  std::uint32_t mask_room;
  std::uint32_t mask_words;

  __device__ const SvgEdge& edge(const Part& part, std::uint32_t k) const {
    return edges.edges[part.all != 0 ? part.first + k : lists[part.first + k]];
  }
  __device__ std::uint32_t tile(std::uint32_t column, std::uint32_t row) const {
    return row * view->columns + column;
  }
  // Records beyond the room are counted and dropped.
  __device__ void note(std::uint32_t place, std::uint32_t tile, std::uint32_t path,
                       const SvgRecord& record) const {
    if (place >= record_room) return;
    keys[place] = svg_key(tile, path);
    records[place] = record;
  }

  // A rectangle of tiles, cut according to its shape.
  template <class Emit>
  __device__ static void emit_coarse(const Emit& emit, const Part& part) {
    switch (svg_cut(part.columns, part.rows).work) {
      case SvgWork::coarse_wide:
        return emit(CoarseWide{}, part);
      case SvgWork::coarse_tall:
        return emit(CoarseTall{}, part);
      default:
        return emit(CoarseSquare{}, part);
    }
  }

  // A path: the tiles of its bounding box.
  template <class Emit>
  __device__ void begin(std::uint32_t i, const Emit& emit) const {
    if (i < view->first) return;
    const SvgOutline& outline = edges.outlines[i];
    // A path whose edges found no room is left out as a whole.
    if (outline.count == 0 || outline.first > edges.room ||
        outline.count > edges.room - outline.first)
      return;
    const auto units = static_cast<std::int32_t>(svg_tile_units(*view));
    const auto first = [units](std::int32_t low) {
      return low > 0 ? static_cast<std::uint32_t>(low / units) : 0U;
    };
    const auto end = [units](std::int32_t high, std::uint32_t most) {
      if (high < 0) return 0U;
      const auto at = static_cast<std::uint32_t>(high / units) + 1;
      return at < most ? at : most;
    };
    const std::uint32_t column = first(outline.low_x);
    const std::uint32_t row = first(outline.low_y);
    const std::uint32_t columns = end(outline.high_x, view->columns);
    const std::uint32_t rows = end(outline.high_y, view->rows);
    if (column >= columns || row >= rows) return;
    const Part part{i, column, row, columns - column, rows - row, 0, outline.first, outline.count,
                    1, 0};
    if (part.columns == 1 && part.rows == 1)
      emit(Fine{}, part);
    else
      emit_coarse(emit, part);
  }
};

// A cell of a part's rectangle.
struct Cell {
  std::uint32_t column, row, columns, rows;  // in tiles
};
__device__ inline Cell cell_of(const Part& part, const SvgCut& cut, unsigned column, unsigned row) {
  const std::uint32_t left = part.columns - column * cut.width;
  const std::uint32_t below = part.rows - row * cut.height;
  return {part.column + column * cut.width, part.row + row * cut.height,
          left < cut.width ? left : cut.width, below < cut.height ? below : cut.height};
}

// A coarse task's rectangle and its cells, for its phases.
template <class Procedure, class Lanes>
struct Cutting {
  static constexpr unsigned columns = Procedure::columns;
  static constexpr unsigned rows = Procedure::rows;
  static constexpr unsigned lanes = Procedure::workers;

  const Application& application;
  const Part& item;
  typename Procedure::Shared& shared;
  std::uint32_t rule;
  unsigned rank;
  SvgCut cut;
  std::int32_t units;
  unsigned used_columns, used_rows;  // cells that begin within the rectangle

  __device__ Cutting(const Application& of, const Part& part, const Lanes& lanes_of,
                     typename Procedure::Shared& memory)
      : application(of),
        item(part),
        shared(memory),
        rule(static_cast<std::uint32_t>(of.paths.paths[part.path].rule)),
        rank(lanes_of.rank()),
        cut(svg_cut(part.columns, part.rows)),
        units(static_cast<std::int32_t>(svg_tile_units(*of.view))),
        used_columns((part.columns + cut.width - 1) / cut.width),
        used_rows((part.rows + cut.height - 1) / cut.height) {}

  __device__ std::int32_t x_of(unsigned column) const {
    return static_cast<std::int32_t>(item.column + column * cut.width) * units;
  }
  __device__ std::int32_t y_of(unsigned row) const {
    return static_cast<std::int32_t>(item.row + row * cut.height) * units;
  }
  // Calls use(cell) for each cell that an edge may touch.
  template <class Use>
  __device__ void each_touched(const SvgEdge& edge, Use use) const {
    for (unsigned row = 0; row < used_rows; ++row) {
      if (!svg_touches(edge, x_of(0), y_of(row), x_of(used_columns), y_of(row + 1))) continue;
      for (unsigned column = 0; column < used_columns; ++column)
        if (svg_touches(edge, x_of(column), y_of(row), x_of(column + 1), y_of(row + 1)))
          use(row * columns + column);
    }
  }

  // 1. Clears the counts.
  __device__ void clear() const {
    for (unsigned i = rank; i < columns * rows; i += lanes) {
      shared.counts[i] = 0;
      shared.windings[i] = 0;
    }
    for (unsigned i = rank; i < rows; i += lanes) shared.down[i] = 0;
    if (rank == 0) shared.at_corner = item.winding;
  }

  // 2. Counts the cells that an edge touches, and adds its change of the winding number from corner
  // to corner: down along the left border, and from there to the right, row by row.
  __device__ void count(const SvgEdge& edge) const {
    each_touched(edge, [&](unsigned cell) { atomicAdd(&shared.counts[cell], 1U); });
    if (item.all != 0)
      if (const std::int32_t turn = svg_turn_from_left(edge, x_of(0), y_of(0)); turn != 0)
        atomicAdd(&shared.at_corner, turn);
    if (svg_parts_columns(edge, x_of(0)))
      for (unsigned row = 1; row < used_rows; ++row)
        if (const std::int32_t turn = svg_turn_down(edge, x_of(0), y_of(row - 1), y_of(row));
            turn != 0)
          atomicAdd(&shared.down[row], turn);
    for (unsigned row = 0; row < used_rows; ++row) {
      if (!svg_parts_rows(edge, y_of(row))) continue;
      for (unsigned column = 1; column < used_columns; ++column)
        if (const std::int32_t turn =
                svg_turn_right(edge, y_of(row), x_of(column - 1), x_of(column));
            turn != 0)
          atomicAdd(&shared.windings[row * columns + column], turn);
    }
  }

  // 3. Turns changes into winding numbers, and takes room for the lists and for the full tiles.
  // Called by one lane.
  __device__ void take_room() const {
    std::uint32_t places = 0;
    std::uint32_t full = 0;
    std::int32_t at_left = shared.at_corner;
    for (unsigned row = 0; row < used_rows; ++row) {
      std::int32_t winding = at_left += shared.down[row];
      for (unsigned column = 0; column < used_columns; ++column) {
        const unsigned i = row * columns + column;
        shared.windings[i] = winding += shared.windings[i];
        const Cell cell = cell_of(item, cut, column, row);
        if (shared.counts[i] > 0) {
          shared.begins[i] = places;
          places += shared.counts[i];
        } else if (svg_is_inside(rule, winding)) {
          shared.begins[i] = full;
          full += cell.columns * cell.rows;
        }
      }
    }
    shared.list = places > 0 ? atomicAdd(&application.counts->places, places) : 0;
    shared.fits =
        shared.list <= application.list_room && places <= application.list_room - shared.list;
    shared.record = full > 0 ? atomicAdd(&application.counts->records, full) : 0;
  }

  // 4. Lists each cell's edges, in any order. Begins advance to the lists' ends.
  __device__ void list_edges() const {
    for (std::uint32_t k = rank; k < item.count; k += lanes) {
      const std::uint32_t number =
          item.all != 0 ? item.first + k : application.lists[item.first + k];
      each_touched(application.edges.edges[number], [&](unsigned i) {
        application.lists[shared.list + atomicAdd(&shared.begins[i], 1U)] = number;
      });
    }
  }

  // 5. Decides a cell: all lanes record full tiles, and one lane emits cells that edges touch.
  template <class Emit>
  __device__ void decide(unsigned i, const Cell& cell, const Emit& emit) const {
    const std::uint32_t tiles = cell.columns * cell.rows;
    const std::uint32_t count = shared.counts[i];
    if (count == 0) {
      if (!svg_is_inside(rule, shared.windings[i])) return;
      for (std::uint32_t k = rank; k < tiles; k += lanes)
        application.note(
            shared.record + shared.begins[i] + k,
            application.tile(cell.column + k % cell.columns, cell.row + k / cell.columns),
            item.path, {svg_full, item.level + 1, 0});
      return;
    }
    if (shared.fits == 0 || rank != i % lanes) return;
    const Part part{item.path,
                    cell.column,
                    cell.row,
                    cell.columns,
                    cell.rows,
                    shared.windings[i],
                    shared.list + shared.begins[i] - count,
                    count,
                    0,
                    item.level + 1};
    if (tiles == 1)
      emit(Fine{}, part);
    else
      Application::emit_coarse(emit, part);
  }
};

template <unsigned columns_, unsigned rows_, unsigned lanes>
template <class Lanes, class Emit>
__device__ void Coarse<columns_, rows_, lanes>::execute(const Application& application,
                                                        const Item& item, const Lanes& lanes_of,
                                                        Shared& shared, const Emit& emit) {
  const Cutting<Coarse, Lanes> cutting(application, item, lanes_of, shared);
  cutting.clear();
  lanes_of.sync();
  for (std::uint32_t k = cutting.rank; k < item.count; k += lanes)
    cutting.count(application.edge(item, k));
  lanes_of.sync();
  if (cutting.rank == 0) cutting.take_room();
  lanes_of.sync();
  if (shared.fits != 0) cutting.list_edges();
  lanes_of.sync();
  for (unsigned row = 0; row < cutting.used_rows; ++row)
    for (unsigned column = 0; column < cutting.used_columns; ++column)
      cutting.decide(row * columns + column, cell_of(item, cutting.cut, column, row), emit);
}

template <class Lanes, class Emit>
__device__ void Fine::execute(const Application& application, const Item& item, const Lanes& lanes,
                              Shared& shared, const Emit&) {
  const SvgView& view = *application.view;
  const auto rule = static_cast<std::uint32_t>(application.paths.paths[item.path].rule);
  const unsigned rank = lanes.rank();
  const std::uint32_t along = svg_tile * view.side;  // samples
  const std::uint32_t words = application.mask_words;
  const auto x0 = static_cast<std::int32_t>(item.column * along * svg_unit);
  const auto y0 = static_cast<std::int32_t>(item.row * along * svg_unit);

  for (unsigned i = rank; i < words; i += lanes.count()) shared.mask[i] = 0;
  if (rank == 0) shared.covered = 0;
  lanes.sync();

  // The winding number at a sample: from the corner down to its row, and along the row to it. With
  // `all`, from far away at its left.
  for (std::uint32_t sample = rank; sample < along * along; sample += lanes.count()) {
    const std::uint32_t column = sample % along;
    const std::uint32_t row = sample / along;
    if (item.column * along + column >= view.width * view.side ||
        item.row * along + row >= view.height * view.side)
      continue;
    const std::int32_t x = x0 + static_cast<std::int32_t>(column * svg_unit + svg_unit / 2);
    const std::int32_t y = y0 + static_cast<std::int32_t>(row * svg_unit + svg_unit / 2);
    std::int32_t winding = item.winding;
    for (std::uint32_t k = 0; k < item.count; ++k) {
      const SvgEdge edge = application.edge(item, k);
      winding += item.all != 0 ? svg_turn_from_left(edge, x, y)
                               : svg_turn_down(edge, x0, y0, y) + svg_turn_right(edge, y, x0, x);
    }
    if (!svg_is_inside(rule, winding)) continue;
    atomicOr(&shared.mask[sample / 32], 1U << sample % 32);
    atomicAdd(&shared.covered, 1U);
  }
  lanes.sync();
  if (shared.covered == 0) return;

  const bool is_full = shared.covered == along * along;
  if (rank == 0) {
    shared.place = is_full ? svg_full : atomicAdd(&application.counts->masks, 1U);
    application.note(atomicAdd(&application.counts->records, 1U),
                     application.tile(item.column, item.row), item.path,
                     {shared.place, item.level, item.count});
  }
  lanes.sync();
  if (is_full || shared.place >= application.mask_room) return;
  for (unsigned i = rank; i < words; i += lanes.count())
    application.masks[std::size_t{shared.place} * words + i] = shared.mask[i];
}

}  // namespace warpview::WARPVIEW_BACKEND::svg
