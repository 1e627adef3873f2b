// The laboratory of a session.
#include "app/lab_desk.h"

#include <filesystem>
#include <fstream>

#include "app/played_run.h"
#include "gpu/recording/file.h"
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
        EXPECT_TRUE(is_library(*answer.variant) || !answer.launches.empty());
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

RecordingQuestion recording_of(const char* variant, std::uint32_t items = 1024) {
  return {.question = {.primitive = Primitive::scan, .n = items},
          .variant = find_variant(Primitive::scan, variant),
          .seed = 3};
}

// Updates until nothing is recorded and all that was asked for is done.
void finish_recording(Opened& opened) {
  do {
    opened.session.update();
    std::this_thread::yield();
  } while (opened.model.lab.records() || opened.model.lab.busy() || !opened.model.requests.empty());
}

TEST_F(LabDeskTest, RecordsARunBesideTheScene) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  const Picture before = opened.picture();
  const LabSteps& steps = opened.model.lab.steps;
  opened.model.requests.add(request::Record{recording_of("lookback")});
  opened.session.update();
  EXPECT_TRUE(opened.model.lab.records());
  EXPECT_TRUE(opened.session.busy());
  finish_recording(opened);
  if (!steps.shown[0].error.empty()) GTEST_SKIP() << steps.shown[0].error;
  const std::shared_ptr<PlayedRun> run = steps.shown[0].run;
  ASSERT_NE(run, nullptr);
  EXPECT_EQ(run->asked, recording_of("lookback"));
  EXPECT_EQ(run->difference, "");
  EXPECT_EQ(run->recording().seed, 3U);
  EXPECT_EQ(run->recording().items, 1024U);
  EXPECT_GT(run->playback.steps(), 50U);
  EXPECT_FALSE(run->views.empty());
  EXPECT_FALSE(run->all(Landmark::publish).empty());
  EXPECT_EQ(opened.picture().rgba, before.rgba);

  // Another one cannot be recorded: what is shown stays.
  const std::vector<VariantId> all = variants();
  const auto elsewhere = std::find_if(all.begin(), all.end(),
                                      [](VariantId variant) { return !variant->available.cpu; });
  ASSERT_NE(elsewhere, all.end());
  const RecordingQuestion wrong = {.question = {.primitive = (*elsewhere)->primitive, .n = 64},
                                   .variant = *elsewhere};
  opened.model.requests.add(request::Record{wrong});
  finish_recording(opened);
  EXPECT_EQ(steps.shown[0].run, run);
  EXPECT_EQ(steps.shown[0].given_up, wrong);
  EXPECT_NE(steps.shown[0].error, "");
  EXPECT_TRUE(has_message(opened.model, Message::Kind::error));
}

TEST_F(LabDeskTest, ACancelledRecordingLeavesNothing) {
  Opened opened(open_device(Backend::cpu));
  opened.model.requests.add(request::Record{recording_of("lookback", 1U << 14U), 1});
  opened.session.update();
  opened.model.requests.add(request::CancelRecording{});
  finish_recording(opened);
  const LabSteps::Side& side = opened.model.lab.steps.shown[1];
  EXPECT_EQ(side.run, nullptr);
  EXPECT_EQ(side.given_up, recording_of("lookback", 1U << 14U));
  EXPECT_EQ(side.error, "");
  EXPECT_FALSE(opened.model.lab.steps.cancelling);
  EXPECT_TRUE(opened.model.messages.empty());
}

TEST_F(LabDeskTest, WatchesAStageOnItsMesh) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  choose(opened.model, "sort", "onesweep");
  choose(opened.model, "morton", "bits63");
  opened.session.advance(0.0);
  opened.model.camera.yaw = 1.0F;
  opened.model.requests.add(request::Watch{"sort"});
  opened.session.update();
  LabSteps& steps = opened.model.lab.steps;
  ASSERT_TRUE(steps.watched);
  EXPECT_EQ(steps.watched->variant, find_variant(Primitive::sort, "onesweep"));
  EXPECT_EQ(steps.watched->form, lab::find_form(Primitive::sort, "u64")) << "as wide as the codes";
  ASSERT_NE(steps.mesh, nullptr);
  EXPECT_EQ(steps.mesh->triangles(), 1024U);
  EXPECT_EQ(steps.mesh->whole, count(opened.model, "mesh.triangles"));
  EXPECT_EQ(steps.mesh->right.x, opened.model.camera.right().x);
  EXPECT_TRUE(opened.model.messages.empty());

  for (const char* wrong : {"upload", "nothing"}) {
    steps.watched.reset();
    opened.model.messages.clear();
    opened.model.requests.add(request::Watch{wrong});
    opened.session.update();
    EXPECT_FALSE(steps.watched);
    ASSERT_TRUE(has_message(opened.model, Message::Kind::error)) << wrong;
    EXPECT_NE(opened.model.messages.back().text.find("dedup, bounds, morton, sort, build, refit"),
              std::string::npos);
  }
}

// What is no recording is told, and what is open stays.
TEST_F(LabDeskTest, OpensARecordingsFile) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "opens_a_recordings_file";
  std::filesystem::create_directories(folder);
  const auto write = [](const std::filesystem::path& file, const std::vector<std::uint8_t>& bytes) {
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
  };
  Recording recording;
  recording.primitive = "faults";
  recording.places.resize(1);
  recording.launches = {{.kernel = "kernel"}};
  recording.events = {{.kind = EventKind::launch}};
  const std::vector<std::uint8_t> whole = packed(recording);
  write(folder / "whole.wvrec", whole);

  Opened opened(open_device(Backend::cpu));
  LabSteps& steps = opened.model.lab.steps;
  opened.model.requests.add(request::OpenRecording{folder / "whole.wvrec"});
  finish_recording(opened);
  const std::shared_ptr<PlayedRun> run = steps.shown[0].run;
  ASSERT_NE(run, nullptr);
  EXPECT_EQ(run->recording(), recording);
  EXPECT_EQ(run->asked, std::nullopt);
  EXPECT_EQ(run->file, folder / "whole.wvrec");
  EXPECT_TRUE(steps.opened);

  write(folder / "cut.wvrec", {whole.begin(), whole.end() - 1});
  std::vector<std::uint8_t> other = whole;
  ++other[5];  // the version
  write(folder / "other.wvrec", other);
  std::filesystem::create_directory(folder / "folder.wvrec");
  for (const char* const name : {"cut.wvrec", "other.wvrec", "folder.wvrec", "missing.wvrec"}) {
    opened.model.messages.clear();
    steps.opened = false;
    opened.model.requests.add(request::OpenRecording{folder / name});
    finish_recording(opened);
    EXPECT_EQ(steps.shown[0].run, run) << name;
    EXPECT_FALSE(steps.opened) << name;
    ASSERT_EQ(opened.model.messages.size(), 1U) << name;
    EXPECT_EQ(opened.model.messages[0].kind, Message::Kind::error) << name;
    EXPECT_NE(opened.model.messages[0].text.find(name), std::string::npos);
  }
  std::filesystem::remove_all(folder);
}

TEST_F(LabDeskTest, RecordsAsAskedAndBesideTheFirst) {
  Opened opened(open_device(Backend::cpu));
  LabSteps& steps = opened.model.lab.steps;
  RecordingQuestion asked = recording_of("lookback");
  asked.interleave = 2;
  asked.warp_size = 64;
  steps.shown[1].given_up = asked;
  opened.model.requests.add(request::Record{asked, 1});
  finish_recording(opened);
  if (!steps.shown[1].error.empty()) GTEST_SKIP() << steps.shown[1].error;
  EXPECT_EQ(steps.shown[0].run, nullptr);
  EXPECT_EQ(steps.shown[1].given_up, std::nullopt);
  ASSERT_NE(steps.shown[1].run, nullptr);
  EXPECT_EQ(steps.shown[1].run->recording().interleave, 2U);
  EXPECT_EQ(steps.shown[1].run->recording().warp_size, 64U);
  EXPECT_EQ(steps.building, "");
}

TEST_F(LabDeskTest, AFileThatIsOpenedEndsTheRecording) {
  Opened opened(open_device(Backend::cpu));
  LabSteps& steps = opened.model.lab.steps;
  Recording recording;
  recording.places.resize(1);
  recording.launches = {{.kernel = "kernel"}};
  recording.events = {{.kind = EventKind::launch}};
  const std::vector<std::uint8_t> bytes = packed(recording);
  const std::filesystem::path file = test_folder() / "whole.wvrec";
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  steps.shown[1].run =
      std::make_shared<PlayedRun>(std::make_shared<const Recording>(std::move(recording)));
  opened.model.requests.add(request::Record{recording_of("lookback", 1U << 14U)});
  opened.session.update();
  opened.model.requests.add(request::OpenRecording{file});
  opened.session.update();
  EXPECT_TRUE(opened.model.lab.records());
  finish_recording(opened);
  ASSERT_NE(steps.shown[0].run, nullptr);
  EXPECT_EQ(steps.shown[0].run->file, file);
  EXPECT_EQ(steps.shown[1].run, nullptr) << "it stands alone";
  EXPECT_EQ(steps.building, "");
  EXPECT_TRUE(opened.model.messages.empty());
}

// The times would be of busy processors.
TEST_F(LabDeskTest, TheLaboratoryWaitsForARecording) {
  Opened opened(open_device(Backend::cpu));
  LabModel& lab = opened.model.lab;
  lab.question = {.primitive = Primitive::morton, .n = 64};
  opened.model.requests.add(request::Record{recording_of("chained")});
  opened.model.requests.add(request::RunLab{LabTask::results});
  opened.session.update();
  EXPECT_TRUE(lab.records());
  EXPECT_FALSE(lab.busy());
  EXPECT_EQ(opened.model.requests.count<request::RunLab>(), 1U);
  finish_recording(opened);
  EXPECT_EQ(lab.shown(LabTask::results).answers.size(), variants_of(Primitive::morton).size());
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
