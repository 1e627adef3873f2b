// The laboratory's runs from one session to the next: docs/kept-runs.md.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/common/lab_runs.h"
#include "app/common/worker.h"
#include "app/comparison.h"
#include "app/events.h"
#include "app/model.h"

namespace warpview {

// What was measured just now.
MeasuredRun measured_run(const DeviceInfo& device, LabCsvRow row, std::string asked_by);
// The variants that a comparison has timed.
std::vector<MeasuredRun> measured_runs(const DeviceInfo& device, const StageResult& stage,
                                       const Comparison& comparison);

// Reads the file of kept runs where the user wishes them kept, and adds to it. Never waits, but for
// its end, which writes what is left. Another window's runs stay in the file; a file that is none
// of kept runs is renamed, and what fails is a message.
class RunKeeper {
 public:
  RunKeeper(Model& model, std::shared_ptr<SessionEvents> events)
      : model_(model), events_(std::move(events)) {}
  ~RunKeeper();
  RunKeeper(const RunKeeper&) = delete;
  RunKeeper& operator=(const RunKeeper&) = delete;

  void update();
  void take(event::RunsFound found);

 private:
  class File;

  bool keeps() const { return model_.lab.keeps_runs && !model_.lab.runs_file.empty(); }
  void begin();
  void write();

  Model& model_;
  const std::shared_ptr<SessionEvents> events_;
  std::shared_ptr<File> file_;  // null: not asked for yet
  std::uint64_t written_ = 0;   // of LabRuns::added()
  std::uint64_t rewritten_ = 0;
  std::chrono::steady_clock::time_point last_write_;
  Worker worker_;
};

}  // namespace warpview
