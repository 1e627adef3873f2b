#include "app/report.h"

#include <algorithm>
#include <cstddef>

namespace warpview {
namespace {

using Json = nlohmann::ordered_json;

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Json bounds_as_json(const Aabb& box) {
  if (box.is_empty()) return {{"min", nullptr}, {"max", nullptr}};
  const auto numbers = [](Vec3 v) { return Json::array({v.x, v.y, v.z}); };
  return {{"min", numbers(box.min)}, {"max", numbers(box.max)}};
}

std::string variant_name(const WorkspaceModel& workspace, const StageRow& row) {
  const auto primitive = primitive_of(row.stage);
  if (!primitive) return "-";
  // A builder that fits has done the refit's work too.
  const Primitive by = row.fused ? Primitive::build : *primitive;
  return variants()[static_cast<std::size_t>(workspace.choice[by])].name;
}

Json stage_as_json(const WorkspaceModel& workspace, const StageRow& row,
                   std::optional<bool> verified) {
  Json stage = {{"name", to_string(row.stage)}, {"variant", variant_name(workspace, row)},
                {"items", row.items},           {"bytes", row.fused ? 0 : row.bytes},
                {"ms_median", row.median_ms},   {"ms_min", row.least_ms},
                {"gb_per_s", row.gb_per_s},     {"verified", nullptr}};
  if (verified) stage["verified"] = *verified;
  return stage;
}

}  // namespace

nlohmann::ordered_json make_report(const WorkspaceModel& workspace, const RunResults& results) {
  Json stages = Json::array();
  for (const StageRow& row : workspace.stages)
    stages.push_back(
        stage_as_json(workspace, row, results.verified[static_cast<std::size_t>(row.stage)]));
  Json warnings = Json::array();
  for (const Message& message : workspace.messages)
    if (message.kind != Message::Kind::info) warnings.push_back(message.text);

  const MeshCounts& counts = workspace.counts;
  return {{"version", WARPVIEW_VERSION},
          {"backend", to_string(workspace.device.backend)},
          {"device", workspace.device.name},
          {"mesh",
           {{"file", workspace.scene_spec},
            {"triangles", counts.triangles},
            {"corners", counts.corners},
            {"unique_vertices", counts.vertices},
            {"dropped_triangles", counts.dropped},
            {"bounds", bounds_as_json(workspace.bounds.points)}}},
          {"bvh",
           {{"internal_nodes", workspace.tree.inner_nodes},
            {"max_depth", workspace.tree.max_depth},
            {"sah_cost", workspace.tree.sah_cost}}},
          {"stages", std::move(stages)},
          {"interop", workspace.interop},
          {"graph", workspace.graph},
          {"frames", {{"count", results.frame_ms.size()}, {"ms_median", median(results.frame_ms)}}},
          {"copy_gb_per_s", workspace.copy_gb_per_s},
          {"warnings", std::move(warnings)}};
}

nlohmann::ordered_json catalogue_as_json() {
  Json rows = Json::array();
  for (int row = 0; row < static_cast<int>(variants().size()); ++row) {
    const Variant& variant = variants()[static_cast<std::size_t>(row)];
    rows.push_back({{"primitive", to_string(variant.primitive)},
                    {"name", variant.name},
                    {"default", row == default_variant(variant.primitive)},
                    {"summary", variant.summary},
                    {"source", variant.source},
                    {"file", variant.file},
                    {"available", in_words(variant.available)},
                    {"determinism", in_words(variant.determinism)},
                    {"launches", variant.launches},
                    {"bytes_per_item", variant.bytes_per_item(Traffic())}});
  }
  return rows;
}

}  // namespace warpview
