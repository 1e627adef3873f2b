#include "app/report.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <variant>

#include "app/common/csv.h"
#include "gpu/runtime/statistics.h"
#include "scenes/scene.h"

namespace warpview {
namespace {

using Json = nlohmann::ordered_json;

Json as_json(const Aabb& box) {
  if (box.is_empty()) return {{"min", nullptr}, {"max", nullptr}};
  const auto numbers = [](Vec3 v) { return Json::array({v.x, v.y, v.z}); };
  return {{"min", numbers(box.min)}, {"max", numbers(box.max)}};
}
Json as_json(const Vec3& v) { return Json::array({v.x, v.y, v.z}); }
template <class T>
Json as_json(const T& value) {
  return value;
}

// "mesh.triangles" becomes a member of "mesh".
void add_facts(const Model& model, Json& report) {
  for (const Fact& fact : model.results->facts) {
    const std::size_t dot = fact.name.find('.');
    Json value = std::visit([](const auto& v) { return as_json(v); }, fact.value);
    if (dot == std::string::npos)
      report[fact.name] = std::move(value);
    else
      report[fact.name.substr(0, dot)][fact.name.substr(dot + 1)] = std::move(value);
  }
}

// A stage that another one has done too names that one's variant, and has no bytes of its own.
std::string variant_name(const Model& model, const StageRow& row) {
  const StageRow* const by = row.result->done_by.empty() ? &row : model.stage(row.result->done_by);
  return by && by->result->variant ? (*by->result->variant)->name : "-";
}

Json stage_as_json(const Model& model, const StageRow& row, const RunResults& results) {
  const StageResult& result = *row.result;
  const std::vector<double> times = result.times();
  const auto known = [](double value) { return value > 0.0 ? Json(value) : Json(); };
  // To the nanosecond: clocks say no more.
  const auto rounded = [](double ms) { return std::round(ms * 1e6) / 1e6; };
  const auto at = [&](double share) { return rounded(quantile(times, share)); };
  Json stage = {
      {"name", result.name},         {"variant", variant_name(model, row)},
      {"items", result.work.items},  {"bytes", result.done_by.empty() ? result.work.bytes : 0},
      {"runs", result.runs},         {"n", times.size()},
      {"cold", result.is_cold()},    {"ms_min", at(0.0)},
      {"ms_quartile_1", at(0.25)},   {"ms_median", at(0.5)},
      {"ms_quartile_3", at(0.75)},   {"ms_p95", at(0.95)},
      {"ms_max", at(1.0)},           {"ms_cold", known(rounded(result.cold_ms.value_or(0.0)))},
      {"gb_per_s", result.gb_per_s}, {"copy_share", known(result.copy_share)},
      {"verified", nullptr}};
  const auto verified = results.verified.find(result.name);
  if (verified != results.verified.end()) stage["verified"] = verified->second;
  return stage;
}

Json controls_as_json(const Controls& controls) {
  Json values = Json::object();
  for (std::size_t i = 0; i < controls.size(); ++i) {
    const Control& control = controls.all()[i];
    switch (control.kind) {
      case Control::Kind::toggle:
        values[control.name] = controls.value(i) != 0.0;
        break;
      case Control::Kind::choice:
        values[control.name] = value_in_words(control, controls.value(i));
        break;
      case Control::Kind::number:
        values[control.name] = controls.value(i);
        break;
      case Control::Kind::action:
        break;
    }
  }
  return values;
}

}  // namespace

nlohmann::ordered_json make_report(const Model& model, const RunResults& results) {
  Json stages = Json::array();
  for (const StageRow& row : model.stages) stages.push_back(stage_as_json(model, row, results));
  Json warnings = results.warnings;
  for (const Message& message : model.messages)
    if (message.kind != Message::Kind::info) warnings.push_back(message.text);

  Json report = {{"version", WARPVIEW_VERSION},
                 {"backend", to_string(model.device.backend)},
                 {"device", model.device.name},
                 {"scene", model.scene_kind ? model.scene_kind->name : ""},
                 {"controls", controls_as_json(model.controls)},
                 {"mesh", {{"file", model.scene_spec}}}};
  add_facts(model, report);
  report["stages"] = std::move(stages);
  report["interop"] = model.interop;
  report["graph"] = model.results->graph;
  report["frames"] = {{"count", results.frame_ms.size()}, {"ms_median", median(results.frame_ms)}};
  report["copy_gb_per_s"] = model.results->copy_gb_per_s;
  report["warnings"] = std::move(warnings);
  return report;
}

std::string report_for(const std::filesystem::path& file, const nlohmann::ordered_json& report) {
  // File names need not be UTF-8, JSON must be.
  if (file.extension() != ".csv")
    return report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
  std::string text;
  for (const Json& stage : report["stages"]) {
    std::vector<std::string> names;
    std::vector<std::string> values;
    for (const auto& [name, value] : stage.items()) {
      names.push_back(name);
      values.push_back(value.is_null()     ? std::string()
                       : value.is_string() ? value.get<std::string>()
                                           : value.dump());
    }
    if (text.empty()) text = csv_line(names);
    text += csv_line(values);
  }
  return text;
}

nlohmann::ordered_json scenes_as_json() {
  Json scenes = Json::array();
  for (const SceneKind& kind : scene_kinds()) {
    Json controls = Json::array();
    for (const Control& control : kind.controls) {
      Json entry = {{"name", control.name},
                    {"title", control.title},
                    {"description", control.tooltip},
                    {"range", range_in_words(control)}};
      constexpr std::array kinds = {"toggle", "number", "choice", "action"};
      constexpr std::array effects = {"frame", "plan", "reset", "remake"};
      entry["kind"] = kinds[static_cast<std::size_t>(control.kind)];
      entry["effect"] = effects[static_cast<std::size_t>(control.effect)];
      if (control.kind == Control::Kind::number) {
        entry["least"] = control.least;
        entry["most"] = control.most;
        entry["whole"] = control.whole;
        entry["unit"] = control.unit;
      }
      if (control.kind == Control::Kind::choice) {
        entry["choices"] = Json::array();
        for (const char* choice : control.choices) entry["choices"].push_back(choice);
      }
      if (control.needs.output != nullptr) entry["needs"] = {{"output", control.needs.output}};
      if (control.needs.control != nullptr) {
        Json values = Json::array();
        for (const char* value : control.needs.values)
          if (value != nullptr) values.push_back(value);
        entry["needs"] = {{"control", control.needs.control}, {"values", std::move(values)}};
      }
      if (control.kind != Control::Kind::action)
        entry["default"] = value_in_words(control, control.initial);
      controls.push_back(std::move(entry));
    }
    scenes.push_back({{"name", kind.name},
                      {"title", kind.title},
                      {"spelling", kind.usage},
                      {"summary", kind.summary},
                      {"invitation", kind.invitation},
                      {"controls", std::move(controls)}});
  }
  return scenes;
}

// The backends on which the program starts with the variant.
Json default_on(VariantId variant) {
  Json backends = Json::array();
  for (const Backend backend : {Backend::cuda, Backend::hip, Backend::cpu})
    if (variant == default_variant(variant->primitive, backend))
      backends.push_back(to_string(backend));
  return backends;
}

nlohmann::ordered_json catalogue_as_json() {
  Json rows = Json::array();
  for (const VariantId variant : variants()) {
    rows.push_back({{"primitive", to_string(variant->primitive)},
                    {"name", variant->name},
                    {"default_on", default_on(variant)},
                    {"summary", variant->summary},
                    {"source", variant->source},
                    {"file", variant->file},
                    {"available", in_words(variant->available)},
                    {"determinism", in_words(variant->determinism)},
                    {"launches", variant->launches},
                    {"bytes_per_item", variant->bytes_per_item(Traffic())},
                    {"bytes_needed", least_bytes(variant->primitive, Traffic())}});
  }
  return rows;
}

}  // namespace warpview
