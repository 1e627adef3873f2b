// Recordings whose input is made from a mesh: every variant works on the mesh's own data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "gpu/lab/record.h"
#include "gpu/reference/reference.h"
#include "gpu/runtime/recorded_device.h"
#include "tests/support/meshes.h"

namespace warpview::test {
namespace {

using lab::MeshInput;
using lab::Question;

Question mesh_question(Primitive primitive, const std::shared_ptr<const MeshInput>& mesh,
                       const char* form = nullptr) {
  Question question{.primitive = primitive,
                    .form = form == nullptr ? 0 : lab::find_form(primitive, form)};
  lab::take_mesh(question, mesh);
  return question;
}
Recording recorded_run(const Question& question, const char* variant) {
  const auto device = open_recorded_device();
  lab::Recorded recorded =
      lab::record(*device, question, find_variant(question.primitive, variant));
  EXPECT_EQ(recorded.difference, "");
  return std::move(recorded.recording);
}

// Has the recording an input array that begins with these items?
template <class T>
bool has_input(const Recording& recording, const std::vector<T>& items) {
  const std::size_t bytes = items.size() * sizeof(T);
  return std::any_of(recording.arrays.begin(), recording.arrays.end(),
                     [&](const RecordedArray& array) {
                       return array.name.starts_with("input") && array.before.size() == bytes &&
                              std::memcmp(array.before.data(), items.data(), bytes) == 0;
                     });
}
std::vector<std::uint32_t> codes_of(const MeshInput& mesh) {
  const std::vector<Aabb> boxes = lab::boxes(mesh);
  return reference::morton_bits30(boxes, boxes.size(), reference::bounds(boxes).centres);
}

TEST(MeshRecording, InputsAreMadeFromItsTriangles) {
  const auto mesh = wavy_sheet(6);
  // Another mesh, in one coordinate: it must be told apart everywhere.
  MeshInput changed = *mesh;
  changed.corners[100].position.z += 0.5F;
  for (const MeshInput& expected : {*mesh, changed}) {
    const bool is_same = expected.corners[100].position.z == mesh->corners[100].position.z;
    std::vector<std::uint32_t> codes = codes_of(expected);
    EXPECT_EQ(
        has_input(recorded_run(mesh_question(Primitive::dedup, mesh), "hash"), expected.corners),
        is_same);
    EXPECT_EQ(has_input(recorded_run(mesh_question(Primitive::morton, mesh), "bits30"),
                        lab::boxes(expected)),
              is_same);
    EXPECT_EQ(has_input(recorded_run(mesh_question(Primitive::sort, mesh), "resident"), codes),
              is_same);
    std::sort(codes.begin(), codes.end());
    EXPECT_EQ(has_input(recorded_run(mesh_question(Primitive::build, mesh), "karras"), codes),
              is_same);
    EXPECT_EQ(has_input(recorded_run(mesh_question(Primitive::refit, mesh), "atomic"),
                        lab::boxes(expected)),
              is_same);
    EXPECT_EQ(
        has_input(recorded_run(mesh_question(Primitive::reduce, mesh, "scene_bounds"), "vectors"),
                  lab::boxes(expected)),
        is_same);
  }
}

TEST(MeshRecording, SaysWhatItIsOf) {
  const auto mesh = wavy_sheet(6);
  const Recording recording = recorded_run(mesh_question(Primitive::dedup, mesh), "hash");
  ASSERT_TRUE(recording.mesh);
  EXPECT_EQ(recording.mesh->name, "sheet");
  EXPECT_EQ(recording.mesh->whole, 72U);
  EXPECT_EQ(recording.mesh->triangles(), 72U);
  EXPECT_EQ(recording.mesh->corners[9 * 5 + 3], mesh->corners[3 * 5 + 1].position.x);
  EXPECT_EQ(recording.mesh->right[2], mesh->right.z);
  EXPECT_EQ(recording.items, 216U);
  EXPECT_EQ(recording.distribution, "mesh");
}

TEST(MeshRecording, TakesHalfUntilItFits) {
  // 3698 triangles: more than 10^6 events.
  const Question question = mesh_question(Primitive::dedup, wavy_sheet(43));
  const Recording recording = recorded_run(question, "sort");
  ASSERT_TRUE(recording.mesh);
  EXPECT_EQ(recording.mesh->triangles(), 1849U);
  EXPECT_EQ(recording.items, 3 * recording.mesh->triangles());
  EXPECT_EQ(recording.mesh->whole, 3698U) << "the mesh has as many as before";
  EXPECT_LE(recording.events.size(), Recording::most_events);
}

TEST(MeshRecording, EveryVariantTakesIt) {
  const auto device = open_recorded_device();
  int recorded = 0;
  for (int p = 0; p < primitive_count; ++p) {
    const auto primitive = static_cast<Primitive>(p);
    const auto forms = lab::experiment(primitive).forms;
    for (int form = 0; form < static_cast<int>(forms.size()); ++form) {
      if (lab::items_a_triangle(primitive, form) == 0) continue;
      for (const std::uint32_t side : {1U, 5U}) {
        Question question{.primitive = primitive, .form = form};
        lab::take_mesh(question, wavy_sheet(side));
        for (const VariantId variant : variants_of(primitive)) {
          if (!lab::why_not(variant, form, device->info(), question.n).empty()) continue;
          EXPECT_EQ(lab::record(*device, question, variant).difference, "")
              << to_string(primitive) << " " << variant->name << " " << side;
          ++recorded;
        }
      }
    }
  }
  EXPECT_GT(recorded, 90);
}

TEST(MeshRecording, OtherFormsRefuseIt) {
  Question question = mesh_question(Primitive::sort, wavy_sheet(2));
  EXPECT_EQ(lab::why_not_input(question), "");
  question.form = lab::find_form(Primitive::sort, "f32");
  EXPECT_NE(lab::why_not_input(question), "");
  question = mesh_question(Primitive::sort, wavy_sheet(2));
  ++question.n;
  EXPECT_NE(lab::why_not_input(question), "");
  question = mesh_question(Primitive::sort, wavy_sheet(2));
  question.distribution = lab::Distribution::uniform;
  EXPECT_NE(lab::why_not_input(question), "");
  question.mesh.reset();
  EXPECT_EQ(lab::why_not_input(question), "");
  question.distribution = lab::Distribution::mesh;
  EXPECT_NE(lab::why_not_input(question), "");
}

// Triangles that are not finite are left out, and there must be one.
TEST(MeshRecording, TakesTheFirstFiniteTriangles) {
  std::vector<Vertex> corners = wavy_sheet(2)->corners;
  corners[4].position.y = std::nanf("");
  const MeshInput mesh = lab::mesh_input("it", corners, 3);
  EXPECT_EQ(mesh.whole, 8U);
  EXPECT_EQ(mesh.triangles(), 3U);
  for (const auto& [kept, given] : {std::pair{0U, 0U}, {1U, 1U}, {3U, 6U}, {4U, 7U}, {8U, 11U}}) {
    EXPECT_EQ(mesh.corners[kept].position.x, corners[given].position.x);
    EXPECT_EQ(mesh.corners[kept].position.y, corners[given].position.y);
  }
  EXPECT_THROW(lab::mesh_input("it", {}, 3), Error);
  EXPECT_THROW(lab::mesh_input("it", std::span(corners).subspan(3, 3), 3), Error);
}

}  // namespace
}  // namespace warpview::test
