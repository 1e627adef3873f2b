// Has the laboratory's questions answered, records runs, and reads machine code.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/common/worker.h"
#include "app/compute.h"
#include "app/events.h"
#include "app/lab_fault_runs.h"
#include "app/lab_recorder.h"
#include "app/lab_run.h"
#include "app/model.h"
#include "gpu/runtime/cpu/cpu_device.h"
#include "gpu/runtime/device.h"

namespace warpview {

// Keeps model.lab true. Never waits. The model must outlive it, and so must the device and what
// computes on it while it is busy.
class LabDesk {
 public:
  // `options` are of the devices that count and that record.
  LabDesk(Model& model, std::shared_ptr<SessionEvents> events, const CpuOptions& options)
      : model_(model), events_(std::move(events)), cpu_options_(options) {
    model.lab.steps.seed = options.seed;
    model.lab.steps.warp_size = options.warp_size;
  }
  ~LabDesk() { closing_ = true; }
  LabDesk(const LabDesk&) = delete;
  LabDesk& operator=(const LabDesk&) = delete;

  bool is_busy() const { return run_ != nullptr; }
  // Asks model.lab's question of the device, or of one that counts, where as many items as these
  // show all there is to see. Does nothing where it is busy.
  void start(LabTask task, Device& device, Compute& compute);
  void cancel();
  // Is a run being recorded, opened or run with many seeds?
  bool records() const { return recorder_ != nullptr || fault_runs_ != nullptr; }
  // Records a run for that side of the Steps tab. Does nothing where it records.
  void record(const RecordingQuestion& asked, std::size_t side);
  void cancel_recording();
  // Reads a recording's file for the Steps tab, in place of what is recorded.
  void open_recording(std::filesystem::path file);
  // Runs a fault with many seeds, or records one of its runs for the Steps tab. Does nothing where
  // it records.
  void run_fault(const FaultQuestion& asked);
  void cancel_fault();
  void play_fault(const FaultQuestion& asked, std::uint64_t seed);
  // Asks how many items of the question's primitive fit into what the device has free, where that
  // may have changed.
  void update(Compute& compute);
  void note_memory() { most_items_of_.reset(); }
  // The device is another one than before: questions that it answers in a moment.
  void begin_on(const DeviceInfo& device);

  // Runs on its own thread. Keeps an answer that is there already.
  void disassemble(SassQuestion question);

  void take(event::LabBuilds now);
  void take(event::LabAsks now);
  void take(event::LabRuns now);
  void take(event::LabAnswers given);
  void take(event::LabEnded ended);
  void take(event::RecordingBuilds now);
  void take(event::RecordingEnded ended);
  void take(event::FaultsRun now);
  void take(event::FaultsEnded ended);
  void take(event::MostItems found);
  void take(const event::Disassembled& done);

 private:
  Model& model_;
  const std::shared_ptr<SessionEvents> events_;
  const CpuOptions cpu_options_;
  std::unique_ptr<LabRun> run_;
  std::unique_ptr<LabRecorder> recorder_;
  std::unique_ptr<LabFaultRuns> fault_runs_;  // never beside a recorder that records
  std::filesystem::path next_recording_;      // a file to open once the recorder ends; empty: none
  std::optional<Primitive> most_items_of_;    // asked for; none: something changed since
  std::atomic<bool> closing_{false};
  bool disassembler_runs_ = false;
  Worker disassembler_;  // once it was asked
};

}  // namespace warpview
