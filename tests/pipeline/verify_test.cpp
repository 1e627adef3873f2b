#include "gpu/pipeline/verify.h"

#include <gtest/gtest.h>

#include <functional>

#include "gpu/lab/experiment.h"
#include "tests/pipeline/meshes.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

constexpr std::size_t triangles = 700;

// Every variant of every primitive of the pipeline once, the others at their default.
std::vector<VariantChoice> every_choice() {
  std::vector<VariantChoice> choices;
  for (int row = 0; row < static_cast<int>(variants().size()); ++row) {
    const Primitive primitive = variants()[static_cast<std::size_t>(row)].primitive;
    if (!in_pipeline(primitive)) continue;
    VariantChoice choice;
    choice[primitive] = row;
    choices.push_back(choice);
  }
  VariantChoice wide_bottom_up;
  wide_bottom_up.set("morton=bits63");
  wide_bottom_up.set("build=apetrei");
  choices.push_back(wide_bottom_up);
  return choices;
}

bool is_available(const VariantChoice& choice, const DeviceInfo& device) {
  return std::all_of(choice.row.begin(), choice.row.end(),
                     [&device](int row) { return lab::why_not_in_pipeline(row, device).empty(); });
}

std::string name_of(const VariantChoice& choice) {
  std::string name;
  for (const int row : choice.row)
    name += std::string(variants()[static_cast<std::size_t>(row)].name) + " ";
  return name;
}

TEST(Verify, PassesForEveryVariant) {
  const TestMesh mesh = with_non_finite(triangles, 11);
  for (const TestDevice& device : devices_for(triangles))
    for (const VariantChoice& choice : every_choice()) {
      if (!is_available(choice, device.device->info())) continue;
      SCOPED_TRACE(device.name + ": " + name_of(choice));
      MeshPipeline pipeline(*device.device, mesh.corners, mesh.material, choice);
      pipeline.load();
      const auto difference = verify(pipeline.snapshot(), mesh.corners, mesh.material, choice);
      EXPECT_FALSE(difference) << to_string(difference->stage) << ": " << difference->text;
    }
}

TEST(Verify, PassesForDegenerateMeshes) {
  for (const TestMesh& mesh : degenerate_meshes())
    for (const TestDevice& device : devices_for(triangles))
      for (const char* build : {"build=karras", "build=apetrei"}) {
        SCOPED_TRACE(device.name + ": " + mesh.name + ", " + build);
        VariantChoice choice;
        choice.set(build);
        MeshPipeline pipeline(*device.device, mesh.corners, mesh.material, choice);
        pipeline.load();
        const auto difference = verify(pipeline.snapshot(), mesh.corners, mesh.material, choice);
        EXPECT_FALSE(difference) << to_string(difference->stage) << ": " << difference->text;
      }
}

// A fault planted in what a stage left.
struct Fault {
  const char* name;
  Stage stage;
  std::function<void(MeshPipeline::Snapshot&)> plant;
};

std::vector<Fault> faults() {
  using Snapshot = MeshPipeline::Snapshot;
  return {
      {"lost triangle", Stage::scan, [](Snapshot& s) { --s.counts.triangles; }},
      {"wrong drop count", Stage::scan, [](Snapshot& s) { ++s.counts.dropped; }},
      {"moved corner", Stage::scan, [](Snapshot& s) { s.corners[5].position.y += 0.25F; }},
      {"wrong material", Stage::scan, [](Snapshot& s) { s.material[9] ^= 1U; }},
      {"vertex too many", Stage::dedup, [](Snapshot& s) { ++s.counts.vertices; }},
      {"wrong vertex", Stage::dedup, [](Snapshot& s) { s.rest[3].normal.x = 2.0F; }},
      {"wrong index", Stage::dedup, [](Snapshot& s) { std::swap(s.indices[0], s.indices[1]); }},
      {"wrong triangle box", Stage::bounds, [](Snapshot& s) { s.boxes[2].min.z -= 1.0F; }},
      {"wrong bounds", Stage::bounds, [](Snapshot& s) { s.bounds.points.max.x += 1.0F; }},
      {"wrong centres", Stage::bounds, [](Snapshot& s) { s.bounds.centres.min.y -= 1.0F; }},
      {"wrong code", Stage::morton, [](Snapshot& s) { s.codes[4] ^= 1U; }},
      {"code out of order", Stage::sort,
       [](Snapshot& s) { std::swap(s.sorted_codes.front(), s.sorted_codes.back()); }},
      {"wrong order", Stage::sort,
       [](Snapshot& s) { std::swap(s.primitives.front(), s.primitives.back()); }},
      {"wrong root", Stage::build, [](Snapshot& s) { s.root = s.nodes[s.root].left; }},
      {"wrong child", Stage::build, [](Snapshot& s) { s.nodes[s.root].left = s.root; }},
      {"child that does not exist", Stage::build,
       [](Snapshot& s) { s.nodes[s.root].right = 0x7fffffffU; }},
      {"wrong parent", Stage::build, [](Snapshot& s) { s.parent.back() ^= 1U; }},
      {"wrong leaf box", Stage::refit, [](Snapshot& s) { s.nodes.back().max.x += 1.0F; }},
      {"wrong root box", Stage::refit, [](Snapshot& s) { s.nodes[s.root].min.x -= 1.0F; }},
      {"wrong depth", Stage::refit, [](Snapshot& s) { ++s.statistics.max_depth; }},
      {"wrong cost", Stage::refit, [](Snapshot& s) { s.statistics.sah_cost *= 1.01; }},
      {"wrong node count", Stage::refit, [](Snapshot& s) { ++s.statistics.inner_nodes; }},
  };
}

TEST(Verify, NamesTheStageOfAPlantedFault) {
  const TestMesh mesh = sphere(triangles);
  const TestDevice& device = devices_for(triangles).front();
  const VariantChoice choice;
  MeshPipeline pipeline(*device.device, mesh.corners, mesh.material, choice);
  pipeline.load();
  const MeshPipeline::Snapshot sound = pipeline.snapshot();
  ASSERT_FALSE(verify(sound, mesh.corners, mesh.material, choice));
  for (const Fault& fault : faults()) {
    SCOPED_TRACE(fault.name);
    MeshPipeline::Snapshot faulty = sound;
    fault.plant(faulty);
    const auto difference = verify(faulty, mesh.corners, mesh.material, choice);
    ASSERT_TRUE(difference);
    EXPECT_EQ(difference->stage, fault.stage) << difference->text;
    EXPECT_FALSE(difference->text.empty());
  }
}

TEST(Verify, AfterARefitTheBoxesAreHeldAgainstTheDeformedVertices) {
  const TestMesh mesh = sphere(triangles);
  const TestDevice& device = devices_for(triangles).front();
  const VariantChoice choice;
  MeshPipeline pipeline(*device.device, mesh.corners, mesh.material, choice);
  pipeline.load();
  pipeline.frame({.animation = Animation::refit,
                  .wave = {.amplitude = 0.2F, .wave_number = 5.0F, .phase = 1.0F},
                  .targets = {}});
  MeshPipeline::Snapshot snapshot = pipeline.snapshot();
  EXPECT_FALSE(snapshot.tree_is_current);
  EXPECT_FALSE(verify(snapshot, mesh.corners, mesh.material, choice));
  const std::vector<Stage> checked = verifiable_stages(snapshot);
  EXPECT_EQ(std::count(checked.begin(), checked.end(), Stage::bounds), 0);
  EXPECT_EQ(std::count(checked.begin(), checked.end(), Stage::refit), 1);

  snapshot.vertices[7].position.x += 10.0F;
  const auto difference = verify(snapshot, mesh.corners, mesh.material, choice);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->stage, Stage::refit);
}

}  // namespace
}  // namespace warpview::test
