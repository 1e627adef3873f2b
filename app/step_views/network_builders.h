// Finds networks in the events of one block.
#pragma once

#include <string_view>
#include <vector>

#include "app/step_views/network.h"

namespace warpview::step_views {

struct BlockEvents {
  std::uint32_t launch = 0;
  std::uint32_t block = 0;
  std::vector<std::size_t> events{};  // of the recording, in order
};

// Is the array what a block's results are written to? By the kernels' names.
bool is_output(const RecordedArray& array);

// The network in the shared array that the block writes most often. Without rows where there is
// none.
Network network_of_words(const Recording& recording, const BlockEvents& block);
// Networks in the registers of the first warp, which its lanes exchange by shuffles or ballots.
std::vector<Network> networks_of_lanes(const Recording& recording, const BlockEvents& block);

}  // namespace warpview::step_views
