// A scene as a user describes it: words on the command line, or a file in JSON.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/runtime/vec.h"
#include "gpu/timeline/timeline.h"
#include "scenes/files/load_control.h"
#include "scenes/files/mesh.h"
#include "scenes/scene.h"
#include "scenes/viewpoint.h"

namespace warpview {

// p becomes A p + t, row after row of [A | t].
struct Transform {
  std::array<float, 12> m = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

  bool is_identity() const { return m == Transform().m; }
  Vec3 point(Vec3 p) const;
  Vec3 normal(Vec3 n) const;  // by the inverse transpose, to length 1
  // Determinant of A. 0: all of space becomes a plane, a line or a point. Not finite where A is
  // not.
  double determinant() const;
  // Does it turn the triangles' fronts to the back?
  bool mirrors() const { return determinant() < 0.0; }
};

struct MeshSource {
  std::string spec;  // as open_mesh() takes it
  Transform transform{};
};

// Why one cannot look from one of these points to the other; empty: one can.
std::string why_no_view(Vec3 eye, Vec3 target);

// A viewpoint with a name in a scene file.
struct NamedViewpoint {
  static constexpr std::size_t most = 32;      // of a scene
  static constexpr std::size_t longest = 100;  // bytes of a name

  std::string name;
  Viewpoint view;
};
// Why a camera cannot have this name; empty: it can. A name is not a number, and has no comma and
// no control character.
std::string why_no_camera_name(std::string_view name);

struct SceneDescription {
  static constexpr double most_seconds = 86'400.0;

  std::string scene{};              // of scenes.def; empty: the first
  std::vector<MeshSource> files{};  // empty: the scene's own mesh
  // By name, as Controls::set takes them; later ones override earlier ones.
  std::vector<std::pair<std::string, std::string>> controls{};
  VariantWishes variants{};
  std::optional<Viewpoint> camera{};
  std::vector<NamedViewpoint> cameras{};
  std::string camera_name{};  // of `cameras`, to look through in place of `camera`; empty: none
  std::optional<std::vector<std::string>> show{};  // names of outputs; none: the scene's choice
  std::optional<bool> playing{};                   // does time pass?
  // Simulated time that has passed at the first picture, at most `most_seconds`. None: it begins at
  // 0.
  std::optional<double> seconds{};
  // What the user asked for, before a scene file or how the scene was left came into it. Null:
  // this.
  std::shared_ptr<const SceneDescription> asked{};

  const SceneDescription& as_asked() const { return asked ? *asked : *this; }
  // What was asked for, for people: "particles:100000 bunny.obj".
  std::string spec() const;
  bool operator==(const SceneDescription&) const = delete;
};

// The words that follow the program's name: [SCENE[:SIZE]] [FILE...]. A word that is no scene's
// name is a file; "./particles" is a file of that name. Error where a size is given to a scene that
// takes none, or is no number.
SceneDescription describe_scene(const std::vector<std::string>& words);

// Is it a file in JSON that describes a scene, by its name?
bool is_scene_file(std::string_view spec);
// Reads one; files are named relative to it. Error names the file, the line and the key of what is
// wrong. The format: docs/scene-files.md.
SceneDescription read_scene_file(const std::filesystem::path& path);
// Returns the text of a scene file in `folder` that describes this scene. read_scene_file() reads
// it as an equal description, except that files are absolute or below the folder. Error where a
// name is not in UTF-8.
std::string scene_file_text(const SceneDescription& scene, const std::filesystem::path& folder);

// Its kind: where none is named, the first that is made for its first file. Error where there is no
// such scene.
const SceneKind& kind_of(const SceneDescription& description);
// Is the scene made for this file or generated mesh? Some draw pictures of filled paths, all others
// meshes.
bool is_made_for(const SceneKind& kind, std::string_view spec);
// All controls of its kind, with the values that the description gives. Error where it names a
// control that the kind does not have, or gives a value that it cannot have.
Controls controls_of(const SceneDescription& description);
// How a scene with these controls has its files read.
MeshOptions mesh_options(const Controls& controls);
// All its files as one mesh, each moved by its transform.
Mesh load_meshes(const SceneDescription& description, LoadControl& control,
                 const LoadLimits& limits = {}, const MeshOptions& options = {});

}  // namespace warpview
