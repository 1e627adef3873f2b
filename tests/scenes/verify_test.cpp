// What `--verify` finds: vertices and trees held against the same done sequentially.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "scenes/parts/tree.h"
#include "scenes/parts/vertices.h"
#include "tests/scenes/meshes.h"
#include "tests/scenes/scene_test.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

constexpr std::size_t triangles = 700;

// A mesh on the device with a tree over it.
struct Parts {
  Mesh mesh;
  Timeline timeline;
  Vertices vertices;
  Tree tree;

  Parts(Device& device, Mesh mesh_, const std::vector<std::string>& variants = {},
        const std::string& prefix = "")
      : mesh(std::move(mesh_)),
        timeline(device, wishes_of(variants)),
        vertices(timeline, mesh, prefix),
        tree(timeline,
             {.vertices = vertices.vertices(),
              .indices = vertices.indices(),
              .count = vertices.triangle_count(),
              .capacity = vertices.triangle_capacity()},
             prefix) {
    timeline.reserve_scratch();
    vertices.upload();
    vertices.compute();
    tree.rebuild();
    timeline.queue_read_backs();
    timeline.collect();
  }

  Vertices::Snapshot vertices_now() const { return vertices.snapshot(); }
  Tree::Snapshot tree_now() const { return tree.snapshot(vertices.counts().vertices); }
  void expect_sound() const {
    expect_none(vertices.verify(vertices_now()));
    expect_none(tree.verify(tree_now()));
  }
  static void expect_none(const std::vector<Check>& checks) {
    EXPECT_FALSE(checks.empty());
    for (const Check& check : checks) EXPECT_EQ(check.difference, "") << check.stage;
  }
};

std::vector<std::string> stages_of(const std::vector<Check>& checks) {
  std::vector<std::string> stages;
  for (const Check& check : checks) stages.push_back(check.stage);
  return stages;
}

// Every variant of every stage once, the others at their default.
std::vector<std::vector<std::string>> every_choice(Device& device) {
  const Parts parts(device, sphere(1));
  std::vector<std::vector<std::string>> choices = {{"morton=bits63", "build=apetrei"}};
  for (std::size_t i = 0; i < parts.timeline.size(); ++i) {
    const auto stage = static_cast<StageId>(i);
    const StageInfo& info = parts.timeline.info(stage);
    if (!info.primitive) continue;
    for (const VariantId variant : variants_of(*info.primitive))
      if (parts.timeline.why_not(stage, variant).empty())
        choices.push_back({info.name + "=" + variant->name});
  }
  return choices;
}

TEST(Verify, PassesForEveryVariant) {
  for (const TestDevice& device : devices_for(triangles)) {
    const auto choices = every_choice(*device.device);
    EXPECT_GT(choices.size(), 20U);
    for (const std::vector<std::string>& choice : choices) {
      SCOPED_TRACE(device.name + ": " + choice.front());
      Parts(*device.device, with_non_finite(triangles, 11), choice).expect_sound();
    }
  }
}

TEST(Verify, PassesForDegenerateMeshes) {
  for (const Mesh& mesh : degenerate_meshes())
    for (const TestDevice& device : devices_for(triangles))
      for (const char* build : {"build=karras", "build=apetrei"}) {
        SCOPED_TRACE(device.name + ": " + mesh.name + ", " + build);
        Parts(*device.device, mesh, {build}).expect_sound();
      }
}

TEST(Verify, NamesEveryStageThatItChecks) {
  const Parts parts(*devices_for(triangles).front().device, sphere(triangles), {}, "a.");
  EXPECT_EQ(stages_of(parts.vertices.verify(parts.vertices_now())),
            (std::vector<std::string>{"a.upload", "a.scan", "a.dedup"}));
  EXPECT_EQ(stages_of(parts.tree.verify(parts.tree_now())),
            (std::vector<std::string>{"a.boxes", "a.bounds", "a.morton", "a.sort", "a.build",
                                      "a.refit", "a.statistics"}));
  for (const Check& check : parts.tree.verify(parts.tree_now()))
    EXPECT_TRUE(parts.timeline.find(check.stage)) << check.stage;
  for (const Check& check : parts.vertices.verify(parts.vertices_now()))
    EXPECT_TRUE(parts.timeline.find(check.stage)) << check.stage;
}

// A fault planted in what a stage left.
template <class Snapshot>
struct Fault {
  const char* name;
  const char* stage;
  std::function<void(Snapshot&)> plant;
};

std::vector<Fault<Vertices::Snapshot>> faults_of_vertices() {
  using Snapshot = Vertices::Snapshot;
  return {
      {"lost triangle", "scan", [](Snapshot& s) { --s.counts.triangles; }},
      {"wrong number of corners", "scan", [](Snapshot& s) { ++s.counts.corners; }},
      {"wrong drop count", "scan", [](Snapshot& s) { ++s.counts.dropped; }},
      {"moved corner", "scan", [](Snapshot& s) { s.corners[5].position.y += 0.25F; }},
      {"wrong material", "scan", [](Snapshot& s) { s.material[9] ^= 1U; }},
      {"vertex too many", "dedup", [](Snapshot& s) { ++s.counts.vertices; }},
      {"wrong vertex", "dedup", [](Snapshot& s) { s.vertices[3].normal.x = 2.0F; }},
      {"wrong index", "dedup", [](Snapshot& s) { std::swap(s.indices[0], s.indices[1]); }},
  };
}

std::vector<Fault<Tree::Snapshot>> faults_of_trees() {
  using Snapshot = Tree::Snapshot;
  return {
      {"wrong triangle box", "boxes", [](Snapshot& s) { s.boxes[2].min.z -= 1.0F; }},
      {"wrong bounds", "bounds", [](Snapshot& s) { s.bounds.points.max.x += 1.0F; }},
      {"wrong centres", "bounds", [](Snapshot& s) { s.bounds.centres.min.y -= 1.0F; }},
      {"wrong code", "morton", [](Snapshot& s) { s.codes[4] ^= 1U; }},
      {"code out of order", "sort",
       [](Snapshot& s) { std::swap(s.sorted_codes.front(), s.sorted_codes.back()); }},
      {"wrong order", "sort",
       [](Snapshot& s) { std::swap(s.primitives.front(), s.primitives.back()); }},
      {"wrong root", "build", [](Snapshot& s) { s.root = s.nodes[s.root].left; }},
      {"wrong child", "build", [](Snapshot& s) { s.nodes[s.root].left = s.root; }},
      {"child that does not exist", "build",
       [](Snapshot& s) { s.nodes[s.root].right = 0x7fffffffU; }},
      {"wrong parent", "build", [](Snapshot& s) { s.parent.back() ^= 1U; }},
      {"node with the number of another's leaf", "build",
       [](Snapshot& s) {  // two nodes of the root's children change places
         const std::uint32_t left = s.nodes[s.root].left;
         const std::uint32_t right = s.nodes[s.root].right;
         for (const std::uint32_t node : {left, right})
           for (const std::uint32_t child : {s.nodes[node].left, s.nodes[node].right})
             s.parent[child] = left + right - node;
         std::swap(s.nodes[left], s.nodes[right]);
         std::swap(s.nodes[s.root].left, s.nodes[s.root].right);
       }},
      {"wrong leaf box", "refit", [](Snapshot& s) { s.nodes.back().max.x += 1.0F; }},
      {"wrong root box", "refit", [](Snapshot& s) { s.nodes[s.root].min.x -= 1.0F; }},
      {"wrong depth", "statistics", [](Snapshot& s) { ++s.statistics.max_depth; }},
      {"wrong cost", "statistics", [](Snapshot& s) { s.statistics.sah_cost *= 1.01; }},
      {"wrong node count", "statistics", [](Snapshot& s) { ++s.statistics.inner_nodes; }},
  };
}

// The check of the faulty stage is the last one, and the only one that found something.
void expect_found(const std::vector<Check>& checks, const std::string& stage) {
  ASSERT_FALSE(checks.empty());
  for (const Check& check : checks)
    EXPECT_EQ(check.difference.empty(), &check != &checks.back())
        << check.stage << ": " << check.difference;
  EXPECT_EQ(checks.back().stage, stage) << checks.back().difference;
}

TEST(Verify, NamesTheStageOfAPlantedFault) {
  for (const char* const prefix : {"", "part."})
    for (const char* const morton : {"morton=bits30", "morton=bits63"}) {
      const Parts parts(*devices_for(triangles).front().device, sphere(triangles), {morton},
                        prefix);
      const Vertices::Snapshot vertices = parts.vertices_now();
      Parts::expect_none(parts.vertices.verify(vertices));
      for (const auto& fault : faults_of_vertices()) {
        SCOPED_TRACE(fault.name);
        Vertices::Snapshot faulty = vertices;
        fault.plant(faulty);
        expect_found(parts.vertices.verify(faulty), std::string(prefix) + fault.stage);
      }
      const Tree::Snapshot tree = parts.tree_now();
      Parts::expect_none(parts.tree.verify(tree));
      for (const auto& fault : faults_of_trees()) {
        SCOPED_TRACE(fault.name);
        Tree::Snapshot faulty = tree;
        fault.plant(faulty);
        expect_found(parts.tree.verify(faulty), std::string(prefix) + fault.stage);
      }
    }
}

TEST(Verify, AfterARefitTheBoxesAreHeldAgainstTheVerticesThatMoved) {
  for (const TestDevice& device : devices_for(triangles)) {
    SCOPED_TRACE(device.name);
    Parts parts(*device.device, sphere(triangles));
    Stream& stream = parts.timeline.stream();
    std::vector<Vertex> moved = parts.vertices_now().vertices;
    for (std::size_t v = 0; v < moved.size(); ++v)
      moved[v].position.y += 0.2F * static_cast<float>(v % 7);
    Buffer<Vertex> elsewhere(*device.device, moved.size());
    elsewhere.upload(stream, moved);
    parts.tree.set_vertices(elsewhere.data());
    parts.tree.refit();
    parts.timeline.queue_read_backs();
    Tree::Snapshot snapshot = parts.tree_now();
    EXPECT_FALSE(snapshot.is_current);
    const std::vector<Check> checks = parts.tree.verify(snapshot);
    Parts::expect_none(checks);
    const std::vector<std::string> checked = stages_of(checks);
    EXPECT_EQ(std::count(checked.begin(), checked.end(), "bounds"), 0);
    EXPECT_EQ(std::count(checked.begin(), checked.end(), "morton"), 0);
    EXPECT_EQ(std::count(checked.begin(), checked.end(), "refit"), 1);

    Tree::Snapshot faulty = snapshot;
    faulty.vertices[7].position.x += 10.0F;
    expect_found(parts.tree.verify(faulty), "boxes");
    faulty = snapshot;
    faulty.nodes[faulty.root].max.y += 1.0F;
    expect_found(parts.tree.verify(faulty), "refit");

    // Built anew, all of it belongs to where the vertices are now.
    parts.tree.rebuild();
    parts.timeline.queue_read_backs();
    snapshot = parts.tree_now();
    EXPECT_TRUE(snapshot.is_current);
    EXPECT_EQ(parts.tree.verify(snapshot).size(), 7U);
    Parts::expect_none(parts.tree.verify(snapshot));
  }
}

// Two of them on one timeline may differ in every variant.
TEST(Verify, TwoTreesSideBySideKeepTheirOwnVariants) {
  for (const TestDevice& device : devices_for(triangles)) {
    SCOPED_TRACE(device.name);
    const Mesh mesh = sphere(triangles);
    Timeline timeline(*device.device,
                      wishes_of({"build=karras", "b.build=apetrei", "b.morton=bits63"}));
    Vertices vertices(timeline, mesh);
    const Tree::Triangles on = {.vertices = vertices.vertices(),
                                .indices = vertices.indices(),
                                .count = vertices.triangle_count(),
                                .capacity = vertices.triangle_capacity()};
    Tree a(timeline, on, "a.");
    Tree b(timeline, on, "b.");
    timeline.reserve_scratch();
    vertices.upload();
    vertices.compute();
    a.rebuild();
    b.rebuild();
    timeline.queue_read_backs();
    timeline.collect();
    EXPECT_FALSE(a.build_fits());
    EXPECT_TRUE(b.build_fits());
    EXPECT_EQ(a.key_bits(), 32);
    EXPECT_EQ(b.key_bits(), 64);
    Parts::expect_none(a.verify(a.snapshot(vertices.counts().vertices)));
    Parts::expect_none(b.verify(b.snapshot(vertices.counts().vertices)));
    const std::vector<StageResult> reports = timeline.stage_results();
    EXPECT_EQ(reports[index_of(*timeline.find("a.refit"))].done_by, "");
    EXPECT_EQ(reports[index_of(*timeline.find("b.refit"))].done_by, "b.build");
    EXPECT_TRUE(timeline.times(*timeline.find("b.refit")).empty());
  }
}

}  // namespace
}  // namespace warpview::test
