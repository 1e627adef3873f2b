// Words that views share: what a step did, and text that fits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/common/plot.h"
#include "gpu/recording/playback.h"

namespace warpview::step_views {

// "lookback_kernel" of "scan::lookback_kernel<unsigned int>".
std::string_view kernel_name(const RecordedLaunch& launch);
// "exclusive_down_sweep" of a function as debug information spells it: without its type, namespaces
// and arguments.
std::string short_function(std::string_view function);
// "1 lane", "5 lanes"; "1 block", "0 blocks".
std::string count_of(std::size_t count, std::string_view what);
// "0 to 3, 8" of ascending numbers. After `most` ranges: "...".
std::string ranges_of(const std::vector<std::uint32_t>& numbers, std::size_t most = 6);
// The lanes of a mask.
std::vector<std::uint32_t> lanes_of(std::uint64_t mask);

// The step that was executed last, as a sentence: "Block 0, warp 2: 12 of 32 lanes read tiles."
std::string sentence_of(const Playback& at);

// The words, cut off by "..." where they are wider than this.
std::string cut_to(const PlotSurface& surface, std::string words, float ems);
// The words in lines no wider than this, unless a word is.
std::vector<std::string> wrapped(const PlotSurface& surface, std::string_view words, float ems);

}  // namespace warpview::step_views
