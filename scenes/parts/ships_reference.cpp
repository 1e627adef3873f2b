#include "scenes/parts/ships_reference.h"

#include <algorithm>

#include "gpu/applications/ship_pieces.h"

namespace warpview {
namespace {

class ShipByShip {
 public:
  explicit ShipByShip(const ShipRules& rules) : rules_(rules) {}

  void grow(std::uint32_t ship) {
    const std::size_t before = result_.boxes.size();
    room_ = rules_.most_boxes;
    body(ship_nose(rules_, ship));
    result_.counts.push_back(static_cast<std::uint32_t>(result_.boxes.size() - before));
  }
  ShipsReference take() { return std::move(result_); }

 private:
  void add(ShipWork work, const ShipBox& box) {
    result_.boxes.push_back(box);
    ++result_.executed[static_cast<std::size_t>(work)];
    --room_;
  }
  // How many boxes of `wanted` there is room for, `each` for one of them, so that all bodies that
  // are still to come have room too.
  std::uint32_t granted(std::uint32_t wanted, std::uint32_t each, std::uint32_t bodies) const {
    const std::uint32_t free = room_ > bodies ? room_ - bodies : 0;
    return std::min(wanted, free / each);
  }

  void body(const ShipPiece& piece) {
    add(ShipWork::body, ship_box(piece));
    const std::uint32_t follow = piece.count - 1 - piece.number;
    if (const std::uint32_t n = granted(ship_wing_length(rules_, piece), 2, follow); n > 0) {
      ShipPiece box = ship_wing(rules_, piece, n);
      for (std::uint32_t i = 0; i < n; ++i) {
        if (i > 0) box = ship_next_wing(rules_, box);
        add(ShipWork::wing, ship_box(box));
        add(ShipWork::duplicate, ship_mirrored(ship_box(box)));
      }
      top(box, granted(ship_fin_length(rules_, piece), 2, follow), true);
    }
    top(piece, granted(ship_top_length(rules_, piece), 1, follow), false);
    if (follow > 0 && room_ > 0) body(ship_next_body(rules_, piece));
  }

  void top(const ShipPiece& under, std::uint32_t n, bool is_twofold) {
    if (n == 0) return;
    ShipPiece box = ship_top(rules_, under, n);
    for (std::uint32_t i = 0; i < n; ++i) {
      if (i > 0) box = ship_next_top(rules_, box);
      add(ShipWork::top, ship_box(box));
      if (is_twofold) add(ShipWork::duplicate, ship_mirrored(ship_box(box)));
    }
  }

  const ShipRules& rules_;
  std::uint32_t room_ = 0;  // for boxes of this ship
  ShipsReference result_;
};

}  // namespace

ShipsReference ships_one_by_one(const ShipRules& rules, std::uint32_t ships) {
  ShipByShip fleet(rules);
  for (std::uint32_t ship = 0; ship < ships; ++ship) fleet.grow(ship);
  return fleet.take();
}

}  // namespace warpview
