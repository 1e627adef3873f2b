#include "app/lab_desk.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "app/common/sass.h"
#include "app/common/trouble.h"
#include "app/kept_runs.h"
#include "gpu/lab/series.h"

namespace warpview {

void LabDesk::start(LabTask task, Device& device, Compute& compute) {
  if (run_) return;
  LabModel& lab = model_.lab;
  const LabQuestion& asked = lab_task(answered_by(task)).question;
  if (asked.device == LabDevice::recording) return;
  const std::vector<std::uint32_t> sizes = lab.sizes(asked.sizes);
  if (sizes.empty()) return;
  lab::Question question = lab.question;
  question.n = sizes.back();
  std::vector<lab::Question> questions = lab::at_sizes(question, sizes);
  if (asked.device == LabDevice::counting)
    run_ =
        std::make_unique<LabRun>(compute, cpu_options_, lab.banks, std::move(questions), events_);
  else
    run_ = std::make_unique<LabRun>(compute, device, std::move(questions), events_);
  lab.state = LabModel::State::preparing;
  lab.task = answered_by(task);
  lab.answering = question.primitive;
  lab.under_way() = {
      .asked = question, .variants = variants_of(question.primitive), .banks = lab.banks};
  if (asked.sizes == LabSizes::swept) lab.under_way().sizes = sizes;
}

void LabDesk::take(event::LabBuilds now) { model_.lab.building = std::move(now.progress); }

// Captions say what was answered: the device may have room for less than was chosen.
void LabDesk::take(event::LabAsks now) {
  LabSeries& series = model_.lab.under_way();
  series.asked = now.questions.back();
  if (series.sizes.empty()) return;
  series.sizes.clear();
  for (const lab::Question& question : now.questions) series.sizes.push_back(question.n);
}

void LabDesk::take(event::LabRuns now) {
  model_.lab.state = LabModel::State::measuring;
  model_.lab.variant = now.variant;
  model_.lab.size = now.items;
}

void LabDesk::take(event::LabAnswers given) {
  const LabQuestion& question = lab_task(model_.lab.task).question;
  if (question.device == LabDevice::ordinary && given.answer.why_not.empty() &&
      (given.answer.runs > 0 || !given.answer.difference.empty()))
    model_.lab.runs.add(measured_run(model_.device, lab_csv_row(given.answer),
                                     question.sizes == LabSizes::swept ? "sweep" : "run"));
  model_.lab.under_way().answers.push_back(std::move(given.answer));
}

void LabDesk::take(event::LabEnded ended) {
  LabModel& lab = model_.lab;
  LabSeries& series = lab.under_way();
  series.error = std::move(ended.error);
  series.cancelled = run_->cancelled();
  if (!series.error.empty()) model_.say({Message::Kind::error, series.error});
  lab.state = LabModel::State::idle;
  lab.variant.reset();
  lab.building.clear();
  lab.cancelling = false;
  run_.reset();
  most_items_of_.reset();
}

void LabDesk::cancel() {
  if (!run_) return;
  run_->cancel();
  model_.lab.cancelling = true;
}

void LabDesk::run_fault(const FaultQuestion& asked) {
  if (records()) return;
  LabFaults& faults = model_.lab.faults;
  faults.answers[asked.form] = {.tally = {.asked = asked}};
  faults.running = asked.form;
  fault_runs_ = std::make_unique<LabFaultRuns>(asked, cpu_options_, events_);
}

void LabDesk::cancel_fault() {
  if (!fault_runs_) return;
  fault_runs_->cancel();
  model_.lab.faults.cancelling = true;
}

void LabDesk::play_fault(const FaultQuestion& asked, std::uint64_t seed) {
  if (records()) return;
  recorder_ = std::make_unique<LabRecorder>(asked, seed, cpu_options_, events_);
  model_.lab.steps.recording = 0;
}

void LabDesk::take(event::FaultsRun now) {
  model_.lab.faults.answers[now.tally.asked.form].tally = std::move(now.tally);
}

void LabDesk::take(event::FaultsEnded ended) {
  if (!ended.error.empty()) model_.say({Message::Kind::error, ended.error});
  LabFaults& faults = model_.lab.faults;
  LabFaults::Answer& answer = faults.answers[faults.running];
  answer.cancelled = ended.cancelled;
  answer.error = std::move(ended.error);
  faults.running = nullptr;
  faults.cancelling = false;
  model_.lab.steps.building.clear();
  fault_runs_.reset();
}

void LabDesk::record(const RecordingQuestion& asked, std::size_t side) {
  if (records()) return;
  recorder_ = std::make_unique<LabRecorder>(asked, cpu_options_, events_);
  model_.lab.steps.recording = side;
}

void LabDesk::cancel_recording() {
  if (!recorder_) return;
  recorder_->cancel();
  model_.lab.steps.cancelling = true;
}

void LabDesk::open_recording(std::filesystem::path file) {
  if (recorder_) {
    next_recording_ = std::move(file);
    cancel_recording();
    return;
  }
  recorder_ = std::make_unique<LabRecorder>(file, events_);
  model_.lab.steps.recording = 0;
  model_.lab.steps.building = "Opening " + file.filename().string() + "...";
}

void LabDesk::take(event::RecordingBuilds now) {
  model_.lab.steps.building = std::move(now.progress);
}

void LabDesk::take(event::RecordingEnded ended) {
  LabSteps& steps = model_.lab.steps;
  if (!ended.error.empty()) model_.say({Message::Kind::error, ended.error});
  LabSteps::Side& side = steps.shown.at(*steps.recording);
  if (!ended.asked && ended.run) {
    steps.shown = {};
    steps.shown[0].run = std::move(ended.run);
    steps.opened = true;
  } else if (ended.asked) {
    side.given_up.reset();
    side.error = ended.error;
    if (ended.run)
      side.run = std::move(ended.run);
    else
      side.given_up = ended.asked;
  }
  steps.recording.reset();
  steps.building.clear();
  steps.cancelling = false;
  recorder_.reset();
  if (!next_recording_.empty()) open_recording(std::exchange(next_recording_, {}));
}

void LabDesk::take(event::MostItems found) {
  if (found.primitive == model_.lab.question.primitive) model_.lab.most_items = found.items;
}

void LabDesk::take(const event::Disassembled& done) {
  for (SassAnswer& waiting : model_.lab.sass)
    if (waiting.question == done.answer.question) waiting = done.answer;
}

void LabDesk::update(Compute& compute) {
  const Primitive primitive = model_.lab.question.primitive;
  if (run_ || most_items_of_ == primitive) return;
  if (most_items_of_) model_.lab.most_items = 0;  // it was another primitive's
  most_items_of_ = primitive;
  compute.ask_device([events = events_, primitive](Device& on) {
    events->post(event::MostItems{primitive, lab::most_items(primitive, on)});
  });
}

void LabDesk::begin_on(const DeviceInfo& device) {
  LabModel& lab = model_.lab;
  const bool on_cpu = device.backend == Backend::cpu;
  lab.question.n = on_cpu ? 1U << 16U : 1U << 22U;
  lab.sweep_first = on_cpu ? 6 : 10;
  lab.sweep_last = on_cpu ? 14 : 24;
  // Times of one device are nothing to hold another's against.
  for (LabResults& each : lab.results) each.forget(LabDevice::ordinary);
  lab.most_items = 0;
  note_memory();
}

void LabDesk::disassemble(SassQuestion question) {
  std::vector<SassAnswer>& answers = model_.lab.sass;
  const auto known =
      std::find_if(answers.begin(), answers.end(),
                   [&question](const SassAnswer& each) { return each.question == question; });
  if (known != answers.end() && (!known->done || known->error.empty())) return;
  if (known != answers.end()) answers.erase(known);
  constexpr std::size_t most = 32;
  if (answers.size() >= most) answers.erase(answers.begin());
  if (!disassembler_runs_) disassembler_.start([] { return false; });
  disassembler_runs_ = true;
  answers.push_back({.question = question});
  disassembler_.post([this, events = events_, question = std::move(question)] {
    SassAnswer answer{.question = question, .done = true};
    try {
      answer.text = sass_of(question, &closing_);
    } catch (const std::exception& error) {
      answer.error = in_words(error);
    }
    events->post(event::Disassembled{std::move(answer)});
  });
}

}  // namespace warpview
