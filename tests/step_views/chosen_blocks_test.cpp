// Views of recordings of chosen blocks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/step_views/drawn.h"
#include "tests/step_views/recordings.h"

namespace warpview::test {
namespace {

constexpr std::uint32_t tile_size = 512;  // of a scan, recorded

std::shared_ptr<const Recording> scan_of(std::uint32_t tiles, BlockRanges blocks,
                                         const char* variant = "lookback") {
  return record({.primitive = "scan",
                 .variant = variant,
                 .items = tiles * tile_size,
                 .blocks = std::move(blocks)});
}

TEST(ChosenBlocks, TheFocusIsTheBlockOfTheCurrentStep) {
  for (const BlockRanges& blocks : {BlockRanges{}, BlockRanges{{2, 3}}}) {
    Playback at(scan_of(4, blocks));
    std::uint32_t block = blocks.empty() ? 0 : 2;
    std::set<EventKind> heads;
    for (std::size_t step = 0; step <= at.steps(); ++step) {
      at.seek(step);
      if (step > 0) {
        const RecordedEvent& head = at.last().front();
        heads.insert(head.kind);
        if (head.kind == EventKind::launch)
          block = blocks.empty() ? 0 : 2;
        else if (!is_patch(head.kind))
          block = head.block;
      }
      EXPECT_EQ(focus_of(at).block, block) << step;
    }
    EXPECT_TRUE(heads.contains(EventKind::block_end));
    EXPECT_EQ(heads.contains(EventKind::others), !blocks.empty());
  }
}

}  // namespace
}  // namespace warpview::test
