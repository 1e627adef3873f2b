#include "scenes/parts/grid.h"

#include <algorithm>

namespace warpview {
namespace {

constexpr CellKind all_kinds[] = {CellKind::hashed, CellKind::morton, CellKind::box,
                                  CellKind::table,  CellKind::lists,  CellKind::all};

SpatialHashArgs shape_of(std::uint32_t n, const Grid::Space& space, const GridBox& box) {
  return {.n = n,
          .radius = space.radius,
          .cell_side = space.cell_side,
          .slots = cell_slots(n),
          .box = box};
}

// Size of the largest table that some kind needs.
std::size_t table_bytes(std::uint32_t n, const Grid::Space& space, const GridBox& box,
                        bool with_box) {
  const SpatialHashArgs args = shape_of(n, space, box);
  std::size_t most = 0;
  for (const CellKind kind : all_kinds)
    if (!needs_box(kind) || with_box) most = std::max(most, cell_table_bytes(args, kind));
  return most;
}

// Whether a box of cells is no larger than some times the particles.
bool is_reasonable(std::uint32_t n, const GridBox& box) {
  const double cells = double(box.count.x) * double(box.count.y) * double(box.count.z);
  constexpr double cells_each = 64.0;
  return cells <= most_cells && cells <= cells_each * std::max(n, 1U << 16U);
}

}  // namespace

std::uint64_t Grid::bytes_needed(std::uint32_t n, const Space& space) {
  const GridBox box = cell_box(space.world, space.radius, space.cell_side);
  return std::uint64_t{n} * (2 * sizeof(Vec4) + sizeof(std::uint32_t)) +
         table_bytes(n, space, box, is_reasonable(n, box));
}

Grid::Grid(Timeline& timeline, const Particles& particles, const Space& space, const char* variant,
           const std::string& prefix)
    : timeline_(timeline),
      particles_(particles),
      space_(space),
      box_(cell_box(space.world, space.radius, space.cell_side)),
      has_box_(is_reasonable(particles.n, box_)) {
  Device& device = timeline.device();
  order_ = {device, particles.n};
  positions_ = {device, particles.n};
  payload_ = {device, particles.n};
  table_ = {device, table_bytes(particles.n, space, box_, has_box_)};

  cells_stage_ = timeline.add(
      {.name = prefix + "cells",
       .title = "Cells",
       .about = "Sorts the particles into the cells of a grid, so that each finds its neighbours "
                "in 27 cells.",
       .primitive = Primitive::spatial_hash,
       .initial = has_box_ ? variant : "sort",
       .queue = [this](const StageRun& run) { run.run<Primitive::spatial_hash>(args()); },
       .work =
           [this] {
             const double each = least_bytes(Primitive::spatial_hash, {.value = 0.0});
             return StageWork{particles_.n, static_cast<std::uint64_t>(each * particles_.n)};
           },
       .why_not = [this](VariantId id) -> std::string {
         const CellKind chosen = cell_kind(id->traits);
         if (needs_box(chosen) && !has_box_)
           return "needs a cell for every place of the world, which are too many";
         if (chosen == CellKind::all && particles_.n > most_particles_for_all)
           return "takes at most " + std::to_string(most_particles_for_all) + " particles";
         return {};
       }});
  // They run inside the stage before.
  const auto inside = [&](const char* name, const char* title, const char* about,
                          Primitive primitive) {
    return timeline.add({.name = prefix + name,
                         .title = title,
                         .about = about,
                         .primitive = primitive,
                         .queue = [](const StageRun&) {},
                         .work = [] { return StageWork{}; },
                         .done_by = [this] { return std::optional(cells_stage_); }});
  };
  sort_ = inside("cells.sort", "Cell sort", "The sort that a variant of Cells runs inside.",
                 Primitive::sort);
  scan_ = inside("cells.scan", "Cell scan", "The scan that a variant of Cells runs inside.",
                 Primitive::scan);
}

std::uint64_t Grid::slots() const {
  switch (kind()) {
    case CellKind::all:
      return 0;
    case CellKind::box:
      return std::uint64_t(box_.count.x) * std::uint64_t(box_.count.y) *
             std::uint64_t(box_.count.z);
    default:
      return cell_slots(particles_.n);
  }
}

SpatialHashArgs Grid::args() const {
  const BackendTable& table = timeline_.device().table();
  SpatialHashArgs args = shape_of(particles_.n, space_, box_);
  args.positions = particles_.positions;
  args.payload = particles_.payload;
  args.sort = table.get<Primitive::sort>(timeline_.chosen(sort_).value());
  args.scan = table.get<Primitive::scan>(timeline_.chosen(scan_).value());
  args.order = order_.data();
  args.sorted_positions = positions_.data();
  args.sorted_payload = payload_.data();
  args.table = table_.data();
  return args;
}

}  // namespace warpview
