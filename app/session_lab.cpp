// Answers the laboratory's questions.
#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "app/common/sass.h"
#include "app/common/trouble.h"
#include "app/session_state.h"
#include "gpu/lab/series.h"

namespace warpview {

void Session::State::start_lab(LabTask task) {
  LabModel& lab = model.lab;
  const LabQuestion& asked = lab_task(answered_by(task)).question;
  const std::vector<std::uint32_t> sizes = lab.sizes(asked.sizes);
  if (sizes.empty()) return;
  lab::Question question = lab.question;
  question.n = sizes.back();
  std::vector<lab::Question> questions = lab::at_sizes(question, sizes);
  if (asked.device == LabDevice::counting)
    lab_run = std::make_unique<LabRun>(*compute, cpu_options, lab.banks, std::move(questions));
  else
    lab_run = std::make_unique<LabRun>(*compute, *device, std::move(questions));
  lab.state = LabModel::State::preparing;
  lab.task = answered_by(task);
  lab.answering = question.primitive;
  lab.under_way() = {
      .asked = question, .variants = variants_of(question.primitive), .banks = lab.banks};
  if (asked.sizes == LabSizes::swept) lab.under_way().sizes = sizes;
}

namespace {

// Captions say what was answered: the device may have room for less than was chosen.
void note_asked(LabSeries& series, const std::vector<lab::Question>& asked) {
  if (asked.empty()) return;
  series.asked = asked.back();
  if (series.sizes.empty()) return;
  series.sizes.clear();
  for (const lab::Question& question : asked) series.sizes.push_back(question.n);
}

}  // namespace

void Session::State::poll_lab() {
  LabModel& lab = model.lab;
  if (lab_run) {
    LabSeries& series = lab.under_way();
    const bool ended = lab_run->ended();
    note_asked(series, lab_run->asked());
    for (lab::Answer& answer : lab_run->take_answers()) series.answers.push_back(std::move(answer));
    lab.variant = lab_run->variant();
    lab.building = lab_run->building();
    lab.size = lab_run->size();
    if (lab.variant) lab.state = LabModel::State::measuring;
    lab.cancelling = lab_run->cancelled();
    if (ended) {
      series.error = lab_run->error();
      series.cancelled = lab_run->cancelled();
      if (!series.error.empty()) say(Message::Kind::error, series.error);
      lab.state = LabModel::State::idle;
      lab.variant.reset();
      lab.building.clear();
      lab.cancelling = false;
      lab_run.reset();
      most_items_of.reset();
    }
  }
  if (!lab_run && most_items_of != lab.question.primitive) ask_most_items();
}

void Session::State::ask_most_items() {
  const Primitive primitive = model.lab.question.primitive;
  if (most_items_of) model.lab.most_items = 0;  // it was another primitive's
  most_items_of = primitive;
  compute->ask_device([found = found, primitive](Device& on) {
    const std::uint32_t most = lab::most_items(primitive, on);
    const std::lock_guard lock(found->mutex);
    found->most_items = {primitive, most};
  });
}

void Session::State::disassemble(SassQuestion question) {
  std::vector<SassAnswer>& answers = model.lab.sass;
  const auto known =
      std::find_if(answers.begin(), answers.end(),
                   [&question](const SassAnswer& each) { return each.question == question; });
  if (known != answers.end() && (!known->done || known->error.empty())) return;
  if (known != answers.end()) answers.erase(known);
  constexpr std::size_t most = 32;
  if (answers.size() >= most) answers.erase(answers.begin());
  answers.push_back({.question = question});
  if (!disassembler_runs) disassembler.start([] { return false; });
  disassembler_runs = true;
  disassembler.post([this, found = found, question = std::move(question)] {
    SassAnswer answer{.question = question, .done = true};
    try {
      answer.text = sass_of(question, &closing);
    } catch (const std::exception& error) {
      answer.error = in_words(error);
    }
    {
      const std::lock_guard lock(found->mutex);
      found->sass.push_back(std::move(answer));
    }
    if (news && !closing) news();
  });
}

}  // namespace warpview
