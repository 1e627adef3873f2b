// The experiment of expansion: the owner of each slot, compared with a loop over the items.
#include "gpu/primitives/expand/expand.h"

#include <algorithm>
#include <utility>

#include "gpu/lab/experiment.h"

namespace warpview::lab {
namespace {

enum ExpandFormIndex { up_to_15, uneven };
constexpr Form expand_forms[] = {
    {"up_to_15", "every item asks for 0 to 15 places"},
    {"uneven", "one of 64 items asks for as many places as those 64 would, the others for none"},
};

// Few enough for the memory that an item is given.
constexpr NumberRange numbers_of_places = {.least = 0, .most = 15, .small_most = 3};

std::vector<std::uint32_t> counts_of(const Setup& setup) {
  std::vector<std::uint32_t> counts(setup.n);
  if (const auto given = given_numbers(setup, numbers_of_places))
    std::ranges::copy(*given, counts.begin());
  else
    std::ranges::copy(integers(setup.distribution, setup.n, 4, setup.seed), counts.begin());
  if (setup.form != uneven || setup.distribution == Distribution::typed) return counts;
  constexpr std::size_t each = 64;
  for (std::size_t begin = 0; begin < counts.size(); begin += each) {
    const std::size_t end = std::min(begin + each, counts.size());
    std::uint32_t all = 0;
    for (std::size_t i = begin; i < end; ++i) all += std::exchange(counts[i], 0U);
    counts[begin + begin / each * 37 % (end - begin)] = all;
  }
  return counts;
}

class Expand : public Experiment {
 public:
  explicit Expand(const Setup& setup)
      : Experiment(setup), counts_(counts_of(setup)), total_(device_, 1) {
    for (std::uint32_t i = 0; i < n_; ++i) want_.insert(want_.end(), counts_[i], i);
    in_ = uploaded(setup, counts_);
    out_ = Buffer<std::uint32_t>(device_, want_.size());
  }

  void run(VariantId variant) override {
    scratch_.run(device_.table().get<Primitive::expand>(variant), stream_,
                 ExpandArgs{.counts = in_.data(),
                            .n = n_,
                            .out = out_.data(),
                            .capacity = static_cast<std::uint32_t>(out_.size()),
                            .total = total_.data()});
  }
  std::string check(VariantId variant) override {
    if (const auto total = total_.download(stream_).front(); total != want_.size())
      return std::to_string(total) + " places instead of " + std::to_string(want_.size());
    const std::vector<std::uint32_t> got = out_.download(stream_);
    if (variant->determinism == Determinism::order_varies) return out_of_order(got);
    return first_difference(got, want_, "places");
  }
  std::vector<Region> outputs() override { return {region("out", out_), region("total", total_)}; }
  std::vector<Region> result() override { return outputs(); }

 protected:
  Traffic traffic() const override {
    return {.item = 4, .value = n_ > 0 ? 4.0 * static_cast<double>(want_.size()) / n_ : 0.0};
  }

 private:
  // As many slots are written as are requested. If each item's slots are contiguous and no item has
  // two such stretches, all are there.
  std::string out_of_order(const std::vector<std::uint32_t>& got) const {
    std::vector<bool> seen(n_);
    for (std::size_t place = 0; place < got.size();) {
      const std::uint32_t item = got[place];
      const std::size_t count = item < n_ && !seen[item] ? counts_[item] : 0;
      const auto begin = got.begin() + static_cast<std::ptrdiff_t>(place);
      if (count == 0 || count > got.size() - place ||
          std::any_of(begin, begin + static_cast<std::ptrdiff_t>(count),
                      [item](std::uint32_t other) { return other != item; }))
        return "from place " + std::to_string(place) + " on item " + std::to_string(item) +
               " has not the places that it asked for";
      seen[item] = true;
      place += count;
    }
    return {};
  }

  std::vector<std::uint32_t> counts_, want_;
  Buffer<std::uint32_t> in_, out_, total_;
};

}  // namespace

const ExperimentKind& expand_experiment() {
  static constexpr Distribution distributions[] = {Distribution::uniform, Distribution::skewed,
                                                   Distribution::sorted, Distribution::constant};
  static constexpr ExperimentKind kind = {
      .items = "items",
      .forms = expand_forms,
      .distributions = distributions,
      .memory_each = 70,
      .make = make<Expand>,
      .numbers = [](int) { return std::optional(numbers_of_places); }};
  return kind;
}

}  // namespace warpview::lab
