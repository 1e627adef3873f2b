// Spaceships grown sequentially: one after the other by plain recursion, without queues or places.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/applications/ships.h"

namespace warpview {

struct ShipsReference {
  std::vector<ShipBox> boxes;                             // of all ships, each in its own space
  std::vector<std::uint32_t> counts;                      // boxes, by ship
  std::array<std::uint64_t, ship_procedures> executed{};  // items, by ShipWork
};

// `ships` of them.
ShipsReference ships_one_by_one(const ShipRules& rules, std::uint32_t ships);

}  // namespace warpview
