#include "scenes/files/materials.h"

#include <fmt/format.h>
#include <tiny_obj_loader.h>

#include <algorithm>
#include <cmath>
#include <istream>
#include <map>
#include <new>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "scenes/files/input_file.h"
#include "scenes/files/picture.h"
#include "scenes/files/picture_decoders.h"
#include "scenes/files/text_lines.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

// A kind of trouble: how often it came, and the first few things it came with.
class Trouble {
 public:
  void add(std::string_view what) {
    constexpr std::uint64_t most_named = 3;
    if (count_ < most_named) named_ += (count_ > 0 ? ", " : "") + std::string(what);
    if (count_ == most_named) named_ += ", ...";
    ++count_;
  }
  // "<count> <one or several> <what of them>: <names>".
  void warn(Mesh& mesh, std::string_view one, std::string_view several,
            std::string_view what) const {
    if (count_ > 0)
      mesh.warnings.push_back(
          fmt::format("{} {}: {}", counted(count_, one, several), what, named_));
  }

 private:
  std::uint64_t count_ = 0;
  std::string named_;
};

// Lets through what a Material is made of. Checks the numbers of the colours and exponents, which
// the parser would take as 0, and keeps which materials have a diffuse colour, which the parser
// does not tell.
class MaterialLines : public TextLines {
 public:
  MaterialLines(InputFile file, LoadControl& control, Trouble& bad_numbers)
      : TextLines(std::move(file), [&control](double) { control.throw_if_cancelled(); }),
        bad_numbers_(bad_numbers) {}

  bool has_diffuse(std::string_view material) const {
    return has_diffuse_.contains(std::string(material));
  }

 private:
  bool accept(std::string_view& line) override {
    std::string_view rest = line;
    const std::string_view keyword = next_word(rest);
    if (keyword == "newmtl") material_ = trimmed(rest);
    const bool is_colour = keyword == "Kd" || keyword == "Ks" || keyword == "Ke";
    const int numbers = is_colour ? 3 : keyword == "Ns" ? 1 : 0;
    for (int i = 0; i < numbers; ++i) {
      if (is_number(next_word(rest))) continue;
      bad_numbers_.add(here());
      return false;  // the material keeps the default
    }
    if (keyword == "Kd") has_diffuse_.insert(material_);
    return numbers > 0 || keyword == "newmtl" || keyword == "map_Kd";
  }

  Trouble& bad_numbers_;
  std::string material_;
  std::unordered_set<std::string> has_diffuse_;
};

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

bool is_finite(const tinyobj::real_t (&v)[3]) {
  return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
}

Vec3 colour(const tinyobj::real_t (&v)[3], Vec3 otherwise) {
  return is_finite(v) ? Vec3{v[0], v[1], v[2]} : otherwise;
}

Material convert(const tinyobj::material_t& from, bool has_diffuse, const std::string& name) {
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
  TextureLoader(const LoadLimits& limits, const LoadControl& control, Mesh& mesh)
      : memory_left_(limits.memory), control_(control), mesh_(mesh) {}

  // Index of the texture that `library` names, if it can be loaded.
  std::uint32_t load(const fs::path& library, const std::string& name) {
    for (const fs::path& place : places_of(library.parent_path(), name)) {
      if (const auto known = loaded_.find(place.string()); known != loaded_.end())
        return known->second;
      try {
        auto file = InputFile::find(place);
        if (!file) continue;
        const std::uint32_t index = add(decode(*file));
        loaded_.emplace(place.string(), index);
        return index;
      } catch (const Error& error) {
        broken_.add(fmt::format("{} ({})", place.string(), error.what()));
      } catch (const std::bad_alloc&) {
        broken_.add(fmt::format("{} (the system gives no more memory for it)", place.string()));
      }
      loaded_.emplace(place.string(), Material::no_texture);
      return Material::no_texture;
    }
    missing_.add(name);
    return Material::no_texture;
  }

  void warn() const {
    missing_.warn(mesh_, "texture", "textures", "not found, drawn without");
    broken_.warn(mesh_, "texture", "textures", "not readable, drawn without");
  }

 private:
  Image decode(InputFile& file) {
    if (file.size() > largest_picture_file)
      throw Error(
          fmt::format("{} bytes are too many, {} are the most", file.size(), largest_picture_file));
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
    return bytes;
  }

  std::uint32_t add(Image image) {
    memory_left_ -= image.rgba.size();
    mesh_.textures.push_back(std::move(image));
    return static_cast<std::uint32_t>(mesh_.textures.size() - 1);
  }

  std::uint64_t memory_left_;  // of what all textures may take together, decoding included
  const LoadControl& control_;
  Mesh& mesh_;
  std::map<std::string, std::uint32_t> loaded_;
  Trouble missing_;
  Trouble broken_;
};

// A material of a library, and where its textures are looked for.
struct Definition {
  fs::path library;
  bool has_diffuse;
  tinyobj::material_t material;
};

// Reads each material file once. Of materials of one name the first counts.
class LibraryLoader {
 public:
  explicit LibraryLoader(LoadControl& control) : control_(control) {}

  // What one `mtllib` line of an OBJ file in `folder` names: a file whose name may contain spaces,
  // or several.
  void load_line(const fs::path& folder, const std::string& text) {
    if (load(folder, text)) return;
    std::string_view rest = text;
    for (auto word = next_word(rest); !word.empty(); word = next_word(rest))
      if (!load(folder, std::string(word))) missing_.add(word);
  }

  const Definition* find(const std::string& name) const {
    const auto found = definitions_.find(name);
    return found == definitions_.end() ? nullptr : &found->second;
  }

  void warn(Mesh& mesh) const {
    missing_.warn(mesh, "material file", "material files",
                  "not found, the default material stands in");
    broken_.warn(mesh, "material file", "material files", "not usable");
    bad_numbers_.warn(mesh, "line", "lines",
                      "of material files without the numbers that belong there");
  }

 private:
  // False when there is no such file.
  bool load(const fs::path& folder, const std::string& name) {
    for (const fs::path& place : places_of(folder, name)) {
      if (loaded_.contains(place.string())) return true;
      try {
        auto file = InputFile::find(place);
        if (!file) continue;
        loaded_.insert(place.string());
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
    const fs::path path = file.path();
    std::vector<tinyobj::material_t> materials;
    MaterialLines lines(std::move(file), control_, bad_numbers_);
    std::istream stream(&lines);
    stream.exceptions(std::ios::badbit);  // lets exceptions of `lines` through
    std::map<std::string, int> unused;
    std::string messages;  // about statements that are not let through
    tinyobj::LoadMtl(&unused, &materials, &stream, &messages, &messages);
    // The parser hands out one nameless material where a file defines none.
    if (materials.size() == 1 && materials.front().name.empty())
      broken_.add(fmt::format("{}: defines no material", path.string()));
    for (tinyobj::material_t& material : materials) {
      std::string name(trimmed(material.name));
      const bool has_diffuse = lines.has_diffuse(name);
      definitions_.try_emplace(std::move(name), Definition{path, has_diffuse, std::move(material)});
    }
  }

  LoadControl& control_;
  std::unordered_set<std::string> loaded_;
  std::unordered_map<std::string, Definition> definitions_;
  Trouble missing_;
  Trouble broken_;
  Trouble bad_numbers_;
};

}  // namespace

std::vector<std::uint32_t> load_materials(const fs::path& obj_file, const MaterialRequest& request,
                                          LoadControl& control, const LoadLimits& limits,
                                          Mesh& mesh) {
  LibraryLoader libraries(control);
  for (const std::string& text : request.libraries)
    libraries.load_line(obj_file.parent_path(), text);

  mesh.materials.assign(1, Material{});
  mesh.materials[0].name = "default";
  TextureLoader textures(limits, control, mesh);
  Trouble unknown_names;
  std::vector<std::uint32_t> index_of_name;
  for (const std::string& name : request.names) {
    control.throw_if_cancelled();
    const Definition* const found = libraries.find(name);
    if (found == nullptr || name.empty()) {
      unknown_names.add(fmt::format("'{}'", name));
      index_of_name.push_back(0);
      continue;
    }
    const auto& [library, has_diffuse, definition] = *found;
    Material material = convert(definition, has_diffuse, name);
    if (!definition.diffuse_texname.empty()) {
      material.texture = textures.load(library, definition.diffuse_texname);
      // Many exporters write black, or no colour, and mean the texture alone.
      const Vec3 d = material.diffuse;
      const bool is_black = d.x == 0.0F && d.y == 0.0F && d.z == 0.0F;
      if (material.texture != Material::no_texture && (is_black || !has_diffuse))
        material.diffuse = {1.0F, 1.0F, 1.0F};
    }
    index_of_name.push_back(static_cast<std::uint32_t>(mesh.materials.size()));
    mesh.materials.push_back(std::move(material));
  }

  libraries.warn(mesh);
  unknown_names.warn(mesh, "material", "materials", "defined nowhere, the default one stands in");
  textures.warn();
  return index_of_name;
}

}  // namespace warpview
