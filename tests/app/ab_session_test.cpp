// A|B in a session: what is pinned is kept, follows the camera, and ends with its scene.
#include <optional>
#include <string>

#include "app/panels/parts.h"
#include "app/render/screenshot.h"
#include "tests/app/session_test.h"

namespace warpview::test {
namespace {

// A session without a window in which a picture is pinned.
struct Pinned : Opened {
  using Opened::Opened;

  Picture seen(AbView::Mode mode) {
    model.ab.mode = mode;
    return picture();
  }
  Picture a() { return seen(AbView::Mode::only_a); }
  Picture b() { return seen(AbView::Mode::only_b); }
  PictureDifference difference() {
    seen(AbView::Mode::difference);
    return model.difference.value_or(PictureDifference{.share = -1.0});
  }
  void keep() {
    pin(model);
    session.finish();
  }
};

Pinned pinned_on_cpu() { return Pinned(open_device(Backend::cpu)); }

TEST_F(SessionTest, AStaysAndBGoesOn) {
  for_each_backend([](std::unique_ptr<Device> device) {
    Pinned opened(std::move(device));
    opened.session.open(describe(sphere_of_2000, {"level=2"}, {{"mesh", "boxes"}}));
    const Picture a = opened.picture();
    opened.keep();
    ASSERT_TRUE(opened.model.a.is_there);
    EXPECT_EQ(opened.difference(), PictureDifference{});
    set(opened.model, "level=5");
    show(opened.model, {"boxes"});
    opened.model.show.shadows = false;
    const Picture b = opened.b();
    EXPECT_NE(a.rgba, b.rgba);
    expect_alike(opened.a(), a);
    EXPECT_GT(opened.difference().share, 0.1);

    // Both turn.
    opened.model.camera.orbit(0.8F, 0.3F);
    Opened fresh(open_device(Backend::cpu));
    fresh.session.open(describe(sphere_of_2000, {"level=2"}, {{"mesh", "boxes"}}));
    fresh.model.camera = opened.model.camera;
    expect_alike(opened.a(), fresh.picture());
    EXPECT_GT(compare_images(opened.a(), a), 0.02);
    EXPECT_GT(compare_images(opened.b(), b), 0.02);
  });
}

// As they are when it is pinned, whatever is set before the picture of that is there.
TEST_F(SessionTest, KeepsTheSettingsThatArePinned) {
  Pinned opened = pinned_on_cpu();
  opened.session.open(describe(sphere_of_2000, {"level=2"}, {{"boxes"}}));
  const Picture first = opened.picture();
  set(opened.model, "level=4");
  const Picture a = opened.picture();
  ASSERT_NE(a.rgba, first.rgba);
  set(opened.model, "level=2");
  opened.picture();
  set(opened.model, "level=4");
  pin(opened.model);
  opened.session.update();
  set(opened.model, "level=6");
  opened.session.update();
  opened.session.advance(time_step);
  opened.session.finish();
  opened.session.advance(time_step);
  expect_alike(opened.a(), a);
  EXPECT_NE(opened.b().rgba, a.rgba) << "what was set meanwhile is set";
}

TEST_F(SessionTest, UndoneIsBAlone) {
  Pinned opened = pinned_on_cpu();
  opened.session.open(describe(sphere_of_2000, {"level=2"}, {{"boxes"}}));
  const Picture a = opened.picture();
  opened.keep();
  set(opened.model, "level=5");
  const Picture b = opened.b();
  opened.model.requests.add(request::Undo{});
  opened.session.update();
  EXPECT_EQ(opened.difference(), PictureDifference{}) << "B is set as A again";
  opened.model.requests.add(request::Redo{});
  opened.session.update();
  expect_alike(opened.b(), b);
  expect_alike(opened.a(), a);
  // One step brings A's settings, and one takes them back.
  show(opened.model, {"mesh"});
  opened.picture();
  go_back_to_pinned(opened.model);
  EXPECT_EQ(opened.difference(), PictureDifference{});
  opened.model.requests.add(request::Undo{});
  opened.session.update();
  EXPECT_GT(opened.difference().share, 0.0);
  EXPECT_TRUE(changes_since_pinned(opened.model).size() >= 2);
}

TEST_F(SessionTest, AStaysWhereTheSceneIsMadeInAnotherSize) {
  Pinned opened = pinned_on_cpu();
  opened.session.open(describe_scene({"particles:1000", "generated:sphere:20"}));
  opened.picture();
  opened.model.playing = false;
  const Picture a = opened.picture();
  opened.keep();
  const double seconds = opened.model.results->seconds;
  set(opened.model, "count=3000");
  opened.session.update();
  opened.session.finish();
  EXPECT_TRUE(opened.model.a.is_there);
  EXPECT_EQ(opened.model.a.seconds, seconds);
  EXPECT_TRUE(opened.model.a.moves);
  expect_alike(opened.a(), a);
  EXPECT_GT(compare_images(opened.b(), a), 0.02);
}

TEST_F(SessionTest, EndsWithItsSceneOrUnpinned) {
  Pinned opened = pinned_on_cpu();
  opened.open(sphere_of_2000);
  opened.picture();
  opened.keep();
  opened.seen(AbView::Mode::divided);
  opened.open("generated:sphere:20");
  const Picture alone = opened.picture();
  EXPECT_FALSE(opened.model.pinned);
  EXPECT_FALSE(opened.model.a.is_there);
  EXPECT_EQ(opened.model.ab.mode, AbView::Mode::only_b);
  opened.model.ab.mode = AbView::Mode::only_a;
  expect_alike(opened.picture(), alone);

  opened.keep();
  opened.seen(AbView::Mode::divided);
  opened.model.pinned.reset();
  opened.session.update();
  EXPECT_FALSE(opened.model.a.is_there);
  EXPECT_EQ(opened.model.ab.mode, AbView::Mode::only_b);
}

// Scenes that make pictures themselves: A has a scene of its own, whose frames follow the camera.
TEST_F(SessionTest, AFollowsTheViewWhereFramesDependOnIt) {
  SceneDescription reyes = describe_scene({"reyes"});
  reyes.controls = {{"samples", "1"}, {"colour_by", "patches"}};
  Pinned opened = pinned_on_cpu();
  opened.session.open(reyes);
  opened.picture();
  opened.keep();
  ASSERT_TRUE(opened.model.a.is_there);
  set(opened.model, "colour_by=material");
  set(opened.model, "pixels=4000");
  opened.session.update();
  opened.session.finish();
  opened.seen(AbView::Mode::divided);
  opened.model.camera.orbit(0.9F, 0.2F);
  opened.seen(AbView::Mode::divided);

  Opened fresh(open_device(Backend::cpu));
  fresh.session.open(reyes);
  fresh.model.camera = opened.model.camera;
  expect_alike(opened.a(), fresh.picture());
  EXPECT_GT(compare_images(opened.a(), opened.b()), 0.1);
}

// Memory that is short is a message, and what was open goes on.
TEST_F(SessionTest, WithoutMemoryThereIsNoA) {
  auto device = std::make_unique<SmallDevice>(open_device(Backend::cpu));
  SmallDevice& small = *device;
  Pinned opened(std::move(device));
  opened.session.open(describe_scene({"reyes"}));
  const Picture b = opened.picture();
  small.refuse_after(3);
  opened.model.ab.mode = AbView::Mode::divided;
  opened.keep();
  small.refuse_nothing();
  EXPECT_TRUE(has_message(opened.model, Message::Kind::error));
  EXPECT_FALSE(opened.model.a.is_there);
  EXPECT_EQ(opened.model.ab.mode, AbView::Mode::only_b);
  expect_alike(opened.picture(), b);
  // Once there is memory, it can be kept.
  opened.model.messages.clear();
  opened.keep();
  opened.seen(AbView::Mode::divided);
  ASSERT_TRUE(opened.model.a.is_there);
}

}  // namespace
}  // namespace warpview::test
