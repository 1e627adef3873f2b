// Forms of the primitives that test items against a limit: how many pass.
#pragma once

#include <cstdint>

#include "gpu/lab/experiment.h"

namespace warpview::lab {

inline constexpr Form passing_forms[] = {
    {"half", "about half of the items pass"},
    {"few", "few of the items pass"},
    {"all", "all items pass"},
};
// Of items of 32 bits, those that are at most this pass.
inline constexpr std::uint32_t passing_limits[] = {0x7fffffffU, 0x03ffffffU, 0xffffffffU};
static_assert(std::size(passing_forms) == std::size(passing_limits));

inline constexpr Distribution passing_distributions[] = {
    Distribution::uniform, Distribution::few, Distribution::sorted, Distribution::constant};

}  // namespace warpview::lab
