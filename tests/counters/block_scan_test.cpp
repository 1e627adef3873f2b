// The block scans as the counted device sees them: the bank conflicts of the tree's up-sweep, which
// agree with those of KAUST's CS 380 (lecture 19) for 16 banks, and the work and depth of every
// variant.
#include "gpu/primitives/block_scan/block_scan.h"

#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "gpu/catalogue.h"
#include "gpu/lab/laboratory.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/counted_device.h"
#include "gpu/runtime/scratch_memory.h"

namespace warpview::test {
namespace {

struct Case {
  std::uint32_t tile;
  unsigned banks = 32;
  unsigned warp_size = 32;
};

// The counts of one block for one tile.
KernelCounters count(const std::string& variant, bool inclusive, const Case& of) {
  const auto device = open_counted_device({.warp_size = of.warp_size}, of.banks);
  const auto stream = device->create_stream();
  ScratchMemory scratch(*device);
  Buffer<std::uint32_t> words(*device, of.tile);
  words.upload(*stream, std::vector<std::uint32_t>(of.tile, 1));
  take_counters();
  scratch.run(
      device->table().get<Primitive::block_scan>(find_variant(Primitive::block_scan, variant)),
      *stream,
      BlockScanArgs{.in = words.data(),
                    .out = words.data(),
                    .n = of.tile,
                    .operation = BlockScanOperation::sum_bits,
                    .inclusive = inclusive,
                    .tile = of.tile,
                    .banks = of.banks});
  const std::vector<KernelCounters> kernels = take_counters();
  if (kernels.size() != 1) throw Error("a block scan that is not one kernel");
  const std::vector<std::uint32_t> sums = words.download(*stream);
  for (std::uint32_t i = 0; i < of.tile; ++i)
    EXPECT_EQ(sums[i], inclusive ? i + 1 : i) << variant << ", tile " << of.tile;
  return kernels.front();
}

using Degrees = std::vector<unsigned>;

// The up-sweep's steps, which follow the one that loads the tile.
Degrees up_sweep(const std::string& variant, const Case& of) {
  const KernelCounters counters = count(variant, false, of);
  Degrees degrees;
  for (int step = 1; step <= std::countr_zero(of.tile); ++step)
    degrees.push_back(counters.steps.at(static_cast<std::size_t>(step)).worst_degree);
  return degrees;
}

TEST(UpSweep, HasTheseBankConflicts) {
  const std::vector<std::pair<Case, Degrees>> table = {
      {{64, 16}, {2, 4, 4, 4, 2, 1}},
      {{64, 32}, {2, 2, 2, 2, 2, 1}},
      {{128, 16}, {2, 4, 8, 8, 4, 2, 1}},
      {{128, 32}, {2, 4, 4, 4, 4, 2, 1}},
      {{512, 16}, {2, 4, 8, 16, 16, 8, 4, 2, 1}},
      {{512, 32}, {2, 4, 8, 16, 16, 8, 4, 2, 1}},
  };
  for (const auto& [of, degrees] : table)
    for (const char* variant : {"blelloch", "blelloch_inclusive", "blelloch_halves", "brent_kung"})
      EXPECT_EQ(up_sweep(variant, of), degrees)
          << variant << ", " << of.tile << " leaves, " << of.banks << " banks";
}

TEST(UpSweep, HasFewOrNoneWhenPadded) {
  const std::vector<std::pair<Case, Degrees>> table = {
      {{64, 16}, Degrees(6, 1)},
      {{64, 32}, Degrees(6, 1)},
      {{128, 16}, Degrees(7, 1)},
      {{128, 32}, Degrees(7, 1)},
      {{512, 16}, {1, 1, 1, 1, 2, 2, 2, 2, 1}},
      {{512, 32}, Degrees(9, 1)},
  };
  for (const auto& [of, degrees] : table)
    EXPECT_EQ(up_sweep("blelloch_padded", of), degrees)
        << of.tile << " leaves, " << of.banks << " banks";
}

// Cycles of the up-sweep with 16 banks that the laboratory reports: in all, without conflicts, and
// for padding. Those of 64, 128 and 512 leaves, padded once or not at all, are the lecture's.
TEST(UpSweep, TakesTheLecturesCycles) {
  const auto device = open_counted_device({}, 16);
  lab::Laboratory laboratory(*device, 1);
  const auto cycles = [&](const char* form, std::uint32_t leaves, const char* variant) {
    laboratory.ask({.primitive = Primitive::block_scan,
                    .form = lab::find_form(Primitive::block_scan, form),
                    .n = leaves});
    std::vector<double> told;
    for (const lab::Fact& fact :
         laboratory.verify(find_variant(Primitive::block_scan, variant)).facts)
      told.push_back(fact.value);
    return told;
  };
  struct Leaves {
    const char* form;
    std::uint32_t leaves;
    double plain, without_conflicts, padded, padded_twice;
  };
  for (const Leaves& of : {Leaves{"tile_64", 64, 102, 36, 84, 132},
                           {"tile_128", 128, 186, 48, 112, 176},
                           {"exclusive", 512, 570, 120, 304, 440},
                           {"tile_1024", 1024, 1050, 216, 570, 792}}) {
    SCOPED_TRACE(of.leaves);
    for (const char* variant : {"blelloch", "blelloch_inclusive", "blelloch_halves", "brent_kung"})
      EXPECT_EQ(cycles(of.form, of.leaves, variant),
                (std::vector<double>{of.plain, of.without_conflicts}))
          << variant;
    const double padding = of.without_conflicts / 6 * 8;
    EXPECT_EQ(cycles(of.form, of.leaves, "blelloch_padded"),
              (std::vector<double>{of.padded, of.without_conflicts, padding}));
    EXPECT_EQ(cycles(of.form, of.leaves, "blelloch_padded_twice"),
              (std::vector<double>{of.padded_twice, of.without_conflicts, 2 * padding}));
    EXPECT_TRUE(cycles(of.form, of.leaves, "kogge_stone").empty()) << "has no such tree";
  }
}

TEST(UpSweep, HasNoConflictsWhenPaddedTwice) {
  for (const std::uint32_t leaves : {64U, 512U, 1024U})
    EXPECT_EQ(up_sweep("blelloch_padded_twice", {leaves, 16}),
              Degrees(static_cast<std::size_t>(std::countr_zero(leaves)), 1));
  EXPECT_EQ(up_sweep("blelloch_padded", {1024, 16}), (Degrees{1, 1, 1, 1, 2, 4, 4, 4, 2, 1}));
}

struct Cost {
  std::uint64_t work;   // applications of the operator
  std::uint64_t depth;  // steps of them
  bool operator==(const Cost&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Cost& cost) {
  return out << cost.work << " applications in " << cost.depth << " steps";
}

Cost expected(const std::string& variant, const Case& of) {
  const std::uint64_t n = of.tile;
  const auto log = static_cast<std::uint64_t>(std::countr_zero(of.tile));
  if (variant == "hillis_steele" || variant == "ping_pong") return {n * (log - 1) + 1, log};
  if (variant == "brent_kung") return {2 * n - 2 - log, 2 * log - 1};
  if (variant == "kogge_stone" || variant == "binary") {
    const bool bits = variant == "binary";
    const std::uint64_t w = of.warp_size;
    if (n <= w) return bits ? Cost{0, 0} : Cost{n * log - n + 1, log};
    const std::uint64_t warps = n / w;
    const auto log_warps = static_cast<std::uint64_t>(std::countr_zero(warps));
    const Cost across{warps * log_warps - warps + 1 + n - w, log_warps + 1};
    if (bits) return across;
    const std::uint64_t log_w = log - log_warps;
    return {warps * (w * log_w - w + 1) + across.work, log_w + across.depth};
  }
  return {2 * (n - 1), 2 * log};  // Blelloch, every kind
}

TEST(WorkAndDepth, MatchThePage) {
  for (const VariantId id : variants_of(Primitive::block_scan)) {
    const std::string variant = id->name;
    for (const unsigned warp_size : {32U, 64U})
      for (const std::uint32_t tile : {2U, 16U, 32U, 64U, 256U, 1024U})
        for (const bool inclusive : {false, true}) {
          const Case of{.tile = tile, .warp_size = warp_size};
          const KernelCounters counters = count(variant, inclusive, of);
          EXPECT_EQ((Cost{counters.operators, counters.depth}), expected(variant, of))
              << variant << (inclusive ? ", inclusive" : ", exclusive") << ", tile " << tile
              << ", warps of " << warp_size;
        }
  }
}

TEST(BarriersOfBlockScans, AreTwoPerStepInOneBufferAndTwoInAllByShuffles) {
  const auto barriers = [](const char* variant) {
    return count(variant, true, {.tile = 1024}).barriers;
  };
  EXPECT_EQ(barriers("hillis_steele"), 1U + 2 * 10);
  EXPECT_EQ(barriers("ping_pong"), 1U + 10);
  EXPECT_EQ(barriers("kogge_stone"), 2U);
  EXPECT_EQ(barriers("binary"), 2U);
  EXPECT_EQ(barriers("blelloch"), 20U + 1);
  EXPECT_EQ(barriers("brent_kung"), 19U + 1);
}

}  // namespace
}  // namespace warpview::test
