#include "app/lab_run.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "app/common/module_build.h"
#include "app/common/trouble.h"
#include "gpu/lab/series.h"
#include "gpu/runtime/counted_device.h"
#include "gpu/runtime/cpu/interruption.h"

namespace warpview {

LabRun::LabRun(Compute& compute, Device& device, std::vector<lab::Question> questions,
               std::shared_ptr<SessionEvents> events)
    : events_(std::move(events)),
      thread_(
          start_thread<std::jthread>([this, &compute, &device, questions = std::move(questions)] {
            const auto prepare = [] {};
            run(compute, prepare, [&] {
              std::vector<lab::Question> fitting;
              for (lab::Question question : questions) {
                question.n = std::min(question.n, lab::most_items(question.primitive, device));
                if (fitting.empty() || question != fitting.back()) fitting.push_back(question);
              }
              answer(device, fitting);
            });
          })) {}

LabRun::LabRun(Compute& compute, const CpuOptions& options, unsigned banks,
               std::vector<lab::Question> questions, std::shared_ptr<SessionEvents> events)
    : events_(std::move(events)),
      thread_(start_thread<std::jthread>(
          [this, &compute, options, banks, questions = std::move(questions)] {
            run(
                compute, [this] { build(); },
                [&] { answer(*open_counted_device(options, banks), questions); });
          })) {}

LabRun::~LabRun() { cancel(); }

void LabRun::answer(Device& device, const std::vector<lab::Question>& questions) {
  events_->post(event::LabAsks{questions});
  const Interruptible interruptible([this] {
    if (cancelled()) throw Interrupted();
  });
  lab::Laboratory laboratory(device);
  laboratory.stop = [this] { return cancelled(); };
  const lab::Audience audience = {
      .wants = {},
      .begin =
          [this](const lab::Question& question, VariantId variant) {
            events_->post(event::LabRuns{variant, question.n});
          },
      .tell = [this](lab::Answer given) { events_->post(event::LabAnswers{std::move(given)}); },
      .only_verify = device.info().counts};
  for (const lab::Question& question : questions) {
    if (cancelled()) break;
    lab::answer(laboratory, question, audience);
  }
}

void LabRun::build() {
  const auto tell = [this](const std::string& words) { events_->post(event::LabBuilds{words}); };
  build_module(counting_module, tell, &cancelled_);
  tell("");
}

template <class Prepare, class Work>
void LabRun::run(Compute& compute, Prepare&& prepare, Work&& work) {
  event::LabEnded end;
  const auto note = [&end](auto&& what) {
    try {
      what();
      return true;
    } catch (const Interrupted&) {
      // What came before stays.
    } catch (const std::exception& error) {  // host memory may run out too
      end.error = in_words(error);
    }
    return false;
  };
  const bool is_ready = note(prepare);
  if (is_ready) {
    compute.pause();
    note(work);
  }
  // Before frames go on: the session knows of the end when it sees the next one.
  events_->post(std::move(end));
  if (is_ready) compute.resume();
}

}  // namespace warpview
