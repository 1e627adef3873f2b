// The boxes of a spaceship, each computed from the one it is attached to: for kernels and the
// reference.
#pragma once

#include <cstdint>

#include "gpu/applications/ships.h"
#include "gpu/steps/random.h"

namespace warpview {

// The `which`-th random number of a key, 0 to less than 1.
HOST_DEVICE constexpr float ship_random(std::uint32_t key, std::uint32_t which) {
  return static_cast<float>(scramble(key + which * 0x9e3779b9U) >> 8U) * 0x1p-24F;
}
HOST_DEVICE constexpr float ship_drawn(ShipRange range, std::uint32_t key, std::uint32_t which) {
  return range.least + (range.most - range.least) * ship_random(key, which);
}
// A random integer from `least` to `most`.
HOST_DEVICE constexpr std::uint32_t ship_drawn(std::uint32_t least, std::uint32_t most,
                                               std::uint32_t key, std::uint32_t which) {
  return least + scramble(key + which * 0x9e3779b9U) % (most - least + 1);
}
// The key of a box that another box spawns.
HOST_DEVICE constexpr std::uint32_t ship_child_key(std::uint32_t key, ShipWork kind) {
  return scramble(key ^ (0xa511e9b3U + static_cast<std::uint32_t>(kind)));
}

// The width of a ship, as a fraction of its largest: from the nose, at 0, to the stern, at 1.
HOST_DEVICE constexpr float ship_profile(const ShipClass& of, float at) {
  if (at < of.widest) {
    const float off = 1.0F - at / of.widest;
    return 1.0F - (1.0F - of.nose) * off * off;
  }
  const float off = (at - of.widest) / (1.0F - of.widest);
  return 1.0F - (1.0F - of.stern) * off * off;
}

// The use of each random number of a ship's key.
enum class ShipDraw : std::uint32_t { row, bodies, width, height };
// The use of each random number of a box's key.
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

// Sizes of a body, from the ship's row of the table. About every fourth is a neck: slimmer.
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

// The next body towards the stern. The last one is the engine.
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

// The number of boxes that a body's wing would have; 0: none. Nose and engine have none.
HOST_DEVICE constexpr std::uint32_t ship_wing_length(const ShipRules& rules,
                                                     const ShipPiece& body) {
  const ShipClass& of = rules.classes[body.row];
  if (body.number == 0 || body.part == ShipPart::engine) return 0;
  const float chance = rules.wings < 1.0F ? rules.wings * of.wing_chance : 1.0F;
  if (!(ship_random(body.key, which(BoxDraw::wing)) < chance)) return 0;
  return ship_drawn(1, of.most_wings, body.key, which(BoxDraw::wings));
}
// The number of boxes of the fin at the wing's tip.
HOST_DEVICE constexpr std::uint32_t ship_fin_length(const ShipRules& rules, const ShipPiece& body) {
  const float chance = 0.7F * rules.tops;
  if (!(ship_random(body.key, which(BoxDraw::fin)) < chance)) return 0;
  return ship_drawn(1, 2, body.key, which(BoxDraw::fins));
}
// The number of boxes that a body's top would have.
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
// The next box outwards.
HOST_DEVICE constexpr ShipPiece ship_next_wing(const ShipRules& rules, const ShipPiece& before) {
  const ShipClass& of = rules.classes[before.row];
  ShipPiece next = before;
  next.key = ship_child_key(before.key, ShipWork::wing);
  ++next.step;
  ++next.number;
  next.half = {before.half.x * ship_drawn({0.75F, 1.0F}, next.key, which(BoxDraw::span)),
               before.half.y * of.taper, before.half.z * of.taper};
  // Swept back, but never detached from the box before.
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
  // Cockpits are near the nose.
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
// The next box upwards. The highest of several may be a mast.
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
// The mirrored box to the left.
HOST_DEVICE constexpr ShipBox ship_mirrored(const ShipBox& right) {
  const Aabb& box = right.box;
  return {{{-box.max.x, box.min.y, box.min.z}, {-box.min.x, box.max.y, box.max.z}}, right.tag};
}

// A number for each ship, 0 to 1, chosen to differ strongly between neighbours.
HOST_DEVICE constexpr float ship_hue(std::uint32_t ship) {
  return static_cast<float>(ship * 2654435769U >> 8U) * 0x1p-24F;
}
// The factor for a box's material: its ship's livery, and its own shade, which its duplicate
// shares. sRGB, as Mesh::corner_colours.
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
