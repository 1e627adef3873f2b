// Recordings that the laboratory of a session makes and opens.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>
#include <variant>

#include "app/lab_desk.h"
#include "app/played_run.h"
#include "gpu/primitives/scan/scan.h"
#include "gpu/recording/file.h"
#include "gpu/runtime/recorded_device.h"
#include "tests/app/session_test.h"

namespace warpview::test {
namespace {

using DeskRecordings = SessionTest;

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

TEST_F(DeskRecordings, RecordsARunBesideTheScene) {
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

TEST_F(DeskRecordings, ACancelledRecordingLeavesNothing) {
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

// What is no recording is told, and what is open stays.
TEST_F(DeskRecordings, OpensARecordingsFile) {
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

TEST_F(DeskRecordings, RecordsAsAskedAndBesideTheFirst) {
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

// Takes what comes until the recording ends. Returns the end, which the desk has yet to take.
event::RecordingEnded end_of(LabDesk& desk, SessionEvents& events) {
  for (;;) {
    for (SessionEvent& each : events.take()) {
      if (auto* const builds = std::get_if<event::RecordingBuilds>(&each)) desk.take(*builds);
      if (auto* const ended = std::get_if<event::RecordingEnded>(&each)) return *ended;
    }
    std::this_thread::yield();
  }
}

TEST_F(DeskRecordings, ASecondRecordingIsNotBegunBesideTheFirst) {
  Model model;
  const auto events = std::make_shared<SessionEvents>();
  LabDesk desk(model, events, {});
  desk.record(recording_of("lookback"), 0);
  ASSERT_TRUE(desk.records());
  desk.record(recording_of("chained"), 1);
  EXPECT_EQ(model.lab.steps.recording, 0U);
  desk.take(end_of(desk, *events));
  if (!model.lab.steps.shown[0].error.empty()) GTEST_SKIP() << model.lab.steps.shown[0].error;
  ASSERT_NE(model.lab.steps.shown[0].run, nullptr);
  EXPECT_EQ(model.lab.steps.shown[0].run->asked, recording_of("lookback"));
  EXPECT_EQ(model.lab.steps.shown[1].run, nullptr);
  EXPECT_EQ(model.lab.steps.shown[1].given_up, std::nullopt);
}

// The run is over, and its end has not been taken yet: it is shown. Nothing of the request is left.
TEST_F(DeskRecordings, ARecordingThatIsCancelledAfterItsEndIsShown) {
  Model model;
  const auto events = std::make_shared<SessionEvents>();
  LabDesk desk(model, events, {});
  desk.cancel_recording();
  EXPECT_FALSE(model.lab.steps.cancelling) << "there is nothing to cancel";
  desk.record(recording_of("lookback"), 0);
  const event::RecordingEnded ended = end_of(desk, *events);
  desk.cancel_recording();
  EXPECT_TRUE(model.lab.steps.cancelling);
  desk.take(ended);
  if (!model.lab.steps.shown[0].error.empty()) GTEST_SKIP() << model.lab.steps.shown[0].error;
  EXPECT_NE(model.lab.steps.shown[0].run, nullptr);
  EXPECT_EQ(model.lab.steps.shown[0].given_up, std::nullopt);
  EXPECT_FALSE(model.lab.steps.cancelling);
  EXPECT_FALSE(desk.records());
}

// All devices that record share a table.
TEST_F(DeskRecordings, ARecordingOfAWrongResultSaysSo) {
  std::unique_ptr<Device> device;
  try {
    device = open_recorded_device();
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  Variant wrong = *find_variant(Primitive::scan, "lookback");
  wrong.name = "writes_nothing";
  const VariantId variant =
      device->catalogue().add<Primitive::scan>(wrong, [](Stream&, const ScanArgs&, Scratch&) {});
  Model model;
  const auto events = std::make_shared<SessionEvents>();
  LabDesk desk(model, events, {});
  desk.record({.question = {.primitive = Primitive::scan, .n = 64}, .variant = variant}, 0);
  desk.take(end_of(desk, *events));
  ASSERT_NE(model.lab.steps.shown[0].run, nullptr) << model.lab.steps.shown[0].error;
  EXPECT_NE(model.lab.steps.shown[0].run->difference, "");
  device->catalogue().add<Primitive::scan>(
      wrong, device->table().get<Primitive::scan>(find_variant(Primitive::scan, "lookback")));
}

TEST_F(DeskRecordings, AFileThatIsOpenedEndsTheRecording) {
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
TEST_F(DeskRecordings, TheLaboratoryWaitsForARecording) {
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

TEST_F(DeskRecordings, WatchesAStageOnItsMesh) {
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

}  // namespace
}  // namespace warpview::test
