// Decoupled look-back: the walks over prepared states, for any number of aggregates, and over
// states that neighbours publish late.
#define WARPVIEW_BACKEND_CPU
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "gpu/block/lookback.h"
#include "gpu/block/ticket.h"
#include "gpu/operators/affine.h"
#include "gpu/operators/numbers.h"
#include "gpu/operators/segmented.h"
#include "gpu/primitives/sort/digit_states.h"
#include "gpu/runtime/cpu/cpu_device.h"

namespace warpview::cpu {
namespace {

template <class Operator>
using ValueOf = typename Operator::Type;

// The aggregate of tile number `tile`; order matters when aggregates are combined.
template <class Operator>
ValueOf<Operator> of_tile(std::uint32_t tile) {
  if constexpr (std::is_same_v<Operator, ComposeAffine>)
    return {2 * tile + 3, tile * 2654435761U + 1};
  else if constexpr (std::is_same_v<Operator, Segmented<SumU32>>)
    return {tile % 5 == 0 ? tile % 7 : 0, tile * 2654435761U + 1};  // many tiles without a head
  else
    return (2 * tile + 3) | (tile * 40503U + 1) << 16;
}
template <class Operator>
ValueOf<Operator> before(std::uint32_t tile) {
  ValueOf<Operator> sum = Operator::identity();
  for (std::uint32_t t = 0; t < tile; ++t) sum = Operator::combine(sum, of_tile<Operator>(t));
  return sum;
}
template <class T>
bool same(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class T>
struct StatesFor {
  using Type = block::StatesOf<T>;
};
template <class T>
struct StatesFor<Stretch<T>> {
  using Type = block::PackedStretches<T>;
};
template <class T>
using StatesOf = typename StatesFor<T>::Type;

// The states of some tiles on the host.
template <class T>
class States {
 public:
  explicit States(std::uint32_t tiles) : words_(tiles + 1), aggregates_(tiles), prefixes_(tiles) {}

  StatesOf<T> on_device() {
    if constexpr (requires { StatesOf<T>{words_.data()}.words; })
      return {words_.data()};
    else
      return {reinterpret_cast<std::uint32_t*>(words_.data()), aggregates_.data(),
              prefixes_.data()};
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<T> aggregates_, prefixes_;
};

class LookBack : public testing::TestWithParam<unsigned> {
 protected:
  std::unique_ptr<Device> open(std::uint64_t seed) const {
    return open_cpu_device({.warp_size = GetParam(), .seed = seed});
  }
};
INSTANTIATE_TEST_SUITE_P(WarpSizes, LookBack, testing::Values(32U, 64U),
                         [](const auto& size) { return "warp" + std::to_string(size.param); });

// Called by one warp. Publishes a prefix at `first` and aggregates after it, and walks back from
// the tile after them. The states before the prefix are wrong, and must not be used.
template <class Operator>
__global__ void walk_kernel(StatesOf<ValueOf<Operator>> states, std::uint32_t first,
                            std::uint32_t aggregates, ValueOf<Operator> prefix,
                            const ValueOf<Operator>* of_tiles, ValueOf<Operator>* found) {
  const ValueOf<Operator> wrong = of_tiles[first + 1];
  if (warp::lane() == 0) {
    for (std::uint32_t t = 0; t < first; ++t)
      states.publish(t, t % 3 == 0 ? block::prefix_ready : block::aggregate_ready, wrong);
    states.publish(first, block::prefix_ready, prefix);
    for (std::uint32_t t = first + 1; t <= first + aggregates; ++t)
      states.publish(t, block::aggregate_ready, of_tiles[t]);
  }
  warp::sync(warp::all_lanes());
  found[warp::lane()] = block::look_back<Operator>(states, first + aggregates + 1);
}

template <class Operator>
void walks(Device& device) {
  using T = ValueOf<Operator>;
  const auto stream = device.create_stream();
  const auto lanes = static_cast<unsigned>(device.info().warp_size);
  std::vector<T> of_tiles;
  for (std::uint32_t t = 0; t < 300; ++t) of_tiles.push_back(of_tile<Operator>(t));
  for (std::uint32_t aggregates = 1; aggregates <= 200; ++aggregates) {
    for (const std::uint32_t first : {0U, 5U}) {
      States<T> states(static_cast<std::uint32_t>(of_tiles.size()));
      std::vector<T> found(lanes);
      launch(*stream, KERNEL(walk_kernel<Operator>), Shape(1, lanes), states.on_device(), first,
             aggregates, before<Operator>(first + 1), of_tiles.data(), found.data());
      for (const T& sum : found)
        ASSERT_TRUE(same(sum, before<Operator>(first + aggregates + 1)))
            << aggregates << " aggregates behind tile " << first;
    }
  }
}

TEST_P(LookBack, CombinesAnyNumberOfAggregatesInOrder) {
  for (const std::uint64_t seed : {0U, 1U}) {
    const auto device = open(seed);
    walks<ComposeMaps>(*device);        // a word a state
    walks<ComposeAffine>(*device);      // flag and values apart
    walks<Segmented<SumU32>>(*device);  // a pair and its flag in one word
  }
}

__global__ void publish_kernel(block::PackedStretches<std::uint32_t> states, std::uint32_t flag,
                               Stretch<std::uint32_t> value,
                               block::TileState<Stretch<std::uint32_t>>* found) {
  found[0] = states.look(0);
  states.publish(0, flag, value);
  found[1] = states.look(0);
}

TEST_P(LookBack, APairAndItsFlagShareAWord) {
  const auto device = open(1);
  const auto stream = device->create_stream();
  const auto published = [&](std::uint32_t flag, Stretch<std::uint32_t> value) {
    std::vector<std::uint64_t> words(2);
    std::vector<block::TileState<Stretch<std::uint32_t>>> found(2);
    launch(*stream, KERNEL(publish_kernel), Shape(1, 1), {words.data()}, flag, value, found.data());
    EXPECT_EQ(found[0].flag, block::not_ready);
    EXPECT_EQ(found[1].flag, flag);
    EXPECT_EQ(found[1].value.heads, value.heads);
    EXPECT_EQ(found[1].value.sum, value.sum);
  };
  published(block::aggregate_ready, {0, 0});
  published(block::aggregate_ready, {8192, ~0U});
  published(block::prefix_ready, {0, 0});
  published(block::prefix_ready, {1U << 30, 1U << 30});
  published(block::prefix_ready, {(1U << 31) - 1, ~0U});
}

// Onesweep's walk: each digit has a different number of aggregates.
__global__ void digits_kernel(sort::DigitStates states, std::uint32_t tile, std::uint32_t* found) {
  found[threadIdx.x] = sort::look_back(states, tile);
}

TEST_P(LookBack, AddsAnyNumberOfDigitAggregates) {
  constexpr std::uint32_t tiles = 256;
  constexpr std::uint32_t tile = 230;
  const auto device = open(1);
  const auto stream = device->create_stream();
  for (const std::uint32_t shift : {0U, 100U}) {
    std::vector<std::uint32_t> words(std::size_t{tiles} * sort::digit_values);
    std::vector<std::uint32_t> expected(sort::digit_values);
    for (std::uint32_t digit = 0; digit < sort::digit_values; ++digit) {
      const std::uint32_t aggregates = (digit + shift) % 200;
      const std::uint32_t prefix_at = tile - 1 - aggregates;
      for (std::uint32_t t = 0; t < tile; ++t) {
        const std::uint32_t value = t * 1009 + digit;
        const bool is_prefix = t == prefix_at;
        // Before the prefix there may be anything, or nothing yet.
        words[t * sort::digit_values + digit] =
            t < prefix_at
                ? (t % 3) << 30U | 12345
                : (is_prefix ? block::prefix_ready : block::aggregate_ready) << 30U | value;
        if (t >= prefix_at) expected[digit] += value;
      }
    }
    std::vector<std::uint32_t> found(sort::digit_values);
    launch(*stream, KERNEL(digits_kernel), Shape(1, sort::threads),
           sort::DigitStates{words.data(), nullptr}, tile, found.data());
    for (std::uint32_t digit = 0; digit < sort::digit_values; ++digit)
      ASSERT_EQ(found[digit], expected[digit]) << "digit " << digit;
  }
}

// The block that takes the first ticket walks back. As soon as it has begun, the other publishes
// the missing states, tile by tile, so that the walk finds partly filled windows.
__global__ void late_digits_kernel(sort::DigitStates states, std::uint32_t tile,
                                   std::uint32_t* tickets, std::uint32_t* found) {
  __shared__ std::uint32_t ticket;
  if (block::take_ticket(tickets, ticket) == 0) {
    store_release(tickets + 1, 1U);
    found[threadIdx.x] = sort::look_back(states, tile);
    return;
  }
  for (Spin spin; load_acquire(tickets + 1) == 0;) spin.back_off();
  for (std::uint32_t t = tile; t-- > 0;) {
    backoff();
    if (states.look(t).flag == block::not_ready)
      states.publish(t, t == 0 ? block::prefix_ready : block::aggregate_ready, t + threadIdx.x);
  }
}

TEST_P(LookBack, WaitsForMissingDigitStates) {
  constexpr std::uint32_t tile = 40;
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    const auto device = open(seed);
    const auto stream = device->create_stream();
    std::vector<std::uint32_t> words(std::size_t{tile} * sort::digit_values);
    for (std::uint32_t digit = 0; digit < sort::digit_values; ++digit)
      for (std::uint32_t near = 1; near <= digit % 8; ++near)
        words[(tile - near) * sort::digit_values + digit] =
            block::aggregate_ready << 30U | (tile - near + digit);
    std::vector<std::uint32_t> found(sort::digit_values);
    std::uint32_t tickets[2] = {0, 0};
    launch_concurrent(*stream, KERNEL(late_digits_kernel), Shape(2, sort::threads),
                      sort::DigitStates{words.data(), nullptr}, tile, tickets, found.data());
    for (std::uint32_t digit = 0; digit < sort::digit_values; ++digit)
      ASSERT_EQ(found[digit], tile * (tile - 1) / 2 + tile * digit) << "digit " << digit;
  }
}

// States that record what the walk of a tile found at each of its predecessors.
struct WitnessedStates : block::SplitStates<Affine> {
  std::uint8_t* seen;  // [tile][predecessor]
  std::uint32_t tiles;
  std::uint32_t walker;

  __device__ block::TileState<Affine> look(std::uint32_t tile) const {
    const auto state = SplitStates::look(tile);
    if (state.flag != block::not_ready)
      seen[walker * tiles + tile] = static_cast<std::uint8_t>(state.flag);
    return state;
  }
};

__global__ void tiles_kernel(WitnessedStates states, const Affine* of_tiles, Affine* found) {
  __shared__ std::uint32_t ticket;
  const std::uint32_t number = block::take_ticket(states.ticket(), ticket);
  if (warp::index() != 0) return;
  states.walker = number;
  if (warp::lane() == 0) block::publish_sum(states, number, of_tiles[number]);
  found[number] = block::before_tile<ComposeAffine>(states, number, of_tiles[number]);
}

TEST_P(LookBack, FindsTensOfAggregatesIfPublicationsAreLate) {
  constexpr std::uint32_t tiles = 150;
  std::vector<Affine> of_tiles;
  for (std::uint32_t t = 0; t < tiles; ++t) of_tiles.push_back(of_tile<ComposeAffine>(t));
  std::uint32_t longest = 0;
  std::uint32_t second_windows = 0;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const simt::Options options{.warp_size = GetParam(), .seed = seed, .late_publications = true};
    // Each block needs a thread to be co-resident.
    if (simt::start_workers(options).running < 60) GTEST_SKIP() << "too few threads";
    const auto device = open_cpu_device(options);
    const auto stream = device->create_stream();
    std::vector<std::uint32_t> flags(tiles + 1);
    std::vector<Affine> aggregates(tiles), prefixes(tiles), found(tiles);
    std::vector<std::uint8_t> seen(std::size_t{tiles} * tiles);
    launch(
        *stream, KERNEL(tiles_kernel), Shape(tiles, 64),
        WitnessedStates{{flags.data(), aggregates.data(), prefixes.data()}, seen.data(), tiles, 0},
        of_tiles.data(), found.data());
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
      ASSERT_TRUE(same(found[tile], before<ComposeAffine>(tile))) << "tile " << tile;
      std::uint32_t walk = 0;
      while (walk < tile && seen[tile * tiles + tile - 1 - walk] == block::aggregate_ready) ++walk;
      longest = std::max(longest, walk);
      if (walk >= GetParam()) ++second_windows;
    }
  }
  RecordProperty("longest", static_cast<int>(longest));
  RecordProperty("second_windows", static_cast<int>(second_windows));
  EXPECT_GE(longest, 30U);
  // As many blocks as a warp of 64 has lanes, and one more, are never co-resident.
  if (GetParam() == 32) {
    EXPECT_GT(second_windows, 0U);
  }
}

}  // namespace
}  // namespace warpview::cpu
