// Scene files: docs/scene-files.md describes the format.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  Value(const std::filesystem::path& path, const JsonNode& document)
      : Value(path, document, "the document") {}

  const Json& json() const { return node_.value; }

  [[noreturn]] void refuse(const std::string& found, const std::string& remedy) const {
    throw Error(fmt::format("{}:{}: {}", shortened(path_.string()), node_.line, name_), found,
                remedy);
  }

  // Its members, if it is an object.
  std::vector<Value> members() const {
    if (!json().is_object()) refuse("is not an object", "Write { ... }");
    std::vector<Value> all;
    for (const JsonNode& node : node_.children) all.push_back(member(node));
    return all;
  }
  // It must be an object, and have no members than `known`.
  void require_keys(std::initializer_list<const char*> known) const {
    if (!json().is_object()) refuse("is not an object", "Write { ... }");
    for (const JsonNode& node : node_.children)
      if (std::find(known.begin(), known.end(), node.key) == known.end())
        member(node).refuse("is an unknown key",
                            fmt::format("The keys are {}", fmt::join(known, ", ")));
  }
  bool has(const char* key) const { return find(key) != node_.children.end(); }
  Value member(const char* key) const { return member(*find(key)); }
  Value element(std::size_t index) const { return {path_, node_.children[index], name_}; }

  const std::string& key() const { return node_.key; }
  std::string text() const {
    if (!json().is_string()) refuse("is not a string", "Write it in quotes");
    return json().get<std::string>();
  }
  // One that a float can hold.
  double real() const {
    if (!json().is_number()) refuse("is not a number", "Write a number");
    const auto value = json().get<double>();
    if (!std::isfinite(static_cast<float>(value))) refuse("is too large", "Write a smaller number");
    return value;
  }
  float number() const { return static_cast<float>(real()); }
  double between(double least, double most, std::string_view unit) const {
    const double value = real();
    if (!(value >= least && value <= most))
      refuse(fmt::format("is not from {} to {}", least, most),
             fmt::format("Write {} to {} {}", least, most, unit));
    return value;
  }
  bool flag() const {
    if (!json().is_boolean()) refuse("is neither true nor false", "Write true or false");
    return json().get<bool>();
  }
  std::size_t array_size() const {
    if (!json().is_array()) refuse("is not a list", "Write [ ... ]");
    return node_.children.size();
  }
  Vec3 vec3() const {
    if (array_size() != 3) refuse("is not a list of three numbers", "Write [x, y, z]");
    return {element(0).number(), element(1).number(), element(2).number()};
  }
  // As it would stand behind "name=" on the command line.
  std::string setting() const {
    if (json().is_string()) return json().get<std::string>();
    if (json().is_boolean()) return json().get<bool>() ? "on" : "off";
    if (json().is_number()) return json().dump();
    refuse("is not a value", "Write a number, true, false or a string");
  }

 private:
  Value(const std::filesystem::path& path, const JsonNode& node, std::string name)
      : path_(path), node_(node), name_(std::move(name)) {}

  Value member(const JsonNode& node) const {
    return {path_, node, fmt::format("\"{}\"", shortened(node.key))};
  }
  std::vector<JsonNode>::const_iterator find(std::string_view key) const {
    return std::find_if(node_.children.begin(), node_.children.end(),
                        [key](const JsonNode& node) { return node.key == key; });
  }

  const std::filesystem::path& path_;
  const JsonNode& node_;
  std::string name_;  // for messages; elements have that of their list
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
  const double length = std::hypot(double{axis.x}, double{axis.y}, double{axis.z});
  if (!(length > 0.0))
    value.member("axis").refuse("has no direction", "Write for example [0, 1, 0]");
  axis = {static_cast<float>(axis.x / length), static_cast<float>(axis.y / length),
          static_cast<float>(axis.z / length)};
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

// Twelve numbers, or an object.
Transform any_transform_of(const Value& value) {
  Transform transform;
  if (value.json().is_array()) {
    if (value.array_size() != 12)
      value.refuse("is not a list of twelve numbers", "Write three rows of [A | t], or an object");
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

Transform transform_of(const Value& value) {
  const Transform transform = any_transform_of(value);
  const double determinant = transform.determinant();
  if (determinant == 0.0 || !std::isfinite(determinant))
    value.refuse(fmt::format("cannot be inverted: its determinant is {}", determinant),
                 "Write an invertible matrix");
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

// From one point to another.
Viewpoint from_point_to_point(const Value& value) {
  if (!value.has("eye") || !value.has("target"))
    value.refuse("lacks eye or target", "Write both as [x, y, z], or yaw and pitch");
  Viewpoint view{.eye = value.member("eye").vec3(), .target = value.member("target").vec3()};
  if (const std::string why = why_no_view(view.eye, view.target); !why.empty())
    value.refuse("has no direction: " + why, "Move the eye or the target");
  return view;
}

// By angles: around a target, or around all of the scene.
Viewpoint around_target(const Value& value) {
  constexpr double half_turn = 180.0;
  constexpr double quarter_turn = 90.0;
  if (!value.has("yaw") || !value.has("pitch"))
    value.refuse("lacks yaw or pitch", "Write both in degrees");
  if (value.has("eye")) value.refuse("has angles and an eye", "Leave one of them out");
  if (value.has("target") != value.has("distance"))
    value.refuse("has only one of target and distance", "Write both, or neither");
  Viewpoint view;
  // Half a turn as a float may exceed 180 degrees by rounding.
  constexpr double slack = 1e-4;
  auto& angles = view.angles.emplace();
  angles.yaw = value.member("yaw").between(-half_turn - slack, half_turn + slack, "degrees");
  angles.pitch =
      value.member("pitch").between(-quarter_turn - slack, quarter_turn + slack, "degrees");
  if (value.has("target")) {
    view.target = value.member("target").vec3();
    angles.distance = value.member("distance").real();
    if (!(static_cast<float>(*angles.distance) > 0.0F))
      value.member("distance").refuse("is not above 0", "Write a larger number");
  }
  return view;
}

Viewpoint viewpoint_of(const Value& value) {
  value.require_keys({"eye", "target", "field_of_view", "yaw", "pitch", "distance", "up"});
  const bool has_angles = value.has("yaw") || value.has("pitch") || value.has("distance");
  Viewpoint view = has_angles ? around_target(value) : from_point_to_point(value);
  if (value.has("up")) {
    const std::string up = value.member("up").text();
    if (up != "y" && up != "z") value.member("up").refuse("is neither y nor z", "Write y or z");
    view.z_up = up == "z";
  }
  if (value.has("field_of_view")) {
    view.field_of_view = value.member("field_of_view").real();
    if (*view.field_of_view < Viewpoint::least_field_of_view ||
        *view.field_of_view > Viewpoint::most_field_of_view)
      value.member("field_of_view")
          .refuse("is not a valid field of view",
                  fmt::format("Write {} to {} degrees", Viewpoint::least_field_of_view,
                              Viewpoint::most_field_of_view));
  }
  return view;
}

std::vector<NamedViewpoint> cameras_of(const Value& value) {
  std::vector<NamedViewpoint> cameras;
  for (const Value& each : value.members()) {
    if (const std::string why = why_no_camera_name(each.key()); !why.empty())
      each.refuse("is not a name for a camera: " + why, "Write another name");
    if (cameras.size() == NamedViewpoint::most)
      each.refuse(
          fmt::format("is one too many: a scene has at most {} cameras", NamedViewpoint::most),
          "Leave some out");
    cameras.push_back({each.key(), viewpoint_of(each)});
  }
  return cameras;
}

}  // namespace

std::string why_no_view(Vec3 eye, Vec3 target) {
  const Vec3 way = target - eye;
  const float squared = dot(way, way);
  if (!(squared > 0.0F)) return "eye and target must differ";
  if (!std::isfinite(squared)) return "eye and target are too far apart";
  return {};
}

std::string why_no_camera_name(std::string_view name) {
  if (name.empty()) return "it is empty";
  if (name.size() > NamedViewpoint::longest)
    return fmt::format("it has more than {} bytes", NamedViewpoint::longest);
  const auto is_control = [](unsigned char c) { return c < ' ' || c == 127; };
  if (std::any_of(name.begin(), name.end(), is_control)) return "it holds a control character";
  if (name.front() == ' ' || name.back() == ' ') return "it begins or ends with a space";
  if (name.find(',') != std::string_view::npos) return "it holds a comma";
  double number = 0.0;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
  if (read.ec == std::errc() && read.ptr == name.data() + name.size()) return "it is a number";
  return {};
}

SceneDescription read_scene_file(const std::filesystem::path& path) {
  const JsonNode document = read_json(path);
  const Value root(path, document);
  root.require_keys(
      {"scene", "files", "camera", "cameras", "controls", "variants", "show", "time", "playing"});
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
  if (root.has("cameras")) scene.cameras = cameras_of(root.member("cameras"));
  if (root.has("controls"))
    for (const Value& control : root.member("controls").members()) {
      scene.controls.emplace_back(control.key(), control.setting());
      or_refuse(control, [&] { controls_of(scene); });
    }
  if (root.has("variants"))
    for (const Value& stage : root.member("variants").members())
      scene.variants.add(stage.key(), stage.text());
  if (root.has("show")) {
    const Value show = root.member("show");
    std::vector<std::string> names;
    for (std::size_t i = 0; i < show.array_size(); ++i) names.push_back(show.element(i).text());
    scene.show = names;
  }
  if (root.has("time"))
    scene.seconds = root.member("time").between(0.0, SceneDescription::most_seconds, "seconds");
  if (root.has("playing")) scene.playing = root.member("playing").flag();
  return scene;
}

}  // namespace warpview
