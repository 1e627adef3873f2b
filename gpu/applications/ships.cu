// Grows spaceships on a scheduler, and draws them: gpu/applications/ships.h.
#include "gpu/applications/ships.h"

#include <algorithm>

#include "gpu/applications/ship_pieces.h"
#include "gpu/applications/ships_procedures.h"
#include "gpu/primitives/schedule/schedulers.h"

namespace warpview::WARPVIEW_BACKEND {
namespace {

constexpr std::uint32_t box_indices = 3 * box_triangles;

// One thread per place.
__global__ void gather_ships_kernel(GatherShipsArgs args) {
  const std::uint32_t i = global_thread();
  if (i >= args.n * args.stride) return;
  const std::uint32_t ship = i / args.stride;
  const std::uint32_t within = i % args.stride;
  const std::uint32_t first = args.first[ship];
  if (within < args.first[ship + 1] - first) {
    const ShipBox from = args.slots[i];
    const Vec3 nose = args.places[ship];
    args.boxes[first + within] =
        Aabb{from.box.min + nose, from.box.max + nose}.with_positive_zeros();
    args.tags[first + within] = from.tag;
  }
  if (i >= args.first[args.n]) args.boxes[i] = Aabb::empty();
}

__device__ float value_of(const WriteShipsArgs& args, std::uint32_t tag) {
  if (args.colouring == ShipColouring::ship) return ship_hue(ship_number(tag));
  return static_cast<float>(ship_step(tag)) / static_cast<float>(args.last_step);
}

// One thread per corner of a triangle.
__global__ void write_ships_kernel(WriteShipsArgs args) {
  const std::uint32_t i = global_thread();
  const std::uint32_t count = *args.count;
  if (i == 0 && args.command) *args.command = {box_indices * count, 1, 0, 0, 0};
  const std::uint32_t box = i / box_indices;
  const std::uint32_t corner = i % box_indices;
  if (box >= count) return;
  const std::uint32_t tag = args.tags[box];
  if (args.indices) args.indices[i] = box_corners * box + box_index(corner);
  if (args.colours) args.colours[i] = ship_colour(tag);
  if (args.vertices && corner < box_corners)
    args.vertices[box_corners * box + corner] = box_vertex(args.boxes[box], corner);
  if (corner >= box_triangles) return;
  const std::uint32_t triangle = box_triangles * box + corner;
  if (args.material) args.material[triangle] = static_cast<std::uint32_t>(ship_part(tag));
  if (!args.values || args.colouring == ShipColouring::material) return;
  if (args.colouring != ShipColouring::rank) {
    args.values[triangle] = value_of(args, tag);
    return;
  }
  // By Morton order: this leaf may belong to another box, so the value is written for that box.
  args.values[box_triangles * args.primitives[box] + corner] =
      count > 1 ? static_cast<float>(box) / static_cast<float>(count - 1) : 0.0F;
}

}  // namespace

void grow_ships(Stream& stream, const GrowShipsArgs& args, Scratch& scratch) {
  const ships::Application application{args.rules, args.stride, args.slots, args.counts};
  if (!scratch.measuring())
    stream.fill(args.counts, 0, (std::size_t{args.n} + 1) * sizeof *args.counts);
  const schedule::Run run{stream, application, args.n, args.settings, scratch, args.host};
  schedule::run_by(args.scheduler, run);
}

void gather_ships(Stream& stream, const GatherShipsArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(gather_ships_kernel), one_thread_each(args.n * args.stride), args);
}

void write_ships(Stream& stream, const WriteShipsArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  launch(stream, KERNEL(write_ships_kernel), one_thread_each(box_indices * args.n), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
