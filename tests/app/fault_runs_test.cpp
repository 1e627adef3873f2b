// Runs of faults with many seeds, as the window and the command line ask for them, and where a run
// shows its fault.
#include "app/fault_runs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "app/common/source_files.h"
#include "app/played_run.h"
#include "app/step_views/page/sheet.h"
#include "kernel_source.h"
#include "tests/app/session_test.h"

namespace warpview::test {
namespace {

// Steps views find the kernels of the faults, each in its own file.
TEST(FaultSources, AreInTheProgram) {
  const auto names = kernel_source_names();
  const std::vector<std::string> all(names.begin(), names.end());
  for (const FaultForm& form : fault_forms()) {
    const auto place = find_kernel(all, std::string(form.file) + "_kernel");
    ASSERT_TRUE(place) << form.file;
    EXPECT_EQ(place->file, file_of(form));
  }
}

#if defined(WARPVIEW_RECORDED_MODULE)

std::uint32_t word_of(const Playback& at, const Word& word) {
  std::uint32_t value = 0;
  std::memcpy(&value, at.contents(word.array, word.block).data() + 4UL * word.element, 4);
  return value;
}

// The first run that the check of the form's row shows.
RepeatedRun first_shown(const FaultForm& form) {
  const FaultQuestion asked = {.form = &form};
  const FaultTally tally = run_seeds(asked, {});
  EXPECT_EQ(tally.runs, 100U);
  EXPECT_TRUE(tally.is_as_expected());
  std::string no_lines;
  return repeat_run(asked, {}, tally.own()->seed, no_lines);
}

class EveryWrongForm : public testing::TestWithParam<const FaultForm*> {};

TEST_P(EveryWrongForm, StopsWhereItShowsTheFault) {
  const FaultForm& form = *GetParam();
  const RepeatedRun run = first_shown(form);
  ASSERT_TRUE(run.shown_by(form.check));
  Playback playback(std::make_shared<const Recording>(run.recording));
  const FaultSight sight = sight_of(run, form.check, playback);
  EXPECT_EQ(sight.words.find(in_words(run, form.check)), 0U) << sight.words;
  if (form.check == FaultCheck::report) {
    EXPECT_EQ(sight.position, playback.steps());
    return;
  }
  ASSERT_TRUE(sight.word);
  playback.seek(sight.position);
  if (form.check == FaultCheck::races) {
    EXPECT_TRUE(playback.last_did(run.races.front().second));
    return;
  }
  if (run.stray) {
    EXPECT_TRUE(playback.last_did(run.stray->write));
    return;
  }
  EXPECT_EQ(playback.recording().arrays[sight.word->array].name, "out");
  EXPECT_EQ(sight.word->element, run.wrong->index);
  EXPECT_EQ(word_of(playback, *sight.word), run.wrong->is);
  const auto event = playback.last_write(*sight.word);
  if (event) {
    EXPECT_TRUE(playback.last_did(*event));
    playback.seek(playback.steps());
    EXPECT_EQ(playback.last_write(*sight.word), event) << "nothing writes it later";
  } else {
    EXPECT_EQ(sight.position, playback.steps()) << "no step wrote the item";
  }
}

// The write comes between the read and the write that the read was to see, or it is that one and
// comes too late. Its step is where a run of the scan shows the fault, not the copy to the result.
TEST(StrayReads, AreOfTheRacesOfTheScan) {
  const Fault& scan = find_fault("missing_barrier");
  for (const auto& [name, line, is_late] : {std::tuple{"war", "sums[t] = sum", false},
                                            {"raw", "sums[t] = sum", true},
                                            {"waw", "sums[tile - 1 - t] = 0", false}}) {
    const FaultForm& form = find_form(scan, name);
    const RepeatedRun run = first_shown(form);
    ASSERT_TRUE(run.stray) << name;
    const RecordedEvent& read = run.recording.events[run.stray->read];
    const RecordedEvent& write = run.recording.events[run.stray->write];
    EXPECT_EQ(run.stray->read < run.stray->write, is_late) << name;
    EXPECT_EQ(write.kind, EventKind::write) << name;
    EXPECT_EQ(write.subject, read.subject) << name;
    EXPECT_EQ(write.offset, read.offset) << name;
    EXPECT_NE(write.thread, read.thread) << name;
    if (!is_late) {
      EXPECT_EQ(write.value, read.value) << name;
    }
    Playback playback(std::make_shared<const Recording>(run.recording));
    const FaultSight sight = sight_of(run, form.check, playback);
    const std::string words =
        is_late ? fmt::format("this step writes sums[{}] after thread {} has read it.",
                              write.offset / 4, read.thread)
                : fmt::format("this step overwrites sums[{}] before thread {} reads it.",
                              write.offset / 4, read.thread);
    EXPECT_NE(sight.words.find(words), std::string::npos) << sight.words;
    const auto& chain = run.recording.chain(write.place);
    if (chain.empty()) continue;
    std::string_view rest = kernel_source(file_of(form));
    for (std::uint32_t i = 1; i < chain.front().line; ++i) rest.remove_prefix(rest.find('\n') + 1);
    EXPECT_NE(rest.substr(0, rest.find('\n')).find(line), std::string::npos) << name;
  }
}

// Their twins make other accesses, or no race is on what they read.
TEST(StrayReads, AreOfNoOtherFault) {
  for (const char* const fault : {"lost_update", "gives_up"})
    EXPECT_FALSE(first_shown(find_form(find_fault(fault), "wrong")).stray) << fault;
}

// The lines that are shown are those of the wrong kernel.
TEST_P(EveryWrongForm, ShowsItsSourceInTheSteps) {
  const FaultForm& form = *GetParam();
  const RepeatedRun run = first_shown(form);
  bool has_lines = false;
  for (const RecordedPlace& place : run.recording.places)
    for (const SourceLine& line : place.chain) has_lines |= line.file == file_of(form);
  if (!has_lines) GTEST_SKIP() << "no addr2line, or no debug information";
  const auto recording = std::make_shared<const Recording>(run.recording);
  const Playback playback(recording);
  std::size_t step = 0;
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < playback.steps() && number == 0; ++i)
    for (const RecordedEvent& event : playback.events_of(i))
      if (const auto& chain = recording->chain(event.place);
          is_access(event.kind) && !chain.empty() && chain.front().file == file_of(form)) {
        step = i + 1;
        number = chain.front().line;
      }
  ASSERT_GT(number, 0U);
  std::string_view rest = kernel_source(file_of(form));
  for (std::uint32_t i = 1; i < number; ++i) rest.remove_prefix(rest.find('\n') + 1);
  std::string line(rest.substr(0, rest.find('\n')));
  line.erase(0, line.find_first_not_of(' '));
  line = line.substr(0, line.find_first_of("&<>"));
  const std::string svg = step_views::step_as_svg(recording, static_cast<std::uint32_t>(step));
  EXPECT_NE(svg.find(line.substr(0, 20)), std::string::npos) << line;
}

std::vector<const FaultForm*> wrong_forms() {
  std::vector<const FaultForm*> forms;
  for (const FaultForm& form : fault_forms())
    if (!form.is_right()) forms.push_back(&form);
  return forms;
}

INSTANTIATE_TEST_SUITE_P(Forms, EveryWrongForm, testing::ValuesIn(wrong_forms()),
                         [](const testing::TestParamInfo<const FaultForm*>& form) {
                           return std::string(form.param->fault) + "_" + form.param->name;
                         });

using FaultsOfASession = SessionTest;

// Updates until nothing runs and all that was asked for is done.
void finish(Opened& opened) {
  do {
    opened.session.update();
    std::this_thread::yield();
  } while (opened.session.busy() || !opened.model.requests.empty());
}

const FaultForm& form_of(const char* fault, const char* form) {
  return find_form(find_fault(fault), form);
}

TEST_F(FaultsOfASession, RunAndPlayTheFirstThatFails) {
  Opened opened(open_device(Backend::cpu));
  LabModel& lab = opened.model.lab;
  const FaultForm& form = form_of("missing_barrier", "war");
  opened.model.requests.add(request::RunFault{{.form = &form}});
  opened.session.update();
  EXPECT_EQ(lab.faults.running, &form);
  EXPECT_TRUE(opened.session.busy());
  finish(opened);
  EXPECT_EQ(lab.faults.running, nullptr);
  const LabFaults::Answer* const answer = lab.faults.answer(form);
  ASSERT_NE(answer, nullptr);
  EXPECT_TRUE(answer->is_whole());
  EXPECT_EQ(answer->tally.own()->count, 100U);
  EXPECT_EQ(answer->tally.own()->words.find("out["), 0U);
  EXPECT_TRUE(opened.model.messages.empty());

  opened.model.requests.add(request::PlayFault{answer->tally.asked, answer->tally.own()->seed});
  finish(opened);
  const std::shared_ptr<PlayedRun> run = lab.steps.shown[0].run;
  ASSERT_NE(run, nullptr);
  EXPECT_TRUE(lab.steps.opened);
  EXPECT_EQ(run->recording().variant, "missing_barrier");
  EXPECT_EQ(run->recording().form, "war");
  EXPECT_EQ(run->recording().seed, answer->tally.own()->seed);
  ASSERT_TRUE(run->stop);
  EXPECT_GT(run->stop->position, 0U);
  EXPECT_EQ(run->stop->words.find(answer->tally.own()->words), 0U) << "the run repeats";
  EXPECT_EQ(run->stop->name.find("word/"), 0U);
}

TEST_F(FaultsOfASession, RightTwinsAreRight) {
  Opened opened(open_device(Backend::cpu));
  const FaultForm& form = form_of("spin_lock", "right");
  opened.model.requests.add(request::RunFault{{.form = &form, .seeds = 10}});
  finish(opened);
  const LabFaults::Answer* const answer = opened.model.lab.faults.answer(form);
  ASSERT_NE(answer, nullptr);
  EXPECT_EQ(answer->tally.runs, 10U);
  EXPECT_TRUE(answer->tally.is_as_expected());
}

TEST_F(FaultsOfASession, CanBeCancelled) {
  Opened opened(open_device(Backend::cpu));
  LabFaults& known = opened.model.lab.faults;
  const FaultForm& form = form_of("block_index", "wrong");
  opened.model.requests.add(request::RunFault{{.form = &form, .seeds = 1'000'000}});
  // A run of the laboratory waits for them, and so does a recording.
  opened.model.requests.add(request::RunLab{LabTask::results});
  while (known.answer(form) == nullptr || known.answer(form)->tally.runs < 2)
    opened.session.update();
  EXPECT_FALSE(opened.model.lab.busy());
  EXPECT_EQ(opened.model.requests.count<request::RunLab>(), 1U);
  opened.model.requests.drop<request::RunLab>();
  opened.model.requests.add(request::CancelFault{});
  opened.session.update();
  finish(opened);
  EXPECT_TRUE(known.answer(form)->cancelled);
  EXPECT_FALSE(known.cancelling);
  EXPECT_LT(known.answer(form)->tally.runs, 1'000'000U);
  EXPECT_TRUE(opened.model.messages.empty());
  // The module is free again.
  opened.model.requests.add(request::RunFault{{.form = &form, .seeds = 3}});
  finish(opened);
  EXPECT_TRUE(known.answer(form)->is_whole());
}

TEST_F(FaultsOfASession, AnErrorIsShownAndTheSessionGoesOn) {
  Options options;
  options.cpu.warp_size = 48;
  Opened opened(open_device(Backend::cpu), options);
  const FaultForm& form = form_of("lost_update", "wrong");
  opened.model.requests.add(request::RunFault{{.form = &form}});
  finish(opened);
  const LabFaults::Answer* const answer = opened.model.lab.faults.answer(form);
  ASSERT_NE(answer, nullptr);
  EXPECT_NE(answer->error.find("48"), std::string::npos) << answer->error;
  EXPECT_TRUE(has_message(opened.model, Message::Kind::error));
  EXPECT_EQ(opened.model.lab.faults.running, nullptr);
  opened.model.messages.clear();
  opened.model.requests.add(request::PlayFault{{.form = &form}, 1});
  finish(opened);
  EXPECT_TRUE(has_message(opened.model, Message::Kind::error));
  EXPECT_EQ(opened.model.lab.steps.shown[0].run, nullptr);
  opened.open(sphere_of_2000);
  EXPECT_FALSE(opened.model.scene_name.empty());
}

#endif

}  // namespace
}  // namespace warpview::test
