#include "scenes/async_loader.h"

#include <memory>
#include <string>

#include "scenes/open_scene.h"
#include "tests/scenes/support.h"

namespace warpview {
namespace {

using test::contains;
using test::TempDir;
using State = AsyncLoader::State;

TEST(AsyncLoader, Loads) {
  AsyncLoader loader("generated:sphere:1000");
  EXPECT_EQ(loader.spec(), "generated:sphere:1000");
  loader.wait();
  ASSERT_EQ(loader.state(), State::done);
  EXPECT_EQ(loader.progress(), 1.0F);
  EXPECT_EQ(loader.error(), "");
  EXPECT_EQ(loader.take_mesh().triangle_count(), 1000U);
  EXPECT_THROW(loader.take_mesh(), Error);
}

TEST(AsyncLoader, TellsTheError) {
  const TempDir dir;
  AsyncLoader loader((dir / "absent.obj").string());
  loader.wait();
  ASSERT_EQ(loader.state(), State::failed);
  EXPECT_TRUE(contains(loader.error(), "absent.obj: no such file"));
  EXPECT_THROW(loader.take_mesh(), Error);
}

TEST(AsyncLoader, KeepsTheLimits) {
  AsyncLoader loader("generated:sphere:1000", {.corners = 10});
  loader.wait();
  EXPECT_EQ(loader.state(), State::failed);
}

TEST(AsyncLoader, CanBePolledWhileItLoads) {
  AsyncLoader loader{std::string(default_scene)};
  float last = 0.0F;
  while (loader.state() == State::loading) {
    const float progress = loader.progress();
    EXPECT_GE(progress, last);
    EXPECT_NE(loader.phase(), nullptr);
    last = progress;
  }
  EXPECT_EQ(loader.state(), State::done);
}

// Large enough that reading takes many blocks; whether the request comes in time is up to the
// scheduler, and both ends are right.
std::filesystem::path write_large(const TempDir& dir) {
  std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  for (int i = 0; i < 300'000; ++i) text += "f 1 2 3\n";
  return dir.write("large.obj", text);
}

TEST(AsyncLoader, Cancels) {
  const TempDir dir;
  AsyncLoader loader(write_large(dir).string());
  loader.cancel();
  loader.wait();
  EXPECT_TRUE(loader.state() == State::cancelled || loader.state() == State::done);
  EXPECT_EQ(loader.error(), "");
}

TEST(AsyncLoader, DestructionCancelsAndJoins) {
  const TempDir dir;
  const std::string path = write_large(dir).string();
  for (int i = 0; i < 20; ++i) const AsyncLoader loader(path);
}

}  // namespace
}  // namespace warpview
