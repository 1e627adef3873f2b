// How many items a primitive takes. Everything is inline, as a backend's module may stand alone.
#pragma once

#include <limits>
#include <string>

#include "gpu/catalogue.h"
#include "gpu/runtime/error.h"

namespace warpview {

struct Limit {
  const char* title;  // of the primitive
  std::uint32_t most_items;
};

inline constexpr std::uint32_t most_of_int = std::numeric_limits<std::int32_t>::max();
inline constexpr Limit limits[] = {
#define PRIMITIVE(name, Args, Function, defaults, most_items, bytes_needed, title) \
  {title, most_items},
#include "gpu/primitives.def"
#undef PRIMITIVE
};

// The most items that every variant of the primitive takes.
constexpr std::uint32_t limit_of(Primitive primitive) {
  return limits[static_cast<std::size_t>(primitive)].most_items;
}

// Throws Error if more items are asked for.
inline void check_items(Primitive primitive, std::uint64_t items) {
  if (items > limit_of(primitive))
    throw Error(limits[static_cast<std::size_t>(primitive)].title +
                    (" of " + std::to_string(items)) + " items",
                "every variant takes " + std::to_string(limit_of(primitive)) + " at most",
                "Give it fewer, or the input in parts");
}

}  // namespace warpview
