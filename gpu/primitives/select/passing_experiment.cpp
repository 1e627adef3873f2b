// Input, output and check of the experiments of select and partition.
#include "gpu/primitives/select/passing_experiment.h"

#include <algorithm>

namespace warpview::lab {
namespace {

// By form: 32-bit items pass if they are at most this.
constexpr std::uint32_t limits[] = {0x7fffffffU, 0x03ffffffU, 0xffffffffU};
static_assert(std::size(passing_forms) == std::size(limits));

}  // namespace

PassingExperiment::PassingExperiment(const Setup& setup)
    : Experiment(setup), at_most_(limits[setup.form]), out_(device_, n_), count_(device_, 1) {}

std::vector<std::uint32_t> PassingExperiment::make_input(const Setup& setup) {
  std::vector<std::uint32_t> host = words(setup);
  if (is_readable(setup.distribution) && n_ > 0) {
    // As large a part of them as of all words, but at least one.
    std::vector<std::uint32_t> sorted = host;
    std::ranges::sort(sorted);
    const std::uint64_t passing = n_ * (std::uint64_t{at_most_} + 1) >> 32U;
    at_most_ = sorted[std::max<std::uint64_t>(passing, 1) - 1];
  }
  in_ = uploaded(setup, host);
  return host;
}

PassingArgs PassingExperiment::args() const {
  return {
      .in = in_.data(), .out = out_.data(), .count = count_.data(), .n = n_, .at_most = at_most_};
}

std::string PassingExperiment::check(VariantId /*variant*/) {
  if (const auto count = count_.download(stream_).front(); count != want_count_)
    return std::to_string(count) + " items pass instead of " + std::to_string(want_count_);
  return first_difference(out_.download(stream_, want_.size()), want_, "items");
}

std::vector<Region> PassingExperiment::outputs() {
  return {region("out", out_), region("count", count_)};
}

std::vector<Region> PassingExperiment::result() {
  return {region("out", out_, want_.size()), region("count", count_)};
}

}  // namespace warpview::lab
