// All variants of a stage, one after the other, on what the scene has for it now.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/variant_times.h"
#include "scenes/scene.h"

namespace warpview {

// How far a comparison has come; its result once it no longer runs.
struct Comparison {
  std::uint64_t number = 0;  // the first is 1; 0: there was none
  std::string stage;         // by its name
  std::uint64_t items = 0;
  // In the catalogue's order; of their runs but the first, which warms the variant up. All times
  // include the stages that one of them fuses, and another does not.
  std::vector<VariantTimes> variants;
  std::optional<VariantId> chosen{};   // before and after
  std::optional<VariantId> running{};  // none: between two of them, or all are done
  bool under_way = false;
  bool cancelled = false;
};

// Runs them. The scene's owner may do other things between any two runs, except for
// choosing variants and computing frames. What was chosen is chosen again at the end, and the
// stage's output is what it left.
class VariantComparison {
 public:
  static constexpr std::size_t runs = 5;  // of each variant, after one that is not counted

  // The stage has variants and can be repeated, or the stage that does its work can.
  VariantComparison(Scene& scene, StageId stage, std::uint64_t number);

  const Comparison& results() const { return results_; }
  // One run. False when all is done. A variant that fails is given up, and the answer says why;
  // Error where the one that was chosen fails.
  bool step(Scene& scene);
  // Ends it. Error as above.
  void cancel(Scene& scene);

 private:
  void choose(Scene& scene, VariantId variant) const;
  void find_fused(Scene& scene);
  double run(Scene& scene) const;

  StageId stage_;
  StageVariants choices_;           // of all stages
  std::vector<StageId> fused_;      // by some of the variants, but not by all
  std::vector<std::size_t> order_;  // of the variants: what is chosen comes last
  std::size_t place_ = 0;           // in `order_`
  bool is_warm_ = false;
  Comparison results_;
};

}  // namespace warpview
