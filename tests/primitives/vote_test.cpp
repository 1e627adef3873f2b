// Every vote of the catalogue, beyond the experiment's input: limits that no word or every word is
// below, a single deciding word, at any place of a tile, and arrays at any alignment.
#include "gpu/primitives/vote/vote.h"

#include <gtest/gtest.h>

#include "gpu/lab/data.h"
#include "gpu/runtime/scratch_memory.h"
#include "tests/support/devices.h"
#include "tests/support/guarded.h"

namespace warpview::test {
namespace {

using lab::Distribution;

class Votes : public testing::TestWithParam<Row> {
 protected:
  static void check(const std::vector<std::uint32_t>& host, std::uint32_t limit) {
    for (const Vote vote : {Vote::count, Vote::all, Vote::any}) {
      std::vector<std::uint32_t> want;
      for (std::size_t begin = 0; begin < host.size(); begin += vote_tile_size) {
        const std::size_t end = std::min<std::size_t>(begin + vote_tile_size, host.size());
        std::uint32_t passing = 0;
        for (std::size_t i = begin; i < end; ++i) passing += host[i] < limit ? 1 : 0;
        want.push_back(vote == Vote::count ? passing
                       : vote == Vote::all ? (passing == end - begin ? 1U : 0U)
                                           : (passing > 0 ? 1U : 0U));
      }
      std::size_t offset = 0;
      for (const TestDevice& on : devices_for(host.size(), GetParam())) {
        offset = (offset + 1) % 4;
        SCOPED_TRACE(std::to_string(host.size()) + " words below " + std::to_string(limit) +
                     ", vote " + std::to_string(static_cast<int>(vote)) + ", " + on.name);
        const auto stream = on.device->create_stream();
        ScratchMemory scratch(*on.device);
        const Guarded<std::uint32_t> in(*on.device, *stream, host, offset);
        const Guarded<std::uint32_t> out(*on.device, *stream, want.size(), offset);
        scratch.run(on.device->table().get<Primitive::vote>(GetParam().index), *stream,
                    VoteArgs{.vote = vote,
                             .in = in.data(),
                             .n = static_cast<std::uint32_t>(host.size()),
                             .limit = limit,
                             .out = out.data()});
        ASSERT_EQ(out.download(), want);
      }
    }
  }
};

TEST_P(Votes, CountsWordsBelowAnyLimit) {
  for (const std::size_t n : {0, 1, 31, 65, 255, 256, 257, 1300}) {
    const auto wide = lab::integers(Distribution::uniform, n, 32, 1);
    const std::vector<std::uint32_t> host(wide.begin(), wide.end());
    for (const std::uint32_t limit : {0U, 1U << 31U, ~0U}) {
      check(host, limit);
      if (HasFatalFailure()) return;
    }
  }
}

// A single word of three tiles, the last of which is partial, passes, or is the only one that does
// not.
TEST_P(Votes, FindsTheDecidingWord) {
  constexpr std::size_t tile = vote_tile_size;
  constexpr std::size_t n = 2 * tile + tile / 4 + 6;
  for (const std::size_t place : {std::size_t{0}, std::size_t{31}, std::size_t{32}, std::size_t{63},
                                  tile - 1, tile, 2 * tile - 1, 2 * tile, n - 1})
    for (const std::uint32_t others : {0U, 9U}) {
      std::vector<std::uint32_t> host(n, others);
      host[place] = 9 - others;
      check(host, 5);
      if (HasFatalFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Votes, testing::ValuesIn(rows_of(Primitive::vote)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
