// What OpenGL draws is held against a sequential reference: a wrong word anywhere is noticed.
#include "scenes/parts/drawn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "scenes/parts/deform_reference.h"
#include "tests/scenes/meshes.h"
#include "tests/scenes/scene_test.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

constexpr std::uint32_t spoiled = 0x5a5a5a5aU;
constexpr std::uint32_t flipped = 0x40000000U;  // more than any rounding

// A mesh with all that can be drawn of one.
Mesh full_mesh() {
  Mesh mesh = sphere(200);
  mesh.corner_colours.resize(mesh.corners.size());
  for (std::size_t i = 0; i < mesh.corner_colours.size(); ++i)
    mesh.corner_colours[i] = 0xff000000U + static_cast<std::uint32_t>(i);
  for (std::uint32_t i = 0; i < 7; ++i)
    mesh.points.push_back({{0.1F * static_cast<float>(i), 1.5F, 0.0F}, 0xff000000U + i});
  for (std::uint32_t i = 0; i < 10; ++i)
    mesh.line_ends.push_back({{0.1F * static_cast<float>(i), -1.5F, 0.0F}, 0xff0000ffU + i});
  return mesh;
}

// The scene as it begins, but as small as it may be, once for each of its colours; and its mesh as
// it moves, if it can.
std::vector<Controls> settings_of(const SceneKind& kind) {
  Controls usual(kind.controls);
  if (kind.size_control) {
    const std::size_t size = usual.find(kind.size_control);
    usual.set(size, usual.all()[size].least);
  }
  std::vector<Controls> all = {usual};
  for (std::size_t i = 0; i < usual.size(); ++i) {
    const std::string name = usual.all()[i].name;
    if (name != "colour_by" && name != "colour" && name != "motion" && name != "animation" &&
        name != "shape")
      continue;
    for (std::size_t choice = 1; choice < usual.all()[i].choices.size(); ++choice) {
      all.push_back(usual);
      all.back().set(i, static_cast<double>(choice));
    }
  }
  return all;
}

// So that the outputs of what is picked are drawn.
void pick_something(Scene& scene) {
  const Aabb box = scene.bounds();
  const Vec3 size = box.max - box.min;
  for (int k = 0; k < 81; ++k) {
    const float right = 0.1F + 0.1F * static_cast<float>(k % 9);
    const float up = 0.1F + 0.1F * static_cast<float>(k / 9);
    const Vec3 from = {box.min.x + right * size.x, box.min.y + up * size.y, box.max.z + size.z};
    for (const Fact& fact : scene.pick({from, {0.0F, 0.0F, -1.0F}}).facts)
      if (fact.name == "pick.leaf") return;
  }
}

std::uint32_t& word_of(std::vector<std::byte>& bytes, std::size_t word) {
  return reinterpret_cast<std::uint32_t*>(bytes.data())[word];
}

// How many words of a stream were written.
std::size_t written_words(std::vector<std::byte>& bytes) {
  std::size_t words = bytes.size() / sizeof(std::uint32_t);
  while (words > 0 && word_of(bytes, words - 1) == spoiled) --words;
  return words;
}

void expect_noticed(Scene& scene, const Drawn& drawn, std::uint32_t& word, const char* where) {
  const std::uint32_t before = word;
  word ^= flipped;
  EXPECT_NE(scene.check_drawn(drawn), "") << where;
  word = before;
}

// The streams of which a wrong word was tried.
std::set<std::string> expect_words_noticed(Scene& scene) {
  std::set<std::string> tried;
  Drawn drawn = scene.drawn();
  EXPECT_EQ(scene.check_drawn(drawn), "");
  for (std::size_t stream = 0; stream < drawn.streams.size(); ++stream) {
    const std::string& name = scene.streams()[stream].name;
    SCOPED_TRACE(name);
    const std::size_t words = written_words(drawn.streams[stream]);
    if (words == 0) continue;
    tried.insert(name);
    for (const std::size_t word : std::set<std::size_t>{0, words / 2, words - 1})
      expect_noticed(scene, drawn, word_of(drawn.streams[stream], word), "a word of a stream");
  }
  for (DrawCommand& command : drawn.commands)
    for (std::uint32_t* const word : {&command.count, &command.instances, &command.first,
                                      &command.base_vertex, &command.base_instance})
      expect_noticed(scene, drawn, *word, "a word of a draw command");
  return tried;
}

TEST(Drawn, AWrongWordOfAnyStreamOrCommandIsNoticed) {
  Device& device = *few_devices().front().device;
  for (const SceneKind& kind : scene_kinds()) {
    SCOPED_TRACE(kind.name);
    if (kind.draws_pictures) continue;
    std::set<std::string> tried, all;
    for (const Controls& controls : settings_of(kind)) {
      const auto scene = make_scene(kind, device, full_mesh(), controls);
      load(*scene);
      if (!scene->timeline().find("write")) break;
      const Targets targets(*scene);
      run(*scene, targets.all());
      pick_something(*scene);
      run(*scene, targets.all());
      tried.merge(expect_words_noticed(*scene));
      for (const StreamInfo& stream : scene->streams())
        if (stream.capacity > 0) all.insert(stream.name);
    }
    EXPECT_EQ(tried, all);
  }
}

// Where there is nothing to draw, OpenGL's memory may be there or not.
TEST(Drawn, NothingIsDrawnOfAnEmptyMesh) {
  Device& device = *few_devices().front().device;
  for (const SceneKind& kind : scene_kinds()) {
    SCOPED_TRACE(kind.name);
    if (kind.draws_pictures) continue;
    const auto scene = make_scene(kind, device, sphere(0), settings_of(kind).front());
    load(*scene);
    expect_sound(*scene);
    const Targets targets(*scene);
    Frame frame = targets.all();
    const Buffer<std::byte> some(device, 64);
    for (void*& target : frame.targets)
      if (!target) target = some.data();
    run(*scene, frame);
    expect_sound(*scene);
  }
}

TEST(Drawn, EveryStageThatWritesOrDeformsIsVerified) {
  Device& device = *few_devices().front().device;
  for (const SceneKind& kind : scene_kinds())
    for (const Controls& controls : settings_of(kind)) {
      SCOPED_TRACE(kind.name);
      if (kind.draws_pictures) continue;
      const auto scene = make_scene(kind, device, full_mesh(), controls);
      load(*scene);
      const Targets targets(*scene);
      run(*scene, targets.all());
      std::set<std::string> ran, verified;
      for (const StageResult& report : scene->timeline().stage_results())
        if (report.runs > 0) ran.insert(report.name);
      for (const Check& check : scene->verify()) {
        EXPECT_EQ(check.difference, "") << check.stage;
        verified.insert(check.stage);
      }
      for (const char* stage : {"write", "deform", "turn"})
        EXPECT_EQ(verified.count(stage), ran.count(stage)) << stage;
    }
}

// drawn() leaves the scene as it was: facts, and the frame that follows.
TEST(Drawn, ChangesNothing) {
  Device& device = *few_devices().front().device;
  for (const SceneKind& kind : scene_kinds()) {
    if (kind.draws_pictures) continue;
    SCOPED_TRACE(kind.name);
    Controls controls = settings_of(kind).front();
    for (std::size_t i = 0; i < controls.size(); ++i)
      if (controls.all()[i].name == std::string("deterministic")) controls.set(i, 1.0);
    const auto a = make_scene(kind, device, full_mesh(), controls);
    const auto b = make_scene(kind, device, full_mesh(), controls);
    const Targets targets_a(*a);
    const Targets targets_b(*b);
    load(*a);
    load(*b);
    for (const double seconds : {time_step, 0.0, time_step}) {
      run(*a, targets_a.all(seconds));
      run(*b, targets_b.all(seconds));
      a->drawn();
      a->collect();
      expect_alike(*a, targets_a, *b, targets_b);
    }
  }
}

// Waves that are shorter than the mesh is thin, and places that are rounded much.
TEST(Deformed, AWrongPlaceOrNormalIsNoticed) {
  const Mesh mesh = sphere(200);
  const std::vector<Vertex> rest(mesh.corners.begin(), mesh.corners.end());
  for (const float waves : {0.0F, 3.0F, 80.0F}) {
    const Deformation how{.axis = 1, .direction = 0, .amplitude = 0.1F, .wave_number = waves};
    std::vector<Vertex> deformed = rest;
    for (Vertex& vertex : deformed) {
      const float angle = waves * vertex.position.y;
      vertex.position.x += 0.1F * std::sin(angle);
      // The inverse transpose of a shear of x along y.
      vertex.normal.y -= 0.1F * waves * std::cos(angle) * vertex.normal.x;
      vertex.normal = vertex.normal * (1.0F / std::sqrt(dot(vertex.normal, vertex.normal)));
    }
    EXPECT_EQ(check_deformed(rest, deformed, how), "") << waves;
    for (const std::size_t at : {std::size_t{0}, rest.size() / 2, rest.size() - 1}) {
      std::vector<Vertex> wrong = deformed;
      wrong[at].position.z += 1e-3F;
      EXPECT_NE(check_deformed(rest, wrong, how), "") << waves;
      wrong = deformed;
      wrong[at].normal = wrong[at].normal * -1.0F;
      EXPECT_NE(check_deformed(rest, wrong, how), "") << waves;
    }
    EXPECT_NE(check_deformed(rest, std::vector<Vertex>(rest.size() - 1), how), "");
  }
}

}  // namespace
}  // namespace warpview::test
