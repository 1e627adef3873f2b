// Scenes as tests run them: made from meshes, drawn into plain device memory.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/runtime/buffer.h"
#include "scenes/scene.h"
#include "tests/support/devices.h"

namespace warpview::test {

inline constexpr double time_step = 1.0 / 60.0;

inline Controls controls_of(const SceneKind& kind, const std::vector<std::string>& settings) {
  Controls controls = kind.initial_controls();
  for (const std::string& setting : settings) controls.set(setting);
  return controls;
}

inline VariantWishes wishes_of(const std::vector<std::string>& assignments) {
  VariantWishes wishes;
  for (const std::string& assignment : assignments) wishes.add(assignment);
  return wishes;
}

inline std::unique_ptr<Scene> make_scene(const SceneKind& kind, Device& device, Mesh mesh,
                                         Controls controls, VariantWishes wishes = {}) {
  return kind.make({device, std::make_shared<const Mesh>(std::move(mesh)), std::move(controls),
                    std::move(wishes)});
}

inline void load(Scene& scene) {
  LoadControl control;
  scene.load(control);
}

inline void expect_sound(Scene& scene) {
  for (const Check& check : scene.verify())
    EXPECT_EQ(check.difference, "") << "stage " << check.stage;
}

// As a user sets them.
inline void set(Scene& scene, const Controls& controls) {
  const Controls before = scene.controls();
  scene.set_controls(controls);
  if (!before.same(controls, Effect::reset)) scene.reset();
}
inline void set(Scene& scene, const std::string& assignment) {
  Controls controls = scene.controls();
  controls.set(assignment);
  set(scene, controls);
}

template <class T>
T fact(const Scene& scene, const std::string& name) {
  for (const Fact& each : scene.facts())
    if (each.name == name) return std::get<T>(each.value);
  ADD_FAILURE() << "there is no fact " << name;
  return {};
}
inline std::uint64_t count(const Scene& scene, const std::string& name) {
  return fact<std::uint64_t>(scene, name);
}

// Memory for all streams of a scene, and for its draw commands, as OpenGL's would be: what a frame
// does not write stays.
class Targets {
 public:
  explicit Targets(Scene& scene) : scene_(scene) {
    Device& device = scene.timeline().device();
    for (const StreamInfo& stream : scene.streams()) streams_.emplace_back(device, stream.bytes());
    commands_ = {device, scene.command_count()};
    clear();
  }

  // So that two runs can be compared in full.
  void clear() const {
    Stream& stream = scene_.timeline().stream();
    for (const Buffer<std::byte>& buffer : streams_)
      if (buffer.size() > 0) stream.fill(buffer.data(), 0x5a, buffer.bytes());
    if (commands_.size() > 0) stream.fill(commands_.data(), 0, commands_.bytes());
    stream.synchronize();
  }

  Frame all(double seconds = time_step) const {
    Frame frame{.seconds = seconds, .targets = {}, .commands = commands_.data()};
    for (const Buffer<std::byte>& buffer : streams_) frame.targets.push_back(buffer.data());
    return frame;
  }
  // Nothing is shown.
  Frame none(double seconds = time_step) const {
    Frame frame{.seconds = seconds, .targets = {}};
    frame.targets.resize(streams_.size());
    return frame;
  }
  // What an output needs.
  Frame only(const Output& output, double seconds = time_step) const {
    Frame frame = none(seconds);
    frame.commands = commands_.data();
    for (const std::size_t stream : output.streams) frame.targets[stream] = streams_[stream].data();
    return frame;
  }

  std::vector<DrawCommand> commands() const {
    return commands_.download(scene_.timeline().stream());
  }
  // The first `count` elements of a stream, all by default.
  template <class T>
  std::vector<T> read(std::size_t stream, std::size_t count = SIZE_MAX) const {
    EXPECT_EQ(sizeof(T), scene_.streams()[stream].element_bytes);
    const std::vector<std::byte> bytes = streams_[stream].download(scene_.timeline().stream());
    std::vector<T> items(std::min(bytes.size() / sizeof(T), count));
    if (!items.empty()) std::memcpy(items.data(), bytes.data(), items.size() * sizeof(T));
    return items;
  }
  // Its elements, byte by byte. Boxes are appended in any order: theirs are sorted.
  std::vector<std::string> elements(std::size_t stream) const {
    const std::size_t size = scene_.streams()[stream].element_bytes;
    const std::vector<std::byte> bytes = streams_[stream].download(scene_.timeline().stream());
    std::vector<std::string> all;
    for (std::size_t at = 0; at + size <= bytes.size(); at += size)
      all.emplace_back(reinterpret_cast<const char*>(bytes.data()) + at, size);
    if (is_unordered(stream)) std::sort(all.begin(), all.end());
    return all;
  }

 private:
  bool is_unordered(std::size_t stream) const {
    return std::any_of(
        scene_.outputs().begin(), scene_.outputs().end(), [stream](const Output& output) {
          return output.kind == OutputKind::boxes &&
                 std::count(output.streams.begin(), output.streams.end(), stream) > 0;
        });
  }

  Scene& scene_;
  std::vector<Buffer<std::byte>> streams_;
  Buffer<DrawCommand> commands_;
};

inline void run(Scene& scene, const Frame& frame) {
  scene.queue(frame);
  scene.collect();
  for (int tries = 0; scene.lacks_room() && tries < 20; ++tries) {
    Frame again = frame;
    again.seconds = 0.0;
    scene.queue(again);
    scene.collect();
  }
  EXPECT_FALSE(scene.lacks_room());
}

// Everything that two runs of the same frames should have left alike. Sums of floating-point
// numbers may have been rounded otherwise.
inline void expect_alike(const Scene& a, const Targets& targets_a, const Scene& b,
                         const Targets& targets_b) {
  for (std::size_t stream = 0; stream < a.streams().size(); ++stream)
    EXPECT_EQ(targets_a.elements(stream), targets_b.elements(stream)) << a.streams()[stream].name;
  const auto same_command = [](const DrawCommand& x, const DrawCommand& y) {
    return std::memcmp(&x, &y, sizeof x) == 0;
  };
  const std::vector<DrawCommand> commands_a = targets_a.commands();
  const std::vector<DrawCommand> commands_b = targets_b.commands();
  ASSERT_EQ(commands_a.size(), commands_b.size());
  for (std::size_t i = 0; i < commands_a.size(); ++i) {
    EXPECT_TRUE(same_command(commands_a[i], commands_b[i])) << "command " << i;
    EXPECT_TRUE(same_command(commands_a[i], a.command_drawn(i))) << "command " << i;
  }
  const std::vector<Fact> facts_a = a.facts();
  const std::vector<Fact> facts_b = b.facts();
  ASSERT_EQ(facts_a.size(), facts_b.size());
  for (std::size_t i = 0; i < facts_a.size(); ++i) {
    SCOPED_TRACE(facts_a[i].name);
    EXPECT_EQ(facts_a[i].name, facts_b[i].name);
    ASSERT_EQ(facts_a[i].value.index(), facts_b[i].value.index());
    if (facts_a[i].unit == std::string("ms")) continue;  // a time
    if (facts_a[i].varies) continue;
    if (const auto* x = std::get_if<double>(&facts_a[i].value)) {
      const double y = std::get<double>(facts_b[i].value);
      EXPECT_NEAR(*x, y, 1e-6 * std::abs(y));
    } else if (const auto* box = std::get_if<Aabb>(&facts_a[i].value)) {
      EXPECT_EQ(std::memcmp(box, &std::get<Aabb>(facts_b[i].value), sizeof *box), 0);
    } else if (const auto* v = std::get_if<Vec3>(&facts_a[i].value)) {
      // A sum in which large numbers cancel.
      const Vec3 off = *v - std::get<Vec3>(facts_b[i].value);
      EXPECT_LE(dot(off, off), 1e-8F);
    } else if (const auto* n = std::get_if<std::uint64_t>(&facts_a[i].value)) {
      EXPECT_EQ(*n, std::get<std::uint64_t>(facts_b[i].value));
    } else {
      EXPECT_EQ(std::get<std::string>(facts_a[i].value), std::get<std::string>(facts_b[i].value));
    }
  }
}

}  // namespace warpview::test
