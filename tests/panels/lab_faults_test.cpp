// The laboratory's Faults tab: it asks before it answers, runs, plays and compares.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "app/panels/code_diff.h"
#include "app/panels/parts.h"
#include "kernel_source.h"
#include "tests/panels/steps_tab.h"

namespace warpview {
namespace {

TEST(CodeDiff, MarksTheLinesOfEitherTextAlone) {
  const Code code = difference("a\nb\nc\nd\n", "a\nc\nx\nd\ny\n");
  EXPECT_EQ(code.text, "a\nb\nc\nx\nd\ny\n");
  std::string marks;
  std::vector<std::uint32_t> numbers;
  for (const Code::Line& line : code.lines) {
    marks += line.mark == Code::Mark::none ? ' ' : line.mark == Code::Mark::added ? '+' : '-';
    numbers.push_back(line.number);
  }
  EXPECT_EQ(marks, " - + +");
  EXPECT_EQ(numbers, (std::vector<std::uint32_t>{1, 2, 2, 3, 4, 5}));
}

TEST(CodeDiff, ComparesByTheKey) {
  const auto key = [](std::string_view line) {
    return line == "wrong" ? "right" : std::string(line);
  };
  const Code code = difference("wrong\n", "right\n", key);
  ASSERT_EQ(code.lines.size(), 1U);
  EXPECT_EQ(code.lines[0].mark, Code::Mark::none);
  EXPECT_TRUE(difference("", "").lines.empty());
}

class FaultsTab : public PanelTest {
 protected:
  FaultsTab() {
    model_ = loaded_model();
    model_.lab.question = {.primitive = Primitive::scan};
    model_.lab.most_items = 1U << 20U;
    state_.show_lab = true;
    state_.lab.open = LabTask::faults;
    set_size(1920, 1080);
    frames(3);
  }
  void choose(const char* fault) {
    const Fault& wanted = find_fault(fault);
    const auto index = static_cast<std::size_t>(&wanted - faults().data());
    click("Laboratory", std::to_string(index + 1) + "  " + wanted.title);
  }
  // As if so many seeds had run, of which the first that the check of the row shows is seed 3.
  LabFaults::Answer& answer(const FaultForm& form, unsigned runs, unsigned shown) {
    LabFaults::Answer& known = model_.lab.faults.answers[&form];
    known = {.tally = {.asked = {.form = &form}, .runs = runs}};
    for (std::size_t i = 0; i < FaultTally::checks.size(); ++i)
      if (FaultTally::checks[i] == form.check)
        known.tally.shown.at(i) = {.count = shown, .seed = 3, .words = "out[5] is 3, expected 4"};
    frames(2);
    return known;
  }
  // As if a failing run were played.
  void play_fault() {
    auto recording = std::make_shared<Recording>(*small_recording());
    recording->primitive = recorded_as_fault;
    recording->variant = "lost_update";
    recording->form = "wrong";
    model_.lab.steps.shown[0].run = std::make_shared<PlayedRun>(std::move(recording));
    model_.lab.steps.opened = true;
    frames(5);
  }
  template <class Kind>
  Kind asked() {
    const auto all = model_.requests.take<Kind>();
    EXPECT_EQ(all.size(), 1U);
    return all.empty() ? Kind{} : all.front();
  }
};

// Neither the sources nor the tab say where the fault is, or how it is called.
TEST_F(FaultsTab, AsksWithoutTheAnswer) {
  EXPECT_TRUE(can_read("wrong on purpose"));
  EXPECT_TRUE(can_read("CPU device only"));
  for (const FaultForm& form : fault_forms()) {
    SCOPED_TRACE(file_of(form));
    const std::string source(kernel_source(file_of(form)));
    EXPECT_NE(source.find(std::string(form.file) + "_kernel(FaultArgs args)"), std::string::npos);
    if (form.is_right()) continue;
    EXPECT_EQ(source.find(form.fault), std::string::npos);
    EXPECT_EQ(source.find("issing"), std::string::npos);
    choose(form.fault);
    const Fault& fault = find_fault(form.fault);
    const auto forms = forms_of(fault);
    if (forms.size() > 2) {
      const auto kernel = std::find(forms.begin(), forms.end(), &form) - forms.begin();
      click("Laboratory", "kernel/Kernel " + std::to_string(kernel + 1));
    }
    EXPECT_TRUE(can_read("Where is the bug?"));
    EXPECT_TRUE(can_read(std::string("void ") + form.file + "_kernel"));
    EXPECT_FALSE(can_read(form.answer));
    EXPECT_FALSE(can_read(fault.name));
    EXPECT_FALSE(can_read("_right_kernel"));
    EXPECT_FALSE(find("Laboratory", "Run the right twin"));
    EXPECT_FALSE(find("Laboratory", "Play a failing run")->enabled) << "nothing has run";
  }
}

// No fault depends on the primitive.
TEST_F(FaultsTab, HasNoChoiceOfAPrimitive) {
  EXPECT_FALSE(find("Laboratory", "primitive"));
  EXPECT_FALSE(find("Laboratory", "form"));
  state_.lab.open = LabTask::steps;
  frames(3);
  EXPECT_TRUE(find("Laboratory", "primitive"));
  EXPECT_TRUE(find("Laboratory", "form"));
}

TEST_F(FaultsTab, IsOpenedOnAForm) {
  FaultsView& view = state_.lab.faults;
  show_fault(view, find_form(find_fault("missing_barrier"), "waw"));
  frames(2);
  EXPECT_TRUE(can_read("void scan_c_kernel"));
  EXPECT_TRUE(can_read("Where is the bug?"));
  show_fault(view, find_form(find_fault("two_locks"), "right"));
  frames(2);
  EXPECT_TRUE(can_read("Transfers between accounts"));
  EXPECT_TRUE(can_read("All threads lock the account with the smaller number first."));
}

TEST_F(FaultsTab, RunsTheSeedsAndPlaysOneThatFails) {
  choose("gives_up");
  click("Laboratory", "Run 100 seeds");
  const auto run = asked<request::RunFault>();
  const FaultForm& form = find_form(find_fault("gives_up"), "wrong");
  EXPECT_EQ(run.asked, (FaultQuestion{.form = &form}));
  EXPECT_EQ(run.asked.seeds, 100U);

  model_.lab.faults.running = &form;
  answer(form, 37, 20);
  EXPECT_TRUE(can_read("Seed 37 of 100"));
  EXPECT_FALSE(find("Laboratory", "Play a failing run")->enabled) << "it runs";
  click("Laboratory", "Cancel");
  asked<request::CancelFault>();
  model_.lab.faults.cancelling = true;
  EXPECT_FALSE(find("Laboratory", "Cancelling...")->enabled);
  model_.lab.faults.running = nullptr;
  model_.lab.faults.cancelling = false;
  answer(form, 37, 0).cancelled = true;
  frames(2);
  EXPECT_TRUE(can_read("Cancelled after 37 of 100 seeds"));
  EXPECT_TRUE(can_read("Wrong: in none of 37 seeds"));
  EXPECT_FALSE(find("Laboratory", "Play a failing run")->enabled) << "none has failed";

  answer(form, 100, 61);
  EXPECT_TRUE(can_read("Wrong in 61 of 100 seeds"));
  EXPECT_TRUE(can_read("Seed 3: out[5] is 3, expected 4"));
  click("Laboratory", "Play a failing run");
  const auto play = asked<request::PlayFault>();
  EXPECT_EQ(play.asked.form, &form);
  EXPECT_EQ(play.seed, 3U);
  model_.lab.steps.recording = 0;
  EXPECT_FALSE(find("Laboratory", "Run 100 seeds")->enabled) << "one at a time";
  EXPECT_TRUE(can_read("Recording..."));
  EXPECT_TRUE(state_.animates) << "the window looks for its end";
}

TEST_F(FaultsTab, ShowsTheAnswerAndTheTwin) {
  choose("missing_barrier");
  click("Laboratory", "kernel/Kernel 2");
  click("Laboratory", "Show the answer");
  const FaultForm& form = find_form(find_fault("missing_barrier"), "raw");
  frames(2);
  EXPECT_FALSE(can_read("Where is the bug?"));
  EXPECT_TRUE(can_read("Read after write: no barrier after a step's writes"));
  EXPECT_TRUE(can_read("missing_barrier, raw"));
  EXPECT_TRUE(can_read("scan_right_kernel"));
  const Code& code = state_.lab.faults.code;
  const auto marked = [&code](Code::Mark mark) {
    std::string lines;
    for (const Code::Line& line : code.lines)
      if (line.mark == mark) lines += code.text.substr(line.begin, line.end - line.begin) + "\n";
    return lines;
  };
  EXPECT_EQ(marked(Code::Mark::removed), "");
  EXPECT_EQ(marked(Code::Mark::added), "    __syncthreads();\n") << "names of forms do not count";

  click("Laboratory", "Run the right twin");
  EXPECT_EQ(asked<request::RunFault>().asked.form, &right_twin(form));
  answer(right_twin(form), 100, 0);
  EXPECT_TRUE(can_read("The right twin is right in all 100 seeds"));
  click("Laboratory", "Hide the answer");
  frames(2);
  EXPECT_TRUE(can_read("Where is the bug?"));
  EXPECT_FALSE(can_read("The right twin"));
}

TEST_F(FaultsTab, ShowsRacesAndErrors) {
  choose("missing_fence");
  const FaultForm& form = find_form(find_fault("missing_fence"), "writer");
  answer(form, 100, 100);
  EXPECT_TRUE(can_read("Data races in 100 of 100 seeds"));
  EXPECT_TRUE(can_read("The result is right in all of them: the CPU"));
  EXPECT_TRUE(can_read("a GPU may compute a wrong result"));
  answer(form, 0, 0).error = "the recording module is missing";
  frames(2);
  EXPECT_TRUE(can_read("the recording module is missing"));
  EXPECT_TRUE(find("Laboratory", "Run 100 seeds")->enabled) << "again";
}

TEST_F(FaultsTab, IsUsedByKeys) {
  const auto key = [this](int which) { press(static_cast<ImGuiKey>(which)); };
  key(ImGuiKey_DownArrow);
  EXPECT_EQ(state_.lab.faults.fault, 0U) << "the laboratory was not used last";
  click("Laboratory", "1  A sum of all items");
  key(ImGuiKey_UpArrow);
  EXPECT_EQ(state_.lab.faults.fault, 0U);
  key(ImGuiKey_DownArrow);
  EXPECT_EQ(state_.lab.faults.fault, 1U);
  for (int i = 0; i < 4; ++i) key(ImGuiKey_RightArrow);
  EXPECT_EQ(state_.lab.faults.kernel, 2U);
  key(ImGuiKey_LeftArrow);
  EXPECT_EQ(state_.lab.faults.kernel, 1U);
  const FaultForm& form = find_form(find_fault("missing_barrier"), "raw");
  key(ImGuiKey_Enter);
  EXPECT_EQ(asked<request::RunFault>().asked.form, &form);
  key('P');
  EXPECT_EQ(model_.requests.count<request::PlayFault>(), 0U) << "none has failed";
  answer(form, 100, 100);
  key('P');
  EXPECT_EQ(asked<request::PlayFault>().seed, 3U);
  key('T');
  EXPECT_EQ(model_.requests.count<request::RunFault>(), 0U) << "not before the answer";
  key('A');
  EXPECT_TRUE(state_.lab.faults.answered.contains(&form));
  key('T');
  EXPECT_EQ(asked<request::RunFault>().asked.form, &right_twin(form));
  model_.lab.faults.running = &form;
  key(ImGuiKey_Enter);
  asked<request::CancelFault>();
}

TEST_F(FaultsTab, HasRoomInANarrowWindow) {
  set_size(560, 700);
  frames(3);
  EXPECT_TRUE(find("Laboratory", "Run 100 seeds"));
  EXPECT_TRUE(find("Laboratory", "Show the answer"));
  click("Laboratory", "fault");
  frames(2);
  ASSERT_NE(popup(), nullptr);
}

// A run of a fault is shown as a file that was opened, but stands where it shows the fault.
TEST_F(FaultsTab, APlayedRunStandsWhereItStops) {
  const auto run = std::make_shared<PlayedRun>(small_recording());
  run->stop = {.position = 12, .words = "out[0] is 7, expected 8.", .name = "word/1/0/0"};
  model_.lab.steps.shown[0].run = run;
  model_.lab.steps.opened = true;
  frames();
  EXPECT_TRUE(state_.animates) << "the tab needs another frame";
  frames(3);
  EXPECT_EQ(state_.lab.front, LabTask::steps);
  EXPECT_EQ(run->playback.at(), 12U);
  EXPECT_TRUE(can_read("out[0] is 7, expected 8."));
  EXPECT_TRUE(can_read("Step 12 of 15"));
  EXPECT_EQ(state_.lab.steps.gaze.pinned, "word/1/0/0");
  EXPECT_EQ(state_.lab.steps.player.bookmarks, std::vector<std::size_t>{12});
  EXPECT_FALSE(find("Laboratory", "Go to step 12")->enabled) << "it is there";
  click("Laboratory", "|<");
  EXPECT_EQ(run->playback.at(), 0U);
  click("Laboratory", "Go to step 12");
  EXPECT_EQ(run->playback.at(), 12U);
}

// The user may still look for the bug.
TEST_F(FaultsTab, APlayedRunDoesNotSayWhichFaultItIs) {
  play_fault();
  EXPECT_TRUE(can_read("A sum of all items, wrong on purpose"));
  EXPECT_FALSE(can_read("lost_update"));
}

// A primitive's variant, form, input and schedule say nothing about it.
TEST_F(FaultsTab, APlayedRunHasNoChoicesOfAPrimitive) {
  play_fault();
  for (const char* each : {"primitive", "form", "variant", "seed", "interleave", "Record"})
    EXPECT_FALSE(find("Laboratory", each)) << each;
  EXPECT_TRUE(find("Laboratory", "Play"));
  click("Laboratory", "Back to Faults");
  frames(3);
  EXPECT_EQ(state_.lab.front, LabTask::faults);
  EXPECT_TRUE(model_.lab.steps.shown[0].run) << "the replay is kept";
}

TEST_F(FaultsTab, APlayedRunLeadsToRecordingsOfPrimitives) {
  play_fault();
  click("Laboratory", "Record a primitive");
  frames(3);
  EXPECT_EQ(state_.lab.front, LabTask::steps);
  EXPECT_FALSE(model_.lab.steps.shown[0].run);
  for (const char* each : {"primitive", "form", "variant", "seed", "Record"})
    EXPECT_TRUE(find("Laboratory", each)) << each;
}

TEST_F(FaultsTab, TitlesOfTheListStandInAColumn) {
  ASSERT_GE(faults().size(), 10U) << "numbers of one digit and of two";
  const auto first = find("Laboratory", "1  A sum of all items");
  const auto tenth = find("Laboratory", "10  A queue");
  ASSERT_TRUE(first && tenth);
  std::vector<float> edges;
  for (const ImVec2 place : places_of("Laboratory", 'A'))
    for (const auto& row : {first, tenth})
      if (place.x > row->from.x && place.x < row->to.x && place.y > row->from.y &&
          place.y < row->to.y)
        edges.push_back(place.x);
  ASSERT_EQ(edges.size(), 2U);
  EXPECT_NEAR(edges[0], edges[1], 1.0F);
}

}  // namespace
}  // namespace warpview
