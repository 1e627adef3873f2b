// What the window looks at, and what is saved of it, through a session.
#include "app/viewing.h"

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "scenes/files/open_mesh.h"
#include "tests/app/session_test.h"

namespace warpview::test {
namespace {

using ViewingTest = SessionTest;

TEST_F(ViewingTest, FitsTheCameraAndWritesScreenshotsOnRequest) {
  const std::string file = test_folder() / "screenshot.png";
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  const Picture fitted = opened.picture();
  opened.model.camera.zoom(3.0F);
  EXPECT_NE(opened.picture().rgba, fitted.rgba);
  opened.model.requests.add(request::FitCamera{});
  EXPECT_EQ(opened.picture().rgba, fitted.rgba);
  EXPECT_TRUE(opened.model.requests.empty());

  // What there is to see.
  opened.model.requests.add(request::SavePicture{file});
  opened.picture();
  EXPECT_EQ(read_png(file).rgba, fitted.rgba);
  EXPECT_FALSE(opened.model.requests.find<request::SavePicture>());
  opened.session.update();
  EXPECT_TRUE(has_message(opened.model, Message::Kind::info));
  // Without a background, in that size and in another.
  for (const int width : {0, 150}) {
    opened.model.requests.add(
        request::SavePicture{.file = file, .width = width, .height = 100, .transparent = true});
    opened.picture();
    const Picture alone = read_png(file);
    EXPECT_EQ(alone.width, width == 0 ? picture_side : width);
    EXPECT_EQ(alone.rgba[3], 0) << "of a corner";
    EXPECT_EQ(
        alone.rgba[4 * static_cast<std::size_t>(alone.width * alone.height / 2 + alone.width / 2) +
                   3],
        255);
  }
  EXPECT_EQ(opened.picture().rgba, fitted.rgba) << "the view has its background";

  for (const std::string& nowhere :
       {(test_folder() / "no/such/folder/a.png").string(), std::string("/dev/full")}) {
    opened.model.messages.clear();
    opened.model.requests.add(request::SavePicture{nowhere});
    opened.picture();
    opened.session.update();
    EXPECT_TRUE(has_message(opened.model, Message::Kind::error)) << nowhere;
    EXPECT_FALSE(has_message(opened.model, Message::Kind::info)) << nowhere;
  }
}

TEST_F(ViewingTest, ADescriptionMaySayWhereFromOneLooks) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  const Picture fitted = opened.picture();
  SceneDescription description = describe_scene({sphere_of_2000});
  description.camera = Viewpoint{{0, 0.5F, 6}, {0, 0.25F, 0}, 20.0F};
  opened.session.open(description);
  EXPECT_NE(opened.picture().rgba, fitted.rgba);
  EXPECT_NEAR(opened.model.camera.eye().z, 6.0F, 1e-4F);
  EXPECT_NEAR(opened.model.camera.target.y, 0.25F, 1e-6F);
  EXPECT_NEAR(opened.model.camera.field_of_view, 0.349066F, 1e-5F);
  // Asked to, it fits the scene again.
  opened.model.requests.add(request::FitCamera{});
  opened.picture();
  EXPECT_LT(std::abs(opened.model.camera.target.y), 0.1F);
}

TEST_F(ViewingTest, AMeshMayBeSeenFromWithinAtFirst) {
  Opened opened(open_device(Backend::cpu));
  opened.open("generated:rooms:10000");
  opened.picture();
  const Camera within = opened.model.camera;
  LoadControl control;
  const Viewpoint first = *open_mesh("generated:rooms:10000", control).first_view;
  EXPECT_NEAR(within.eye().x, first.eye.x, 1e-4F);
  EXPECT_NEAR(within.eye().z, first.eye.z, 1e-4F);
  EXPECT_NEAR(within.target.y, first.target.y, 1e-5F);
  // Asked to, it shows the house from outside.
  opened.model.requests.add(request::FitCamera{});
  opened.picture();
  EXPECT_GT(opened.model.camera.distance, opened.model.camera.scene_radius);

  // What the user asks for counts more.
  SceneDescription description = describe_scene({"generated:rooms:10000"});
  description.camera = Viewpoint{{0, 9, 20}, {0, 0, 0}, {}};
  opened.session.open(description);
  opened.picture();
  EXPECT_NEAR(opened.model.camera.eye().z, 20.0F, 1e-3F);
  // The next mesh is all in the view, by the usual camera.
  opened.open(sphere_of_2000);
  opened.picture();
  EXPECT_EQ(opened.model.camera.field_of_view, Camera::usual_field_of_view);
  EXPECT_GT(opened.model.camera.distance, opened.model.camera.scene_radius);
}

// What fitted the view fits it in every size, until the user has moved.
TEST_F(ViewingTest, FitsAViewOfAnotherSizeUntilTheCameraWasMoved) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  opened.picture();
  const float wide = opened.model.camera.distance;
  opened.session.set_view(80, 400);
  const float narrow = opened.model.camera.distance;
  EXPECT_GT(narrow, 1.5F * wide);
  opened.model.camera.zoom(0.5F);
  opened.session.set_view(400, 400);
  EXPECT_EQ(opened.model.camera.distance, 0.5F * narrow);
}

TEST_F(ViewingTest, LooksFromASideOnRequest) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  opened.model.requests.add(request::LookFrom{Side::top});
  opened.picture();
  EXPECT_GT(opened.model.camera.backward().y, 0.999F);
  EXPECT_TRUE(opened.model.requests.empty());
}

TEST_F(ViewingTest, TurnsAroundWhatWasHit) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  opened.picture();
  const Ray ray = opened.model.camera.ray(0.6F, 0.4F, 1.0F);
  opened.model.requests.add(request::Pivot{ray});
  opened.picture();
  opened.session.update();
  // On the ray, in front of the eye, and not where the camera looked before.
  const glm::vec3 from(ray.origin.x, ray.origin.y, ray.origin.z);
  const glm::vec3 way(ray.direction.x, ray.direction.y, ray.direction.z);
  const glm::vec3 to = opened.model.camera.target - from;
  EXPECT_GT(glm::dot(to, way), 0.0F);
  EXPECT_LT(glm::length(glm::cross(glm::normalize(to), glm::normalize(way))), 1e-4F);
  EXPECT_GT(glm::length(opened.model.camera.target), 0.05F);
  // Beside the mesh there is nothing to turn around.
  const glm::vec3 target = opened.model.camera.target;
  opened.model.requests.add(request::Pivot{opened.model.camera.ray(0.0F, 0.0F, 1.0F)});
  opened.picture();
  opened.session.update();
  EXPECT_EQ(opened.model.camera.target, target);
}

TEST_F(ViewingTest, ASlowPictureIsCoarseWhileTheCameraIsDragged) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000));
  const auto width = [&window] {
    const Framebuffer* const picture = window.session.picture();
    return picture ? picture->width() : 0;
  };
  window.until([&] { return width() == picture_side; });
  window.model.camera_dragged = true;
  window.model.coarse_pixels = 1;
  window.model.coarse_above_ms = 1e9;
  const auto look_elsewhere = [&window] {
    const Framebuffer* const before = window.session.picture();
    window.model.camera.orbit(0.1F, 0.0F);
    window.until([&] { return window.session.picture() != before; });
  };
  look_elsewhere();
  EXPECT_EQ(width(), picture_side) << "it is fast enough";
  window.model.coarse_above_ms = 0.0;
  window.until([&] { return width() == picture_side / 2; });
  window.model.coarse_above_ms = 1e9;  // as coarse pictures are
  look_elsewhere();
  EXPECT_EQ(width(), picture_side / 2) << "until the end";
  window.model.camera_dragged = false;
  window.until([&] { return width() == picture_side; });
}

// A file with what is to be saved now, as it is once it is there.
Picture saved(SessionInWindow& window, int width = 0, int height = 0) {
  const request::SavePicture wanted{
      .file = test_folder() / "saved.png", .width = width, .height = height};
  std::filesystem::remove(wanted.file);
  window.model.messages.clear();
  window.model.requests.add(wanted);
  window.until([&] { return !window.model.messages.empty(); });
  EXPECT_EQ(window.model.messages[0].kind, Message::Kind::info) << window.model.messages[0].text;
  return read_png(wanted.file);
}

TEST_F(ViewingTest, WhatIsSavedIsWholeThoughTheViewIsCoarse) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000));
  window.model.camera_dragged = true;
  window.model.coarse_pixels = 1;
  window.model.coarse_above_ms = 0.0;
  const auto is_coarse = [&] {
    const Framebuffer* const picture = window.session.picture();
    return picture && picture->width() == picture_side / 2;
  };
  window.until(is_coarse);
  const Picture dragged = saved(window);
  const Picture dragged_large = saved(window, 150, 100);
  EXPECT_TRUE(is_coarse());
  // Just after the drag, too, before anything else is drawn.
  window.model.camera_dragged = false;
  const Picture after = saved(window);
  window.until([&] { return window.session.shows_all(); });
  const Picture at_rest = saved(window);
  EXPECT_EQ(at_rest.width, picture_side);
  EXPECT_TRUE(after.rgba == at_rest.rgba);
  EXPECT_TRUE(dragged.rgba == at_rest.rgba);
  EXPECT_TRUE(dragged_large.rgba == saved(window, 150, 100).rgba);
  window.model.show.shadows = false;
  EXPECT_FALSE(saved(window).rgba == at_rest.rgba) << "no shadows to miss";
}

TEST_F(ViewingTest, WhatIsSavedIsAsItIsSet) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000));
  window.until([&] { return window.session.shows_all(); });
  const Picture before = saved(window);
  // At the same moment: it is not computed yet, let alone drawn.
  show(window.model, {"wire"});
  window.model.camera.orbit(0.5F, 0.0F);
  window.model.show.theme = Theme::light;
  const Picture at_once = saved(window);
  window.until([&] { return window.session.shows_all(); });
  EXPECT_TRUE(at_once.rgba == saved(window).rgba);
  EXPECT_FALSE(at_once.rgba == before.rgba);
  // What is made anew for another size.
  set(window.model, "level=2");
  show(window.model, {"boxes"});
  window.model.requests.add(request::Reload{});
  const Picture reloaded = saved(window);
  window.until([&] { return !window.model.loading && window.session.shows_all(); });
  EXPECT_TRUE(reloaded.rgba == saved(window).rgba);
}

// Where kernels make the picture they make it for the file.
TEST_F(ViewingTest, WhatASceneDrawsItselfIsSavedWhole) {
  SceneDescription description = describe_scene({"svg"});
  Opened whole(open_device(Backend::cpu));
  whole.session.set_view(2 * picture_side, 2 * picture_side);
  whole.session.open(description);
  const Picture large = whole.picture();

  SessionInWindow window(open_device(Backend::cpu));
  window.open(description);
  window.until([&] { return window.session.shows_all(); });
  const Picture at_rest = saved(window);
  window.model.camera_dragged = true;
  window.model.coarse_pixels = 1;
  window.model.coarse_above_ms = 0.0;
  window.until([&] { return window.session.picture()->width() == picture_side / 2; });
  EXPECT_TRUE(saved(window).rgba == at_rest.rgba);
  const Picture saved_large = saved(window, 2 * picture_side, 2 * picture_side);
  EXPECT_TRUE(saved_large.rgba == large.rgba);
  window.model.camera_dragged = false;
  window.until([&] { return window.session.shows_all(); });
  EXPECT_TRUE(saved(window).rgba == at_rest.rgba) << "the view is what is computed for again";
}

TEST_F(ViewingTest, WhatIsToBeSavedIsSavedThoughTheSessionEnds) {
  const std::string file = test_folder() / "at_the_end.png";
  std::filesystem::remove(file);
  {
    SessionInWindow window(open_device(Backend::cpu));
    window.open(describe(sphere_of_2000));
    show(window.model, {"wire"});
    window.model.requests.add(request::SavePicture{file});
    window.session.update();
  }
  EXPECT_EQ(read_png(file).width, picture_side);
}

TEST_F(ViewingTest, TheViewIsToldWhenItShowsAll) {
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000));
  const auto shows_all = [&] { return window.session.shows_all(); };
  window.until(shows_all);
  const auto lacks = [&](const char* what) {
    window.session.update();
    EXPECT_FALSE(window.session.shows_all()) << what;
    window.until(shows_all);
    EXPECT_EQ(window.session.picture()->width(), window.model.view_width);
  };
  window.model.camera.orbit(0.5F, 0.0F);
  lacks("the camera");
  show(window.model, {"wire"});
  lacks("an output");
  window.session.set_view(2 * picture_side, picture_side);
  lacks("a size");
  window.model.camera_dragged = true;
  window.model.coarse_pixels = 1;
  window.model.coarse_above_ms = 0.0;
  window.until([&] { return window.session.picture()->width() == picture_side; });
  for (int i = 0; i < 100; ++i) {
    window.session.update();
    ASSERT_FALSE(window.session.shows_all()) << "it is coarse";
  }
  window.model.camera_dragged = false;
  lacks("pixels");
  window.model.coarse_above_ms = 1e9;
  set(window.model, "animation=refit");
  lacks("time");  // another frame is always to come
}

TEST_F(ViewingTest, ASlowPictureIsCoarseWhileTheSceneMoves) {
  SessionInWindow window(open_device(Backend::cpu));
  window.model.coarse_pixels = 1;
  window.model.coarse_above_ms = 0.0;
  window.open(describe(sphere_of_2000, {"animation=refit"}));
  const auto is_coarse = [&window] {
    const Framebuffer* const picture = window.session.picture();
    return picture && picture->width() == picture_side / 2 && picture->samples() == 1;
  };
  window.until(is_coarse);
  window.session.update();
  EXPECT_FALSE(window.session.shows_all());
  EXPECT_EQ(saved(window).width, picture_side);
  // As for a picture of the window.
  window.model.wants_whole = true;
  window.until([&] { return window.session.shows_all(); });
  EXPECT_EQ(window.session.picture()->samples(), Framebuffer::usual_samples);
  window.model.wants_whole = false;
  window.until(is_coarse);
  window.model.playing = false;
  window.until([&] { return window.session.shows_all(); });
  EXPECT_EQ(window.session.picture()->width(), picture_side);
}

// While the view is hidden nothing is drawn and no time passes. What changes is computed all the
// same, one after the other, and a picture can be saved.
TEST_F(ViewingTest, AHiddenViewIsNotDrawn) {
  const std::filesystem::path file = test_folder() / "hidden.png";
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000, {"animation=refit"}));
  window.until([&] { return window.has_picture && window.frames() > 5; });
  window.session.set_view(0, picture_side);
  const auto rests = [&] {
    const std::uint64_t before = window.frames();
    for (int i = 0; i < 100; ++i) {
      window.session.update();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return window.frames() == before;
  };
  window.until(rests);
  EXPECT_TRUE(rests());
  const double drawn = window.model.draw_ms;
  for (const char* const level : {"level=1", "level=2", "level=3"}) {
    const std::uint64_t before = window.frames();
    set(window.model, level);
    window.until([&] { return window.frames() > before; });
    window.model.camera.orbit(0.1F, 0.0F);
  }
  EXPECT_TRUE(rests());
  EXPECT_EQ(window.model.draw_ms, drawn) << "a picture was drawn";
  EXPECT_EQ(window.model.behind_ms, 0.0);
  EXPECT_EQ(window.model.first_picture_ms, 0.0);
  EXPECT_EQ(window.model.view_width, picture_side) << "it keeps its size";
  EXPECT_TRUE(window.session.shows_all());

  window.model.requests.add(request::SavePicture{file});
  window.until([&] { return !window.model.messages.empty(); });
  EXPECT_EQ(read_png(file).width, picture_side);

  const std::uint64_t hidden = window.frames();
  window.session.set_view(picture_side, picture_side);
  window.until([&] { return window.frames() > hidden + 3 && window.model.draw_ms != drawn; });
}

// A variant of `sort` that does not end before it may.
class Gate {
 public:
  static void sort(Stream& stream, const SortArgs& args, Scratch& scratch) {
    if (!scratch.measuring()) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [] { return is_open; });
    }
    stream.device().table().get<Primitive::sort>(default_variant(Primitive::sort, Backend::cpu))(
        stream, args, scratch);
  }
  static void set(bool open) {
    const std::lock_guard lock(mutex);
    is_open = open;
    changed.notify_all();
  }

 private:
  static inline std::mutex mutex;
  static inline std::condition_variable changed;
  static inline bool is_open = false;
};

// From when something is set until the picture shows it.
TEST_F(ViewingTest, TellsHowFarThePictureIsBehind) {
  auto device = std::make_unique<SmallDevice>(open_device(Backend::cpu));
  const VariantId library = find_variant(Primitive::sort, "library");
  device->replace_variant(library, reinterpret_cast<BackendTable::Any>(&Gate::sort));
  Gate::set(false);
  SessionInWindow window(std::move(device));
  const auto is_at_rest = [&] {
    return window.has_picture && !window.session.busy() && window.model.behind_ms == 0.0;
  };
  window.open(describe(sphere_of_2000));
  window.until(is_at_rest);
  // What compute is at keeps the picture from what is set meanwhile, and the time grows.
  choose(window.model, "sort", "library");
  window.session.update();
  set(window.model, "level=3");
  double before = 0.0;
  for (int i = 0; i < 5; ++i) {
    window.until([&] { return window.model.behind_ms > before; });
    before = window.model.behind_ms;
  }
  EXPECT_EQ(window.model.controls["level"], 3.0) << "the panels have it";
  Gate::set(true);
  window.until(is_at_rest);
  // So does a picture that is not taken.
  window.model.camera.orbit(0.5F, 0.0F);
  window.session.update();
  window.session.update();
  EXPECT_GT(window.model.behind_ms, 0.0);
  window.until(is_at_rest);
}

// What was to be saved of a scene is not replaced by another one's picture.
TEST_F(ViewingTest, APictureIsGivenUpWithItsScene) {
  const std::string file = test_folder() / "given_up.png";
  std::filesystem::remove(file);
  auto device = std::make_unique<SmallDevice>(open_device(Backend::cpu));
  const VariantId library = find_variant(Primitive::sort, "library");
  device->replace_variant(library, reinterpret_cast<BackendTable::Any>(&Gate::sort));
  Gate::set(false);
  SessionInWindow window(std::move(device));
  window.open(describe(sphere_of_2000));
  window.until([&] { return window.session.shows_all(); });
  const std::uint64_t first = window.session.drawn_scene();
  choose(window.model, "sort", "library");
  window.model.requests.add(request::SavePicture{file});
  window.model.requests.add(request::Open{describe("generated:knot")});
  window.session.update();
  Gate::set(true);
  // Without an update nothing is known of what was computed.
  while (window.session.drawn_scene() <= first) {
    window.session.picture();
    std::this_thread::yield();
  }
  window.until([&] { return !window.model.messages.empty(); });
  EXPECT_NE(window.model.messages[0].text.find("another scene was opened"), std::string::npos)
      << window.model.messages[0].text;
  EXPECT_EQ(window.model.messages[0].kind, Message::Kind::error);
  EXPECT_FALSE(std::filesystem::exists(file));
}

// Until its first picture is there the view has none of it.
TEST_F(ViewingTest, TellsThatTheFirstPictureIsToCome) {
  SessionInWindow window(open_device(Backend::cpu));
  Model& model = window.model;
  window.open(describe(sphere_of_2000));
  window.until([&] { return window.session.shows_all(); });
  EXPECT_EQ(model.first_picture_ms, 0.0);
  // A picture that is not taken keeps the next one from being drawn.
  const double pictures = model.picture_ms;
  model.camera.orbit(0.5F, 0.0F);
  while (model.picture_ms == pictures) {
    window.session.update();
    std::this_thread::yield();
  }
  const std::uint64_t before = model.scene_number;
  model.requests.add(request::Open{describe("generated:knot")});
  while (model.scene_number == before) {
    EXPECT_EQ(model.first_picture_ms, 0.0);
    window.session.update();
    std::this_thread::yield();
  }
  double last = 0.0;
  for (int i = 0; i < 5; ++i) {
    while (model.first_picture_ms <= last) window.session.update();
    last = model.first_picture_ms;
  }
  window.until([&] { return window.session.picture_scene() == model.results->scene; });
  window.session.update();
  EXPECT_EQ(model.first_picture_ms, 0.0);
}

// ---- Without a session --------------------------------------------------------------------------

TEST(Viewing, FitsAgainUntilTheCameraWasMoved) {
  Model model;
  model.scene_bounds = {{-1, -1, -1}, {1, 1, 1}};
  Viewing viewing(model, std::make_shared<SessionEvents>());
  viewing.set_size(100, 100);
  viewing.fit_camera();
  const float square = model.camera.distance;
  viewing.set_size(50, 100);
  EXPECT_TRUE(viewing.fits());
  EXPECT_GT(model.camera.distance, square);
  const float narrow = model.camera.distance;
  model.camera.orbit(0.5F, 0.0F);
  EXPECT_FALSE(viewing.fits());
  viewing.set_size(100, 100);
  EXPECT_EQ(model.camera.distance, narrow);
}

// As when Explode is given more strength.
TEST(Viewing, FollowsASceneThatGrowsWhereItFitted) {
  Model model;
  model.scene_bounds = {{-1, -1, -1}, {1, 1, 1}};
  Viewing viewing(model, std::make_shared<SessionEvents>());
  viewing.set_size(100, 100);
  viewing.fit_camera();
  const float before = model.camera.distance;
  viewing.set_bounds({{-2, -2, -2}, {2, 2, 2}});
  EXPECT_TRUE(viewing.fits());
  EXPECT_NEAR(model.camera.distance, 2.0F * before, 1e-3F);
  // A camera that was moved stays; but the ground, the light and the clipping planes follow.
  model.camera.zoom(0.5F);
  const Camera moved = model.camera;
  viewing.set_bounds({{-4, -4, -4}, {4, 4, 4}});
  EXPECT_EQ(model.camera.eye(), moved.eye());
  EXPECT_EQ(model.camera.target, moved.target);
  EXPECT_NEAR(model.camera.scene_radius, 2.0F * moved.scene_radius, 1e-3F);
  EXPECT_LT(model.camera.floor_height(), moved.floor_height());
}

TEST(Viewing, IsCoarseFromASlowPictureToTheEndOfTheDrag) {
  Model model;
  model.coarse_pixels = 1;
  Viewing viewing(model, std::make_shared<SessionEvents>());
  viewing.set_size(101, 60);
  const auto update = [&](bool dragged, double draw_ms) {
    model.camera_dragged = dragged;
    model.draw_ms = draw_ms;
    viewing.update(0);
    return viewing.is_coarse();
  };
  EXPECT_FALSE(update(false, 2.0 * model.coarse_above_ms));
  EXPECT_FALSE(update(true, 0.5 * model.coarse_above_ms));
  EXPECT_TRUE(update(true, 2.0 * model.coarse_above_ms));
  EXPECT_TRUE(update(true, 0.0)) << "now that it is coarse";
  EXPECT_EQ(viewing.seen().width, 51);
  EXPECT_EQ(viewing.seen().height, 30);
  EXPECT_TRUE(viewing.seen().options.shadows) << "the ground's would blink";
  EXPECT_FALSE(viewing.seen().options.occlusion);
  EXPECT_TRUE(viewing.seen().options.ground);
  EXPECT_FALSE(viewing.seen().options.antialiased);
  EXPECT_EQ(viewing.seen().options.pixel_scale, 0.5F);
  EXPECT_EQ(viewing.whole().width, 101);
  EXPECT_FALSE(update(false, 0.0));
  EXPECT_EQ(viewing.seen(), viewing.whole());
}

TEST(Viewing, IsCoarseInADragWhereTheSceneComputesItsPictureSlowly) {
  Model model;
  model.coarse_pixels = 75 * 75;
  Viewing viewing(model, std::make_shared<SessionEvents>());
  viewing.set_size(100, 100);
  model.results.change().moving = true;  // takes samples
  const auto width = [&](bool dragged, double kernels_ms, std::uint64_t scene = 1) {
    FrameView seen;
    seen.width = seen.height = static_cast<std::uint32_t>(viewing.seen().width);
    model.results.change().seen = seen;
    model.results.change().kernels_ms = kernels_ms;
    ++model.results.change().frames;
    model.camera_dragged = dragged;
    viewing.update(scene);
    return viewing.seen().width;
  };
  EXPECT_EQ(width(true, 0.9 * model.coarse_above_ms), 100);
  EXPECT_EQ(width(false, 9.0 * model.coarse_above_ms), 100)
      << "samples of another size begin again";
  EXPECT_EQ(width(true, 9.0 * model.coarse_above_ms), 75);
  EXPECT_EQ(width(true, 1.9 * model.coarse_above_ms), 75);
  EXPECT_EQ(width(true, 0.0), 75) << "until the end";
  EXPECT_EQ(width(false, 0.0), 100);
  model.draw_ms = 0.9 * model.coarse_above_ms;
  EXPECT_EQ(width(false, 0.0), 100) << "it moves by samples alone";
  EXPECT_EQ(width(true, 9.0 * model.coarse_above_ms), 75);
  const double slow_ms = 2.1 * model.coarse_above_ms;
  for (const double ms : {slow_ms, slow_ms, 0.0, slow_ms, slow_ms})
    EXPECT_EQ(width(true, ms), 75) << "single frames";
  EXPECT_EQ(width(true, slow_ms), 50);
  EXPECT_EQ(width(false, 0.0), 100);
  EXPECT_EQ(width(true, 2.0 * model.coarse_above_ms), 50) << "as was learnt";
  EXPECT_EQ(width(false, 0.0, 2), 100);
  EXPECT_EQ(width(true, 2.0 * model.coarse_above_ms, 2), 75) << "of another scene";
}

TEST(Viewing, IsCoarseWhileWhatMovesIsSlow) {
  Model model;
  Viewing viewing(model, std::make_shared<SessionEvents>());
  viewing.set_size(1600, 900);
  model.results.change().moving = true;
  const auto update = [&](double draw_ms) {
    model.draw_ms = draw_ms;
    viewing.update(0);
    return viewing.is_coarse();
  };
  EXPECT_FALSE(update(0.5 * model.coarse_above_ms));
  EXPECT_TRUE(update(1.1 * model.coarse_above_ms));
  EXPECT_TRUE(update(0.1 * model.coarse_above_ms)) << "a whole one would be slow";
  EXPECT_EQ(viewing.seen().width, 800);
  EXPECT_EQ(viewing.seen().height, 450);
  EXPECT_TRUE(viewing.seen().options.shadows);
  EXPECT_FALSE(update(0.01 * model.coarse_above_ms)) << "something lighter is open now";
  EXPECT_TRUE(update(1.1 * model.coarse_above_ms));
  // Never fewer pixels than show the scene, whatever the view's shape.
  for (const auto& [width, height] : {std::pair{800, 600}, {600, 800}, {400, 1200}}) {
    viewing.set_size(width, height);
    EXPECT_NEAR(viewing.seen().width * viewing.seen().height, model.coarse_pixels, 1500);
    EXPECT_NEAR(viewing.seen().width * height, viewing.seen().height * width, 1200);
  }
  viewing.set_size(500, 300);
  EXPECT_EQ(viewing.seen().width, 500);
  EXPECT_EQ(viewing.seen().height, 300);
  EXPECT_FALSE(viewing.seen().options.antialiased);
  model.wants_whole = true;
  EXPECT_FALSE(update(1.1 * model.coarse_above_ms));
  model.wants_whole = false;
  EXPECT_TRUE(update(1.1 * model.coarse_above_ms));
  model.playing = false;
  EXPECT_FALSE(update(1.1 * model.coarse_above_ms));
}

}  // namespace
}  // namespace warpview::test
