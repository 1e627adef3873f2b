// Work that begets work, for schedulers: trees of items of three kinds.
#pragma once

#include <cstdint>

#include "gpu/primitives/schedule/settings.h"
#include "gpu/runtime/vec.h"

namespace warpview {

// The kinds of items, which are procedures: a is worked on by 1 lane, b by 16, c by 128.
inline constexpr unsigned schedule_kinds = 3;
inline constexpr unsigned schedule_workers[schedule_kinds] = {1, 16, 128};

// What trees look like, and what an item costs.
struct ScheduleShape {
  // An item that has descendants has so many children, as far as there are descendants.
  std::uint32_t fewest_children = 1;
  std::uint32_t most_children = 4;
  // Of 256 items: so many are of kind a, so many of a or b.
  std::uint32_t of_a = 256;
  std::uint32_t of_a_or_b = 256;
  // Steps of arithmetic of each chain of an item, by kind.
  std::uint32_t steps[schedule_kinds] = {1, 1, 1};
};

// Items are told apart by keys, which also decide their kinds. `trees` of them are the input, with
// the keys keys[i]; they and all that they beget are n. What the leaves come to is added up, in one
// of `schedule_sums` places each.
//
// An item is worked on as schedule_digest says, which decides its leaf's value or its children's
// keys. Kind c is `large` or not: it needs 20 KiB of shared memory and about 100 registers a
// thread, or little more than the others.
struct ScheduleArgs {
  std::uint32_t n = 0;
  std::uint32_t trees = 0;              // at most n; 0 where n is
  const std::uint64_t* keys = nullptr;  // [trees]
  ScheduleShape shape{};
  bool large = false;
  // By kind: the most items that can be there at a time, powers of two from 256.
  std::uint32_t capacity[schedule_kinds] = {};
  std::uint32_t stack = 0;  // ScheduleSettings::stack

  std::uint64_t* sums = nullptr;    // [schedule_sums] of the leaves' values, modulo 2^64
  std::uint32_t* counts = nullptr;  // [schedule_sums] of the leaves
  ScheduleStatus* status = nullptr;
  const ScheduleTrace* trace = nullptr;  // of the host, read at each run; null: none
  ScheduleReport* report = nullptr;      // of the host, written anew by each run
};
inline constexpr std::uint32_t schedule_sums = 256;

// --- the work, for kernels and for the reference

struct alignas(16) ScheduleItem {
  std::uint64_t key;
  std::uint32_t size;   // of the tree that it is the root of: itself and its descendants
  std::uint32_t depth;  // in the whole tree
};

// G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
HOST_DEVICE constexpr std::uint64_t schedule_mix(std::uint64_t word) {
  word += 0x9e3779b97f4a7c15U;
  word = (word ^ (word >> 30U)) * 0xbf58476d1ce4e5b9U;
  word = (word ^ (word >> 27U)) * 0x94d049bb133111ebU;
  return word ^ (word >> 31U);
}

// The arithmetic: chains of steps x -> factor x + summand, modulo 2^32. An item of key k has
// workers x schedule_chains of them, numbered from 0; chain i begins with k + i. Its digest is the
// sum of what they come to.
inline constexpr std::uint32_t schedule_factor = 1664525;
inline constexpr std::uint32_t schedule_summand = 1013904223;
HOST_DEVICE constexpr std::uint32_t schedule_chains(unsigned kind, bool large) {
  return kind == 2 && large ? 92 : 4;
}

// What comes of an item: of a leaf, what is added up.
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
// The trees' sizes are as equal as can be.
HOST_DEVICE constexpr std::uint32_t schedule_share(std::uint32_t of, std::uint32_t parts,
                                                   std::uint32_t i) {
  return of / parts + (i < of % parts ? 1 : 0);
}
// How many children the item has whose value it is; 0 of a leaf.
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
