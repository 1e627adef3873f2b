// A session with a model, on one of the backends, that is drawn without a window.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/session.h"
#include "gpu/runtime/backends.h"
#include "tests/app/program.h"
#include "tests/render/gl_test.h"
#include "tests/support/devices.h"
#include "tests/support/small_device.h"

namespace warpview::test {

inline constexpr const char* sphere_of_2000 = "generated:sphere:2000";
// Bytes: room for the standard scene of some 1100 triangles, not for two.
inline constexpr std::uint64_t little = 3'300'000;
inline constexpr double time_step = 1.0 / 60.0;
inline constexpr int picture_side = 96;

// A mesh, with what is set and shown of its scene.
inline SceneDescription describe(const std::string& spec,
                                 const std::vector<std::string>& settings = {},
                                 std::optional<std::vector<std::string>> show = {}) {
  SceneDescription description = describe_scene({spec});
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    description.controls.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
  }
  description.show = std::move(show);
  return description;
}

// What a user does with a model.
inline void set(Model& model, const std::string& setting) { model.controls.set(setting); }
inline void show(Model& model, const std::vector<std::string>& names) {
  for (OutputRow& output : model.outputs)
    output.shown = std::find(names.begin(), names.end(), output.name) != names.end();
}
inline StageRow& stage(Model& model, const std::string& name) {
  for (StageRow& row : model.stages)
    if (row.result->name == name) return row;
  throw std::logic_error("no stage " + name);
}
inline void repeat(Model& model, const std::vector<std::string>& stages) {
  for (const std::string& each : stages) model.requests.add(request::Repeat{each});
}
// Those whose times are known, the cold one among them.
inline std::size_t runs(const StageRow& row) {
  return row.result->milliseconds.size() + (row.result->cold_ms ? 1 : 0);
}
inline void choose(Model& model, const std::string& name, const std::string& variant) {
  StageRow& row = stage(model, name);
  row.variant = find_variant(*row.result->primitive, variant);
}
inline std::uint64_t count(const Model& model, const std::string& name) {
  for (const Fact& fact : model.results->facts)
    if (fact.name == name) return std::get<std::uint64_t>(fact.value);
  ADD_FAILURE() << "there is no fact " << name;
  return 0;
}
inline bool has_message(const Model& model, Message::Kind kind) {
  return std::any_of(model.messages.begin(), model.messages.end(),
                     [kind](const Message& message) { return message.kind == kind; });
}

// A session that goes on by itself, and the viewer's loop.
struct SessionInWindow {
  Model model;
  Session session;
  bool has_picture = false;

  explicit SessionInWindow(std::unique_ptr<Device> device, Session::DeviceOpener opener = {})
      : session(model, {}, std::move(device), GlTest::context().shared(), Session::Mode::window, {},
                std::move(opener)) {
    session.set_view(picture_side, picture_side);
  }
  // Throws, and so fails the test, where it is not so after minutes: a hang would say nothing.
  template <class Condition>
  void until(Condition&& condition) {
    constexpr std::chrono::minutes patience(5);
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > end)
        throw std::runtime_error(
            "the session never came to what is waited for; its last message: " +
            (model.messages.empty() ? std::string("none") : model.messages.back().text));
      session.update();
      has_picture |= session.picture() != nullptr;
      std::this_thread::sleep_for(std::chrono::microseconds(200));  // the cores are for the stages
    }
  }
  void open(const SceneDescription& description) {
    model.requests.add(request::Open{description});
    until([this] {
      return (!model.scene_name.empty() && model.results->frames > 0) || !model.messages.empty();
    });
  }
  // In place of what is open.
  void open_next(SceneDescription description) {
    const std::uint64_t before = model.scene_number;
    model.requests.add(request::Open{std::move(description)});
    until([&] { return model.scene_number != before; });
  }
  std::uint64_t frames() const { return model.results->frames; }
};

// A session without a window, with what belongs to it.
struct Opened {
  Model model;
  Session session;

  explicit Opened(std::unique_ptr<Device> device, const Options& options = {})
      : session(model, options, std::move(device), GlTest::context().shared(),
                Session::Mode::headless) {
    session.set_view(picture_side, picture_side);
  }

  void open(const std::string& spec) { session.open(describe_scene({spec})); }
  Picture picture() {
    session.advance(time_step);
    session.draw();
    return session.read_back();
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

}  // namespace warpview::test
