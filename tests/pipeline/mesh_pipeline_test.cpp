#include "gpu/pipeline/mesh_pipeline.h"

#include <gtest/gtest.h>

#include <cstring>

#include "gpu/pipeline/verify.h"
#include "tests/pipeline/meshes.h"
#include "tests/support/devices.h"
#include "tests/support/small_device.h"

namespace warpview::test {
namespace {

constexpr std::size_t triangles = 600;
constexpr Wave wave{
    .amplitude = 0.2F, .wave_number = 5.0F, .phase = 1.0F, .axis = 0, .direction = 1};

void expect_sound(MeshPipeline& pipeline, const TestMesh& mesh) {
  const auto difference =
      verify(pipeline.snapshot(), mesh.corners, mesh.material, pipeline.choice());
  EXPECT_FALSE(difference) << to_string(difference->stage) << ": " << difference->text;
}

template <class T>
void expect_same_bytes(const char* what, const std::vector<T>& a, const std::vector<T>& b) {
  ASSERT_EQ(a.size(), b.size()) << what;
  const bool same = a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
  EXPECT_TRUE(same) << what;
}

// A frame's targets in buffers of the pipeline's device.
struct Targets {
  explicit Targets(const MeshPipeline& pipeline)
      : vertices(pipeline.device(), pipeline.vertex_capacity()),
        indices(pipeline.device(), pipeline.vertex_capacity()),
        material(pipeline.device(), pipeline.triangle_capacity()),
        boxes(pipeline.device(), pipeline.triangle_capacity()),
        curve(pipeline.device(), pipeline.triangle_capacity()),
        commands(pipeline.device(), 1) {}

  DrawTargets all() const {
    return {vertices.data(), indices.data(), material.data(),
            boxes.data(),    curve.data(),   commands.data()};
  }

  Buffer<Vertex> vertices;
  Buffer<std::uint32_t> indices, material;
  Buffer<Aabb> boxes;
  Buffer<Vec3> curve;
  Buffer<DrawCommands> commands;
};

class EveryDevice : public testing::Test {
 protected:
  template <class Function>
  static void for_each_device(Function&& function) {
    for (const TestDevice& device : devices_for(triangles)) {
      SCOPED_TRACE(device.name);
      function(*device.device);
    }
  }
};
using MeshPipelineTest = EveryDevice;

TEST_F(MeshPipelineTest, CountsWhatItDrops) {
  for_each_device([](Device& device) {
    const TestMesh mesh = with_non_finite(40, 39);
    MeshPipeline pipeline(device, mesh.corners, mesh.material, {});
    pipeline.load();
    EXPECT_EQ(pipeline.counts().triangles, 38U);
    EXPECT_EQ(pipeline.counts().corners, 3 * 38U);
    EXPECT_EQ(pipeline.counts().dropped, 2U);
  });
}

TEST_F(MeshPipelineTest, AStageReportsTheBytesOfItsOwnItems) {
  for_each_device([](Device& device) {
    const TestMesh mesh = sphere(100);
    MeshPipeline pipeline(device, mesh.corners, mesh.material, {});
    pipeline.load();
    const auto bytes = [&](Stage stage) {
      return pipeline.stages()[static_cast<std::size_t>(stage)].bytes;
    };
    const std::uint64_t n = pipeline.counts().triangles;
    EXPECT_EQ(bytes(Stage::bounds), n * sizeof(Aabb));
    EXPECT_EQ(bytes(Stage::morton), n * (sizeof(Aabb) + sizeof(std::uint32_t)));
    // Keys are read once to count all digits; then four passes read and write keys and values.
    EXPECT_EQ(bytes(Stage::sort), n * (4 + 4 * 2 * (4 + 4)));
  });
}

TEST_F(MeshPipelineTest, AMeshOfNothingIsAMesh) {
  for_each_device([](Device& device) {
    for (const TestMesh& mesh : {sphere(0), with_non_finite(40, 1)}) {
      SCOPED_TRACE(mesh.name);
      MeshPipeline pipeline(device, mesh.corners, mesh.material, {});
      pipeline.load();
      EXPECT_EQ(pipeline.counts().triangles, 0U);
      EXPECT_EQ(pipeline.counts().vertices, 0U);
      EXPECT_TRUE(pipeline.bounds().points.is_empty());
      EXPECT_EQ(pipeline.tree().inner_nodes, 0U);
      const Targets targets(pipeline);
      for (const Animation animation : {Animation::once, Animation::refit, Animation::rebuild}) {
        pipeline.frame({.animation = animation, .wave = wave, .targets = targets.all()});
        const DrawCommands commands = targets.commands.download(pipeline.stream()).front();
        EXPECT_EQ(commands.mesh.count, 0U);
        EXPECT_EQ(commands.boxes.instances, 0U);
        EXPECT_EQ(commands.curve.count, 0U);
        EXPECT_EQ(commands.points.count, 0U);
      }
      expect_sound(pipeline, mesh);
    }
  });
}

TEST_F(MeshPipelineTest, EveryAnimationOfADegenerateMesh) {
  for_each_device([](Device& device) {
    for (const TestMesh& mesh : degenerate_meshes()) {
      SCOPED_TRACE(mesh.name);
      MeshPipeline pipeline(device, mesh.corners, mesh.material, {});
      pipeline.load();
      for (const Animation animation : {Animation::refit, Animation::rebuild, Animation::once}) {
        SCOPED_TRACE(to_string(animation));
        pipeline.frame({.animation = animation, .wave = wave, .targets = {}});
        expect_sound(pipeline, mesh);
      }
    }
  });
}

TEST_F(MeshPipelineTest, ARepeatedStageLeavesTheSameResult) {
  for_each_device([](Device& device) {
    for (const char* build : {"build=karras", "build=apetrei"}) {
      const TestMesh mesh = sphere(triangles);
      VariantChoice choice;
      choice.set(build);
      MeshPipeline pipeline(device, mesh.corners, mesh.material, choice);
      pipeline.load();
      for (const Animation animation : {Animation::once, Animation::refit, Animation::rebuild})
        for (const Stage stage : all_stages) {
          SCOPED_TRACE(std::string(build) + ", " + to_string(animation) + ", " + to_string(stage));
          pipeline.frame({.animation = animation, .wave = wave, .targets = {}});
          pipeline.forget_times();
          pipeline.repeat(stage);
          expect_sound(pipeline, mesh);
          const StageReport report = pipeline.stages()[static_cast<std::size_t>(stage)];
          EXPECT_FALSE(report.times->milliseconds().empty());
        }
    }
  });
}

TEST_F(MeshPipelineTest, ChoosingForgetsTheTimesOfTheStageAlone) {
  for_each_device([](Device& device) {
    const TestMesh mesh = sphere(triangles);
    MeshPipeline pipeline(device, mesh.corners, mesh.material, {});
    pipeline.load();
    VariantChoice choice;
    choice.set("sort=library");
    pipeline.choose(choice);
    EXPECT_EQ(pipeline.choice(), choice);
    for (const StageReport& report : pipeline.stages())
      EXPECT_EQ(report.times->milliseconds().empty(), report.stage == Stage::sort);
    pipeline.compute();
    expect_sound(pipeline, mesh);
    for (const StageReport& report : pipeline.stages())
      EXPECT_FALSE(report.times->milliseconds().empty());

    pipeline.forget_times();
    for (const StageReport& report : pipeline.stages())
      EXPECT_TRUE(report.times->milliseconds().empty());
  });
}

TEST_F(MeshPipelineTest, AGraphGivesWhatSingleLaunchesGive) {
  for_each_device([](Device& device) {
    const TestMesh mesh = sphere(triangles);
    for (const Animation animation : {Animation::refit, Animation::rebuild}) {
      SCOPED_TRACE(to_string(animation));
      const auto run = [&](bool graph) {
        MeshPipeline pipeline(device, mesh.corners, mesh.material, {});
        pipeline.load();
        const Targets targets(pipeline);
        for (int frame = 0; frame < 3; ++frame) {  // captured by the first, replayed by the others
          Wave moved = wave;
          moved.phase += static_cast<float>(frame);
          pipeline.frame({.animation = animation,
                          .wave = moved,
                          .level = static_cast<std::uint32_t>(frame),
                          .targets = targets.all(),
                          .graph = graph});
          EXPECT_EQ(pipeline.used_graph(), graph && device.events_in_graphs());
        }
        expect_sound(pipeline, mesh);
        struct {
          MeshPipeline::Snapshot snapshot;
          std::vector<Vertex> vertices;
          std::vector<Vec3> curve;
          DrawCommands commands;
        } result;
        result.snapshot = pipeline.snapshot();
        result.vertices =
            targets.vertices.download(pipeline.stream(), result.snapshot.counts.vertices);
        result.curve = targets.curve.download(pipeline.stream(), triangles);
        result.commands = targets.commands.download(pipeline.stream()).front();
        return result;
      };
      const auto with = run(true);
      const auto without = run(false);
      expect_same_bytes("vertices", with.snapshot.vertices, without.snapshot.vertices);
      expect_same_bytes("order", with.snapshot.primitives, without.snapshot.primitives);
      expect_same_bytes("nodes", with.snapshot.nodes, without.snapshot.nodes);
      expect_same_bytes("drawn vertices", with.vertices, without.vertices);
      expect_same_bytes("curve", with.curve, without.curve);
      EXPECT_EQ(std::memcmp(&with.commands, &without.commands, sizeof(DrawCommands)), 0);
    }
  });
}

TEST_F(MeshPipelineTest, FramesCopyNoGeometry) {
  for_each_device([](Device& device) {
    const TestMesh mesh = sphere(triangles);
    MeshPipeline pipeline(device, mesh.corners, mesh.material, {});
    pipeline.load();
    const Targets targets(pipeline);
    for (const Animation animation : {Animation::once, Animation::refit, Animation::rebuild}) {
      pipeline.frame({.animation = animation, .wave = wave, .targets = targets.all()});
      pipeline.collect();
      const std::uint64_t down = device.transfers.to_host;
      const std::uint64_t up = device.transfers.to_device;
      pipeline.frame({.animation = animation, .wave = wave, .targets = targets.all()});
      pipeline.collect();
      EXPECT_LE(device.transfers.to_host - down, 256U) << to_string(animation);
      EXPECT_LE(device.transfers.to_device - up, 256U) << to_string(animation);
    }
  });
}

TEST_F(MeshPipelineTest, AMeshThatDoesNotFitIsRefusedWithBothSizes) {
  const TestMesh mesh = sphere(triangles);
  for (const TestDevice& device : devices_for(triangles)) {
    SCOPED_TRACE(device.name);
    SmallDevice small(device.device, 100'000);
    try {
      const MeshPipeline pipeline(small, mesh.corners, mesh.material, {});
      FAIL() << "the mesh was taken";
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("600 triangles"), std::string::npos) << text;
      EXPECT_NE(text.find("0.1 MB are free"), std::string::npos) << text;
      EXPECT_NE(text.find("it needs"), std::string::npos) << text;
    }
    SmallDevice roomy(device.device, 2 * MeshPipeline::bytes_needed(triangles) + 10'000'000);
    MeshPipeline pipeline(roomy, mesh.corners, mesh.material, {});
    pipeline.load();
    expect_sound(pipeline, mesh);
  }
}

TEST_F(MeshPipelineTest, ArraysThatDoNotMatchAreRefused) {
  const TestMesh mesh = sphere(10);
  Device& device = *devices_for(1).front().device;
  const std::vector<std::uint32_t> too_few(9);
  EXPECT_THROW(MeshPipeline(device, mesh.corners, too_few, {}), Error);
}

}  // namespace
}  // namespace warpview::test
