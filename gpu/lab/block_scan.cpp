#include "gpu/block_scan/block_scan.h"

#include <cstdint>

#include "gpu/lab/experiment.h"

namespace warpview::lab {
namespace {

constexpr Form forms[] = {
    {"exclusive", "sum of the words of the tile before each"},
    {"inclusive", "sum of the words of the tile up to each"},
    {"bits", "number of ones in the tile before each bit"},
    {"sum_f32", "sum of the floats of the tile up to each"},
    {"maps", "composition of the affine maps of the tile before each"},
};
enum : int { exclusive, inclusive, bits, sum_f32, maps };

// No variant looks at the values; that bits are all alike, mostly 0 or mixed is enough.
constexpr Distribution distributions[] = {Distribution::uniform, Distribution::skewed,
                                          Distribution::constant};

constexpr std::uint32_t tile = 512;

template <class T, class Combine>
std::vector<T> scan_tiles(const std::vector<T>& in, bool is_inclusive, T identity,
                          Combine combine) {
  std::vector<T> out(in.size());
  T sum = identity;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (i % tile == 0) sum = identity;
    const T upto = combine(sum, in[i]);
    out[i] = is_inclusive ? upto : sum;
    sum = upto;
  }
  return out;
}

template <class T>
class BlockScan : public Experiment {
 public:
  explicit BlockScan(const Setup& setup)
      : Experiment(setup), args_(args_of(setup.form)), out_(device_, n_) {
    const std::vector<T> host = input(setup);
    want_ = expected(host);
    in_ = uploaded(setup, host);
    args_.in = in_.data();
    args_.out = out_.data();
    args_.n = n_;
  }

  void run(int row) override {
    scratch_.run(device_.table().get<Primitive::block_scan>(row), stream_, args_);
  }
  std::string check(int /*row*/) override {
    return first_difference(out_.download(stream_), want_, "sums");
  }
  std::vector<Region> result() override { return {region(out_)}; }

 private:
  static BlockScanArgs args_of(int form) {
    BlockScanArgs args{.in = nullptr, .out = nullptr, .n = 0, .tile = tile};
    args.inclusive = form == inclusive || form == sum_f32;
    if (form == bits) args.operation = BlockScanOperation::sum_bits;
    if (form == sum_f32) args.operation = BlockScanOperation::sum_f32;
    if (form == maps) args.operation = BlockScanOperation::compose_maps;
    return args;
  }
  static std::vector<T> input(const Setup& setup) {
    if (setup.form == sum_f32) return small_numbers<T>(setup.distribution, setup.n, setup.seed);
    const auto wide = integers(setup.distribution, setup.n, 32, setup.seed);
    std::vector<T> host(wide.begin(), wide.end());
    if constexpr (std::is_same_v<T, std::uint32_t>)
      if (setup.form == bits)
        for (T& word : host) word >>= 31;
    return host;
  }
  std::vector<T> expected(const std::vector<T>& host) const {
    if constexpr (std::is_same_v<T, std::uint32_t>)
      if (args_.operation == BlockScanOperation::compose_maps)
        return scan_tiles(host, args_.inclusive, T{1}, [](T f, T g) {
          const T a = (f & 0xffffU) * (g & 0xffffU);
          const T b = (f >> 16) * (g & 0xffffU) + (g >> 16);
          return (a & 0xffffU) | b << 16;
        });
    return scan_tiles(host, args_.inclusive, T{}, [](T a, T b) { return a + b; });
  }

  BlockScanArgs args_;
  std::vector<T> want_;
  Buffer<T> in_, out_;
};

std::unique_ptr<Experiment> make_block_scan(const Setup& setup) {
  if (setup.form == sum_f32) return std::make_unique<BlockScan<float>>(setup);
  return std::make_unique<BlockScan<std::uint32_t>>(setup);
}

std::string block_scan_why_not(int row, int form) {
  static const int binary = find_variant(Primitive::block_scan, "binary");
  if (row == binary && form != bits) return "ballots scan bits only";
  return {};
}

}  // namespace

const ExperimentKind& block_scan_experiment() {
  static constexpr ExperimentKind kind = {.items = "words",
                                          .forms = forms,
                                          .distributions = distributions,
                                          .memory_each = 8,
                                          .make = make_block_scan,
                                          .why_not = block_scan_why_not};
  return kind;
}

}  // namespace warpview::lab
