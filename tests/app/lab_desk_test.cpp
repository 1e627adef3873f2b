// The laboratory of a session.
#include "app/lab_desk.h"

#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/app/session_test.h"

namespace warpview::test {
namespace {

using LabDeskTest = SessionTest;

// Neither is in the other's times.
TEST_F(LabDeskTest, TheSceneWaitsForTheLaboratory) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000, {"animation=refit"}));
  window.until([&] { return window.frames() > 3; });
  LabModel& lab = window.model.lab;
  lab.question = {.primitive = Primitive::sort, .n = 1U << 12U};
  window.model.requests.add(request::RunLab{LabTask::results});
  window.until([&] { return lab.state == LabModel::State::measuring; });
  const std::uint64_t before = window.frames();
  repeat(window.model, {"sort", "sort", "sort", "sort", "sort", "build"});
  // The last update before the end is the last that may have seen no new frame.
  bool waits = true;
  bool is_asked_for = true;
  std::uint64_t seen = before;
  window.until([&] {
    if (!lab.busy()) return true;
    waits &= seen == before;
    is_asked_for &= window.model.requests.count<request::Repeat>() == 6;
    seen = window.frames();
    return false;
  });
  EXPECT_TRUE(waits);
  EXPECT_TRUE(is_asked_for);
  EXPECT_EQ(lab.shown(LabTask::results).answers.size(),
            lab.shown(LabTask::results).variants.size());
  window.until([&] { return window.frames() > before + 3; });
  EXPECT_FALSE(window.model.requests.find<request::Repeat>());
}

TEST_F(LabDeskTest, WhatIsToBeOpenedWaitsForTheLaboratory) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000));
  LabModel& lab = window.model.lab;
  lab.question = {.primitive = Primitive::sort, .n = 1U << 12U};
  window.model.requests.add(request::RunLab{LabTask::results});
  window.until([&] { return lab.state == LabModel::State::measuring; });
  window.model.requests.add(request::Open{describe("generated:sphere:500")});
  bool waits = true;
  window.until([&] {
    if (!lab.busy()) return true;
    waits &= window.model.requests.count<request::Open>() == 1 && !window.model.loading;
    return false;
  });
  EXPECT_TRUE(waits);
  EXPECT_EQ(lab.shown(LabTask::results).answers.size(),
            lab.shown(LabTask::results).variants.size());
  window.until([&] { return window.model.scene_spec == "generated:sphere:500"; });
}

constexpr std::uint32_t few_items = 1U << 10U;

// Updates until the laboratory is done. Returns how often.
int finish_lab(Opened& opened) {
  int updates = 0;
  do {
    opened.session.update();
    std::this_thread::yield();
    ++updates;
  } while (opened.model.lab.busy());
  return updates;
}

TEST_F(LabDeskTest, TheLaboratoryAnswersForEveryVariant) {
  for_each_backend([](std::unique_ptr<Device> device) {
    const DeviceInfo info = device->info();
    Opened opened(std::move(device));
    LabModel& lab = opened.model.lab;
    opened.open(sphere_of_2000);
    const Picture before = opened.picture();
    while (lab.most_items == 0) opened.session.update();
    EXPECT_GT(lab.most_items, few_items);
    EXPECT_LE(lab.question.n, lab.most_items);
    for (const Primitive primitive : {Primitive::scan, Primitive::sort}) {
      lab.question = {.primitive = primitive, .n = few_items};
      opened.model.requests.add(request::RunLab{LabTask::results});
      EXPECT_TRUE(opened.session.busy());
      EXPECT_GT(finish_lab(opened), 1);
      EXPECT_EQ(lab.shown(LabTask::results).asked, lab.question);
      EXPECT_EQ(lab.shown(LabTask::results).error, "");
      ASSERT_EQ(lab.shown(LabTask::results).answers.size(),
                lab.shown(LabTask::results).variants.size());
      for (const lab::Answer& answer : lab.shown(LabTask::results).answers) {
        SCOPED_TRACE((*answer.variant)->name);
        EXPECT_EQ(answer.why_not, lab::why_not(*answer.variant, 0, info));
        if (!answer.why_not.empty()) continue;
        EXPECT_EQ(answer.difference, "");
        EXPECT_TRUE(answer.verified);
        EXPECT_GT(answer.ms, 0.0);
        EXPECT_GT(answer.copy_gb_per_s, 0.0);
        EXPECT_TRUE(is_library(*answer.variant) || runs_on_host(*answer.variant, info.backend) ||
                    !answer.launches.empty());
      }
    }
    EXPECT_EQ(opened.picture().rgba, before.rgba);
    EXPECT_FALSE(opened.session.busy());
    EXPECT_TRUE(opened.model.messages.empty());
  });
}

TEST_F(LabDeskTest, TheLaboratoryCounts) {
  Opened opened(open_device(Backend::cpu));
  LabModel& lab = opened.model.lab;
  lab.question = {.primitive = Primitive::scan, .n = 1U << 20U};
  lab.banks = 16;
  opened.model.requests.add(request::RunLab{LabTask::counters});
  finish_lab(opened);
  EXPECT_TRUE(lab.shown(LabTask::results).answers.empty());
  if (!lab.shown(LabTask::counters).error.empty()) {
    EXPECT_TRUE(has_message(opened.model, Message::Kind::error));
    GTEST_SKIP() << lab.shown(LabTask::counters).error;
  }
  EXPECT_EQ(lab.shown(LabTask::counters).banks, 16U);
  EXPECT_EQ(lab.shown(LabTask::counters).asked.n, 1U << 14U) << "more than one tile of a scan";
  EXPECT_EQ(lab.question.n, 1U << 20U);
  ASSERT_EQ(lab.shown(LabTask::counters).answers.size(),
            lab.shown(LabTask::counters).variants.size());
  for (const lab::Answer& answer : lab.shown(LabTask::counters).answers) {
    if (!answer.why_not.empty() || is_library(*answer.variant)) continue;
    ASSERT_FALSE(answer.counters.empty());
    EXPECT_GT(answer.counters[0].global_sectors, 0U);
  }
}

TEST_F(LabDeskTest, TheLaboratoryAnswersAtOnceWhereItIsWaitedFor) {
  Opened opened(open_device(Backend::cpu));
  LabModel& lab = opened.model.lab;
  lab.question = {.primitive = Primitive::scan, .n = few_items};
  opened.session.answer_lab(LabTask::results);
  EXPECT_FALSE(lab.busy());
  EXPECT_EQ(lab.shown(LabTask::results).answers.size(),
            lab.shown(LabTask::results).variants.size());
}

TEST_F(LabDeskTest, ACancelledLaboratoryKeepsWhatItHas) {
  Opened opened(open_device(Backend::cpu));
  LabModel& lab = opened.model.lab;
  lab.question = {.primitive = Primitive::sort, .n = 1U << 14U};
  opened.model.requests.add(request::RunLab{LabTask::results});
  opened.session.update();
  opened.model.requests.add(request::CancelLab{});
  finish_lab(opened);
  EXPECT_LT(lab.shown(LabTask::results).answers.size(),
            lab.shown(LabTask::results).variants.size());
  EXPECT_EQ(lab.shown(LabTask::results).error, "");
  EXPECT_TRUE(opened.model.messages.empty());
  // And it can be asked again, by the way twice.
  lab.question.n = few_items;
  opened.model.requests.add(request::RunLab{LabTask::results});
  opened.session.update();
  opened.model.requests.add(request::RunLab{LabTask::results});
  finish_lab(opened);
  EXPECT_EQ(lab.shown(LabTask::results).answers.size(),
            lab.shown(LabTask::results).variants.size());
}

TEST_F(LabDeskTest, TheLaboratorySweepsOverSizes) {
  Opened opened(open_device(Backend::cpu));
  LabModel& lab = opened.model.lab;
  lab.question = {.primitive = Primitive::morton, .n = few_items};
  lab.sweep_first = 3;
  lab.sweep_last = 5;
  opened.session.answer_lab(LabTask::sweep);
  EXPECT_TRUE(lab.shown(LabTask::results).answers.empty());
  EXPECT_EQ(lab.question.n, few_items);
  EXPECT_EQ(lab.shown(LabTask::sweep).sizes, (std::vector<std::uint32_t>{8, 16, 32}));
  EXPECT_EQ(lab.shown(LabTask::sweep).asked.n, 32U);
  ASSERT_EQ(lab.shown(LabTask::sweep).answers.size(), lab.shown(LabTask::sweep).answers_to_come());
  for (std::size_t i = 0; i < lab.shown(LabTask::sweep).answers.size(); ++i) {
    const lab::Answer& answer = lab.shown(LabTask::sweep).answers[i];
    EXPECT_EQ(answer.question.n,
              lab.shown(LabTask::sweep).sizes[i / lab.shown(LabTask::sweep).variants.size()]);
    EXPECT_TRUE(answer.verified || !answer.why_not.empty()) << answer.difference;
    EXPECT_EQ(answer.ms > 0.0, answer.verified);
  }
  EXPECT_FALSE(lab.shown(LabTask::sweep).cancelled);
}

TEST_F(LabDeskTest, ACancelledSweepKeepsWhatItHas) {
  Opened opened(open_device(Backend::cpu));
  LabModel& lab = opened.model.lab;
  lab.question = {.primitive = Primitive::scan, .n = few_items};
  lab.sweep_first = 2;
  lab.sweep_last = 14;
  opened.model.requests.add(request::RunLab{LabTask::sweep});
  do {
    opened.session.update();
    std::this_thread::yield();
  } while (lab.shown(LabTask::sweep).answers.empty() && lab.busy());
  opened.model.requests.add(request::CancelLab{});
  finish_lab(opened);
  EXPECT_FALSE(lab.shown(LabTask::sweep).answers.empty());
  EXPECT_LT(lab.shown(LabTask::sweep).answers.size(), lab.shown(LabTask::sweep).answers_to_come());
  EXPECT_TRUE(lab.shown(LabTask::sweep).cancelled);
  EXPECT_EQ(lab.shown(LabTask::sweep).error, "");
}

// What captions say is what was answered, where the device has room for less than was chosen.
TEST_F(LabDeskTest, TheLaboratorySaysHowManyItemsItTook) {
  constexpr std::uint32_t many = 1U << 28U;
  Opened opened(open_device(Backend::cpu));
  LabModel& lab = opened.model.lab;
  lab.question = {.primitive = Primitive::schedule, .n = many};
  lab.most_items = 0;  // it is not known yet
  opened.model.requests.add(request::RunLab{LabTask::results});
  const LabSeries& times = lab.shown(LabTask::results);
  do {
    opened.session.update();
    std::this_thread::yield();
  } while ((times.variants.empty() || times.asked.n == many) && lab.busy());
  opened.model.requests.add(request::CancelLab{});
  finish_lab(opened);
  EXPECT_LT(times.asked.n, many);
  EXPECT_EQ(lab.question.n, many) << "another primitive may have room for it";
  for (const lab::Answer& answer : times.answers) EXPECT_EQ(answer.question, times.asked);
}

TEST_F(LabDeskTest, TheLaboratoryKeepsTheResultsOfEachPrimitive) {
  Opened opened(open_device(Backend::cpu));
  LabModel& lab = opened.model.lab;
  lab.question = {.primitive = Primitive::reduce, .n = 8};
  opened.session.answer_lab(LabTask::results);
  lab.question = {.primitive = Primitive::morton, .n = 4};
  EXPECT_TRUE(lab.shown(LabTask::results).answers.empty());
  opened.session.answer_lab(LabTask::results);
  EXPECT_EQ(lab.shown(LabTask::results).asked.n, 4U);
  lab.question.primitive = Primitive::reduce;
  ASSERT_EQ(lab.shown(LabTask::results).answers.size(), variants_of(Primitive::reduce).size());
  EXPECT_EQ(lab.shown(LabTask::results).asked.n, 8U);
}

TEST_F(LabDeskTest, ASweepEndsWhereThePrimitiveDoes) {
  LabModel lab;
  lab.sweep_last = 30;
  lab.question.primitive = Primitive::scan;
  lab.most_items = 5000;
  EXPECT_EQ(lab.last_of_sweep(), 12);
  lab.sweep_last = 7;
  EXPECT_EQ(lab.last_of_sweep(), 7);
}

TEST_F(LabDeskTest, SassIsReadOnceOnAnotherThread) {
  Opened opened(open_device(Backend::cpu));
  const std::filesystem::path folder = test_folder();
  std::filesystem::create_directories(folder / "bin");
  const std::filesystem::path tool = folder / "bin" / "cuobjdump";
  std::ofstream(tool) << "#!/bin/sh\necho run >> " << (folder / "runs").string()
                      << "\nprintf 'code for sm_90\\nFunction : k\\n/*0000*/ EXIT ;\\n'\n";
  std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
  setenv("CUDA_HOME", folder.c_str(), 1);
  std::vector<SassAnswer>& answers = opened.model.lab.sass;
  for (int i = 0; i < 2; ++i) {
    opened.model.requests.add(request::Disassemble{{.file = "/a/program", .symbols = {"k"}}});
    do {
      opened.session.update();
      std::this_thread::yield();
    } while (answers.empty() || !answers[0].done);
  }
  unsetenv("CUDA_HOME");
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_EQ(answers[0].error, "");
  EXPECT_NE(answers[0].text.find("EXIT"), std::string::npos);
  EXPECT_EQ(read_file(folder / "runs"), "run\n");
}

TEST_F(LabDeskTest, WhatTheLaboratoryCannotDoIsAMessage) {
  auto device = std::make_unique<SmallDevice>(open_device(Backend::cpu));
  SmallDevice& small = *device;
  Opened opened(std::move(device));
  opened.open(sphere_of_2000);
  const Picture before = opened.picture();
  small.refuse_beyond(100);
  opened.model.lab.question = {.primitive = Primitive::scan, .n = few_items};
  opened.model.requests.add(request::RunLab{LabTask::results});
  finish_lab(opened);
  EXPECT_NE(opened.model.lab.shown(LabTask::results).error, "");
  EXPECT_TRUE(opened.model.lab.shown(LabTask::results).answers.empty());
  EXPECT_TRUE(has_message(opened.model, Message::Kind::error));
  EXPECT_EQ(opened.picture().rgba, before.rgba);
  EXPECT_EQ(opened.model.scene_spec, sphere_of_2000);
}

TEST_F(LabDeskTest, ALaboratoryAtWorkEndsWithItsSession) {
  Opened opened(open_device(Backend::cpu));
  opened.model.lab.question = {.primitive = Primitive::sort, .n = few_items};
  opened.model.requests.add(request::RunLab{LabTask::results});
  opened.session.update();
  EXPECT_TRUE(opened.model.lab.busy());
}

}  // namespace
}  // namespace warpview::test
