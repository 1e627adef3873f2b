// Procedural spaceships: each grows from its nose backwards, box by box, by tasks that spawn tasks.
//
//   D. Ritchie, B. Mildenhall, N. Goodman, P. Hanrahan, "Controlling Procedural Modeling Programs
//   with Stochastically-Ordered Sequential Monte Carlo", ACM Transactions on Graphics (SIGGRAPH),
//   2015: ships of boxes as a program that draws random numbers.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial: its tasks, as a load for schedulers.
//
// This header defines the boxes of a ship, for the kernels and for the reference. A random number
// is a hash of the seed and of the path from the nose to the box that it is for, so it does not
// matter which thread draws it, or when. All of it is compiled without fused multiply-adds, so that
// every device computes the same numbers.
#pragma once

#include <cstdint>

#include "gpu/interop/draw_command.h"
#include "gpu/primitives/schedule/settings.h"
#include "gpu/runtime/vec.h"
#include "gpu/runtime/vertex.h"

namespace warpview {

class HostLoop;

// --- the parameter table

struct ShipRange {
  float least, most;
};

// A row: the parameters of one class of ships. Lengths are half sides of a box.
struct ShipClass {
  std::uint32_t fewest_bodies, most_bodies;
  ShipRange width, height, length;   // of a body, where the ship is widest
  float nose, stern;                 // widths of the ends, as fractions of that
  float widest;                      // where the ship is widest: 0 at the nose, 1 at the stern
  float wing_chance, top_chance;     // multiplied by those of ShipRules
  std::uint32_t most_wings;          // boxes of a wing
  ShipRange span, chord, thickness;  // of its first box: across, along and upwards
  float sweep, taper;                // from box to box: backwards, in chords; smaller
  std::uint32_t most_tops;           // boxes of a top
  ShipRange storey;                  // half the height of a top's box
  float share;                       // its width, as a fraction of what it stands on
};
inline constexpr std::uint32_t ship_classes = 4;

// The rules for all ships; in device memory, so that a captured graph reads new values.
struct ShipRules {
  std::uint32_t seed;
  std::uint32_t most_boxes;  // per ship
  float wings, tops;         // probabilities that a body has them, 0 to 1
  ShipClass classes[ship_classes];
};

inline constexpr ShipClass ship_table[ship_classes] = {
    // A fighter: slim, with broad wings swept back.
    {.fewest_bodies = 4,
     .most_bodies = 6,
     .width = {0.42F, 0.6F},
     .height = {0.32F, 0.45F},
     .length = {0.7F, 1.1F},
     .nose = 0.3F,
     .stern = 0.6F,
     .widest = 0.6F,
     .wing_chance = 1.3F,
     .top_chance = 0.7F,
     .most_wings = 5,
     .span = {0.45F, 0.8F},
     .chord = {0.6F, 1.0F},
     .thickness = {0.07F, 0.13F},
     .sweep = 0.5F,
     .taper = 0.8F,
     .most_tops = 2,
     .storey = {0.12F, 0.2F},
     .share = 0.6F},
    // A cruiser: a long wedge that is widest near its stern, with towers there.
    {.fewest_bodies = 8,
     .most_bodies = 13,
     .width = {1.1F, 1.5F},
     .height = {0.35F, 0.5F},
     .length = {0.45F, 0.8F},
     .nose = 0.12F,
     .stern = 0.75F,
     .widest = 0.85F,
     .wing_chance = 0.5F,
     .top_chance = 1.2F,
     .most_wings = 3,
     .span = {0.3F, 0.55F},
     .chord = {0.5F, 0.9F},
     .thickness = {0.12F, 0.2F},
     .sweep = 0.35F,
     .taper = 0.75F,
     .most_tops = 5,
     .storey = {0.16F, 0.3F},
     .share = 0.62F},
    // A freighter: a row of containers, with stubs of wings.
    {.fewest_bodies = 6,
     .most_bodies = 11,
     .width = {0.7F, 1.0F},
     .height = {0.55F, 0.8F},
     .length = {0.5F, 0.95F},
     .nose = 0.55F,
     .stern = 0.8F,
     .widest = 0.45F,
     .wing_chance = 0.8F,
     .top_chance = 1.0F,
     .most_wings = 2,
     .span = {0.3F, 0.5F},
     .chord = {0.35F, 0.6F},
     .thickness = {0.2F, 0.4F},
     .sweep = 0.1F,
     .taper = 0.85F,
     .most_tops = 3,
     .storey = {0.15F, 0.25F},
     .share = 0.7F},
    // A courier: long and thin, with long narrow wings.
    {.fewest_bodies = 7,
     .most_bodies = 12,
     .width = {0.35F, 0.5F},
     .height = {0.35F, 0.5F},
     .length = {0.5F, 0.9F},
     .nose = 0.4F,
     .stern = 0.5F,
     .widest = 0.7F,
     .wing_chance = 0.7F,
     .top_chance = 0.9F,
     .most_wings = 6,
     .span = {0.4F, 0.6F},
     .chord = {0.3F, 0.5F},
     .thickness = {0.06F, 0.12F},
     .sweep = 0.25F,
     .taper = 0.88F,
     .most_tops = 3,
     .storey = {0.14F, 0.26F},
     .share = 0.55F}};

// --- boxes

enum class ShipPart : std::uint32_t { body, engine, wing, tip, top, cockpit, fin };
inline constexpr std::uint32_t ship_parts = 7;

// A box's tag, one word: its part, its distance from the nose in steps, and its ship.
constexpr std::uint32_t most_ships = 1U << 20U;
constexpr std::uint32_t most_ship_steps = 1U << 8U;
HOST_DEVICE constexpr std::uint32_t ship_tag(ShipPart part, std::uint32_t step,
                                             std::uint32_t ship) {
  return static_cast<std::uint32_t>(part) | step << 4U | ship << 12U;
}
HOST_DEVICE constexpr ShipPart ship_part(std::uint32_t tag) {
  return static_cast<ShipPart>(tag & 15U);
}
HOST_DEVICE constexpr std::uint32_t ship_step(std::uint32_t tag) {
  return tag >> 4U & (most_ship_steps - 1);
}
HOST_DEVICE constexpr std::uint32_t ship_number(std::uint32_t tag) { return tag >> 12U; }

// In the ship's coordinate system: its nose is the origin, it flies along z, and y is up.
struct ShipBox {
  Aabb box;
  std::uint32_t tag;
};

// The procedures, in their order.
enum class ShipWork : std::uint32_t { body, wing, top, duplicate };
inline constexpr unsigned ship_procedures = 4;

// A box that is still to be made, and the length of its chain of bodies, of a wing or of a top.
struct ShipPiece {
  Vec3 centre, half;
  std::uint32_t ship;
  std::uint32_t key;   // the source of its random numbers
  std::uint32_t step;  // from the nose
  std::uint32_t row;   // of the table
  ShipPart part;
  std::uint32_t number, count;  // its place in its chain, and the chain's length
  std::uint32_t left;   // bodies: the ship's remaining boxes, including this one; wings: a fin's
  std::uint32_t place;  // this box's place among those of all ships
};

// --- steps

// n ships grow, each into a row of `stride` places, from its first one on: bodies from the nose
// backwards, each followed by its wing, then its top. A box's place thus depends only on the box.
// `counts` become the number of boxes of each ship, and counts[n] 0. Where items were refused
// (ScheduleStatus), boxes are missing and counts may be 0.
struct GrowShipsArgs {
  const ShipRules* rules = nullptr;  // in device memory; most_boxes: at most `stride`
  std::uint32_t n = 0;               // at most most_ships
  std::uint32_t stride = 0;          // n * stride: less than 2^31
  ShipBox* slots = nullptr;          // [n * stride]
  std::uint32_t* counts = nullptr;   // [n + 1]
  Scheduler scheduler{};
  ScheduleSettings settings{};  // capacity: by ShipWork
  HostLoop* host = nullptr;     // for schedulers with host_looks()
};

// The ships' boxes without gaps, each moved to its ship's position; empty boxes after the last.
struct GatherShipsArgs {
  const ShipBox* slots = nullptr;
  const std::uint32_t* first = nullptr;  // [n + 1]: prefix sums of the counts, from 0 on
  const Vec3* places = nullptr;          // [n], positions of the noses
  std::uint32_t n = 0, stride = 0;
  Aabb* boxes = nullptr;          // [n * stride]
  std::uint32_t* tags = nullptr;  // [n * stride]; unchanged after the last box
};

enum class ShipColouring : std::uint32_t { material, ship, step, rank };

// Boxes as 12 triangles each, with their normals: triangles 12 i to 12 i + 11 belong to box i. A
// null output is not written. `values`, from 0 to 1, are written unless `colouring` is `material`:
// a number that differs strongly from ship to ship; the step over the last step; or the place of
// the box in Morton order over the last place.
struct WriteShipsArgs {
  const std::uint32_t* count = nullptr;  // boxes, device memory
  const Aabb* boxes = nullptr;
  const std::uint32_t* tags = nullptr;
  const std::uint32_t* primitives = nullptr;  // boxes in Morton order
  std::uint32_t n = 0;                        // room for this many
  ShipColouring colouring{};
  std::uint32_t last_step = 1;
  Vertex* vertices = nullptr;         // [24 n]
  std::uint32_t* indices = nullptr;   // [36 n]
  std::uint32_t* material = nullptr;  // [12 n]: the part
  std::uint32_t* colours = nullptr;   // [36 n]: as Mesh::corner_colours
  float* values = nullptr;            // [12 n]
  DrawCommand* command = nullptr;
};
inline constexpr std::uint32_t box_triangles = 12;
inline constexpr std::uint32_t box_corners = 24;  // vertices: four for each side

}  // namespace warpview
