// From one backend to another while the program runs, on devices that say that they are others.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/app/breaking_device.h"
#include "tests/app/session_test.h"

namespace warpview::test {
namespace {

// "cuda", which is the CPU device.
std::unique_ptr<SmallDevice> pretended_gpu() {
  auto device = std::make_unique<SmallDevice>(open_device(Backend::cpu));
  device->pretend_to_be(Backend::cuda);
  return device;
}

// A window's session on a pretended GPU.
struct Switching : SessionInWindow {
  using SessionInWindow::SessionInWindow;

  void switch_to(Backend backend) {
    model.requests.add(request::SwitchBackend{backend});
    session.update();
    until([this] { return !model.switching_to && !model.requests.find<request::SwitchBackend>(); });
    const std::uint64_t scene = model.results->scene;
    until([&] { return model.results->scene == scene && model.results->frames > 0; });
  }
  Backend backend() const { return model.device.backend; }
};

class BackendSwitchTest : public SessionTest {};

TEST_F(BackendSwitchTest, KeepsWhatTheUserHasSet) {
  Switching window(pretended_gpu());
  window.open(describe(sphere_of_2000));
  EXPECT_EQ(window.backend(), Backend::cuda);
  set(window.model, "animation=refit");
  set(window.model, "amplitude=0.25");
  show(window.model, {"wire", "boxes"});
  choose(window.model, "sort", "library");
  choose(window.model, "scan", "chained");
  window.model.camera.look_from(Side::top);
  const Camera camera = window.model.camera;
  window.until([&] {
    return stage(window.model, "scan").result->variant == stage(window.model, "scan").variant;
  });

  window.switch_to(Backend::cpu);
  Model& model = window.model;
  EXPECT_EQ(window.backend(), Backend::cpu);
  EXPECT_EQ(window.session.device().info().backend, Backend::cpu);
  EXPECT_EQ(model.scene_spec, sphere_of_2000);
  EXPECT_EQ(model.controls["shape"], 1.0);
  EXPECT_EQ(model.controls["amplitude"], 0.25);
  EXPECT_FALSE(model.output("mesh")->shown);
  EXPECT_TRUE(model.output("boxes")->shown);
  EXPECT_STREQ((*stage(model, "sort").variant)->name, "library");
  EXPECT_STREQ((*stage(model, "scan").variant)->name, "chained");
  EXPECT_TRUE(model.camera == camera);
  EXPECT_TRUE(model.absent[static_cast<std::size_t>(Backend::cpu)].empty());
  EXPECT_FALSE(has_message(model, Message::Kind::error));
  // It runs there.
  window.until([&, frames = model.results->frames] { return model.results->frames > frames + 3; });
}

// The defaults are those of the device; what the user chose, or the command line, is neither's.
TEST_F(BackendSwitchTest, WhatNobodyChoseIsTheDefaultThere) {
  const VariantId on_gpus = default_variant(Primitive::build, Backend::cuda);
  const VariantId on_cpu = default_variant(Primitive::build, Backend::cpu);
  ASSERT_NE(on_gpus, on_cpu);
  Switching window(pretended_gpu());
  SceneDescription asked = describe(sphere_of_2000);
  asked.variants.add("sort=onesweep");
  window.open(asked);
  EXPECT_EQ(stage(window.model, "build").variant, on_gpus);
  window.switch_to(Backend::cpu);
  EXPECT_EQ(stage(window.model, "build").variant, on_cpu);
  EXPECT_STREQ((*stage(window.model, "sort").variant)->name, "onesweep");
  // It was so from the first: nothing has run with another one.
  set(window.model, "animation=rebuild");
  window.until([&] { return stage(window.model, "build").result->variant == on_cpu; });
  EXPECT_FALSE(stage(window.model, "build").before);
  EXPECT_FALSE(stage(window.model, "sort").before);
}

// And back again: of what the other device has.
TEST_F(BackendSwitchTest, AVariantThatIsNotThereIsTheDefaultOne) {
  Switching window(open_device(Backend::cpu), [](Backend) -> std::unique_ptr<Device> {
    auto device = pretended_gpu();
    device->remove_variant(find_variant(Primitive::scan, "chained"));
    return device;
  });
  window.open(describe(sphere_of_2000));
  choose(window.model, "scan", "chained");
  choose(window.model, "sort", "library");
  window.until([&] {
    return stage(window.model, "sort").result->variant == stage(window.model, "sort").variant;
  });
  window.switch_to(Backend::cuda);
  EXPECT_EQ(window.backend(), Backend::cuda);
  EXPECT_EQ(stage(window.model, "scan").variant, default_variant(Primitive::scan, Backend::cuda));
  EXPECT_STREQ((*stage(window.model, "sort").variant)->name, "library");
  // Nor does it keep other scenes from being opened.
  window.model.requests.add(request::Open{describe("generated:sphere:100")});
  window.until([&] { return window.model.scene_spec == "generated:sphere:100"; });
  EXPECT_FALSE(has_message(window.model, Message::Kind::error));
}

TEST_F(BackendSwitchTest, ABackendThatIsNotThereChangesNothing) {
  Switching window(open_device(Backend::cpu), [](Backend) -> std::unique_ptr<Device> {
    throw UnavailableError("backend hip", "there is none", "");
  });
  window.open(describe(sphere_of_2000, {"animation=refit"}));
  window.model.requests.add(request::SwitchBackend{Backend::hip});
  window.until([&] { return has_message(window.model, Message::Kind::error); });
  EXPECT_EQ(window.backend(), Backend::cpu);
  EXPECT_FALSE(window.model.switching_to);
  window.until([&, frames = window.model.results->frames] {
    return window.model.results->frames > frames + 3;
  });
}

// What does not fit there stays where it is.
TEST_F(BackendSwitchTest, ASceneThatFailsThereStaysWhereItIs) {
  Switching window(open_device(Backend::cpu), [](Backend) -> std::unique_ptr<Device> {
    auto device = std::make_unique<SmallDevice>(open_device(Backend::cpu), 100'000);
    device->pretend_to_be(Backend::cuda);
    return device;
  });
  window.open(describe(sphere_of_2000, {"animation=refit"}));
  window.model.requests.add(request::SwitchBackend{Backend::cuda});
  window.until([&] { return has_message(window.model, Message::Kind::error); });
  window.until([&] { return !window.model.switching_to; });
  EXPECT_EQ(window.backend(), Backend::cpu);
  window.until([&, frames = window.model.results->frames] {
    return window.model.results->frames > frames + 3;
  });
  // Others open.
  window.model.requests.add(request::Open{describe("generated:sphere:100")});
  window.until([&] { return window.model.scene_spec == "generated:sphere:100"; });
}

// At each point of the way: buffers are of the one device or of the other.
TEST_F(BackendSwitchTest, TheWindowMayBeClosedMeanwhile) {
  const auto close_when = [](const std::function<bool(const Switching&)>& reached) {
    Switching window(pretended_gpu());
    window.open(describe("generated:sphere:100", {"animation=refit"}));
    window.model.requests.add(request::SwitchBackend{Backend::cpu});
    window.until([&] { return reached(window); });
  };
  close_when([](const Switching& window) { return window.model.switching_to.has_value(); });
  close_when([](const Switching& window) { return window.model.loading; });
  close_when([](const Switching& window) { return window.backend() == Backend::cpu; });
  close_when([frames = std::uint64_t{0}](const Switching& window) mutable {
    return window.backend() == Backend::cpu && window.frames() > 0 && ++frames > 1;
  });
}

// Whatever the new device refuses, be it that the renderer works for it already: what was open
// goes on, or is made again.
TEST_F(BackendSwitchTest, WhatWasOpenGoesOnWhereverTheSwitchFails) {
  const auto try_each = [](const std::function<void(SmallDevice&, std::uint64_t)>& refuse) {
    std::uint64_t fit = 0;
    for (bool failed = true; failed; ++fit) {
      SCOPED_TRACE(fit);
      Switching window(open_device(Backend::cpu), [&](Backend) {
        auto device = pretended_gpu();
        refuse(*device, fit);
        return device;
      });
      window.open(describe("generated:sphere:100", {"animation=refit"}));
      window.model.requests.add(request::SwitchBackend{Backend::cuda});
      window.session.update();
      window.until([&] {
        return !window.model.switching_to &&
               !window.model.requests.find<request::SwitchBackend>() && !window.model.loading;
      });
      failed = window.backend() == Backend::cpu;
      if (!failed) break;
      ASSERT_TRUE(has_message(window.model, Message::Kind::error));
      ASSERT_EQ(window.model.scene_spec, "generated:sphere:100");
      window.until([&, frames = window.frames(), scene = window.model.results->scene] {
        return window.model.results->scene != scene || window.frames() > frames + 2;
      });
      ASSERT_FALSE(window.model.results->failed);
    }
    EXPECT_GT(fit, 2U);
  };
  try_each([](SmallDevice& device, std::uint64_t fit) { device.refuse_after(fit); });
  try_each([](SmallDevice& device, std::uint64_t fit) { device.refuse_queues_after(fit); });
}

// What was being opened is opened first.
TEST_F(BackendSwitchTest, AnotherSceneMayBeLoadingMeanwhile) {
  Switching window(pretended_gpu());
  window.open(describe("generated:sphere:100"));
  window.model.requests.add(request::Open{describe(sphere_of_2000)});
  window.model.requests.add(request::SwitchBackend{Backend::cpu});
  window.until([&] { return window.backend() == Backend::cpu; });
  EXPECT_EQ(window.model.scene_spec, sphere_of_2000);
  window.until([&] { return window.model.results->frames > 0; });
  EXPECT_FALSE(has_message(window.model, Message::Kind::error));
}

TEST_F(BackendSwitchTest, AnEmptyWindowSwitchesToo) {
  Switching window(pretended_gpu());
  window.model.requests.add(request::SwitchBackend{Backend::cpu});
  window.until([&] { return window.backend() == Backend::cpu; });
  window.open(describe(sphere_of_2000));
  EXPECT_FALSE(has_message(window.model, Message::Kind::error));
}

// An error that stays with its device: it is told, the last picture stays, and the CPU goes on.
TEST_F(BackendSwitchTest, AfterADeviceIsLostTheCpuGoesOn) {
  auto device = pretended_gpu();
  SmallDevice& lost = *device;
  Switching window(std::move(device));
  window.open(describe(sphere_of_2000, {"animation=rebuild"}));
  window.until([&] { return window.has_picture; });
  lost.refuse_after(0);
  show(window.model, {"mesh", "boxes"});  // which takes memory in the middle of a frame
  window.until([&] { return window.model.results->failed; });
  window.until([&] { return has_message(window.model, Message::Kind::error); });
  EXPECT_TRUE(window.session.picture() != nullptr);
  EXPECT_EQ(window.model.scene_spec, sphere_of_2000);

  window.switch_to(Backend::cpu);
  EXPECT_EQ(window.backend(), Backend::cpu);
  EXPECT_FALSE(window.model.results->failed);
  EXPECT_EQ(window.model.controls["tree"], 1.0);
  EXPECT_TRUE(window.model.output("boxes")->shown);
  window.until([&, frames = window.model.results->frames] {
    return window.model.results->frames > frames + 3;
  });
}

// A window whose GPU breaks, in one way or the other, in the middle of a frame.
class BreakingGpuTest : public BackendSwitchTest {
 protected:
  enum class In { launch, end };

  // `direct`: kernels write the buffers that OpenGL draws.
  void open_and_break(In where, bool direct) {
    window_.emplace(std::make_unique<BreakingDevice>(open_device(Backend::cpu), breakage_, direct));
    ASSERT_EQ(model().interop.starts_with("direct"), direct) << model().interop;
    window_->open(describe(sphere_of_2000, {"animation=rebuild"}));
    window_->until([this] { return window_->has_picture && model().results->frames > 2; });
    ASSERT_TRUE(errors().empty());
    if (where == In::launch) {
      // No frame is under way that might capture its launches, too.
      model().playing = false;
      window_->session.update();  // which sends that wish
      window_->until([this] { return !window_->session.busy(); });
      breakage_->fails_in = static_cast<int>(Primitive::sort);
      show(model(), {"mesh", "boxes"});  // another frame, whose launches are captured
    } else {
      breakage_->next_end_fails = true;
    }
    window_->until([this] { return model().results->failed && !errors().empty(); });
  }
  void for_each_way(const std::function<void()>& test) {
    for (const In where : {In::launch, In::end}) {
      for (const bool direct : {false, true}) {
        SCOPED_TRACE(std::string(where == In::launch ? "in a launch" : "at the end") +
                     (direct ? ", direct" : ", copied"));
        breakage_ = std::make_shared<Breakage>();
        open_and_break(where, direct);
        test();
        window_.reset();
        EXPECT_EQ(breakage_->alive, 0);
      }
    }
  }

  Model& model() { return window_->model; }
  std::vector<std::string> errors() {
    std::vector<std::string> texts;
    for (const Message& message : model().messages)
      if (message.kind == Message::Kind::error) texts.push_back(message.text);
    return texts;
  }
  std::string all_errors() {
    std::string all;
    for (const std::string& error : errors()) all += error + '\n';
    return all;
  }
  // The next error is of what is asked for now, and says that the device is lost.
  void expect_refused(const std::function<void()>& ask) {
    const std::size_t before = errors().size();
    ask();
    window_->until([&] { return errors().size() > before && !model().loading; });
    EXPECT_NE(errors().back().find(Breakage::ever_after), std::string::npos) << errors().back();
    EXPECT_TRUE(model().results->failed);
  }

  std::shared_ptr<Breakage> breakage_;
  std::optional<Switching> window_;
};

// The first error is the one that is told, with the kernel where that is known.
TEST_F(BreakingGpuTest, SaysWhatFailed) {
  breakage_ = std::make_shared<Breakage>();
  open_and_break(In::launch, false);
  const std::string sort = std::string("sort by ") + (*stage(model(), "sort").variant)->name;
  EXPECT_EQ(errors(), std::vector{sort + ": " + Breakage::in_the_launch});
  breakage_ = std::make_shared<Breakage>();
  open_and_break(In::end, false);
  EXPECT_EQ(errors(),
            std::vector{std::string("the end of what was queued: ") + Breakage::at_the_end});
}

// Without a switch: the last picture stays, whatever is asked gets its answer, and nothing is tried
// again unasked.
TEST_F(BreakingGpuTest, TheWindowLives) {
  for_each_way([this] {
    EXPECT_NE(window_->session.picture(), nullptr);
    EXPECT_TRUE(model().can_switch_to(Backend::cpu));
    for (int n = 0; n < 3; ++n)
      expect_refused(
          [this] { model().requests.add(request::Pick{model().camera.ray(0.5F, 0.5F, 1.0F)}); });
    EXPECT_EQ(errors().size(), 4U) << all_errors();
    // Buffers that the failed frame was to write are asked for again.
    expect_refused([this] { show(model(), {"mesh", "wire"}); });
    expect_refused([this] { show(model(), {"mesh"}); });
    expect_refused(
        [this] { model().requests.add(request::Open{describe("generated:sphere:100")}); });
    EXPECT_EQ(errors().size(), 7U) << all_errors();
    EXPECT_EQ(model().scene_spec, sphere_of_2000);
    EXPECT_NE(window_->session.picture(), nullptr);
  });
}

TEST_F(BreakingGpuTest, TheCpuGoesOnWithWhatWasOpen) {
  for_each_way([this] {
    show(model(), {"mesh", "boxes"});
    window_->switch_to(Backend::cpu);
    EXPECT_EQ(window_->backend(), Backend::cpu);
    EXPECT_FALSE(model().results->failed);
    EXPECT_EQ(model().scene_spec, sphere_of_2000);
    EXPECT_EQ(model().controls["tree"], 1.0);
    EXPECT_TRUE(model().output("boxes")->shown);
    const std::size_t told = errors().size();
    model().playing = true;
    window_->until([&, frames = window_->frames()] { return window_->frames() > frames + 3; });
    EXPECT_EQ(errors().size(), told);
  });
}

}  // namespace
}  // namespace warpview::test
