// Writes scene files: docs/scene-files.md describes the format.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "scenes/description.h"
#include "scenes/files/open_mesh.h"

namespace warpview {
namespace {

using Json = nlohmann::ordered_json;

// The number that a float is written as: 0.1, where the double would be 0.10000000149011612.
Json number(float value) { return std::strtod(fmt::format("{}", value).c_str(), nullptr); }

Json list(Vec3 v) { return {number(v.x), number(v.y), number(v.z)}; }

Json json_of(const Viewpoint& view) {
  Json json = Json::object();
  if (view.angles) {
    json["yaw"] = view.angles->yaw;
    json["pitch"] = view.angles->pitch;
    if (view.angles->distance) {
      json["target"] = list(view.target);
      json["distance"] = *view.angles->distance;
    }
  } else {
    json["eye"] = list(view.eye);
    json["target"] = list(view.target);
  }
  if (view.field_of_view) json["field_of_view"] = *view.field_of_view;
  if (view.z_up) json["up"] = *view.z_up ? "z" : "y";
  return json;
}

// Below the folder relative to it, so that both can be moved together.
std::string path_in(const std::filesystem::path& folder, const std::string& spec) {
  namespace fs = std::filesystem;
  if (is_generated(spec)) return spec;
  std::error_code error;
  const fs::path file = fs::absolute(spec, error).lexically_normal();
  if (error) return spec;
  const fs::path below = file.lexically_relative(fs::absolute(folder, error).lexically_normal());
  if (error || below.empty() || *below.begin() == "..") return file.string();
  // A name that begins as one of a generated mesh would be taken for it.
  return is_generated(below.string()) ? (fs::path(".") / below).string() : below.string();
}

Json json_of(const MeshSource& source, const std::filesystem::path& folder) {
  const std::string path = path_in(folder, source.spec);
  if (source.transform.is_identity()) return path;
  Json transform = Json::array();
  for (const float value : source.transform.m) transform.push_back(number(value));
  Json json = Json::object();
  json["path"] = path;
  json["transform"] = std::move(transform);
  return json;
}

// A control as a reader would write it: true, 0.5 or "wave".
Json json_of(const Control& control, double value, const std::string& text) {
  if (control.kind == Control::Kind::toggle) return value != 0.0;
  if (control.kind == Control::Kind::choice) return text;
  if (control.whole) return static_cast<std::int64_t>(value);
  return std::strtod(text.c_str(), nullptr);
}

Json controls_as_json(const SceneDescription& scene) {
  const Controls controls = controls_of(scene);
  Json json = Json::object();
  for (std::size_t i = 0; i < controls.size(); ++i) {
    const Control& control = controls.all()[i];
    const bool is_said =
        std::any_of(scene.controls.begin(), scene.controls.end(),
                    [&](const auto& said) { return controls.sets(said.first, control.name); });
    if (is_said) json[control.name] = json_of(control, controls.value(i), controls.text(i));
  }
  return json;
}

// A member and its value on a line, as nothing in it is long: lists of numbers would have one for
// each.
std::string in_lines(const Json& json, int depth) {
  const std::string margin(2 * static_cast<std::size_t>(depth), ' ');
  if (!json.is_object() || json.empty()) return json.dump();
  std::string text;
  for (const auto& [key, value] : json.items())
    text += fmt::format("{}{}  {}: {}", text.empty() ? "" : ",\n", margin, Json(key).dump(),
                        in_lines(value, depth + 1));
  return fmt::format("{{\n{}\n{}}}", text, margin);
}

}  // namespace

std::string scene_file_text(const SceneDescription& scene, const std::filesystem::path& folder) {
  Json json = Json::object();
  json["scene"] = kind_of(scene).name;
  if (!scene.files.empty()) {
    Json& files = json["files"] = Json::array();
    for (const MeshSource& file : scene.files) files.push_back(json_of(file, folder));
  }
  if (scene.camera) json["camera"] = json_of(*scene.camera);
  for (const NamedViewpoint& each : scene.cameras) json["cameras"][each.name] = json_of(each.view);
  if (!scene.controls.empty()) json["controls"] = controls_as_json(scene);
  for (const VariantWishes::Wish& wish : scene.variants.all())
    json["variants"][wish.stage] = wish.variant;
  if (scene.show) json["show"] = *scene.show;
  if (scene.seconds) json["time"] = *scene.seconds;
  if (scene.playing) json["playing"] = *scene.playing;
  try {
    return in_lines(json, 0) + '\n';
  } catch (const Json::type_error&) {
    throw Error("saving the scene", "the name of a file or camera in it is not in UTF-8",
                "Rename it");
  }
}

}  // namespace warpview
