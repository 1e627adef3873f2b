// Runs from one session to the next.
#include "app/kept_runs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/app/session_test.h"
#include "tests/panels/temporary_folder.h"

namespace warpview::test {
namespace {

namespace fs = std::filesystem;

MeasuredRun run_of(std::uint32_t items) {
  MeasuredRun run = measured_run({.name = "a processor", .driver = {}},
                                 {.primitive = "scan",
                                  .form = "exclusive",
                                  .distribution = "uniform",
                                  .items = items,
                                  .variant = "lookback",
                                  .verified = true,
                                  .ms = 1.0},
                                 "run");
  return run;
}

class KeptRunsTest : public testing::Test {
 protected:
  fs::path file() const { return folder_.path() / "data" / "warpview" / "runs.csv"; }
  std::string bytes(const fs::path& of) const {
    std::ifstream in(of, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  RunsRead kept() const { return read_runs(bytes(file())); }
  void write(const std::string& text) {
    fs::create_directories(file().parent_path());
    std::ofstream(file(), std::ios::binary) << text;
  }

  // A session: its model, and what it posts.
  struct Sitting {
    Model model;
    std::shared_ptr<SessionEvents> events = std::make_shared<SessionEvents>([] {});
    std::vector<std::string> messages;
    std::unique_ptr<RunKeeper> keeper;

    explicit Sitting(const fs::path& file, bool keeps = true) {
      model.lab.runs_file = file.string();
      model.lab.keeps_runs = keeps;
      keeper = std::make_unique<RunKeeper>(model, events);
      keeper->update();
    }
    void take() {
      for (SessionEvent& each : events->take()) {
        if (auto* const found = std::get_if<event::RunsFound>(&each)) keeper->take(*found);
        if (auto* const message = std::get_if<Message>(&each)) messages.push_back(message->text);
      }
    }
    // All that was asked for is done, as at the end of a session.
    void end() {
      keeper.reset();
      for (SessionEvent& each : events->take())
        if (auto* const message = std::get_if<Message>(&each)) messages.push_back(message->text);
    }
    void until(const std::function<bool()>& holds) {
      while (!holds()) {
        take();
        std::this_thread::yield();
      }
    }
  };

  const TemporaryFolder folder_;
};

TEST_F(KeptRunsTest, ComeBackInTheNextSession) {
  {
    Sitting first(file());
    first.model.lab.runs.add(run_of(1));
    first.model.lab.runs.add(run_of(2));
    first.keeper->update();
    first.model.lab.runs.add(run_of(3));
    first.end();  // writes what is left
    EXPECT_TRUE(first.messages.empty());
  }
  ASSERT_EQ(kept().runs.size(), 3U);
  Sitting second(file());
  second.until([&] { return second.model.lab.runs.all().size() == 3; });
  EXPECT_EQ(second.model.lab.runs.all().back().row.items, 3U);
  second.model.lab.runs.add(run_of(4));
  second.end();
  ASSERT_EQ(kept().runs.size(), 4U) << "none twice";
  EXPECT_EQ(kept().runs[3].row.items, 4U);
}

TEST_F(KeptRunsTest, AreForgottenUnlessTheUserWishes) {
  Sitting sitting(file(), false);
  sitting.model.lab.runs.add(run_of(1));
  sitting.keeper->update();
  sitting.end();
  EXPECT_FALSE(fs::exists(file()));
  Sitting late(file(), false);
  late.model.lab.runs.add(run_of(1));
  late.keeper->update();
  late.model.lab.keeps_runs = true;
  late.keeper->update();
  late.end();
  EXPECT_EQ(kept().runs.size(), 1U) << "also those before the wish";
}

// A sweep's runs are written together.
TEST_F(KeptRunsTest, WaitForTheEndOfASeries) {
  Sitting sitting(file());
  sitting.model.lab.runs.add(run_of(1));
  sitting.keeper->update();
  sitting.until([&] { return kept().runs.size() == 1; });
  sitting.model.lab.state = LabModel::State::measuring;
  sitting.model.lab.runs.add(run_of(2));
  sitting.keeper->update();
  sitting.model.lab.runs.add(run_of(3));
  sitting.model.lab.state = LabModel::State::idle;
  sitting.keeper->update();
  sitting.until([&] { return kept().runs.size() == 3; });
}

TEST_F(KeptRunsTest, TwoWindowsLoseNothing) {
  Sitting one(file());
  Sitting other(file());
  one.model.lab.runs.add(run_of(1));
  one.end();
  other.model.lab.runs.add(run_of(2));
  other.end();
  ASSERT_EQ(kept().runs.size(), 2U);
}

TEST_F(KeptRunsTest, ClearedOnesGoAndComeBack) {
  write(runs_as_csv(std::vector{run_of(1), run_of(2)}));
  Sitting sitting(file());
  sitting.until([&] { return sitting.model.lab.runs.all().size() == 2; });
  sitting.model.lab.runs.clear();
  sitting.keeper->update();
  sitting.until([&] { return kept().runs.empty(); });
  EXPECT_TRUE(kept().is_ours);
  sitting.model.lab.runs.restore();
  sitting.keeper->update();
  sitting.end();
  EXPECT_EQ(kept().runs.size(), 2U);
}

TEST_F(KeptRunsTest, ADamagedFileIsToldAndNotLost) {
  write(runs_as_csv(std::vector{run_of(1)}) + "scan,exclusive,uni");
  Sitting cut(file());
  cut.until([&] { return !cut.model.lab.runs.all().empty(); });
  cut.end();
  ASSERT_EQ(cut.messages.size(), 1U);
  EXPECT_NE(cut.messages[0].find("1 damaged line was left out"), std::string::npos);

  write("my own notes");
  Sitting other(file());
  other.model.lab.runs.add(run_of(5));
  other.keeper->update();
  other.end();
  ASSERT_EQ(other.messages.size(), 1U);
  EXPECT_NE(other.messages[0].find("renamed to runs-unreadable.csv"), std::string::npos);
  EXPECT_EQ(bytes(file().parent_path() / "runs-unreadable.csv"), "my own notes");
  EXPECT_EQ(kept().runs.size(), 1U);
  write("more notes");
  Sitting third(file());
  third.end();
  EXPECT_EQ(bytes(file().parent_path() / "runs-unreadable-2.csv"), "more notes");
  EXPECT_EQ(bytes(file().parent_path() / "runs-unreadable.csv"), "my own notes");
}

TEST_F(KeptRunsTest, AFileThatIsTooLargeIsPutAside) {
  write(runs_as_csv(std::vector{run_of(1)}));
  fs::resize_file(file(), 17'000'000);
  Sitting sitting(file());
  sitting.end();
  ASSERT_EQ(sitting.messages.size(), 1U);
  EXPECT_FALSE(fs::exists(file()));
}

// It is told once, and what could not be written is written later.
TEST_F(KeptRunsTest, WhatCannotBeWrittenIsWrittenLater) {
  std::ofstream(folder_.path() / "data") << "in the way of the folder";
  Sitting sitting(file());
  sitting.model.lab.runs.add(run_of(1));
  sitting.keeper->update();
  sitting.model.lab.runs.add(run_of(2));
  sitting.keeper->update();
  sitting.until([&] { return !sitting.messages.empty(); });
  fs::remove(folder_.path() / "data");
  sitting.model.lab.runs.add(run_of(3));
  sitting.end();
  EXPECT_EQ(sitting.messages.size(), 1U);
  EXPECT_EQ(kept().runs.size(), 3U);
}

using LabRunsTest = SessionTest;

// Runs and sweeps of the laboratory, and comparisons of stages; counts are no times.
TEST_F(LabRunsTest, EachMeasurementIsNoted) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe("generated:sphere:2000"));
  LabModel& lab = window.model.lab;
  lab.question = {.primitive = Primitive::reduce, .n = 1U << 8U};
  const auto ask = [&](LabTask task) {
    window.model.requests.add(request::RunLab{task});
    window.until([&] { return lab.busy(); });
    window.until([&] { return !lab.busy(); });
  };
  ask(LabTask::results);
  const std::size_t timed = static_cast<std::size_t>(std::count_if(
      lab.shown(LabTask::results).answers.begin(), lab.shown(LabTask::results).answers.end(),
      [](const lab::Answer& each) { return each.ms > 0.0; }));
  ASSERT_GT(timed, 1U);
  ASSERT_EQ(lab.runs.all().size(), timed);
  const MeasuredRun first = lab.runs.all().front();
  EXPECT_EQ(first.asked_by, "run");
  EXPECT_EQ(first.backend, "cpu");
  EXPECT_EQ(first.row, lab_csv_row(lab.shown(LabTask::results).answers.front()));
  lab.sweep_first = 4;
  lab.sweep_last = 5;
  ask(LabTask::sweep);
  EXPECT_EQ(lab.runs.all().size(), 3 * timed);
  EXPECT_EQ(lab.runs.all().back().asked_by, "sweep");
  ask(LabTask::counters);
  EXPECT_EQ(lab.runs.all().size(), 3 * timed) << "counters time nothing";
  window.model.requests.add(request::Compare{"sort"});
  window.until([&] { return lab.runs.all().size() > 3 * timed; });
  const MeasuredRun compared = lab.runs.all().back();
  EXPECT_EQ(compared.asked_by, "compare");
  EXPECT_EQ(compared.row.primitive, "sort");
  EXPECT_EQ(compared.row.form, "sort");
  EXPECT_GT(compared.row.ms, 0.0);
  EXPECT_LE(compared.row.quartile_1_ms, compared.row.ms);
}

}  // namespace
}  // namespace warpview::test
