// Layout: elements of a few members, updated one by one. Their layout decides how many sectors of
// memory a warp's instruction touches, and how many banks of shared memory it uses.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/runtime/vec.h"

namespace warpview {

// The order in memory of the elements' members, one word each.
enum class Layout : unsigned {
  structures,  // element by element: an array of structures
  arrays,      // member by member: a structure of arrays
  tiles        // 32 elements member by member, then the next 32: an array of structures of arrays
};
// The traits of a variant (gpu/catalogue.def): the Layout that it expects.
struct LayoutTrait {
  static constexpr unsigned structures = static_cast<unsigned>(Layout::structures);
  static constexpr unsigned arrays = static_cast<unsigned>(Layout::arrays);
  static constexpr unsigned tiles = static_cast<unsigned>(Layout::tiles);
};

inline constexpr std::uint32_t layout_tile = 32;  // elements: one for each lane of a warp of 32

// The index of the word of an element's member, for n elements of `words` words each.
HOST_DEVICE constexpr std::size_t layout_place(Layout layout, std::size_t n, std::uint32_t words,
                                               std::size_t element, std::uint32_t member) {
  switch (layout) {
    case Layout::structures:
      return element * words + member;
    case Layout::arrays:
      return member * n + element;
    case Layout::tiles:
      return (element / layout_tile * words + member) * layout_tile + element % layout_tile;
  }
  return 0;
}
// The number of words of n elements: the last tile is whole.
constexpr std::size_t layout_words(Layout layout, std::size_t n, std::uint32_t words) {
  const std::size_t tiles = (n + layout_tile - 1) / layout_tile;
  return (layout == Layout::tiles ? tiles * layout_tile : n) * words;
}

// One round's update of a member. The result depends on the order of the rounds.
HOST_DEVICE constexpr std::uint32_t layout_round(std::uint32_t member, std::uint32_t round) {
  return 5 * member + round + 1;
}

struct LayoutArgs {
  // layout_words() words in the layout of the variant, aligned to 16 bytes; changed in place.
  std::uint32_t* elements;
  std::uint32_t n;          // elements, at most 2^31 - 1
  std::uint32_t words = 4;  // per element, one for each member: 2, 4 or 8
  bool all = false;         // updates every member; otherwise the last one of each element
  std::uint32_t rounds = 1;
};

}  // namespace warpview
