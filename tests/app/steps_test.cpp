// One thing that fails keeps no other from being done.
#include "app/common/steps.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/app/session_test.h"

namespace warpview::test {
namespace {

TEST(Steps, AreAllTakenThoughSomeFail) {
  std::string taken;
  std::vector<std::string> failures;
  take_steps([&](const std::exception& error) { failures.emplace_back(error.what()); },
             [&] { taken += 'a'; }, [] { throw std::runtime_error("first"); },
             [&] { taken += 'b'; }, [] { throw std::runtime_error("second"); },
             [&] { taken += 'c'; });
  EXPECT_EQ(taken, "abc");
  EXPECT_EQ(failures, (std::vector<std::string>{"first", "second"}));
}

// The session asks for the kind of what is to be opened before it has a thread for that.
TEST_F(SessionTest, ARequestThatFailsKeepsNoOtherWaiting) {
  Opened opened(open_device(Backend::cpu));
  opened.open(sphere_of_2000);
  opened.picture();
  Model& model = opened.model;
  const float pitch = model.camera.pitch;
  model.messages.clear();
  model.requests.add(request::Open{{.scene = "nowhere"}});
  model.requests.add(request::LookFrom{Side::top});
  model.requests.add(request::Repeat{"sort"});
  const std::size_t before = runs(stage(model, "sort"));
  opened.session.advance(time_step);
  ASSERT_EQ(model.messages.size(), 1U);
  EXPECT_EQ(model.messages[0].kind, Message::Kind::error);
  EXPECT_NE(model.messages[0].text.find("nowhere"), std::string::npos);
  EXPECT_NE(model.camera.pitch, pitch);
  EXPECT_EQ(runs(stage(model, "sort")), before + 1);
  EXPECT_TRUE(model.requests.empty());
}

}  // namespace
}  // namespace warpview::test
