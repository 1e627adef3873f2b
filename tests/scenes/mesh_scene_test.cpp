// The mesh scene.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <tuple>

#include "gpu/runtime/vertex.h"
#include "scenes/parts/mesh_reach.h"
#include "tests/scenes/mesh_scene.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

constexpr std::size_t triangles = 600;
constexpr const char* animations[] = {"animation=off", "animation=refit", "animation=rebuild"};

StageResult report(const Scene& scene, const std::string& stage) {
  return scene.timeline().stage_results()[index_of(*scene.timeline().find(stage))];
}

class MeshSceneTest : public testing::Test {
 protected:
  template <class Function>
  static void for_each_device(Function&& function) {
    for (const TestDevice& device : devices_for(triangles)) {
      SCOPED_TRACE(device.name);
      function(*device.device);
    }
  }
};

TEST_F(MeshSceneTest, IsWhatABareFileIsOpenedWith) {
  EXPECT_EQ(&scene_kinds().front(), &mesh_kind());
}

TEST_F(MeshSceneTest, CountsWhatItDrops) {
  for_each_device([](Device& device) {
    const auto scene = open_scene(device, with_non_finite(40, 39));
    EXPECT_EQ(count(*scene, "mesh.triangles"), 38U);
    EXPECT_EQ(count(*scene, "mesh.corners"), 3 * 38U);
    EXPECT_EQ(count(*scene, "mesh.dropped_triangles"), 2U);
  });
}

TEST_F(MeshSceneTest, AStageResultsTheBytesOfItsOwnItems) {
  for_each_device([](Device& device) {
    const auto scene = open_scene(device, sphere(100));
    const auto bytes = [&](const char* stage) { return report(*scene, stage).work.bytes; };
    const std::uint64_t n = count(*scene, "mesh.triangles");
    EXPECT_EQ(bytes("bounds"), n * sizeof(Aabb));
    EXPECT_EQ(bytes("morton"), n * (sizeof(Aabb) + sizeof(std::uint32_t)));
    // What the problem needs, however many passes a variant takes: keys and values, in and out.
    EXPECT_EQ(bytes("sort"), n * 2 * (4 + 4));
    EXPECT_EQ(bytes("boxes"), n * (3 * sizeof(std::uint32_t) + sizeof(Vec3) + sizeof(Aabb)));
    EXPECT_EQ(bytes("deform"), 2 * count(*scene, "mesh.unique_vertices") * sizeof(Vertex));
    EXPECT_EQ(report(*scene, "upload").work.items, 300U);
  });
}

TEST_F(MeshSceneTest, WritersReportWhatTheyWrote) {
  for_each_device([](Device& device) {
    const auto scene = open_scene(device, sphere(100), {"level=2"});
    const Targets targets(*scene);
    // The bytes are the median of the runs since the last change of what is shown.
    const auto run_anew = [&](const Frame& frame) {
      scene->timeline().forget_frame_times();
      run(*scene, frame);
    };
    run_anew(targets.only(output(*scene, "boxes")));
    const std::uint64_t boxes = targets.commands()[output(*scene, "boxes").command].instances;
    EXPECT_GT(boxes, 0U);
    EXPECT_EQ(report(*scene, "write").work.bytes, 2 * boxes * sizeof(Aabb));
    run_anew(targets.only(output(*scene, "curve")));
    EXPECT_EQ(report(*scene, "write").work.bytes, 2 * 100 * sizeof(Vec3));
    run_anew(targets.none());
    EXPECT_EQ(report(*scene, "write").work.bytes, 0U);
  });
}

// A tree that is not the radix tree needs a refit for any tree: the panel's choice of the builder
// brings it about, and a choice against it is refused.
TEST_F(MeshSceneTest, TheBuilderDecidesWhichRefitsCanBeChosen) {
  for_each_device([](Device& device) {
    const auto scene = open_scene(device, sphere(100), {}, {"build=apetrei", "refit=treelets"});
    Timeline& timeline = scene->timeline();
    const std::size_t build = index_of(timeline.find("build").value());
    const std::size_t refit = index_of(timeline.find("refit").value());
    const VariantId treelets = find_variant(Primitive::refit, "treelets");
    StageVariants choices = timeline.choices();
    choices[build] = find_variant(Primitive::build, "hploc");
    timeline.choose(choices);
    scene->compute();
    EXPECT_EQ(timeline.choices()[build], choices[build]);
    EXPECT_EQ(timeline.choices()[refit], find_variant(Primitive::refit, "atomic"));
    expect_sound(*scene);
    choices = timeline.choices();
    choices[refit] = treelets;
    EXPECT_THROW(timeline.choose(choices), Error);
    choices[build] = find_variant(Primitive::build, "karras");
    timeline.choose(choices);
    scene->compute();
    EXPECT_EQ(timeline.choices()[refit], treelets);
    expect_sound(*scene);
  });
  EXPECT_THROW(open_scene(*open_cpu_device({}), sphere(10), {}, {"build=hploc", "refit=levels"}),
               ChoiceError);
}

TEST_F(MeshSceneTest, AMeshOfNothingIsAMesh) {
  for_each_device([](Device& device) {
    for (const Mesh& mesh : {sphere(0), with_non_finite(40, 1)}) {
      SCOPED_TRACE(mesh.name);
      const auto scene = open_scene(device, mesh);
      EXPECT_EQ(count(*scene, "mesh.triangles"), 0U);
      EXPECT_EQ(count(*scene, "mesh.unique_vertices"), 0U);
      EXPECT_TRUE(fact<Aabb>(*scene, "mesh.bounds").is_empty());
      EXPECT_TRUE(scene->bounds().is_empty());
      EXPECT_EQ(count(*scene, "bvh.internal_nodes"), 0U);
      const Targets targets(*scene);
      for (const char* animation : animations) {
        set(*scene, animation);
        run(*scene, targets.all());
        for (const Output& each : scene->outputs()) {
          const DrawCommand command = targets.commands()[each.command];
          EXPECT_TRUE(command.count == 0 || command.instances == 0) << each.name;
        }
      }
      expect_sound(*scene);
    }
  });
}

TEST_F(MeshSceneTest, EveryAnimationOfADegenerateMesh) {
  for_each_device([](Device& device) {
    for (const Mesh& mesh : degenerate_meshes()) {
      SCOPED_TRACE(mesh.name);
      const auto scene = open_scene(device, mesh);
      const Targets targets(*scene);
      for (const char* animation : {"animation=refit", "animation=rebuild", "animation=off"}) {
        SCOPED_TRACE(animation);
        set(*scene, animation);
        run(*scene, targets.none());
        expect_sound(*scene);
      }
    }
  });
}

TEST_F(MeshSceneTest, ARepeatedStageLeavesTheSameResult) {
  for_each_device([](Device& device) {
    for (const char* build : {"build=karras", "build=apetrei"}) {
      const auto scene = open_scene(device, sphere(triangles), {"animation=refit"}, {build});
      const Targets targets(*scene);
      run(*scene, targets.all());  // so that there is something to deform
      Timeline& timeline = scene->timeline();
      for (const char* animation : animations)
        for (std::size_t i = 0; i < timeline.size(); ++i) {
          const auto stage = static_cast<StageId>(i);
          if (!timeline.info(stage).repeatable) continue;
          SCOPED_TRACE(std::string(build) + ", " + animation + ", " + timeline.info(stage).name);
          set(*scene, animation);
          run(*scene, targets.all());
          timeline.forget_times();
          scene->repeat(stage);
          expect_sound(*scene);
          EXPECT_FALSE(timeline.times(stage).empty());
        }
      EXPECT_FALSE(timeline.info(*timeline.find("write")).repeatable);
    }
  });
}

// Where the stages before it must run first, they take no times.
TEST_F(MeshSceneTest, ARepeatedStageIsTimedByItself) {
  Device& device = *devices_for(triangles).front().device;
  const auto scene = open_scene(device, sphere(triangles), {"animation=refit"});
  Timeline& timeline = scene->timeline();
  for (const char* name : {"scan", "dedup", "sort", "bounds"}) {
    run(*scene, Targets(*scene).all());
    timeline.forget_times();
    scene->repeat(*timeline.find(name));
    for (const StageResult& each : timeline.stage_results())
      EXPECT_EQ(timeline.times(each.stage).count(), each.name == name ? 1U : 0U)
          << name << ", " << each.name;
  }
}

TEST_F(MeshSceneTest, ChoosingForgetsTheTimesOfTheStageAlone) {
  for_each_device([](Device& device) {
    const auto scene = open_scene(device, sphere(triangles));
    Timeline& timeline = scene->timeline();
    const StageId sort = *timeline.find("sort");
    // The builder that is the default fits the boxes, too.
    const auto ran_at_load = [&timeline](StageId stage) {
      const std::string& name = timeline.info(stage).name;
      return name != "refit" && name != "deform" && name != "write";
    };
    StageVariants rows = timeline.choices();
    rows[index_of(sort)] = find_variant(Primitive::sort, "library");
    timeline.choose(rows);
    EXPECT_EQ(timeline.choices(), rows);
    for (const StageResult& each : timeline.stage_results())
      EXPECT_EQ(each.has_times(), each.stage != sort && ran_at_load(each.stage));
    scene->compute();
    expect_sound(*scene);
    for (const StageResult& each : timeline.stage_results())
      EXPECT_EQ(each.has_times(), ran_at_load(each.stage)) << each.name;

    timeline.forget_times();
    for (const StageResult& each : timeline.stage_results()) EXPECT_FALSE(each.has_times());
  });
}

TEST_F(MeshSceneTest, FramesCopyNoGeometry) {
  for_each_device([](Device& device) {
    const auto scene = open_scene(device, sphere(triangles));
    const Targets targets(*scene);
    for (const char* animation : animations) {
      set(*scene, animation);
      run(*scene, targets.all());
      const std::uint64_t down = device.transfers.to_host;
      const std::uint64_t up = device.transfers.to_device;
      run(*scene, targets.all());
      EXPECT_LE(device.transfers.to_host - down, 256U) << animation;
      EXPECT_LE(device.transfers.to_device - up, 256U) << animation;
    }
  });
}

TEST_F(MeshSceneTest, WritesWhatIsDrawn) {
  for_each_device([](Device& device) {
    const auto scene = open_scene(device, sphere(triangles), {"level=3"});
    const Targets targets(*scene);
    run(*scene, targets.all());
    const Output& surface = output(*scene, "mesh");
    const std::size_t vertices = count(*scene, "mesh.unique_vertices");
    const auto indices = targets.read<std::uint32_t>(surface.streams[1]);
    ASSERT_EQ(indices.size(), 3 * triangles);
    const auto positions = targets.read<Vertex>(surface.streams[0], vertices);
    for (std::size_t c = 0; c < indices.size(); ++c) {
      ASSERT_LT(indices[c], vertices);
      const Vec3 way = positions[indices[c]].position - scene->mesh().corners[c].position;
      ASSERT_EQ(dot(way, way), 0.0F) << "corner " << c;
    }
    const HostArray<std::uint32_t>& material = scene->mesh().triangle_material;
    EXPECT_EQ(targets.read<std::uint32_t>(surface.streams[2]),
              std::vector<std::uint32_t>(material.begin(), material.end()));
    const std::vector<DrawCommand> commands = targets.commands();
    EXPECT_EQ(commands[surface.command].count, 3 * triangles);
    EXPECT_EQ(commands[output(*scene, "points").command].count, vertices);
    EXPECT_EQ(commands[output(*scene, "curve").command].count, triangles);
    const DrawCommand& boxes = commands[output(*scene, "boxes").command];
    EXPECT_GT(boxes.instances, 1U);
    EXPECT_LE(boxes.instances, 8U);  // of level 3
    EXPECT_EQ(output(*scene, "boxes").style, OutputStyle(BoxStyle{.level = 3}));
  });
}

TEST_F(MeshSceneTest, TheWaveMovesVerticesAlongItsAxis) {
  Device& device = *devices_for(triangles).front().device;
  const auto scene = open_scene(device, sphere(triangles), {"amplitude=0.25", "waves=1"});
  const Targets targets(*scene);
  const std::size_t stream = output(*scene, "mesh").streams[0];
  run(*scene, targets.all(0.0));
  const std::size_t vertices = count(*scene, "mesh.unique_vertices");
  const auto rest = targets.read<Vertex>(stream, vertices);
  const Vec3 half = (scene->bounds().max - scene->bounds().min) * 0.5F;
  const float radius = std::sqrt(dot(half, half));
  const auto component = [](const Vec3& v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
  };
  for (const char* animation : {"animation=refit", "animation=rebuild"})
    for (int travels = 0; travels < 3; ++travels)
      for (int displaces = 0; displaces < 3; ++displaces) {
        SCOPED_TRACE(std::to_string(travels) + std::to_string(displaces));
        set(*scene, animation);
        set(*scene, "travels=" + std::string(1, static_cast<char>('x' + travels)));
        set(*scene, "displaces=" + std::string(1, static_cast<char>('x' + displaces)));
        run(*scene, targets.all());
        const auto moved = targets.read<Vertex>(stream, vertices);
        float farthest = 0.0F;
        for (std::size_t v = 0; v < vertices; ++v) {
          const Vec3 way = moved[v].position - rest[v].position;
          for (int axis = 0; axis < 3; ++axis) {
            if (axis == displaces)
              farthest = std::max(farthest, std::abs(component(way, axis)));
            else
              ASSERT_EQ(component(way, axis), 0.0F);
          }
        }
        EXPECT_GT(farthest, 0.2F * radius);
        EXPECT_LE(farthest, 0.2501F * radius);
      }
}

TEST_F(MeshSceneTest, SpeedIsOfTurnsASecond) {
  Device& device = *devices_for(triangles).front().device;
  const auto scene = open_scene(device, sphere(triangles), {"animation=refit", "speed=0.5"});
  const Targets targets(*scene);
  const std::size_t stream = output(*scene, "mesh").streams[0];
  const std::size_t vertices = count(*scene, "mesh.unique_vertices");
  const auto after = [&](const std::vector<double>& seconds) {
    scene->reset();
    for (const double passed : seconds) run(*scene, targets.all(passed));
    return targets.read<Vertex>(stream, vertices);
  };
  const auto distance = [](const std::vector<Vertex>& a, const std::vector<Vertex>& b) {
    float largest = 0.0F;
    for (std::size_t v = 0; v < a.size(); ++v) {
      const Vec3 way = a[v].position - b[v].position;
      largest = std::max(largest, dot(way, way));
    }
    return std::sqrt(largest);
  };
  const auto begin = after({0.0});
  EXPECT_GT(distance(after({0.5}), begin), 0.01F);
  EXPECT_LT(distance(after({2.0}), begin), 1e-5F);  // once around
  EXPECT_LT(distance(after({0.25, 0.25}), after({0.5})), 1e-5F);
  const auto forward = after({0.3});
  set(*scene, "speed=-0.5");
  EXPECT_LT(distance(after({2.0 - 0.3}), forward), 1e-5F);
  set(*scene, "speed=0");
  EXPECT_LT(distance(after({0.3}), begin), 1e-5F);
}

TEST_F(MeshSceneTest, RestsWhereItWasAfterAnAnimation) {
  for_each_device([](Device& device) {
    const auto scene = open_scene(device, sphere(triangles));
    const Targets targets(*scene);
    EXPECT_FALSE(scene->moving());
    run(*scene, targets.all());
    std::vector<std::vector<std::string>> before;
    for (std::size_t i = 0; i < scene->streams().size(); ++i) before.push_back(targets.elements(i));
    for (const char* animation : {"animation=refit", "animation=rebuild"}) {
      set(*scene, animation);
      EXPECT_TRUE(scene->moving());
      for (int frame = 0; frame < 2; ++frame) run(*scene, targets.all());
      set(*scene, "animation=off");
      EXPECT_FALSE(scene->moving());
      run(*scene, targets.all());
      for (std::size_t i = 0; i < scene->streams().size(); ++i)
        EXPECT_EQ(targets.elements(i), before[i]) << animation << ", " << scene->streams()[i].name;
    }
  });
}

// Each shape is sound under each upkeep, and afterwards the mesh rests where it was.
TEST_F(MeshSceneTest, EveryShapeRestsWhereItWasAfterwards) {
  for_each_device([](Device& device) {
    for (const char* kind : {"mesh", "deformation"}) {
      const auto scene =
          open_scene_of(*find_scene_kind(kind), device, sphere(triangles), {"shape=none"});
      const Targets targets(*scene);
      EXPECT_FALSE(scene->moving());
      run(*scene, targets.all());
      std::vector<std::vector<std::string>> before;
      for (std::size_t i = 0; i < scene->streams().size(); ++i)
        before.push_back(targets.elements(i));
      const Control& shape = scene->kind().controls[scene->controls().find("shape")];
      for (const char* choice : shape.choices.subspan(1))
        for (const char* tree : {"tree=refit", "tree=rebuild", "tree=adaptive"}) {
          SCOPED_TRACE(std::string(kind) + ", " + choice + ", " + tree);
          set(*scene, tree);
          set(*scene, std::string("shape=") + choice);
          EXPECT_TRUE(scene->moving());
          for (int frame = 0; frame < 2; ++frame) run(*scene, targets.all(0.3));
          EXPECT_NE(targets.elements(output(*scene, "mesh").streams[0]), before[0]);
          expect_sound(*scene);
          set(*scene, "shape=none");
          run(*scene, targets.all());
          expect_sound(*scene);
          for (std::size_t i = 0; i < scene->streams().size(); ++i)
            EXPECT_EQ(targets.elements(i), before[i]) << scene->streams()[i].name;
        }
    }
  });
}

// Where triangles share vertices none can fly away alone.
TEST_F(MeshSceneTest, ExplodesOnlyWhereCornersAreApart) {
  Device& device = *devices_for(triangles).front().device;
  EXPECT_THROW(open_scene(device, sphere(33), {"shape=explode"}), Error);
  const auto scene =
      open_scene_of(*find_scene_kind("deformation"), device, sphere(33), {"shape=explode"});
  run(*scene, Targets(*scene).all(1.0));
  expect_sound(*scene);
}

// The view is fitted to what it says: nothing leaves that, whatever moment is shown.
TEST_F(MeshSceneTest, StaysWithinItsReach) {
  Device& device = *devices_for(triangles).front().device;
  for (const char* const shape : {"shape=explode", "shape=bulge"})
    for (const char* const axis : {"axis=x", "axis=y"}) {
      SCOPED_TRACE(std::string(shape) + ' ' + axis);
      const auto scene = open_scene_of(*find_scene_kind("deformation"), device, sphere(triangles),
                                       {shape, axis, "strength=1", "speed=1"});
      const Aabb rest = scene->bounds();
      const Aabb reach = scene->reach();
      const Targets targets(*scene);
      float beyond = 0.0F;
      for (int moment = 0; moment < 10; ++moment) {
        run(*scene, targets.all(0.1));
        Aabb now = Aabb::empty();
        for (const Vertex& vertex : targets.read<Vertex>(output(*scene, "mesh").streams[0]))
          now = merge(now, {vertex.position, vertex.position});
        const float slack = 0.05F * (rest.max.x - rest.min.x);  // triangles tumble
        for (const auto& [low, high, least, most] :
             {std::tuple{now.min.x, now.max.x, reach.min.x, reach.max.x},
              {now.min.y, now.max.y, reach.min.y, reach.max.y},
              {now.min.z, now.max.z, reach.min.z, reach.max.z}}) {
          EXPECT_GE(low, least - slack);
          EXPECT_LE(high, most + slack);
        }
        beyond = std::max(beyond, now.max.z - rest.max.z);
      }
      EXPECT_GT(beyond, 0.5F * (reach.max.z - rest.max.z)) << "it uses what it says";
      set(*scene, "shape=none");
      EXPECT_EQ(scene->reach().max.y, rest.max.y);
    }
}

TEST_F(MeshSceneTest, ItsOutlineStandsForAllOfIt) {
  const auto scene = open_scene(*devices_for(triangles).front().device, sphere(triangles));
  ASSERT_TRUE(scene->outline());
  const std::vector<Vec3>& outline = *scene->outline();
  EXPECT_LT(outline.size(), 1000U);
  const Aabb bounds = scene->bounds();
  const float size = bounds.max.x - bounds.min.x;
  for (const Vec3 direction :
       {Vec3{1, 0, 0}, Vec3{0, -1, 0}, Vec3{0.6F, 0.8F, 0}, Vec3{-0.48F, 0.6F, 0.64F}}) {
    float most = -1e30F;
    for (const Vertex& corner : scene->mesh().corners)
      most = std::max(most, dot(direction, corner.position));
    float found = -1e30F;
    for (const Vec3& point : outline) found = std::max(found, dot(direction, point));
    EXPECT_LE(found, most);
    EXPECT_GT(found, most - 0.015F * size);
  }
  set(*scene, "shape=bulge");
  EXPECT_FALSE(scene->outline()) << "it moves out of it";
}

// A large mesh's corners are not all looked at; a spike is.
TEST(MeshOutline, HasTheSpikesOfALargeMesh) {
  constexpr std::uint32_t many = 150'000;
  Mesh mesh = sphere(many);
  for (const std::size_t corner : {std::size_t{1}, std::size_t{200'003}, mesh.corners.size() - 1}) {
    const Vec3 before = mesh.corners[corner].position;
    const Vec3 spike = before * 3.0F;
    mesh.corners[corner].position = spike;
    const Outline outline = outline_of(mesh, {{-1, -1, -1}, {1, 1, 1}}, Aabb::empty());
    ASSERT_TRUE(outline);
    EXPECT_TRUE(std::ranges::any_of(*outline, [&](const Vec3& point) {
      return point.x == spike.x && point.y == spike.y && point.z == spike.z;
    })) << corner;
    mesh.corners[corner].position = before;
  }
}

TEST_F(MeshSceneTest, AnAdaptiveTreeIsRebuiltWhenItsCostHasGrown) {
  Device& device = *devices_for(triangles).front().device;
  for (const char* kind : {"mesh", "deformation"}) {
    SCOPED_TRACE(kind);
    const auto scene =
        open_scene_of(*find_scene_kind(kind), device, sphere(triangles),
                      {"shape=twist", "tree=adaptive", "growth=0.1", "strength=1", "speed=1"});
    const Targets targets(*scene);
    std::uint64_t frames = 0;
    for (; frames < 20; ++frames) {
      const bool has_grown = fact<double>(*scene, "bvh.growth") > 10.0;
      const std::uint64_t rebuilds = count(*scene, "bvh.rebuilds");
      run(*scene, targets.all());
      EXPECT_EQ(count(*scene, "bvh.rebuilds") - rebuilds, has_grown ? 1U : 0U) << frames;
      if (has_grown) {
        EXPECT_EQ(fact<double>(*scene, "bvh.growth"), 0.0) << "it was built for this pose";
      }
      EXPECT_EQ(count(*scene, "bvh.refits") + count(*scene, "bvh.rebuilds"), frames + 1);
    }
    EXPECT_GT(count(*scene, "bvh.rebuilds"), 0U);
    EXPECT_GT(count(*scene, "bvh.refits"), count(*scene, "bvh.rebuilds"));
    scene->reset();
    scene->collect();
    EXPECT_EQ(count(*scene, "bvh.refits"), 0U);
  }
}

// While no time passes a frame follows what is set. Else the deformation scene only writes.
TEST_F(MeshSceneTest, APausedFrameFollowsWhatIsSet) {
  Device& device = *devices_for(triangles).front().device;
  for (const char* kind : {"mesh", "deformation"}) {
    SCOPED_TRACE(kind);
    const auto scene = open_scene_of(*find_scene_kind(kind), device, sphere(triangles),
                                     {"shape=twist", "tree=refit"});
    const Targets targets(*scene);
    run(*scene, targets.all(0.3));
    const std::size_t stream = output(*scene, "mesh").streams[0];
    const auto twisted = targets.elements(stream);
    run(*scene, targets.all(0.0));
    EXPECT_EQ(report(*scene, "deform").runs, kind == std::string("mesh") ? 1 : 0);
    EXPECT_EQ(targets.elements(stream), twisted);
    set(*scene, "strength=1");
    run(*scene, targets.all(0.0));
    EXPECT_EQ(report(*scene, "deform").runs, 1);
    EXPECT_NE(targets.elements(stream), twisted);
    EXPECT_EQ(report(*scene, "build").runs, 0);
    set(*scene, "tree=rebuild");
    run(*scene, targets.all(0.0));
    EXPECT_EQ(report(*scene, "build").runs, 1);
    expect_sound(*scene);
  }
}

// Facts of the upkeep are those of a mesh that has some.
TEST_F(MeshSceneTest, TellsOfUpkeepWhereThereIsSome) {
  const auto scene = open_scene(*devices_for(33).front().device, sphere(33));
  const auto tells = [&scene](const char* name) {
    const std::vector<Fact> facts = scene->facts();
    return std::any_of(facts.begin(), facts.end(),
                       [name](const Fact& each) { return each.name == name; });
  };
  EXPECT_FALSE(tells("bvh.growth"));
  EXPECT_TRUE(tells("mesh.unique_vertices"));
  set(*scene, "shape=bulge");
  EXPECT_TRUE(tells("bvh.growth"));
}

// Coordinates that floats can hold but not square.
TEST_F(MeshSceneTest, AHugeMeshKeepsStill) {
  Mesh mesh = sphere(33);
  for (Vertex& corner : mesh.corners) corner.position = corner.position * 1e38F;
  const auto scene = open_scene(*devices_for(33).front().device, mesh, {"animation=rebuild"});
  const Targets targets(*scene);
  for (int frame = 0; frame < 2; ++frame) run(*scene, targets.all());
  for (const Vertex& vertex : targets.read<Vertex>(output(*scene, "mesh").streams[0],
                                                   count(*scene, "mesh.unique_vertices")))
    EXPECT_TRUE(std::isfinite(vertex.position.x) && std::isfinite(vertex.position.y));
}

TEST_F(MeshSceneTest, TellsTheBoxesOfTheLevelThatIsShown) {
  const auto scene = open_scene(*devices_for(triangles).front().device, sphere(triangles));
  const Targets targets(*scene);
  const auto level_fact = [&scene]() -> std::optional<Fact> {
    for (Fact& fact : scene->facts())
      if (fact.name == "bvh.level_boxes") return std::move(fact);
    return {};
  };
  run(*scene, targets.all());
  ASSERT_TRUE(level_fact());
  EXPECT_EQ(level_fact()->title, "Level 0");
  EXPECT_EQ(std::get<std::uint64_t>(level_fact()->value), 1U);
  EXPECT_STREQ(level_fact()->unit, "box");
  set(*scene, "level=1");
  run(*scene, targets.all());
  EXPECT_EQ(level_fact()->title, "Level 1");
  EXPECT_EQ(std::get<std::uint64_t>(level_fact()->value), 2U);
  EXPECT_STREQ(level_fact()->unit, "boxes");
  Frame hidden = targets.all();
  hidden.targets.assign(hidden.targets.size(), nullptr);
  run(*scene, hidden);
  EXPECT_FALSE(level_fact()) << "none are shown";
}

TEST_F(MeshSceneTest, TheLevelGoesAsDeepAsTheTree) {
  const auto scene = open_scene(*devices_for(triangles).front().device, sphere(triangles));
  const std::size_t level = scene->controls().find("level");
  EXPECT_EQ(scene->slider_max(level), static_cast<double>(count(*scene, "bvh.max_depth")));
  EXPECT_EQ(scene->slider_max(scene->controls().find("waves")), 12.0);
}

// The first triangle that the ray meets, by a plain loop.
std::uint32_t first_hit(const std::vector<Vec3>& corners, const Ray& ray) {
  std::uint32_t nearest = 0xffffffffU;
  double nearest_t = std::numeric_limits<double>::infinity();
  for (std::uint32_t t = 0; 3 * std::size_t{t} < corners.size(); ++t) {
    const Vec3 a = corners[3 * std::size_t{t}];
    const Vec3 ab = corners[3 * std::size_t{t} + 1] - a;
    const Vec3 ac = corners[3 * std::size_t{t} + 2] - a;
    const Vec3 normal = cross(ab, ac);
    const double down = double{dot(normal, ray.direction)};
    if (down == 0.0) continue;
    const double along = double{dot(normal, a - ray.origin)} / down;
    const Vec3 place = ray.origin + ray.direction * static_cast<float>(along);
    const Vec3 in = place - a;
    const double area = double{dot(normal, normal)};
    const double u = double{dot(cross(in, ac), normal)} / area;
    const double v = double{dot(cross(ab, in), normal)} / area;
    if (u < 0 || v < 0 || u + v > 1 || along < 0 || along >= nearest_t) continue;
    nearest = t;
    nearest_t = along;
  }
  return nearest;
}

TEST_F(MeshSceneTest, PicksWhatTheRayMeetsFirst) {
  for_each_device([](Device& device) {
    const auto scene = open_scene(device, sphere(triangles));
    const Targets targets(*scene);
    const Output& surface = output(*scene, "mesh");
    for (const char* animation : animations) {
      SCOPED_TRACE(animation);
      set(*scene, animation);
      run(*scene, targets.all(0.3));
      const auto indices = targets.read<std::uint32_t>(surface.streams[1]);
      const auto vertices = targets.read<Vertex>(surface.streams[0]);
      std::vector<Vec3> corners;
      for (const std::uint32_t index : indices) corners.push_back(vertices[index].position);
      for (const Ray& ray :
           {Ray{{3, 0.21F, 0.13F}, {-1, 0, 0}}, Ray{{0.02F, 0.03F, 0}, {0, 0, 5}},
            Ray{{-0.3F, 4, 0.2F}, {0, -0.5F, 0}}, Ray{{2, 2, 2}, {-1, -1.02F, -0.97F}}}) {
        const std::uint32_t expected = first_hit(corners, ray);
        ASSERT_NE(expected, 0xffffffffU);
        const std::vector<Fact> facts = scene->pick(ray).facts;
        ASSERT_FALSE(facts.empty());
        const auto text = [&facts](const std::string& name) {
          for (const Fact& each : facts)
            if (each.name == name) return std::get<std::string>(each.value);
          return std::string("no fact ") + name;
        };
        ASSERT_EQ(facts[0].name, "pick.triangle");
        EXPECT_EQ(std::get<std::uint64_t>(facts[0].value), expected);
        EXPECT_EQ(text("pick.vertices"),
                  std::to_string(indices[3 * std::size_t{expected}]) + ", " +
                      std::to_string(indices[3 * std::size_t{expected} + 1]) + ", " +
                      std::to_string(indices[3 * std::size_t{expected} + 2]));
        EXPECT_EQ(text("pick.material"), "material " + std::to_string(expected % 5));
        EXPECT_EQ(text("pick.code").substr(0, 2), "0x");
      }
    }
    EXPECT_TRUE(scene->pick({{3, 0, 0}, {1, 0, 0}}).empty());
    expect_sound(*scene);
  });
}

TEST_F(MeshSceneTest, VariantsCanBeWishedFor) {
  Device& device = *devices_for(triangles).front().device;
  const auto scene = open_scene(device, sphere(triangles), {}, {"sort=library", "build=apetrei"});
  EXPECT_STREQ(scene->timeline().variant(*scene->timeline().find("sort")).name, "library");
  EXPECT_EQ(report(*scene, "refit").done_by, "build");
  expect_sound(*scene);
  EXPECT_THROW(open_scene(device, sphere(3), {}, {"sort=bubble"}), ChoiceError);
  // A reduction that knows sums of numbers only cannot find bounds.
  for (const VariantId variant : variants_of(Primitive::reduce)) {
    const std::string why = scene->timeline().why_not(*scene->timeline().find("bounds"), variant);
    if (why.empty()) continue;
    EXPECT_THROW(open_scene(device, sphere(3), {}, {std::string("bounds=") + variant->name}),
                 ChoiceError);
  }
}

}  // namespace
}  // namespace warpview::test
