// Dynamically generated work, for schedulers: trees of items of three kinds.
#pragma once

#include <cstdint>

#include "gpu/operators/split_mix.h"
#include "gpu/primitives/schedule/settings.h"
#include "gpu/runtime/vec.h"

namespace warpview {

// The kinds of items, which are procedures: 1 lane executes an a, 16 a b, 128 a c.
inline constexpr unsigned schedule_kinds = 3;
inline constexpr unsigned schedule_workers[schedule_kinds] = {1, 16, 128};

// The shape of the trees, and the cost of an item.
struct ScheduleShape {
  // Children of an item that has descendants, as far as there are enough descendants.
  std::uint32_t fewest_children = 1;
  std::uint32_t most_children = 4;
  // Items of kind a, and of kinds a or b, out of 256.
  std::uint32_t of_a = 256;
  std::uint32_t of_a_or_b = 256;
  // Steps of arithmetic of each chain of an item, by kind.
  std::uint32_t steps[schedule_kinds] = {1, 1, 1};
};

// Items are identified by keys, which also decide their kinds. `trees` of them are the input, with
// the keys keys[i]; they and all the items that they spawn number n. The leaves' values are added
// to one of `schedule_sums` sums each.
//
// schedule_digest is an item's arithmetic; its result decides a leaf's value or the children's
// keys. Kind c is `large` or not: it needs 20 KiB of shared memory and about 100 registers per
// thread, or little more than the others.
struct ScheduleArgs {
  std::uint32_t n = 0;
  std::uint32_t trees = 0;              // at most n; 0 where n is
  const std::uint64_t* keys = nullptr;  // [trees]
  ScheduleShape shape{};
  bool large = false;
  // By kind: the most items that can exist at a time, powers of two from 256.
  std::uint32_t capacity[schedule_kinds] = {};
  std::uint32_t stack = 0;  // ScheduleSettings::stack

  std::uint64_t* sums = nullptr;    // [schedule_sums] of the leaves' values, modulo 2^64
  std::uint32_t* counts = nullptr;  // [schedule_sums] of the leaves
  ScheduleStatus* status = nullptr;
  const ScheduleTrace* trace = nullptr;  // on the host, read at each run; null: none
  ScheduleReport* report = nullptr;      // on the host, overwritten by each run
};
inline constexpr std::uint32_t schedule_sums = 256;

// --- the work, for kernels and for the reference

struct alignas(16) ScheduleItem {
  std::uint64_t key;
  std::uint32_t size;   // of the subtree of this item: itself and its descendants
  std::uint32_t depth;  // in the whole tree
};

HOST_DEVICE constexpr std::uint64_t schedule_mix(std::uint64_t word) {
  return split_mix(word + split_mix_step);
}

// The arithmetic: chains of steps x -> factor x + summand, modulo 2^32. An item with key k has
// workers x schedule_chains of them, numbered from 0; chain i begins with k + i. Its digest is the
// sum of the chains' results.
inline constexpr std::uint32_t schedule_factor = 1664525;
inline constexpr std::uint32_t schedule_summand = 1013904223;
HOST_DEVICE constexpr std::uint32_t schedule_chains(unsigned kind, bool large) {
  return kind == 2 && large ? 92 : 4;
}

// The value of an item: for a leaf, its contribution to the sums.
HOST_DEVICE constexpr std::uint64_t schedule_value(const ScheduleItem& item, std::uint32_t digest) {
  return schedule_mix(item.key + (std::uint64_t{digest} << 32U) + item.depth);
}
HOST_DEVICE constexpr std::uint32_t schedule_place(std::uint64_t key) {
  return static_cast<std::uint32_t>(key) % schedule_sums;
}
HOST_DEVICE constexpr unsigned schedule_kind(const ScheduleShape& shape, std::uint64_t key) {
  const auto lot = static_cast<std::uint32_t>(key >> 56U);
  return lot < shape.of_a ? 0 : lot < shape.of_a_or_b ? 1 : 2;
}
// The trees' sizes are as equal as possible.
HOST_DEVICE constexpr std::uint32_t schedule_share(std::uint32_t of, std::uint32_t parts,
                                                   std::uint32_t i) {
  return of / parts + (i < of % parts ? 1 : 0);
}
// The number of children of the item with that value; 0 for a leaf.
HOST_DEVICE constexpr std::uint32_t schedule_children(const ScheduleShape& shape,
                                                      const ScheduleItem& item,
                                                      std::uint64_t value) {
  const std::uint32_t others = item.size - 1;
  const std::uint32_t range = shape.most_children - shape.fewest_children + 1;
  const auto wanted = shape.fewest_children + static_cast<std::uint32_t>(value >> 32U) % range;
  return wanted < others ? wanted : others;
}
HOST_DEVICE constexpr ScheduleItem schedule_child(const ScheduleItem& item, std::uint64_t value,
                                                  std::uint32_t children, std::uint32_t i) {
  return {schedule_mix(value + i + 1), schedule_share(item.size - 1, children, i), item.depth + 1};
}

}  // namespace warpview
