// The view of a mesh: triangles, boxes, links and vertices appear when the kernel writes them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/step_views/names.h"
#include "app/step_views/sketch.h"
#include "app/step_views/trees.h"
#include "gpu/lab/experiment.h"
#include "gpu/recording/file.h"
#include "gpu/reference/reference.h"
#include "tests/step_views/drawn.h"
#include "tests/step_views/recordings.h"
#include "tests/support/meshes.h"

namespace warpview::test {
namespace {

using step_views::word_name;

constexpr std::uint32_t sheet_side = 8;
constexpr std::uint32_t sheet_triangles = 2 * sheet_side * sheet_side;

bool is_ramp(int ink) {
  return plot_ink::first_ramp <= ink && ink < plot_ink::first_ramp + plot_ramp_colours;
}

// The inks of all named triangles.
std::vector<int> inks_of_triangles(const Drawn& drawn) {
  std::vector<int> inks;
  for (const PlotShape& shape : drawn.shapes())
    if (!shape.name.empty() && shape.kind == PlotShape::Kind::polygon && shape.vertices.size() == 3)
      inks.push_back(shape.ink);
  return inks;
}
std::size_t coloured(const Drawn& drawn) {
  const std::vector<int> inks = inks_of_triangles(drawn);
  return static_cast<std::size_t>(std::count_if(inks.begin(), inks.end(), is_ramp));
}
// Where corners of triangles are drawn, to a tenth of a unit.
std::set<std::pair<long, long>> places_of_corners(const Drawn& drawn) {
  std::set<std::pair<long, long>> places;
  for (const PlotShape& shape : drawn.shapes())
    if (!shape.name.empty() && shape.kind == PlotShape::Kind::polygon && shape.vertices.size() == 3)
      for (const PlotVertex& v : shape.vertices)
        places.emplace(std::lround(10.0F * v.x), std::lround(10.0F * v.y));
  return places;
}
// Names of boxes: closed outlines.
std::set<std::string> boxes_of(const Drawn& drawn) {
  std::set<std::string> names;
  for (const PlotShape& shape : drawn.shapes())
    if (!shape.name.empty() && shape.kind == PlotShape::Kind::line && shape.vertices.size() == 7)
      names.insert(shape.name);
  return names;
}
std::uint32_t array_named(const Recording& recording, std::string_view name) {
  for (std::uint32_t i = 0; i < recording.arrays.size(); ++i)
    if (recording.arrays[i].name == name) return i;
  ADD_FAILURE() << "no array " << name;
  return 0;
}
// Words of an array that kernels have written up to here.
std::size_t written_words(const Playback& at, std::uint32_t array, std::uint32_t first,
                          std::uint32_t end) {
  std::size_t count = 0;
  for (std::uint32_t i = first; i < end; ++i) {
    const auto event = at.last_write({array, i, 0});
    count += event && !is_host_write(at.recording().events[*event].kind) ? 1 : 0;
  }
  return count;
}

TEST(SpaceView, IsOfMeshesAlone) {
  for (const char* primitive : {"morton", "sort", "build", "refit", "dedup", "scan"}) {
    const std::string variant = default_variant(find_primitive(primitive), Backend::cpu)->name;
    EXPECT_FALSE(view_named("space").is_for(*record({.primitive = primitive, .variant = variant})));
    const auto recording =
        record({.primitive = primitive, .variant = variant, .mesh = wavy_sheet(sheet_side)});
    EXPECT_TRUE(view_named("space").is_for(*recording)) << primitive;
    EXPECT_EQ(recording->mesh->triangles(), sheet_triangles);
    EXPECT_EQ(recording->distribution, "mesh");
    EXPECT_EQ(unpacked(packed(*recording), "it"), *recording) << "the file has the mesh";
  }
}

TEST(SpaceView, TrianglesGetTheirCodes) {
  const auto recording =
      record({.primitive = "morton", .variant = "bits30", .mesh = wavy_sheet(sheet_side)});
  const std::uint32_t codes = array_named(*recording, "codes");
  Drawn drawn("space", recording);
  for (std::size_t step = 0; step <= drawn.steps(); step += 7) {
    drawn.at(step);
    EXPECT_EQ(inks_of_triangles(drawn).size(), sheet_triangles);
    EXPECT_EQ(coloured(drawn), written_words(drawn.playback(), codes, 0, sheet_triangles));
  }
  drawn.at(drawn.steps());
  EXPECT_EQ(coloured(drawn), sheet_triangles);
  EXPECT_TRUE(drawn.says("128 of 128 triangles have their code"));
  // The first colour is that of the smallest code.
  const std::vector<Aabb> boxes = lab::boxes(*wavy_sheet(sheet_side));
  const auto expected =
      reference::morton_bits30(boxes, boxes.size(), reference::bounds(boxes).centres);
  const auto least = static_cast<std::uint32_t>(std::min_element(expected.begin(), expected.end()) -
                                                expected.begin());
  for (const PlotShape& shape : drawn.shapes())
    if (shape.name == word_name({codes, least, 0}) && shape.kind == PlotShape::Kind::polygon) {
      EXPECT_EQ(shape.ink, plot_ink::first_ramp);
    }

  // A kernel that writes another code.
  Recording broken = *recording;
  for (RecordedEvent& event : broken.events)
    if (event.kind == EventKind::write && event.subject == codes && event.offset == 4 * least)
      event.value = 0x7fffffff;
  Drawn other("space", std::make_shared<const Recording>(broken));
  other.at(other.steps());
  for (const PlotShape& shape : other.shapes())
    if (shape.name == word_name({codes, least, 0}) && shape.kind == PlotShape::Kind::polygon) {
      EXPECT_EQ(shape.ink, plot_ink::first_ramp + plot_ramp_colours - 1);
    }
}

TEST(SpaceView, TrianglesHaveTheColourOfTheirKeysPlace) {
  const auto mesh = wavy_sheet(sheet_side);
  for (const char* variant : {"resident", "onesweep", "msd", "count_scan_reorder", "library"}) {
    SCOPED_TRACE(variant);
    const auto recording = record({.primitive = "sort", .variant = variant, .mesh = mesh});
    const std::uint32_t out = array_named(*recording, "values_out");
    Drawn drawn("space", recording);
    drawn.at(0);
    EXPECT_EQ(coloured(drawn), sheet_triangles) << "keys have a place from the beginning";
    EXPECT_TRUE(drawn.says("No key is in its final place yet"));
    // Before it moves, a key's place is its triangle's number.
    Playback ended(recording);
    ended.seek(ended.steps());
    const auto order = ended.contents(out);
    for (const PlotShape& shape : drawn.shapes()) {
      if (shape.name.empty() || shape.kind != PlotShape::Kind::polygon) continue;
      const std::size_t place = std::stoul(shape.name.substr(shape.name.find('/', 5) + 1));
      std::uint32_t triangle = 0;
      std::memcpy(&triangle, order.data() + 4 * place, 4);
      EXPECT_EQ(shape.ink, plot_ink::first_ramp +
                               static_cast<int>(triangle * plot_ramp_colours / sheet_triangles));
    }
    drawn.at(drawn.steps());
    EXPECT_TRUE(drawn.says("128 of 128 keys are in their final place"));
    const auto lines =
        std::count_if(drawn.shapes().begin(), drawn.shapes().end(), [](const PlotShape& shape) {
          return shape.kind == PlotShape::Kind::line && shape.vertices.size() == 2 &&
                 shape.ink == plot_ink::text && shape.opacity == 0.9F;
        });
    EXPECT_EQ(lines, sheet_triangles - 1) << "the curve";
    const auto last_triangle =
        std::find_if(drawn.shapes().rbegin(), drawn.shapes().rend(),
                     [](const PlotShape& shape) { return shape.kind == PlotShape::Kind::polygon; });
    EXPECT_EQ(std::count_if(drawn.shapes().rbegin(), last_triangle,
                            [](const PlotShape& shape) {
                              return shape.kind == PlotShape::Kind::line &&
                                     shape.vertices.size() == 2 && shape.ink == plot_ink::text;
                            }),
              sheet_triangles - 1)
        << "in front of all triangles";
    // Each triangle is named by its word, and coloured by its place.
    for (const PlotShape& shape : drawn.shapes()) {
      if (shape.name.empty() || shape.kind != PlotShape::Kind::polygon) continue;
      ASSERT_TRUE(shape.name.starts_with("word/" + std::to_string(out) + "/"));
      const auto place =
          static_cast<int>(std::stoul(shape.name.substr(shape.name.find('/', 5) + 1)));
      EXPECT_EQ(shape.ink, plot_ink::first_ramp +
                               place * plot_ramp_colours / static_cast<int>(sheet_triangles));
    }
  }
}

TEST(SpaceView, BoxesAreThoseOfNodesThatExist) {
  const auto mesh = wavy_sheet(sheet_side);
  for (const auto& [primitive, variant] :
       {std::pair{"refit", "atomic"}, {"refit", "levels"}, {"build", "apetrei"}}) {
    SCOPED_TRACE(variant);
    const auto recording = record({.primitive = primitive, .variant = variant, .mesh = mesh});
    const auto arrays = step_views::tree_arrays(*recording).value();
    const step_views::FinishedTree tree(*recording, arrays);
    Drawn drawn("space", recording);
    for (std::size_t step = 0; step <= drawn.steps(); step += 41) {
      drawn.at(step);
      const Playback& at = drawn.playback();
      const std::size_t leaves = written_words(at, arrays.nodes, arrays.first_leaf(),
                                               arrays.first_leaf() + sheet_triangles);
      EXPECT_EQ(coloured(drawn), leaves);
      const std::size_t inner = written_words(at, arrays.nodes, 0, arrays.first_leaf());
      EXPECT_TRUE(drawn.says(std::to_string(inner) + " of 127 inner nodes"));
      for (const std::string& name : boxes_of(drawn)) {
        const auto node =
            static_cast<std::uint32_t>(std::stoul(name.substr(name.find('/', 5) + 1)));
        EXPECT_EQ(written_words(at, arrays.nodes, node, node + 1), 1U) << name;
      }
      // Nodes without a fitted parent, and those of this step.
      std::set<std::string> expected;
      std::size_t topmost = 0;
      for (const std::uint32_t i : tree.inner) {
        if (written_words(at, arrays.nodes, i, i + 1) == 0) continue;
        const std::uint32_t parent = tree.nodes[i].parent;
        const bool is_topmost = parent == step_views::no_tree_node ||
                                written_words(at, arrays.nodes, parent, parent + 1) == 0;
        topmost += is_topmost ? 1 : 0;
        if (is_topmost || at.last_did(*at.last_write({arrays.nodes, i, 0})))
          expected.insert(word_name({arrays.nodes, i, 0}));
      }
      // The root alone has those of the levels below it, too.
      if (topmost > 1 && topmost < 40) {
        EXPECT_EQ(boxes_of(drawn), expected);
      }
      if (inner == 0) {
        EXPECT_EQ(boxes_of(drawn).size(), 0U);
      }
    }
    EXPECT_TRUE(drawn.at(drawn.steps()).says("127 of 127 inner nodes and 128 of 128 leaves"));
  }
}

TEST(SpaceView, LinksAppearWithTheirNode) {
  const auto recording =
      record({.primitive = "build", .variant = "karras", .mesh = wavy_sheet(sheet_side)});
  const auto arrays = step_views::tree_arrays(*recording).value();
  const step_views::FinishedTree tree(*recording, arrays);
  Drawn drawn("space", recording);
  for (const std::size_t step : {std::size_t{0}, drawn.steps() / 2, drawn.steps()}) {
    drawn.at(step);
    std::size_t links = 0;
    for (const std::uint32_t i : tree.inner)
      if (written_words(drawn.playback(), arrays.nodes, i, i + 1) == 1)
        for (const std::uint32_t child : {tree.nodes[i].left, tree.nodes[i].right})
          links += child < arrays.first_leaf() ? 1 : 0;
    const auto lines = static_cast<std::size_t>(
        std::count_if(drawn.shapes().begin(), drawn.shapes().end(), [](const PlotShape& shape) {
          return shape.kind == PlotShape::Kind::line && shape.vertices.size() == 2 &&
                 shape.ink == plot_ink::text && shape.opacity == 0.9F;
        }));
    EXPECT_EQ(lines, links);
  }
}

TEST(SpaceView, CornersMeetInTheirVertices) {
  for (const char* variant : {"hash", "cooperative", "sort", "library"}) {
    SCOPED_TRACE(variant);
    const auto recording =
        record({.primitive = "dedup", .variant = variant, .mesh = wavy_sheet(sheet_side)});
    Drawn drawn("space", recording);
    EXPECT_TRUE(drawn.at(0).says("0 of 384 corners have found their vertex: 0 of 81 vertices"));
    EXPECT_EQ(places_of_corners(drawn).size(), 384U) << "all triangles are apart";
    EXPECT_TRUE(
        drawn.at(drawn.steps()).says("384 of 384 corners have found their vertex: 81 of 81"));
    EXPECT_EQ(places_of_corners(drawn).size(), 81U) << "those of the vertices";
  }
}

// Atomics unite the boxes into a cell of ordered integers.
TEST(SpaceView, BoundsGrowWhileAtomicsUniteThem) {
  const auto recording = record({.primitive = "reduce",
                                 .variant = "atomic",
                                 .form = "scene_bounds",
                                 .mesh = wavy_sheet(2 * sheet_side)});
  const std::string cell = word_name({array_named(*recording, "cell"), 0, 0});
  const std::string out = word_name({array_named(*recording, "out"), 0, 0});
  Drawn drawn("space", recording);
  std::set<float> sums;  // of an outline's coordinates
  for (std::size_t step = 0; step <= drawn.steps(); ++step)
    for (const PlotShape& shape : drawn.at(step).shapes())
      if (shape.name == cell && shape.vertices.size() == 7) {
        float sum = 0.0F;
        for (const PlotVertex& v : shape.vertices) sum += v.x + v.y;
        sums.insert(sum);
      }
  EXPECT_GT(sums.size(), 2U);
  ASSERT_EQ(boxes_of(drawn), (std::set<std::string>{cell, out}));
  std::map<std::string, std::vector<PlotVertex>> ends;
  for (const PlotShape& shape : drawn.shapes())
    if (shape.vertices.size() == 7 && !shape.name.empty()) ends[shape.name] = shape.vertices;
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(ends[cell][i].x, ends[out][i].x);
    EXPECT_EQ(ends[cell][i].y, ends[out][i].y);
  }
}

// What is read of a file may be anything.
TEST(SpaceView, TakesAnyMesh) {
  for (const char* primitive : {"morton", "sort", "build", "refit", "dedup", "reduce"}) {
    SCOPED_TRACE(primitive);
    const std::string variant = default_variant(find_primitive(primitive), Backend::cpu)->name;
    const auto recording = record({.primitive = primitive,
                                   .variant = variant,
                                   .form = std::string(primitive) == "reduce" ? "scene_bounds" : "",
                                   .mesh = wavy_sheet(4)});
    for (int kind = 0; kind < 6; ++kind) {
      Recording broken = *recording;
      RecordedMesh& mesh = *broken.mesh;
      if (kind == 0) std::fill(mesh.corners.begin(), mesh.corners.end(), 0.0F);
      if (kind == 1) std::fill(mesh.corners.begin(), mesh.corners.end(), 3e38F);
      if (kind == 2) mesh.right = mesh.up = {0.0F, 0.0F, 0.0F};
      if (kind == 3) {
        mesh.corners[0] = 3e38F;
        mesh.corners[9] = -3e38F;
        mesh.right = mesh.up;
      }
      if (kind == 4) mesh.corners.resize(9);
      if (kind == 5) {  // what is read, and what is written
        for (RecordedArray& array : broken.arrays)
          for (std::uint8_t& byte : array.before) byte ^= 0xffU;
        for (RecordedEvent& event : broken.events)
          if (is_access(event.kind)) event.value = ~event.value;
      }
      const auto shared = std::make_shared<const Recording>(broken);
      if (!view_named("space").is_for(*shared)) continue;
      Drawn drawn("space", shared);
      for (const std::size_t step : {std::size_t{0}, drawn.steps() / 2, drawn.steps()})
        expect_inside(drawn.at(step).drawing(), drawn.surface());
    }
  }
}

TEST(SpaceView, KeepsTheMeshInItsPlace) {
  const auto recording =
      record({.primitive = "refit", .variant = "atomic", .mesh = wavy_sheet(sheet_side)});
  for (const float width : {332.0F, 900.0F}) {
    Drawn drawn("space", recording, width);
    const float height = drawn.at(0).drawing().height;
    for (std::size_t step = 0; step <= drawn.steps(); step += 97) {
      drawn.at(step);
      EXPECT_EQ(drawn.drawing().height, height);
      expect_inside(drawn.drawing(), drawn.surface());
    }
  }
}

}  // namespace
}  // namespace warpview::test
