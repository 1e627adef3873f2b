// Words that views share: numbers of things, lanes, and what a step did.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gpu/recording/playback.h"

namespace warpview::step_views {

// "exclusive_down_sweep" of a function as debug information spells it: without its type, namespaces
// and arguments.
std::string short_function(std::string_view function);
// "1 lane", "5 lanes"; "1 block", "0 blocks".
std::string count_of(std::size_t count, std::string_view what);
// "lane 3" of one number, "lanes 0 to 3, 8" of several; after `most` ranges: "...".
std::string named_ranges(std::string_view what, const std::vector<std::uint32_t>& numbers,
                         std::size_t most = 6);
// "0 to 3, 8" of ascending numbers. After `most` ranges: "...".
std::string ranges_of(const std::vector<std::uint32_t>& numbers, std::size_t most = 6);
// The lanes of a mask.
std::vector<std::uint32_t> lanes_of(std::uint64_t mask);

// "BLOCK/WARP/LANE".
std::string lane_words(const Recording& recording, std::uint32_t block, std::uint32_t thread);
// "Block 0, warp 1, lane 26".
std::string lane_sentence(const Recording& recording, std::uint32_t block, std::uint32_t thread);

// The step that was executed last, as a sentence: "Block 0, warp 2: 12 of 32 lanes read tiles."
std::string sentence_of(const Playback& at);

}  // namespace warpview::step_views
