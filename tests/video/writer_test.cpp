// Videos on their own: plans, palettes, and files of known frames.
#include "app/video/writer.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "app/video/palette.h"
#include "app/video/turntable.h"
#include "gpu/runtime/error.h"
#include "tests/panels/temporary_folder.h"
#include "tests/video/decoded.h"

namespace warpview::test {
namespace {

namespace fs = std::filesystem;

// A grey gradient with a bar that is elsewhere in each frame.
Picture frame_of(int width, int height, std::uint64_t number) {
  Picture picture{width, height, {}};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const bool in_bar = x / 4 == static_cast<int>(number) % (width / 4);
      const auto grey = static_cast<std::uint8_t>(255 * y / height);
      picture.rgba.insert(picture.rgba.end(),
                          {in_bar ? std::uint8_t{250} : grey, in_bar ? std::uint8_t{40} : grey,
                           in_bar ? std::uint8_t{30} : grey, std::uint8_t{255}});
    }
  return picture;
}

double mean_difference(const Picture& a, const Picture& b) {
  EXPECT_EQ(a.rgba.size(), b.rgba.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < std::min(a.rgba.size(), b.rgba.size()); ++i)
    sum += std::abs(a.rgba[i] - b.rgba[i]);
  return sum / static_cast<double>(a.rgba.size());
}

VideoPlan plan_for(const fs::path& file) {
  return {.file = file.string(), .seconds = 0.5, .rate = 24.0, .width = 64, .height = 48};
}

void write(const VideoPlan& plan) {
  const auto video = open_video(plan);
  for (std::uint64_t i = 0; i < plan.frames(); ++i)
    video->add(frame_of(plan.width, plan.height, i));
  video->finish();
}

class VideoFile : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!can_decode(file())) GTEST_SKIP() << "built without the library";
  }
  std::string file() const { return (folder_.path() / GetParam()).string(); }

  const TemporaryFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(All, VideoFile, testing::Values("video.webp", "video.gif"),
                         [](const auto& each) {
                           return fs::path(each.param).extension().string().substr(1);
                         });

TEST_P(VideoFile, HasAllFramesInOrderEachForItsTime) {
  const VideoPlan plan = plan_for(file());
  write(plan);
  const std::vector<DecodedFrame> frames = decoded(file());
  ASSERT_EQ(frames.size(), plan.frames());
  int milliseconds = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    EXPECT_EQ(frames[i].picture.width, plan.width);
    EXPECT_EQ(frames[i].picture.height, plan.height);
    // A 24th of a second, in whole hundredths for a GIF.
    EXPECT_NEAR(frames[i].milliseconds, 41.7, 8.4) << i;
    milliseconds += frames[i].milliseconds;
    // Its own frame is nearer than any other.
    const double own = mean_difference(frames[i].picture, frame_of(64, 48, i));
    EXPECT_LT(own, 6.0) << i;
    for (const std::size_t other : {i + 1, i + frames.size() - 1})
      EXPECT_LT(own, 0.6 * mean_difference(frames[i].picture, frame_of(64, 48, other))) << i;
  }
  EXPECT_EQ(milliseconds, 500);
  EXPECT_TRUE(repeats_for_ever(file()));
}

// Two pixels in opposite corners: what is between them stays, and takes no room.
TEST_P(VideoFile, OfLittleThatChangesIsSmall) {
  const auto at = [](std::uint64_t i) {
    Picture picture = frame_of(64, 48, 0);
    for (const std::size_t pixel : {std::size_t{0}, picture.rgba.size() / 4 - 1})
      picture.rgba[4 * pixel] = static_cast<std::uint8_t>(255 * (i % 2));
    return picture;
  };
  const auto size_of = [&](std::uint64_t frames) {
    const auto video = open_video(plan_for(file()));
    for (std::uint64_t i = 0; i < frames; ++i) video->add(at(i));
    video->finish();
    return fs::file_size(file());
  };
  const std::uintmax_t one = size_of(1);
  const std::uintmax_t eight = size_of(8);
  const std::vector<DecodedFrame> frames = decoded(file());
  ASSERT_EQ(frames.size(), 8U);
  for (std::uint64_t i = 0; i < frames.size(); ++i)
    EXPECT_LT(mean_difference(frames[i].picture, at(i)), 6.0) << i;
  // A GIF has a palette of 768 bytes a frame.
  EXPECT_LT(eight, one + 7 * 1000) << one;
}

TEST_P(VideoFile, IsThereWhenItIsFinishedAndNotBefore) {
  const VideoPlan plan = plan_for(file());
  std::ofstream(file()) << "of before";
  {
    const auto video = open_video(plan);
    video->add(frame_of(64, 48, 0));
  }
  std::string text;
  std::getline(std::ifstream(file()), text);
  EXPECT_EQ(text, "of before") << "an unfinished video leaves what was there";
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);
}

TEST_P(VideoFile, OfADiskThatIsFullIsAnErrorAndNoFile) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit usual{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &usual), 0);
  const rlimit little{100, usual.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
  EXPECT_THROW(write(plan_for(file())), Error);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &usual), 0);
  EXPECT_FALSE(fs::exists(file()));
  EXPECT_EQ(fs::directory_iterator(folder_.path()), fs::directory_iterator());
}

TEST_P(VideoFile, WhereNothingCanBeWrittenIsRefusedBeforeAnyWork) {
  EXPECT_THROW(open_video(plan_for(folder_.path() / "no such folder" / GetParam())), Error);
}

TEST_P(VideoFile, OfFramesThatAreEqualLastsAsLong) {
  const VideoPlan plan = plan_for(file());
  const auto video = open_video(plan);
  // As a scene that comes to rest.
  const auto at = [](std::uint64_t i) { return i < 3 ? i : 3; };
  for (std::uint64_t i = 0; i < plan.frames(); ++i) video->add(frame_of(64, 48, at(i)));
  video->finish();
  int milliseconds = 0;
  for (const DecodedFrame& frame : decoded(file())) {
    // The frame that begins then.
    const auto now = static_cast<std::uint64_t>(std::lround(milliseconds * plan.rate / 1000.0));
    EXPECT_LT(mean_difference(frame.picture, frame_of(64, 48, at(now))), 6.0) << now;
    milliseconds += frame.milliseconds;
  }
  EXPECT_EQ(milliseconds, 500);
}

TEST(PngSeries, IsAFileForEachFrame) {
  const TemporaryFolder folder;
  const VideoPlan plan = plan_for(folder.path() / "new" / "frame-%03d.png");
  write(plan);
  for (std::uint64_t i = 0; i < plan.frames(); ++i)
    EXPECT_EQ(read_png(frame_file(plan.file, i)).rgba, frame_of(64, 48, i).rgba) << i;
  EXPECT_FALSE(fs::exists(frame_file(plan.file, plan.frames())));
  EXPECT_EQ(frame_file(plan.file, 7), (folder.path() / "new" / "frame-007.png").string());
  EXPECT_THROW(open_video(plan), Error) << "frames of two series do not mix";
}

TEST(PngSeries, ThatIsNotFinishedLeavesNothing) {
  const TemporaryFolder folder;
  const VideoPlan plan = plan_for(folder.path() / "a" / "b" / "%d.png");
  {
    const auto video = open_video(plan);
    video->add(frame_of(64, 48, 0));
    video->add(frame_of(64, 48, 1));
    EXPECT_TRUE(fs::exists(folder.path() / "a" / "b" / "1.png"));
  }
  EXPECT_EQ(fs::directory_iterator(folder.path()), fs::directory_iterator());
}

TEST(PngSeries, WhoseFolderCannotBeCreatedLeavesNothing) {
  const TemporaryFolder folder;
  EXPECT_THROW(open_video(plan_for(folder.path() / "new" / std::string(300, 'x') / "%d.png")),
               Error);
  EXPECT_EQ(fs::directory_iterator(folder.path()), fs::directory_iterator());
}

// Why the plan is refused; empty: it is not.
std::string why(const VideoPlan& plan) {
  try {
    check_plan(plan);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(VideoPlan, NamesThePackageOfAFormatThatIsAbsent) {
  for (const auto& [file, package] : {std::pair{"a.webp", "libwebp-dev"}, {"a.gif", "libgif-dev"}})
    EXPECT_EQ(why(plan_for(file)).find(package) == std::string::npos, can_decode(file))
        << why(plan_for(file));
}

TEST(VideoPlan, RefusesWhatCannotBeHad) {
  VideoPlan plan = plan_for("a/frame-%04d.png");
  EXPECT_EQ(why(plan), "");
  for (const char* file : {"a.mp4", "a", ".webp", "a.png", "a-%s.png", "a-%d-%d.png", "a-%.png",
                           "a-%4d.png", "a-%00d.png", "a%d/b.png"}) {
    plan.file = file;
    EXPECT_NE(why(plan).find("not the name of a video"), std::string::npos)
        << file << ": " << why(plan);
  }
  plan = plan_for("%d.png");
  plan.seconds = 600.0;
  plan.rate = 60.0;
  EXPECT_NE(why(plan).find("36000 frames are too many"), std::string::npos) << why(plan);
  plan.seconds = 100.0;
  plan.width = plan.height = 2000;
  EXPECT_NE(why(plan).find("billion pixels"), std::string::npos) << why(plan);
  plan = plan_for("%d.png");
  plan.width = VideoPlan::largest_side + 1;
  EXPECT_NE(why(plan), "");
  plan = plan_for("%d.png");
  plan.rate = 61.0;
  EXPECT_NE(why(plan), "");
  plan = plan_for("%d.png");
  plan.seconds = 0.05;
  EXPECT_NE(why(plan).find("0.05 seconds is out of range"), std::string::npos) << why(plan);
  plan = plan_for("a.gif");
  plan.rate = 60.0;
  EXPECT_NE(why(plan), "") << "browsers show it slowly";
  plan.rate = 25.0;
  plan.transparent = true;
  EXPECT_NE(why(plan), "");
}

TEST(Palette, HasTheColoursThatAreThere) {
  Picture picture{2, 2, {}};
  picture.rgba = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 9, 9, 9, 255};
  const std::vector<bool> all(4, true);
  const std::vector<Colour8> palette = palette_of(picture, all, 255);
  ASSERT_EQ(palette.size(), 4U);
  for (const Colour8 colour : {Colour8{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {9, 9, 9}})
    EXPECT_NE(std::find(palette.begin(), palette.end(), colour), palette.end());
  EXPECT_EQ(palette_of(picture, {true, false, false, false}, 255),
            (std::vector<Colour8>{{255, 0, 0}}));
  EXPECT_EQ(palette_of(picture, all, 2).size(), 2U);
  EXPECT_EQ(palette_of(picture, std::vector<bool>(4, false), 255).size(), 1U);
}

TEST(Palette, DithersSoThatTheMeanStays) {
  constexpr int side = 128;
  const std::vector<bool> all(side * side, true);
  // Were any part of the errors lost, no pixel of the darkest would become white.
  for (const std::uint8_t grey : {6, 100, 200}) {
    Picture picture{side, side, {}};
    for (int i = 0; i < side * side; ++i)
      picture.rgba.insert(picture.rgba.end(), {grey, grey, grey, 255});
    const std::vector<std::uint8_t> indices =
        dithered(picture, all, {0, 0, side, side}, {{0, 0, 0}, {255, 255, 255}}, 255);
    const auto white = std::count(indices.begin(), indices.end(), 1);
    EXPECT_NEAR(255.0 * static_cast<double>(white) / (side * side), grey, 2.0);
  }
}

TEST(Palette, LeavesOutWhatDoesNotCount) {
  Picture picture{2, 1, {}};
  picture.rgba = {9, 9, 9, 255, 9, 9, 9, 255};
  EXPECT_EQ(dithered(picture, {true, false}, {0, 0, 2, 1}, {{9, 9, 9}}, 255),
            (std::vector<std::uint8_t>{0, 255}));
}

TEST(Turntable, GoesOnceAroundTheModel) {
  for (const UpAxis up : {UpAxis::y, UpAxis::z}) {
    Camera first;
    first.up_axis = up;
    first.fit({{-1, -2, -3}, {5, 2, 1}}, 1.5F);
    first.pan(0.1F, 0.2F);
    constexpr std::uint64_t frames = 12;
    EXPECT_EQ(turned(first, 0, frames), first);
    float least = 1e9F;
    for (std::uint64_t i = 0; i < frames; ++i) {
      const glm::vec3 one = turned(first, i, frames).eye();
      const glm::vec3 next = turned(first, i + 1, frames).eye();
      // Equal steps, at one height and one distance from the middle.
      EXPECT_NEAR(glm::length(next - one),
                  glm::length(turned(first, 1, frames).eye() - first.eye()), 1e-3F);
      EXPECT_NEAR(glm::length(one - first.scene_centre),
                  glm::length(first.eye() - first.scene_centre), 1e-3F);
      if (i > 0) least = std::min(least, glm::length(one - first.eye()));
    }
    EXPECT_GT(least, 0.1F) << "no frame is shown twice";
    EXPECT_NEAR(glm::length(turned(first, frames, frames).eye() - first.eye()), 0.0F, 1e-3F);
    // Half the way around, it is on the other side.
    const glm::vec3 across = turned(first, frames / 2, frames).eye() - first.scene_centre;
    const glm::vec3 here = first.eye() - first.scene_centre;
    EXPECT_NEAR(across.x, -here.x, 1e-3F);
  }
}

// A long box seen from its end is near; from its side it would not be in the view.
TEST(Turntable, SeesAllOfTheModelFromAllSides) {
  const Aabb box{{-10, -1, -1}, {10, 1, 1}};
  Camera camera;
  camera.look_from(Side::right);
  camera.fit(box, 1.0F);
  const Camera wide = fitted_all_around(camera, box, 1.0F);
  for (std::uint64_t i = 0; i < 24; ++i) {
    Camera there = turned(wide, i, 24);
    there.fit(box, 1.0F);
    EXPECT_LE(there.distance, 1.001F * wide.distance) << i;
  }
  EXPECT_GT(wide.distance, 1.2F * camera.distance);
}

}  // namespace
}  // namespace warpview::test
