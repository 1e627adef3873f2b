// The session between a workspace and a device, drawn without a window.
#include "app/session.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <set>
#include <thread>

#include "gpu/lab/experiment.h"
#include "gpu/runtime/backends.h"
#include "tests/app/program.h"
#include "tests/render/gl_test.h"
#include "tests/support/devices.h"
#include "tests/support/small_device.h"

namespace warpview {
namespace {

using test::devices_for;
using test::expect_alike;
using test::SmallDevice;
using test::test_folder;
using test::TestDevice;

constexpr const char* scene = "generated:sphere:2000";
constexpr double time_step = 1.0 / 60.0;

// A session on one of the backends, with what belongs to it.
struct Opened {
  WorkspaceModel workspace;
  Session session;
  Framebuffer framebuffer{96, 96};

  explicit Opened(std::unique_ptr<Device> device, const Options& options = {})
      : workspace(workspace_for(options)), session(workspace, options, std::move(device)) {}

  Picture picture() {
    session.update(time_step);
    session.draw(framebuffer);
    return framebuffer.read_back();
  }
  bool has_message(Message::Kind kind) const {
    return std::any_of(workspace.messages.begin(), workspace.messages.end(),
                       [kind](const Message& message) { return message.kind == kind; });
  }
  // Updates until nothing is loading any more.
  void finish_loading() {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    do {
      session.update(time_step);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (workspace.loading && std::chrono::steady_clock::now() < deadline);
    EXPECT_FALSE(workspace.loading);
  }
};

class SessionTest : public GlTest {
 protected:
  // One device of every backend that the tests run on.
  static void for_each_backend(const std::function<void(std::unique_ptr<Device>)>& function) {
    std::set<Backend> seen;
    for (const TestDevice& device : devices_for(1)) {
      const Backend backend = device.device->info().backend;
      if (!seen.insert(backend).second) continue;
      SCOPED_TRACE(to_string(backend));
      function(open_device(backend, backend == Backend::cpu ? -1 : 0));
    }
  }
};

TEST_F(SessionTest, DrawsTheBackgroundBeforeAnythingIsOpen) {
  Opened opened(open_device(Backend::cpu));
  const Picture empty = opened.picture();
  EXPECT_EQ(opened.session.pipeline(), nullptr);
  EXPECT_TRUE(opened.workspace.stages.empty());
  opened.session.open(scene);
  EXPECT_NE(opened.picture().rgba, empty.rgba);
}

TEST_F(SessionTest, TellsWhatIsOpen) {
  for_each_backend([](std::unique_ptr<Device> device) {
    Opened opened(std::move(device));
    opened.session.open(scene);
    opened.picture();
    opened.session.settle();
    const WorkspaceModel& workspace = opened.workspace;
    EXPECT_EQ(workspace.scene_spec, scene);
    EXPECT_EQ(workspace.counts.triangles, 2000U);
    EXPECT_EQ(workspace.tree.inner_nodes, 1999U);
    EXPECT_FALSE(workspace.interop.empty());
    EXPECT_FALSE(workspace.gl_renderer.empty());
    ASSERT_EQ(workspace.stages.size(), all_stages.size());
    for (const StageRow& row : workspace.stages) {
      EXPECT_GT(row.median_ms, 0.0) << to_string(row.stage);
      EXPECT_GT(row.bytes, 0U);
      EXPECT_FALSE(row.every_frame);
      EXPECT_EQ(row.variants.empty(), row.stage == Stage::upload);
    }
    EXPECT_FALSE(opened.session.wants_frames());
  });
}

TEST_F(SessionTest, WhatIsOpenStaysWhenOpeningFails) {
  Opened opened(open_device(Backend::cpu));
  opened.session.open(scene);
  const Picture before = opened.picture();
  EXPECT_THROW(opened.session.open("no/such/file.obj"), Error);
  EXPECT_EQ(opened.workspace.scene_spec, scene);
  EXPECT_EQ(opened.picture().rgba, before.rgba);

  opened.workspace.requests.open = "no/such/file.obj";
  opened.finish_loading();
  EXPECT_TRUE(opened.has_message(Message::Kind::error));
  EXPECT_EQ(opened.workspace.scene_spec, scene);
  EXPECT_EQ(opened.workspace.counts.triangles, 2000U);
  EXPECT_EQ(opened.picture().rgba, before.rgba);
}

TEST_F(SessionTest, OpensOnAThreadOfItsOwn) {
  Opened opened(open_device(Backend::cpu));
  const Picture empty = opened.picture();
  opened.workspace.requests.open = scene;
  EXPECT_TRUE(opened.session.wants_frames());
  opened.finish_loading();
  EXPECT_EQ(opened.workspace.scene_spec, scene);
  EXPECT_FALSE(opened.workspace.scene_name.empty());
  EXPECT_NE(opened.picture().rgba, empty.rgba);
}

TEST_F(SessionTest, ACancelledLoadLeavesWhatIsOpen) {
  const std::filesystem::path file = test_folder() / "long.obj";
  {
    std::ofstream out(file);
    for (int i = 0; i < 300'000; ++i) out << "v " << i << " 0 1\n";
    for (int i = 1; i < 299'998; ++i) out << "f " << i << ' ' << i + 1 << ' ' << i + 2 << '\n';
  }
  Opened opened(open_device(Backend::cpu));
  opened.session.open(scene);
  opened.workspace.requests.open = file.string();
  opened.session.update(time_step);
  EXPECT_TRUE(opened.workspace.loading || opened.session.wants_frames());
  opened.workspace.requests.cancel_load = true;
  opened.finish_loading();
  EXPECT_EQ(opened.workspace.scene_spec, scene);
  EXPECT_TRUE(opened.has_message(Message::Kind::info));
  EXPECT_FALSE(opened.has_message(Message::Kind::error));
}

TEST_F(SessionTest, WarningsOfTheLoaderBecomeMessages) {
  const std::filesystem::path file = test_folder() / "warns.obj";
  std::ofstream(file) << "mtllib missing.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 9\n";
  Opened opened(open_device(Backend::cpu));
  opened.session.open(file);
  EXPECT_TRUE(opened.has_message(Message::Kind::warning));
  EXPECT_EQ(opened.workspace.dropped_faces, 1U);
}

// ---- Little memory ------------------------------------------------------------------------------

// Room for one mesh of a few thousand triangles, not for two.
constexpr std::uint64_t little = 1'300'000;

TEST_F(SessionTest, WhatIsOpenMakesWayWhereTwoDoNotFit) {
  Opened opened(std::make_unique<SmallDevice>(open_device(Backend::cpu), little));
  opened.session.open("generated:sphere:1000");
  opened.session.open("generated:sphere:1100");
  EXPECT_EQ(opened.workspace.scene_spec, "generated:sphere:1100");
  opened.picture();
  EXPECT_EQ(opened.workspace.counts.triangles, 1100U);
}

TEST_F(SessionTest, WhatMadeWayComesBackWhenOpeningFails) {
  auto device = std::make_unique<SmallDevice>(open_device(Backend::cpu), little);
  SmallDevice& small = *device;
  Opened opened(std::move(device));
  opened.session.open("generated:sphere:1000");
  const Picture before = opened.picture();
  small.refuse_beyond(1000 * 3 * sizeof(Vertex));
  EXPECT_THROW(opened.session.open("generated:sphere:1100"), Error);
  EXPECT_EQ(opened.workspace.scene_spec, "generated:sphere:1000");
  EXPECT_EQ(opened.picture().rgba, before.rgba);
  EXPECT_EQ(opened.workspace.counts.triangles, 1000U);
}

TEST_F(SessionTest, AMeshThatNeverFitsDisturbsNothing) {
  Opened opened(std::make_unique<SmallDevice>(open_device(Backend::cpu), little));
  opened.session.open("generated:sphere:1000");
  MeshPipeline* const before = opened.session.pipeline();
  EXPECT_THROW(opened.session.open("generated:sphere:50000"), Error);
  EXPECT_EQ(opened.session.pipeline(), before);
}

TEST_F(SessionTest, HostMemoryThatRunsOutIsAnErrorWithTheScenesName) {
  auto device = std::make_unique<SmallDevice>(open_device(Backend::cpu));
  SmallDevice& small = *device;
  Opened opened(std::move(device));
  opened.session.open(scene);
  const Picture before = opened.picture();
  small.run_out_of_host_memory();
  try {
    opened.session.open("generated:sphere:1100");
    FAIL() << "it was opened";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("generated:sphere:1100: "), 0U) << error.what();
  }
  EXPECT_EQ(opened.workspace.scene_spec, scene);
  EXPECT_EQ(opened.picture().rgba, before.rgba);
}

// A scene of one square with a texture of one colour, by its three bytes.
std::filesystem::path write_textured_scene(const std::string& name, const std::string& bgr) {
  const std::filesystem::path folder = test_folder();
  std::ofstream(folder / (name + ".tga"), std::ios::binary)
      << std::string("\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\x18\x20", 18) << bgr;
  std::ofstream(folder / (name + ".mtl")) << "newmtl m\nmap_Kd " << name << ".tga\n";
  std::ofstream(folder / (name + ".obj"))
      << "mtllib " << name << ".mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nusemtl m\nf 1 2 3 4\n";
  return folder / (name + ".obj");
}

TEST_F(SessionTest, TexturesComeBackWhenOpeningFails) {
  auto device = std::make_unique<SmallDevice>(open_device(Backend::cpu));
  SmallDevice& small = *device;
  Opened opened(std::move(device));
  opened.session.open(write_textured_scene("red", "\1\1\xff"));
  const Picture red = opened.picture();
  opened.session.open(write_textured_scene("green", "\1\xff\1"));
  const Picture green = opened.picture();
  EXPECT_GT(compare_images(red, green), 0.1);
  small.refuse_beyond(0);
  EXPECT_THROW(opened.session.open(write_textured_scene("red", "\1\1\xff")), Error);
  EXPECT_EQ(opened.picture().rgba, green.rgba);
}

// ---- Frames -------------------------------------------------------------------------------------

TEST_F(SessionTest, EveryPartOfThePictureShows) {
  for_each_backend([](std::unique_ptr<Device> device) {
    Opened opened(std::move(device));
    opened.session.open(scene);
    std::vector<Picture> pictures;
    const DrawOptions parts[] = {
        {.mesh = false},
        {.mesh = true},
        {.mesh = false, .wire = true},
        {.mesh = true, .boxes = true, .level = 3},
        {.mesh = true, .boxes = true, .level = 5},
        {.mesh = true, .curve = true},
        {.mesh = true, .points = true},
        {.mesh = true, .wire = true, .boxes = true, .curve = true, .points = true, .level = 2}};
    for (const DrawOptions& part : parts) {
      opened.workspace.show = part;
      const Picture picture = opened.picture();
      for (const Picture& other : pictures) EXPECT_NE(picture.rgba, other.rgba);
      pictures.push_back(picture);
    }
    // What was switched off and on again is drawn as before.
    opened.workspace.show = parts[3];
    expect_alike(opened.picture(), pictures[3]);
  });
}

TEST_F(SessionTest, EveryVariantGivesTheSamePicture) {
  for_each_backend([](std::unique_ptr<Device> device) {
    const DeviceInfo info = device->info();
    Opened opened(std::move(device));
    opened.workspace.show = {.mesh = true, .wire = true, .points = true};
    opened.session.open(scene);
    const Picture expected = opened.picture();
    for (int row = 0; row < static_cast<int>(variants().size()); ++row) {
      const Variant& variant = variants()[static_cast<std::size_t>(row)];
      if (!in_pipeline(variant.primitive) || !lab::why_not_in_pipeline(row, info).empty()) continue;
      SCOPED_TRACE(std::string(to_string(variant.primitive)) + "=" + variant.name);
      opened.workspace.choice = {};
      opened.workspace.choice[variant.primitive] = row;
      EXPECT_EQ(opened.picture().rgba, expected.rgba);
      EXPECT_EQ(opened.session.pipeline()->choice()[variant.primitive], row);
    }
    EXPECT_TRUE(opened.workspace.messages.empty());
  });
}

TEST_F(SessionTest, AVariantThatIsNotThereIsRefused) {
  auto device = std::make_unique<SmallDevice>(open_device(Backend::cpu));
  const int missing = find_variant(Primitive::sort, "count_scan_reorder");
  device->remove_variant(missing);
  Opened opened(std::move(device));
  opened.session.open(scene);
  opened.workspace.animation = Animation::refit;
  opened.picture();
  const VariantChoice before = opened.workspace.choice;
  opened.workspace.choice[Primitive::sort] = missing;
  opened.picture();
  EXPECT_TRUE(opened.has_message(Message::Kind::error));
  EXPECT_EQ(opened.workspace.choice, before);
  EXPECT_EQ(opened.session.pipeline()->choice(), before);
  EXPECT_EQ(opened.workspace.animation, Animation::refit);
  opened.workspace.messages.clear();
  opened.picture();
  EXPECT_TRUE(opened.workspace.messages.empty());
}

TEST_F(SessionTest, ARepeatedStageGetsOneMoreTime) {
  Opened opened(open_device(Backend::cpu));
  opened.session.open(scene);
  opened.picture();
  for (const Stage stage : all_stages) {
    const StageRow& row = opened.workspace.stages[static_cast<std::size_t>(stage)];
    const std::size_t before = row.milliseconds.size();
    opened.workspace.requests.repeat = stage;
    opened.picture();
    EXPECT_EQ(row.milliseconds.size(), before + 1) << to_string(stage);
  }
}

TEST_F(SessionTest, AnimationMovesThePictureAndTimesItsStages) {
  for_each_backend([](std::unique_ptr<Device> device) {
    Opened opened(std::move(device));
    opened.session.open(scene);
    const Picture still = opened.picture();
    for (const Animation animation : {Animation::refit, Animation::rebuild}) {
      SCOPED_TRACE(to_string(animation));
      opened.workspace.animation = animation;
      const Picture moved = opened.picture();
      EXPECT_NE(moved.rgba, still.rgba);
      EXPECT_NE(opened.picture().rgba, moved.rgba);
      EXPECT_TRUE(opened.session.wants_frames());
      for (const StageRow& row : opened.workspace.stages) {
        const bool expected = animation == Animation::rebuild ? row.stage >= Stage::bounds
                                                              : row.stage == Stage::refit;
        EXPECT_EQ(row.every_frame, expected) << to_string(row.stage);
      }
      // Paused, the picture stands still, and boxes can be switched on in it.
      opened.workspace.wave.running = false;
      const Picture paused = opened.picture();
      EXPECT_EQ(opened.picture().rgba, paused.rgba);
      EXPECT_FALSE(opened.session.wants_frames());
      opened.workspace.show.boxes = true;
      EXPECT_NE(opened.picture().rgba, paused.rgba);
      opened.workspace.show.boxes = false;
      EXPECT_EQ(opened.picture().rgba, paused.rgba);
      opened.workspace.wave.running = true;
    }
    opened.workspace.animation = Animation::once;
    EXPECT_EQ(opened.picture().rgba, still.rgba);
    EXPECT_TRUE(opened.workspace.messages.empty());
  });
}

TEST_F(SessionTest, DirectFramesReadBackOnlyResults) {
  for_each_backend([](std::unique_ptr<Device> device) {
    const Device& counted = *device;
    Opened opened(std::move(device));
    if (opened.workspace.interop.rfind("direct", 0) != 0) GTEST_SKIP() << opened.workspace.interop;
    opened.workspace.show = {.boxes = true, .curve = true, .level = 4};
    opened.workspace.animation = Animation::rebuild;
    opened.session.open(scene);
    opened.picture();
    constexpr int frames = 5;
    const std::uint64_t up = counted.transfers.to_device;
    const std::uint64_t down = counted.transfers.to_host;
    for (int frame = 0; frame < frames; ++frame) opened.picture();
    EXPECT_LE(counted.transfers.to_device - up, 256U * frames);
    EXPECT_LE(counted.transfers.to_host - down, 256U * frames);
  });
}

TEST_F(SessionTest, CopiedFramesLookLikeDirectOnes) {
  for_each_backend([](std::unique_ptr<Device> device) {
    const Backend backend = device->info().backend;
    const auto run = [](std::unique_ptr<Device> on, InteropRequest interop) {
      Options options;
      options.interop = interop;
      options.animation = Animation::refit;
      options.show = {.boxes = true, .curve = true, .level = 4};
      const Device& counted = *on;
      Opened opened(std::move(on), options);
      opened.session.open(scene);
      opened.picture();
      const std::uint64_t down = counted.transfers.to_host;
      const Picture picture = opened.picture();
      return std::tuple(picture, opened.workspace.interop, counted.transfers.to_host - down);
    };
    const auto [copied, how, moved] = run(std::move(device), InteropRequest::copy);
    EXPECT_EQ(how.rfind("copied", 0), 0U) << how;
    // Kernels of the cpu device write host memory: there the copy is OpenGL's alone.
    if (backend != Backend::cpu) {
      EXPECT_GT(moved, 1000 * sizeof(Vertex));
    }
    const auto other = run(open_device(backend), InteropRequest::automatic);
    expect_alike(copied, std::get<0>(other));
  });
}

TEST_F(SessionTest, FitsTheCameraAndWritesScreenshotsOnRequest) {
  const std::string file = test_folder() / "screenshot.png";
  Opened opened(open_device(Backend::cpu));
  opened.session.open(scene);
  const Picture fitted = opened.picture();
  opened.workspace.camera.zoom(3.0F);
  EXPECT_NE(opened.picture().rgba, fitted.rgba);
  opened.workspace.requests.fit_camera = true;
  opened.workspace.requests.screenshot = file;
  EXPECT_EQ(opened.picture().rgba, fitted.rgba);
  EXPECT_EQ(read_png(file).rgba, fitted.rgba);
  EXPECT_FALSE(opened.workspace.requests.screenshot);

  for (const std::string& nowhere :
       {(test_folder() / "no/such/folder/a.png").string(), std::string("/dev/full")}) {
    opened.workspace.messages.clear();
    opened.workspace.requests.screenshot = nowhere;
    opened.picture();
    EXPECT_TRUE(opened.has_message(Message::Kind::error)) << nowhere;
    EXPECT_FALSE(opened.has_message(Message::Kind::info)) << nowhere;
  }
}

TEST_F(SessionTest, MeasuresCopiesAndTriesOtherBackendsWhenIdle) {
  Opened opened(open_device(Backend::cpu));
  opened.session.open(scene);
  opened.picture();
  while (opened.session.idle()) {
  }
  opened.session.settle();
  EXPECT_GT(opened.workspace.copy_gb_per_s, 0.0);
  for (const StageRow& row : opened.workspace.stages) EXPECT_GT(row.copy_share, 0.0);
  EXPECT_EQ(opened.workspace.absent[static_cast<std::size_t>(Backend::cpu)], "");
}

// ---- The laboratory -----------------------------------------------------------------------------

constexpr std::uint32_t few_items = 1U << 10U;

// Updates until the laboratory is done. Returns how often.
int finish_lab(Opened& opened) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  int updates = 0;
  do {
    opened.session.update(time_step);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++updates;
  } while (opened.workspace.lab.busy() && std::chrono::steady_clock::now() < deadline);
  EXPECT_FALSE(opened.workspace.lab.busy());
  return updates;
}

TEST_F(SessionTest, TheLaboratoryAnswersForEveryVariant) {
  for_each_backend([](std::unique_ptr<Device> device) {
    const DeviceInfo info = device->info();
    Opened opened(std::move(device));
    LabModel& lab = opened.workspace.lab;
    opened.session.open(scene);
    const Picture before = opened.picture();
    EXPECT_GT(lab.most_items, few_items);
    EXPECT_LE(lab.question.n, lab.most_items);
    for (const Primitive primitive : {Primitive::scan, Primitive::sort}) {
      lab.question = {.primitive = primitive, .n = few_items};
      opened.workspace.requests.run_lab = true;
      EXPECT_TRUE(opened.session.wants_frames());
      EXPECT_GT(finish_lab(opened), 1);
      EXPECT_EQ(lab.times.asked, lab.question);
      EXPECT_EQ(lab.times.error, "");
      ASSERT_EQ(lab.times.answers.size(), lab.times.rows.size());
      for (const lab::Answer& answer : lab.times.answers) {
        SCOPED_TRACE(variants()[static_cast<std::size_t>(answer.row)].name);
        EXPECT_EQ(answer.why_not, lab::why_not(answer.row, 0, info));
        if (!answer.why_not.empty()) continue;
        EXPECT_EQ(answer.difference, "");
        EXPECT_TRUE(answer.verified);
        EXPECT_GT(answer.ms, 0.0);
        EXPECT_GT(answer.copy_gb_per_s, 0.0);
        EXPECT_TRUE(is_library(answer.row) || !answer.launches.empty());
      }
    }
    EXPECT_EQ(opened.picture().rgba, before.rgba);
    EXPECT_FALSE(opened.session.wants_frames());
    EXPECT_TRUE(opened.workspace.messages.empty());
  });
}

TEST_F(SessionTest, TheLaboratoryCounts) {
  Opened opened(open_device(Backend::cpu));
  LabModel& lab = opened.workspace.lab;
  lab.question = {.primitive = Primitive::scan, .n = 1U << 20U};
  lab.banks = 16;
  opened.workspace.requests.count_lab = true;
  finish_lab(opened);
  EXPECT_TRUE(lab.times.answers.empty());
  if (!lab.counters.error.empty()) {
    EXPECT_TRUE(opened.has_message(Message::Kind::error));
    GTEST_SKIP() << lab.counters.error;
  }
  EXPECT_EQ(lab.counted_banks, 16U);
  EXPECT_LE(lab.counters.asked.n, 1U << 12U);
  EXPECT_EQ(lab.question.n, 1U << 20U);
  ASSERT_EQ(lab.counters.answers.size(), lab.counters.rows.size());
  for (const lab::Answer& answer : lab.counters.answers) {
    if (!answer.why_not.empty() || is_library(answer.row)) continue;
    ASSERT_FALSE(answer.counters.empty());
    EXPECT_GT(answer.counters[0].global_sectors, 0U);
  }
}

// What the user asks of the scene meanwhile is done afterwards.
TEST_F(SessionTest, TheSceneWaitsForTheLaboratory) {
  Opened opened(open_device(Backend::cpu));
  opened.session.open(scene);
  const Picture before = opened.picture();
  const StageRow& sort = opened.workspace.stages[static_cast<std::size_t>(Stage::sort)];
  const std::size_t runs = sort.milliseconds.size();
  opened.workspace.lab.question = {.primitive = Primitive::scan, .n = few_items};
  opened.workspace.requests.run_lab = true;
  opened.session.update(time_step);
  ASSERT_TRUE(opened.workspace.lab.busy());
  opened.workspace.requests.repeat = Stage::sort;
  opened.workspace.show.boxes = true;
  opened.session.update(time_step);
  if (opened.workspace.lab.busy()) {
    EXPECT_EQ(sort.milliseconds.size(), runs);
    opened.session.draw(opened.framebuffer);  // what there is
    EXPECT_TRUE(opened.session.idle());
  }
  finish_lab(opened);
  EXPECT_NE(opened.picture().rgba, before.rgba);
  EXPECT_EQ(sort.milliseconds.size(), runs + 1);
}

TEST_F(SessionTest, ACancelledLaboratoryKeepsWhatItHas) {
  Opened opened(open_device(Backend::cpu));
  LabModel& lab = opened.workspace.lab;
  lab.question = {.primitive = Primitive::sort, .n = 1U << 14U};
  opened.workspace.requests.run_lab = true;
  opened.session.update(time_step);
  opened.workspace.requests.cancel_lab = true;
  finish_lab(opened);
  EXPECT_LT(lab.times.answers.size(), lab.times.rows.size());
  EXPECT_EQ(lab.times.error, "");
  EXPECT_TRUE(opened.workspace.messages.empty());
  // And it can be asked again, by the way twice.
  lab.question.n = few_items;
  opened.workspace.requests.run_lab = true;
  opened.session.update(time_step);
  opened.workspace.requests.run_lab = true;
  finish_lab(opened);
  EXPECT_EQ(lab.times.answers.size(), lab.times.rows.size());
}

TEST_F(SessionTest, WhatTheLaboratoryCannotDoIsAMessage) {
  auto device = std::make_unique<SmallDevice>(open_device(Backend::cpu));
  SmallDevice& small = *device;
  Opened opened(std::move(device));
  opened.session.open(scene);
  const Picture before = opened.picture();
  small.refuse_beyond(100);
  opened.workspace.lab.question = {.primitive = Primitive::scan, .n = few_items};
  opened.workspace.requests.run_lab = true;
  finish_lab(opened);
  EXPECT_NE(opened.workspace.lab.times.error, "");
  EXPECT_TRUE(opened.workspace.lab.times.answers.empty());
  EXPECT_TRUE(opened.has_message(Message::Kind::error));
  EXPECT_EQ(opened.picture().rgba, before.rgba);
  EXPECT_EQ(opened.workspace.scene_spec, scene);
}

TEST_F(SessionTest, ALaboratoryAtWorkEndsWithItsSession) {
  Opened opened(open_device(Backend::cpu));
  opened.workspace.lab.question = {.primitive = Primitive::sort, .n = few_items};
  opened.workspace.requests.run_lab = true;
  opened.session.update(time_step);
}

TEST_F(SessionTest, ForcingDirectInteropIsRefusedWhereItIsImpossible) {
  // A device that says that it shares no OpenGL context.
  class Elsewhere final : public Device {
   public:
    explicit Elsewhere(std::unique_ptr<Device> behind) : behind_(std::move(behind)) {}
    const DeviceInfo& info() const override { return behind_->info(); }
    std::uint64_t memory_available() const override { return behind_->memory_available(); }
    void* allocate(std::size_t bytes) override { return behind_->allocate(bytes); }
    void release(void* memory) noexcept override { behind_->release(memory); }
    void* allocate_pinned(std::size_t bytes) override { return behind_->allocate_pinned(bytes); }
    void release_pinned(void* memory) noexcept override { behind_->release_pinned(memory); }
    std::unique_ptr<Stream> create_stream() override { return behind_->create_stream(); }
    std::unique_ptr<Event> create_event() override { return behind_->create_event(); }
    bool events_in_graphs() const override { return behind_->events_in_graphs(); }
    bool shares_gl_context(std::string& why) const override {
      why = "OpenGL runs elsewhere";
      return false;
    }
    std::unique_ptr<GlRegistration> register_gl_buffer(unsigned) override { return nullptr; }
    const BackendTable& table() const override { return behind_->table(); }

   private:
    std::unique_ptr<Device> behind_;
  };
  Options options;
  options.interop = InteropRequest::direct;
  EXPECT_THROW(Opened(std::make_unique<Elsewhere>(open_device(Backend::cpu)), options),
               UnavailableError);
  Opened copied(std::make_unique<Elsewhere>(open_device(Backend::cpu)));
  EXPECT_NE(copied.workspace.interop.find("OpenGL runs elsewhere"), std::string::npos);
}

}  // namespace
}  // namespace warpview
