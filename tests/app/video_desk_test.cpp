// Videos that the window records.
#include "app/video_desk.h"

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "app/video/turntable.h"
#include "tests/app/session_test.h"

namespace warpview::test {
namespace {

namespace fs = std::filesystem;

class RecordedVideo : public SessionTest {
 protected:
  static VideoPlan plan_for(const fs::path& folder) {
    return {.file = (folder / "frame-%02d.png").string(),
            .seconds = 1.0,
            .rate = 8.0,
            .width = 64,
            .height = 64};
  }
  // Its first frame is written, and more come.
  static void begin(SessionInWindow& window, const VideoPlan& plan) {
    window.open(describe(sphere_of_2000));
    window.model.requests.add(request::RecordVideo{plan});
    window.until([&] { return window.model.video.done > 0; });
  }
  static void finish(SessionInWindow& window) {
    window.session.update();
    window.until([&] { return !window.model.video.records(); });
  }
  static std::vector<Picture> frames_of(const VideoPlan& plan) {
    std::vector<Picture> frames;
    for (std::uint64_t i = 0; fs::exists(frame_file(plan.file, i)); ++i)
      frames.push_back(read_png(frame_file(plan.file, i)));
    return frames;
  }
};

TEST_F(RecordedVideo, OfATurntableEndsBesideItsBeginning) {
  const VideoPlan plan = [] {
    VideoPlan each = plan_for(test_folder() / "new");
    each.turntable = true;
    return each;
  }();
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe("generated:knot"));
  const Camera camera = window.model.camera;
  window.model.requests.add(request::RecordVideo{plan});
  finish(window);
  EXPECT_TRUE(has_message(window.model, Message::Kind::info));
  EXPECT_EQ(window.model.camera, camera) << "the window's own camera stays";
  const std::vector<Picture> frames = frames_of(plan);
  ASSERT_EQ(frames.size(), 8U);
  for (const Picture& frame : frames) EXPECT_EQ(frame.width, 64);
  EXPECT_GT(compare_images(frames[7], frames[0]), 0.0) << "the last is not the first again";
  // Each is what is seen from there.
  Opened without(open_device(Backend::cpu));
  without.session.set_view(64, 64);
  without.open("generated:knot");
  without.session.fit_all_around();
  const Camera first = without.model.camera;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    without.model.camera = turned(first, i, frames.size());
    without.session.advance(0.0);
    without.session.draw();
    EXPECT_EQ(compare_images(without.session.read_back(), frames[i], 0), 0.0) << i;
  }
}

// As without a window: by the frames' time, whatever the clock says.
TEST_F(RecordedVideo, OfAStretchOfTimeHasEachFrameAtItsTime) {
  const VideoPlan plan = plan_for(test_folder() / "new");
  const SceneDescription scene = describe(sphere_of_2000, {"shape=wave", "amplitude=0.3"});
  SessionInWindow window(open_device(Backend::cpu));
  SceneDescription paused = scene;
  paused.playing = false;
  window.open(paused);
  window.model.requests.add(request::RecordVideo{plan});
  finish(window);
  EXPECT_FALSE(window.model.playing);
  EXPECT_NEAR(window.model.results->seconds, 7.0 / 8.0, 1e-9);
  const std::vector<Picture> frames = frames_of(plan);
  ASSERT_EQ(frames.size(), 8U);

  Opened without(open_device(Backend::cpu));
  without.session.set_view(64, 64);
  without.session.open(scene);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    without.session.advance(i == 0 ? 0.0 : 1.0 / 8.0);
    without.session.draw();
    EXPECT_EQ(compare_images(without.session.read_back(), frames[i], 0), 0.0) << i;
  }
  // What played goes on by the clock.
  window.model.playing = true;
  window.until([&] { return window.model.results->seconds > 1.0; });
}

// What plays passes by the frames as long as it is recorded, and not by the clock.
TEST_F(RecordedVideo, HoldsTheClock) {
  const VideoPlan plan = plan_for(test_folder() / "new");
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000, {"shape=wave"}));
  window.until([&] { return window.model.results->seconds > 0.0; });
  window.model.requests.add(request::RecordVideo{plan});
  window.session.update();
  std::vector<double> seconds;
  window.until([&] {
    if (window.model.video.done > 0) seconds.push_back(window.model.results->seconds);
    return !window.model.video.records();
  });
  ASSERT_FALSE(seconds.empty());
  for (const double each : seconds) {
    const double frames = plan.rate * (each - seconds.front());
    EXPECT_NEAR(frames, std::round(frames), 1e-6);
  }
  EXPECT_GT(seconds.back(), seconds.front());
}

TEST_F(RecordedVideo, ThatIsCancelledLeavesNothing) {
  VideoPlan plan = plan_for(test_folder() / "new");
  plan.rate = 60.0;
  plan.seconds = 10.0;
  SessionInWindow window(open_device(Backend::cpu));
  begin(window, plan);
  EXPECT_EQ(window.model.video.frames, 600U);
  window.model.requests.add(request::CancelVideo{});
  finish(window);
  window.until([&] { return !fs::exists(test_folder() / "new"); });
  EXPECT_TRUE(window.model.messages.empty());
  // Another one can follow.
  plan.seconds = 0.1;
  window.model.requests.add(request::RecordVideo{plan});
  finish(window);
  EXPECT_EQ(frames_of(plan).size(), 6U);
}

TEST_F(RecordedVideo, OfASceneThatMakesWayIsGivenUpWithItsReason) {
  VideoPlan plan = plan_for(test_folder() / "new");
  plan.seconds = 100.0;
  SessionInWindow window(open_device(Backend::cpu));
  begin(window, plan);
  window.model.requests.add(request::Open{describe("generated:knot")});
  window.until([&] { return !window.model.video.records(); });
  EXPECT_TRUE(has_message(window.model, Message::Kind::error));
  window.until([&] { return !fs::exists(test_folder() / "new"); });
}

TEST_F(RecordedVideo, ThatCannotBeHadIsAMessageAtOnce) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000));
  VideoPlan plan = plan_for(test_folder());
  plan.file = "video.mp4";
  window.model.requests.add(request::RecordVideo{plan});
  window.session.update();
  EXPECT_FALSE(window.model.video.records());
  EXPECT_TRUE(has_message(window.model, Message::Kind::error));
  window.model.messages.clear();
  plan.file = "/proc/none/%d.png";
  window.model.requests.add(request::RecordVideo{plan});
  finish(window);
  EXPECT_TRUE(has_message(window.model, Message::Kind::error));
}

TEST_F(RecordedVideo, IsGivenUpWithTheProgram) {
  VideoPlan plan = plan_for(test_folder() / "new");
  plan.seconds = 100.0;
  {
    SessionInWindow window(open_device(Backend::cpu));
    begin(window, plan);
  }
  EXPECT_FALSE(fs::exists(test_folder() / "new"));
}

TEST(StepsOfFrame, AreAtMostASixtieth) {
  EXPECT_EQ(steps_of_frame(1.0 / 60.0), 1);
  EXPECT_EQ(steps_of_frame(1.0 / 30.0), 2);
  EXPECT_EQ(steps_of_frame(1.0 / 25.0), 3);
  EXPECT_EQ(steps_of_frame(1.0), 60);
}

}  // namespace
}  // namespace warpview::test
