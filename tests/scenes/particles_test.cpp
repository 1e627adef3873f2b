// The particle scene as a user runs it: with its own mesh or a small one, by frames.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gpu/runtime/error.h"
#include "gpu/steps/particles.h"
#include "scenes/files/open_mesh.h"
#include "scenes/parts/differences.h"
#include "tests/scenes/meshes.h"
#include "tests/scenes/particle_world.h"
#include "tests/scenes/scene_test.h"
#include "tests/support/small_device.h"

namespace warpview::test {
namespace {

const SceneKind& particles() { return *find_scene_kind("particles"); }

std::unique_ptr<Scene> open_particles(Device& device, Mesh mesh,
                                      const std::vector<std::string>& settings,
                                      const std::vector<std::string>& variants = {}) {
  auto scene = make_scene(particles(), device, std::move(mesh), controls_of(particles(), settings),
                          wishes_of(variants));
  load(*scene);
  return scene;
}

std::vector<DrawnSphere> spheres(const Scene& scene, const Targets& targets) {
  for (const Output& output : scene.outputs())
    if (output.kind == OutputKind::spheres) return targets.read<DrawnSphere>(output.streams[0]);
  ADD_FAILURE() << "no spheres are drawn";
  return {};
}

bool is_there(const DrawnSphere& sphere) { return !std::isnan(sphere.centre.x); }

// ---- The box ------------------------------------------------------------------------------------

void expect_inside(const Scene& scene, const Targets& targets, const std::string& when) {
  const auto r = static_cast<float>(fact<double>(scene, "particles.radius"));
  const Vec3 reach = {r, r, r};
  const Vec3 low = scene.bounds().min + reach;
  const Vec3 high = scene.bounds().max - reach;
  for (const DrawnSphere& sphere : spheres(scene, targets)) {
    if (!is_there(sphere)) continue;
    const Vec3 x = sphere.centre;
    ASSERT_TRUE(x.x >= low.x && x.y >= low.y && x.z >= low.z && x.x <= high.x && x.y <= high.y &&
                x.z <= high.z)
        << in_words(x) << " " << when;
  }
}

TEST(ParticlesAfterManySteps, StayInTheBox) {
  const std::vector<std::vector<std::string>> ways = {{"emitter=block"},
                                                      {"emitter=fountain"},
                                                      {"emitter=rain"},
                                                      {"emitter=block", "motion=rocking"},
                                                      {"physics=sample"}};
  for (const TestDevice& on : devices_for_long_runs())
    for (const std::vector<std::string>& way : ways) {
      SCOPED_TRACE(on.name + ", " + way.front() + " " + way.back());
      std::vector<std::string> settings = way;
      settings.insert(settings.end(), {"count=1000"});
      const auto scene = open_particles(*on.device, make_sphere(500), settings, {"cells=hash"});
      const Targets targets(*scene);
      const std::uint64_t substeps =
          way.front() == "physics=sample" ? 1 : count(*scene, "particles.substeps");
      std::uint64_t steps = 0;
      std::uint64_t frame = 0;
      // Those that come layer by layer are all there after ten seconds.
      const std::uint64_t frames = 630;
      for (; steps < 1000 || (way.front() != "emitter=block" && steps < frames * substeps);
           ++frame) {
        run(*scene, targets.all());
        steps += substeps;
        expect_inside(*scene, targets, "after " + std::to_string(steps) + " steps");
        if (testing::Test::HasFatalFailure()) return;
      }
      EXPECT_EQ(count(*scene, "particles.born"), 1000U);
    }
}

// How deep two of those that lie still overlap at most, in radii, and how many lie still. A last
// one that slides off the mesh falls from high above, and comes in deeper than any rests.
struct AtRest {
  double deepest = 0.0;
  std::size_t spheres = 0;
};
AtRest at_rest(const std::vector<DrawnSphere>& all, double radius) {
  constexpr float still = 0.05F;  // of the speed with the last colour
  std::vector<Vec3> places;
  for (const DrawnSphere& sphere : all)
    if (is_there(sphere) && sphere.value < still) places.push_back(sphere.centre);
  std::ranges::sort(places, {}, &Vec3::x);
  double nearest = 2.0 * radius;
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = i + 1; j < places.size() && places[j].x - places[i].x < nearest; ++j)
      nearest = std::min(nearest, double{length(places[j] - places[i])});
  return {(2.0 * radius - nearest) / radius, places.size()};
}

// A pile at rest: the scene as it begins, once it has come down.
TEST(ParticlesAfterManySteps, OverlapByLessThanAFifthOfTheRadius) {
  // Fewer than the scene begins with, unless there is time.
  const bool is_long = std::getenv("WARPVIEW_TEST_LONG") != nullptr;
  const char* spheres_there = is_long ? "count=20000" : "count=4000";
  for (const TestDevice& on : devices_for_long_runs()) {
    LoadControl control;
    const auto scene =
        open_particles(*on.device, open_mesh(std::string(particles().own_mesh), control),
                       {spheres_there}, {"cells=hash"});
    const Targets targets(*scene);
    const double begin = [&] {
      run(*scene, targets.none(0.5));
      for (int frame = 0; frame < 30; ++frame) run(*scene, targets.none());
      run(*scene, targets.all());
      return fact<double>(*scene, "particles.kinetic_energy");
    }();
    for (int frame = 0; frame < 330; ++frame) run(*scene, targets.none());
    for (int frame = 0; frame < 10; ++frame) {
      run(*scene, targets.all());
      EXPECT_LT(fact<double>(*scene, "particles.kinetic_energy"), 0.02 * begin) << on.name;
      EXPECT_GT(fact<double>(*scene, "particles.neighbours"), 3.0) << on.name;
      const AtRest rest =
          at_rest(spheres(*scene, targets), fact<double>(*scene, "particles.radius"));
      EXPECT_LT(rest.deepest, 0.2) << on.name;
      EXPECT_GT(rest.spheres, count(*scene, "particles.born") * 99 / 100) << on.name;
    }
  }
}

// ---- Neighbours ---------------------------------------------------------------------------------

struct NeighbourFacts {
  double neighbours, deepest;
  bool operator==(const NeighbourFacts&) const = default;
};
NeighbourFacts neighbour_facts(const Scene& scene) {
  return {fact<double>(scene, "particles.neighbours"),
          fact<double>(scene, "particles.deepest_overlap")};
}

// A crowd: spheres that are so large for the box that they lie on each other.
std::unique_ptr<Scene> open_crowd(Device& device) {
  return open_particles(device, make_sphere(33),
                        {"physics=sample", "count=1000", "deterministic=on"}, {"cells=sort"});
}

TEST(Particles, HaveTheSameNeighboursWithEveryVariantAndSchedule) {
  std::optional<NeighbourFacts> want;
  for (const TestDevice& on : devices_for(1000)) {
    const auto scene = open_crowd(*on.device);
    const Targets targets(*scene);
    for (int frame = 0; frame < 40; ++frame) run(*scene, targets.none());
    run(*scene, targets.all());
    const NeighbourFacts here = neighbour_facts(*scene);
    EXPECT_GT(here.neighbours, 1.0);
    if (on.device->info().backend == Backend::cpu) {
      if (!want) want = here;
      EXPECT_EQ(here, *want) << on.name;
    }
    Timeline& timeline = scene->timeline();
    const StageId cells = *timeline.find("cells");
    int variants = 0;
    for (const VariantId variant : variants_of(Primitive::spatial_hash)) {
      if (!timeline.why_not(cells, variant).empty()) continue;
      if (cell_kind(variant->traits) == CellKind::lists) set(*scene, "deterministic=off");
      StageVariants rows = timeline.choices();
      rows[index_of(cells)] = variant;
      timeline.choose(rows);
      scene->compute();
      // No time passes, so the particles are where they were.
      run(*scene, targets.all(0.0));
      EXPECT_EQ(neighbour_facts(*scene), here) << on.name << ", " << variant->name;
      set(*scene, "deterministic=on");
      ++variants;
    }
    EXPECT_GE(variants, 6);
  }
}

// ---- Same bits ----------------------------------------------------------------------------------

// What is drawn after so many frames, bit by bit.
std::vector<std::string> course(Device& device, const std::string& cells, const std::string& seed,
                                const char* deterministic = "deterministic=on") {
  const auto scene = open_particles(device, make_sphere(100), {"count=1000", seed, deterministic},
                                    {"cells=" + cells});
  const Targets targets(*scene);
  for (int frame = 0; frame < 24; ++frame) run(*scene, targets.none());
  run(*scene, targets.all());
  // In whatever order: that of places is the grid's.
  std::vector<std::string> drawn = targets.elements(scene->outputs()[0].streams[0]);
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

TEST(Particles, ADeterministicRunGivesTheSameBits) {
  for (const VariantId variant : variants_of(Primitive::spatial_hash)) {
    const std::string cells = variant->name;
    if (cell_kind(variant->traits) == CellKind::lists) continue;
    // By backend and warp size.
    std::map<std::pair<Backend, std::uint32_t>, std::vector<std::string>> courses;
    for (const TestDevice& on : devices_for(1000, Row{variant})) {
      SCOPED_TRACE(on.name + ", " + cells);
      const DeviceInfo& info = on.device->info();
      auto& want = courses[{info.backend, info.warp_size}];
      std::vector<std::string> got = course(*on.device, cells, "seed=1");
      const bool is_first = want.empty();
      if (is_first) want = got;
      EXPECT_EQ(got == want, true);
      if (is_first) {
        EXPECT_EQ(course(*on.device, cells, "seed=2") == want, false);
      }
    }
  }
}

TEST(Particles, ListsCannotBeDeterministic) {
  Device& device = *devices_for_long_runs().front().device;
  const auto scene =
      open_particles(device, make_sphere(33), {"count=1000", "deterministic=on"}, {"cells=lists"});
  const Targets targets(*scene);
  try {
    run(*scene, targets.all());
    FAIL() << "it ran";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("order of arrival"), std::string::npos) << text;
    EXPECT_NE(text.find("another variant"), std::string::npos) << text;
  }
  set(*scene, "deterministic=off");
  run(*scene, targets.all());
  expect_sound(*scene);
}

// ---- Facts --------------------------------------------------------------------------------------

TEST(Particles, TellTheSameFactsWhileTheyStandStill) {
  for (const TestDevice& on : devices_for_long_runs()) {
    const auto scene = open_crowd(*on.device);
    const Targets targets(*scene);
    set(*scene, "colour=neighbours");
    for (int frame = 0; frame < 40; ++frame) run(*scene, targets.none());
    run(*scene, targets.all());
    const NeighbourFacts moving = neighbour_facts(*scene);
    const double springs = fact<double>(*scene, "particles.spring_energy");
    const auto drawn = targets.elements(scene->outputs()[0].streams[0]);
    EXPECT_GT(springs, 0.0);
    for (int frame = 0; frame < 2; ++frame) {
      run(*scene, targets.all(0.0));
      EXPECT_EQ(neighbour_facts(*scene), moving) << on.name;
      EXPECT_NEAR(fact<double>(*scene, "particles.spring_energy"), springs, 1e-9 * springs);
      EXPECT_EQ(targets.elements(scene->outputs()[0].streams[0]) == drawn, true);
    }
  }
}

// ---- What is refused ----------------------------------------------------------------------------

std::string refusal(const std::string& assignment) {
  try {
    Controls controls(particles().controls);
    controls.set(assignment);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Particles, RefuseValuesThatMakeNoSense) {
  for (const char* assignment :
       {"count=0",      "count=999",    "count=-1000",    "count=1e12",      "count=1000.5",
        "count=nan",    "count=",       "radius=nan",     "radius=-0.1",     "radius=inf",
        "radius=0.2",   "gravity=-3",   "gravity=nan",    "gravity=21",      "spring=1.1",
        "spring=-1",    "damping=nan",  "damping=0.6",    "restitution=1.5", "substeps=-1",
        "substeps=65",  "substeps=2.5", "substeps=inf",   "seed=-1",         "emitter=hose",
        "physics=real", "motion=2x",    "obstacle=maybe", "cells=0"}) {
    const std::string text = refusal(assignment);
    EXPECT_NE(text, "") << assignment << " was taken";
    const std::string name = std::string(assignment).substr(0, std::string(assignment).find('='));
    EXPECT_NE(text.find(name), std::string::npos) << text;
  }
  EXPECT_NE(refusal("count=0").find("1000"), std::string::npos) << refusal("count=0");
  EXPECT_NE(refusal("radius=nan").find("0.1"), std::string::npos) << refusal("radius=nan");
}

TEST(Particles, SayWhatTheyNeedWhereMemoryIsShort) {
  SmallDevice small(devices_for_long_runs().front().device, 300'000'000);
  const auto open = open_particles(small, make_sphere(33), {"count=1000"}, {"cells=hash"});
  try {
    open_particles(small, make_sphere(33), {"count=8000000"});
    FAIL() << "the scene was made";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("count=8000000"), std::string::npos) << text;
    EXPECT_NE(text.find("it needs"), std::string::npos) << text;
    EXPECT_NE(text.find("are free"), std::string::npos) << text;
  }
  const Targets targets(*open);
  run(*open, targets.all());
  expect_sound(*open);
}

// So small that a box of their cells would fill no memory: then cells are sorted, and a variant
// that needs a box is refused.
TEST(Particles, MayBeTooSmallForABoxOfCells) {
  Device& device = *devices_for_long_runs().front().device;
  const auto scene = open_particles(device, make_sphere(33), {"count=1000", "radius=1e-5"});
  EXPECT_STREQ(scene->timeline().variant(*scene->timeline().find("cells")).name, "sort");
  const Targets targets(*scene);
  run(*scene, targets.all());
  expect_sound(*scene);
  try {
    open_particles(device, make_sphere(33), {"count=1000", "radius=1e-5"}, {"cells=counting"});
    FAIL() << "the scene was made";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("too many"), std::string::npos) << error.what();
  }
}

// Whatever is asked of radii and whatever the mesh is, there is a scene that is right or an Error.
TEST(Particles, RunWithEveryRadiusAndMesh) {
  Device& device = *devices_for_long_runs().front().device;
  Mesh huge = make_sphere(33);
  Mesh tiny = make_sphere(33);
  Mesh far = make_sphere(33);
  for (Vertex& corner : huge.corners) corner.position = corner.position * 1e38F;
  for (Vertex& corner : tiny.corners) corner.position = corner.position * 1e-38F;
  for (Vertex& corner : far.corners) corner.position = corner.position + Vec3{1e9F, 0.0F, 0.0F};
  huge.name = "huge";
  tiny.name = "tiny";
  far.name = "far";
  for (const Mesh& mesh : {huge, tiny, far, points(5), plane(1), with_non_finite(40, 1)})
    for (const char* radius : {"radius=0", "radius=1e-30", "radius=1e-12", "radius=0.1"})
      for (const char* emitter : {"emitter=block", "emitter=fountain", "emitter=rain"}) {
        SCOPED_TRACE(mesh.name + ", " + radius + ", " + emitter);
        try {
          const auto scene = open_particles(device, mesh, {"count=1000", radius, emitter});
          const Targets targets(*scene);
          for (int frame = 0; frame < 2; ++frame) run(*scene, targets.all());
          expect_inside(*scene, targets, "after two frames");
          EXPECT_TRUE(mesh.name != huge.name && mesh.name != tiny.name);
        } catch (const Error& error) {
          const std::string text = error.what();
          const bool is_too_large_or_small = mesh.name == huge.name || mesh.name == tiny.name;
          EXPECT_NE(text.find(is_too_large_or_small ? "Scale the mesh" : "Choose a radius of"),
                    std::string::npos)
              << text;
          EXPECT_TRUE(is_too_large_or_small || std::string(radius).find("e-") != std::string::npos);
        }
      }
}

}  // namespace
}  // namespace warpview::test
