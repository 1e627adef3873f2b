// Procedural spaceships as procedures for the schedulers: gpu/applications/ships.h says what they
// compute.
//
//     begin --> Body --> Body ...
//                 |
//                 +--> Wing --> Wing ...    each box to the right has a Duplicate to the left
//                 |      |
//                 |      +--> Top (a fin)
//                 +--> Top --> Top ...
//
// Each is a single lane's work without shared memory, and all take equally long. The lengths of a
// box's chains are known when they begin. Each chain therefore gets separate places, and tasks need
// not agree on an order.
#pragma once

#include "gpu/applications/ship_pieces.h"
#include "gpu/applications/ships.h"
#include "gpu/primitives/schedule/application.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::ships {

struct Application;

struct Body : schedule::Procedure {
  static constexpr const char* name = "procedure_kernel<Body>";
  using Item = ShipPiece;
  template <class Lanes, class Emit>
  __device__ static void execute(const Application& application, const Item& item, const Lanes&,
                                 schedule::NoShared&, const Emit& emit);
};

struct Wing : schedule::Procedure {
  static constexpr const char* name = "procedure_kernel<Wing>";
  using Item = ShipPiece;
  template <class Lanes, class Emit>
  __device__ static void execute(const Application& application, const Item& item, const Lanes&,
                                 schedule::NoShared&, const Emit& emit);
};

struct Top : schedule::Procedure {
  static constexpr const char* name = "procedure_kernel<Top>";
  using Item = ShipPiece;
  template <class Lanes, class Emit>
  __device__ static void execute(const Application& application, const Item& item, const Lanes&,
                                 schedule::NoShared&, const Emit& emit);
};

struct Duplicate : schedule::Procedure {
  static constexpr const char* name = "procedure_kernel<Duplicate>";
  struct Item {
    ShipBox box;
    std::uint32_t place;  // of the duplicate
  };
  template <class Lanes, class Emit>
  __device__ static void execute(const Application& application, const Item& item, const Lanes&,
                                 schedule::NoShared&, const Emit&);
};

struct Application {
  using Procedures = schedule::Procedures<Body, Wing, Top, Duplicate>;

  const ShipRules* rules;
  std::uint32_t stride;
  ShipBox* slots;
  std::uint32_t* counts;

  template <class Emit>
  __device__ void begin(std::uint32_t i, const Emit& emit) const {
    ShipPiece nose = ship_nose(*rules, i);
    nose.place = i * stride;
    emit(Body{}, nose);
  }
};

// A wing, a top and the bodies that follow share the ship's remaining boxes, in this order, with
// one reserved for each body.
template <class Lanes, class Emit>
__device__ void Body::execute(const Application& application, const Item& item, const Lanes&,
                              schedule::NoShared&, const Emit& emit) {
  const ShipRules& rules = *application.rules;
  application.slots[item.place] = ship_box(item);
  const std::uint32_t others = item.left - 1;
  const std::uint32_t follow = item.count - item.number - 1;
  std::uint32_t spare = others > follow ? others - follow : 0;
  std::uint32_t place = item.place + 1;

  const std::uint32_t wings = std::min(ship_wing_length(rules, item), spare / 2);
  if (wings > 0) {
    ShipPiece wing = ship_wing(rules, item, wings);
    spare -= 2 * wings;
    wing.left = std::min(ship_fin_length(rules, item), spare / 2);
    spare -= 2 * wing.left;
    wing.place = place;
    place += 2 * (wings + wing.left);
    emit(Wing{}, wing);
  }
  const std::uint32_t tops = std::min(ship_top_length(rules, item), spare);
  if (tops > 0) {
    ShipPiece top = ship_top(rules, item, tops);
    top.place = place;
    place += tops;
    emit(Top{}, top);
  }
  const std::uint32_t left = item.left - (place - item.place);
  if (follow > 0 && left > 0) {
    ShipPiece next = ship_next_body(rules, item);
    next.left = left;
    next.place = place;
    emit(Body{}, next);
  } else {
    application.counts[item.ship] = place - item.ship * application.stride;
  }
}

template <class Lanes, class Emit>
__device__ void Wing::execute(const Application& application, const Item& item, const Lanes&,
                              schedule::NoShared&, const Emit& emit) {
  const ShipBox box = ship_box(item);
  application.slots[item.place] = box;
  emit(Duplicate{}, {box, item.place + 1});
  if (item.number + 1 < item.count) {
    ShipPiece next = ship_next_wing(*application.rules, item);
    next.place = item.place + 2;
    emit(Wing{}, next);
  } else if (item.left > 0) {
    ShipPiece fin = ship_top(*application.rules, item, item.left);
    fin.place = item.place + 2;
    emit(Top{}, fin);
  }
}

template <class Lanes, class Emit>
__device__ void Top::execute(const Application& application, const Item& item, const Lanes&,
                             schedule::NoShared&, const Emit& emit) {
  const ShipBox box = ship_box(item);
  application.slots[item.place] = box;
  const bool is_fin = item.part == ShipPart::fin;
  if (is_fin) emit(Duplicate{}, {box, item.place + 1});
  if (item.number + 1 == item.count) return;
  ShipPiece next = ship_next_top(*application.rules, item);
  next.place = item.place + (is_fin ? 2 : 1);
  emit(Top{}, next);
}

template <class Lanes, class Emit>
__device__ void Duplicate::execute(const Application& application, const Item& item, const Lanes&,
                                   schedule::NoShared&, const Emit&) {
  application.slots[item.place] = ship_mirrored(item.box);
}

}  // namespace warpview::WARPVIEW_BACKEND::ships
