// Scene files: docs/scene-files.md describes the format.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <string>

#include "scenes/description.h"
#include "scenes/files/json_lines.h"
#include "scenes/files/open_mesh.h"
#include "scenes/files/text_lines.h"

namespace warpview {
namespace {

using Json = nlohmann::ordered_json;

// A value of the document, with its place for messages.
class Value {
 public:
  Value(const std::filesystem::path& path, const JsonLines& document)
      : path_(path), document_(document), json_(document.root()) {}

  const Json& json() const { return json_; }

  [[noreturn]] void refuse(const std::string& found, const std::string& remedy) const {
    throw Error(fmt::format("{}:{}: {}", shortened(path_.string()), document_.line_of(pointer_),
                            pointer_.empty() ? "the document" : "\"" + shortened(key_) + "\""),
                found, remedy);
  }

  // A member of an object; the object must have no others than `known`.
  void require_keys(std::initializer_list<const char*> known) const {
    if (!json_.is_object()) refuse("is no object", "Write { ... }");
    for (const auto& [key, value] : json_.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      member(key).refuse("is not known here", fmt::format("Known are {}", fmt::join(known, ", ")));
    }
  }
  bool has(const char* key) const { return json_.contains(key); }
  Value member(const std::string& key) const {
    return {path_, document_, json_.at(key), pointer_ + "/" + escaped_key(key), key};
  }
  Value element(std::size_t index) const {
    return {path_, document_, json_.at(index), fmt::format("{}/{}", pointer_, index), key_};
  }

  std::string text() const {
    if (!json_.is_string()) refuse("is no text", "Write it in quotes");
    return json_.get<std::string>();
  }
  float number() const {
    if (!json_.is_number()) refuse("is no number", "Write a number");
    const auto value = json_.get<double>();
    if (!std::isfinite(static_cast<float>(value))) refuse("is too large", "Write a smaller number");
    return static_cast<float>(value);
  }
  std::size_t array_size() const {
    if (!json_.is_array()) refuse("is no list", "Write [ ... ]");
    return json_.size();
  }
  Vec3 vec3() const {
    if (array_size() != 3) refuse("is no list of three numbers", "Write [x, y, z]");
    return {element(0).number(), element(1).number(), element(2).number()};
  }
  // As it would stand behind "name=" on the command line.
  std::string setting() const {
    if (json_.is_string()) return json_.get<std::string>();
    if (json_.is_boolean()) return json_.get<bool>() ? "on" : "off";
    if (json_.is_number()) return json_.dump();
    refuse("is no value", "Write a number, true, false or a text");
  }

 private:
  Value(const std::filesystem::path& path, const JsonLines& document, const Json& json,
        std::string pointer, std::string key)
      : path_(path),
        document_(document),
        json_(json),
        pointer_(std::move(pointer)),
        key_(std::move(key)) {}

  const std::filesystem::path& path_;
  const JsonLines& document_;
  const Json& json_;
  std::string pointer_;
  std::string key_;
};

Transform product(const Transform& a, const Transform& b) {
  Transform c;
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t column = 0; column < 4; ++column) {
      float sum = column == 3 ? a.m[4 * row + 3] : 0.0F;
      for (std::size_t k = 0; k < 3; ++k) sum += a.m[4 * row + k] * b.m[4 * k + column];
      c.m[4 * row + column] = sum;
    }
  return c;
}

// By `degrees` around `axis` (Rodrigues).
Transform rotation(const Value& value) {
  value.require_keys({"axis", "degrees"});
  if (!value.has("axis") || !value.has("degrees"))
    value.refuse("lacks axis or degrees", R"(Write {"axis": [0, 1, 0], "degrees": 90})");
  Vec3 axis = value.member("axis").vec3();
  const float length = std::hypot(axis.x, axis.y, axis.z);
  if (!(length > 0.0F)) value.member("axis").refuse("has no direction", "Write [0, 1, 0], say");
  axis = axis * (1.0F / length);
  const float angle = value.member("degrees").number() * std::numbers::pi_v<float> / 180.0F;
  const float c = std::cos(angle);
  const float s = std::sin(angle);
  const float k = 1.0F - c;
  return {{axis.x * axis.x * k + c, axis.x * axis.y * k - axis.z * s,
           axis.x * axis.z * k + axis.y * s, 0, axis.y * axis.x * k + axis.z * s,
           axis.y * axis.y * k + c, axis.y * axis.z * k - axis.x * s, 0,
           axis.z * axis.x * k - axis.y * s, axis.z * axis.y * k + axis.x * s,
           axis.z * axis.z * k + c, 0}};
}

Transform transform_of(const Value& value) {
  Transform transform;
  if (value.json().is_array()) {
    if (value.array_size() != 12)
      value.refuse("is no list of twelve numbers", "Write three rows of [A | t], or an object");
    for (std::size_t i = 0; i < 12; ++i) transform.m[i] = value.element(i).number();
    return transform;
  }
  value.require_keys({"scale", "rotate", "translate"});
  if (value.has("scale")) {
    const float scale = value.member("scale").number();
    if (scale == 0.0F) value.member("scale").refuse("is 0", "Write another number");
    transform.m[0] = transform.m[5] = transform.m[10] = scale;
  }
  if (value.has("rotate")) transform = product(rotation(value.member("rotate")), transform);
  if (value.has("translate")) {
    const Vec3 way = value.member("translate").vec3();
    transform.m[3] += way.x;
    transform.m[7] += way.y;
    transform.m[11] += way.z;
  }
  return transform;
}

// Files are named relative to the one that names them.
std::string path_of(const std::filesystem::path& scene_file, const std::string& name) {
  if (is_generated(name) || std::filesystem::path(name).is_absolute()) return name;
  return (scene_file.parent_path() / name).string();
}

MeshSource source_of(const std::filesystem::path& path, const Value& value) {
  if (value.json().is_string()) return {path_of(path, value.text())};
  value.require_keys({"path", "transform"});
  if (!value.has("path")) value.refuse("lacks a path", R"(Write {"path": "bunny.obj"})");
  MeshSource source{path_of(path, value.member("path").text())};
  if (value.has("transform")) source.transform = transform_of(value.member("transform"));
  return source;
}

Viewpoint viewpoint_of(const Value& value) {
  value.require_keys({"eye", "target", "field_of_view"});
  if (!value.has("eye") || !value.has("target"))
    value.refuse("lacks eye or target", "Write both as [x, y, z]");
  Viewpoint view{value.member("eye").vec3(), value.member("target").vec3()};
  const Vec3 way = view.target - view.eye;
  if (!(dot(way, way) > 0.0F)) value.refuse("looks nowhere", "Eye and target must differ");
  if (value.has("field_of_view")) {
    view.field_of_view = value.member("field_of_view").number();
    if (*view.field_of_view < 1.0F || *view.field_of_view > 150.0F)
      value.member("field_of_view").refuse("is no angle to look at", "Write 1 to 150 degrees");
  }
  return view;
}

}  // namespace

SceneDescription read_scene_file(const std::filesystem::path& path) {
  const JsonLines document(path);
  const Value root(path, document);
  root.require_keys({"scene", "files", "camera", "controls", "variants", "show"});
  SceneDescription scene;
  // What the scene itself refuses is said with its place here too.
  const auto or_refuse = [](const Value& value, auto&& action) {
    try {
      action();
    } catch (const Error& error) {
      value.refuse(error.what(), "");
    }
  };
  if (root.has("scene")) {
    scene.scene = root.member("scene").text();
    or_refuse(root.member("scene"), [&] { kind_of(scene); });
  }
  if (root.has("files")) {
    const Value files = root.member("files");
    for (std::size_t i = 0; i < files.array_size(); ++i)
      scene.files.push_back(source_of(path, files.element(i)));
  }
  if (root.has("camera")) scene.camera = viewpoint_of(root.member("camera"));
  if (root.has("controls")) {
    const Value controls = root.member("controls");
    if (!controls.json().is_object()) controls.refuse("is no object", "Write { ... }");
    for (const auto& [name, unused] : controls.json().items()) {
      const Value control = controls.member(name);
      scene.controls.emplace_back(name, control.setting());
      or_refuse(control, [&] { controls_of(scene); });
    }
  }
  if (root.has("variants")) {
    const Value variants = root.member("variants");
    if (!variants.json().is_object()) variants.refuse("is no object", "Write { ... }");
    for (const auto& [stage, unused] : variants.json().items())
      scene.variants.add(stage, variants.member(stage).text());
  }
  if (root.has("show")) {
    const Value show = root.member("show");
    std::vector<std::string> names;
    for (std::size_t i = 0; i < show.array_size(); ++i) names.push_back(show.element(i).text());
    scene.show = names;
  }
  return scene;
}

}  // namespace warpview
