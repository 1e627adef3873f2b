// Frames are planned: a graph is replayed for an equal plan, and for no other one.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "scenes/parts/drawn.h"
#include "scenes/planned.h"
#include "tests/scenes/scene_test.h"
#include "tests/support/host_device.h"

namespace warpview::test {
namespace {

struct BytePlan {
  std::uint8_t byte = 0;
  std::uint32_t runs = 1;
  bool is_second = false;  // the half of the memory that is filled

  bool operator==(const BytePlan&) const = default;
};

constexpr std::array byte_controls = {
    Control{.name = "byte", .title = "Byte", .tooltip = "", .most = 255}};

constexpr std::size_t half_bytes = 4;

// Fills one half of its memory, and draws it as lines.
class ByteScene final : public Planned<BytePlan> {
 public:
  static std::uint64_t memory(const Mesh& /*mesh*/, const Controls& /*controls*/) { return 0; }

  ByteScene(const SceneRequest& request, const SceneKind& kind)
      : Planned(request, kind), memory_(timeline().device(), 2 * half_bytes) {
    fill_ = add_stage({.name = "fill", .title = "Fill"},
                      [this](const StageRun& run, const BytePlan& plan) {
                        if (run.measuring()) return;
                        numbers.push_back(run.number());
                        if (in_stage) in_stage(*this);
                        std::byte* const to = memory_.data() + (plan.is_second ? half_bytes : 0);
                        run.stream().fill(to, plan.byte, half_bytes);
                      });
    add_output({.kind = OutputKind::lines, .name = "bytes", .title = "Bytes"},
               {.streams = {{"bytes", 1, 2 * half_bytes}},
                .write =
                    [this](const StageRun& run, const warpview::Targets& to) {
                      ++writes;
                      run.stream().copy(to.stream(), memory_.data(), memory_.bytes(),
                                        Copy::device_to_device);
                    },
                .work = [](const warpview::Targets&) { return StageWork{}; },
                .check = [](DrawnCheck&, const WrittenAt&) {},
                .is_due = [this] { return is_due; }});
    reserve();
    timeline().stream().fill(memory_.data(), 0, memory_.bytes());
  }

  void load(LoadControl& /*control*/) override {}
  BytePlan plan_frame(const Frame& /*frame*/) override { return next; }
  void queue_stages(const BytePlan& plan) override {
    for (std::uint32_t i = 0; i < plan.runs; ++i) timeline().run(fill_);
    write();
  }
  void has_queued(const Frame& /*frame*/) override { ++frames; }
  std::optional<std::size_t> lit() const override { return is_lit; }
  Aabb bounds() const override { return Aabb::empty(); }
  std::vector<Fact> facts() const override { return {}; }

  void replace_plan() { set_plan({}); }
  const BytePlan& planned() const { return plan(); }

  BytePlan next{};
  bool is_due = true;
  std::optional<std::size_t> is_lit;
  std::function<void(ByteScene&)> in_stage;
  std::vector<std::uint32_t> numbers;  // of runs that were queued
  int writes = 0;                      // that were queued
  int frames = 0;

 private:
  Buffer<std::byte> memory_;
  StageId fill_{};
};

class PlannedFrames : public testing::Test {
 protected:
  PlannedFrames() {
    static const SceneKind kind = scene_kind<ByteScene>({.name = "bytes",
                                                         .title = "Bytes",
                                                         .usage = "",
                                                         .summary = "",
                                                         .controls = byte_controls,
                                                         .size_control = nullptr,
                                                         .own_mesh = ""});
    scene_ = make_scene(kind, device_, Mesh{}, Controls(kind.controls));
    targets_.emplace(scene());
  }
  ByteScene& scene() { return static_cast<ByteScene&>(*scene_); }
  const Targets& targets() const { return *targets_; }
  // Is the frame captured? Else it is replayed.
  bool captures(const Frame& frame) {
    const std::uint64_t before = scene().timeline().captures();
    scene().queue(frame);
    scene().collect();
    EXPECT_TRUE(scene().timeline().replays());
    return scene().timeline().captures() > before;
  }
  bool captures() { return captures(targets().all()); }
  std::vector<std::uint8_t> bytes() const { return targets().read<std::uint8_t>(0); }

 private:
  HostDevice device_;
  std::unique_ptr<Scene> scene_;
  std::optional<Targets> targets_;
};

TEST_F(PlannedFrames, AreReplayedForAnEqualPlanOnly) {
  using Bytes = std::vector<std::uint8_t>;
  EXPECT_TRUE(captures());
  EXPECT_FALSE(captures());
  EXPECT_EQ(bytes(), (Bytes{0, 0, 0, 0, 0, 0, 0, 0}));
  scene().next.byte = 7;
  EXPECT_TRUE(captures());
  EXPECT_EQ(bytes(), (Bytes{7, 7, 7, 7, 0, 0, 0, 0}));
  scene().next.is_second = true;
  EXPECT_TRUE(captures());
  EXPECT_EQ(bytes(), (Bytes{7, 7, 7, 7, 7, 7, 7, 7}));
  scene().next.runs = 3;
  EXPECT_TRUE(captures());
  EXPECT_EQ(scene().timeline().stage_results().front().runs, 3);
  scene().next = {};
  EXPECT_FALSE(captures()) << "it is the first plan again";
  EXPECT_EQ(bytes(), (Bytes{0, 0, 0, 0, 7, 7, 7, 7}));
  EXPECT_EQ(scene().frames, 6) << "replays count as frames";
}

TEST_F(PlannedFrames, DependOnWhereTheyAreWritten) {
  EXPECT_TRUE(captures());
  const Targets elsewhere(scene());
  EXPECT_TRUE(captures(elsewhere.all()));
  EXPECT_TRUE(captures(targets().none()));
  Frame without_commands = targets().all();
  without_commands.commands = nullptr;
  EXPECT_TRUE(captures(without_commands));
  scene().is_lit = 0;
  EXPECT_TRUE(captures());
  scene().is_lit = 1;
  EXPECT_TRUE(captures());
  scene().is_lit.reset();
  EXPECT_FALSE(captures());
}

TEST_F(PlannedFrames, RunWritersThatAreDue) {
  scene().is_due = false;
  EXPECT_TRUE(captures());
  EXPECT_EQ(scene().writes, 0);
  scene().is_due = true;
  EXPECT_TRUE(captures());
  EXPECT_EQ(scene().writes, 1);
  EXPECT_TRUE(captures(targets().none()));
  EXPECT_EQ(scene().writes, 1) << "nothing is wanted";
}

TEST_F(PlannedFrames, CannotReadControlsWhileStagesAreQueued) {
  scene().in_stage = [](ByteScene& of) { of.controls(); };
  EXPECT_THROW(captures(), std::logic_error);
  EXPECT_NO_THROW(scene().controls());
  EXPECT_NO_THROW(scene().repeat(StageId{})) << "no frame is queued";
  scene().in_stage = nullptr;
  EXPECT_TRUE(captures());
}

TEST_F(PlannedFrames, KeepTheirPlanWhileStagesAreQueued) {
  scene().next.byte = 5;
  EXPECT_TRUE(captures());
  scene().next.byte = 9;
  scene().in_stage = [](ByteScene& of) { of.replace_plan(); };
  EXPECT_THROW(captures(), std::logic_error);
  EXPECT_EQ(scene().planned().byte, 5) << "a frame that cannot be queued leaves the plan before it";
  scene().in_stage = nullptr;
  scene().replace_plan();
  EXPECT_EQ(scene().planned(), BytePlan{});
}

TEST_F(PlannedFrames, NumberTheRunsOfAStage) {
  scene().next.runs = 3;
  EXPECT_TRUE(captures());
  scene().repeat(StageId{});
  scene().next.runs = 2;
  Frame untimed = targets().all();
  untimed.timing = Timing::whole;
  EXPECT_TRUE(captures(untimed));
  EXPECT_EQ(scene().numbers, (std::vector<std::uint32_t>{0, 1, 2, 0, 0, 1}));
}

}  // namespace
}  // namespace warpview::test
