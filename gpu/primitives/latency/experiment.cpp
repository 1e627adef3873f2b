// The experiment of latency: words that are summed, and chains that are followed, compared with
// plain loops.
#include "gpu/primitives/latency/latency.h"

#include <algorithm>
#include <bit>

#include "gpu/lab/experiment.h"
#include "gpu/primitives/reduce/reduce.h"
#include "gpu/reference/all_cores.h"

namespace warpview::lab {
namespace {

constexpr Form latency_forms[] = {
    {"whole", "a sum by as many warps as an SM holds"},
    {"half", "a sum by half as many"},
    {"quarter", "a sum by a quarter of them"},
    {"eighth", "a sum by an eighth of them"},
    {.name = "chase", .summary = "one thread follows chains through the words", .one_block = true},
    {.name = "chase_warm",
     .summary = "chase, with as much in the cache as goes into it",
     .one_block = true},
};
enum : int { whole_sm, half_sm, quarter_sm, eighth_sm, chase, chase_warm };

class Loads : public Experiment {
 public:
  explicit Loads(const Setup& setup)
      : Experiment(setup),
        form_(setup.form),
        out_(device_, chases() ? (n_ > 0 ? latency_chains : 0)
                               : std::size_t{latency_blocks(n_)} * latency_threads),
        read_(device_, 1) {
    const std::vector<std::uint32_t> host = chases() ? chain() : words(setup);
    in_ = uploaded(setup, host);
    want_.resize(out_.size());
    if (chases())
      for (std::size_t c = 0; c < want_.size(); ++c) {
        auto at = static_cast<std::uint32_t>(c * n_ / latency_chains);
        for (std::uint32_t step = 0; step < latency_chain_loads; ++step) at = host[at];
        want_[c] = at;
      }
    else
      reference::for_each_item(want_.size(), [&](std::size_t thread) {
        const std::size_t block = thread / latency_threads;
        std::uint32_t sum = 0;
        for (std::uint32_t k = 0; k < latency_words_each; ++k) {
          const std::size_t i =
              block * latency_tile + k * latency_threads + thread % latency_threads;
          if (i < host.size()) sum += host[i];
        }
        want_[thread] = sum;
      });
  }

  void run(VariantId variant) override {
    scratch_.run(device_.table().get<Primitive::latency>(variant), stream_,
                 LatencyArgs{.work = chases() ? LatencyWork::chase : LatencyWork::stream,
                             .in = in_.data(),
                             .n = n_,
                             .out = out_.data(),
                             .share = chases() ? 1U : 1U << static_cast<unsigned>(form_)});
  }
  // A sum over the words reads all of them.
  void warm_caches() override {
    if (form_ != chase_warm) return;
    scratch_.run(
        device_.table().get<Primitive::reduce>(
            default_variant(Primitive::reduce, device_.info().backend)),
        stream_,
        ReduceArgs{.op = ReduceOperator::sum_i32, .in = in_.data(), .n = n_, .out = read_.data()});
  }
  std::string check(VariantId /*variant*/) override {
    return first_difference(out_.download(stream_), want_, chases() ? "ends" : "sums");
  }
  std::vector<Region> outputs() override { return {region("out", out_)}; }
  std::vector<Region> result() override { return {region("out", out_)}; }

  // For a chase: the time from one load of a chain to its next. For a sum: the most bytes in
  // flight; by Little's law, bandwidth times that latency.
  std::vector<Fact> facts(const Outcome& outcome) const override {
    const double loads = outcome.variant->traits;
    if (chases()) {
      if (!(outcome.ms > 0.0)) return {};
      constexpr double all = double{latency_chains} * latency_chain_loads;
      return {{"from load to load", outcome.ms * 1e6 / (all / loads), "ns"}};
    }
    if (outcome.launches.empty() || outcome.launches.front().blocks_per_multiprocessor < 0)
      return {};
    const LaunchRecord& launch = outcome.launches.front();
    const auto resident = std::min(static_cast<std::int64_t>(device_.info().multiprocessors) *
                                       launch.blocks_per_multiprocessor,
                                   static_cast<std::int64_t>(latency_blocks(n_)));
    return {
        {"occupancy", 100.0 * launch.occupancy, "%"},
        {"in flight",
         static_cast<double>(resident) * latency_threads * loads * sizeof(std::uint32_t) / 1024.0,
         "KiB"}};
  }

 protected:
  // A sum reads all words and writes one per thread; a chase reads the words that it follows.
  Traffic traffic() const override {
    if (chases()) return {.item = 4.0 * latency_chains * latency_chain_loads / std::max(n_, 1U)};
    return {.item = 4.0 + 4.0 / latency_words_each};
  }

 private:
  bool chases() const { return form_ >= chase; }

  std::vector<std::uint32_t> words(const Setup& setup) const {
    const auto wide = integers(setup.distribution, n_, 32, setup.seed);
    return {wide.begin(), wide.end()};
  }
  // One cycle through the first words, a power of two of them: a linear congruential generator of
  // full period (Hull, Dobell, Random Number Generators, 1962; its constants are from Press et al.,
  // Numerical Recipes). The next word may lie anywhere.
  std::vector<std::uint32_t> chain() const {
    const std::uint32_t mask = std::bit_floor(std::max(n_, 1U)) - 1;
    std::vector<std::uint32_t> next(n_);
    reference::for_each_item(n_, [&](std::size_t i) {
      next[i] = (static_cast<std::uint32_t>(i) * 1664525U + 1013904223U) & mask;
    });
    return next;
  }

  int form_;
  Buffer<std::uint32_t> in_, out_, read_;
  std::vector<std::uint32_t> want_;
};

}  // namespace

const ExperimentKind& latency_experiment() {
  static constexpr ExperimentKind kind = {.items = "words",
                                          .forms = latency_forms,
                                          .distributions = only_uniform,
                                          .memory_each = 5,
                                          .make = make<Loads>};
  return kind;
}

}  // namespace warpview::lab
