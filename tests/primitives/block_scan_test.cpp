// Cases that the block scan's experiment leaves out: every tile size, both bank counts, in place,
// inclusive and exclusive with every operator.
#include "gpu/primitives/block_scan/block_scan.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <random>

#include "gpu/runtime/buffer.h"
#include "gpu/runtime/scratch_memory.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

using Operation = BlockScanOperation;

std::uint32_t combine(Operation operation, std::uint32_t before, std::uint32_t after) {
  switch (operation) {
    case Operation::compose_maps: {
      // For x -> a x + b: the images of 0 and 1 under the maps in sequence.
      const auto apply = [](std::uint32_t map, std::uint32_t x) {
        return ((map & 0xffffU) * x + (map >> 16)) & 0xffffU;
      };
      const std::uint32_t b = apply(after, apply(before, 0));
      const std::uint32_t a = (apply(after, apply(before, 1)) - b) & 0xffffU;
      return a | b << 16;
    }
    case Operation::sum_f32:
      return std::bit_cast<std::uint32_t>(std::bit_cast<float>(before) +
                                          std::bit_cast<float>(after));
    default:
      return before + after;
  }
}

std::vector<std::uint32_t> input(Operation operation, std::size_t n) {
  std::mt19937 random(static_cast<std::uint32_t>(n));
  std::vector<std::uint32_t> words(n);
  for (std::uint32_t& word : words) {
    word = static_cast<std::uint32_t>(random());
    if (operation == Operation::sum_bits) word %= 2;
    if (operation == Operation::sum_f32)
      word = std::bit_cast<std::uint32_t>(static_cast<float>(word % 1000));
  }
  return words;
}

std::vector<std::uint32_t> expected(const BlockScanArgs& args,
                                    const std::vector<std::uint32_t>& in) {
  const std::uint32_t identity = args.operation == Operation::compose_maps ? 1 : 0;
  std::vector<std::uint32_t> out(in.size());
  std::uint32_t sum = identity;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (i % args.tile == 0) sum = identity;
    const std::uint32_t upto = combine(args.operation, sum, in[i]);
    out[i] = args.inclusive ? upto : sum;
    sum = upto;
  }
  return out;
}

class BlockScan : public testing::TestWithParam<Row> {
 protected:
  void SetUp() override {
    devices_ = devices_for(1, GetParam());
    bits_only_ = name_of(GetParam()) == "binary";
  }

  std::vector<TestDevice> devices_;
  bool bits_only_ = false;
};

TEST_P(BlockScan, EqualsASequentialScanForEveryTileInPlace) {
  for (const TestDevice& on : devices_) {
    SCOPED_TRACE(on.name);
    const auto stream = on.device->create_stream();
    ScratchMemory scratch(*on.device);
    for (const Operation operation :
         {Operation::sum_u32, Operation::sum_bits, Operation::sum_f32, Operation::compose_maps}) {
      if (bits_only_ && operation != Operation::sum_bits) continue;
      for (std::uint32_t tile = 2; tile <= allowed(1024); tile *= 2) {
        // Whole tiles, and a partial last one.
        for (const std::uint32_t n : {2 * tile, tile + tile / 2 - 1}) {
          const auto host = input(operation, n);
          Buffer<std::uint32_t> words(*on.device, n);
          for (const std::uint32_t banks : {16U, 32U}) {
            BlockScanArgs args{.in = words.data(),
                               .out = words.data(),
                               .n = n,
                               .operation = operation,
                               .inclusive = banks == 16,
                               .tile = tile,
                               .banks = banks};
            words.upload(*stream, host);
            scratch.run(on.device->table().get<Primitive::block_scan>(GetParam().index), *stream,
                        args);
            ASSERT_EQ(words.download(*stream), expected(args, host))
                << "tile " << tile << ", n " << n << ", operation " << static_cast<int>(operation)
                << (args.inclusive ? ", inclusive" : ", exclusive");
          }
        }
      }
    }
  }
}

TEST_P(BlockScan, RefusesUnsupportedTilesAndBanks) {
  const TestDevice& on = devices_.front();
  const auto stream = on.device->create_stream();
  auto* function = on.device->table().get<Primitive::block_scan>(GetParam().index);
  Scratch measure;
  const auto run = [&](std::uint32_t tile, std::uint32_t banks) {
    function(*stream,
             {.in = nullptr,
              .out = nullptr,
              .n = 8,
              .operation = Operation::sum_bits,
              .tile = tile,
              .banks = banks},
             measure);
  };
  EXPECT_NO_THROW(run(2, 32));
  for (const std::uint32_t tile : {0U, 1U, 3U, 96U, 2048U}) EXPECT_THROW(run(tile, 32), Error);
  for (const std::uint32_t banks : {0U, 1U, 31U, 64U}) EXPECT_THROW(run(64, banks), Error);
}

INSTANTIATE_TEST_SUITE_P(Variants, BlockScan, testing::ValuesIn(rows_of(Primitive::block_scan)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
