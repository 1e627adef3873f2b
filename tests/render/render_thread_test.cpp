// The thread that draws, with a test in the place of what computes and of the window.
#include "app/render/render_thread.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <filesystem>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "gl_test.h"
#include "gpu/runtime/error.h"
#include "gpu/runtime/vertex.h"
#include "held_slices.h"
#include "square_scene.h"
#include "tests/support/host_device.h"

namespace warpview {
namespace {

using namespace test;

// What the thread tells.
class News {
 public:
  std::function<void()> listener() {
    return [this] {
      const std::lock_guard lock(mutex_);
      ++count_;
      changed_.notify_all();
    };
  }
  // Until it was told something for the n-th time.
  void wait_for(int n) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this, n] { return count_ >= n; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

class RenderThreadTest : public GlTest {
 protected:
  std::unique_ptr<RenderThread> start(RenderThread::Pictures pictures,
                                      InteropRequest interop = InteropRequest::automatic) {
    return std::make_unique<RenderThread>(context().shared(), device_, interop, pictures,
                                          news_.listener());
  }
  std::unique_ptr<RenderThread> on_demand() { return start(RenderThread::Pictures::on_demand); }
  // A thread that draws by itself, with a scene and a view of it, but no frame.
  std::unique_ptr<RenderThread> by_itself() {
    auto render = start(RenderThread::Pictures::by_themselves);
    render->set_scene(square_scene(), {});
    render->set_view(view_of({true, false}));
    return render;
  }
  static Picture draw(RenderThread& render, const View& view) {
    render.set_view(view);
    render.draw_now();
    return render.read_back();
  }
  // As the window does: asks until there is another picture than this one, which no next one is
  // drawn over. A GPU may still be drawing when the news comes.
  static const Framebuffer* take_other(RenderThread& render, const Framebuffer* than) {
    for (;;) {
      const Framebuffer* const picture = render.take_picture();
      if (picture != than) return picture;
      std::this_thread::yield();
    }
  }
  // Whatever the thread was asked before is done then.
  static void catch_up(RenderThread& render) {
    for (int i = 0; i < 20; ++i) render.read_back();
  }

  News news_;
  HostDevice device_;
};

// --- On demand

TEST_F(RenderThreadTest, DrawsWhatWasPublished) {
  const auto render = on_demand();
  EXPECT_EQ(render->interop().mode, InteropMode::direct);
  EXPECT_EQ(render->gl_renderer(), context().renderer());
  const Picture empty = draw(*render, view_of({true, true}));
  EXPECT_EQ(empty.width, picture_side);
  EXPECT_EQ(empty.height, picture_side);

  render->set_scene(square_scene(), {});
  EXPECT_EQ(draw(*render, view_of({true, true})).rgba, empty.rgba) << "no frame yet";
  run_frame(*render, 0.5F);
  const Picture small = draw(*render, view_of({true, false}));
  run_frame(*render, 0.9F);
  const Picture large = draw(*render, view_of({true, false}));
  EXPECT_GT(compare_images(small, empty), 0.03);
  EXPECT_GT(compare_images(large, empty), compare_images(small, empty));
  const Picture box = draw(*render, view_of({false, true}));
  EXPECT_GT(compare_images(box, empty), 0.01);
  EXPECT_NE(box.rgba, large.rgba);
  EXPECT_EQ(draw(*render, view_of({false, false})).rgba, empty.rgba);
  EXPECT_EQ(draw(*render, view_of({})).rgba, empty.rgba);
  EXPECT_EQ(draw(*render, view_of({true, false})).rgba, large.rgba);
  EXPECT_EQ(render->statistics().pictures, 8U);
  EXPECT_GT(render->statistics().draw_ms, 0.0);
  EXPECT_EQ(render->take_error(), "");
}

// Outputs are drawn in the style of the frame that was published with them.
TEST_F(RenderThreadTest, StylesComeWithTheirFrame) {
  const auto render = on_demand();
  render->set_scene(square_scene(), {});
  const auto picture = [&](std::uint32_t level) {
    write(render->map(all_streams), 0.9F);
    render->publish(written(level));
    return draw(*render, view_of({true, true}));
  };
  const Picture first = picture(0);
  const Picture third = picture(3);
  EXPECT_NE(third.rgba, first.rgba);
  EXPECT_EQ(picture(3).rgba, third.rgba);
  EXPECT_EQ(picture(0).rgba, first.rgba);
  // A frame that is given up takes its style with it.
  write(render->map(all_streams), 0.9F);
  render->abandon();
  EXPECT_EQ(draw(*render, view_of({true, true})).rgba, first.rgba);
}

TEST_F(RenderThreadTest, StreamsAreMappedWhereTheyAreWanted) {
  const auto render = on_demand();
  render->set_scene(square_scene(), {});
  const Picture empty = draw(*render, view_of({true, true}));
  const RenderThread::Targets first = render->map({true, true, true, false});
  EXPECT_NE(first.streams[vertex_stream], nullptr);
  EXPECT_NE(first.streams[index_stream], nullptr);
  EXPECT_EQ(first.streams[box_stream], nullptr);
  EXPECT_NE(first.commands, nullptr);
  write(first, 0.5F);
  render->publish(written());
  EXPECT_EQ(draw(*render, view_of({false, true})).rgba, empty.rgba) << "there are no boxes yet";

  const RenderThread::Targets second = render->map(all_streams);
  EXPECT_EQ(second.streams[index_stream], nullptr) << "written once and for all";
  EXPECT_EQ(second.streams[material_stream], nullptr);
  EXPECT_NE(second.streams[box_stream], nullptr);
  EXPECT_NE(second.streams[vertex_stream], first.streams[vertex_stream]);
  write(second, 0.5F);
  render->publish(written());
  const Picture square = draw(*render, view_of({true, false}));
  EXPECT_GT(compare_images(square, empty), 0.03);
  EXPECT_GT(compare_images(draw(*render, view_of({false, true})), empty), 0.01);

  // What a later frame leaves out no longer belongs to the picture.
  run_frame(*render, 0.5F, {false, false, false, true});
  EXPECT_EQ(draw(*render, view_of({true, false})).rgba, empty.rgba);
  run_frame(*render, 0.5F);
  EXPECT_EQ(draw(*render, view_of({true, false})).rgba, square.rgba);
}

TEST_F(RenderThreadTest, AnAbandonedFrameIsNeverSeen) {
  const auto render = on_demand();
  render->set_scene(square_scene(), {});
  run_frame(*render, 0.5F);
  const Picture before = draw(*render, view_of({true, true}));
  for (int i = 0; i < 5; ++i) {
    write(render->map(all_streams), 0.9F);
    render->abandon();
    EXPECT_EQ(draw(*render, view_of({true, true})).rgba, before.rgba);
  }
  run_frame(*render, 0.9F);
  EXPECT_NE(draw(*render, view_of({true, true})).rgba, before.rgba);
}

TEST_F(RenderThreadTest, AnAbandonedFirstFrameShowsNothing) {
  const auto render = on_demand();
  const Picture empty = draw(*render, view_of({true, true}));
  render->set_scene(square_scene(), {});
  write(render->map(all_streams), 0.9F);
  render->abandon();
  EXPECT_EQ(draw(*render, view_of({true, true})).rgba, empty.rgba);
  const RenderThread::Targets again = render->map(all_streams);
  EXPECT_NE(again.streams[index_stream], nullptr) << "what is written once was not written";
  write(again, 0.9F);
  render->publish(written());
  EXPECT_NE(draw(*render, view_of({true, true})).rgba, empty.rgba);
}

TEST_F(RenderThreadTest, ASceneThatCannotBeDrawnChangesNothing) {
  const auto render = on_demand();
  render->set_scene(square_scene(), {});
  run_frame(*render, 0.5F);
  const Picture before = draw(*render, view_of({true, false}));
  SurfaceLook wrong;
  wrong.materials.resize(1);
  wrong.materials[0].texture = 3;
  wrong.materials[0].base_colour = {1, 0, 0};
  DrawnScene other = square_scene();
  other.streams.pop_back();
  other.outputs.pop_back();
  EXPECT_THROW(render->set_scene(other, wrong), Error);
  EXPECT_EQ(draw(*render, view_of({true, false})).rgba, before.rgba);
  EXPECT_EQ(render->map(all_streams).streams.size(), 4U);
  render->abandon();
  EXPECT_EQ(draw(*render, view_of({true, false})).rgba, before.rgba);
}

TEST_F(RenderThreadTest, ASceneThatIsGivenUpLeavesItsPicture) {
  const auto render = on_demand();
  const Picture empty = draw(*render, view_of({true, false}));
  render->set_scene(square_scene(), {});
  run_frame(*render, 0.5F);
  const Picture before = draw(*render, view_of({true, false}));
  render->clear_scene();
  EXPECT_EQ(render->read_back().rgba, before.rgba);
  EXPECT_EQ(draw(*render, view_of({true, false})).rgba, empty.rgba);
  render->publish(written());  // of a frame that came too late
  render->abandon();
  render->set_scene(square_scene(), {});
  run_frame(*render, 0.5F);
  EXPECT_EQ(draw(*render, view_of({true, false})).rgba, before.rgba);
}

TEST_F(RenderThreadTest, WithoutMemoryForAStreamTheLastFrameStays) {
  const auto render = on_demand();
  DrawnScene scene = square_scene();
  scene.streams[box_stream].capacity = std::uint64_t{1} << 50U;
  render->set_scene(scene, {});
  const std::vector<bool> square = {true, true, true, false};
  run_frame(*render, 0.5F, square);
  const Picture before = draw(*render, view_of({true, false}));
  EXPECT_THROW(render->map(all_streams), Error);
  EXPECT_EQ(draw(*render, view_of({true, false})).rgba, before.rgba);
  run_frame(*render, 0.9F, square);
  EXPECT_NE(draw(*render, view_of({true, false})).rgba, before.rgba);
}

TEST_F(RenderThreadTest, CopiedFramesLookLikeDirectOnes) {
  std::vector<Picture> pictures;
  for (const InteropRequest interop : {InteropRequest::direct, InteropRequest::copy}) {
    const auto render = start(RenderThread::Pictures::on_demand, interop);
    render->set_scene(square_scene(), {});
    for (const float size : {0.9F, 0.3F, 0.6F}) run_frame(*render, size);
    pictures.push_back(draw(*render, view_of({true, true})));
  }
  EXPECT_EQ(pictures[0].rgba, pictures[1].rgba);
}

TEST_F(RenderThreadTest, WhatIsImpossibleIsRefused) {
  HostDevice elsewhere(Backend::cuda);
  EXPECT_THROW(RenderThread(context().shared(), elsewhere, InteropRequest::direct,
                            RenderThread::Pictures::on_demand),
               UnavailableError);
  const RenderThread copied(context().shared(), elsewhere, InteropRequest::automatic,
                            RenderThread::Pictures::on_demand);
  EXPECT_EQ(copied.interop().mode, InteropMode::copy);
}

TEST_F(RenderThreadTest, ItsTextureIsThereForOtherContexts) {
  const auto render = on_demand();
  render->set_scene(square_scene(), {});
  run_frame(*render, 0.5F);
  const Picture expected = draw(*render, view_of({true, true}));
  const GLuint texture = render->texture_now();
  Picture seen = expected;
  glGetTextureImage(texture, 0, GL_RGBA, GL_UNSIGNED_BYTE, static_cast<GLsizei>(seen.rgba.size()),
                    seen.rgba.data());
  // OpenGL's first row is the lowest.
  for (std::size_t y = 0; y < picture_side; ++y)
    EXPECT_TRUE(
        std::equal(seen.rgba.begin() + static_cast<std::ptrdiff_t>(4 * picture_side * y),
                   seen.rgba.begin() + static_cast<std::ptrdiff_t>(4 * picture_side * (y + 1)),
                   expected.rgba.begin() +
                       static_cast<std::ptrdiff_t>(4 * picture_side * (picture_side - 1 - y))));
}

// --- Files

struct Saved {
  std::string text;
  bool failed = false;
};
Saved save(RenderThread& render, const std::string& file, const View& view) {
  std::promise<Saved> saved;
  render.save_view(file, view, [&saved](std::string text, bool failed) {
    saved.set_value({std::move(text), failed});
  });
  return saved.get_future().get();
}

// As the last picture, or otherwise.
TEST_F(RenderThreadTest, SavesWhatAViewShows) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "warpview_render_thread";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const auto render = on_demand();
  const Saved none = save(*render, folder / "none.png", view_of({true, true}));
  EXPECT_TRUE(none.failed);
  EXPECT_FALSE(std::filesystem::exists(folder / "none.png"));

  render->set_scene(square_scene(), {});
  run_frame(*render, 0.5F);
  const Picture picture = draw(*render, view_of({true, true}));
  const Saved saved = save(*render, folder / "picture.png", view_of({true, true}));
  EXPECT_FALSE(saved.failed) << saved.text;
  EXPECT_NE(saved.text.find("picture.png"), std::string::npos);
  EXPECT_EQ(read_png(folder / "picture.png").rgba, picture.rgba);

  // Though the last picture is half as large, of a frame before, or could not be drawn at all.
  const auto is_whole = [&](const Picture& whole) {
    EXPECT_FALSE(save(*render, folder / "whole.png", view_of({true, true})).failed);
    return read_png(folder / "whole.png").rgba == whole.rgba;
  };
  draw(*render, view_of({true, true}, picture_side / 2, picture_side / 2));
  EXPECT_TRUE(is_whole(picture));
  draw(*render, view_of({true, true}));
  run_frame(*render, 0.8F);
  EXPECT_FALSE(is_whole(picture)) << "of the frame before";
  EXPECT_TRUE(is_whole(draw(*render, view_of({true, true}))));
  const Picture later = draw(*render, view_of({true, true}));
  EXPECT_ANY_THROW(draw(*render, view_of({true, true}, 1 << 30, picture_side)));
  EXPECT_TRUE(is_whole(later));

  const Saved nowhere = save(*render, folder / "no" / "such.png", view_of({true, true}));
  EXPECT_TRUE(nowhere.failed);
  EXPECT_NE(nowhere.text.find("such.png"), std::string::npos);
}

// --- By themselves

TEST_F(RenderThreadTest, APictureComesWhenTheViewChanges) {
  const auto render = start(RenderThread::Pictures::by_themselves);
  EXPECT_EQ(render->take_picture(), nullptr);
  render->set_view(view_of({true, true}));
  news_.wait_for(1);
  const Framebuffer* picture = take_other(*render, nullptr);
  EXPECT_EQ(picture->width(), picture_side);
  EXPECT_EQ(render->take_picture(), picture) << "it stays until there is another";

  render->set_view(view_of({true, true}));  // the same
  catch_up(*render);
  EXPECT_EQ(render->statistics().pictures, 1U);

  render->set_view(view_of({true, true}, 2 * picture_side, picture_side));
  news_.wait_for(2);
  picture = take_other(*render, picture);
  EXPECT_EQ(picture->width(), 2 * picture_side);

  // Of views that come faster than they are taken the last one counts.
  for (int width = picture_side; width < picture_side + 50; ++width)
    render->set_view(view_of({}, width, picture_side));
  while (picture->width() != picture_side + 49) picture = take_other(*render, picture);
}

TEST_F(RenderThreadTest, APictureIsOvertakenUntilABetterOneIsTaken) {
  const auto render = start(RenderThread::Pictures::by_themselves);
  EXPECT_FALSE(render->overtaken()) << "there is no picture";
  render->set_view(view_of({true, true}));
  take_other(*render, nullptr);
  EXPECT_FALSE(render->overtaken());

  // By another view: since the first of several.
  render->set_view(view_of({true, false}));
  const auto since = render->overtaken();
  EXPECT_TRUE(since);
  render->set_view(view_of({false, false}));
  EXPECT_EQ(render->overtaken(), since);
  catch_up(*render);
  EXPECT_EQ(render->overtaken(), since) << "it is drawn, and not taken";
  const auto take_all = [&render] {
    while (render->overtaken()) {
      render->take_picture();
      std::this_thread::yield();
    }
  };
  take_all();

  // By a frame.
  render->set_scene(square_scene(), {});
  catch_up(*render);
  EXPECT_FALSE(render->overtaken());
  run_frame(*render, 0.5F);
  catch_up(*render);
  EXPECT_TRUE(render->overtaken());
  take_all();

  // By what is changed back, whether it is drawn meanwhile or not.
  render->set_view(view_of({true, false}));
  render->set_view(view_of({false, false}));
  take_all();
  // What cannot be drawn is not waited for.
  render->set_view(view_of({}, 1 << 24, 1 << 24));
  while (render->take_error().empty()) {
    render->take_picture();
    std::this_thread::yield();
  }
  EXPECT_FALSE(render->overtaken());
}

TEST_F(RenderThreadTest, NothingIsDrawnOfAViewWithoutSize) {
  const auto render = start(RenderThread::Pictures::by_themselves);
  render->set_view(view_of({true}, 0, picture_side));
  render->set_view(view_of({true}, picture_side, 0));
  std::promise<void> done;
  render->save_view("", view_of({true}), [&done](const std::string&, bool) { done.set_value(); });
  done.get_future().wait();
  EXPECT_EQ(render->statistics().pictures, 0U);
}

TEST_F(RenderThreadTest, APictureComesWithEachFrame) {
  const auto render = by_itself();
  const Framebuffer* picture = nullptr;
  for (std::uint64_t n = 0; n < 10; ++n) {
    run_frame(*render, n % 2 == 0 ? 0.3F : 0.9F);
    news_.wait_for(static_cast<int>(n) + 1);
    picture = take_other(*render, picture);
    EXPECT_EQ(render->statistics().pictures, n + 1);
  }
  // The last picture stays until the next scene's first frame, however the view changes.
  render->set_scene(square_scene(), {});
  render->set_view(view_of({true, true}));
  catch_up(*render);
  EXPECT_EQ(render->statistics().pictures, 10U);
  run_frame(*render, 0.5F);
  take_other(*render, picture);
}

// Else frames would be computed that nobody sees.
TEST_F(RenderThreadTest, NoFrameIsMappedWhileTheLastIsNotDrawn) {
  const auto render = by_itself();
  run_frame(*render, 0.3F);  // drawn, and not taken
  news_.wait_for(1);
  run_frame(*render, 0.6F);  // cannot be drawn before that one is taken
  std::atomic<bool> mapped{false};
  std::thread compute([&] {
    write(render->map(all_streams), 0.9F);
    mapped = true;
    render->publish(written());
  });
  catch_up(*render);
  EXPECT_FALSE(mapped);
  EXPECT_EQ(render->statistics().pictures, 1U);
  const Framebuffer* picture = take_other(*render, nullptr);
  compute.join();
  EXPECT_TRUE(mapped);
  picture = take_other(*render, picture);
  take_other(*render, picture);
  EXPECT_EQ(render->statistics().pictures, 3U);
}

// ---- Pictures of a scene that is about to be replaced

TEST_F(RenderThreadTest, NoPictureOfWhatIsReplacedIsBegun) {
  const auto render = by_itself();
  run_frame(*render, 0.3F);
  const Framebuffer* const first = take_other(*render, nullptr);
  const std::uint64_t pictures = render->statistics().pictures;
  {
    const RenderThread::Replacement replacement(*render);
    for (int i = 0; i < 3; ++i) run_frame(*render, 0.9F);  // none waits for a picture
    render->set_view(view_of({true, true}));
    catch_up(*render);
    EXPECT_EQ(render->statistics().pictures, pictures);
    EXPECT_TRUE(render->overtaken());
  }
  // It has stayed after all.
  take_other(*render, first);
  while (render->overtaken()) render->take_picture();
  EXPECT_GT(render->statistics().pictures, pictures);
  EXPECT_TRUE(render->shows(view_of({true, true})));
}

TEST_F(RenderThreadTest, APictureIsGivenUpAfterItsSliceWhereItsSceneIsReplaced) {
  if (context().renderer().find("llvmpipe") == std::string::npos)
    GTEST_SKIP() << "no software rasteriser";
  constexpr std::uint32_t corners = 600'000;  // ten slices, and as many for the shadow
  test::HeldSlices slices;
  const auto render = start(RenderThread::Pictures::by_themselves);
  DrawnScene scene = square_scene();
  scene.streams[index_stream].capacity = corners;
  scene.streams[material_stream].capacity = corners / 3;
  render->set_scene(std::move(scene), {});
  View view = view_of({true, false});
  render->set_view(view);
  RenderThread::Targets targets = render->map(all_streams);
  write(targets, 0.5F);
  std::memset(targets.streams[index_stream], 0, corners * sizeof(std::uint32_t));
  std::memset(targets.streams[material_stream], 0, corners / 3 * sizeof(std::uint32_t));
  constexpr std::array<std::uint32_t, 6> square = {0, 1, 2, 0, 2, 3};
  std::memcpy(targets.streams[index_stream], square.data(), sizeof square);
  targets.commands[0].count = corners;
  WrittenFrame frame = written();
  frame.commands[0].count = corners;
  render->publish(std::move(frame));
  news_.wait_for(1);
  const Framebuffer* const first = take_other(*render, nullptr);
  const Picture whole = first->read_back();
  slices.count_anew();
  view.camera.orbit(0.3F, 0.0F);
  render->set_view(view);
  const Framebuffer* const second = take_other(*render, first);
  const int all = slices.count();
  ASSERT_GT(all, 10);

  slices.hold();
  view.camera.orbit(-0.3F, 0.0F);
  render->set_view(view);
  slices.wait_for_one();
  {
    const RenderThread::Replacement replacement(*render);
    slices.let_go();
    catch_up(*render);
    EXPECT_EQ(slices.count(), 1);
    EXPECT_EQ(render->take_picture(), second);
  }
  EXPECT_EQ(take_other(*render, second)->read_back().rgba, whole.rgba);
  EXPECT_EQ(slices.count(), 1 + all);
}

TEST_F(RenderThreadTest, ClosingLetsGoWhoeverWaits) {
  const auto render = by_itself();
  run_frame(*render, 0.3F);
  news_.wait_for(1);
  run_frame(*render, 0.6F);
  std::promise<std::string> ended;
  std::thread compute([&] {
    try {
      render->map(all_streams);
      ended.set_value("it was mapped");
    } catch (const Error& error) {
      ended.set_value(error.what());
    }
  });
  render->close();
  EXPECT_NE(ended.get_future().get().find("closing"), std::string::npos);
  compute.join();
  EXPECT_THROW(render->map(all_streams), Error);
}

TEST_F(RenderThreadTest, ItsEndLetsGoWhoeverWaits) {
  for (int round = 0; round < 20; ++round) {
    auto render = by_itself();
    RenderThread& thread = *render;
    run_frame(thread, 0.3F);
    run_frame(thread, 0.6F);
    std::thread compute([&thread] {
      try {
        thread.map(all_streams);
      } catch (const Error&) {  // which is it, is up to the threads
      }
    });
    thread.close();
    compute.join();
    thread.set_view(view_of({true, true}));  // due as it ends
    render.reset();
  }
}

TEST_F(RenderThreadTest, APictureThatCannotBeDrawnIsAnErrorOnce) {
  const auto render = by_itself();
  run_frame(*render, 0.3F);
  news_.wait_for(1);
  const Framebuffer* const picture = take_other(*render, nullptr);
  render->set_view(view_of({true, false}, 1 << 30, picture_side));
  news_.wait_for(2);
  EXPECT_NE(render->take_error(), "");
  EXPECT_EQ(render->take_error(), "");
  EXPECT_NE(render->take_picture(), nullptr) << "the last one stays";
  run_frame(*render, 0.9F);  // tried again: something changed
  news_.wait_for(3);
  EXPECT_NE(render->take_error(), "");
  render->set_view(view_of({true, false}));
  news_.wait_for(4);
  take_other(*render, picture);
  EXPECT_EQ(render->take_error(), "");
}

}  // namespace
}  // namespace warpview
