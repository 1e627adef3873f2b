// What the laboratory's tab Faults knows of the faults' runs.
#pragma once

#include <map>
#include <string>

#include "app/fault_runs.h"

namespace warpview {

struct LabFaults {
  struct Answer {
    FaultTally tally;  // grows while it runs
    bool cancelled = false;
    std::string error{};  // why there are no more runs; empty: none
    bool is_whole() const { return tally.runs == tally.asked.seeds; }
  };

  std::map<const FaultForm*, Answer> answers;  // the latest of each form
  const FaultForm* running = nullptr;          // null: nothing runs
  bool cancelling = false;

  // Null: it has not been asked for.
  const Answer* answer(const FaultForm& form) const {
    const auto found = answers.find(&form);
    return found == answers.end() ? nullptr : &found->second;
  }
};

}  // namespace warpview
