// Each fault is shown by the check that its row names, in schedules of the recorded device, and no
// check shows anything of its right twin.
#include "gpu/faults/faults.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "gpu/recording/file.h"
#include "gpu/recording/playback.h"
#include "gpu/recording/replay.h"

namespace warpview::test {
namespace {

constexpr std::uint64_t seeds = 100;
constexpr std::uint64_t input_seed = 1;

class EveryFault : public testing::TestWithParam<std::size_t> {};

std::string name_of(const FaultForm& form) { return fmt::format("{}_{}", form.fault, form.name); }

void expect_right(const FaultRun& run, std::uint64_t seed) {
  EXPECT_EQ(run.report, "") << seed;
  if (run.wrong) ADD_FAILURE() << seed << ": out[" << run.wrong->index << "] is " << run.wrong->is;
  for (const Race& race : run.races) ADD_FAILURE() << seed << ": " << in_words(run.recording, race);
}

TEST_P(EveryFault, IsShownByTheCheckThatItsRowNames) {
  const FaultForm& form = fault_forms()[GetParam()];
  unsigned shown = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const FaultRun run = run_fault(form, {.seed = seed}, usual_interleave, input_seed);
    if (run.shown_by(form.check)) ++shown;
    if (form.check == FaultCheck::none) expect_right(run, seed);
    // A wrong result would be easier to see.
    if (form.check == FaultCheck::races) {
      EXPECT_FALSE(run.fails()) << seed;
    }
    if (!run.recording.events.empty()) {
      EXPECT_EQ(Replay(run.recording).finish(), "") << seed;
    }
  }
  if (form.check == FaultCheck::races) {
    EXPECT_EQ(shown, seeds);
  } else if (form.check != FaultCheck::none) {
    EXPECT_GE(shown, 1U);
  }
}

TEST_P(EveryFault, RepeatsItsRunWithItsSeedAndCanBePlayed) {
  const FaultForm& form = fault_forms()[GetParam()];
  const FaultRun one = run_fault(form, {.seed = 3}, usual_interleave, input_seed);
  const FaultRun two = run_fault(form, {.seed = 3}, usual_interleave, input_seed);
  EXPECT_EQ(one.report, two.report);
  EXPECT_TRUE(one.recording == two.recording);
  EXPECT_FALSE(one.recording.events.empty());
  EXPECT_TRUE(unpacked(packed(one.recording), "file") == one.recording);
  Playback playback(std::make_shared<const Recording>(one.recording));
  playback.seek(playback.steps());
  // The blocks of a run that was given up are still there.
  EXPECT_EQ(playback.blocks().empty(), one.report.empty());
}

INSTANTIATE_TEST_SUITE_P(Forms, EveryFault, testing::Range<std::size_t>(0, fault_forms().size()),
                         [](const testing::TestParamInfo<std::size_t>& form) {
                           return name_of(fault_forms()[form.param]);
                         });

TEST(Faults, HaveOneRightTwinEach) {
  for (const Fault& fault : faults()) {
    const auto forms = forms_of(fault);
    ASSERT_GE(forms.size(), 2U) << fault.name;
    for (const FaultForm* const form : forms)
      EXPECT_EQ(form->check == FaultCheck::none, form == forms.back()) << name_of(*form);
    EXPECT_STREQ(forms.back()->name, "right");
  }
}

// The result is right, and the race is found all the same.
TEST(Faults, RacesNameTheSumAndItsReader) {
  const FaultRun run = run_fault(find_form(find_fault("missing_fence"), "writer"), {.seed = 1},
                                 usual_interleave, input_seed);
  ASSERT_EQ(run.races.size(), 1U);
  const Race& race = run.races.front();
  EXPECT_EQ(run.recording.arrays[race.array].name, "sums");
  EXPECT_EQ(run.recording.events[race.first].kind, EventKind::write);
  EXPECT_EQ(run.recording.events[race.second].kind, EventKind::read);
  EXPECT_NE(run.recording.events[race.first].block, run.recording.events[race.second].block);
}

TEST(Faults, ThatDoNotExistAreRefusedWithTheirNames) {
  EXPECT_THROW(find_fault("none"), ChoiceError);
  EXPECT_THROW(find_form(find_fault("lost_update"), "none"), ChoiceError);
}

}  // namespace
}  // namespace warpview::test
