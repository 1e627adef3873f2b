// Procedural spaceships: each grows from its nose backwards, box by box, by tasks that beget tasks.
//
//   D. Ritchie, B. Mildenhall, N. Goodman, P. Hanrahan, "Controlling Procedural Modeling Programs
//   with Stochastically-Ordered Sequential Monte Carlo", ACM Transactions on Graphics (SIGGRAPH),
//   2015: ships of boxes as a program that draws random numbers.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial: its tasks, as a load for schedulers.
//
// What a ship is made of is said here, for the kernels and for the reference. A random number is a
// hash of the seed and of the way from the nose to the box that it is for, so that it does not
// matter who draws it, and when. All of it is compiled without fused multiply-adds, so that every
// device comes to the same numbers.
#pragma once

#include <cstdint>

#include "gpu/interop/draw_command.h"
#include "gpu/primitives/schedule/settings.h"
#include "gpu/runtime/vec.h"
#include "gpu/runtime/vertex.h"
#include "gpu/steps/random.h"

namespace warpview {

class HostLoop;

// --- the parameter table

struct ShipRange {
  float least, most;
};

// A row: what ships of one class are like. Lengths are halves of a box's sides.
struct ShipClass {
  std::uint32_t fewest_bodies, most_bodies;
  ShipRange width, height, length;   // of a body, where the ship is widest
  float nose, stern;                 // how wide the ends are, as shares of that
  float widest;                      // where it is widest: 0 at the nose, 1 at the stern
  float wing_chance, top_chance;     // times those of ShipRules
  std::uint32_t most_wings;          // boxes of a wing
  ShipRange span, chord, thickness;  // of its first box: across, along and upwards
  float sweep, taper;                // from box to box: backwards, in chords; smaller
  std::uint32_t most_tops;           // boxes of a top
  ShipRange storey;                  // half its height
  float share;                       // of what it stands on
};
inline constexpr std::uint32_t ship_classes = 4;

// What all ships follow; in device memory, so that a captured graph reads the new values.
struct ShipRules {
  std::uint32_t seed;
  std::uint32_t most_boxes;  // of a ship
  float wings, tops;         // how likely a body has them, 0 to 1
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

// What a box is, in a word: its part, its distance from the nose in steps, and whose it is.
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

// In the ship's own space: its nose is the origin, it flies along z, and y is up.
struct ShipBox {
  Aabb box;
  std::uint32_t tag;
};

// The procedures, in their order.
enum class ShipWork : std::uint32_t { body, wing, top, duplicate };
inline constexpr unsigned ship_procedures = 4;

// A box that is still to be made, with what is behind it in its chain of bodies, of a wing or of a
// top.
struct ShipPiece {
  Vec3 centre, half;
  std::uint32_t ship;
  std::uint32_t key;   // from which its random numbers come
  std::uint32_t step;  // from the nose
  std::uint32_t row;   // of the table
  ShipPart part;
  std::uint32_t number, count;  // its place in its chain, and how long this is
  std::uint32_t left;  // bodies: of the ship's boxes, this one and all that follow; wings: of a fin
  std::uint32_t place;  // of this box, among those of all ships
};

// --- steps

// n ships grow, each into a row of `stride` places, from its first one on: bodies from the nose
// backwards, behind each its wing, then its top. So where a box goes depends on what it is alone.
// `counts` become how many each has, and counts[n] 0; where items were refused (ScheduleStatus),
// boxes are missing and counts may be 0.
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

// The ships' boxes without the places between them, each where its ship is; empty boxes behind the
// last.
struct GatherShipsArgs {
  const ShipBox* slots = nullptr;
  const std::uint32_t* first = nullptr;  // [n + 1]: prefix sums of the counts, from 0 on
  const Vec3* places = nullptr;          // [n], of the noses
  std::uint32_t n = 0, stride = 0;
  Aabb* boxes = nullptr;          // [n * stride]
  std::uint32_t* tags = nullptr;  // likewise; behind the last box as they were
};

enum class ShipColouring : std::uint32_t { material, ship, step, rank };

// Boxes as 12 triangles each, with their normals: triangles 12 i to 12 i + 11 are those of box i.
// A null output is not written. `values` are written where `colouring` is not `material`, from 0 to
// 1: a number that differs most from ship to ship; the step, over the last one; the place of the
// box in Morton order, over the last one.
struct WriteShipsArgs {
  const std::uint32_t* count = nullptr;  // boxes, device memory
  const Aabb* boxes = nullptr;
  const std::uint32_t* tags = nullptr;
  const std::uint32_t* primitives = nullptr;  // boxes in Morton order
  std::uint32_t n = 0;                        // that there is room for
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

// --- for kernels and for the reference

// From 0 to less than 1: the `which`-th number of a key.
HOST_DEVICE constexpr float ship_random(std::uint32_t key, std::uint32_t which) {
  return static_cast<float>(scramble(key + which * 0x9e3779b9U) >> 8U) * 0x1p-24F;
}
HOST_DEVICE constexpr float ship_drawn(ShipRange range, std::uint32_t key, std::uint32_t which) {
  return range.least + (range.most - range.least) * ship_random(key, which);
}
// A whole number from `least` to `most`.
HOST_DEVICE constexpr std::uint32_t ship_drawn(std::uint32_t least, std::uint32_t most,
                                               std::uint32_t key, std::uint32_t which) {
  return least + scramble(key + which * 0x9e3779b9U) % (most - least + 1);
}
// Of what a box begets.
HOST_DEVICE constexpr std::uint32_t ship_child_key(std::uint32_t key, ShipWork kind) {
  return scramble(key ^ (0xa511e9b3U + static_cast<std::uint32_t>(kind)));
}

// How wide a ship is, as a share of its largest width: from the nose, at 0, to the stern, at 1.
HOST_DEVICE constexpr float ship_profile(const ShipClass& of, float at) {
  if (at < of.widest) {
    const float off = 1.0F - at / of.widest;
    return 1.0F - (1.0F - of.nose) * off * off;
  }
  const float off = (at - of.widest) / (1.0F - of.widest);
  return 1.0F - (1.0F - of.stern) * off * off;
}

// Which numbers of a key are for what. Of a ship's own key:
enum class ShipDraw : std::uint32_t { row, bodies, width, height };
// Of a box's.
enum class BoxDraw : std::uint32_t {
  width,
  height,
  length,
  neck,
  wing,
  wings,
  wing_height,
  wing_along,
  span,
  chord,
  thickness,
  tip,
  fin,
  fins,
  top,
  tops,
  top_along,
  storey,
  mast
};
HOST_DEVICE constexpr std::uint32_t which(ShipDraw draw) {
  return static_cast<std::uint32_t>(draw);
}
HOST_DEVICE constexpr std::uint32_t which(BoxDraw draw) {
  return 16U + static_cast<std::uint32_t>(draw);
}
HOST_DEVICE constexpr std::uint32_t ship_key(std::uint32_t seed, std::uint32_t ship) {
  return scramble(ship ^ scramble(seed));
}

// Sizes of a body, from the row of its ship's table. Every fourth or so is a neck: slimmer.
HOST_DEVICE constexpr Vec3 ship_body_half(const ShipRules& rules, const ShipPiece& body) {
  const ShipClass& of = rules.classes[body.row];
  const std::uint32_t ship = ship_key(rules.seed, body.ship);
  const float at = static_cast<float>(body.number) / static_cast<float>(body.count - 1);
  const float profile = ship_profile(of, at);
  const bool is_end = body.number == 0 || body.number + 1 == body.count;
  const bool is_neck = !is_end && ship_random(body.key, which(BoxDraw::neck)) < 0.22F;
  const float slim = is_neck ? 0.62F : 1.0F;
  const float high = 0.5F + 0.5F * profile;
  const float width = ship_drawn(of.width, ship, which(ShipDraw::width));
  const float height = ship_drawn(of.height, ship, which(ShipDraw::height));
  const float length = ship_drawn(of.length, body.key, which(BoxDraw::length));
  return {width * profile * slim * ship_drawn({0.86F, 1.14F}, body.key, which(BoxDraw::width)),
          height * high * slim * ship_drawn({0.86F, 1.14F}, body.key, which(BoxDraw::height)),
          body.part == ShipPart::engine ? 0.35F * length
          : is_neck                     ? 0.6F * length
                                        : length};
}

// The nose of a ship.
HOST_DEVICE constexpr ShipPiece ship_nose(const ShipRules& rules, std::uint32_t ship) {
  const std::uint32_t key = ship_key(rules.seed, ship);
  const std::uint32_t row = ship_drawn(0, ship_classes - 1, key, which(ShipDraw::row));
  const ShipClass& of = rules.classes[row];
  ShipPiece nose{};
  nose.ship = ship;
  nose.key = ship_child_key(key, ShipWork::body);
  nose.row = row;
  nose.part = ShipPart::body;
  nose.count = ship_drawn(of.fewest_bodies, of.most_bodies, key, which(ShipDraw::bodies));
  nose.left = rules.most_boxes;
  nose.half = ship_body_half(rules, nose);
  nose.centre = {0.0F, 0.0F, -nose.half.z};
  return nose;
}

// The body behind another one. The last one is the engine.
HOST_DEVICE constexpr ShipPiece ship_next_body(const ShipRules& rules, const ShipPiece& before) {
  ShipPiece next = before;
  next.key = ship_child_key(before.key, ShipWork::body);
  ++next.step;
  ++next.number;
  if (next.number + 1 == next.count) next.part = ShipPart::engine;
  next.half = ship_body_half(rules, next);
  if (next.part == ShipPart::engine) {
    next.half.x = before.half.x * 0.72F;
    next.half.y = before.half.y * 0.72F;
  }
  next.centre.z = before.centre.z - before.half.z - next.half.z;
  return next;
}

// Of how many boxes the wing of a body would be; 0: it has none. Nose and engine have none.
HOST_DEVICE constexpr std::uint32_t ship_wing_length(const ShipRules& rules,
                                                     const ShipPiece& body) {
  const ShipClass& of = rules.classes[body.row];
  if (body.number == 0 || body.part == ShipPart::engine) return 0;
  const float chance = rules.wings < 1.0F ? rules.wings * of.wing_chance : 1.0F;
  if (!(ship_random(body.key, which(BoxDraw::wing)) < chance)) return 0;
  return ship_drawn(1, of.most_wings, body.key, which(BoxDraw::wings));
}
// And of how many the fin at its tip.
HOST_DEVICE constexpr std::uint32_t ship_fin_length(const ShipRules& rules, const ShipPiece& body) {
  const float chance = 0.7F * rules.tops;
  if (!(ship_random(body.key, which(BoxDraw::fin)) < chance)) return 0;
  return ship_drawn(1, 2, body.key, which(BoxDraw::fins));
}
// Of how many boxes the top of a body would be.
HOST_DEVICE constexpr std::uint32_t ship_top_length(const ShipRules& rules, const ShipPiece& body) {
  const ShipClass& of = rules.classes[body.row];
  if (body.number == 0 || body.part == ShipPart::engine) return 0;
  const float chance = rules.tops < 1.0F ? rules.tops * of.top_chance : 1.0F;
  if (!(ship_random(body.key, which(BoxDraw::top)) < chance)) return 0;
  return ship_drawn(1, of.most_tops, body.key, which(BoxDraw::tops));
}

// The last box of a wing may be a long one: a gun, or an engine.
HOST_DEVICE constexpr void ship_make_tip(ShipPiece& wing) {
  if (wing.number + 1 < wing.count || wing.count < 2 ||
      ship_random(wing.key, which(BoxDraw::tip)) < 0.3F)
    return;
  wing.part = ShipPart::tip;
  wing.half = {0.4F * wing.half.x, 1.5F * wing.half.y, 1.5F * wing.half.z};
}
// The first box of a body's wing, to its right, of `count` boxes.
HOST_DEVICE constexpr ShipPiece ship_wing(const ShipRules& rules, const ShipPiece& body,
                                          std::uint32_t count) {
  const ShipClass& of = rules.classes[body.row];
  ShipPiece wing = body;
  wing.key = ship_child_key(body.key, ShipWork::wing);
  ++wing.step;
  wing.part = ShipPart::wing;
  wing.number = 0;
  wing.count = count;
  wing.half = {ship_drawn(of.span, wing.key, which(BoxDraw::span)),
               ship_drawn(of.thickness, wing.key, which(BoxDraw::thickness)),
               ship_drawn(of.chord, wing.key, which(BoxDraw::chord))};
  const float up = 0.7F * ship_random(wing.key, which(BoxDraw::wing_height)) - 0.45F;
  const float along = ship_random(wing.key, which(BoxDraw::wing_along)) - 0.5F;
  wing.centre = {body.half.x + wing.half.x, body.centre.y + up * body.half.y,
                 body.centre.z + along * body.half.z};
  ship_make_tip(wing);
  return wing;
}
// The next one out.
HOST_DEVICE constexpr ShipPiece ship_next_wing(const ShipRules& rules, const ShipPiece& before) {
  const ShipClass& of = rules.classes[before.row];
  ShipPiece next = before;
  next.key = ship_child_key(before.key, ShipWork::wing);
  ++next.step;
  ++next.number;
  next.half = {before.half.x * ship_drawn({0.75F, 1.0F}, next.key, which(BoxDraw::span)),
               before.half.y * of.taper, before.half.z * of.taper};
  // Swept back, but never away from the box that it hangs on.
  next.centre.z = before.centre.z - of.sweep * before.half.z;
  const float outer = before.centre.x + before.half.x;
  ship_make_tip(next);
  next.centre.x = outer + next.half.x;
  return next;
}

// The first box of a top of `count` boxes: on a body, or as a fin on the tip of a wing.
HOST_DEVICE constexpr ShipPiece ship_top(const ShipRules& rules, const ShipPiece& under,
                                         std::uint32_t count) {
  const ShipClass& of = rules.classes[under.row];
  const bool is_fin = under.part == ShipPart::wing || under.part == ShipPart::tip;
  ShipPiece top = under;
  top.key = ship_child_key(under.key, ShipWork::top);
  ++top.step;
  top.number = 0;
  top.count = count;
  // What one looks out of is near the nose.
  top.part = is_fin                            ? ShipPart::fin
             : 3 * under.number <= under.count ? ShipPart::cockpit
                                               : ShipPart::top;
  const float storey = ship_drawn(of.storey, top.key, which(BoxDraw::storey));
  const float back = ship_random(top.key, which(BoxDraw::top_along)) * (1.0F - of.share);
  if (is_fin)
    top.half = {0.35F * under.half.x, 1.3F * storey, 0.6F * under.half.z};
  else
    top.half = {of.share * under.half.x, top.part == ShipPart::cockpit ? 0.7F * storey : storey,
                of.share * under.half.z};
  top.centre = {under.centre.x, under.centre.y + under.half.y + top.half.y,
                under.centre.z - back * under.half.z};
  return top;
}
// The next one up. The highest of several may be a mast.
HOST_DEVICE constexpr ShipPiece ship_next_top(const ShipRules& rules, const ShipPiece& before) {
  const ShipClass& of = rules.classes[before.row];
  ShipPiece next = before;
  next.key = ship_child_key(before.key, ShipWork::top);
  ++next.step;
  ++next.number;
  if (next.part == ShipPart::cockpit) next.part = ShipPart::top;
  const bool is_mast = next.part == ShipPart::top && next.number + 1 == next.count &&
                       ship_random(next.key, which(BoxDraw::mast)) < 0.5F;
  const float smaller = next.part == ShipPart::fin ? 0.7F : is_mast ? 0.14F : 0.78F;
  next.half = {before.half.x * smaller,
               ship_drawn(of.storey, next.key, which(BoxDraw::storey)) * (is_mast ? 1.6F : 0.85F),
               before.half.z * smaller};
  next.centre.y = before.centre.y + before.half.y + next.half.y;
  next.centre.z = before.centre.z - 0.5F * (before.half.z - next.half.z);
  return next;
}

HOST_DEVICE constexpr ShipBox ship_box(const ShipPiece& piece) {
  return {{piece.centre - piece.half, piece.centre + piece.half},
          ship_tag(piece.part, piece.step, piece.ship)};
}
// The same to the left.
HOST_DEVICE constexpr ShipBox ship_mirrored(const ShipBox& right) {
  const Aabb& box = right.box;
  return {{{-box.max.x, box.min.y, box.min.z}, {-box.min.x, box.max.y, box.max.z}}, right.tag};
}

// A number of each ship, 0 to 1, that differs most between neighbours.
HOST_DEVICE constexpr float ship_hue(std::uint32_t ship) {
  return static_cast<float>(ship * 2654435769U >> 8U) * 0x1p-24F;
}
// What multiplies a box's material: its ship's livery, and its own shade, which its duplicate has
// too. sRGB, as Mesh::corner_colours.
HOST_DEVICE constexpr std::uint32_t ship_colour(std::uint32_t tag) {
  constexpr std::uint32_t liveries[8][3] = {{255, 255, 255}, {204, 224, 255}, {255, 228, 186},
                                            {200, 232, 210}, {255, 200, 188}, {180, 202, 240},
                                            {250, 240, 180}, {218, 202, 240}};
  const std::uint32_t livery = scramble(ship_number(tag) + 7U) % 8U;
  const std::uint32_t shade = 222U + scramble(tag) % 34U;  // of 255
  std::uint32_t colour = 0xff000000U;
  for (std::uint32_t k = 0; k < 3; ++k) colour |= liveries[livery][k] * shade / 255U << 8U * k;
  return colour;
}

// Vertex k of 24, and corner k of 36, of a box.
HOST_DEVICE constexpr Vertex box_vertex(const Aabb& box, std::uint32_t k) {
  const std::uint32_t side = k / 4;
  const std::uint32_t axis = side / 2;
  const bool is_high = side % 2 == 1;
  // Counter-clockwise, as seen from outside: along the axis after this one, then the third.
  const bool first = (k % 4 == 1 || k % 4 == 2) == is_high;
  const bool second = k % 4 >= 2;
  const bool high[3] = {axis == 0   ? is_high
                        : axis == 1 ? second
                                    : first,
                        axis == 1   ? is_high
                        : axis == 2 ? second
                                    : first,
                        axis == 2   ? is_high
                        : axis == 0 ? second
                                    : first};
  const float sign = is_high ? 1.0F : -1.0F;
  return {{high[0] ? box.max.x : box.min.x, high[1] ? box.max.y : box.min.y,
           high[2] ? box.max.z : box.min.z},
          {axis == 0 ? sign : 0.0F, axis == 1 ? sign : 0.0F, axis == 2 ? sign : 0.0F},
          {first ? 1.0F : 0.0F, second ? 1.0F : 0.0F}};
}
HOST_DEVICE constexpr std::uint32_t box_index(std::uint32_t k) {
  constexpr std::uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
  return k / 6 * 4 + corners[k % 6];
}

}  // namespace warpview
