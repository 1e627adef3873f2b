// Answers the laboratory's questions.
#include <algorithm>
#include <exception>
#include <memory>
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
    lab_run =
        std::make_unique<LabRun>(*compute, cpu_options, lab.banks, std::move(questions), events);
  else
    lab_run = std::make_unique<LabRun>(*compute, *device, std::move(questions), events);
  lab.state = LabModel::State::preparing;
  lab.task = answered_by(task);
  lab.answering = question.primitive;
  lab.under_way() = {
      .asked = question, .variants = variants_of(question.primitive), .banks = lab.banks};
  if (asked.sizes == LabSizes::swept) lab.under_way().sizes = sizes;
}

void Session::State::take(event::LabBuilds now) { model.lab.building = std::move(now.progress); }

// Captions say what was answered: the device may have room for less than was chosen.
void Session::State::take(event::LabAsks now) {
  LabSeries& series = model.lab.under_way();
  series.asked = now.questions.back();
  if (series.sizes.empty()) return;
  series.sizes.clear();
  for (const lab::Question& question : now.questions) series.sizes.push_back(question.n);
}

void Session::State::take(event::LabRuns now) {
  model.lab.state = LabModel::State::measuring;
  model.lab.variant = now.variant;
  model.lab.size = now.items;
}

void Session::State::take(event::LabAnswers given) {
  model.lab.under_way().answers.push_back(std::move(given.answer));
}

void Session::State::take(event::LabEnded ended) {
  LabModel& lab = model.lab;
  LabSeries& series = lab.under_way();
  series.error = std::move(ended.error);
  series.cancelled = lab_run->cancelled();
  if (!series.error.empty()) say(Message::Kind::error, series.error);
  lab.state = LabModel::State::idle;
  lab.variant.reset();
  lab.building.clear();
  lab.cancelling = false;
  lab_run.reset();
  most_items_of.reset();
}

void Session::State::cancel_lab() {
  if (!lab_run) return;
  lab_run->cancel();
  model.lab.cancelling = true;
}

void Session::State::take(event::MostItems found) {
  if (found.primitive == model.lab.question.primitive) model.lab.most_items = found.items;
}

void Session::State::take(event::Disassembled done) {
  for (SassAnswer& waiting : model.lab.sass)
    if (waiting.question == done.answer.question) waiting = done.answer;
}

void Session::State::ask_most_items() {
  const Primitive primitive = model.lab.question.primitive;
  if (most_items_of) model.lab.most_items = 0;  // it was another primitive's
  most_items_of = primitive;
  compute->ask_device([events = events, primitive](Device& on) {
    events->post(event::MostItems{primitive, lab::most_items(primitive, on)});
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
  disassembler.post([this, events = events, question = std::move(question)] {
    SassAnswer answer{.question = question, .done = true};
    try {
      answer.text = sass_of(question, &closing);
    } catch (const std::exception& error) {
      answer.error = in_words(error);
    }
    events->post(event::Disassembled{std::move(answer)});
  });
}

}  // namespace warpview
