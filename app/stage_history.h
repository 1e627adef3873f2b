// What is known of a stage's times beside these: under what they were taken, what came before them,
// and whether more are to come.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "app/common/other_load.h"
#include "app/common/published.h"
#include "app/model.h"

namespace warpview {

// Does the stage run in each frame of what moves? Frames that are not drawn run fewer stages, those
// that write for example: a stage that ran in a frame stays until something is set otherwise.
bool runs_in_frames(const StageRow& row, bool moves, bool is_set_as_before);

class StageHistory {
 public:
  // Looks at what other programs take of the processors, now and then, where kernels run on these
  // too.
  void look_at_load(bool kernels_on_cpu);
  // Takes a stage's result, and keeps how it went where the times to come are another variant's.
  void take(StageRow& row, Published<StageResult> now, bool moving) const;
  // The stage that is to run once more, as nothing else is to be done; none: it has, or it would
  // bring nothing (app/warm_up.h).
  std::optional<std::string> next_run(const Model& model, std::uint64_t scene);

 private:
  void note_taken(TimesTaken& taken, bool moving) const;

  // A stage that was asked to run once more: of which scene, by which variant, after how many warm
  // runs.
  struct AskedRun {
    std::uint64_t scene = 0;
    std::string stage{};
    std::optional<VariantId> variant{};
    std::size_t runs = 0;
    bool operator==(const AskedRun&) const = default;
  };
  AskedRun warming_;
  OtherLoad other_load_;
  std::optional<double> others_;  // as of the last look
  std::chrono::steady_clock::time_point last_look_{};
};

}  // namespace warpview
