#include "scenes/files/materials.h"

#include <fmt/format.h>
#include <tiny_obj_loader.h>

#include <algorithm>
#include <cmath>
#include <istream>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "gpu/runtime/finite.h"
#include "scenes/files/input_file.h"
#include "scenes/files/material_lines.h"
#include "scenes/files/picture.h"
#include "scenes/files/picture_decoders.h"
#include "scenes/files/text_lines.h"
#include "scenes/files/texture_statement.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

// Files are named relative to the one that names them, often with a foreign system's separators or
// folders: where to look for one, in this order.
std::vector<fs::path> places_of(const fs::path& folder, std::string name) {
  if (name.empty()) return {};
  std::vector<fs::path> places = {folder / name};
  std::replace(name.begin(), name.end(), '\\', '/');
  for (const fs::path& place : {folder / name, folder / fs::path(name).filename()})
    if (place != places.back()) places.push_back(place);
  return places;
}

// Is a place outside a folder? Its name tells; links are not followed.
bool leads_out(const fs::path& folder, const fs::path& place) {
  const auto whole = [](const fs::path& path) {
    std::error_code ignored;
    return fs::absolute(path, ignored).lexically_normal();
  };
  const fs::path below = whole(place).lexically_relative(whole(folder / "."));
  return below.empty() || *below.begin() == "..";
}

// Notes what is to be told of the material files and textures that were opened.
class OpenedFiles {
 public:
  explicit OpenedFiles(fs::path folder) : folder_(std::move(folder)) {}

  void opened(const fs::path& place) {
    if (leads_out(folder_, place)) outside_.add(shortened(place.string()));
  }
  void changed(const fs::path& place) { changed_.add(shortened(place.string())); }

  void warn(Warnings& warnings) const {
    changed_.warn(warnings, Weight::files, "file", "files", "changed while being read");
    outside_.warn(warnings, Weight::files, "file", "files",
                  "opened outside the folder of the OBJ file");
  }

 private:
  const fs::path folder_;  // of the OBJ file
  Trouble outside_, changed_;
};

Vec3 colour(const tinyobj::real_t (&v)[3], Vec3 otherwise) {
  const Vec3 read{v[0], v[1], v[2]};
  return is_finite(read) ? read : otherwise;
}

Material convert(const tinyobj::material_t& from, bool has_diffuse, std::string_view name) {
  Material material;
  material.name = name;
  if (has_diffuse) material.diffuse = colour(from.diffuse, material.diffuse);
  material.specular = colour(from.specular, material.specular);
  material.emissive = colour(from.emission, material.emissive);
  if (std::isfinite(from.shininess)) material.shininess = std::max(1.0F, from.shininess);
  return material;
}

// Loads each picture file once.
class TextureLoader {
 public:
  TextureLoader(const LoadLimits& limits, const LoadControl& control, OpenedFiles& files,
                Mesh& mesh)
      : memory_left_(limits.memory), control_(control), files_(files), mesh_(mesh) {}

  // Index of the texture that a statement of `library` names by `text`, if it can be loaded.
  std::uint32_t load(const fs::path& library, const std::string& text) {
    for (const std::string& name : names_in(text))
      for (const fs::path& place : places_of(library.parent_path(), name))
        if (const auto index = load(place)) return *index;
    missing_.add(shortened(text));
    return Material::no_texture;
  }

  void warn(Warnings& warnings) const {
    missing_.warn(warnings, Weight::files, "texture", "textures", "not found, drawn without it");
    broken_.warn(warnings, Weight::files, "texture", "textures", "not readable, drawn without it");
    transparent_.warn(warnings, Weight::left_out, "texture", "textures",
                      "with transparent texels, drawn opaque");
  }

 private:
  // None where there is no such file.
  std::optional<std::uint32_t> load(const fs::path& place) {
    if (const auto known = loaded_.find(place.string()); known != loaded_.end())
      return known->second;
    std::uint32_t index = Material::no_texture;
    try {
      control_.begin_file(place);
      auto file = InputFile::find(place);
      if (!file) return std::nullopt;
      files_.opened(place);
      index = add(decode(*file));
    } catch (const Error& error) {
      broken_.add(fmt::format("{} ({})", shortened(place.string()), error.what()));
    } catch (const std::bad_alloc&) {
      broken_.add(fmt::format("{} (out of memory for it)", shortened(place.string())));
    }
    loaded_.emplace(place.string(), index);
    return index;
  }

  Image decode(InputFile& file) {
    if (file.size() > largest_picture_file)
      throw Error(
          fmt::format("{} bytes exceed the limit of {}", file.size(), largest_picture_file));
    require_picture_memory(file.size(), memory_left_);
    const std::vector<char> bytes = read(file);
    Image image =
        decode_picture(std::as_bytes(std::span(bytes)), memory_left_ - bytes.size(), control_);
    image.file = file.path();
    return image;
  }

  std::vector<char> read(InputFile& file) {
    constexpr std::size_t block_bytes = std::size_t{1} << 20U;
    std::vector<char> bytes(file.size());
    std::size_t done = 0;
    while (done < bytes.size()) {
      control_.throw_if_cancelled();
      const std::size_t wanted = std::min(block_bytes, bytes.size() - done);
      const std::size_t got = file.read(std::span(bytes).subspan(done, wanted));
      done += got;
      if (got < wanted) break;  // the file has become shorter
    }
    bytes.resize(done);
    if (file.has_changed()) files_.changed(file.path());
    return bytes;
  }

  static bool has_transparent_texels(const Image& image) {
    constexpr std::size_t channels = 4;
    for (std::size_t alpha = 3; alpha < image.rgba.size(); alpha += channels)
      if (image.rgba[alpha] != 255) return true;
    return false;
  }

  std::uint32_t add(Image image) {
    memory_left_ -= image.rgba.size();
    if (has_transparent_texels(image)) transparent_.add(shortened(image.file.string()));
    mesh_.textures.push_back(std::move(image));
    return static_cast<std::uint32_t>(mesh_.textures.size() - 1);
  }

  std::uint64_t memory_left_;  // of what all textures may take together, decoding included
  const LoadControl& control_;
  OpenedFiles& files_;
  Mesh& mesh_;
  std::map<std::string, std::uint32_t> loaded_;
  Trouble missing_;
  Trouble broken_;
  Trouble transparent_;
};

// A material of a library.
struct Definition {
  std::shared_ptr<const fs::path> library;
  Material material;
  MaterialStatements statements;
};

// Reads each material file once, and keeps the materials that are asked for. Of materials of one
// name the first counts.
class LibraryLoader {
 public:
  LibraryLoader(const std::vector<std::string>& names, LoadControl& control,
                const LoadLimits& limits, OpenedFiles& files)
      : wanted_(names.begin(), names.end()),
        control_(control),
        memory_(limits.memory),
        files_(files) {
    wanted_.erase("");  // no material is called so
  }

  // What one `mtllib` line of an OBJ file in `folder` names: a file whose name may contain spaces,
  // or several.
  void load_line(const fs::path& folder, std::string_view text) {
    for (const std::string& name : names_in(text))
      if (!text.starts_with('"') && load(folder, name)) return;
    for (auto name = next_name(text); !name.empty(); name = next_name(text))
      if (!load(folder, std::string(name))) missing_.add(shortened(name));
  }

  const Definition* find(const std::string& name) const {
    const auto found = definitions_.find(name);
    return found == definitions_.end() ? nullptr : &found->second;
  }

  void warn(Warnings& warnings) const {
    missing_.warn(warnings, Weight::files, "material file", "material files",
                  "not found, the default material is used");
    broken_.warn(warnings, Weight::files, "material file", "material files", "not usable");
    troubles_.warn(warnings);
  }

 private:
  // False when there is no such file.
  bool load(const fs::path& folder, const std::string& name) {
    for (const fs::path& place : places_of(folder, name)) {
      if (loaded_.contains(place.string())) return true;
      try {
        control_.begin_file(place);
        auto file = InputFile::find(place);
        if (!file) continue;
        loaded_.insert(place.string());
        files_.opened(place);
        parse(*std::move(file));
      } catch (const Error& error) {
        loaded_.insert(place.string());
        broken_.add(error.what());
      }
      return true;
    }
    return false;
  }

  void parse(InputFile file) {
    const auto path = std::make_shared<const fs::path>(file.path());
    std::vector<tinyobj::material_t> materials;
    MaterialLines lines(std::move(file), control_, wanted_, memory_, troubles_);
    std::istream stream(&lines);
    stream.exceptions(std::ios::badbit);  // lets exceptions of `lines` through
    std::map<std::string, int> unused;
    std::string messages;  // about statements that are not let through
    tinyobj::LoadMtl(&unused, &materials, &stream, &messages, &messages);
    lines.finish();
    if (lines.file_has_changed()) files_.changed(*path);
    if (!lines.defines_materials())
      broken_.add(fmt::format("{}: defines no material", shortened(path->string())));
    for (std::size_t i = 0; i < materials.size(); ++i) {
      const std::string name(trimmed(materials[i].name));
      if (name.empty()) continue;  // the parser makes one where it has read none
      MaterialStatements& statements = lines.statements(i);
      Material material = convert(materials[i], statements.has_diffuse, name);
      definitions_.try_emplace(name, Definition{path, std::move(material), std::move(statements)});
    }
  }

  std::unordered_set<std::string> wanted_;  // and not found yet
  LoadControl& control_;
  const std::uint64_t memory_;
  OpenedFiles& files_;
  std::unordered_set<std::string> loaded_;
  std::unordered_map<std::string, Definition> definitions_;
  Trouble missing_;
  Trouble broken_;
  MaterialTroubles troubles_;
};

}  // namespace

std::vector<std::uint32_t> load_materials(const fs::path& obj_file, const MaterialRequest& request,
                                          LoadControl& control, const LoadLimits& limits,
                                          Mesh& mesh, Warnings& warnings) {
  OpenedFiles files(obj_file.parent_path());
  LibraryLoader libraries(request.names, control, limits, files);
  for (const std::string& text : request.libraries)
    libraries.load_line(obj_file.parent_path(), text);

  mesh.materials.assign(1, Material{});
  mesh.materials[0].name = "default";
  TextureLoader textures(limits, control, files, mesh);
  Trouble unknown_names;
  std::vector<std::uint32_t> index_of_name;
  for (const std::string& name : request.names) {
    control.throw_if_cancelled();
    const Definition* const found = libraries.find(name);
    if (found == nullptr || name.empty()) {
      unknown_names.add(fmt::format("'{}'", shortened(name)));
      index_of_name.push_back(0);
      continue;
    }
    Material material = found->material;
    const auto& [has_diffuse, optics, texture] = found->statements;
    material.optics = optics;
    if (!texture.file.empty()) material.texture = textures.load(*found->library, texture.file);
    if (material.texture != Material::no_texture) {
      material.placement = texture.placement;
      // Many exporters write black, or no colour, and mean the texture alone.
      const Vec3 d = material.diffuse;
      const bool is_black = d.x == 0.0F && d.y == 0.0F && d.z == 0.0F;
      if (is_black || !has_diffuse) material.diffuse = {1.0F, 1.0F, 1.0F};
    }
    index_of_name.push_back(static_cast<std::uint32_t>(mesh.materials.size()));
    mesh.materials.push_back(std::move(material));
  }

  libraries.warn(warnings);
  unknown_names.warn(warnings, Weight::files, "material", "materials",
                     "not defined, the default material is used");
  textures.warn(warnings);
  files.warn(warnings);
  return index_of_name;
}

}  // namespace warpview
