// What the experiments of select and partition share: items, some of which pass a test.
#pragma once

#include "gpu/lab/experiment.h"
#include "gpu/primitives/select/passing.h"

namespace warpview::lab {

inline constexpr Form passing_forms[] = {
    {"half", "about half of the items pass"},
    {"few", "few of the items pass"},
    {"all", "all items pass"},
};
inline constexpr Distribution passing_distributions[] = {
    Distribution::uniform, Distribution::few, Distribution::sorted, Distribution::constant};

class PassingExperiment : public Experiment {
 public:
  std::string check(VariantId variant) override;
  std::vector<Region> outputs() override;
  std::vector<Region> result() override;

 protected:
  explicit PassingExperiment(const Setup& setup);

  // Makes the input, uploads it, and returns it.
  std::vector<std::uint32_t> make_input(const Setup& setup);
  bool passes(std::uint32_t item) const { return item <= at_most_; }
  PassingArgs args() const;

  // The derived experiment fills these: what its output holds, and how many of the items pass.
  std::vector<std::uint32_t> want_;
  std::uint32_t want_count_ = 0;

 private:
  std::uint32_t at_most_;
  Buffer<std::uint32_t> in_, out_, count_;
};

}  // namespace warpview::lab
