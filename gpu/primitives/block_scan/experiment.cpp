// The experiment of block scan: each tile of words, compared with sums made one after another.
#include "gpu/primitives/block_scan/block_scan.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "gpu/lab/experiment.h"
#include "gpu/runtime/tile_extent.h"

namespace warpview::lab {
namespace {

constexpr Form block_scan_forms[] = {
    {"exclusive", "sum of the words of the tile before each"},
    {"inclusive", "sum of the words of the tile up to each"},
    {"bits", "number of ones in the tile before each bit"},
    {"sum_f32", "sum of the floats of the tile up to each"},
    {"maps", "composition of the affine maps of the tile before each"},
    {"tile_64", "as exclusive, in tiles of 64 words"},
    {"tile_128", "as exclusive, in tiles of 128 words"},
    {"tile_256", "as exclusive, in tiles of 256 words"},
    {"tile_1024", "as exclusive, in tiles of 1024 words"},
};
enum : int { exclusive, inclusive, bits, sum_f32, maps, tile_64, tile_128, tile_256, tile_1024 };

// No variant's course depends on the values; equal bits, mostly 0 or mixed ones are enough.
constexpr Distribution block_scan_distributions[] = {Distribution::uniform, Distribution::skewed,
                                                     Distribution::constant};

std::uint32_t tile_of(int form) {
  return form == tile_64     ? 64
         : form == tile_128  ? 128
         : form == tile_256  ? 256
         : form == tile_1024 ? 1024
                             : tile_extent(512, 128);
}

// Input to be followed by eye has one tile, the smallest that holds it: threads without an item
// would only be in the way.
std::uint32_t tile_of(const Setup& setup) {
  const std::uint32_t tile = tile_of(setup.form);
  return is_readable(setup.distribution) ? std::clamp(std::bit_ceil(setup.n), 2U, tile) : tile;
}

std::optional<NumberRange> block_scan_numbers(int form) {
  if (form == maps) return std::nullopt;  // an item is two numbers
  if (form == bits) return NumberRange{.least = 0, .most = 1};
  return form == sum_f32 ? NumberRange{.least = -1000, .most = 1000} : words_range;
}

using Words = std::vector<std::uint32_t>;  // floats as their bits

std::uint32_t combine(BlockScanOperation operation, std::uint32_t before, std::uint32_t after) {
  switch (operation) {
    case BlockScanOperation::sum_f32:
      return std::bit_cast<std::uint32_t>(std::bit_cast<float>(before) +
                                          std::bit_cast<float>(after));
    case BlockScanOperation::compose_maps: {
      const std::uint32_t a = (before & 0xffffU) * (after & 0xffffU);
      const std::uint32_t b = (before >> 16) * (after & 0xffffU) + (after >> 16);
      return (a & 0xffffU) | b << 16;
    }
    default:
      return before + after;
  }
}

class BlockScan : public Experiment {
 public:
  explicit BlockScan(const Setup& setup)
      : Experiment(setup), args_(args_of(setup)), out_(device_, n_) {
    const Words host = input(setup);
    want_ = expected(host);
    in_ = uploaded(setup, host);
    args_.in = in_.data();
    args_.out = out_.data();
    args_.n = n_;
  }

  void run(VariantId variant) override {
    scratch_.run(device_.table().get<Primitive::block_scan>(variant), stream_, args_);
  }
  std::string check(VariantId /*variant*/) override {
    return first_difference(out_.download(stream_), want_, "sums");
  }
  std::vector<Region> outputs() override { return {region("out", out_)}; }
  std::vector<Region> result() override { return {region("out", out_)}; }

  std::vector<Fact> facts(const Outcome& outcome) const override {
    const DeviceInfo& device = device_.info();
    const unsigned traits = outcome.variant->traits;
    if (outcome.counters.empty() || device.shared_banks != lecture_banks ||
        device.warp_size != lecture_warp || (traits & BlockScanTrait::tree) == 0)
      return {};
    return up_sweep_cycles(outcome.counters.front(), traits);
  }

 private:
  // The cycles of the up-sweep by the model of KAUST CS 380 (lecture 19: parallel prefix sum 2),
  // with the measured degrees of conflict. There are 16 banks, which serve half a warp at a time.
  // In a step each active warp reads two words and writes one, in two halves each, and each half
  // takes as many cycles as the degree. Padding takes 8 cycles for each step and warp; 8 more for a
  // second level is our assumption.
  static constexpr unsigned lecture_banks = 16;
  static constexpr int lecture_warp = 32;
  std::vector<Fact> up_sweep_cycles(const KernelCounters& kernel, unsigned traits) const {
    constexpr unsigned halves_served = 3 * 2;
    constexpr unsigned padding_cycles = 8;
    const unsigned levels = (traits & BlockScanTrait::padded_twice) != 0 ? 2
                            : (traits & BlockScanTrait::padded) != 0     ? 1
                                                                         : 0;
    unsigned served = 0;
    unsigned without_conflicts = 0;
    unsigned addresses = 0;
    std::size_t step = 1;  // step 0 stores the tile
    for (std::uint32_t active = args_.tile / 2; active > 0; active /= 2, ++step) {
      const unsigned warps = std::max<unsigned>(active / lecture_warp, 1);
      served += halves_served * warps * kernel.steps.at(step).worst_degree;
      without_conflicts += halves_served * warps;
      addresses += levels * padding_cycles * warps;
    }
    std::vector<Fact> facts = {
        {"up-sweep as the lecture reckons", static_cast<double>(served + addresses), "cycles"},
        {"without conflicts", static_cast<double>(without_conflicts), "cycles"}};
    if (levels > 0) facts.push_back({"for padding", static_cast<double>(addresses), "cycles"});
    return facts;
  }

  static BlockScanArgs args_of(const Setup& setup) {
    const int form = setup.form;
    BlockScanArgs args{.in = nullptr,
                       .out = nullptr,
                       .n = 0,
                       .tile = tile_of(setup),
                       .banks = setup.device.info().shared_banks};
    args.inclusive = form == inclusive || form == sum_f32;
    if (form == bits) args.operation = BlockScanOperation::sum_bits;
    if (form == sum_f32) args.operation = BlockScanOperation::sum_f32;
    if (form == maps) args.operation = BlockScanOperation::compose_maps;
    return args;
  }
  static Words input(const Setup& setup) {
    if (const auto given =
            given_numbers(setup, block_scan_numbers(setup.form).value_or(words_range))) {
      Words host(given->size());
      std::ranges::transform(*given, host.begin(), [&](std::int64_t number) {
        return setup.form == sum_f32 ? std::bit_cast<std::uint32_t>(static_cast<float>(number))
                                     : static_cast<std::uint32_t>(number);
      });
      return host;
    }
    if (setup.form == sum_f32) {
      const auto numbers = small_numbers<float>(setup.distribution, setup.n, setup.seed);
      Words host(numbers.size());
      for (std::size_t i = 0; i < host.size(); ++i)
        host[i] = std::bit_cast<std::uint32_t>(numbers[i]);
      return host;
    }
    const auto wide = integers(setup.distribution, setup.n, 32, setup.seed);
    Words host(wide.begin(), wide.end());
    if (setup.form == bits)
      for (std::uint32_t& word : host) word >>= 31;
    return host;
  }
  Words expected(const Words& in) const {
    const std::uint32_t identity = args_.operation == BlockScanOperation::compose_maps ? 1 : 0;
    Words out(in.size());
    std::uint32_t sum = identity;
    for (std::size_t i = 0; i < in.size(); ++i) {
      if (i % args_.tile == 0) sum = identity;
      const std::uint32_t upto = combine(args_.operation, sum, in[i]);
      out[i] = args_.inclusive ? upto : sum;
      sum = upto;
    }
    return out;
  }

  BlockScanArgs args_;
  Words want_;
  Buffer<std::uint32_t> in_, out_;
};

std::string block_scan_why_not(VariantId variant, int form) {
  const bool bits_only = (variant->traits & BlockScanTrait::bits_only) != 0;
  return bits_only && form != bits ? "ballots scan bits only" : "";
}

}  // namespace

const ExperimentKind& block_scan_experiment() {
  static constexpr ExperimentKind kind = {.items = "words",
                                          .forms = block_scan_forms,
                                          .distributions = block_scan_distributions,
                                          .memory_each = 8,
                                          .make = make<BlockScan>,
                                          .why_not = block_scan_why_not,
                                          .numbers = block_scan_numbers};
  return kind;
}

}  // namespace warpview::lab
